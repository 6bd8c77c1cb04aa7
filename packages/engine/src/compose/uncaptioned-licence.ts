import type { ExtractedValue, Layout } from '@millrace/document-model';
import { neighboursOf } from '../layout/neighbours.ts';
import { type Card, firstIn } from './card.ts';
import type { ComposedFields } from './compose.ts';
import { composedValue } from './value.ts';

/** What a driving licence states without a caption, or with one that OCR glued to the value. */
export function uncaptionedOfLicence(card: Card): ComposedFields {
  const { layout, captioned } = card;
  return {
    ...americanNumbers(card),
    ...numbersByForm(card),
    ...letteredConditions(layout, captioned),
    ...europeanNumbers(layout),
    ...(captioned.place_of_birth ? {} : placeBehindBirthday(card)),
    ...(captioned.vehicle_classes ? {} : classesOf(layout)),
  };
}

/** The number of an American licence behind or below its caption, the last of these ways counting most. */
function americanNumbers(card: Card): ComposedFields {
  const { layout, captioned } = card;
  // It stands behind `4d` and `LIC#` or `DL`, however narrow the gap.
  const behind = captioned.document_number
    ? null
    : firstIn(
        card,
        /(?<![A-Z])(?:4d|LIC|DLN?)[\s#:.]*(?:LIC|DLN?)?[\s#:.]*([A-Z\d][A-Z\d-]{4,18}\d[A-Z\d]*)(?![A-Z\d])/,
      );
  // A number in groups behind its caption, as the cards of some states print it.
  const grouped =
    captioned.document_number || behind ? null : firstIn(card, /^(?:ID|DL|LIC|NO)[\s#:.]+(\d{3} \d{3} \d{3})(?!\d)/);
  const caption = layout.lines.find(({ text }) => /^4d\.?(?!\p{L})\D*$/u.test(text));
  const below = caption && neighboursOf(layout, caption).below;
  const isBelow =
    below &&
    /^[A-Z\d][A-Z\d -]{4,18}$/.test(below.text) &&
    /\d{3}/.test(below.text) &&
    !/(?:DOB|ISS|EXP)(?![A-Z])|(?:^| )\d{2}-\d{2}-\d{4}$/.test(below.text);
  // A card's own number stands beside that of the licence.
  const captionOfLicence = layout.lines.find(({ text }) => /^licen[cs]e (?:no\.?|number):?$/iu.test(text));
  const licence = captionOfLicence && neighboursOf(layout, captionOfLicence).below;
  const [number] = [
    licence && /^\d[\d ]{4,14}\d$/.test(licence.text) ? composedValue(licence.text, 90, [{ line: licence }]) : null,
    grouped && composedValue(grouped.value, 76, grouped.stretches),
    isBelow ? composedValue(below.text, 80, [{ line: below }]) : null,
    behind && composedValue(behind.value, 76, behind.stretches),
  ].flatMap((value) => value ?? []);
  return number ? { document_number: number } : {};
}

/** Numbers of licences whose form says what they are. */
function numbersByForm(card: Card): ComposedFields {
  // A British driver's number: five of the surname, six of the birthday, initials and checks.
  const british = firstIn(card, /(?<![A-Z\d])([A-Z][A-Z9]{4} ?\d{6} ?[A-Z\d]{2}\d[A-Z]{2}(?: ?\d{2})?)(?![A-Z\d])/);
  if (british) {
    // An initial is a letter, or 9 where there is none.
    const value = british.value.replace(/(?<=\d{6} ?\w?)0(?=\w?\d[A-Z]{2})/g, 'O');
    const flags = value === british.value ? [] : (['corrected'] as const);
    return { document_number: composedValue(value, 88, british.stretches, flags) };
  }
  // An Indian driver's number: state, office, year of issue and seven digits.
  const indian = firstIn(card, /(?<![A-Z\d])([A-Z]{2}[- ]?\d{2}[A-Z]?[- ]?(?:19|20)\d{2}[- ]?\d{7})(?!\d)/);
  return indian ? { document_number: composedValue(indian.value, 88, indian.stretches) } : {};
}

/** The numbers of a European licence: its own is field 5, and the holder's 4d; 4c is who issued it. */
function europeanNumbers(layout: Layout): ComposedFields {
  if (!isNumberedAsInEurope(layout)) return {};
  const numberOf = (field: RegExp) => {
    const found = layout.lines.flatMap((line) => {
      const lead = field.exec(line.text)?.[0].length;
      if (lead === undefined) return [];
      // The number of the field may be a line of its own.
      const beside = lead === line.text.length ? neighboursOf(layout, line).right : null;
      const [place, start] = beside ? [beside, 0] : [line, lead];
      const number = /^(?=[A-Z\d /.-]*\d{2})[A-Z\d][A-Z\d /.-]{4,20}[A-Z\d]$/u.exec(place.text.slice(start))?.[0];
      return number === undefined ? [] : [composedValue(number, 86, [{ line: place, start }])];
    });
    return found.length === 1 ? found[0]! : null;
  };
  const [own, holder] = [numberOf(/^5\. ?/u), numberOf(/^(?:4[a-c]\. .{3,40} )?4d\. ?/u)];
  return own ? { document_number: own, ...(holder ? { personal_number: holder } : {}) } : {};
}

/** Endorsements and restrictions behind their first letters, where a card has both so: `E NONE`, `R: B CORR LENSES`. */
function letteredConditions(layout: Layout, captioned: ComposedFields): ComposedFields {
  const behind = (letter: string) =>
    layout.lines.flatMap((line) => {
      const value = new RegExp(`^${letter}(?: |: ?)(NONE|[A-Z]\\d?(?:[, ]{1,2}[A-Z]\\d?)*)(?= |$)`).exec(
        line.text,
      )?.[1];
      const start = value === undefined ? -1 : line.text.indexOf(value, 1);
      return value === undefined ? [] : [composedValue(value, 76, [{ line, start, end: start + value.length }])];
    });
  const [endorsements, restrictions] = [behind('E'), behind('R')];
  if (endorsements.length !== 1 || restrictions.length !== 1) return {};
  return {
    ...(captioned.endorsements ? {} : { endorsements: endorsements[0]! }),
    ...(captioned.restrictions ? {} : { restrictions: restrictions[0]! }),
  };
}

/** The place of birth behind the day, at field 3: `3. 19.05.1987 (LYON)`. */
function placeBehindBirthday(card: Card): ComposedFields {
  const born = firstIn(
    card,
    /^3[.]?\s*\d{2}[./-]\d{2}[./-]\d{2,4}(?:,\s*|\s+)((?:\(\p{Lu}[\p{L} .'-]{2,40}\)|\p{Lu}[\p{L} .'()-]{2,40}))$/u,
  );
  // French licences have the place in brackets.
  const place = born && (/^\(([^()]+)\)$/.exec(born.value)?.[1] ?? born.value);
  return born && place ? { place_of_birth: composedValue(place, 74, born.stretches) } : {};
}

/** Classes of vehicles by their form. */
function classesOf(layout: Layout): ComposedFields {
  const listed = layout.lines.find(({ text }) => categories.test(text));
  const classes =
    indianClasses(layout) ??
    (listed ? composedValue(listed.text.split(/[/, ]+/).join(', '), 84, [{ line: listed }]) : null);
  return classes ? { vehicle_classes: classes } : {};
}

/** Categories of European licences with strokes between them, or with blanks behind the first of all, which stand nowhere else. */
const categories =
  /^(?:AM|A[12]?|B[1E]?|C1?E?|D1?E?)(?:\/(?:AM|A[12]?|B[1E]?|C1?E?|D1?E?|[TFLMGHW]|[fklnpq]))+$|^AM(?:[ ,]{1,2}(?:A[12]?|B[1E]?|C1?E?|D1?E?|[TFLMGHW]))+$/;

/** A class of vehicles of India, perhaps with the day from which it holds. */
const indianClass =
  /^(MCW(?:O)?G|MC ?50 ?CC|LMV(?:[- ](?:NT|TR))?|[HM]MV|[HM][GP]MV|[HM]TV|MGV|TRANS|3W[- ]?(?:NT|TR|GV|CAB))(?: ?\d{2}[-/]\d{2}[-/]\d{4})?$/u;

/** The classes of an Indian licence, one to a line. */
function indianClasses(layout: Layout): ExtractedValue | null {
  const found = layout.lines.flatMap((line) => {
    const name = indianClass.exec(line.text)?.[1];
    return name ? [{ line, start: 0, end: name.length }] : [];
  });
  const names = found.map(({ line, end }) => line.text.slice(0, end));
  return found.length > 0 ? composedValue(names.join(', '), 80, found) : null;
}

/** Whether a licence has the numbers of Europe's fields with a point behind them. */
export function isNumberedAsInEurope(layout: Layout): boolean {
  return layout.lines.some(({ text }) => /(?:^| )4[cC]\.(?: ?\S|$)/u.test(text));
}
