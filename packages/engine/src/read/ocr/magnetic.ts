import { lazy } from '../../lazy.ts';
import type { Raster } from '../raster.ts';
import type { TextRegion } from './detection.ts';
import { cutOut, type RecognisedRegion } from './recognition.ts';
import type { RecognisedWord } from './words.ts';

/** A rectangle of ink: left, top, right, bottom in modules of 0.013 inch. */
type Bar = readonly [number, number, number, number];

/**
 * The fourteen characters of E-13B, which banks print at the foot of a check in magnetic ink: on a grid of 7 × 9 modules,
 * all standing at the right of their cell (ANSI X9.27, ISO 1004-1). The four signs are Unicode's.
 */
const glyphs: Readonly<Record<string, readonly Bar[]>> = {
  '0': frame(0, 0, 7, 9),
  '1': [
    [3, 0, 5.2, 1],
    [4.3, 0, 5.3, 5],
    [3, 5, 7, 9],
  ],
  '2': [
    [3, 0, 7, 1],
    [6, 0, 7, 5],
    [3, 4, 7, 5],
    [3, 4, 4, 9],
    [3, 8, 7, 9],
  ],
  '3': [
    [2.3, 0, 6, 1],
    [5, 0, 6, 5],
    [2.2, 4, 6, 5],
    [5, 4, 7, 9],
    [2, 8, 7, 9],
  ],
  '4': [
    [1, 0, 2.9, 7],
    [1, 6, 7, 7],
    [5.1, 4.8, 7, 9],
  ],
  '5': [
    [2, 0, 7, 1],
    [2, 0, 3, 5],
    [2, 4, 7, 5],
    [6, 4, 7, 9],
    [2, 8, 7, 9],
  ],
  '6': [[1, 0, 4.7, 1], [3.7, 0, 4.7, 1.8], [1, 0, 2, 9], ...frame(1, 4.5, 7, 9)],
  '7': [
    [2, 0, 7, 1],
    [2, 0, 3, 2],
    [6, 0, 7, 5],
    [3.8, 4, 7, 5],
    [3.8, 4, 4.8, 9],
  ],
  '8': [...frame(1, 0, 6, 5), ...frame(0, 4, 7, 9), [0, 4.5, 2, 9], [5, 4.5, 7, 9]],
  '9': [...frame(1, 0, 7, 5), [5, 4, 7, 9]],
  '⑆': [
    [0, 1.5, 2, 7.5],
    [4, 0, 7, 2.8],
    [4, 6.2, 7, 9],
  ],
  '⑇': [
    [0, 5.5, 3, 9],
    [3.2, 1.5, 4.2, 7.5],
    [4.6, 0, 7, 3.5],
  ],
  '⑈': [
    [0, 2, 1, 8],
    [2.1, 2, 3.1, 8],
    [4.1, 1, 7, 4.8],
  ],
  '⑉': [
    [0, 3, 2, 7],
    [2.6, 3, 4.4, 7],
    [5, 3, 7, 7],
  ],
};

/** The four sides of a box, one module thick. */
function frame(left: number, top: number, right: number, bottom: number): Bar[] {
  return [
    [left, top, right, top + 1],
    [left, bottom - 1, right, bottom],
    [left, top, left + 1, bottom],
    [right - 1, top, right, bottom],
  ];
}

/**
 * A line of E-13B as it is printed, a character each 9.615 modules: whether a point, in modules from the line's top left,
 * is inked.
 *
 * @param spread by how many modules the ink reaches beyond its edges
 */
export function drawMagneticLine(text: string, spread: number): (x: number, y: number) => boolean {
  const pitch = 9.615;
  const characters = [...text].map((character) => glyphs[character] ?? []);
  return (x, y) => {
    const within = x - Math.floor(x / pitch) * pitch;
    return (characters[Math.floor(x / pitch)] ?? []).some(
      ([left, top, right, bottom]) =>
        within >= left + 1 - spread && within < right + 1 + spread && y >= top - spread && y < bottom + spread,
    );
  };
}

