import { EmptyList } from '@millrace/ui/list';
import { useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { subscriptionColumns, subscriptionFilters } from '../subscriptions/columns.tsx';
import { subscribeAction } from '../subscriptions/subscribe-form.tsx';

/** What an app is subscribed to. */
export function AppSubscriptions() {
  const { appId } = useParams({ from: '/shell/apps/$appId/subscriptions' });
  return (
    <ResourceList
      {...useList('listSubscriptions', undefined, { query: { appId } })}
      noun="subscriptions"
      columns={subscriptionColumns.filter(({ title }) => title !== 'App' && title !== 'Developer')}
      filters={subscriptionFilters}
      actions={<PermittedActions actions={[subscribeAction({ label: 'Subscribe to product', appId })]} />}
      empty={<EmptyList>No subscriptions yet. Subscribe the app to an API product so it can make calls.</EmptyList>}
    />
  );
}
