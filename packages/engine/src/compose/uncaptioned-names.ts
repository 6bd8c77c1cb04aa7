import type { Layout } from '@millrace/document-model';
import { isHeading } from '../candidates/headings.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { Card } from './card.ts';
import type { ComposedFields } from './compose.ts';
import { hasHoldersGivenName } from './given-names.ts';
import {
  nameAbove,
  nameBelow,
  namesAboveStreet,
  namesInTwoCases,
  namesOfLine,
  namesWithComma,
  surnameInStack,
} from './holder-names.ts';
import { isPersonName } from './names.ts';
import { composedValue } from './value.ts';

/** The holder's names, as far as no caption gives them. */
export function uncaptionedNames(card: Card): ComposedFields {
  const { layout, captioned, isLicense, namesIssuer } = card;
  if (captioned.surname || captioned.given_names) return isLicense ? otherName(card) : {};
  const listed = namesIssuer ? null : (namesWithComma(layout) ?? namesAboveStreet(layout));
  return listed ?? capitalSurname(card) ?? namesInTwoCases(layout) ?? namesByGivenName(card);
}

/** The name of a licence that stands above or below the only one that has a caption. */
function otherName({ layout, captioned: { surname, given_names: given } }: Card): ComposedFields {
  const below = surname && !given ? nameBelow(layout, surname) : null;
  const above = given && !surname ? nameAbove(layout, given) : null;
  return { ...(below ? { given_names: below } : {}), ...(above ? { surname: above } : {}) };
}

/** A surname in capitals behind given names that are not. */
function capitalSurname({ layout }: Card): ComposedFields | null {
  const [mixed, ...others] = layout.lines.filter(({ text }) => mixedName.test(text) && !isHeading(text));
  const parts = mixed && others.length === 0 ? mixedName.exec(mixed.text) : null;
  if (!mixed || !parts) return null;
  const [, given, surname] = parts;
  return {
    given_names: composedValue(given!, 74, [{ line: mixed, start: 0, end: given!.length }]),
    surname: composedValue(surname!, 74, [{ line: mixed, start: given!.length + 1 }]),
  };
}

const mixedName = /^(\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\p{Ll}+){0,3}) (\p{Lu}{3,}(?:[ '’-]\p{Lu}{2,}){0,2})$/u;

/** The names of a row that begins as names of persons do, or those above the day of birth. */
function namesByGivenName({ layout, rows }: Card): ComposedFields {
  const named = rows.find(
    ({ text, stretches }) => stretches.length <= 3 && isPersonName(text) && hasHoldersGivenName(text),
  );
  if (!named) return namesAboveBirthday(layout);
  const [alone, ...further] = named.stretches;
  const surname = alone && further.length === 0 ? surnameInStack(alone.line, layout) : null;
  if (alone && surname) {
    return {
      given_names: composedValue(alone.line.text, 72, [alone]),
      surname: composedValue(surname.text, 72, [{ line: surname }]),
    };
  }
  const words = named.text.split(/\s+/);
  return {
    given_names: composedValue(words.slice(0, -1).join(' '), 58, named.stretches),
    surname: composedValue(words.at(-1)!, 58, named.stretches),
  };
}

function namesAboveBirthday(layout: Layout): ComposedFields {
  const birth = layout.lines.find(({ text }) => dayOfBirth.test(text));
  const above = birth && neighboursOf(layout, birth).above;
  const isName = above && /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){1,3}$/u.test(above.text) && isPersonName(above.text);
  return isName ? namesOfLine(above, 66) : {};
}

/** A day of birth behind its caption, perhaps in another script before it. */
const dayOfBirth = /(?:^|[^\p{L}])(?:dob|date of birth|year of birth) ?[:.]? ?\d/iu;
