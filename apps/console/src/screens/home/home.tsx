import { Anchor, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/interface/mark';
import { Loaded, Page } from '@millrace/interface/page';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';

/** The organization at a glance. */
export function Home() {
  const { organizationId, can, user } = useSession();
  const overview = useRead(
    'getOrganizationOverview',
    { params: { organizationId } },
    { enabled: can('organization.read') },
  );
  return (
    <Page title="Overview" description={user ? `Welcome, ${user.name}.` : undefined}>
      {can('organization.read') ? (
        <Loaded read={overview}>{(data) => <Figures overview={data} />}</Loaded>
      ) : (
        <Text>Your roles do not show you the organization. Choose a place in the navigation.</Text>
      )}
    </Page>
  );
}

function Figures({ overview }: { readonly overview: DataOf<'getOrganizationOverview'> }) {
  const { proxies, deployments, targetServers, gatewayNodes, products, developers, apps, subscriptions, users } =
    overview;
  return (
    <Stack>
      <Group>
        <Text>Health</Text>
        <Mark tone={overview.health === 'good' ? 'good' : 'warning'}>
          {overview.health === 'good' ? 'Good' : 'Needs attention'}
        </Mark>
        <Notes
          notes={[
            [deployments.failed, 'failed', 'deployment'],
            [gatewayNodes.offline, 'offline', 'gateway node'],
            [overview.blockingFindings, 'blocking', 'finding'],
          ]}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <Figure title="API proxies" value={proxies.total} to="/proxies">
          <Group gap={6}>
            {Object.entries(proxies.byStage).map(([stage, count]) => (
              <Group gap={4} key={stage}>
                <StageBadge stage={stage} /> <Text size="sm">{count}</Text>
              </Group>
            ))}
          </Group>
          <Notes notes={[[proxies.notEvaluated, 'not seen by governance yet']]} />
        </Figure>
        <Figure title="Deployments that serve" value={deployments.serving} to="/deployments">
          <Notes
            notes={[
              [deployments.pending, 'pending'],
              [deployments.failed, 'failed'],
            ]}
          />
        </Figure>
        <Figure title="Gateway nodes" value={gatewayNodes.total} to="/gateway-nodes">
          <Notes notes={[[gatewayNodes.offline, 'offline']]} />
        </Figure>
        <Figure title="Reviews to decide" value={overview.pendingReviews} to="/review-queue" />
        <Figure title="Blocking findings" value={overview.blockingFindings} to="/governance" />
        <Figure title="Environments" value={overview.environments} to="/environments">
          <Notes
            notes={[
              [targetServers.total, '', 'target server'],
              [targetServers.disabled, 'disabled'],
            ]}
          />
        </Figure>
        <Figure title="API products" value={products.total} to="/products">
          <Notes
            notes={[
              [products.published, 'published'],
              [products.suspended, 'suspended'],
            ]}
          />
        </Figure>
        <Figure title="Approved subscriptions" value={subscriptions.approved} to="/subscriptions">
          <Notes notes={[[subscriptions.pending, 'waiting for approval']]} />
        </Figure>
        <Figure title="Apps" value={apps.total} to="/apps">
          <Notes
            notes={[
              [apps.suspended, 'suspended'],
              [developers.total, '', 'developer'],
            ]}
          />
        </Figure>
        <Figure title="Active users" value={users.active} to="/users">
          <Notes
            notes={[
              [users.suspended, 'suspended'],
              [users.invited, 'invited'],
            ]}
          />
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

/** The noun in the singular: several take an s. */
type Note = readonly [count: number, what: string, noun?: string];

/** What of it there is, such as “2 failed deployments, 1 offline gateway node”. */
function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const there = notes.filter(([count]) => count > 0);
  if (there.length === 0) return null;
  const texts = there.map(([count, what, noun = '']) =>
    [count, what, noun !== '' && count > 1 ? `${noun}s` : noun].filter((part) => part !== '').join(' '),
  );
  return <Text size="sm">{texts.join(', ')}</Text>;
}

function Figure(props: {
  readonly title: string;
  readonly value: number;
  readonly to: string;
  readonly children?: ReactNode;
}) {
  return (
    <Card withBorder>
      <Anchor c="inherit" renderRoot={(root) => <Link {...root} to={props.to as LinkProps['to']} />}>
        {props.title}
      </Anchor>
      <Text fz={32} fw={700} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {props.value}
      </Text>
      {props.children}
    </Card>
  );
}
