import { Alert, Anchor, Badge, Button, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type DataOf, useRead } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { useProxy } from './proxy-context.tsx';
import { MethodBadge, PathText } from './route-text.tsx';

type TargetServer = DataOf<'getTargetServer'>;
type Route = DataOf<'getRoute'>;

/** Where the routes lead: each target server by its name, and the host that each environment has under it. */
export function TargetsTab() {
  const { proxy } = useProxy();
  const read = useRead('listRoutes', { params: { proxyId: proxy.id }, query: { pageSize: 100 } });
  return (
    <Loaded read={read}>
      {({ routes }) => {
        const byTarget = Map.groupBy(routes, ({ targetServer }) => targetServer);
        if (byTarget.size === 0) return <Text c="dimmed">No route leads anywhere yet.</Text>;
        return (
          <Stack gap="xl">
            {[...byTarget].map(([name, leading]) => (
              <Target key={name} name={name} routes={leading} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

function Target(props: { readonly name: string; readonly routes: readonly Route[] }) {
  const { name, routes } = props;
  const { environments } = useEnvironments();
  const read = useRead('listTargetServers', { query: { search: name, pageSize: 100 } });
  return (
    <section>
      <Title order={2} size="h4">
        {name}
      </Title>
      <Group gap="xs" my="sm">
        {routes.slice(0, 8).map((route) => (
          <Group key={route.id} gap={4} wrap="nowrap">
            <MethodBadge method={route.method} />
            <PathText path={route.pathPattern} />
          </Group>
        ))}
        {routes.length > 8 && (
          <Text size="sm" c="dimmed">
            and {routes.length - 8} more
          </Text>
        )}
      </Group>
      <Loaded read={read}>
        {({ targetServers }) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {environments.map((environment) => (
              <Resolved
                key={environment.id}
                name={name}
                environment={environment}
                target={targetServers.find((target) => target.environmentId === environment.id && target.name === name)}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </section>
  );
}

function Resolved(props: {
  readonly name: string;
  readonly environment: DataOf<'listEnvironments'>['environments'][number];
  readonly target: TargetServer | undefined;
}) {
  const { environment, target, name } = props;
  const head = (
    <Group gap="xs" mb={6}>
      <Text fw={600} size="sm">
        {environment.displayName}
      </Text>
      {environment.production && (
        <Badge size="sm" variant="default" tt="none">
          production
        </Badge>
      )}
      {target && !target.enabled && <Mark tone="warning">disabled</Mark>}
    </Group>
  );
  if (target === undefined) {
    return (
      <Alert color="yellow" variant="light">
        {head}
        <Text size="sm">
          There is no {name} here, so the proxy cannot be deployed here.{' '}
          <Anchor size="sm" renderRoot={(root) => <Link {...root} to="/target-servers" />}>
            Target servers
          </Anchor>
        </Text>
      </Alert>
    );
  }
  const plain = target.scheme === 'http' && environment.production;
  return (
    <Alert color="gray" variant="outline" styles={{ root: { borderColor: 'var(--mantine-color-default-border)' } }}>
      {head}
      <Anchor
        size="sm"
        renderRoot={(root) => (
          <Link {...root} to="/target-servers/$targetServerId" params={{ targetServerId: target.id }} />
        )}
      >
        <Code>
          {target.scheme}://{target.host}:{target.port}
        </Code>
      </Anchor>
      {plain && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          Not over TLS: the rule SEC-002 stops this in production.
        </Text>
      )}
      <Check target={target} />
    </Alert>
  );
}

/** Connects to the target when it is asked to. */
function Check({ target }: { readonly target: TargetServer }) {
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
    <Group gap="xs" mt="sm">
      <Button size="compact-xs" variant="default" loading={busy} onClick={check}>
        Check now
      </Button>
      <Text size="sm" aria-live="polite">
        {checked && (checked.problem ?? `Reachable in ${Math.round(checked.latencyMs ?? 0)} ms`)}
      </Text>
    </Group>
  );
}
