import { Alert, Button, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { ActionButton } from '@millrace/ui/action-button';
import { Confirm } from '@millrace/ui/confirm';
import { CopyButton } from '@millrace/ui/copy-button';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { operationOf, readOf, useRead, useWrite } from '../../frame/api.ts';
import { DocumentState } from '../../frame/document-state.tsx';
import { ExportMenu } from '../documents/export-menu.tsx';
import { Checks } from './checks.tsx';
import { useCorrections } from './corrections.ts';
import { Details } from './details.tsx';
import { ExtractAgain } from './extract-again.tsx';
import { AddField, Fields, fieldsOf } from './fields.tsx';
import type { DocumentDetail } from './paths.ts';
import { RawResult } from './raw-result.tsx';

import { RowsTable } from './rows.tsx';
import { useEditing, Workspace } from './workspace.tsx';

/** Milliseconds between two reads while the document is being extracted. */
const refreshIntervalMs = 1_000;

const original = operationOf('getDocumentOriginal');

/** One document: its pages next to its values. */
export function DocumentScreen() {
  const { documentId } = useParams({ from: '/shell/documents/$documentId' });
  const document = useRead(
    'getDocument',
    { params: { id: documentId } },
    { refetchInterval: ({ state }) => (state.data?.state === 'processing' ? refreshIntervalMs : false) },
  );
  return (
    <Page
      title={document.data?.fileName ?? 'Document'}
      mark={document.data && <DocumentState state={document.data.state} />}
      description={document.data?.reference}
      crumbs={[{ label: 'Documents', to: '/documents' }]}
      actions={document.data && <Actions document={document.data} />}
    >
      <Loaded read={document}>{(detail) => <Content document={detail} />}</Loaded>
    </Page>
  );
}

function Actions({ document }: { readonly document: DocumentDetail }) {
  const [asked, setAsked] = useState<'delete' | 'extract-again' | null>(null);
  const remove = useWrite('deleteDocument');
  const cache = useQueryClient();
  const navigate = useNavigate();
  const close = () => setAsked(null);
  const isLookedAt = document.corrections.length > 0 || document.confirmedAt !== null;
  return (
    <>
      <CopyButton value={document.curl.fetch} label="Copy as curl" />
      <Button
        variant="default"
        size="xs"
        component="a"
        href={original.path.replace(':id', encodeURIComponent(document.id))}
        download={document.fileName}
      >
        Download
      </Button>
      {document.state === 'done' && <ExportMenu query={{ ids: document.id }} />}
      {document.state !== 'processing' && (
        <ActionButton
          variant="default"
          size="xs"
          onClick={() => setAsked('extract-again')}
          blocked={isLookedAt && 'This document has been corrected or confirmed, so it can’t be extracted again.'}
        >
          Extract again
        </ActionButton>
      )}
      <Button variant="default" size="xs" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'extract-again' && <ExtractAgain document={document} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${document.reference}?`}
          action="Delete"
          done={`${document.reference} deleted.`}
          onConfirm={() => remove.mutateAsync({ params: { id: document.id } })}
          onClose={close}
          onDone={async () => {
            // The list must not show its row until it is refetched.
            cache.removeQueries({ queryKey: ['listDocuments'] });
            await navigate({ to: '/documents' });
            cache.removeQueries({ queryKey: readOf('getDocument', { params: { id: document.id } }).queryKey });
          }}
        >
          The file and its result are permanently deleted, with its corrections and what it taught about its supplier.
        </Confirm>
      )}
    </>
  );
}

const views = ['values', 'json', 'details'] as const;

/** The tab that an address opens. */
function viewOf(query: Record<string, unknown>): (typeof views)[number] {
  return views.find((view) => view === query.view) ?? 'values';
}

function Content({ document }: { readonly document: DocumentDetail }) {
  const view = viewOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const corrections = useCorrections(document.id);
  const { editing, selected, panel, choose } = useEditing(corrections, false);
  const show = (next: string | null) =>
    navigate({ to: '.', search: (next === 'values' ? {} : { view: next }) as never, replace: true });
  return (
    <Workspace
      document={document}
      selected={selected}
      panel={panel}
      onChoose={(key) => {
        if (view !== 'values') show('values');
        // Once the values are rendered.
        requestAnimationFrame(() => choose(key));
      }}
    >
      <Tabs value={view} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="values">Values</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          <Tabs.Tab value="details">Details</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="values">
          {document.state === 'done' ? (
            <Values document={document} editing={editing} selected={selected} />
          ) : (
            <NotDone document={document} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <RawResult document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <Details document={document} />
        </Tabs.Panel>
      </Tabs>
    </Workspace>
  );
}

function NotDone({ document }: { readonly document: DocumentDetail }) {
  if (document.state === 'processing') {
    return (
      <Group role="status">
        <Loader size="sm" aria-hidden />
        <Text>Extracting…</Text>
      </Group>
    );
  }
  return (
    <Alert color="red" title="Extraction failed" role="alert">
      {document.error?.message}
    </Alert>
  );
}

function Values(props: {
  readonly document: DocumentDetail;
  readonly selected: string | null;
  readonly editing: ReturnType<typeof useEditing>['editing'];
}) {
  const { document, selected, editing } = props;
  const names = fieldsOf(document);
  return (
    <Stack gap="xl">
      {document.doubtfulCount > 0 && (
        <Alert
          color="orange"
          title={document.doubtfulCount === 1 ? '1 value to check' : `${document.doubtfulCount} values to check`}
        >
          Below the threshold of {document.reviewThreshold}, or missing.{' '}
          <TextLink inherit underline="always" to="/review/$documentId" params={{ documentId: document.id }}>
            Review
          </TextLink>
        </Alert>
      )}
      <Section title="Fields">
        {names.length === 0 && <Text c="dimmed">No values were found.</Text>}
        <Fields document={document} names={names} selected={selected} editing={editing} />
        <AddField document={document} shownNames={names} selected={selected} editing={editing} />
      </Section>
      {document.checks.length > 0 && (
        <Section title="Checks">
          <Checks checks={document.checks} />
        </Section>
      )}
      {document.rows && (
        <Section title="Line items">
          <RowsTable document={document} rows={document.rows} editing={editing} />
        </Section>
      )}
    </Stack>
  );
}
