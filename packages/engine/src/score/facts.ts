import type { Layout, Page, TextLine, Word } from '@millrace/document-model';
import { type Shape, shapeOf } from '../candidates/shape.ts';
import { detailStart, isDetail } from '../candidates/spans.ts';
import { median } from '../layout/geometry.ts';
import { type Neighbours, neighboursOf, visualRows } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { type CaptionMatch, matchCaptions, type Token, tokensOf } from './captions.ts';
import { type Lexicon, type LexiconBits, noBits, unite } from './lexicon.ts';

/** A caption within a line, with its horizontal place on the page. */
interface PlacedCaption extends CaptionMatch {
  readonly x0: number;
  readonly x1: number;
  /** How many of the line's tokens stand behind it. */
  readonly tokensBehind: number;
  /** A value of its own stands behind the caption and takes it: what stands below belongs to something else. */
  readonly taken: boolean;
}

/** What the scorer knows of a line, whichever of its candidates it looks at. */
export interface LineFacts {
  readonly line: TextLine;
  readonly shape: Shape;
  /** Number of its visual row on its page, from 0. */
  readonly row: number;
  readonly around: Neighbours;
  /** The groups of its words. */
  readonly bits: LexiconBits;
  /** The groups of each of its words separately. */
  readonly bitsOfWords: readonly LexiconBits[];
  /** The groups of the words in the lines left of it, in its row. */
  readonly bitsLeft: LexiconBits;
  readonly tokens: readonly Token[];
  readonly captions: readonly PlacedCaption[];
  /** It is, or has in it, what is in no address: a telephone number, a title. */
  readonly detail: boolean;
}

/** What the scorer knows of a page. */
export interface PageFacts {
  readonly page: Page;
  /** Those of the reading that was chosen. */
  readonly words: ReadonlySet<Word>;
  readonly lineHeight: number;
  /** Number of visual rows. */
  readonly rows: number;
}

/** A line is looked at so far; what stands behind is no text of a form. */
const characterLimit = 600;

/** The facts of every line of a layout. */
export function factsOfLines(type: DocumentType, layout: Layout, lexicon: Lexicon): Map<TextLine, LineFacts> {
  const facts = new Map<TextLine, LineFacts>();
  let page = 0;
  let number = 0;
  for (const row of visualRows(layout)) {
    if (row[0]!.page !== page) number = 0;
    page = row[0]!.page;
    let bitsLeft = noBits;
    for (const line of row) {
      const known = factsOf(type, layout, line, number, bitsLeft, lexicon);
      facts.set(line, known);
      bitsLeft = unite(bitsLeft, known.bits);
    }
    number += 1;
  }
  return facts;
}

function factsOf(
  type: DocumentType,
  layout: Layout,
  line: TextLine,
  row: number,
  bitsLeft: LexiconBits,
  lexicon: Lexicon,
): LineFacts {
  const text = line.text.length > characterLimit ? line.text.slice(0, characterLimit) : line.text;
  const tokens = tokensOf(text);
  const matches = matchCaptions(type, tokens, line.words[0]?.source.startsWith('ocr:') ?? false);
  const bitsOfWords = line.words.map((word) => lexicon(word.text));
  const lastStart = matches.reduce((last, { start }) => Math.max(last, start), 0);
  const captions = matches.map((match): PlacedCaption => {
    const tokensBehind = tokens.length - countStartingBefore(tokens, match.end);
    const taken = tokensBehind > 1 && match.start >= lastStart;
    return { ...match, ...spanOf(line, match.start, match.end), tokensBehind, taken };
  });
  return {
    line,
    shape: shapeOf(line.text),
    row,
    around: neighboursOf(layout, line),
    bits: bitsOfStretch({ line, bitsOfWords }, 0, text.length, lexicon),
    bitsOfWords,
    bitsLeft,
    tokens,
    captions,
    detail: detailStart(text) >= 0 || isDetail(text),
  };
}

/** The groups of the words among some characters of a line; of a word that is cut, those of the part within. */
export function bitsOfStretch(
  { line, bitsOfWords }: Pick<LineFacts, 'line' | 'bitsOfWords'>,
  start: number,
  end: number,
  lexicon: Lexicon,
): LexiconBits {
  let bits = noBits;
  let offset = 0;
  for (let index = 0; index < line.words.length && offset < end; index += 1) {
    const { text } = line.words[index]!;
    const next = offset + text.length;
    if (offset >= start && next <= end) bits = unite(bits, bitsOfWords[index]!);
    else if (next > start) bits = unite(bits, lexicon(text.slice(Math.max(0, start - offset), end - offset)));
    offset = next + 1;
  }
  return bits;
}

function countStartingBefore(tokens: readonly Token[], place: number): number {
  let count = 0;
  while (count < tokens.length && tokens[count]!.start < place) count += 1;
  return count;
}

/** How many of a line's tokens end at or before a character. */
export function countEndingBefore(tokens: readonly Token[], place: number): number {
  let count = 0;
  while (count < tokens.length && tokens[count]!.end <= place) count += 1;
  return count;
}

/** The horizontal stretch of some characters of a line. */
function spanOf(line: TextLine, start: number, end: number): { x0: number; x1: number } {
  let offset = 0;
  let x0 = line.box.x1;
  let x1 = line.box.x0;
  for (const { text, box } of line.words) {
    if (offset < end && offset + text.length > start) {
      const share = (box.x1 - box.x0) / Math.max(1, text.length);
      x0 = Math.min(x0, box.x0 + Math.max(0, start - offset) * share);
      x1 = Math.max(x1, box.x1 - Math.max(0, offset + text.length - end) * share);
    }
    offset += text.length + 1;
  }
  return { x0, x1 };
}

/** The facts of every page, by its number. */
export function factsOfPages(layout: Layout): ReadonlyMap<number, PageFacts> {
  const rows = new Map<number, number>();
  for (const row of visualRows(layout)) rows.set(row[0]!.page, (rows.get(row[0]!.page) ?? 0) + 1);
  const heights = Map.groupBy(layout.lines, (line) => line.page);
  return new Map(
    layout.document.pages.map((page) => [
      page.number,
      {
        page,
        words: new Set(page.words),
        lineHeight: Math.max(
          1e-3,
          median((heights.get(page.number) ?? []).map(({ box }) => box.y1 - box.y0)) || page.height / 80,
        ),
        rows: rows.get(page.number) ?? 1,
      },
    ]),
  );
}
