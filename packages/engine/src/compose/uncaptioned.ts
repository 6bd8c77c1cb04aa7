import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { countryOf } from '../candidates/country.ts';
import { findDates, foldText, resolveDate } from '../candidates/date.ts';
import { sexOfWord } from '../candidates/sex.ts';
import { permanentAccountNumber } from '../candidates/tax-id.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { bracketedNumber } from './captioned-values.ts';
import { type Card, cardOf, firstIn, type IdentityTraits } from './card.ts';
import type { ComposedFields } from './compose.ts';
import { officeAtHead } from './issuing-authorities.ts';
import {
  countryAlone,
  countryBeforeTitle,
  countryOfSign,
  countryOfTitle,
  countryWithin,
  isAtHead,
  nationalityAdjectives,
  stateOfCard,
  titleLines,
} from './issuing-country.ts';
import { isNumberedAsInEurope, uncaptionedOfLicence } from './uncaptioned-licence.ts';
import { uncaptionedNames } from './uncaptioned-names.ts';
import { composedValue } from './value.ts';

/** Looks for values that have no caption, knowing those that were found before it. */
type Step = (card: Card, found: ComposedFields) => ComposedFields;

/** A later step knows what the earlier ones found, and goes before them. */
const steps: readonly Step[] = [
  stateAtHead,
  (card) => (card.isLicense ? uncaptionedOfLicence(card) : {}),
  officeOf,
  seriesOrHeadedNumber,
  socialSecurity,
  countryAtHead,
  (card) => (card.isLicense ? {} : frenchNumber(card)),
  sexOf,
  (card) => (card.isLicense ? {} : numbersByForm(card)),
  numberInGroups,
  loneNumber,
  germanZeros,
  ownNationality,
  (card, found) => (card.isLicense ? {} : oneNumberForBoth(card, found)),
  countryOfWords,
  uncaptionedNames,
];

/**
 * What documents of an identity state without a caption, or with one that OCR glued to the value.
 *
 * @param captioned what their captions give
 */
export function uncaptionedFields(
  traits: IdentityTraits,
  layout: Layout,
  locale: Locale,
  captioned: ComposedFields,
): ComposedFields {
  const card = cardOf(traits, layout, locale, captioned);
  const found: Record<string, ExtractedValue | null> = {};
  for (const step of steps) Object.assign(found, step(card, found));
  return found;
}

/** A value by its caption, or else without one. */
const known = ({ captioned }: Card, found: ComposedFields, name: string) => captioned[name] ?? found[name];

/** A state names itself at the head of its cards, apart from their title. */
function stateAtHead({ isLicense, layout, captioned }: Card): ComposedFields {
  const state = isLicense || isStateCard(layout) ? stateOfCard(layout) : null;
  if (!state) return {};
  const stretch = { ...state, end: state.start + state.name.length };
  // Georgia is a country as well.
  const isCountry = /^georgia$/iu.test(state.name);
  return {
    ...(captioned.issuing_authority ? {} : { issuing_authority: composedValue(state.name, 84, [stretch]) }),
    ...(captioned.issuing_country || isCountry ? {} : { issuing_country: composedValue(state.country, 84, [stretch]) }),
  };
}

/** Whether a card calls itself that of a state for those who do not drive. */
function isStateCard(layout: Layout): boolean {
  return layout.lines
    .slice(0, titleLines + 4)
    .some(({ text }) => /(?<!\p{L})(?:identification|id) card(?!\p{L})/iu.test(text));
}

function officeOf(card: Card, found: ComposedFields): ComposedFields {
  const office = known(card, found, 'issuing_authority') ? null : officeAtHead(card.layout, titleLines);
  return office ? { issuing_authority: office } : {};
}

function seriesOrHeadedNumber(card: Card): ComposedFields {
  if (card.captioned.document_number) return {};
  const series = card.layout.lines.find(({ text }) => seriesAndNumber.test(text));
  const [, letters, digits] = seriesAndNumber.exec(series?.text ?? '') ?? [];
  if (series) return { document_number: composedValue(`${letters}${digits}`, 80, [{ line: series }]) };
  const headed = firstIn(card, /(?:^| )N[.º°o]{1,2} ?(\d{6,10}-\d)$/u);
  return headed ? { document_number: composedValue(headed.value, 76, headed.stretches) } : {};
}

