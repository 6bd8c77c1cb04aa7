import type { Candidate, JsonValue, Layout, Locale, TextLine, ValueKind, Word } from '../document.ts';
import { boxAround } from '../layout/geometry.ts';
import { layOut } from '../layout/layout.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { findNumbers, resolveNumber } from './amount.ts';
import { findBics, findIbans } from './bank.ts';
import { captionPrefixEnd } from './caption-prefix.ts';
import { findEmails, findPhones, findWebsites } from './contact.ts';
import { findCountries } from './country.ts';
import { findCurrencies } from './currency.ts';
import { findDates, resolveDate } from './date.ts';
import { findIdentifiers } from './identifier.ts';
import { detailStart, spansOf } from './spans.ts';
import { findTaxIds } from './tax-id.ts';
import { findTimes } from './time.ts';
import { findZones } from './zone.ts';

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

/** Bounds on what one document may propose, against hostile pages. */
const lineLimit = 4000;
const candidateLimit = 20_000;
const addressLines = 8;
const addressLimit = 1500;
const nameJoinLines = 3;

/**
 * Everything in the document that may be the value of some field, by kind. The readings of a page that were not chosen
 * propose as well, since the true value stands in one of them more often than in any single one; the same value at the
 * same place is proposed once, from the chosen reading first.
 */
export function proposeCandidates(layout: Layout, locale: Locale): readonly PlacedCandidate[] {
  const candidates = proposeFrom(layout, locale);
  for (const further of furtherReadings(layout)) {
    for (const candidate of proposeFrom(further, locale)) {
      if (candidates.length >= candidateLimit) break;
      if (!candidates.some((other) => isSame(candidate, other))) candidates.push(candidate);
    }
  }
  return candidates;
}

const furtherLayouts = new WeakMap<Layout, readonly Layout[]>();

/** The layouts of the readings that `page.words` does not stand for; made once per document. */
export function furtherReadings(layout: Layout): readonly Layout[] {
  let layouts = furtherLayouts.get(layout);
  if (!layouts) {
    const { document } = layout;
    const passes = Math.max(0, ...document.pages.map((page) => page.readings.length));
    const found: Layout[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      const pages = document.pages.flatMap((page) => {
        const reading = page.readings[pass];
        return reading && reading.words !== page.words && !sameWords(reading.words, page.words)
          ? [{ ...page, words: reading.words }]
          : [];
      });
      if (pages.length > 0) found.push(layOut({ ...document, pages }));
    }
    layouts = found;
    furtherLayouts.set(layout, layouts);
  }
  return layouts;
}

function sameWords(a: readonly Word[], b: readonly Word[]): boolean {
  return (
    a.length === b.length && a.every((word, index) => word.text === b[index]?.text && word.box.x0 === b[index]?.box.x0)
  );
}

function isSame(a: PlacedCandidate, b: PlacedCandidate): boolean {
  return (
    a.kind === b.kind &&
    a.page === b.page &&
    a.value === b.value &&
    a.box.y0 < b.box.y1 &&
    b.box.y0 < a.box.y1 &&
    a.box.x0 < b.box.x1 &&
    b.box.x0 < a.box.x1
  );
}

function proposeFrom(layout: Layout, locale: Locale): PlacedCandidate[] {
  const candidates: PlacedCandidate[] = [];
  const lines = layout.lines.length > lineLimit ? layout.lines.slice(0, lineLimit) : layout.lines;
  for (const line of lines) {
    if (candidates.length > candidateLimit) break;
    proposeFromLine(line, layout, locale, candidates);
  }
  proposeNames(lines, layout, candidates);
  proposeAddresses(lines, layout, candidates);
  for (const zone of findZones(lines)) {
    const last = zone.lines.at(-1)!;
    candidates.push(placed('mrz', zone.value, zone.valid ? 1 : 0.4, layout, zone.lines, 0, last.text.length));
  }
  return candidates;
}

