import type { Layout, Locale, TextLine } from '@millrace/document-model';
import { monthLanguagesOf } from '../candidates/date.ts';
import { currenciesIn, datesIn, numbersIn } from '../candidates/line-findings.ts';
import { matchesOf } from '../candidates/matches.ts';
import { isCardSized } from '../layout/card.ts';
import { lazy } from '../lazy.ts';
import { countryScores } from './country-evidence.ts';
import { languageScores } from './language.ts';

/** Lines that are looked at: evidence is plentiful after that many. */
const lineLimit = 600;
const lengthLimit = 400;

const commaLanguages = new Set(['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'ru', 'uk', 'sr', 'el']);
const pointCountries = new Set([
  'US',
  'GB',
  'IE',
  'MY',
  'SG',
  'IN',
  'AU',
  'NZ',
  'CA',
  'CH',
  'MX',
  'CN',
  'JP',
  'HK',
  'PH',
  'TH',
  'ZA',
  'LI',
]);
const countryOfLanguage: Readonly<Record<string, string>> = {
  de: 'DE',
  fr: 'FR',
  it: 'IT',
  nl: 'NL',
  pl: 'PL',
  sv: 'SE',
  da: 'DK',
  ms: 'MY',
};
const languageOfCountry: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(countryOfLanguage).map(([language, country]) => [country, language])),
  ...Object.fromEntries(['US', 'GB', 'IE', 'AU', 'NZ', 'CA', 'IN', 'SG', 'ZA', 'PH'].map((country) => [country, 'en'])),
  ...Object.fromEntries(['ES', 'MX', 'AR', 'CO', 'CL', 'PE'].map((country) => [country, 'es'])),
  AT: 'de',
  PT: 'pt',
  BR: 'pt',
};
/** The evidence of a card's home language, as a share of that for the likeliest. */
const homeShare = 0.3;
const fewestWords = 2.5;
const countryOfCurrency: Readonly<Record<string, string>> = {
  MYR: 'MY',
  GBP: 'GB',
  INR: 'IN',
  BRL: 'BR',
  SGD: 'SG',
  PLN: 'PL',
  SEK: 'SE',
  DKK: 'DK',
  CHF: 'CH',
  AUD: 'AU',
  ZAR: 'ZA',
};
/**
 * The currencies of which a picture's reader knows no sign (€, £), by country: others are printed in letters or with a
 * dollar sign, which it would have read.
 */
const unreadSigns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['AT', 'BE', 'DE', 'ES', 'FI', 'FR', 'GR', 'IE', 'IT', 'LU', 'NL', 'PT'].map((country) => [country, 'EUR']),
  ),
  GB: 'GBP',
};
const yearFirstCountries = new Set(['CN', 'JP', 'KR', 'TW', 'HU', 'LT', 'SE']);
const dollars: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  SG: 'SGD',
  HK: 'HKD',
  MX: 'MXN',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
  TW: 'TWD',
  MY: 'MYR',
};
const krones: Readonly<Record<string, string>> = { DK: 'DKK', NO: 'NOK', SE: 'SEK' };

/** What is reckoned in where no page says it, as on statements, payslips and forms. */
const nationalCurrencies: Readonly<Record<string, string>> = {
  ...dollars,
  ...krones,
  ...unreadSigns,
  ...Object.fromEntries(Object.entries(countryOfCurrency).map(([currency, country]) => [country, currency])),
};
/** Evidence of a country that is as good as a sign of its currency. */
const sureCountry = 3;

/**
 * How the document writes numbers and dates, its language, currency and country, from all of its evidence: numbers with
 * both separators or two decimals, dates with a day past the twelfth, names of months, stop words, signs of currency,
 * postal forms, calling codes, tax numbers.
 */
