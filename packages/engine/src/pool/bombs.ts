import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { stream, textAt, type WrittenPdf, writePdf } from '../read/pdf/written-pdf.ts';

/** A file that was made to harm its reader. */
export interface Bomb {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Files that harm in every way the engine's limits are for. They are small; what they unfold to is not. */
export async function makeBombs(): Promise<readonly Bomb[]> {
  return [...structures(), ...inflations(), ...recursions(), ...pictures(), ...(await rasterFiles()), ...invoices()];
}

const page = { content: textAt(72, 700, 'Total 12.00') };

function structures(): Bomb[] {
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
    { name: 'five thousand fonts', bytes: manyFonts(5_000) },
    { name: 'a page of a million letters', bytes: manyWords(200_000) },
    { name: 'a hundred thousand form fields', bytes: manyWidgets(20_000) },
  ];
}

/** A stream's bytes and the filters that unfold them. */
interface Packed {
  readonly filters: string;
  readonly bytes: Buffer;
}

function inflations(): Bomb[] {
  const flate = packed('/FlateDecode /FlateDecode', deflateSync(deflated(512, ' '), { level: 9 }));
  const packings: readonly (readonly [name: string, packed: Packed])[] = [
    ['doubly deflated', flate],
    ['triply deflated', packed('/FlateDecode /FlateDecode /FlateDecode', deflateSync(flate.bytes, { level: 9 }))],
    ['LZW', packed('/FlateDecode /LZWDecode', deflateSync(lzwOfSpaces(256), { level: 9 }))],
    [
      'run lengths',
      packed(
        '/FlateDecode /RunLengthDecode /RunLengthDecode',
        deflateSync(Buffer.alloc(8 << 20, Buffer.from([0x81, 0x81])), { level: 9 }),
      ),
    ],
    ['ASCII 85', packed('/FlateDecode /ASCII85Decode', deflated(96, 'z'))],
    ['hexadecimal', packed('/FlateDecode /ASCIIHexDecode', deflated(512, '20'))],
  ];
  return [
    ...packings.map(([name, { filters, bytes }]) => ({
      name: `a content of half a gigabyte, ${name}`,
      bytes: writePdf({ pages: [page], objects: { 11: stream(`/Filter [${filters}]`, bytes) } }),
    })),
    {
      name: 'an array of contents that is one stream again and again',
      bytes: writePdf({
        pages: [{ ...page, entries: `/Contents [${'100 0 R '.repeat(2_000)}]` }],
        objects: {
          100: stream('/Filter [/FlateDecode /FlateDecode]', deflateTwice(Buffer.alloc(1 << 20, ' '), 4)),
        },
      }),
    },
    { name: 'an attachment of a quarter of a gigabyte', bytes: inflatingAttachment(256) },
    { name: 'a stream of objects of half a gigabyte', bytes: inflatingObjects(flate) },
    { name: 'a table of objects of half a gigabyte', bytes: inflatingTable(flate) },
    { name: 'a font of half a gigabyte', bytes: inflatingFont(flate) },
  ];
}

