import { useRead } from '../../frame/api.ts';

/** The two lists of subscriptions: all of them, and those that wait, with how many they are. */
export function useSubscriptionLinks() {
  const waiting = useRead(
    'listSubscriptions',
    { query: { state: 'pending', pageSize: 1 } },
    { refetchInterval: 15_000 },
  ).data?.total;
  return [
    { to: '/subscriptions', label: 'All' },
    { to: '/subscriptions/queue', label: `Waiting for approval${waiting === undefined ? '' : ` (${waiting})`}` },
  ] as const;
}
