import type { Locale } from '@millrace/document-model';
import { currencyBeforeSource, currencyOf, currencySource } from './currency.ts';
import { matchesOf } from './matches.ts';

/**
 * A number in a text. Whether its one separator is the decimal one is open in `1.234` and `1,234`: then it has both
 * values, and the document's locale decides.
 */
export interface NumberFinding {
  readonly start: number;
  readonly end: number;
  /** The value if the point is the decimal separator, with its sign; null where the number cannot be read so. */
  readonly withPoint: number | null;
  /** The value if the comma is the decimal separator. */
  readonly withComma: number | null;
  /** Digits after the decimal separator, as the likelier reading has them. */
  readonly decimals: number;
  /** ISO 4217, from a sign or code right before or after the number. */
  readonly currency: string | null;
  readonly percent: boolean;
  /** Letters were taken for digits, or one separator for the other, as OCR confuses them. */
  readonly confused: boolean;
  /** A space stands within the number, which may be the gap between two columns. */
  readonly spaced: boolean;
  /** How well formed it is as an amount of money, 0 to 1. */
  readonly quality: number;
}

const digits = '[0-9]';
const loose = '[0-9OoQlI|SB]';
const body = [
  // 1,234,567.89  1.234.567,89  1'234.50  1 234,50 (a space only before exactly three digits and with decimals)
  `${digits}{1,3}(?:[.,'’]${digits}{3})+(?:[.,]${digits}{1,2}(?![0-9]))?`,
  `${digits}{1,2}(?:,${digits}{2})+,${digits}{3}(?:\\.${digits}{1,2})?`,
  `${digits}{1,3}(?:[ \\u00a0\\u202f]${digits}{3})+[.,]${digits}{2}(?![0-9])`,
  // 6 420 kg, 10 000 kr: without decimals only before a unit or a currency that is written behind its amounts
  `${digits}{1,3}(?:[ \\u00a0\\u202f]${digits}{3})+(?=[ \\u00a0\\u202f]?(?:kgs?|km|kWh|m³|m3|€|EUR|z[łl]|PLN|Kč|CZK|kr|SEK|NOK|DKK|Ft|HUF)(?![\\p{L}\\d]))`,
  // 12 .50, 12. 50: OCR puts a space beside the separator
  `${digits}+(?: [.,]|[.,] )${digits}{2}(?![0-9])`,
  `${digits}+[.,](?:-{1,2}|–|—)`,
  `${digits}+[.,]${digits}+`,
  `${digits}+`,
  `[.,]${digits}{2}(?![0-9])`,
].join('|');
// 5o0,0oo and 10l,250.00: letters in groups of three behind a digit
const lettered = '[0-9OolI]';
const confusable = `(?=[0-9.,]*[OolI])${digits}${lettered}{0,2}(?:[.,]${lettered}{3})+(?:[.,]${lettered}{2})?(?![0-9A-Za-z])|(?=[0-9]*[.,]?[0-9]*[A-Za-z|])${loose}*${digits}${loose}*[.,]${loose}{2}(?![0-9A-Za-z])|[OlI|SB]{1,3}[.,]${digits}{2}(?![0-9A-Za-z])`;

const pattern = new RegExp(
  `(?<before>${currencyBeforeSource} ?)?(?<open>\\( ?)?(?<sign>[-−–+] ?)?(?<inner>${currencyBeforeSource} ?)?(?:(?<=${currencyBeforeSource} ?|(?<!\\p{L})(?:zzgl|inkl|incl|exkl|excl)\\.)|(?<![\\p{L}\\d][./:-]?|\\d[,'’]))(?<number>${confusable}|${body})(?![0-9])(?<trailing> ?[-−–](?![\\p{L}\\d]))?(?<close> ?\\))?(?<after> ?(?:${currencySource}|%))?(?<credit> ?(?:CR|Cr|DR|DB)\\b)?`,
  'gu',
);

const hasDigit = /[0-9]/;

