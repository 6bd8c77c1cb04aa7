import { SimpleGrid, Stack, Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Fact } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type DataOf, useRead } from '../../frame/api.ts';
import { RateChart } from './rate-chart.tsx';

type Metrics = DataOf<'getGatewayNodeMetrics'>;

/** The load of a node and the health of its target servers, refreshed every two seconds. */
export function NodeMetrics({ nodeId }: { readonly nodeId: string }) {
  const metrics = useRead('getGatewayNodeMetrics', { params: { nodeId } }, { refetchInterval: 2_000 });
  return <Loaded read={metrics}>{(data) => <Shown metrics={data} />}</Loaded>;
}

function Shown({ metrics }: { readonly metrics: Metrics }) {
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
