import type { Locale } from '@millrace/document-model';
import { lazy } from '../lazy.ts';
import { matchesOf } from './matches.ts';

/** One way to read a date: the order that its writer had in mind. */
interface DateReading {
  readonly order: Locale['dateOrder'];
  /** `YYYY-MM-DD`. */
  readonly value: string;
}

/** A date as it stands in a text. Where its order is open (04/03/2018), it has a reading for each possible order. */
export interface DateFinding {
  readonly start: number;
  readonly end: number;
  readonly readings: readonly DateReading[];
  readonly namedMonth: boolean;
  readonly yearDigits: 2 | 4;
  /** Letters were taken for digits (O for 0, l for 1), as OCR confuses them. */
  readonly confused: boolean;
  /** How well formed it is, 0 to 1. */
  readonly quality: number;
}

const monthLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'ms',
  'id',
  'pl',
  'cs',
  'sv',
  'da',
  'nb',
  'fi',
  'ro',
  'hu',
  'tr',
];

/** Abbreviations that are printed though no locale's data has them. */
const furtherMonthNames: readonly (readonly [name: string, month: number])[] = [
  ['sept', 9],
  ['mrz', 3],
  ['maerz', 3],
  ['jaenner', 1],
  ['janner', 1],
  ['feber', 2],
  ['fevr', 2],
  ['fev', 2],
  ['avr', 4],
  ['juil', 7],
  ['juill', 7],
  ['aout', 8],
  ['ene', 1],
  ['abr', 4],
  ['ago', 8],
  ['dic', 12],
  ['gen', 1],
  ['mag', 5],
  ['giu', 6],
  ['lug', 7],
  ['set', 9],
  ['ott', 10],
  ['out', 10],
  ['dez', 12],
  ['mrt', 3],
  ['mei', 5],
  ['okt', 10],
  ['ogos', 8],
  ['ogo', 8],
  ['mac', 3],
  ['disember', 12],
  ['dis', 12],
  ['mai', 5],
  ['setiembre', 9],
];

/** Characters up to the signs of currencies without their accents, filled as they are met. */
const unaccentedCharacters: string[] = [];
const unaccentedLimit = 0x2100;

/** Lower case without accents: the form in which names of months, captions and stop words are compared. */
export function foldText(text: string): string {
  let highest = 0;
  for (let at = 0; at < text.length; at += 1) highest = Math.max(highest, text.charCodeAt(at));
  if (highest < 0x80) return text.toLowerCase();
  if (highest >= unaccentedLimit) return unaccented(text).toLowerCase();
  return text
    .replace(/[\u0080-\uffff]/g, (character) => {
      const code = character.charCodeAt(0);
      unaccentedCharacters[code] ??= unaccented(character);
      return unaccentedCharacters[code];
    })
    .toLowerCase();
}

function unaccented(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

const months = lazy((): ReadonlyMap<string, number> => {
  const names = new Map<string, number>();
  for (const language of monthLanguages) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      const inDate = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const day = new Date(Date.UTC(2024, month - 1, 15));
        const parts = [alone.format(day), inDate.formatToParts(day).find((part) => part.type === 'month')?.value ?? ''];
        for (const part of parts) {
          const name = foldText(part).replaceAll('.', '');
          if (/^[a-z]{3,}$/.test(name) && !names.has(name)) names.set(name, month);
        }
      }
    }
  }
  for (const [name, month] of furtherMonthNames) if (!names.has(name)) names.set(name, month);
  return names;
});

/** The month, 1 to 12, that a word names in one of the languages read, OCR's 0 for O and 1 for l allowed; or null. */
export function monthOf(word: string): number | null {
  const name = foldText(word).replaceAll('.', '');
  return months().get(name) ?? months().get(name.replaceAll('0', 'o').replaceAll('1', 'l')) ?? null;
}

/** The language whose names of months a word is, where it is no other's among those read; for the locale's decision. */
export function monthLanguagesOf(word: string): readonly string[] {
  return languagesOfMonth().get(foldText(word).replaceAll('.', '')) ?? [];
}

const languagesOfMonth = lazy((): ReadonlyMap<string, readonly string[]> => {
  const languagesOf = new Map<string, string[]>();
  for (const language of monthLanguages) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    const names = Array.from({ length: 12 }, (_, month) =>
      foldText(format.format(new Date(Date.UTC(2024, month, 15)))),
    );
    for (const name of new Set(names)) {
      const languages = languagesOf.get(name);
      if (languages) languages.push(language);
      else languagesOf.set(name, [language]);
    }
  }
  return languagesOf;
});

