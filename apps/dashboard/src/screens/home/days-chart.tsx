import { Chart, type ChartSeries } from '@millrace/ui/chart';
import { wordsOf } from '@millrace/ui/words';
import type { AnswerOf } from '../../frame/api.ts';

type Day = AnswerOf<'getHome'>['days'][number];

/** Types with a colour of their own; the rarer ones share one. */
const ownColours = 4;

/** The types of some days, the most frequent first, then the other types, then what failed. */
function seriesOf(days: readonly Day[]): readonly ChartSeries[] {
  const totals = new Map<string, number>();
  for (const { byType } of days) {
    for (const [type, count] of Object.entries(byType)) totals.set(type, (totals.get(type) ?? 0) + count);
  }
  const types = [...totals].sort((one, other) => other[1] - one[1]).map(([type]) => type);
  const shown = types.length <= ownColours + 1 ? types : types.slice(0, ownColours);
  const rest = types.slice(shown.length);
  const countOf = (day: Day, of: readonly string[]) => of.reduce((sum, type) => sum + (day.byType[type] ?? 0), 0);
  return [
    ...shown.map((type) => ({ name: wordsOf(type), values: days.map((day) => countOf(day, [type])) })),
    ...(rest.length === 0
      ? []
      : [{ name: 'Other types', values: days.map((day) => countOf(day, rest)), tone: 'rest' as const }]),
    ...(days.some(({ error }) => error > 0)
      ? [{ name: 'Failed', values: days.map(({ error }) => error), tone: 'bad' as const }]
      : []),
  ];
}

/** Documents of each day, by type. */
export function DaysChart({ days }: { readonly days: readonly Day[] }) {
  return (
    <Chart
      label="Documents by day and type"
      kind="bars"
      daily
      times={days.map(({ date }) => date)}
      series={seriesOf(days)}
      empty="No documents in the last 30 days."
    />
  );
}