function recursions(): Bomb[] {
  const form = (content: string, resources: string, entries = '') =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 600] /Resources << ${resources} >> ${entries}`,
      Buffer.from(content),
    );
  const drawing = (objects: NonNullable<WrittenPdf['objects']>, resources = '/XObject << /F 100 0 R >>') =>
    writePdf({ pages: [{ content: '/F Do', resources }], objects });
  const five = [100, 101, 102, 103, 104];
  const all = `/XObject << ${five.map((number, index) => `/F${index} ${number} 0 R`).join(' ')} >>`;
  const fan = five.map((_, index) => `/F${index} Do`).join(' ');
  return [
    { name: 'a form that draws itself', bytes: endlessForm() },
    {
      name: 'five forms that each draw all five',
      bytes: drawing(Object.fromEntries(five.map((number) => [number, form(`0 0 m 90 90 l S ${fan}`, all)]))),
    },
    {
      name: 'forms that draw the next one ten times, twelve deep',
      bytes: drawing(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, depth) => [
            100 + depth,
            form('0 0 m 90 90 l S /F Do '.repeat(10), `/XObject << /F ${101 + depth} 0 R >>`),
          ]),
        ),
      ),
    },
    {
      name: 'a pattern that paints itself',
      bytes: writePdf({
        pages: [{ content: '/Pattern cs /P scn 0 0 600 600 re f', resources: '/Pattern << /P 100 0 R >>' }],
        objects: {
          100: stream(
            '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 2 2] /XStep .01 /YStep .01 /Resources << /Pattern << /P 100 0 R >> >>',
            Buffer.from('/Pattern cs /P scn 0 0 600 600 re f'),
          ),
        },
      }),
    },
    {
      name: 'a soft mask that is its own',
      bytes: writePdf({
        pages: [
          {
            content: '/G gs 0 0 600 600 re f /F Do',
            resources: '/ExtGState << /G 101 0 R >> /XObject << /F 100 0 R >>',
          },
        ],
        objects: {
          100: form(
            '/G gs 0 0 m 90 90 l S /F Do '.repeat(8),
            '/ExtGState << /G 101 0 R >> /XObject << /F 100 0 R >>',
            '/Group << /S /Transparency /CS /DeviceRGB >>',
          ),
          101: '<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G 100 0 R >> >>',
        },
      }),
    },
    {
      name: 'a glyph that writes itself',
      bytes: writePdf({
        pages: [{ content: 'BT /T 20 Tf 72 700 Td (aaaaaaaaaa) Tj ET', resources: '/Font << /T 100 0 R >>' }],
        objects: {
          100: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 101 0 R >> /Resources << /Font << /T 100 0 R >> >> >>',
          101: stream('', Buffer.from('1 0 d0 BT /T 1 Tf (aaaaaaaaaa) Tj ET 0 0 1 1 re f')),
        },
      }),
    },
    {
      name: 'form fields that are their own children',
      bytes: writePdf({
        pages: [{ ...page, entries: '/Annots [100 0 R 101 0 R]' }],
        catalog: '/AcroForm << /Fields [100 0 R 101 0 R] >>',
        objects: {
          100: '<< /FT /Tx /T (a) /Parent 101 0 R /Kids [101 0 R 100 0 R] /Subtype /Widget /Rect [0 0 9 9] >>',
          101: '<< /FT /Tx /T (b) /Parent 100 0 R /Kids [100 0 R 101 0 R] /Subtype /Widget /Rect [0 0 9 9] >>',
        },
      }),
    },
    {
      name: 'names that lead back to themselves',
      bytes: writePdf({
        pages: [page],
        catalog: '/Names << /EmbeddedFiles 100 0 R >>',
        objects: { 100: `<< /Kids [${'100 0 R '.repeat(10)}] >>` },
      }),
    },
  ];
}

function pictures(): Bomb[] {
  const nothing = Buffer.alloc(64);
  const picture = (width: number, height: number, entries: string, bytes: Buffer, times = 1) =>
    writePdf({
      pages: [{ content: 'q 600 0 0 700 0 0 cm /Im1 Do Q '.repeat(times), resources: '/XObject << /Im1 100 0 R >>' }],
      objects: {
        100: stream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries}`, bytes),
        102: stream('', nothing),
      },
    });
  const bit = '/ColorSpace /DeviceGray /BitsPerComponent 1';
  const rgb = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
  const bits = deflateSync(deflated(430, 'U'), { level: 9 });
  return [
    {
      name: 'a picture of 10 gigapixels in a page',
      bytes: picture(100_000, 100_000, `${rgb} /Filter /FlateDecode`, deflateSync(Buffer.alloc(1 << 20))),
    },
    {
      name: 'a picture of 60,000 × 60,000 in one bit',
      bytes: picture(60_000, 60_000, `${bit} /Filter [/FlateDecode /FlateDecode]`, bits),
    },
    {
      name: 'a mask of 60,000 × 60,000',
      bytes: picture(60_000, 60_000, '/ImageMask true /BitsPerComponent 1 /Filter [/FlateDecode /FlateDecode]', bits),
    },
    {
      name: 'a fax of 60,000 × 60,000',
      bytes: picture(
        60_000,
        60_000,
        `${bit} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>`,
        nothing,
      ),
    },
    {
      name: 'a JBIG2 picture of 60,000 × 60,000',
      bytes: picture(60_000, 60_000, `${bit} /Filter /JBIG2Decode`, jbig2Page(60_000, 60_000)),
    },
    {
      name: 'a JPEG 2000 picture of 60,000 × 60,000',
      bytes: picture(60_000, 60_000, '/Filter /JPXDecode', jpeg2000Header(60_000, 60_000)),
    },
    {
      name: 'a picture of 8,000 × 8,000 drawn 500 times',
      bytes: picture(8_000, 8_000, `${rgb} /Filter /FlateDecode`, deflatedZeros(192_000_000), 500),
    },
    {
      name: 'a shading over a function without end',
      bytes: writePdf({
        pages: [
          {
            content: '/S sh '.repeat(400),
            resources:
              '/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 600 0 600] /Function 100 0 R >> >>',
          },
        ],
        objects: {
          100: stream(
            '/FunctionType 4 /Domain [0 600 0 600] /Range [0 1 0 1 0 1]',
            Buffer.from(`{ ${'sin cos atan sqrt 2 copy '.repeat(30)} pop 0 0 0 }`),
          ),
        },
      }),
    },
  ];
}

