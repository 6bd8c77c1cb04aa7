import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function developerRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const developer = createRoute({
    getParentRoute,
    path: '/developers/$developerId',
    component: lazyRouteComponent(() => import('./developer.tsx'), 'DeveloperScreen'),
  });
  const below = { getParentRoute: () => developer, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/developers',
      component: lazyRouteComponent(() => import('./list.tsx'), 'DeveloperList'),
      validateSearch: listSearch,
    }),
    developer.addChildren([
      createRoute({ ...below, path: '/', component: lazyRouteComponent(() => import('./apps.tsx'), 'DeveloperApps') }),
      createRoute({
        ...below,
        path: '/usage',
        component: lazyRouteComponent(() => import('./usage.tsx'), 'DeveloperUsage'),
      }),
      createRoute({
        ...below,
        path: '/billing',
        component: lazyRouteComponent(() => import('./billing.tsx'), 'DeveloperBilling'),
      }),
      createRoute({
        ...below,
        path: '/invoices',
        component: lazyRouteComponent(() => import('./invoices.tsx'), 'DeveloperInvoices'),
      }),
      createRoute({
        ...below,
        path: '/balance',
        component: lazyRouteComponent(() => import('./balance.tsx'), 'DeveloperBalance'),
      }),
      createRoute({
        ...below,
        path: '/portal-users',
        component: lazyRouteComponent(() => import('./portal-users.tsx'), 'DeveloperPortalUsers'),
      }),
      createRoute({
        ...below,
        path: '/sign-in',
        component: lazyRouteComponent(() => import('./sign-in.tsx'), 'DeveloperSignIn'),
      }),
    ]),
  ] as const;
}
