import type { Layout, TextLine } from '@millrace/document-model';
import { wordsWithin } from '../candidates/placed.ts';
import { boxAround, overlap } from '../layout/geometry.ts';
import { neighboursOf, rowOf, visualRows } from '../layout/neighbours.ts';
import { type CaptionMatch, matchCaptions, tokensOf } from '../score/captions.ts';
import type { DocumentType } from '../types/definition.ts';
import type { Stretch } from './value.ts';

/** A stretch that stands where a field's value should: behind its caption, or below it. */
export interface CaptionedText {
  readonly text: string;
  readonly stretch: Required<Stretch>;
  readonly place: 'behind' | 'right' | 'below';
  /** The line of the caption. */
  readonly caption: TextLine;
  readonly score: number;
  /** Whether its line begins with the caption, letter by letter, however rare that caption is. */
  readonly isExact: boolean;
}

const captionCache = new WeakMap<Layout, Map<DocumentType, ReadonlyMap<TextLine, readonly CaptionMatch[]>>>();

/** The captions of a type's fields on every line; a caption of digits alone counts at a line's beginning only, and not as two: `1,2 NAME`, of which OCR reads the comma as a point. */
function captionsOf(type: DocumentType, layout: Layout): ReadonlyMap<TextLine, readonly CaptionMatch[]> {
  let byType = captionCache.get(layout);
  if (!byType) {
    byType = new Map();
    captionCache.set(layout, byType);
  }
  let matches = byType.get(type);
  if (!matches) {
    matches = new Map(
      layout.lines.slice(0, 2000).map((line) => {
        const isRead = line.words[0]?.source.startsWith('ocr') ?? false;
        const found = line.text.length > 400 ? [] : matchCaptions(type, tokensOf(line.text, isRead), isRead);
        const kept = found.filter(
          ({ covered, start, end }) =>
            !covered &&
            !/\d[,.] ?\d/.test(line.text.slice(start, end)) &&
            !(
              isNumber(line.text.slice(start, end)) &&
              ((start > 0 && !isNumberedOnward(line.text, start, end)) ||
                groupedNumber.test(line.text) ||
                /^[-/]\d/.test(line.text.slice(end)))
            ),
        );
        return [line, kept] as const;
      }),
    );
    byType.set(type, matches);
  }
  return matches;
}