async function rasterFiles(): Promise<Bomb[]> {
  const rows = deflatedZeros(7_001 * 7_000);
  const profile = Buffer.concat([Buffer.from('icc\0\0'), deflatedZeros(256 << 20)]);
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflatedZeros(256 << 20)]);
  const noise = sharp({
    create: {
      width: 3_200,
      height: 3_200,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', sigma: 30, mean: 128 },
    },
  });
  const progressive = await noise.jpeg({ progressive: true, quality: 30 }).toBuffer();
  return [
    { name: 'a PNG of 100,000 × 100,000', bytes: png(100_000, 100_000, deflatedZeros(1_000)) },
    { name: 'a PNG of 49 megapixels', bytes: png(7_000, 7_000, rows) },
    { name: 'an interlaced PNG of 49 megapixels', bytes: png(7_000, 7_000, rows, { interlaced: true }) },
    {
      name: 'a PNG of 49 megapixels in 64 bits each',
      bytes: png(7_000, 7_000, deflatedZeros(56_001 * 7_000), { depth: 16, colour: 6 }),
    },
    {
      name: 'an interlaced PNG of 49 megapixels in 64 bits each',
      bytes: png(7_000, 7_000, deflatedZeros(56_020 * 7_000), { depth: 16, colour: 6, interlaced: true }),
    },
    {
      name: 'a PNG with a text of a quarter of a gigabyte',
      bytes: png(200, 200, deflatedZeros(201 * 200), { chunks: [['zTXt', text]] }),
    },
    {
      name: 'a PNG with a profile of a quarter of a gigabyte',
      bytes: png(200, 200, deflatedZeros(201 * 200), { chunks: [['iCCP', profile]] }),
    },
    {
      name: 'a PNG with a hundred thousand texts',
      bytes: png(200, 200, deflatedZeros(201 * 200), {
        chunks: Array.from({ length: 100_000 }, (_, index) => ['tEXt', Buffer.from(`Key ${index}\0value`)] as const),
      }),
    },
    { name: 'a PNG cut short', bytes: png(2_000, 2_000, deflatedZeros(2_001 * 1_000)) },
    {
      name: 'a JPEG cut short',
      bytes: Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108ffffffff03', 'hex'),
    },
    { name: 'a JPEG of thousands of scans', bytes: repeatLastScan(progressive, 5_000) },
    {
      name: 'a JPEG that lies on its side, of 49 megapixels',
      bytes: await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#fff' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    },
    { name: 'a JPEG with a thousand EXIF segments', bytes: withExifSegments(await smallJpeg(), 250) },
  ];
}

