import { SimpleGrid } from '@mantine/core';
import { Chart } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded } from '@millrace/ui/page';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useDurations } from '../../frame/durations.ts';

type Comparison = DataOf<'compareDeployment'>;
type Series = DataOf<'getTrafficSeries'>;
type Latency = DataOf<'getLatency'>;

const refreshMs = 30_000;
const dayMs = 86_400_000;
/** How long the traffic of deployments is kept. */
const keptMs = 30 * dayMs;

/** Requests, errors and latency of a canary and of the stable deployment beside it, over time. */
export function ComparisonCharts({ comparison }: { readonly comparison: Comparison }) {
  const { canary, stable, since } = comparison;
  const ageMs = Date.now() - Date.parse(since);
  const from = ageMs < keptMs ? since : new Date(Date.now() - keptMs).toISOString();
  const step = ageMs < dayMs ? 'minute' : ageMs < 8 * dayMs ? 'hour' : 'day';
  const queryOf = (deploymentId: string) => ({ query: { from, step, deploymentId } as const });
  const ofStable = { refetchInterval: refreshMs, enabled: stable !== null };
  const polling = { refetchInterval: refreshMs };
  const canarySeries = useRead('getTrafficSeries', queryOf(canary.deploymentId), polling);
  const stableSeries = useRead('getTrafficSeries', queryOf(stable?.deploymentId ?? ''), ofStable);
  const canaryLatency = useRead('getLatency', queryOf(canary.deploymentId), polling);
  const stableLatency = useRead('getLatency', queryOf(stable?.deploymentId ?? ''), ofStable);
  return (
    <Loaded read={canarySeries}>
      {(series) => (
        <Charts
          names={[`Revision ${canary.revision} (canary)`, `Revision ${stable?.revision ?? ''} (stable)`]}
          series={stableSeries.data ? [series, stableSeries.data] : [series]}
          latency={[canaryLatency.data, stableLatency.data].filter((answer) => answer !== undefined)}
        />
      )}
    </Loaded>
  );
}

function Charts(props: {
  readonly names: readonly string[];
  readonly series: readonly Series[];
  readonly latency: readonly Latency[];
}) {
  const { names, series, latency } = props;
  const numbers = useNumbers();
  const duration = useDurations();
  const { points, step, timeZone, incompleteFrom } = series[0]!;
  // Without the minutes that have not begun: answers end with the hour.
  const times = points.map(({ at }) => at).filter((at) => incompleteFrom === null || at <= incompleteFrom);
  const axis = step === 'day' ? { times, daily: true, zone: timeZone } : { times };
  /** Answers that were read at different minutes may differ by one. */
  const alignedOf = <Point extends { readonly at: string }>(
    of: readonly Point[],
    value: (point: Point) => number | null,
  ) => {
    const byTime = new Map(of.map((point) => [point.at, value(point)]));
    return times.map((at) => byTime.get(at) ?? null);
  };
  const shareOf = ({ requests, status5xx }: Pick<Series['total'], 'requests' | 'status5xx'>) =>
    requests === 0 ? null : status5xx / requests;
  const common = { kind: 'lines', ...axis, syncKey: 'comparison', heightPx: 150 } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="lg">
      <Chart
        {...common}
        label={`Requests by ${step}`}
        series={series.map((each, index) => ({
          name: names[index]!,
          values: alignedOf(each.points, ({ requests }) => requests),
          summary: each.total.requests,
        }))}
        empty="No requests yet."
      />
      <Chart
        {...common}
        label="Share of errors (5xx)"
        leastStep={0.001}
        series={series.map((each, index) => ({
          name: names[index]!,
          values: alignedOf(each.points, shareOf),
          summary: shareOf(each.total),
        }))}
        format={(share) => numbers.percent(share, 2)}
        empty="No errors yet."
      />
      <Chart
        {...common}
        label="Latency, p95"
        series={latency.map((each, index) => ({
          name: names[index]!,
          values: alignedOf(each.points, ({ latencyP95Us }) => latencyP95Us),
          summary: each.total.latencyP95Us,
        }))}
        format={duration}
        empty="Not measured yet."
      />
    </SimpleGrid>
  );
}
