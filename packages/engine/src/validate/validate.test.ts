import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFields, JsonValue, Locale, ValueKind, Word } from '@millrace/document-model';
import { generateDocument } from '@millrace/synthetic-documents';
import { placed } from '../candidates/placed.ts';
import { extractFromWords } from '../extract.ts';
import { layOut } from '../layout/layout.ts';
import { lineOf } from '../layout/text-lines.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { comparable } from '../score/comparable.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';
import { documentTypeOf } from '../types/registry.ts';
import { chooseMoney } from './money.ts';
import { sumOfRows, validate } from './validate.ts';

const layout = layOut({ mediaType: 'application/pdf', pages: [], attachments: [] });

function wordOf(text: string, x0: number): Word {
  return { text, box: { x0, y0: 0, x1: x0 + 10, y1: 10 }, source: 'text', confidence: 1 };
}

/** A field whose values have these probabilities. */
function scoredField(
  name: string,
  values: readonly (readonly [value: JsonValue, probability: number])[],
  kind: ValueKind = 'amount',
  caption = '',
): ScoredField {
  const ranked = values.map(([value, probability]): ScoredValue => {
    const line = lineOf(1, [...(caption === '' ? [] : [wordOf(caption, 0)]), wordOf(String(value), 200)]);
    const candidate = placed(kind, value, 1, layout, [line], line.text.indexOf(String(value)), line.text.length);
    return { candidate, candidates: [candidate], probability, confidence: probability * 100 };
  });
  return { field: { name, kind, description: '', captions: [] }, ranked, threshold: 0.3 };
}

function amountsOf(choice: ReturnType<typeof chooseMoney>): Record<string, JsonValue> {
  return Object.fromEntries([...choice.values].map(([name, { candidate }]) => [name, candidate.value]));
}

test('a name with the legal form of the other side’s is not this side’s', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Sampleton Gas'],
        [400, 'sampletongas.com'],
      ],
      null,
      [[40, 'MARGARET SMITH']],
      [[40, '27 BIRCHMOUNT CRES']],
      [[40, 'GUELPH ON N1H 4T8']],
      null,
      null,
      [
        [40, 'Amount due'],
        [300, '$97.18'],
      ],
      null,
      null,
      [[40, 'SAMPLETON GAS INC.']],
      [[40, 'PO BOX 4418, STATION A']],
      [[40, 'SCARBOROUGH ON M1K 5H1']],
    ]),
    { docType: 'utility_bill', fields: null },
  ).extraction;
  assert.deepEqual([fields.provider_name?.value, fields.customer_name], ['Sampleton Gas', undefined]);
});

test('a sum that holds proves its amounts', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [[119, 0.9]]),
      scoredField('subtotal', [[100, 0.9]]),
      scoredField('tax_amount', [[19, 0.9]]),
    ],
    null,
  );
  assert.deepEqual([...choice.proven].sort(), ['subtotal', 'tax_amount', 'total_amount']);
  assert.equal(choice.failing.size, 0);
});

test('of two values about as likely the one is taken whose sum holds', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [
        [179, 0.5],
        [119, 0.45],
      ]),
      scoredField('subtotal', [[100, 0.9]]),
      scoredField('tax_amount', [[19, 0.9]]),
    ],
    null,
  );
  assert.equal(amountsOf(choice).total_amount, 119);
});

test('a value that is sure is not given up for a sum', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [
        [179, 0.97],
        [119, 0.02],
      ]),
      scoredField('subtotal', [[100, 0.9]]),
      scoredField('tax_amount', [[19, 0.9]]),
    ],
    null,
  );
  assert.equal(amountsOf(choice).total_amount, 179);
  assert.ok(choice.failing.has('total_amount'));
});

test('an amount that stands in one place is no total beside a sum before tax where the items make another one', () => {
  const totalOf = (rowSum: number | null) =>
    amountsOf(
      chooseMoney(
        [
          scoredField('total_amount', [
            [13.32, 0.6],
            [13.92, 0.1],
          ]),
          scoredField('subtotal', [[13.92, 0.6]]),
        ],
        rowSum,
        null,
        true,
      ),
    ).total_amount;
  assert.equal(totalOf(13.32), 13.32);
});

test('cash less change proves a total, rounding allowed', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [[17.22, 0.9]]),
      scoredField('cash_received', [[20, 0.9]]),
      scoredField('change_amount', [[2.8, 0.9]]),
    ],
    null,
  );
  assert.ok(choice.proven.has('total_amount'));
});

