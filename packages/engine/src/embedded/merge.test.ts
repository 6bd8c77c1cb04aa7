import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { ExtractedValue, Extraction, JsonValue, Provenance, ReadDocument, Word } from '@millrace/document-model';
import { type EmbeddedInvoice, readEmbeddedInvoice } from './invoice.ts';
import { mergeEmbedded } from './merge.ts';
import { indexPrintedWords } from './printed.ts';

function fixture(name: string): EmbeddedInvoice {
  const bytes = readFileSync(path.join(import.meta.dirname, 'fixtures', name));
  return readEmbeddedInvoice([{ name, bytes }])!;
}

/** A page with the lines of a text, ten points high, each character five points wide. */
function pageOf(text: string): ReadDocument {
  const words = text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\S+/g)].map((match): Word => {
      const x0 = match.index * 5;
      const box = { x0, y0: index * 12, x1: x0 + match[0].length * 5, y1: index * 12 + 10 };
      return { text: match[0], box, source: 'text', confidence: 1 };
    }),
  );
  return {
    mediaType: 'application/pdf',
    pages: [
      {
        number: 1,
        width: 600,
        height: 800,
        unit: 'point',
        words,
        readings: [{ source: 'text', words }],
        rulings: [],
        turnedDegrees: 0,
      },
    ],
    attachments: [],
  };
}

const place: Provenance = { page: 1, box: { x0: 1, y0: 2, x1: 3, y1: 4 }, text: 'as printed', source: 'text' };

function printedValue(value: JsonValue, confidence = 90): ExtractedValue {
  return { value, confidence, provenance: [place], flags: [] };
}

function extractionOf(
  docType: Extraction['docType'],
  fields: Extraction['fields'],
  lines: Extraction['lines'] = [],
): Extraction {
  return {
    docType,
    classification: { docType, confidence: 70 },
    locale: { language: 'de', decimalSeparator: ',', dateOrder: 'dmy', currency: null, country: null },
    fields,
    lines,
    pages: [{ number: 1, width: 600, height: 800, unit: 'point' }],
    sources: ['text'],
  };
}

const printedPage = pageOf(
  'Rechnung 2024-0815 vom 5. März 2024\nBetrag 999,15 EUR\nSpeicher B Hafenstraße 7 24103 Kiel',
);

test('embedded values replace the printed ones, and only a real disagreement is flagged', () => {
  const extraction = extractionOf('invoice', {
    invoice_number: printedValue('2024-0815'),
    invoice_date: printedValue('2024-05-03'),
    total_amount: printedValue(999.15),
    amount_due: printedValue(999.15, 30),
    vendor_address: printedValue('Hafenstraße 7, 24103 Kiel, Deutschland'),
    language: printedValue('de', 97),
  });
  const { fields, lines, classification, locale, sources } = mergeEmbedded(
    fixture('ubl-invoice.xml'),
    extraction,
    { docType: 'invoice', fields: null },
    printedPage,
  );
  assert.deepEqual(fields.invoice_number, {
    value: '2024-0815',
    confidence: 100,
    provenance: [{ ...place, text: '2024-0815', source: 'embedded' }],
    flags: ['embedded'],
  });
  assert.deepEqual(fields.invoice_date?.flags, ['embedded'], 'the true date is printed too');
  assert.equal(fields.invoice_date?.provenance[0]?.box.x0, 'Rechnung 2024-0815 vom '.length * 5);
  assert.deepEqual(fields.total_amount?.flags, ['embedded', 'printed_value_differs']);
  assert.equal(fields.total_amount?.value, 329.15);
  assert.deepEqual(fields.amount_due?.flags, ['embedded'], 'the printed value was too doubtful to be called different');
  assert.deepEqual(fields.vendor_address?.flags, ['embedded'], 'most of the address is printed');
  assert.deepEqual(fields.language, printedValue('de', 97), 'what is only printed stays');
  assert.equal(fields.original_invoice_number, undefined);
  assert.deepEqual(
    fields.customer_name?.provenance.map(({ box, source }) => [box.x1, source]),
    [[0, 'embedded']],
    'nowhere in print',
  );
  assert.deepEqual(
    lines.map((line) => [line.description?.value, line.amount?.value, line.amount?.confidence]),
    [
      ['Screws galvanised, 4 × 40 mm', 120.1, 100],
      ['Fitting', 150, 100],
    ],
  );
  assert.deepEqual(classification, { docType: 'invoice', confidence: 100 });
  assert.equal(locale.currency, 'EUR');
  assert.deepEqual(sources, ['text', 'embedded']);
});

