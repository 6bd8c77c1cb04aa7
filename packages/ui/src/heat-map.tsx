import { useState } from 'react';
import { type ChartAxis, useAxis } from './axis.ts';
import classes from './chart.module.css';
import { AxisNote, EmptyChart, LoadedPlot, readoutOf, type TimeRange, timeText } from './chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { useNumbers } from './numbers.ts';
import type { PlotCursor } from './plot-cursor.ts';
import { texts } from './texts.ts';

/** A row of a heat map's cells: what falls between two bounds. */
export interface HeatRow {
  /** The lower bound, beside the row. */
  readonly from: string;
  /** The upper bound; null above the last row if it has none. */
  readonly to: string | null;
  /** Counts, one for each time. */
  readonly values: readonly (number | null)[];
}

/**
 * How often a value fell between two bounds, over time: the more often, the stronger the cell's colour. Works as a chart
 * does; by keyboard, up and down move between the rows.
 */
export function HeatMap(
  props: Extract<ChartAxis, { readonly times: readonly string[] }> & {
    /** What it shows, such as `Latency by time`. */
    readonly label: string;
    /** From the bottom up. */
    readonly rows: readonly HeatRow[];
    /** In place of the cells while every count is 0. */
    readonly empty: string;
    readonly syncKey?: string;
    readonly onSelect?: (range: TimeRange) => void;
  },
) {
  const { label, rows, empty, syncKey, onSelect } = props;
  const words = texts().chart;
  const { count } = useNumbers();
  const axis = useAxis(props);
  const [cursor, setCursor] = useState<PlotCursor | null>(null);
  if (rows.every(({ values }) => values.every((value) => !value))) {
    return <EmptyChart heightPx={heightPx}>{empty}</EmptyChart>;
  }
  const most = Math.max(...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const cellText = ({ index, row }: PlotCursor) => {
    const shown = rows[Math.max(0, Math.min(rows.length - 1, row))]!;
    return `${nameOf(shown)}: ${count(shown.values[index] ?? 0)}`;
  };
  return (
    <figure className={classes.figure} aria-label={label}>
      <div className={classes.legend}>
        <span className={classes.scale}>
          1
          <span className={classes.ramp} aria-hidden />
          {count(most)}
        </span>
        {cursor !== null && <span className={classes.value}>{cellText(cursor)}</span>}
        <span className={classes.time}>{timeText(axis, cursor)}</span>
      </div>
      <LoadedPlot
        label={label}
        readout={readoutOf(axis, cursor, () =>
          cellText(cursor ?? { index: axis.positions.length - 1, row: 0, anchor: null }),
        )}
        axis={axis}
        drawing={{ kind: 'cells', rows }}
        heightPx={heightPx}
        syncKey={syncKey}
        onCursor={setCursor}
        onSelect={onSelect}
      />
      <FigureTable
        label={label}
        columns={[axis.title, ...rows.map(nameOf)]}
        rows={() =>
          axis.positions.map((position, index) => ({
            title: axis.textOf(position),
            plain: axis.plainOf(position),
            values: rows.map(({ values }) => values[index] ?? 0),
          }))
        }
        format={count}
      />
      <AxisNote axis={axis} />
    </figure>
  );

  function nameOf({ from, to }: HeatRow): string {
    return to === null ? words.above(from) : `${from} – ${to}`;
  }
}

const heightPx = 220;
