import { useSearchChange } from '@millrace/ui/search-change';
import { useSearch } from '@tanstack/react-router';
import { isLive, queryOf, type TrafficQuery, type TrafficSearch, withSpan } from './address.ts';

/** How often live figures are read again. */
const liveMs = 10_000;

/** What the address of the traffic screens says, and how it is changed. */
export function useTraffic() {
  const search: TrafficSearch = useSearch({ from: '/shell/traffic' });
  const change = useSearchChange();
  const live = isLive(search);
  return {
    search,
    query: queryOf(search),
    live,
    /** Of the reads of a screen. */
    reading: { keepsPrevious: true, ...(live && { refetchInterval: liveMs }) },
    change,
    /** For charts: their steps begin at whole hours, which is what a range can be made of. */
    selectOf: ({ step }: { readonly step: string }) =>
      step === 'hour' || step === 'day'
        ? {
            onSelect: ({ from, to }: { from: string; to: string }) =>
              void change((current) => withSpan(current, from, to)),
          }
        : {},
  };
}

/** The times of the steps of an answer, as a chart takes them. */
export function axisOf(
  points: readonly { readonly at: string }[],
  { step, timeZone }: { readonly step: string; readonly timeZone: string },
) {
  const times = points.map(({ at }) => at);
  return step === 'day' ? { times, daily: true, zone: timeZone } : { times };
}

/** Without the period before, which some figures don't show. */
export function withoutCompare({ compare: _compare, ...query }: TrafficQuery): TrafficQuery {
  return query;
}
