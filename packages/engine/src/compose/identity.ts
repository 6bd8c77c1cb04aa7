import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { hasPlace } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { findDates, foldText, resolveDate } from '../candidates/date.ts';
import { isHeading } from '../candidates/headings.ts';
import { findZones } from '../candidates/zone.ts';
import { neighboursOf, rowOf, visualRows } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { type CaptionedText, partOf, textsAtCaption } from './captioned.ts';
import {
  type Accept,
  authorityIn,
  classesIn,
  countryIn,
  dateIn,
  givenNamesIn,
  identifierIn,
  nameIn,
  placeIn,
  sexIn,
  shortIn,
} from './captioned-values.ts';
import type { IdentityTraits } from './card.ts';
import { daysInOrderOfTime, withPlainMonths } from './card-days.ts';
import type { ComposedFields, Findings, TypeRules } from './compose.ts';
import { hasHoldersGivenName, isChineseSurname } from './given-names.ts';
import { addressOf } from './holder-address.ts';
import { namesBehindNumbers, namesBelowBoth, namesBelowName, namesOfOneCaption } from './holder-names.ts';
import { readMachineZone, readSecondLines } from './machine-zone.ts';
import { valuesInPassportRows } from './passport-rows.ts';
import { uncaptionedFields } from './uncaptioned.ts';
import { composedValue, type Stretch } from './value.ts';
import { readZone, withPrintedNumber, withPrintedSurname, zoneDigit } from './zone.ts';

/** A composer of documents of an identity: the machine-readable zone first, the visual zone by its captions. */
export function identityComposer(traits: IdentityTraits = {}): NonNullable<TypeRules['compose']> {
  return (findings) => composeIdentity(findings, traits);
}

function composeIdentity({ type, layout, locale, candidates }: Findings, traits: IdentityTraits): ComposedFields {
  const visual = readVisualZone(type, layout, locale);
  const named = { ...visual, ...uncaptionedFields(traits, layout, locale, visual) };
  const address = addressOf(type, traits.isLicense ?? false, layout, candidates);
  const stated = { ...named, address: address && withoutHolder(address, named) };
  const found = findZones(layout.lines).sort((a, b) => Number(b.valid) - Number(a.valid))[0];
  const asRead = found && readZone(found.value.split('\n'));
  const zone =
    asRead && !asRead.proven
      ? (withPrintedNumber(asRead, numbersOf(layout)) ?? withPrintedSurname(asRead, visual.surname?.value) ?? asRead)
      : asRead;
  const machine = found && zone ? readMachineZone(found.lines, zone) : readSecondLines(layout);
  if (!machine) return { ...stated, ...daysInOrderOfTime(layout, locale, stated) };
  const fields: Record<string, ExtractedValue | null> = { ...stated };
  for (const [name, read] of Object.entries(machine)) {
    if (!read) continue;
    const seen = visual[name];
    // No check digit covers a name: in a zone that was read badly, the visual one is the better.
    const isName = name === 'surname' || name === 'given_names';
    const unproven = isName || (!(zone?.proven && !zone.corrected) && !read.flags.includes('check_digit_holds'));
    // Where the filler before it was lost, the check digit stands as the number's last one.
    const hasCheckDigit =
      seen && (name === 'document_number' ? isNumberWithCheckDigit(read, seen) : isEndOfNumber(name, read, seen));
    const isPlain = unproven && seen && (!zone?.proven || isNear(String(read.value), String(seen.value)));
    const isBetter = seen && (hasCheckDigit || isPlain);
    fields[name] = isBetter ? (isSame(read, seen) ? agreed(read, seen) : seen) : seen ? agreed(read, seen) : read;
    // The zone has a name that is not the printed one: what its check digits cover may hold all the same.
    if (isName && isBetter && !isSame(read, seen) && machine.mrz)
      fields.mrz = { ...machine.mrz, confidence: 60, flags: ['readings_differ'] };
  }
  for (const name of ['surname', 'given_names'] as const) {
    const read = machine[name];
    const printed = read && fields[name] === read ? printedName(layout, read) : null;
    if (!printed) continue;
    fields[name] = printed;
    // The zone has a filler where OCR saw the letter that the printed name lacks.
    const mrz = fields.mrz;
    if (mrz && name === 'given_names' && !isSame(read!, printed))
      fields.mrz = {
        ...mrz,
        value: String(mrz.value).replace(/K(?=<+(?:\n|$))/, '<'),
        flags: [...mrz.flags, 'corrected'],
      };
  }
  const known = { ...fields, ...daysInOrderOfTime(layout, locale, fields) };
  return traits.hasRows ? { ...known, ...valuesInPassportRows(layout, known) } : known;
}

