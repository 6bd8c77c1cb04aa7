import { stringify } from 'csv-stringify/sync';
import type { Cell, ExportTable } from './table.ts';

/** What spreadsheets take for the beginning of a formula, also in its full width. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * An export as CSV (RFC 4180) in UTF-8. Numbers have a decimal point, dates are in ISO 8601. Text that a spreadsheet
 * would take for a formula gets an apostrophe before it, which spreadsheets show as text.
 *
 * @param withMark whether it begins with a byte order mark: Excel takes a file without one for a local 8-bit encoding,
 *   while programs take the mark for a part of the first heading
 */
export async function* csvOf<Document>(
  table: Pick<ExportTable, 'columns'> & { readonly rowsOf: (document: Document) => readonly (readonly Cell[])[] },
  batches: AsyncIterable<readonly Document[]>,
  { withMark }: { readonly withMark: boolean },
): AsyncGenerator<string> {
  if (withMark) yield '\ufeff';
  yield linesOf([table.columns.map(({ heading }) => heading)]);
  for await (const documents of batches) {
    const rows = documents.flatMap(table.rowsOf);
    if (rows.length > 0) yield linesOf(rows);
  }
}

function linesOf(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(plain)),
    { record_delimiter: '\r\n' },
  );
}

/** NUL is for CSV readers the end of a text, or no text at all. */
function plain(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  const text = cell.replaceAll('\0', '').toWellFormed();
  return formulaStart.test(text) ? `'${text}` : text;
}
