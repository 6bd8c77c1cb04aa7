import { readFileSync } from 'node:fs';

/**
 * How words are spelled: how likely a character follows up to four others of its word, in the engine's languages and in
 * the codes and abbreviations of documents. Capitals, marks and digits among themselves are alike to the model, so that no
 * number is ever read by what is usual.
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

/** The model that is part of the package. */
export function shippedSpelling(): Spelling {
  shipped ??= parseSpelling(JSON.parse(readFileSync(spellingPath, 'utf8')));
  return shipped;
}
