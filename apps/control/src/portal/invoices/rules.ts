import type { Invoice, InvoiceWithLines } from '../../money/invoices/contract.ts';
import type { PortalInvoice, PortalInvoiceWithLines } from './contract.ts';

/** An issued invoice as its developer account sees it: without what operators note beside it. */
export function presentInvoice(invoice: Invoice): PortalInvoice {
  return {
    id: invoice.id,
    // What is issued has a number and a date.
    number: invoice.number!,
    state: invoice.state === 'draft' ? 'issued' : invoice.state,
    overdue: invoice.overdue,
    firstDay: invoice.firstDay,
    lastDay: invoice.lastDay,
    currency: invoice.currency,
    issueDate: invoice.issueDate!,
    dueDate: invoice.dueDate,
    linesMinor: invoice.linesMinor,
    taxMinor: invoice.taxMinor,
    totalMinor: invoice.totalMinor,
    paidMinor: invoice.paidMinor,
    creditedMinor: invoice.creditedMinor,
    dueMinor: invoice.dueMinor,
  };
}

export function presentWithLines(invoice: Omit<InvoiceWithLines, 'problems'>): PortalInvoiceWithLines {
  return {
    ...presentInvoice(invoice),
    seller: invoice.seller,
    buyer: invoice.buyer,
    taxes: invoice.taxes,
    exemptionReason: invoice.exemptionReason,
    lines: invoice.lines.map(({ termId: _, ...line }) => line),
    payments: invoice.payments.map(({ amountMinor, paidOn }) => ({ amountMinor, paidOn })),
    creditNotes: invoice.creditNotes.flatMap(({ number, totalMinor, state }) =>
      state === 'issued' && number !== null ? { number, totalMinor } : [],
    ),
  };
}
