import { matchesOf } from './matches.ts';

/** Signs and usual abbreviations of currencies; a sign that several countries share stands for the most usual one. */
const signs: readonly (readonly [sign: string, code: string])[] = [
  ['US$', 'USD'],
  ['A$', 'AUD'],
  ['AU$', 'AUD'],
  ['C$', 'CAD'],
  ['CA$', 'CAD'],
  ['S$', 'SGD'],
  ['HK$', 'HKD'],
  ['NZ$', 'NZD'],
  ['NT$', 'TWD'],
  ['R$', 'BRL'],
  ['MX$', 'MXN'],
  ['RM', 'MYR'],
  ['Rs.', 'INR'],
  ['Rs', 'INR'],
  ['Rp', 'IDR'],
  ['S/', 'PEN'],
  ['S/.', 'PEN'],
  ['KSh', 'KES'],
  ['Ksh', 'KES'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₫', 'VND'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['Fr.', 'CHF'],
  ['SFr.', 'CHF'],
  ['kr', 'SEK'],
  ['kr.', 'DKK'],
  ['lei', 'RON'],
  ['$', 'USD'],
];

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Codes that are not often words besides; others count only right beside a number. */
const usualCodes = new Set(
  'USD EUR GBP CHF MYR SGD JPY CNY RMB INR AUD CAD NZD HKD TWD KRW THB IDR PHP VND BRL MXN ARS CLP PLN CZK HUF RON BGN SEK DKK NOK ISK ZAR AED SAR ILS RUB UAH TRY EGP NGN KES'.split(
    ' ',
  ),
);

/** Codes that stand beside numbers as units, words or forms of companies. */
const unitLike = new Set([
  'KGS',
  'TOP',
  'ALL',
  'PEN',
  'GEL',
  'BAM',
  'MOP',
  'CUP',
  'SOS',
  'LAK',
  'MAD',
  'SVC',
  'AOA',
  'ANG',
]);

const names: readonly (readonly [name: RegExp, code: string])[] = [
  [/\beuros?\b/iu, 'EUR'],
  [/\b(?:us|u\.s\.) dollars?\b/iu, 'USD'],
  [/\bpounds? sterling\b|\bpounds (?:and )?(?:\d{1,2} ?p\b|(?:\p{L}+[ -]){1,2}pence\b)|\bpounds only\b/iu, 'GBP'],
  // Amounts in English words are in pesos on the Philippines alone, and these letters stand behind Mexico's and Colombia's.
  [/\bpesos only\b/iu, 'PHP'],
  [/\bnaira\b/iu, 'NGN'],
  [/\bsingapore dollars\b/iu, 'SGD'],
  [/\bhong kong dollars\b/iu, 'HKD'],
  [/\b(?:uae|emirati?) dirhams\b/iu, 'AED'],
  [/\bpesos (?:\d\d|OO)\/100 m\. ?n\b/iu, 'MXN'],
  [/\bpesos (?:m\/cte|moneda corriente)\b/iu, 'COP'],
  [/\bringgit\b/iu, 'MYR'],
  [/\brupees\b/iu, 'INR'],
  [/\bschweizer franken\b|\bswiss francs?\b/iu, 'CHF'],
];

const signAlternatives = signs
  .map(([sign]) => sign.replace(/[.$]/g, '\\$&'))
  .sort((a, b) => b.length - a.length)
  .join('|');

/** A regular expression source for a currency's sign or code beside a number. */
export const currencySource = `(?:${signAlternatives}|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z]))`;

/** The rand's sign, a letter that stands for much else: right before an amount with cents, `R1 180.98`. */
const rand = `(?<![\\p{L}\\d])R(?= ?\\d{1,3}(?:[ ,]?\\d{3})*[.,]\\d{2}(?![\\d.,]))`;

/** The same before a number, where a single letter may be a sign as well. */
export const currencyBeforeSource = `(?:${currencySource}|${rand})`;

const codeOfSign = new Map(signs.toReversed().map(([sign, code]) => [sign.toLowerCase(), code]));

/** The ISO 4217 code of a sign, abbreviation or code such as `€`, `RM`, `EUR`; null where it is none. */
export function currencyOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (trimmed === 'R') return 'ZAR';
  const sign = codeOfSign.get(trimmed.toLowerCase());
  if (sign !== undefined) return sign;
  const code = trimmed.toUpperCase();
  if (code === 'RMB') return 'CNY';
  return /^[A-Z]{3}$/.test(code) && codes.has(code) && (trimmed === code || usualCodes.has(code)) ? code : null;
}

