import { Button, useComputedColorScheme } from '@mantine/core';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import classes from './chart.module.css';
import type { ChartSeries } from './chart.tsx';
import { texts } from './texts.ts';

type PlottedSeries = ChartSeries & {
  /** A name of the chart's palette. */
  readonly color: string;
};

/** The drawing of a chart, on a canvas. What it shows is also in the chart's table. */
export default function Plot(props: {
  /** Seconds of Unix time, or quantities. */
  readonly positions: readonly number[];
  readonly isOfTime: boolean;
  readonly tickOf: (position: number) => string;
  readonly series: readonly PlottedSeries[];
  readonly kind: 'bars' | 'lines';
  readonly format: (value: number) => string;
  readonly leastStep: number;
  readonly heightPx: number;
  readonly onHover: (index: number | null) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const latest = useRef(props);
  latest.current = props;
  const [zoomed, setZoomed] = useState(false);
  const scheme = useComputedColorScheme();
  const { kind, heightPx } = props;
  const data = dataOf(props);
  const look = JSON.stringify([props.series.map(({ name, color }) => [name, color]), kind, scheme]);
  const figures = JSON.stringify(data);

  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn when its look changes.
  useEffect(() => {
    const element = place.current!;
    const drawn = new UPlot(
      optionsOf(latest.current, element, {
        positions: () => latest.current.positions,
        onHover: (index) => latest.current.onHover(index),
        onScale: (min, max) => {
          const { positions } = latest.current;
          setZoomed(min > positions[0]! || max < positions.at(-1)!);
        },
      }),
      data as UPlot.AlignedData,
      element,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      setZoomed(false);
    };
  }, [look]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new figures keep the range that was zoomed into.
  useEffect(() => {
    plot.current?.setData(data as UPlot.AlignedData, !zoomed);
  }, [figures]);

  return (
    <div className={classes.plot} aria-hidden={!zoomed}>
      <div ref={place} style={{ minHeight: heightPx }} />
      {zoomed && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes.reset!}
          onClick={() => plot.current?.setData(plot.current.data)}
        >
          {texts().chart.wholeRange}
        </Button>
      )}
    </div>
  );
}

type PlotProps = Parameters<typeof Plot>[0];

/** Positions, then a row of values for each series: of bars, the sum of it and all below it, the highest first. */
function dataOf({ positions, series, kind }: PlotProps): [number[], ...(number | null)[][]] {
  if (kind === 'lines') return [[...positions], ...series.map(({ values }) => [...values])];
  const sums = series.map((_each, place) =>
    positions.map((_position, index) =>
      series.slice(0, place + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    ),
  );
  return [[...positions], ...sums.toReversed()];
}

function optionsOf(
  { positions, isOfTime, tickOf, series, kind, format, leastStep, heightPx }: PlotProps,
  element: HTMLElement,
  on: {
    readonly positions: () => readonly number[];
    readonly onHover: (index: number | null) => void;
    readonly onScale: (min: number, max: number) => void;
  },
): UPlot.Options {
  const color = (variable: string) => resolved(element, variable);
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const axis = { stroke: color('--mantine-color-dimmed'), font, ticks: { show: false } };
  const step = positions.length > 1 ? positions[1]! - positions[0]! : 86_400;
  const margin = kind === 'bars' ? step / 2 : 0;
  const bars = kind === 'bars' ? UPlot.paths.bars!({ size: [0.7, 48], radius: 0.1 }) : null;
  const drawn = kind === 'bars' ? series.toReversed() : series;
  return {
    width: element.clientWidth,
    height: heightPx,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: true, y: false, setScale: true } },
    scales: {
      x: { time: isOfTime, range: (_plot, min, max) => [min - margin, max + margin] },
      y: { range: (_plot, _min, max) => [0, Math.max(leastStep, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        // Days begin at midnight of their zone, wherever the reader is.
        values: (_plot, splits) => splits.map((split) => tickOf(split)),
        ...(isOfTime && {
          splits: (_plot, _axis, min, max) => spread(on.positions(), min, max, element.clientWidth / 110),
        }),
      },
      {
        ...axis,
        grid: { stroke: color('--millrace-line'), width: 1 },
        incrs: increments.filter((increment) => increment >= leastStep),
        values: (_plot, splits) => splits.map((split) => format(split)),
        size: (_plot, texts) => Math.max(52, 16 + 7 * Math.max(0, ...(texts ?? []).map((text) => text.length))),
      },
    ],
    series: [
      {},
      ...drawn.map((each): UPlot.Series => {
        const stroke = color(`--chart-${each.color}`);
        return bars
          ? { label: each.name, fill: stroke, stroke, width: 0, paths: bars, points: { show: false } }
          : { label: each.name, stroke, width: 1.5, pxAlign: 0, points: { show: false } };
      }),
    ],
    hooks: {
      setCursor: [
        ({ cursor }) => on.onHover(cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null)),
      ],
      setScale: [
        ({ scales }, name) => {
          if (name === 'x') on.onScale((scales.x!.min ?? 0) + margin, (scales.x!.max ?? 0) - margin);
        },
      ],
    },
  };
}

/** Between the lines of a grid: 1, 2 and 5 of each power of ten. */
const increments = Array.from({ length: 24 }, (_empty, power) =>
  [1, 2, 5].map((unit) => unit * 10 ** (power - 9)),
).flat();

/** Some of the positions within a range, up to a number, in even steps, so that every label is below a figure. */
function spread(positions: readonly number[], min: number, max: number, most: number): number[] {
  const within = positions.filter((position) => position >= min && position <= max);
  const step = Math.max(1, Math.ceil(within.length / Math.max(2, most)));
  return within.filter((_position, index) => index % step === 0);
}

/** A colour of the page's style, which a canvas can't look up itself. */
function resolved(element: HTMLElement, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
