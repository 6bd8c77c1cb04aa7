import {
  Alert,
  Autocomplete,
  Button,
  Code,
  FileButton,
  Group,
  List,
  Paper,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type DataOf, ResponseError, useRead, useWrite } from '../../frame/api.ts';
import { DocumentFaults, documentFaults, type Faults } from './document-faults.tsx';
import classes from './proxies.module.css';
import { authSchemeNames, BasePathInput } from './proxy-fields.tsx';

const mostBytes = 5_000_000;

type Preview = DataOf<'previewProxyImport'>;

/** Makes a proxy of an OpenAPI document that is dropped, chosen or pasted, after showing what that comes to. */
export function ImportProxy() {
  const navigate = useNavigate();
  const previewing = useWrite('previewProxyImport');
  const importing = useWrite('importProxy');
  const targets = useRead('listTargetServers', { query: { pageSize: '100', sort: 'name' } });
  const [preview, setPreview] = useState<Preview | null>(null);
  const [imported, setImported] = useState<DataOf<'importProxy'> | null>(null);
  const [faults, setFaults] = useState<Faults>([]);
  const form = useForm({ document: '', targetServer: '', name: '', basePath: '' }, async (values) => {
    setFaults([]);
    try {
      setPreview(await previewing.mutateAsync({ body: bodyOf(values) }));
    } catch (error) {
      const found = error instanceof ResponseError ? documentFaults(error.errors) : [];
      setFaults(found);
      // What is wrong with the document is listed below it; anything else is the form's to show.
      if (!(error instanceof ResponseError) || found.length < Math.max(1, Object.keys(error.errors).length))
        throw error;
    }
  });
  if (imported !== null) return <Imported imported={imported} />;
  const confirm = async () => {
    try {
      setImported(await importing.mutateAsync({ body: bodyOf(form.values) }));
    } catch (error) {
      setPreview(null);
      form.refuse(error);
    }
  };
  return (
    <Page
      title="Import an OpenAPI document"
      description="Makes a proxy with a route for every operation, and keeps the document as its specification."
      crumbs={[{ label: 'API proxies', to: '/proxies' }]}
    >
      {preview !== null && (
        <PreviewOf
          preview={preview}
          importing={importing.isPending}
          onImport={confirm}
          onBack={() => setPreview(null)}
        />
      )}
      {/* What was entered stays while the preview is shown. */}
      <Paper withBorder p="lg" maw={860} hidden={preview !== null}>
        <FormBody form={form} submitLabel="Preview" onCancel={() => navigate({ to: '/proxies' })}>
          <DocumentInput
            value={form.values.document}
            onChange={(document) => form.set('document', document)}
            error={faults.length > 0 ? 'The document has faults, see below.' : form.errorAt('document')}
          />
          {faults.length > 0 && <DocumentFaults faults={faults} />}
          <Autocomplete
            label="Target server"
            description="Where every route leads. Routes can be led elsewhere afterwards."
            required
            data={[...new Set((targets.data?.targetServers ?? []).map(({ name }) => name))]}
            value={form.values.targetServer}
            onChange={(name) => form.set('targetServer', name)}
            error={form.errorAt('targetServer')}
          />
          <TextInput
            label="Name"
            description="Made of the document's title where it is empty."
            {...form.text('name')}
          />
          <BasePathInput
            form={form}
            required={false}
            description="Made of the path of the document's first server where it is empty."
          />
        </FormBody>
      </Paper>
    </Page>
  );
}

function bodyOf(values: {
  readonly document: string;
  readonly targetServer: string;
  readonly name: string;
  readonly basePath: string;
}) {
  const { document, targetServer, name, basePath } = values;
  return { document, targetServer, ...(name ? { name } : {}), ...(basePath ? { basePath } : {}) };
}

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  basePath: 'Base path',
  targetServer: 'Target server',
  document: 'OpenAPI document',
};

