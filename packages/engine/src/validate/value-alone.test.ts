import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../extract.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';

test('a number that is broken behind a hyphen goes on in the line below it', () => {
  const numberOf = (...rows: PrintedRow[]) =>
    extractFromWords(
      typeset([
        [[40, 'Invoice']],
        ...rows,
        [[40, 'Widgets']],
        [
          [40, 'Total due'],
          [300, '$ 118.00'],
        ],
      ]),
      { docType: 'invoice', fields: null },
    ).extraction.fields.invoice_number?.value;
  assert.equal(
    numberOf(
      [
        [40, 'Invoice number'],
        [200, 'VR-2025-'],
      ],
      [[200, '0047712']],
    ),
    'VR-2025-0047712',
  );
  assert.notEqual(
    numberOf(
      [
        [40, 'Invoice number'],
        [200, 'VR-2025-'],
      ],
      [[200, 'Paid']],
    ),
    'VR-2025-Paid',
  );
});
