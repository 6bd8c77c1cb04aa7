import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { findWithLines, listInvoices } from '../../money/invoices/store.ts';
import { downloadPdf, downloadXml } from '../../money/invoices/stored-document.ts';
import type { portalInvoiceOperations } from './contract.ts';
import { presentInvoice, presentWithLines } from './rules.ts';
import { requireOwnInvoice } from './store.ts';

/** Issued invoices of the caller's own developer account; another's are not found. */
export function portalInvoiceHandlers(): Handlers<typeof portalInvoiceOperations> {
  return {
    listPortalInvoices: async ({ query }, { transaction, caller }) => {
      const own = { ...query, developerId: caller.developerId, isNumbered: true };
      const { invoices, total } = await listInvoices(transaction, own);
      return { invoices: invoices.map(presentInvoice), total };
    },
    getPortalInvoice: async ({ params: { invoiceId } }, { transaction, caller }) => {
      await requireOwnInvoice(transaction, caller.developerId, invoiceId);
      return presentWithLines(found(await findWithLines(transaction, invoiceId)));
    },
    downloadPortalInvoicePdf: async ({ params: { invoiceId } }, { transaction, caller }) => {
      await requireOwnInvoice(transaction, caller.developerId, invoiceId);
      return downloadPdf(transaction, invoiceId);
    },
    downloadPortalInvoiceXml: async ({ params: { invoiceId }, query }, { transaction, caller }) => {
      await requireOwnInvoice(transaction, caller.developerId, invoiceId);
      return downloadXml(transaction, invoiceId, query.format);
    },
  };
}
