import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstDetection } from '../passes.ts';
import { loadPage, openDocument } from '../pdf/document.ts';
import { loadPdfium } from '../pdf/pdfium.ts';
import { rasterisePage } from '../pdf/raster.ts';
import { textAt, writePdf } from '../pdf/written-pdf.ts';
import { loadPpOcr } from './ppocr.ts';

const lines = [
  'beginning June 15, 2023, and continuing on the 15th day of each month',
  'Department of the Treasury - Internal Revenue Service, Form W-2',
  'If any instalment is not received within ten (10) days of its due date',
];

test('narrow print is read whole', async () => {
  const pdfium = await loadPdfium();
  const ppocr = await loadPpOcr();
  try {
    // Tz scales what follows to so many per cent of its width.
    const content = `62 Tz\n${lines.map((line, index) => textAt(20, 120 - 30 * index, line, 9)).join('')}`;
    const document = openDocument(pdfium, writePdf({ pages: [{ content, mediaBox: [0, 0, 220, 150] }] }), { pages: 1 });
    const page = loadPage(document, 0)!;
    const raster = rasterisePage(page, 110)!;
    page.close();
    document.close();
    const regions = await ppocr.detect(raster, firstDetection);
    const read = await ppocr.recognise(raster, regions);
    const letters = (text: string) => text.replace(/\P{L}/gu, '');
    const texts = read
      .toSorted((a, b) => a.region.centreY - b.region.centreY)
      .map(({ words }) => words.map(({ text }) => text).join(' '));
    assert.deepEqual(texts.map(letters), lines.map(letters));
  } finally {
    await ppocr.close();
  }
});
