import { showDone } from '@millrace/ui/form';
import { type FieldOptions, SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';

type TargetServer = DataOf<'getTargetServer'>;

const defaultPort: Readonly<Record<string, number>> = { https: 443, http: 80 };

/** What a target server speaks. */
export const protocolNames: Readonly<Record<TargetServer['protocol'], string>> = {
  http1: 'HTTP/1.1',
  http2: 'HTTP/2',
  auto: 'Chosen by TLS',
};

const weight: FieldOptions = { widthPx: 80, beside: true };

/** Creates a target server, or edits the given one. */
export function TargetServerForm(props: {
  readonly targetServer?: TargetServer;
  readonly onCancel: () => void;
  readonly onSaved: (targetServer: TargetServer) => void;
}) {
  const { targetServer, onCancel, onSaved } = props;
  const { options } = useEnvironments();
  const create = useWrite('createTargetServer');
  const update = useWrite('updateTargetServer');
  return (
    <SchemaForm
      schema={bodyOf('createTargetServer')}
      initial={targetServer}
      preset={{ port: 443 }}
      omit={targetServer ? ['environmentId', 'enabled'] : ['enabled']}
      fields={{
        environmentId: { label: 'Environment', options },
        name: { help: 'Routes refer to it by this name, in every environment' },
        scheme: {
          widthPx: 100,
          options: Object.keys(defaultPort).map((scheme) => ({ value: scheme, label: scheme })),
          onChange: (scheme, form) => {
            if (Object.values(defaultPort).includes(Number(form.values.port))) {
              form.setAt('port', defaultPort[String(scheme)]);
            }
          },
        },
        protocol: {
          options: Object.entries(protocolNames).map(([value, label]) => ({ value, label })),
          help: 'gRPC needs HTTP/2',
        },
        host: { beside: true, help: null },
        port: { beside: true, widthPx: 90, help: null },
        weight: { ...weight, help: null, when: ({ endpoints }) => (endpoints as readonly unknown[]).length > 0 },
        endpoints: {
          label: 'More hosts',
          itemNoun: 'host',
          newItem: ({ port }) => ({ port }),
          fields: { host: { help: null }, port: { ...weight, help: null }, weight },
        },
        tls: {
          label: 'TLS settings',
          collapsed: true,
          when: ({ scheme }) => scheme === 'https',
          fields: {
            serverName: { help: 'Requested and verified in place of the host' },
            certificateAuthorities: { kind: 'code', help: 'PEM; the public ones if empty' },
            clientCertificate: { kind: 'code', help: 'PEM, with its chain, for mTLS' },
            clientKey: {
              label: 'Client certificate’s key',
              kind: 'code',
              help: targetServer?.tls.hasClientKey
                ? 'A key is stored. Leave empty to keep it.'
                : 'PEM; stored encrypted, and never shown again',
            },
          },
        },
        healthPath: { placeholder: '/health', help: 'Returns 2xx while healthy; if empty, a connection is enough' },
      }}
      submitLabel={targetServer ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = targetServer ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { targetServerId: id }, body, version })
          : await create.mutateAsync({ body });
        showDone(id ? 'Target server saved.' : 'Target server created.');
        onSaved(saved);
      }}
    />
  );
}
