import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { phoneAtHead, signedSaleNumber } from './head.ts';

const layoutOf = (...rows: PrintedRow[]) => layOut(typeset(rows));

test('the number of a sale may have its sign for a caption', () => {
  const layout = layoutOf([
    [40, 'SALE'],
    [200, '#0412-2-5518'],
  ]);
  assert.equal(signedSaleNumber(layout)?.value, '0412-2-5518');
  assert.equal(signedSaleNumber(layoutOf([[40, 'Lakeview Plaza #1184']])), null);
});

test('a telephone number alone in a line above all amounts is the merchant’s', () => {
  const layout = layoutOf(
    [[40, 'Marché Laurier']],
    [[40, '905-555-0177']],
    [[40, 'BANANA 1.70']],
    [[40, '619-555-0133']],
  );
  assert.equal(phoneAtHead(layout)?.value, '905-555-0177');
  assert.equal(phoneAtHead(layoutOf([[40, '10-03-2025']], [[40, 'BANANA 1.70']])), null);
});
