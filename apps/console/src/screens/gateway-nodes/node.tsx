import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Fact, Lines, Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { Age } from './age.tsx';
import { Consequence } from './consequence.tsx';
import { type GatewayNode, HealthMark } from './health-mark.tsx';
import { EditNodeForm } from './node-form.tsx';
import { RateChart } from './rate-chart.tsx';
import { RegistrationToken } from './registration-token.tsx';

type Metrics = DataOf<'getGatewayNodeMetrics'>;

/** One gateway node, as it reports. */
export function GatewayNodeScreen() {
  const { nodeId } = useParams({ from: '/shell/gateway-nodes/$nodeId' });
  const read = useRead('getGatewayNode', { params: { nodeId } }, { refetchInterval: 2_000 });
  return <EntityScreen read={read}>{(data) => <Shown node={data} />}</EntityScreen>;
}

function Shown({ node }: { readonly node: GatewayNode }) {
  const { id, name, health, environmentId, configuration, problems } = node;
  const { held, assigned, refused } = configuration;
  const { nameOf } = useEnvironments();
  const metrics = useRead('getGatewayNodeMetrics', { params: { nodeId: id } }, { refetchInterval: 2_000 });
  return (
    <Page
      title={name}
      mark={<HealthMark health={health} />}
      description={node.description}
      crumbs={[{ label: 'Gateway nodes', to: '/gateway-nodes' }]}
      actions={<Actions node={node} />}
    >
      <Stack gap="lg">
        {problems.length > 0 && (
          <Alert color={health === 'offline' ? 'red' : 'yellow'} title="Problems">
            <Lines texts={problems} />
          </Alert>
        )}
        <Properties
          of={{
            Environment: (
              <TextLink to="/environments/$environmentId" params={{ environmentId }}>
                {nameOf(environmentId)}
              </TextLink>
            ),
            'Last report': <Age at={node.lastHeartbeatAt} absent="Never" />,
            Configuration: `${held ?? 'None'}${assigned === held ? '' : ` (latest: ${assigned ?? 'none'})`}`,
            Ready: node.ready ? 'Yes, all revisions are loaded' : 'No',
            Registered: <Ago at={node.registeredAt} absent="Not yet" />,
            Started: <Ago at={node.startedAt} />,
            Address: node.address === null ? '–' : <code>{node.address}</code>,
            Software: node.software ?? '–',
            'Registration token':
              node.registrationExpiresAt === null ? (
                'None pending'
              ) : (
                <>
                  Expires <Ago at={node.registrationExpiresAt} />
                </>
              ),
          }}
        />
        {refused !== null && (
          <Alert color="red" title={`It rejected ${refusedName(refused.sequence)}`}>
            {refused.reason} The previous one has stayed live since <Moment at={refused.since} />.
          </Alert>
        )}
        <Loaded read={metrics}>{(data) => <MetricsShown metrics={data} />}</Loaded>
      </Stack>
    </Page>
  );
}

/** That of consumers has no number. */
function refusedName(sequence: number): string {
  return sequence === 0 ? 'the consumers’ configuration' : `configuration ${sequence}`;
}

function MetricsShown({ metrics }: { readonly metrics: Metrics }) {
  const { latest, history, targets } = metrics;
  const numbers = useNumbers();
  return (
    <>
      <Section title="Load">
        {latest === null ? (
          <Text size="sm" c="dimmed">
            No report yet.
          </Text>
        ) : (
          <Stack>
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
              <Fact label="Calls per second">{numbers.decimal(latest.requestsPerSecond, 1)}</Fact>
              <Fact label="Errors per second">{numbers.decimal(latest.errorsPerSecond, 1)}</Fact>
              <Fact label="Connections">{numbers.count(latest.connections)}</Fact>
              <Fact label="CPU">{numbers.decimal(latest.cpuPercent, 0)} %</Fact>
              <Fact label="Memory">{numbers.bytes(latest.memoryBytes)}</Fact>
              <Fact label="Event loop delay">{numbers.decimal(latest.eventLoopDelayMs, 1)} ms</Fact>
            </SimpleGrid>
            <RateChart history={history} latest={latest} />
            {latest.spooledBatches > 0 && (
              <Text size="sm">Undelivered usage batches: {numbers.count(latest.spooledBatches)}</Text>
            )}
          </Stack>
        )}
      </Section>
      <Section title="Target servers">
        {targets.length === 0 ? (
          <Text size="sm" c="dimmed">
            None reported.
          </Text>
        ) : (
          <Targets targets={targets} />
        )}
      </Section>
    </>
  );
}

