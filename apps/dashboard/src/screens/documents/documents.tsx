import { Text } from '@mantine/core';
import { EmptyList, type Filter } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { useLocale } from '@millrace/ui/locale';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { endOfDay, startOfDay } from '@millrace/ui/zones';
import { useSearch } from '@tanstack/react-router';
import { type ArgumentsOf, useRead } from '../../frame/api.ts';
import { useReviewThreshold } from '../../frame/confidence.tsx';
import { CursorList } from '../../frame/cursor-list.tsx';
import { sourceNames, useDocTypeName, useDocTypeOptions } from '../../frame/document-words.ts';
import { ExportMenu } from '../../frame/export-menu.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { type Listed, tableColumns, valuesOf } from './columns.tsx';
import { UploadArea } from './upload-area.tsx';

type Query = NonNullable<ArgumentsOf<'listDocuments'>['query']>;

const otherFilters: readonly Filter[] = [
  {
    name: 'state',
    label: 'Status',
    options: [
      { value: 'processing', label: 'Extracting' },
      { value: 'done', label: 'Done' },
      { value: 'error', label: 'Failed' },
    ],
  },
  {
    name: 'source',
    label: 'Source',
    options: Object.entries(sourceNames).map(([value, label]) => ({ value, label })),
    more: true,
  },
  {
    name: 'needsReview',
    label: 'Review',
    options: [
      { value: 'true', label: 'Low confidence' },
      { value: 'false', label: 'No review needed' },
    ],
  },
  { name: 'supplier', label: 'Supplier', type: 'text', more: true },
  { name: 'from', label: 'From', type: 'date', more: true },
  { name: 'to', label: 'To', type: 'date', more: true },
];

/** Milliseconds between two reads of the list while a document is being extracted. */
const refreshIntervalMs = 1_500;

/** The documents of the account, and the upload of new ones. */
export function DocumentsScreen() {
  const { search, from, to, action, cursor, limit, ...rest } = useSearch({ strict: false }) as ListSearch;
  const { timeZone } = useLocale();
  const filters: readonly Filter[] = [{ name: 'type', label: 'Type', options: useDocTypeOptions() }, ...otherFilters];
  const chosen = useRead('getDocumentColumns').data;
  const { columns = [], fields = [] } = chosen ?? {};
  // Whole days in the reader's time zone; the service rejects what isn't a day.
  const filter = {
    ...rest,
    q: search,
    from: from && (startOfDay(String(from), timeZone)?.toISOString() ?? from),
    to: to && (endOfDay(String(to), timeZone)?.toISOString() ?? to),
  } as Omit<Query, 'cursor' | 'limit' | 'values'>;
  const documents = useRead(
    'listDocuments',
    { query: { ...filter, cursor, limit, values: valuesOf(columns, fields) } as Query },
    {
      enabled: chosen !== undefined,
      refetchInterval: ({ state }) =>
        state.data?.items.some((document) => document.state === 'processing') ? refreshIntervalMs : false,
    },
  );
  const account = useRead('getAccount');
  const threshold = useReviewThreshold();
  const typeName = useDocTypeName();
  return (
    <Page title="Documents">
      <UploadArea sizeLimitBytes={account.data?.maxFileSizeBytes} />
      {action !== undefined && <BulkProgress id={String(action)} />}
      <CursorList
        noun="documents"
        searchable
        read={documents}
        filters={filters}
        actions={
          <>
            <ExportMenu query={filter} />
            {chosen && <ColumnChooser chosen={chosen} />}
          </>
        }
        bulk={{
          nameOf: ({ fileName }) => fileName,
          actions: (selected, clear) => (
            <BulkBar
              selected={selected}
              pageSize={documents.data?.items.length ?? 0}
              total={documents.data?.total ?? null}
              filter={{ ...filter, to: filter.to ?? new Date(documents.dataUpdatedAt).toISOString() }}
              onStarted={clear}
            />
          ),
        }}
        columns={[
          { title: 'Document', cell: (document) => <Name document={document} /> },
          ...tableColumns(columns, fields, { threshold, typeName }),
        ]}
        empty={<EmptyList>No documents yet. Drop one above, or send one with the API.</EmptyList>}
      />
    </Page>
  );
}

function Name({ document }: { readonly document: Listed }) {
  return (
    <>
      <TextLink to="/documents/$documentId" params={{ documentId: document.id }} className="file-name">
        {document.fileName}
      </TextLink>
      <Text size="xs" c="dimmed">
        {document.reference}
      </Text>
    </>
  );
}
