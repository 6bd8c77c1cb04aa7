import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import classes from './chart.module.css';
import { useLocale } from './locale.tsx';
import { useNumbers } from './numbers.ts';
import { texts } from './texts.ts';

/** Apart from the screens: the plotting library is loaded with the first chart. */
const Plot = lazy(() => import('./plot.tsx'));

/** One line, or one part of each bar, of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** One for each of the chart's times or quantities; null for a gap. */
  readonly values: readonly (number | null)[];
  /** `bad` for failures, `rest` for what is left over; otherwise its own colour. */
  readonly tone?: 'bad' | 'rest';
}

/** Height of the plot in pixels. */
const heightPx = 200;

/** What the figures of a chart are spread over. */
type ChartAxis =
  | {
      /** ISO 8601, ascending. */
      readonly times: readonly string[];
      /** Each time is a day of UTC, and is shown as its date. */
      readonly daily?: boolean;
      /** Each time is a month such as `2026-01`. */
      readonly monthly?: boolean;
      readonly quantities?: never;
    }
  | {
      /** Ascending. */
      readonly quantities: readonly number[];
      /** What the quantities count, such as `Requests`. */
      readonly quantityTitle: string;
      readonly times?: never;
    };

/**
 * Figures over time or over a quantity. Hovering shows the figures of a time, dragging over a range zooms into it, the
 * legend hides series, and the same figures are there as a table.
 */
export function Chart(
  props: ChartAxis & {
    /** What it shows, such as `Calls by day`. */
    readonly label: string;
    readonly series: readonly ChartSeries[];
    /** `bars` for counts, stacked; `lines` for rates. */
    readonly kind: 'bars' | 'lines';
    readonly format?: (value: number) => string;
    /** Between lines of the grid, at least; 1 unless the figures have decimals. */
    readonly leastStep?: number;
    /** In place of the plot while every figure is 0. */
    readonly empty: string;
  },
) {
  const { label, series, kind, leastStep = 1, empty } = props;
  const words = texts().chart;
  const numbers = useNumbers();
  const axis = useAxis(props);
  const { positions, textOf } = axis;
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
            title={hidden.has(name) ? words.show : words.hide}
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
          {!axis.isOfTime && `${axis.title}: `}
          {hovered === null ? `${textOf(positions[0]!)} – ${textOf(positions.at(-1)!)}` : textOf(positions[hovered]!)}
        </span>
      </div>
      <Suspense fallback={<Skeleton height={heightPx} />}>
        <Plot
          positions={positions}
          isOfTime={axis.isOfTime}
          tickOf={axis.tickOf}
          series={shown}
          kind={kind}
          format={format}
          leastStep={leastStep}
          heightPx={heightPx}
          onHover={setHovered}
        />
      </Suspense>
      <details className={classes.details}>
        <summary>{words.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, a wide table is scrolled here. */}
        <section className={classes.table} aria-label={words.tableOf(label)} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{axis.title}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {positions.map((position, index) => (
                <tr key={position}>
                  <th scope="row">{textOf(position)}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{values[index] === null ? '–' : format(values[index]!)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
      {axis.isDaily && (
        <Text size="xs" c="dimmed">
          {words.daysInUtc}
        </Text>
      )}
    </figure>
  );
}

interface Axis {
  /** Above the first column of the table. */
  readonly title: string;
  readonly isOfTime: boolean;
  /** Each figure is of a day of UTC. */
  readonly isDaily: boolean;
  /** Of each figure: seconds of Unix time, or the quantity. */
  readonly positions: readonly number[];
  readonly textOf: (position: number) => string;
  /** Shorter, for the axis. */
  readonly tickOf: (position: number) => string;
}

function useAxis(axis: ChartAxis): Axis {
  const words = texts().chart;
  const { language, timeZone } = useLocale();
  const numbers = useNumbers();
  if (axis.quantities) {
    const { quantities: positions, quantityTitle: title } = axis;
    return { title, isOfTime: false, isDaily: false, positions, textOf: numbers.count, tickOf: numbers.compact };
  }
  const positions = axis.times.map((time) => Date.parse(time) / 1_000);
  const { daily = false, monthly = false } = axis;
  const zone = daily || monthly ? 'UTC' : timeZone;
  const stepSeconds = positions.length > 1 ? positions[1]! - positions[0]! : daySeconds;
  const textOf = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    ...(monthly
      ? { month: 'long', year: 'numeric' }
      : { dateStyle: 'medium', ...(daily ? {} : { timeStyle: 'short' }) }),
  });
  const tickOf = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    ...(monthly
      ? { month: 'short', year: 'numeric' }
      : stepSeconds >= daySeconds
        ? { day: 'numeric', month: 'short' }
        : { hour: 'numeric', minute: '2-digit' }),
  });
  return {
    title: monthly ? words.month : daily ? words.day : words.time,
    isOfTime: true,
    isDaily: daily && !monthly,
    positions,
    textOf: (seconds) => textOf.format(new Date(seconds * 1_000)),
    tickOf: (seconds) => tickOf.format(new Date(seconds * 1_000)),
  };
}

const daySeconds = 86_400;

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
