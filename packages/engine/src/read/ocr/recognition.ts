import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Raster } from '../raster.ts';
import type { TextRegion } from './detection.ts';

/** A stretch of a region without white space, its place along the region as shares of the width, 0 to 1. */
export interface RecognisedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number;
}

/** The network reads lines that are 48 pixels high. */
const lineHeight = 48;
const widthLimit = 3_200;
const minimumWidth = 48;

/** What the network's classes mean: class 0 is CTC's blank, the last one a space. */
export interface Alphabet {
  readonly characters: readonly string[];
  /** Classes that a document in the engine's languages is written in. */
  readonly latin: Int32Array;
}

/** Reads PP-OCR's list of keys, one a line; ideographs and their like stand apart from what Latin text uses. */
export function parseAlphabet(keys: string): Alphabet {
  const characters = ['', ...keys.split('\n').map((key) => key.replace('\r', '')), ' '];
  const latin: number[] = [];
  for (let index = 1; index < characters.length; index++) {
    const code = (characters[index] as string).normalize('NFKC').codePointAt(0) ?? 0;
    if (code < 0x2e80) latin.push(index);
  }
  return { characters: characters.map((character) => character.normalize('NFKC')), latin: Int32Array.from(latin) };
}

/** Cuts a region out of a raster and reads it. Returns its words from left to right. */
export async function recogniseRegion(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  alphabet: Alphabet,
  raster: Raster,
  region: TextRegion,
): Promise<readonly RecognisedWord[]> {
  const width = cropWidth(region);
  const crop = cutOut(raster, region, width);
  const input = new TensorOf('float32', crop.planes, [1, 3, lineHeight, width]);
  const outputs = await session.run({ [session.inputNames[0] as string]: input });
  const output = outputs[session.outputNames[0] as string];
  if (!output) return [];
  const characters = decode(output.data as Float32Array, output.dims[1] as number, output.dims[2] as number, alphabet);
  return splitIntoWords(characters, inkColumns(crop.grey, width));
}

/** Pixels; a region's cost is in proportion to it. */
export function cropWidth(region: TextRegion): number {
  const width = (lineHeight * region.width) / Math.max(region.height, 1);
  return Math.min(widthLimit, Math.max(minimumWidth, Math.round(width / 8) * 8));
}

interface Crop {
  /** Blue, green, red planes, -1 to 1. */
  readonly planes: Float32Array;
  /** 0 is black. */
  readonly grey: Uint8Array;
}

function cutOut(raster: Raster, region: TextRegion, width: number): Crop {
  const size = width * lineHeight;
  const planes = new Float32Array(size * 3);
  const grey = new Uint8Array(size);
  const cosine = Math.cos(region.angle);
  const sine = Math.sin(region.angle);
  const stepU = region.width / width;
  const stepV = region.height / lineHeight;
  // Taking several samples for one pixel keeps thin strokes when a large line is shrunk.
  const samples = Math.min(4, Math.max(1, Math.round(Math.max(stepU, stepV) / 1.5)));
  const weight = 1 / (samples * samples);
  const { data } = raster;
  const maximumX = raster.width - 1;
  const maximumY = raster.height - 1;
  for (let row = 0; row < lineHeight; row++) {
    for (let column = 0; column < width; column++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const u = (column + ((sample % samples) + 0.5) / samples) * stepU - region.width / 2;
        const v = (row + (Math.floor(sample / samples) + 0.5) / samples) * stepV - region.height / 2;
        const x = Math.min(maximumX, Math.max(0, region.centreX + u * cosine - v * sine - 0.5));
        const y = Math.min(maximumY, Math.max(0, region.centreY + u * sine + v * cosine - 0.5));
        const x0 = Math.floor(x);
        const y0 = Math.floor(y);
        const fx = x - x0;
        const fy = y - y0;
        const right = x0 < maximumX ? 3 : 0;
        const down = y0 < maximumY ? raster.width * 3 : 0;
        const at = (y0 * raster.width + x0) * 3;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        red +=
          w00 * (data[at] as number) +
          w10 * (data[at + right] as number) +
          w01 * (data[at + down] as number) +
          w11 * (data[at + right + down] as number);
        green +=
          w00 * (data[at + 1] as number) +
          w10 * (data[at + right + 1] as number) +
          w01 * (data[at + down + 1] as number) +
          w11 * (data[at + right + down + 1] as number);
        blue +=
          w00 * (data[at + 2] as number) +
          w10 * (data[at + right + 2] as number) +
          w01 * (data[at + down + 2] as number) +
          w11 * (data[at + right + down + 2] as number);
      }
      red *= weight;
      green *= weight;
      blue *= weight;
      const index = row * width + column;
      planes[index] = blue / 127.5 - 1;
      planes[size + index] = green / 127.5 - 1;
      planes[2 * size + index] = red / 127.5 - 1;
      grey[index] = (red + green + blue) / 3;
    }
  }
  return { planes, grey };
}

