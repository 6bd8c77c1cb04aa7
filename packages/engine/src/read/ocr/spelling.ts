import { readFileSync } from 'node:fs';
import type { ReadCharacter } from './words.ts';

/**
 * How words are spelled: how likely a character follows up to four others of its word, in the engine's languages and in
 * the codes and abbreviations of documents. It settles what the recogniser was in doubt about (`anount`, `S0CKET`,
 * `rounbing`): its own second choice is right in two of three of these. Capitals, marks and digits among themselves are
 * alike to the model, so that no number is ever read by what is usual.
 */
export interface Spelling {
  /** -ln of how likely the last symbol of `context` and `symbol` follow each other. */
  costOf(context: readonly number[], symbol: number): number;
}

/** The file of the model: JSON, its arrays in base64. */
export interface SpellingWeights {
  /** Sequences of up to `longest` symbols, each as {@link keyOf} has it, rising; `Uint32Array`. */
  readonly keys: string;
  /** -ln of the last symbol's probability after the others, in steps of {@link costStep}; `Uint8Array`. */
  readonly costs: string;
  /** -ln of what is left for symbols that do not follow the whole sequence in the list; `Uint8Array`. */
  readonly backoffs: string;
}

/** The path of the model that is part of the package. */
export const spellingPath = new URL('./weights/spelling.json', import.meta.url);

export const costStep = 1 / 16;

/** Symbols of the longest sequence: each takes six bits of a key, which has a bit for the length. */
export const longest = 5;

export const wordStart = 0;
export const wordEnd = 1;
const otherSymbol = 2;
/** Every digit is a zero. */
const symbols = new Map([...`0abcdefghijklmnopqrstuvwxyz.,-/:&'()@#%+*"ß`].map((character, at) => [character, at + 3]));

/** Six bits. */
export const symbolCount = 64;

/** The symbols of a text, without its capitals and marks. */
export function symbolsOf(text: string): readonly number[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\d/g, '0');
  return [...folded].map((character) => symbols.get(character) ?? otherSymbol);
}

/** A sequence, from one of its symbols on, as a number. */
export function keyOf(sequence: readonly number[], from = 0): number {
  let key = 1;
  for (let at = from; at < sequence.length; at += 1) key = key * symbolCount + sequence[at]!;
  return key;
}

/** Nothing is less likely than this, so that one odd character does not decide a word. */
const highestCost = 8;

export function parseSpelling({ keys, costs, backoffs }: SpellingWeights): Spelling {
  const keyBytes = Buffer.from(keys, 'base64');
  const keyOfIndex = new Uint32Array(keyBytes.buffer.slice(keyBytes.byteOffset, keyBytes.byteOffset + keyBytes.length));
  const costOfIndex = Buffer.from(costs, 'base64');
  const backoffOfIndex = Buffer.from(backoffs, 'base64');
  const find = (key: number) => {
    let low = 0;
    let high = keyOfIndex.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = keyOfIndex[middle]!;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  return {
    costOf: (context, symbol) => {
      let backoff = 0;
      for (let from = Math.max(0, context.length - (longest - 1)); from <= context.length; from += 1) {
        const before = keyOf(context, from);
        const at = find(before * symbolCount + symbol);
        if (at >= 0) return Math.min(highestCost, backoff + costOfIndex[at]! * costStep);
        const own = find(before);
        if (own >= 0) backoff += backoffOfIndex[own]! * costStep;
      }
      return Math.min(highestCost, backoff + Math.log(symbolCount));
    },
  };
}

let shipped: Spelling | null = null;

function shippedSpelling(): Spelling {
  shipped ??= parseSpelling(JSON.parse(readFileSync(spellingPath, 'utf8')));
  return shipped;
}

/** What the recogniser is surer of stays as it read it. */
const surely = 0.95;
const leastProbability = 0.02;

/**
 * Whether a second choice is worth finding for a character: a letter, a digit, or a sign that the recogniser takes for
 * letters. Points and commas stay: which of them it is, is no question of spelling.
 */
export function isDoubtful(text: string, probability: number): boolean {
  return probability < surely && /^[\p{L}\d!|&$×′’]/u.test(text);
}

/**
 * Whether a class's text, of a probability, may stand where a doubtful character was read: letters are taken for digits
 * (`S0CKET`, `M6vil`), but a digit that was read as a letter stands in a code or a number, of which no spelling knows.
 */
export function mayStandInstead(text: string, probability: number, read: string): boolean {
  return probability >= leastProbability && (/^[\p{Script=Latin}']$/u.test(text) || /^\d\d$/.test(text + read));
}

/** How much the spelling counts beside what the recogniser saw. */
const spellingWeight = 0.4;
const pathsKept = 8;

/** By how much another reading has to be likelier, as a logarithm; abbreviations are spelled in every way. */
function leastGain(text: string): number {
  return (text.match(/\p{L}/gu)?.length ?? 0) < 4 ? 1 : 0.5;
}

/** A way to read the beginning of a word. */
interface Path {
  readonly texts: readonly string[];
  /** The last symbols. */
  readonly context: readonly number[];
  readonly cost: number;
}

/**
 * The characters of a word, the doubtful ones by what they look like and how words are spelled. Words that are not
 * mostly letters stay as they are.
 */
export function spell(word: readonly ReadCharacter[]): string {
  const read = word.map(({ text }) => text);
  const text = read.join('');
  if (word.every(({ alternatives = [] }) => alternatives.length === 0) || !isMostlyLetters(text)) return text;
  const { costOf } = shippedSpelling();
  const own = likeliestPath(
    word.map(({ text, probability }) => [{ text, probability }]),
    costOf,
  );
  const best = likeliestPath(
    word.map(({ text, probability, alternatives = [] }) => [{ text, probability }, ...alternatives]),
    costOf,
  );
  return own.cost - best.cost < leastGain(text) ? text : best.texts.join('');
}

/** The reading of a word of least cost, by what may stand in each of its places. */
function likeliestPath(
  places: readonly (readonly { readonly text: string; readonly probability: number }[])[],
  costOf: Spelling['costOf'],
): Path {
  let paths: readonly Path[] = [{ texts: [], context: [wordStart], cost: 0 }];
  for (const choices of places) {
    const next = new Map<number, Path>();
    for (const path of paths) {
      for (const choice of choices) {
        let { context, cost } = path;
        for (const symbol of symbolsOf(choice.text)) {
          cost += spellingWeight * costOf(context, symbol);
          context = [...context, symbol].slice(1 - longest);
        }
        cost -= Math.log(choice.probability);
        const key = keyOf(context);
        const known = next.get(key);
        if (!known || cost < known.cost) next.set(key, { texts: [...path.texts, choice.text], context, cost });
      }
    }
    paths = [...next.values()].sort((a, b) => a.cost - b.cost).slice(0, pathsKept);
  }
  return paths
    .map((path) => ({ ...path, cost: path.cost + spellingWeight * costOf(path.context, wordEnd) }))
    .reduce((best, path) => (path.cost < best.cost ? path : best));
}

/** At least three letters, two for each digit. */
function isMostlyLetters(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\d/g)?.length ?? 0;
  return letters >= 3 && letters >= 2 * digits;
}