test('lines of taxes tell total, tax and the sum before tax, whatever seems likelier', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [
        [75.04, 0.8],
        [571.04, 0.01],
      ]),
      scoredField('tax_amount', [
        [63.84, 0.5],
        [75.04, 0.1],
      ]),
      scoredField('subtotal', [
        [336, 0.4],
        [496, 0.2],
      ]),
      scoredField('amount_due', [[4711, 0.6]]),
    ],
    496,
    { net: 496, tax: 75.04, gross: 571.04 },
  );
  assert.deepEqual(amountsOf(choice), { total_amount: 571.04, tax_amount: 75.04, subtotal: 496 });
  assert.deepEqual([...choice.settled].sort(), ['subtotal', 'tax_amount', 'total_amount']);
  assert.equal(choice.failing.size, 0);
});

test('a tax of which only the parts are printed is left out', () => {
  const choice = chooseMoney(
    [scoredField('total_amount', [[571.04, 0.9]]), scoredField('tax_amount', [[63.84, 0.9]])],
    null,
    { net: 496, tax: 75.04, gross: 571.04 },
  );
  assert.deepEqual(amountsOf(choice), { total_amount: 571.04 });
});

test('the sum before tax is what lines of taxes tell where the items’ own sum is not printed', () => {
  const scored = [scoredField('total_amount', [[119, 0.9]]), scoredField('subtotal', [[100, 0.1]])];
  const choice = chooseMoney(scored, 95, { net: 100, tax: 19, gross: 119 });
  assert.equal(amountsOf(choice).subtotal, 100);
});

test('the sum before tax is none of the few items that were found', () => {
  const scored = [
    scoredField('total_amount', [[119, 0.9]]),
    scoredField('subtotal', [
      [100, 0.9],
      [60, 0.0001],
    ]),
  ];
  const choice = chooseMoney(scored, 60, { net: 100, tax: 19, gross: 119 });
  assert.equal(amountsOf(choice).subtotal, 100);
});

test('lines of taxes that leave most of the items aside tell nothing', () => {
  const fields = [
    scoredField('total_amount', [
      [8.79, 0.9],
      [5.77, 0.05],
    ]),
  ];
  const choice = chooseMoney(fields, 7.9, { net: 4.85, tax: 0.92, gross: 5.77 });
  assert.deepEqual(amountsOf(choice), { total_amount: 8.79 });
  assert.equal(choice.settled.size, 0);
});

test('two items that make a total prove nothing: the larger is no tax on the other', () => {
  const choice = chooseMoney(
    [
      scoredField('total_amount', [[220, 0.9]]),
      scoredField('subtotal', [[80, 0.6]]),
      scoredField('tax_amount', [[140, 0.2]]),
    ],
    null,
  );
  assert.deepEqual(amountsOf(choice), { total_amount: 220, subtotal: 80, tax_amount: 140 });
  assert.equal(choice.proven.size, 0);
});

test('freight is what a sum before it and the total leave, however seldom documents of the type have it', () => {
  const fields = (charge: number): ScoredField[] => [
    scoredField('subtotal', [[2485, 0.9]]),
    scoredField('total_amount', [[2571.4, 0.9]]),
    { ...scoredField('shipping_amount', [[charge, 0.7]]), threshold: 1 },
  ];
  assert.equal(amountsOf(chooseMoney(fields(86.4), null)).shipping_amount, 86.4);
  assert.equal(amountsOf(chooseMoney(fields(80), null)).shipping_amount, undefined);
});

test('a discount printed with a minus is what a sum before it and the total leave', () => {
  const fields = (printed: string) => {
    const discount = scoredField('discount_amount', [[printed, 0.05]]);
    const [value] = discount.ranked;
    const candidate = { ...value!.candidate, value: 38.8 };
    return [
      scoredField('total_amount', [[349.2, 0.9]]),
      scoredField('subtotal', [[388, 0.9]]),
      { ...discount, ranked: [{ ...value!, candidate, candidates: [candidate] }] },
    ];
  };
  assert.equal(amountsOf(chooseMoney(fields('-38.80'), null)).discount_amount, 38.8);
  assert.equal(amountsOf(chooseMoney(fields('38.80'), null)).discount_amount, undefined);
});