/** The end of a sum in words, after which parentheses repeat it in digits: `five thousand dollars ($5,000)`. */
const spelledOut =
  /(?<!\p{L})(?:\p{L}*(?:hundred|thousand|million|hundert|tausend)|(?:mille|cents?|mil)|(?:u\.?s\.? )?dollars?|euros?|pounds?(?: sterling)?|francs?|franken|cents?|no\/100) ?$/iu;

/**
 * The numbers in a line of text, amounts of money or not: separators of thousands and decimals, signs before and
 * after, parentheses and `CR` for a credit, currency before and after, spaces that OCR put in. Numbers that are part of
 * a date, a time, a version or an identifier are left out.
 */
export function findNumbers(text: string): NumberFinding[] {
  const findings: NumberFinding[] = [];
  if (!hasDigit.test(text)) return findings;
  for (const match of matchesOf(pattern, text)) {
    const groups = match.groups!;
    const number = groups.number!;
    const offset = match.index + match[0].indexOf(number, groups.before?.length ?? 0);
    const numberEnd = offset + number.length;
    const next = text.slice(numberEnd, numberEnd + 2);
    const previous = text.slice(Math.max(0, offset - 2), offset);
    if (/^[.,:/-]?\d/.test(next) && !/^-\d/.test(next)) continue;
    if (/^-\d/.test(next) && !/\d[.,]\d{2}$/.test(number)) continue;
    if (/\d[/:]$/.test(previous) || /^[/:]\d?/.test(next)) continue;
    const before = groups.before ?? groups.inner ?? '';
    const after = groups.after ?? '';
    const isPercent = after.trim() === '%';
    const currency = currencyOf(before) ?? (isPercent ? null : currencyOf(after));
    const knownBefore = currencyOf(before) !== null;
    const knownAfter = isPercent || currencyOf(after) !== null;
    // A letter right behind a number makes it part of a word (12A, 500ml) unless it is a currency or one tax letter.
    const rest = text.slice(numberEnd);
    if (!knownAfter && /^\p{L}/u.test(rest) && !/^(?:[A-Z]{1,2}(?![\p{L}\d])|[Kk]g\b)/u.test(rest)) continue;
    const negative =
      /[-−–]/.test(groups.sign ?? '') && !/\d ?[-−–] ?$/.test(text.slice(0, offset))
        ? true
        : groups.trailing !== undefined ||
          (groups.open !== undefined &&
            groups.close !== undefined &&
            !spelledOut.test(text.slice(Math.max(0, match.index - 20), match.index)) &&
            !isAside(text, match.index, match.index + match[0].length)) ||
          /^ ?C/i.test(groups.credit ?? '');
    const start = match.index + (groups.before && !knownBefore ? groups.before.length : 0);
    const end =
      match.index + match[0].length - (after && !knownAfter ? after.length + (groups.credit?.length ?? 0) : 0);
    const finding = interpret(number, negative, { start, end, currency, percent: isPercent });
    if (finding) findings.push(finding);
  }
  return findings;
}

/** Whether a number in parentheses says in a sentence what a rate comes to: `plus VAT at 20% (£97.20), making …`. */
function isAside(text: string, start: number, end: number): boolean {
  return (
    /\d ?% $/.test(text.slice(Math.max(0, start - 6), start)) && /^[,;]? \p{Ll}{2}/u.test(text.slice(end, end + 6))
  );
}

/** A number whose groups and decimals stand behind the same sign, of which OCR took the one for the other: `18.469.05`. */
const oneSign = /^\d{1,3}([.,])(?:\d{3}\1)+\d{2}$/;

