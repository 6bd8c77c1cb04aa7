import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function subscriptionRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/subscriptions',
      component: lazyRouteComponent(() => import('./list.tsx'), 'SubscriptionList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/subscriptions/queue',
      component: lazyRouteComponent(() => import('./queue.tsx'), 'SubscriptionQueue'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/subscriptions/$subscriptionId',
      component: lazyRouteComponent(() => import('./subscription.tsx'), 'SubscriptionScreen'),
      validateSearch: listSearch,
    }),
  ] as const;
}
