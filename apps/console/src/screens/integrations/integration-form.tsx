import { Radio, Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { type FieldOptions, SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { formSchemaOf, sentSettings, type TypedSettings, takesSecret, typedSettings } from './form-schema.ts';
import classes from './integrations.module.css';
import { type Integration, type Kind, kinds } from './kinds.tsx';

/** Chooses a kind, and then its settings. */
export function NewIntegration(props: {
  readonly onCancel: () => void;
  readonly onCreated: (integration: DataOf<'createIntegration'>) => void;
}) {
  const [kind, setKind] = useState<Kind>('email');
  const [name, setName] = useState('');
  const create = useWrite('createIntegration');
  return (
    <Stack>
      <Radio.Group label="Kind" value={kind} onChange={(next) => setKind(next as Kind)}>
        <div className={classes.kinds}>
          {Object.entries(kinds).map(([value, { label, help }]) => (
            <Radio.Card key={value} value={value} className={classes.kind!}>
              <Text size="sm" fw={500}>
                {label}
              </Text>
              <Text size="xs" c="dimmed">
                {help}
              </Text>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <SettingsForm
        key={kind}
        kind={kind}
        preset={{ name }}
        submitLabel="Create"
        onName={setName}
        onCancel={props.onCancel}
        send={async (body) => {
          const integration = await create.mutateAsync({ body });
          showDone(`${integration.name} created.`);
          props.onCreated(integration);
        }}
      />
    </Stack>
  );
}

/** Edits an integration, whose kind stays. */
export function EditIntegration(props: {
  readonly integration: Integration;
  readonly onCancel: () => void;
  readonly onSaved: () => void;
}) {
  const { integration, onCancel, onSaved } = props;
  const { id, kind, name, settings, version } = integration;
  const update = useWrite('updateIntegration');
  return (
    <SettingsForm
      kind={kind}
      initial={{ name, settings: typedSettings(settings) }}
      hasSecret={integration.hasSecret}
      submitLabel="Save"
      onCancel={onCancel}
      send={async (body) => {
        await update.mutateAsync({ params: { integrationId: id }, body, version });
        showDone('Integration saved.');
        onSaved();
      }}
    />
  );
}

interface Body {
  readonly name: string;
  readonly settings: Integration['settings'];
  readonly secret?: string;
}

function SettingsForm(props: {
  readonly kind: Kind;
  readonly initial?: object;
  readonly preset?: { readonly name: string };
  readonly hasSecret?: boolean;
  readonly submitLabel: string;
  readonly onName?: (name: string) => void;
  readonly onCancel: () => void;
  readonly send: (body: Body) => Promise<unknown>;
}) {
  const { kind, initial, preset, hasSecret = false, submitLabel, onName, onCancel, send } = props;
  const events = useRead('listEvents', { query: { pageSize: 100 } });
  const own = (name: string) => (values: Readonly<Record<string, unknown>>) => (values.settings as TypedSettings)[name];
  const settings: Readonly<Record<string, FieldOptions>> = {
    recipients: { kind: 'lines', help: 'An address per line' },
    ownServer: { label: 'Send through our own SMTP server', help: 'Otherwise the platform’s sends' },
    server: {
      label: 'SMTP server',
      when: (values) => own('ownServer')(values) === true,
      fields: {
        host: { help: null, placeholder: 'smtp.example.com' },
        port: { help: null, beside: true, widthPx: 90 },
        security: {
          help: null,
          beside: true,
          widthPx: 140,
          options: [
            { value: 'starttls', label: 'STARTTLS' },
            { value: 'tls', label: 'TLS' },
            { value: 'none', label: 'None' },
          ],
        },
        userName: { help: 'Empty for none' },
        from: { label: 'Sender', beside: true, help: null },
        certificateAuthorities: { kind: 'code', help: 'PEM; the public ones if empty' },
      },
    },
    channel: { help: 'For people; the webhook decides where it posts', placeholder: '#operations' },
    url: {
      label: kind === 'pagerduty' ? 'Events API' : 'URL',
      placeholder: kind === 'opentelemetry' ? 'https://collector.example/v1/metrics' : 'https://',
      ...(kind === 'opentelemetry' && { help: 'OTLP over HTTP, for metrics' }),
    },
    headerName: { help: 'That carries the secret; empty for none', placeholder: 'Authorization' },
    host: { help: null },
    port: { help: null, beside: true, widthPx: 90 },
    transport: {
      help: 'TCP only to loopback or explicitly allowed addresses',
      options: [
        { value: 'tls', label: 'TLS' },
        { value: 'tcp', label: 'TCP' },
      ],
    },
    format: {
      beside: true,
      help: null,
      options: [
        { value: 'json', label: 'JSON lines' },
        { value: 'cef', label: 'CEF' },
      ],
    },
    serverName: {
      label: 'TLS server name',
      help: 'Requested and verified in place of the host',
      when: (values) => own('transport')(values) === 'tls',
    },
    certificateAuthorities: {
      kind: 'code',
      help: 'PEM; the public ones if empty',
      when: (values) => own('transport')(values) === 'tls',
    },
    clientCertificate: {
      kind: 'code',
      help: 'PEM, with its chain, for mTLS',
      when: (values) => own('transport')(values) === 'tls',
    },
    events: {
      kind: 'checkboxes',
      label: 'Events',
      help: 'In addition to the incidents of alert rules that name it',
      options: (events.data?.events ?? [])
        .filter(({ kind: event }) => event !== 'test')
        .map(({ kind: event, description }) => ({ value: event, label: description, help: event })),
    },
  };
  return (
    <SchemaForm
      schema={formSchemaOf(kind)}
      {...(initial ? { initial } : { preset: preset ?? {} })}
      fields={{
        settings: { label: kinds[kind].label, fields: settings },
        secret: {
          label: kinds[kind].secret ?? 'Secret',
          kind: kind === 'siem' ? 'code' : 'secret',
          help: hasSecret ? 'One is stored. Leave empty to keep it.' : 'Stored encrypted',
          when: (values) => takesSecret(kind, values.settings as TypedSettings),
        },
      }}
      submitLabel={submitLabel}
      onCancel={onCancel}
      onValues={({ name }) => onName?.(String(name))}
      send={({ name, settings: typed, secret }) =>
        send({
          name: String(name),
          settings: sentSettings(kind, typed as TypedSettings),
          ...(typeof secret === 'string' && takesSecret(kind, typed as TypedSettings) && { secret }),
        })
      }
    />
  );
}