/** What the import would make; nothing is written yet. */
function PreviewOf(props: {
  readonly preview: Preview;
  readonly importing: boolean;
  readonly onImport: () => void;
  readonly onBack: () => void;
}) {
  const { preview } = props;
  const { routes, conflicts, findings, warnings, specification } = preview;
  return (
    <Stack maw={860}>
      <Alert color="blue" title="Nothing is written yet">
        This is what the import makes. Check it, then import it.
      </Alert>
      {conflicts.length > 0 && (
        <Alert color="red" role="alert" title="The import is not possible yet">
          <List size="sm" spacing={4}>
            {conflicts.map(({ field, message }) => (
              <List.Item key={`${field} ${message}`}>
                {fieldNames[field] ?? field}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Section title="API proxy">
        <Text size="sm">
          <b>{preview.displayName}</b> ({preview.name ?? 'no name yet'}) under <Code>{preview.basePath}</Code>. Callers
          prove who they are by: {authSchemeNames[preview.authScheme]}.
        </Text>
      </Section>
      <Section title={`${routes.length} ${routes.length === 1 ? 'route' : 'routes'}`}>
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Route</Table.Th>
                <Table.Th>Summary</Table.Th>
                <Table.Th>Target</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {routes.map(({ method, pathPattern, summary, targetServer, targetPath }) => (
                <Table.Tr key={`${method} ${pathPattern}`}>
                  <Table.Td>
                    <Code>
                      {method} {pathPattern}
                    </Code>
                  </Table.Td>
                  <Table.Td>{summary}</Table.Td>
                  <Table.Td>
                    {targetServer} {targetPath !== null && <Code>{targetPath}</Code>}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Section>
      <Section title="Policies">
        <Text size="sm">None. A document brings no policies; attach them after the import.</Text>
      </Section>
      <Section title="Specification">
        <Text size="sm">
          {specification.title}, version {specification.apiVersion}, as a draft.
        </Text>
      </Section>
      <Section title="Governance">
        {findings.length === 0 ? (
          <Text size="sm">No rule objects to it.</Text>
        ) : (
          <List size="sm" spacing={4}>
            {findings.map(({ code, severity, blocking, location, message }) => (
              <List.Item key={`${code} ${location}`}>
                <Code>{code}</Code> {severity}
                {blocking && ', blocks the approval'}: {message} ({location})
              </List.Item>
            ))}
          </List>
        )}
      </Section>
      {warnings.length > 0 && <Warnings title="What is left out or changed" warnings={warnings} />}
      <Group>
        <Button variant="default" onClick={props.onBack}>
          Back
        </Button>
        <Button onClick={props.onImport} loading={props.importing} disabled={conflicts.length > 0}>
          Import
        </Button>
      </Group>
    </Stack>
  );
}

function Section(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {props.title}
      </Title>
      {props.children}
    </section>
  );
}

function Warnings(props: { readonly title: string; readonly warnings: readonly string[] }) {
  return (
    <Alert color="yellow" title={props.title}>
      <List size="sm" spacing={4}>
        {props.warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function DocumentInput(props: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}) {
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    setRefused(file.size > mostBytes ? `${file.name} is larger than 5 MB.` : null);
    if (file.size <= mostBytes) props.onChange(await file.text());
  };
  return (
    <Stack gap="xs">
      <Group
        className={classes.dropZone}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        <Text size="sm">Drop a JSON or YAML file here, choose one, or paste its text below.</Text>
        <FileButton onChange={take} accept=".json,.yaml,.yml,application/json,application/yaml">
          {(button) => (
            <Button {...button} variant="default" size="xs">
              Choose a file
            </Button>
          )}
        </FileButton>
      </Group>
      <Textarea
        label="OpenAPI document"
        description="OpenAPI 3.0 or 3.1, as JSON or YAML."
        required
        autosize
        minRows={8}
        maxRows={18}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        error={refused ?? props.error}
        spellCheck={false}
        classNames={{ input: classes.codeInput! }}
      />
    </Stack>
  );
}

function Imported(props: { readonly imported: DataOf<'importProxy'> }) {
  const { proxy, routes, warnings } = props.imported;
  return (
    <Page title={`${proxy.displayName} is imported`} crumbs={[{ label: 'API proxies', to: '/proxies' }]}>
      <Stack maw={860}>
        <Text>
          {routes} {routes === 1 ? 'route' : 'routes'} under <Code>{proxy.basePath}</Code>, with the document as the
          specification.
        </Text>
        {warnings.length > 0 && <Warnings title="What was left out or changed" warnings={warnings} />}
        <Group>
          <Button
            renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/routes" params={{ proxyId: proxy.id }} />}
          >
            See its routes
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
