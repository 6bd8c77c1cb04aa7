import { Badge, Code, Stack, Text } from '@mantine/core';
import type { ListSearch } from '@millrace/ui/list-search';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { FieldChanges } from '../revisions/field-changes.tsx';
import { useProxy } from './proxy-context.tsx';

type Entry = DataOf<'listProxyHistory'>['entries'][number];

const categories = ['configuration', 'deployment', 'security', 'governance'];

/** What was done to the proxy, by whom, and what it changed. */
export function HistoryTab() {
  const { proxy } = useProxy();
  const search = useSearch({ strict: false }) as ListSearch;
  const read = useRead('listProxyHistory', { params: { proxyId: proxy.id }, query: listQueryOf(search) });
  return (
    <ResourceList<Entry>
      noun="entries"
      rows={read.data?.entries}
      total={read.data?.total}
      loading={read.isFetching}
      error={read.error}
      filters={[
        { name: 'category', label: 'Category', options: categories.map((value) => ({ value, label: wordsOf(value) })) },
      ]}
      columns={[
        { title: 'When', sort: 'at', cell: ({ at }) => <Ago at={at} /> },
        { title: 'Who', cell: ({ actorName }) => actorName },
        {
          title: 'What',
          cell: ({ operation, note, outcome }) => (
            <>
              <Text size="sm" fw={600}>
                {sentenceOf(operation)}
                {outcome !== 'done' && (
                  <Badge ml="xs" size="sm" color="red.9" tt="none">
                    {outcome}
                  </Badge>
                )}
              </Text>
              {note !== '' && (
                <Text size="sm" c="dimmed">
                  {note}
                </Text>
              )}
            </>
          ),
        },
        {
          title: 'Changes',
          cell: ({ changes }) => (changes.length === 0 ? '–' : <Changes changes={changes} />),
        },
      ]}
    />
  );
}

/** `updateRoute` becomes `Update route`. */
function sentenceOf(operation: string): string {
  return wordsOf(operation.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

function Changes(props: { readonly changes: Entry['changes'] }) {
  return (
    <details>
      <summary>
        <Text span size="sm">
          {props.changes.length === 1 ? (
            <Code>{props.changes[0]!.path || 'all of it'}</Code>
          ) : (
            `${props.changes.length} fields`
          )}
        </Text>
      </summary>
      <Stack mt="xs">
        <FieldChanges fields={props.changes} />
      </Stack>
    </details>
  );
}