function proposeFromLine(line: TextLine, layout: Layout, locale: Locale, candidates: PlacedCandidate[]): void {
  const { text } = line;
  if (text.length > 2000) return;
  const add = (kind: ValueKind, value: JsonValue, start: number, end: number, quality: number, ambiguous = false) => {
    candidates.push(placed(kind, value, quality, layout, [line], start, end, ambiguous));
  };
  const hasDigit = /\d/.test(text);
  if (hasDigit) {
    for (const finding of findDates(text)) {
      const { value, ambiguous } = resolveDate(finding, locale);
      add('date', value, finding.start, finding.end, finding.quality, ambiguous);
    }
    for (const { start, end, value, quality } of findTimes(text)) add('time', value, start, end, quality);
    proposeNumbers(line, locale, add);
    for (const match of text.matchAll(/(?<![\p{L}\d.,/-])(?:19|20)\d{2}(?![\p{L}\d]|[.,/-]\d)/gu)) {
      add('year', Number(match[0]), match.index, match.index + 4, 0.8);
    }
    for (const { start, end, value, quality } of findIdentifiers(text)) add('identifier', value, start, end, quality);
    for (const { start, end, value, quality } of findPhones(text, locale.country))
      add('phone', value, start, end, quality);
    for (const { start, end, value, quality } of findIbans(text)) add('iban', value, start, end, quality);
    for (const { start, end, value, quality } of findTaxIds(text))
      add('tax_id', value.replaceAll(' ', ''), start, end, quality);
  }
  for (const { start, end, value, quality } of findBics(text)) add('bic', value, start, end, quality);
  if (text.includes('@'))
    for (const { start, end, value, quality } of findEmails(text)) add('email', value, start, end, quality);
  if (text.includes('.'))
    for (const { start, end, value, quality } of findWebsites(text)) add('website', value, start, end, quality);
  for (const { start, end, value, quality } of findCurrencies(text)) add('currency', value, start, end, quality);
  for (const { start, end, value, quality } of findCountries(text)) add('country', value, start, end, quality);
  for (const match of text.matchAll(
    /(?<![\p{L}\d])(?:[MFX]|male|female|männlich|weiblich|masculin|féminin|hombre|mujer|masculino|femenino|maschio|femmina|man|vrouw|homme|femme)(?![\p{L}\d])/giu,
  )) {
    const value = sexOf(match[0]);
    if (value) add('sex', value, match.index, match.index + match[0].length, match[0].length > 1 ? 0.9 : 0.6);
  }
  for (const span of spansOf(text, captionPrefixEnd(line.words))) {
    const value = fold(text.slice(span.start, span.end));
    if (value.length <= 240) add('text', value, span.start, span.end, span.quality);
    if (isName(value)) {
      add('organization', value, span.start, span.end, span.quality);
      add('name', value, span.start, span.end, span.quality);
    }
  }
}

function proposeNumbers(
  line: TextLine,
  locale: Locale,
  add: (kind: ValueKind, value: JsonValue, start: number, end: number, quality: number) => void,
): void {
  const propose = (text: string, offset: number, confidence: number) => {
    for (const finding of findNumbers(text)) {
      const value = resolveNumber(finding, locale);
      const start = offset + finding.start;
      const end = offset + finding.end;
      if (finding.percent) {
        add('percent', value, start, end, 1);
        continue;
      }
      const gap = finding.spaced ? widestGap(line, start, end) : 0;
      if (finding.spaced && gap > 0.5) {
        // Two columns rather than one number: each word by itself.
        for (const { word, offset: wordStart } of wordsWithin(line, start, end)) propose(word.text, wordStart, 0.8);
        continue;
      }
      const literal = text.slice(finding.start, finding.end);
      if (/^0\d{3,}$/.test(literal) || Math.abs(value) >= 1e10) continue;
      add('amount', value, start, end, finding.quality * confidence);
      add('number', value, start, end, finding.confused ? 0.4 : 0.8);
      if (Math.abs(value) <= 100 && !finding.currency) add('percent', value, start, end, 0.2);
    }
  };
  propose(line.text, 0, 1);
}

/** The widest blank among the words of a stretch, in heights of the line. */
function widestGap(line: TextLine, start: number, end: number): number {
  const within = wordsWithin(line, start, end);
  let widest = 0;
  for (let index = 1; index < within.length; index += 1) {
    widest = Math.max(widest, within[index]!.word.box.x0 - within[index - 1]!.word.box.x1);
  }
  return widest / Math.max(1e-6, line.box.y1 - line.box.y0);
}

/** Up to three lines one below the other that make one name, at the top of a page: `AIK HUAT HARDWARE` / `ENTERPRISE SDN BHD`. */
function proposeNames(lines: readonly TextLine[], layout: Layout, candidates: PlacedCandidate[]): void {
  for (const line of lines) {
    const page = layout.document.pages.find(({ number }) => number === line.page);
    if (!page || line.box.y0 > page.height * 0.4) continue;
    const stretch = [line];
    while (stretch.length < nameJoinLines) {
      const next = lineBelow(layout, stretch.at(-1)!, 1.2);
      if (!next || !isName(next.text)) break;
      stretch.push(next);
      const joined = fold(stretch.map(({ text }) => text).join(' '));
      if (joined.length > 90) break;
      for (const span of spansOf(next.text)) {
        if (span.start > 0) continue;
        const value = fold(
          [...stretch.slice(0, -1).map(({ text }) => text), next.text.slice(0, span.end)].join(' '),
        ).replace(/[\s,;:*-]+$/, '');
        if (!isName(value)) continue;
        candidates.push(placed('organization', value, 0.4 * span.quality, layout, [...stretch], 0, span.end));
      }
    }
  }
}

