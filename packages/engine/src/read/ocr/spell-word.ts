import type { Alphabet } from './recognition.ts';
import { longest, shippedSpelling, symbolsOf, wordEnd, wordStart } from './spelling.ts';
import type { LineOutput } from './zone-line.ts';

/** Some steps of a line, the end excluded. */
export interface Steps {
  readonly first: number;
  readonly end: number;
}

/** A word's steps where the likeliest is less likely than this are in doubt. */
const surely = 0.95;
/** From this on a step is as it was read. */
const settled = 0.97;
const leastProbability = 0.02;

/** How much the spelling counts beside what the recogniser saw. */
const spellingWeight = 0.4;
/** What a character costs on the mean, so that words are not cut short. */
const characterGain = 1.3;
const readingsKept = 10;

/**
 * By how much another reading has to be likelier, as a logarithm: abbreviations are spelled in every way, and a shorter
 * reading is likelier the less there is to spell.
 */
const leastGain = { word: 0.7, abbreviation: 1.5, shorter: 2 };
const abbreviationLetters = 3;

/**
 * Reads a word again by what the recogniser saw and by how words are spelled: of its doubtful letters, the second choice
 * is mostly the right one (`anount`, `S0CKET`), and some are lost beside the blank (`agrement`). Words that are not
 * mostly letters stay as they were read, and so do a word's points and other signs and its digits, but for those that
 * letters are taken for.
 *
 * After Hannun et al., "First-Pass Large Vocabulary Continuous Speech Recognition using Bi-Directional Recurrent DNNs"
 * (2014): a prefix beam search over the network's steps, with the model of spelling where it adds a character.
 *
 * @param steps from the end of the word before to the beginning of the next, or beyond the line's end
 * @param read the word by the likeliest class of each step
 */
export function spellWord(output: LineOutput, alphabet: Alphabet, { first, end }: Steps, read: string): string {
  const steps = { first, end: Math.min(end, output.steps) };
  if (!isMostlyLetters(read) || !hasDoubt(output, alphabet, steps)) return read;
  const readings = readingsOf(output, alphabet, steps, read);
  const own = readings.find(({ text }) => text === read);
  const best = readings.find(({ text }) => text === read || keepsSigns(read, text));
  return own && best && best.score - own.score >= leastGainOf(read, best.text) ? best.text : read;
}

function leastGainOf(read: string, text: string): number {
  if (text.length < read.length) return leastGain.shorter;
  return countLetters(read) > abbreviationLetters ? leastGain.word : leastGain.abbreviation;
}

/** At least three letters, two for each digit. */
function isMostlyLetters(text: string): boolean {
  const letters = countLetters(text);
  return letters >= 3 && letters >= 2 * (text.match(/\d/g)?.length ?? 0);
}

function countLetters(text: string): number {
  return text.match(/\p{Script=Latin}/gu)?.length ?? 0;
}

function hasDoubt({ probabilities, classes }: LineOutput, { latin }: Alphabet, { first, end }: Steps): boolean {
  for (let step = first; step < end; step += 1) {
    let likeliest = probabilities[step * classes]!;
    for (let at = 0; at < latin.length && likeliest < surely; at += 1) {
      likeliest = Math.max(likeliest, probabilities[step * classes + latin[at]!]!);
    }
    if (likeliest < surely) return true;
  }
  return false;
}

/** Letters, digits and the signs that letters are taken for. */
const stretch = /[\p{L}\d×!|&$′’]+/gu;

/**
 * Whether a reading has the signs of another one in the same places, as many characters where that has digits, and no
 * digits but its own: some of those are letters.
 */
function keepsSigns(read: string, text: string): boolean {
  if (read.replaceAll(stretch, 'a') !== text.replaceAll(stretch, 'a')) return false;
  const stretches = text.match(stretch) ?? [];
  return (read.match(stretch) ?? []).every((own, at) => {
    const other = stretches[at]!;
    const [ownDigits, digits] = [own, other].map((each) => each.replaceAll(/\D/g, '')) as [string, string];
    if (ownDigits === '') return digits === '';
    let found = 0;
    for (const digit of ownDigits) if (digit === digits[found]) found += 1;
    return found === digits.length && own.length === other.length;
  });
}

