import { luhn } from './luhn.ts';
import { findNationalIds } from './national-ids.ts';

export type Detector = 'card' | 'iban' | 'email' | 'phone' | 'national_id';

/** A value within a text. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Finds values in a text of one character a byte (UTF-8 read as Latin-1), in its order, none within another. */
export type Find = (text: string) => readonly Found[];

/** Maximum length of a value that a detector finds, in bytes. */
export const maxFoundLength = 512;

export const detectors: Readonly<Record<Detector, Find>> = {
  card: findCards,
  iban: findIbans,
  email: findEmails,
  phone: findPhones,
  national_id: findNationalIds,
};

/** One space, hyphen or the like between two groups; a no-break space, thin space or dash is two or three bytes of UTF-8. */
const separator = String.raw`(?:[ \-\xa0]|\xc2\xa0|\xe2\x80[\x87\x89\x90-\x95\xaf])`;

const digitGroups = new RegExp(String.raw`[0-9]+(?:(?:${separator}|\.)[0-9]+)*`, 'g');
const group = /[0-9]+/g;

/**
 * Numbers of payment cards (ISO/IEC 7812-1): 13 to 19 digits that begin as those of an issuer do, the last one the check
 * digit by Luhn; in one piece or in groups.
 */
function findCards(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const run of matches(digitGroups, text)) {
    if (run.end - run.start < 13) continue;
    const groups = groupsOf(text, run);
    for (let first = 0; first < groups.length; ) {
      const last = lastGroupOfCard(text, groups, first);
      if (last < 0) first++;
      else {
        found.push({ start: groups[first]!.start, end: groups[last]!.end });
        first = last + 1;
      }
    }
  }
  return found;
}

/** Positions of the matches of an expression with the flag `g`. */
function matches(pattern: RegExp, text: string): readonly Found[] {
  const found: Found[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ start: match.index, end: pattern.lastIndex });
  }
  return found;
}

function groupsOf(text: string, run: Found): readonly Group[] {
  const groups: Group[] = [];
  for (const { start, end } of matches(group, text.slice(run.start, run.end))) {
    groups.push({
      start: run.start + start,
      end: run.start + end,
      digits: text.slice(run.start + start, run.start + end),
    });
  }
  return groups;
}

interface Group extends Found {
  readonly digits: string;
}

const maxCardGroups = 6;

/** The last group of the longest card number that begins with this group, or -1. */
function lastGroupOfCard(text: string, groups: readonly Group[], first: number): number {
  let digits = '';
  let longest = -1;
  let dotted = false;
  for (let last = first; last < Math.min(first + maxCardGroups, groups.length); last++) {
    digits += groups[last]!.digits;
    if (digits.length > 19) break;
    dotted ||= last > first && text[groups[last]!.start - 1] === '.';
    if (digits.length < 13 || !isCard(digits)) continue;
    // A point is also a decimal separator: it only counts between groups of a card.
    const afterPoint = first > 0 && text[groups[first]!.start - 1] === '.';
    if (
      afterPoint ||
      (dotted && groups.slice(first, last).some(({ digits: { length } }) => length !== 4 && length !== 6))
    ) {
      continue;
    }
    longest = last;
  }
  return longest;
}

/** Beginnings of numbers by issuer, for those of 13 to 19 digits. */
const issuer = /^(?:4|5[0-8]|6|3[0-9]|2[2-7]|8[12]|9[79])/;

function isCard(digits: string): boolean {
  return issuer.test(digits) && !/^(.)\1*$/.test(digits) && luhn(digits);
}

/** Lengths by country, of the IBAN registry (ISO 13616). */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const ibanStart = /[A-Z]{2}[0-9]{2}/gi;
const maxIbanLength = 34;

/** International bank account numbers (ISO 13616): of the length of their country, in one case, the rest by 97 being 1. */
function findIbans(text: string): readonly Found[] {
  const found: Found[] = [];
  ibanStart.lastIndex = 0;
  for (let match = ibanStart.exec(text); match; match = ibanStart.exec(text)) {
    const { index } = match;
    const length = ibanLengths[match[0].slice(0, 2).toUpperCase()];
    const end = length !== undefined && beginsAt(text, index) ? ibanEnd(text, index, length) : -1;
    if (end > 0) found.push({ start: index, end });
    ibanStart.lastIndex = end > 0 ? end : index + 1;
  }
  return found;
}

/** Whether a word starts here, or follows the word IBAN. */
function beginsAt(text: string, index: number): boolean {
  if (index === 0 || alphanumeric(text.charCodeAt(index - 1)) < 0) return true;
  if (index < 4 || text.slice(index - 4, index).toUpperCase() !== 'IBAN') return false;
  return index === 4 || alphanumeric(text.charCodeAt(index - 5)) < 0;
}

/** Values of the characters of the number that is looked at. */
const ibanValues = new Uint8Array(maxIbanLength);