const sum = /^[-\p{Sc} ]*\d[\d.,' ]*[.,]\d{2}-?$/u;

/** Whether a word right behind a caption says what the amount right of it is for, as in `Employee NI  186.87`. */
function isItem(line: TextLine, start: number, text: string, layout: Layout): boolean {
  if (!/^\p{L}+$/u.test(text) || /:\s*$/.test(line.text.slice(0, start))) return false;
  return sum.test(neighboursOf(layout, line).row.find(({ box }) => box.x0 > line.box.x1)?.text ?? '');
}

const isNumber = (text: string) => /^\d{1,2}[a-d]?$/.test(text);
/** Whether the number of a field stands behind those of others in a line, as on European licences: `4a. 03.03.2022 4b. 03.03.2037`. */
function isNumberedOnward(text: string, start: number, end: number): boolean {
  return /^4[a-d]$/i.test(text.slice(start, end)) && /^4[a-d]\.? /i.test(text) && /^\.? /.test(text.slice(end));
}

/** The first group of a number is no number of a field. */
const groupedNumber = /^\d{1,2}(?: \d{3})+$/;
const lettersIn = (text: string) => text.replace(/[^\p{L}\d]/gu, '').length;
const punctuation = /^[\s:.;,/|()#*<>_=–—·•[\]{}-]*/u;
/** The ending of its plural behind a caption: `Nome[s]`. */
const plural = /^[[({]\p{L}{1,2}[\])}]/u;

/**
 * The texts that stand where the value of a field should, the likeliest first: behind its caption on the same line, to
 * the right of it, or below it.
 */
export function textsAtCaption(type: DocumentType, fieldName: string, layout: Layout): CaptionedText[] {
  const field = type.fields.findIndex(({ name }) => name === fieldName);
  const captions = captionsOf(type, layout);
  const texts: CaptionedText[] = [];
  for (const [line, matches] of captions) {
    for (const match of matches) {
      if (match.field !== field) continue;
      const isNumbered = isNumber(line.text.slice(match.start, match.end));
      if (
        matches.some(
          (other) =>
            other.field === field &&
            other.start <= match.start &&
            other.end >= match.end &&
            other !== match &&
            (other.score >= match.score || isNumbered) &&
            other.end - other.start > match.end - match.start,
        )
      )
        continue;
      // `Next meter reading date` is no caption of the date.
      if (/(?<!\p{L})next(?: [^:]{0,30})? ?$/iu.test(line.text.slice(0, match.start))) continue;
      // Other languages' captions of the field stand beside it: `Surname/Nom`.
      let end = match.end;
      let isChained = false;
      let isOther = false;
      for (;;) {
        end += plural.exec(line.text.slice(end))?.[0].length ?? 0;
        const gap = punctuation.exec(line.text.slice(end))![0].length;
        const next = matches.find(
          (other) =>
            other.start === end + gap &&
            other.end > end &&
            (other.field === field || (gap <= 1 && !isNumbered) || /[/|]/.test(line.text.slice(end, end + gap))),
        );
        if (!next) {
          const last = lastOfChain(line.text, end, field, matches);
          if (!last) break;
          end = last.end;
          isChained = true;
          continue;
        }
        // A number has the meaning that the words behind it say: Brazil's 4d is no number of the card, but `4d CPF`.
        isOther ||= next.field !== field && isNumbered && next.isExact;
        end = next.end;
        isChained = true;
      }
      if (isOther) continue;
      // A note to the caption, such as `(see clause 1)`, is no value.
      end += /^\s*\([^)]{0,80}\)(?=\s|$)/u.exec(line.text.slice(end))?.[0].length ?? 0;
      const begin = end + punctuation.exec(line.text.slice(end))![0].length;
      // Words behind the number of a field are its caption, whatever they are.
      if (!isNumbered && goesOnAsCaption(line.text.slice(end))) continue;
      // `No PERSONNEL` is the caption of another number, and `NO 42 MAIN ROAD` a house.
      if (
        /^n[o°º.]{1,2}$/iu.test(line.text.slice(match.start, match.end)) &&
        /^[.°º:]{0,2} ?(?:\p{L}{4}[^\d:]*$|\d{1,4}[a-z]?(?:\/\d{1,4})?,? (?:\d{1,3}(?:st|nd|rd|th) )?\p{L}{3})/iu.test(
          line.text.slice(end),
        )
      )
        continue;
      const stop = matches
        .filter(
          (other) =>
            other.start > begin &&
            other.field !== field &&
            other.end - other.start > 3 &&
            lettersIn(line.text.slice(other.start, other.end)) > 2 &&
            // What only resembles a caption has a value behind it, or is a part of this one: `MATEO ANDRES`.
            (other.isExact || other.end < line.text.length),
        )
        .reduce((least, other) => Math.min(least, other.start), line.text.length);
      // A caption with the number of its field is no weaker than the number alone.
      const number = matches.find(
        (other) =>
          other.field === field &&
          other.start === match.start &&
          other.end < match.end &&
          isNumber(line.text.slice(other.start, other.end)),
      );
      const score = Math.max(match.score, number?.score ?? 0) * (match.start === 0 ? 1 : 0.85);
      const isExact = match.isExact && match.start === 0;
      const printed = line.text.slice(begin, stop).trimEnd();
      // The next field's number is its caption's: `9a. End NONE 12. Rest A`.
      const rest = stop < line.text.length ? printed.replace(/(?<=\S) \d{1,2}[a-d]?\.$/, '') : printed;
      // A word right behind a stroke is the caption in another language: `REST./COND. X`.
      const gap = line.text.slice(end, begin);
      const isTranslated = isChained && /^[,.]$/.test(gap) && /^\p{L}{3,}\.?$/u.test(rest);
      const translation = /^\.?\/$/.test(gap) ? /^\p{L}{3,}\.?(?:\s+|$)/u.exec(rest)?.[0] : undefined;
      // So is what OCR left of the other caption, right behind the first: `AuthorityiAutot`.
      const isGlued = gap === '' && /^\p{L}/u.test(rest) && /\p{L}$/u.test(line.text.slice(0, end));
      const behind = isTranslated || isGlued ? '' : rest.slice(translation?.length ?? 0);
      const from = begin + rest.length - behind.length;
      if (behind !== '' && !isItem(line, from, behind, layout))
        texts.push({
          text: behind,
          stretch: { line, start: from, end: from + behind.length },
          place: 'behind',
          caption: line,
          score,
          isExact,
        });
      const { right, below: nearest } = neighboursOf(layout, line);
      const below =
        (behind === '' ? belowInGrid(line, nearest, layout) : null) ?? belowCaption(line, match, nearest, layout);
      const isCaption = (other: TextLine) => isCaptionLine(other, captions.get(other) ?? []);
      const isHead =
        behind === '' &&
        (isHeadOfGrid(line, layout) || (right !== null && !isCaption(right) && isSmallAbove(line, right, below)));
      if (right && !isCaption(right) && behind === '' && !isHead)
        texts.push({
          text: right.text,
          stretch: whole(right),
          place: 'right',
          caption: line,
          score: score * 0.95,
          isExact,
        });
      if (below && !isCaption(below)) {
        const stretch = cellUnder(line, match, captions, below, layout) ?? fromUnder(line, below, layout);
        texts.push({
          text: below.text.slice(stretch.start, stretch.end),
          stretch,
          place: 'below',
          caption: line,
          score: score * (isHead ? 1 : behind === '' ? 0.9 : 0.5),
          isExact,
        });
        const further = neighboursOf(layout, below).below;
        if (further && !isCaption(further))
          texts.push({
            text: further.text,
            stretch: whole(further),
            place: 'below',
            caption: line,
            score: score * 0.3,
            isExact,
          });
      }
    }
  }
  return texts.sort((a, b) => b.score - a.score);
}

/**
 * The field's last caption behind ones in languages that are not known, each between strokes or points: of
 * `Name · Nom · Cognome · Num · Surname` one is known in any case.
 */
function lastOfChain(text: string, end: number, field: number, matches: readonly CaptionMatch[]): CaptionMatch | null {
  return (
    matches.findLast(
      (other) =>
        other.field === field && other.start > end && other.isExact && onlyCaptions.test(text.slice(end, other.start)),
    ) ?? null
  );
}

const onlyCaptions = /^[)\s]*[·•/|] ?(?:[\p{L}.()'’ ]{1,40}[·•/|] ?){1,4}$/u;

/**
 * The line below a caption. Where several captions run into one line, as OCR joins what stands close, and several values
 * stand below it, it is the one under the caption's own words.
 */
function belowCaption(
  line: TextLine,
  { start, end }: CaptionMatch,
  nearest: TextLine | null,
  layout: Layout,
): TextLine | null {
  if (!nearest || end - start > 0.6 * line.text.length) return nearest;
  const values = rowOf(layout, nearest);
  if (values.length < 2) return nearest;
  const words = wordsWithin(line, start, end).map(({ word }) => word);
  const { x0, x1 } = boxAround(words);
  const [first] = values.toSorted((a, b) => sharedWith(b, x0, x1) - sharedWith(a, x0, x1));
  return first && sharedWith(first, x0, x1) > 0 ? first : nearest;
}

function sharedWith({ box }: TextLine, x0: number, x1: number): number {
  return overlap(box.x0, box.x1, x0, x1);
}

/** Captions in one row that make it the head of a row of values. */
const leastColumns = 3;

/**
 * The value under a caption whose cell sets it at another side, so that none of its width is shared: the one at the same
 * place of the next row, where both rows have as many cells and no other caption stands above it.
 */
function belowInGrid(caption: TextLine, nearest: TextLine | null, layout: Layout): TextLine | null {
  const height = caption.box.y1 - caption.box.y0;
  if (nearest && nearest.box.y0 - caption.box.y1 < height) return null;
  const row = rowOf(layout, caption);
  if (row.length < leastColumns) return null;
  const rows = visualRows(layout);
  const next = rows[rows.indexOf(row) + 1];
  if (next?.length !== row.length) return null;
  const value = next[row.indexOf(caption)]!;
  const isShared = row.some(({ box }) => box.x0 < value.box.x1 && value.box.x0 < box.x1);
  return value.page === caption.page && value.box.y0 - caption.box.y1 < 1.5 * height && !isShared ? value : null;
}

/**
 * Whether a caption stands in a row of heads with one row of values right below them, as the boxes of a form do; several
 * rows are a table.
 */
function isHeadOfGrid(caption: TextLine, layout: Layout): boolean {
  const row = rowOf(layout, caption);
  if (row.length < leastColumns || row.some(({ text }) => /\d/.test(text) || text.length > 40)) return false;
  const rows = visualRows(layout);
  const at = rows.indexOf(row);
  const [values, after] = [rows[at + 1], rows[at + 2]];
  const isBelow = (lower: readonly TextLine[], upper: readonly TextLine[]) =>
    lower[0]!.page === upper[0]!.page && lower[0]!.box.y0 - upper[0]!.box.y1 < caption.box.y1 - caption.box.y0;
  const headOf = (line: TextLine, over: readonly TextLine[]) => {
    const { above } = neighboursOf(layout, line);
    return above !== null && over.includes(above);
  };
  if (!values || values.length < leastColumns || values.length > row.length || !isBelow(values, row)) return false;
  // What has a colon behind it is the caption of the next row, and so is what measures a card's holder.
  if (
    values.some(({ text }) =>
      /:\s*$|^(?:\d{1,2}[. ]*)?(?:hgt|ht|wgt|wt|eyes|hair|height|weight|dd)(?!\p{L})/iu.test(text),
    )
  )
    return false;
  if (!values.every((line) => headOf(line, row)) || !values.some(({ text }) => /\d/.test(text))) return false;
  const isTable =
    after !== undefined &&
    isBelow(after, values) &&
    after.some(({ text }) => /\d/.test(text)) &&
    after.filter((line) => headOf(line, values)).length > 1;
  return !isTable;
}

/** Whether the words behind a caption make it another one: `Plan code`, `Vessel and voyage no.`, `Customer charge`. */
function goesOnAsCaption(text: string): boolean {
  // `Date In: 05/13/2025`
  if (/^ (?:in|out) ?:/iu.test(text)) return true;
  return (
    /^ (?:code|type|no|nos|number|id|date|starts|begins|ends|and|or|of|the|&|charges?|fees?|care|copy|inps|inail|d['’ ]?usage|services?(?= (?:\d|dept|department|hours|cent(?:er|re))|$))\b(?!:)/iu.test(
      text,
    ) && !/^ (?:no|number|id)\.?\s*[:#]?\s*\S*\d/iu.test(text)
  );
}

/** Whether a line is captions and nothing else, perhaps in two languages of which one is known: `ST. OBČANSTVÍ / NATIONALITY`. */
function isCaptionLine(line: TextLine, matches: readonly CaptionMatch[]): boolean {
  const stroke = line.text.lastIndexOf('/');
  const isTranslated =
    stroke > 0 &&
    /^[^\d:]*$/u.test(line.text) &&
    matches.some(
      ({ start, end }) =>
        end - start >= leastTranslation && end === line.text.length && start - stroke < 3 && start > stroke,
    );
  if (isTranslated) return true;
  let covered = 0;
  let end = 0;
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.start < end || isNumber(line.text.slice(match.start, match.end))) continue;
    covered += match.end - match.start;
    end = match.end;
  }
  // Cards number their fields, and OCR loses the blank behind: `12 RESTR`, `12RESTR`.
  const text = line.text
    .replace(/^\d{1,2}[a-d]?(?:[. ]+(?=\p{L})|(?=\p{Lu}{3}))/u, '')
    .replace(/[^\p{L}\d ]/gu, '')
    .replace(/ +/g, ' ');
  return covered > 0 && covered >= 0.75 * text.length;
}

/** Letters of a caption behind a stroke that tell that the words before it are one as well. */
const leastTranslation = 4;

/**
 * Whether a caption is in small letters right above what begins at its left edge in larger ones, as cards have them, and
 * what is right of it far away: that is another field's.
 */
function isSmallAbove(caption: TextLine, right: TextLine, below: TextLine | null): boolean {
  if (!below) return false;
  const height = caption.box.y1 - caption.box.y0;
  return (
    right.box.x0 - caption.box.x1 > 3 * height &&
    below.box.y0 - caption.box.y1 < 0.6 * height &&
    Math.abs(below.box.x0 - caption.box.x0) < height &&
    below.box.y1 - below.box.y0 > 1.2 * height
  );
}

/** How far left of its caption a line begins that has something else before the value, in heights of the caption. */
const farLeft = 6;

/**
 * A line below a caption from the word on that stands at the caption's left edge, where the line begins far left of it:
 * OCR joins a signature beside the value to it.
 */
function fromUnder(caption: TextLine, below: TextLine, layout: Layout): Required<Stretch> {
  const height = caption.box.y1 - caption.box.y0;
  const away = below.words.map(({ box }) => Math.abs(box.x0 - caption.box.x0));
  const at = away.indexOf(Math.min(...away));
  // Words of a line that OCR read as one are parted by its letters' number.
  if ((away[at] ?? Infinity) > below.box.y1 - below.box.y0) return whole(below);
  const isFar = caption.box.x0 - below.box.x0 > farLeft * height && caption.box.x1 < below.box.x1;
  const isRead = below.words[0]?.source.startsWith('ocr') ?? false;
  if (at < 1 || !isFar || !isRead || beginsCell(below, layout)) return whole(below);
  const start = below.words.slice(0, at).reduce((length, word) => length + word.text.length + 1, 0);
  return { line: below, start, end: below.text.length };
}

/**
 * Whether a line stands whole in its cell, below a heading in the middle of that: it has the caption of its row before it,
 * `Name:`, or another line right below it at the same edge, as an address has below its name.
 */
function beginsCell(line: TextLine, layout: Layout): boolean {
  const { left, below } = neighboursOf(layout, line);
  const height = line.box.y1 - line.box.y0;
  const isAligned = below !== null && Math.abs(below.box.x0 - line.box.x0) < 0.5 * height;
  return (left?.text.endsWith(':') ?? false) || (isAligned && below.box.y0 - line.box.y1 < height);
}

/** How far words of a line that OCR read as one stand from where their cells begin, in heights of the line. */
const cellShift = 0.6;

/**
 * The words of a caption's own cell, where OCR joined the values of a row below a row of captions into one line; null where
 * the line's words do not begin where the captions do.
 */
function cellUnder(
  line: TextLine,
  { start, end, field }: CaptionMatch,
  captions: ReadonlyMap<TextLine, readonly CaptionMatch[]>,
  below: TextLine,
  layout: Layout,
): Required<Stretch> | null {
  if (!below.words[0]?.source.startsWith('ocr') || below.words.length < 2) return null;
  const near = cellShift * (below.box.y1 - below.box.y0);
  const left = (from: number, to: number) => boxAround(wordsWithin(line, from, to).map(({ word }) => word)).x0;
  const own = left(start, end);
  // A caption in another language begins no cell.
  const isSame = (other: TextLine) => captions.get(other)?.some((match) => match.field === field) ?? false;
  const heads = [
    ...(captions.get(line) ?? []).flatMap((other) =>
      other.field !== field && (other.start >= end || other.end <= start) ? [left(other.start, other.end)] : [],
    ),
    ...rowOf(layout, line).flatMap((other) => (other === line || isSame(other) ? [] : [other.box.x0])),
  ];
  if (heads.length + 1 < leastColumns) return null;
  const isAt = (head: number) => below.words.some(({ box }) => Math.abs(box.x0 - head) <= near);
  if (!isAt(own) || !heads.some((head) => isAt(head) && Math.abs(head - own) > 2 * near)) return null;
  const next = Math.min(...heads.filter((head) => head > own + near));
  const inside = below.words.flatMap(({ box }, at) => (box.x0 >= own - near && box.x0 < next - near ? [at] : []));
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) return null;
  const before = below.words.slice(0, first).reduce((length, word) => length + word.text.length + 1, 0);
  const cell = below.words.slice(first, last + 1).map(({ text }) => text);
  return { line: below, start: before, end: before + cell.join(' ').length };
}

function whole(line: TextLine): Required<Stretch> {
  return { line, start: 0, end: line.text.length };
}

/** A stretch that begins at a part of a captioned text. */
export function partOf({ stretch }: CaptionedText, start: number, end: number): Required<Stretch> {
  return { line: stretch.line, start: stretch.start + start, end: stretch.start + end };
}