test('a value printed over several lines has the place of each', () => {
  const printed = pageOf('Nordlicht\nHafenstraße 7\nSpeicher B\n24103 Kiel');
  const options = { docType: 'invoice', fields: ['vendor_address'] } as const;
  const { fields } = mergeEmbedded(fixture('ubl-invoice.xml'), extractionOf('invoice', {}), options, printed);
  assert.deepEqual(
    fields.vendor_address?.provenance.map(({ box }) => box.y0),
    [12, 24, 36],
  );
});

test('a restriction to fields holds for the embedded invoice too', () => {
  const extraction = extractionOf('invoice', { total_amount: printedValue(1) });
  const options = { docType: 'invoice', fields: ['total_amount', 'iban'] } as const;
  const { fields, lines } = mergeEmbedded(fixture('ubl-invoice.xml'), extraction, options, printedPage);
  assert.deepEqual(Object.keys(fields).sort(), ['iban', 'total_amount']);
  assert.deepEqual(lines, []);
  const withLines = { docType: 'invoice', fields: ['lines'] } as const;
  assert.equal(mergeEmbedded(fixture('ubl-invoice.xml'), extraction, withLines, printedPage).lines.length, 2);
});

test('a credit note has its own fields and its rows among the fields', () => {
  const embedded = fixture('ubl-credit-note.xml');
  const extraction = extractionOf('general', { key_values: printedValue([]), language: printedValue('en') });
  const detected = mergeEmbedded(embedded, extraction, { docType: 'detect', fields: null }, printedPage);
  assert.equal(detected.docType, 'credit_note');
  assert.equal(detected.fields.credit_note_number?.value, 'CN-12');
  assert.equal(detected.fields.credit_note_date?.value, '2024-05-02');
  assert.equal(detected.fields.original_invoice_number?.value, 'INV-7');
  assert.equal(detected.fields.invoice_number, undefined);
  assert.equal(detected.fields.key_values, undefined);
  assert.deepEqual(detected.fields.items?.value, [
    { description: 'Rope, returned', quantity: 4, unit: 'pcs', price_unit: 10, amount: 40 },
  ]);
  assert.deepEqual(detected.lines, []);

  const asInvoice = mergeEmbedded(embedded, extraction, { docType: 'invoice', fields: null }, printedPage);
  assert.equal(asInvoice.fields.invoice_number?.value, 'CN-12');
  assert.equal(asInvoice.lines.length, 1);
});

test('an answer of another type stays as it was read, and its classification is settled', () => {
  const extraction = extractionOf('general', { key_values: printedValue([]) });
  const merged = mergeEmbedded(
    fixture('ubl-invoice.xml'),
    extraction,
    { docType: 'general', fields: null },
    printedPage,
  );
  assert.deepEqual(merged, { ...extraction, classification: { docType: 'invoice', confidence: 100 } });
});

test('the rows of a broken e-invoice do not replace more printed ones', () => {
  const embedded = { ...fixture('ubl-credit-note.xml'), complete: false };
  const rows = ['a', 'b'].map((description) => ({ description: printedValue(description) }));
  const options = { docType: 'invoice', fields: null } as const;
  assert.deepEqual(mergeEmbedded(embedded, extractionOf('invoice', {}, rows), options, printedPage).lines, rows);
});

test('values are found in print however they are written', () => {
  const words = indexPrintedWords(
    pageOf(
      'am 05.03.2024 oder 3/5/24, March 5, 2024\n1.234,50 € 1’000.00 EUR 12\nDE02 1203 0000 0000 2020 51 x1250\n(Nr. 77-A)',
    ),
  );
  for (const value of ['2024-03-05', 1234.5, -1234.5, 1000, 'DE02120300000000202051', 'nr 77a', '77-A']) {
    assert.ok(words.shows(value), String(value));
  }
  for (const value of ['2024-03-06', 234.5, 12.5, 2, 'DE0212030000000020205', '7-A']) {
    assert.ok(!words.shows(value), String(value));
  }
  assert.equal(words.place(12), null, 'too short to be sure of its place');
  assert.deepEqual(words.place(1234.5)?.box, { x0: 0, y0: 12, x1: 40, y1: 22 });
});
