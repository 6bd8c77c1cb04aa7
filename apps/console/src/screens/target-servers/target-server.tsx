import { Alert, Anchor, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Page } from '@millrace/ui/page';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { Link, type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { EnabledBadge } from './list.tsx';
import { TargetServerForm } from './target-server-form.tsx';

/** One target server: its address, a check of it, and what names it. */
export function TargetServerScreen() {
  const { targetServerId } = useParams({ from: '/shell/target-servers/$targetServerId' });
  const read = useRead('getTargetServer', { params: { targetServerId } });
  return <EntityScreen read={read}>{(data) => <Shown targetServer={data} />}</EntityScreen>;
}

function Shown({ targetServer }: { readonly targetServer: DataOf<'getTargetServer'> }) {
  const { id, name, description, enabled, scheme, host, port, weight, endpoints, tls, healthPath, version } =
    targetServer;
  const params = { targetServerId: id };
  const navigate = useNavigate();
  const { nameOf } = useEnvironments();
  const enable = useWrite('enableTargetServer');
  const disable = useWrite('disableTargetServer');
  const remove = useWrite('deleteTargetServer');
  const [dialog, setDialog] = useState<'change' | 'disable' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enableNow = () =>
    enable
      .mutateAsync({ params })
      .then(() => showDone(`${name} takes calls again.`))
      .catch(showFailure);
  return (
    <Page
      title={name}
      mark={<EnabledBadge enabled={enabled} />}
      description={description}
      crumbs={[{ label: 'Target servers', to: '/target-servers' }]}
      actions={
        <>
          <PermittedButton variant="default" permission="target-server.write" onClick={() => setDialog('change')}>
            Change
          </PermittedButton>
          {enabled ? (
            <PermittedButton variant="default" permission="target-server.write" onClick={() => setDialog('disable')}>
              Disable
            </PermittedButton>
          ) : (
            <PermittedButton permission="target-server.write" loading={enable.isPending} onClick={enableNow}>
              Enable
            </PermittedButton>
          )}
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="target-server.delete"
            onClick={() => setDialog('delete')}
          >
            Delete
          </PermittedButton>
        </>
      }
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, sm: 2, md: 4 }}>
          <Fact label={endpoints.length === 0 ? 'Address' : 'Addresses, with their weights'}>
            {[{ host, port, weight }, ...endpoints].map((endpoint) => (
              <div key={`${endpoint.host}:${endpoint.port}`} style={{ overflowWrap: 'anywhere' }}>
                <code>
                  {scheme}://{endpoint.host}:{endpoint.port}
                </code>
                {endpoints.length > 0 && ` × ${endpoint.weight}`}
              </div>
            ))}
          </Fact>
          <Fact label="Environment">{nameOf(targetServer.environmentId)}</Fact>
          <Fact label="Health path">{healthPath === null ? 'None' : <code>{healthPath}</code>}</Fact>
          {scheme === 'https' && (
            <Fact label="TLS">
              <Lines
                texts={[
                  tls.serverName === null ? 'verified by the host' : `verified as ${tls.serverName}`,
                  tls.certificateAuthorities === null ? 'public authorities' : 'authorities of its own',
                  tls.clientCertificate === null ? 'without a client certificate' : 'with a client certificate (mTLS)',
                ]}
              />
            </Fact>
          )}
          <Fact label="Changed">
            <Moment at={targetServer.updatedAt} />
          </Fact>
        </SimpleGrid>
        <Check targetServerId={id} />
        <section>
          <Title order={2} size="h4" mb="sm">
            What names it
          </Title>
          <References targetServerId={id} />
        </section>
      </Stack>
      <FormDialog title="Change the target server" opened={dialog === 'change'} onClose={close} large>
        <TargetServerForm targetServer={targetServer} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'disable' && (
        <Confirm
          title={`Disable ${name}`}
          action="Disable"
          done={`${name} is disabled.`}
          onConfirm={() => disable.mutateAsync({ params, version })}
          onClose={close}
        >
          Calls that lead there fail until it is enabled again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete"
          done={`${name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/target-servers' })}
          onClose={close}
        >
          A target server that a route, or a revision that serves, still names cannot be deleted.
        </Confirm>
      )}
    </Page>
  );
}

function Check({ targetServerId }: { readonly targetServerId: string }) {
  const check = useWrite('checkTargetServer');
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Connection
      </Title>
      <PermittedButton
        variant="default"
        permission="target-server.read"
        loading={check.isPending}
        onClick={() => check.mutateAsync({ params: { targetServerId } }).catch(showFailure)}
      >
        Connect now
      </PermittedButton>
      <div aria-live="polite">{check.data && <CheckResult result={check.data} />}</div>
    </section>
  );
}

function CheckResult({ result }: { readonly result: DataOf<'checkTargetServer'> }) {
  const { reachable, latencyMs, tls, status, problem } = result;
  const well = reachable && problem === null;
  return (
    <Alert mt="md" color={well ? 'green' : 'red'} title={well ? 'All is well' : (problem ?? 'It cannot be reached')}>
      <List size="sm">
        <List.Item>{reachable ? 'A connection was made' : 'No connection was made'}</List.Item>
        {latencyMs !== null && <List.Item>It took {latencyMs} ms</List.Item>}
        {status !== null && <List.Item>The health path answered {status}</List.Item>}
        {tls !== null && (
          <List.Item>
            {tls.protocol}; the certificate is {tls.authorized ? 'trusted' : 'not trusted'}
            {tls.daysLeft !== null && ` and ends in ${tls.daysLeft} days`}
          </List.Item>
        )}
      </List>
    </Alert>
  );
}

function References({ targetServerId }: { readonly targetServerId: string }) {
  const references = useRead('getTargetServerReferences', { params: { targetServerId } });
  return (
    <Loaded read={references}>
      {({ routes, revisions, total }) =>
        total === 0 ? (
          <Text c="dimmed">No route and no revision that serves names it.</Text>
        ) : (
          <List size="sm">
            {routes.map(({ proxyId, proxyName, routeId, method, pathPattern }) => (
              <List.Item key={routeId}>
                <ProxyLink proxyId={proxyId}>{proxyName}</ProxyLink>:{' '}
                <code>
                  {method} {pathPattern}
                </code>
              </List.Item>
            ))}
            {revisions.map(({ proxyId, proxyName, revision, environmentName }) => (
              <List.Item key={`${proxyId} ${revision}`}>
                <ProxyLink proxyId={proxyId}>{proxyName}</ProxyLink>, revision {revision}, serves in {environmentName}
              </List.Item>
            ))}
          </List>
        )
      }
    </Loaded>
  );
}

function ProxyLink(props: { readonly proxyId: string; readonly children: string }) {
  return (
    <Anchor renderRoot={(root) => <Link {...root} to={`/proxies/${props.proxyId}` as LinkProps['to']} />}>
      {props.children}
    </Anchor>
  );
}
