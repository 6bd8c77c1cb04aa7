import UPlot from 'uplot';
import type { ChartSeries } from './chart.tsx';
import type { HeatRow } from './heat-map.tsx';
import type { PlotProps } from './plot.tsx';
import { stepOf, ticksOf } from './ticks.ts';

/** A series, and its colour as a name of the chart's palette. */
type PlottedSeries = ChartSeries & { readonly color: string };

/** What a plot draws. */
export type Drawing =
  | {
      /** `bars` are stacked; `bands` are lines, ascending, with the space between them filled. */
      readonly kind: 'bars' | 'lines' | 'bands';
      readonly series: readonly PlottedSeries[];
      readonly format: (value: number) => string;
      /** Between lines of the grid, at least. */
      readonly leastStep: number;
      /** Ranges of positions that are shaded, from the first until the second. */
      readonly shaded: readonly (readonly [from: number, to: number])[];
    }
  | {
      /** A cell for each position and row, the darker the more. */
      readonly kind: 'cells';
      /** From the bottom up. */
      readonly rows: readonly HeatRow[];
    };

/** Of the plot's margin around the first and the last position, which are the middles of bars and cells. */
function marginOf({ positions, drawing }: PlotProps): number {
  return drawing.kind === 'bars' || drawing.kind === 'cells' ? stepOf(positions) / 2 : 0;
}

/**
 * Positions, then a row of values for each series: of bars, the sum of it and all below it, the highest first. Then those
 * of the period before: of bars, their sum.
 */
export function dataOf({ positions, drawing }: PlotProps): UPlot.AlignedData {
  if (drawing.kind === 'cells') return [[...positions], positions.map(() => drawing.rows.length)];
  const { kind, series } = drawing;
  const before = series.flatMap((each) => (each.before === undefined ? [] : [each.before]));
  if (kind !== 'bars') return [[...positions], ...series.map(({ values }) => [...values]), ...before.map(padded)];
  const upTo = (rows: readonly (readonly (number | null)[])[]) =>
    positions.map((_position, index) => rows.reduce((sum, values) => sum + (values[index] ?? 0), 0));
  const sums = series.map((_each, place) => upTo(series.slice(0, place + 1).map(({ values }) => values)));
  return [[...positions], ...sums.toReversed(), ...(before.length > 0 ? [upTo(before)] : [])];

  function padded(values: readonly (number | null)[]): (number | null)[] {
    return positions.map((_position, index) => values[index] ?? null);
  }
}

/** How a plot reports what its reader does. */
export interface PlotEvents {
  /** Null when the pointer leaves. */
  readonly onCursor: (at: { readonly index: number; readonly row: number } | null) => void;
  /** The shown range, as indices of positions. */
  readonly onRange: (first: number, last: number) => void;
  /** A range that was dragged over. */
  readonly onDragged: (first: number, last: number) => void;
}

