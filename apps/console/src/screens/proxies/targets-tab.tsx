import { Group, Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { useState } from 'react';
import { call, type DataOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { useProxy } from './proxy-context.tsx';
import { MethodBadge, PathText } from './route-text.tsx';

type TargetServer = DataOf<'getTargetServer'>;
type Route = DataOf<'getRoute'>;

/** The target servers of the routes, and the host that each has in every environment. */
export function TargetsTab() {
  const { proxy } = useProxy();
  const read = useRead('listRoutes', { params: { proxyId: proxy.id }, query: { pageSize: 100 } });
  return (
    <Loaded read={read}>
      {({ routes }) => {
        const byTarget = Map.groupBy(routes, ({ targetServer }) => targetServer);
        if (byTarget.size === 0) return <EmptyList>No target servers yet. Add a route to choose one.</EmptyList>;
        return (
          <Stack gap="xl">
            {[...byTarget].map(([name, group]) => (
              <Target key={name} name={name} routes={group} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

const mostRoutes = 8;

function Target(props: { readonly name: string; readonly routes: readonly Route[] }) {
  const { name, routes } = props;
  const { environments } = useEnvironments();
  const read = useRead('listTargetServers', { query: { search: name, pageSize: 100 } });
  return (
    <Section
      title={name}
      description={
        <Group gap="4px 16px" mt={4}>
          {routes.slice(0, mostRoutes).map((route) => (
            <Group key={route.id} gap={4}>
              <MethodBadge method={route.method} />
              <PathText path={route.pathPattern} />
            </Group>
          ))}
          {routes.length > mostRoutes && <span>and {routes.length - mostRoutes} more</span>}
        </Group>
      }
    >
      <Loaded read={read}>
        {({ targetServers }) => (
          <RecordTable
            label={`Hosts of ${name}`}
            rows={environments.map((environment) => ({
              ...environment,
              target: targetServers.find((each) => each.environmentId === environment.id && each.name === name),
            }))}
            columns={[
              {
                title: 'Environment',
                cell: ({ displayName, production }) => (
                  <>
                    {displayName} {production && <Mark tone="accent">Production</Mark>}
                  </>
                ),
              },
              {
                title: 'Address',
                cell: ({ target }) => (target ? <Address target={target} /> : '–'),
              },
              {
                title: 'State',
                cell: ({ target, production }) => <TargetState target={target} production={production} />,
              },
              {
                title: 'Connection',
                cell: ({ target, displayName }) =>
                  target && <ConnectionTest target={target} environment={displayName} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Address({ target }: { readonly target: TargetServer }) {
  const { id, scheme, host, port } = target;
  return (
    <TextLink to="/target-servers/$targetServerId" params={{ targetServerId: id }}>
      <code>{`${scheme}://${host}:${port}`}</code>
    </TextLink>
  );
}

function TargetState(props: { readonly target: TargetServer | undefined; readonly production: boolean }) {
  const { target, production } = props;
  if (!target) return <Mark tone="warning">Missing, blocks deployment</Mark>;
  if (!target.enabled) return <Mark tone="warning">Disabled</Mark>;
  if (production && target.scheme === 'http') return <Mark tone="bad">No TLS, blocked by rule SEC-002</Mark>;
  return <Mark tone="good">Enabled</Mark>;
}

/** Connects to the target on demand. */
function ConnectionTest(props: { readonly target: TargetServer; readonly environment: string }) {
  const { target, environment } = props;
  const [checked, setChecked] = useState<DataOf<'checkTargetServer'> | null>(null);
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      setChecked(await call('checkTargetServer', { params: { targetServerId: target.id } }));
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group gap="xs">
      <PermittedButton
        size="compact-xs"
        variant="default"
        permission="target-server.read"
        loading={busy}
        aria-label={`Test connection in ${environment}`}
        onClick={check}
      >
        Test
      </PermittedButton>
      <Text size="sm" aria-live="polite">
        {checked && (checked.problem ?? `Reachable in ${Math.round(checked.latencyMs ?? 0)} ms`)}
      </Text>
    </Group>
  );
}
