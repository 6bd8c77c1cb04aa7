import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadPage, openDocument } from '../pdf/document.ts';
import { loadPdfium } from '../pdf/pdfium.ts';
import { rasterisePage } from '../pdf/raster.ts';
import { textAt, writePdf } from '../pdf/written-pdf.ts';
import type { Raster } from '../raster.ts';
import { loadPpOcr, type PpOcr } from './ppocr.ts';

let ppocr: PpOcr;
before(async () => {
  ppocr = await loadPpOcr();
});
after(() => ppocr.close());

/** Points between the lines of a page of 600 × 720. */
const pitch = 15;
const lineCount = 46;

async function pageOfSmallPrint(): Promise<Raster> {
  const content = Array.from({ length: lineCount }, (_, line) =>
    textAt(40, 702 - pitch * line, `${line + 1} Example brackets, galvanised, large, in packets of twenty`, 10),
  ).join('');
  const pdfium = await loadPdfium();
  const document = openDocument(pdfium, writePdf({ pages: [{ content, mediaBox: [0, 0, 600, 720] }] }), {
    pages: 1,
  });
  const page = loadPage(document, 0);
  const raster = page && rasterisePage(page, 150);
  page?.close();
  document.close();
  return raster ?? assert.fail('the page was not drawn');
}

test('a large page is looked at in bands, and no line at their seams is lost, cut or found twice', async () => {
  const page = await pageOfSmallPrint();
  const options = {
    areaLimit: 1_800_000,
    leastHeight: 0,
    enlargeLimit: 1,
    pixelThreshold: 0.3,
    regionThreshold: 0.6,
    unclipRatio: 1.8,
  };
  const regions = await ppocr.detect(page, options);
  const pixels = (pitch * page.height) / 720;
  const heights = regions.map(({ height }) => height / pixels).toSorted((a, b) => a - b);
  assert.ok(heights[0]! > 0.6 && heights.at(-1)! < 1.4, `regions of ${heights[0]} to ${heights.at(-1)} lines`);
  assert.equal(new Set(regions.map(({ centreY }) => Math.round(centreY / pixels - 0.9))).size, lineCount);
});
