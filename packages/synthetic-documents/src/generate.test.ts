import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docTypes, type JsonValue } from '@millrace/document-model';
import sharp from 'sharp';
import { degrade, scannedPdfOf } from './degrade.ts';
import { generateDocument, layoutsOf } from './generate.ts';
import { pdfOf } from './pdf.ts';
import { languages, regions } from './regions.ts';

const near = (actual: number, expected: number, message: string) =>
  assert.ok(Math.abs(actual - expected) < 0.0051, `${message}: ${actual} is not ${expected}`);
const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : 0);

test('the same request gives the same document and the same bytes', async () => {
  for (const type of docTypes) {
    const request = { type, seed: 'same' };
    assert.deepEqual(generateDocument(request), generateDocument(request));
  }
  const pdf = await pdfOf(generateDocument({ type: 'invoice', seed: 1 }));
  assert.deepEqual(pdf, await pdfOf(generateDocument({ type: 'invoice', seed: 1 })));
  assert.notDeepEqual(pdf, await pdfOf(generateDocument({ type: 'invoice', seed: 2 })));
});

test('every layout of every type is drawn in every language, on its pages', () => {
  for (const type of docTypes) {
    for (const layout of layoutsOf(type)) {
      for (const language of languages) {
        const { document, truth } = generateDocument({ type, seed: 'layout', layout, language });
        assert.equal(truth.docType, type);
        assert.equal(truth.fields.language, language);
        assert.ok(Object.keys(truth.fields).length >= 4, `${type} ${layout} ${language}`);
        for (const page of document.pages) {
          for (const { text, box } of page.words) {
            assert.doesNotMatch(text, /undefined|NaN|\[object/, `${type} ${layout}`);
            assert.ok(
              box.x0 > -2 && box.y0 > -12 && box.x1 < page.width + 24 && box.y1 < page.height + 6,
              `${type} ${layout} ${language}: ${text}`,
            );
          }
        }
      }
    }
  }
});

test('what the truth says stands in the document, whatever its wording', () => {
  for (const type of docTypes) {
    for (let seed = 0; seed < 6; seed += 1) {
      const { document, truth } = generateDocument({ type, seed, wording: seed < 3 ? 'usual' : 'free' });
      const text = document.pages
        .map(({ words }) => words.map((word) => word.text).join(''))
        .join('')
        .toLowerCase();
      for (const [name, value] of Object.entries(truth.fields)) {
        // Dates, amounts and countries are printed in other forms; the zone states what the card does not.
        if (
          typeof value !== 'string' ||
          /date|country|nationality|language|currency|sex|mrz|time|valid_until|form_type/.test(name)
        )
          continue;
        if ('mrz' in truth.fields && !text.includes(value.toLowerCase())) continue;
        const parts = name.endsWith('address') ? value.split(', ') : [value];
        for (const part of parts)
          assert.ok(text.includes(part.replaceAll(' ', '').toLowerCase()), `${type} ${seed} ${name}: ${part}`);
      }
    }
  }
});

test('free wording has captions and names that are in no list, and may do without captions', () => {
  const textOf = (wording: 'usual' | 'free', seed: number) =>
    generateDocument({ type: 'invoice', seed, language: 'en', wording }).document.pages[0]!.words.map(
      ({ text }) => text,
    );
  const usual = new Set(Array.from({ length: 60 }, (_, seed) => textOf('usual', seed)).flat());
  const free = Array.from({ length: 30 }, (_, seed) => textOf('free', seed)).flat();
  const letters = free.filter((text) => /\p{L}{3}/u.test(text));
  assert.ok(letters.filter((text) => !usual.has(text)).length > 0.3 * letters.length);
  assert.deepEqual(textOf('free', 1), textOf('free', 1));
});

test("invoices' sums hold", () => {
  for (let seed = 0; seed < 80; seed += 1) {
    const { truth } = generateDocument({ type: 'invoice', seed: `sum ${seed}` });
    const { fields, lines } = truth;
    const amounts = lines.reduce((sum, line) => sum + numberOf(line.amount), 0);
    if (fields.subtotal !== undefined) near(amounts, numberOf(fields.subtotal), `rows of ${seed}`);
    const total =
      amounts - numberOf(fields.discount_amount) + numberOf(fields.shipping_amount) + numberOf(fields.tax_amount);
    if (fields.tax_amount !== undefined) near(total, numberOf(fields.total_amount), `total of ${seed}`);
    if (fields.amount_due !== undefined)
      near(numberOf(fields.total_amount) - numberOf(fields.amount_paid), numberOf(fields.amount_due), `due of ${seed}`);
    for (const line of lines) {
      if (line.price_unit === undefined) continue;
      near(
        numberOf(line.quantity) * numberOf(line.price_unit) - numberOf(line.discount_amount),
        numberOf(line.amount),
        `row of ${seed}`,
      );
    }
  }
});

test("bank statements' balances run", () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const { truth } = generateDocument({ type: 'bank_statement', seed });
    let balance = numberOf(truth.fields.opening_balance);
    for (const line of truth.lines) {
      balance += numberOf(line.credit) - numberOf(line.debit);
      if (line.balance !== undefined) near(balance, numberOf(line.balance), `row of ${seed}`);
    }
    near(balance, numberOf(truth.fields.closing_balance), `closing balance of ${seed}`);
  }
});

test('payslips add up', () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const { fields } = generateDocument({ type: 'payslip', seed }).truth;
    near(
      numberOf(fields.gross_pay) - numberOf(fields.total_deductions),
      numberOf(fields.net_pay),
      `net pay of ${seed}`,
    );
  }
});

test('a document of a region is written as the region writes', () => {
  for (const { name, language, country } of regions) {
    const { truth } = generateDocument({ type: 'invoice', seed: 'region', region: name });
    assert.equal(truth.locale.language, language);
    assert.equal(truth.locale.country, country);
  }
});

test('scans and photographs are pictures of the page, turned as asked', async () => {
  const receipt = generateDocument({ type: 'receipt', seed: 3 });
  const [upright] = await degrade(receipt, { seed: 1, format: 'jpeg', look: 'photo', dotsPerInch: 72 });
  const [turned] = await degrade(receipt, {
    seed: 1,
    format: 'jpeg',
    look: 'photo',
    dotsPerInch: 72,
    turnDegrees: 90,
    exifTurn: true,
  });
  assert.deepEqual([turned!.width, turned!.height], [upright!.height, upright!.width]);
  const { orientation } = await sharp(turned!.bytes).metadata();
  assert.equal(orientation, 8);
  const [again] = await degrade(receipt, { seed: 1, format: 'jpeg', look: 'photo', dotsPerInch: 72 });
  assert.deepEqual(again!.bytes, upright!.bytes);
  for (const look of ['camera', 'thin'] as const) {
    const make = async () =>
      Buffer.from((await degrade(receipt, { seed: 1, format: 'png', look, dotsPerInch: 36 }))[0]!.bytes);
    assert.ok((await make()).equals(await make()), look);
  }
  const scan = await scannedPdfOf(receipt, { seed: 1, dotsPerInch: 72 });
  assert.equal(Buffer.from(scan.subarray(0, 5)).toString(), '%PDF-');
});
