import { Chart } from '@millrace/ui/chart';
import type { DataOf } from '../../frame/api.ts';
import { useDurations } from '../../frame/durations.ts';
import { axisOf, useTraffic } from './state.ts';

export type Latency = DataOf<'getLatency'>;
/** Which time is measured. */
export type Measure = Latency['heatMap']['measure'];

export const measureNames: Readonly<Record<Measure, string>> = {
  latency: 'Whole latency',
  targetTime: 'Time at the target',
  gatewayTime: 'Time in the gateway',
};

export const percentileNames = { P50: 'Median', P95: 'p95', P99: 'p99' } as const;
export type Percentile = keyof typeof percentileNames;
export const percentiles = Object.keys(percentileNames) as readonly Percentile[];

/** A percentile of a measure, in microseconds; null where it isn't measured. */
export function percentileOf(
  of: Pick<Latency['total'], `${Measure}${Percentile}Us`>,
  measure: Measure,
  percentile: Percentile,
): number | null {
  return of[`${measure}${percentile}Us`];
}

/** The measures that there are figures of, the most telling first. */
export function measuresOf({ total }: Latency): readonly Measure[] {
  const all: readonly Measure[] = ['latency', 'targetTime', 'gatewayTime'];
  return all.filter((measure) => percentileOf(total, measure, 'P50') !== null);
}

/** Percentiles of a time as bands. */
export function Bands(props: { readonly latency: Latency; readonly measure?: Measure; readonly syncKey?: string }) {
  const { latency, syncKey } = props;
  const measure = props.measure ?? measuresOf(latency)[0] ?? 'targetTime';
  const { points, total } = latency;
  const { selectOf } = useTraffic();
  const duration = useDurations();
  return (
    <Chart
      label={`${measureNames[measure]} over time`}
      kind="bands"
      {...axisOf(points, latency)}
      {...selectOf(latency)}
      {...(syncKey !== undefined && { syncKey })}
      series={percentiles.map((percentile) => ({
        name: percentileNames[percentile],
        values: points.map((point) => percentileOf(point, measure, percentile)),
        summary: percentileOf(total, measure, percentile),
      }))}
      format={duration}
      empty="Not measured in this range."
    />
  );
}
