import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DocType, ExtractedRow, Locale } from '@millrace/document-model';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { readRows } from './rows.ts';

const english: Locale = { language: 'en', decimalSeparator: '.', dateOrder: 'dmy', currency: 'GBP', country: 'GB' };
const german: Locale = { language: 'de', decimalSeparator: ',', dateOrder: 'dmy', currency: 'EUR', country: 'DE' };

function read(type: DocType, locale: Locale, ...pages: readonly (readonly PrintedRow[])[]): readonly ExtractedRow[] {
  return readRows(documentTypeOf(type), layOut(typeset(...pages)), locale);
}

const valuesOf = (rows: readonly ExtractedRow[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, { value }]) => [column, value])));

const cell = (row: ExtractedRow | undefined, column: string) => {
  const value = row?.[column];
  assert.ok(value, `the row has no ${column}`);
  return value;
};

describe('items of an invoice', () => {
  const header: PrintedRow = [
    [40, 'Pos'],
    [70, 'Bezeichnung'],
    [300, 'Menge'],
    [400, 'Einzelpreis'],
    [500, 'Gesamt'],
  ];
  const paint: PrintedRow = [
    [40, '1'],
    [70, 'Farbe, weiß'],
    [300, '2 Stk.'],
    [450, '4,00', 'right'],
    [530, '8,00', 'right'],
  ];
  const brush: PrintedRow = [
    [40, '2'],
    [70, 'Pinsel'],
    [300, '10 Stk.'],
    [450, '1,50', 'right'],
    [530, '15,00', 'right'],
  ];

  it('have quantity, unit and prices, and no sums', () => {
    const rows = read('invoice', german, [
      [[40, 'Rechnung Nr. 17']],
      header,
      paint,
      [[70, 'matt, für innen']],
      brush,
      [
        [400, 'Zwischensumme'],
        [530, '23,00', 'right'],
      ],
      [
        [400, 'zzgl. 19 % MwSt.'],
        [530, '4,37', 'right'],
      ],
      [
        [400, 'Gesamtbetrag'],
        [530, '27,37', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Farbe, weiß matt, für innen', quantity: 2, unit: 'Stk.', price_unit: 4, amount: 8 },
      { description: 'Pinsel', quantity: 10, unit: 'Stk.', price_unit: 1.5, amount: 15 },
    ]);
  });

  it('have neither the delivery that they came with nor their customs number in the description', () => {
    const rows = read('invoice', german, [
      [[70, 'Rechnung']],
      header,
      [[70, 'Lieferschein Nr. 4471 vom 12.09.2024']],
      paint,
      [[70, 'Zolltarifnummer 32091000']],
      [[70, 'Lieferschein Nr. 4502 vom 19.09.2024']],
      brush,
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ description }) => description),
      ['Farbe, weiß', 'Pinsel'],
    );
  });

  it('of a packing list count packages where nothing else is counted', () => {
    const columns = [40, 100, 300, 360, 420];
    const row = (...cells: readonly string[]): PrintedRow => cells.map((text, at) => [columns[at]!, text] as const);
    const rows = (counted: string) =>
      read('delivery_note', english, [
        row('Ref.', 'Description', 'Cartons', counted, 'Gross kg'),
        row('AM-60G', 'Porcelain tile grey', '40', '576', '1.180'),
        row('AM-60B', 'Porcelain tile beige', '36', '480', '868'),
      ]).map((item) => item.quantity?.value);
    assert.deepEqual(rows('m2'), [40, 36]);
    assert.deepEqual(rows('Qty'), [576, 480]);
  });

  it('of a merchant have their value under goods, and a carrier’s say from where to where', () => {
    const columns = [40, 100, 300, 360, 420, 480];
    const row = (...cells: readonly string[]): PrintedRow => cells.map((text, at) => [columns[at]!, text] as const);
    const goods = read('invoice', english, [
      row('Product', 'Description', 'Qty', 'Price', 'Disc', 'Goods'),
      row('100118', 'Thermalite block 100mm', '180', '2.14', '15.00', '327.42'),
      row('204471', 'Cement 25kg plastic bag', '40', '5.92', '10.00', '213.12'),
    ]);
    assert.deepEqual(
      goods.map(({ amount, price_unit }) => [amount?.value, price_unit?.value]),
      [
        [327.42, 2.14],
        [213.12, 5.92],
      ],
    );
    const journeys = read('invoice', german, [
      row('Fecha', 'Origen – Destino', 'Kgs', 'Importe'),
      row('04/07/24', 'Vitoria – Zaragoza, bobinas', '24.000', '480,00'),
      row('11/07/24', 'Vitoria – Burgos, bobinas', '22.500', '310,00'),
    ]);
    assert.deepEqual(
      journeys.map(({ description, amount }) => [description?.value, amount?.value]),
      [
        ['Vitoria – Zaragoza, bobinas', 480],
        ['Vitoria – Burgos, bobinas', 310],
      ],
    );
  });

  it('have no column of what kind they are in the description', () => {
    const columns = [40, 120, 330, 400, 470];
    const row = (...cells: readonly string[]): PrintedRow => cells.map((text, at) => [columns[at]!, text] as const);
    const rows = read('invoice', english, [
      row('Item Type', 'Description', 'Quantity', 'Unit Price', 'Amount'),
      row('Service', 'Development of the archive', '28.00', '$110.00', '$3,080.00'),
      row('Service', 'Accessibility audit', '10.00', '$110.00', '$1,100.00'),
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ description }) => description),
      ['Development of the archive', 'Accessibility audit'],
    );
  });

  it('may be headed by a word of their trade, beside their code or day and their number', () => {
    const rows = read('delivery_note', english, [
      [
        [40, 'Code'],
        [155, 'Plant'],
        [397, 'Qty'],
        [444, 'To follow'],
      ],
      [
        [40, 'HEDG-60'],
        [155, 'Fagus sylvatica bare root'],
        [397, '150'],
      ],
      [
        [40, 'SHR-2L'],
        [155, 'Lavandula Hidcote'],
        [397, '48'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { product_code: 'HEDG-60', description: 'Fagus sylvatica bare root', quantity: 150 },
      { product_code: 'SHR-2L', description: 'Lavandula Hidcote', quantity: 48 },
    ]);
  });

  it('do not go on in the heads of the sums below them, which were read as one line', () => {
    const rows = read('invoice', german, [
      header,
      paint,
      brush,
      [[70, 'Total HT TVA 20 % Total TTC Échéance']],
      [[70, '23,00 4,60 27,60 31/05/2024']],
    ]);
    assert.equal(valuesOf(rows)[1]?.description, 'Pinsel');
  });

  it('have counts with units before them, in a column without a heading', () => {
    const rows = read('invoice', german, [
      [
        [100, 'Omschrijving'],
        [500, 'Totaal'],
      ],
      [
        [40, '20 uur'],
        [100, 'Ontwerp panelen'],
        [530, '1.500,00', 'right'],
      ],
      [
        [40, '5 ×'],
        [100, 'Drukproef A1'],
        [530, '375,00', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Ontwerp panelen', amount: 1500, quantity: 20, unit: 'uur' },
      { description: 'Drukproef A1', amount: 375, quantity: 5 },
    ]);
  });

  it('have no caption with its value in their header, which stands right above it', () => {
    const rows = read('invoice', german, [
      [
        [40, 'Verzending'],
        [110, ': PostNL pakket'],
      ],
      [
        [40, 'Artikel'],
        [300, 'Aantal'],
        [400, 'Prijs'],
        [500, 'Totaal'],
      ],
      [
        [40, 'Schwalbe Marathon buitenband'],
        [300, '2'],
        [400, '32,95'],
        [500, '65,90'],
      ],
    ]);
    assert.equal(valuesOf(rows)[0]?.description, 'Schwalbe Marathon buitenband');
  });

  it('are no lines of taxes whose product does not hold', () => {
    const rows = read('invoice', german, [
      [
        [40, 'Concepto'],
        [300, 'Uds.'],
        [400, 'Precio'],
        [500, 'Importe'],
      ],
      [
        [40, 'Parking'],
        [300, '3'],
        [400, '15,00'],
        [500, '45,00'],
      ],
      [
        [40, 'Base imponible'],
        [300, '10%'],
        [400, '415,00'],
        [500, '41,50'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'Parking', quantity: 3, price_unit: 15, amount: 45 }]);
  });

  it('are named by words or by a code, and not by an amount', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Code'],
        [100, 'Description'],
        [430, 'Price'],
        [500, 'Amount'],
      ],
      [
        [40, 'D1110'],
        [430, '125.00'],
        [500, '125.00'],
      ],
      [
        [40, '0.00'],
        [430, '40.00'],
        [500, '125.50'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ product_code }) => product_code?.value),
      ['D1110'],
    );
  });

  it('are described by all columns of text, and end before a sum without a label and the taxes on it', () => {
    const amounts = (item: string, details: string, quantity: string, rate: string, amount: string): PrintedRow => [
      [40, item],
      [140, details],
      [330, quantity, 'right'],
      [430, rate, 'right'],
      [530, amount, 'right'],
    ];
    const rows = read('invoice', english, [
      [
        [40, 'Activity'],
        [140, 'Description'],
        [310, 'Qty'],
        [410, 'Rate'],
        [500, 'Amount'],
      ],
      amounts('Bracket', 'Galvanised steel', '20', '86.00', '1,720.00'),
      amounts('Welding', 'Field repair', '10', '130.00', '1,300.00'),
      [[530, '3,020.00', 'right']],
      [
        [140, 'Output CGST'],
        [430, '9', 'right'],
        [530, '271.80', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Bracket Galvanised steel', quantity: 20, price_unit: 86, amount: 1720 },
      { description: 'Welding Field repair', quantity: 10, price_unit: 130, amount: 1300 },
    ]);
  });

  it('have the code of a column of articles beside one that describes them', () => {
    const rows = read('delivery_note', german, [
      [
        [40, 'Artikel'],
        [140, 'Bezeichnung'],
        [400, 'Menge'],
      ],
      [
        [40, '20114'],
        [140, 'Sonnenblumenöl'],
        [400, '4'],
      ],
      [
        [40, '31870'],
        [140, 'Mayonnaise'],
        [400, '2'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Sonnenblumenöl', quantity: 4, product_code: '20114' },
      { description: 'Mayonnaise', quantity: 2, product_code: '31870' },
    ]);
  });

  it('have no number for a unit: it is the price where that proves it, else nothing', () => {
    const columns: PrintedRow = [
      [40, 'Description'],
      [200, 'Qty'],
      [250, 'Unit'],
      [320, 'Unit price'],
      [450, 'Amount'],
    ];
    const rows = read('invoice', english, [
      columns,
      [
        [40, 'Copy paper'],
        [200, '2'],
        [250, 'box'],
        [320, '9.50'],
        [450, '19.00'],
      ],
      [
        [40, 'Delivery'],
        [200, '3'],
        [250, '20.00'],
        [450, '60.00'],
      ],
      [
        [40, 'Insurance'],
        [200, '2'],
        [250, '7'],
        [450, '60.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Copy paper', quantity: 2, unit: 'box', price_unit: 9.5, amount: 19 },
      { description: 'Delivery', quantity: 3, price_unit: 20, amount: 60 },
      { description: 'Insurance', quantity: 2, amount: 60 },
    ]);
  });

  it('say where they stand and that their arithmetic holds', () => {
    const [row] = read('invoice', german, [header, paint]);
    const amount = cell(row, 'amount');
    assert.deepEqual(amount.flags, ['arithmetic_holds']);
    assert.ok(amount.confidence < 90);
    assert.deepEqual(amount.provenance, [
      { page: 1, text: '8,00', source: 'text', box: { x0: 510, x1: 530, y0: 52, y1: 62 } },
    ]);
  });

  it('are sure where the products and the sum of the rows hold', () => {
    const sum: PrintedRow = [
      [70, 'Gesamtbetrag'],
      [530, '8,00', 'right'],
    ];
    const [row] = read('invoice', german, [header, paint, sum]);
    for (const column of ['quantity', 'price_unit', 'amount']) assert.ok(cell(row, column).confidence >= 90, column);
    assert.ok(cell(row, 'description').confidence < 90);
  });

  it('are doubted where their arithmetic fails', () => {
    const wrong: PrintedRow = [
      [40, '1'],
      [70, 'Farbe'],
      [300, '3 Stk.'],
      [450, '4,00', 'right'],
      [530, '8,00', 'right'],
    ];
    const [row] = read('invoice', german, [header, wrong, paint, brush]);
    assert.deepEqual(cell(row, 'amount').flags, ['arithmetic_fails']);
    assert.ok(cell(row, 'amount').confidence < 70);
  });

  it('go on over pages, carried sums and repeated headers left out', () => {
    const rows = read(
      'invoice',
      german,
      [
        header,
        paint,
        [
          [400, 'Übertrag'],
          [530, '8,00', 'right'],
        ],
      ],
      [
        header,
        [
          [400, 'Übertrag'],
          [530, '8,00', 'right'],
        ],
        brush,
        [
          [400, 'Summe'],
          [530, '23,00', 'right'],
        ],
      ],
    );
    assert.deepEqual(
      valuesOf(rows).map((row) => row.description),
      ['Farbe, weiß', 'Pinsel'],
    );
  });

  it('are read below captions of two rows', () => {
    const rows = read('invoice', english, [
      [
        [300, 'Unit'],
        [450, 'Line'],
      ],
      [
        [40, 'Description'],
        [220, 'Qty'],
        [300, 'price'],
        [450, 'total'],
      ],
      [
        [40, 'Nougat'],
        [220, '3'],
        [300, '4.55'],
        [450, '13.65'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'Nougat', quantity: 3, price_unit: 4.55, amount: 13.65 }]);
  });

  it('find their columns by arithmetic where a caption says nothing', () => {
    const rows = read('invoice', english, [
      [
        [40, '#'],
        [120, 'Product'],
        [300, 'Rate'],
        [450, 'Sum'],
      ],
      [
        [40, '4.00'],
        [120, 'Balloon'],
        [300, '0.75'],
        [450, '3.00'],
      ],
      [
        [40, '2.00'],
        [120, 'Hot air'],
        [300, '7.50'],
        [450, '15.00'],
      ],
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ quantity, price_unit, amount }) => [quantity, price_unit, amount]),
      [
        [4, 0.75, 3],
        [2, 7.5, 15],
      ],
    );
  });

  it('have the count that price and amount make, where it was not read or was misread', () => {
    const item = (text: string, quantity: string, price: string, amount: string): PrintedRow => [
      [40, text],
      ...(quantity ? ([[300, quantity]] as const) : []),
      [450, price, 'right'],
      [530, amount, 'right'],
    ];
    const head: PrintedRow = [
      [40, 'Description'],
      [300, 'Qty'],
      [400, 'Price'],
      [500, 'Amount'],
    ];
    const counts = (...lines: readonly PrintedRow[]) =>
      read('invoice', english, [head, ...lines]).map((row) => row.quantity?.value ?? null);
    const read3 = item('Rapeseed oil', '31', '29.95', '89.85');
    const missing = item('Centrefeed', '', '11.40', '45.60');
    const read2 = item('Bin liners', '2', '14.75', '29.50');
    const total: PrintedRow = [
      [400, 'Total'],
      [530, '164.95', 'right'],
    ];
    assert.deepEqual(counts(read3, missing, read2, total), [3, 4, 2]);
    // No sum says that the amounts are right.
    assert.deepEqual(counts(read3, missing, read2), [31, 4, 2]);
    // No whole number.
    assert.deepEqual(counts(read2, item('Labour', '', '30.00', '195.00')), [2, null]);
    const [, made] = read('invoice', english, [head, read3, missing, read2, total]);
    assert.ok(cell(made, 'quantity').confidence < 90);
  });

  it('have a discount in percent as an amount', () => {
    const [row] = read('invoice', english, [
      [
        [40, 'Description'],
        [220, 'Quantity'],
        [300, 'Unit Price'],
        [400, 'Disc.'],
        [500, 'Amount'],
      ],
      [
        [40, 'Nougat'],
        [220, '10'],
        [300, '5.00'],
        [400, '10%'],
        [500, '45.00'],
      ],
    ]);
    assert.equal(cell(row, 'discount_amount').value, 5);
    assert.deepEqual(cell(row, 'amount').flags, ['arithmetic_holds']);
  });

  it('have the amount that price and discount make, whatever its column is called', () => {
    const head: PrintedRow = [
      [40, 'Description'],
      [260, 'Qty'],
      [330, 'Price'],
      [420, 'Disc'],
      [500, 'Goods'],
    ];
    const item = (text: string, ...numbers: readonly string[]): PrintedRow => [
      [40, text],
      ...numbers.map((number, at) => [[275, 360, 440, 530][at]!, number, 'right'] as const),
    ];
    const rows = read('invoice', english, [
      head,
      item('Block 100 mm', '180', '2.14', '15.00', '327.42'),
      item('Cement 25 kg', '40', '5.92', '10.00', '213.12'),
      item('Sand, bulk bag', '2', '51.82', '0.00', '103.64'),
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ price_unit, amount }) => [price_unit, amount]),
      [
        [2.14, 327.42],
        [5.92, 213.12],
        [51.82, 103.64],
      ],
    );
  });

  it('are not sure of a price beside a discount, which may be meant before or after it', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Description'],
        [220, 'Quantity'],
        [300, 'Unit Price'],
        [400, 'Disc.'],
        [500, 'Amount'],
      ],
      [
        [40, 'Nougat'],
        [220, '10'],
        [300, '5.00'],
        [400, '10%'],
        [500, '45.00'],
      ],
      [
        [40, 'Biscuits'],
        [220, '2'],
        [300, '3.00'],
        [500, '6.00'],
      ],
      [
        [400, 'Subtotal'],
        [500, '51.00'],
      ],
    ]);
    assert.deepEqual(
      rows.map((row) => ['price_unit', 'amount'].map((column) => cell(row, column).confidence >= 90)),
      [
        [false, true],
        [true, true],
      ],
    );
  });

  it('end where a table of taxes begins', () => {
    const rows = read('invoice', german, [
      header,
      paint,
      null,
      [
        [40, 'Steuersatz'],
        [200, 'Basisbetrag'],
        [400, 'Steuerbetrag'],
      ],
      [
        [40, '19 %'],
        [200, '8,00'],
        [400, '1,52'],
      ],
    ]);
    assert.equal(rows.length, 1);
  });
});

