import type { JsonValue, Layout, Locale, TextLine, ValueKind, Word } from '@millrace/document-model';
import { layOut } from '../layout/layout.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { findNumbers, type NumberFinding, resolveNumber } from './amount.ts';
import { findBics, findIbans } from './bank.ts';
import { captionPrefixEnd } from './caption-prefix.ts';
import { findEmails, findPhones, findWebsites } from './contact.ts';
import { findDates, resolveDate, yearFirstReading } from './date.ts';
import { findIdentifiers } from './identifier.ts';
import { isLegible } from './legible.ts';
import { countriesIn, currenciesIn, datesIn, ibansIn, numbersIn, spansIn, taxIdsIn } from './line-findings.ts';
import { matchesOf } from './matches.ts';
import { proposeAddresses, proposeNames } from './parties.ts';
import { fold, type PlacedCandidate, placed, wordsWithin } from './placed.ts';
import { sexOf, sexWords } from './sex.ts';
import { findTimes } from './time.ts';
import { findZones } from './zone.ts';

/** Bounds on what one document may propose, against hostile pages. */
const lineLimit = 4000;
const candidateLimit = 20_000;
const textBlockLimit = 400;

/**
 * Everything in the document that may be the value of some field, by kind. The readings of a page that were not chosen
 * propose as well, since the true value stands in one of them more often than in any single one; the same value at the
 * same place is proposed once, from the chosen reading first.
 */
