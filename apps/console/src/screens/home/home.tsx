import { Group, Stack, Text } from '@mantine/core';
import { LinkList } from '@millrace/ui/link-list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Properties } from '@millrace/ui/values';
import type { ReactNode } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { ChooseOrganization } from './choose-organization.tsx';

type Overview = DataOf<'getOrganizationOverview'>;

/** The organization at a glance: what needs attention, and how much of everything there is. */
export function Home() {
  const { organization, organizationId, superAdmin, can } = useSession();
  const overview = useRead(
    'getOrganizationOverview',
    { params: { organizationId } },
    { enabled: can('organization.read') },
  );
  return (
    <Page title="Overview">
      {can('organization.read') ? (
        <Loaded read={overview}>
          {(data) =>
            superAdmin && organizationId === organization.id && isEmpty(data) ? (
              <ChooseOrganization />
            ) : (
              <Stack gap="lg">
                <Section title="Needs attention">
                  <LinkList links={attentionOf(data)} empty="Nothing needs attention." />
                </Section>
                <TrafficStrip of={{}} />
                <Section title="In this organization">
                  <Totals overview={data} />
                </Section>
              </Stack>
            )
          }
        </Loaded>
      ) : (
        <Text size="sm">Your roles don’t include the overview. Choose a place in the navigation.</Text>
      )}
    </Page>
  );
}

/** Whether nothing is built in an organization, as in most platform organizations. */
function isEmpty({ proxies, environments }: Overview): boolean {
  return proxies.total === 0 && environments === 0;
}

/** Links to what somebody should look at. */
function attentionOf({ deployments, gatewayNodes, blockingFindings, pendingReviews, subscriptions }: Overview) {
  const all = [
    { count: deployments.failed, one: 'failed deployment', several: 'failed deployments', to: '/deployments' },
    {
      count: gatewayNodes.offline,
      one: 'offline gateway node',
      several: 'offline gateway nodes',
      to: '/gateway-nodes',
    },
    { count: blockingFindings, one: 'blocking finding', several: 'blocking findings', to: '/governance' },
    { count: pendingReviews, one: 'pending review', several: 'pending reviews', to: '/review-queue' },
    {
      count: subscriptions.pending,
      one: 'subscription waiting for approval',
      several: 'subscriptions waiting for approval',
      to: '/subscriptions/queue',
    },
  ];
  return all
    .filter(({ count }) => count > 0)
    .map(({ count, one, several, to }) => ({ to, label: `${count} ${count === 1 ? one : several}` }));
}

function Totals({ overview }: { readonly overview: Overview }) {
  const { proxies, deployments, targetServers, products, developers, apps, subscriptions, users } = overview;
  const { count } = useNumbers();
  const total = (to: string, value: number, ...notes: readonly (readonly [number, string])[]) => (
    <Total
      to={to}
      value={count(value)}
      notes={notes.filter(([number]) => number > 0).map(([number, note]) => `${count(number)} ${note}`)}
    />
  );
  return (
    <Properties
      of={{
        'API proxies': (
          <Total
            to="/proxies"
            value={count(proxies.total)}
            notes={Object.entries(proxies.byStage).map(([stage, number]) => (
              <Group key={stage} gap={4} wrap="nowrap">
                <StageBadge stage={stage} /> {count(number)}
              </Group>
            ))}
          />
        ),
        'Live deployments': total('/deployments', deployments.serving, [deployments.pending, 'not live yet']),
        Environments: total('/environments', overview.environments),
        'Target servers': total('/target-servers', targetServers.total, [targetServers.disabled, 'disabled']),
        'Gateway nodes': total('/gateway-nodes', overview.gatewayNodes.total, [
          overview.gatewayNodes.offline,
          'offline',
        ]),
        'API products': total(
          '/products',
          products.total,
          [products.published, 'published'],
          [products.suspended, 'suspended'],
        ),
        Developers: total('/developers', developers.total, [developers.suspended, 'suspended']),
        Apps: total('/apps', apps.total, [apps.suspended, 'suspended']),
        Subscriptions: total('/subscriptions', subscriptions.approved),
        Users: total('/users', users.active, [users.suspended, 'suspended'], [users.invited, 'invited']),
      }}
    />
  );
}

/** A number that links to what it counts, with notes about it. */
function Total(props: { readonly to: string; readonly value: string; readonly notes: readonly ReactNode[] }) {
  const { to, value, notes } = props;
  return (
    <Group gap="sm" wrap="wrap">
      <TextLink to={to} inherit fw={500}>
        {value}
      </TextLink>
      {notes.map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the notes never change their order.
        <Text key={index} size="sm" c="dimmed" component="div">
          {note}
        </Text>
      ))}
    </Group>
  );
}
