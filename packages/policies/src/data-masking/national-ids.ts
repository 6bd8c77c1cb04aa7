import type { Found } from './detectors.ts';
import { luhn } from './luhn.ts';

interface NationalId {
  /** Of the whole number, with its separators: what stands around it is the same for all. */
  readonly form: string;
  /** Takes letters and digits alone, letters in upper case. */
  valid(number: string): boolean;
}

const before = '(?<![0-9A-Za-z]|[0-9][.,-])';
const after = '(?![0-9A-Za-z]|[.,-][0-9])';

const monthDay = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])';
const dayMonth = '(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])';
const checkLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Numbers of persons, by the form and the check digits that their countries publish. */
const nationalIds: readonly NationalId[] = [
  // United States, social security number: never 000, 666 or 9xx, 00, 0000.
  { form: '(?!000|666|9)[0-9]{3}([- ])(?!00)[0-9]{2}\\1(?!0000)[0-9]{4}', valid: () => true },
  // United Kingdom, national insurance number: no check digit, prefixes that were never given out are left out.
  {
    form: '(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]',
    valid: () => true,
  },
  // Spain, DNI and NIE: the number by 23 names its letter.
  {
    form: '(?:[0-9]{8}|[XYZ][- ]?[0-9]{7})[- ]?[A-HJ-NP-TV-Z]',
    valid: (number) =>
      checkLetters[Number(number.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))) % 23] ===
      number.at(-1),
  },
  // Italy, codice fiscale.
  { form: '[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]', valid: isFiscalCode },
  // France, NIR: 97 less the rest of the number by 97; Corsica's departments 2A and 2B count as 19 and 18.
  {
    form: '[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}',
    valid: (number) =>
      97 - (Number(number.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97) === Number(number.slice(13)),
  },
  // Germany, tax identification number: ISO/IEC 7064, MOD 11,10.
  { form: '[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}', valid: isGermanTaxId },
  // Poland, PESEL.
  {
    form: '[0-9]{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{5}',
    valid: (number) => weighted(number, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  // Belgium, national number: 97 less the rest by 97, from 2000 on with a 2 before it.
  {
    form: '[0-9]{2}[. ]?[0-9]{2}[. ]?[0-9]{2}[- ]?[0-9]{3}[. ]?[0-9]{2}',
    valid: (number) => {
      const check = Number(number.slice(9));
      const base = number.slice(0, 9);
      return 97 - (Number(base) % 97) === check || 97 - (Number(`2${base}`) % 97) === check;
    },
  },
  // Sweden, personal identity number: Luhn over its last ten digits.
  { form: `(?:19|20)?[0-9]{2}${monthDay}[-+][0-9]{4}`, valid: (number) => luhn(number.slice(-10)) },
  // Finland, personal identity code: the number by 31 names its last character.
  {
    form: `${dayMonth}[0-9]{2}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]`,
    valid: (number) =>
      '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(number.slice(0, 6) + number.slice(-4, -1)) % 31] === number.at(-1),
  },
  // Denmark, CPR number: its check digit is no longer kept to, so that the form with a hyphen alone is one.
  { form: `${dayMonth}[0-9]{2}-[0-9]{4}`, valid: () => true },
  // Brazil, CPF: two check digits.
  {
    form: '[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}',
    valid: (number) =>
      !/^(.)\1*$/.test(number) && [9, 10].every((length) => cpfDigit(number, length) === Number(number[length])),
  },
  // India, Aadhaar: in groups, or with its check digit by Verhoeff.
  { form: '[2-9][0-9]{3}([ -])[0-9]{4}\\1[0-9]{4}', valid: verhoeff },
  // China, resident identity card: ISO/IEC 7064, MOD 11-2.
  {
    form: `[1-9][0-9]{5}(?:19|20)[0-9]{2}${monthDay}[0-9]{3}[0-9X]`,
    valid: (number) =>
      (weighted(number.slice(0, 17), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) +
        (number.endsWith('X') ? 10 : Number(number[17]))) %
        11 ===
      1,
  },
];

/** Any of the forms: one search for all of them. */
const anyForm = new RegExp(
  `${before}(?:${nationalIds.map(({ form }, index) => renumbered(form, index)).join('|')})${after}`,
  'gi',
);
const forms = nationalIds.map(({ form, valid }) => ({ pattern: new RegExp(before + form + after, 'iy'), valid }));

/** Numbers of persons in a text. */
export function findNationalIds(text: string): readonly Found[] {
  const found: Found[] = [];
  anyForm.lastIndex = 0;
  for (let candidate = anyForm.exec(text); candidate; candidate = anyForm.exec(text)) {
    const { index } = candidate;
    let end = index + 1;
    for (const { pattern, valid } of forms) {
      pattern.lastIndex = index;
      const match = pattern.exec(text)?.[0];
      if (match !== undefined && valid(match.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase())) {
        end = Math.max(end, index + match.length);
      }
    }
    if (end > index + 1) found.push({ start: index, end });
    anyForm.lastIndex = end;
  }
  return found;
}

/** The form with its group under a name of its own: several forms stand in one expression. */
function renumbered(form: string, index: number): string {
  return form.replace(/\((\[[- ]+\])\)/, `(?<s${index}>$1)`).replaceAll('\\1', `\\k<s${index}>`);
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

function isGermanTaxId(number: string): boolean {
  // One digit stands twice or three times among the first ten.
  const different = new Set(number.slice(0, 10)).size;
  if (different !== 9 && different !== 8) return false;
  let product = 10;
  for (const digit of number.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(number[10]);
}

function cpfDigit(number: string, length: number): number {
  let sum = 0;
  for (let index = 0; index < length; index++) sum += Number(number[index]) * (length + 1 - index);
  return ((sum * 10) % 11) % 10;
}

/** Values of characters at odd places of a codice fiscale, of 0 to 9 and A to Z. */
const oddDigits = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
const oddLetters = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isFiscalCode(code: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const value = Number.parseInt(code[index]!, 36);
    const place = value > 9 ? value - 10 : value;
    sum += index % 2 === 1 ? place : (value > 9 ? oddLetters : oddDigits)[place]!;
  }
  return String.fromCharCode(65 + (sum % 26)) === code[15];
}

const verhoeffPermutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Verhoeff's check over the dihedral group of ten elements. */
function verhoeff(number: string): boolean {
  let check = 0;
  for (let index = 0; index < number.length; index++) {
    let value = Number(number.at(-1 - index));
    for (let round = index % 8; round > 0; round--) value = verhoeffPermutation[value]!;
    check = dihedral(check, value);
  }
  return check === 0;
}

function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5;
}
