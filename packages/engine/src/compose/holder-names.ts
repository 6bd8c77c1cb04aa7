import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, isStreetLine } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { isHeading } from '../candidates/headings.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { partOf, textsAtCaption } from './captioned.ts';
import type { ComposedFields } from './compose.ts';
import { hasHoldersGivenName } from './given-names.ts';
import { isPersonName, letterHeight, titleCased } from './names.ts';
import { stateOfHead } from './state-heads.ts';
import { composedValue } from './value.ts';

/** A caption of both names, which stand below it one under the other. */
const bothNames =
  /surname (?:given|fore)|(?:surname|family name|last name|(?<!\p{L})name|(?<!\p{L})nom|apellidos?|cognome|naam) ?(?:,|\.|&|\+|(?<!\p{L})(?:and|und|et|y|e|en)(?!\p{L})) ?(?:\d{1,2}[a-c]?[. ] ?)?(?:given|fore|first|vor|pr[eé]nom|nombre|nome|voor)/iu;

/** A caption of both names in one line, the surname being the last: `2 e 1 NOME E SOBRENOME`. */
const bothNamesTurned =
  /^(?:\d ?e ?\d )?(?:nome e sobrenome|(?:given |first )?names? and surname|vor- und (?:nach|zu)name|imi[eę] i nazwisko)$/iu;

/** The names of a line of which the last word is the surname. */
export function namesOfLine(line: TextLine, confidence: number): ComposedFields {
  const at = line.text.lastIndexOf(' ');
  return {
    surname: composedValue(line.text.slice(at + 1), confidence, [{ line, start: at + 1 }]),
    given_names: composedValue(line.text.slice(0, at), confidence, [{ line, start: 0, end: at }]),
  };
}