/** Stretches of one to eight lines below each other, cut before a telephone or tax number, that have a digit and letters. */
function proposeAddresses(lines: readonly TextLine[], layout: Layout, candidates: PlacedCandidate[]): void {
  let count = 0;
  for (const first of lines) {
    if (count > addressLimit) return;
    const starts = [0];
    const caption = captionPrefixEnd(first.words);
    if (caption > 0 && caption < first.text.length) starts.push(caption);
    const colon = /:(?!\d\d)/.exec(first.text);
    if (colon && colon.index + 3 < first.text.length && colon.index + 1 !== caption) starts.push(colon.index + 1);
    const separator = / [·•|–] |, /.exec(first.text);
    if (separator) starts.push(separator.index + separator[0].length);
    for (const from of starts) {
      const start = from + (/^[\s:;,.*-]*/.exec(first.text.slice(from))?.[0].length ?? 0);
      const stretch: TextLine[] = [];
      let line: TextLine | null = first;
      while (line && stretch.length < addressLines) {
        const detail = detailStart(line.text);
        if (detail === 0) break;
        stretch.push(line);
        const end = detail > 0 ? detail : line.text.length;
        const value = addressText(stretch, start, end);
        if (value.length > 260) break;
        if (isAddress(value)) {
          candidates.push(placed('address', value, /\d{4,}/.test(value) ? 0.9 : 0.5, layout, [...stretch], start, end));
          count += 1;
        }
        if (detail > 0 || isAmountLine(line.text)) break;
        line = lineBelow(layout, line, 1.8);
      }
    }
  }
}

function addressText(stretch: readonly TextLine[], start: number, end: number): string {
  const parts = stretch.map(({ text }, index) =>
    text.slice(index === 0 ? start : 0, index === stretch.length - 1 ? end : undefined).trim(),
  );
  let joined = '';
  for (const part of parts) joined += joined === '' ? part : /[,.;:/&-]$/.test(joined) ? ` ${part}` : `, ${part}`;
  return fold(joined).replace(/^[\s,;:*-]+|[\s;:*-]+$/g, '');
}

function isAddress(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && (value.match(/\p{L}/gu)?.length ?? 0) >= 5;
}

function isAmountLine(text: string): boolean {
  return /\d[.,]\d{2}\s*(?:[A-Z€$]{1,3})?$/.test(text) && !/\p{L}{4,}/u.test(text);
}

function isName(value: string): boolean {
  const letters = value.match(/\p{L}/gu)?.length ?? 0;
  return value.length <= 90 && letters >= 2 && letters * 2 >= value.replace(/\s/g, '').length;
}

/** The next line of the same column, if it follows within `gap` heights of a line. */
function lineBelow(layout: Layout, line: TextLine, gap: number): TextLine | null {
  const { below } = neighboursOf(layout, line);
  if (!below) return null;
  const height = Math.max(line.box.y1 - line.box.y0, below.box.y1 - below.box.y0);
  return below.box.y0 - line.box.y1 <= gap * height ? below : null;
}

function sexOf(text: string): string | null {
  const first = text.toLowerCase();
  if (['m', 'male', 'männlich', 'masculin', 'hombre', 'masculino', 'maschio', 'man', 'homme'].includes(first))
    return 'M';
  if (['f', 'female', 'weiblich', 'féminin', 'mujer', 'femenino', 'femmina', 'vrouw', 'femme'].includes(first))
    return 'F';
  return first === 'x' ? 'X' : null;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wordsWithin(line: TextLine, start: number, end: number): { word: Word; offset: number }[] {
  const found: { word: Word; offset: number }[] = [];
  let offset = 0;
  for (const word of line.words) {
    if (offset < end && offset + word.text.length > start) found.push({ word, offset });
    offset += word.text.length + 1;
  }
  return found;
}

function placed(
  kind: ValueKind,
  value: JsonValue,
  quality: number,
  layout: Layout,
  lines: readonly TextLine[],
  start: number,
  end: number,
  ambiguous = false,
): PlacedCandidate {
  const words = lines.flatMap((line, index) =>
    wordsWithin(line, index === 0 ? start : 0, index === lines.length - 1 ? end : line.text.length).map(
      ({ word }) => word,
    ),
  );
  const first = lines[0]!;
  const text = lines
    .map((line, index) => line.text.slice(index === 0 ? start : 0, index === lines.length - 1 ? end : undefined))
    .join('\n');
  const box = words.length > 0 ? boxAround(words.map((word) => word.box)) : first.box;
  return { kind, value, words, page: first.page, box, text, quality, lines, start, end, layout, ambiguous };
}
