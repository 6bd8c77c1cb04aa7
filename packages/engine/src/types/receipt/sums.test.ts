import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { candidatesOf } from '../../own-types/candidates.ts';
import { documentTypeOf } from '../registry.ts';
import { chargedTotal, onlyAmount, roundedTotal, withHalves, withNetSum, withTaxOfRates } from './sums.ts';

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

test('a total that is rounded to coins is the one below what it is rounded by', () => {
  const totalOf = (...rows: PrintedRow[]) => roundedTotal(layOut(typeset(rows))).total_amount?.value;
  assert.equal(totalOf(row('Total CHF', '42.56'), row('Rundung', '-0.01'), row('Zu zahlen CHF', '42.55')), 42.55);
  assert.equal(totalOf(row('TOTAL', '10.02'), row('Rounding Adj', '-0.02'), row('CASH', '20.00')), undefined);
});

test('a charge for service may stand before the tax on both', () => {
  const rows = [row('SubTotal', '20.70'), row('10% Svr Chrg', '2.07'), row('9% GST', '2.05')];
  assert.deepEqual(sumsOf(...rows, row('TOTAL', '$24.82')), [undefined, 2.07]);
  assert.deepEqual(sumsOf(...rows, row('TOTAL', '$25.82')), [undefined, undefined]);
});

test('service that a sum has in it already, or that makes no later sum, is charged to nothing', () => {
  assert.deepEqual(sumsOf(row('Total', '66,00'), row('service compris', '8,25'), row('CB', '74,25')), [
    undefined,
    undefined,
  ]);
  assert.deepEqual(sumsOf(row('Total', '66.00'), row('Tip', '8.25'), row('Visa', '66.00')), [undefined, undefined]);
});

test('the only amount of a receipt that has it in words is its total', () => {
  const totalOf = (...rows: PrintedRow[]) => {
    const layout = layOut(typeset(rows));
    const locale = decideLocale(layout);
    const candidates = candidatesOf(documentTypeOf('receipt')!, layout, locale);
    return onlyAmount({ layout, candidates, locale } as never)?.value;
  };
  assert.equal(totalOf([[40, 'the sum of sixty five pounds only']], [[40, '65.00']]), 65);
  assert.equal(totalOf([[40, 'sweep of lounge flue']], [[40, '65.00']]), undefined);
});

test('a rate without its sign is one where its row adds up', () => {
  const taxOf = (...rows: PrintedRow[]) => {
    const total = { value: 23.5, confidence: 90, provenance: [], flags: [] };
    return withTaxOfRates({ total_amount: total }, layOut(typeset(rows))).tax_amount?.value;
  };
  const line = (rate: string, ...amounts: readonly string[]): PrintedRow => [
    [40, rate],
    ...amounts.map((amount, at) => [140 + 80 * at, amount] as const),
  ];
  assert.equal(taxOf(line('A=19,00', '17,70', '3,36', '21,06'), line('B= 7,00', '2,28', '0,16', '2,44')), 3.52);
  assert.equal(taxOf(line('A=19,00', '17,70', '3,36'), line('B= 7,00', '2,28', '0,16')), undefined);
});

test('a total is no sum before tax unless the receipt calls it so, and the table of taxes prints that', () => {
  const netOf = (...rows: PrintedRow[]) => {
    const layout = layOut(typeset(rows));
    const type = documentTypeOf('receipt');
    const given = (value: number) => ({ value, confidence: 70, provenance: [], flags: [] });
    const fields = { subtotal: given(20.02), total_amount: given(20.02), tax_amount: given(1.78) };
    return withNetSum(fields, layout, candidatesOf(type, layout, decideLocale(layout))).subtotal?.value;
  };
  const [called, total] = [row('Subtotal', '20.02'), row('SUM', '20.02')];
  const taxes: PrintedRow = [
    [40, 'VAT'],
    [200, '18.24'],
    [300, '1.78'],
    [400, '20.02'],
  ];
  assert.equal(netOf(total, taxes), 18.24);
  assert.equal(netOf(total), undefined);
  assert.equal(netOf(called, total, taxes), 20.02);
});