test('what stands between a total and the rest to pay, and is their difference, was paid', () => {
  const at = (field: ScoredField, y0: number): ScoredField => ({
    ...field,
    ranked: field.ranked.map((value) => {
      const candidate = { ...value.candidate, box: { ...value.candidate.box, y0, y1: y0 + 10 } };
      return { ...value, candidate, candidates: [candidate] };
    }),
  });
  const paidAt = (y0: number) =>
    chooseMoney(
      [
        at(scoredField('total_amount', [[3321.6, 0.9]]), 100),
        at(scoredField('amount_due', [[2321.6, 0.9]]), 140),
        at(scoredField('amount_paid', [[1000, 0.01]]), y0),
      ],
      null,
    );
  assert.equal(amountsOf(paidAt(120)).amount_paid, 1000);
  assert.equal(amountsOf(paidAt(60)).amount_paid, undefined);
});

test('an amount that is printed once is not both the total and the sum before it', () => {
  const fields = [
    scoredField('total_amount', [
      [349.2, 0.8],
      [388, 0.2],
    ]),
    scoredField('subtotal', [[388, 0.9]]),
  ];
  assert.equal(amountsOf(chooseMoney(fields, null)).total_amount, 349.2);
});

test('where totals are rounded, lines of taxes tell the tax of the total that was chosen', () => {
  const fields = [
    scoredField('total_amount', [[24.37, 0.9]]),
    scoredField('tax_amount', [
      [0.18, 0.2],
      [1.7, 0.03],
    ]),
  ];
  const choice = chooseMoney(fields, null, { net: 22.67, tax: 1.7, gross: 24.37 }, true);
  assert.equal(amountsOf(choice).tax_amount, 1.7);
  assert.equal(amountsOf(chooseMoney(fields, null, { net: 22.6, tax: 1.7, gross: 24.3 }, true)).tax_amount, undefined);
});

test('of a tax in two parts the sum is the tax, where it is printed', () => {
  const fields = (...taxes: number[]) => [
    scoredField('total_amount', [[74930, 0.9]]),
    scoredField('subtotal', [[63500, 0.9]]),
    scoredField(
      'tax_amount',
      taxes.map((tax, at) => [tax, 0.7 / (at * 200 + 1)]),
    ),
  ];
  assert.equal(amountsOf(chooseMoney(fields(5715, 11430), null)).tax_amount, 11430);
});

test('an improbable value is left out', () => {
  assert.deepEqual(amountsOf(chooseMoney([scoredField('total_amount', [[5, 0.1]])], null)), {});
});

for (const [type, seed] of [
  ['invoice', 'golden 1'],
  ['invoice', 'golden 2'],
  ['receipt', 'golden 1'],
  ['credit_note', 'golden 1'],
] as const) {
  test(`a generated ${type} (${seed}) is read with provenance and confidence`, () => {
    const { document, truth } = generateDocument({ type, seed });
    const { extraction } = extractFromWords(document, { docType: type, fields: null });
    const words = comparable('text', document.pages.flatMap((page) => page.words.map((word) => word.text)).join(''));
    const total = extraction.fields.total_amount;
    assert.equal(total?.value, truth.fields.total_amount);
    for (const [name, field] of Object.entries(extraction.fields)) {
      assert.ok(field.confidence >= 0 && field.confidence <= 100, name);
      for (const place of field.provenance) {
        assert.ok(place.page >= 1 && place.page <= document.pages.length, name);
        assert.ok(words.includes(comparable('text', place.text.split(' ')[0]!)), `${name}: ${place.text}`);
      }
    }
  });
}

/** The fields that validation makes of an invoice's scored ones. */
function validated(...scored: ScoredField[]): ExtractedFields {
  const locale: Locale = { language: 'de', decimalSeparator: ',', dateOrder: 'dmy', currency: null, country: 'DE' };
  const classification = { docType: 'invoice', confidence: 99 } as const;
  const type = documentTypeOf('invoice');
  const nothing = { composed: {}, rows: [], candidates: [], only: null };
  return validate({ type, layout, locale, classification, scored, ...nothing }).extraction.fields;
}

