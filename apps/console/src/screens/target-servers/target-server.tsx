import { Alert, List, Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { IconPencil, IconTrash } from '@millrace/ui/icons';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { EnabledMark } from './list.tsx';
import { TargetServerForm } from './target-server-form.tsx';

/** One target server: its addresses, a connection test, and what uses it. */
export function TargetServerScreen() {
  const { targetServerId } = useParams({ from: '/shell/target-servers/$targetServerId' });
  const read = useRead('getTargetServer', { params: { targetServerId } });
  return <EntityScreen read={read}>{(targetServer) => <TargetServerPage targetServer={targetServer} />}</EntityScreen>;
}

function TargetServerPage({ targetServer }: { readonly targetServer: DataOf<'getTargetServer'> }) {
  const { id, name, description, enabled, scheme, host, port, weight, endpoints, tls, healthPath } = targetServer;
  const { nameOf } = useEnvironments();
  return (
    <Page
      title={name}
      mark={<EnabledMark enabled={enabled} />}
      description={description}
      crumbs={[{ label: 'Target servers', to: '/target-servers' }]}
      actions={<Actions targetServer={targetServer} />}
    >
      <Stack gap="lg">
        <Properties
          of={{
            [endpoints.length === 0 ? 'Address' : 'Addresses']: [{ host, port, weight }, ...endpoints].map(
              (endpoint) => (
                <div key={`${endpoint.host}:${endpoint.port}`}>
                  <code>
                    {scheme}://{endpoint.host}:{endpoint.port}
                  </code>
                  {endpoints.length > 0 && ` weight ${endpoint.weight}`}
                </div>
              ),
            ),
            Environment: nameOf(targetServer.environmentId),
            'Health path': healthPath === null ? 'None' : <code>{healthPath}</code>,
            'TLS name': scheme === 'https' && (tls.serverName ?? 'The host'),
            'Certificate authorities':
              scheme === 'https' && (tls.certificateAuthorities === null ? 'Public' : 'Custom'),
            'Client certificate': scheme === 'https' && (tls.clientCertificate === null ? 'None' : 'Set (mTLS)'),
            Updated: <Ago at={targetServer.updatedAt} />,
          }}
        />
        <ConnectionTest targetServerId={id} />
        <Section title="Used by">
          <References targetServerId={id} />
        </Section>
      </Stack>
    </Page>
  );
}

function Actions({ targetServer }: { readonly targetServer: DataOf<'getTargetServer'> }) {
  const { id, name, enabled, version } = targetServer;
  const params = { targetServerId: id };
  const navigate = useNavigate();
  const enable = useWrite('enableTargetServer');
  const disable = useWrite('disableTargetServer');
  const remove = useWrite('deleteTargetServer');
  return (
    <PermittedActions
      actions={[
        {
          label: 'Edit',
          icon: IconPencil,
          permission: 'target-server.write',
          form: {
            title: 'Edit target server',
            large: true,
            body: (close) => <TargetServerForm targetServer={targetServer} onCancel={close} onSaved={close} />,
          },
        },
        {
          label: 'Enable',
          hidden: enabled,
          permission: 'target-server.write',
          run: () => enable.mutateAsync({ params }),
          done: `${name} is enabled.`,
        },
        {
          label: 'Disable',
          hidden: !enabled,
          permission: 'target-server.write',
          run: () => disable.mutateAsync({ params, version }),
          done: `${name} is disabled.`,
          confirm: { title: `Disable ${name}?`, text: 'Calls to it fail until it is enabled again.' },
        },
        {
          label: 'Delete',
          icon: IconTrash,
          danger: true,
          permission: 'target-server.delete',
          run: () => remove.mutateAsync({ params, version }),
          done: `${name} is deleted.`,
          onDone: () => navigate({ to: '/target-servers' }),
          confirm: {
            title: `Delete ${name}?`,
            text: 'Possible only while no route and no live revision uses it.',
          },
        },
      ]}
    />
  );
}

function ConnectionTest({ targetServerId }: { readonly targetServerId: string }) {
  const { data: result, isPending, mutateAsync } = useWrite('checkTargetServer');
  const healthy = result?.reachable && result.problem === null;
  return (
    <Section
      title="Connection"
      actions={
        <PermittedButton
          variant="default"
          permission="target-server.read"
          loading={isPending}
          onClick={() => mutateAsync({ params: { targetServerId } }).catch(showFailure)}
        >
          Test connection
        </PermittedButton>
      }
    >
      <div aria-live="polite">
        {result ? (
          <Alert color={healthy ? 'green' : 'red'} title={healthy ? 'Healthy' : (result.problem ?? 'Unreachable')}>
            <Properties
              of={{
                Connection: result.reachable ? 'Connected' : 'Not connected',
                Latency: result.latencyMs !== null && `${result.latencyMs} ms`,
                'Health path': result.status !== null && `Returned ${result.status}`,
                Certificate:
                  result.tls && `${result.tls.authorized ? 'Trusted' : 'Not trusted'} (${result.tls.protocol})`,
                'Certificate expires': result.tls?.validTo && <Ago at={result.tls.validTo} />,
              }}
            />
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            Not tested since this page was opened.
          </Text>
        )}
      </div>
    </Section>
  );
}

function References({ targetServerId }: { readonly targetServerId: string }) {
  const references = useRead('getTargetServerReferences', { params: { targetServerId } });
  return (
    <Loaded read={references}>
      {({ routes, revisions, total }) =>
        total === 0 ? (
          <Text size="sm" c="dimmed">
            No route and no live revision uses it.
          </Text>
        ) : (
          <List size="sm">
            {routes.map(({ proxyId, proxyName, routeId, method, pathPattern }) => (
              <List.Item key={routeId}>
                <TextLink to="/proxies/$proxyId" params={{ proxyId }}>
                  {proxyName}
                </TextLink>
                :{' '}
                <code>
                  {method} {pathPattern}
                </code>
              </List.Item>
            ))}
            {revisions.map(({ proxyId, proxyName, revision, environmentName }) => (
              <List.Item key={`${proxyId} ${revision}`}>
                <TextLink to="/proxies/$proxyId" params={{ proxyId }}>
                  {proxyName}
                </TextLink>
                , revision {revision}, live in {environmentName}
              </List.Item>
            ))}
          </List>
        )
      }
    </Loaded>
  );
}
