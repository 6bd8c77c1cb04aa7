import type { ExtractedValue, Layout, Locale } from '@millrace/document-model';
import { findDates, monthOf, resolveDate } from '../candidates/date.ts';
import type { ComposedFields } from './compose.ts';
import { composedValue, type Stretch } from './value.ts';

/**
 * A text in whose dates the month has one name and the parts have points: passports name it in two languages,
 * `14 JAN/JAN 85`, or leave blanks between the numbers.
 */
export function withPlainMonths(text: string): string {
  return text
    .replace(/(\p{L}{3,9})\s?\/\s?(\p{L}{3,9})\.?/gu, (_, one: string, other: string) =>
      monthOf(one) === null ? other : one,
    )
    .replace(/^\D*(\d{2}) (\d{2}) (\d{4})/, '$1.$2.$3')
    .replace(/^\D*((?:19|20)\d{2}) (\d{2}) (\d{2})(?!\d)/, '$1-$2-$3');
}

/** The days of a holder's document in the order of time. */
const daysInOrder = ['date_of_birth', 'issue_date', 'expiry_date'] as const;

/** A longer line is prose, whose days are no field's. */
const longestLine = 60;

/** Days that are no document's own: of a younger holder's birthdays to come, of its form's revision, of an earlier card. */
const otherDays = /(?<!\p{L})(?:under|until (?=.*under)|rev|replaced|dups?)(?!\p{L})/iu;

/** Years for which a document is valid at most. */
const longestValidity = 20;

/** Whoever has a document with a day of issue alone was born at least so many years before. */
const leastAge = 12;

interface Day {
  readonly value: string;
  readonly stretch: Stretch;
}

/**
 * The days of which OCR lost the captions, by their order: one is born before a document is issued, and that is before it
 * expires. Only where a document has no other day than these, and whatever its captions say agrees.
 */
export function daysInOrderOfTime(layout: Layout, locale: Locale, fields: ComposedFields): ComposedFields {
  const missing = daysInOrder.filter((name) => !fields[name]);
  if (missing.length === 0) return {};
  const found = daysOf(layout, locale);
  const known = daysInOrder.flatMap((name) => (fields[name] ? [String(fields[name].value)] : []));
  const others = found.filter(({ value }) => !known.includes(value));
  const issued = missing.length === 1 && missing[0] === 'issue_date' ? issuedBefore(fields.expiry_date!, others) : null;
  if (issued) return { issue_date: issued };
  if (others.length === 0 || known.some((value) => !found.some((day) => day.value === value))) return {};
  const [first, second, third] = found;
  if (found.length === 3 && first && second && third) {
    const agrees = daysInOrder.every((name, at) => !fields[name] || fields[name].value === found[at]!.value);
    const isWhole = isWholeYears(second.value, third.value);
    const isPlausible = yearsBetween(second.value, third.value) <= longestValidity;
    // America's licences expire on a birthday.
    const isValidSo = isWhole || isAnniversary(first.value, third.value);
    const isSure = isValidSo && yearsBetween(first.value, second.value) >= leastAge;
    if (!agrees || !isPlausible || (missing.length > 1 && !isSure)) return {};
    return Object.fromEntries(missing.map((name) => [name, dayValue(found[daysInOrder.indexOf(name)]!, isSure)]));
  }
  if (found.length !== 2 || !first || !second || !missing.includes('date_of_birth')) return {};
  const isOnlyBirth = fields.issue_date?.value === second.value || fields.expiry_date?.value === second.value;
  const isBorn = !isWholeYears(first.value, second.value) && yearsBetween(first.value, second.value) >= leastAge;
  return isOnlyBirth && isBorn ? { date_of_birth: dayValue(first, false) } : {};
}

/** The only day beside that of birth that whole years follow up to an expiry that a check digit proves, printed or not. */
function issuedBefore({ value, flags }: ExtractedValue, others: readonly Day[]): ExtractedValue | null {
  const [only, ...more] = others;
  const isProven = flags.includes('check_digit_holds') && more.length === 0;
  return only && isProven && isWholeYears(only.value, String(value)) ? dayValue(only, true) : null;
}

function dayValue({ value, stretch }: Day, isSure: boolean): ExtractedValue {
  return composedValue(value, isSure ? 78 : 70, [stretch]);
}

/** The different days on a document, the earliest first; those of its machine-readable zone are none. */
function daysOf(layout: Layout, locale: Locale): readonly Day[] {
  const byValue = new Map<string, Day>();
  for (const line of layout.lines) {
    if (
      line.text.length > longestLine ||
      !/\d{2}/.test(line.text) ||
      line.text.includes('<<') ||
      otherDays.test(line.text)
    )
      continue;
    const findings = findDates(line.text);
    const plain = findings.length > 0 ? findings : findDates(withPlainMonths(line.text));
    for (const finding of plain) {
      const { value } = resolveDate(finding, locale);
      if (!byValue.has(value)) byValue.set(value, { value, stretch: { line } });
    }
  }
  return [...byValue.values()].toSorted((a, b) => a.value.localeCompare(b.value));
}

function yearsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / (365.25 * 86_400_000);
}

/** Whether a day is as many years after another as a document may be valid, to the day or the day before. */
function isWholeYears(from: string, to: string): boolean {
  return isAnniversary(from, to) && Math.round(yearsBetween(from, to)) <= longestValidity;
}

/** Whether a day is some years after another to the day, or the day before. */
function isAnniversary(from: string, to: string): boolean {
  const [start, end] = [new Date(from), new Date(to)];
  const years = Math.round(yearsBetween(from, to));
  const anniversary = Date.UTC(start.getUTCFullYear() + years, start.getUTCMonth(), start.getUTCDate());
  const daysAway = (anniversary - end.getTime()) / 86_400_000;
  return years > 0 && daysAway >= 0 && daysAway <= 1;
}
