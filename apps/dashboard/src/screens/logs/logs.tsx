import { Code } from '@mantine/core';
import type { Filter } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type ArgumentsOf, useRead } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';

const statusFilter: Filter = {
  name: 'status',
  label: 'Status',
  options: [
    { value: 'success', label: 'Succeeded (2xx)' },
    { value: 'client_error', label: 'Rejected (4xx)' },
    { value: 'server_error', label: 'Failed (5xx)' },
  ],
};

/** The latest API calls. */
export function LogsScreen() {
  const search = useSearch({ strict: false }) as ListSearch;
  const calls = useRead('listCalls', { query: search as NonNullable<ArgumentsOf<'listCalls'>['query']> });
  const keys = useRead('listKeys', { query: { limit: 200 } });
  const numbers = useNumbers();
  const keyFilter: Filter = {
    name: 'keyId',
    label: 'API key',
    options: keys.data?.items.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` })) ?? [],
  };
  return (
    <Page title="Logs" description="API calls with this account’s keys in the last 7 days.">
      <CursorList
        noun="calls"
        read={calls}
        filters={[
          keyFilter,
          statusFilter,
          { name: 'from', label: 'From', type: 'moment', more: true },
          { name: 'to', label: 'To', type: 'moment', more: true },
        ]}
        columns={[
          { title: 'When', cell: ({ at }) => <Moment at={at} seconds /> },
          {
            title: 'Call',
            cell: ({ method, route }) => (
              <Code>
                {method} {route}
              </Code>
            ),
          },
          {
            title: 'Status',
            cell: ({ status, errorCode }) => (
              <>
                <Mark tone={toneOf(status)}>{status}</Mark> {errorCode}
              </>
            ),
          },
          { title: 'Latency', align: 'end', cell: ({ latencyMs }) => `${numbers.count(latencyMs)} ms` },
          { title: 'API key', cell: ({ keyName, keyPrefix }) => <span title={`${keyPrefix}…`}>{keyName}</span> },
          {
            title: 'Document',
            cell: ({ documentId }) =>
              documentId === null ? (
                '–'
              ) : (
                <TextLink
                  to="/documents/$documentId"
                  params={{ documentId }}
                  aria-label={`Open document ${documentId}`}
                >
                  Open
                </TextLink>
              ),
          },
        ]}
      />
    </Page>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'warning' : 'bad';
}
