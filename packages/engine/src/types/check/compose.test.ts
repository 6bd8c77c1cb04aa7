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
