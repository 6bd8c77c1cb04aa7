import path from 'node:path';
import type { JsonValue, ReadDocument } from '@millrace/document-model';
import { type EmbeddedInvoice, readEmbeddedInvoice } from '@millrace/engine/embedded/invoice';
import { indexPrintedWords, type PrintedWords } from '@millrace/engine/embedded/printed';
import type { EmbeddedValue } from '@millrace/engine/embedded/value';
import type { AcceptedValues, EvaluationCase, Truth } from './cases.ts';
import { listElectronicInvoices } from './datasets.ts';

/**
 * The PDF invoices with embedded XML.
 *
 * @param layer `embedded` asks for the embedded invoice's own values; `printed` reads the pages alone and counts
 * separately what is printed at all.
 */
export async function electronicInvoiceCases(
  dataFolder: string,
  layer: 'embedded' | 'printed',
): Promise<readonly EvaluationCase[]> {
  const files = await listElectronicInvoices(dataFolder);
  return files.map((file) => ({
    key: path.basename(file.path),
    path: file.path,
    words: null,
    docType: 'invoice',
    ignoreEmbedded: layer === 'printed',
    truth: async (document) => truthOfEmbedded(await document(), layer),
    countPrinted: layer === 'printed',
  }));
}

/** Sums of nothing are seldom printed, and units of measure in words: the printed layer is not asked for them. */
const oftenZero = new Set(['discount_amount', 'shipping_amount', 'amount_paid']);

function truthOfEmbedded(document: ReadDocument, layer: 'embedded' | 'printed'): Truth {
  const invoice = readEmbeddedInvoice(document.attachments);
  const words = indexPrintedWords(document);
  const isCredit = invoice?.docType === 'credit_note' || Number(invoice?.fields.total_amount?.value ?? 0) < 0;
  const accepted = (name: string, value: EmbeddedValue): AcceptedValues => {
    const values = acceptedValues(name, value);
    return layer === 'printed' ? [...values, ...printedForms(name, value, isCredit, words)] : values;
  };
  const fields = Object.entries(invoice?.fields ?? {})
    .filter(
      ([name, { value }]) =>
        name !== 'original_invoice_number' && !(layer === 'printed' && oftenZero.has(name) && value === 0),
    )
    .map(([name, value]) => [name, accepted(name, value)]);
  const netAmounts = layer === 'printed' && invoice ? netLineAmounts(invoice) : null;
  const lines = (invoice?.lines ?? []).map((line, index) =>
    Object.fromEntries(
      Object.entries(line)
        .filter(([column]) => !(layer === 'printed' && column === 'unit'))
        .map(([column, value]) => [
          column,
          column === 'amount' && netAmounts
            ? ([...accepted(column, value), netAmounts[index]!] as const)
            : accepted(column, value),
        ]),
    ),
  );
  // The smaller profiles have no lines, whatever is printed.
  const rows = lines.length > 0 ? lines : null;
  return { fields: Object.fromEntries(fields), rows, docType: invoice?.docType ?? 'invoice' };
}

/**
 * The amounts of an invoice's lines without tax, where its XML contradicts itself: the lines' amounts have the tax in
 * them, as EN 16931 (BT-131) forbids, and do not make the sum of lines that the XML states (BR-CO-10), while quantity
 * and net price do. A page that prints the net amounts then says what the XML's own sum says. Null for any other XML.
 */
export function netLineAmounts({ fields, lines }: Pick<EmbeddedInvoice, 'fields' | 'lines'>): readonly number[] | null {
  const numbersOf = (column: string) => lines.map((line) => Number(line[column]?.value ?? Number.NaN));
  const [quantities, prices, rates, amounts] = ['quantity', 'price_unit', 'tax_rate', 'amount'].map(numbersOf) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const net = quantities.map((quantity, index) => Math.round(quantity * prices[index]! * 100) / 100);
  const isTaxed = amounts.every((amount, index) => isNear(amount, net[index]! * (1 + rates[index]! / 100)));
  const stated = Number(fields.subtotal?.value ?? Number.NaN);
  return isTaxed && isNear(sumOf(net), stated) && !isNear(sumOf(amounts), stated) ? net : null;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.015;
}

/** Company forms that an XML's name leaves out and a letterhead has. */
const companyForms = [
  'SARL',
  'SAS',
  'SA',
  'GmbH',
  'AG',
  'KG',
  'Ltd',
  'Ltd.',
  'Limited',
  'Inc.',
  'BV',
  'S.L.',
  'S.r.l.',
];
const salutation = /^(?:herrn?|frau|mr\.?|mrs\.?|ms\.?|monsieur|madame|m\.|mme)\s+/i;
const partyNumbers = /^GLN:?\s*\d{13}\s*(?:\p{L}[\p{L}.-]*[- ]Nr\.?\s*:?\s*\d+\s+)?/iu;
const addressLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];
const addressCountries = ['DE', 'FR', 'ES', 'IT', 'NL', 'BE', 'AT', 'CH', 'LU', 'GB', 'PT', 'IE', 'DK', 'PL', 'US'];

/**
 * What the page prints instead of a value of the XML: a name with its company form, or without its salutation or the
 * party's numbers, an address with its country. Amounts and quantities of a credit note are negative or, by its code,
 * positive, in the XML as on the page, and not always the same.
 */
function printedForms(
  name: string,
  { value, text }: EmbeddedValue,
  isCredit: boolean,
  words: PrintedWords,
): JsonValue[] {
  if (typeof value === 'number') return isCredit && value !== 0 ? [-value] : [];
  if (typeof value !== 'string') return [];
  if (name.endsWith('_name')) {
    const forms = [
      ...companyForms.map((form) => `${value} ${form}`),
      value.replace(salutation, ''),
      withoutPartyNumbers(value),
    ];
    return forms.filter((form) => form !== value && words.shows(form));
  }
  if (name.endsWith('_address')) {
    const lines = text.split('\n');
    const local = (/^[A-Z]{2}$/.test(lines.at(-1)!) ? lines.slice(0, -1) : lines).join(', ');
    return addressCountries
      .flatMap((code) => addressLanguages.map((language) => countryName(language, code)))
      .map((country) => `${local}, ${country}`)
      .filter((form) => words.place(form) !== null);
  }
  return [];
}

/**
 * A party's name without the numbers (EN 16931, BT-29 and BT-46) that some XML writes before it: a GLN, the supplier's
 * or the customer's number. They have fields of their own and are no part of a name.
 */
export function withoutPartyNumbers(name: string): string {
  return name.replace(partyNumbers, '');
}

function countryName(language: string, code: string): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}

/** A description may stop after the product's name; an address may leave out the country. */
function acceptedValues(name: string, { value, text }: EmbeddedValue): AcceptedValues {
  const lines = text.split('\n');
  if (name === 'description' && lines.length > 1) return [value, lines[0]!];
  if (name.endsWith('_address') && /^[A-Z]{2}$/.test(lines.at(-1)!)) return [value, lines.slice(0, -1).join(', ')];
  return [value];
}
