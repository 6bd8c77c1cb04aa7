import { foldText } from '../candidates/date.ts';
import { matchesOf } from '../candidates/matches.ts';
import { withoutOneLetter } from '../candidates/near-words.ts';
import type { DocumentType } from '../types/definition.ts';

/** A word, number or sign of a line, as captions are compared: folded, with its place in the line's text. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A field's caption that stands in a line. */
export interface CaptionMatch {
  /** Index of the field in `type.fields`. */
  readonly field: number;
  readonly start: number;
  readonly end: number;
  /** 1 for the caption letter by letter; less where OCR misread a letter, or for a caption of little weight. */
  readonly score: number;
  /** Whether the caption stands there letter by letter. */
  readonly isExact: boolean;
  /** Another field's longer caption contains it, as `sub total` contains `total`. */
  readonly covered: boolean;
}

interface Entry {
  readonly field: number;
  readonly score: number;
}

interface CaptionIndex {
  readonly exact: ReadonlyMap<string, readonly Entry[]>;
  /** Captions with one letter left out, for those a letter of which was misread. */
  readonly near: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

/** A caption shorter than this must stand letter by letter. */
const nearLength = 5;
const tokenLimit = 6;
/** What only hints at a field counts so much. */
const weakScore = 0.6;

/** Words of receipts and bills that differ in one letter from a caption and are none, no `change`, and the end of `Father's Name`. */
const ownWords: ReadonlySet<string> = new Set(['charge', 'charges', 'charged', 'sname']);

/**
 * A word may have a zero or a one for the letter that OCR takes for it: `TELEFON0`, `Cash1er`. The number of a card's field
 * may run into its caption: `4aISS`.
 */
const tokenPattern = /(?<=\d)[a-d](?=\p{Lu}{2})|\p{L}{3,}(?:[01]\p{L}+)+(?!\d)|\p{L}{4,}0(?!\d)|\p{L}+|\d+|[#%№&/]/gu;

/** A stroke between two captions may be lost, or be taken for a letter: `birthDate`, `AuthoritylAutorité`. */
const gluedPattern = new RegExp(`\\p{Lu}?\\p{Ll}{3,}(?=\\p{Lu}\\p{Ll}{3})|${tokenPattern.source}`, 'gu');

/**
 * The tokens of a line's text. Of the initials of a purchase order the second may be read as a zero: `P.0. NO`.
 *
 * @param isGlued a capital within a word begins another token.
 */
export function tokensOf(text: string, isGlued = false): Token[] {
  const tokens: Token[] = [];
  for (const match of matchesOf(isGlued ? gluedPattern : tokenPattern, text)) {
    if (match[0] === '/' || match[0] === '&') continue;
    const isLetter =
      match[0] === '0' && /(?<!\p{L})P\. ?$/u.test(text.slice(Math.max(0, match.index - 4), match.index));
    const read = isLetter ? 'o' : withLetters(foldText(match[0]));
    tokens.push({ text: read, start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

function withLetters(token: string): string {
  return /^\d/.test(token) ? token : token.replaceAll('0', 'o').replaceAll('1', 'l');
}

const indexes = new WeakMap<DocumentType, CaptionIndex>();

function indexOf(type: DocumentType): CaptionIndex {
  let index = indexes.get(type);
  if (!index) {
    index = makeIndex(type);
    indexes.set(type, index);
  }
  return index;
}

function makeIndex(type: DocumentType): CaptionIndex {
  const exact = new Map<string, Entry[]>();
  const near = new Map<string, string[]>();
  let longest = 1;
  type.fields.forEach((field, fieldIndex) => {
    [...field.captions, ...(field.weakCaptions ?? [])].forEach((caption, rank) => {
      const tokens = tokensOf(caption);
      // Blanks are left out of the comparison: OCR loses and adds them.
      const key = tokens.map(({ text }) => text).join('');
      if (key === '') return;
      longest = Math.max(longest, Math.min(tokens.length, tokenLimit));
      const isWeak = rank >= field.captions.length;
      const entry = { field: fieldIndex, score: isWeak ? weakScore : 1 - 0.2 * Math.min(1, rank / 20) };
      const entries = exact.get(key);
      if (!entries) exact.set(key, [entry]);
      else if (!entries.some((other) => other.field === fieldIndex)) entries.push(entry);
      if (entries || key.length < nearLength) return;
      for (const shortened of withoutOneLetter(key)) {
        const keys = near.get(shortened);
        if (keys) keys.push(key);
        else near.set(shortened, [key]);
      }
    });
  });
  return { exact, near, longest };
}

function numberOf(key: string): string {
  return /^\d*/.exec(key)![0];
}

/**
 * The captions of a type's fields in a line.
 *
 * @param tolerant a caption may have one letter wrong, missing or too many, as OCR reads it.
 */
export function matchCaptions(type: DocumentType, tokens: readonly Token[], tolerant: boolean): CaptionMatch[] {
  const index = indexOf(type);
  const found: (Omit<CaptionMatch, 'covered'> & { readonly first: number; readonly last: number })[] = [];
  for (let first = 0; first < tokens.length; first += 1) {
    let key = '';
    for (let last = first; last < Math.min(tokens.length, first + index.longest + 1); last += 1) {
      key += tokens[last]!.text;
      if (key.length > 48) break;
      const start = tokens[first]!.start;
      const end = tokens[last]!.end;
      // Of `9. A1/B` the letter is a part of the value.
      if (last > first && /^\d{1,2}[a-d]$/.test(key) && tokens[last + 1]?.start === end) continue;
      for (const { field, score } of index.exact.get(key) ?? [])
        found.push({ field, start, end, score, isExact: true, first, last });
      if (!tolerant || key.length < nearLength || index.exact.has(key)) continue;
      // A number in place of a letter is a misreading; a number of its own is a value.
      if (last > first && /^\d/.test(tokens[last]!.text)) continue;
      if (ownWords.has(key)) continue;
      const number = numberOf(key);
      const seen = new Set<string>();
      for (const shortened of withoutOneLetter(key)) {
        for (const near of index.near.get(shortened) ?? []) {
          if (seen.has(near) || Math.abs(near.length - key.length) > 1) continue;
          // The number of a field is no misread letter: `660-0 9 CLASS` does not begin with a caption at the nought.
          if (numberOf(near) !== number) continue;
          seen.add(near);
          for (const { field, score } of index.exact.get(near) ?? []) {
            const share = near.length > 8 ? 0.85 : 0.7;
            found.push({ field, start, end, score: score * share, isExact: false, first, last });
          }
        }
      }
    }
  }
  return found.map(({ field, start, end, score, isExact, first, last }) => ({
    field,
    start,
    end,
    score,
    isExact,
    covered: found.some(
      (other) =>
        other.first <= first &&
        other.last >= last &&
        other.last - other.first > last - first &&
        other.field !== field &&
        other.score >= 0.7,
    ),
  }));
}
