import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function billingPeriodRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  const period = createRoute({
    getParentRoute,
    path: '/billing-periods/$periodId',
    component: lazyRouteComponent(() => import('./period.tsx'), 'BillingPeriodScreen'),
  });
  const below = { getParentRoute: () => period, validateSearch: listSearch };
  return [
    createRoute({
      getParentRoute,
      path: '/billing-periods',
      component: lazyRouteComponent(() => import('./list.tsx'), 'BillingPeriodList'),
      validateSearch: listSearch,
    }),
    period.addChildren([
      createRoute({
        ...below,
        path: '/',
        component: lazyRouteComponent(() => import('./reconciliation.tsx'), 'Reconciliation'),
      }),
      createRoute({
        ...below,
        path: '/invoices',
        component: lazyRouteComponent(() => import('./invoices.tsx'), 'PeriodInvoices'),
      }),
    ]),
  ] as const;
}
