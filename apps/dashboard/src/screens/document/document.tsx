import { Alert, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { DocumentState } from '../../frame/document-state.tsx';
import { DocumentActions } from './actions.tsx';
import { Checks } from './checks.tsx';
import { useCorrections } from './corrections.ts';
import { Details } from './details.tsx';
import { AddField, Fields, fieldsOf } from './fields.tsx';
import type { DocumentDetail } from './paths.ts';
import { RawResult } from './raw-result.tsx';
import { RowsTable } from './rows.tsx';
import { useEditing, Workspace } from './workspace.tsx';

/** Milliseconds between two reads while the document is being extracted. */
const refreshIntervalMs = 1_000;

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
      actions={document.data && <DocumentActions document={document.data} />}
    >
      <Loaded read={document}>{(detail) => <Content document={detail} />}</Loaded>
    </Page>
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
