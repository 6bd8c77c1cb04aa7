import { crc32, deflateSync } from 'node:zlib';
import { stream, textAt, writePdf } from '../read/pdf/written-pdf.ts';

/** A file that was made to harm its reader. */
export interface Bomb {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Files that harm in every way the engine's limits are for. They are small; what they unfold to is not. */
export function makeBombs(): readonly Bomb[] {
  const page = { content: textAt(72, 700, 'Total 12.00') };
  return [
    {
      name: 'a page of 100 km²',
      bytes: writePdf({ pages: [{ content: '0 0 m 9e8 9e8 l S', mediaBox: [0, 0, 9e8, 9e8] }] }),
    },
    {
      name: 'a page as long as a road',
      bytes: writePdf({ pages: [{ content: '0 0 m 9 9e6 l S', mediaBox: [0, 0, 10, 1e7] }] }),
    },
    { name: 'arrays in arrays', bytes: writePdf({ pages: [page], catalog: `/X ${'['.repeat(200_000)}` }) },
    {
      name: 'dictionaries in dictionaries',
      bytes: writePdf({ pages: [page], catalog: `/X ${'<< /A '.repeat(100_000)}` }),
    },
    { name: 'a table of objects that leads back to itself', bytes: loopingTables() },
    {
      name: 'a tree of pages that bears itself',
      bytes: writePdf({ pages: [page], objects: { 2: '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>' } }),
    },
    { name: 'ten thousand pages', bytes: writePdf({ pages: [page], objects: { 2: manyPages(10_000) } }) },
    {
      name: 'a billion pages by its own word',
      bytes: writePdf({ pages: [page], objects: { 2: '<< /Type /Pages /Count 1000000000 /Kids [10 0 R] >>' } }),
    },
    { name: 'millions of operators', bytes: inflatingContent(24) },
    { name: 'a form that draws itself', bytes: endlessForm() },
    { name: 'an attachment of a quarter of a gigabyte', bytes: inflatingAttachment(256) },
    { name: 'a picture of 10 gigapixels in a page', bytes: hugeImageInPage() },
    { name: 'a PNG of 100,000 × 100,000', bytes: png(100_000, 100_000, Buffer.alloc(1_000)) },
    { name: 'a PNG of 49 megapixels', bytes: png(7_000, 7_000, Buffer.alloc(7_001 * 7_000)) },
    { name: 'a PNG cut short', bytes: png(2_000, 2_000, Buffer.alloc(2_001 * 1_000)) },
    {
      name: 'a JPEG cut short',
      bytes: Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108ffffffff03', 'hex'),
    },
  ];
}

function loopingTables(): Buffer {
  const pdf = writePdf({ pages: [{ content: '' }] }).toString('latin1');
  const start = pdf.lastIndexOf('xref\n0 1');
  return Buffer.from(pdf.replace('/Root', `/Prev ${start} /XRefStm ${start} /Root`), 'latin1');
}

function manyPages(count: number): string {
  return `<< /Type /Pages /Count ${count} /Kids [${'10 0 R '.repeat(count)}] >>`;
}

function inflatingContent(megabytes: number): Buffer {
  const operators = Buffer.from('0 0 m 9 9 l S '.repeat(75_000));
  return writePdf({
    pages: [{ content: '' }],
    objects: { 11: stream('/Filter [/FlateDecode /FlateDecode]', deflateTwice(operators, megabytes)) },
  });
}

/** The same megabyte again and again, deflated twice: a few kilobytes. */
function deflateTwice(megabyte: Buffer, count: number): Buffer {
  return deflateSync(deflateSync(Buffer.concat(Array.from({ length: count }, () => megabyte)), { level: 9 }), {
    level: 9,
  });
}

/** PDFium stops at a depth, but ten times at each. */
function endlessForm(): Buffer {
  const form = stream(
    '/Type /XObject /Subtype /Form /BBox [0 0 600 600] /Resources << /XObject << /F 100 0 R >> >>',
    Buffer.from('0 0 m 90 90 l S /F Do '.repeat(10)),
  );
  return writePdf({ pages: [{ content: '/F Do', resources: '/XObject << /F 100 0 R >>' }], objects: { 100: form } });
}

function inflatingAttachment(megabytes: number): Buffer {
  return writePdf({
    pages: [{ content: textAt(72, 700, 'Total 12.00') }],
    catalog: '/Names << /EmbeddedFiles << /Names [(a.xml) 100 0 R] >> >>',
    objects: {
      100: '<< /Type /Filespec /F (a.xml) /EF << /F 101 0 R >> >>',
      101: stream('/Filter [/FlateDecode /FlateDecode]', deflateTwice(Buffer.alloc(1 << 20), megabytes)),
    },
  });
}

function hugeImageInPage(): Buffer {
  const image = stream(
    '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
    deflateSync(Buffer.alloc(1 << 20)),
  );
  return writePdf({
    pages: [{ content: 'q 600 0 0 700 0 0 cm /Im1 Do Q', resources: '/XObject << /Im1 100 0 R >>' }],
    objects: { 100: image },
  });
}

/** A grey PNG of that size whose pixels are given as far as there are any. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), bytes]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(bytes.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
