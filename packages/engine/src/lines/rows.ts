import type { ExtractedRow, Layout, Locale } from '@millrace/document-model';
import { resolveNumber } from '../candidates/amount.ts';
import { numbersIn } from '../candidates/line-findings.ts';
import { visualRows } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { partAtBars } from './bars.ts';
import { readFuel } from './fuel.ts';
import { findHeaders, gatherCaptions, type Row } from './header.ts';
import { finishItems, type ItemReading, readItems } from './items.ts';
import { readOwnRows } from './own-rows.ts';
import { readPricedLines } from './priced-lines.ts';
import { readResults } from './results.ts';
import { readTransactions } from './transactions.ts';
import { isTotalLabel, ordinalCaptions } from './vocabulary.ts';

/**
 * Reads a document's line items: what its tables list, with each cell's value, its place and how sure it is. Empty for a
 * type without rows. Sums, taxes, carried sums and repeated headers are no rows.
 */
export function readRows(type: DocumentType, layout: Layout, locale: Locale): readonly ExtractedRow[] {
  if (type.rows === 'none') return [];
  const rows = partAtBars(visualRows(layout));
  if (type.isOwn) return readOwnRows(type, rows, locale, sumsIn(rows, locale));
  const columns = new Set(type.columns.map((column) => column.name));
  if (columns.has('balance')) return readTransactions(type, rows, locale);
  if (columns.has('reference_range')) return readResults(type, rows, locale);
  return readItemRows(type, rows, locale);
}

function readItemRows(type: DocumentType, rows: readonly Row[], locale: Locale): readonly ExtractedRow[] {
  const captions = gatherCaptions(type.columns, { name: 'ordinal', captions: ordinalCaptions });
  const headers = findHeaders(rows, captions, isItemTable);
  const sums = sumsIn(rows, locale);
  const captioned = readItems(rows, headers, captions, locale, sums);
  if (captioned.rows.length > 0 && (captioned.isSum || !type.isPriceList)) return captioned.rows;
  const starts = [0, ...headers.filter(({ accepted }) => accepted).map(({ lastRow }) => lastRow + 1)].slice(0, 4);
  const readings = starts.map((start) => finishItems(readPricedLines(rows.slice(start), locale), locale, sums));
  // Rows of a text and an amount are items of a price list; elsewhere they may be anything unless they add up.
  const priced = readings.filter((reading) => reading.isSum || type.isPriceList);
  const fuel = type.isPriceList ? [finishItems(readFuel(rows, locale), locale, sums)] : [];
  return [...priced, captioned, ...fuel].reduce((best, reading) => (worth(reading) > worth(best) ? reading : best))
    .rows;
}

/** How many rows of a list of days have one. */
const datedShare = 0.8;

function worth(reading: ItemReading): number {
  if (reading.rows.length === 0) return 0;
  // Rows that have their day are a list of what was charged, as hotels print it.
  const isDated = reading.rows.filter(({ date }) => date !== undefined).length >= datedShare * reading.rows.length;
  return 1 + (reading.isSum ? 2 : 0) + reading.proven / reading.rows.length + (isDated ? 0.5 : 0);
}

/** What is listed may be headed by a word of its trade: `Plant` between `Code` and `Qty`. */
function isItemTable(names: ReadonlySet<string>, hasUnknown: boolean): boolean {
  const valued = ['amount', 'price_unit', 'quantity'].filter((name) => names.has(name)).length;
  const isOfTrade = hasUnknown && (names.has('product_code') || names.has('date')) && names.has('quantity');
  return (names.has('description') && valued >= 1) || valued === 3 || isOfTrade;
}

/** Every amount in a row that begins with, or has right before it, the label of a sum. */
function sumsIn(rows: readonly Row[], locale: Locale): number[] {
  const sums: number[] = [];
  for (const row of rows) {
    row.forEach((line, at) => {
      if (!isTotalLabel(line.text)) return;
      for (const other of row.slice(at)) {
        for (const number of numbersIn(other)) if (!number.percent) sums.push(resolveNumber(number, locale));
      }
    });
  }
  return sums;
}
