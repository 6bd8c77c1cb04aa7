import { Text } from '@mantine/core';
import { useLocale } from '@millrace/ui/locale';
import { useNumbers } from '@millrace/ui/numbers';
import { wordsOf } from '@millrace/ui/words';
import type { AnswerOf } from '../../frame/api.ts';
import classes from './home.module.css';

type Day = AnswerOf<'getHome'>['days'][number];

/** A part of each day's bar. */
interface Series {
  readonly name: string;
  readonly total: number;
  readonly countOn: (day: Day) => number;
}

/** Types with a colour of their own; the rarer ones share one. */
const ownColours = 4;

/** The types of some days, the most frequent first, then the other types, then what failed. */
function seriesOf(days: readonly Day[]): readonly Series[] {
  const totals = new Map<string, number>();
  for (const { byType } of days) {
    for (const [type, count] of Object.entries(byType)) totals.set(type, (totals.get(type) ?? 0) + count);
  }
  const types = [...totals].sort((one, other) => other[1] - one[1]).map(([type]) => type);
  const shown = types.length <= ownColours + 1 ? types : types.slice(0, ownColours);
  const rest = types.slice(shown.length);
  const series = (name: string, countOn: Series['countOn']): Series => ({
    name,
    total: days.reduce((sum, day) => sum + countOn(day), 0),
    countOn,
  });
  return [
    ...shown.map((type) => series(wordsOf(type), ({ byType }) => byType[type] ?? 0)),
    ...(rest.length === 0
      ? []
      : [series('Other types', ({ byType }) => rest.reduce((sum, type) => sum + (byType[type] ?? 0), 0))]),
    ...(days.some(({ error }) => error > 0) ? [series('Failed', ({ error }) => error)] : []),
  ];
}

const height = 160;
const step = 20;

/** A bar for each day, of parts for each type; the same as a table for who cannot see it, or wants the figures. */
export function DaysChart({ days }: { readonly days: readonly Day[] }) {
  const numbers = useNumbers();
  const { language } = useLocale();
  const series = seriesOf(days);
  const countOn = (day: Day) => series.reduce((sum, each) => sum + each.countOn(day), 0);
  const most = Math.max(1, ...days.map(countOn));
  const shortDate = new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const dateOf = (day: Day) => shortDate.format(new Date(day.date));
  const paint = (index: number) => (series[index]!.name === 'Failed' ? 'failed' : String(index));
  return (
    <figure className={classes.figure}>
      <ul className={classes.legend}>
        {series.map(({ name, total }, index) => (
          <li key={name}>
            <svg width="14" height="14" aria-hidden>
              <rect width="14" height="14" className={classes.part} data-series={paint(index)} />
            </svg>{' '}
            {name} <span className={classes.total}>{numbers.count(total)}</span>
          </li>
        ))}
      </ul>
      <div className={classes.plot}>
        <span className={classes.most} aria-hidden>
          {numbers.count(most)}
        </span>
        <svg
          viewBox={`0 0 ${days.length * step} ${height}`}
          preserveAspectRatio="none"
          className={classes.bars}
          role="img"
          aria-label={`Documents of each of ${days.length} days; the most on one day: ${numbers.count(most)}. The figures stand in the table below.`}
        >
          {days.map((day, index) => {
            let foot = height;
            return (
              <g key={day.date}>
                <title>
                  {[
                    `${dateOf(day)}: ${numbers.count(countOn(day))}`,
                    ...series
                      .filter((each) => each.countOn(day) > 0)
                      .map((each) => `${each.name} ${numbers.count(each.countOn(day))}`),
                  ].join('\n')}
                </title>
                <rect className={classes.ground} x={index * step} y={0} width={step} height={height} />
                {series.map((each, order) => {
                  const tall = (each.countOn(day) / most) * height;
                  foot -= tall;
                  return (
                    <rect
                      key={each.name}
                      className={classes.part}
                      data-series={paint(order)}
                      x={index * step + 2}
                      y={foot}
                      width={step - 4}
                      height={tall}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      <div className={classes.dates} aria-hidden>
        <span>{dateOf(days[0]!)}</span>
        <span>{dateOf(days[Math.floor(days.length / 2)]!)}</span>
        <span>{dateOf(days.at(-1)!)}</span>
      </div>
      <details className={classes.details}>
        <summary>The figures as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, a wide table is scrolled here. */}
        <section className={classes.table} aria-label="Documents by day and type" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days
                .filter((day) => countOn(day) > 0)
                .map((day) => (
                  <tr key={day.date}>
                    <th scope="row">{dateOf(day)}</th>
                    {series.map((each) => (
                      <td key={each.name}>{numbers.count(each.countOn(day))}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
        <Text size="xs" c="dimmed" mt="xs">
          Days without a document are left out.
        </Text>
      </details>
      <Text size="xs" c="dimmed" mt="xs">
        Days are in UTC.
      </Text>
    </figure>
  );
}
