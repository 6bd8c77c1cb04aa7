import { Alert, Code, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { Age } from './age.tsx';
import { Consequence } from './consequence.tsx';
import { type GatewayNode, HealthMark } from './health-mark.tsx';
import { ChangeForm } from './node-form.tsx';
import { RateLine } from './rate-line.tsx';
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
      <Stack gap="xl">
        {problems.length > 0 && (
          <Alert color={health === 'offline' ? 'red' : 'yellow'} title="Why it is not healthy">
            <Lines texts={problems} />
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <Fact label="Environment">
            <TextLink to="/environments/$environmentId" params={{ environmentId }}>
              {nameOf(environmentId)}
            </TextLink>
          </Fact>
          <Fact label="Last report">
            <Age at={node.lastHeartbeatAt} absent="Never" />
          </Fact>
          <Fact label="Configuration that it serves">
            {configuration.held ?? 'None'}
            {configuration.assigned !== configuration.held && ` (the newest is ${configuration.assigned ?? 'none'})`}
          </Fact>
          <Fact label="Ready">{node.ready ? 'Yes: all revisions are loaded' : 'No'}</Fact>
          <Fact label="Registered">
            <Moment at={node.registeredAt} absent="Not yet" />
          </Fact>
          <Fact label="Runs since">
            <Moment at={node.startedAt} />
          </Fact>
          <Fact label="Address">{node.address === null ? '–' : <Code>{node.address}</Code>}</Fact>
          <Fact label="Software">{node.software ?? '–'}</Fact>
          <Fact label="Registration token">
            {node.registrationExpiresAt === null ? (
              'None is open'
            ) : (
              <>
                taken until <Moment at={node.registrationExpiresAt} />
              </>
            )}
          </Fact>
        </SimpleGrid>
        {configuration.refused !== null && (
          <Alert color="red" title={`It refused ${refusedName(configuration.refused.sequence)}`}>
            {configuration.refused.reason} It serves the one before since <Moment at={configuration.refused.since} />.
          </Alert>
        )}
        <Loaded read={metrics}>{(data) => <MetricsShown metrics={data} />}</Loaded>
      </Stack>
    </Page>
  );
}

/** Consumers have no number. */
function refusedName(sequence: number): string {
  return sequence === 0 ? 'what it was given' : `configuration ${sequence}`;
}

function MetricsShown({ metrics }: { readonly metrics: Metrics }) {
  const { latest, history, targets } = metrics;
  const numbers = useNumbers();
  return (
    <>
      <Section title="Load">
        {latest === null ? (
          <Text c="dimmed">It has not reported yet.</Text>
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
            <RateLine history={history} latest={latest} />
            {latest.spooledBatches > 0 && (
              <Text size="sm">Batches of usage that are not delivered yet: {numbers.count(latest.spooledBatches)}</Text>
            )}
          </Stack>
        )}
      </Section>
      <Section title="Target servers, as it sees them">
        {targets.length === 0 ? <Text c="dimmed">It has reported none.</Text> : <Targets targets={targets} />}
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
  healthy: 'It takes calls.',
  unhealthy: 'Its health check fails.',
  ejected: 'It failed too often, and is left out for a while.',
  open: 'The circuit breaker lets no call through.',
};

function Targets({ targets }: { readonly targets: Metrics['targets'] }) {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Target server</Table.Th>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>What that means</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {targets.map(({ name, endpoint, state }) => (
            <Table.Tr key={`${name} ${endpoint}`}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <code>{endpoint}</code>
              </Table.Td>
              <Table.Td>
                <Mark tone={targetTones[state]}>{state === 'open' ? 'Circuit open' : wordsOf(state)}</Mark>
              </Table.Td>
              <Table.Td>{targetExplanations[state]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
  const [dialog, setDialog] = useState<'change' | 'drain' | 'rotate' | 'revoke' | 'remove' | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const close = () => setDialog(null);
  const resumeNow = () =>
    resume
      .mutateAsync({ params })
      .then(() => showDone(`${name} takes traffic again.`))
      .catch(showFailure);
  return (
    <>
      {drain === 'none' ? (
        <PermittedButton
          variant="default"
          permission="gateway-node.drain"
          blocked={registeredAt === null && 'It has not registered yet.'}
          onClick={() => setDialog('drain')}
        >
          Drain
        </PermittedButton>
      ) : (
        <PermittedButton permission="gateway-node.drain" loading={resume.isPending} onClick={resumeNow}>
          Resume
        </PermittedButton>
      )}
      <PermittedButton variant="default" permission="gateway-node.write" onClick={() => setDialog('change')}>
        Change
      </PermittedButton>
      <PermittedButton variant="default" permission="gateway-node.write" onClick={() => setDialog('rotate')}>
        {tokenActive ? 'Rotate the token' : 'New registration token'}
      </PermittedButton>
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="gateway-node.write"
        blocked={!tokenActive && registrationExpiresAt === null && 'It has no token.'}
        onClick={() => setDialog('revoke')}
      >
        Revoke the token
      </PermittedButton>
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="gateway-node.write"
        blocked={health !== 'offline' && 'It reports: stop it first, and wait a minute.'}
        onClick={() => setDialog('remove')}
      >
        Remove
      </PermittedButton>
      <FormDialog title={`Change ${name}`} opened={dialog === 'change'} onClose={close}>
        <ChangeForm node={node} onClose={close} />
      </FormDialog>
      {dialog === 'drain' && (
        <Confirm
          title={`Drain ${name}`}
          action="Drain"
          done={`${name} is being drained.`}
          onConfirm={() => drainNode.mutateAsync({ params })}
          onClose={close}
        >
          <Stack gap="sm">
            <Text>
              It tells load balancers that it is not ready, takes no new connections and finishes the calls under way.
            </Text>
            <Consequence node={node} action="drained" />
          </Stack>
        </Confirm>
      )}
      {dialog === 'rotate' && (
        <Confirm
          title={tokenActive ? `Rotate the token of ${name}` : 'New registration token'}
          action="Make a token"
          done="There is a new registration token."
          onConfirm={async () => setToken((await rotate.mutateAsync({ params })).registrationToken)}
          onClose={close}
        >
          {tokenActive
            ? 'The node serves on with its present token until it is started with the new one.'
            : 'An unused registration token is no longer valid.'}
        </Confirm>
      )}
      {dialog === 'revoke' && (
        <Confirm
          title={`Revoke the token of ${name}`}
          action="Revoke"
          done={`The token of ${name} is revoked.`}
          onConfirm={() => revoke.mutateAsync({ params })}
          onClose={close}
        >
          The node loses access at once: it gets no configuration and no secrets any more, and learns of no key that is
          revoked. It keeps serving what it holds until you stop it. A new registration token lets it in again.
        </Confirm>
      )}
      {token !== null && <RegistrationToken token={token} onClose={() => setToken(null)} />}
      {dialog === 'remove' && (
        <Confirm
          title={`Remove ${name}`}
          action="Remove"
          typed={name}
          done={`${name} is removed.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/gateway-nodes' })}
          onClose={close}
        >
          <Stack gap="sm">
            <Text>Its token is no longer valid: to come back, it has to be registered again.</Text>
            <Consequence node={node} action="removed" />
          </Stack>
        </Confirm>
      )}
    </>
  );
}
