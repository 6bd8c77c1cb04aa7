import type {
  Box,
  Page,
  ReadDocument,
  Ruling,
  Table,
  TableCell,
  TableRow,
  TextLine,
  Word,
} from '@millrace/document-model';
import { boxAround, median, overlap } from './geometry.ts';
import { lineOf } from './text-lines.ts';

/** A table on one page, before those that go on over a page break are joined. */
interface PageTable {
  readonly page: Page;
  /** The stretch of the page's width that each column takes. */
  readonly columns: readonly Stretch[];
  readonly rows: readonly TableRow[];
}

interface Stretch {
  readonly x0: number;
  readonly x1: number;
}

type Row = readonly TextLine[];

/** Rulings of a page that are looked at; a page with more is a drawing. */
const rulingLimit = 1500;
const columnLimit = 60;

/**
 * Finds tables: regions inside a grid of rulings, and runs of rows whose lines stand in the same columns. A table whose
 * columns go on at the top of the next page is one table, its repeated header left out.
 *
 * @param rows the document's visual rows from top to bottom, page by page.
 */
export function findTables(document: ReadDocument, rows: readonly Row[]): Table[] {
  const rowsByPage = Map.groupBy(rows, (row) => row[0]?.page ?? 0);
  const found: PageTable[] = [];
  for (const page of document.pages) {
    const pageRows = rowsByPage.get(page.number) ?? [];
    const ruled = ruledTables(page, pageRows);
    const free = pageRows.filter((row) => !ruled.some((table) => standsIn(row, table.rows)));
    found.push(...[...ruled, ...alignedTables(page, free)].sort((a, b) => topOf(a) - topOf(b)));
  }
  return joinOverPages(found);
}

function topOf(table: PageTable): number {
  return table.rows[0]?.box.y0 ?? 0;
}

function standsIn(row: Row, rows: readonly TableRow[]): boolean {
  const first = rows[0];
  const last = rows.at(-1);
  const line = row[0];
  if (!first || !last || !line) return false;
  const middle = (line.box.y0 + line.box.y1) / 2;
  return middle >= first.box.y0 && middle <= last.box.y1;
}

/** Tables inside grids of rulings that touch. */
function ruledTables(page: Page, rows: readonly Row[]): PageTable[] {
  const rulings = page.rulings.slice(0, rulingLimit);
  const tables: PageTable[] = [];
  for (const grid of grids(rulings)) {
    const xs = distinct(
      grid.filter((ruling) => ruling.direction === 'vertical').map((ruling) => (ruling.box.x0 + ruling.box.x1) / 2),
    );
    const ys = distinct(
      grid.filter((ruling) => ruling.direction === 'horizontal').map((ruling) => (ruling.box.y0 + ruling.box.y1) / 2),
    );
    if (xs.length < 3 || ys.length < 2 || xs.length > columnLimit) continue;
    const columns = xs.slice(1).map((x1, at) => ({ x0: xs[at] as number, x1 }));
    const top = ys[0] as number;
    const bottom = ys.at(-1) as number;
    const left = xs[0] as number;
    const right = xs.at(-1) as number;
    const inside = rows
      .map((row) => row.filter((line) => isInside(line.box, left, top, right, bottom)))
      .filter((row) => row.length > 0);
    const tableRows = rowBands(inside, ys).map((band) => toRow(page.number, band.flat(), columns));
    if (tableRows.length >= 2) tables.push({ page, columns, rows: tableRows });
  }
  return tables;
}

function isInside(box: Box, left: number, top: number, right: number, bottom: number): boolean {
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  return x > left && x < right && y > top && y < bottom;
}

/**
 * The printed rows that make one table row each. Rulings between the rows decide where there are some for most rows;
 * a frame with a ruled header only leaves every printed row a row.
 */
function rowBands(rows: readonly Row[], ys: readonly number[]): Row[][] {
  const bands = [
    ...Map.groupBy(rows, (row) => {
      const { box } = row[0] as TextLine;
      const middle = (box.y0 + box.y1) / 2;
      return ys.findIndex((y) => y > middle);
    }).values(),
  ];
  const crowded = bands.some((band) => band.filter((row) => row.length >= 3).length >= 3);
  return crowded ? rows.map((row) => [row]) : bands;
}

/** Sets of rulings that touch each other, each with rulings in both directions. */
function grids(rulings: readonly Ruling[]): Ruling[][] {
  const parent = rulings.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root] as number] as number;
      root = parent[root] as number;
    }
    return root;
  };
  const horizontal = rulings.flatMap((ruling, index) => (ruling.direction === 'horizontal' ? [index] : []));
  const vertical = rulings.flatMap((ruling, index) => (ruling.direction === 'vertical' ? [index] : []));
  for (const h of horizontal) {
    const a = (rulings[h] as Ruling).box;
    for (const v of vertical) {
      const b = (rulings[v] as Ruling).box;
      if (overlap(a.x0, a.x1, b.x0, b.x1) > -2 && overlap(a.y0, a.y1, b.y0, b.y1) > -2) parent[rootOf(h)] = rootOf(v);
    }
  }
  const sets = Map.groupBy(rulings.keys(), rootOf);
  return [...sets.values()].filter((set) => set.length >= 5).map((set) => set.map((index) => rulings[index] as Ruling));
}

/** The values in order, those closer than 2 units to the one before left out. */
function distinct(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.filter((value, at) => at === 0 || value - (sorted[at - 1] as number) > 2);
}

