import { Alert, Anchor, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { type Filter, optionsOf } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';

type Entry = DataOf<'listAuditEntries'>['entries'][number];

const severityTones: Readonly<Record<Entry['severity'], Tone>> = { low: 'neutral', medium: 'active', high: 'bad' };
const outcomeTones: Readonly<Record<Entry['outcome'], Tone>> = { done: 'good', denied: 'warning', failed: 'bad' };

export function SeverityMark({ severity }: Pick<Entry, 'severity'>) {
  return <Mark tone={severityTones[severity]}>{wordsOf(severity)}</Mark>;
}

export function OutcomeMark({ outcome }: Pick<Entry, 'outcome'>) {
  return <Mark tone={outcomeTones[outcome]}>{wordsOf(outcome)}</Mark>;
}

/** The words of an operation's id: "createTargetServer" as "Create target server". */
export function operationWords(operation: string): string {
  return wordsOf(operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

const columns: readonly Column<Entry>[] = [
  {
    title: 'When',
    sort: 'at',
    cell: ({ id, at }) => (
      <Anchor renderRoot={(root) => <Link {...root} to="/audit/$entryId" params={{ entryId: id }} />}>
        <Moment at={at} />
      </Anchor>
    ),
  },
  { title: 'Who', cell: ({ actorName }) => actorName },
  {
    title: 'What',
    cell: ({ operation, note }) => (
      <>
        {operationWords(operation)}
        <Text size="xs" c="dimmed" lineClamp={2}>
          {note}
        </Text>
      </>
    ),
  },
  {
    title: 'On',
    cell: ({ entityType, entityId }) => (
      <>
        {wordsOf(entityType)}
        <Text size="xs" c="dimmed" style={{ wordBreak: 'break-all' }}>
          {entityId}
        </Text>
      </>
    ),
  },
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  { title: 'Outcome', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
];

const filters: readonly Filter[] = [
  {
    name: 'category',
    label: 'Category',
    options: optionsOf(['configuration', 'deployment', 'security', 'governance']),
  },
  { name: 'severity', label: 'Severity', options: optionsOf(['low', 'medium', 'high']) },
  { name: 'outcome', label: 'Outcome', options: optionsOf(['done', 'denied', 'failed']) },
  {
    name: 'actorKind',
    label: 'Kind of actor',
    options: optionsOf(['user', 'service_account', 'gateway_node', 'anonymous', 'system']),
  },
  { name: 'actorId', label: 'Id of the actor', type: 'text' },
  { name: 'operation', label: 'Operation', type: 'text' },
  { name: 'entityType', label: 'Kind of entity', type: 'text' },
  { name: 'entityId', label: 'Id of the entity', type: 'text' },
  { name: 'from', label: 'From', type: 'moment' },
  { name: 'to', label: 'Until', type: 'moment' },
];

/** Everything that was done, denied or failed in the organization. */
export function AuditExplorer() {
  const search = useSearch({ from: '/shell/audit' });
  const list = useRead('listAuditEntries', { query: listQueryOf(search) });
  const integrity = useMutation({ mutationFn: () => call('verifyAudit'), onError: showFailure });
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await saveAnswer('exportAudit', { query: exportQueryOf(search) }, 'audit.csv');
    } catch (error) {
      showFailure(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Page
      title="Audit"
      description="Who did what, when, from where. Nothing here can be changed; every entry seals those before it."
      actions={
        <>
          <PermittedButton
            variant="default"
            permission="audit.read"
            loading={integrity.isPending}
            onClick={() => integrity.mutate()}
          >
            Verify the trail
          </PermittedButton>
          <PermittedButton permission="audit.export" loading={saving} onClick={save}>
            Export as CSV
          </PermittedButton>
        </>
      }
    >
      <div aria-live="polite">{integrity.data && <Integrity result={integrity.data} />}</div>
      <ResourceList
        noun="entries"
        rows={list.data?.entries}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={filters}
      />
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
      title={verified ? 'The trail is genuine' : 'The trail was tampered with'}
    >
      {checked} entries were found genuine.
      {problem && ` ${problem}`}
      {firstBadEntry && ` The first bad entry is number ${firstBadEntry.sequence}.`}
    </Alert>
  );
}
