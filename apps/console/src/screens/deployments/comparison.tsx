import { Alert, Stack, Table, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { BudgetText } from './budget.tsx';

type Comparison = DataOf<'compareDeployment'>;
type Share = Comparison['canary'];

/** A canary beside what serves next to it: calls, errors, latency, and what its budget says of that. */
export function ComparisonSection({ deploymentId }: { readonly deploymentId: string }) {
  const read = useRead('compareDeployment', { params: { deploymentId } }, { refetchInterval: 5_000 });
  return (
    <Section title="Canary and stable">
      <Loaded read={read}>{(comparison) => <Shown comparison={comparison} />}</Loaded>
    </Section>
  );
}

function Shown({ comparison }: { readonly comparison: Comparison }) {
  const { canary, stable, since, split, measuredSince, budget, spent } = comparison;
  return (
    <Stack gap="sm">
      {spent !== null && (
        <Alert color="red" title="The budget is spent">
          {spent}
        </Alert>
      )}
      <Text size="sm">
        Calls since <Moment at={since} />, split by {split}; the measured share counts from{' '}
        <Moment at={measuredSince} />, the first whole minute after the weights were set. <BudgetText budget={budget} />
      </Text>
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Revision</Table.Th>
              <Table.Th>Weight</Table.Th>
              <Table.Th>Measured share</Table.Th>
              <Table.Th>Calls</Table.Th>
              <Table.Th>Errors</Table.Th>
              <Table.Th>Error rate</Table.Th>
              <Table.Th>Latency, median</Table.Th>
              <Table.Th>95th percentile</Table.Th>
              <Table.Th>99th percentile</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <ShareRow share={canary} name="canary" beside={stable} />
            {stable !== null && <ShareRow share={stable} name="stable" beside={null} />}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function ShareRow(props: {
  readonly share: Share;
  readonly name: string;
  /** What its figures are told against. */
  readonly beside: Share | null;
}) {
  const { share, name, beside } = props;
  const { revision, weight, requests, errors, errorRate, latencyMs, measured } = share;
  const numbers = useNumbers();
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {revision} ({name})
      </Table.Th>
      <Table.Td>{weight} %</Table.Td>
      <Table.Td>
        {measured.share === null ? '–' : numbers.percent(measured.share, 1)}
        <Text size="xs" c="dimmed">
          {numbers.count(measured.requests)} {measured.requests === 1 ? 'call' : 'calls'}
        </Text>
      </Table.Td>
      <Table.Td>{numbers.count(requests)}</Table.Td>
      <Table.Td>{numbers.count(errors)}</Table.Td>
      <Table.Td>{errorRate === null ? '–' : numbers.percent(errorRate, 2)}</Table.Td>
      {(['p50', 'p95', 'p99'] as const).map((percentile) => (
        <Table.Td key={percentile}>
          <Latency ms={latencyMs[percentile]} besideMs={beside?.latencyMs[percentile] ?? null} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Latency({ ms, besideMs }: { readonly ms: number | null; readonly besideMs: number | null }) {
  const numbers = useNumbers();
  if (ms === null) return '–';
  const digits = ms < 10 ? 1 : 0;
  const change = besideMs === null || besideMs === 0 ? null : Math.round((ms / besideMs - 1) * 100);
  return (
    <>
      {numbers.decimal(ms, digits)} ms
      {change !== null && change !== 0 && (
        <Text size="xs" c="dimmed">
          {change > 0 ? `${change} % slower` : `${-change} % faster`}
        </Text>
      )}
    </>
  );
}
