import { Chart } from '@millrace/ui/chart';
import type { DataOf } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';

const words = texts.usage;

/** Calls by day, those that failed on top. */
export function CallsChart({ days }: { readonly days: DataOf<'getPortalUsage'>['days'] }) {
  return (
    <Chart
      label={words.byDay}
      kind="bars"
      daily
      times={days.map(({ day }) => day)}
      series={[
        { name: words.succeeded, values: days.map(({ requests, failed }) => requests - failed) },
        { name: words.failedShort, values: days.map(({ failed }) => failed), tone: 'bad' },
      ]}
      empty={words.noCalls}
    />
  );
}
