import { Skeleton, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type Axis, type ChartAxis, useAxis } from './axis.ts';
import classes from './chart.module.css';
import { FigureTable } from './figure-table.tsx';
import { useNumbers } from './numbers.ts';
import type { PlotProps } from './plot.tsx';
import { type PlotCursor, rangeOf } from './plot-cursor.ts';
import { texts } from './texts.ts';
import { stepOf } from './ticks.ts';

/** Apart from the screens: the plotting library is loaded with the first chart. */
const Plot = lazy(() => import('./plot.tsx'));

/** One line, or one part of each bar, of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** One for each of the chart's times or quantities; null for a gap. */
  readonly values: readonly (number | null)[];
  /** Of the period before, one for each as well: drawn dashed. Of bars, the sum of all series is drawn. */
  readonly before?: readonly (number | null)[];
  /** In the legend while the cursor is elsewhere; without it, the sum of bars, and the latest value of lines. */
  readonly summary?: number | null;
  /** `bad` for failures, `caution` for lesser ones, `rest` for what is left over; otherwise its own colour. */
  readonly tone?: 'bad' | 'caution' | 'rest';
}

/** From the beginning of a time of the chart to the end of another; ISO 8601. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** Height of the plot in pixels. */
const plotHeightPx = 200;

/**
 * Figures over time or over a quantity. Hovering shows the figures of a time, dragging selects a range or shows it in more
 * detail, the legend hides series; all of it works by keyboard, and the same figures are there as a table and as CSV.
 */
export function Chart(
  props: ChartAxis & {
    /** What it shows, such as `Calls by day`. */
    readonly label: string;
    readonly series: readonly ChartSeries[];
    /** `bars` for counts, stacked; `lines` for rates; `bands` for percentiles, ascending. */
    readonly kind: 'bars' | 'lines' | 'bands';
    readonly format?: (value: number) => string;
    /** Between lines of the grid, at least; 1 unless the figures have decimals. */
    readonly leastStep?: number;
    /** In place of the plot while every figure is 0. */
    readonly empty: string;
    /** Charts with the same key and times show the cursor at the same time. */
    readonly syncKey?: string;
    /** Called with a range of times that was selected. Without it, the chart shows the range in more detail. */
    readonly onSelect?: (range: TimeRange) => void;
    /** Of a chart over time: ranges that are shaded. What they are has to be said beside the chart. */
    readonly shaded?: readonly TimeRange[];
    readonly heightPx?: number;
  },
) {
  const { label, series, kind, leastStep = 1, empty, syncKey, onSelect, heightPx = plotHeightPx } = props;
  const shaded = (props.shaded ?? []).map(({ from, to }) => [secondsOf(from), secondsOf(to)] as const);
  const words = texts().chart;
  const numbers = useNumbers();
  const axis = useAxis(props);
  const { positions } = axis;
  const format = props.format ?? numbers.count;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState<PlotCursor | null>(null);
  const isEmpty = series.every(({ values, before = [] }) => [...values, ...before].every((value) => !value));
  if (isEmpty) return <EmptyChart heightPx={heightPx}>{empty}</EmptyChart>;
  const colors = colorsOf(series, kind);
  const shown = series.flatMap((each, index) => (hidden.has(each.name) ? [] : [{ ...each, color: colors[index]! }]));
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const textOf = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value));
  const at = cursor === null ? null : Math.min(cursor.index, positions.length - 1);
  const compared = series.some(({ before }) => before !== undefined);
  const columns = series.flatMap(({ name, before }) => (before ? [name, words.before(name)] : [name]));
  return (
    <figure className={classes.figure} aria-label={label}>
      <div className={classes.legend}>
        {series.map((each, index) => (
          <button
            key={each.name}
            type="button"
            className={classes.entry}
            aria-pressed={!hidden.has(each.name)}
            title={hidden.has(each.name) ? words.show : words.hide}
            onClick={() => toggle(each.name)}
          >
            <span className={classes.swatch} data-color={colors[index]} aria-hidden />
            {each.name}
            <span className={classes.value}>{textOf(at === null ? summaryOf(each, kind) : each.values[at])}</span>
            {each.before && at !== null && (
              <span className={classes.before}>
                {words.beforeShort} {textOf(each.before[at])}
              </span>
            )}
          </button>
        ))}
        {compared && (
          <span className={classes.key}>
            <span className={classes.dashes} aria-hidden />
            {words.periodBefore}
          </span>
        )}
        <span className={classes.time}>
          {!axis.isOfTime && `${axis.title}: `}
          {timeText(axis, cursor)}
        </span>
      </div>
      <LoadedPlot
        label={label}
        readout={readoutOf(axis, cursor, () =>
          shown.map(({ name, values }) => `${name} ${textOf(values[at ?? positions.length - 1])}`).join(', '),
        )}
        axis={axis}
        drawing={{ kind, series: shown, format, leastStep, shaded }}
        heightPx={heightPx}
        syncKey={syncKey}
        onCursor={setCursor}
        onSelect={onSelect}
      />
      <FigureTable
        label={label}
        columns={[axis.title, ...columns]}
        rows={() =>
          positions.map((position, index) => ({
            title: axis.textOf(position),
            plain: axis.plainOf(position),
            values: series.flatMap(({ values, before }) => [
              values[index] ?? null,
              ...(before ? [before[index] ?? null] : []),
            ]),
          }))
        }
        format={format}
      />
      <AxisNote axis={axis} />
    </figure>
  );
}