export function proposeCandidates(layout: Layout, locale: Locale): readonly PlacedCandidate[] {
  const candidates = proposeFrom(layout, locale);
  const further = furtherReadings(layout);
  if (further.length === 0) return candidates;
  const keyOf = ({ kind, page, value }: PlacedCandidate) => `${kind} ${page} ${value}`;
  const known = Map.groupBy(candidates, keyOf);
  for (const reading of further) {
    for (const candidate of proposeFrom(reading, locale)) {
      if (candidates.length >= candidateLimit) break;
      const alike = known.get(keyOf(candidate));
      if (alike?.some((other) => overlaps(candidate, other))) continue;
      candidates.push(candidate);
      if (alike) alike.push(candidate);
      else known.set(keyOf(candidate), [candidate]);
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

function overlaps(a: PlacedCandidate, b: PlacedCandidate): boolean {
  return a.box.y0 < b.box.y1 && b.box.y0 < a.box.y1 && a.box.x0 < b.box.x1 && b.box.x0 < a.box.x1;
}

function proposeFrom(layout: Layout, locale: Locale): PlacedCandidate[] {
  const candidates: PlacedCandidate[] = [];
  const lines = layout.lines.length > lineLimit ? layout.lines.slice(0, lineLimit) : layout.lines;
  for (const line of lines) {
    if (candidates.length > candidateLimit) break;
    proposeFromLine(line, layout, locale, candidates);
  }
  proposeTexts(layout, candidates);
  proposeBrokenDates(layout, locale, candidates);
  proposeBrokenIbans(lines, layout, candidates);
  readYearFirst(candidates);
  candidates.push(
    ...proposeNames(lines, layout).filter((name) => name.lines.every(isLegible)),
    ...proposeAddresses(lines, layout),
  );
  for (const zone of findZones(lines)) {
    const last = zone.lines.at(-1)!;
    candidates.push(placed('mrz', zone.value, zone.valid ? 1 : 0.4, layout, zone.lines, 0, last.text.length));
  }
  return candidates;
}

/** `30 jours net` without its number says nothing. */
const lackingNumber = /^(?:days?|tagen?|jours?|días?|dias?|giorni|dagen|gg)\b/iu;

function proposeFromLine(line: TextLine, layout: Layout, locale: Locale, candidates: PlacedCandidate[]): void {
  const { text } = line;
  if (text.length > 2000) return;
  const add = (kind: ValueKind, value: JsonValue, start: number, end: number, quality: number, ambiguous = false) => {
    candidates.push(placed(kind, value, quality, layout, [line], start, end, ambiguous));
  };
  const hasDigit = /\d/.test(text);
  if (hasDigit) {
    for (const finding of datesIn(line)) {
      const { value, ambiguous } = resolveDate(finding, locale);
      add('date', value, finding.start, finding.end, finding.quality, ambiguous);
    }
    for (const { start, end, value, quality } of findTimes(text)) add('time', value, start, end, quality);
    proposeNumbers(line, layout, locale, add);
    for (const match of matchesOf(/(?<![\p{L}\d.,/-])(?:19|20)\d{2}(?![\p{L}\d]|[.,/-]\d)/gu, text)) {
      add('year', Number(match[0]), match.index, match.index + 4, 0.8);
    }
    for (const { start, end, value, quality } of findIdentifiers(text)) add('identifier', value, start, end, quality);
    for (const { start, end, value, quality } of findPhones(text, locale.country))
      add('phone', value, start, end, quality);
    for (const { start, end, value, quality } of ibansIn(line)) add('iban', value, start, end, quality);
    for (const { start, end, value, quality } of taxIdsIn(line))
      add('tax_id', value.replaceAll(' ', ''), start, end, quality);
  }
  for (const { start, end, value, quality } of findBics(text)) add('bic', value, start, end, quality);
  if (text.includes('@'))
    for (const { start, end, value, quality } of findEmails(text)) add('email', value, start, end, quality);
  if (text.includes('.'))
    for (const { start, end, value, quality } of findWebsites(text)) add('website', value, start, end, quality);
  for (const { start, end, value, quality } of currenciesIn(line)) add('currency', value, start, end, quality);
  for (const { start, end, value, quality } of countriesIn(line)) add('country', value, start, end, quality);
  for (const match of matchesOf(sexOrLetter, text)) {
    add('sex', sexOf(match[0]), match.index, match.index + match[0].length, match[0].length > 1 ? 0.9 : 0.6);
  }
  if (hasDigit) {
    for (const match of matchesOf(
      /(?<=\d ?)(?:[kM]?Wh|m³|m3|CCF|therms?|gal(?:lons)?|litres?|liters?)(?![\p{L}\d])/giu,
      text,
    )) {
      add('text', match[0], match.index, match.index + match[0].length, 0.6);
    }
  }
  const caption = captionPrefixEnd(line.words);
  const short = caption > 0 ? /^[:\s]*([A-Z]{2,8})$/.exec(text.slice(caption)) : null;
  if (short) add('identifier', short[1]!, text.length - short[1]!.length, text.length, 0.2);
  for (const span of spansIn(line)) {
    const value = fold(text.slice(span.start, span.end));
    if (value.length <= 240 && !lackingNumber.test(value)) add('text', value, span.start, span.end, span.quality);
  }
}

/** Dates that a line's end parts. */
function proposeBrokenDates(layout: Layout, locale: Locale, candidates: PlacedCandidate[]): void {
  for (const { lines } of layout.blocks) {
    for (let index = 1; index < lines.length; index += 1) {
      const [upper, lower] = [lines[index - 1]!, lines[index]!];
      const head = /^(?:\d|\p{L}{3,10}\.? (?:de )?\d)/u.test(lower.text) ? lower.text.slice(0, 24) : '';
      if (head === '' || !/(?:\d\.?|,|\p{L}{3}\.?| de| of)$/u.test(upper.text)) continue;
      const from = Math.max(0, upper.text.length - 24);
      const tail = upper.text.slice(from);
      for (const finding of findDates(`${tail} ${head}`)) {
        if (finding.start >= tail.length || finding.end <= tail.length + 1 || !finding.namedMonth) continue;
        const { value, ambiguous } = resolveDate(finding, locale);
        const end = finding.end - tail.length - 1;
        candidates.push(
          placed('date', value, finding.quality * 0.9, layout, [upper, lower], from + finding.start, end, ambiguous),
        );
      }
    }
  }
}

/** Reads a day that may begin with its year as the day that the page prints elsewhere in another order. */
function readYearFirst(candidates: PlacedCandidate[]): void {
  const days = new Set(candidates.flatMap(({ kind, value }) => (kind === 'date' ? [value] : [])));
  for (const [at, candidate] of candidates.entries()) {
    const value = candidate.kind === 'date' ? yearFirstReading(candidate.text) : null;
    if (value !== null && value !== candidate.value && days.has(value)) candidates[at] = { ...candidate, value };
  }
}

/** An IBAN's beginning at the end of a line, and what may be the rest of it. */
const ibanBegun = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){4,26}$/u;
const ibanEnded = /^[A-Z\d]{1,4}(?: [A-Z\d]{1,4}){0,5}(?![\p{L}\d])/u;

/** IBANs that a narrow column's end parts, where their check digits hold. */
function proposeBrokenIbans(lines: readonly TextLine[], layout: Layout, candidates: PlacedCandidate[]): void {
  for (const line of lines) {
    const begun = line.text.length <= 200 ? ibanBegun.exec(line.text) : null;
    const below = begun && neighboursOf(layout, line).below;
    const rest = below ? ibanEnded.exec(below.text)?.[0] : undefined;
    if (!begun || !below || !rest || ibansIn(line).some(({ quality }) => quality === 1)) continue;
    const [found] = findIbans(`${begun[0]} ${rest}`);
    const end = found ? found.end - begun[0].length - 1 : 0;
    if (found?.quality === 1 && end > 0)
      candidates.push(placed('iban', found.value, 0.9, layout, [line, below], begun.index, end));
  }
}

/** Whether a text may begin below a line: it ended with a full stop or colon, is a heading over wider lines, or stands apart. */
function isApart(above: TextLine, line: TextLine, below: TextLine): boolean {
  if (/[.:]$/.test(above.text)) return true;
  const isHeading = above.box.x1 - above.box.x0 < 0.5 * (line.box.x1 - line.box.x0) && !/\d/.test(above.text);
  return isHeading || line.box.y0 - above.box.y1 > 1.3 * Math.max(0.5, below.box.y0 - line.box.y1) + 2;
}

/** Whether more space follows a line than stands above it. */
function isSpaced(lines: readonly TextLine[], at: number): boolean {
  const [above, line, below] = [lines[at - 1]!, lines[at]!, lines[at + 1]!];
  return below.box.y0 - line.box.y1 > 1.3 * Math.max(0.5, line.box.y0 - above.box.y1) + 2;
}

/** Texts over two to four lines of a block, such as terms of payment. */
function proposeTexts(layout: Layout, candidates: PlacedCandidate[]): void {
  for (const { lines } of layout.blocks.slice(0, textBlockLimit)) {
    for (let first = 0; first < lines.length; first += 1) {
      const caption = captionPrefixEnd(lines[first]!.words);
      for (let last = first + 1; last < Math.min(lines.length, first + 4); last += 1) {
        const stretch = lines.slice(first, last + 1);
        const whole = fold(stretch.map(({ text }) => text).join(' '));
        if (whole.length > 400) break;
        // A sentence or paragraph begins where something ended before, and ends with its last line or a full stop.
        const begins = first === 0 || caption > 0 || isApart(lines[first - 1]!, lines[first]!, lines[first + 1]!);
        const ends = last === lines.length - 1 || /[.!]$/.test(lines[last]!.text) || isSpaced(lines, last);
        if (!begins || !ends) continue;
        // A caption at its beginning (`Zahlbar innerhalb …`) may be the sentence's own first word.
        const starts = caption > 0 && caption < lines[first]!.text.length ? [caption, 0] : [0];
        for (const start of starts) {
          const value = fold(
            [lines[first]!.text.slice(start), ...stretch.slice(1).map(({ text }) => text)].join(' '),
          ).replace(/^[\s:]+/, '');
          candidates.push(placed('text', value, 0.6, layout, stretch, start, lines[last]!.text.length));
        }
      }
    }
  }
}

/** Languages that set the thousands of an amount apart with a blank, which is half as wide as a letter or somewhat more. */
const setsGroupsApart: ReadonlySet<string> = new Set([
  'fr',
  'pl',
  'cs',
  'sk',
  'hu',
  'sv',
  'nb',
  'no',
  'fi',
  'bg',
  'uk',
  'ru',
]);
const oneBlank = 0.9;

/** What stands at an amount that is a part of the one before it, which parentheses set apart and do not take away. */
const contained =
  /(?<!\p{L})(?:enthalten\p{L}*|inbegriffen|davon|darin|inkl\p{L}*|incl\p{L}*|of which|dont|compris\p{L}*|di cui|compres\p{L}*|inclu[ií]\p{L}*|waarvan|inbegrepen)(?!\p{L})/iu;

/** Whether an amount in parentheses is said to be contained in another: `enthaltene Steuer  (35,13)`. */
function isContained(line: TextLine, start: number, end: number, layout: Layout): boolean {
  if (!line.text.slice(start, end).includes('(')) return false;
  const before = line.text.slice(0, start).trim();
  return contained.test(before === '' ? (neighboursOf(layout, line).left?.text ?? '') : before);
}

function proposeNumbers(
  line: TextLine,
  layout: Layout,
  locale: Locale,
  add: (kind: ValueKind, value: JsonValue, start: number, end: number, quality: number) => void,
): void {
  const propose = (text: string, findings: readonly NumberFinding[], offset: number, confidence: number) => {
    for (const finding of findings) {
      const start = offset + finding.start;
      const end = offset + finding.end;
      const signed = resolveNumber(finding, locale);
      const value = signed < 0 && isContained(line, start, end, layout) ? -signed : signed;
      if (finding.percent) {
        // A rate in parentheses is one all the same.
        add('percent', Math.abs(value), start, end, 1);
        continue;
      }
      if (finding.spaced) {
        // Two columns rather than one number, or a number set in groups: each word separately as well.
        const within = wordsWithin(line, start, end);
        const isGrouped = setsGroupsApart.has(locale.language) && widestGap(line, start, end) < oneBlank;
        if (within.length > 1 && !isGrouped)
          for (const { word, offset: wordStart } of within) propose(word.text, findNumbers(word.text), wordStart, 0.8);
        if (widestGap(line, start, end) > 1.5) continue;
      }
      const literal = text.slice(finding.start, finding.end);
      if (/^0\d{3,}$/.test(literal) || Math.abs(value) >= 1e10) continue;
      add('amount', value, start, end, finding.quality * confidence);
      add('number', value, start, end, finding.confused ? 0.4 : 0.8);
      if (Math.abs(value) <= 100 && !finding.currency) add('percent', Math.abs(value), start, end, 0.2);
    }
  };
  propose(line.text, numbersIn(line), 0, 1);
}

/** The widest blank among the words of a stretch, in letters of the line. */
function widestGap(line: TextLine, start: number, end: number): number {
  const within = wordsWithin(line, start, end);
  let widest = 0;
  let width = 0;
  let letters = 0;
  within.forEach(({ word }, index) => {
    const previous = within[index - 1];
    if (previous) widest = Math.max(widest, word.box.x0 - previous.word.box.x1);
    width += word.box.x1 - word.box.x0;
    letters += word.text.length;
  });
  return widest / Math.max(1e-6, width / Math.max(1, letters));
}

/** A word for a sex, or a letter: those of one language alone beside its caption, or as a whole line. */
const sexOrLetter = new RegExp(
  String.raw`(?<![\p{L}\d])(?:[MFX]|(?<=geschlecht[: ]{1,3})[mwd]|(?<=geslacht[: ]{1,3})v|^[WV]$|${sexWords})(?![\p{L}\d])`,
  'giu',
);
