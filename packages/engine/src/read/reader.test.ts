import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, ReadDocument } from '@millrace/document-model';
import sharp, { type Sharp } from 'sharp';
import { ingest } from '../ingest/ingest.ts';
import { boxOnPicture } from './ocr/straighten.ts';
import { loadPage, openDocument } from './pdf/document.ts';
import { loadPdfium } from './pdf/pdfium.ts';
import { rasterisePage } from './pdf/raster.ts';
import { stream, textAt, writePdf } from './pdf/written-pdf.ts';
import { createReader } from './reader.ts';

const limits = { sizeBytes: 20_000_000, pages: 5 };
const reader = createReader();
after(() => reader.close());

const lines = [
  'ACME HARDWARE STORE',
  '12 Market Street, Springfield',
  'Date: 14/03/2026   No. 88213',
  'TOTAL             28.05',
];
const words = lines.flatMap((line) => line.split(/\s+/));

/** The lines as a picture of 150 dots per inch on a page of 360 by 200 points. */
let picture: Sharp;
let pictureBytes: Buffer;
const size = { width: 750, height: 417 };

before(async () => {
  const content = lines.map((line, index) => textAt(30, 165 - 40 * index, line, 14)).join('');
  const pdfium = await loadPdfium();
  const document = openDocument(pdfium, writePdf({ pages: [{ content, mediaBox: [0, 0, 360, 200] }] }), limits);
  const page = loadPage(document, 0);
  const raster = page && rasterisePage(page, 150);
  page?.close();
  document.close();
  assert.ok(raster);
  picture = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  pictureBytes = await picture.clone().png().toBuffer();
});

const readPicture = async (bytes: Uint8Array): Promise<ReadDocument> =>
  await reader.read(ingest(bytes, limits), limits);
const onlyPage = ({ pages }: ReadDocument) => pages[0] as Page;
const textsOf = (page: Page) => page.words.toSorted((a, b) => a.box.y0 - b.box.y0).map((word) => word.text);
const wordOf = (page: Page, text: string) =>
  page.words.find((word) => word.text === text) ?? assert.fail(`${text} is missing`);

test('a picture is read with boxes in its pixels', async () => {
  const page = onlyPage(await readPicture(pictureBytes));
  assert.deepEqual([page.width, page.height, page.unit, page.turnedDegrees], [size.width, size.height, 'pixel', 0]);
  assert.deepEqual(textsOf(page).toSorted(), words.toSorted());
  const { box } = wordOf(page, 'ACME');
  // Written from 30 points on with the baseline at 35 points, 10 points high.
  assert.ok(Math.abs(box.x0 - 62) < 5 && Math.abs(box.y1 - 73) < 8 && box.y1 - box.y0 < 40, JSON.stringify(box));
  const [amount, total] = [wordOf(page, '28.05').box, wordOf(page, 'TOTAL').box];
  assert.ok(Math.abs(amount.y0 - total.y0) < 5 && amount.x0 > total.x1);
});

test('a picture that lies on its side or stands on its head is turned upright', async () => {
  for (const degrees of [90, 180, 270] as const) {
    const page = onlyPage(await readPicture(await sharp(pictureBytes).rotate(degrees).png().toBuffer()));
    assert.equal(page.turnedDegrees, (360 - degrees) % 360);
    assert.deepEqual([page.width, page.height], [size.width, size.height]);
    assert.deepEqual(textsOf(page).toSorted(), words.toSorted());
  }
});

test('a photograph is turned as its EXIF data say', async () => {
  const jpeg = await sharp(pictureBytes).rotate(270).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
  const page = onlyPage(await readPicture(jpeg));
  assert.deepEqual([page.width, page.height, page.turnedDegrees], [size.width, size.height, 0]);
  assert.ok(textsOf(page).includes('28.05'));
});

