import { Loader, Stack } from '@mantine/core';
import { IconDownload } from '@millrace/ui/icons';
import { Page } from '@millrace/ui/page';
import { type SectionLink, SectionLinks } from '@millrace/ui/section-links';
import { useIsFetching } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import type { ArgumentsOf } from '../../frame/api.ts';
import { saveAnswer } from '../../frame/save-answer.ts';
import { dimensions, queryOf, type TrafficSearch } from './address.ts';
import { Controls } from './controls.tsx';
import { Filters } from './filters.tsx';
import { useTraffic } from './state.ts';
import { useViewActions, ViewSelect } from './views.tsx';

const sections: readonly SectionLink[] = [
  { to: '/traffic', label: 'Overview' },
  { to: '/traffic/errors', label: 'Errors' },
  { to: '/traffic/latency', label: 'Latency' },
  { to: '/traffic/countries', label: 'Countries' },
];

const reads = ['summarizeTraffic', 'getTrafficSeries', 'listTopTraffic', 'listTrafficErrors', 'getLatency'];

/** Requests, errors and latency of everything that the gateway serves; all that is chosen is in the address. */
export function Traffic() {
  const { search, live } = useTraffic();
  const viewActions = useViewActions();
  return (
    <Page
      title="Traffic"
      description={live ? 'The last 15 minutes, refreshed every 10 seconds.' : undefined}
      actions={
        <>
          <ViewSelect />
          <PermittedActions
            actions={[
              ...viewActions,
              {
                label: 'Export CSV',
                icon: IconDownload,
                permission: 'analytics.export',
                blocked: notExported(search),
                run: () => saveAnswer('exportTraffic', { query: exportQueryOf(search) }, 'traffic.csv'),
              },
            ]}
          />
        </>
      }
      tabs={<SectionLinks label="Sections of traffic" sections={sections} keepsSearch />}
    >
      <Stack gap="lg">
        <Stack gap="xs">
          <Controls>{!live && <Fetching />}</Controls>
          <Filters />
        </Stack>
        <Outlet />
      </Stack>
    </Page>
  );
}

/** Apart from the screen, which would be drawn again with the beginning and end of each call. */
function Fetching() {
  const count = useIsFetching({ predicate: ({ queryKey: [id] }) => reads.includes(String(id)) });
  return count > 0 && <Loader size="xs" mb={8} aria-label="Loading" role="status" />;
}

/** What only hourly rows have can be exported. */
const exported = ['environmentId', 'proxyId', 'appId', 'productId', 'country'];

function notExported(search: TrafficSearch): string | false {
  if (search.range === '15m' && search.from === undefined) return 'Choose a longer range: whole hours are exported.';
  const other = dimensions.find(({ filter }) => search[filter] !== undefined && !exported.includes(filter));
  return other !== undefined && `Figures by ${other.label.toLowerCase()} can’t be exported. Remove the filter.`;
}

function exportQueryOf(search: TrafficSearch): ArgumentsOf<'exportTraffic'>['query'] {
  const { step, compare: _compare, ...query } = queryOf(search);
  return { ...query, ...(step === 'day' && { step }) };
}
