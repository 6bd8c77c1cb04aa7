import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { extract } from '@millrace/engine/extract';
import { createReader } from '@millrace/engine/read/reader';
import { pricingOf, toMajor } from './amounts.ts';
import type { InvoiceDocument, PostalAddress } from './document.ts';
import { generateInvoice } from './invoices-testing.ts';
import { invoicePdf } from './pdf/invoice-pdf.ts';
import { xmlProblems } from './xml/invoice-xml.ts';

const reader = createReader();
after(() => reader.close());

const documents = Array.from({ length: 260 }, (_, index) => generateInvoice(index));
const selection = documents.slice(0, 18);

type Values = Readonly<Record<string, unknown>>;

/** What the XML and the print both state, under the names of the extraction's fields; null where it is absent. */
function statedFields(document: InvoiceDocument): Values {
  const { seller, buyer, period, taxes, precedingInvoice } = document;
  const isInvoice = document.kind === 'invoice';
  return {
    [isInvoice ? 'invoice_number' : 'credit_note_number']: document.number,
    [isInvoice ? 'invoice_date' : 'credit_note_date']: document.issueDate,
    due_date: document.dueDate,
    original_invoice_number: precedingInvoice?.number ?? null,
    vendor_name: seller.name,
    vendor_email: seller.email,
    vendor_phone: seller.phone,
    customer_name: buyer.name,
    subtotal: amount(document, document.linesMinor),
    tax_amount: amount(document, document.taxMinor),
    tax_rate: taxes.length === 1 ? Number(taxes[0]!.rate) : null,
    total_amount: amount(document, document.totalMinor),
    amount_paid: document.paidMinor === 0 ? null : amount(document, document.paidMinor),
    service_start_date: period?.from ?? null,
    service_end_date: period?.to ?? null,
    currency: document.currency,
  };
}

function statedInXml(document: InvoiceDocument): Values {
  const { seller, buyer, taxes } = document;
  const isAbroad = seller.address.countryCode !== buyer.address.countryCode;
  return {
    ...statedFields(document),
    payment_terms: document.paymentTerms,
    vendor_address: addressOf(seller.address, isAbroad ? seller.address.countryCode : ''),
    customer_address: addressOf(buyer.address, isAbroad ? buyer.address.countryCode : ''),
    // Outside the scope of VAT, EN 16931 allows no VAT ID.
    vendor_tax_id: taxes[0]?.category === 'O' ? seller.taxNumber : seller.vatId,
    amount_due: amount(document, document.dueMinor),
    iban: seller.bank?.iban.replaceAll(' ', '') ?? null,
    bic: seller.bank?.bic ?? null,
  };
}

/**
 * The extraction knows some countries' names only, so that a printed address may come without its last line, and does
 * not always find a tax amount of 0.
 */
function statedInPrint(document: InvoiceDocument): Values {
  const { seller, buyer, taxes } = document;
  const hasNoRate = taxes[0]?.category === 'O';
  const bank = document.kind === 'invoice' && document.dueMinor > 0 ? seller.bank : null;
  const stated = statedFields(document);
  return {
    ...stated,
    payment_terms: document.paymentTerms,
    vendor_address: addressOf(seller.address, ''),
    customer_address: addressOf(buyer.address, ''),
    vendor_tax_id: seller.vatId,
    tax_amount: document.taxMinor === 0 ? null : stated.tax_amount,
    tax_rate: hasNoRate ? null : stated.tax_rate,
    amount_due: document.paidMinor === 0 ? null : amount(document, document.dueMinor),
    iban: bank?.iban.replaceAll(' ', '') ?? null,
    bic: bank?.bic ?? null,
  };
}

function amount({ minorUnit }: InvoiceDocument, amountMinor: number): number {
  return Number(toMajor(amountMinor, minorUnit));
}

function addressOf({ lines, postalCode, city }: PostalAddress, country: string): string {
  return [...lines, `${postalCode} ${city}`, country].filter((line) => line !== '').join(', ');
}

/** Where the extraction of a document's PDF differs from what is stated, each as `field: expected, read`. */
async function differences(
  document: InvoiceDocument,
  stated: Values,
  options: { readonly ignoreEmbedded: boolean },
): Promise<readonly string[]> {
  const pdf = await invoicePdf(document);
  const limits = { sizeBytes: 10_000_000, pages: 100 };
  const {
    docType,
    fields,
    lines,
    items = [],
  } = await extract(pdf, { docType: 'detect', fields: null, limits, ...options }, reader);
  const rows = document.kind === 'invoice' ? lines : items;
  const found: string[] = [];
  const compare = (name: string, expected: unknown, read: unknown) => {
    if (expected !== (read ?? null))
      found.push(`${name}: ${JSON.stringify(expected)}, ${JSON.stringify(read ?? null)}`);
  };
  compare('document type', document.kind, docType);
  for (const [name, expected] of Object.entries(stated)) {
    if (expected === null) continue;
    const read = fields[name]?.value;
    const isAddress = typeof read === 'string' && name.endsWith('_address');
    compare(name, expected, isAddress ? read.slice(0, String(expected).length) : read);
  }
  compare('number of lines', document.lines.length, rows.length);
  for (const [index, line] of document.lines.entries()) {
    const row = rows[index] ?? {};
    const { quantity, unitPrice } = pricingOf(line);
    const description = String(row.description?.value);
    compare(`line ${index} name`, line.name, description.slice(0, line.name.length));
    compare(`line ${index} description`, true, description.includes(line.description));
    compare(`line ${index} quantity`, Number(quantity), row.quantity?.value);
    compare(`line ${index} price`, Number(unitPrice), row.price_unit?.value);
    compare(`line ${index} amount`, amount(document, line.amountMinor), row.amount?.value);
    if (line.taxCategory !== 'O') compare(`line ${index} rate`, Number(line.taxRate), row.tax_rate?.value);
  }
  return found;
}

test('every value is read back from the electronic form', async () => {
  const read = process.env.MILLRACE_FULL === '1' ? documents : selection;
  const electronic = read.filter((document) => xmlProblems(document, 'factur-x').length === 0);
  for (const document of electronic) {
    assert.deepEqual(
      await differences(document, statedInXml(document), { ignoreEmbedded: false }),
      [],
      `${document.number} ${document.language}`,
    );
  }
});

test('every value is read back from print alone', async () => {
  for (const document of selection) {
    assert.deepEqual(
      await differences(document, statedInPrint(document), { ignoreEmbedded: true }),
      [],
      `${document.number} ${document.language}`,
    );
  }
});
