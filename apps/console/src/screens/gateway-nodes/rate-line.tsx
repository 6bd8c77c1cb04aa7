import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from '../../frame/api.ts';
import classes from './rate-line.module.css';

type Metrics = DataOf<'getGatewayNodeMetrics'>;
type Point = Metrics['history'][number];

const width = 720;
const height = 120;
const rangeMs = 3_600_000;

/** Calls per second over the last hour, and the errors among them. */
export function RateLine(props: { readonly history: readonly Point[]; readonly latest: Point }) {
  const numbers = useNumbers();
  const { history, latest } = props;
  const end = Date.parse(latest.at);
  const points = [...history, latest]
    .map((point) => ({ ...point, ms: Date.parse(point.at) }))
    .filter(({ ms }) => ms >= end - rangeMs)
    .sort((one, other) => one.ms - other.ms);
  const start = points[0]!.ms;
  const most = Math.max(1, ...points.map(({ requestsPerSecond }) => requestsPerSecond));
  const x = (ms: number) => (end === start ? width : ((ms - start) / (end - start)) * width);
  const line = (of: (point: Point) => number) =>
    points.map((point) => `${x(point.ms).toFixed(1)},${(height - (of(point) / most) * height).toFixed(1)}`).join(' ');
  const calls = line(({ requestsPerSecond }) => requestsPerSecond);
  const minutes = Math.round((end - start) / 60_000);
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 -4 ${width} ${height + 8}`}
        preserveAspectRatio="none"
        className={classes.plot}
        role="img"
        aria-label={`Calls per second: now ${numbers.decimal(latest.requestsPerSecond, 1)}, at most ${numbers.decimal(most, 1)} over the last ${minutes} minutes.`}
      >
        <polygon className={classes.area} points={`0,${height} ${calls} ${width},${height}`} />
        <polyline className={classes.line} points={calls} />
        <polyline className={classes.errors} points={line(({ errorsPerSecond }) => errorsPerSecond)} />
      </svg>
      <figcaption className={classes.caption}>
        <span>{minutes} min ago</span>
        <span>
          <span className={classes.callsKey} aria-hidden /> calls, <span className={classes.errorsKey} aria-hidden />{' '}
          errors per second; top of the plot: {numbers.decimal(most, 1)}
        </span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
