import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import classes from './chart.module.css';
import { useLocale } from './locale.tsx';
import { useNumbers } from './numbers.ts';

/** Apart from the screens: the plotting library is loaded with the first chart. */
const Plot = lazy(() => import('./plot.tsx'));

/** One line, or one part of each bar, of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** One for each of the chart's times; null for a gap. */
  readonly values: readonly (number | null)[];
  /** `bad` for failures, `rest` for what is left over; otherwise its own colour. */
  readonly tone?: 'bad' | 'rest';
}

/** Height of the plot in pixels. */
const heightPx = 200;

/**
 * Figures over time. Hovering shows the figures of a time, dragging over a range zooms into it, the legend hides series,
 * and the same figures are there as a table.
 */
export function Chart(props: {
  /** What it shows, such as `Calls by day`. */
  readonly label: string;
  /** ISO 8601, ascending. */
  readonly times: readonly string[];
  readonly series: readonly ChartSeries[];
  /** `bars` for counts, stacked; `lines` for rates. */
  readonly kind: 'bars' | 'lines';
  /** Each time is a day of UTC, and is shown as its date. */
  readonly daily?: boolean;
  readonly format?: (value: number) => string;
  /** In place of the plot while every figure is 0. */
  readonly empty: string;
}) {
  const { label, times, series, kind, daily = false, empty } = props;
  const numbers = useNumbers();
  const { language, timeZone } = useLocale();
  const format = props.format ?? numbers.count;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<number | null>(null);
  if (series.every(({ values }) => values.every((value) => !value))) {
    return (
      <Text size="sm" c="dimmed" className={classes.empty!} style={{ minHeight: heightPx }}>
        {empty}
      </Text>
    );
  }
  const dateFormat = new Intl.DateTimeFormat(
    language,
    daily ? { timeZone: 'UTC', dateStyle: 'medium' } : { timeZone, dateStyle: 'medium', timeStyle: 'short' },
  );
  const dateOf = (index: number) => dateFormat.format(new Date(times[index]!));
  const colors = colorsOf(series);
  const shown = series.flatMap((each, index) => (hidden.has(each.name) ? [] : [{ ...each, color: colors[index]! }]));
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <figure className={classes.figure} aria-label={label}>
      <div className={classes.legend}>
        {series.map(({ name, values }, index) => (
          <button
            key={name}
            type="button"
            className={classes.entry}
            aria-pressed={!hidden.has(name)}
            title={hidden.has(name) ? 'Show' : 'Hide'}
            onClick={() => toggle(name)}
          >
            <span className={classes.swatch} data-color={colors[index]} aria-hidden />
            {name}
            <span className={classes.value}>
              {format(hovered === null ? summaryOf(values, kind) : (values[hovered] ?? 0))}
            </span>
          </button>
        ))}
        <span className={classes.time}>
          {hovered === null ? `${dateOf(0)} – ${dateOf(times.length - 1)}` : dateOf(hovered)}
        </span>
      </div>
      <Suspense fallback={<Skeleton height={heightPx} />}>
        <Plot
          times={times}
          series={shown}
          kind={kind}
          timeZone={daily ? 'UTC' : timeZone}
          language={language}
          format={format}
          heightPx={heightPx}
          onHover={setHovered}
        />
      </Suspense>
      <details className={classes.details}>
        <summary>Show as table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, a wide table is scrolled here. */}
        <section className={classes.table} aria-label={`${label}, as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{daily ? 'Day' : 'Time'}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">{dateOf(index)}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{values[index] === null ? '–' : format(values[index]!)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
      {daily && (
        <Text size="xs" c="dimmed">
          Days are in UTC.
        </Text>
      )}
    </figure>
  );
}

/** The sum of counts; of a rate, its latest value. */
function summaryOf(values: readonly (number | null)[], kind: 'bars' | 'lines'): number {
  return kind === 'bars' ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : (values.at(-1) ?? 0);
}

/** The colour of each series, as a name of the chart's palette. */
function colorsOf(series: readonly ChartSeries[]): readonly string[] {
  let own = 0;
  return series.map(({ tone }) => {
    if (tone) return tone;
    own += 1;
    return String(((own - 1) % 5) + 1);
  });
}