export interface CurrencyFinding {
  readonly start: number;
  readonly end: number;
  /** ISO 4217. */
  readonly value: string;
  readonly quality: number;
}

const mention = new RegExp(
  `(?<![\\p{L}])(?:${signAlternatives})(?![\\p{L}])|${rand}|(?<=\\d)€|(?<![\\p{L}\\d]|\\p{L}-)[A-Z]{3}(?![\\p{L}]|-\\p{L})`,
  'gu',
);

/** What stands before Friday: another weekday, from or besides which something is open. */
const weekday = /(?<!\p{L})(?:mo|di|mi|do|mon|tue|wed|thu)\p{L}{0,6}\.?(?: ?[-–—,/+&] ?| bis | und | to )$/iu;

/** The currencies named in a text, by sign, code or name. `$` alone is of low quality, since many countries use it. */
export function findCurrencies(text: string): CurrencyFinding[] {
  const findings: CurrencyFinding[] = [];
  for (const match of matchesOf(mention, text)) {
    const found = match[0];
    const value = currencyOf(found);
    if (value === null) continue;
    if (/^[A-Z]{3}$/.test(found) && !usualCodes.has(found)) {
      // A whole number may count what the letters are short for: `PAY STN 2`.
      const besideNumber =
        /[.,' ]\d{2,3} ?$/.test(text.slice(0, match.index)) ||
        /^(?: -?)?\d[\d.,' ]*[.,' ]\d{2,3}(?!\d)/.test(text.slice(match.index + 3));
      if (!besideNumber || unitLike.has(found) || /SDN\.? $/.test(text.slice(0, match.index))) continue;
    }
    // Registers are shortened as the ringgit is: `inscrita en el RM de Baleares`, `SIRET 791 440 882 00017 - RM 29`.
    const behind = text.slice(match.index + 2);
    // The province of Rome is shortened so, and has no number beside it: `00156 Roma RM`.
    const isProvince = /\p{L} ?\(?$/u.test(text.slice(0, match.index)) && !/^ ?-?[\d(]/.test(behind);
    if (
      found === 'RM' &&
      (/^ \p{Ll}/u.test(behind) ||
        (isProvince && /(?<!\d)\d{5} \p{Lu}/u.test(text)) ||
        (/^ \d{2}(?![\d.,])/.test(behind) && /siret|siren/iu.test(text)))
    )
      continue;
    // Friday and a woman are shortened as the franc is: `Mo.-Fr. 8-18 Uhr`, `Fr. Muster`.
    const isNoFranc = weekday.test(text.slice(0, match.index)) || /^ \p{L}/u.test(text.slice(match.index + 3));
    if (found === 'Fr.' && isNoFranc) continue;
    // Behind a number it is a hundredth of a franc.
    if (found === 'Rp' && /\d ?$/.test(text.slice(0, match.index))) continue;
    // India counts the width of its roads in feet: `100 Ft Road`.
    if (found === 'Ft' && /^ \p{Lu}/u.test(behind)) continue;
    const quality =
      found === '$' || /^k?r\.?$|^Fr\.$|^Ft$|^lei$/.test(found) ? 0.5 : /^[A-Z]{3}$/.test(found) ? 0.9 : 1;
    findings.push({ start: match.index, end: match.index + found.length, value, quality });
  }
  if (!/euro|dollar|dirham|naira|pounds|pesos|sterling|ringgit|rupees|fran[kc]/iu.test(text)) return findings;
  for (const [name, value] of names) {
    const match = name.exec(text);
    if (match) findings.push({ start: match.index, end: match.index + match[0].length, value, quality: 0.8 });
  }
  return findings;
}
