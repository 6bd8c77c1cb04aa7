import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import {
  addedTaxes,
  withAllTaxes,
  withoutMixedRate,
  withoutOwedBefore,
  withTaxesWithin,
  withTaxOfItems,
} from './added-taxes.ts';

const taxOf = (...rows: PrintedRow[]) => addedTaxes(layOut(typeset(rows))).tax_amount?.value;
const amountCandidates = (...rows: PrintedRow[]) => {
  const layout = layOut(typeset(rows));
  return proposeCandidates(layout, decideLocale(layout));
};
const row = (label: string, amount: string): PrintedRow => [
  [240, label],
  [400, amount],
];

test('taxes between the sum before them and the total are the tax together', () => {
  const [sum, state, food] = [row('SUBTOTAL', '37.05'), row('TN 9.25% TAX', '2.48'), row('TN FOOD 6.75% TAX', '.69')];
  assert.equal(taxOf(sum, state, food, row('TOTAL', '40.22')), 3.17);
  assert.equal(taxOf(sum, state, food, row('TOTAL', '41.22')), undefined);
});

test('the taxes of an invoice are added up beside whatever stands at their left', () => {
  const [net, gst] = [row('Subtotal', '2,415.00'), row('GST (5%)', '120.75')];
  const noted: PrintedRow = [
    [40, 'Ways to pay'],
    [240, 'PST (7%)'],
    [400, '169.05'],
  ];
  assert.equal(taxOf(net, gst, [[240, '#81440 2217 RT0001']], noted, row('Total', '2,704.80')), 289.8);
  const tps: PrintedRow = [
    [40, 'TPS'],
    [100, '812047719 RT0001'],
    [400, '3.08'],
  ];
  assert.equal(taxOf(row('SOUS-TOTAL', '61.50'), tps, row('TVQ', '6.13'), row('TOTAL', '70.71')), 9.21);
  const exempt = row('MOT (VAT exempt)', '45.00');
  assert.equal(taxOf(row('Net Total', '352.00'), row('VAT @ 20%', '70.40'), exempt, row('TOTAL', '467.40')), undefined);
  const rates = [row('zzgl. 7 % MwSt', '14,00'), row('zzgl. 19 % MwSt', '190,00')];
  assert.equal(taxOf(row('Summe netto', '1.200,00'), ...rates, row('Gesamt', '1.404,00 €')), 204);
});

test('a tax that is one of several side by side is not all of it, and their sum is where the items go with it', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const layout = layOut(typeset([row('GST', '5.00'), row('PST', '7.00'), row('Total', '112.00')]));
  const fields = { tax_amount: given(5), total_amount: given(112), subtotal: given(112) };
  const valuesOf = (items: number[]) => {
    const rows = items.map((amount) => ({ amount: given(amount) }));
    return Object.entries(withAllTaxes(fields, rows, layout)).map(([name, { value }]) => [name, value]);
  };
  assert.deepEqual(valuesOf([60, 40]), [
    ['tax_amount', 12],
    ['total_amount', 112],
  ]);
  assert.deepEqual(valuesOf([60]), [['total_amount', 112]]);
});

test('a Portuguese sum before its taxes is called so', () => {
  const taxes = [row('IVA 6%', '20,04'), row('IVA 23%', '1,68')];
  assert.equal(taxOf(row('Total ilíquido', '353,28'), ...taxes, row('Total a pagar', '375,00 €')), 21.72);
});

test('a total may be rounded down behind its taxes', () => {
  const taxes = [row('CGST @2.5%', '31.13'), row('SGST @2.5%', '31.13')];
  assert.equal(taxOf(row('Sub Total', '1245.00'), ...taxes, row('Round off', '-0.26'), row('TOTAL', '1307.00')), 62.26);
});

test('the taxes of an invoice that is rounded off are added up by the items or by the sum before tax', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const layout = layOut(
    typeset([
      row('SGST PAYABLE', '5.42'),
      row('CGST PAYABLE', '5.42'),
      row('ROUND OFF', '0.16'),
      row('Total', '101.00'),
    ]),
  );
  const items = [{ amount: given(90) }];
  assert.equal(withAllTaxes({ total_amount: given(101) }, items, layout).tax_amount?.value, 10.84);
  const net = { total_amount: given(101), subtotal: given(90) };
  assert.equal(withAllTaxes(net, [], layout).tax_amount?.value, 10.84);
});

test('one of several rates by which items are taxed is not the rate of an invoice', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const rateOf = (...rates: number[]) =>
    withoutMixedRate(
      { tax_rate: given(12) },
      rates.map((rate) => ({ tax_rate: given(rate) })),
    ).tax_rate?.value;
  assert.equal(rateOf(12, 18), undefined);
  assert.equal(rateOf(12, 0, 12), 12);
});

const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });

test('the taxes of all items are the tax where their sum is printed', () => {
  const items = [{ tax_amount: given(243.92) }, { tax_amount: given(6.1) }];
  const printed = (value: number) =>
    amountCandidates([
      [40, 'TOTAL:'],
      [300, value.toFixed(2)],
    ]);
  assert.equal(withTaxOfItems({ tax_amount: given(40) }, items, printed(250.02)).tax_amount?.value, 250.02);
  assert.equal(withTaxOfItems({ tax_amount: given(40) }, items, printed(251.02)).tax_amount?.value, 40);
});

test('a total has nothing in it that was owed before', () => {
  const layout = layOut(
    typeset([row('TOTAL', '212.30'), row('PREVIOUS UNPAID BALANCE', '410.00'), row('AMOUNT DUE', '622.30')]),
  );
  assert.equal(withoutOwedBefore({ total_amount: given(622.3) }, layout).total_amount?.value, 212.3);
  assert.equal(withoutOwedBefore({ total_amount: given(600) }, layout).total_amount?.value, 600);
});

test('taxes at several rates that are in the total are added up where the sum before them goes with it', () => {
  const rows = [row('Gesamtsumme', '79,48'), row('enthält 19 % MwSt.', '8,86'), row('enthält 7 % MwSt.', '1,57')];
  const taxOfTotal = (net: string) =>
    withTaxesWithin({ total_amount: given(79.48) }, layOut(typeset([...rows, row('Nettosumme', net)]))).tax_amount
      ?.value;
  assert.equal(taxOfTotal('69,05'), 10.43);
  assert.equal(taxOfTotal('70,05'), undefined);
});