/** In place of a plot that has nothing to show. */
export function EmptyChart({ heightPx, children }: { readonly heightPx: number; readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className={classes.empty!} style={{ minHeight: heightPx }}>
      {children}
    </Text>
  );
}

/** The plot of a chart once its library is there. */
export function LoadedPlot(
  props: Omit<PlotProps, 'positions' | 'isOfTime' | 'tickOf' | 'offsetSeconds' | 'onSelect'> & {
    readonly axis: Axis;
    readonly onSelect: ((range: TimeRange) => void) | undefined;
  },
) {
  const { axis, onSelect, ...plot } = props;
  const { positions, isOfTime, tickOf, offsetSeconds } = axis;
  const endOf = (index: number) => positions[index + 1] ?? positions[index]! + stepOf(positions);
  return (
    <Suspense fallback={<Skeleton height={props.heightPx} />}>
      <Plot
        {...plot}
        positions={positions}
        isOfTime={isOfTime}
        tickOf={tickOf}
        offsetSeconds={offsetSeconds}
        onSelect={
          onSelect && ((first, last) => onSelect({ from: instantOf(positions[first]!), to: instantOf(endOf(last)) }))
        }
      />
    </Suspense>
  );
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1_000;
}

function instantOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** Which days the times of a chart are. */
export function AxisNote({ axis: { note } }: { readonly axis: Axis }) {
  return (
    note !== null && (
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    )
  );
}

/** Where the cursor is, or the whole range while it is nowhere. */
export function timeText({ positions, textOf, endTextOf }: Axis, cursor: PlotCursor | null): string {
  const last = positions.length - 1;
  const [from, to] = cursor === null ? [0, last] : rangeOf(cursor).map((index) => Math.min(index, last));
  if (from === to) return textOf(positions[from!]!);
  return `${textOf(positions[from!]!)} – ${endTextOf(positions[to!]!)}`;
}

/** What a screen reader says of the cursor: the selected range, or the figures at it. */
export function readoutOf(axis: Axis, cursor: PlotCursor | null, figures: () => string): string {
  const at = cursor ?? { index: axis.positions.length - 1, row: 0, anchor: null };
  const time = timeText(axis, at);
  return at.anchor === null ? `${time}: ${figures()}` : texts().chart.selected(time);
}

/** The sum of counts; of a rate, its latest value. */
function summaryOf({ values, summary }: ChartSeries, kind: 'bars' | 'lines' | 'bands'): number | null {
  if (summary !== undefined) return summary;
  return kind === 'bars' ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : (values.at(-1) ?? null);
}

/** The colour of each series, as a name of the chart's palette. */
function colorsOf(series: readonly ChartSeries[], kind: 'bars' | 'lines' | 'bands'): readonly string[] {
  let own = 0;
  return series.map(({ tone }) => {
    if (tone) return tone === 'caution' ? '2' : tone;
    own += 1;
    return kind === 'bands' ? `band-${Math.min(own, 3)}` : String(((own - 1) % 5) + 1);
  });
}
