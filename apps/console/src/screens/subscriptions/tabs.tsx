import { SectionLinks } from '@millrace/ui/section-links';
import { useRead } from '../../frame/api.ts';

/** Links between all subscriptions and the pending ones, with how many these are. */
export function SubscriptionTabs() {
  const pending = useRead(
    'listSubscriptions',
    { query: { state: 'pending', pageSize: 1 } },
    { refetchInterval: 15_000 },
  ).data?.total;
  const count = pending === undefined ? '' : ` (${pending})`;
  return (
    <SectionLinks
      label="Subscriptions by state"
      sections={[
        { to: '/subscriptions', label: 'All' },
        { to: '/subscriptions/queue', label: `Waiting for approval${count}` },
      ]}
    />
  );
}
