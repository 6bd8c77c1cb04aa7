import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Extraction, Page } from '@millrace/document-model';
import { placeOnDisplayedPages } from './displayed.ts';

const box = { x0: 10, y0: 20, x1: 110, y1: 40 };
const page: Page = {
  number: 1,
  width: 400,
  height: 300,
  unit: 'pixel',
  words: [],
  readings: [],
  rulings: [],
  turnedDegrees: 0,
};

function boxOf(read: Page) {
  const value = {
    value: 'x',
    confidence: 90,
    flags: [],
    provenance: [{ page: 1, box, text: 'x', source: 'ocr:ppocr:1' as const }],
  };
  const extraction: Extraction = {
    docType: 'general',
    classification: { docType: 'general', confidence: 50 },
    locale: { language: 'en', decimalSeparator: '.', dateOrder: 'dmy', currency: null, country: null },
    fields: { title: value },
    lines: [{ description: value }],
    pages: [{ number: 1, width: read.width, height: read.height, unit: read.unit }],
    sources: ['ocr:ppocr:1'],
  };
  const placed = placeOnDisplayedPages(extraction, { mediaType: 'image/png', pages: [read], attachments: [] });
  assert.deepEqual(placed.lines[0]?.description?.provenance, placed.fields.title?.provenance);
  return { box: placed.fields.title?.provenance[0]?.box, width: placed.pages[0]?.width };
}

test('boxes of a page that was turned to be read lie where the file shows them', () => {
  assert.deepEqual(boxOf(page), { box, width: 400 });
  // The file is 300 wide and 400 high; a quarter turn clockwise made it upright.
  assert.deepEqual(boxOf({ ...page, turnedDegrees: 90 }), { box: { x0: 20, y0: 290, x1: 40, y1: 390 }, width: 300 });
  assert.deepEqual(boxOf({ ...page, turnedDegrees: 180 }), { box: { x0: 290, y0: 260, x1: 390, y1: 280 }, width: 400 });
});

test('boxes of a page that was levelled follow its slope', () => {
  const slopes = { slope: 0.1, slopes: [0.1, 0.1] };
  const placed = boxOf({ ...page, straightening: slopes }).box;
  // Far left of the middle and above it, a line that falls to the right lies higher.
  assert.ok(placed && placed.y0 < box.y0 - 10 && placed.x0 > box.x0 + 10);
});