/** What may be the number of a document: letters and figures of a line's beginning or end. */
function numbersOf(layout: Layout): readonly string[] {
  return layout.lines.flatMap(({ text }) =>
    text.length > 60 || text.includes('<<')
      ? []
      : [/^[A-Z]{0,3} ?\d[A-Z\d ]{4,12}$/u.exec(text)?.[0], /(?<!\S)(?=\S*\d)[A-Z\d]{6,9}$/u.exec(text)?.[0]].flatMap(
          (number) => (number ? [number.replaceAll(' ', '')] : []),
        ),
  );
}

/** An address without the holder's names, which stand above it, perhaps behind the number of their field. */
function withoutHolder(address: ExtractedValue, { surname, given_names: given }: ComposedFields): ExtractedValue {
  const names = [surname, given].flatMap((name) => (name ? [String(name.value)] : []));
  let value = String(address.value);
  for (const name of names) {
    const lead = /^(?:[12][. ]*|[LF]N:? )/.exec(value)?.[0].length ?? 0;
    if (value.startsWith(`${name}, `, lead)) value = value.slice(lead + name.length + 2);
  }
  return { ...address, value };
}

/**
 * One value from the machine-readable zone and the same from the visual zone. Where they agree, each proves the other,
 * and the visual one has the accents that the zone's letters lack.
 */
function agreed(machine: ExtractedValue, visual: ExtractedValue): ExtractedValue {
  if (!isSame(machine, visual)) return machine;
  return {
    ...visual,
    confidence: Math.max(machine.confidence, 96),
    provenance: [...visual.provenance, ...machine.provenance],
    flags: [...new Set([...machine.flags, 'readings_agree' as const])],
  };
}

/** A name of a zone as the line has it whose caption was not read: it may have accents, and lacks what OCR made of a filler. */
function printedName(layout: Layout, read: ExtractedValue): ExtractedValue | null {
  const name = foldText(String(read.value));
  const line = layout.lines.find(({ text }) => {
    const printed = foldText(text.trim());
    return /^\p{Lu}[\p{L} .'’-]+$/u.test(text) && (printed === name || `${printed}k` === name);
  });
  if (!line) return null;
  const printed = composedValue(line.text.trim(), 80, [{ line }]);
  return isSame(read, printed) ? agreed(read, printed) : printed;
}

/** Whether a zone's number is the printed one and its check digit. */
function isNumberWithCheckDigit({ value }: ExtractedValue, seen: ExtractedValue): boolean {
  const number = String(seen.value).replace(/[^A-Z\d]/g, '');
  return number.length < numberLength && value === number + zoneDigit(number.padEnd(numberLength, '<'));
}

/** Characters of the number of a document in a zone. */
const numberLength = 9;

/** Whether a zone has room for the end of the holder's number alone, which is printed in full. */
function isEndOfNumber(name: string, { value }: ExtractedValue, seen: ExtractedValue): boolean {
  if (name !== 'personal_number') return false;
  const [part, whole] = [value, seen.value].map((number) => String(number).replace(/[^A-Z\d]/g, ''));
  return part!.length < whole!.length && whole!.endsWith(part!.slice(-shortEnd));
}

/** Digits at the end of a holder's number that a zone has in any case. */
const shortEnd = 4;

/** Whether two names differ by two letters at most. */
function isNear(a: string, b: string): boolean {
  const [from, to] = [foldText(a), foldText(b)];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]! <= 2;
}

