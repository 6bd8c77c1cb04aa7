import { findNumbers, resolveNumber } from '../candidates/amount.ts';
import type { ExtractedRow, Layout, Locale } from '../document.ts';
import { visualRows } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { findHeaders, gatherCaptions, type Row } from './header.ts';
import { readItems } from './items.ts';
import { isTotalLabel, ordinalCaptions } from './vocabulary.ts';

/**
 * Reads a document's line items: what its tables list, with each cell's value, its place and how sure it is. Empty for a
 * type without rows. Sums, taxes, carried sums and repeated headers are no rows.
 */
export function readRows(type: DocumentType, layout: Layout, locale: Locale): readonly ExtractedRow[] {
  if (type.rows === 'none') return [];
  const rows = visualRows(layout);
  const captions = gatherCaptions([...type.columns, { name: 'ordinal', captions: ordinalCaptions }]);
  const headers = findHeaders(rows, captions, isItemTable);
  return readItems(rows, headers, locale, sumsIn(rows, locale)).rows;
}

function isItemTable(names: ReadonlySet<string>): boolean {
  const valued = ['amount', 'price_unit', 'quantity'].filter((name) => names.has(name)).length;
  return (names.has('description') && valued >= 1) || valued === 3;
}

/** Every amount in a row that begins with, or has right before it, the label of a sum. */
function sumsIn(rows: readonly Row[], locale: Locale): number[] {
  const sums: number[] = [];
  for (const row of rows) {
    row.forEach((line, at) => {
      if (!isTotalLabel(line.text)) return;
      for (const { text } of row.slice(at)) {
        for (const number of findNumbers(text)) if (!number.percent) sums.push(resolveNumber(number, locale));
      }
    });
  }
  return sums;
}
