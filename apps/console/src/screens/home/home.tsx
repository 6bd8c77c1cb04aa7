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
  const { proxies, deployments, targetServers, users } = overview;
  return (
    <Stack>
      <Group>
        <Text>Health</Text>
        <Mark tone={overview.health === 'good' ? 'good' : 'warning'}>
          {overview.health === 'good' ? 'Good' : 'Needs attention'}
        </Mark>
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
          {proxies.notEvaluated > 0 && <Text size="sm">{proxies.notEvaluated} not seen by governance yet</Text>}
        </Figure>
        <Figure title="Deployments that serve" value={deployments.serving} to="/deployments">
          <Notes of={[deployments.pending, 'pending']} and={[deployments.failed, 'failed']} />
        </Figure>
        <Figure title="Reviews to decide" value={overview.pendingReviews} to="/review-queue" />
        <Figure title="Blocking findings" value={overview.blockingFindings} to="/governance" />
        <Figure title="Environments" value={overview.environments} to="/environments">
          <Text size="sm">
            {targetServers.total} target servers
            {targetServers.disabled > 0 && `, ${targetServers.disabled} disabled`}
          </Text>
        </Figure>
        <Figure title="Active users" value={users.active} to="/users">
          <Notes of={[users.suspended, 'suspended']} and={[users.invited, 'invited']} />
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

type Note = readonly [count: number, what: string];

function Notes(props: { readonly of: Note; readonly and: Note }) {
  const notes = [props.of, props.and].filter(([count]) => count > 0);
  if (notes.length === 0) return null;
  return <Text size="sm">{notes.map(([count, what]) => `${count} ${what}`).join(', ')}</Text>;
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
