import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import type { InvoiceDocument } from '../document.ts';
import { generateInvoice, withTotals } from '../invoices-testing.ts';
import { invoiceXml } from '../xml/invoice-xml.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { checkLogo } from './logo.ts';

const invoice = generateInvoice(0);

function dictionary(object: PDFObject | undefined): PDFDict {
  assert.ok(object instanceof PDFDict, String(object));
  return object;
}

function get(parent: PDFDict, ...names: readonly string[]): PDFObject | undefined {
  let object: PDFObject | undefined = parent;
  for (const name of names) {
    object = object instanceof PDFDict ? object.lookup(PDFName.of(name)) : undefined;
  }
  return object;
}

function bytesOf(object: PDFObject | undefined): Buffer {
  assert.ok(object instanceof PDFRawStream, String(object));
  return Buffer.from(decodePDFRawStream(object).decode());
}

/** Every object of a file: dictionaries of streams as well. */
function dictionaries(pdf: PDFDocument): readonly PDFDict[] {
  return pdf.context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (object instanceof PDFRawStream) return [object.dict];
    return object instanceof PDFDict ? [object] : [];
  });
}

async function pngLogo(): Promise<Buffer> {
  return sharp({ create: { width: 300, height: 80, channels: 4, background: { r: 10, g: 90, b: 120, alpha: 0.5 } } })
    .png({ progressive: true })
    .toBuffer();
}

