import { civilDayOf, toMajor } from '@millrace/pricing';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { loadPersons, refuseSamePerson } from '../../frame/persons.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { needsApproval } from '../billing-settings/rules.ts';
import { findBillingSettings, findLogo } from '../billing-settings/store.ts';
import type { InvoiceWithLines } from '../invoices/contract.ts';
import { documentOf, fileNameOf, pdfOf } from '../invoices/documents.ts';
import { findWithLines, lockInvoice } from '../invoices/store.ts';
import { documentTexts } from '../invoices/texts.ts';
import type { CreditNoteWithLines, creditNoteOperations } from './contract.ts';
import { partsOf, refuseCredit, refuseDecision, refuseUnissued } from './rules.ts';
import {
  findCreditNote,
  insertCreditNote,
  issueCreditNote,
  listCreditNotes,
  rejectCreditNote,
  sumCredited,
} from './store.ts';

export function creditNoteHandlers(): Handlers<typeof creditNoteOperations> {
  return {
    createCreditNote: async ({ params: { invoiceId }, body }, { transaction, caller, now }) => {
      refuseCredit(found(await lockInvoice(transaction, invoiceId)));
      const invoice = found(await findWithLines(transaction, invoiceId));
      const credited = await sumCredited(transaction, invoiceId);
      const [tax] = invoice.taxes;
      const parts = partsOf(body.credit, {
        currency: invoice.currency,
        lines: invoice.lines.map(({ position, amountMinor }) => ({
          amountMinor,
          taxCategory: tax!.category,
          taxRate: tax!.rate,
          creditedMinor: credited.byPosition.get(position) ?? 0,
        })),
        taxes: invoice.taxes.map((of) => ({ ...of, creditedMinor: credited.taxMinorOf(of) })),
      });
      const lines = invoice.lines
        .map(({ position }, index) => ({ position, amountMinor: parts.lines[index]! }))
        .filter(({ amountMinor }) => amountMinor !== 0);
      const basisMinor = lines.reduce((total, { amountMinor }) => total + amountMinor, 0);
      const taxes = invoice.taxes.map(({ category, rate }, index) => ({
        category,
        rate,
        basisMinor,
        taxMinor: parts.taxes[index]!,
      }));
      const { authorKeys } = await loadPersons(transaction, caller);
      const by = { requestedBy: caller.id, requestedByName: caller.name, authorKeys };
      const id = await insertCreditNote(transaction, { invoiceId, reason: body.reason, taxes, lines, ...by });
      const settings = await findBillingSettings(transaction);
      const { settings: organization } = found(await findOrganization(transaction, transaction.tenantId));
      const { totalMinor } = parts;
      const waits = needsApproval({ amountMinor: totalMinor, currency: invoice.currency }, settings, organization);
      if (waits) {
        const approvers = await listHolders(transaction, 'billing.write', caller.userIds);
        const title = `A credit note on ${invoice.number} by ${caller.name} waits for approval`;
        const userIds = approvers.map((approver) => approver.id);
        await notify(transaction, { userIds, kind: 'credit_note', title, link: `/invoices/credit-notes/${id}` }, now);
      }
      const issueDate = civilDayOf(now.toISOString(), settings.timeZone);
      const after = waits
        ? found(await findCreditNote(transaction, id)).creditNote
        : await issueCreditNote(transaction, { id, invoiceId, totalMinor }, issueDate, null);
      return { data: after, change: { entityId: id, before: null, after, note: body.reason } };
    },
    listCreditNotes: ({ query }, { transaction }) => listCreditNotes(transaction, query),
    getCreditNote: async ({ params: { creditNoteId } }, { transaction }) =>
      found(await findCreditNote(transaction, creditNoteId)).creditNote,
    getCreditNotePdf: async ({ params: { creditNoteId } }, { transaction }) => {
      const { creditNote } = found(await findCreditNote(transaction, creditNoteId));
      refuseUnissued(creditNote);
      const invoice = found(await findWithLines(transaction, creditNote.invoiceId));
      const document = creditDocument(creditNote, invoice, await findLogo(transaction));
      return { text: await pdfOf(document), fileName: fileNameOf(document.number, 'pdf') };
    },
    approveCreditNote: async ({ params: { creditNoteId } }, { transaction, caller, now }) => {
      const { creditNote: before, authorKeys } = await lockCreditNote(transaction, creditNoteId);
      refuseDecision(before);
      const own = 'You requested this credit note. Ask someone else to approve it.';
      refuseSamePerson(await loadPersons(transaction, caller), authorKeys, own);
      const { timeZone } = await findBillingSettings(transaction);
      const issueDate = civilDayOf(now.toISOString(), timeZone);
      const after = await issueCreditNote(transaction, before, issueDate, { by: caller, now });
      return { data: after, change: { entityId: creditNoteId, before, after } };
    },
    rejectCreditNote: async ({ params: { creditNoteId }, body }, { transaction, caller, now }) => {
      const { creditNote: before } = await lockCreditNote(transaction, creditNoteId);
      refuseDecision(before);
      const after = await rejectCreditNote(transaction, creditNoteId, { by: caller, now, reason: body.reason });
      return { data: after, change: { entityId: creditNoteId, before, after, note: body.reason } };
    },
  };
}

/** Locks a credit note by its invoice, so that the credits of one follow each other. */
async function lockCreditNote(transaction: TenantTransaction, id: string) {
  const { creditNote } = found(await findCreditNote(transaction, id));
  await lockInvoice(transaction, creditNote.invoiceId);
  return found(await findCreditNote(transaction, id));
}

function creditDocument(
  creditNote: CreditNoteWithLines,
  invoice: Omit<InvoiceWithLines, 'problems'>,
  logo: Uint8Array | null,
) {
  const { buyer, seller, currency } = invoice;
  const [tax] = creditNote.taxes;
  const lines = creditNote.lines.map(({ position, amountMinor }) => ({
    ...invoice.lines.find((line) => line.position === position)!,
    quantity: amountMinor < 0 ? '-1' : '1',
    unitPrice: toMajor(Math.abs(amountMinor), currency),
    meter: null,
    usage: null,
    amountMinor,
  }));
  // An issued credit note has a number and a date, and so has its invoice.
  return documentOf(
    {
      kind: 'credit_note',
      number: creditNote.number!,
      issueDate: creditNote.issueDate!,
      dueDate: null,
      firstDay: invoice.firstDay,
      lastDay: invoice.lastDay,
      currency,
      seller: seller!,
      buyer,
      taxes: creditNote.taxes,
      taxCategory: tax!.category,
      taxRate: tax!.rate,
      exemptionReason: invoice.exemptionReason,
      precedingInvoice: { number: invoice.number!, issueDate: invoice.issueDate! },
      notes: [documentTexts[buyer.language].creditReason(creditNote.reason)],
      logo,
    },
    lines,
  );
}
