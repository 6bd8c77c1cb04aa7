import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { SubscriptionList } from './list.tsx';
import { SubscriptionQueue } from './queue.tsx';
import { SubscriptionScreen } from './subscription.tsx';

export function subscriptionRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/subscriptions', component: SubscriptionList, validateSearch: listSearch }),
    createRoute({
      getParentRoute,
      path: '/subscriptions/queue',
      component: SubscriptionQueue,
      validateSearch: listSearch,
    }),
    createRoute({ getParentRoute, path: '/subscriptions/$subscriptionId', component: SubscriptionScreen }),
  ] as const;
}
