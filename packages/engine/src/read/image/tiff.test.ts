import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { EngineError } from '../../errors.ts';
import { ingest } from '../../ingest/ingest.ts';
import { createEnginePool } from '../../pool/pool.ts';
import { createReader } from '../reader.ts';
import { decodeImage } from './decode.ts';
import { tiffPages } from './tiff.ts';
import { greyEntries, type WrittenTiff, writeTiff } from './written-tiff.ts';

const limits = { sizeBytes: 20_000_000, pages: 5 };
const width = 700;
const height = 240;

/** A picture of three lines of print, grey. */
async function draw(lines: readonly string[], size = { width, height }): Promise<Buffer> {
  const text = lines.map((line, index) => `<text x="30" y="${60 + index * 60}">${line}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><g font-family="sans-serif" font-size="34">${text}</g></svg>`;
  return await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .resize({ ...size, fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
}

const lines = ['RECEIPT 4711', 'Date 14/03/2026', 'TOTAL 28.05'];
const rasterOf = (grey: Buffer) => sharp(grey, { raw: { width, height, channels: 1 } });

/** One bit for each of the picture's pixels, rows padded to bytes. */
function packBits(grey: Buffer, wide: number): Buffer {
  const rowBytes = Math.ceil(wide / 8);
  const packed = Buffer.alloc(rowBytes * (grey.length / wide));
  grey.forEach((value, index) => {
    const column = index % wide;
    const at = Math.floor(index / wide) * rowBytes + (column >> 3);
    if (value >= 128) packed[at] = (packed[at] as number) | (0x80 >> (column & 7));
  });
  return packed;
}

describe('a TIFF', () => {
  const reader = createReader();
  after(() => reader.close());
  let grey: Buffer;
  before(async () => {
    grey = await draw(lines);
  });
  const read = async (bytes: Uint8Array) => await reader.read(ingest(bytes, limits), limits);
  const textOf = async (bytes: Uint8Array) =>
    (await read(bytes)).pages.map(({ words }) => words.map(({ text }) => text).join(' '));

  /** The most by which a grey value of the decoded first page differs from the picture's. */
  const errorOf = async (bytes: Uint8Array) => {
    const [page] = tiffPages(bytes, limits);
    const { raster } = await decodeImage(ingest(bytes, limits), page);
    assert.deepEqual([raster.width, raster.height], [width, height]);
    return grey.reduce((most, value, index) => Math.max(most, Math.abs(value - (raster.data[index * 3] as number))), 0);
  };

  test('is decoded from every compression that scanners and faxes write', async () => {
    const fax = rasterOf(grey).threshold(128).toColourspace('b-w');
    for (const compression of ['lzw', 'deflate', 'packbits', 'none'] as const) {
      assert.ok((await errorOf(await rasterOf(grey).tiff({ compression }).toBuffer())) === 0, compression);
    }
    assert.ok((await errorOf(await rasterOf(grey).tiff({ compression: 'jpeg', quality: 95 }).toBuffer())) < 60);
    const tiled = { compression: 'deflate', tile: true, tileWidth: 128, tileHeight: 128 } as const;
    assert.equal(await errorOf(await rasterOf(grey).tiff(tiled).toBuffer()), 0);
    const g4 = await fax.tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer();
    assert.ok((await errorOf(g4)) <= 128);
    assert.deepEqual((await textOf(g4)).join(' ').match(/28[.]05|4711/g), ['4711', '28.05']);
  });

  test('is decoded in both orders of bytes, of 1, 8 and 16 bits a sample, in colour', async () => {
    for (const bigEndian of [false, true]) {
      const of = (bits: 1 | 8 | 16, strip: Uint8Array): WrittenTiff => ({
        bigEndian,
        pages: [{ entries: greyEntries(width, height, bits), strip }],
      });
      assert.equal(await errorOf(writeTiff(of(8, grey))), 0);
      const doubled = Buffer.from(grey.toString('hex').replaceAll(/../g, '$&$&'), 'hex');
      assert.ok((await errorOf(writeTiff(of(16, doubled)))) <= 1);
      assert.ok((await errorOf(writeTiff(of(1, packBits(grey, width))))) <= 128);
    }
    const colour = await rasterOf(grey).toColourspace('srgb').tiff({ compression: 'lzw' }).toBuffer();
    assert.equal(await errorOf(colour), 0);
  });

  test('has as many pages as it has pictures, without its thumbnails', async () => {
    const other = await draw(['INVOICE 9915', 'Page two']);
    const entries = greyEntries(width, height);
    const thumbnail = { entries: { 254: 1, ...greyEntries(16, 16) }, strip: Buffer.alloc(256) };
    const bytes = writeTiff({ pages: [{ entries, strip: grey }, thumbnail, { entries, strip: other }] });
    assert.equal(await reader.countPages(ingest(bytes, limits), limits), 2);
    const document = await read(bytes);
    assert.deepEqual(
      document.pages.map((page) => [page.number, page.width, page.height, page.unit]),
      [
        [1, width, height, 'pixel'],
        [2, width, height, 'pixel'],
      ],
    );
    assert.match((await textOf(bytes))[0] ?? '', /4711/);
    assert.match((await textOf(bytes))[1] ?? '', /9915/);
    const [, again] = await reader.readAgain(ingest(bytes, limits), document);
    assert.match(again?.pages[1]?.words.map(({ text }) => text).join(' ') ?? '', /9915/);
  });

  test('of a fax has the shape of the paper, though its pixels are higher than wide', async () => {
    const flat = await draw(lines, { width, height: height / 2 });
    const entries = {
      ...greyEntries(width, height / 2, 1),
      282: { ratio: [204, 1] },
      283: { ratio: [102, 1] },
      296: { short: 2 },
    } as const;
    const bytes = writeTiff({ pages: [{ entries, strip: packBits(flat, width) }] });
    const [page] = (await read(bytes)).pages;
    assert.deepEqual([page?.width, page?.height], [width, height]);
    assert.match((await textOf(bytes))[0] ?? '', /28\.05/);
    const picture = await reader.draw(ingest(bytes, limits), { page: 1, widthPixels: 350 });
    const drawn = await sharp(picture).metadata();
    assert.deepEqual([drawn.width, drawn.height], [350, 120]);
  });

  test('of more pages than are accepted is rejected', () => {
    const page = { entries: greyEntries(16, 16), strip: Buffer.alloc(256) };
    const bytes = writeTiff({ pages: Array.from({ length: 6 }, () => page) });
    assert.throws(() => tiffPages(bytes, limits), { code: 'too_many_pages' });
    assert.equal(tiffPages(bytes, { pages: 6 }).length, 6);
  });
});

test('TIFFs that are damaged or made to harm fail by a code, and the pool goes on', async (context) => {
  const pool = createEnginePool({ workers: 2, cpuLimitShare: 0.5, queueLimit: 1_000, isShortLived: true });
  context.after(() => pool.close());
  const entries = greyEntries(400, 100);
  const strip = Buffer.alloc(40_000, 0xff);
  const sound = writeTiff({ pages: [{ entries, strip }] });
  const one = (changed: Parameters<typeof writeTiff>[0]['pages'][number]['entries'], bytes: Uint8Array = strip) =>
    writeTiff({ pages: [{ entries: { ...entries, ...changed }, strip: bytes }] });
  const zeros = deflateSync(Buffer.alloc(49_000_000), { level: 9 });
  const files: Readonly<Record<string, Uint8Array>> = {
    'a header alone': sound.subarray(0, 8),
    'a header that points beyond the file': Buffer.from('49492a00ffffff7f', 'hex'),
    'a directory that follows itself': writeTiff({ pages: [{ entries, strip, next: 8 }] }),
    'a directory of 65,535 entries': Buffer.concat([Buffer.from('49492a0008000000ffff', 'hex'), Buffer.alloc(64)]),
    'no size': one({ 256: 0 }),
    'four billion pixels a side': one({ 256: 0xffffffff, 257: 0xffffffff }),
    '100,000 × 100,000': one({ 256: 100_000, 257: 100_000, 278: 100_000 }),
    'old JPEG': one({ 259: { short: 6 } }),
    'WebP within': one({ 259: { short: 50_001 } }),
    'floating point': one({ 258: { short: 32 }, 339: { short: 3 } }),
    'sixty thousand samples': one({ 277: { short: 60_000 } }),
    'a strip that is not there': one({}, Buffer.alloc(0)),
    'noise as CCITT G4': one({ 258: { short: 1 }, 259: { short: 4 } }, Buffer.alloc(5_000, 0xa5)),
    'noise as LZW': one({ 259: { short: 5 } }, Buffer.alloc(5_000, 0xa5)),
    'noise as JPEG': one({ 259: { short: 7 } }, Buffer.alloc(5_000, 0xa5)),
    'noise as deflate': one({ 259: { short: 8 } }, Buffer.alloc(5_000, 0xa5)),
    'a deflated 49 megapixels of black': writeTiff({
      pages: Array.from({ length: 5 }, () => ({
        entries: { ...greyEntries(7_000, 7_000), 259: { short: 8 } },
        strip: zeros,
      })),
    }),
    ...Object.fromEntries(
      [9, 30, 60, 100, 140, 5_000].map((length) => [`cut at ${length}`, sound.subarray(0, length)]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const broken = Buffer.from(sound);
        broken[8 + index * 2] = (broken[8 + index * 2] as number) ^ (1 << (index % 8));
        return [`byte ${8 + index * 2} flipped`, broken];
      }),
    ),
  };
  const fates = await Promise.all(
    Object.entries(files).map(async ([name, bytes]) => {
      try {
        await pool.extract(bytes, { docType: 'general', fields: null, limits });
        return { name, fate: 'done' };
      } catch (error) {
        assert.ok(error instanceof EngineError, `${name}: ${error}`);
        return { name, fate: error.code };
      }
    }),
  );
  const allowed = ['corrupt_document', 'empty_document', 'document_too_complex', 'too_many_pages'];
  assert.deepEqual(
    fates.filter(({ fate }) => !allowed.includes(fate)),
    [],
  );
  const fateOf = (name: string) => fates.find((file) => file.name === name)?.fate;
  for (const name of [
    'a directory that follows itself',
    '100,000 × 100,000',
    'old JPEG',
    'floating point',
    'cut at 60',
  ])
    assert.equal(fateOf(name), 'corrupt_document', name);
  const receipt = await rasterOf(await draw(lines))
    .tiff({ compression: 'lzw' })
    .toBuffer();
  const { pages } = await pool.read(receipt, limits);
  assert.ok(pages[0]?.words.some(({ text }) => text === '28.05'));
});
