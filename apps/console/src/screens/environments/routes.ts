import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function environmentRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/environments',
      component: lazyRouteComponent(() => import('./list.tsx'), 'EnvironmentList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/environments/$environmentId',
      component: lazyRouteComponent(() => import('./environment.tsx'), 'EnvironmentScreen'),
      validateSearch: listSearch,
    }),
  ] as const;
}
