import type { Locale } from '@millrace/document-model';
import { countryOf } from '../candidates/country.ts';
import { findDates, foldText, resolveDate } from '../candidates/date.ts';
import { repairLetters } from '../candidates/repair.ts';
import { sexOf, sexWords } from '../candidates/sex.ts';
import type { CaptionedText } from './captioned.ts';
import { withPlainMonths } from './card-days.ts';
import { countryOfCode, nationalityAdjectives } from './issuing-country.ts';

/** The value in a text at a field's caption, with where it stands in it; null where it has none. */
export type Accept = (
  text: CaptionedText,
) => { readonly value: string; readonly start: number; readonly end: number } | null;

/** A number whose thousands have points, as those of people in South America do, or its parts, as in Belgium: `42.184.771`, `19.284.706-K`, `85.11.30-442.18`. */
const pointedNumber =
  /(?<![\p{L}\d.])(?:\d{1,3}(?:\.\d{3}){2,3}(?:-[\dK]{1,2})?|\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2})(?![\p{L}\d])/u;

/** Hong Kong's numbers have their check digit in brackets. */
export const bracketedNumber = /(?<![\p{L}\d])[A-Z]{1,2}\d{6} ?\([\dA]\)/u;

export const identifierIn: Accept = ({ text }) => {
  const pointed = bracketedNumber.exec(text) ?? pointedNumber.exec(text);
  if (pointed) return { value: pointed[0], start: pointed.index, end: pointed.index + pointed[0].length };
  const match =
    /(?<![\p{L}\d])(?:(?!(?:NO|NR|DL|ID|LIC) )[A-Z]{2,3} (?=\d{6})|[A-Z] (?=\d{3} \d{3} \d{3}))?(?=[A-Z\d<-]*\d)[A-Z\d](?:[A-Z\d-]*[A-Z\d])?(?:(?: - |(?<=\d)- | -(?=\d)| )(?=[A-Z\d-]*\d)[A-Z\d-]+){0,3}(?![\p{L}\d])/u.exec(
      text,
    );
  if (!match || /^\d{1,2}[./-]\d{1,2}(?!\d)/.test(match[0])) return null;
  // Nine letters and digits are a number, however few of them are digits.
  if (match[0].replace(/\D/g, '').length < 3 && !/^[A-Z\d]{9}$/.test(text.trim())) return null;
  // American licences have their document discriminator where others have their number.
  if (/^\W*5?\s*DD(?!\p{L})/u.test(text) || /^5?\s*DD/.test(match[0])) return null;
  // The field 8 of a licence is the address, which begins with the number of a house.
  if (/^8 \d/.test(match[0])) return null;
  return { value: match[0].replace(/ ?- ?/g, '-'), start: match.index, end: match.index + match[0].length };
};

/** The codes for colours of eyes and hair on American cards. */
const colour = /^(?:BRO|BRN|BLU|BLK|GRN|GRY|HAZ|HZL|BLN|SDY|AUB|WHI)$/;