interface ReadCharacter {
  readonly text: string;
  readonly probability: number;
  /** The greatest probability of a space since the character before. */
  readonly spaceBefore: number;
  /** Share of the region's width. */
  readonly position: number;
}

/** CTC's greedy decoding: the best class of each step, repetitions and blanks dropped. */
function decode(probabilities: Float32Array, steps: number, classes: number, alphabet: Alphabet): ReadCharacter[] {
  const any = collapse(probabilities, steps, classes, alphabet, null);
  // Latin print is now and then taken for ideographs; a line that is mostly ideographs is left as it is.
  const foreign = any.filter((character) => (character.text.codePointAt(0) ?? 0) >= 0x2e80).length;
  if (foreign === 0 || foreign * 2 > any.length) return any;
  return collapse(probabilities, steps, classes, alphabet, alphabet.latin);
}

function collapse(
  probabilities: Float32Array,
  steps: number,
  classes: number,
  alphabet: Alphabet,
  allowed: Int32Array | null,
): ReadCharacter[] {
  const characters: ReadCharacter[] = [];
  const count = allowed ? allowed.length : classes;
  let current = 0;
  let first = 0;
  let best = 0;
  let lastEnd = 0;
  const finish = (end: number) => {
    const text = alphabet.characters[current] ?? '';
    if (text.trim() === '') return;
    let spaceBefore = 0;
    for (let step = lastEnd; step < first; step++) {
      spaceBefore = Math.max(spaceBefore, probabilities[(step + 1) * classes - 1] as number);
    }
    lastEnd = end;
    characters.push({ text, probability: best, spaceBefore, position: (first + end) / 2 / steps });
  };
  for (let step = 0; step < steps; step++) {
    const offset = step * classes;
    let chosen = 0;
    let probability = probabilities[offset] as number;
    for (let index = 0; index < count; index++) {
      const candidate = allowed ? (allowed[index] as number) : index;
      const value = probabilities[offset + candidate] as number;
      if (value > probability) {
        probability = value;
        chosen = candidate;
      }
    }
    if (chosen === current) {
      best = Math.max(best, probability);
      continue;
    }
    finish(step);
    current = chosen;
    first = step;
    best = probability;
  }
  finish(steps);
  return characters;
}

/** For each column of a crop whether it holds ink; lines that run through the whole crop do not count. */
function inkColumns(grey: Uint8Array, width: number): Uint8Array {
  const threshold = otsuThreshold(grey);
  let dark = 0;
  for (const value of grey) if (value <= threshold) dark++;
  const inkIsDark = dark * 2 <= grey.length;
  const isInk = (index: number) => (grey[index] as number) <= threshold === inkIsDark;
  const columns = new Uint8Array(width);
  for (let row = 2; row < lineHeight - 2; row++) {
    let inked = 0;
    for (let column = 0; column < width; column++) if (isInk(row * width + column)) inked++;
    if (inked > 0.85 * width) continue;
    for (let column = 0; column < width; column++) if (isInk(row * width + column)) columns[column] = 1;
  }
  return columns;
}

/** Otsu's threshold: the grey value that best parts dark from light. */
function otsuThreshold(grey: Uint8Array): number {
  const histogram = new Float64Array(256);
  let sum = 0;
  for (const value of grey) {
    histogram[value] = (histogram[value] as number) + 1;
    sum += value;
  }
  let below = 0;
  let sumBelow = 0;
  let best = 127;
  let bestVariance = -1;
  for (let value = 0; value < 256; value++) {
    below += histogram[value] as number;
    sumBelow += value * (histogram[value] as number);
    const above = grey.length - below;
    if (below === 0 || above === 0) continue;
    const difference = sumBelow / below - (sum - sumBelow) / above;
    const variance = below * above * difference * difference;
    if (variance > bestVariance) {
      bestVariance = variance;
      best = value;
    }
  }
  return best;
}

