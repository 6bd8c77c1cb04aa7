import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNumbers, parseAmount, parseNumber, parsePercent, resolveNumber } from './amount.ts';

const point = { decimalSeparator: '.' } as const;
const comma = { decimalSeparator: ',' } as const;

test('a number in groups is whole before a unit, and two numbers elsewhere', () => {
  const valuesIn = (text: string) => findNumbers(text).map((finding) => resolveNumber(finding, comma));
  assert.deepEqual(valuesIn('6 420 kg'), [6420]);
  assert.deepEqual(valuesIn('1 250 kWh'), [1250]);
  assert.deepEqual(valuesIn('6 420 pallets'), [6, 420]);
});

test('a number may stand close to the abbreviation of what is done with it', () => {
  assert.deepEqual(
    findNumbers('zzgl.19,00% MwSt.').map((finding) => [resolveNumber(finding, comma), finding.percent]),
    [[19, true]],
  );
  assert.deepEqual(findNumbers('Nr.19,00% MwSt.'), []);
});

test('amounts are read with either decimal separator, signs and currencies', () => {
  const amounts: [string, typeof point | typeof comma, number, string | null][] = [
    ['1,234.56', point, 1234.56, null],
    ['1.234,56', comma, 1234.56, null],
    ['1.234,56', point, 1234.56, null],
    ['1.234', comma, 1234, null],
    ['1.234', point, 1.234, null],
    ['1,234', point, 1234, null],
    ['1.234.567,89', comma, 1234567.89, null],
    ["1'234.50", point, 1234.5, null],
    ['1 234,50', comma, 1234.5, null],
    ['12 500 kr', comma, 12500, 'SEK'],
    ['1 118 000 Kč', comma, 1118000, 'CZK'],
    ['1,23,456.00', point, 123456, null],
    ['RM 31.20', point, 31.2, 'MYR'],
    ['RM31.20', point, 31.2, 'MYR'],
    ['R180.93', point, 180.93, 'ZAR'],
    ['-R0.03', point, -0.03, 'ZAR'],
    ['R 1 180.50', point, 1180.5, 'ZAR'],
    ['$8.40', point, 8.4, 'USD'],
    ['8,40 €', comma, 8.4, 'EUR'],
    ['EUR 12,00', comma, 12, 'EUR'],
    ['2500.00EUR', point, 2500, 'EUR'],
    ['CHF 12.-', point, 12, 'CHF'],
    ['12,-', comma, 12, null],
    ['(12.50)', point, -12.5, null],
    ['12.50-', point, -12.5, null],
    ['-12.50', point, -12.5, null],
    ['100.00 CR', point, -100, null],
    ['12 .50', point, 12.5, null],
    ['12. 50', point, 12.5, null],
    ['.50', point, 0.5, null],
    ['1O.50', point, 10.5, null],
    ['5.57 S', point, 5.57, null],
  ];
  for (const [text, locale, value, currency] of amounts) {
    const amount = parseAmount(text, locale);
    assert.equal(amount?.value, value, text);
    assert.equal(amount?.currency, currency, text);
  }
});

test('what is no amount is not read as one', () => {
  for (const text of ['15/06/2018', '12:30', '10.10.20', 'NO.17-G', '500ml', '3-5', '19 %', 'ABC', '', '2 x 5.00']) {
    assert.equal(parseAmount(text, point), null, text);
  }
});

test('several numbers of a line are found each', () => {
  const values = (text: string) => findNumbers(text).map((finding) => resolveNumber(finding, point));
  assert.deepEqual(values('2 X 5.0000 10.00 SR'), [2, 5, 10]);
  assert.deepEqual(values('10,00€ 20,00€'), [10, 20]);
  assert.deepEqual(values('TOTAL RM9.00 SR'), [9]);
  assert.deepEqual(values('30.00SR'), [30]);
  assert.deepEqual(values('INV 12/3456'), []);
  assert.deepEqual(values('R2 671.44'), [2671.44]);
  assert.deepEqual(values('R12'), []);
});

test('a misread digit, a blank within and a missing currency cost quality', () => {
  const quality = (text: string) => parseAmount(text, point)!.quality;
  assert.ok(quality('12.50') > quality('12 .50'));
  assert.ok(quality('12.50') > quality('12.5O'));
  assert.ok(quality('RM 12.50') > quality('12.50'));
  assert.ok(quality('12.50') > quality('12'));
});

test('percentages and plain numbers', () => {
  assert.equal(parsePercent('19,00 %', comma), 19);
  assert.equal(parsePercent('6', point), 6);
  assert.equal(parsePercent('7.5%', point), 7.5);
  assert.equal(parsePercent('6 EUR', point), null);
  assert.equal(parseNumber('1.500', comma), 1500);
  assert.equal(parseNumber('12 pcs', point), null);
  assert.equal(parseNumber('5 %', point), null);
});

test('parentheses make an amount negative, except where they repeat a sum in words', () => {
  const values = (text: string, locale: typeof point | typeof comma) =>
    findNumbers(text).map((finding) => resolveNumber(finding, locale));
  assert.deepEqual(values('Discount (12.50)', point), [-12.5]);
  assert.deepEqual(values('five thousand dollars ($5,000)', point), [5_000]);
  assert.deepEqual(values('fünftausend Euro (5.000,00 €)', comma), [5_000]);
  assert.deepEqual(values('mille euros (1 000,00 €)', comma), [1_000]);
});

test('parentheses in which a sentence says what a rate comes to make no amount negative', () => {
  const valuesIn = (text: string) => findNumbers(text).map((finding) => resolveNumber(finding, point));
  assert.deepEqual(valuesIn('£4,860.00 plus VAT at 20% (£972.00), making £5,832.00'), [4860, 20, 972, 5832]);
  assert.deepEqual(valuesIn('Less 20% (£972.00)'), [20, -972]);
});

test('a letter before a number without cents is no sign of a currency', () => {
  assert.deepEqual(findNumbers('Route R12'), []);
  assert.deepEqual(findNumbers('Unit R2.05.03'), []);
});

test('groups and decimals behind one sign are an amount where OCR took the other sign for it', () => {
  const valuesIn = (text: string, locale: typeof point | typeof comma) =>
    findNumbers(text).map((finding) => resolveNumber(finding, locale));
  for (const locale of [point, comma]) {
    assert.deepEqual(valuesIn('$27.318.06', locale), [27_318.06]);
    assert.deepEqual(valuesIn('-4,207,55', locale), [-4_207.55]);
  }
  assert.deepEqual(findNumbers('10.118.240.7'), []);
  assert.deepEqual(findNumbers('27.318.6'), []);
});

test('letters in groups of three digits are digits', () => {
  const valuesIn = (text: string) => findNumbers(text).map((finding) => resolveNumber(finding, point));
  assert.deepEqual(valuesIn('$ 6o0,0oo'), [600_000]);
  assert.deepEqual(valuesIn('2o4,l00.00'), [204_100]);
  assert.deepEqual(valuesIn('6,ool3'), [6]);
});
