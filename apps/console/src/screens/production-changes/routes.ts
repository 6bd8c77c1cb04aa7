import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function productionChangeRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/production-changes',
      component: lazyRouteComponent(() => import('./list.tsx'), 'ProductionChangeList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/production-changes/$changeId',
      component: lazyRouteComponent(() => import('./production-change.tsx'), 'ProductionChangeScreen'),
    }),
  ] as const;
}
