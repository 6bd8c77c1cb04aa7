import { Anchor, FileInput, Select, Text, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, ResponseError, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useSession } from '../../frame/session.tsx';
import { DocumentFaults, documentFaults, type Faults } from '../proxies/document-faults.tsx';

type Specification = DataOf<'listSpecifications'>['specifications'][number];

/** Whether readers can see it, and whether it says what is true. */
export function SpecificationMarks(props: Pick<Specification, 'state' | 'outdated' | 'unpublishedChanges'>) {
  return (
    <>
      <Mark tone={props.state === 'published' ? 'accent' : 'neutral'}>{wordsOf(props.state)}</Mark>{' '}
      {props.outdated && <Mark tone="warning">Outdated</Mark>}{' '}
      {props.unpublishedChanges && <Mark tone="active">Unpublished changes</Mark>}
    </>
  );
}

const columns: readonly Column<Specification>[] = [
  {
    title: 'Title',
    sort: 'title',
    cell: ({ id, title, description }) => (
      <>
        <Anchor
          renderRoot={(root) => (
            <Link {...root} to="/specifications/$specificationId" params={{ specificationId: id }} />
          )}
        >
          {title}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </>
    ),
  },
  { title: 'Version', sort: 'apiVersion', cell: ({ apiVersion }) => apiVersion },
  { title: 'State', cell: (specification) => <SpecificationMarks {...specification} /> },
  { title: 'Origin', cell: ({ source }) => wordsOf(source) },
  { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  { title: 'Published', sort: 'publishedAt', cell: ({ publishedAt }) => <Ago at={publishedAt} absent="Never" /> },
];

/** The specifications of the organization. */
export function SpecificationList() {
  const search = useSearch({ from: '/shell/specifications' });
  const list = useRead('listSpecifications', { query: listQueryOf(search) });
  const [uploading, setUploading] = useState(false);
  return (
    <Page
      title="Specifications"
      description="OpenAPI 3.1 documents: generated from API proxies, imported with them, or uploaded."
      actions={
        <PermittedButton permission="specification.write" onClick={() => setUploading(true)}>
          Upload a document
        </PermittedButton>
      }
    >
      <ResourceList
        noun="specifications"
        rows={list.data?.specifications}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={[
          { name: 'state', label: 'State', options: optionsOf(['draft', 'published']) },
          { name: 'source', label: 'Origin', options: optionsOf(['generated', 'imported', 'uploaded']) },
        ]}
      />
      <FormDialog title="Upload a document" opened={uploading} onClose={() => setUploading(false)} large>
        <Upload onCancel={() => setUploading(false)} />
      </FormDialog>
    </Page>
  );
}

function Upload({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const { can } = useSession();
  const upload = useWrite('uploadSpecification');
  const proxies = useRead('listProxies', { query: { pageSize: 100 } }, { enabled: can('proxy.read') });
  const [faults, setFaults] = useState<Faults>([]);
  const form = useForm(
    { document: '', title: '', proxyId: null as string | null },
    async ({ document, title, proxyId }) => {
      setFaults([]);
      const body = { document, proxyId, ...(title === '' ? {} : { title }) };
      const { id } = await upload.mutateAsync({ body }).catch((error: unknown) => {
        const found = error instanceof ResponseError ? documentFaults(error.errors) : [];
        setFaults(found);
        throw found.length > 0 ? new InvalidInput({ document: 'The document has faults, see below.' }) : error;
      });
      showDone('The document is uploaded.');
      await navigate({ to: '/specifications/$specificationId', params: { specificationId: id } });
    },
  );
  return (
    <FormBody form={form} submitLabel="Upload" onCancel={onCancel} disabled={form.values.document === ''}>
      <FileInput
        label="File"
        description="OpenAPI 3.0 or 3.1, as JSON or YAML"
        placeholder="Choose a file"
        accept=".json,.yaml,.yml"
        onChange={async (file) => {
          if (file) form.set('document', await file.text());
        }}
      />
      <Textarea
        label="Document"
        description="Chosen above, or pasted here"
        autosize
        minRows={8}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.text('document')}
      />
      {faults.length > 0 && <DocumentFaults faults={faults} />}
      <TextInput label="Title" description="The document’s own where it is left empty" {...form.text('title')} />
      <Select
        label="API proxy"
        description="Of which it becomes the specification; none where it is left empty"
        data={(proxies.data?.proxies ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        value={form.values.proxyId}
        onChange={(proxyId) => form.set('proxyId', proxyId)}
        error={form.errorAt('proxyId')}
        clearable
        searchable
      />
    </FormBody>
  );
}