test('a charge for service is no tax, and no tax is the whole total', () => {
  const total = scoredField('total_amount', [[119, 0.9]]);
  const taxOf = (value: number, caption: string) =>
    validated(total, scoredField('tax_amount', [[value, 0.9]], 'amount', caption)).tax_amount?.value;
  assert.equal(taxOf(19, 'VAT'), 19);
  assert.equal(taxOf(19, 'Service 10%'), undefined);
  assert.equal(taxOf(19, 'Service tax'), 19);
  assert.equal(taxOf(19, 'Packing'), undefined);
  assert.equal(taxOf(19, 'MOT (VAT exempt)'), undefined);
  assert.equal(taxOf(119, 'VAT'), undefined);
});

test('what was owed before is not due', () => {
  const dueAt = (caption: string) =>
    validated(scoredField('total_amount', [[119, 0.9]]), scoredField('amount_due', [[940, 0.9]], 'amount', caption))
      .amount_due?.value;
  assert.equal(dueAt('Previous Balance'), undefined);
  assert.equal(dueAt('Balance due'), 940);
});

test('a rate of tax that is not in the total is doubted', () => {
  const amounts = [scoredField('total_amount', [[119, 0.9]]), scoredField('tax_amount', [[19, 0.9]])];
  const [right, wrong] = [19, 3].map((rate) =>
    validated(...amounts, scoredField('tax_rate', [[rate, 0.9]], 'percent')),
  );
  assert.equal(right?.tax_rate?.confidence, 90);
  assert.equal(wrong?.tax_rate?.confidence, 60);
  assert.deepEqual(wrong?.tax_rate?.flags, ['arithmetic_fails']);
});

test('of printed rates the one is taken by which the total has the tax in it', () => {
  const rates: (readonly [JsonValue, number])[] = [
    [14, 0.9],
    [19, 0.1],
  ];
  const { tax_rate } = validated(
    scoredField('total_amount', [[119, 0.9]]),
    scoredField('tax_amount', [[19, 0.9]]),
    scoredField('tax_rate', rates, 'percent'),
  );
  assert.equal(tax_rate?.value, 19);
  assert.deepEqual(tax_rate?.flags, ['arithmetic_holds']);
});

test('a discount below the items is taken off their sum where their amounts do not have it', () => {
  const cell = (value: number) => ({ value, confidence: 90, provenance: [], flags: [] });
  const row = (amount: number) => ({
    quantity: cell(2),
    price_unit: cell(50),
    amount: cell(amount),
    discount_amount: cell(10),
  });
  assert.equal(sumOfRows([row(100)]), 90);
  assert.equal(sumOfRows([row(90)]), 90);
});

test('readings of one number that differ in a letter and a digit are together as probable', () => {
  const readings = (values: readonly (readonly [string, number])[]): ScoredField => {
    const ranked = values.map(([value, probability]): ScoredValue => {
      const line = lineOf(1, [{ ...wordOf(value, 200), source: 'ocr:ppocr:1' }]);
      const candidate = placed('identifier', value, 1, layout, [line], 0, value.length);
      return { candidate, candidates: [candidate], probability, confidence: probability * 100 };
    });
    return {
      field: { name: 'purchase_order', kind: 'identifier', description: '', captions: [] },
      ranked,
      threshold: 0.6,
    };
  };
  const orderIn = (...values: (readonly [string, number])[]) => validated(readings(values)).purchase_order?.value;
  assert.equal(orderIn(['KC/PO/552', 0.5], ['KC/P0/552', 0.4]), 'KC/PO/552');
  assert.equal(orderIn(['KC/PO/552', 0.5], ['KC/PO/557', 0.4]), undefined);
});

test('a date in the terms of payment is none of the service', () => {
  const dates = [['Leistungszeitraum bis'], ['2% Skonto bis']].map(([caption]) =>
    validated(scoredField('service_end_date', [['2018-03-15', 0.9]], 'date', caption)),
  );
  assert.deepEqual(
    dates.map((fields) => fields.service_end_date?.value),
    ['2018-03-15', undefined],
  );
});

test('of a tax that is printed in two equal parts the total has both', () => {
  const twice = scoredField('tax_amount', [[2250, 0.8]]);
  const [tax] = twice.ranked;
  const both = { ...twice, ranked: [{ ...tax!, candidates: [tax!.candidate, { ...tax!.candidate }] }] };
  const totals = scoredField('total_amount', [
    [29500, 0.5],
    [25000, 0.4],
  ]);
  const subtotal = scoredField('subtotal', [[25000, 0.6]]);
  assert.deepEqual(amountsOf(chooseMoney([totals, subtotal, both], 25000)), { total_amount: 29500, subtotal: 25000 });
});

