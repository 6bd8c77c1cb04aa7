import { Alert, Text } from '@mantine/core';
import { IconDownload } from '@millrace/ui/icons';
import { type Filter, optionsOf } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { call, type DataOf, listQueryOf, useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { OutcomeMark, operationWords, SeverityMark } from './marks.tsx';

type Entry = DataOf<'listAuditEntries'>['entries'][number];

const columns: readonly Column<Entry>[] = [
  {
    title: 'Time',
    sort: 'at',
    cell: ({ id, at }) => (
      <TextLink to="/audit/$entryId" params={{ entryId: id }}>
        <Moment at={at} />
      </TextLink>
    ),
  },
  {
    title: 'Actor',
    cell: ({ actorName }) => (
      <Text inherit truncate maw={180}>
        {actorName}
      </Text>
    ),
  },
  {
    title: 'Operation',
    cell: ({ operation, note }) => (
      <>
        {operationWords(operation)}
        {note !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {note}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Entity',
    cell: ({ entityType, entityId }) => (
      <>
        {wordsOf(entityType)}
        <Text size="xs" c="dimmed" truncate maw={220}>
          {entityId}
        </Text>
      </>
    ),
  },
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  { title: 'Outcome', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
];

const filters: readonly Filter[] = [
  { name: 'operation', label: 'Operation', type: 'text' },
  { name: 'severity', label: 'Severity', options: optionsOf(['low', 'medium', 'high']) },
  { name: 'outcome', label: 'Outcome', options: optionsOf(['done', 'denied', 'failed']) },
  {
    name: 'category',
    label: 'Category',
    options: optionsOf(['configuration', 'deployment', 'security', 'governance']),
    more: true,
  },
  {
    name: 'actorKind',
    label: 'Actor type',
    options: optionsOf(['user', 'service_account', 'gateway_node', 'portal_user', 'anonymous', 'system']),
    more: true,
  },
  { name: 'actorId', label: 'Actor ID', type: 'text', more: true },
  { name: 'entityType', label: 'Entity type', type: 'text', more: true },
  { name: 'entityId', label: 'Entity ID', type: 'text', more: true },
  { name: 'from', label: 'From', type: 'moment', more: true },
  { name: 'to', label: 'Until', type: 'moment', more: true },
];

/** Everything that was done, denied or failed in the organization. */
export function AuditExplorer() {
  const search = useSearch({ from: '/shell/audit' });
  const integrity = useMutation({ mutationFn: () => call('verifyAudit') });
  return (
    <Page
      title="Audit"
      description="Who did what, when and from where. Entries can’t be changed; each one seals those before it."
      actions={
        <PermittedActions
          actions={[
            { label: 'Verify trail', permission: 'audit.read', run: () => integrity.mutateAsync() },
            {
              label: 'Export CSV',
              icon: IconDownload,
              permission: 'audit.export',
              run: () => saveAnswer('exportAudit', { query: exportQueryOf(search) }, 'audit.csv'),
            },
          ]}
        />
      }
    >
      <div aria-live="polite">{integrity.data && <Integrity result={integrity.data} />}</div>
      <ResourceList {...useList('listAuditEntries')} noun="entries" columns={columns} filters={filters} />
    </Page>
  );
}

/** The filters of the list, without its order and page. */
function exportQueryOf(search: ListSearch): Readonly<Record<string, string>> {
  const { page: _page, sort: _sort, ...kept } = listQueryOf(search);
  return kept;
}

function Integrity({ result }: { readonly result: DataOf<'verifyAudit'> }) {
  const { verified, checked, firstBadEntry, problem } = result;
  return (
    <Alert
      mb="md"
      color={verified ? 'green' : 'red'}
      title={verified ? 'The trail is intact' : 'The trail was tampered with'}
    >
      {checked} entries verified.
      {problem && ` ${problem}`}
      {firstBadEntry && ` The first bad entry is number ${firstBadEntry.sequence}.`}
    </Alert>
  );
}
