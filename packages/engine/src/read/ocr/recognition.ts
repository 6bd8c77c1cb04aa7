import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Raster } from '../raster.ts';
import type { TextRegion } from './detection.ts';
import { measureInk } from './ink.ts';
import { spellWord } from './spell-word.ts';
import { networkStep, type ReadCharacter, type RecognisedWord, splitIntoWords } from './words.ts';
import { isZoneLine, type LineOutput, readZoneLine, type ZoneCharacter, zoneAlphabet } from './zone-line.ts';

/** A region's pixels, as the recogniser takes them. */
export interface Crop {
  /** Blue, green, red planes, -1 to 1. */
  readonly planes: Float32Array<ArrayBuffer>;
  /** 0 is black. */
  readonly grey: Uint8Array<ArrayBuffer>;
  /** Pixels. */
  readonly width: number;
}

/** What was read in a crop. */
export interface RecognisedCrop {
  /** From left to right. */
  readonly words: readonly RecognisedWord[];
  /** Between which parts of the crop's height, 0 to 1, its ink lies. */
  readonly top: number;
  readonly bottom: number;
}

/** A region and what was read in it. */
export interface RecognisedRegion extends RecognisedCrop {
  readonly region: TextRegion;
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
  /** Those of machine-readable zones. */
  readonly zone: readonly ZoneCharacter[];
}

/**
 * Reads PP-OCR's list of keys, one a line; ideographs and their like stand apart from what Latin text uses. The list has
 * no sign for the euro, which the network reads as the sign most like it, that of an element of a set.
 */
export function parseAlphabet(keys: string): Alphabet {
  const characters = ['', ...keys.split('\n').map((key) => key.replace('\r', '')), ' '];
  const latin: number[] = [];
  for (let index = 1; index < characters.length; index++) {
    const code = (characters[index] as string).normalize('NFKC').codePointAt(0) ?? 0;
    if (code < 0x2e80) latin.push(index);
  }
  const folded = characters.map((character) => (character === '∈' ? '€' : character.normalize('NFKC')));
  return { characters: folded, latin: Int32Array.from(latin), zone: zoneAlphabet(folded) };
}

/** Reads a crop by PP-OCR's recogniser. */
export async function readCrop(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  alphabet: Alphabet,
  { planes, grey, width }: Crop,
): Promise<RecognisedCrop> {
  const input = new TensorOf('float32', planes, [1, 3, lineHeight, width]);
  const outputs = await session.run({ [session.inputNames[0] as string]: input });
  const output = outputs[session.outputNames[0] as string];
  if (!output) return { words: [], top: 0, bottom: 1 };
  const [, steps = 0, classes = 0] = output.dims;
  const line = { probabilities: output.data as Float32Array, steps, classes };
  const ink = measureInk(grey, width);
  const words = splitIntoWords(decode(line, alphabet), ink.columns, (text, steps) =>
    spellWord(line, alphabet, steps, text),
  );
  return { words, top: ink.top / lineHeight, bottom: ink.bottom / lineHeight };
}

/**
 * Pixels; a region's cost is in proportion to it.
 *
 * @param stretch how many times as wide as it is printed
 */
export function cropWidth(region: TextRegion, stretch = 1): number {
  const width = (stretch * lineHeight * region.width) / Math.max(region.height, 1);
  return Math.min(widthLimit, Math.max(minimumWidth, Math.round(width / networkStep) * networkStep));
}

/** Cuts a region out of a raster, level and as high as the network reads; `stretch` as in {@link cropWidth}. */
export function cutOut(raster: Raster, region: TextRegion, stretch = 1): Crop {
  const width = cropWidth(region, stretch);
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
  return { planes, grey, width };
}

/** A little more than a half, for what rounding adds to the sum. */
const surelyBest = 0.51;

/** CTC's greedy decoding: the best class of each step, repetitions and blanks dropped. */
function decode(line: LineOutput, alphabet: Alphabet): ReadCharacter[] {
  const any = collapse(line, alphabet, null);
  if (isZoneLine(any)) return readZoneLine(line, any, alphabet.zone);
  // Latin print is now and then taken for ideographs; a line that is mostly ideographs is left as it is.
  const foreign = any.filter((character) => (character.text.codePointAt(0) ?? 0) >= 0x2e80).length;
  if (foreign === 0 || foreign * 2 > any.length) return any;
  return collapse(line, alphabet, alphabet.latin);
}

function collapse(
  { probabilities, steps, classes }: LineOutput,
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
    const position = (first + end) / 2 / steps;
    characters.push({ text, probability: best, steps: { first, end }, spaceBefore, position });
  };
  for (let step = 0; step < steps; step++) {
    const offset = step * classes;
    let chosen = 0;
    let probability = probabilities[offset] as number;
    // A step's probabilities sum to 1: beside one above a half there is no greater.
    for (let index = 0; index < count && probability <= surelyBest; index++) {
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
