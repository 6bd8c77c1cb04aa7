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

/** No value that a detector finds is longer, in bytes. */
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
  for (const run of text.matchAll(digitGroups)) {
    if (run[0].length < 13) continue;
    const groups = [...run[0].matchAll(group)].map((match) => ({
      start: run.index + match.index,
      end: run.index + match.index + match[0].length,
      digits: match[0],
    }));
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

interface Group extends Found {
  readonly digits: string;
}

/** The last group of the longest card number that begins with this group, or -1. */
function lastGroupOfCard(text: string, groups: readonly Group[], first: number): number {
  let digits = '';
  let longest = -1;
  let dotted = false;
  for (let last = first; last < groups.length; last++) {
    digits += groups[last]!.digits;
    if (digits.length > 19) break;
    dotted ||= last > first && text[groups[last]!.start - 1] === '.';
    if (digits.length < 13 || !isCard(digits)) continue;
    // A point stands in decimal fractions too: between groups of a card alone it counts.
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

const ibanStart = /(?<![A-Za-z0-9]|[\x80-\xff]{2})(?:IBAN)?([A-Z]{2}[0-9]{2})/gi;
const ibanCharacter = /[A-Za-z0-9]/;
const separatorHere = new RegExp(separator, 'y');

/** International bank account numbers (ISO 13616): of the length of their country, in one case, the rest by 97 being 1. */
function findIbans(text: string): readonly Found[] {
  const found: Found[] = [];
  ibanStart.lastIndex = 0;
  for (let match = ibanStart.exec(text); match; match = ibanStart.exec(text)) {
    const start = match.index + match[0].length - 4;
    const end = ibanEnd(text, start, ibanLengths[match[1]!.slice(0, 2).toUpperCase()] ?? 0);
    if (end > 0) found.push({ start, end });
    ibanStart.lastIndex = end > 0 ? end : match.index + 1;
  }
  return found;
}

function ibanEnd(text: string, start: number, length: number): number {
  let characters = '';
  let at = start;
  while (characters.length < length && at < text.length) {
    if (ibanCharacter.test(text[at]!)) characters += text[at++];
    else {
      separatorHere.lastIndex = at;
      if (!separatorHere.test(text)) return -1;
      at = separatorHere.lastIndex;
    }
  }
  if (length === 0 || characters.length < length || (at < text.length && ibanCharacter.test(text[at]!))) return -1;
  const upper = characters.toUpperCase();
  return (characters === upper || characters === characters.toLowerCase()) && mod97(upper) === 1 ? at : -1;
}

/** ISO/IEC 7064, MOD 97-10, of an IBAN: its first four characters moved to the end, letters as numbers from 10 on. */
function mod97(iban: string): number {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

const atSign = /@|%40/g;
const localPart = /[A-Za-z0-9.!#$%&'*+/^_`{|}~\x80-\xff-]/;
const domain =
  /(?:[A-Za-z0-9\x80-\xff](?:[A-Za-z0-9\x80-\xff-]{0,62})\.){1,20}[A-Za-z\x80-\xff][A-Za-z0-9\x80-\xff-]{1,62}/y;
const maxLocalLength = 128;

/** E-mail addresses (RFC 5321, without quoted local parts and address literals), also percent-encoded ones. */
function findEmails(text: string): readonly Found[] {
  const found: Found[] = [];
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(atSign)) {
    if (index < from) continue;
    let start = index;
    while (start > from && index - start < maxLocalLength && localPart.test(text[start - 1]!)) start--;
    // Of a path before it, such as in a link.
    start = Math.max(start, text.lastIndexOf('/', index) + 1);
    domain.lastIndex = index + sign.length;
    const match = start < index ? domain.exec(text) : null;
    if (!match) continue;
    from = Math.min(domain.lastIndex, start + maxFoundLength);
    found.push({ start, end: from });
  }
  return found;
}

const phoneSeparator = String.raw`(?:[ \-./()\xa0]|\xc2\xa0|\xe2\x80[\x87\x89\x90-\x95\xaf]){0,3}`;
const phone = new RegExp(
  [
    // International (ITU-T E.164), with + or 00.
    String.raw`(?:\+|(?<![0-9A-Za-z.,-])00(?=${phoneSeparator}[1-9]))${phoneSeparator}[1-9](?:${phoneSeparator}[0-9]){6,14}(?![0-9])`,
    // With the trunk prefix 0, nine to twelve digits.
    String.raw`(?<![0-9A-Za-z.,:+-])\(?0(?:${phoneSeparator}[1-9])(?:${phoneSeparator}[0-9]){7,10}(?![0-9]|[.:-][0-9])`,
    // North American Numbering Plan, in groups.
    String.raw`(?<![0-9A-Za-z.,-])(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}(?![0-9]|[.-][0-9])`,
  ].join('|'),
  'g',
);

/** Telephone numbers that are written as such: digits alone are no form. */
function findPhones(text: string): readonly Found[] {
  return [...text.matchAll(phone)].map(({ 0: match, index }) => ({ start: index, end: index + match.length }));
}
