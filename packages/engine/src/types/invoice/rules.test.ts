import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'invoice', fields: null }).extraction.fields;

const head: readonly PrintedRow[] = [
  [[40, 'EXAMPLE FASTENER SUPPLY']],
  [
    [40, 'INVOICE NO'],
    [300, '0488127'],
  ],
];

test('the number of a customer’s order is not the customer’s', () => {
  const fields = extracted(
    ...head,
    [
      [40, 'CUSTOMER P.O.'],
      [160, 'SHIP VIA'],
      [300, 'TERMS'],
    ],
    [
      [40, 'P-20771'],
      [160, 'UPS GROUND'],
      [300, 'NET 30'],
    ],
  );
  assert.equal(fields.purchase_order?.value, 'P-20771');
  assert.equal(fields.customer_id, undefined);
});

test('a credit among the charges is not what is still to be paid', () => {
  const fields = extracted(
    ...head,
    [
      [40, 'Charges'],
      [300, '$1,310.27'],
    ],
    [
      [40, 'Credits'],
      [300, '-$26.21'],
    ],
    [
      [40, 'Total for this invoice'],
      [300, '$1,284.06'],
    ],
    [
      [40, 'Credits'],
      [300, '-$7.65'],
    ],
  );
  assert.notEqual(fields.amount_due?.value, -7.65);
});

test('a sum before a tax that was not read is no total', () => {
  const fields = extracted(
    ...head,
    [
      [40, 'QTY'],
      [90, 'DESCRIPTION'],
      [240, 'PRICE'],
      [320, 'AMOUNT'],
    ],
    [
      [40, '4'],
      [90, 'mow and trim'],
      [240, '45.00'],
      [320, '180.00'],
    ],
    [
      [40, '1'],
      [90, 'limb removed'],
      [240, '125.00'],
      [320, '125.00'],
    ],
    [
      [240, 'SUBTOTAL'],
      [320, '305.00'],
    ],
    [[240, 'TAX']],
    [[240, 'TOTAL']],
  );
  assert.equal(fields.total_amount, undefined);
});
