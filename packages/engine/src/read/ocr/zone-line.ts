import { median } from '../../layout/geometry.ts';
import type { ReadCharacter } from './words.ts';

/** What the network says of a line: for each step the probability of each class. */
export interface LineOutput {
  readonly probabilities: Float32Array;
  readonly steps: number;
  readonly classes: number;
}

/** A character of machine-readable zones with the network's classes for it. */
export type ZoneCharacter = readonly [character: string, classes: readonly number[]];

const zoneCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
/** What the network takes a filler or a letter for; a zone has no small letters. */
const alike: Readonly<Record<string, string>> = { '≤': '<', '«': '<', '‹': '<', '≪': '<' };

/** Of a line of a zone. */
const leastCharacters = 24;
const leastFillers = 3;
/** Of a line's characters, those that a zone may have. */
const leastShare = 0.9;
/** Small letters, which recognition takes some capitals for. */
const mostSmall = 0.2;
/** How much of a character's distance from its cell moves the cells that follow: perspective narrows them slowly. */
const drift = 0.3;

/** The classes of a zone's characters. */
export function zoneAlphabet(characters: readonly string[]): readonly ZoneCharacter[] {
  const byCharacter = new Map<string, number[]>([...zoneCharacters].map((character) => [character, []]));
  for (const [index, text] of characters.entries()) byCharacter.get(alike[text] ?? text.toUpperCase())?.push(index);
  return [...byCharacter];
}

/** Whether a line as it was read is one of a machine-readable zone. */
export function isZoneLine(characters: readonly ReadCharacter[]): boolean {
  const text = characters.map((character) => alike[character.text] ?? character.text).join('');
  if (!text.includes('<<') || text.length < leastCharacters) return false;
  const share = (pattern: RegExp) => text.replaceAll(pattern, '').length / text.length;
  return (
    share(/[^A-Z\d<]/gi) >= leastShare && share(/[^a-z]/g) <= mostSmall && share(/[^<]/g) * text.length >= leastFillers
  );
}

/**
 * Reads a line of a machine-readable zone cell by cell. Its type is of fixed width, and so widely set that the network's
 * blank is now and then likelier than any character: a letter is lost, and with it the place of all that follow. Cells
 * are found from the characters that were read, and each has the likeliest of those that a zone may have.
 *
 * @param read the line's characters by the likeliest class of each step
 */
export function readZoneLine(
  output: LineOutput,
  read: readonly ReadCharacter[],
  alphabet: readonly ZoneCharacter[],
): ReadCharacter[] {
  const centres = read.map(({ position }) => position * output.steps);
  const pitch = pitchOf(centres);
  const cells = wholeLine(cellsOf(centres, pitch), pitch, output.steps).map((centre) =>
    massesAt(output, centre, pitch, alphabet),
  );
  const form = formOf(cells.map((cell) => likeliest(cell, 'any').text));
  return cells.map((cell, at) => {
    const { text, mass } = likeliest(cell, form(at));
    return { text, probability: mass / cell.all, spaceBefore: 0, position: cell.centre / output.steps };
  });
}

/** What may stand at a place of a line: a filler may everywhere but among digits. */
type Sort = 'any' | 'letter' | 'digit' | 'sex';

const sorts: Readonly<Record<Sort, RegExp>> = { any: /./, letter: /[A-Z<]/, digit: /\d/, sex: /[MFX<]/ };

/** Of 14 digits of two dates, those by which the line that has them is known. */
const leastDigits = 10;
/** A line of names has no digits; of its letters, this many may have been taken for some. */
const mostDigits = 0.15;

/**
 * What stands where in a line, by the forms of ICAO 9303: names, the second line of a passport or a card of two lines, and
 * that of a card of three. In a row of digits the network takes letters for digits, and the other way round.
 */
function formOf(texts: readonly string[]): (at: number) => Sort {
  const digitsIn = (from: number, to: number) => texts.slice(from, to).filter((text) => /\d/.test(text)).length;
  if (digitsIn(0, texts.length) <= mostDigits * texts.length) return () => 'letter';
  if (texts.length > 33 && digitsIn(13, 20) + digitsIn(21, 28) >= leastDigits) {
    return (at) => (at === 20 ? 'sex' : at >= 10 && at < 13 ? 'letter' : at >= 9 && at < 28 ? 'digit' : 'any');
  }
  if (texts.length < 34 && digitsIn(0, 7) + digitsIn(8, 15) >= leastDigits) {
    return (at) => (at === 7 ? 'sex' : at < 15 ? 'digit' : at < 18 ? 'letter' : 'any');
  }
  return () => 'any';
}

/** The width of a cell in steps: the mean distance of characters with none between them. */
function pitchOf(centres: readonly number[]): number {
  const gaps = centres.slice(1).map((centre, at) => centre - centres[at]!);
  const usual = median(gaps);
  const single = gaps.filter((gap) => gap < 1.5 * usual && gap > 0.5 * usual);
  return single.length > 0 ? single.reduce((sum, gap) => sum + gap, 0) / single.length : usual;
}

/**
 * Where the line's characters stand, in steps: those that were read, and those lost between them. The middle of a slim
 * letter's steps may lie half a cell from that of its cell.
 */
function cellsOf(centres: readonly number[], pitch: number): readonly number[] {
  const cells = centres.slice(0, 1);
  for (const centre of centres.slice(1)) {
    const previous = cells.at(-1)!;
    const count = Math.round((centre - previous) / pitch);
    const away = centre - previous - count * pitch;
    for (let cell = 1; cell <= count; cell += 1) {
      cells.push(previous + cell * pitch + (cell === count ? drift * away : 0));
    }
  }
  return cells;
}

/** Characters of a line: of a card of three lines, of two, and of a passport. */
const lengths = [30, 36, 44];

/** The cells of a line that lacks one character to be whole, with that at its beginning or, where none fits there, its end. */
function wholeLine(cells: readonly number[], pitch: number, steps: number): readonly number[] {
  if (!lengths.includes(cells.length + 1)) return cells;
  const [before, behind] = [cells[0]! - pitch, cells.at(-1)! + pitch];
  if (before >= 0) return [before, ...cells];
  return behind < steps ? [...cells, behind] : cells;
}

/** A character's cell: the place of its middle in steps, and how probable each character is around it. */
interface Cell {
  readonly centre: number;
  readonly masses: readonly (readonly [text: string, mass: number])[];
  /** Of all characters together. */
  readonly all: number;
}

function massesAt(
  { probabilities, steps, classes }: LineOutput,
  centre: number,
  pitch: number,
  alphabet: readonly ZoneCharacter[],
): Cell {
  const from = Math.max(0, Math.ceil(centre - pitch / 2));
  const to = Math.min(steps, Math.ceil(centre + pitch / 2));
  const masses = alphabet.map(([text, indexes]) => {
    let mass = 0;
    for (let step = from; step < to; step += 1) {
      for (const index of indexes) mass += probabilities[step * classes + index]!;
    }
    return [text, mass] as const;
  });
  return { centre, masses, all: masses.reduce((sum, [, mass]) => sum + mass, 1e-9) };
}

function likeliest({ masses }: Cell, sort: Sort): { readonly text: string; readonly mass: number } {
  let best = { text: '<', mass: 0 };
  for (const [text, mass] of masses) if (mass > best.mass && sorts[sort].test(text)) best = { text, mass };
  return best;
}