/** @param latest the properties by which it is drawn now, which may change after this */
export function optionsOf(latest: () => PlotProps, element: HTMLElement, on: PlotEvents): UPlot.Options {
  const { isOfTime, drawing, heightPx, syncKey, onSelect } = latest();
  const color = (variable: string) => resolved(element, variable);
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const axis = { stroke: color('--mantine-color-dimmed'), font, ticks: { show: false } };
  const selects = onSelect !== undefined;
  return {
    width: element.clientWidth,
    height: heightPx,
    padding: [8, rightPaddingPx, 0, 0],
    legend: { show: false },
    cursor: {
      y: drawing.kind === 'cells',
      points: { show: drawing.kind === 'lines' || drawing.kind === 'bands' },
      drag: { x: true, y: false, setScale: !selects, dist: leastDragPx },
      ...(syncKey !== undefined && {
        sync: {
          key: syncKey,
          scales: ['x', null],
          filters: { pub: (type: string) => type === 'mousemove' || type === 'mouseleave', sub: () => true },
        },
      }),
    },
    scales: {
      x: { time: isOfTime, range: (_plot, min, max) => [min - marginOf(latest()), max + marginOf(latest())] },
      y: {
        range: (_plot, _min, max) => {
          const { drawing: now } = latest();
          return now.kind === 'cells' ? [0, Math.max(1, now.rows.length)] : [0, Math.max(now.leastStep, max * 1.05)];
        },
      },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        // Days begin at midnight of their zone, wherever the reader is.
        values: (_plot, splits) => splits.map((split) => latest().tickOf(split)),
        ...(isOfTime && {
          splits: ({ width }, _axis, min, max) => spread(latest(), min, max, width - 60),
        }),
      },
      {
        ...axis,
        grid: { stroke: color('--millrace-line'), width: 1, show: drawing.kind !== 'cells' },
        ...(drawing.kind === 'cells'
          ? {
              splits: () => rowEdges(latest()),
              values: (_plot: UPlot, splits: number[]) => splits.map((split) => edgeText(latest(), split)),
            }
          : {
              incrs: increments.filter((increment) => increment >= drawing.leastStep),
              values: (_plot: UPlot, splits: number[]) => splits.map((split) => formatted(latest(), split)),
            }),
        size: (_plot, texts) => Math.max(52, 16 + 7 * Math.max(0, ...(texts ?? []).map((text) => text.length))),
      },
    ],
    series: [{}, ...seriesOf(drawing, color)],
    ...(drawing.kind === 'bands' && {
      bands: drawing.series.slice(1).map(({ color: name }, index) => ({
        series: [index + 2, index + 1] as [number, number],
        fill: color(`--chart-${name}-fill`),
      })),
    }),
    hooks: {
      setCursor: [
        (plot) => {
          const { left = -1, top = 0, idx } = plot.cursor;
          if (left < 0 || idx === null || idx === undefined) on.onCursor(null);
          else on.onCursor({ index: idx, row: Math.floor(plot.posToVal(top, 'y')) });
        },
      ],
      setScale: [
        ({ scales }, name) => {
          if (name !== 'x') return;
          const { positions } = latest();
          const margin = marginOf(latest());
          const [min, max] = [(scales.x!.min ?? 0) + margin, (scales.x!.max ?? 0) - margin];
          const shown = positions.flatMap((position, index) => (position >= min && position <= max ? [index] : []));
          on.onRange(shown[0] ?? 0, shown.at(-1) ?? positions.length - 1);
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (!selects || width === 0) return;
          plot.setSelect(nothing, false);
          on.onDragged(plot.posToIdx(left), plot.posToIdx(left + width));
        },
      ],
      ...(drawing.kind === 'cells'
        ? { draw: [(plot: UPlot) => drawCells(plot, latest(), color('--chart-1'))] }
        : { drawClear: [(plot: UPlot) => drawShaded(plot, latest(), color('--chart-shaded'))] }),
    },
  };
}

/** A shorter drag is a click. */
const leastDragPx = 6;

/** No range is marked. */
export const nothing = { left: 0, top: 0, width: 0, height: 0 };

function seriesOf(drawing: Drawing, color: (variable: string) => string): UPlot.Series[] {
  const points = { show: false };
  if (drawing.kind === 'cells') return [{ paths: () => null, points }];
  const { kind, series } = drawing;
  const line = (each: PlottedSeries): UPlot.Series => {
    const stroke = color(`--chart-${each.color}`);
    return { label: each.name, stroke, width: 1.5, pxAlign: 0, points: { ...lonely, stroke, fill: stroke } };
  };
  const before = series.filter((each) => each.before !== undefined);
  if (kind !== 'bars') return [...series.map(line), ...before.map((each) => ({ ...line(each), dash: dashPx }))];
  const paths = UPlot.paths.bars!({ size: [0.7, 48], radius: 0.1 });
  return [
    ...series.toReversed().map((each): UPlot.Series => {
      const fill = color(`--chart-${each.color}`);
      return { label: each.name, fill, stroke: fill, width: 0, paths, points };
    }),
    ...(before.length > 0
      ? [{ stroke: color('--mantine-color-text'), width: 1.5, pxAlign: 0 as const, dash: dashPx, points }]
      : []),
  ];
}

