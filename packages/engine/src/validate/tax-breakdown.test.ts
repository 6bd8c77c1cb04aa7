import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locale } from '@millrace/document-model';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { readRows } from '../lines/rows.ts';
import { documentTypeOf } from '../types/registry.ts';
import { findTaxBreakdown } from './tax-breakdown.ts';

const german: Locale = { language: 'de', decimalSeparator: ',', dateOrder: 'dmy', currency: 'EUR', country: 'DE' };

function find(...rows: PrintedRow[]) {
  const layout = layOut(typeset(rows));
  const items = readRows(documentTypeOf('invoice'), layout, german);
  return findTaxBreakdown(proposeCandidates(layout, german), items);
}

const total: PrintedRow = [
  [300, 'Gesamtbetrag'],
  [400, '571,04 €'],
];

test('the taxes of several rates are added up', () => {
  const found = find(
    [
      [60, '7%'],
      [150, '160,00 €'],
      [250, '11,20 €'],
    ],
    [
      [60, '19%'],
      [150, '336,00 €'],
      [250, '63,84 €'],
    ],
    null,
    total,
  );
  assert.deepEqual(found, { net: 496, tax: 75.04, gross: 571.04 });
});

test('the sign of per cent may stand in the heading alone', () => {
  const found = find(
    [
      [60, 'Basisbetrag'],
      [150, 'Steuersatz [%]'],
      [300, 'Steuerbetrag'],
    ],
    [
      [60, '160,00'],
      [150, '7'],
      [300, '11,20'],
    ],
    [
      [60, '336,00'],
      [150, '19'],
      [300, '63,84'],
    ],
    total,
  );
  assert.deepEqual(found, { net: 496, tax: 75.04, gross: 571.04 });
});

test('a rate beside its tax alone counts with the sums around it', () => {
  const rows: PrintedRow[] = [
    [
      [60, 'Nettobetrag'],
      [400, '100,00'],
    ],
    [
      [60, 'zzgl. 19% MwSt.'],
      [400, '19,00'],
    ],
  ];
  const gross = (amount: string): PrintedRow => [
    [60, 'Summe'],
    [400, amount],
  ];
  assert.deepEqual(find(...rows, gross('119,00')), { net: 100, tax: 19, gross: 119 });
  assert.equal(find(...rows, gross('120,00')), null);
});

test('a discount is no tax, nor is what stands at the height of an item', () => {
  assert.equal(
    find(
      [[60, 'Skonto 3% von 100,00 3,00']],
      [
        [60, 'Summe'],
        [400, '103,00'],
      ],
    ),
    null,
  );
  const item = find(
    [
      [40, 'Bezeichnung'],
      [200, 'Menge'],
      [280, 'Einzelpreis'],
      [380, 'MwSt.'],
      [460, 'Gesamt'],
    ],
    [
      [40, 'Farbe'],
      [200, '1'],
      [280, '100,00'],
      [380, '19%'],
      [460, '19,00'],
    ],
    [
      [40, 'Pinsel'],
      [200, '1'],
      [280, '119,00'],
      [380, '19%'],
      [460, '119,00'],
    ],
  );
  assert.equal(item, null);
});

test('two halves of a tax are levied on one amount', () => {
  const half = (name: string): PrintedRow => [
    [60, `${name} @ 2,5%`],
    [250, '24,50'],
  ];
  const sums: readonly PrintedRow[] = [
    [
      [60, 'Sub Total'],
      [250, '980,00'],
    ],
    half('CGST'),
    half('SGST'),
    [
      [60, 'Grand Total'],
      [250, '1029,00'],
    ],
  ];
  assert.deepEqual(find(...sums), { net: 980, tax: 49, gross: 1029 });
});

test('the taxes that amounts have in them are added up, beside what is not taxed', () => {
  const found = find(
    [
      [60, '10% MwSt aus 178,00'],
      [300, '16,18'],
    ],
    [
      [60, '20% MwSt aus 26,70'],
      [300, '4,45'],
    ],
    [
      [60, '0% aus 5,20'],
      [300, '0,00'],
    ],
    [
      [60, 'Summe EUR'],
      [300, '209,90'],
    ],
  );
  assert.deepEqual(found, { net: 189.27, tax: 20.63, gross: 209.9 });
});

