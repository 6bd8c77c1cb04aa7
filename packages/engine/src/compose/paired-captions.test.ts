import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { pairedValues } from './paired-captions.ts';

const pairs = (...rows: PrintedRow[]) =>
  Object.fromEntries(
    Object.entries(pairedValues(documentTypeOf('invoice'), layOut(typeset(rows)), { dateOrder: 'dmy' })).map(
      ([name, { value }]) => [name, value],
    ),
  );

test('a caption for a number and its day gives both, and of other documents the number alone', () => {
  assert.deepEqual(
    pairs(
      [
        [300, 'Nummer / Datum'],
        [460, '9400118263 / 27.01.2025'],
      ],
      [
        [300, 'Auftrag / Datum'],
        [460, '4010233 / 14.01.2025'],
      ],
      [
        [300, 'Lieferschein / Datum'],
        [460, '80177421 / 24.01.2025'],
      ],
      [
        [300, 'Ihre Bestellung / Datum'],
        [460, '4500772310/13.01.2025'],
      ],
    ),
    { invoice_number: '9400118263', invoice_date: '2025-01-27', purchase_order: '4500772310' },
  );
});

test('a caption for a day alone is no pair', () => {
  assert.deepEqual(
    pairs([
      [300, 'Ort / Datum'],
      [460, 'Leipzig / 27.01.2025'],
    ]),
    {},
  );
});
