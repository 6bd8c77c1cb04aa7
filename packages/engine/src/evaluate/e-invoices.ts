import path from 'node:path';
import type { JsonValue, ReadDocument } from '../document.ts';
import { readEmbeddedInvoice } from '../embedded/invoice.ts';
import { indexPrintedWords, type PrintedWords } from '../embedded/printed.ts';
import type { EmbeddedValue } from '../embedded/value.ts';
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
  const lines = (invoice?.lines ?? []).map((line) =>
    Object.fromEntries(
      Object.entries(line)
        .filter(([column]) => !(layer === 'printed' && column === 'unit'))
        .map(([column, value]) => [column, accepted(column, value)]),
    ),
  );
  // The smaller profiles have no lines, whatever is printed.
  const rows = lines.length > 0 ? lines : null;
  return { fields: Object.fromEntries(fields), rows, docType: invoice?.docType ?? 'invoice' };
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
const addressLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];
const addressCountries = ['DE', 'FR', 'ES', 'IT', 'NL', 'BE', 'AT', 'CH', 'LU', 'GB', 'PT', 'IE', 'DK', 'PL', 'US'];

/**
 * What the page prints in the place of a value of the XML: a name with its company form or without its salutation, an
 * address with its country. Amounts and quantities of a credit note stand below zero or, by its code, above, in the XML
 * as on the page, and not always alike.
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
    const forms = [...companyForms.map((form) => `${value} ${form}`), value.replace(salutation, '')];
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
