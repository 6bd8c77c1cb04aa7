import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Download } from '../../frame/handler.ts';
import { findLogo } from '../billing-settings/store.ts';
import { documentOf, fileNameOf, pdfOf, xmlOf } from './documents.ts';
import { refuseUnnumbered } from './rules.ts';
import { findWithLines } from './store.ts';

/** The document of an invoice that was issued, as it was then. */
export async function loadDocument(transaction: TenantTransaction, invoiceId: string, doing: 'sent' | 'downloaded') {
  const invoice = found(await findWithLines(transaction, invoiceId));
  refuseUnnumbered(invoice, doing);
  const { number, issueDate, dueDate, seller, taxes, lines } = invoice;
  const [tax] = taxes;
  // An issued invoice has all of these.
  const document = documentOf(
    {
      ...invoice,
      kind: 'invoice',
      number: number!,
      issueDate: issueDate!,
      dueDate,
      seller: seller!,
      taxCategory: tax!.category,
      taxRate: tax!.rate,
      precedingInvoice: null,
      notes: [],
      logo: await findLogo(transaction),
    },
    lines,
  );
  return { document, number: number! };
}

/** An issued invoice as PDF/A-3, which contains its Factur-X. */
export async function downloadPdf(transaction: TenantTransaction, invoiceId: string): Promise<Download> {
  const { document, number } = await loadDocument(transaction, invoiceId, 'downloaded');
  return { text: await pdfOf(document), fileName: fileNameOf(number, 'pdf') };
}

/** An issued invoice as XML. */
export async function downloadXml(
  transaction: TenantTransaction,
  invoiceId: string,
  format: Parameters<typeof xmlOf>[1],
): Promise<Download> {
  const { document, number } = await loadDocument(transaction, invoiceId, 'downloaded');
  return { text: xmlOf(document, format), fileName: fileNameOf(number, 'xml') };
}
