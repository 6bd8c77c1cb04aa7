import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Extraction, Provenance } from '@millrace/document-model';
import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import { createEnginePool } from '../pool/pool.ts';
import { textAt, writePdf } from './pdf/written-pdf.ts';

const limits = { sizeBytes: 20_000_000, pages: 5 };
const widthPixels = 1600;

/** An invoice of 400 by 300 points, and the same turned by what the page states. */
const content = [
  'Harbour Tools Ltd',
  'INVOICE',
  'Invoice number: HT-88213',
  'Invoice date: 14 March 2026',
  'Total: EUR 1428.00',
]
  .map((line, index) => textAt(30, 260 - 45 * index, line, 18))
  .join('');
const upright = writePdf({ pages: [{ content, mediaBox: [0, 0, 400, 300] }] });

describe("a page's picture", () => {
  const pool = createEnginePool({ workers: 1, pageTimeoutMs: 120_000, isShortLived: true });
  after(() => pool.close());

  const draw = (bytes: Uint8Array, page = 1, width = widthPixels) =>
    pool.draw(bytes, { page, widthPixels: width }, limits);
  const pictureOf = async (bytes: Uint8Array) =>
    sharp(await draw(bytes))
      .png()
      .toBuffer();

  /** What is read of the picture where a box of the extraction lies. */
  async function readUnder(picture: Uint8Array, { pages }: Extraction, { box, page }: Provenance): Promise<string> {
    const size = pages[page - 1]!;
    const { width, height } = await sharp(picture).metadata();
    assert.ok(Math.abs(width / height - size.width / size.height) < 0.01, 'the picture has the shape of the page');
    const scale = width / size.width;
    const margin = 6;
    const left = Math.max(0, Math.round(box.x0 * scale) - margin);
    const top = Math.max(0, Math.round(box.y0 * scale) - margin);
    const region = {
      left,
      top,
      width: Math.min(width - left, Math.round((box.x1 - box.x0) * scale) + 2 * margin),
      height: Math.min(height - top, Math.round((box.y1 - box.y0) * scale) + 2 * margin),
    };
    const cut = await sharp(picture)
      .extract(region)
      .extend({ top: 60, bottom: 60, left: 60, right: 60, background: '#ffffff' })
      .png()
      .toBuffer();
    const read = await pool.read(cut, limits);
    return read.pages[0]!.words.map(({ text }) => text).join(' ');
  }

  async function checkBoxes(bytes: Uint8Array, turn = 0): Promise<void> {
    const extraction = await pool.extract(bytes, { docType: 'invoice', fields: null, limits });
    const picture = await pictureOf(bytes);
    const places = ['invoice_number', 'invoice_date', 'total_amount', 'subtotal'].flatMap(
      (name) => extraction.fields[name]?.provenance.slice(0, 1) ?? [],
    );
    assert.ok(places.length >= 2, `${Object.keys(extraction.fields)} were found`);
    for (const place of places) {
      const [number] = /\d{4,}/.exec(place.text) ?? [];
      const seen = await readUnder(picture, extraction, place);
      assert.ok(
        number && seen.includes(number),
        `"${place.text}" stands under its box, not "${seen}" (turned by ${turn})`,
      );
    }
  }

  test('has the words of a PDF under their boxes, also where the page states a turn', async () => {
    await checkBoxes(upright);
    for (const rotate of [90, 180]) {
      await checkBoxes(writePdf({ pages: [{ content, mediaBox: [0, 0, 400, 300], rotate }] }), rotate);
    }
  });

  test('has the words of a photograph under their boxes, turned by its EXIF data, lying on its side or askew', async () => {
    const photograph = sharp(await pictureOf(upright));
    const cameraHeldSideways = await photograph.clone().rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await checkBoxes(cameraHeldSideways);
    await checkBoxes(await photograph.clone().rotate(90).png().toBuffer(), 90);
    await checkBoxes(await photograph.clone().rotate(3, { background: '#ffffff' }).jpeg().toBuffer(), 3);
  });

  test('is as wide as asked, and no larger than is good for whoever looks at it', async () => {
    const { width, height, format } = await sharp(await draw(upright, 1, 480)).metadata();
    assert.deepEqual([width, height, format], [480, 360, 'webp']);
    const strip = writePdf({ pages: [{ content, mediaBox: [0, 0, 20, 14_000] }] });
    const long = await sharp(await draw(strip, 1, 2_000)).metadata();
    assert.ok(long.height <= 10_000 && long.width * long.height <= 20_000_000, `${long.width} × ${long.height}`);
  });

  test('of a page that is not there is an error', async () => {
    const isCorrupt = (error: unknown) => error instanceof EngineError && error.code === 'corrupt_document';
    await assert.rejects(draw(upright, 2), isCorrupt);
    await assert.rejects(draw(new TextEncoder().encode('%PDF-1.7 nothing')), isCorrupt);
  });
});
