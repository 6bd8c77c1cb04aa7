import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType } from '@millrace/document-model';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { lineOf } from '../layout/text-lines.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { documentTypeOf } from '../types/registry.ts';
import { valuesAtCaptions } from './at-caption.ts';

function valueAt(type: DocType, field: string, ...rows: PrintedRow[]): unknown {
  const layout = layOut(typeset(rows));
  const candidates = proposeCandidates(layout, decideLocale(layout));
  return valuesAtCaptions(documentTypeOf(type), layout, candidates, {})[field]?.value;
}

const dateAtCaption = (...rows: PrintedRow[]) => valueAt('receipt', 'transaction_date', ...rows);

test('a date below its caption is the document’s, unless a column of others begins there', () => {
  assert.equal(dateAtCaption([[40, 'Date']], [[40, '19.08.2026']]), '2026-08-19');
  assert.equal(
    dateAtCaption([[40, 'Date']], [[40, '19.08.2026']], [[40, '19.08.2026']], [[40, '20.08.2026']]),
    undefined,
  );
});

test('a day goes on behind words, and a number before its day', () => {
  assert.equal(
    valueAt('quote', 'valid_until', [[40, 'Presupuesto']], [[40, 'Validez de la oferta: hasta el 15/10/2026.']]),
    '2026-10-15',
  );
  assert.equal(
    valueAt('purchase_order', 'order_number', [
      [40, 'PO number/date'],
      [200, '4500078812 / 01.07.2026'],
    ]),
    '4500078812',
  );
  assert.equal(
    valueAt('purchase_order', 'order_number', [
      [40, 'Order number'],
      [200, 'BC2409-0118 17/09/2024'],
    ]),
    'BC2409-0118',
  );
});

test('the number of an order is no reference of a payment, whatever its caption', () => {
  const rows: PrintedRow[] = [[[40, 'Reference']], [[40, 'PO 88120']], null, [[40, 'Please quote INV-2047']]];
  assert.equal(valueAt('invoice', 'payment_reference', ...rows), 'INV-2047');
});

test('a post box is no order', () => {
  assert.equal(valueAt('invoice', 'purchase_order', [[40, 'PO BOX 2210']]), undefined);
  assert.equal(valueAt('invoice', 'purchase_order', [[40, 'PO No. 2210']]), '2210');
});

test('a caption that a field has many before is one where it stands letter by letter', () => {
  assert.equal(valueAt('credit_note', 'customer_id', [[40, 'N.º Cliente']], [[40, '477']]), '477');
});

test('few words at their caption are terms of payment, if they say when', () => {
  const termsAt = (caption: string, text: string) => valueAt('invoice', 'payment_terms', [[40, caption]], [[40, text]]);
  assert.equal(termsAt('Mode/Terms of Payment', '30 Days'), '30 Days');
  assert.equal(termsAt('Pagamento', 'RB 60 GG F.M.'), 'RB 60 GG F.M.');
  assert.equal(termsAt('Pagamento', 'Banca Popolare'), undefined);
  assert.equal(termsAt('Terms', '2% 10, NET 30'), '2% 10, NET 30');
  assert.equal(termsAt('Terms', 'C.O.D.'), 'C.O.D.');
  assert.equal(termsAt('Guarantee', '30 Days'), undefined);
  assert.equal(
    valueAt('purchase_order', 'payment_terms', [[40, 'Zahlungsbedingungen: 14 Tage 2 % Skonto, 30 Tage netto']]),
    '14 Tage 2 % Skonto, 30 Tage netto',
  );
});

test('a part of a number is none', () => {
  const account = valueAt(
    'bank_statement',
    'account_number',
    [[40, 'Rekeningnummer']],
    [[40, 'NL73 PLDR 0417 7288 01']],
  );
  assert.notEqual(account, 'NL73 PLDR 0417 7288');
});

test('a number alone behind who gets a document is theirs', () => {
  assert.equal(valueAt('invoice', 'customer_id', [[40, 'CLIENTE 00318']]), '00318');
  assert.equal(valueAt('invoice', 'customer_id', [[40, 'CLIENTE 00318 Gómez']]), undefined);
  assert.equal(valueAt('invoice', 'customer_id', [[40, 'CLIENTE']], [[40, '43000218']]), '43000218');
  assert.equal(valueAt('invoice', 'customer_id', [[40, 'Account BRA014']]), 'BRA014');
  assert.equal(valueAt('invoice', 'customer_id', [[40, 'Account 118842207']]), undefined);
});