function isSame(a: ExtractedValue, b: ExtractedValue): boolean {
  const compared = ({ value }: ExtractedValue) => foldText(String(value)).replace(/[^a-z0-9]/g, '');
  return compared(a) === compared(b);
}

function readVisualZone(type: DocumentType, layout: Layout, locale: Locale): ComposedFields {
  const fields: Record<string, ExtractedValue | null> = {};
  const accepts: Readonly<Record<string, Accept>> = {
    document_number: identifierIn,
    personal_number: identifierIn,
    surname: nameIn,
    given_names: givenNamesIn,
    place_of_birth: placeIn,
    issuing_authority: authorityIn,
    nationality: countryIn,
    issuing_country: countryIn,
    date_of_birth: dateIn(locale),
    issue_date: dateIn(locale),
    expiry_date: dateIn(locale),
    sex: sexIn,
    vehicle_classes: classesIn,
    restrictions: shortIn,
    endorsements: shortIn,
  };
  const taken: Required<Stretch>[] = [];
  for (const [name, accept] of Object.entries(accepts)) {
    if (!type.fields.some((field) => field.name === name)) continue;
    for (const text of textsAtCaption(type, name, layout).map((each) =>
      withoutTitleAbove(aboveCaption(each, layout), layout),
    )) {
      if (isOtherCaption(text.text)) continue;
      // Idaho's code captions numbers elsewhere: `BOISE, ID 83702`.
      if (name === 'document_number' && text.place === 'behind' && hasPlace(text.caption.text)) continue;
      if (name === 'document_number' && endsWithHouse.test(text.caption.text)) continue;
      const found = accept(text);
      if (!found) continue;
      const stretch = partOf(text, found.start, found.end);
      if (taken.some((other) => other.line === stretch.line && other.start < stretch.end && stretch.start < other.end))
        continue;
      taken.push(stretch);
      const second = name === 'surname' && text.place === 'below' ? secondLine(layout, text) : null;
      // One caption for both names has the given ones on a line of their own, perhaps behind the surname's comma.
      const isListed =
        /,\s*$/.test(text.text) || (second !== null && textsAtCaption(type, 'given_names', layout).length === 0);
      if (second && isListed) fields.given_names = composedValue(second.text, 80, [{ line: second }]);
      // Or behind it: `DOE, JANE, ROE`.
      const words = found.value.split(' ');
      const isWhole = words.length === chineseNames && isChineseSurname(words[0]!);
      const listed = name === 'surname' && !isWhole ? listedNames.exec(text.text.slice(found.end)) : null;
      if (listed) {
        const given = partOf(text, found.end + listed[0].length - listed[1]!.length, found.end + listed[0].length);
        fields.given_names = composedValue(listed[1]!.replace(/, ?/g, ' '), 80, [given]);
      }
      const rest = goingOn[name]?.(text, layout) ?? (isListed || listed ? null : second);
      const further = name === 'vehicle_classes' ? classesBeside(stretch.line, layout) : [];
      const value = rest
        ? `${found.value}${name === 'place_of_birth' ? ',' : ''} ${rest.text}`
        : [found.value, ...further.map((line) => line.text)].join(', ');
      const stretches = [stretch, ...[...(rest ? [rest] : []), ...further].map((line) => ({ line }))];
      fields[name] = composedValue(value, Math.round(60 + 27 * Math.min(1, text.score)), stretches);
      break;
    }
    if (days.has(name) && !fields[name]) fields[name] = partedDay(textsAtCaption(type, name, layout), layout, locale);
  }
  const names =
    namesBelowBoth(layout) ??
    namesBehindNumbers(layout) ??
    namesBelowName(layout, fields) ??
    namesOfOneCaption(type, layout, fields) ??
    namesOfHolder(type, layout, locale, fields);
  Object.assign(fields, names);
  for (const text of textsAtCaption(type, 'expiry_date', layout)) {
    const [, from, until] = /^(\d{2}\.\d{2}\.\d{2,4}) ?[-–] ?(\d{2}\.\d{2}\.\d{4})$/u.exec(text.text.trim()) ?? [];
    const days = [from, until].map((day) => (day ? findDates(day)[0] : undefined));
    if (!days[0] || !days[1]) continue;
    // Both days of validity stand at one caption.
    fields.issue_date = composedValue(resolveDate(days[0], locale).value, 78, [text.stretch]);
    fields.expiry_date = composedValue(resolveDate(days[1], locale).value, 82, [text.stretch]);
    break;
  }
  if (!fields.date_of_birth) fields.date_of_birth = dayAtPlaceOfBirth(type, layout, locale);
  if (!fields.place_of_birth) fields.place_of_birth = placeBelowBirth(layout);
  return fields;
}