/** The surname and given names below a caption that is for both: `NAME, VORNAME / SURNAME, FORENAME`. */
export function namesBelowBoth(layout: Layout): ComposedFields | null {
  const turned = layout.lines.slice(0, 80).find(({ text }) => bothNamesTurned.test(text));
  const whole = turned && neighboursOf(layout, turned).below;
  if (whole && /^\p{Lu}[\p{L}'’ -]+ \p{Lu}[\p{L}'’-]+$/u.test(whole.text)) {
    return namesOfLine(whole, 74);
  }
  const caption = layout.lines.slice(0, 80).find(({ text }) => bothNames.test(text));
  const last = caption && neighboursOf(layout, caption).below;
  const first = last && neighboursOf(layout, last).below;
  if (!last || !first || ![last, first].every(({ text }) => /^\p{Lu}[\p{L}.'’ -]+$/u.test(text))) return null;
  if (first.box.y0 - last.box.y1 > last.box.y1 - last.box.y0) return null;
  return {
    surname: composedValue(last.text, 82, [{ line: last }]),
    given_names: composedValue(first.text, 82, [{ line: first }]),
  };
}

/** The surname behind the numbers of both names, with the given ones on the next line: `1,2 OVERTON`, `CARLA RUTH`. */
export function namesBehindNumbers(layout: Layout): ComposedFields | null {
  for (const line of layout.lines.slice(0, 60)) {
    const surname = /^1 ?[,.&/] ?2[. ]+(?=\p{Lu}{2})(?!(?:name|nom)s?(?!\p{L}))(\p{Lu}[\p{Lu} '’-]+),?$/iu.exec(
      line.text,
    )?.[1];
    const given = surname === undefined ? null : neighboursOf(layout, line).below;
    if (surname === undefined || !given || !/^\p{Lu}{2}[\p{Lu} .,'’-]+$/u.test(given.text) || isHeading(given.text))
      continue;
    return {
      surname: composedValue(surname, 82, [{ line, start: line.text.indexOf(surname) }]),
      given_names: composedValue(given.text.replace(/, ?/g, ' '), 82, [{ line: given }]),
    };
  }
  return null;
}

/**
 * The parts of a full name where one caption is all that either name has, as `Nome / Name` is in Brazil: the last word is the
 * surname.
 */
export function namesOfOneCaption(type: DocumentType, layout: Layout, fields: ComposedFields): ComposedFields | null {
  const [last, first] = ['surname', 'given_names'].map((name) => textsAtCaption(type, name, layout)[0]);
  const full = last?.caption === first?.caption && last?.text === first?.text ? last : undefined;
  const at = full?.text.lastIndexOf(' ') ?? -1;
  if (!full || at < 0 || !/ \p{Lu}/u.test(full.text) || fields.surname?.value !== full.text) return null;
  return {
    surname: composedValue(full.text.slice(at + 1), 66, [partOf(full, at + 1, full.text.length)]),
    given_names: composedValue(full.text.slice(0, at), 66, [partOf(full, 0, at)]),
  };
}

/** Both surnames and the given names, one under the other below `Nombre`, where no caption is for surnames: Mexico's cards. */
export function namesBelowName(layout: Layout, fields: ComposedFields): ComposedFields | null {
  const caption = fields.surname ? undefined : layout.lines.find(({ text }) => /^nombre:?$/iu.test(text));
  const lines: TextLine[] = [];
  for (let line = caption; line && lines.length <= namesInStack; ) {
    const { below }: { readonly below: TextLine | null } = neighboursOf(layout, line);
    const height = line.box.y1 - line.box.y0;
    const isName =
      below !== null &&
      /^\p{Lu}{2}[\p{Lu} .'’-]{0,30}$/u.test(below.text) &&
      !isHeading(below.text) &&
      below.box.y0 - line.box.y1 < 0.8 * height &&
      Math.abs(below.box.x0 - line.box.x0) < height;
    line = isName ? below : undefined;
    if (line) lines.push(line);
  }
  const [first, second, given] = lines;
  if (!first || !second || !given || lines.length > namesInStack) return null;
  return {
    surname: composedValue(`${first.text} ${second.text}`, 80, [{ line: first }, { line: second }]),
    given_names: composedValue(given.text, 80, [{ line: given }]),
  };
}

/** A father's surname, a mother's and the given names. */
const namesInStack = 3;

/** Given names and below or above them a surname in capitals, at one edge and of one size; null where there are several such pairs. */
export function namesInTwoCases(layout: Layout): ComposedFields | null {
  const pairs = layout.lines.slice(0, 60).flatMap((given) => {
    if (!/^\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{Ll}+){0,2}$/u.test(given.text) || isHeading(given.text)) return [];
    const height = letterHeight(given);
    const { above, below } = neighboursOf(layout, given);
    return [above, below].flatMap((surname) => {
      if (!surname || !/^\p{Lu}{3,}(?:[ '’-]\p{Lu}{2,}){0,2}$/u.test(surname.text) || isHeading(surname.text))
        return [];
      const gap = Math.max(surname.box.y0 - given.box.y1, given.box.y0 - surname.box.y1);
      const isStacked =
        gap < height &&
        Math.abs(surname.box.x0 - given.box.x0) < 0.6 * height &&
        Math.abs(letterHeight(surname) - height) < 0.35 * height;
      const isNamed = isPersonName(`${given.text} ${titleCased(surname.text)}`) && !isTitleOfCard(given.text);
      return isStacked && isNamed && !stateOfHead(surname.text) && !isTitleOfCard(surname.text)
        ? [{ given, surname }]
        : [];
    });
  });
  const [only, ...others] = pairs;
  if (!only || others.length > 0) return null;
  return {
    surname: composedValue(only.surname.text, 72, [{ line: only.surname }]),
    given_names: composedValue(only.given.text, 72, [{ line: only.given }]),
  };
}

/** A surname in capitals with a comma behind it, and the given names, which may go on in the next line: `CALDER,Moira`. */
export function namesWithComma(layout: Layout): ComposedFields | null {
  const found = layout.lines.slice(0, 60).filter(({ text }) => surnameAndGiven.test(text) && !isHeading(text));
  const [line] = found;
  if (!line || found.length > 1) return null;
  const [, surname = '', given = ''] = surnameAndGiven.exec(line.text) ?? [];
  if (isTitleOfCard(surname) || isTitleOfCard(given) || stateOfHead(surname) || hasPlace(line.text)) return null;
  const { below } = neighboursOf(layout, line);
  const height = line.box.y1 - line.box.y0;
  const isFurther =
    below !== null &&
    /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?$/u.test(below.text) &&
    !isHeading(below.text) &&
    Math.abs(below.box.x0 - line.box.x0) < 0.6 * height &&
    below.box.y0 - line.box.y1 < 0.8 * height &&
    Math.abs(letterHeight(below) - letterHeight(line)) < 0.25 * height;
  return {
    surname: composedValue(surname, 74, [{ line, start: 0, end: surname.length }]),
    given_names: composedValue(isFurther ? `${given} ${below.text}` : given, 74, [
      { line, start: line.text.length - given.length },
      ...(isFurther ? [{ line: below }] : []),
    ]),
  };
}

const surnameAndGiven = /^(\p{Lu}{2}[\p{Lu}'’ -]{1,24}), ?(\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{Ll}+){0,2})$/u;

/** Whether a text has words of what a card is or who gives it out, or the name of a country. */
function isTitleOfCard(text: string): boolean {
  return (
    countryOf(text) !== null ||
    /(?:licen[cs]e|card|permit|permis|government|department|ministry|republic|state|donor|veteran|class|number|address|birth)/iu.test(
      text,
    )
  );
}

/** The surname right above or right below given names, in capitals of their size: cards without captions print them so. */
export function surnameInStack(given: TextLine, layout: Layout): TextLine | null {
  const height = given.box.y1 - given.box.y0;
  const { above, below } = neighboursOf(layout, given);
  const found = [above, below].filter((line): line is TextLine => {
    if (line === null || given.text !== given.text.toUpperCase()) return false;
    const gap = Math.max(line.box.y0 - given.box.y1, given.box.y0 - line.box.y1);
    const isAligned =
      Math.abs(line.box.x0 - given.box.x0) < height ||
      Math.abs(line.box.x0 + line.box.x1 - given.box.x0 - given.box.x1) < 2 * height;
    return (
      gap < height &&
      isAligned &&
      Math.abs(line.box.y1 - line.box.y0 - height) < 0.2 * height &&
      /^\p{Lu}[\p{Lu}'’-]+(?: \p{Lu}[\p{Lu}'’-]+)?$/u.test(line.text) &&
      !isHeading(line.text) &&
      !stateOfHead(line.text) &&
      countryOf(line.text) === null
    );
  });
  return found.length === 1 ? found[0]! : null;
}

/** Whom a specimen of a card is made out to. */
const nameOfSpecimen = /^(?:cardholder|sample|specimen|licensee|motorist|driver)$/iu;

/** Surname and given names where American cards have both in capitals, one below the other, right above the street. */
export function namesAboveStreet(layout: Layout): ComposedFields | null {
  const isName = ({ text }: TextLine) =>
    /^\p{Lu}[\p{Lu}'’-]+(?:[ ,]+\p{Lu}[\p{Lu}'’.-]*){0,2},?$/u.test(text) &&
    (!isHeading(text) || nameOfSpecimen.test(text)) &&
    !stateOfHead(text);
  for (const street of layout.lines.slice(0, 60)) {
    if (!isStreetLine(street.text)) continue;
    const given = neighboursOf(layout, street).above;
    const surname = given && neighboursOf(layout, given).above;
    const edge = leftEdge(street);
    const near = Math.max(6, 0.6 * (street.box.y1 - street.box.y0));
    // The number before a name may be in its box and lost from its text.
    const isInStack = (line: TextLine | null): line is TextLine =>
      line !== null && isName(line) && [edge, street.box.x0].some((side) => Math.abs(line.box.x0 - side) < near);
    if (!isInStack(given) || given.text.includes('LICENSE')) continue;
    // Some Australian cards have all names in one line.
    if (!isInStack(surname)) {
      if (!given.text.includes(' ') || !isPersonName(titleCased(given.text))) continue;
      const [first = '', ...others] = given.text.split(' ');
      if (!hasHoldersGivenName(first)) {
        // Or they have the surname first.
        if (!others.some(hasHoldersGivenName)) continue;
        return {
          surname: composedValue(first.replace(/,$/, ''), 70, [{ line: given, start: 0, end: first.length }]),
          given_names: composedValue(others.join(' '), 70, [{ line: given, start: first.length + 1 }]),
        };
      }
      return namesOfLine(given, 72);
    }
    // Australian cards have the given names first.
    const isTurned = layout.lines.some(({ text }) =>
      /(?<!\p{L})(?:australia|queensland|tasmania)(?!\p{L})/iu.test(text),
    );
    const [last, first] = isTurned ? [given, surname] : [surname, given];
    return {
      surname: composedValue(last.text.replace(/,$/, ''), 72, [{ line: last }]),
      given_names: composedValue(first.text, 72, [{ line: first }]),
    };
  }
  return null;
}

/** Where a line begins behind the number of its field, which the lines above it may have lost: `8 418 PLEASANT ST`. */
function leftEdge({ words, box }: TextLine): number {
  const [number, first] = words;
  return /^8[.]?$/.test(number?.text ?? '') && first ? first.box.x0 : box.x0;
}

/** The surname right above the given names, where licences have it behind a number that OCR lost or took for a letter. */
export function nameAbove(layout: Layout, given: ExtractedValue): ExtractedValue | null {
  const [place] = given.provenance;
  if (!place) return null;
  const above = layout.lines.find((line) => isStackedOn(line, place));
  if (!above) return null;
  const [, number = '', capitals] = /^([lI|] )?(\p{Lu}[\p{Lu} '’-]{1,30})$/u.exec(above.text) ?? [];
  // Belgium and Germany write names in small letters.
  const isAtEdge = Math.abs(above.box.x0 - place.box.x0) < 0.6 * (place.box.y1 - place.box.y0);
  const name = capitals ?? (isAtEdge ? /^\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{Ll}+)?$/u.exec(above.text)?.[0] : undefined);
  if (!name || isHeading(name) || isTitleOfCard(above.text)) return null;
  return composedValue(name, 68, [{ line: above, start: number.length }]);
}

/** The given names between a surname and the street, where OCR lost their number. */
export function nameBelow(layout: Layout, surname: ExtractedValue): ExtractedValue | null {
  const [place] = surname.provenance;
  const below = place && layout.lines.find(({ page, box }) => isStackedOn(place, { page, box }));
  const street = below && neighboursOf(layout, below).below;
  if (!below || !street || !isStreetLine(street.text) || isHeading(below.text)) return null;
  return /^\p{Lu}{2}[\p{Lu} '’.-]{0,30}$/u.test(below.text) ? composedValue(below.text, 68, [{ line: below }]) : null;
}

/** Whether a line stands right above another, at about the same edge. */
function isStackedOn(upper: Placed, lower: Placed): boolean {
  const height = lower.box.y1 - lower.box.y0;
  return (
    upper.page === lower.page &&
    Math.abs(upper.box.x0 - lower.box.x0) < 1.5 * height &&
    upper.box.y1 <= lower.box.y0 + 0.3 * height &&
    lower.box.y0 - upper.box.y1 < 1.2 * height
  );
}

type Placed = Pick<TextLine, 'page' | 'box'>;