/** Pixels of a module where characters are compared. */
const modulePixels = 2;
/** Modules around a character that belong to its cell: white, so that a part of a wider character is not taken for it. */
const margin = 1.2;
const cellWidth = Math.round((7 + 2 * margin) * modulePixels);
const cellHeight = Math.round((9 + 2) * modulePixels);
/** An eighth of an inch, as printed and as a picture may stretch it. */
const leastPitch = 17;
const greatestPitch = 21;
/** Rows of a crop, whose characters are 9 modules of 4 pixels high. */
const stripRows = 24;

interface Template {
  readonly character: string;
  /** Of mean 0 and length 1: dark is positive. */
  readonly values: Float32Array;
}

const templates = lazy((): readonly Template[] =>
  Object.entries(glyphs).map(([character, bars]) => ({ character, values: templateOf(bars) })),
);

/** A character's cell as a scanner sees it: each pixel the share of ink in it and a little around it. */
function templateOf(bars: readonly Bar[]): Float32Array {
  const values = new Float32Array(cellWidth * cellHeight);
  const samples = 6;
  const reach = 1.4;
  for (let index = 0; index < values.length; index++) {
    let inked = 0;
    for (let sample = 0; sample < samples * samples; sample++) {
      const dx = (((sample % samples) + 0.5) / samples - 0.5) * reach + 0.5;
      const dy = ((Math.floor(sample / samples) + 0.5) / samples - 0.5) * reach + 0.5;
      const x = ((index % cellWidth) + dx) / modulePixels - margin;
      const y = (Math.floor(index / cellWidth) + dy) / modulePixels - 1;
      if (bars.some(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom)) inked++;
    }
    values[index] = inked;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.hypot(...values.map((value) => value - mean));
  return values.map((value) => (value - mean) / length);
}

/** A character found on a strip; places are columns of it. */
interface FoundGlyph {
  readonly character: string;
  readonly end: number;
  /** Correlation with its template, and with the one that is next best, -1 to 1. */
  readonly match: number;
  readonly nextBest: number;
}

/** Below this a cell holds no character of E-13B. */
const leastMatch = 0.5;
/** What a line of them has to reach on average, and how many it has at least. */
const leastMeanMatch = 0.76;
const leastGlyphs = 9;

/**
 * Reads the lines of a page that are printed in E-13B again, by the shapes of its characters, which the recogniser of
 * ordinary print takes for others. Only rows of wide-set digits are tried, so that other pages cost next to nothing.
 */

export function readMagneticLines(
  raster: Raster,
  recognised: readonly RecognisedRegion[],
): readonly RecognisedRegion[] {
  const rest = new Set(recognised);
  const read: RecognisedRegion[] = [];
  for (const candidate of recognised.filter(isWideSetNumber).slice(0, candidateLimit)) {
    if (!rest.has(candidate)) continue;
    const row = [...rest].filter((other) => isBeside(candidate.region, other.region));
    const line = readLine(raster, candidate, row);
    if (!line) continue;
    for (const part of row) if (covers(line.region, part.region)) rest.delete(part);
    read.push(line);
  }
  return read.length === 0 ? recognised : [...rest, ...read];
}

/** Rows to be tried: a page has one such line for each check on it. */
const candidateLimit = 6;

/** E-13B's digits stand an eighth of an inch apart and are a little lower than that; other print is set closer. */
function isWideSetNumber({ region, words, top, bottom }: RecognisedRegion): boolean {
  const text = words.map((word) => word.text).join('');
  const digits = text.match(/\d/g)?.length ?? 0;
  if (digits < 6 || digits < 0.55 * text.length) return false;
  return region.width / text.length > 0.85 * (bottom - top) * region.height;
}

function isBeside(row: TextRegion, other: TextRegion): boolean {
  const dx = other.centreX - row.centreX;
  const dy = other.centreY - row.centreY;
  return Math.abs(dy * Math.cos(row.angle) - dx * Math.sin(row.angle)) < 0.5 * row.height;
}

function covers(line: TextRegion, part: TextRegion): boolean {
  return Math.abs(part.centreX - line.centreX) < line.width / 2;
}

/** Parts of a line's height by its ink that its characters may have: what surrounds them is often counted in. */
const stretches = [1, 0.93, 0.86, 0.8, 1.07];

/** The whole row around a candidate, if its characters are those of E-13B. */
function readLine(
  raster: Raster,
  { region, top, bottom }: RecognisedRegion,
  row: readonly RecognisedRegion[],
): RecognisedRegion | null {
  const cosine = Math.cos(region.angle);
  const sine = Math.sin(region.angle);
  const alongOf = (other: TextRegion) =>
    (other.centreX - region.centreX) * cosine + (other.centreY - region.centreY) * sine;
  const ink = (bottom - top) * region.height;
  // As far as its neighbours reach, and for a sign that the detector didn't see.
  const left = Math.min(...row.map((part) => alongOf(part.region) - part.region.width / 2)) - 2.5 * ink;
  const right = Math.max(...row.map((part) => alongOf(part.region) + part.region.width / 2)) + 2.5 * ink;
  const across = ((top + bottom) / 2 - 0.5) * region.height;
  const middle = (left + right) / 2;
  const centreX = region.centreX + middle * cosine - across * sine;
  const centreY = region.centreY + middle * sine + across * cosine;
  let best: { readonly glyphs: readonly FoundGlyph[]; readonly score: number; readonly region: TextRegion } | null =
    null;
  let width = 0;
  for (const stretch of stretches) {
    // A crop is 48 rows high; characters are to be 36 of them.
    const height = (ink * stretch * 48) / 36;
    const columns = Math.round(((right - left) * 48) / height / 8) * 8;
    const strip = { ...region, centreX, centreY, height, width: (columns * height) / 48 };
    const crop = cutOut(raster, strip);
    if (crop.width !== columns) return null;
    const grey = halve(crop.grey, crop.width);
    for (const drop of [1, 0, 2]) {
      const found = glyphsOf(grey, crop.width / 2, drop);
      const score = found.reduce((sum, glyph) => sum + glyph.match - leastMatch, 0);
      if (!best || score > best.score) {
        best = { glyphs: found, score, region: strip };
        width = crop.width / 2;
      }
    }
  }
  if (!best || best.glyphs.length < leastGlyphs) return null;
  const mean = best.glyphs.reduce((sum, { match }) => sum + match, 0) / best.glyphs.length;
  if (mean < leastMeanMatch) return null;
  // A telephone number in the type of a typewriter is as wide; banks part theirs by more than dashes.
  if (best.glyphs.every(({ character }) => /[\d⑉]/u.test(character))) return null;
  return { region: best.region, words: wordsOf(best.glyphs, width), top: 1 / 8, bottom: 7 / 8 };
}

/** A crop of half the size, dark as high values. */
function halve(grey: Uint8Array, width: number): Float32Array {
  const half = width / 2;
  const halved = new Float32Array(half * stripRows);
  for (let y = 0; y < stripRows; y++) {
    for (let x = 0; x < half; x++) {
      const at = 2 * y * width + 2 * x;
      halved[y * half + x] =
        255 -
        ((grey[at] as number) +
          (grey[at + 1] as number) +
          (grey[at + width] as number) +
          (grey[at + width + 1] as number)) /
          4;
    }
  }
  return halved;
}

/**
 * The characters along a strip that together match it best: a path from left to right that either takes a character,
 * and goes on a pitch further, or skips a column, which costs the ink that stands in it.
 */
function glyphsOf(strip: Float32Array, width: number, drop: number): FoundGlyph[] {
  const skipCosts = costsOfSkipping(strip, width);
  const best = new Float64Array(width + 1);
  const steps = new Int32Array(width + 1).fill(1);
  const matches = new Map<number, FoundGlyph>();
  for (let end = 1; end <= width; end++) {
    best[end] = (best[end - 1] as number) - (skipCosts[end - 1] as number);
    if (end < cellWidth) continue;
    const glyph = bestGlyph(strip, width, drop, end);
    if (glyph.match < leastMatch) continue;
    for (let pitch = leastPitch; pitch <= greatestPitch; pitch++) {
      if (pitch > end) break;
      const score = (best[end - pitch] as number) + glyph.match - leastMatch;
      if (score <= (best[end] as number)) continue;
      best[end] = score;
      steps[end] = pitch;
      matches.set(end, glyph);
    }
  }
  const found: FoundGlyph[] = [];
  for (let end = width; end > 0; end -= steps[end] as number) {
    const glyph = (steps[end] as number) > 1 ? matches.get(end) : undefined;
    if (glyph) found.unshift(glyph);
  }
  return found;
}

function costsOfSkipping(strip: Float32Array, width: number): Float32Array {
  const sorted = strip.toSorted();
  const paper = sorted[Math.floor(sorted.length * 0.3)] as number;
  const ink = sorted[Math.floor(sorted.length * 0.97)] as number;
  const costs = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    let darkness = 0;
    for (let y = 3; y < stripRows - 3; y++) {
      const share = ((strip[y * width + x] as number) - paper) / Math.max(ink - paper, 1);
      if (share > 0.4) darkness += Math.min(1, share);
    }
    costs[x] = (0.15 * darkness) / (stripRows - 6);
  }
  return costs;
}

