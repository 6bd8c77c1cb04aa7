import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function gatewayNodeRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/gateway-nodes',
      component: lazyRouteComponent(() => import('./list.tsx'), 'GatewayNodeList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/gateway-nodes/$nodeId',
      component: lazyRouteComponent(() => import('./node.tsx'), 'GatewayNodeScreen'),
    }),
  ] as const;
}
