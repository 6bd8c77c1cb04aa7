import { EmptyList } from '@millrace/ui/list';
import { RowActions } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { subscriptionColumns } from './columns.tsx';
import { useDecisionActions } from './decision.ts';
import { SubscriptionTabs } from './tabs.tsx';

/** The subscriptions that wait for approval. */
export function SubscriptionQueue() {
  const decisionActions = useDecisionActions();
  return (
    <ListScreen
      title="Subscriptions"
      description="Which apps can call which API products."
      noun="subscriptions"
      list={useList('listSubscriptions', undefined, { query: { state: 'pending' }, refetchInterval: 15_000 })}
      tabs={<SubscriptionTabs />}
      columns={[
        ...subscriptionColumns.filter(({ title }) => title !== 'State'),
        { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
        { title: 'Decision', cell: (subscription) => <RowActions actions={decisionActions(subscription)} /> },
      ]}
      empty={<EmptyList>Nothing waits for approval.</EmptyList>}
    />
  );
}
