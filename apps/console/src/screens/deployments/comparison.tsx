import { Alert, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { type Column, RecordTable } from '@millrace/ui/record-table';
import { Moment } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { type DataOf, useRead } from '../../frame/api.ts';
import { Can } from '../../frame/can.tsx';
import { BudgetText } from './budget.tsx';
import { ComparisonCharts } from './comparison-charts.tsx';

type Comparison = DataOf<'compareDeployment'>;
type Share = Comparison['canary'];
type Row = Share & { readonly id: string };

/** A canary compared with the stable deployment beside it: calls, errors and latency, held against its budget. */
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
  const numbers = useNumbers();
  const rows: readonly Row[] = [{ ...canary, id: 'canary' }, ...(stable === null ? [] : [{ ...stable, id: 'stable' }])];
  const latency = (title: string, percentile: keyof Share['latencyMs']): Column<Row> => ({
    title,
    align: 'end',
    cell: ({ id, latencyMs }) => (
      <Latency ms={latencyMs[percentile]} stableMs={id === 'canary' ? (stable?.latencyMs[percentile] ?? null) : null} />
    ),
  });
  return (
    <Stack gap="sm">
      {spent !== null && (
        <Alert color="red" title="The budget is spent">
          {spent}
        </Alert>
      )}
      <RecordTable
        label="Table of canary and stable"
        rows={rows}
        columns={[
          { title: 'Revision', cell: ({ id, revision }) => `${revision} (${id})` },
          { title: 'Weight', align: 'end', cell: ({ weight }) => `${weight} %` },
          {
            title: 'Measured share',
            align: 'end',
            cell: ({ measured }) => (
              <>
                {measured.share === null ? '–' : numbers.percent(measured.share, 1)}
                <Text size="xs" c="dimmed">
                  {counted(measured.requests, 'call')}
                </Text>
              </>
            ),
          },
          { title: 'Calls', align: 'end', cell: ({ requests }) => numbers.count(requests) },
          { title: 'Errors', align: 'end', cell: ({ errors }) => numbers.count(errors) },
          {
            title: 'Error rate',
            align: 'end',
            cell: ({ errorRate }) => (errorRate === null ? '–' : numbers.percent(errorRate, 2)),
          },
          latency('Median latency', 'p50'),
          latency('95th percentile', 'p95'),
          latency('99th percentile', 'p99'),
        ]}
      />
      <Can anyOf={['analytics.read']}>
        <ComparisonCharts comparison={comparison} />
      </Can>
      <Text size="sm" c="dimmed">
        Calls since <Moment at={since} />, split by {split}. The measured share starts at <Moment at={measuredSince} />,
        the first full minute after the weights were set. <BudgetText budget={budget} />
      </Text>
    </Stack>
  );
}

function Latency({ ms, stableMs }: { readonly ms: number | null; readonly stableMs: number | null }) {
  const numbers = useNumbers();
  if (ms === null) return '–';
  const change = stableMs === null || stableMs === 0 ? 0 : Math.round((ms / stableMs - 1) * 100);
  return (
    <>
      {numbers.decimal(ms, ms < 10 ? 1 : 0)} ms
      {change !== 0 && (
        <Text size="xs" c="dimmed">
          {change > 0 ? `${change} % slower` : `${-change} % faster`}
        </Text>
      )}
    </>
  );
}
