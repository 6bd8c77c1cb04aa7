import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import type { ReactNode } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { ChooseOrganization } from './choose-organization.tsx';

type Overview = DataOf<'getOrganizationOverview'>;

/** The organization at a glance. */
export function Home() {
  const { organization, organizationId, superAdmin, can, user } = useSession();
  const overview = useRead(
    'getOrganizationOverview',
    { params: { organizationId } },
    { enabled: can('organization.read') },
  );
  return (
    <Page title="Overview" description={user ? `Welcome, ${user.name}.` : undefined}>
      {can('organization.read') ? (
        <Loaded read={overview}>
          {(data) =>
            superAdmin && organizationId === organization.id && isEmpty(data) ? (
              <ChooseOrganization />
            ) : (
              <Figures overview={data} />
            )
          }
        </Loaded>
      ) : (
        <Text>Your roles don’t include the overview. Choose a place in the navigation.</Text>
      )}
    </Page>
  );
}

/** Whether nothing is built in an organization, as in most platform organizations. */
function isEmpty({ proxies, environments }: Overview): boolean {
  return proxies.total === 0 && environments === 0;
}

function Figures({ overview }: { readonly overview: Overview }) {
  const { proxies, deployments, targetServers, gatewayNodes, products, developers, apps, subscriptions, users } =
    overview;
  return (
    <Stack>
      <Group>
        <Text size="sm" c="dimmed">
          Health
        </Text>
        <Mark tone={overview.health === 'good' ? 'good' : 'warning'}>
          {overview.health === 'good' ? 'Good' : 'Needs attention'}
        </Mark>
        <Notes
          notes={[
            [deployments.failed, 'failed deployment', 'failed deployments'],
            [gatewayNodes.offline, 'offline gateway node', 'offline gateway nodes'],
            [overview.blockingFindings, 'blocking finding', 'blocking findings'],
          ]}
        />
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} verticalSpacing="lg" mt="xs">
        <Figure
          title="API proxies"
          value={proxies.total}
          to="/proxies"
          notes={[[proxies.notEvaluated, 'not evaluated yet']]}
        >
          <Group gap={6}>
            {Object.entries(proxies.byStage).map(([stage, count]) => (
              <Group gap={4} key={stage}>
                <StageBadge stage={stage} /> <Text size="sm">{count}</Text>
              </Group>
            ))}
          </Group>
        </Figure>
        <Figure
          title="Live deployments"
          value={deployments.serving}
          to="/deployments"
          notes={[
            [deployments.pending, 'not live yet'],
            [deployments.failed, 'failed'],
          ]}
        />
        <Figure
          title="Gateway nodes"
          value={gatewayNodes.total}
          to="/gateway-nodes"
          notes={[[gatewayNodes.offline, 'offline']]}
        />
        <Figure title="Pending reviews" value={overview.pendingReviews} to="/review-queue" />
        <Figure title="Blocking findings" value={overview.blockingFindings} to="/governance" />
        <Figure
          title="Environments"
          value={overview.environments}
          to="/environments"
          notes={[
            [targetServers.total, 'target server', 'target servers'],
            [targetServers.disabled, 'disabled'],
          ]}
        />
        <Figure
          title="API products"
          value={products.total}
          to="/products"
          notes={[
            [products.published, 'published'],
            [products.suspended, 'suspended'],
          ]}
        />
        <Figure
          title="Approved subscriptions"
          value={subscriptions.approved}
          to="/subscriptions"
          notes={[[subscriptions.pending, 'pending']]}
        />
        <Figure
          title="Apps"
          value={apps.total}
          to="/apps"
          notes={[
            [apps.suspended, 'suspended'],
            [developers.total, 'developer', 'developers'],
          ]}
        />
        <Figure
          title="Active users"
          value={users.active}
          to="/users"
          notes={[
            [users.suspended, 'suspended'],
            [users.invited, 'invited'],
          ]}
        />
      </SimpleGrid>
    </Stack>
  );
}

/** A number of something, with its word in the singular and the plural. */
type Note = readonly [count: number, one: string, several?: string];

/** The notes that aren't 0, such as “2 failed deployments, 1 offline gateway node”. */
function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const there = notes.filter(([count]) => count > 0);
  if (there.length === 0) return null;
  const texts = there.map(([count, one, several = one]) => `${count} ${count === 1 ? one : several}`);
  return (
    <Text size="xs" c="dimmed">
      {texts.join(', ')}
    </Text>
  );
}

function Figure(props: {
  readonly title: string;
  readonly value: number;
  readonly to: string;
  readonly notes?: readonly Note[];
  readonly children?: ReactNode;
}) {
  return (
    <Fact label={props.title}>
      <TextLink to={props.to} c="inherit" fz="h3" fw={600}>
        {props.value}
      </TextLink>
      {props.children}
      {props.notes && <Notes notes={props.notes} />}
    </Fact>
  );
}
