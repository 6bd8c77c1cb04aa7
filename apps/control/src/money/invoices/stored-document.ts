import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { findLogo } from '../billing-settings/store.ts';
import { documentOf } from './documents.ts';
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