/** A series and a number, as Romania's cards have them. */
const seriesAndNumber = /(?:^| )seria ([A-Z]{2}) n[ro]\.? ?(\d{6})(?!\d)/iu;

/** The number of a social security card of the US, the day of its issue and its country. */
function socialSecurity(card: Card): ComposedFields {
  const { layout, locale, captioned } = card;
  const number = firstIn(card, /(?<![\d-])(\d{3}-\d{2}-\d{4})(?![\d-])/);
  if (!number || !layout.lines.some(({ text }) => /s[o0]c.al secur|established for/i.test(text))) return {};
  const issued = captioned.issue_date ? null : onlyDay(layout, locale);
  return {
    ...(captioned.document_number ? {} : { document_number: composedValue(number.value, 84, number.stretches) }),
    ...(issued ? { issue_date: issued } : {}),
    ...(captioned.issuing_country ? {} : { issuing_country: composedValue('US', 78, number.stretches) }),
  };
}

/** The one day on a card, as a social security card has that of its issue; null where there are several. */
function onlyDay(layout: Layout, locale: Locale): ExtractedValue | null {
  const found = layout.lines.flatMap((line) => findDates(line.text).map((finding) => ({ line, finding })));
  const [only, ...others] = found;
  if (!only || others.length > 0) return null;
  const { start, end } = only.finding;
  return composedValue(resolveDate(only.finding, locale).value, 74, [{ line: only.line, start, end }]);
}

function countryAtHead({ isLicense, layout, captioned }: Card): ComposedFields {
  if (captioned.issuing_country) return {};
  const heads = layout.lines.filter((line, at) => at < titleLines || isAtHead(line, layout));
  const isEuropean = isLicense && isNumberedAsInEurope(layout);
  const ways = [
    (line: TextLine) => countryOfTitle(line.text) ?? countryBeforeTitle(line.text) ?? countryAlone(line, layout),
    (line: TextLine) => countryWithin(line.text),
    (line: TextLine) => countryOfSign(line, isEuropean),
  ];
  for (const countryIn of ways) {
    for (const line of heads) {
      const country = countryIn(line);
      if (country) return { issuing_country: composedValue(country, 78, [{ line }]) };
    }
  }
  return {};
}

/** France's number of a person: sex, year, month, place, order and check digits. */
export const frenchNumberForm = /(?<!\d)([12] \d{2} \d{2} \d[\dAB] \d{3} \d{3}(?: ?\d{2})?)(?!\d)/;

function frenchNumber(card: Card): ComposedFields {
  const number = card.captioned.personal_number ? null : firstIn(card, frenchNumberForm);
  return number ? { personal_number: composedValue(number.value, 84, number.stretches) } : {};
}

function sexOf(card: Card): ComposedFields {
  const population = firstIn(card, populationKey);
  // Mexico writes `M` for women, and `H` for men.
  if (population) return { sex: composedValue(population.value[10] === 'H' ? 'M' : 'F', 84, population.stretches) };
  if (card.captioned.sex) return {};
  const said = (text: string) => text.replace(/^.*\/ ?/, '');
  const [line, ...others] = card.layout.lines.filter(({ text }) => soleSex.test(said(text)));
  if (!line || others.length > 0) return {};
  return { sex: composedValue(sexOfWord(said(line.text)), 76, [{ line }]) };
}