/** A line that ends with a house: `JALAN MELATI NO. 12`. */
const endsWithHouse = /\p{L}[.,]? n[o°º][.: ]*\d{1,4}$/iu;

/** Classes of vehicles that stand further right in the row of field 9, each a line of its own. */
function classesBeside(line: TextLine, layout: Layout): readonly TextLine[] {
  if (!/^9[.:]/.test(line.text)) return [];
  const behind = rowOf(layout, line).filter(({ box }) => box.x0 >= line.box.x1);
  const end = behind.findIndex(({ text }) => !/^[A-Z]{1,2}\d?E?$/.test(text));
  return end < 0 ? behind : behind.slice(0, end);
}

/** Where a value goes on that its caption has only the beginning of, by its field. */
const goingOn: Readonly<Record<string, (text: CaptionedText, layout: Layout) => TextLine | null>> = {
  // Wide letters part a place from its country: `MARYLAND,`, `U.S.A.`.
  place_of_birth: ({ text, stretch: { line } }, layout) => {
    const { right } = neighboursOf(layout, line);
    const isNear = right !== null && right.box.x0 - line.box.x1 < 2 * (line.box.y1 - line.box.y0);
    return /,\s*$/.test(text) && isNear ? right : null;
  },
  // A country is no authority by its name alone: `United States`, `Department of State`.
  issuing_authority: ({ text, stretch: { line } }, layout) => {
    const { below } = neighboursOf(layout, line);
    const isNear = below !== null && below.box.y0 - line.box.y1 < 1.2 * (line.box.y1 - line.box.y0);
    return countryOf(text.trim()) !== null && isNear && /^\p{Lu}[\p{L} ]+$/u.test(below.text) ? below : null;
  },
};

/** How much closer above its caption a value stands than the next one below it, where cards have captions below values. */
const closerAbove = 0.6;

/** The value above a caption, where that stands much closer to it than what is below: Colombia's cards have them so. */
function aboveCaption(text: CaptionedText, layout: Layout): CaptionedText {
  const { caption, place, stretch } = text;
  const { above, below } = neighboursOf(layout, caption);
  if (place !== 'below' || !above || below !== stretch.line || isHeading(above.text) || isOtherCaption(above.text))
    return text;
  const height = (line: TextLine) => line.box.y1 - line.box.y0;
  const [over, under] = [caption.box.y0 - above.box.y1, below.box.y0 - caption.box.y1];
  const isOwn = over < closerAbove * under && under > 0.8 * height(caption) && height(above) > 1.15 * height(caption);
  return isOwn ? { ...text, text: above.text, stretch: { line: above, start: 0, end: above.text.length } } : text;
}

