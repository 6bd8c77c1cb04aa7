import { choiceOf, EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Moment } from '@millrace/ui/values';
import { useList, useRead } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { texts } from '../../frame/texts.ts';
import { UsageTabs } from './usage-tabs.tsx';

const words = texts.requests;

/** The account's own recent requests, without anything that they carried. */
export function RequestList() {
  const { rows, ...list } = useList('listPortalRequests');
  const apps = useRead('listPortalApps', { query: { pageSize: '100' } });
  const numbers = useNumbers();
  return (
    <ListScreen
      title={texts.usage.title}
      noun={words.noun}
      searchable
      description={words.description}
      tabs={<UsageTabs />}
      list={{ ...list, rows: rows?.map((request) => ({ ...request, id: request.requestId })) }}
      filters={[
        choiceOf('failed', words.outcome, words.failed, words.succeeded),
        {
          name: 'appId',
          label: words.app,
          options: (apps.data?.apps ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
        },
      ]}
      columns={[
        { title: words.at, sort: 'at', cell: ({ at }) => <Moment at={at} seconds /> },
        {
          title: words.status,
          sort: 'status',
          cell: ({ status }) => <Mark tone={status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good'}>{status}</Mark>,
        },
        {
          title: words.request,
          cell: ({ method, route }) => (
            <code>
              {method} {route ?? words.noRoute}
            </code>
          ),
        },
        {
          title: words.duration,
          sort: 'durationMs',
          align: 'end',
          cell: ({ durationMs }) => `${numbers.decimal(durationMs, 1)} ms`,
        },
        { title: words.app, cell: ({ appName }) => appName },
        { title: words.requestId, cell: ({ requestId }) => <code>{requestId}</code> },
      ]}
      empty={<EmptyList>{words.empty}</EmptyList>}
    />
  );
}
