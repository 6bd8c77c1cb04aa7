import type { Candidate, JsonValue, Layout, TextLine, ValueKind, Word } from '@millrace/document-model';
import { boxAround } from '../layout/geometry.ts';

/** A candidate with the place it was read from, which the scorer looks around in. */
export interface PlacedCandidate extends Candidate {
  /** The lines that hold it, top to bottom; one but for addresses, joined names and machine-readable zones. */
  readonly lines: readonly TextLine[];
  /** The first and one past the last character within the text of the first and the last line. */
  readonly start: number;
  readonly end: number;
  /** The layout that `lines` belong to: the document's, or that of another reading of its pages. */
  readonly layout: Layout;
  /** Its order of day and month is open. */
  readonly ambiguous: boolean;
}

/** A candidate from the characters `start` of the first line to `end` of the last one. */
export function placed(
  kind: ValueKind,
  value: JsonValue,
  quality: number,
  layout: Layout,
  lines: readonly TextLine[],
  start: number,
  end: number,
  ambiguous = false,
): PlacedCandidate {
  const first = lines[0]!;
  const words: Word[] = [];
  let text = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const from = index === 0 ? start : 0;
    const to = index === lines.length - 1 ? end : line.text.length;
    const stretch = line.text.slice(from, to);
    text = index === 0 ? stretch : `${text}\n${stretch}`;
    let offset = 0;
    for (const word of line.words) {
      if (offset >= to) break;
      if (offset + word.text.length > from) words.push(word);
      offset += word.text.length + 1;
    }
  }
  const box = words.length > 0 ? boxAround(words) : first.box;
  return { kind, value, words, page: first.page, box, text, quality, lines, start, end, layout, ambiguous };
}

/** The words that some characters of a line's text belong to, each with its place in the text. */
export function wordsWithin(
  line: TextLine,
  start: number,
  end: number,
): { readonly word: Word; readonly offset: number }[] {
  const found: { word: Word; offset: number }[] = [];
  let offset = 0;
  for (const word of line.words) {
    if (offset < end && offset + word.text.length > start) found.push({ word, offset });
    offset += word.text.length + 1;
  }
  return found;
}

const isFolded = /^(?:\S+(?: \S+)*)?$/;

/** Blanks folded to one each, none at the ends. */
export function fold(text: string): string {
  if (isFolded.test(text)) return text;
  return text.replace(/\s+/g, ' ').trim();
}
