import { Button, Collapse, Fieldset, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Form, showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { useRef } from 'react';
import { type DataOf, useWrite, type WriteOf } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';

type TargetServer = DataOf<'getTargetServer'>;
type Body = Omit<WriteOf<'createTargetServer'>['body'], 'environmentId'>;

interface Endpoint {
  /** Tells the lines apart while they are typed. */
  readonly line: number;
  readonly host: string;
  readonly port: number;
  readonly weight: number;
}

interface Tls {
  readonly serverName: string;
  readonly certificateAuthorities: string;
  readonly clientCertificate: string;
  /** The empty text: the stored one stays. */
  readonly clientKey: string;
}

interface Values {
  readonly environmentId: string;
  readonly name: string;
  readonly description: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly weight: number;
  readonly endpoints: readonly Endpoint[];
  readonly healthPath: string;
  readonly tls: Tls;
}

const usualPort = { http: 80, https: 443 } as const;

/** Registers a target server, or changes the given one. */
export function TargetServerForm(props: {
  readonly targetServer?: TargetServer;
  readonly onCancel: () => void;
  readonly onSaved: (targetServer: TargetServer) => void;
}) {
  const { targetServer } = props;
  const { options } = useEnvironments();
  const create = useWrite('createTargetServer');
  const update = useWrite('updateTargetServer');
  const form = useForm<Values>(valuesOf(targetServer), async (values) => {
    const body = bodyOf(values);
    const saved = targetServer
      ? await update.mutateAsync({ params: { targetServerId: targetServer.id }, body, version: targetServer.version })
      : await create.mutateAsync({ body: { environmentId: values.environmentId, ...body } });
    showDone(targetServer ? 'The target server is changed.' : 'The target server is registered.');
    props.onSaved(saved);
  });
  const { scheme, port, endpoints } = form.values;
  return (
    <FormBody form={form} submitLabel={targetServer ? 'Save' : 'Register'} onCancel={props.onCancel}>
      {targetServer === undefined && (
        <Select
          label="Environment"
          required
          data={options}
          value={form.values.environmentId || null}
          onChange={(value) => form.set('environmentId', value ?? '')}
          error={form.errorAt('environmentId')}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        description="By which routes find it, in whatever environment they serve"
        required
        {...form.text('name')}
      />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
      <Group align="start" wrap="wrap">
        <Select
          label="Scheme"
          w={110}
          allowDeselect={false}
          data={['https', 'http']}
          value={scheme}
          onChange={(value) => {
            const next = value === 'http' ? 'http' : 'https';
            form.set('scheme', next);
            if (port === usualPort[scheme]) form.set('port', usualPort[next]);
          }}
          error={form.errorAt('scheme')}
        />
        <TextInput label="Host" required style={{ flex: 1, minWidth: 180 }} {...form.text('host')} />
        <NumberInput
          label="Port"
          required
          w={110}
          value={port}
          hideControls
          allowDecimal={false}
          allowNegative={false}
          onChange={(value) => form.set('port', Number(value))}
          error={form.errorAt('port')}
        />
        {endpoints.length > 0 && (
          <NumberInput
            label="Weight"
            w={90}
            min={1}
            max={100}
            allowDecimal={false}
            value={form.values.weight}
            onChange={(value) => form.set('weight', Number(value))}
            error={form.errorAt('weight')}
          />
        )}
      </Group>
      <Endpoints form={form} />
      <TextInput
        label="Health path"
        description="Answers 2xx where the server is well; without it, connecting is enough"
        placeholder="/health"
        {...form.text('healthPath')}
      />
      {scheme === 'https' && <TlsFields form={form} targetServer={targetServer} />}
    </FormBody>
  );
}

function valuesOf(targetServer: TargetServer | undefined): Values {
  const { tls } = targetServer ?? {};
  return {
    environmentId: targetServer?.environmentId ?? '',
    name: targetServer?.name ?? '',
    description: targetServer?.description ?? '',
    scheme: targetServer?.scheme ?? 'https',
    host: targetServer?.host ?? '',
    port: targetServer?.port ?? 443,
    weight: targetServer?.weight ?? 1,
    endpoints: (targetServer?.endpoints ?? []).map((endpoint, line) => ({ line, ...endpoint })),
    healthPath: targetServer?.healthPath ?? '',
    tls: {
      serverName: tls?.serverName ?? '',
      certificateAuthorities: tls?.certificateAuthorities ?? '',
      clientCertificate: tls?.clientCertificate ?? '',
      clientKey: '',
    },
  };
}

function bodyOf({ environmentId: _, ...values }: Values): Body {
  const { serverName, certificateAuthorities, clientCertificate, clientKey } = values.tls;
  return {
    ...values,
    endpoints: values.endpoints.map(({ host, port, weight }) => ({ host, port, weight })),
    healthPath: values.healthPath || null,
    tls: {
      serverName: serverName.trim() || null,
      certificateAuthorities: certificateAuthorities.trim() || null,
      clientCertificate: clientCertificate.trim() || null,
      ...(clientKey.trim() === '' ? {} : { clientKey }),
    },
  };
}

/** Further hosts that share the calls. */
function Endpoints({ form }: { readonly form: Form<Values> }) {
  const { endpoints, port } = form.values;
  const lines = useRef(endpoints.length);
  const set = (line: number, changes: Partial<Endpoint>) =>
    form.set(
      'endpoints',
      endpoints.map((endpoint) => (endpoint.line === line ? { ...endpoint, ...changes } : endpoint)),
    );
  const add = () => {
    form.set('endpoints', [...endpoints, { line: lines.current, host: '', port, weight: 1 }]);
    lines.current += 1;
  };
  return (
    <Stack gap="xs">
      {endpoints.map(({ line, host, port: ownPort, weight }, index) => (
        <Group key={line} align="end" wrap="wrap" gap="xs">
          <TextInput
            label={`Further host ${index + 1}`}
            required
            style={{ flex: 1, minWidth: 180 }}
            value={host}
            onChange={(event) => set(line, { host: event.currentTarget.value })}
            error={form.errorAt(`endpoints.${index}.host`)}
          />
          <NumberInput
            label="Port"
            aria-label={`Port of further host ${index + 1}`}
            w={90}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={ownPort}
            onChange={(value) => set(line, { port: Number(value) })}
            error={form.errorAt(`endpoints.${index}.port`)}
          />
          <NumberInput
            label="Weight"
            aria-label={`Weight of further host ${index + 1}`}
            w={90}
            min={1}
            max={100}
            allowDecimal={false}
            value={weight}
            onChange={(value) => set(line, { weight: Number(value) })}
            error={form.errorAt(`endpoints.${index}.weight`)}
          />
          <Button
            variant="default"
            aria-label={`Remove further host ${index + 1}`}
            onClick={() =>
              form.set(
                'endpoints',
                endpoints.filter((endpoint) => endpoint.line !== line),
              )
            }
          >
            Remove
          </Button>
        </Group>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" onClick={add} disabled={endpoints.length >= 19}>
          Add a further host
        </Button>
      </Group>
    </Stack>
  );
}

/** How the gateway knows the server, and shows who it is itself. */
function TlsFields(props: { readonly form: Form<Values>; readonly targetServer: TargetServer | undefined }) {
  const { form, targetServer } = props;
  const { tls } = form.values;
  const [opened, { toggle }] = useDisclosure(
    tls.serverName !== '' || tls.certificateAuthorities !== '' || tls.clientCertificate !== '',
  );
  const field = (name: keyof Tls) => ({
    value: tls[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.set('tls', { ...tls, [name]: event.currentTarget.value }),
    error: form.errorAt(`tls.${name}`),
    spellCheck: false,
  });
  const pem = { autosize: true, minRows: 2, maxRows: 8, styles: { input: { fontFamily: 'monospace' } } } as const;
  const stored = targetServer?.tls.hasClientKey === true;
  const shown = opened || form.errorAt('tls') !== undefined;
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={shown}>
        {shown ? 'Hide the settings of TLS' : 'Settings of TLS'}
      </Button>
      <Collapse expanded={shown}>
        <Fieldset legend="TLS" mt="sm">
          <Stack>
            <TextInput
              label="Server name"
              description="To ask for and to verify; empty: the host"
              {...field('serverName')}
            />
            <Textarea
              label="Certificate authorities"
              description="PEM of those that sign its certificate; empty: the public ones"
              placeholder="-----BEGIN CERTIFICATE-----"
              {...pem}
              {...field('certificateAuthorities')}
            />
            <Textarea
              label="Client certificate"
              description="PEM of the certificate by which the gateway shows who it is, with its chain"
              placeholder="-----BEGIN CERTIFICATE-----"
              {...pem}
              {...field('clientCertificate')}
            />
            <Textarea
              label="Key of the client certificate"
              description={
                stored
                  ? 'One is stored, and cannot be shown. Empty: it stays.'
                  : 'PEM; stored encrypted, and never shown again'
              }
              placeholder="-----BEGIN PRIVATE KEY-----"
              autoComplete="off"
              {...pem}
              {...field('clientKey')}
            />
          </Stack>
        </Fieldset>
      </Collapse>
    </div>
  );
}