/**
 * Weights of a logistic regression that tells from the space between two characters whether it parts words; the
 * network's own spaces alone find five in six. Fitted on the lines of labelled receipts; lengths are pixels of a line
 * of 48.
 */
const spaceWeights = {
  bias: -0.9,
  /** Widest stretch without ink between the two. */
  gap: 0.158,
  distance: 0.127,
  /** Of the line: the median distance and the two fifths quantile of the gaps. */
  usualDistance: -0.01,
  usualGap: -0.052,
  logSpaceProbability: 1.03,
  pointThenDigit: -2.65,
  pointThenLetter: -3.5,
  afterColon: 0.36,
  digitThenDigit: -0.75,
};

interface Between {
  readonly gap: Gap;
  readonly distance: number;
  readonly partsWords: boolean;
}

/** A stretch of columns, the end excluded. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

function splitIntoWords(characters: readonly ReadCharacter[], ink: Uint8Array): RecognisedWord[] {
  const width = ink.length;
  const between = spacesBetween(characters, ink);
  const words: RecognisedWord[] = [];
  let text = '';
  let probability = 0;
  let count = 0;
  let start = firstInk(ink);
  characters.forEach((character, index) => {
    text += character.text;
    probability += character.probability;
    count++;
    const space = between[index];
    if (space && !space.partsWords) return;
    const end = space ? space.gap.start : lastInk(ink);
    words.push({ text, start: start / width, end: Math.max(end, start + 1) / width, confidence: probability / count });
    text = '';
    probability = 0;
    count = 0;
    start = space ? space.gap.end : end;
  });
  return words;
}

/** What lies between each character and the next. */
function spacesBetween(characters: readonly ReadCharacter[], ink: Uint8Array): Between[] {
  const width = ink.length;
  const gaps = characters.slice(1).map((next, index) => {
    const previous = characters[index] as ReadCharacter;
    const gap = widestGap(ink, Math.floor(previous.position * width), Math.ceil(next.position * width));
    return { previous, next, gap, distance: (next.position - previous.position) * width };
  });
  const usualDistance = quantile(
    gaps.map(({ distance }) => distance),
    0.5,
  );
  const usualGap = quantile(
    gaps.map(({ gap }) => gap.end - gap.start),
    0.4,
  );
  return gaps.map(({ previous, next, gap, distance }) => {
    const afterPoint = /[.,]$/.test(previous.text);
    const weights = spaceWeights;
    const logOdds =
      weights.bias +
      weights.gap * (gap.end - gap.start) +
      weights.distance * distance +
      weights.usualDistance * usualDistance +
      weights.usualGap * usualGap +
      weights.logSpaceProbability * Math.log(next.spaceBefore + 1e-5) +
      (afterPoint && /^\d/.test(next.text) ? weights.pointThenDigit : 0) +
      (afterPoint && /^\p{L}/u.test(next.text) ? weights.pointThenLetter : 0) +
      (previous.text === ':' ? weights.afterColon : 0) +
      (/\d$/.test(previous.text) && /^\d/.test(next.text) ? weights.digitThenDigit : 0);
    return { gap, distance, partsWords: logOdds > 0 };
  });
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function firstInk(ink: Uint8Array): number {
  return Math.max(0, ink.indexOf(1));
}

function lastInk(ink: Uint8Array): number {
  const last = ink.lastIndexOf(1);
  return last < 0 ? ink.length : last + 1;
}

/** The longest run of columns without ink between two columns; the middle where there is none. */
function widestGap(ink: Uint8Array, from: number, to: number): Gap {
  const middle = Math.round((from + to) / 2);
  let best: Gap = { start: middle, end: middle };
  let run = -1;
  for (let column = from; column <= to; column++) {
    if (column < to && ink[column] === 0) {
      if (run < 0) run = column;
    } else if (run >= 0) {
      if (column - run > best.end - best.start) best = { start: run, end: column };
      run = -1;
    }
  }
  return best;
}
