import {
  type InvoiceDocument,
  InvoiceDocumentError,
  invoicePdf,
  invoiceXml,
  type XmlFormat,
  xmlProblems,
} from '@millrace/invoice-documents';
import { civilDays, minorUnitOf } from '@millrace/pricing';
import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import type { Seller } from '../billing-settings/contract.ts';
import type { Buyer, InvoiceLine } from './contract.ts';
import { documentTexts } from './texts.ts';

type SellerFields = z.infer<typeof Seller>;

/** A line as a document states it, whether it is stored or about to be. */
export type DocumentedLine = Pick<
  InvoiceLine,
  | 'productName'
  | 'planName'
  | 'appName'
  | 'kind'
  | 'charge'
  | 'meter'
  | 'usage'
  | 'tier'
  | 'isFlatFee'
  | 'quantity'
  | 'unitPrice'
  | 'amountMinor'
  | 'share'
  | 'firstDay'
  | 'lastDay'
>;

/** What a document is made of, beside its lines. */
export interface Documented {
  readonly kind: InvoiceDocument['kind'];
  readonly number: string;
  readonly issueDate: string;
  /** Null for a credit note. */
  readonly dueDate: string | null;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly currency: string;
  readonly seller: SellerFields;
  readonly buyer: Buyer;
  readonly taxes: readonly Omit<InvoiceDocument['taxes'][number], 'exemptionReason'>[];
  readonly taxCategory: InvoiceDocument['taxes'][number]['category'];
  readonly taxRate: string;
  readonly exemptionReason: string | null;
  readonly precedingInvoice: InvoiceDocument['precedingInvoice'];
  readonly notes: readonly string[];
  readonly logo: Uint8Array | null;
}

const longestName = 200;

/** The document of an invoice or credit note. It states no payments: those come after it, and it never changes. */
export function documentOf(documented: Documented, lines: readonly DocumentedLine[]): InvoiceDocument {
  const { kind, currency, seller, buyer, taxes, taxCategory, taxRate, exemptionReason, dueDate, issueDate } =
    documented;
  const texts = documentTexts[buyer.language];
  const linesMinor = sum(lines.map(({ amountMinor }) => amountMinor));
  const taxMinor = sum(taxes.map((tax) => tax.taxMinor));
  const totalMinor = linesMinor + taxMinor;
  return {
    kind,
    number: documented.number,
    issueDate,
    dueDate,
    period: { from: documented.firstDay, to: documented.lastDay },
    currency,
    minorUnit: minorUnitOf(currency),
    language: buyer.language,
    seller: {
      name: seller.name,
      ...present({
        registration: seller.registration,
        vatId: seller.vatId,
        taxNumber: seller.taxNumber,
        phone: seller.phone,
      }),
      email: seller.email,
      contactName: seller.contactName,
      address: seller.address,
      bank: seller.bank && {
        iban: seller.bank.iban,
        accountName: seller.bank.accountName,
        ...present({ bic: seller.bank.bic }),
      },
    },
    buyer: {
      name: buyer.name,
      ...present({ contactName: buyer.contactName, vatId: buyer.vatId, reference: buyer.reference }),
      email: buyer.email,
      address: buyer.address ?? noAddress,
    },
    lines: lines.map((line) => ({
      group: `${line.productName} · ${line.planName} (${line.appName})`.slice(0, longestName),
      name: texts.lineName(line).slice(0, longestName),
      description: texts.lineDescription(line),
      quantity: line.quantity,
      unitCode: line.meter === 'request_bytes' || line.meter === 'response_bytes' ? 'AD' : 'C62',
      unitPrice: line.unitPrice,
      amountMinor: line.amountMinor,
      taxCategory,
      taxRate,
      period:
        line.firstDay === documented.firstDay && line.lastDay === documented.lastDay
          ? null
          : { from: line.firstDay, to: line.lastDay },
    })),
    taxes: taxes.map((tax) => ({ ...tax, exemptionReason })),
    linesMinor,
    taxMinor,
    totalMinor,
    paidMinor: 0,
    dueMinor: totalMinor,
    precedingInvoice: documented.precedingInvoice,
    notes: documented.notes,
    paymentTerms: dueDate === null || totalMinor <= 0 ? '' : texts.paymentTerms(dueDate),
    logo: documented.logo,
  };
}

const noAddress = { lines: [], postalCode: '', city: '', countryCode: 'ZZ' };

/** The fields that are known. */
function present<Fields extends Readonly<Record<string, string | null>>>(
  fields: Fields,
): { [Name in keyof Fields]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Name in keyof Fields]?: string;
  };
}

/** What is missing for an invoice to be issued, as sentences; empty if nothing is. */
export function problemsOf(
  documented: Omit<Documented, 'seller'> & { readonly seller: SellerFields | null },
  lines: readonly DocumentedLine[],
): string[] {
  const { seller, buyer } = documented;
  const problems: string[] = [];
  if (seller === null) problems.push('Complete the seller in the billing settings.');
  if (buyer.address === null) problems.push('Complete the developer’s billing profile.');
  if (seller === null || problems.length > 0) return problems;
  try {
    const missing = xmlProblems(documentOf({ ...documented, seller }, lines), 'factur-x');
    return missing.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`);
  } catch (error) {
    if (error instanceof InvoiceDocumentError) return [error.message];
    throw error;
  }
}

/** @throws ApiError `conflict` if the invoice lacks what the format needs */
export function xmlOf(document: InvoiceDocument, format: XmlFormat): string {
  try {
    return invoiceXml(document, format);
  } catch (error) {
    throw documentError(error);
  }
}

/** @throws ApiError `conflict` if the document can't be printed */
export async function pdfOf(document: InvoiceDocument): Promise<Uint8Array> {
  try {
    return await invoicePdf(document);
  } catch (error) {
    throw documentError(error);
  }
}

function documentError(error: unknown): unknown {
  return error instanceof InvoiceDocumentError
    ? new ApiError('conflict', { message: error.message, cause: error })
    : error;
}

/** A document's name as a file, of characters that every system takes. */
export function fileNameOf(number: string, extension: string): string {
  return `${number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.${extension}`;
}

/** The days of a line that is not stored yet. */
export function withDays<Line extends { readonly startsAt: string; readonly endsAt: string }>(
  line: Line,
  timeZone: string,
) {
  const { from, to } = civilDays({ from: line.startsAt, to: line.endsAt }, timeZone);
  return { ...line, firstDay: from, lastDay: to };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