/** A caption of a holder's whole name, perhaps in another script before it: `Name`, `नाम / Name`. */
const captionOfHolder =
  /^(?:[^\p{Script=Latin}]*|\p{L}{2,12} ?\/ ?)(?:name|nama|full names?|\/? ?elect\w{0,2}r['’]?s name)[ :.]*$/iu;

/**
 * The parts of a full name behind `Name`, where nothing else captions a name, as India's cards have it. What ends with a
 * given name and does not begin with one has the surname first.
 */
function namesOfHolder(
  type: DocumentType,
  layout: Layout,
  locale: Locale,
  { surname, given_names: given }: ComposedFields,
): ComposedFields | null {
  if (!surname || given || locale.language === 'de') return null;
  const text = textsAtCaption(type, 'surname', layout).find((each) => nameIn(each)?.value === surname.value);
  const found = text && nameIn(text);
  if (!text || !found) return null;
  const { caption, stretch } = text;
  // Names of Singapore may have a Western one behind a comma.
  const further = /^, ?\p{Lu}[\p{L} -]{1,30}$/u.exec(text.text.slice(found.end))?.[0] ?? '';
  // OCR takes a capital for a small letter: `Meera lyer`.
  const words = found.value.split(' ').map((word) => word.replace(/^l(?=\p{Ll}{3})/u, 'I'));
  const isCaption = captionOfHolder.test(
    caption === stretch.line ? caption.text.slice(0, stretch.start) : caption.text,
  );
  if (!isCaption || words.length < 2 || words.length > 4 || !words.every((word) => /^\p{Lu}[\p{L}'’-]+$/u.test(word)))
    return null;
  const isTurned =
    (hasHoldersGivenName(words.at(-1)!) && !hasHoldersGivenName(words[0]!)) ||
    (words.length === chineseNames && isChineseSurname(words[0]!));
  // A surname has the particle before it: `DA COSTA`.
  const last = words.length > 2 && /^d(?:[aeo]s?|el|i)$/iu.test(words.at(-2)!) ? 2 : 1;
  const at = isTurned ? words[0]!.length : words.slice(0, -last).join(' ').length;
  const whole = words.join(' ');
  const before = composedValue(whole.slice(0, at), 66, [partOf(text, found.start, found.start + at)]);
  const rest = isTurned ? further : '';
  const behind = composedValue(whole.slice(at + 1) + rest, 66, [
    partOf(text, found.start + at + 1, found.end + rest.length),
  ]);
  return isTurned ? { surname: before, given_names: behind } : { surname: behind, given_names: before };
}

/** What cards caption of which no field is asked for, with the number that it has there: `5DD`, `16 HGT`, `Signature (12)`. */
const otherCaption =
  /^\d{0,2}[a-c]?[. ]?(?:DD|HGT|HT|WGT|WT|EYES|HAIR|ISS|EXP|DOB|SEX|DONOR|VETERAN)(?:\/REF)?[.:]?$|^1[6-9][. ]*[HWETPYOC]\p{L}[\p{L}/. ]*$|^(?:9a?|12|4[abd])[. ]+\p{L}{3,}[.:]?$|^5[. ]*DD(?!\p{L})|^(?:holder.?s )?(?:signature|firma|unterschrift|assinatura|handtekening|podpis)(?!\p{L})|\(\d{1,2}\)?$/iu;

function isOtherCaption(text: string): boolean {
  return otherCaption.test(text.trim());
}

/** Forms of address, as British licences have them on the line above the given names. */
const formOfAddress = /^(?:MR|MRS|MISS|MS|MX|DR|REV|SIR|LADY|LORD)\.?$/;

/** The text at a caption, or the line below it where it is a form of address alone. */
function withoutTitleAbove(text: CaptionedText, layout: Layout): CaptionedText {
  const below = formOfAddress.test(text.text) ? neighboursOf(layout, text.stretch.line).below : null;
  return below ? { ...text, text: below.text, stretch: { line: below, start: 0, end: below.text.length } } : text;
}

/** Rows below the day of birth among which the place stands: a photo may be taken for one. */
const rowsToPlace = 2;

/** Where one was born, below the day, on French cards: `Né(e) le : 19.05.1987`, `à : CHAMBÉRY (73)`. */
function placeBelowBirth(layout: Layout): ExtractedValue | null {
  const rows = visualRows(layout);
  const at = rows.findIndex((row) => row.some(({ text }) => /^n[ée] ?\(?e?\)? le(?!\p{L})/iu.test(text)));
  for (const row of at < 0 ? [] : rows.slice(at + 1, at + 1 + rowsToPlace)) {
    // OCR parts the caption, the place and its department.
    const from = row.findIndex(({ text }) => /^[àa] ?:/u.test(text));
    const parts = row.slice(Math.max(0, from));
    const place = /^[àa] ?: ?(\p{Lu}[\p{L}'’ -]+?(?: \d{1,2}E?R?)?(?: ?\(\w{2,3}\))?)$/u.exec(
      parts.map(({ text }) => text).join(' '),
    )?.[1];
    if (from < 0 || place === undefined) continue;
    return composedValue(
      place,
      80,
      parts.map((line) => ({ line })),
    );
  }
  return null;
}

/** The day that stands with the place where one was born: `ROVIGO (RO) 27.01.1990`. */
function dayAtPlaceOfBirth(type: DocumentType, layout: Layout, locale: Locale): ExtractedValue | null {
  for (const text of textsAtCaption(type, 'place_of_birth', layout)) {
    const day = dateIn(locale)(text);
    if (day) return composedValue(day.value, 80, [partOf(text, day.start, day.end)]);
  }
  return null;
}

const days: ReadonlySet<string> = new Set(['date_of_birth', 'issue_date', 'expiry_date']);

/** A day at its caption whose parts wide letters set apart: `21`, `JUNE/JUIN`, `18`. */
function partedDay(texts: readonly CaptionedText[], layout: Layout, locale: Locale): ExtractedValue | null {
  for (const { place, stretch } of texts) {
    const { line } = stretch;
    if (place === 'behind' || line.text.length > longestMonths) continue;
    const row = rowOf(layout, line);
    const isApart = (left: TextLine, right: TextLine) => right.box.x0 - left.box.x1 > 1.5 * (line.box.y1 - line.box.y0);
    const at = row.indexOf(line);
    const from = row.findLastIndex((part, index) => index <= at && (index === 0 || isApart(row[index - 1]!, part)));
    const end = row.findIndex(
      (part, index) => index >= at && (index + 1 === row.length || isApart(part, row[index + 1]!)),
    );
    const parts = row.slice(from, end + 1);
    const finding = findDates(withPlainMonths(parts.map(({ text }) => text).join(' ')))[0];
    if (parts.length < 2 || !finding || finding.start > 0) continue;
    return composedValue(
      resolveDate(finding, locale).value,
      80,
      parts.map((part) => ({ line: part })),
    );
  }
  return null;
}

/** Words of a whole Chinese name: the surname and two given ones. */
const chineseNames = 3;

const longestMonths = 20;

const listedNames = /^, ?(\p{Lu}[\p{Lu}'’. -]+(?:, ?\p{Lu}[\p{Lu}'’. -]+)*)$/u;

/** The second of two surnames, which Spanish cards have on a line of its own. */
function secondLine(layout: Layout, { stretch: { line } }: CaptionedText): TextLine | null {
  const { below } = neighboursOf(layout, line);
  const height = line.box.y1 - line.box.y0;
  const isSet =
    below &&
    Math.abs(below.box.x0 - line.box.x0) < 0.5 * height &&
    below.box.y0 - line.box.y1 < 0.6 * height &&
    Math.abs(below.box.y1 - below.box.y0 - height) < 0.2 * height;
  return isSet && /^\p{Lu}{2}[\p{Lu} '’-]{1,30}$/u.test(below.text) && !isHeading(below.text) ? below : null;
}
