import { Text } from '@mantine/core';
import type { Filter } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { useLocale } from '@millrace/ui/locale';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { endOfDay, startOfDay } from '@millrace/ui/zones';
import { useSearch } from '@tanstack/react-router';
import { type AnswerOf, type ArgumentsOf, useRead } from '../../frame/api.ts';
import { ConfidenceMark, useReviewThreshold } from '../../frame/confidence.tsx';
import { CursorList } from '../../frame/cursor-list.tsx';
import { DocumentState } from '../../frame/document-state.tsx';
import { docTypeOptions, sourceNames } from '../../frame/document-words.ts';
import { UploadArea } from './upload-area.tsx';

type Listed = AnswerOf<'listDocuments'>['items'][number];

const filters: readonly Filter[] = [
  { name: 'type', label: 'Type', options: docTypeOptions },
  {
    name: 'state',
    label: 'State',
    options: [
      { value: 'processing', label: 'Reading' },
      { value: 'done', label: 'Done' },
      { value: 'error', label: 'Failed' },
    ],
  },
  { name: 'source', label: 'Source', options: Object.entries(sourceNames).map(([value, label]) => ({ value, label })) },
  {
    name: 'needsReview',
    label: 'Review',
    options: [
      { value: 'true', label: 'Waits for review' },
      { value: 'false', label: 'Needs no review' },
    ],
  },
  { name: 'minConfidence', label: 'Confidence from', type: 'number' },
  { name: 'maxConfidence', label: 'Confidence up to', type: 'number' },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
];

/** Milliseconds between two looks while a document is being read. */
const readingIntervalMs = 1_500;

/** Every document of the account, and the place to which new ones are brought. */
export function DocumentsScreen() {
  const { search, from, to, ...rest } = useSearch({ strict: false }) as ListSearch;
  const { timeZone } = useLocale();
  const documents = useRead(
    'listDocuments',
    // Whole days of whoever looks; what is no day is the service's to refuse.
    {
      query: {
        ...rest,
        q: search,
        from: from && (startOfDay(String(from), timeZone)?.toISOString() ?? from),
        to: to && (endOfDay(String(to), timeZone)?.toISOString() ?? to),
      } as NonNullable<ArgumentsOf<'listDocuments'>['query']>,
    },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some((document) => document.state === 'processing') ? readingIntervalMs : false,
    },
  );
  const account = useRead('getAccount');
  const threshold = useReviewThreshold();
  return (
    <Page title="Documents">
      <UploadArea sizeLimitBytes={account.data?.maxFileSizeBytes} />
      <CursorList
        noun="documents"
        searchable
        read={documents}
        filters={filters}
        columns={[
          { title: 'Document', cell: (document) => <Name document={document} /> },
          { title: 'Type', cell: ({ docType, state }) => (state === 'processing' ? '–' : wordsOf(docType)) },
          { title: 'State', cell: (document) => <State document={document} /> },
          {
            title: 'Confidence',
            cell: ({ lowestConfidence }) =>
              lowestConfidence === null ? '–' : <ConfidenceMark confidence={lowestConfidence} threshold={threshold} />,
          },
          {
            title: 'To check',
            cell: ({ doubtfulCount, confirmedAt }) =>
              confirmedAt !== null
                ? 'Confirmed'
                : doubtfulCount === 0
                  ? '–'
                  : doubtfulCount === 1
                    ? '1 value'
                    : `${doubtfulCount} values`,
          },
          { title: 'Source', cell: ({ source }) => sourceNames[source] },
          { title: 'Pages', cell: ({ pageCount }) => pageCount ?? '–' },
          { title: 'Arrived', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            There is no document yet. Drop one above, or send one by the API.
          </Text>
        }
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

function State({ document: { state, error } }: { readonly document: Listed }) {
  return (
    <>
      <DocumentState state={state} />
      {error && (
        <Text size="xs" c="dimmed" maw={240}>
          {error.message}
        </Text>
      )}
    </>
  );
}