export function decideLocale(layout: Layout): Locale {
  const lines = layout.lines
    .slice(0, lineLimit)
    .map((line) => (line.text.length > lengthLimit ? { ...line, text: line.text.slice(0, lengthLimit) } : line));
  const scores = countryScores(lines);
  const spoken = languageScores(lines.map(({ text }) => text));
  const isForeign = neverCommas.has(scores[0]?.[0] ?? '') && writesCommas(lines, spoken);
  const countries = isForeign ? scores.filter(([each]) => !neverCommas.has(each)) : scores;
  const country = countries[0] && countries[0][1] >= 1.5 ? countries[0][0] : null;
  const home = isCardSized(layout) ? languageOfCountry[country ?? ''] : undefined;
  const language = decideLanguage(lines, spoken, country, home);
  const local = country ?? countryOfLanguage[language] ?? '';
  const national = nationalCurrencyOf(countries);
  const unread = isRecognised(lines) ? unreadSigns[local] : undefined;
  const currency = decideCurrency(lines, country) ?? unread ?? national ?? null;
  const decimalSeparator = decideSeparator(lines, language, country);
  const dateOrder = decideDateOrder(lines, language, country, currency);
  return {
    language,
    decimalSeparator,
    dateOrder,
    currency,
    country: country ?? countryOfLanguage[language] ?? countryOfCurrency[currency ?? ''] ?? null,
  };
}

/** The currency of the likeliest country, where all that speaks for countries with it makes it sure. */
function nationalCurrencyOf(countries: readonly (readonly [country: string, score: number])[]): string | undefined {
  const currency = nationalCurrencies[countries[0]?.[0] ?? ''];
  const evidence = countries.filter(([country]) => nationalCurrencies[country] === currency);
  return evidence.reduce((sum, [, score]) => sum + score, 0) >= sureCountry ? currency : undefined;
}

function isRecognised(lines: readonly TextLine[]): boolean {
  return lines.length > 0 && lines.every(({ words }) => words[0]?.source.startsWith('ocr:') ?? false);
}

/** A language with hardly more words than English says less than amounts that are written as in English. */
const clearLead = 2;
const fewestAmounts = 3;
/** The evidence of English beside that of French from which on a page is in both. */
const bilingualShare = 0.5;

type LanguageScores = ReturnType<typeof languageScores>;

/** @param home what a card's country speaks */
function decideLanguage(
  lines: readonly TextLine[],
  spoken: LanguageScores,
  country: string | null,
  home: string | undefined,
): string {
  const scores = new Map(spoken);
  for (const { text } of lines) {
    for (const [word] of matchesOf(/\p{L}{4,}/gu, text)) {
      const languages = monthLanguagesOf(word);
      for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 2 / languages.length);
    }
  }
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  // Of a card that has hardly a word its country says more: `Marco` is a month in Portuguese.
  if (home !== undefined && (best?.[1] ?? 0) < fewestWords) return home;
  if (!best || best[1] < 1) return 'en';
  const isClear = best[1] - (scores.get('en') ?? 0) >= clearLead;
  if (!isClear && country === null && commaLanguages.has(best[0]) && pointsOf(lines) >= fewestAmounts) return 'en';
  // The Canadian state's forms say everything twice, and in French with more words.
  if (country === 'CA' && best[0] === 'fr' && (scores.get('en') ?? 0) >= bilingualShare * best[1]) return 'en';
  // A card has hardly a word, and each of its captions in several languages: its country's own is the first of them.
  return home !== undefined && (scores.get(home) ?? 0) >= homeShare * best[1] ? home : best[0];
}

/** Countries that write no comma before decimals in any of their languages. */
const neverCommas = new Set(['US', 'GB', 'IE', 'AU', 'NZ', 'SG', 'MY', 'IN']);

/** Whether amounts are written with commas, in words of a language that does. */
function writesCommas(lines: readonly TextLine[], [best]: LanguageScores): boolean {
  return best !== undefined && commaLanguages.has(best[0]) && pointsOf(lines) <= -fewestAmounts;
}

/** How many amounts have a point before their two decimals, less those that have a comma there. */
function pointsOf(lines: readonly TextLine[]): number {
  const amounts = lines
    .flatMap((line) => numbersIn(line))
    .filter(({ decimals, confused }) => decimals === 2 && !confused);
  return amounts.reduce(
    (sum, { withPoint, withComma }) => sum + Number(withPoint !== null) - Number(withComma !== null),
    0,
  );
}

/**
 * Letters for which a dollar sign is taken that stands in a column of its own. Where there is no dollar, they are codes: a
 * British invoice has one for the standard rate of its tax.
 */