const digit = '[0-9OoQDlI|]';
const edge = '(?<![0-9A-Za-z][/.-]?|[0-9][.,])';
const yearThenMonth = new RegExp(`${edge}(${digit}{4})([/.-]|年)(${digit}{1,2})(?:\\2|月)(${digit}{1,2})日?`, 'gu');
const oneSeparator = new RegExp(
  `${edge}(${digit}{1,2})( ?)([/.-])( ?)(${digit}{1,2}) ?\\3 ?(${digit}{4}|${digit}{2})`,
  'gu',
);
/** Two days with nothing but a dash between them: `04/01/2025-04/30/2025`. */
const joinedRange =
  /(?<![\dA-Za-z./-])(\d{1,2})([/.])(\d{1,2})\2((?:19|20)?\d{2})(?=[-–—](\d{1,2})\2(\d{1,2})\2((?:19|20)?\d{2})(?![\d./-]))([-–—])[\d./]+/gu;
/** The same of days that begin with their year: `2025-04-01-2025-04-30`. */
const joinedYearFirst = /(?<![\dA-Za-z./-])(20\d{2})-(\d{2})-(\d{2})[-–—](20\d{2})-(\d{2})-(\d{2})(?![\d./-])/gu;
const twoSeparators = new RegExp(`${edge}(${digit}{1,2})[/.-](${digit}{1,2})[/.-](${digit}{4})`, 'gu');
const blankSeparator = new RegExp(`${edge}(${digit}{2}) (${digit}{2}) (${digit}{4})`, 'gu');
/** A date right after letters or before a time, as OCR glues them: `DATE15/06/2018`, `geb.09.02.1948`, `15/06/201814:22`. */
const glued =
  /(?<=\p{L}|\p{L}{2}\.)([0-3]?\d)([/.-])([01]?\d)\2((?:19|20)\d{2})|(?<!\d[/.-]?)([0-3]\d)([/.-])([01]\d)\6(20\d{2})(?=[0-2]\d:[0-5]\d)/gu;
