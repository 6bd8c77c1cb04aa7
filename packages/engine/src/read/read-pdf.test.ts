import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from '@millrace/document-model';
import { EngineError } from '../errors.ts';
import { ingest } from '../ingest/ingest.ts';
import { stream, textAt, type WrittenPage, writePdf } from './pdf/written-pdf.ts';
import { createReader } from './reader.ts';

const limits = { sizeBytes: 10_000_000, pages: 5 };
const reader = createReader();
after(() => reader.close());

const readBytes = async (bytes: Uint8Array) => await reader.read(ingest(bytes, limits), limits);

async function readOne(page: WrittenPage): Promise<Page> {
  const { pages } = await readBytes(writePdf({ pages: [page] }));
  return pages[0] as Page;
}

const textsOf = (page: Page) => page.words.map((word) => word.text);

test('words have boxes in points from the top left', async () => {
  const page = await readOne({ content: textAt(72, 700, 'Invoice 4711') + textAt(72, 680, 'bold', 12, 'F2') });
  assert.deepEqual(textsOf(page), ['Invoice', '4711', 'bold']);
  assert.deepEqual([page.width, page.height, page.unit], [612, 792, 'point']);
  const [invoice, number, bold] = page.words;
  assert.ok(invoice && number && bold);
  assert.ok(Math.abs(invoice.box.x0 - 72) < 1, `x0 is ${invoice.box.x0}`);
  // The baseline lies 92 points below the upper edge.
  assert.ok(invoice.box.y0 < 84 && invoice.box.y0 > 78 && invoice.box.y1 > 92 && invoice.box.y1 < 98);
  assert.ok(number.box.x0 > invoice.box.x1);
  assert.equal(invoice.bold, undefined);
  assert.equal(bold.bold, true);
});

test('a turned page and a crop box move the boxes to where they are displayed', async () => {
  const turned = await readOne({ content: 'BT /F1 12 Tf 0 1 -1 0 100 50 Tm (corner) Tj ET', rotate: 90 });
  assert.deepEqual([turned.width, turned.height, turned.turnedDegrees], [792, 612, 0]);
  const [word] = turned.words;
  // Displayed, the page's left edge is above and its lower edge on the left.
  assert.ok(word && Math.abs(word.box.x0 - 50) < 1 && word.box.y0 < 100 && word.box.y1 > 100);
  const cropped = await readOne({ content: textAt(100, 700, 'corner'), entries: '/CropBox [90 690 300 750]' });
  assert.deepEqual([cropped.width, cropped.height], [210, 60]);
  assert.ok(Math.abs((cropped.words[0]?.box.x0 ?? 0) - 10) < 1);
});

test('text that stands on its side is turned upright, rulings with it', async () => {
  const sideways = Array.from(
    { length: 5 },
    (_, line) => `BT /F1 12 Tf 0 1 -1 0 ${100 + 20 * line} 100 Tm (sideways words) Tj ET\n`,
  );
  const page = await readOne({ content: `${sideways.join('')}90 90 m 90 400 l S` });
  assert.equal(page.turnedDegrees, 90);
  assert.deepEqual([page.width, page.height], [792, 612]);
  const [first] = page.words;
  assert.ok(first && first.box.x1 - first.box.x0 > first.box.y1 - first.box.y0);
  assert.equal(page.rulings[0]?.direction, 'horizontal');
});

test('text on its head keeps its words, wide letters among them', async () => {
  const lines = Array.from(
    { length: 5 },
    (_, line) => `BT /F1 18 Tf -1 0 0 -1 500 ${400 + 30 * line} Tm (NUMBER: HT-88213 Tools) Tj ET\n`,
  );
  const page = await readOne({ content: lines.join('') });
  assert.equal(page.turnedDegrees, 180);
  assert.deepEqual(textsOf(page).slice(0, 3), ['NUMBER:', 'HT-88213', 'Tools']);
});

test('the letters of a word written one by one stay together on a page with few lines', async () => {
  // Helvetica's widths in thousandths of its size.
  const widths: Readonly<Record<string, number>> = { B: 667, E: 667, I: 278, N: 722, R: 722, ' ': 278 };
  const letters = [...'NIEBER BIER'].map((letter) => `(${letter}) Tj ${widths[letter]! / 100} 0 Td `);
  const lines = [770, 761, 752].map((y) => `BT /F1 10 Tf 50 ${y} Td ${letters.join('')} ET\n`);
  const page = await readOne({ content: lines.join('') });
  assert.deepEqual(textsOf(page), ['NIEBER', 'BIER', 'NIEBER', 'BIER', 'NIEBER', 'BIER']);
});