test('skewed lines are levelled, and their boxes can be shown on the picture', async () => {
  const skewed = await sharp(pictureBytes).rotate(4, { background: '#ffffff' }).png().toBuffer();
  const page = onlyPage(await readPicture(skewed));
  const [label, amount] = [wordOf(page, 'TOTAL'), wordOf(page, '28.05')];
  assert.ok(Math.abs(label.box.y1 - amount.box.y1) < 8, 'one line has one baseline');
  assert.ok(page.straightening && Math.abs(page.straightening.slope - Math.tan((4 * Math.PI) / 180)) < 0.02);
  // On the picture the amount lies further down.
  assert.ok(boxOnPicture(page, amount.box).y1 - boxOnPicture(page, label.box).y1 > 8);
});

test('a doubtful picture is read again by the other passes', async () => {
  const file = ingest(pictureBytes, limits);
  const again = await reader.readAgain(file, await reader.read(file, limits));
  for (const document of again) assert.ok(textsOf(onlyPage(document)).includes('28.05'));
  assert.deepEqual(
    again.map((document) => onlyPage(document).readings.map((reading) => reading.source)),
    [
      ['ocr:ppocr:1', 'ocr:tesseract:2'],
      ['ocr:ppocr:1', 'ocr:tesseract:2', 'ocr:ppocr:3'],
    ],
  );
});

for (const degrees of [0, 4]) {
  test(`of a picture that leans by ${degrees} degrees, the band of a doubtful value is read again in its place`, async () => {
    const skewed = await sharp(pictureBytes).rotate(degrees, { background: '#ffffff' }).png().toBuffer();
    const file = ingest(skewed, limits);
    const first = await reader.read(file, limits);
    const doubt = wordOf(onlyPage(first), '28.05');
    const again = await reader.readAgain(file, first, [{ page: 1, box: doubt.box }], {
      language: null,
      passes: 2,
      onlyDoubts: true,
    });
    const [, second, third] = onlyPage(again.at(-1)!).readings;
    for (const reading of [second!, third!]) {
      const texts = reading.words.map(({ text }) => text);
      assert.ok(!texts.includes('HARDWARE') && !texts.includes('Street,'), `${reading.source} read ${texts}`);
      const { box } = reading.words.find(({ text }) => text === '28.05') ?? assert.fail(`${reading.source}: ${texts}`);
      for (const side of ['x0', 'y0', 'x1', 'y1'] as const) {
        const pixels = Math.abs(box[side] - doubt.box[side]);
        assert.ok(pixels < 12, `${reading.source} has ${side} ${pixels} pixels away`);
      }
    }
  });
}

test('a scanned page with a stamp of text has the words of both, in points', async () => {
  const jpeg = await picture.clone().jpeg({ quality: 90 }).toBuffer();
  const image = stream(
    `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    jpeg,
  );
  const bytes = writePdf({
    pages: [
      {
        content: `q 360 0 0 200 0 0 cm /Im1 Do Q ${textAt(220, 60, 'RECEIVED')} 3 Tr ${textAt(30, 165, 'ACNE')}`,
        mediaBox: [0, 0, 360, 200],
        resources: '/XObject << /Im1 100 0 R >>',
      },
    ],
    objects: { 100: image },
  });
  const document = await readPicture(bytes);
  const page = onlyPage(document);
  assert.deepEqual([page.width, page.height, page.unit], [360, 200, 'point']);
  assert.equal(wordOf(page, 'RECEIVED').source, 'text');
  assert.equal(wordOf(page, '28.05').source, 'ocr:ppocr:1');
  assert.ok(Math.abs(wordOf(page, 'ACME').box.x0 - 30) < 3);
  // What a scanner's program read is kept as another reading, not taken for the truth.
  assert.ok(!textsOf(page).includes('ACNE'));
  assert.deepEqual(
    page.readings.map((reading) => reading.source),
    ['text', 'ocr:ppocr:1', 'ocr:embedded:0'],
  );
  const [again] = await reader.readAgain(ingest(bytes, limits), document);
  assert.ok(again && onlyPage(again).readings.some((reading) => reading.source === 'ocr:tesseract:2'));
});