const compact = /(?<![\p{L}\d./-])((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\p{L}\d/-]|\.\d)/gu;
const compactDayFirst = /(?<![\p{L}\d./-])(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(20[0-3]\d)(?![\p{L}\d/-]|\.\d)/gu;
const dayFirst = new RegExp(
  `(?:(?<=(?:19|20)[0-9]{2}-)|(?<![0-9A-Za-z]|[0-9][./-]))(?<day>${digit}{1,2})(?:st|nd|rd|th|er|º|°|ª)?[ .,/-]{0,3}(?:(?:de|of) |d['’] ?)?(?<month>[\\p{L}01]{3,12})\\.?[ .,/'’-]{0,3}(?:(?:de|del) )?(?<year>(?:19|20)[0-9]{2}(?=[0-2]?[0-9]:[0-5][0-9])|${digit}{4}(?![0-9]|[.,/:][0-9])|${digit}{2}(?![0-9]|[.,/:][0-9]))`,
  'giu',
);
const monthFirst = new RegExp(
  `(?<![\\p{L}0-9])(?<month>\\p{L}{3}(?=[0-9]{1,2}['’][0-9]{2})|[\\p{L}01]{3,12})\\.?[ -]{0,2}(?<day>${digit}{1,2})(?:st|nd|rd|th)?(?: ?[,.'’/-] ?| )(?<year>${digit}{4}|${digit}{2})(?![0-9]|[.,/:][0-9])`,
  'giu',
);
const yearFirst =
  /(?<![\p{L}0-9])(?<year>\d{4})[ .,/-]{1,2}(?<month>\p{L}{3,12})\.?[ .,/-]{1,2}(?<day>\d{1,2})(?![0-9])/giu;

/** Words after which digits with two dots are an amount or a number, never a day. */
const amountBefore =
  /(?:total|subtotal|sum|summe|betrag|amount|importe|importo|montant|bedrag|valor|cash|change|price|preis|prix|version|ver|v|\$|€|£|¥|rm|eur|usd|gbp|chf|qty)\s*[:.]?\s*$/iu;
const unitAfter = /^\s*(?:kg|g|mg|ml|l|lb|lbs|oz|cm|mm|m|km|pcs|x|%|€|\$|£|eur|usd|inch|in|")(?![\p{L}])/iu;

/**
 * The dates in a line of text. A number counts as a date only with a day, a month and a year, in an order and with a
 * separator that people use, so that `1/2 kg`, `10.10` or `Total 10.10.20` are none.
 */
export function findDates(text: string): DateFinding[] {
  const findings: DateFinding[] = [];
  // At least half of the characters of its year, month and day are figures.
  if (!/[0-9].*[0-9]/s.test(text)) return findings;
  const add = (
    start: number,
    end: number,
    year: string,
    month: string | number,
    day: string,
    quality: number,
    order: Locale['dateOrder'] | null,
  ) => {
    if (findings.some((other) => start < other.end && end > other.start)) return;
    const literal = `${year}${typeof month === 'number' ? '' : month}${day}`;
    const confused = /[^0-9]/.test(literal);
    if (confused && (literal.match(/[0-9]/g)?.length ?? 0) * 2 < literal.length) return;
    const yearDigits = year.length === 4 ? 4 : 2;
    const fullYear = yearOf(digitsOf(year), yearDigits);
    const second = typeof month === 'number' ? month : digitsOf(month);
    const first = digitsOf(day);
    const readings: DateReading[] = [];
    const offer = (readOrder: Locale['dateOrder'], monthNumber: number, dayNumber: number) => {
      const value = isoDate(fullYear, monthNumber, dayNumber);
      if (value !== null && !readings.some((reading) => reading.value === value))
        readings.push({ order: readOrder, value });
    };
    if (typeof month === 'number' || order === 'ymd') offer(order ?? 'dmy', second, first);
    else {
      offer('dmy', second, first);
      offer('mdy', first, second);
    }
    if (readings.length === 0) return;
    const namedMonth = typeof month === 'number';
    findings.push({ start, end, readings, namedMonth, yearDigits, confused, quality: quality - (confused ? 0.3 : 0) });
  };

  for (const match of matchesOf(joinedYearFirst, text)) {
    const [whole, year, month, day, lastYear, lastMonth, lastDay] = match;
    const middle = match.index + (whole.length - 1) / 2;
    add(match.index, middle, year!, month!, day!, 0.95, 'ymd');
    add(middle + 1, match.index + whole.length, lastYear!, lastMonth!, lastDay!, 0.95, 'ymd');
  }
  // More digits behind a date make it a part of something longer.
  const goesOn = (end: number) => /^(?:[0-9]|[./-][0-9]|,\d{1,2}(?!\d))/.test(text.slice(end));
  const separated = /[0-9OoQDlI|](?: ?[/.-]|年)/.test(text);
  for (const match of separated ? matchesOf(yearThenMonth, text) : []) {
    const [whole, year, , month, day] = match;
    const end = match.index + whole.length;
    if (year && month && day && !goesOn(end)) add(match.index, end, year, month, day, 0.95, 'ymd');
  }
  for (const match of separated ? matchesOf(joinedRange, text) : []) {
    const [whole, day, , month, year, lastDay, lastMonth, lastYear] = match;
    const middle = match.index + whole.indexOf(match[8]!);
    add(match.index, middle, year!, month!, day!, 0.95, null);
    add(middle + 1, match.index + whole.length, lastYear!, lastMonth!, lastDay!, 0.95, null);
  }
  for (const match of separated ? matchesOf(oneSeparator, text) : []) {
    const [whole, first, blank, separator, , second, year] = match;
    const start = match.index;
    const end = start + whole.length;
    const after = text.slice(end);
    if (!first || !second || !year || goesOn(end)) continue;
    const spaced = whole.includes(' ');
    if (year.length === 2) {
      if (/^[A-Za-z]/.test(after) || unitAfter.test(after)) continue;
      if (spaced && (blank === '' || separator === '.')) continue;
      if (separator === '.' && amountBefore.test(text.slice(0, start))) continue;
    }
    // `18-03-05` may start with its year; the day-first reading is far more usual on documents.
    add(start, end, year, second, first, (year.length === 4 ? 0.95 : 0.75) - (spaced ? 0.15 : 0), null);
  }
  for (const [pattern, quality] of [
    [twoSeparators, 0.65],
    [blankSeparator, 0.5],
  ] as const) {
    for (const match of matchesOf(pattern, text)) {
      const [whole, day, month, year] = match;
      const end = match.index + whole.length;
      if (day && month && year && !goesOn(end)) add(match.index, end, year, month, day, quality, null);
    }
  }
  const named = /[\p{L}01]{3}/iu.test(text);
  for (const { start, end, year, month, day } of named ? namedDates(dayFirst, text) : []) {
    // Of `Jul 1 - Jul 31, 2022` the day of the second date is no year.
    if (year.length === 2 && /^,? (?:19|20)\d{2}(?!\d)/.test(text.slice(end))) continue;
    // Nor is it one of `Dec 18 - Jan 20`, whose first day has its own month.
    if (year.length === 2 && monthOf(/(\p{L}+)\.? $/u.exec(text.slice(0, start))?.[1] ?? '') !== null) continue;
    add(start, end, year, month, day, year.length === 4 ? 1 : 0.85, null);
  }
  for (const { start, end, year, month, day } of named ? namedDates(monthFirst, text) : []) {
    // Nor is the last day of `Jul 1-31, 2022` one.
    if (year.length === 2 && /^,? (?:19|20)\d{2}(?!\d)/.test(text.slice(end))) continue;
    add(start, end, year, month, day, year.length === 4 ? 1 : 0.8, null);
  }
  for (const { start, end, year, month, day } of named ? namedDates(yearFirst, text) : []) {
    add(start, end, year, month, day, 1, 'ymd');
  }
  for (const match of separated ? matchesOf(glued, text) : []) {
    const day = match[1] ?? match[5];
    const month = match[3] ?? match[7];
    const year = match[4] ?? match[8];
    if (day && month && year) add(match.index, match.index + match[0].length, year, month, day, 0.8, null);
  }
  for (const match of matchesOf(compact, text)) {
    const [whole, year, month, day] = match;
    if (year && month && day) add(match.index, match.index + whole.length, year, month, day, 0.35, 'ymd');
  }
  for (const match of matchesOf(compactDayFirst, text)) {
    const [whole, day, month, year] = match;
    if (year && month && day) add(match.index, match.index + whole.length, year, month, day, 0.25, null);
  }
  return findings.sort((a, b) => a.start - b.start);
}

/** The dates whose month is a word, by a pattern with the groups `day`, `month` and `year`. */
function* namedDates(pattern: RegExp, text: string) {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { day = '', month: name = '', year = '' } = match.groups ?? {};
    const month = monthOf(name);
    const end = pattern.lastIndex;
    // Of `18 Jan - 17 Feb 2024` the second day has its own month, and is no year.
    const next = year.length === 2 ? /^\.? ?(?:de )?(\p{L}{3,12})/u.exec(text.slice(end))?.[1] : undefined;
    if (next && monthOf(next) !== null && /[-–—]\s/.test(text.slice(match.index, end))) pattern.lastIndex = end - 2;
    else if (month !== null) yield { start: match.index, end: pattern.lastIndex, year, month, day };
    // What only looks like a date, such as `date 14`, may hold the day of one.
    else pattern.lastIndex = match.index + 1;
  }
}

/** The reading of a date that the document's order of day and month selects, and whether another would have been open. */
export function resolveDate(
  finding: DateFinding,
  locale: Pick<Locale, 'dateOrder'>,
): { value: string; ambiguous: boolean } {
  const wanted = locale.dateOrder === 'ymd' ? 'dmy' : locale.dateOrder;
  const reading = finding.readings.find(({ order }) => order === wanted) ?? finding.readings[0]!;
  return { value: reading.value, ambiguous: finding.readings.length > 1 };
}

/** What `25/06/29` is where it begins with its year; null for what cannot be one. */
export function yearFirstReading(text: string): string | null {
  const [, year, , month, day] = /^(\d{2})([/.-])(\d{2})\2(\d{2})$/.exec(text.trim()) ?? [];
  return year && month && day ? isoDate(yearOf(Number(year), 2), Number(month), Number(day)) : null;
}

/** The date that a text is, all of it, as `YYYY-MM-DD`; null where it is none. */
export function parseDate(
  text: string,
  locale: Pick<Locale, 'dateOrder'>,
): { value: string; ambiguous: boolean } | null {
  const trimmed = text.trim().replace(/[.,;]$/, '');
  const finding = findDates(trimmed)[0];
  if (!finding || finding.start > 0 || finding.end < trimmed.length) return null;
  return resolveDate(finding, locale);
}

function digitsOf(text: string): number {
  return Number(text.replace(/[OoQD]/g, '0').replace(/[lI|]/g, '1'));
}

/** Two digits mean 1970 to 2069. */
function yearOf(year: number, digits: 2 | 4): number {
  if (digits === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

/** A day of the years 1900 to 2100 as `YYYY-MM-DD`; null where the month has no such day. */
export function isoDate(year: number, month: number, day: number): string | null {
  if (!(year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
