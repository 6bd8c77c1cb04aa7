import { Alert, Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { LinkList } from '@millrace/ui/link-list';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { Ago, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { EnabledMark } from './list.tsx';
import { protocolNames, TargetServerForm } from './target-server-form.tsx';

type TargetServer = DataOf<'getTargetServer'>;

/** One target server: its addresses, a connection test, and what uses it. */
export function TargetServerScreen() {
  const { targetServerId } = useParams({ from: '/shell/target-servers/$targetServerId' });
  const read = useRead('getTargetServer', { params: { targetServerId } });
  const { nameOf } = useEnvironments();
  return (
    <EntityScreen read={read}>
      {(targetServer) => (
        <Page
          title={targetServer.name}
          mark={<EnabledMark enabled={targetServer.enabled} />}
          description={targetServer.description}
          crumbs={[{ label: 'Target servers', to: '/target-servers' }]}
          actions={<Actions targetServer={targetServer} />}
        >
          <Stack gap="lg">
            <Properties of={propertiesOf(targetServer, nameOf(targetServer.environmentId))} />
            <ConnectionTest targetServerId={targetServerId} />
            <UsedBy targetServerId={targetServerId} />
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function propertiesOf(targetServer: TargetServer, environment: string) {
  const { scheme, endpoints, tls, healthPath, updatedAt } = targetServer;
  const secure = scheme === 'https';
  return {
    Addresses: [targetServer, ...endpoints].map(({ host, port, weight }) => (
      <div key={`${host}:${port}`}>
        <code>{`${scheme}://${host}:${port}`}</code>
        {endpoints.length > 0 && ` weight ${weight}`}
      </div>
    )),
    Environment: environment,
    Protocol: protocolNames[targetServer.protocol],
    'Health path': healthPath === null ? 'None' : <code>{healthPath}</code>,
    'TLS server name': secure && (tls.serverName ?? 'The host'),
    'Certificate authorities': secure && (tls.certificateAuthorities === null ? 'Public' : 'Custom'),
    'Client certificate': secure && (tls.clientCertificate === null ? 'None' : 'Set (mTLS)'),
    Updated: <Ago at={updatedAt} />,
  };
}

function Actions({ targetServer }: { readonly targetServer: TargetServer }) {
  const { id, name, enabled, version } = targetServer;
  const params = { targetServerId: id };
  const navigate = useNavigate();
  const enable = useWrite('enableTargetServer');
  const disable = useWrite('disableTargetServer');
  const remove = useWrite('deleteTargetServer');
  const permission = 'target-server.write';
  return (
    <PermittedActions
      actions={[
        editAction({
          noun: 'target server',
          permission,
          large: true,
          body: (close) => <TargetServerForm targetServer={targetServer} onCancel={close} onSaved={close} />,
        }),
        enabled
          ? {
              label: 'Disable',
              permission,
              run: () => disable.mutateAsync({ params, version }),
              done: `${name} disabled.`,
              confirm: { title: `Disable ${name}?`, text: 'Calls to it fail until it is enabled again.' },
            }
          : { label: 'Enable', permission, run: () => enable.mutateAsync({ params }), done: `${name} enabled.` },
        deleteAction({
          name,
          permission: 'target-server.delete',
          text: 'Possible only while no route and no live revision uses it.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/target-servers' }),
        }),
      ]}
    />
  );
}

function ConnectionTest({ targetServerId }: { readonly targetServerId: string }) {
  const { data: result, isPending, mutateAsync } = useWrite('checkTargetServer');
  const test = () => mutateAsync({ params: { targetServerId } }).catch(showFailure);
  const button = (
    <PermittedButton variant="default" permission="target-server.read" loading={isPending} onClick={test}>
      Test connection
    </PermittedButton>
  );
  return (
    <Section title="Connection" actions={button}>
      <div aria-live="polite">{result ? <TestResult result={result} /> : <Text size="sm">Not tested yet.</Text>}</div>
    </Section>
  );
}

function TestResult({ result }: { readonly result: DataOf<'checkTargetServer'> }) {
  const { reachable, problem, latencyMs, status, tls } = result;
  const healthy = reachable && problem === null;
  return (
    <Alert color={healthy ? 'green' : 'red'} title={healthy ? 'Healthy' : (problem ?? 'Unreachable')}>
      <Properties
        of={{
          Connection: reachable ? 'Connected' : 'Not connected',
          Latency: latencyMs !== null && `${latencyMs} ms`,
          'Health path': status !== null && `Returned ${status}`,
          Certificate: tls && `${tls.authorized ? 'Trusted' : 'Not trusted'} (${tls.protocol})`,
          'Certificate expires': tls?.validTo && <Ago at={tls.validTo} />,
        }}
      />
    </Alert>
  );
}

function UsedBy({ targetServerId }: { readonly targetServerId: string }) {
  const references = useRead('getTargetServerReferences', { params: { targetServerId } });
  return (
    <Section title="Used by">
      <Loaded read={references}>
        {({ routes, revisions }) => (
          <LinkList
            empty="No route and no live revision uses it."
            links={[
              ...routes.map(({ proxyId, proxyName, method, pathPattern }) => ({
                to: `/proxies/${proxyId}`,
                label: proxyName,
                note: <code>{`${method} ${pathPattern}`}</code>,
              })),
              ...revisions.map(({ proxyId, proxyName, revision, environmentName }) => ({
                to: `/proxies/${proxyId}`,
                label: proxyName,
                note: `revision ${revision}, live in ${environmentName}`,
              })),
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