describe('items without a head of columns', () => {
  it('are texts and their amounts that add up, whatever is said of taxes in them', () => {
    const rows = read('invoice', english, [
      [[40, 'To professional services rendered:']],
      [
        [40, 'Audit of financial statements for the year ended 31'],
        [400, '£4,250.00'],
      ],
      [[40, 'December 2024']],
      [
        [40, 'Preparation and submission of the corporation tax return'],
        [400, '£650.00'],
      ],
      [
        [300, 'Sub total'],
        [400, '£4,900.00'],
      ],
      [
        [300, 'VAT @ 20%'],
        [400, '£980.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Audit of financial statements for the year ended 31 December 2024', amount: 4250 },
      { description: 'Preparation and submission of the corporation tax return', amount: 650 },
    ]);
  });

  it('stand below captions, and not below the title above these', () => {
    const rows = read('invoice', english, [
      [[190, 'Professional Services Rendered']],
      [
        [40, 'Date'],
        [110, 'Description'],
        [400, 'Hours'],
        [450, 'Rate'],
        [510, 'Amount'],
      ],
      [
        [40, '06/05/25'],
        [110, 'Review of the draft and telephone conference with client'],
        [400, '1.40'],
        [450, '325.00'],
        [510, '455.00'],
      ],
    ]);
    assert.equal(rows[0]?.description?.value, 'Review of the draft and telephone conference with client');
  });
});

describe('items of a receipt', () => {
  it('take quantity and price from the row below', () => {
    const rows = read('receipt', english, [
      [[40, 'CORNER SHOP']],
      [
        [40, 'MILK 1L'],
        [300, '3.00'],
      ],
      [[60, '2 x 1.50']],
      [
        [40, 'BREAD'],
        [300, '1.20'],
      ],
      [
        [40, 'TOTAL'],
        [300, '4.20'],
      ],
      [
        [40, 'CASH'],
        [300, '5.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'MILK 1L', amount: 3, quantity: 2, price_unit: 1.5 },
      { description: 'BREAD', amount: 1.2 },
    ]);
    assert.ok(cell(rows[1], 'amount').confidence >= 90, 'the sum is printed');
  });

  it('take quantity and price from a row of their own where the product is their amount, above them too', () => {
    const rows = read('receipt', { ...german, language: 'it' }, [
      [
        [40, 'DESCRIZIONE'],
        [200, 'IVA'],
        [300, 'Prezzo'],
      ],
      [
        [40, 'PANE TOSCANO'],
        [200, '4%'],
        [300, '2,85'],
      ],
      [[40, '3 X 1,40']],
      [
        [40, 'CORNETTO CREMA'],
        [200, '10%'],
        [300, '4,20'],
      ],
      [
        [40, '2 DOLIPRANE'],
        [200, '10%'],
        [300, '4,36'],
      ],
      [[40, '2 x 2,18 €']],
      [
        [40, 'TOTALE'],
        [300, '11,41'],
      ],
    ]);
    assert.deepEqual(
      rows.map((row) => [row.description?.value, row.quantity?.value, row.price_unit?.value]),
      [
        ['PANE TOSCANO', undefined, undefined],
        ['CORNETTO CREMA', 3, 1.4],
        ['2 DOLIPRANE', 2, 2.18],
      ],
    );
  });

  it('take their text from the row above the numbers', () => {
    const rows = read('receipt', english, [
      [[40, 'CORNER SHOP']],
      [[40, 'TAX INVOICE']],
      [[40, 'WASH BALL']],
      [
        [40, '9064074'],
        [150, '2 X 1.13'],
        [300, '2.26'],
      ],
      [[40, 'SPONGE']],
      [
        [40, '9064017'],
        [150, '1 X 2.83'],
        [300, '2.83'],
      ],
      [
        [40, 'TOTAL'],
        [300, 'RM 5.09'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'WASH BALL', amount: 2.26, quantity: 2, price_unit: 1.13, product_code: '9064074' },
      { description: 'SPONGE', amount: 2.83, quantity: 1, price_unit: 2.83, product_code: '9064017' },
    ]);
  });

  it('take a measure that OCR read as an amount for part of the name', () => {
    const rows = read('receipt', german, [
      [
        [40, 'Pils'],
        [80, '0,51'],
      ],
      [
        [60, '3 x 3,94'],
        [300, '11,82'],
      ],
      [
        [40, 'Suppe'],
        [300, '6,39'],
      ],
      [
        [40, 'SUMME'],
        [300, '18,21'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Pils 0,5l', amount: 11.82, quantity: 3, price_unit: 3.94 },
      { description: 'Suppe', amount: 6.39 },
    ]);
  });

  it('are weighed below their name, whatever was read for pounds and euros', () => {
    const american = read('receipt', { ...english, country: 'US', currency: 'USD' }, [
      [[40, 'GROCERY']],
      [[40, 'ORG BANANAS']],
      [
        [60, '2.14 1b @ 0.79/1b'],
        [300, '1.69 F'],
      ],
      [
        [40, 'OAT MILK'],
        [300, '4.49 F'],
      ],
      [
        [40, 'TOTAL'],
        [300, '6.18'],
      ],
    ]);
    assert.deepEqual(valuesOf(american), [
      { description: 'ORG BANANAS', quantity: 2.14, price_unit: 0.79, amount: 1.69 },
      { description: 'OAT MILK', amount: 4.49 },
    ]);
    const french = read('receipt', { ...german, language: 'fr' }, [
      [[40, 'COURGETTES VRAC']],
      [
        [60, '0,845 kg × 2,95 E/kg'],
        [300, '2,49 1'],
      ],
      [
        [40, 'TOTAL'],
        [300, '2,49'],
      ],
    ]);
    assert.deepEqual(valuesOf(french), [
      { description: 'COURGETTES VRAC', quantity: 0.845, price_unit: 2.95, amount: 2.49 },
    ]);
  });

  it('are added up by kind below them, which are no items', () => {
    const priced = (label: string, amount: string): PrintedRow => [
      [40, label],
      [300, amount],
    ];
    const rows = read(
      'receipt',
      english,
      [
        [
          priced('2 Ploughmans', '27.00'),
          priced('1 Fish & Chips', '16.50'),
          priced('1 Pint Butty', '5.40'),
          priced('Food', '43.50'),
          priced('Drinks', '5.40'),
          priced('Total', '48.90'),
        ],
      ].flat(),
    );
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['Ploughmans', 'Fish & Chips', 'Pint Butty'],
    );
  });

  it('keep a discount with the item above', () => {
    const rows = read('receipt', english, [
      [
        [40, 'JACKET'],
        [300, '50.00'],
      ],
      [
        [40, 'DISCOUNT'],
        [300, '-10.00'],
      ],
      [
        [40, 'TOTAL'],
        [300, '40.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'JACKET', amount: 50, discount_amount: 10 }]);
    assert.ok(cell(rows[0], 'amount').confidence >= 90);
  });
});

describe('transactions of a bank statement', () => {
  it('have debit, credit and a balance that proves them', () => {
    const rows = read('bank_statement', english, [
      [[40, 'Statement 1 January 2024 to 31 January 2024']],
      [
        [40, 'Date'],
        [110, 'Description'],
        [320, 'Money out'],
        [420, 'Money in'],
        [520, 'Balance'],
      ],
      [
        [40, '01/01/2024'],
        [110, 'Opening balance'],
        [520, '100.00'],
      ],
      [
        [40, '03/01/2024'],
        [110, 'Card payment'],
        [320, '20.00'],
        [520, '80.00'],
      ],
      [[110, 'Corner shop London']],
      [
        [40, '05/01/2024'],
        [110, 'Salary'],
        [420, '900.00'],
        [520, '980.00'],
      ],
      [
        [40, '31/01/2024'],
        [110, 'Closing balance'],
        [520, '980.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { date: '2024-01-03', description: 'Card payment Corner shop London', debit: 20, balance: 80 },
      { date: '2024-01-05', description: 'Salary', credit: 900, balance: 980 },
    ]);
    assert.deepEqual(cell(rows[0], 'debit').flags, ['arithmetic_holds']);
  });

  it('have what was withdrawn in a column, and days that are broken over two rows', () => {
    const rows = read('bank_statement', english, [
      [[40, '02 Nov - 01 Dec 2023']],
      [
        [40, 'Date'],
        [110, 'Description'],
        [320, 'Paid In(£)'],
        [420, 'Withdrawn(£)'],
        [520, 'Balance(£)'],
      ],
      [
        [40, '2 Nov'],
        [110, 'BROUGHT FORWARD'],
        [520, '640.21'],
      ],
      [
        [40, '15'],
        [110, 'Card payment to Example Stores'],
        [420, '52.55'],
        [520, '587.66'],
      ],
      [[40, 'Nov']],
      [
        [40, '28'],
        [110, 'Received from Sample Fabrications'],
        [320, '1,450.00'],
        [520, '2,037.66'],
      ],
      [[40, 'Nov']],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { date: '2023-11-15', description: 'Card payment to Example Stores', debit: 52.55, balance: 587.66 },
      { date: '2023-11-28', description: 'Received from Sample Fabrications', credit: 1450, balance: 2037.66 },
    ]);
  });

  it('have days with ordinals, whose year is no part of a sort code, and deductions that go out', () => {
    const rows = read('bank_statement', english, [
      [[40, 'Sort Code: 09-01-28']],
      [[40, '4th Feb 2025 to 3rd Mar 2025']],
      [
        [40, 'Date'],
        [110, 'Description'],
        [300, 'Money in'],
        [390, 'Money out'],
        [480, '£ Balance'],
      ],
      [
        [40, '10th Feb'],
        [110, 'DIRECT DEBIT PAYMENT'],
        [390, '46.50'],
        [480, '955.60'],
      ],
      [
        [40, '28th Feb'],
        [110, 'BANK GIRO CREDIT'],
        [300, '1,500.00'],
        [480, '2,455.60'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { date: '2025-02-10', description: 'DIRECT DEBIT PAYMENT', debit: 46.5, balance: 955.6 },
      { date: '2025-02-28', description: 'BANK GIRO CREDIT', credit: 1500, balance: 2455.6 },
    ]);
    const header: PrintedRow = [
      [40, 'Date'],
      [110, 'Amount'],
      [200, 'Description'],
    ];
    const deductions = read('bank_statement', english, [
      [[40, 'Statement 01/01/2025 to 31/01/2025']],
      [[40, 'Deposits and Other Additions']],
      header,
      [
        [40, '03/01'],
        [110, '1,200.00'],
        [200, 'Payroll'],
      ],
      [[40, 'Online and Electronic Banking Deductions']],
      header,
      [
        [40, '05/01'],
        [110, '1,523.24'],
        [200, 'Mortgage'],
      ],
    ]);
    assert.deepEqual(
      valuesOf(deductions).map(({ debit, credit }) => [debit, credit]),
      [
        [undefined, 1200],
        [1523.24, undefined],
      ],
    );
  });

  it('have the day of value below that of the booking, and what goes on beside it', () => {
    const rows = read('bank_statement', german, [
      [
        [40, 'Buchung'],
        [110, 'Verwendungszweck'],
        [420, 'Betrag (EUR)'],
      ],
      [
        [40, '06.05.2024'],
        [110, 'Ueberweisung Hausverwaltung Oppelt'],
        [420, '-815,50'],
      ],
      [
        [40, '07.05.2024'],
        [110, 'Miete Mai Whg. 12'],
      ],
      [
        [40, '31.05.2024'],
        [110, 'Gehalt/Rente'],
        [420, '2.087,44'],
      ],
      [
        [40, '31.05.2024'],
        [110, 'Lohn 05/2024'],
      ],
      [
        [110, 'Neuer Saldo'],
        [420, '3.268,66'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      {
        date: '2024-05-06',
        value_date: '2024-05-07',
        description: 'Ueberweisung Hausverwaltung Oppelt Miete Mai Whg. 12',
        debit: 815.5,
      },
      { date: '2024-05-31', value_date: '2024-05-31', description: 'Gehalt/Rente Lohn 05/2024', credit: 2087.44 },
    ]);
  });

  it('have the day of value behind what was booked, and no balance of a day among them', () => {
    const rows = read('bank_statement', german, [
      [
        [40, 'Datum'],
        [110, 'Erläuterung'],
        [420, 'Betrag EUR'],
      ],
      [
        [40, '02.06.2025'],
        [110, 'Dauerauftrag Wert: 01.06.2025'],
        [420, '612,00-'],
      ],
      [[110, 'Beispiel Wohnen GmbH Miete']],
      [
        [40, '27.06.2025'],
        [110, 'Gutschrift Wert: 27.06.2025'],
        [420, '455,00+'],
      ],
      [
        [110, 'Saldo am 30.06.2025'],
        [420, '843,00+'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      {
        date: '2025-06-02',
        value_date: '2025-06-01',
        description: 'Dauerauftrag Beispiel Wohnen GmbH Miete',
        debit: 612,
      },
      { date: '2025-06-27', value_date: '2025-06-27', description: 'Gutschrift', credit: 455 },
    ]);
  });

  it('have columns whose currency was read as a letter', () => {
    const rows = read('bank_statement', english, [
      [
        [40, 'Date'],
        [110, 'Description'],
        [320, 'Paid Out(E)'],
        [420, 'Paid In(E)'],
        [520, 'Balance(E)'],
      ],
      [
        [40, '01/01/2024'],
        [110, 'BROUGHT FORWARD'],
        [520, '100.00'],
      ],
      [
        [40, '03/01/2024'],
        [110, 'CHQ 000881'],
        [320, '20.00'],
        [520, '80.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ date: '2024-01-03', description: 'CHQ 000881', debit: 20, balance: 80 }]);
  });

  it('have the sign of the part of the statement that they stand in', () => {
    const header: PrintedRow = [
      [40, 'Date'],
      [120, 'Description'],
      [450, 'Amount', 'right'],
    ];
    const row = (date: string, text: string, amount: string): PrintedRow => [
      [40, date],
      [120, text],
      [450, amount, 'right'],
    ];
    const rows = read('bank_statement', english, [
      [[40, 'Deposits and additions']],
      header,
      row('01/03/2024', 'Salary', '2,000.00'),
      row('02/03/2024', 'Interest', '1.50'),
      [
        [40, 'Total deposits and additions'],
        [450, '2,001.50', 'right'],
      ],
      null,
      [[40, 'Electronic withdrawals']],
      header,
      row('03/03/2024', 'Rent', '900.00'),
      row('04/03/2024', 'Power', '80.25'),
    ]);
    assert.deepEqual(
      rows.map((each) => [each.description?.value, each.credit?.value ?? null, each.debit?.value ?? null]),
      [
        ['Salary', 2000, null],
        ['Interest', 1.5, null],
        ['Rent', null, 900],
        ['Power', null, 80.25],
      ],
    );
  });

  it('have days without a year one below the other, and text that is named like a section', () => {
    const rows = read('bank_statement', english, [
      [[40, 'Your statement 1 - 28 February 2023, printed on 28 February 2023']],
      [
        [40, 'Date'],
        [110, 'Description'],
        [320, 'Money out'],
        [420, 'Money in'],
        [520, 'Balance'],
      ],
      [
        [40, '3 Feb'],
        [110, 'Standing order'],
        [330, '850.00'],
        [525, '438.40'],
      ],
      [
        [40, '10 Feb'],
        [110, 'Card payment to Corner Superstore'],
      ],
      [
        [110, 'On 9 Feb'],
        [330, '76.25'],
        [525, '362.15'],
      ],
      [
        [40, '24 Feb'],
        [110, 'Received from Braithwaite'],
        [425, '2,140.00'],
        [525, '2,502.15'],
      ],
    ]);
    assert.deepEqual(
      rows.map((each) => [
        each.date?.value,
        each.debit?.value ?? null,
        each.credit?.value ?? null,
        each.balance?.value,
      ]),
      [
        ['2023-02-03', 850, null, 438.4],
        ['2023-02-10', 76.25, null, 362.15],
        ['2023-02-24', null, 2140, 2502.15],
      ],
    );
  });

  it('may go out and come in below these words alone', () => {
    const rows = read('bank_statement', english, [
      [
        [40, 'Date'],
        [110, 'Description'],
        [300, '£ Out'],
        [380, '£ In'],
        [460, '£ Balance'],
      ],
      [
        [40, '02 Jun 2025'],
        [110, 'Opening balance'],
        [460, '1,000.00'],
      ],
      [
        [40, '03 Jun 2025'],
        [110, 'Harbour Rent'],
        [300, '650.00'],
        [460, '350.00'],
      ],
      [
        [40, '05 Jun 2025'],
        [110, 'Salary'],
        [380, '2,100.00'],
        [460, '2,450.00'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ debit, credit }) => [debit?.value, credit?.value]),
      [
        [650, undefined],
        [undefined, 2100],
      ],
    );
  });

  const cardPayment: readonly PrintedRow[] = [
    [
      [40, 'Datum'],
      [110, 'Erläuterung'],
      [400, 'Betrag'],
    ],
    [
      [40, '05.06.2025'],
      [110, 'Kartenzahlung'],
      [400, '-47,92'],
    ],
  ];

  it('may have their day of value on a line of its own', () => {
    const rows = read('bank_statement', german, [...cardPayment, [[110, 'Wert: 04.06.2025']], [[110, 'Markt am Tor']]]);
    assert.equal(rows[0]?.description?.value, 'Kartenzahlung Markt am Tor');
    assert.equal(rows[0]?.value_date?.value, '2025-06-04');
  });

  it('may have their day of value behind a caption of several words', () => {
    const rows = read('bank_statement', german, [...cardPayment, [[110, 'Date de valeur : 04.06.2025']]]);
    assert.equal(rows[0]?.description?.value, 'Kartenzahlung');
    assert.equal(rows[0]?.value_date?.value, '2025-06-04');
  });

  it('are known by their dates and amounts where no heading says what describes them', () => {
    const rows = read('bank_statement', german, [
      [
        [40, 'Datum'],
        [110, 'Erläuterung'],
        [450, 'Betrag EUR'],
      ],
      [
        [40, '01.03.2023'],
        [110, 'Dauerauftrag'],
        [450, '680,00 -'],
      ],
      [
        [40, '28.03.2023'],
        [110, 'Gutschrift'],
        [450, '500,00 +'],
      ],
    ]);
    assert.deepEqual(
      rows.map((each) => [each.date?.value, each.debit?.value ?? null, each.credit?.value ?? null]),
      [
        ['2023-03-01', 680, null],
        ['2023-03-28', null, 500],
      ],
    );
  });

  it('need no headings where balances prove them', () => {
    const rows = read('bank_statement', english, [
      [[40, 'Statement date: 30 September 2023']],
      [
        [40, '01 Sep'],
        [90, 'Balance from statement 13'],
        [520, '820.11'],
      ],
      [
        [40, '04 Sep'],
        [90, 'DD'],
        [120, 'Council tax'],
        [400, '95.00'],
        [520, '725.11'],
      ],
      [
        [40, '12 Sep'],
        [90, 'From J Reed'],
        [330, '30.50'],
        [520, '755.61'],
      ],
      [
        [40, '30 Sep'],
        [90, 'Closing balance'],
        [520, '755.61'],
      ],
    ]);
    assert.deepEqual(
      rows.map((each) => [
        each.date?.value,
        each.description?.value,
        each.debit?.value ?? null,
        each.credit?.value ?? null,
        each.balance?.value,
      ]),
      [
        ['2023-09-04', 'DD Council tax', 95, null, 725.11],
        ['2023-09-12', 'From J Reed', null, 30.5, 755.61],
      ],
    );
    assert.deepEqual(
      read('bank_statement', english, [
        [[40, 'Printed on 30 September 2023']],
        [
          [40, '04 Sep'],
          [90, 'Council tax'],
          [400, '95.00'],
        ],
        [
          [40, '12 Sep'],
          [90, 'From J Reed'],
          [400, '30.50'],
        ],
      ]),
      [],
    );
  });

  it('have their day in a column of days that no caption names', () => {
    const rows = read('bank_statement', german, [
      [
        [40, 'F. Oper.'],
        [120, 'F. Valor'],
        [200, 'Concepto'],
        [400, 'Importe'],
        [500, 'Saldo'],
      ],
      [
        [40, '09/01/2023'],
        [120, '10/01/2023'],
        [200, 'Recibo'],
        [400, '-58,65'],
        [500, '1.951,35'],
      ],
      [
        [40, '20/01/2023'],
        [120, '21/01/2023'],
        [200, 'Transferencia'],
        [400, '-180,00'],
        [500, '1.771,35'],
      ],
    ]);
    assert.deepEqual(
      rows.map((each) => [each.date?.value, each.value_date?.value]),
      [
        ['2023-01-09', '2023-01-10'],
        ['2023-01-20', '2023-01-21'],
      ],
    );
  });

  it('take the year of dates without one from the statement', () => {
    const rows = read('bank_statement', german, [
      [[40, 'Kontoauszug vom 05.01.2024']],
      [
        [40, 'Buchung'],
        [110, 'Wert'],
        [180, 'Verwendungszweck'],
        [500, 'Betrag'],
      ],
      [
        [40, '29.12.'],
        [110, '30.12.'],
        [180, 'Miete'],
        [540, '-700,00', 'right'],
      ],
      [
        [40, '02.01.'],
        [110, '02.01.'],
        [180, 'Gehalt'],
        [540, '+1.900,00', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { date: '2023-12-29', value_date: '2023-12-30', description: 'Miete', debit: 700 },
      { date: '2024-01-02', value_date: '2024-01-02', description: 'Gehalt', credit: 1900 },
    ]);
  });

  it('have no day that its year does not have: the 29th of February is the leap year’s', () => {
    const statement = (printed: string) =>
      read('bank_statement', german, [
        [[40, `Kontoauszug vom ${printed}`]],
        [
          [40, 'Buchung'],
          [180, 'Verwendungszweck'],
          [500, 'Betrag'],
        ],
        [
          [40, '29.02.'],
          [180, 'Miete'],
          [540, '-700,00', 'right'],
        ],
        [
          [40, '02.01.'],
          [180, 'Gehalt'],
          [540, '+1.900,00', 'right'],
        ],
      ]).map(({ date }) => date?.value);
    assert.deepEqual(statement('05.03.2024'), ['2024-02-29', '2024-01-02']);
    assert.deepEqual(statement('05.03.2025'), ['2024-02-29', '2025-01-02']);
    assert.deepEqual(statement('05.03.2026'), ['2026-01-02']);
  });

  it('tell what goes out of one column by the balances', () => {
    const rows = read('bank_statement', english, [
      [
        [40, 'Date'],
        [110, 'Description'],
        [400, 'Amount'],
        [520, 'Balance'],
      ],
      [
        [40, '01/02/2024'],
        [110, 'Opening balance'],
        [520, '50.00'],
      ],
      [
        [40, '02/02/2024'],
        [110, 'Shop'],
        [400, '10.00'],
        [520, '40.00'],
      ],
      [
        [40, '03/02/2024'],
        [110, 'Refund'],
        [400, '5.00'],
        [520, '45.00'],
      ],
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ debit, credit }) => [debit, credit]),
      [
        [10, undefined],
        [undefined, 5],
      ],
    );
  });
});

describe('results of a laboratory', () => {
  it('have value, unit, range and flag; headings of groups are no rows', () => {
    const rows = read('medical_report', english, [
      [
        [40, 'Test'],
        [200, 'Result'],
        [280, 'Unit'],
        [360, 'Reference range'],
        [500, 'Flag'],
      ],
      [[40, 'HAEMATOLOGY']],
      [
        [40, 'Haemoglobin'],
        [200, '10.5'],
        [280, 'g/dL'],
        [360, '12.0 - 16.0'],
        [500, 'L'],
      ],
      [
        [40, 'White cells'],
        [200, '6.1'],
        [280, '10^9/L'],
        [360, '4.0 - 11.0'],
      ],
      [
        [40, 'Nitrite'],
        [200, 'negative'],
        [360, 'negative'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { test: 'Haemoglobin', value: 10.5, unit: 'g/dL', reference_range: '12.0 - 16.0', flag: 'L' },
      { test: 'White cells', value: 6.1, unit: '10^9/L', reference_range: '4.0 - 11.0' },
      { test: 'Nitrite', value: 'negative', reference_range: 'negative' },
    ]);
  });
});

describe('results of a laboratory without all headings', () => {
  it('have their tests left of the headings, and no earlier result in their range', () => {
    const rows = read('medical_report', german, [
      [
        [200, 'Résultat'],
        [280, 'Unité'],
        [340, 'Valeurs de référence'],
        [480, 'Antériorité 03/10/2023'],
      ],
      ...[
        ['Glycémie', '1,02', '0,74 – 1,06', '0,98'],
        ['Créatinine', '8,10', '5,10 – 9,50', '8,40'],
      ].map(
        ([name, value, range, earlier]): PrintedRow => [
          [40, name!],
          [200, value!],
          [280, 'g/L'],
          [340, range!],
          [480, earlier!],
        ],
      ),
    ]);
    assert.deepEqual(valuesOf(rows), [
      { test: 'Glycémie', value: 1.02, unit: 'g/L', reference_range: '0,74 – 1,06' },
      { test: 'Créatinine', value: 8.1, unit: 'g/L', reference_range: '5,10 – 9,50' },
    ]);
  });

  it('have their unit behind the range where no column has it', () => {
    const rows = read('medical_report', english, [
      [
        [40, 'Test Name'],
        [200, 'Result'],
        [340, 'Reference Range'],
      ],
      [
        [40, 'GLUCOSE'],
        [200, '118'],
        [340, '65-99 mg/dL'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ test: 'GLUCOSE', value: 118, unit: 'mg/dL', reference_range: '65-99' }]);
  });
});

describe('movements of a credit card', () => {
  it('are charged where they have no sign, and paid where they are marked or negative', () => {
    const rows = read('bank_statement', english, [
      [
        [40, 'Credit limit'],
        [200, '4,500.00'],
      ],
      [[40, 'Statement date 21 August 2024']],
      [
        [40, 'Date'],
        [140, 'Description'],
        [480, 'Amount'],
      ],
      [
        [40, '02 Aug 2024'],
        [140, 'SAMPLE FUELS'],
        [480, '74.50'],
      ],
      [
        [40, '09 Aug 2024'],
        [140, 'PAYMENT RECEIVED'],
        [480, '500.00 CR'],
      ],
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ debit, credit }) => [debit, credit]),
      [
        [74.5, undefined],
        [undefined, 500],
      ],
    );
  });

  it('are charged in a part that lists charges', () => {
    const row = (date: string, text: string, amount: string): PrintedRow => [
      [40, date],
      [140, text],
      [480, amount],
    ];
    const rows = read('bank_statement', english, [
      [[40, 'Minimum payment due 40.00']],
      [[40, 'Statement date 21 August 2024']],
      row('Date', 'Description', 'Amount'),
      row('02 Aug 2024', 'SAMPLE FUELS', '74.50'),
      [[40, 'FEES CHARGED']],
      row('09 Aug 2024', 'LATE FEE', '23.00'),
    ]);
    assert.deepEqual(
      valuesOf(rows).map(({ debit, credit }) => [debit, credit]),
      [
        [74.5, undefined],
        [23, undefined],
      ],
    );
  });
});

describe('types without rows', () => {
  it('have none, whatever is printed', () => {
    assert.deepEqual(
      read('contract', english, [
        [
          [40, 'Description'],
          [300, 'Quantity'],
          [400, 'Price'],
          [500, 'Amount'],
        ],
        [
          [40, 'Paint'],
          [300, '2'],
          [400, '4.00'],
          [500, '8.00'],
        ],
      ]),
      [],
    );
  });
});

describe('codes on lines of their own', () => {
  const header: PrintedRow = [
    [40, 'Part Number / Description'],
    [300, 'Qty'],
    [400, 'Unit Price'],
    [500, 'Amount'],
  ];
  const priced = (text: string, quantity: string, price: string, amount: string): PrintedRow => [
    [40, text],
    [300, quantity],
    [450, price, 'right'],
    [530, amount, 'right'],
  ];

  it('are the items’ codes, above the description or below it', () => {
    const above = read('invoice', english, [
      header,
      priced('BMD-20417-A', '50', '128.60', '6430.00'),
      [[40, 'Housing, drill guide']],
      priced('BMD-10883-C', '600', '5.50', '3300.00'),
      [[40, 'Locking pin']],
    ]);
    const below = read('invoice', english, [
      [[40, 'Description'], ...header.slice(1)],
      priced('Brake pads, front', '1', '89.95', '89.95'),
      [[40, 'BP-1044C']],
      priced('Rotor, front', '2', '78.50', '157.00'),
      [[40, 'RT-55310']],
    ]);
    assert.deepEqual(
      [...above, ...below].map((row) => [cell(row, 'product_code').value, cell(row, 'description').value]),
      [
        ['BMD-20417-A', 'Housing, drill guide'],
        ['BMD-10883-C', 'Locking pin'],
        ['BP-1044C', 'Brake pads, front'],
        ['RT-55310', 'Rotor, front'],
      ],
    );
  });

  it('amounts far below items that cost quantity times price are none', () => {
    const rows = read('invoice', english, [
      [[40, 'Description'], ...header.slice(1)],
      priced('Brake pads', '1', '89.95', '89.95'),
      priced('Rotor', '2', '78.50', '157.00'),
      null,
      null,
      null,
      null,
      [
        [40, 'I authorize the above repair work'],
        [400, 'Parts'],
        [530, '246.95', 'right'],
      ],
      [
        [40, 'and its inspection'],
        [400, 'Labor'],
        [530, '96.00', 'right'],
      ],
    ]);
    assert.deepEqual(
      rows.map((row) => cell(row, 'description').value),
      ['Brake pads', 'Rotor'],
    );
  });
});

describe('what stands between a weight and its price', () => {
  it('is no part of a description, which stands above it', () => {
    const rows = read('receipt', english, [
      [[40, 'HASS AVOCADO']],
      [
        [50, 'Qty 4 @ $1.40 each'],
        [300, '$5.60', 'right'],
      ],
      [[40, 'ROMA TOMATOES']],
      [
        [50, '0.402 kg NET @ $2.99/kg'],
        [300, '$1.20', 'right'],
      ],
      [
        [40, 'TOTAL'],
        [300, '$6.80', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'HASS AVOCADO', quantity: 4, price_unit: 1.4, amount: 5.6 },
      { description: 'ROMA TOMATOES', quantity: 0.402, price_unit: 2.99, amount: 1.2 },
    ]);
  });
});

describe('captions of parts of a column', () => {
  it('may stand further below it', () => {
    const values = (text: string, quantity: string, price: string, tax: string, amount: string): PrintedRow => [
      [40, text],
      [230, quantity, 'right'],
      [300, price, 'right'],
      [350, '18%', 'right'],
      [420, tax, 'right'],
      [520, amount, 'right'],
    ];
    const document = typeset([
      [
        [40, 'Item & Description'],
        [210, 'Qty'],
        [270, 'Rate'],
        [330, 'IGST'],
        [480, 'Amount'],
      ],
      [
        [335, '%'],
        [400, 'Amt'],
      ],
      values('Axial fan', '4', '12,500.00', '9,000.00', '50,000.00'),
      values('Kit', '4', '1,500.00', '1,080.00', '6,000.00'),
    ]);
    // The second row of captions is set lower than rows of text are.
    const pages = document.pages.map((page) => {
      const words = page.words.map((word) =>
        word.box.y0 < 50 ? { ...word, box: { ...word.box, y0: word.box.y0 - 8, y1: word.box.y1 - 8 } } : word,
      );
      return { ...page, words, readings: [{ source: 'text' as const, words }] };
    });
    const rows = readRows(documentTypeOf('invoice'), layOut({ ...document, pages }), english);
    assert.deepEqual(
      rows.map((row) => cell(row, 'amount').value),
      [50000, 6000],
    );
  });
});

describe('a filling station’s receipt', () => {
  it('has one item by its labelled rows', () => {
    const rows = read('receipt', english, [
      [[40, 'PUMP# 06']],
      [[40, 'PRODUCT: UNLEADED']],
      [
        [40, 'GALLONS:'],
        [300, '12.394', 'right'],
      ],
      [
        [40, 'PRICE/GAL:'],
        [300, '$3.799', 'right'],
      ],
      [
        [40, 'FUEL TOTAL:'],
        [300, '$47.08', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'UNLEADED', quantity: 12.394, price_unit: 3.799, amount: 47.08 }]);
  });
});

describe('rows that tills end with the number of their tax rate', () => {
  it('have amounts before it, and prices before their descriptions', () => {
    const rows = read('receipt', german, [
      [
        [40, '1 Bauernbrot'],
        [280, '5,40', 'right'],
        [300, '1'],
      ],
      [
        [40, '3 x 1,75 Butterbreze'],
        [280, '5,25', 'right'],
        [300, '1'],
      ],
      [
        [40, 'Summe EUR'],
        [280, '10,65', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Bauernbrot', quantity: 1, amount: 5.4 },
      { description: 'Butterbreze', quantity: 3, price_unit: 1.75, amount: 5.25 },
    ]);
  });
});

describe('a table with one column of prices and no quantities', () => {
  it('has the amounts in it', () => {
    const rows = read('quote', english, [
      [
        [40, 'Description'],
        [400, 'Price'],
      ],
      [
        [40, 'Deck framing'],
        [440, '$4,350.00', 'right'],
      ],
      [
        [40, 'Composite decking'],
        [440, '$4,725.00', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Deck framing', amount: 4350 },
      { description: 'Composite decking', amount: 4725 },
    ]);
  });
});

describe('columns of a table', () => {
  it('are counted where headings are aligned at another side than what stands below them', () => {
    const rows = read('quote', german, [
      [
        [40, 'Bezeichnung'],
        [300, 'Menge'],
        [360, 'Preis'],
        [450, 'Betrag'],
      ],
      [
        [40, 'Kessel 80 kW'],
        [350, '2', 'right'],
        [440, '6.450,00', 'right'],
        [540, '12.900,00', 'right'],
      ],
      [
        [40, 'Pumpe'],
        [350, '3', 'right'],
        [440, '540,00', 'right'],
        [540, '1.620,00', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'Kessel 80 kW', quantity: 2, price_unit: 6450, amount: 12900 },
      { description: 'Pumpe', quantity: 3, price_unit: 540, amount: 1620 },
    ]);
  });

  it('are known by their captions without what these say of the tax', () => {
    const rows = read('invoice', german, [
      [
        [40, 'Bezeichnung'],
        [300, 'Menge'],
        [380, 'EP netto'],
        [480, 'Betrag exkl. MwSt'],
      ],
      [
        [40, 'Montage'],
        [300, '8'],
        [380, '62,50'],
        [480, '500,00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'Montage', quantity: 8, price_unit: 62.5, amount: 500 }]);
  });

  it('of numbers have their descriptions above them where no row has one beside them', () => {
    const rows = read('receipt', german, [
      [
        [40, 'Artikel'],
        [120, 'Menge'],
        [180, 'Preis'],
        [260, 'Summe'],
      ],
      [[40, 'SONNENCREME EXTRA MILD 50']],
      [
        [130, '2'],
        [180, '2,18'],
        [260, '4,36'],
      ],
      [[40, 'KOCHSALZ AMPULLEN X20']],
      [
        [130, '1'],
        [180, '3,99'],
        [260, '3,99'],
      ],
      [
        [40, 'Gesamt'],
        [260, '8,35'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'SONNENCREME EXTRA MILD 50', quantity: 2, price_unit: 2.18, amount: 4.36 },
      { description: 'KOCHSALZ AMPULLEN X20', quantity: 1, price_unit: 3.99, amount: 3.99 },
    ]);
  });
});

describe('items of a till', () => {
  const priced = (...rows: PrintedRow[]) => valuesOf(read('receipt', german, rows));
  const item = (text: string, amount: string): PrintedRow => [
    [40, text],
    [300, amount],
  ];

  it('may have quantity and price in one word', () => {
    const total: PrintedRow = [
      [40, 'SUMA PLN'],
      [300, '36,58'],
    ];
    assert.deepEqual(priced(item('CAFE MOULU 2x3,45', '6,90'), item('CREME 1*29,68=', '29,68A'), total), [
      { description: 'CAFE MOULU', quantity: 2, price_unit: 3.45, amount: 6.9 },
      { description: 'CREME', quantity: 1, price_unit: 29.68, amount: 29.68 },
    ]);
  });

  it('may have what a pack holds in one word like quantity and price', () => {
    assert.deepEqual(priced(item('BIER PILS 6X0,33', '4,79 A'), item('SUMME', '4,79')), [
      { description: 'BIER PILS 6X0,33', amount: 4.79 },
    ]);
  });

  it('may have what a pack weighs in their names, and the price of each on the row below', () => {
    const rows = [
      item('DORITOS NACHO 9,25OZ', '5,29'),
      [[40, 'SURF CLEANER']] as PrintedRow,
      item('2 @ 4,25 EACH', '8,50'),
      item('SUMME', '13,79'),
    ];
    assert.deepEqual(priced(...rows), [
      { description: 'DORITOS NACHO 9,25OZ', amount: 5.29 },
      { description: 'SURF CLEANER', quantity: 2, price_unit: 4.25, amount: 8.5 },
    ]);
  });

  it('may have units on the rows of their prices, and a measure behind the factors before their names', () => {
    const rows = [
      [[40, 'PENSOS HAND STAND']] as PrintedRow,
      [
        [40, '2 UN'],
        [120, '3,49'],
        [200, '23%'],
        [300, '6,98'],
      ] as PrintedRow,
      item('4× 4,60 Helles 0,51', '18,40'),
      item('SUMME', '25,38'),
    ];
    assert.deepEqual(priced(...rows), [
      { description: 'PENSOS HAND STAND', quantity: 2, price_unit: 3.49, amount: 6.98 },
      { description: 'Helles 0,51', quantity: 4, price_unit: 4.6, amount: 18.4 },
    ]);
  });

  it('may have their count with its sign in a table of amounts', () => {
    const heading: PrintedRow = [
      [40, 'DESCRIZIONE'],
      [300, 'Prezzo'],
    ];
    assert.deepEqual(priced(heading, item('2x ESPRESSO', '2,60'), item('CORNETTO', '1,60'), item('TOTALE', '4,20')), [
      { description: 'ESPRESSO', quantity: 2, amount: 2.6 },
      { description: 'CORNETTO', amount: 1.6 },
    ]);
  });

  it('may be counted before their names under no heading, and weighed below them', () => {
    const heading: PrintedRow = [
      [40, 'Descripción'],
      [200, 'P. Unit'],
      [300, 'Importe'],
    ];
    const counted = (text: string, price: string, amount: string): PrintedRow => [
      [40, text],
      [200, price],
      [300, amount],
    ];
    const rows = [
      counted('2 LECHE SEMI 1L', '0,88', '1,76'),
      item('1 ATÚN PACK 6', '5,10'),
      [[40, '1 PLATANO']] as PrintedRow,
      item('0,826 kg 1,99 €/kg', '1,64'),
      item('1 JABÓN', '3,25'),
    ];
    const items = [
      { description: 'LECHE SEMI 1L', quantity: 2, price_unit: 0.88, amount: 1.76 },
      { description: 'ATÚN PACK 6', quantity: 1, amount: 5.1 },
      { description: 'PLATANO', quantity: 0.826, price_unit: 1.99, amount: 1.64 },
      { description: 'JABÓN', quantity: 1, amount: 3.25 },
    ];
    assert.deepEqual(priced(heading, ...rows, item('TOTAL (€)', '11,75')), items);
  });

  it('may be counted on the row below each name in a table', () => {
    const heading: PrintedRow = [
      [40, 'Artikel'],
      [300, 'EUR'],
    ];
    const rows = [
      item('ALPINAWEISS 10L', '54,99'),
      [[40, 'SCHRAUBE SPAX']] as PrintedRow,
      item('2 Pa x 7,49', '14,98'),
      [[40, 'BLUMENERDE 40L']] as PrintedRow,
      item('3 St x 6,99', '20,97'),
      item('SUMME', '90,94'),
    ];
    assert.deepEqual(priced(heading, ...rows), [
      { description: 'ALPINAWEISS 10L', amount: 54.99 },
      { description: 'SCHRAUBE SPAX', quantity: 2, price_unit: 7.49, amount: 14.98 },
      { description: 'BLUMENERDE 40L', quantity: 3, price_unit: 6.99, amount: 20.97 },
    ]);
  });

  it('may have both factors in one word before their names in a table', () => {
    const heading: PrintedRow = [
      [40, 'ARTICLE'],
      [300, 'MONTANT'],
    ];
    assert.deepEqual(priced(heading, item('2x1.05 BAGUETTE TRADITION', '2.10'), item('TOTAL', '2.10'))[0], {
      description: 'BAGUETTE TRADITION',
      quantity: 2,
      price_unit: 1.05,
      amount: 2.1,
    });
  });

  it('may have the rate of their tax in a column of its own, and begin with what was weighed', () => {
    const rows: PrintedRow[] = [
      [
        [40, 'BACCALA'],
        [200, '10,00%'],
        [300, '16,00'],
      ],
      [
        [40, '0,426KG ELSTAR'],
        [200, '2,49'],
        [300, '1,06'],
      ],
    ];
    assert.deepEqual(priced(...rows, item('TOTAAL', '17,06')), [
      { description: 'BACCALA', amount: 16 },
      { description: 'ELSTAR', quantity: 0.426, price_unit: 2.49, amount: 1.06 },
    ]);
  });

  it('may have their quantity and price in the row above, and what a pack holds in their names', () => {
    const pack: PrintedRow = [
      [40, 'DOLIPRANE CPR 8'],
      [200, '1'],
      [300, '2,18'],
    ];
    assert.deepEqual(priced(pack, [[40, '2 @ 6,20']], item('MASK TAPE', '12,40'), item('TOTAL', '14,58')), [
      { description: 'DOLIPRANE CPR', quantity: 1, amount: 2.18 },
      { description: 'MASK TAPE', quantity: 2, price_unit: 6.2, amount: 12.4 },
    ]);
  });

  it('may have a barcode behind their names, and stand below the total of a letter', () => {
    const rows = [
      item('Total', '25,79'),
      item('BOUNTY 6DR 003700078814 F', '13,97 X'),
      item('CB 020211800000', '11,82'),
      item('Subtotal', '25,79'),
    ];
    assert.deepEqual(
      priced(...rows).map(({ description, amount }) => [description, amount]),
      [
        ['BOUNTY 6DR', 13.97],
        ['CB', 11.82],
      ],
    );
  });

  it('may have pence a litre', () => {
    const pounds = (...rows: PrintedRow[]) => valuesOf(read('receipt', english, rows));
    assert.deepEqual(pounds([[40, 'UNLEADED']], item('38.24 LTR @ 152.9 p/L', '58.47 A'), item('TOTAL', '58.47')), [
      { description: 'UNLEADED', quantity: 38.24, price_unit: 1.529, amount: 58.47 },
    ]);
  });

  it('may have litres whose l is read as a one', () => {
    assert.deepEqual(priced([[40, 'Super E10']], item('32,18 1 x 1,689 EUR/1', '54,35 A'), item('SUMME', '54,35')), [
      { description: 'Super E10', quantity: 32.18, price_unit: 1.689, amount: 54.35 },
    ]);
  });

  it('are none of the miles that a taxi drove', () => {
    assert.deepEqual(priced(item('MILES R1:', '4,18'), item('FARE', '21,90'), item('TOTAL', '21,90')), [
      { description: 'FARE', amount: 21.9 },
    ]);
  });

  it('are what a hotel charged from day to day, taxes among it', () => {
    const night = (day: string, text: string, amount: string): PrintedRow => [
      [40, day],
      [150, text],
      [400, amount],
    ];
    const head: PrintedRow = [
      [40, 'Date'],
      [150, 'Description'],
      [400, 'Charges'],
    ];
    const rows = read('receipt', english, [
      item('Room Rate', '189.00'),
      head,
      night('23/09/2025', 'Room Charge', '189.00'),
      night('23/09/2025', 'State Occupancy Tax', '11.34'),
      night('24/09/2025', 'Room Charge', '189.00'),
      night('24/09/2025', 'State Occupancy Tax', '11.34'),
    ]);
    assert.deepEqual(
      rows.map(({ amount }) => amount?.value),
      [189, 11.34, 189, 11.34],
    );
  });
});

describe('items of a till with marks and notes', () => {
  const item = (text: string, amount: string): PrintedRow => [
    [40, text],
    [300, amount],
  ];
  const total = item('TOTAL', '16.75');

  it('leave out how they are taxed, before the number and behind the amount', () => {
    const rows = read('receipt', english, [
      [[40, 'Example Store']],
      item('E 447711 ROTISSERIE', '4.99'),
      item('E 87745 SPINACH', '11.76 À'),
      total,
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'ROTISSERIE', amount: 4.99, product_code: '447711' },
      { description: 'SPINACH', amount: 11.76, product_code: '87745' },
    ]);
  });

  it('cost what stands at their right, and not what an addition costs', () => {
    const rows = read('receipt', english, [
      [[40, 'Example Coffee']],
      item('Oat Latte', '$13.00'),
      [[40, 'Large, Extra Shot ($1.00)']],
      item('Morning Bun', '$3.75'),
      item('Purchase Subtotal', '$16.75'),
      total,
    ]);
    assert.deepEqual(
      rows.map(({ amount }) => amount?.value),
      [13, 3.75],
    );
  });

  it('have no barcode in a name that stands above their weight, and no word between count and name', () => {
    const rows = read('receipt', english, [
      [[40, 'Receipt no: 4417']],
      [[40, 'BANANAS 000000004011 F']],
      item('2.36 lb @ 1 lb /0.58', '1.37'),
      item('2 of: Desk lamp', '15.38'),
      total,
    ]);
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['BANANAS', 'Desk lamp'],
    );
  });

  it('are apart from what a guest paid, which has a day of its own', () => {
    const row = (day: string, text: string, at: number, amount: string): PrintedRow => [
      [40, day],
      [150, text],
      [at, amount],
    ];
    const rows = read('receipt', english, [
      [
        [40, 'Date'],
        [150, 'Description'],
        [400, 'Charges'],
        [480, 'Credits'],
      ],
      row('23/09/2025', 'Room Charge', 400, '189.00'),
      row('24/09/2025', 'City Tax', 400, '11.34'),
      row('24/09/2025', 'Example Card', 480, '200.34'),
    ]);
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['Room Charge', 'City Tax'],
    );
  });
});

describe('parcels of an order', () => {
  it('have so many of what was ordered', () => {
    const rows = read('delivery_note', english, [
      [
        [40, 'Items'],
        [300, 'Quantity'],
      ],
      [
        [40, 'Merino sock'],
        [300, '2 of 3'],
      ],
      [
        [40, 'Trail shoe'],
        [300, '1 of 1'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ quantity }) => quantity?.value),
      [2, 1],
    );
  });
});

describe('items under a header of two rows', () => {
  it('are what the row above their numbers says', () => {
    const rows = read('purchase_order', english, [
      [
        [40, 'Item'],
        [80, 'Material'],
        [150, 'Description'],
      ],
      [
        [80, 'Order qty.'],
        [150, 'Unit'],
        [220, 'Price per unit'],
        [350, 'Net value'],
      ],
      null,
      [
        [40, '00010'],
        [80, '70044182'],
        [150, 'Gate valve, 4IN, CL150'],
      ],
      [
        [115, '6'],
        [150, 'EA'],
        [280, '912.50', 'right'],
        [400, '5,475.00', 'right'],
      ],
      [[80, 'Delivery date: Day 07/15/2024']],
      null,
      [
        [40, '00020'],
        [80, '70051907'],
        [150, 'Gasket, spiral wound'],
      ],
      [
        [105, '120'],
        [150, 'EA'],
        [280, '7.88', 'right'],
        [400, '945.60', 'right'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      {
        product_code: '70044182',
        description: 'Gate valve, 4IN, CL150',
        quantity: 6,
        unit: 'EA',
        price_unit: 912.5,
        amount: 5475,
      },
      {
        product_code: '70051907',
        description: 'Gasket, spiral wound',
        quantity: 120,
        unit: 'EA',
        price_unit: 7.88,
        amount: 945.6,
      },
    ]);
  });
});

describe('items whose columns rules part', () => {
  it('are read where OCR takes the rules for bars', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Quantity'],
        [120, 'Item Code'],
        [200, 'Description'],
        [400, 'Price Each'],
        [480, 'Amount'],
      ],
      [
        [40, '6'],
        [105, '| GT-30 | Garden gate, primed, 3 x 6'],
        [400, '98.75'],
        [480, '592.50'],
      ],
      [
        [40, '2'],
        [120, 'HNG-4'],
        [200, 'Hinge, brass'],
        [400, '4.00'],
        [480, '8.00'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      {
        product_code: 'GT-30',
        description: 'Garden gate, primed, 3 x 6',
        quantity: 6,
        price_unit: 98.75,
        amount: 592.5,
      },
      { product_code: 'HNG-4', description: 'Hinge, brass', quantity: 2, price_unit: 4, amount: 8 },
    ]);
  });

  it('have no tax among them whose name stands in the next row', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Quantity'],
        [120, 'Description'],
        [400, 'Rate'],
        [480, 'Amount'],
      ],
      [
        [40, '2'],
        [120, 'Hinge, brass'],
        [400, '4.00'],
        [480, '8.00'],
      ],
      null,
      null,
      [
        [400, '7.50%'],
        [480, '0.60'],
      ],
      [[120, 'Sales Tax - Harrow County']],
    ]);
    assert.deepEqual(valuesOf(rows), [{ description: 'Hinge, brass', quantity: 2, price_unit: 4, amount: 8 }]);
  });
});

describe('a column of discounts in per cent', () => {
  it('proves the net amount beside the one with tax', () => {
    const rows = read('invoice', { ...german, language: 'es', country: 'ES' }, [
      [
        [40, 'Concepto'],
        [200, 'Uds.'],
        [250, 'Precio'],
        [310, '% Dto.'],
        [370, 'Neto'],
        [430, 'IVA'],
        [490, 'Total'],
      ],
      [
        [40, 'Estantería de pino'],
        [200, '6'],
        [250, '245,00'],
        [310, '10,00'],
        [370, '1.323,00'],
        [430, '21%'],
        [490, '1.600,83'],
      ],
      [
        [40, 'Banco de haya'],
        [200, '24'],
        [250, '68,50'],
        [310, '10,00'],
        [370, '1.479,60'],
        [430, '21%'],
        [490, '1.790,32'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ amount }) => amount?.value),
      [1323, 1479.6],
    );
  });
});

describe('what a till weighs', () => {
  it('may have its weight between its name and its amount', () => {
    const rows = read('receipt', german, [
      [[40, 'Hofladen Birkenau']],
      [
        [40, 'EIER FREILAND'],
        [300, '3,19 B'],
      ],
      [[40, 'RADIESCHEN LOSE']],
      [[60, '0,486 kg x 2,99 EUR/kg']],
      [[300, '1,45 B']],
      [
        [40, 'SUMME'],
        [300, '4,64'],
      ],
    ]);
    assert.deepEqual(valuesOf(rows), [
      { description: 'EIER FREILAND', amount: 3.19 },
      { description: 'RADIESCHEN LOSE', quantity: 0.486, price_unit: 2.99, amount: 1.45 },
    ]);
  });
});

describe('an item that costs nothing', () => {
  it('is no header, and no part of the item above', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Part / Labor'],
        [120, 'Description'],
        [410, 'Qty'],
        [460, 'Price'],
        [528, 'Ext.'],
      ],
      [
        [40, 'BF-4'],
        [120, 'Brake fluid'],
        [410, '1.00'],
        [460, '9.50'],
        [528, '9.50'],
      ],
      [
        [40, 'Labor'],
        [120, 'Rotate tyres'],
        [528, 'No charge'],
      ],
      [
        [40, 'OIL-5'],
        [120, 'Full synthetic oil'],
        [410, '1.00'],
        [460, '74.95'],
        [528, '74.95'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['Brake fluid', 'Full synthetic oil'],
    );
  });
});

describe('a title above the captions', () => {
  it('heads no column, though it names what is charged', () => {
    const rows = read('invoice', english, [
      [[250, 'Professional Services']],
      [
        [40, 'Date'],
        [100, 'Description'],
        [430, 'Hours'],
        [480, 'Rate'],
        [530, 'Amount'],
      ],
      [
        [40, '06/05/25'],
        [100, 'Review of a draft; telephone conference with the client'],
        [430, '1.40'],
        [480, '325.00'],
        [530, '455.00'],
      ],
      [[100, 'regarding the option to renew']],
      [
        [40, '13/05/25'],
        [100, 'Search of titles'],
        [430, '2.10'],
        [480, '325.00'],
        [530, '682.50'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['Review of a draft; telephone conference with the client regarding the option to renew', 'Search of titles'],
    );
  });
});

describe('what stands before the names of items', () => {
  const priced = (text: string, amount: string): PrintedRow => [
    [40, text],
    [300, amount, 'right'],
  ];

  it('is their number where all have one, however short', () => {
    const rows = read('receipt', english, [
      priced('512207 ROAST CHICKEN', '4.99'),
      priced('30669 PEARS', '1.99'),
      priced('47825 GRAPES', '9.49'),
      priced('1184 WATER 40PK', '3.53'),
      priced('SUBTOTAL', '20.00'),
    ]);
    assert.deepEqual(valuesOf(rows).at(-1), { description: 'WATER 40PK', product_code: '1184', amount: 3.53 });
  });

  it('is their count where all have one, and the number behind the name a part of it', () => {
    const rows = read('receipt', english, [
      priced('1 Beef Pie', '15.95'),
      priced('2 Onion Rings', '8.50'),
      priced('1 House White 250', '8.95'),
      priced('Sub Total', '33.40'),
    ]);
    assert.deepEqual(valuesOf(rows).at(-1), { description: 'House White 250', quantity: 1, amount: 8.95 });
  });
});

describe('items of a till', () => {
  const priced = (text: string, amount: string): PrintedRow => [
    [40, text],
    [300, amount, 'right'],
  ];

  it('go on behind the deposit for a bottle, and have what a coupon takes off', () => {
    const rows = read('receipt', english, [
      priced('512207 WATER 40PK', '3.99'),
      priced('0000 / DEPOSIT', '0.00'),
      priced('1693312 SHIRT', '16.99 A'),
      priced('0000342 / 1693312', '4.00-A'),
      priced('SUBTOTAL', '16.98'),
    ]);
    assert.deepEqual(
      rows.map(({ description, discount_amount: off }) => [description?.value, off?.value]),
      [
        ['WATER 40PK', undefined],
        ['SHIRT', 4],
      ],
    );
  });

  it('have the factors that stand alone above the first of a table', () => {
    const rows = read('receipt', { ...german, language: 'it' }, [
      [
        [40, 'DESCRIZIONE'],
        [200, 'IVA'],
        [300, 'Prezzo(€)', 'right'],
      ],
      [[40, '2 X 2,50']],
      [
        [40, 'COPERTO'],
        [200, '10%'],
        [300, '5,00', 'right'],
      ],
      [
        [40, 'FRITTO'],
        [200, '10%'],
        [300, '18,00', 'right'],
      ],
      [
        [40, 'TOTALE COMPLESSIVO'],
        [300, '23,00', 'right'],
      ],
    ]);
    assert.deepEqual([rows[0]?.quantity?.value, rows[0]?.price_unit?.value], [2, 2.5]);
  });
});

describe('a table of items', () => {
  it('may have a column of what was given on top', () => {
    const columns = [40, 90, 200, 260, 320, 380, 440, 520];
    const cells = (...texts: string[]): PrintedRow => texts.map((text, at) => [columns[at]!, text]);
    const rows = read('invoice', english, [
      cells('Sr', 'Product Name', 'Batch', 'Qty', 'Free', 'Rate', 'GST%', 'Amount'),
      cells('1', 'EXAMPLOL 650', 'BT4471', '20', '2', '24.00', '12.00', '480.00'),
      cells('2', 'SAMPLOVIR 500', 'AX1190', '15', '0', '70.00', '12.00', '1050.00'),
    ]);
    assert.deepEqual(
      rows.map(({ quantity, amount }) => [quantity?.value, amount?.value]),
      [
        [20, 480],
        [15, 1050],
      ],
    );
  });

  it('ends where the labels of sums stand far to the right of its descriptions', () => {
    const rows = read('invoice', english, [
      [
        [40, 'Details'],
        [380, 'Days'],
        [440, 'Rate'],
        [520, 'Amount'],
      ],
      [
        [40, 'Labour, drainage runs'],
        [380, '8'],
        [440, '210.00'],
        [520, '1680.00'],
      ],
      [
        [40, 'Excavator with operator'],
        [380, '3'],
        [440, '340.00'],
        [520, '1020.00'],
      ],
      [
        [40, 'Materials: 110mm pipe'],
        [520, '462.50'],
      ],
      [
        [300, 'Labour'],
        [520, '2700.00'],
      ],
      [
        [300, 'Materials'],
        [520, '462.50'],
      ],
      [
        [300, 'Net total'],
        [520, '3162.50'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ description, amount }) => [description?.value, amount?.value]),
      [
        ['Labour, drainage runs', 1680],
        ['Excavator with operator', 1020],
        ['Materials: 110mm pipe', 462.5],
      ],
    );
  });
});

describe('what a till prints between names and amounts', () => {
  it('is a mark of the tax, and what something cost before is no item', () => {
    const marked = (text: string, mark: string, amount: string): PrintedRow => [
      [40, text],
      [220, mark],
      [300, amount, 'right'],
    ];
    const rows = read('receipt', english, [
      marked('212064418 MILK GAL', 'NF', '3.29'),
      marked('081220441 TOWEL BATH', 'T', '7.00'),
      [[60, 'Regular Price $10.00']],
      marked('081220448 TOWEL HAND', 'T', '4.00'),
      marked('049001882 SHAMPOO', 'T', '2.49'),
      [
        [40, 'SUBTOTAL'],
        [300, '16.78', 'right'],
      ],
    ]);
    assert.deepEqual(
      rows.map(({ description }) => description?.value),
      ['MILK GAL', 'TOWEL BATH', 'TOWEL HAND', 'SHAMPOO'],
    );
  });
});
