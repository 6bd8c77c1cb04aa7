import type { Portal } from './data.ts';
import type { Html } from './html.ts';
import type { Language, Texts } from './texts/texts.ts';

/** What every page needs besides its own data. */
export interface PageContext {
  readonly portal: Portal;
  readonly language: Language;
  readonly texts: Texts;
  /** Path that the portal's addresses begin with, without a slash at the end: `/portal/acme`, or empty at its own host. */
  readonly basePath: string;
  /** The same as a URL, such as `https://developers.acme.example`. */
  readonly baseUrl: string;
  /** Files that pages load, as paths. */
  readonly files: PageFiles;
  /** Whether the visitor is signed in: the header then leads to the account. */
  readonly signedIn: boolean;
  /** Prose of somebody's Markdown. */
  markdown(source: string): Html;
}

export interface PageFiles {
  readonly style: string;
  readonly theme: string;
  readonly script: string;
  readonly font: string;
}

/** The path of a page, such as `/portal/acme/products/orders`. */
export function pathTo({ basePath }: Pick<PageContext, 'basePath'>, ...segments: readonly string[]): string {
  return `${basePath}/${segments.map(encodeURIComponent).join('/')}`;
}

/** A query of what is given, with its question mark; empty if nothing is. */
export function queryOf(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** A decimal such as `1000.5` in the page's language, exactly. */
export function formatNumber({ language }: Pick<PageContext, 'language'>, decimal: number | string): string {
  return numberFormats[language].format(decimal as number);
}

/** A price in major units, exactly: prices of single calls have more digits than a currency's coins. */
export function formatMoney({ language }: Pick<PageContext, 'language'>, decimal: string, currency: string): string {
  const format = moneyFormat(language, currency);
  const digits = format.resolvedOptions().minimumFractionDigits ?? 0;
  const fraction = decimal.split('.')[1]?.replace(/0+$/, '') ?? '';
  // Whole amounts go without their zeros.
  if (fraction === '') return moneyFormat(language, currency, 0, 0).format(decimal as unknown as number);
  return moneyFormat(language, currency, digits, Math.max(digits, 12)).format(decimal as unknown as number);
}

/** An amount in major units with all digits of the currency, as a sum has it. */
export function formatAmount({ language }: Pick<PageContext, 'language'>, decimal: string, currency: string): string {
  return moneyFormat(language, currency).format(decimal as unknown as number);
}

/** To make a format costs more than to use it a hundred times. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(language: Language, currency: string, least?: number, most?: number): Intl.NumberFormat {
  const key = `${language} ${currency} ${least} ${most}`;
  let format = moneyFormats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...(least === undefined ? {} : { minimumFractionDigits: least }),
      ...(most === undefined ? {} : { maximumFractionDigits: most }),
    });
    moneyFormats.set(key, format);
  }
  return format;
}

function formatsOf<Format>(make: (language: Language) => Format): Readonly<Record<Language, Format>> {
  return { en: make('en'), de: make('de') };
}

const numberFormats = formatsOf((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 12 }));
const dayFormats = formatsOf((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }));
const timeFormats = formatsOf(
  (language) =>
    new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
);

/** A day such as `January 15, 2026`, in UTC. */
export function formatDay({ language }: Pick<PageContext, 'language'>, time: string): string {
  return dayFormats[language].format(new Date(time));
}

/** A time such as `January 15, 2026 at 9:00 AM UTC`. */
export function formatTime({ language }: Pick<PageContext, 'language'>, time: string): string {
  return timeFormats[language].format(new Date(time));
}
