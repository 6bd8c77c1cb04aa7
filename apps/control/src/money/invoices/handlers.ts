import { findDeveloper } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import type { Invoice, InvoiceWithLines, invoiceOperations } from './contract.ts';
import { fileNameOf, pdfOf } from './documents.ts';
import { exportCsv } from './export.ts';
import { loadIssuer } from './issuing.ts';
import { mailTexts } from './mails.ts';
import { buyerOf, refuseIssue, refusePayment, refuseVoid, totalsOf } from './rules.ts';
import {
  findInvoice,
  findWithLines,
  insertPayment,
  issueInvoices,
  listInvoices,
  lockInvoice,
  updateInvoice,
} from './store.ts';
import { downloadPdf, downloadXml, loadDocument } from './stored-document.ts';

export function invoiceHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof invoiceOperations> {
  return {
    listInvoices: ({ query }, { transaction }) => listInvoices(transaction, query),
    getInvoice: async ({ params: { invoiceId } }, { transaction, now }) => {
      const invoice = found(await findWithLines(transaction, invoiceId));
      return withProblems(transaction, invoice, now);
    },
    getInvoicePdf: ({ params }, { transaction }) => downloadPdf(transaction, params.invoiceId),
    getInvoiceXml: ({ params, query }, { transaction }) => downloadXml(transaction, params.invoiceId, query.format),
    issueInvoice: async ({ params: { invoiceId } }, { transaction, now }) => {
      const before = found(await lockInvoice(transaction, invoiceId));
      const invoice = await withProblems(transaction, found(await findWithLines(transaction, invoiceId)), now);
      refuseIssue(before, invoice.problems);
      const issuer = await loadIssuer(transaction, now);
      const { buyer } = invoice;
      const treatment = issuer.treatmentOf(buyer);
      const totals = totalsOf(amountsOf(invoice), treatment);
      await issueInvoices(transaction, [{ id: invoiceId, buyer, treatment, totals }], issuer);
      const after = found(await findWithLines(transaction, invoiceId));
      return {
        data: { ...after, problems: [] },
        change: { entityId: invoiceId, before, after: found(await findInvoice(transaction, invoiceId)) },
      };
    },
    sendInvoice: async ({ params: { invoiceId } }, { transaction, now, mail }) => {
      const before = found(await lockInvoice(transaction, invoiceId));
      const { document, number } = await loadDocument(transaction, invoiceId, 'sent');
      const to = document.buyer.email;
      if (to === undefined) throw new ApiError('conflict', { message: 'The invoice has no e-mail address.' });
      const pdf = await pdfOf(document);
      await mail({
        to,
        ...mailTexts[document.language].invoice(document, before),
        attachments: [
          {
            fileName: fileNameOf(number, 'pdf'),
            mediaType: 'application/pdf',
            contentBase64: Buffer.from(pdf).toString('base64'),
          },
        ],
      });
      const after = await updateInvoice(transaction, invoiceId, { sentTo: to, sentAt: now });
      return { data: after, change: { entityId: invoiceId, before, after } };
    },
    addPayment: async ({ params, body }, { transaction, caller, now }) => {
      const { id, name } = caller;
      const paid = await pay(transaction, params.invoiceId, now, () => ({
        ...body,
        createdBy: id,
        createdByName: name,
      }));
      return { data: paid.after, change: { entityId: params.invoiceId, ...paid } };
    },
    markInvoicePaid: async ({ params, body }, { transaction, caller, now }) => {
      const { id, name } = caller;
      const paid = await pay(transaction, params.invoiceId, now, ({ dueMinor }) => ({
        ...body,
        amountMinor: dueMinor,
        createdBy: id,
        createdByName: name,
      }));
      return { data: paid.after, change: { entityId: params.invoiceId, ...paid } };
    },
    voidInvoice: async ({ params: { invoiceId }, body }, { transaction }) => {
      const before = found(await lockInvoice(transaction, invoiceId));
      refuseVoid(before, found(await findWithLines(transaction, invoiceId)).creditNotes);
      const after = await updateInvoice(transaction, invoiceId, { voidReason: body.reason });
      return { data: after, change: { entityId: invoiceId, before, after, note: body.reason } };
    },
    exportInvoices: async ({ query }, { organizationId, now }) => ({
      data: {
        text: exportCsv(database, organizationId, query),
        fileName: `invoices-${now.toISOString().slice(0, 10)}.csv`,
      },
      change: { entityId: null, before: null, after: query },
    }),
  };
}

type Stored = Omit<InvoiceWithLines, 'problems'>;

/** A draft as it would be issued now: to whom the developer is billed, and what is missing. */
async function withProblems(transaction: TenantTransaction, invoice: Stored, now: Date): Promise<InvoiceWithLines> {
  if (invoice.state !== 'draft') return { ...invoice, problems: [] };
  const buyer = buyerOf(found(await findDeveloper(transaction, invoice.developerId)));
  const { problemsOf } = await loadIssuer(transaction, now);
  return { ...invoice, buyer, problems: problemsOf({ ...invoice, buyer }, invoice.lines) };
}

function amountsOf({ lines }: Pick<Stored, 'lines'>): readonly number[] {
  return lines.map(({ amountMinor }) => amountMinor);
}

interface Payment {
  readonly amountMinor: number;
  readonly paidOn?: string | undefined;
  readonly reference: string;
  readonly createdBy: string;
  readonly createdByName: string;
}

async function pay(
  transaction: TenantTransaction,
  invoiceId: string,
  now: Date,
  paymentOf: (invoice: Invoice) => Payment,
) {
  const before = found(await lockInvoice(transaction, invoiceId));
  const { issueDate: today } = await loadIssuer(transaction, now);
  const payment = paymentOf(before);
  const values = { ...payment, paidOn: payment.paidOn ?? today };
  refusePayment(before, values, today);
  return { before, after: await insertPayment(transaction, before, values) };
}
