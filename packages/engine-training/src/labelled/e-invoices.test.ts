import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmbeddedInvoice } from '@millrace/engine/embedded/invoice';
import { netLineAmounts, withoutPartyNumbers } from './e-invoices.ts';

function invoiceOf(subtotal: number, ...lines: readonly Record<string, number>[]): EmbeddedInvoice {
  const valuesOf = (values: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, text: String(value) }]));
  return { docType: 'invoice', complete: true, fields: valuesOf({ subtotal }), lines: lines.map(valuesOf) };
}

test('lines with the tax in their amounts, against the sum of lines of their own XML, are known by their net amounts', () => {
  const lines = [
    { quantity: 2, price_unit: 80, tax_rate: 7, amount: 171.2 },
    { quantity: 400, price_unit: 0.79, tax_rate: 19, amount: 376.04 },
  ];
  assert.deepEqual(netLineAmounts(invoiceOf(476, ...lines)), [160, 316]);
  // The XML's sum of lines has the tax in it as well: nothing contradicts the amounts.
  assert.equal(netLineAmounts(invoiceOf(547.24, ...lines)), null);
  // The amounts differ from quantity times price by something else than the tax.
  assert.equal(netLineAmounts(invoiceOf(476, lines[0]!, { ...lines[1]!, amount: 370 })), null);
  assert.equal(netLineAmounts(invoiceOf(160, { quantity: 2, price_unit: 80, tax_rate: 7, amount: 160 })), null);
});

test('numbers that an XML writes before the name of a party are no part of it', () => {
  assert.equal(withoutPartyNumbers('GLN 4333741000005 Lief-Nr: 549910 MUSTERLIEFERANT GMBH'), 'MUSTERLIEFERANT GMBH');
  assert.equal(withoutPartyNumbers('GLN 4304171000002 Kunden-Nr. : 009420 MUSTER-KUNDE GMBH'), 'MUSTER-KUNDE GMBH');
  for (const name of ['4 Wheels Ltd', 'Kunden AG Mitte', 'Verein Nr. 7 Nord e. V.', '1. FC Köln']) {
    assert.equal(withoutPartyNumbers(name), name);
  }
});
