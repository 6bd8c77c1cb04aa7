import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { documentTypeOf } from '../types/registry.ts';
import { composeReceipt } from './receipt.ts';

function paidBy(...rows: PrintedRow[]): unknown {
  const layout = layOut(typeset(rows));
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  return composeReceipt(findings).payment_method?.value;
}

test('a card’s brand at its masked number or at an amount is how a receipt was paid', () => {
  assert.equal(
    paidBy([[40, 'Harbour Grill']], [[40, 'Total 24.60']], [[40, 'VISA DEBIT ************4821']]),
    'VISA DEBIT',
  );
  assert.equal(paidBy([[40, 'Summe 12,40 EUR']], [[40, 'Girocard 12,40']]), 'Girocard');
  assert.equal(paidBy([[40, 'Total 9.50']], [[40, 'Mastercard']]), 'Mastercard');
});

test('cards that a shop accepts are not how it was paid', () => {
  assert.equal(paidBy([[40, 'We accept Visa, Mastercard and Amex']], [[40, 'Total 9.50']]), undefined);
});

test('cash that was given is how a receipt was paid', () => {
  assert.equal(paidBy([[40, 'Total 9.50']], [[40, 'CASH TENDERED 20.00']], [[40, 'Change 10.50']]), 'CASH TENDERED');
  assert.equal(paidBy([[40, 'Cash sale']], [[40, 'Total 9.50']]), undefined);
});
