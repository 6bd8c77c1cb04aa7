import { Anchor } from '@mantine/core';
import { BarTable } from '@millrace/ui/bar-table';
import { useCountryNames } from '@millrace/ui/countries';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded } from '@millrace/ui/page';
import { useRead } from '../../frame/api.ts';
import { splitsOf, withFilter } from './address.ts';
import { Change } from './change.tsx';
import { useTraffic } from './state.ts';

/** Requests by country. */
export function TrafficCountries() {
  const { search, query, live, reading, change } = useTraffic();
  const numbers = useNumbers();
  const nameOf = useCountryNames();
  const isCounted = splitsOf(search).some(({ by }) => by === 'country');
  const { step: _step, ...ofRange } = query;
  const read = useRead('listTrafficCountries', { query: ofRange }, { ...reading, enabled: isCounted });
  if (!isCounted) {
    return (
      <EmptyList>
        {live
          ? 'Countries are counted by the hour. Choose a longer range.'
          : 'Countries aren’t counted by route, deployment or gateway node. Remove the filter.'}
      </EmptyList>
    );
  }
  return (
    <Loaded read={read}>
      {({ countries }) =>
        countries.length === 0 ? (
          <EmptyList>No traffic in this range.</EmptyList>
        ) : (
          <BarTable
            label="countries by requests"
            rows={countries.map((row) => ({ ...row, id: row.country }))}
            name={{
              title: 'Country',
              plain: ({ country }) => nameOf(country),
              cell: ({ country }) => (
                <Anchor
                  component="button"
                  ta="start"
                  aria-label={`Filter by ${nameOf(country)}`}
                  onClick={() => change((current) => withFilter(current, 'country', country))}
                >
                  {nameOf(country)}
                </Anchor>
              ),
            }}
            measures={[
              {
                title: 'Requests',
                value: ({ requests }) => requests,
                format: numbers.count,
                note: ({ requests, previous }) => (
                  <Change now={requests} before={previous?.requests} format={numbers.count} />
                ),
              },
              { title: 'Share', value: ({ share }) => share, format: (share) => numbers.percent(share, 1) },
              { title: 'Errors (5xx)', value: ({ status5xx }) => status5xx, format: numbers.count },
              {
                title: 'Share of errors',
                value: ({ errorRatio }) => errorRatio,
                format: (share) => numbers.percent(share, 2),
              },
              { title: 'Response bytes', value: ({ responseBytes }) => responseBytes, format: numbers.bytes },
            ]}
          />
        )
      }
    </Loaded>
  );
}
