import { findNumbers, resolveNumber } from '../candidates/amount.ts';
import { findDates, resolveDate } from '../candidates/date.ts';
import type { ExtractedValue, JsonValue, Locale, Provenance, ValueFlag, Word } from '../document.ts';
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

/** A unit, a tax letter or a mark may stand beside a cell's number; a sentence may not. */
const restPattern = /^(?:[\p{L}²³°*/().'’+-]{1,12}\s?){0,2}$/u;

/**
 * The one number of a cell, a unit or a currency beside it allowed; null where the cell holds none, a text with a
 * number in it, or several numbers.
 */
export function numberOf(words: readonly Word[], locale: Locale): CellNumber | null {
  if (words.length === 0 || words.length > 6) return null;
  const text = textOf(words);
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
  const [finding] = findDates(textOf(words));
  return finding && finding.start === 0 ? resolveDate(finding, locale) : null;
}

/** A value with the places that it was read from. */
export function extractedValue(
  value: JsonValue,
  pieces: readonly Piece[],
  confidence: number,
  flags: readonly ValueFlag[] = [],
): ExtractedValue {
  const words = pieces.flatMap((piece) => piece.words);
  // What the reader doubted cannot be surer than the reader.
  const read = Math.min(1, ...words.map((word) => word.confidence));
  const doubt = read < 0.6 ? 0.8 : 1;
  return { value, confidence: Math.round(confidence * doubt), provenance: pieces.flatMap(provenanceOf), flags };
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
    box: boxAround(words.map((word) => word.box)),
    text: textOf(words),
    source: words[0]?.source ?? 'text',
  }));
}
