import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function serviceAccountRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/service-accounts',
      component: lazyRouteComponent(() => import('./list.tsx'), 'ServiceAccountList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/service-accounts/$serviceAccountId',
      component: lazyRouteComponent(() => import('./service-account.tsx'), 'ServiceAccountScreen'),
    }),
  ] as const;
}
