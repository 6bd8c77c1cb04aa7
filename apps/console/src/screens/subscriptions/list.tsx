import { EmptyList } from '@millrace/ui/list';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { subscriptionColumns, subscriptionFilters } from './columns.tsx';
import { subscribeAction } from './subscribe-form.tsx';
import { SubscriptionTabs } from './tabs.tsx';

/** Which apps are subscribed to which products. */
export function SubscriptionList() {
  return (
    <ListScreen
      title="Subscriptions"
      description="Which apps can call which API products."
      noun="subscriptions"
      list={useList('listSubscriptions')}
      actions={[subscribeAction({ label: 'Subscribe app' })]}
      tabs={<SubscriptionTabs />}
      columns={subscriptionColumns}
      filters={subscriptionFilters}
      empty={<EmptyList>No subscriptions yet. Subscribe an app to a published API product.</EmptyList>}
    />
  );
}