/** A way to read a word as far as a step. */
interface Reading {
  readonly text: string;
  readonly last: string;
  /** Its last symbols. */
  readonly context: readonly number[];
  /** Of its spelling. */
  readonly cost: number;
  /** How likely it is with a blank after its last character, and with that character itself at the end. */
  afterBlank: number;
  afterLast: number;
}

/** The likeliest readings of a word and the one that is given, with their scores, the likeliest first. */
function readingsOf(
  output: LineOutput,
  alphabet: Alphabet,
  { first, end }: Steps,
  read: string,
): readonly { readonly text: string; readonly score: number }[] {
  const { costOf } = shippedSpelling();
  let readings: readonly Reading[] = [
    { text: '', last: '', context: [wordStart], cost: 0, afterBlank: 1, afterLast: 0 },
  ];
  for (let step = first; step < end; step += 1) {
    const { blank, choices } = choicesAt(output, alphabet, step);
    const next = new Map<string, Reading>();
    const reach = (from: Reading, added: string): Reading => {
      const text = from.text + added;
      let reading = next.get(text);
      if (!reading) {
        reading = added === '' ? { ...from, afterBlank: 0, afterLast: 0 } : extend(from, added, costOf);
        next.set(text, reading);
      }
      return reading;
    };
    for (const from of readings) {
      const all = from.afterBlank + from.afterLast;
      reach(from, '').afterBlank += all * blank;
      for (const [text, probability] of choices) {
        if (text !== from.last) reach(from, text).afterLast += all * probability;
        else {
          reach(from, '').afterLast += from.afterLast * probability;
          reach(from, text).afterLast += from.afterBlank * probability;
        }
      }
    }
    readings = likeliest([...next.values()], read);
  }
  return readings
    .map((reading) => ({
      text: reading.text,
      score: scoreOf(reading) - spellingWeight * costOf(reading.context, wordEnd),
    }))
    .sort((a, b) => b.score - a.score);
}

/** A reading with a character more, not yet reached by any way. */
function extend(from: Reading, added: string, costOf: (context: readonly number[], symbol: number) => number): Reading {
  let { context, cost } = from;
  for (const symbol of symbolsOf(added)) {
    cost += spellingWeight * costOf(context, symbol);
    context = [...context, symbol].slice(1 - longest);
  }
  return { text: from.text + added, last: added, context, cost: cost - characterGain, afterBlank: 0, afterLast: 0 };
}

/**
 * As many as are kept, and those that `read` begins with, with probabilities of which the greatest is 1: they would vanish
 * after some hundred steps.
 */
function likeliest(readings: readonly Reading[], read: string): readonly Reading[] {
  const greatest = readings.reduce((most, { afterBlank, afterLast }) => Math.max(most, afterBlank + afterLast), 0);
  for (const reading of readings) {
    reading.afterBlank /= greatest;
    reading.afterLast /= greatest;
  }
  if (readings.length <= readingsKept) return readings;
  return readings
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .filter(({ text }, at) => at < readingsKept || read.startsWith(text));
}

function scoreOf({ afterBlank, afterLast, cost }: Reading): number {
  return Math.log(afterBlank + afterLast + Number.MIN_VALUE) - cost;
}

/** What may stand in a step: the likeliest character, and where it is in doubt letters, or digits for a digit. */
function choicesAt(
  { probabilities, classes }: LineOutput,
  { characters, latin }: Alphabet,
  step: number,
): { readonly blank: number; readonly choices: ReadonlyMap<string, number> } {
  const start = step * classes;
  const space = classes - 1;
  const blank = probabilities[start]! + probabilities[start + space]!;
  const choices = new Map<string, number>();
  if (blank > settled) return { blank, choices };
  let best = latin[0]!;
  for (const index of latin) {
    if (index !== space && probabilities[start + index]! > probabilities[start + best]!) best = index;
  }
  const read = characters[best]!;
  const isSettled = probabilities[start + best]! > settled;
  for (const index of latin) {
    const probability = probabilities[start + index]!;
    if (index === space || (index !== best && (isSettled || probability < leastProbability))) continue;
    const text = characters[index]!;
    if (text !== read && !/^[\p{Script=Latin}']$/u.test(text) && !/^\d\d$/.test(text + read)) continue;
    choices.set(text, (choices.get(text) ?? 0) + probability);
  }
  return { blank, choices };
}
