import { Button, useComputedColorScheme } from '@mantine/core';
import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import classes from './chart.module.css';
import { movedBy, type PlotCursor, rangeOf } from './plot-cursor.ts';
import { type Drawing, dataOf, nothing, optionsOf } from './plot-options.ts';
import { texts } from './texts.ts';
import { stepOf } from './ticks.ts';

export interface PlotProps {
  /** What it shows. */
  readonly label: string;
  /** The figures at the cursor, for screen readers. */
  readonly readout: string;
  /** Seconds of Unix time, or quantities. */
  readonly positions: readonly number[];
  readonly isOfTime: boolean;
  readonly tickOf: (position: number) => string;
  /** Of the clocks of its times, ahead of UTC; null where no time of day is shown. */
  readonly offsetSeconds: number | null;
  readonly drawing: Drawing;
  readonly heightPx: number;
  /** Plots with the same key and positions show the cursor at the same time. */
  readonly syncKey?: string | undefined;
  readonly onCursor: (cursor: PlotCursor | null) => void;
  /** Called with a range that was selected, both ends included. Without it, the plot shows the range in more detail. */
  readonly onSelect?: ((first: number, last: number) => void) | undefined;
}

/**
 * The drawing of a chart, on a canvas. By keyboard it is a slider over its positions: arrow keys move and read out, with
 * Shift they select, Enter takes the selection and Escape drops it.
 */
export default function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const cursor = useRef<PlotCursor>(null);
  const range = useRef<readonly [first: number, last: number]>([0, 0]);
  const latest = useRef(props);
  latest.current = props;
  const [zoomed, setZoomed] = useState(false);
  const scheme = useComputedColorScheme();
  const { positions, drawing, heightPx, onSelect } = props;
  const { kind } = drawing;
  const words = texts().chart;
  const data = dataOf(props);
  const lines = kind === 'cells' ? [] : drawing.series.map(({ name, color, before }) => [name, color, !before]);
  const look = JSON.stringify([lines, kind, scheme, onSelect === undefined]);
  const figures = JSON.stringify(kind === 'cells' ? [positions, drawing.rows] : [data, drawing.shaded]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn when its look changes.
  useEffect(() => {
    const element = place.current!;
    const options = optionsOf(() => latest.current, element, {
      onCursor: (at) => {
        cursor.current = at && { ...at, anchor: null };
        latest.current.onCursor(cursor.current);
      },
      onRange: (first, last) => {
        range.current = [first, last];
        setZoomed(first > 0 || last < latest.current.positions.length - 1);
      },
      onDragged: (first, last) => latest.current.onSelect?.(first, last),
    });
    const drawn = new UPlot(options, data, element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      cursor.current = null;
      setZoomed(false);
    };
  }, [look]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new figures keep the range that was zoomed into.
  useEffect(() => {
    plot.current?.setData(data, !zoomed);
  }, [figures]);

  function showWholeRange() {
    plot.current?.setData(plot.current.data);
  }

  /** Moves the cursor, and marks what is selected. */
  function moveTo(next: PlotCursor | null) {
    const drawn = plot.current;
    if (drawn === null) return;
    cursor.current = next;
    if (next === null) {
      drawn.setCursor({ left: -10, top: -10 }, false);
      drawn.setSelect(nothing, false);
    } else {
      const { index, row, anchor } = next;
      const height = drawn.over.clientHeight;
      const top = kind === 'cells' ? drawn.valToPos(row + 0.5, 'y') : height / 2;
      drawn.setCursor({ left: drawn.valToPos(positions[index]!, 'x'), top }, false);
      const [first, last] = rangeOf(next);
      const half = stepOf(positions) / 2;
      const left = Math.max(0, drawn.valToPos(positions[first]! - half, 'x'));
      const right = Math.min(drawn.over.clientWidth, drawn.valToPos(positions[last]! + half, 'x'));
      drawn.setSelect(anchor === null ? nothing : { left, top: 0, width: right - left, height }, false);
    }
    props.onCursor(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    const from = cursor.current ?? { index: range.current[1], row: 0, anchor: null };
    const rows = kind === 'cells' ? drawing.rows.length : 0;
    const moved = movedBy(event.key, from, range.current, rows, event.shiftKey);
    if (moved !== null) {
      event.preventDefault();
      moveTo(moved);
    } else if (event.key === 'Enter' && from.anchor !== null) {
      event.preventDefault();
      const [start, end] = rangeOf(from);
      moveTo({ ...from, anchor: null });
      if (onSelect) onSelect(start, end);
      else if (start < end) plot.current?.setScale('x', { min: positions[start]!, max: positions[end]! });
    } else if (event.key === 'Escape' && (from.anchor !== null || zoomed)) {
      event.preventDefault();
      if (from.anchor === null) showWholeRange();
      else moveTo({ ...from, anchor: null });
    }
  }

  return (
    <div className={classes.plot}>
      <div
        ref={place}
        className={classes.canvas}
        style={{ minHeight: heightPx }}
        role="slider"
        tabIndex={0}
        aria-label={words.figuresOf(props.label)}
        aria-description={onSelect ? words.keysSelect : words.keysZoom}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, positions.length - 1)}
        aria-valuenow={cursor.current?.index ?? Math.max(0, positions.length - 1)}
        aria-valuetext={props.readout}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) {
            moveTo(cursor.current ?? { index: range.current[1], row: 0, anchor: null });
          }
        }}
        onBlur={() => moveTo(null)}
      />
      {zoomed && (
        <Button size="compact-xs" variant="default" className={classes.reset!} onClick={showWholeRange}>
          {words.wholeRange}
        </Button>
      )}
    </div>
  );
}
