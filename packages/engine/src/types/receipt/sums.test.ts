import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { chargedTotal } from './sums.ts';

const sumsOf = (...rows: PrintedRow[]) => {
  const { total_amount: total, tip_amount: tip } = chargedTotal(layOut(typeset(rows)));
  return [total?.value, tip?.value];
};
const row = (label: string, amount: string): PrintedRow => [
  [40, label],
  [200, amount],
];

test('the total of a restaurant’s bill has the charge for service in it that stands below a sum', () => {
  assert.deepEqual(
    sumsOf(row('Total', '66.00'), row('Service 12.5%', '8.25'), row('Amount Due', '74.25')),
    [74.25, 8.25],
  );
});

test('a tip that the guest adds makes the total below it', () => {
  assert.deepEqual(sumsOf(row('TOTAL:', '62.73'), row('+ TIP', '__12.00__'), row('= TOTAL', '__74.73__')), [74.73, 12]);
});

test('service that a sum has in it already, or that makes no later sum, is charged to nothing', () => {
  assert.deepEqual(sumsOf(row('Total', '66,00'), row('service compris', '8,25'), row('CB', '74,25')), [
    undefined,
    undefined,
  ]);
  assert.deepEqual(sumsOf(row('Total', '66.00'), row('Tip', '8.25'), row('Visa', '66.00')), [undefined, undefined]);
});
