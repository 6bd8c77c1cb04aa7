import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function targetServerRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/target-servers',
      component: lazyRouteComponent(() => import('./list.tsx'), 'TargetServerList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/target-servers/$targetServerId',
      component: lazyRouteComponent(() => import('./target-server.tsx'), 'TargetServerScreen'),
    }),
  ] as const;
}