test('a whole name below an exact caption is whose it is, however rare the caption', () => {
  const nameBelow = (name: string) =>
    valueAt(
      'payslip',
      'employee_name',
      [
        [40, 'MATRICOLA'],
        [160, 'COGNOME E NOME'],
        [400, 'CODICE FISCALE'],
      ],
      [
        [40, '0000087'],
        [160, name],
        [400, 'SMPSMN88D11D488K'],
      ],
    );
  assert.equal(nameBelow('ESEMPIO SIMONE'), 'ESEMPIO SIMONE');
});

test('below a street at its caption the town may stand between the edges of both', () => {
  const rows: PrintedRow[] = [
    [[40, 'Domicilio: Ctra. de Alcantarilla, km 4']],
    [[70, '30166 MURCIA']],
    [[40, 'CIF: A30118447']],
  ];
  assert.equal(valueAt('payslip', 'employer_address', ...rows), 'Ctra. de Alcantarilla, km 4, 30166 MURCIA');
});

test('of a row of values that OCR joined, each is that under its own caption', () => {
  const captions: PrintedRow = [
    [40, 'N°'],
    [140, 'Date'],
    [300, 'Code client'],
    [420, 'Mode de règlement'],
  ];
  const document = typeset([captions, [[40, 'FC001204 18/09/2024 CL0088']]]);
  const pages = document.pages.map((page) => ({
    ...page,
    words: page.words.map((word) => {
      const x0 = { FC001204: 40, '18/09/2024': 138, CL0088: 303 }[word.text] ?? word.box.x0;
      return { ...word, source: 'ocr:ppocr:1' as const, box: { ...word.box, x0, x1: x0 + word.box.x1 - word.box.x0 } };
    }),
  }));
  const [page] = pages;
  // OCR reads the row as one line, however wide its blanks.
  const layout = layOut({ ...document, pages });
  const values = layout.lines.filter(({ text }) => /\d/.test(text));
  const joined = lineOf(
    page!.number,
    values.flatMap(({ words }) => words),
  );
  const merged = { ...layout, lines: [...layout.lines.filter((line) => !values.includes(line)), joined] };
  const candidates = proposeCandidates(merged, decideLocale(merged));
  const found = valuesAtCaptions(documentTypeOf('invoice'), merged, candidates, {});
  assert.equal(found.customer_id?.value, 'CL0088');
});

test('a line below a heading in the middle of its box is a whole name where an address goes on below it', () => {
  const below = (...rows: PrintedRow[]) => {
    const document = typeset([[[124, 'Consignee']], [[40, 'TRI RIVERS HARBOR DISPLAY MANUFACTURING']], ...rows]);
    const pages = document.pages.map((page) => ({
      ...page,
      words: page.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const })),
    }));
    const layout = layOut({ ...document, pages });
    return valuesAtCaptions(documentTypeOf('bill_of_lading'), layout, [], {}).consignee?.value;
  };
  assert.equal(below([[40, '7100 MCKNIGHT RD']]), 'TRI RIVERS HARBOR DISPLAY MANUFACTURING');
  assert.equal(below(), 'DISPLAY MANUFACTURING');
});

test('a name that broke off is completed by another caption that has it whole', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'Titular:'],
        [120, 'MARIA DEL ROSARIO'],
      ],
      [[120, 'QUINTANILLA']],
      null,
      [[40, 'Titular: MARIA DEL ROSARIO QUINTANILLA']],
    ]),
  );
  const nameOf = (value: string) => {
    const answered = { customer_name: { value, confidence: 80, provenance: [], flags: [] } };
    return valuesAtCaptions(documentTypeOf('utility_bill'), layout, [], answered).customer_name?.value;
  };
  assert.equal(nameOf('MARIA DEL ROSARIO'), 'MARIA DEL ROSARIO QUINTANILLA');
  assert.equal(nameOf('JUAN PEREZ'), undefined);
});

test('below a name at its caption, what has a caption of its own is no address', () => {
  const list = (caption: string) =>
    valueAt(
      'purchase_order',
      'buyer_address',
      [
        [40, 'Buyer:'],
        [110, 'Jo Bramley'],
      ],
      [
        [40, caption],
        [110, '30 High Street'],
      ],
    );
  assert.equal(list(''), '30 High Street');
  assert.equal(list('Terms:'), undefined);
});
