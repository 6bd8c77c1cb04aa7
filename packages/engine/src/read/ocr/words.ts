import type { Steps } from './spell-word.ts';

/** A character as the recogniser read it. */
export interface ReadCharacter {
  readonly text: string;
  readonly probability: number;
  /** Of the network's output, where it was read in them. */
  readonly steps?: Steps;
  /** The greatest probability of a space since the character before. */
  readonly spaceBefore: number;
  /** Share of the region's width. */
  readonly position: number;
}

/** A stretch of a region without white space, its place along the region as shares of the width, 0 to 1. */
export interface RecognisedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number;
  /** Least probability of one of them. */
  readonly leastConfidence: number;
}

/** The mean by how many characters each word has; 0 without any. */
export function meanConfidence(words: readonly Pick<RecognisedWord, 'text' | 'confidence'>[]): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, characters);
}

/**
 * Weights of a logistic regression that decides from the space between two characters whether it separates words; the
 * network's own spaces alone find five in six. Fitted on the lines of labelled receipts and of drawn invoices; lengths
 * are pixels of a line of 48.
 */
const spaceWeights = {
  bias: 0.57,
  /** Widest stretch without ink between the two. */
  gap: 0.179,
  distance: 0.09,
  /** Of the line: the median distance and the two fifths quantile of the gaps. */
  usualDistance: -0.044,
  usualGap: -0.048,
  logSpaceProbability: 1.04,
  pointThenDigit: -2.08,
  pointThenLetter: -2.57,
  afterColon: 0.93,
  digitThenDigit: -0.34,
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

/** Pixels of a crop's width that the network has a step for. */
export const networkStep = 8;

/**
 * Parts a line of characters into words. Their ends are where the ink ends, which is nearer the truth than the
 * network's steps; but not where no ink is seen at the word's outer characters, as in a shadow's edge across the line.
 *
 * @param spell reads a word's text again in its steps, with those before and after it that no other word has
 */
export function splitIntoWords(
  characters: readonly ReadCharacter[],
  ink: Uint8Array,
  spell: (text: string, steps: Steps) => string,
): RecognisedWord[] {
  const width = ink.length;
  const between = spacesBetween(characters, ink);
  const words: RecognisedWord[] = [];
  const spelled = (first: number, end: number) => {
    const text = characters
      .slice(first, end)
      .map((character) => character.text)
      .join('');
    const steps = stepsOf(characters, first, end);
    return steps ? spell(text, steps) : text;
  };
  let first = 0;
  let start = firstInk(ink);
  characters.forEach((_, index) => {
    const space = between[index];
    if (space && !space.partsWords) return;
    const own = characters.slice(first, index + 1);
    const probabilities = own.map(({ probability }) => probability);
    const [begun, ended] = [own[0]!.position * width, own.at(-1)!.position * width];
    const from = start - begun > networkStep ? begun - networkStep : start;
    const inked = space ? space.gap.start : lastInk(ink);
    const end = ended - inked > networkStep ? ended + networkStep : inked;
    words.push({
      text: fixLookalikes(spelled(first, index + 1)),
      start: Math.max(0, from) / width,
      end: Math.min(width, Math.max(end, from + 1)) / width,
      confidence: probabilities.reduce((sum, probability) => sum + probability, 0) / own.length,
      leastConfidence: probabilities.reduce((least, probability) => Math.min(least, probability), 1),
    });
    first = index + 1;
    start = space ? space.gap.end : end;
  });
  return words;
}

/**
 * Puts right what the recogniser confuses because it looks alike and only its neighbours tell it apart: a zero among
 * letters, and the letters O, I and l in a number.
 */
export function fixLookalikes(text: string): string {
  if (/^[\dOoIl.,:/-]+$/.test(text) && (text.match(/\d/g)?.length ?? 0) * 2 > text.length) {
    return text.replace(/[Oo]/g, '0').replace(/[Il]/g, '1');
  }
  const abbreviation = text.replace(/^N0(?=[.:]|$)/, 'NO');
  if (/[1-9]/.test(abbreviation)) return abbreviation;
  return abbreviation.replace(/(?<=\p{Lu})0(?=\p{Lu})/gu, 'O').replace(/(?<=\p{Ll})0(?=\p{Ll})/gu, 'o');
}

/** The steps of some characters, with all between their neighbours; those of a line's last one have no end. */
function stepsOf(characters: readonly ReadCharacter[], first: number, end: number): Steps | null {
  if (!characters[first]?.steps) return null;
  return {
    first: characters[first - 1]?.steps?.end ?? 0,
    end: characters[end]?.steps?.first ?? Number.POSITIVE_INFINITY,
  };
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