const misreadDollar = /^[sS]$/;
const fewestMisread = 3;

function decideCurrency(lines: readonly TextLine[], country: string | null): string | null {
  const scores = new Map<string, number>();
  for (const line of lines) {
    const { text } = line;
    for (const { start, end, value, quality } of currenciesIn(line)) {
      const sign = text.slice(start, end);
      const code =
        sign === '$' ? (dollars[country ?? ''] ?? value) : /^kr/i.test(sign) ? (krones[country ?? ''] ?? value) : value;
      // A code or sign beside a number is what the document reckons in; one in a sentence may be anything.
      const besideNumber = /\d\s?$/.test(text.slice(0, start)) || /^\s?-?\d/.test(text.slice(end));
      scores.set(code, (scores.get(code) ?? 0) + quality * (besideNumber ? 2 : 1));
    }
  }
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  const mayBeDollar = country === null || country in dollars;
  const isDollar = !best && mayBeDollar && lines.filter(({ text }) => misreadDollar.test(text)).length >= fewestMisread;
  return best?.[0] ?? (isDollar ? (dollars[country ?? ''] ?? 'USD') : null);
}

function decideSeparator(lines: readonly TextLine[], language: string, country: string | null): '.' | ',' {
  let point = 0;
  let comma = 0;
  for (const line of lines) {
    for (const finding of numbersIn(line)) {
      if (finding.confused || finding.decimals === 0) continue;
      if (finding.withPoint !== null && finding.withComma !== null) continue;
      // Forms leave room for a year behind its century: `, 20__`.
      if (line.text[finding.start] === ',') continue;
      // Quantities and rates have one decimal or four; money, which has two, says more.
      const weight = finding.decimals === 2 ? 1 : 0.25;
      if (finding.withPoint !== null) point += weight;
      else comma += weight;
    }
  }
  const usesComma = country && pointCountries.has(country) ? false : commaLanguages.has(language);
  if (usesComma) comma += 0.5;
  else point += 0.5;
  return comma > point ? ',' : '.';
}

/** A date as card terminals of Canada print it, beside the same day as the till does: `24/05/11`, `05/11/2024`. */
const shortYearFirst = /^(\d{2})[/.-](\d{2})[/.-](\d{2})$/;

function decideDateOrder(
  lines: readonly TextLine[],
  language: string,
  country: string | null,
  currency: string | null,
): Locale['dateOrder'] {
  let dayFirst = 0;
  let monthFirst = 0;
  let yearFirst = 0;
  const open = lazy(() =>
    lines.flatMap((line) => datesIn(line).flatMap(({ readings }) => (readings.length > 1 ? readings : []))),
  );
  for (const line of lines) {
    for (const { readings, namedMonth, start, end } of datesIn(line)) {
      const [only] = readings;
      if (!only || readings.length > 1) continue;
      const [, year, month, day] = shortYearFirst.exec(line.text.slice(start, end)) ?? [];
      const same = year ? open().find(({ value }) => value === `20${year}-${month}-${day}`) : undefined;
      if (same) {
        if (same.order === 'mdy') monthFirst += 1;
        else dayFirst += 1;
        continue;
      }
      if (namedMonth) {
        if (/^\p{L}/u.test(line.text.slice(start, end))) monthFirst += 0.4;
        continue;
      }
      if (only.order === 'ymd') yearFirst += 1;
      // 05/05/2018 reads the same either way.
      else if (only.value.slice(5, 7) === only.value.slice(8, 10)) continue;
      else if (only.order === 'dmy') dayFirst += 1;
      else monthFirst += 1;
    }
  }
  const american = country === 'US' || (country === null && language === 'en' && currency === 'USD');
  if (dayFirst + monthFirst === 0 && yearFirst > 0 && !american)
    return country && !yearFirstCountries.has(country) ? 'dmy' : 'ymd';
  // English Canada writes either; most of its programs put the month first.
  const isCanadian = country === 'CA' && language === 'en';
  if (american || isCanadian) monthFirst += 0.5;
  else dayFirst += 0.5;
  return monthFirst > dayFirst ? 'mdy' : 'dmy';
}
