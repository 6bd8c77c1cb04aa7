import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { docTypes } from '@millrace/document-model';
import sharp from 'sharp';
import { extract, extractFromWords } from './extract.ts';
import { typeset } from './layout/typeset.ts';
import { loadPage, openDocument } from './read/pdf/document.ts';
import { loadPdfium } from './read/pdf/pdfium.ts';
import { rasterisePage } from './read/pdf/raster.ts';
import { textAt, writePdf } from './read/pdf/written-pdf.ts';
import { createReader } from './read/reader.ts';

const reader = createReader();
after(() => reader.close());

const options = { docType: 'detect', fields: null, limits: { sizeBytes: 1_000_000, pages: 5 } } as const;

async function blankPage(attachment?: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]);
  if (attachment) await pdf.attach(attachment, 'factur-x.xml', { mimeType: 'text/xml' });
  return pdf.save();
}

test('an e-invoice on a page without text is read from its XML alone', async () => {
  const xml = await readFile(new URL('embedded/fixtures/ubl-invoice.xml', import.meta.url));
  const extraction = await extract(await blankPage(xml), options, reader);
  assert.equal(extraction.docType, 'invoice');
  assert.ok(extraction.fields.invoice_number);
  assert.ok(Object.values(extraction.fields).some(({ flags }) => flags.includes('embedded')));
  assert.ok(extraction.lines.length > 0);
});

test('a page without text is an empty document', async () => {
  await assert.rejects(extract(await blankPage(), options, reader), { code: 'empty_document' });
});

describe('lines that make patterns try every way to divide them', () => {
  const pieces = [
    '-',
    '/',
    '1',
    'A1',
    'A',
    'Aa ',
    '1 ',
    '1.',
    '1-',
    '. ',
    ': ',
    '12/',
    '(1',
    '$1 ',
    '01/01 - ',
    'x@',
    '+1 ',
  ];
  const documents = pieces.map((piece) => {
    const line = piece.repeat((piece.length === 1 ? 3_000 : 1_000) / piece.length);
    return typeset([[[40, 'Invoice']], [[40, line]], [[40, `${line}!`]], [[40, `${line}Z`]], [[40, 'Total 5.00']]]);
  });
  for (const docType of docTypes) {
    test(`are read in little time as ${docType}`, () => {
      const before = process.threadCpuUsage();
      for (const document of documents) extractFromWords(document, { docType, fields: null });
      // Of the processor, whatever else it does.
      const { user } = process.threadCpuUsage(before);
      assert.ok(user < 10_000_000, `${user} µs`);
    });
  }

  test('are read as soon where leaders, rules or hidden digits stand before a number', () => {
    for (const sign of ['.', '*', '#', '_', '. ']) {
      const line = sign.repeat(1_500 / sign.length);
      const document = typeset([
        [[10, 'Harbour Grill']],
        [[10, `${line}!`]],
        [[10, `1 ${line} z`]],
        [[10, 'Total 12.00']],
      ]);
      for (const docType of ['receipt', 'contract'] as const) {
        const { extraction } = extractFromWords(document, { docType, fields: null });
        assert.equal(extraction.docType, docType);
      }
    }
  });
});

test('names and addresses of a picture have the marks of their letters, which the first pass has no signs for', async () => {
  const lines = ['Bäckerei Köhler', 'Lindenallee 45', '50968 Köln', 'Datum 14.03.2026', 'Summe EUR 12,40'];
  const content = lines.map((line, index) => textAt(30, 200 - 36 * index, line, 14)).join('');
  const pdfium = await loadPdfium();
  const pdf = openDocument(pdfium, writePdf({ pages: [{ content, mediaBox: [0, 0, 300, 240] }] }), options.limits);
  const page = loadPage(pdf, 0);
  const raster = page && rasterisePage(page, 130);
  page?.close();
  pdf.close();
  assert.ok(raster);
  const picture = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  const { fields } = await extract(await picture.png().toBuffer(), { ...options, docType: 'receipt' }, reader);
  assert.equal(fields.merchant_name?.value, 'Bäckerei Köhler');
});
