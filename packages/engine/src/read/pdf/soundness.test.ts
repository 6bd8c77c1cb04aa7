import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PdfPage } from './document.ts';
import { originOfWords } from './soundness.ts';
import type { TextLayer } from './text.ts';

const page = { width: 600, height: 800 } as PdfPage;
/** A sound layer of so many characters. */
const layer = (characters: number) =>
  ({
    words: Array.from({ length: characters / 10 }, () => ({ text: 'characters' })),
    characterCount: characters,
    unmappedCount: 0,
  }) as unknown as TextLayer;
const picture = (share: number) => ({
  shapeCount: 0,
  pictures: [{ x0: 0, y0: 0, x1: 600, y1: 800 * share }],
  rulings: [],
});

test('a picture is read unless the text around it is the page', () => {
  const origin = (characters: number, share: number) =>
    originOfWords(page, layer(characters), picture(share) as unknown as Parameters<typeof originOfWords>[2]);
  // A photograph that a browser printed with its header and footer, and a scan with a stamp.
  assert.equal(origin(40, 0.2), 'both');
  assert.equal(origin(300, 0.9), 'both');
  // A letter with a logo, and a page with a picture behind its text.
  assert.equal(origin(40, 0.05), 'text');
  assert.equal(origin(200, 0.2), 'text');
  assert.equal(origin(2_000, 1), 'text');
});