test('an item’s amount is no total, and an order’s only sum is its total', () => {
  const order = (sum: string) =>
    extractFromWords(
      typeset([
        [[40, 'PURCHASE ORDER 4500883127']],
        null,
        [
          [40, 'Description'],
          [300, 'Qty'],
          [380, 'Unit price'],
          [480, 'Net value'],
        ],
        [
          [40, 'Gate valve'],
          [300, '6'],
          [380, '912.50'],
          [480, '5,475.00'],
        ],
        [
          [40, 'Stud bolt set'],
          [300, '60'],
          [380, '42.00'],
          [480, '2,520.00'],
        ],
        null,
        [
          [300, sum],
          [480, '7,995.00'],
        ],
      ]),
      { docType: 'purchase_order', fields: null },
    ).extraction.fields;
  const { total_amount, subtotal } = order('Total net value excl. tax USD');
  assert.equal(total_amount?.value, 7995);
  assert.equal(subtotal, undefined);
});

test('of a row of sums the one that the amounts add up to is the total', () => {
  const { total_amount: total } = extractFromWords(
    typeset([
      [[40, 'PROFORMA INVOICE PI-240611']],
      null,
      [
        [40, 'Description of goods'],
        [200, 'Qty (CTNS)'],
        [280, 'Qty (SQM)'],
        [370, 'Unit price USD'],
        [480, 'Amount USD'],
      ],
      [
        [40, 'Porcelain tile'],
        [200, '640'],
        [280, '921.60'],
        [370, '7.85'],
        [480, '7,234.56'],
      ],
      [
        [40, 'Glazed plank'],
        [200, '480'],
        [280, '576.00'],
        [370, '9.20'],
        [480, '5,299.20'],
      ],
      [
        [40, 'TOTAL'],
        [200, '1,120'],
        [280, '1,497.60'],
        [480, '12,533.76'],
      ],
    ]),
    { docType: 'invoice', fields: null },
  ).extraction.fields;
  assert.equal(total?.value, 12533.76);
});

test('the day by which to pay is none of the service', () => {
  const fields = validated(scoredField('service_start_date', [['2024-07-31', 0.9]], 'date', 'due'));
  assert.equal(fields.service_start_date, undefined);
});

test('the code of a line item is not the number of its document', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BON DE COMMANDE']],
      null,
      [
        [40, 'Référence'],
        [140, 'Désignation'],
        [340, 'Qté'],
        [400, 'P.U. HT'],
        [480, 'Montant HT'],
      ],
      [
        [40, 'DV4164'],
        [140, 'Double vitrage'],
        [340, '12'],
        [400, '98,20'],
        [480, '1 178,40'],
      ],
      [
        [140, 'Cales assorties'],
        [340, '6'],
        [400, '10,00'],
        [480, '60,00'],
      ],
    ]),
    { docType: 'purchase_order', fields: null },
  ).extraction;
  assert.equal(fields.order_number, undefined);
});

test('the last day of a period is no day to pay by', () => {
  const { extraction } = extractFromWords(
    typeset([
      [[40, 'Rechnung Nr. 4471']],
      [
        [40, 'Rechnungsdatum'],
        [200, '28.08.2026'],
      ],
      [
        [40, 'Leistungszeitraum'],
        [200, '01.08.2026 -'],
      ],
      [[200, '31.08.2026']],
      [
        [40, 'Gesamtbetrag'],
        [200, '119,00 EUR'],
      ],
    ]),
    { docType: 'invoice', fields: null },
  );
  assert.equal(extraction.fields.due_date, undefined);
  assert.equal(extraction.fields.invoice_date?.value, '2026-08-28');
});

test('only the fields that are asked for are given', () => {
  const { document } = generateDocument({ type: 'invoice', seed: 'golden 1' });
  const { extraction } = extractFromWords(document, { docType: 'invoice', fields: ['total_amount'] });
  assert.deepEqual(Object.keys(extraction.fields), ['total_amount']);
  assert.deepEqual(extraction.lines, []);
});

/** The answers for rows of words in a type. */
function answersOf(docType: 'invoice' | 'payslip' | 'utility_bill', ...rows: PrintedRow[]): ExtractedFields {
  return extractFromWords(typeset(rows), { docType, fields: null, calibration: null }).extraction.fields;
}

