import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { proposeCandidates } from './propose.ts';

test('a rate in parentheses or behind a dash is a rate', () => {
  const layout = layOut(typeset([[[40, 'VAT (23,00%)']], [[40, 'Tax - 19 %']]]));
  const candidates = proposeCandidates(layout, decideLocale(layout));
  const rates = candidates.flatMap(({ kind, value, quality }) => (kind === 'percent' && quality === 1 ? [value] : []));
  assert.deepEqual(rates, [23, 19]);
});

test('nobody’s name goes on in a line with a mail address', () => {
  const layout = layOut(typeset([[[40, 'Pomelo']], [[40, 'a.beispiel@mailbox.example']]]));
  const names = proposeCandidates(layout, decideLocale(layout)).filter(({ kind }) => kind === 'organization');
  assert.ok(names.some(({ value }) => value === 'Pomelo'));
  assert.ok(!names.some(({ value }) => String(value).startsWith('Pomelo ')));
});

test('an IBAN may go on in the next line of a narrow column', () => {
  const layout = layOut(typeset([[[40, 'IBAN DE89 3704 0044 0532']], [[40, '0130 00']], [[40, 'BIC COBADEFFXXX']]]));
  const ibans = proposeCandidates(layout, decideLocale(layout)).filter(({ kind }) => kind === 'iban');
  assert.deepEqual(
    ibans.map(({ value, lines }) => [value, lines.length]),
    [['DE89370400440532013000', 2]],
  );
});

test('a blank within an amount sets its thousands apart where the language writes so', () => {
  const amountsOf = (text: string, language: string) => {
    const layout = layOut(typeset([[[40, text]]]));
    const locale = { language, decimalSeparator: ',', dateOrder: 'dmy', currency: 'EUR', country: null } as const;
    return proposeCandidates(layout, locale).flatMap(({ kind, value }) => (kind === 'amount' ? [value] : []));
  };
  assert.deepEqual(amountsOf('2 622,14', 'fr'), [2622.14]);
  assert.deepEqual(amountsOf('2 622,14', 'de').toSorted(), [2, 2622.14, 622.14]);
});

test('an amount in parentheses that is contained in another is no credit', () => {
  const amountsOf = (label: string) => {
    const layout = layOut(
      typeset([
        [
          [40, label],
          [300, '(41,27)'],
        ],
      ]),
    );
    return proposeCandidates(layout, decideLocale(layout)).flatMap(({ kind, value }) =>
      kind === 'amount' ? [value] : [],
    );
  };
  assert.deepEqual(amountsOf('im Betrag enthaltene Steuer'), [41.27]);
  assert.deepEqual(amountsOf('gewährter Nachlass'), [-41.27]);
});

test('words with a sign for and between them above a street are a name', () => {
  const layout = layOut(typeset([[[40, 'SPA & WELLNESS CENTER']], [[40, '200 Harbor Street, Portland, ME 04101']]]));
  const addresses = proposeCandidates(layout, decideLocale(layout)).flatMap(({ kind, value }) =>
    kind === 'address' ? [String(value)] : [],
  );
  assert.ok(addresses.includes('200 Harbor Street, Portland, ME 04101'));
  assert.ok(!addresses.some((address) => address.startsWith('SPA')));
});

test('what OCR could hardly read is nobody’s name', () => {
  const namesIn = (confidence: number) => {
    const layout = layOut(typeset([[[40, 'Dstro Mosdi Ltd']], [[40, '4 Weir Lane']]]));
    const pages = layout.document.pages.map((page) => ({
      ...page,
      words: page.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const, confidence })),
    }));
    const read = layOut({ ...layout.document, pages });
    return proposeCandidates(read, decideLocale(read)).filter(({ kind }) => kind === 'organization').length;
  };
  assert.ok(namesIn(0.95) > 0);
  assert.equal(namesIn(0.6), 0);
});
