import path from 'node:path';
import type { ReadDocument } from '../document.ts';
import { readEmbeddedInvoice } from '../embedded/invoice.ts';
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
  const fields = Object.entries(invoice?.fields ?? {})
    .filter(
      ([name, { value }]) =>
        name !== 'original_invoice_number' && !(layer === 'printed' && oftenZero.has(name) && value === 0),
    )
    .map(([name, value]) => [name, acceptedValues(name, value)]);
  const lines = (invoice?.lines ?? []).map((line) =>
    Object.fromEntries(
      Object.entries(line)
        .filter(([column]) => !(layer === 'printed' && column === 'unit'))
        .map(([column, value]) => [column, acceptedValues(column, value)]),
    ),
  );
  // The smaller profiles have no lines, whatever is printed.
  const rows = lines.length > 0 ? lines : null;
  return { fields: Object.fromEntries(fields), rows, docType: invoice?.docType ?? 'invoice' };
}

/** A description may stop after the product's name; an address may leave out the country. */
function acceptedValues(name: string, { value, text }: EmbeddedValue): AcceptedValues {
  const lines = text.split('\n');
  if (name === 'description' && lines.length > 1) return [value, lines[0]!];
  if (name.endsWith('_address') && /^[A-Z]{2}$/.test(lines.at(-1)!)) return [value, lines.slice(0, -1).join(', ')];
  return [value];
}