function interpret(
  literal: string,
  negative: boolean,
  where: Pick<NumberFinding, 'start' | 'end' | 'currency' | 'percent'>,
): NumberFinding | null {
  const spaced = /\s/.test(literal);
  const confused = /[A-Za-z|]/.test(literal) || oneSign.test(literal);
  const plain = literal
    .replace(/[OoQ]/g, '0')
    .replace(/[lI|]/g, '1')
    .replaceAll('S', '5')
    .replaceAll('B', '8')
    .replace(/[\s'’]/g, '')
    .replace(/[.,][-–—]+$/, '');
  const inHundredths = oneSign.test(plain) ? Number(plain.replace(/\D/g, '')) / 100 : null;
  const withPoint = inHundredths ?? withSeparators(plain, '.', ',');
  const withComma = inHundredths ?? withSeparators(plain, ',', '.');
  if (withPoint === null && withComma === null) return null;
  const sign = negative ? -1 : 1;
  const decimals = /[.,](\d+)$/.exec(plain)?.[1]?.length ?? 0;
  let quality = decimals === 2 ? 0.9 : decimals === 0 ? 0.4 : decimals === 3 ? 0.4 : 0.3;
  if (/[.,][-–—]+$/.test(literal)) quality = 0.8;
  if (where.currency) quality = Math.min(1, quality + 0.2);
  if (confused) quality -= 0.35;
  if (spaced) quality -= 0.2;
  return {
    ...where,
    withPoint: withPoint === null ? null : sign * withPoint,
    withComma: withComma === null ? null : sign * withComma,
    decimals,
    confused,
    spaced,
    quality: Math.max(0.05, quality),
  };
}

function withSeparators(plain: string, decimal: string, thousands: string): number | null {
  if (plain.length > 18) return null;
  const [whole = '', fraction, ...more] = plain.split(decimal);
  if (more.length > 0) return null;
  if (fraction?.includes(thousands)) return null;
  if (whole.includes(thousands)) {
    const [head = '', ...groups] = whole.split(thousands);
    const western = head.length >= 1 && head.length <= 3 && groups.every((group) => group.length === 3);
    const indian =
      thousands === ',' &&
      head.length <= 2 &&
      groups.at(-1)?.length === 3 &&
      groups.slice(0, -1).every((group) => group.length === 2);
    if (!western && !indian) return null;
  }
  const value = Number(`${whole.replaceAll(thousands, '') || '0'}.${fraction || '0'}`);
  return Number.isFinite(value) ? value : null;
}

/** The value that a number has under the document's decimal separator; the other reading where only that one is possible. */
export function resolveNumber(finding: NumberFinding, locale: Pick<Locale, 'decimalSeparator'>): number {
  const [first, second] =
    locale.decimalSeparator === '.' ? [finding.withPoint, finding.withComma] : [finding.withComma, finding.withPoint];
  return first ?? second ?? 0;
}

/** The amount that a text is, all of it (a currency, a sign and blanks allowed); null where it is none. */
export function parseAmount(
  text: string,
  locale: Pick<Locale, 'decimalSeparator'>,
): { value: number; currency: string | null; quality: number } | null {
  const trimmed = text
    .trim()
    .replace(/^[:=*]\s*/, '')
    .replace(/\s*[*]$/, '');
  const findings = findNumbers(trimmed);
  const finding = findings[0];
  if (findings.length !== 1 || !finding || finding.percent) return null;
  const rest = `${trimmed.slice(0, finding.start)}${trimmed.slice(finding.end)}`.replace(/\s/g, '');
  // One letter is a tax code beside the amount, as tills print it.
  if (rest !== '' && !/^[A-Z*]$/.test(rest)) return null;
  return { value: resolveNumber(finding, locale), currency: finding.currency, quality: finding.quality };
}

/** The plain number that a text is, all of it, without a currency or percent sign; null where it is none. */
export function parseNumber(text: string, locale: Pick<Locale, 'decimalSeparator'>): number | null {
  const trimmed = text.trim();
  const finding = findNumbers(trimmed)[0];
  if (!finding || finding.percent || finding.currency || finding.start > 0 || finding.end < trimmed.length) return null;
  return resolveNumber(finding, locale);
}

/** The percentage that a text is, all of it, as its number (`19 %` is 19); the sign may be missing. */
export function parsePercent(text: string, locale: Pick<Locale, 'decimalSeparator'>): number | null {
  const trimmed = text.trim();
  const finding = findNumbers(trimmed)[0];
  if (!finding || finding.currency || finding.start > 0 || finding.end < trimmed.length) return null;
  const value = resolveNumber(finding, locale);
  return Math.abs(value) <= 100 || finding.percent ? value : null;
}
