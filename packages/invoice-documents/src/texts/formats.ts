import { toMajor, trimDecimal } from '../amounts.ts';
import type { DateRange, InvoiceDocument } from '../document.ts';
import { textsOf } from './texts.ts';

/** Writes a document's values as its language prints them. */
export interface Formats {
  /** With the currency's sign, such as €1,234.50 or 1.234,50 €. */
  money(amountMinor: number): string;
  /** Without a sign, for a column. */
  amount(amountMinor: number): string;
  /** A price in major units with all of its decimals, at least as many as the currency has. */
  price(decimal: string): string;
  number(decimal: string): string;
  date(date: string): string;
  range(range: DateRange): string;
  country(code: string): string;
}

/** `Intl` formats decimal text exactly, whatever its length; TypeScript wants it as a literal type. */
type Decimal = `${number}`;

export function formatsOf(document: Pick<InvoiceDocument, 'language' | 'currency' | 'minorUnit'>): Formats {
  const { currency, minorUnit } = document;
  const { locale, dates } = textsOf(document.language);
  const digits = { minimumFractionDigits: minorUnit, maximumFractionDigits: minorUnit };
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
  const amount = new Intl.NumberFormat(locale, digits);
  const price = new Intl.NumberFormat(locale, { minimumFractionDigits: minorUnit, maximumFractionDigits: 12 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 12 });
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  // A true minus sign is as wide as a figure.
  const format = (formatter: Intl.NumberFormat, decimal: string) =>
    formatter.format(decimal as Decimal).replace('-', '−');
  const formatDate = (text: string) => dates.format(new Date(`${text}T00:00:00Z`));
  return {
    money: (amountMinor) => format(money, toMajor(amountMinor, minorUnit)),
    amount: (amountMinor) => format(amount, toMajor(amountMinor, minorUnit)),
    price: (decimal) => format(price, decimal),
    number: (decimal) => format(number, trimDecimal(decimal)),
    date: formatDate,
    range: ({ from, to }) => `${formatDate(from)} – ${formatDate(to)}`,
    country: (code) => countries.of(code) ?? code,
  };
}
