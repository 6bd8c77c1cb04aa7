import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { pictureForTesseract } from './tesseract-page.ts';

test('what need not be read again is left out as the paper that it stands on, not as white', async () => {
  const [width, height] = [400, 80];
  const paper = 110;
  const data = new Uint8Array(width * height * 3).fill(paper);
  for (const x of [60, 80, 100, 120]) {
    for (let y = 30; y < 50; y++) data.fill(20, (y * width + x) * 3, (y * width + x + 6) * 3);
  }
  const box = { x0: 50, y0: 28, x1: 140, y1: 52 };
  const word = { text: 'IIII', box, source: 'ocr:ppocr:1', confidence: 0.99 } as const;
  const picture = await pictureForTesseract(
    { width, height, data },
    { turn: 0, straightening: null },
    { words: [word], width },
    { settled: [box], language: 'en' },
  );
  const pixels = await sharp(picture.png).greyscale().raw().toBuffer();
  const differences = pixels.map((grey) => Math.abs(grey - paper));
  assert.ok(Math.max(...differences) < 5, `a pixel differs from the paper by ${Math.max(...differences)}`);
});