test('rates may have what was paid at them in their lines', () => {
  const given = (value: number) => ({ value, confidence: 70, provenance: [], flags: [] });
  const taxes = [row('dont TVA 10% 54,20', '4,93'), row('dont TVA 20% 8,00', '1,33')];
  const taxOf = (total: number) =>
    withTaxOfRates({ total_amount: given(total) }, layOut(typeset(taxes))).tax_amount?.value;
  assert.equal(taxOf(62.2), 6.26);
  assert.equal(taxOf(65.2), undefined);
});

test('rates that have a line each and no sum are the tax together, where they make the total less the tip', () => {
  const taxOf = (total: number, tip: number, answered?: number, ...others: PrintedRow[]) => {
    const given = (value: number) => ({ value, confidence: 70, provenance: [], flags: [] });
    const layout = layOut(
      typeset([
        ...others,
        [
          [40, 'BTW 9% over 49,95'],
          [300, '4,50'],
        ],
        [
          [40, 'BTW 21% over 17,11'],
          [300, '3,59'],
        ],
      ]),
    );
    const fields = { total_amount: given(total), tip_amount: given(tip) };
    const taxed = answered === undefined ? fields : { ...fields, tax_amount: given(answered) };
    return withTaxOfRates(taxed, layout).tax_amount?.value;
  };
  assert.equal(taxOf(75.15, 0), 8.09);
  assert.equal(taxOf(80, 4.85), 8.09);
  assert.equal(taxOf(90, 0), undefined);
  // One rate's tax is not the receipt's.
  assert.equal(taxOf(75.15, 0, 3.59), 8.09);
  assert.equal(taxOf(75.15, 0, 9.1), 9.1);
  // On a deposit there is no tax.
  assert.equal(taxOf(75.3, 0, undefined, row('STATIEGELD', '0,15')), 8.09);
  assert.equal(taxOf(75.3, 0), undefined);
});

test('the taxes that a total has in it are added up where a sum before tax has the rest', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const fields = { total_amount: given(157.6), tax_amount: given(3.83) };
  const rows = [row('TOTAL TTC €', '157,60'), row('dont TVA 10,0%', '12,24'), row('dont TVA 20,0%', '3,83')];
  const taxOf = (...all: PrintedRow[]) => withTaxOfRates(fields, layOut(typeset(all))).tax_amount?.value;
  assert.equal(taxOf(...rows, row('TOTAL HT', '141,53')), 16.07);
  assert.equal(taxOf(...rows, row('TOTAL HT', '140,53')), 3.83);
});

test('what was taxed at several rates is added up where a total has it and the taxes', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const fields = { total_amount: given(13.7), tax_amount: given(1.37) };
  const rate = (...cells: string[]): PrintedRow => cells.map((cell, at) => [40 + 80 * at, cell]);
  const heads = rate('MwSt', 'Netto', 'Steuer', 'Brutto');
  const [full, reduced] = [rate('A 19,0%', '4,29', '0,81', '5,10'), rate('B 7,0%', '8,04', '0,56', '8,60')];
  const netOf = (...rows: PrintedRow[]) => withNetSum(fields, layOut(typeset(rows)), []).subtotal?.value;
  assert.equal(netOf(heads, full, reduced), 12.33);
  assert.equal(netOf(heads, full), undefined);
});

test('an Indian receipt’s tax is both halves of the row that makes its total', () => {
  const rows: PrintedRow[] = [
    [[40, 'CGST @2.50%, SGST @2.50%']],
    [
      [40, 'T:'],
      [100, '1310.90'],
      [180, '60.05'],
      [260, '60.05'],
      [340, '1431.00'],
    ],
  ];
  const layout = layOut(typeset(rows));
  const taxOf = (total: number) => {
    const fields = { total_amount: { value: total, confidence: 80, provenance: [], flags: [] } };
    return withHalves(fields, layout).tax_amount?.value;
  };
  assert.equal(taxOf(1431), 120.1);
  assert.equal(taxOf(1431.5), undefined);
});
