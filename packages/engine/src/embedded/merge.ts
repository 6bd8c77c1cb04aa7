import type {
  ExtractedFields,
  ExtractedRow,
  ExtractedValue,
  Extraction,
  JsonValue,
  Provenance,
  ReadDocument,
  ValueFlag,
} from '@millrace/document-model';
import type { ExtractOptions } from '../extract-options.ts';
import { documentTypeOf } from '../types/registry.ts';
import type { EmbeddedInvoice } from './invoice.ts';
import { indexPrintedWords, normalizeText, type PrintedWords } from './printed.ts';
import type { EmbeddedValue, EmbeddedValues } from './value.ts';

/**
 * Replaces values read from the printed layer by the embedded invoice's, with confidence 100 and the flag `embedded`;
 * `printed_value_differs` is added if the printed layer shows a different value. Fields that the embedded invoice lacks
 * keep the value that was read.
 *
 * This applies to invoices and credit notes, the type that the embedded invoice states if the type is to be detected. A
 * result of any other type is not changed, apart from its classification, which the embedded invoice decides.
 *
 * An embedded value's provenance has the text of the XML, and the places where the same value is printed; if it is not
 * printed, an empty box on page 1.
 */
export function mergeEmbedded(
  embedded: EmbeddedInvoice,
  extraction: Extraction,
  options: Pick<ExtractOptions, 'docType' | 'fields'>,
  document: ReadDocument,
): Extraction {
  const classification = { docType: embedded.docType, confidence: 100 };
  const docType = options.docType === 'detect' ? embedded.docType : options.docType;
  if (docType !== 'invoice' && docType !== 'credit_note') return { ...extraction, classification };

  const type = documentTypeOf(docType);
  const names = new Set([...type.fields.map((field) => field.name), ...(type.rows === 'items' ? ['items'] : [])]);
  const wanted = (name: string) => names.has(name) && (options.fields?.includes(name) ?? true);
  const printed = Object.entries(extraction.fields).filter(([name]) => wanted(name));
  const fields: Record<string, ExtractedValue> = Object.fromEntries(printed);
  const words = indexPrintedWords(document);
  for (const [name, value] of Object.entries(fieldsOf(embedded, docType))) {
    if (wanted(name)) fields[name] = embeddedValue(value, fields[name], words);
  }

  const rows = embedded.lines.map((line) => rowOf(line, extraction.items ?? extraction.lines, words));
  const replaces = rows.length > 0 && (embedded.complete || rows.length >= rowCountOf(extraction));
  if (replaces && type.rows === 'items' && wanted('items')) fields.items = itemsOf(embedded);
  const { items, ...rest } = extraction;
  return {
    ...rest,
    ...(type.rows === 'items' && wanted('items') && { items: replaces ? rows : (items ?? []) }),
    docType,
    classification,
    locale: { ...extraction.locale, currency: currencyOf(embedded) ?? extraction.locale.currency },
    fields,
    lines:
      type.rows === 'lines' && (options.fields?.includes('lines') ?? true) ? (replaces ? rows : extraction.lines) : [],
    sources: [...extraction.sources.filter((source) => source !== 'embedded'), 'embedded'],
  };
}

function fieldsOf(embedded: EmbeddedInvoice, docType: 'invoice' | 'credit_note'): EmbeddedValues {
  if (docType === 'invoice') return embedded.fields;
  const { invoice_number, invoice_date, ...rest } = embedded.fields;
  return {
    ...rest,
    ...(invoice_number && { credit_note_number: invoice_number }),
    ...(invoice_date && { credit_note_date: invoice_date }),
  };
}

/** Below this the reading of the printed layer is no ground to call it different. */
const fairConfidence = 50;

function embeddedValue(value: EmbeddedValue, printed: ExtractedValue | undefined, words: PrintedWords): ExtractedValue {
  const flags: ValueFlag[] = ['embedded'];
  const same = printed !== undefined && sameValue(value.value, printed.value);
  if (printed && !same && printed.confidence >= fairConfidence && !words.shows(value.value)) {
    flags.push('printed_value_differs');
  }
  const places = same ? printed.provenance : placesOf(value, words);
  return valueAt(value, places, flags);
}

type Place = Pick<Provenance, 'page' | 'box'>;

/** Where the value is printed: in one line, or each of its lines separately. */
function placesOf({ value, text }: EmbeddedValue, words: PrintedWords): readonly Place[] {
  const whole = words.place(value);
  return whole ? [whole] : text.split('\n').flatMap((line) => words.place(line) ?? []);
}

const nowhere: Place = { page: 1, box: { x0: 0, y0: 0, x1: 0, y1: 0 } };

function valueAt(
  { value, text }: EmbeddedValue,
  places: readonly Place[],
  flags: readonly ValueFlag[],
): ExtractedValue {
  const provenance = (places.length === 0 ? [nowhere] : places).map(({ page, box }): Provenance => {
    return { page, box, text, source: 'embedded' };
  });
  return { value, confidence: 100, provenance, flags };
}

/** Equal, or one text within the other: the layers differ in how much of an address or a name they give. */
function sameValue(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < 0.005;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const [left, right] = [normalizeText(a), normalizeText(b)];
  return left.includes(right) || right.includes(left);
}

/** Cells take their place from the printed row of the same description and amount. */
function rowOf(line: EmbeddedValues, printedRows: Extraction['lines'], words: PrintedWords): ExtractedRow {
  const agrees = (printed: ExtractedValue | undefined, value: EmbeddedValue | undefined) =>
    printed !== undefined && value !== undefined && sameValue(printed.value, value.value);
  const printedRow = printedRows.find(
    (row) => agrees(row.description, line.description) && agrees(row.amount, line.amount),
  );
  return Object.fromEntries(
    Object.entries(line).map(([column, value]) => {
      const printed = printedRow?.[column];
      const printedPlaces = agrees(printed, value) ? printed?.provenance : null;
      const places = printedPlaces ?? (column === 'description' ? placesOf(value, words) : []);
      return [column, valueAt(value, places, ['embedded'])];
    }),
  );
}

/** The rows as one value, for the types that have them among their fields. */
function itemsOf(embedded: EmbeddedInvoice): ExtractedValue {
  const value = embedded.lines.map((line) =>
    Object.fromEntries(Object.entries(line).map(([column, cell]) => [column, cell.value])),
  );
  return valueAt({ value, text: '' }, [], ['embedded']);
}

function rowCountOf({
  fields,
  lines,
}: {
  readonly fields: ExtractedFields;
  readonly lines: Extraction['lines'];
}): number {
  const items = fields.items?.value;
  return Array.isArray(items) ? items.length : lines.length;
}

function currencyOf(embedded: EmbeddedInvoice): string | null {
  const currency = embedded.fields.currency?.value;
  return typeof currency === 'string' ? currency : null;
}
