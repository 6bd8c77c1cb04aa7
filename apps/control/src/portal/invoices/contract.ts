import * as z from 'zod';
import { defineOperation, Id, listData, listQuery } from '../../frame/operation.ts';
import { exampleInvoiceWithLines, Invoice, InvoiceLine, InvoiceWithLines } from '../../money/invoices/contract.ts';

const states = ['issued', 'paid', 'void'] as const;

/** An invoice as its developer account sees it: drafts are not shown. */
const PortalInvoice = Invoice.pick({
  id: true,
  overdue: true,
  firstDay: true,
  lastDay: true,
  currency: true,
  linesMinor: true,
  taxMinor: true,
  totalMinor: true,
  paidMinor: true,
  creditedMinor: true,
  dueMinor: true,
})
  .extend({
    number: z.string(),
    state: z.enum(states),
    issueDate: z.iso.date(),
    dueDate: z.iso.date().nullable(),
  })
  .meta({ id: 'PortalInvoice' });
export type PortalInvoice = z.infer<typeof PortalInvoice>;

const PortalInvoiceWithLines = PortalInvoice.extend({
  ...InvoiceWithLines.pick({ seller: true, buyer: true, taxes: true, exemptionReason: true }).shape,
  lines: z.array(InvoiceLine.omit({ termId: true })),
  payments: z.array(z.object({ amountMinor: z.int(), paidOn: z.iso.date() })).describe('Oldest first.'),
  creditNotes: z.array(z.object({ number: z.string(), totalMinor: z.int() })).describe('Issued ones, oldest first.'),
}).meta({ id: 'PortalInvoiceWithLines' });
export type PortalInvoiceWithLines = z.infer<typeof PortalInvoiceWithLines>;

const params = z.object({ invoiceId: Id });
const tag = 'Portal';
const portalRoles = ['owner', 'billing'] as const;

const { id, overdue, firstDay, lastDay, currency, linesMinor, taxMinor, totalMinor, paidMinor } =
  exampleInvoiceWithLines;
const exampleInvoice = {
  id,
  number: 'INV-1',
  state: 'issued' as const,
  overdue,
  firstDay,
  lastDay,
  currency,
  issueDate: '2026-02-01',
  dueDate: '2026-02-15',
  linesMinor,
  taxMinor,
  totalMinor,
  paidMinor,
  creditedMinor: 0,
  dueMinor: totalMinor,
};
const { seller, buyer, taxes, exemptionReason, lines } = exampleInvoiceWithLines;
const exampleParams = { invoiceId: id };

export const portalInvoiceOperations = [
  defineOperation({
    id: 'listPortalInvoices',
    method: 'GET',
    path: '/portal/invoices',
    tag,
    summary: 'List your invoices',
    access: 'portal',
    portalRoles,
    audit: null,
    request: {
      query: listQuery(['-issueDate', 'dueDate', 'totalMinor'], {
        state: z.enum(states).optional(),
        overdue: z.stringbool().optional().describe('Only those that are overdue, or only the others.'),
      }),
    },
    data: listData('invoices', PortalInvoice),
    example: { request: { query: { state: 'issued' } }, data: { invoices: [exampleInvoice], total: 1 } },
  }),
  defineOperation({
    id: 'getPortalInvoice',
    method: 'GET',
    path: '/portal/invoices/:invoiceId',
    tag,
    summary: 'Show one of your invoices with its lines',
    access: 'portal',
    portalRoles,
    audit: null,
    request: { params },
    data: PortalInvoiceWithLines,
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleInvoice,
        seller,
        buyer,
        taxes,
        exemptionReason,
        lines: lines.map(({ termId: _, ...line }) => line),
        payments: [],
        creditNotes: [],
      },
    },
  }),
  defineOperation({
    id: 'downloadPortalInvoicePdf',
    method: 'GET',
    path: '/portal/invoices/:invoiceId/pdf',
    tag,
    summary: 'Download one of your invoices as PDF',
    description: 'A PDF/A-3 that contains the electronic invoice (Factur-X, EN 16931).',
    access: 'portal',
    portalRoles,
    audit: null,
    request: { params },
    data: z.string(),
    download: { mediaType: 'application/pdf' },
    example: { request: { params: exampleParams }, data: '%PDF-1.7' },
  }),
  defineOperation({
    id: 'downloadPortalInvoiceXml',
    method: 'GET',
    path: '/portal/invoices/:invoiceId/xml',
    tag,
    summary: 'Download one of your invoices as XML',
    description: 'A Cross Industry Invoice of EN 16931. An XRechnung also needs your reference in the billing profile.',
    access: 'portal',
    portalRoles,
    audit: null,
    request: {
      params,
      query: z.strictObject({ format: z.enum(['factur-x', 'xrechnung']).default('factur-x') }),
    },
    data: z.string(),
    download: { mediaType: 'application/xml' },
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, query: { format: 'factur-x' } },
      data: '<?xml version="1.0" encoding="UTF-8"?>',
    },
  }),
] as const;
