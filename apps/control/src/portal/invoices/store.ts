import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { findInvoice } from '../../money/invoices/store.ts';

/**
 * Checks that an invoice is a developer account's, and no draft.
 *
 * @throws ApiError `not_found` otherwise, the same as for an unknown one
 */
export async function requireOwnInvoice(
  transaction: TenantTransaction,
  developerId: string,
  invoiceId: string,
): Promise<void> {
  const invoice = await findInvoice(transaction, invoiceId);
  found(invoice?.developerId === developerId && invoice.number !== null ? invoice : null);
}
