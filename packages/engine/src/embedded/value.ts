import type { JsonValue } from '@millrace/document-model';
import type { XmlElement } from './xml.ts';

/** A value of the embedded invoice, normalised, and the text that stood in the XML. */
export interface EmbeddedValue {
  readonly value: JsonValue;
  readonly text: string;
}

export type EmbeddedValues = Readonly<Record<string, EmbeddedValue>>;

/** Keeps the entries that have a value. */
export function presentValues(values: Readonly<Record<string, EmbeddedValue | null>>): EmbeddedValues {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, EmbeddedValue] => entry[1] !== null),
  );
}

export function textOf(element: XmlElement | undefined): EmbeddedValue | null {
  return element?.text ? { value: element.text, text: element.text } : null;
}

/** Several elements' text as one value; empty and repeated ones are left out. Its text has them on a line each. */
export function joinedText(elements: readonly (XmlElement | undefined)[], separator: string): EmbeddedValue | null {
  const texts = [...new Set(elements.map((element) => element?.text ?? '').filter((text) => text !== ''))];
  return texts.length === 0 ? null : { value: texts.join(separator), text: texts.join('\n') };
}

/** An `xs:decimal`, as a JSON number. */
export function numberOf(element: XmlElement | undefined): EmbeddedValue | null {
  if (!element || !/^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/.test(element.text)) return null;
  return { value: Number(element.text), text: element.text };
}

/** The sum of several decimals, rounded to six places so that binary fractions do not show. */
export function sumOf(elements: readonly (XmlElement | undefined)[]): EmbeddedValue | null {
  const numbers = elements.map(numberOf).filter((number) => number !== null);
  if (numbers.length === 0) return null;
  if (numbers.length === 1) return numbers[0]!;
  const sum = numbers.reduce((total, number) => total + Number(number.value), 0);
  return { value: roundNumber(sum), text: numbers.map((number) => number.text).join(' + ') };
}

function roundNumber(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * A date as `YYYY-MM-DD`: UN/EDIFACT format 102 (`YYYYMMDD`), or ISO 8601 with or without a time. Dates that no
 * calendar has, months and weeks are null.
 */
export function dateOf(element: XmlElement | undefined): EmbeddedValue | null {
  const text = element?.text ?? '';
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})-(\d\d)-(\d\d)(?![\d-])/.exec(text);
  if (!match) return null;
  const iso = `${match[1]}-${match[2]}-${match[3]}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : { value: iso, text };
}

/** An IBAN, BIC or tax number without the spaces that some write into it. */
export function compactText(element: XmlElement | undefined): EmbeddedValue | null {
  return element?.text ? { value: element.text.replace(/\s/g, '').toUpperCase(), text: element.text } : null;
}

/**
 * Symbols of the units of measure that invoices use most, by their code in UN/ECE Recommendation 20 and 21. Any other
 * code is answered as it is.
 */
const unitSymbols: Readonly<Record<string, string>> = {
  C62: 'pcs',
  H87: 'pcs',
  EA: 'pcs',
  NAR: 'pcs',
  XPP: 'pcs',
  PR: 'pair',
  NPR: 'pair',
  SET: 'set',
  LS: 'lump sum',
  SEC: 's',
  MIN: 'min',
  HUR: 'h',
  DAY: 'day',
  WEE: 'week',
  MON: 'month',
  ANN: 'year',
  MMT: 'mm',
  CMT: 'cm',
  MTR: 'm',
  KMT: 'km',
  KTM: 'km',
  SMI: 'mi',
  MTK: 'm²',
  MTQ: 'm³',
  MLT: 'ml',
  LTR: 'l',
  GRM: 'g',
  KGM: 'kg',
  TNE: 't',
  KWH: 'kWh',
  MWH: 'MWh',
  P1: '%',
};

/** The unit of a quantity, by its `unitCode`. */
export function unitOf(quantity: XmlElement | undefined): EmbeddedValue | null {
  const code = quantity?.attributes.get('unitCode')?.trim();
  return code ? { value: unitSymbols[code] ?? code, text: code } : null;
}

/** A price for one unit, where the document may state it for several (`basis`). */
export function unitPriceOf(price: XmlElement | undefined, basis: XmlElement | undefined): EmbeddedValue | null {
  const amount = numberOf(price);
  const quantity = Number(numberOf(basis)?.value ?? 1);
  if (!amount || quantity === 1 || quantity <= 0) return amount;
  return { value: roundNumber(Number(amount.value) / quantity), text: `${amount.text} / ${basis?.text}` };
}

/** An address as it is printed: street, further lines, postal code and town, region, country. */
export function addressOf(parts: {
  readonly lines: readonly (string | undefined)[];
  readonly postalCode: XmlElement | undefined;
  readonly town: XmlElement | undefined;
  readonly region: XmlElement | undefined;
  /** Printed when the mail crosses a border. */
  readonly country: XmlElement | undefined;
}): EmbeddedValue | null {
  const town = joinedText([parts.postalCode, parts.town], ' ');
  const lines = parts.lines.filter((line) => line !== undefined && line !== '');
  if (typeof town?.value === 'string') lines.push(town.value);
  if (lines.length === 0) return null;
  if (parts.region?.text && parts.region.text !== parts.town?.text) lines.push(parts.region.text);
  if (parts.country?.text) lines.push(parts.country.text);
  return { value: lines.join(', '), text: lines.join('\n') };
}

const freight =
  /fracht|transport|versand|liefer|porto|freight|shipping|postage|delivery|carriage|livraison|spedizione|env[ií]o|verzend/i;

/** Whether a charge is for the transport, by its code (UNTDID 7161) or else by its stated reason. */
export function isFreightCharge(code: string | undefined, reason: string | undefined): boolean {
  return code === 'FC' || code === 'SAA' || freight.test(reason ?? '');
}