/** A value between gaps has no line: it is drawn as a point. */
const lonely: UPlot.Series.Points = {
  show: true,
  size: 4,
  filter: ({ data }, place) => {
    const values = data[place]!;
    const isGap = (index: number) => (values[index] ?? null) === null;
    return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
  },
};

const dashPx = [5, 4];

/** Each cell in the first colour of the palette: the more it counts, the stronger, in orders of magnitude. */
function drawCells(plot: UPlot, { positions, drawing }: PlotProps, fill: string): void {
  if (drawing.kind !== 'cells') return;
  const { ctx } = plot;
  const { rows } = drawing;
  const most = Math.max(1, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const half = stepOf(positions) / 2;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  ctx.fillStyle = fill;
  for (const [row, { values }] of rows.entries()) {
    const top = Math.round(plot.valToPos(row + 1, 'y', true));
    const bottom = Math.round(plot.valToPos(row, 'y', true));
    for (const [index, position] of positions.entries()) {
      const value = values[index] ?? 0;
      if (value === 0) continue;
      const left = Math.round(plot.valToPos(position - half, 'x', true));
      const right = Math.round(plot.valToPos(position + half, 'x', true));
      const gap = right - left > 4 ? 1 : 0;
      ctx.globalAlpha = strengthOf(value, most);
      ctx.fillRect(left, top, Math.max(1, right - left - gap), Math.max(1, bottom - top - 1));
    }
  }
  ctx.restore();
}

/** Behind the lines, over the whole height; a range of no length as wide as a line. */
function drawShaded(plot: UPlot, { drawing }: PlotProps, fill: string): void {
  if (drawing.kind === 'cells') return;
  const { ctx, bbox } = plot;
  const rightMost = bbox.left + bbox.width;
  const within = (position: number) => Math.min(rightMost, Math.max(bbox.left, plot.valToPos(position, 'x', true)));
  ctx.save();
  ctx.fillStyle = fill;
  for (const [from, to] of drawing.shaded) {
    const left = within(from);
    ctx.fillRect(left, bbox.top, Math.max(2, within(to) - left), bbox.height);
  }
  ctx.restore();
}

/** How strongly a cell is drawn, between a faint colour for 1 and the full one. */
function strengthOf(value: number, most: number): number {
  return value === 0 ? 0 : 0.15 + 0.85 * (Math.log1p(value) / Math.log1p(most));
}

function formatted({ drawing }: PlotProps, value: number): string {
  return drawing.kind === 'cells' ? '' : drawing.format(value);
}

/** Between rows of cells, as many as have room. */
function rowEdges({ drawing, heightPx }: PlotProps): number[] {
  if (drawing.kind !== 'cells') return [];
  const { length } = drawing.rows;
  const step = Math.max(1, Math.ceil(length / (heightPx / 24)));
  return Array.from({ length: length + 1 }, (_empty, edge) => edge).filter((edge) => edge % step === 0);
}

function edgeText({ drawing }: PlotProps, edge: number): string {
  if (drawing.kind !== 'cells') return '';
  return edge < drawing.rows.length ? drawing.rows[edge]!.from : (drawing.rows.at(-1)?.to ?? '');
}

/** Between the lines of a grid: 1, 2 and 5 of each power of ten. */
const increments = Array.from({ length: 24 }, (_empty, power) =>
  [1, 2, 5].map((unit) => unit * 10 ** (power - 9)),
).flat();

const rightPaddingPx = 8;
/** Of a character of a label, about. */
const characterPx = 7;

/** The labels of a range below the plot, each with its room; without one that the right edge would cut off. */
function spread({ positions, tickOf, offsetSeconds }: PlotProps, min: number, max: number, widthPx: number): number[] {
  const within = positions.filter((position) => position >= min && position <= max);
  const longest = Math.max(0, ...within.slice(0, 2).map((position) => tickOf(position).length));
  const ticks = ticksOf(within, offsetSeconds, widthPx / Math.max(72, characterPx * longest + 28));
  return ticks.filter((position) => {
    const rightPx = ((max - position) / (max - min)) * widthPx + rightPaddingPx;
    return max === min || rightPx >= (characterPx / 2) * tickOf(position).length;
  });
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