export const nameIn: Accept = ({ text: printed, ...rest }) => {
  // German cards have letters for the two names of their first box; the other one is that at birth.
  const lead = /^\[a\] ?/.exec(printed)?.[0].length ?? 0;
  const found = lead > 0 ? nameIn({ ...rest, text: printed.slice(lead) }) : null;
  if (lead > 0) return found && { ...found, start: found.start + lead, end: found.end + lead };
  const text = printed;
  // British licences have a form of address before the given names.
  const match =
    /^[^\p{L}]*(?:(?:MR|MRS|MISS|MS)\.? )?((?:(?:van|von|de|den|der|del|della|da|di|du|dos|ter|ten|la|le|af|av|zu|bin|al)(?: |-))*\p{Lu}[\p{L}.'’ -]*)/u.exec(
      text,
    );
  const value = match?.[1]?.trim();
  if (
    !match ||
    !value ||
    value.length < 2 ||
    value.split(' ').length > 5 ||
    /^(?:UNIT|FLAT|APT|LOT|SUITE|LEVEL|NONE|NIL)$/.test(value) ||
    colour.test(value) ||
    /^(?:(?:first|last|middle|given|family|sur|fore|social|nome|names?)[ /]*)+$/i.test(value) ||
    /\b(?:of|or|and|parents|guardian|genitori|code)\b/i.test(value) ||
    // What OCR left of a caption is no name: `P m sURNAME Given m`.
    wordOfCaption.test(value) ||
    /<<|\d/.test(text.slice(0, match[0].length)) ||
    // The letters that a number begins with.
    /^\p{L}\d/u.test(text.slice(match[0].length - 1))
  )
    return null;
  const start = match[0].length - match[1]!.length;
  return { value, start, end: start + value.length };
};

/** What captions of names have and names have not. */
const wordOfCaption =
  /(?<!\p{L})(?:surname|forenames?|given|vornamen?|pr[eé]noms?|apellidos?|cognome|sobrenome|voornamen?|nazwisko|imiona|efternamn|förnamn)(?!\p{L})/iu;

/** Given names may have commas between them. */
export const givenNamesIn: Accept = (text) => {
  const name = nameIn(text);
  const further = name && /^(?:, ?\p{Lu}[\p{L}’'-]+)+(?=,?$)/u.exec(text.text.slice(name.end));
  if (!name || !further) return name;
  const end = name.end + further[0].length;
  return { value: text.text.slice(name.start, end).replace(/, ?/g, ' '), start: name.start, end };
};

/** A place is named with its province or country: in brackets, or behind a comma up to the line's end. */
export const placeIn: Accept = (text) => {
  const day = /^\d{2}[./-]\d{2}[./-]\d{2,4}[, ]+(?=\p{L})/u.exec(text.text)?.[0].length ?? 0;
  const behind = day > 0 ? placeIn({ ...text, text: text.text.slice(day) }) : null;
  if (day > 0) return behind && { ...behind, start: behind.start + day, end: behind.end + day };
  // OCR takes the letter O for a nought.
  const name = nameIn({ ...text, text: repairLetters(text.text) });
  const further =
    name &&
    /^ ?\(\p{L}[\p{L} ]{1,20}\)|^ \d{1,2}E(?:R|ME)?$|^, ?\p{L}[\p{L}. ]{1,30}$|^ ?\/ ?[A-Z]{2}$/u.exec(
      text.text.slice(name.end),
    );
  if (!name || !further) return name;
  const end = name.end + further[0].length;
  return { value: text.text.slice(name.start, end).replace(/,(?=\S)/, ', '), start: name.start, end };
};

/** Captions that end with the word for an authority. */
const ownAuthority = /(?:issuing|licensing|issue) authority/iu;

/** Below this a text stands two lines below what merely resembles a caption. */
const leastAuthority = 0.2;

export const authorityIn: Accept = ({ text, score, caption }) => {
  // `Federal Authority for Identity` is a name with the word of the caption.
  if (score < leastAuthority || /\p{L}{3} authority(?! ?[/(:])/iu.test(caption.text.replace(ownAuthority, '')))
    return null;
  // Spain numbers its offices.
  if (/^\d{2}\/\d{2}$/.test(text) && /^4c\.?/.test(caption.text)) return { value: text, start: 0, end: text.length };
  // Licences have the number of the next field behind it.
  const value = text
    .replace(/ 4d\.?(?: .*)?$/iu, '')
    .replace(dayBefore, '')
    .trim();
  // What begins with a preposition is the rest of a caption, of which OCR may have read an accent as a figure.
  // Three words with strokes between them are a caption in as many languages, and so are two long ones.
  if (/^\p{L}[\p{L} ]*\/ ?\p{L}[\p{L} ]*\/ ?\p{L}[\p{L} ]*$|^\p{L}{6,} ?\/ ?\p{L}{6,}$/u.test(value)) return null;
  if (
    value.length < 3 ||
    !/\p{L}{3}/u.test(value) ||
    /<<|^(?:\d |[Aa]utorit\S{0,2} )?(?:de|of|du|di|a|to|for) /i.test(value)
  )
    return null;
  const start = text.indexOf(value);
  return { value, start, end: start + value.length };
};

/** A day before the place where a permit was issued: `15 09 2026 PRÉFECTURE DU RHÔNE`. */
const dayBefore = /^\d{2}([ ./-])\d{2}\1\d{4},? +(?=\p{L})/u;

export const countryIn: Accept = ({ text }) => {
  // Both genders of an adjective may be printed, `BRASILEIRO(A)`, or its script's own word before it: `/ INDIAN`.
  const trimmed = text.replace(/^[^\p{L}]+|\(\p{L}{1,2}\)|[ .]+$/gu, '').trim();
  const [first = '', ...others] = trimmed.split(/[\s/]+/);
  // Two letters before others are a word and no code: `ID Number`.
  const name = first.length > 2 || first === trimmed ? countryOf(first) : null;
  const named = (text: string) => countryOfCode(text) ?? nationalityAdjectives[foldText(text).replaceAll(/[ .]/g, '')];
  // Behind a stroke the same stands in another language, or as a code: `T.C./TUR`.
  const behind = trimmed.includes('/') ? others.flatMap((text) => named(text) ?? [])[0] : undefined;
  const value = countryOf(trimmed) ?? named(first) ?? named(trimmed) ?? name ?? behind;
  return value === null || value === undefined ? null : { value, start: 0, end: text.length };
};

export const dateIn =
  (locale: Locale): Accept =>
  ({ text }) => {
    const finding = findDates(text)[0] ?? findDates(withPlainMonths(text))[0];
    if (!finding) return null;
    return { value: resolveDate(finding, locale).value, start: finding.start, end: Math.min(text.length, finding.end) };
  };

/** The sex in the language of a country and in English: `V / F`; a stroke may be read as a letter. */
const sexInTwoLanguages = /^[A-ZŽ\p{Lu}]{1,2} ?[/|Il1] ?([MF])$/u;

const sexOrLetter = new RegExp(String.raw`(?<!\p{L})(?:[MFXWV]|${sexWords})(?![\p{L}\d])`, 'iu');

export const sexIn: Accept = ({ text, caption }) => {
  const [, second] = sexInTwoLanguages.exec(text.trim()) ?? [];
  if (second) return { value: second, start: 0, end: text.length };
  // The letter of kobieta, kvinna, kvinde and kadın, or of žena.
  if (/^[KŽ]$/.test(text.trim())) return { value: 'F', start: 0, end: text.length };
  // A faint letter alone: nobody's sex begins with an E.
  if (/^E$/.test(text.trim()) && /(?:^|[\d. ])sex:?$/i.test(caption.text))
    return { value: 'F', start: 0, end: text.length };
  // The letter of `hombre`.
  if (/^H$/.test(text.trim()) && /sexo/i.test(caption.text)) return { value: 'M', start: 0, end: text.length };
  const match = sexOrLetter.exec(text);
  if (!match) return null;
  return { value: sexOf(match[0]), start: match.index, end: match.index + match[0].length };
};

export const classesIn: Accept = ({ text: printed, ...rest }) => {
  const text = printed.trim();
  // The letter of `9a`, which is for endorsements, is easily lost.
  if (text === 'NONE' && !/cla|cat|kat/i.test(rest.caption.text)) return null;
  // A class is a letter; AM is the first of Europe's, and OCR may join it to the next.
  if (text === '0') return { value: 'O', start: 0, end: printed.length };
  // One letter alone has no other beside it whose height would tell OCR that it is a capital.
  if (/^[cosvwxz]$/.test(text)) return { value: text.toUpperCase(), start: 0, end: printed.length };
  // Canada's provinces and New Zealand number theirs.
  if (/^[1-8][A-FLR]?(?:[ ,/]+[1-8][A-FLR]?)*$/.test(text))
    return { value: text.split(/[ ,/]+/).join(', '), start: 0, end: printed.length };
  if (/^AM[AB]/.test(text)) {
    const parted = classesIn({ ...rest, text: `AM ${text.slice(2)}` });
    return parted && { ...parted, start: 0, end: printed.length };
  }
  const match =
    /^[^\p{L}\d]*((?:CAR|RIDER|NONE|[A-Z]{1,2}\d?E?)(?:[\s,/]+(?:[A-Z]{1,2}\d?E?|[fklnpq]))*)(?![\p{L}\d])/u.exec(text);
  // A word of two letters before another is no class: `NZ Transport Agency`.
  if (!match || (/^[A-Z]{2}$/.test(match[1]!) && /^ \p{Lu}\p{Ll}/u.test(text.slice(match[0].length)))) return null;
  const start = match[0].length - match[1]!.length;
  const classes = match[1]!.split(/[\s,/]+/);
  const behind = text.slice(match[0].length);
  if (!/^[/,]\S/.test(behind)) return { value: classes.join(', '), start, end: match[0].length };
  // What OCR could not part is a list of which the end is unknown, but for Britain's: of its small letters only the whole
  // list has an `n`.
  const capitals = classes.filter((name) => /^[A-Z]/.test(name)).map((name) => (name === 'BI' ? 'B' : name));
  const isWholeBritish = /^f[fklnpq|1I/ ]*n[fklnpq|1I/ ]*$/.test(text.slice(text.lastIndexOf('/f') + 1));
  const whole = [...capitals, 'f', 'k', 'l', 'n', 'p', 'q'];
  return isWholeBritish && new Set(capitals).size === capitals.length
    ? { value: whole.join(', '), start: 0, end: printed.length }
    : null;
};

/** What follows the number of a field and is the rest of its caption: `12 R`, `9a END.`. */
const restOfCaption = /^(?:RESTR?|RSTR|COND|ENDO?R?S?|CLASS|CLS|HGT|WGT|EYES|HAIR|SEX|DD|ISS|EXP|DOB)[.:]?$/;

const numberedLetter = /^(?:12[. ]?R|9a[. ]?E)$/;

/** The caption behind its number, a letter of which OCR misread: `12. RESI 1`, `9a FND NONE`. */
const misreadCaption = /^(?:R[EFB]S\p{L}{0,10}|[EF]N[DO]\p{L}{0,10})[.:]?(?: |$)/u;

export const shortIn: Accept = (captioned) => {
  const { text, caption } = captioned;
  const lead = misreadCaption.exec(text)?.[0].length ?? 0;
  const behind = lead > 0 ? shortIn({ ...captioned, text: text.slice(lead) }) : null;
  if (lead > 0) return behind && { ...behind, start: behind.start + lead, end: behind.end + lead };
  if (restOfCaption.test(text.trim()) || (numberedLetter.test(caption.text) && caption.text.endsWith(text)))
    return null;
  if (/^nil$/i.test(text.trim())) return { value: text.trim(), start: 0, end: text.length };
  const match = /^[^\p{L}\d]*([A-Z\d][A-Z\d/, ]{0,30})(?![a-z]|\.\p{L})/u.exec(text);
  const value = match?.[1]?.trim();
  // One letter alone has no other beside it whose height would tell OCR that it is a capital.
  if (/^[a-z]$/.test(text.trim())) return { value: text.trim().toUpperCase(), start: 0, end: text.length };
  if (!match || !value) return null;
  const start = match[0].length - match[1]!.length;
  return { value, start, end: start + value.length };
};
