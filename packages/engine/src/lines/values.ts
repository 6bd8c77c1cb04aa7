import type { ExtractedValue, JsonValue, Locale, Provenance, ValueFlag, Word } from '@millrace/document-model';
import { findNumbers, resolveNumber } from '../candidates/amount.ts';
import { findDates, monthOf, resolveDate } from '../candidates/date.ts';
import { boxAround, overlap } from '../layout/geometry.ts';
import { textOf } from './columns.ts';

/** Words of one page that make a value or a part of one. */
export interface Piece {
  readonly page: number;
  readonly words: readonly Word[];
}

/** A number in a cell, with what else stands beside it. */
export interface CellNumber {
  readonly value: number;
  readonly percent: boolean;
  readonly currency: string | null;
  /** Printed with two decimals, or more, or none. */
  readonly decimals: number;
  /** What stands after (or before) the number, such as a unit. */
  readonly rest: string;
  readonly quality: number;
}

/** A number with the words that it stands in. */
export function placedNumber(
  number: CellNumber,
  page: number,
  words: readonly Word[],
): { readonly number: CellNumber; readonly piece: Piece } {
  return { number, piece: { page, words } };
}

/** A number of pieces with the words that say or make it, no cell's own. */
export function placedCount(
  value: number,
  page: number,
  words: readonly Word[],
): { readonly number: CellNumber; readonly piece: Piece } {
  const number = { value, percent: false, currency: null, decimals: 0, rest: '', quality: 0.5 };
  return placedNumber(number, page, words);
}

/** A unit, a tax letter or a mark may stand beside a cell's number; a sentence may not. */
const restPattern = /^(?:[\p{L}²³°*/().'’+-]{1,12}\s?){0,2}$/u;

/**
 * The one number of a cell, a unit or a currency beside it allowed; null where the cell holds none, a text with a
 * number in it, or several numbers.
 */
export function numberOf(words: readonly Word[], locale: Locale): CellNumber | null {
  if (words.length === 0 || words.length > 6) return null;
  const text = textOf(words);
  if (!/\d/.test(text)) return null;
  let known = cellNumbers.get(locale);
  if (!known) {
    known = new Map();
    cellNumbers.set(locale, known);
  }
  let number = known.get(text);
  if (number === undefined) {
    number = parseCell(text, locale);
    known.set(text, number);
  }
  return number;
}

/** The numbers of cells by the document's locale and their text: the same cells are looked at to part columns and to read them. */
const cellNumbers = new WeakMap<Locale, Map<string, CellNumber | null>>();

/** Of how many that were ordered so many are in a parcel: `1 of 3`. */
const partOfOrder = /(?<=^\d{1,4}) (?:of|von|sur|de|di|van) \d{1,4}$/u;

function parseCell(whole: string, locale: Locale): CellNumber | null {
  const text = whole.replace(partOfOrder, '');
  const found = findNumbers(text);
  const [number] = found;
  if (!number || found.length > 1) return null;
  const rest = `${text.slice(0, number.start)} ${text.slice(number.end)}`.trim();
  if (!restPattern.test(rest)) return null;
  return {
    value: resolveNumber(number, locale),
    percent: number.percent,
    currency: number.currency,
    decimals: number.decimals,
    rest,
    quality: number.quality,
  };
}

/** The date that a cell is or begins with; null where it does not. */
export function dateOf(
  words: readonly Word[],
  locale: Locale,
): { readonly value: string; readonly ambiguous: boolean } | null {
  const text = textOf(words);
  if (!/\d/.test(text)) return null;
  const [finding] = findDates(text);
  return finding && finding.start === 0 ? resolveDate(finding, locale) : null;
}

/** Day and month of a text that is a date without a year, as bank statements print it; null for others. */
export function partialDate(
  text: string,
  dateOrder: Locale['dateOrder'],
): { readonly day: number; readonly month: number } | null {
  const trimmed = text.trim();
  const figures = /^(\d{1,2})[./-](\d{2})[./-]?$/.exec(trimmed) ?? /^(\d{1,2})\/(\d)$/.exec(trimmed);
  if (figures) {
    const [first, second] = [Number(figures[1]), Number(figures[2])];
    return dayOfMonth(dateOrder === 'dmy' ? first : second, dateOrder === 'dmy' ? second : first);
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|er)?[. -]{0,2}(\p{L}{3,9})\.?$/u.exec(trimmed) ??
    /^(\p{L}{3,9})\.?[ -]?(\d{1,2})$/u.exec(trimmed);
  if (!named) return null;
  const [day, name] = /^\d/.test(trimmed) ? [named[1], named[2]] : [named[2], named[1]];
  const month = monthOf(name ?? '');
  return month === null ? null : dayOfMonth(Number(day), month);
}

function dayOfMonth(day: number, month: number): { day: number; month: number } | null {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12 ? { day, month } : null;
}

/** What OCR read and nothing proves is never as sure as a text layer. */
const unprovenOcr = 85;

/** A value with the places that it was read from. */
export function extractedValue(
  value: JsonValue,
  pieces: readonly Piece[],
  confidence: number,
  flags: readonly ValueFlag[] = [],
): ExtractedValue {
  const words = pieces.flatMap((piece) => piece.words);
  // What the reader doubted cannot be surer than the reader.
  const read = words.reduce((least, word) => Math.min(least, word.confidence), 1);
  const isProven = flags.includes('arithmetic_holds');
  const most = isProven || words.every((word) => word.source === 'text') ? 100 : unprovenOcr;
  return {
    value,
    confidence: Math.round(Math.min(confidence, most) * (read < 0.6 ? 0.8 : 1)),
    provenance: pieces.flatMap(provenanceOf),
    flags,
  };
}

function provenanceOf(piece: Piece): Provenance[] {
  const lines: Word[][] = [];
  for (const word of piece.words) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    const sameLine =
      last &&
      overlap(last.box.y0, last.box.y1, word.box.y0, word.box.y1) >
        0.3 * Math.min(last.box.y1 - last.box.y0, word.box.y1 - word.box.y0);
    if (line && sameLine) line.push(word);
    else lines.push([word]);
  }
  return lines.map((words) => ({
    page: piece.page,
    box: boxAround(words),
    text: textOf(words),
    source: words[0]?.source ?? 'text',
  }));
}