function ibanEnd(text: string, start: number, length: number): number {
  let at = start;
  let count = 0;
  let upper = 0;
  let lower = 0;
  while (count < length) {
    if (at >= text.length) return -1;
    const code = text.charCodeAt(at);
    const value = alphanumeric(code);
    if (value >= 0) {
      if (value > 9) {
        if (code < 0x60) upper++;
        else lower++;
        if (upper > 0 && lower > 0) return -1;
      }
      ibanValues[count++] = value;
      at++;
    } else {
      const width = separatorWidth(text, at);
      if (width === 0) return -1;
      at += width;
    }
  }
  return (at < text.length && alphanumeric(text.charCodeAt(at)) >= 0) || mod97(length) !== 1 ? -1 : at;
}

/** Length of the separator here; 0 if there is none. */
function separatorWidth(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x20 || code === 0x2d || code === 0xa0) return 1;
  if (code === 0xc2) return text.charCodeAt(at + 1) === 0xa0 ? 2 : 0;
  if (code !== 0xe2 || text.charCodeAt(at + 1) !== 0x80) return 0;
  const last = text.charCodeAt(at + 2);
  return last === 0x87 || last === 0x89 || last === 0xaf || (last >= 0x90 && last <= 0x95) ? 3 : 0;
}

/** The value of a digit or a letter, letters from 10 on; -1 of all else. */
function alphanumeric(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 26 && code < 0x80 ? letter + 10 : -1;
}

/** ISO/IEC 7064, MOD 97-10, of the number that is looked at: its first four characters moved to the end. */
function mod97(length: number): number {
  let remainder = 0;
  for (let index = 4; index < length + 4; index++) {
    const value = ibanValues[index < length ? index : index - length]!;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

const atSign = /@|%40/g;
/** Without the slash, which such addresses may contain and links do. */
const localPart = /[A-Za-z0-9.!#$%&'*+^_`{|}~\x80-\xff-]/;
const domain =
  /(?:[A-Za-z0-9\x80-\xff](?:[A-Za-z0-9\x80-\xff-]{0,62})\.){1,20}[A-Za-z\x80-\xff][A-Za-z0-9\x80-\xff-]{1,62}|\[(?:IPv6:)?(?=[^\]]*[.:])[0-9A-Fa-f:.]{3,45}\]/y;
const maxLocalLength = 128;

/** E-mail addresses (RFC 5321), their local part quoted or not, also percent-encoded ones. */
function findEmails(text: string): readonly Found[] {
  const found: Found[] = [];
  let from = 0;
  for (const sign of matches(atSign, text)) {
    if (sign.start < from) continue;
    const start = localStart(text, Math.max(from, sign.start - maxLocalLength), sign.start);
    domain.lastIndex = sign.end;
    const match = start < sign.start ? domain.exec(text) : null;
    if (!match) continue;
    from = Math.min(domain.lastIndex, start + maxFoundLength);
    found.push({ start, end: from });
  }
  return found;
}

/** Where the local part that ends there begins, `from` at the earliest. */
function localStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from) {
    const last = text[start - 1]!;
    if (localPart.test(last)) {
      start--;
      continue;
    }
    // Quoted words end at the sign, or at a point before the next word.
    const mayBeQuoted = last === '"' && (start === end || text[start] === '.');
    const open = mayBeQuoted ? openingQuote(text, from, start - 1) : -1;
    if (open < 0) break;
    start = open;
  }
  return start;
}

/** The quote that opens what the quote at `close` ends, in the same line; -1 where there is none. */
function openingQuote(text: string, from: number, close: number): number {
  for (let at = close - 1; at >= from; at--) {
    if (text[at] === '\n') return -1;
    if (text[at] !== '"') continue;
    let backslashes = 0;
    while (at - backslashes > 0 && text[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

const phoneSeparator = String.raw`(?:[ \-./()\xa0]|\xc2\xa0|\xe2\x80[\x87\x89\x90-\x95\xaf]){0,3}`;
const phone = new RegExp(
  [
    // International (ITU-T E.164), with + or 00.
    String.raw`(?:\+|(?<![0-9A-Za-z]|[0-9][.,-])00(?=${phoneSeparator}[1-9]))${phoneSeparator}[1-9](?:${phoneSeparator}[0-9]){6,14}(?![0-9])`,
    // With the trunk prefix 0, nine to twelve digits.
    String.raw`(?<![0-9A-Za-z+]|[0-9][.,:-])\(?0(?!\.)(?:${phoneSeparator}[1-9])(?:${phoneSeparator}[0-9]){7,10}(?![0-9]|[.:-][0-9])`,
    // North American Numbering Plan, in groups.
    String.raw`(?<![0-9A-Za-z]|[0-9][.,-])(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}(?![0-9]|[.-][0-9])`,
  ].join('|'),
  'g',
);

/** Telephone numbers in a recognizable format: digits alone are none. */
function findPhones(text: string): readonly Found[] {
  return matches(phone, text);
}