test('a credit note may print taxes with a minus and what they are levied on without one', () => {
  const found = find(
    [
      [60, 'USt. 7 % auf 46,54'],
      [400, '-3,26 €'],
    ],
    [
      [60, 'USt. 19 % auf 5,00'],
      [400, '-0,95 €'],
    ],
    [
      [60, 'Gutschriftsbetrag'],
      [400, '-55,75 €'],
    ],
  );
  assert.deepEqual(found, { net: -51.54, tax: -4.21, gross: -55.75 });
});

test('a total may be rounded to whole units by what the document says', () => {
  const rows = (off: string): PrintedRow[] => [
    [
      [60, 'IVA 18%'],
      [250, '13.960,00'],
      [400, '2.512,80'],
    ],
    [
      [60, 'Arrotondamento'],
      [400, off],
    ],
    [
      [60, 'Totale'],
      [400, '16.473,00'],
    ],
  ];
  assert.deepEqual(find(...rows('0,20')), { net: 13_960, tax: 2512.8, gross: 16_473 });
  assert.equal(find(...rows('0,30')), null);
});

test('the row of sums below the items has net, tax and gross side by side', () => {
  const row = (text: string, ...amounts: string[]): PrintedRow => [
    [40, text],
    ...amounts.map((amount, at) => [200 + 100 * at, amount] as const),
  ];
  const found = find(
    row('Nazwa', 'Wartość netto', 'Kwota VAT', 'Wartość brutto'),
    row('Obsługa', '950,00', '218,50', '1.168,50'),
    row('Kadry', '405,00', '93,15', '498,15'),
    row('Razem', '1.355,00', '311,65', '1.666,65'),
  );
  assert.deepEqual(found, { net: 1355, tax: 311.65, gross: 1666.65 });
  const carriage = find(
    row('Descrizione', 'Quantità', 'Prezzo', 'Importo'),
    row('Flangia', '1', '2.864,00', '2.864,00'),
    null,
    row('', '2.864,00', '40,00', '2.904,00'),
  );
  assert.equal(carriage, null, 'what is charged for carriage');
});

test('a charge for service is no tax on the sum above it', () => {
  const found = find(
    [
      [60, 'Zwischensumme'],
      [300, '64,20'],
    ],
    [
      [60, 'Service 10%'],
      [300, '6,42'],
    ],
    [
      [60, 'Summe'],
      [300, '70,62'],
    ],
  );
  assert.equal(found, null);
});

test('the taxes in what was paid at each rate are added up, the rates without their sign', () => {
  const rate = (code: string, percent: string, paid: string, tax: string): PrintedRow => [
    [60, code],
    [120, percent],
    [200, paid],
    [300, tax],
  ];
  const found = find(rate('0', '2,60', '20,56', '0,52'), rate('1', '8,10', '22,00', '1,65'), [
    [60, 'Total CHF'],
    [300, '42,56'],
  ]);
  assert.deepEqual(found, { net: 40.39, tax: 2.17, gross: 42.56 });
});

test('what is added for paying by card is no tax', () => {
  const row = (label: string, amount: string): PrintedRow => [
    [60, label],
    [400, amount],
  ];
  const sums = [row('Subtotal', '83,13'), row('Card Surcharge 1.2%', '1,00'), row('TOTAL', '84,13')];
  assert.equal(find(...sums), null);
});

test('India’s two equal taxes are those of the last row of a table whose others make it up', () => {
  const row = (first: string, ...amounts: string[]): PrintedRow => [
    [60, first],
    ...amounts.map((amount, at): [number, string] => [150 + 80 * at, amount]),
  ];
  const heads = row('Ind', 'Taxable', 'CGST', 'SGST', 'Total');
  const rates = [row('1', '909,52', '23,74', '23,74', '957,00'), row('2', '403,38', '36,31', '36,31', '476,00')];
  const all = row('T:', '1312,90', '60,05', '60,05', '1433,00');
  assert.deepEqual(find(heads, ...rates, all), { net: 1312.9, tax: 120.1, gross: 1433 });
  assert.equal(find(heads, ...rates), null);
});
