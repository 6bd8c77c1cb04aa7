import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { extract } from './extract.ts';
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
