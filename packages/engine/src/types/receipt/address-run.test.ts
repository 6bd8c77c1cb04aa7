import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { typeset } from '../../layout/typeset.ts';
import { addressOfRows } from './address-run.ts';

function addressIn(...lines: readonly string[]): unknown {
  return addressOfRows(layOut(typeset([...lines, 'Coffee 4.50'].map((line) => [[40, line]]))))?.value;
}

test('an address goes on from its street to the last row that names a place', () => {
  const address = 'No.2, Jalan Merpati 19/9, Seksyen 9, Bandar Utama, 43200 Cheras, Selangor';
  assert.equal(
    addressIn(
      'KEDAI CONTOH',
      '002043319-W',
      'No.2, Jalan Merpati 19/9,',
      'Seksyen 9, Bandar Utama,',
      '43200 Cheras, Selangor',
      'CITY SQUARE',
      'GST REG NO: 001335787520',
    ),
    address,
  );
  assert.equal(
    addressIn('KEDAI CONTOH', 'HQ ADD: LOT 11995, BATU 2', '41400 KLANG, SELANGOR', 'TEL : 03-5422 1188'),
    'LOT 11995, BATU 2, 41400 KLANG, SELANGOR',
  );
  assert.equal(
    addressIn('TRAVEL STOP', 'I-70 EXIT 295', 'JUNCTION CITY KS', '04/12/25'),
    'I-70 EXIT 295, JUNCTION CITY KS',
  );
  assert.equal(
    addressIn('Mill Bakery', '112 Ashbourne Road', 'Derby', 'DE22 3AG', '07/05/2025'),
    '112 Ashbourne Road, Derby, DE22 3AG',
  );
});

test('without a place an address goes on to the shop’s telephone or numbers', () => {
  const head = ['KT EXAMPLE TRADING', '22,Jalan Hijau 5,', 'Taman Hijau,'];
  assert.equal(addressIn(...head, 'Phone: +603-6093 9078'), '22,Jalan Hijau 5, Taman Hijau');
  assert.equal(addressIn(...head, 'Welcome'), undefined);
});

test('neither a company’s register nor a till’s numbers are of an address', () => {
  assert.equal(
    addressIn('AUTOROUTES DU CAP', '12 rue du Port - 44000 NANTES', 'RCS NANTES 572 139 441', 'TVA FR 29 572139441'),
    '12 rue du Port - 44000 NANTES',
  );
  assert.equal(addressIn('VALUMART', 'ST# 00054 OP# 009044 TE# 44', 'TEL: 03-5422 1188'), undefined);
  assert.equal(addressIn('PETROL NORTE', '4785-123 TROFA', 'Tel. 252 550 117'), undefined);
});

test('of several addresses the merchant’s is above the title, and a customer’s below it', () => {
  const own = ['EXAMPLE BAKERIES (KL) SDN BHD', 'Lot 3, Jalan Pelabur 23/1,', '40300 Shah Alam, Selangor.'];
  const other = ['FRESH MARKET', 'NO. 4, JALAN SS 15/4B', '47500 SUBANG JAYA'];
  assert.equal(addressIn(...own, 'TAX INVOICE', ...other), 'Lot 3, Jalan Pelabur 23/1, 40300 Shah Alam, Selangor.');
  assert.equal(addressIn(...own, ...other), undefined);
});

test('an address may begin with an area of shops, and ends before a hotline', () => {
  assert.equal(
    addressIn('LEXEMPLE BRICO', 'ZAC DU GRAND LARGE', 'RUE ALFRED KASTLER', '59640 DUNKERQUE', 'Tél : 03 28 55 01 90'),
    'ZAC DU GRAND LARGE, RUE ALFRED KASTLER, 59640 DUNKERQUE',
  );
  assert.equal(
    addressIn('EXAMPLE TAXIS', '205 Braddell Rd, Singapore 579701', 'Customer Hotline 6552 0118'),
    '205 Braddell Rd, Singapore 579701',
  );
});