test('what nobody can see is left out', async () => {
  const page = await readOne({
    content: [
      textAt(72, 700, 'seen'),
      `3 Tr ${textAt(72, 680, 'invisible')} 0 Tr`,
      `1 g ${textAt(72, 660, 'white')} 0 g`,
      textAt(700, 640, 'outside'),
      `q 0 0 50 50 re W n ${textAt(72, 620, 'clipped')} Q`,
      `0 0 0.5 rg 60 590 200 30 re f 1 g ${textAt(72, 600, 'reversed')} 0 g`,
    ].join('\n'),
  });
  assert.deepEqual(textsOf(page), ['seen', 'reversed']);
});

test('a hyphen at the end of a line stays, and the words of two lines stay apart', async () => {
  const page = await readOne({ content: `BT /F1 12 Tf 14 TL 72 700 Td (Rechnungs-) Tj T* (betrag) Tj ET` });
  assert.deepEqual(textsOf(page), ['Rechnungs-', 'betrag']);
});

test('lines, thin bars and the edges of boxes are rulings; dashes join', async () => {
  const page = await readOne({
    content:
      textAt(400, 700, 'table') +
      '72 700 m 300 700 l S 72 650 228 1 re f 100 500 200 80 re S [3 2] 0 d 72 400 m 300 400 l S 50 50 m 90 95 l S',
  });
  const horizontal = page.rulings.filter((ruling) => ruling.direction === 'horizontal');
  const vertical = page.rulings.filter((ruling) => ruling.direction === 'vertical');
  assert.deepEqual(
    horizontal.map(({ box }) => Math.round((box.y0 + box.y1) / 2)),
    [92, 142, 212, 292, 392],
  );
  assert.deepEqual(
    vertical.map(({ box }) => Math.round(box.x0)),
    [100, 300],
  );
});

test('form values are words', async () => {
  const bytes = writePdf({
    pages: [{ content: textAt(72, 700, 'Name:'), entries: '/Annots [100 0 R 101 0 R 102 0 R]' }],
    catalog: '/AcroForm << /Fields [100 0 R 101 0 R 102 0 R] >>',
    objects: {
      100: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [120 695 300 712] >>',
      101: '<< /Type /Annot /Subtype /Widget /FT /Btn /T (tick) /V /Yes /AS /Yes /AP << /N << /Yes 103 0 R /Off 103 0 R >> >> /Rect [120 660 132 672] >>',
      102: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (secret) /V (hidden) /F 2 /Rect [120 600 300 612] >>',
      103: stream('/Type /XObject /Subtype /Form /BBox [0 0 12 12]', Buffer.from('')),
    },
  });
  const { pages } = await readBytes(bytes);
  assert.deepEqual(
    pages[0]?.words.map(({ text, source }) => [text, source]),
    [
      ['Name:', 'text'],
      ['Ada', 'widget'],
      ['Lovelace', 'widget'],
      ['X', 'widget'],
    ],
  );
});

test('embedded files come along', async () => {
  const bytes = writePdf({
    pages: [{ content: textAt(72, 700, 'Rechnung') }],
    catalog: '/Names << /EmbeddedFiles << /Names [(factur-x.xml) 100 0 R] >> >>',
    objects: {
      100: '<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /EF << /F 101 0 R >> >>',
      101: stream('/Type /EmbeddedFile', Buffer.from('<invoice/>')),
    },
  });
  const { attachments } = await readBytes(bytes);
  assert.deepEqual(
    attachments.map(({ name, bytes: content }) => [name, Buffer.from(content).toString()]),
    [['factur-x.xml', '<invoice/>']],
  );
});

test('what cannot be read says why', async () => {
  const codeOf = async (bytes: Uint8Array) => {
    const error = await readBytes(bytes).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof EngineError ? error.code : error;
  };
  const page = { content: textAt(72, 700, 'one') };
  assert.equal(await codeOf(writePdf({ pages: Array.from({ length: 6 }, () => page) })), 'too_many_pages');
  assert.equal(await codeOf(writePdf({ pages: [] })), 'empty_document');
  assert.equal(await codeOf(Buffer.from('%PDF-1.7 and nothing else')), 'corrupt_document');
  const key = 'A'.repeat(64);
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`;
  assert.equal(await codeOf(writePdf({ pages: [page], trailer: encryption })), 'encrypted_document');
});

test('a blank page is no reason to load OCR', async () => {
  const page = await readOne({ content: '1 g 0 0 612 792 re f' });
  assert.deepEqual([page.words, page.readings], [[], []]);
});