/** Tables that are seen by the alignment of their rows alone. */
function alignedTables(page: Page, rows: readonly Row[]): PageTable[] {
  const tables: PageTable[] = [];
  let run: Row[] = [];
  const close = () => {
    const table = tableOf(page, run);
    if (table) tables.push(table);
    run = [];
  };
  for (const row of rows) {
    if (run.length > 0 && !goesOn(run, row)) close();
    if (run.length > 0 || row.length >= 2) run.push(row);
  }
  close();
  return tables;
}

/** Rows of the run that a new row is compared with. */
const compareLimit = 4;

function goesOn(run: readonly Row[], row: Row): boolean {
  const last = run.at(-1) as Row;
  const height = median(row.map((line) => line.box.y1 - line.box.y0));
  const gap = (row[0] as TextLine).box.y0 - Math.max(...last.map((line) => line.box.y1));
  if (gap > 3.5 * height) return false;
  const recent = run.slice(-compareLimit).filter((other) => other.length >= 2 || run.length === 1);
  if (row.length === 1)
    return (
      gap < 1.2 * height && recent.some((other) => other.some((line) => aligns(line.box, (row[0] as TextLine).box)))
    );
  const aligned = row.filter((line) =>
    recent.some((other) => other.some((upper) => aligns(upper.box, line.box))),
  ).length;
  return aligned >= Math.max(2, 0.6 * row.length);
}

function aligns(a: Box, b: Box): boolean {
  const slack = 0.6 * Math.max(a.y1 - a.y0, b.y1 - b.y0);
  return (
    Math.abs(a.x0 - b.x0) < slack || Math.abs(a.x1 - b.x1) < slack || Math.abs(a.x0 + a.x1 - b.x0 - b.x1) / 2 < slack
  );
}

function tableOf(page: Page, run: readonly Row[]): PageTable | null {
  let rows = run;
  while (rows.length > 0 && (rows.at(-1) as Row).length < 2) rows = rows.slice(0, -1);
  const full = rows.filter((row) => row.length >= 2);
  const wide = full.filter((row) => row.length >= 3);
  if (wide.length < 2 && full.length < 3) return null;
  const columns = columnsOf(full);
  if (columns.length < 2 || columns.length > columnLimit) return null;
  return { page, columns, rows: rows.map((row) => toRow(page.number, row, columns)) };
}

/**
 * Columns of rows without rulings: the stretches of the page's width that the rows cover, parted where nearly no row
 * has text. A row that spans two columns, such as a heading, does not join them.
 */
function columnsOf(rows: readonly Row[]): Stretch[] {
  const edges: [x: number, change: number][] = [];
  for (const row of rows) for (const { box } of row) edges.push([box.x0, 1], [Math.max(box.x1, box.x0), -1]);
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const few = rows.length >= 6 ? Math.floor(0.12 * rows.length) : 0;
  const columns: Stretch[] = [];
  let depth = 0;
  let start: number | null = null;
  for (const [x, change] of edges) {
    depth += change;
    if (depth > few && start === null) start = x;
    if (depth <= few && start !== null) {
      columns.push({ x0: start, x1: x });
      start = null;
    }
  }
  return columns;
}

/** Puts each word into the column that it shares most with; one outside of all goes to the nearest. */
function toRow(page: number, lines: readonly TextLine[], columns: readonly Stretch[]): TableRow {
  const words: Word[][] = columns.map(() => []);
  for (const line of lines) {
    for (const word of line.words) {
      let best = 0;
      let bestShared = -Infinity;
      columns.forEach((column, at) => {
        const shared = overlap(column.x0, column.x1, word.box.x0, word.box.x1);
        if (shared > bestShared) {
          best = at;
          bestShared = shared;
        }
      });
      words[best]?.push(word);
    }
  }
  const box = boxAround(lines);
  const cells = words.map((cell, column): TableCell => {
    const line = lineOf(page, cell);
    const { x0, x1 } = columns[column] as Stretch;
    return {
      column,
      words: cell,
      text: line.text,
      box: cell.length > 0 ? line.box : { x0, x1, y0: box.y0, y1: box.y1 },
    };
  });
  return { page, cells, box };
}

function joinOverPages(tables: readonly PageTable[]): Table[] {
  const joined: { last: PageTable; header: TableRow | null; rows: TableRow[] }[] = [];
  tables.forEach((table, at) => {
    const before = tables[at - 1];
    const open = joined.at(-1);
    const header = headerOf(table.rows);
    const body = header ? table.rows.slice(1) : table.rows;
    if (open && before && before.page.number + 1 === table.page.number && sameColumns(before, table)) {
      const repeated = header !== null && open.header !== null && textOf(header) === textOf(open.header);
      if (repeated || header === null) {
        open.rows.push(...body);
        open.last = table;
        return;
      }
    }
    joined.push({ last: table, header, rows: [...body] });
  });
  return joined.map(({ last, header, rows }) => ({ header, rows, columnCount: last.columns.length }));
}

function textOf(row: TableRow): string {
  return row.cells.map((cell) => cell.text).join('\t');
}

function sameColumns(a: PageTable, b: PageTable): boolean {
  if (a.columns.length !== b.columns.length) return false;
  const slack = 0.02 * Math.max(a.page.width, b.page.width);
  return a.columns.every((column, at) => {
    const other = b.columns[at] as Stretch;
    return Math.abs(column.x0 - other.x0) < slack || Math.abs(column.x1 - other.x1) < slack;
  });
}

/** The first row, where it has no digits and the rows below do. */
function headerOf(rows: readonly TableRow[]): TableRow | null {
  const [first, ...body] = rows;
  if (!first || body.length === 0) return null;
  if (first.cells.some((cell) => /\d/.test(cell.text))) return null;
  if (first.cells.filter((cell) => cell.text !== '').length < 2) return null;
  return body.some((row) => row.cells.some((cell) => /\d/.test(cell.text))) ? first : null;
}