/** Of all characters the one that is most like what stands before a column. */
function bestGlyph(strip: Float32Array, width: number, drop: number, end: number): FoundGlyph {
  let sum = 0;
  let squares = 0;
  const start = drop * width + end - cellWidth;
  for (let row = 0; row < cellHeight; row++) {
    for (let at = start + row * width; at < start + row * width + cellWidth; at++) {
      const value = strip[at] as number;
      sum += value;
      squares += value * value;
    }
  }
  const count = cellWidth * cellHeight;
  const deviation = Math.sqrt(Math.max(0, squares - (sum * sum) / count));
  let found: FoundGlyph = { character: '', end, match: 0, nextBest: 0 };
  // Bare paper: less contrast than any print has.
  if (deviation < 12 * Math.sqrt(count)) return found;
  for (const { character, values } of templates()) {
    let product = 0;
    for (let row = 0; row < cellHeight; row++) {
      const from = start + row * width;
      const of = row * cellWidth;
      for (let column = 0; column < cellWidth; column++) {
        product += (strip[from + column] as number) * (values[of + column] as number);
      }
    }
    const match = product / deviation;
    if (match > found.match) found = { character, end, match, nextBest: found.match };
    else if (match > found.nextBest) found = { ...found, nextBest: match };
  }
  return found;
}

/** Characters parted at blanks. A character is as sure as it is unlike any other one. */
function wordsOf(found: readonly FoundGlyph[], width: number): RecognisedWord[] {
  const words: RecognisedWord[] = [];
  let open: FoundGlyph[] = [];
  const close = () => {
    const [first, last] = [open[0], open.at(-1)];
    if (!first || !last) return;
    const shift = margin * modulePixels;
    words.push({
      text: open.map(({ character }) => character).join(''),
      start: Math.max(0, first.end - cellWidth + shift) / width,
      end: (last.end - shift) / width,
      confidence: Math.min(...open.map(certaintyOf)),
      leastConfidence: Math.min(...open.map(certaintyOf)),
    });
    open = [];
  };
  for (const glyph of found) {
    const previous = open.at(-1);
    if (previous && glyph.end - previous.end > 1.5 * leastPitch) close();
    open.push(glyph);
  }
  close();
  return words;
}

function certaintyOf({ match, nextBest }: FoundGlyph): number {
  return Math.min(0.995, 0.6 + 2 * (match - nextBest)) * Math.min(1, match / 0.75);
}
