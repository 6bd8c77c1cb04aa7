import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { csvOf } from './csv.ts';
import type { Cell, ExportColumn } from './table.ts';
import { readWorkbook } from './testing-workbook.ts';
import { xlsxOf } from './xlsx.ts';

const columns: readonly ExportColumn[] = [
  { heading: 'Name', kind: 'text' },
  { heading: 'Count', kind: 'number' },
  { heading: 'Total', kind: 'amount' },
  { heading: 'Day', kind: 'date' },
  { heading: 'Arrived', kind: 'moment' },
];

type Row = readonly Cell[];
const table = { columns, rowsOf: (row: Row) => [row] };

async function* batches(...all: readonly (readonly Row[])[]) {
  yield* all;
}

async function workbook(rows: readonly Row[], sheetRows?: number) {
  const options = { sheetName: 'Documents', ...(sheetRows === undefined ? {} : { sheetRows }) };
  return readWorkbook(await buffer(Readable.from(xlsxOf(table, batches(rows), options))));
}

function csv(rows: readonly Row[], withMark = false): Promise<string> {
  return text(Readable.from(csvOf(table, batches(rows), { withMark })));
}

describe('a workbook', () => {
  test('has dates, times, numbers and amounts as typed cells', async () => {
    const [sheet] = await workbook([['Mühle & Söhne <GmbH>', 3, 1428.5, '2026-03-14', '2026-03-14T12:00:00.000Z']]);
    assert.equal(sheet!.name, 'Documents');
    assert.deepEqual(
      sheet!.rows[0],
      ['Name', 'Count', 'Total', 'Day', 'Arrived'].map((heading) => ({ text: heading })),
    );
    assert.deepEqual(sheet!.rows[1], [
      { text: 'Mühle & Söhne <GmbH>' },
      { number: 3, format: 'General' },
      { number: 1428.5, format: '#,##0.00##' },
      // Day 46095 counted from 30 December 1899.
      { number: 46_095, format: 'yyyy\\-mm\\-dd' },
      { number: 46_095.5, format: 'yyyy\\-mm\\-dd\\ hh:mm:ss' },
    ]);
  });

  test('shows as text what is no date, no number or before March 1900', async () => {
    const [sheet] = await workbook([
      ['a', 'n/a', 'free', '2026-02-31', 'yesterday'],
      ['b', null, null, '1899-12-31', null],
    ]);
    assert.deepEqual(
      sheet!.rows[1]!.map((cell) => cell?.text),
      ['a', 'n/a', 'free', '2026-02-31', 'yesterday'],
    );
    assert.deepEqual(sheet!.rows[2], [{ text: 'b' }, undefined, undefined, { text: '1899-12-31' }]);
  });

  test('never holds a formula', async () => {
    const [sheet] = await workbook([['=1+1', 1, 1, null, null]]);
    assert.deepEqual(sheet!.rows[1]![0], { text: '=1+1' });
  });

  test('keeps text that XML and Excel give a meaning', async () => {
    const [sheet] = await workbook([['a\u0000b\u001f_x0041_\ud800\r\n ', null, null, null, null]]);
    assert.deepEqual(sheet!.rows[1]![0], { text: 'ab_x005F_x0041_\ufffd\r\n ' });
    const [long] = await workbook([['x'.repeat(40_000), null, null, null, null]]);
    assert.equal(long!.rows[1]![0]!.text!.length, 32_767);
  });

  test('goes on in a further sheet where one is full', async () => {
    const rows = Array.from({ length: 5 }, (_, index): Row => [`row ${index + 1}`, null, null, null, null]);
    const sheets = await workbook(rows, 3);
    assert.deepEqual(
      sheets.map(({ name, rows: all }) => [name, all.map(([first]) => first!.text)]),
      [
        ['Documents', ['Name', 'row 1', 'row 2']],
        ['Documents 2', ['Name', 'row 3', 'row 4']],
        ['Documents 3', ['Name', 'row 5']],
      ],
    );
  });

  test('without a document has its headings', async () => {
    const [sheet] = await workbook([]);
    assert.equal(sheet!.rows.length, 1);
  });
});

describe('a CSV file', () => {
  test('quotes what it has to and ends its lines as RFC 4180 has it', async () => {
    assert.equal(
      await csv([['Mühle "am Bach", Ulm\nGermany', -3, 1428.5, '2026-03-14', null]]),
      'Name,Count,Total,Day,Arrived\r\n"Mühle ""am Bach"", Ulm\nGermany",-3,1428.5,2026-03-14,\r\n',
    );
  });

  test('guards text that a spreadsheet would take for a formula, and leaves numbers alone', async () => {
    for (const start of ['=1+1', '+49 30 1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1']) {
      const [, line] = (await csv([[start, -1, null, null, null]])).split(/\r\n(?=["'])/);
      assert.match(line!, /^"?'[=+\-@\t\r＝].*,-1,,,\r\n$/s, JSON.stringify(start));
    }
  });

  test('begins with a byte order mark where people open it', async () => {
    assert.equal((await csv([], true)).charCodeAt(0), 0xfeff);
    assert.equal((await csv([])).startsWith('Name,'), true);
  });
});
