import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { branchAddress } from './branch-address.ts';

const addressOf = (...rows: PrintedRow[]) => branchAddress(layOut(typeset(rows)))?.value;
const row = (caption: string, value: string): PrintedRow => [
  [40, 'ADITYA KULKARNI'],
  [300, caption],
  [370, value],
];

test('a branch’s address goes on below its caption, and its town and state have captions of their own', () => {
  const [bank, street, town] = [
    row('Address', ': SAHYADRI BANK LTD'),
    [[370, 'SHOP NO 4, MAYUR COLONY'] as const],
    row('City', ': PUNE 411004'),
  ];
  assert.equal(
    addressOf(bank, street, town, row('State', ': MAHARASHTRA')),
    'SHOP NO 4, MAYUR COLONY, PUNE 411004, MAHARASHTRA',
  );
  assert.equal(addressOf(bank, street, row('Phone', ': 1800 555 0118')), undefined);
});
