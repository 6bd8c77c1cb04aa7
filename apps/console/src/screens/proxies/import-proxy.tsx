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
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@millrace/interface/form';
import { FormBody } from '@millrace/interface/form-dialog';
import { Page } from '@millrace/interface/page';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, ResponseError, useRead, useWrite } from '../../frame/api.ts';
import classes from './proxies.module.css';
import { BasePathInput } from './proxy-fields.tsx';

const mostBytes = 5_000_000;

/** Makes a proxy of an OpenAPI document that is dropped, chosen or pasted. */
export function ImportProxy() {
  const navigate = useNavigate();
  const importing = useWrite('importProxy');
  const targets = useRead('listTargetServers', { query: { pageSize: '100', sort: 'name' } });
  const [imported, setImported] = useState<DataOf<'importProxy'> | null>(null);
  const [faults, setFaults] = useState<readonly (readonly [pointer: string, message: string])[]>([]);
  const form = useForm({ document: '', targetServer: '', name: '', basePath: '' }, async (values) => {
    setFaults([]);
    const { document, targetServer, name, basePath } = values;
    try {
      const body = { document, targetServer, ...(name ? { name } : {}), ...(basePath ? { basePath } : {}) };
      setImported(await importing.mutateAsync({ body }));
    } catch (error) {
      const found = error instanceof ResponseError ? documentFaults(error.errors) : [];
      setFaults(found);
      // What is wrong with the document is listed below it; anything else is the form's to show.
      if (!(error instanceof ResponseError) || found.length < Math.max(1, Object.keys(error.errors).length))
        throw error;
    }
  });
  if (imported !== null) return <Imported imported={imported} />;
  return (
    <Page
      title="Import an OpenAPI document"
      description="Makes a proxy with a route for every operation, and keeps the document as its specification."
      crumbs={[{ label: 'API proxies', to: '/proxies' }]}
    >
      <Paper withBorder p="lg" maw={860}>
        <FormBody form={form} submitLabel="Import" onCancel={() => navigate({ to: '/proxies' })}>
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

/** What the server says of the document itself, by JSON pointer; an empty pointer is the document as a whole. */
function documentFaults(errors: Readonly<Record<string, string>>) {
  return Object.entries(errors)
    .filter(([path]) => path === 'document' || /^document[#./]/.test(path))
    .map(([path, message]) => [path.replace(/^document#?/, ''), message] as const);
}

function DocumentFaults(props: { readonly faults: readonly (readonly [string, string])[] }) {
  return (
    <Alert color="red" role="alert" title="What is wrong with the document">
      <List size="sm" spacing={4}>
        {props.faults.map(([pointer, message]) => (
          <List.Item key={pointer}>
            {pointer !== '' && <Code mr={6}>{pointer}</Code>}
            {message}
          </List.Item>
        ))}
      </List>
    </Alert>
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
        {warnings.length > 0 && (
          <Alert color="yellow" title="What was left out or changed">
            <List size="sm" spacing={4}>
              {warnings.map((warning) => (
                <List.Item key={warning}>{warning}</List.Item>
              ))}
            </List>
          </Alert>
        )}
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