function invoices(): Bomb[] {
  const attached = (xml: string) =>
    writePdf({
      pages: [page],
      catalog: '/Names << /EmbeddedFiles << /Names [(factur-x.xml) 100 0 R] >> >>',
      objects: {
        100: '<< /Type /Filespec /F (factur-x.xml) /EF << /F 101 0 R >> >>',
        101: stream('/Filter /FlateDecode', deflateSync(xml, { level: 9 })),
      },
    });
  const open = '<rsm:CrossIndustryInvoice>';
  const line =
    '<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Paper</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>';
  return [
    {
      name: 'an e-invoice of a billion laughs',
      bytes: attached(
        `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'bcdefghij'[index]} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]>${open}&j;</rsm:CrossIndustryInvoice>`,
      ),
    },
    { name: 'an e-invoice a million elements deep', bytes: attached(open + '<a>'.repeat(1_000_000)) },
    {
      name: 'an e-invoice of a million attributes',
      bytes: attached(
        `<rsm:CrossIndustryInvoice ${Array.from({ length: 500_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
      ),
    },
    { name: 'an e-invoice of millions of ampersands', bytes: attached(`${open}${'&'.repeat(8_000_000)}`) },
    {
      name: 'an e-invoice of forty thousand lines',
      bytes: attached(
        `${open}<rsm:SupplyChainTradeTransaction>${line.repeat(40_000)}</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`,
      ),
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
  return deflateSync(deflatedCopies([[megabyte, count]]), { level: 9 });
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

function packed(filters: string, bytes: Buffer): Packed {
  return { filters, bytes };
}

/** So many megabytes of one text, deflated once. */
function deflated(megabytes: number, text: string): Buffer {
  return deflatedCopies([[Buffer.alloc(1 << 20, text), megabytes]]);
}

function deflatedZeros(sizeBytes: number): Buffer {
  return deflatedCopies([
    [Buffer.alloc(1 << 20), sizeBytes >> 20],
    [Buffer.alloc(sizeBytes % (1 << 20)), 1],
  ]);
}

/**
 * Deflates pieces of which each comes so many times, at the cost of deflating each once: a full flush makes a piece’s
 * blocks independent of what stands before them (RFC 1950, RFC 1951).
 */
function deflatedCopies(pieces: readonly (readonly [piece: Buffer, count: number])[]): Buffer {
  const blocks: Buffer[] = [];
  // Adler-32 of the whole: each piece adds its bytes to the one sum, and their sums so far to the other.
  const modulus = 65_521;
  let sum = 1;
  let sumOfSums = 0;
  for (const [piece, count] of pieces) {
    const block = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
    let pieceSum = 0;
    let pieceSumOfSums = 0;
    for (const byte of piece) {
      pieceSum = (pieceSum + byte) % modulus;
      pieceSumOfSums = (pieceSumOfSums + pieceSum) % modulus;
    }
    for (let copy = 0; copy < count; copy++) {
      blocks.push(block);
      sumOfSums = (sumOfSums + piece.length * sum + pieceSumOfSums) % modulus;
      sum = (sum + pieceSum) % modulus;
    }
  }
  const lastBlock = Buffer.from([0x03, 0x00]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(sumOfSums, 0);
  checksum.writeUInt16BE(sum, 2);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, lastBlock, checksum]);
}

/** LZW of ever longer runs of spaces (ISO 32000-1, 7.4.4), until so many megabytes are unfolded. */
function lzwOfSpaces(megabytes: number): Buffer {
  const codes: [code: number, bits: number][] = [];
  let unfolded = 0;
  while (unfolded < megabytes << 20) {
    codes.push([256, codes.length === 0 ? 9 : 12], [32, 9]);
    for (let next = 258, length = 2; next < 4_094; next++, length++) {
      codes.push([next, next >= 2_047 ? 12 : next >= 1_023 ? 11 : next >= 511 ? 10 : 9]);
      unfolded += length;
    }
  }
  const text = codes.map(([code, bits]) => code.toString(2).padStart(bits, '0')).join('');
  return Buffer.from((text.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
}

function inflatingObjects({ filters, bytes }: Packed): Buffer {
  return streamedPdf(bytes, `/Type /ObjStm /N 100000000 /First 100000 /Filter [${filters}]`, '');
}

function inflatingTable({ filters, bytes }: Packed): Buffer {
  const table = Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n'),
    stream(`/Type /XRef /Size 100000000 /W [1 4 2] /Root 1 0 R /Filter [${filters}]`, bytes),
    Buffer.from('\nendobj\nstartxref\n9\n%%EOF\n'),
  ]);
  return table;
}

/** A PDF whose catalog stands in an object stream (ISO 32000-1, 7.5.7). */
function streamedPdf(bytes: Buffer, entries: string, more: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const at = () => parts.reduce((sum, part) => sum + part.length, 0);
  const objectsAt = at();
  parts.push(Buffer.concat([Buffer.from('5 0 obj\n'), stream(entries, bytes), Buffer.from('\nendobj\n')]));
  const tableAt = at();
  const row = (type: number, second: number, third: number) => [
    type,
    second >>> 24,
    (second >>> 16) & 255,
    (second >>> 8) & 255,
    second & 255,
    third,
  ];
  const rows = Buffer.from([
    ...row(0, 0, 255),
    ...row(2, 5, 0),
    ...row(2, 5, 1),
    ...row(2, 5, 2),
    ...row(0, 0, 255),
    ...row(1, objectsAt, 0),
    ...row(1, tableAt, 0),
  ]);
  parts.push(
    Buffer.concat([
      Buffer.from('6 0 obj\n'),
      stream(`/Type /XRef /Size 7 /W [1 4 1] /Root 1 0 R ${more}`, rows),
      Buffer.from(`\nendobj\nstartxref\n${tableAt}\n%%EOF\n`),
    ]),
  );
  return Buffer.concat(parts);
}

function inflatingFont({ filters, bytes }: Packed): Buffer {
  const names = Array.from({ length: 20 }, (_, index) => index);
  return writePdf({
    pages: [
      {
        content: names.map((index) => textAt(72, 700 - index * 12, 'Total 12.00', 12, `G${index}`)).join(''),
        resources: `/Font << ${names.map((index) => `/G${index} ${100 + index} 0 R`).join(' ')} >>`,
      },
    ],
    objects: {
      ...Object.fromEntries(
        names.map((index) => [
          100 + index,
          `<< /Type /Font /Subtype /TrueType /BaseFont /A${index} /ToUnicode 201 0 R /FontDescriptor << /Type /FontDescriptor /FontName /A${index} /Flags 4 /FontFile2 200 0 R >> >>`,
        ]),
      ),
      200: stream(`/Filter [${filters}]`, bytes),
      201: stream(`/Filter [${filters}]`, bytes),
    },
  });
}

function manyFonts(count: number): Buffer {
  const names = Array.from({ length: count }, (_, index) => index);
  return writePdf({
    pages: [
      {
        content: names.map((index) => textAt(72 + (index % 50) * 9, 700 - index / 8, 'ab', 4, `G${index}`)).join(''),
        resources: `/Font << ${names.map((index) => `/G${index} ${100 + index} 0 R`).join(' ')} >>`,
      },
    ],
    objects: Object.fromEntries(
      names.map((index) => [100 + index, `<< /Type /Font /Subtype /TrueType /BaseFont /Name${index} >>`]),
    ),
  });
}

function manyWords(count: number): Buffer {
  const lines = Array.from({ length: count / 10 }, (_, index) =>
    textAt(10 + (index % 7) * 80, 780 - (index % 7_000) / 9, '12.50 EUR 1 2 3 4 5 6 7 total', 3),
  );
  return writePdf({
    pages: [{ content: '' }],
    objects: { 11: stream('/Filter /FlateDecode', deflateSync(lines.join(''), { level: 9 })) },
  });
}

function manyWidgets(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => 100 + index);
  const list = numbers.map((number) => `${number} 0 R`).join(' ');
  return writePdf({
    pages: [{ ...page, entries: `/Annots [${list}]` }],
    catalog: `/AcroForm << /Fields [${list}] >>`,
    objects: Object.fromEntries(
      numbers.map((number) => [
        number,
        `<< /FT /Tx /T (f${number}) /V (12.00) /Subtype /Widget /Rect [${number % 600} ${number % 700} ${(number % 600) + 9} ${(number % 700) + 9}] >>`,
      ]),
    ),
  });
}

/** A JBIG2 page of that size without any content (ITU-T T.88, 7.4.8). */
function jbig2Page(width: number, height: number): Buffer {
  const information = Buffer.alloc(30);
  information.writeUInt32BE(0, 0);
  information.set([48, 0, 1], 4);
  information.writeUInt32BE(19, 7);
  information.writeUInt32BE(width, 11);
  information.writeUInt32BE(height, 15);
  return information;
}

/** The headers of a JPEG 2000 code stream of that size, with one tile (ITU-T T.800, annex A). */
function jpeg2000Header(width: number, height: number): Buffer {
  const size = Buffer.alloc(51);
  size.writeUInt16BE(0xff4f, 0);
  size.writeUInt16BE(0xff51, 2);
  size.writeUInt16BE(47, 4);
  for (const at of [8, 24]) size.writeUInt32BE(width, at);
  for (const at of [12, 28]) size.writeUInt32BE(height, at);
  size.writeUInt16BE(3, 40);
  size.set([7, 1, 1, 7, 1, 1, 7, 1, 1], 42);
  const rest = Buffer.from('ff52000c00000001010504040001ff5c0013404048485048485048485048485048485048', 'hex');
  const tile = Buffer.from('ff90000a0000000000000001ff93', 'hex');
  return Buffer.concat([size, rest, tile, Buffer.alloc(256), Buffer.from('ffd9', 'hex')]);
}

/** A progressive JPEG whose last scan comes again and again. */
function repeatLastScan(jpeg: Buffer, times: number): Buffer {
  const start = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'));
  // The coefficients are refined by nothing: a scan of few bytes that costs a pass over the whole picture.
  const header = jpeg.subarray(start, start + 2 + jpeg.readUInt16BE(start + 2));
  const scan = Buffer.concat([header, Buffer.alloc(8)]);
  return Buffer.concat([
    jpeg.subarray(0, -2),
    ...Array.from({ length: times }, () => scan),
    Buffer.from('ffd9', 'hex'),
  ]);
}

function smallJpeg(): Promise<Buffer> {
  return sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
}

function withExifSegments(jpeg: Buffer, count: number): Buffer {
  const segment = Buffer.alloc(2 + 65_535);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(65_535, 2);
  // An image file directory of the most entries that its count allows (TIFF 6.0).
  segment.write('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 4, 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)]);
}

interface PngOptions {
  readonly depth?: 8 | 16;
  /** Colour type 0 is grey, 6 is red, green, blue and opacity. */
  readonly colour?: 0 | 6;
  readonly interlaced?: boolean;
  /** Further chunks before the pixels. */
  readonly chunks?: readonly (readonly [type: string, bytes: Buffer])[];
}

/** A PNG of that size with so many of its pixels, deflated. */
function png(width: number, height: number, pixels: Buffer, options: PngOptions = {}): Buffer {
  const { depth = 8, colour = 0, interlaced = false, chunks = [] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...chunks.map(([type, bytes]) => chunk(type, bytes)),
    chunk('IDAT', pixels),
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