const targetTones: Readonly<Record<Metrics['targets'][number]['state'], Tone>> = {
  healthy: 'good',
  unhealthy: 'bad',
  ejected: 'warning',
  open: 'bad',
};

const targetExplanations: Readonly<Record<Metrics['targets'][number]['state'], string>> = {
  healthy: 'Takes calls.',
  unhealthy: 'Its health check fails.',
  ejected: 'Failed too often, and is skipped for a while.',
  open: 'The circuit breaker blocks calls.',
};

function Targets({ targets }: { readonly targets: Metrics['targets'] }) {
  return (
    <RecordTable
      label="Table of target servers"
      rows={targets.map((target) => ({ ...target, id: `${target.name} ${target.endpoint}` }))}
      columns={[
        { title: 'Target server', cell: ({ name }) => name },
        { title: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
        {
          title: 'State',
          cell: ({ state }) => (
            <Mark tone={targetTones[state]}>{state === 'open' ? 'Circuit open' : wordsOf(state)}</Mark>
          ),
        },
        { title: 'Meaning', cell: ({ state }) => targetExplanations[state] },
      ]}
    />
  );
}

function Actions({ node }: { readonly node: GatewayNode }) {
  const { id, name, drain, health, registeredAt, registrationExpiresAt, tokenActive, version } = node;
  const params = { nodeId: id };
  const navigate = useNavigate();
  const drainNode = useWrite('drainGatewayNode');
  const resume = useWrite('resumeGatewayNode');
  const rotate = useWrite('rotateGatewayNodeToken');
  const revoke = useWrite('revokeGatewayNodeToken');
  const remove = useWrite('deleteGatewayNode');
  const [token, setToken] = useState<string | null>(null);
  const permission = 'gateway-node.write';
  return (
    <>
      <PermittedActions
        actions={[
          editAction({
            noun: 'gateway node',
            permission,
            body: (close) => <EditNodeForm node={node} onClose={close} />,
          }),
          drain === 'none'
            ? {
                label: 'Drain',
                permission: 'gateway-node.drain',
                blocked: registeredAt === null && 'It has not registered yet.',
                run: () => drainNode.mutateAsync({ params }),
                done: `${name} is draining.`,
                confirm: {
                  title: `Drain ${name}?`,
                  text: (
                    <Stack gap="sm">
                      <Text size="sm">
                        It reports itself as not ready to load balancers, takes no new connections and finishes the
                        calls in progress.
                      </Text>
                      <Consequence node={node} action="drained" />
                    </Stack>
                  ),
                },
              }
            : {
                label: 'Resume',
                primary: true,
                permission: 'gateway-node.drain',
                run: () => resume.mutateAsync({ params }),
                done: `${name} takes traffic again.`,
              },
          {
            label: tokenActive ? 'Rotate token' : 'New registration token',
            permission,
            run: async () => setToken((await rotate.mutateAsync({ params })).registrationToken),
            done: 'Registration token created.',
            confirm: {
              title: tokenActive ? `Rotate the token of ${name}?` : 'Create a registration token?',
              text: tokenActive
                ? 'The node keeps its current token until it is started with the new one.'
                : 'An unused registration token is no longer valid.',
            },
          },
          {
            label: 'Revoke token',
            danger: true,
            permission,
            blocked: !tokenActive && registrationExpiresAt === null && 'It has no token.',
            run: () => revoke.mutateAsync({ params }),
            done: `The token of ${name} was revoked.`,
            confirm: {
              title: `Revoke the token of ${name}?`,
              text: 'The node loses access at once: it gets no configuration, no secrets and no revocations of keys. It keeps serving its last configuration until you stop it. A new registration token lets it in again.',
            },
          },
          deleteAction({
            name,
            permission,
            blocked: health !== 'offline' && 'It is still reporting: stop it, and wait a minute.',
            typed: name,
            text: (
              <Stack gap="sm">
                <Text size="sm">Its token is no longer valid: to come back, it has to be registered again.</Text>
                <Consequence node={node} action="removed" />
              </Stack>
            ),
            run: () => remove.mutateAsync({ params, version }),
            onDone: () => navigate({ to: '/gateway-nodes' }),
          }),
        ]}
      />
      {token !== null && <RegistrationToken token={token} onClose={() => setToken(null)} />}
    </>
  );
}
