import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../classify/classify.ts';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { amountOfWords } from './compose.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'check', fields: null }).extraction.fields;

test('the foot of a British cheque has its number, sort code and account', () => {
  const fields = extracted(
    [
      [40, 'Northern Counties Bank plc'],
      [300, 'Date 14 Sept 2022'],
    ],
    [
      [40, 'Three hundred and eighty six pounds 20p'],
      [300, '£ 386.20'],
    ],
    null,
    [
      [40, '000412'],
      [120, '20-4418'],
      [200, '31882047'],
    ],
  );
  assert.equal(fields.check_number?.value, '000412');
  assert.equal(fields.routing_number?.value, '20-4418');
  assert.equal(fields.account_number?.value, '31882047');
  assert.equal(fields.amount?.value, 386.2);
});

test('pence stand behind the pounds that words state', () => {
  assert.equal(amountOfWords('Three hundred and eighty six pounds 20p'), 386.2);
  assert.equal(amountOfWords('Two hundred forty and no/100'), 240);
});

test('whom a check is paid to does not draw it, and no cents are its number', () => {
  const fields = extracted(
    [
      [40, 'JANE E TAYLOR'],
      [400, '1188'],
    ],
    [[40, 'JOHN B TAYLOR']],
    [[40, '51 WILLOW BEND']],
    [[40, 'MODESTO, CA 95350']],
    [[40, 'Pay to the']],
    [
      [40, 'Order of'],
      [90, 'Riverside Dental'],
      [390, '$ 240.00'],
    ],
    [
      [40, 'Two hundred forty and no/100'],
      [390, 'Dollars'],
    ],
  );
  assert.equal(fields.payee_name?.value, 'Riverside Dental');
  assert.equal(fields.payer_name?.value, 'JANE E TAYLOR');
  assert.equal(fields.check_number?.value, '1188');
});

test('a check is known by the cents of its amount in words', () => {
  const { docType } = classify(
    layOut(
      typeset([
        [
          [40, 'KESTREL PROPERTY MANAGEMENT LLC'],
          [300, 'First Prairie Bank'],
          [500, '020418'],
        ],
        [[40, '801 Harney St']],
        [[40, 'Omaha, NE 68102']],
        [
          [300, 'DATE'],
          [400, 'AMOUNT'],
        ],
        [
          [300, '11/30/2022'],
          [400, '$**2,140.75'],
        ],
        [[40, 'PAY *** Two Thousand One Hundred Forty and 75/100 Dollars ***']],
        [
          [40, 'TO THE'],
          [90, 'Ironbridge Plumbing Co.'],
        ],
        [[40, 'ORDER']],
        [
          [40, 'OF'],
          [400, 'AUTHORIZED SIGNATURE'],
        ],
      ]),
    ),
  );
  assert.equal(docType, 'check');
});

/** A check below the voucher that lists what is paid. */
const withVoucher: readonly PrintedRow[] = [
  [
    [40, 'BLUE RIDGE SUPPLY CO'],
    [500, '20418'],
  ],
  [
    [40, 'Date'],
    [120, 'Reference'],
    [460, 'Payment'],
  ],
  [
    [40, '02/20/2024'],
    [120, 'INV-88213'],
    [500, '2,310.00'],
  ],
  [
    [40, '03/05/2024'],
    [120, 'INV-88377'],
    [500, '2,502.50'],
  ],
  ...Array.from({ length: 25 }, () => null),
  [
    [40, 'BLUE RIDGE SUPPLY CO'],
    [250, 'FIRST COMMUNITY BANK'],
    [500, '20418'],
  ],
  [[40, '1180 DEPOT ST']],
  [
    [40, 'ROANOKE, VA 24016'],
    [480, '3/18/2024'],
  ],
  [
    [40, 'PAY TO THE ORDER OF'],
    [160, 'Apex Fasteners LLC'],
    [480, '$ 4,812.50'],
  ],
  [[40, 'Four Thousand Eight Hundred Twelve and 50/100 DOLLARS']],
  null,
  [[60, 'C020418C A051402589A 1002938475C']],
];

test('a check’s date is its own, not that of what its voucher lists', () => {
  const fields = extracted(...withVoucher);
  assert.equal(fields.date?.value, '2024-03-18');
  assert.equal(fields.check_number?.value, '20418');
  assert.equal(fields.amount?.value, 4812.5);
});

test('a check with its voucher is no invoice', () => {
  const voucher: readonly PrintedRow[] = [
    [
      [40, 'Vendor: City of Duluth Water Utility'],
      [300, 'Vendor ID: CITYDUL'],
      [440, 'Check Date: 11/02/2023'],
    ],
    [
      [40, 'Invoice Number'],
      [140, 'Invoice Date'],
      [240, 'Description'],
      [440, 'Invoice Amount'],
    ],
    [
      [40, 'WTR-1023-01'],
      [140, '10/15/2023'],
      [240, 'Water and sewer Oct 2023'],
      [440, '884.07'],
    ],
    [
      [240, 'Total'],
      [440, '884.07'],
    ],
  ];
  const check: readonly PrintedRow[] = [
    [
      [40, 'Northgate Property Management Inc'],
      [280, 'Lakeshore National Bank'],
      [470, 'Check No. 7745'],
    ],
    [[40, 'Duluth, MN 55802']],
    [
      [40, 'One thousand two hundred ninety-four and 07/100 Dollars'],
      [450, 'Amount $1,294.07'],
    ],
    [
      [40, 'Pay'],
      [80, 'CITY OF DULUTH'],
    ],
    [[40, 'to the']],
    [[40, 'order']],
    [[40, 'of']],
    [[300, 'Void after 90 days']],
    [[60, 'C7745C A091000022A 448120093317C']],
  ];
  assert.equal(
    classify(layOut(typeset([...check, ...Array.from({ length: 10 }, () => null), ...voucher]))).docType,
    'check',
  );
});

test('cents may stand apart from the words of an amount', () => {
  const fields = extracted(
    [
      [40, 'PAY TO THE ORDER OF'],
      [160, 'Ville de Lachine'],
      [480, '$ 215.40'],
    ],
    [
      [40, 'Two hundred fifteen'],
      [400, '40/100 DOLLARS'],
    ],
  );
  assert.equal(fields.amount?.value, 215.4);
  assert.equal(fields.amount_words?.value, 'Two hundred fifteen 40/100');
});

test('an Indian check has lakhs, the whole account, and who signs', () => {
  const fields = extracted(
    [
      [40, 'Deccan Union Bank'],
      [450, '07/08/2023'],
    ],
    [
      [40, 'PAY'],
      [80, 'Kaveri Textiles'],
      [480, 'OR BEARER'],
    ],
    [[40, 'RUPEES Two lakh eighty five thousand only']],
    [
      [40, 'A/c No.'],
      [100, '50200048812345'],
    ],
    [[420, 'For SUNRISE TRADERS']],
    null,
    [[420, 'Authorised Signatory']],
  );
  assert.equal(fields.amount?.value, 285_000);
  assert.equal(fields.account_number?.value, '50200048812345');
  assert.equal(fields.payer_name?.value, 'SUNRISE TRADERS');
});
