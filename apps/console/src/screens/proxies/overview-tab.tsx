import { Anchor, Badge, Card, Group, List, RingProgress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nextSteps } from './next-steps.ts';
import { useProxy } from './proxy-context.tsx';
import { authSchemeNames, protocolNames } from './proxy-fields.tsx';

/** The proxy at a glance: what to do next, what serves, and how it stands with its documents and rules. */
export function OverviewTab() {
  const { proxy, counts, workingCopy } = useProxy();
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Steps />
      <Serving />
      <SpecificationCard />
      <GovernanceCard />
      <Facts
        title="Working copy"
        facts={[
          ['Base path', proxy.basePath],
          ['Protocol', protocolNames[proxy.protocol]],
          ['Callers prove who they are by', authSchemeNames[proxy.authScheme]],
          ['Routes', counts.routes],
          ['Policies', counts.policies],
          [
            'Same as revision',
            workingCopy.sameAsRevision ?? (counts.revisions === 0 ? 'No revision yet' : 'None: it was edited since'),
          ],
          ['Changed', <Moment key="changed" at={proxy.updatedAt} />],
        ]}
      />
    </SimpleGrid>
  );
}

function Panel(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder padding="lg" component="section">
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      {props.children}
    </Card>
  );
}

const stepLinks = {
  routes: '/proxies/$proxyId/routes',
  policies: '/proxies/$proxyId/policies',
  specification: '/proxies/$proxyId/specification',
  governance: '/proxies/$proxyId/governance',
  revisions: '/proxies/$proxyId/revisions',
  deployments: '/proxies/$proxyId/deployments',
  request: '/proxies/$proxyId',
  review: '/review-queue/$requestId',
} as const;

function Steps() {
  const overview = useProxy();
  const steps = nextSteps(overview);
  return (
    <Panel title="What to do next">
      {steps.length === 0 ? (
        <Text c="dimmed">Nothing is left to be done.</Text>
      ) : (
        <List type="ordered" spacing="xs">
          {steps.map(({ text, section, needed }) => (
            <List.Item key={text}>
              <Anchor
                renderRoot={(root) => (
                  <Link
                    {...root}
                    to={stepLinks[section]}
                    params={{ proxyId: overview.proxy.id, requestId: overview.pendingRequest?.id ?? '' }}
                    search={section === 'request' ? { move: 'approved' } : {}}
                  />
                )}
              >
                {text}
              </Anchor>
              {needed && (
                <Text span size="sm" c="dimmed">
                  {' '}
                  needed
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  );
}

function Serving() {
  const { proxy, deployments, traffic } = useProxy();
  const numbers = useNumbers();
  return (
    <Panel title="Serving now">
      {deployments.length === 0 ? (
        <Text c="dimmed">It serves nowhere yet.</Text>
      ) : (
        <Table.ScrollContainer minWidth={280} type="native" tabIndex={0} role="region" aria-label="Serving now">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Environment</Table.Th>
                <Table.Th>Revision</Table.Th>
                <Table.Th>Calls</Table.Th>
                <Table.Th>Since</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deployments.map((deployment) => (
                <Table.Tr key={deployment.deploymentId}>
                  <Table.Td>
                    {deployment.environmentName}
                    {deployment.production && (
                      <Badge ml="xs" size="sm" variant="default" tt="none">
                        production
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{deployment.revision}</Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{deployment.weight} %</Table.Td>
                  <Table.Td>
                    <Moment at={deployment.since} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Text size="sm" my="sm">
        In the last 24 hours: {numbers.count(traffic.requests)} calls, {numbers.count(traffic.failed)} failed (4xx and
        5xx), {numbers.count(traffic.errors)} errors (5xx), {numbers.count(traffic.limited)} refused by limits
      </Text>
      <Anchor
        size="sm"
        renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/deployments" params={{ proxyId: proxy.id }} />}
      >
        Deployments
      </Anchor>
    </Panel>
  );
}

function SpecificationCard() {
  const { specification } = useProxy();
  if (specification === null) {
    return (
      <Panel title="Specification">
        <Text c="dimmed">There is none yet.</Text>
      </Panel>
    );
  }
  const { title, apiVersion, state, outdated, unpublishedChanges, publishedAt } = specification;
  return (
    <Facts
      title="Specification"
      facts={[
        ['Title', title],
        ['Version', apiVersion],
        ['State', wordsOf(state)],
        [
          'Up to date',
          outdated ? 'No: the working copy changed' : unpublishedChanges ? 'No: edited since it was published' : 'Yes',
        ],
        ['Published', <Moment key="published" at={publishedAt} absent="Not yet" />],
      ]}
    />
  );
}

function GovernanceCard() {
  const { governance } = useProxy();
  if (governance === null) {
    return (
      <Panel title="Governance">
        <Text c="dimmed">It was not looked at yet.</Text>
      </Panel>
    );
  }
  const { score, blocking, findings, current, evaluatedAt } = governance;
  return (
    <Panel title="Governance">
      <Group wrap="nowrap">
        <Score score={score} />
        <Stack gap={4}>
          <Text size="sm">
            {findings} {findings === 1 ? 'finding' : 'findings'}, {blocking} blocking
          </Text>
          <Text size="sm" c="dimmed">
            {current ? 'Of the present working copy' : 'The working copy was edited since'}, <Moment at={evaluatedAt} />
          </Text>
        </Stack>
      </Group>
    </Panel>
  );
}

/** A governance score from 0 to 100. */
export function Score({ score }: { readonly score: number }) {
  const color = score >= 90 ? 'teal' : score >= 60 ? 'yellow' : 'red';
  return (
    <RingProgress
      size={80}
      thickness={8}
      roundCaps
      aria-hidden
      sections={[{ value: score, color }]}
      label={
        <Text ta="center" fw={600}>
          {score}
        </Text>
      }
    />
  );
}

function Facts(props: { readonly title: string; readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Panel title={props.title}>
      <Table withRowBorders={false} verticalSpacing={4} variant="vertical" layout="fixed">
        <Table.Tbody>
          {props.facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th fw={400} c="dimmed" bg="transparent" scope="row">
                {name}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
