import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from './layout.ts';
import { type PrintedRow, typeset } from './typeset.ts';

const textsOf = (...rows: PrintedRow[]) => layOut(typeset(rows)).lines.map(({ text }) => text);
const heads: PrintedRow = [
  [40, 'Number'],
  [83, 'Date'],
  [136, 'Customer'],
];

test('values below a row of heads are parted at each head, however near they stand', () => {
  const texts = textsOf(heads, [[40, '20250193 03-02-2025 D-0311']]);
  assert.deepEqual(texts.slice(-3), ['20250193', '03-02-2025', 'D-0311']);
});

test('a line below heads that has no word at one of them stays whole', () => {
  const [, , , ...rest] = textsOf(heads, [[40, 'Delivery 44871 of 29-01-2025']]);
  assert.deepEqual(rest, ['Delivery 44871 of 29-01-2025']);
});
