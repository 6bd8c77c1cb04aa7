import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { matchesOf } from './matches.ts';

/** A stretch of text that is a value of one kind, and how well formed it is, 0 to 1. */
export interface TextFinding {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly quality: number;
}

const email = /[\p{L}\d._%+-]{1,64}\s?@\s?(?:[\p{L}\d-]{1,63}\.){1,6}[\p{L}]{2,24}/gu;

/** The groups of a telephone number, the last of which OCR joined with what stands behind it. */
const phoneBefore = /(?:\d{2,5}[ ./]){1,5}$/;

/** A mail address without the end of a telephone number before it, whose mark is lost: `02 41 55 01 77-accueil@…`. */
function withoutPhone(address: string, before: string): string {
  const [end] = /^\d{2,8}[-–]/.exec(address) ?? [''];
  const groups = phoneBefore.exec(before)?.[0] ?? '';
  return groups !== '' && `${groups}${end}`.replace(/\D/g, '').length >= 8 ? address.slice(end.length) : address;
}

/** E-mail addresses, in lower case, the blanks that OCR put around the `@` taken out. */
export function findEmails(text: string): TextFinding[] {
  return matchesOf(email, text).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: withoutPhone(match[0], text.slice(0, match.index))
      .replace(/\s/g, '')
      .replace(/^[._%+-]+/, '')
      // An initial l, which is read as a digit: `1.kuiper@…`.
      .replace(/^1(?=[._-]\p{L})/u, 'l')
      .toLowerCase(),
    quality: 1,
  }));
}

const website =
  /(?<![\p{L}\d@._-])(?:https?:\/\/)?(?:www\.(?:[\p{L}\d-]{1,63}\.){1,5}[\p{L}]{2,24}|(?:[\p{L}\d-]{1,63}\.){1,4}(?:com|net|org|info|biz|io|co|shop|store|app|dev|eu|de|at|ch|fr|es|it|pt|nl|be|uk|ie|my|sg|us|ca|au|in|br|mx|pl|cz|se|dk|no|fi)(?![\p{L}\d]))(?:\/[^\s,;]{0,100})?/giu;

/** Web addresses, with `www.` or a scheme or a usual top-level domain; never the domain of an e-mail address. */
export function findWebsites(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  for (const match of matchesOf(website, text)) {
    const value = match[0].replace(/[.,;:]+$/, '');
    const start = match.index;
    const end = start + value.length;
    // `Invoice.No` and `kg.at` are no domains.
    const doubtful = /\.(?:no|in|co|it|at|de|be|us|my|is|to)$/i.test(value) && !/^(?:www|http)/i.test(value);
    if (text[end] === '@' || (doubtful && (value.length < 8 || /\.\p{Lu}/u.test(value)))) continue;
    findings.push({ start, end, value, quality: /^(?:www|http)/i.test(value) ? 1 : 0.7 });
  }
  return findings;
}

/** A number, of two in American groups side by side the first; one behind another's comma is a whole one: `98424 55510,94433 55521`. */
const phone =
  /(?<![\p{L}\d-]|(?<!\d{5}),|(?<!\p{L})[./])(?:\(?\d{3}\)?[ .-]{1,2}\d{3}[.-]\d{4}(?= \(?\d{3}\)?[ .-]{1,2}\d{3}[.-]\d{4}(?!\d))|(?:\+ ?|00 ?)?(?:\( ?\+?\d(?: ?\d){0,5} ?\) ?|\d)[\d ()./\u2013-]{5,22}\d(?![\p{L}\d]|\.\d|,\d{1,4}(?!\d)))/gu;

/** The letter `o` of an office's number, read as a digit before one that is grouped as in America: `0 412.555.0100`. */
const misreadLetter = /^0 (?=\(?[2-9]\d{2}[ .)-]{1,2}\d{3}[ .-]\d{4}$)/;

/** Where another number begins behind a mark: `02 41 55 01 77 - 06 12 …`. */
const besideAnother = / ?[-–/] ?(?=(?:0[1-9]|\+\d))/gu;

/** The first of two whole numbers that a mark parts. */
function firstNumber(text: string, home: CountryCode | undefined): string {
  const heads = [...text.matchAll(besideAnother)].map(({ index }) => text.slice(0, index));
  return heads.find((head) => parsePhoneNumberFromString(head, home)?.isValid()) ?? text;
}

/** A day, which numbering plans may know for a number: `14.03.1994`. */
const dayWithYear = /^(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}$/;

/**
 * Telephone numbers as printed. One that is valid by its country's numbering plan (libphonenumber) is of full quality.
 *
 * @param country whose national numbers are meant where no `+` stands before; null where it is not known.
 */
export function findPhones(text: string, country: string | null): TextFinding[] {
  const findings: TextFinding[] = [];
  const home: CountryCode | undefined = country !== null && isSupportedCountry(country) ? country : undefined;
  for (const match of matchesOf(phone, text)) {
    const letter = misreadLetter.exec(match[0])?.[0].length ?? 0;
    const value = firstNumber(match[0].slice(letter).trim(), home);
    const count = value.replace(/\D/g, '').length;
    if (/^\d+[.,]\d{2} /.test(value) || dayWithYear.test(value)) continue;
    if (count < 7 || count > 15 || (/\d[.,]\d{2}$/.test(value) && !/\d[.-]\d.*[.-]/.test(value))) continue;
    const international = value.startsWith('+') || value.startsWith('00');
    const valid =
      international || home
        ? (parsePhoneNumberFromString(value.replace(/^00/, '+').replace('(0)', ''), home)?.isValid() ?? false)
        : false;
    const grouped = /[ ()./-]/.test(value);
    findings.push({
      start: match.index + letter,
      end: match.index + letter + match[0].slice(letter).indexOf(value) + value.length,
      value,
      quality: valid ? (international || grouped ? 1 : 0.7) : grouped ? 0.4 : 0.15,
    });
  }
  return findings;
}