test('a number at a caption of its very own comes before any other number', () => {
  const fields = answersOf(
    'invoice',
    [
      [40, 'PAN No: AAACB1234C'],
      [300, 'Invoice Number : BLR7-88213'],
    ],
    [
      [40, 'Order Date: 18.11.2020'],
      [300, 'Invoice Date : 19.11.2020'],
    ],
    [
      [40, 'Total'],
      [300, '1499.00'],
    ],
  );
  assert.equal(fields.invoice_number?.value, 'BLR7-88213');
  assert.equal(fields.invoice_date?.value, '2020-11-19');
});

test('a company is answered without the street on its line', () => {
  const { employer_name } = answersOf(
    'payslip',
    [[40, 'Möbelhaus Winter GmbH, Industriestraße 8, 30659 Hannover']],
    null,
    [[40, 'Mary Major']],
    [[40, 'Ahornweg 3']],
    [[40, '30655 Hannover']],
  );
  assert.ok(employer_name === undefined || employer_name.value === 'Möbelhaus Winter GmbH');
});

test('a unit of consumption is a unit', () => {
  const { consumption_unit } = answersOf('utility_bill', [[40, 'Consommation']], [[40, 'Mary Major']]);
  assert.equal(consumption_unit, undefined);
});

test('a number has neither the abbreviation of one nor a caption with its day', () => {
  const numberOf = (text: string) =>
    extractFromWords(
      typeset([
        [[40, 'Invoice']],
        [
          [40, 'Invoice number'],
          [200, text],
        ],
        [[40, 'Total due $ 118.00']],
      ]),
      { docType: 'invoice', fields: null },
    ).extraction.fields.invoice_number?.value;
  assert.equal(numberOf('No.Q-3391'), 'Q-3391');
  assert.equal(numberOf('DATE 05/30/2025'), undefined);
});

test('a state right below an address goes on with it, and a row of a table apart from it does not', () => {
  const shippedTo = (...rows: PrintedRow[]) =>
    extractFromWords(
      typeset([
        [[40, 'PURCHASE ORDER PO-118']],
        [[40, 'Ship to:']],
        [[40, 'Example High School']],
        [[40, '906 S 3rd St']],
        [[40, 'Lakeview, OR 97630']],
        ...rows,
      ]),
      { docType: 'purchase_order', fields: ['shipping_address'] },
    ).extraction.fields.shipping_address?.value;
  assert.equal(shippedTo([[90, 'F.O.B. Destination']]), '906 S 3rd St, Lakeview, OR 97630');
  assert.equal(shippedTo([[40, 'Selangor']]), '906 S 3rd St, Lakeview, OR 97630, Selangor');
});

test('a picture is read again for a doubtful amount or a missing name, but for no name that is doubtful', () => {
  const typed = typeset([[[40, 'Texts']]]);
  const pages = typed.pages.map((page) => {
    const words = page.words.map((word): Word => ({ ...word, source: 'ocr:ppocr:1' }));
    return { ...page, words, readings: [{ source: 'ocr:ppocr:1', words } as const] };
  });
  const picture = layOut({ ...typed, pages });
  const isDoubtful = (name: number | null, total: number) =>
    validate({
      type: documentTypeOf('receipt'),
      layout: picture,
      locale: { language: 'en', decimalSeparator: '.', dateOrder: 'dmy', currency: null, country: null },
      classification: { docType: 'receipt', confidence: 99 },
      scored: [
        ...(name === null ? [] : [scoredField('merchant_name', [['Example Books', name]], 'organization')]),
        scoredField('transaction_date', [['2026-03-15', 0.99]], 'date'),
        scoredField('total_amount', [[119, total]]),
      ],
      composed: {},
      rows: [],
      candidates: [],
      only: null,
    }).doubtful;
  assert.deepEqual(
    [isDoubtful(0.99, 0.99), isDoubtful(0.6, 0.99), isDoubtful(0.99, 0.6), isDoubtful(null, 0.99)],
    [false, false, true, true],
  );
});

test('one side’s address is not the other’s, wherever else it stands', () => {
  const [vendor, customer] = ['Marktweg 3, 04109 Leipzig', 'Ringgasse 7, 50667 Köln'];
  const fields = validated(
    scoredField('vendor_address', [[vendor, 0.9]], 'address'),
    scoredField(
      'customer_address',
      [
        [vendor, 0.5],
        [customer, 0.4],
      ],
      'address',
    ),
  );
  assert.deepEqual([fields.vendor_address?.value, fields.customer_address?.value], [vendor, customer]);
});
