import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { SubscriptionState } from '../subscriptions/columns.tsx';

/** The subscriptions on a plan, each with the version that it is billed by. */
export function RatePlanSubscribers() {
  const { ratePlanId } = useParams({ from: '/shell/rate-plans/$ratePlanId/subscribers' });
  const list = useList('listRatePlanSubscribers', { ratePlanId });
  return (
    <ResourceList
      {...list}
      rows={list.rows?.map((subscriber) => ({ ...subscriber, id: subscriber.subscriptionId }))}
      noun="subscribers"
      columns={[
        {
          title: 'App',
          cell: ({ subscriptionId, appName }) => (
            <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId }}>
              {appName}
            </TextLink>
          ),
        },
        { title: 'Developer', cell: ({ developerName }) => developerName },
        { title: 'State', cell: ({ state }) => <SubscriptionState state={state} /> },
        { title: 'Version', sort: 'planVersion', align: 'end', cell: ({ planVersion }) => planVersion ?? '–' },
        { title: 'Since', cell: ({ since }) => <Ago at={since} /> },
        {
          title: 'Next',
          cell: ({ next }) =>
            next === null ? (
              '–'
            ) : (
              <>
                Version {next.planVersion} from <Moment at={next.from} />
              </>
            ),
        },
        { title: 'Subscribed', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      filters={[
        { name: 'state', label: 'State', options: optionsOf(['pending', 'approved']) },
        { name: 'planVersion', label: 'Version', type: 'number' },
      ]}
      empty={<EmptyList>Nobody is subscribed to this plan.</EmptyList>}
    />
  );
}
