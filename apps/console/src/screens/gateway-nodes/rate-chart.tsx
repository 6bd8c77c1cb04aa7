import { Chart } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from '../../frame/api.ts';

type Metrics = DataOf<'getGatewayNodeMetrics'>;
type Point = Metrics['history'][number];

const rangeMs = 3_600_000;

/** Calls and errors per second over the last hour. */
export function RateChart(props: { readonly history: readonly Point[]; readonly latest: Point }) {
  const numbers = useNumbers();
  const { history, latest } = props;
  const start = Date.parse(latest.at) - rangeMs;
  const byTime = new Map([...history, latest].map((point) => [point.at, point]));
  const points = [...byTime.values()]
    .filter(({ at }) => Date.parse(at) >= start)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Chart
      label="Calls per second"
      kind="lines"
      times={points.map(({ at }) => at)}
      series={[
        { name: 'Calls per second', values: points.map(({ requestsPerSecond }) => requestsPerSecond) },
        { name: 'Errors per second', values: points.map(({ errorsPerSecond }) => errorsPerSecond), tone: 'bad' },
      ]}
      format={(rate) => numbers.decimal(rate, 1)}
      empty="No calls in the last hour."
    />
  );
}
