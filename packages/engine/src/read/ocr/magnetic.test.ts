import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '@millrace/synthetic-documents';
import type { Raster } from '../raster.ts';
import { drawMagneticLine, readMagneticLines } from './magnetic.ts';
import type { RecognisedRegion } from './recognition.ts';

interface Fault {
  /** Radians. */
  readonly skew?: number;
  readonly noise?: number;
  readonly blurPixels?: number;
  /** How much darker the paper is at its right end than at its left, 0 to 1. */
  readonly shade?: number;
  /** By how much ink spreads, or shrinks, in modules. */
  readonly spread?: number;
  readonly modulePixels?: number;
}

/** A line of E-13B on a strip of paper, with faults, and the region that a detector finds of it. */
function scan(text: string, fault: Fault, random: () => number): { raster: Raster; region: RecognisedRegion } {
  const { skew = 0, noise = 0, blurPixels = 0.5, shade = 0, spread = 0, modulePixels = 3 } = fault;
  const lineWidth = text.length * 9.615;
  const width = Math.round((lineWidth + 30) * modulePixels);
  const height = Math.round(50 * modulePixels + Math.abs(skew) * width);
  const data = new Uint8Array(width * height * 3);
  const ink = drawMagneticLine(text, spread);
  const [cosine, sine] = [Math.cos(skew), Math.sin(skew)];
  const samples = 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let inked = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const reach = Math.max(1, 2 * blurPixels);
        const dx = x - width / 2 + (((sample % samples) + 0.5) / samples - 0.5) * reach;
        const dy = y - height / 2 + ((Math.floor(sample / samples) + 0.5) / samples - 0.5) * reach;
        const u = (dx * cosine + dy * sine) / modulePixels + lineWidth / 2;
        const v = (dy * cosine - dx * sine) / modulePixels + 4.5;
        if (ink(u, v)) inked++;
      }
      const paper = 230 * (1 - (shade * x) / width);
      const grey = paper * (1 - (0.85 * inked) / samples ** 2) + noise * (random() + random() - 1) * 255;
      data.fill(Math.max(0, Math.min(255, grey)), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  const digits = text.replaceAll(/\D/g, '');
  return {
    raster: { width, height, data },
    region: {
      region: {
        centreX: width / 2,
        centreY: height / 2,
        width: lineWidth * modulePixels,
        height: 15 * modulePixels,
        angle: skew,
        score: 0.9,
      },
      words: [{ text: digits, start: 0, end: 1, confidence: 0.7, leastConfidence: 0.7 }],
      top: 0.15,
      bottom: 0.85,
    },
  };
}

const textOf = (lines: readonly RecognisedRegion[]) =>
  lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');

test('a line in E-13B is read although it is skewed, noisy, blurred, unevenly lit, thick or small', () => {
  const random = createRandom(22).next;
  const faults: readonly Fault[] = [
    {},
    { skew: 0.04 },
    { skew: -0.06, noise: 0.1 },
    { noise: 0.25 },
    { blurPixels: 2 },
    { shade: 0.6 },
    { spread: 0.3 },
    { spread: -0.2 },
    { modulePixels: 1.6 },
    { modulePixels: 2, noise: 0.12, blurPixels: 1, shade: 0.3, skew: 0.03 },
  ];
  const wrong: string[] = [];
  for (const fault of faults) {
    for (let round = 0; round < 2; round++) {
      const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
      const text = `⑈${digits(4)}⑈ ⑆${digits(9)}⑆ ${digits(8 + round)}⑈`;
      const { raster, region } = scan(text, fault, random);
      const lines = readMagneticLines(raster, [region]);
      if (textOf(lines) !== text) wrong.push(`${JSON.stringify(fault)}: ${text} as ${textOf(lines)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the amount behind it and the dash within it are read', () => {
  const text = '⑆123456780⑆ 12⑉3456⑉7⑈ ⑇0000012345⑇';
  const { raster, region } = scan(text, {}, createRandom(1).next);
  assert.equal(textOf(readMagneticLines(raster, [region])), text);
});

test('lines that are not in E-13B stay as they were read', () => {
  const { raster, region } = scan('⑆123456780⑆ 1234567⑈', {}, createRandom(1).next);
  const words = [{ text: 'Invoice', start: 0, end: 1, confidence: 0.9, leastConfidence: 0.9 }];
  const print = [{ ...region, words }];
  assert.equal(readMagneticLines(raster, print), print, 'no digits');
  const blank: Raster = { ...raster, data: new Uint8Array(raster.data.length).fill(220) };
  assert.equal(textOf(readMagneticLines(blank, [region])), textOf([region]));
  // Bars of equal height and distance, as a ruler or a bar code has them.
  const bars: Raster = { ...raster, data: raster.data.map((_, index) => (Math.floor(index / 9) % 3 === 0 ? 30 : 230)) };
  assert.equal(textOf(readMagneticLines(bars, [region])), textOf([region]));
  // Digits and dashes alone, as a telephone number in wide type.
  const telephone = scan('312⑉555⑉0147', {}, createRandom(1).next);
  assert.equal(textOf(readMagneticLines(telephone.raster, [telephone.region])), textOf([telephone.region]));
});