/** What PDF/A-3b (ISO 19005-3) demands of the parts that these files have. */
async function assertPdfA(bytes: Uint8Array): Promise<PDFDocument> {
  const text = Buffer.from(bytes).toString('latin1');
  assert.match(text, /^%PDF-1\.7\n%[\x80-\xFF]{4}/, '6.1.2: the header and a comment of bytes above 127');
  assert.match(text, /%%EOF\s*$/);
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const { catalog } = pdf;
  const { trailerInfo } = pdf.context;
  assert.ok(trailerInfo.ID, '6.1.3: the file has an identifier');
  assert.equal(trailerInfo.Encrypt, undefined, '6.1.3: no encryption');

  const intents = get(catalog, 'OutputIntents');
  assert.ok(intents instanceof PDFArray && intents.size() === 1, '6.2.3: one output intent');
  const intent = dictionary(intents.lookup(0));
  assert.equal(String(get(intent, 'S')), '/GTS_PDFA1');
  const profile = get(intent, 'DestOutputProfile');
  assert.equal(String(get((profile as PDFRawStream).dict, 'N')), '3');
  assert.equal(bytesOf(profile).toString('latin1', 36, 40), 'acsp', 'an ICC profile');
  assert.equal(bytesOf(profile).toString('latin1', 16, 20), 'RGB ');

  const metadata = get(catalog, 'Metadata') as PDFRawStream;
  assert.equal(get(metadata.dict, 'Filter'), undefined, '6.6.2: metadata is not compressed');
  const xmp = bytesOf(metadata).toString('utf8');
  assert.match(xmp, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
  const title = get(dictionary(pdf.context.lookup(trailerInfo.Info)), 'Title');
  assert.ok(title instanceof PDFString || title instanceof PDFHexString);
  assert.ok(xmp.includes(`<rdf:li xml:lang="x-default">${title.decodeText()}</rdf:li>`), 'both state the same title');

  for (const part of dictionaries(pdf)) {
    const type = String(get(part, 'Type'));
    if (type === '/Font' && String(get(part, 'Subtype')) !== '/Type0') {
      const descriptor = dictionary(get(part, 'FontDescriptor'));
      assert.ok(get(descriptor, 'FontFile2') instanceof PDFRawStream, '6.2.11.4: every font is embedded');
      assert.match(String(get(part, 'BaseFont')), /^\/[A-Z]{6}\+Inter-/);
      assert.equal(String(get(part, 'CIDToGIDMap')), '/Identity');
    }
    if (type === '/Font' && String(get(part, 'Subtype')) === '/Type0') {
      assert.ok(get(part, 'ToUnicode') instanceof PDFRawStream);
    }
    for (const name of ['SMask', 'BM', 'ca', 'CA']) {
      assert.equal(get(part, name), undefined, `no transparency: ${name} in ${part}`);
    }
    for (const name of ['JS', 'AA', 'OpenAction', 'Launch', 'LZWDecode']) {
      assert.equal(get(part, name), undefined, `6.5, 6.1.7: no ${name}`);
    }
    assert.notEqual(String(get(part, 'Filter')), '/LZWDecode');
    assert.notEqual(String(get(part, 'Interpolate')), 'true', '6.2.8');
  }
  for (const page of pdf.getPages()) {
    const contents = bytesOf(page.node.Contents() as PDFObject).toString('latin1');
    assert.doesNotMatch(contents, /<(?:[0-9a-f]{4})*?0000(?:[0-9a-f]{4})*>/, '6.2.11.8: no missing glyph');
  }
  return pdf;
}

/** The attached XML and how it is attached; null where nothing is. */
function attachmentOf(pdf: PDFDocument): { xml: string; xmp: string } | null {
  const xmp = bytesOf(get(pdf.catalog, 'Metadata')).toString('utf8');
  const associated = get(pdf.catalog, 'AF');
  if (associated === undefined) {
    assert.equal(get(pdf.catalog, 'Names', 'EmbeddedFiles'), undefined);
    assert.doesNotMatch(xmp, /factur-x/);
    return null;
  }
  assert.ok(associated instanceof PDFArray && associated.size() === 1);
  const file = dictionary(associated.lookup(0));
  assert.equal(String(get(file, 'AFRelationship')), '/Alternative');
  assert.equal((get(file, 'F') as PDFString).decodeText(), 'factur-x.xml');
  assert.equal((get(file, 'UF') as PDFString).decodeText(), 'factur-x.xml');
  const names = get(pdf.catalog, 'Names', 'EmbeddedFiles', 'Names');
  assert.ok(names instanceof PDFArray && names.lookup(1) === file, 'the file is listed under its name as well');
  const stream = get(file, 'EF', 'F') as PDFRawStream;
  assert.equal(String(get(stream.dict, 'Subtype')), '/text#2Fxml');
  assert.ok(get(stream.dict, 'Params', 'ModDate'));
  for (const [name, value] of Object.entries({
    DocumentFileName: 'factur-x.xml',
    DocumentType: 'INVOICE',
    Version: '1.0',
    ConformanceLevel: 'EN 16931',
  })) {
    assert.ok(xmp.includes(`<fx:${name}>${value}</fx:${name}>`));
    assert.ok(xmp.includes(`<pdfaProperty:name>${name}</pdfaProperty:name>`), 'the extension schema describes it');
  }
  return { xml: bytesOf(stream).toString('utf8'), xmp };
}

test('an invoice is a PDF/A-3b with its electronic form attached', async () => {
  for (const document of [{ ...invoice, logo: await pngLogo() }, generateInvoice(1), generateInvoice(9)]) {
    const pdf = await assertPdfA(await invoicePdf(document));
    assert.equal(attachmentOf(pdf)?.xml, invoiceXml(document, 'factur-x'));
  }
});

test('an invoice whose amounts need three decimals has no electronic form', async () => {
  const document = generateInvoice(26);
  assert.throws(() => invoiceXml(document, 'factur-x'));
  assert.equal(attachmentOf(await assertPdfA(await invoicePdf(document))), null);
});

test('the same document gives the same bytes', async () => {
  const document = { ...invoice, logo: await pngLogo() };
  assert.deepEqual(await invoicePdf(document), await invoicePdf(document));
});

test('forty pages repeat the head of the table and count themselves', async () => {
  const lines = Array.from({ length: 760 }, (_, index) => ({
    ...invoice.lines[index % invoice.lines.length]!,
    group: `App ${Math.floor(index / 70)}`,
    description: index % 3 === 0 ? '' : 'POST /v1/documents',
  }));
  const pdf = await assertPdfA(await invoicePdf(withTotals({ ...invoice, lines })));
  assert.ok(pdf.getPageCount() >= 40, `${pdf.getPageCount()} pages`);
});

test('names of any script and length are set without a missing glyph', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(4);
  const document: InvoiceDocument = withTotals({
    ...invoice,
    number: '<&>"株',
    seller: { ...invoice.seller, name: '株式会社 日本 \u202E\u0007\uD800 مرحبا 👩‍💻', bank: null },
    buyer: { ...invoice.buyer, name: long, address: { ...invoice.buyer.address, lines: [long, long, 'Σίσυφος'] } },
    lines: [
      {
        ...invoice.lines[0]!,
        name: long,
        description: `${long} ${long}`,
        quantity: '999999999999.999999999999',
        unitPrice: '999999999999.999999999999',
        amountMinor: 4_000_000_000_000_000,
      },
    ],
    notes: [long],
  });
  await assertPdfA(await invoicePdf(document));
});

test('a logo is embedded opaque and no larger than it is printed', async () => {
  const large = await sharp({ create: { width: 4000, height: 1000, channels: 4, background: '#0b728580' } })
    .png()
    .toBuffer();
  const pdf = await PDFDocument.load(await invoicePdf({ ...invoice, logo: large }));
  const images = dictionaries(pdf).filter((part) => String(get(part, 'Subtype')) === '/Image');
  assert.equal(images.length, 1);
  assert.deepEqual([String(get(images[0]!, 'Width')), String(get(images[0]!, 'ColorSpace'))], ['600', '/DeviceRGB']);
});

test('a logo that is too large, damaged or no PNG is refused', async () => {
  const png = await pngLogo();
  const bomb = await sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(1024 * 1024 + 1), /larger than 1 MB/],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a PNG file/],
    [png.subarray(0, png.length - 40), /damaged or too large/],
    [bomb, /damaged or too large/],
  ];
  for (const [logo, message] of cases) {
    await assert.rejects(checkLogo(logo), { code: 'invalid_logo', message });
    await assert.rejects(invoicePdf({ ...invoice, logo }), { code: 'invalid_logo' });
  }
  await checkLogo(png);
});

test('an inconsistent document is refused before it is printed', async () => {
  await assert.rejects(invoicePdf({ ...invoice, dueMinor: 1 }), { code: 'invalid_document' });
});