/** Mexico's key of population: four letters of the names, birthday, sex, state, consonants and signs that part namesakes. */
const populationKey = /(?<![A-Z\d])([A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d)(?![A-Z\d])/;

/** What a card of India or Malaysia states without a caption. */
const soleSex = /^(?:MALE|FEMALE|Male|Female|LELAKI|PEREMPUAN)$/;

/** Numbers of cards whose form says what they are. */
function numbersByForm({ layout: { lines } }: Card): ComposedFields {
  const bracketed = lines.find(({ text }) => bracketedNumber.exec(text)?.[0] === text);
  if (bracketed) return { document_number: composedValue(bracketed.text, 80, [{ line: bracketed }]) };
  // A Malaysian number stands alone below the title, and the sex by its word.
  const malaysian = lines.find(({ text }) => /^\d{6}-\d{2}-\d{4}$/.test(text));
  return malaysian ? { document_number: composedValue(malaysian.text, 86, [{ line: malaysian }]) } : {};
}

/** Digits in groups of four, as India's cards have them below the picture, and those of the Philippines with dashes. */
function numberInGroups(card: Card, found: ComposedFields): ComposedFields {
  if (card.isLicense || known(card, found, 'document_number')) return {};
  const [line, ...others] = card.layout.lines.filter(({ text }) =>
    /^\d{4} \d{4} \d{4}$|^\d{4}(?:-\d{4}){3}$/.test(text),
  );
  if (!line || others.some(({ text }) => text !== line.text)) return {};
  return { document_number: composedValue(line.text, 80, [{ line }]) };
}

/** The number that cards print large and without a caption. */
function loneNumber(card: Card, found: ComposedFields): ComposedFields {
  if (known(card, found, 'document_number')) return {};
  const { lines } = card.layout;
  const numbers = lines.filter(
    (line) =>
      /^(?=\d*[A-Z])[A-Z\d]{6,12}$/.test(line.text) &&
      !isDiscriminator(line, card.layout) &&
      // Germany's have nine digits and consonants.
      (permanentAccountNumber.test(line.text) ||
        nineSigns.test(line.text) ||
        line.text.replace(/\D/g, '').length >= (/^[CFGHJKLMNPRTVWXYZ\d]{9}$/.test(line.text) ? 3 : 5)),
  );
  // Older licences have theirs in groups: `25 418 207`, `S 441 820 770 611`.
  const isGrouped = ({ text }: TextLine) => /^(?:[A-Z] )?\d{2,3}(?: \d{3}){2,3}$/.test(text);
  const [line, ...others] = numbers.length === 0 && card.isLicense ? lines.filter(isGrouped) : numbers;
  return line && others.length === 0 ? { document_number: composedValue(line.text, 72, [{ line }]) } : {};
}

/** Whether a number stands at the caption of a licence's document discriminator. */
function isDiscriminator(line: TextLine, layout: Layout): boolean {
  const { left, above } = neighboursOf(layout, line);
  return [left, above].some((caption) => caption !== null && /^5?[. ]*DD[.:]?$/.test(caption.text));
}

/** A number as long as a machine-readable zone has room for, of figures and letters: `4KZ7PTQ18`. */
const nineSigns = /^(?=(?:[A-Z]*\d){3})(?=(?:\d*[A-Z]){2})[A-Z\d]{9}$/;

/** A German number in which a zero was read as a letter. */
const germanNumber = /^(?=.*O)[CFGHJKLMNPRTVWXYZ\dO]{9}$/;

/** Germany's numbers have neither vowels nor the letters that look like figures. */
function germanZeros(card: Card, found: ComposedFields): ComposedFields {
  const number = known(card, found, 'document_number');
  if (issuerOf(card, found) !== 'DE' || !number || !germanNumber.test(String(number.value))) return {};
  return { document_number: { ...number, value: String(number.value).replaceAll('O', '0'), flags: ['corrected'] } };
}

const issuerOf = (card: Card, found: ComposedFields) => known(card, found, 'issuing_country')?.value;

function ownNationality(card: Card, found: ComposedFields): ComposedFields {
  const issuer = issuerOf(card, found);
  if (card.captioned.nationality || !issuer) return {};
  const line = card.layout.lines.find(({ text }) => nationalityAdjectives[foldText(text.trim())] === issuer);
  return line ? { nationality: composedValue(String(issuer), 74, [{ line }]) } : {};
}

/** Where the card's number is the holder's, or the other way round. */
function oneNumberForBoth(card: Card, found: ComposedFields): ComposedFields {
  const number = known(card, found, 'document_number');
  const own = known(card, found, 'personal_number');
  // Where the holder's own number is the only one, it is the card's.
  if (!number) return own ? { document_number: { ...own } } : {};
  // Spain's cards have the holder's number for theirs.
  const isSpanish = issuerOf(card, found) === 'ES' && /^\d{8}-?[A-Z]$/.test(String(number.value));
  return isSpanish && !card.captioned.personal_number ? { personal_number: number } : {};
}

function countryOfWords(card: Card, found: ComposedFields): ComposedFields {
  const { layout, locale, namesIssuer } = card;
  if (issuerOf(card, found) || locale.country === null || namesIssuer) return {};
  const line = layout.lines.find(
    ({ text }) => countryOf(text) === locale.country || /driver.?s? licen[sc]e/i.test(text),
  );
  return line ? { issuing_country: composedValue(locale.country, 62, [{ line }]) } : {};
}
