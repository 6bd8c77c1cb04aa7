import { pricingOf } from '../amounts.ts';
import type { InvoiceDocument, InvoiceLine } from '../document.ts';
import type { Formats } from '../texts/formats.ts';
import type { Texts } from '../texts/texts.ts';
import type { Flow } from './flow.ts';
import { heightOf, page, type Sheet, type Style, styles } from './sheet.ts';

const numericColumns = ['quantity', 'unitPrice', 'tax', 'amount'] as const;
type NumericColumn = (typeof numericColumns)[number];

/** Widths of the columns of figures follow their content; the description gets the rest. */
const widest: Readonly<Record<NumericColumn, number>> = { quantity: 74, unitPrice: 78, tax: 40, amount: 86 };
const columnGap = 12;
const padding = 6;
const groupPadding = 12;

interface Row {
  readonly group: string;
  readonly name: string;
  /** Description and period, below the name. */
  readonly details: readonly string[];
  readonly figures: Readonly<Record<NumericColumn, string>>;
}

interface Columns {
  readonly descriptionWidth: number;
  readonly right: Readonly<Record<NumericColumn, number>>;
  readonly width: Readonly<Record<NumericColumn, number>>;
}

export interface LineTable {
  draw(flow: Flow): void;
}

/** The table of lines, under a heading per group. Its head is repeated on each page, the group's heading as well. */
export function lineTable(sheet: Sheet, document: InvoiceDocument, texts: Texts, formats: Formats): LineTable {
  const rows = document.lines.map((line) => rowOf(line, formats));
  const columns = layOutColumns(sheet, rows, texts);
  const head = (flow: Flow) => drawHead(sheet, flow, columns, texts);
  const breakInto = (flow: Flow, height: number, group: string) => {
    if (!flow.reserve(height)) return;
    head(flow);
    if (group !== '') drawGroup(sheet, flow, `${group} (${texts.continued})`);
  };
  return {
    draw(flow) {
      flow.reserve(90);
      head(flow);
      let group = '';
      for (const row of rows) {
        const cells = cellsOf(sheet, row, columns);
        if (row.group !== group) {
          group = row.group;
          if (group !== '') {
            breakInto(flow, groupHeight(sheet, group) + cells.height, '');
            drawGroup(sheet, flow, group);
          }
        }
        breakInto(flow, cells.height, group);
        drawRow(sheet, flow, cells, columns);
      }
    },
  };
}

function rowOf(line: InvoiceLine, formats: Formats): Row {
  const { quantity, unitPrice } = pricingOf(line);
  const details = [line.description, line.period ? formats.range(line.period) : ''];
  return {
    group: line.group,
    name: line.name,
    details: details.filter((detail) => detail !== ''),
    figures: {
      quantity: formats.number(quantity),
      unitPrice: formats.price(unitPrice),
      tax: line.taxCategory === 'O' ? '–' : `${formats.number(line.taxRate)}%`,
      amount: formats.amount(line.amountMinor),
    },
  };
}

function layOutColumns(sheet: Sheet, rows: readonly Row[], texts: Texts): Columns {
  const width = { quantity: 0, unitPrice: 0, tax: 0, amount: 0 };
  const right = { quantity: 0, unitPrice: 0, tax: 0, amount: 0 };
  let edge = page.right;
  for (const column of numericColumns.toReversed()) {
    const longest = rows.reduce((text, row) => longer(text, row.figures[column]), '');
    const natural = Math.max(
      sheet.width(texts.columns[column], styles.head),
      // The longest text in figures of the same width is the widest, but for its punctuation.
      sheet.width(longest.replaceAll(/\d/g, '0'), styles.body),
    );
    width[column] = Math.min(natural + 1, widest[column]);
    right[column] = edge;
    edge -= width[column] + columnGap;
  }
  return { descriptionWidth: edge - page.left, right, width };
}

function longer(first: string, second: string): string {
  return second.length > first.length ? second : first;
}

function drawHead(sheet: Sheet, flow: Flow, columns: Columns, texts: Texts): void {
  const baseline = flow.y + 10;
  sheet.text(texts.columns.description, page.left, baseline, styles.head);
  for (const column of numericColumns) {
    sheet.textRight(texts.columns[column], columns.right[column], baseline, styles.head);
  }
  sheet.rule(baseline + 7, { color: styles.body.color, width: 0.8 });
  flow.y = baseline + 7;
}

function groupLines(sheet: Sheet, group: string): readonly string[] {
  return sheet.wrap(group, styles.strong, page.right - page.left);
}

function groupHeight(sheet: Sheet, group: string): number {
  return groupLines(sheet, group).length * heightOf(styles.strong) + groupPadding;
}

function drawGroup(sheet: Sheet, flow: Flow, group: string): void {
  const bottom = flow.y + groupHeight(sheet, group);
  sheet.lines(groupLines(sheet, group), page.left, flow.y + groupPadding + styles.strong.size * 0.8, styles.strong);
  flow.y = bottom;
}

interface Cells {
  readonly name: readonly string[];
  readonly details: readonly string[];
  readonly figures: Readonly<Record<NumericColumn, { readonly lines: readonly string[]; readonly style: Style }>>;
  readonly height: number;
}

function cellsOf(sheet: Sheet, row: Row, columns: Columns): Cells {
  const name = sheet.wrap(row.name, styles.body, columns.descriptionWidth);
  const details = row.details.flatMap((detail) => sheet.wrap(detail, styles.small, columns.descriptionWidth));
  const cell = (column: NumericColumn) => {
    const text = row.figures[column];
    const style = sheet.fitted(text, styles.body, columns.width[column], 6.5);
    return { lines: sheet.wrap(text, style, columns.width[column]), style };
  };
  const figures = {
    quantity: cell('quantity'),
    unitPrice: cell('unitPrice'),
    tax: cell('tax'),
    amount: cell('amount'),
  };
  const described = name.length * heightOf(styles.body) + details.length * heightOf(styles.small);
  const figured = Math.max(...numericColumns.map((column) => figures[column].lines.length * heightOf(styles.body)));
  return { name, details, figures, height: Math.max(described, figured) + 2 * padding };
}

function drawRow(sheet: Sheet, flow: Flow, cells: Cells, columns: Columns): void {
  const baseline = flow.y + padding + styles.body.size * 0.92;
  const below = sheet.lines(cells.name, page.left, baseline, styles.body);
  sheet.lines(cells.details, page.left, below - 1, styles.small);
  for (const column of numericColumns) {
    const { lines, style } = cells.figures[column];
    for (const [index, line] of lines.entries()) {
      sheet.textRight(line, columns.right[column], baseline + index * heightOf(styles.body), style);
    }
  }
  flow.y += cells.height;
  sheet.rule(flow.y);
}
