import { PricedLine, TaxCategory } from '@millrace/pricing';
import * as z from 'zod';
import { DeveloperBilling, PostalAddress } from '../../consumers/developers/billing.ts';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { exampleSeller, Seller } from '../billing-settings/contract.ts';

const invoiceStates = ['draft', 'issued', 'paid', 'void'] as const;

export const Invoice = z
  .object({
    id: Id,
    number: z.string().nullable().describe('Given when it is issued.'),
    state: z.enum(invoiceStates),
    overdue: z.boolean().describe('It is issued, not paid, and its due date has passed.'),
    periodId: Id,
    firstDay: z.iso.date().describe('Of the billing period.'),
    lastDay: z.iso.date(),
    developerId: Id,
    developerName: z.string(),
    currency: z.string(),
    issueDate: z.iso.date().nullable(),
    dueDate: z.iso.date().nullable(),
    linesMinor: z.int().describe('Sum of the lines, without tax, in minor units of the currency.'),
    taxMinor: z.int(),
    totalMinor: z.int(),
    paidMinor: z.int(),
    creditedMinor: z.int().describe('By issued credit notes.'),
    dueMinor: z.int().describe('Left to pay; negative where the seller owes it.'),
    sentAt: Time.nullable(),
    sentTo: z.string().nullable(),
    remindersSent: z.int(),
    voidReason: z.string().nullable(),
    ...versioned,
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof Invoice>;

export const Buyer = z
  .object({
    name: z.string(),
    contactName: z.string().nullable(),
    address: PostalAddress.nullable().describe('Null: the developer has no billing profile.'),
    vatId: z.string().nullable(),
    email: z.string(),
    reference: z.string().nullable(),
    language: DeveloperBilling.shape.language,
    taxTreatment: DeveloperBilling.shape.taxTreatment,
  })
  .meta({ id: 'Buyer' });
export type Buyer = z.infer<typeof Buyer>;

export const DocumentTax = z
  .object({
    category: TaxCategory,
    rate: z.string().describe('Percent, as a decimal.'),
    basisMinor: z.int(),
    taxMinor: z.int(),
  })
  .meta({ id: 'DocumentTax' });

export const InvoiceLine = PricedLine.extend({
  position: z.int().describe('Place in the invoice, from 1.'),
  subscriptionId: Id,
  termId: Id,
  productId: Id,
  productName: z.string(),
  ratePlanId: Id,
  planVersion: z.int(),
  planName: z.string(),
  appName: z.string(),
  meter: z.enum(['requests', 'request_bytes', 'response_bytes', 'units']).nullable(),
  usage: z
    .object({
      quantity: z.string().describe('What was used of the charge.'),
      included: z.string().describe('Of that, what the plan includes.'),
    })
    .nullable()
    .describe('On the first line of a charge; null on the others.'),
  firstDay: z.iso.date().describe('Of the time that it bills: of late usage, the period that it is from.'),
  lastDay: z.iso.date(),
}).meta({ id: 'InvoiceLine' });
export type InvoiceLine = z.infer<typeof InvoiceLine>;

const Payment = z
  .object({
    id: Id,
    amountMinor: z.int(),
    paidOn: z.iso.date(),
    reference: z.string(),
    createdByName: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'Payment' });

export const InvoiceWithLines = Invoice.extend({
  seller: Seller.nullable(),
  buyer: Buyer,
  taxes: z.array(DocumentTax),
  exemptionReason: z.string().nullable(),
  lines: z.array(InvoiceLine),
  payments: z.array(Payment).describe('Oldest first.'),
  creditNotes: z
    .array(
      z.object({
        id: Id,
        number: z.string().nullable(),
        state: z.enum(['pending', 'issued', 'rejected']),
        totalMinor: z.int(),
      }),
    )
    .describe('Oldest first.'),
  problems: z.array(z.string()).describe('Why a draft can’t be issued yet; empty if it can.'),
}).meta({ id: 'InvoiceWithLines' });
export type InvoiceWithLines = z.infer<typeof InvoiceWithLines>;

const params = z.object({ invoiceId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'invoice' } as const;
const tag = 'Billing';
const reason = z.string().trim().min(1).max(500);
const reference = z.string().trim().max(200).default('').describe('Such as the bank transfer’s.');
const paidOn = z.iso.date().optional().describe('Default: today.');

const exampleInvoice = {
  id: 'ivc_00000000000000000000000001',
  number: 'INV-1',
  state: 'issued' as const,
  overdue: false,
  periodId: 'bpd_00000000000000000000000001',
  firstDay: '2026-01-01',
  lastDay: '2026-01-31',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  currency: 'EUR',
  issueDate: '2026-02-01',
  dueDate: '2026-02-15',
  linesMinor: 369,
  taxMinor: 0,
  totalMinor: 369,
  paidMinor: 0,
  creditedMinor: 0,
  dueMinor: 369,
  sentAt: null,
  sentTo: null,
  remindersSent: 0,
  voidReason: null,
  version: 1,
  createdAt: '2026-02-01T01:00:00.000Z',
  updatedAt: '2026-02-01T01:00:00.000Z',
};
const examplePayment = {
  id: 'pay_00000000000000000000000001',
  amountMinor: 100,
  paidOn: '2026-02-10',
  reference: 'Bank transfer of 10 February',
  createdByName: 'Robin Example',
  createdAt: '2026-02-10T09:00:00.000Z',
};
const exampleLine = {
  position: 1,
  kind: 'usage' as const,
  charge: 'calls',
  tier: null,
  isFlatFee: false,
  quantity: '55',
  unitPrice: '0.067',
  amountMinor: 369,
  share: null,
  subscriptionId: 'sub_00000000000000000000000001',
  termId: 'trm_00000000000000000000000001',
  productId: 'prd_00000000000000000000000001',
  productName: 'Orders',
  ratePlanId: 'rpl_00000000000000000000000001',
  planVersion: 1,
  planName: 'Standard',
  appName: 'Shop',
  meter: 'requests' as const,
  usage: { quantity: '1055', included: '1000' },
  firstDay: '2026-01-01',
  lastDay: '2026-01-31',
};
export const exampleInvoiceWithLines = {
  ...exampleInvoice,
  seller: exampleSeller,
  buyer: {
    name: 'Example Shops',
    contactName: null,
    address: { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' },
    vatId: 'IE1234567T',
    email: 'sam@example.com',
    reference: null,
    language: 'en' as const,
    taxTreatment: 'reverse_charge' as const,
  },
  taxes: [{ category: 'AE' as const, rate: '0', basisMinor: 369, taxMinor: 0 }],
  exemptionReason: null,
  lines: [exampleLine],
  payments: [],
  creditNotes: [],
  problems: [],
};
const exampleParams = { invoiceId: exampleInvoice.id };

export const invoiceOperations = [
  defineOperation({
    id: 'listInvoices',
    method: 'GET',
    path: '/billing/invoices',
    tag,
    summary: 'List invoices',
    access: 'billing.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'issueDate', 'dueDate', 'totalMinor'], {
        state: z.enum(invoiceStates).optional(),
        overdue: z.stringbool().optional().describe('Only those that are overdue, or only the others.'),
        periodId: Id.optional(),
        developerId: Id.optional(),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as EUR.')
          .optional(),
      }),
    },
    data: listData('invoices', Invoice),
    example: { request: { query: { state: 'issued' } }, data: { invoices: [exampleInvoice], total: 1 } },
  }),
  defineOperation({
    id: 'getInvoice',
    method: 'GET',
    path: '/billing/invoices/:invoiceId',
    tag,
    summary: 'Show an invoice with its lines',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: InvoiceWithLines,
    example: { request: { params: exampleParams }, data: exampleInvoiceWithLines },
  }),
  defineOperation({
    id: 'getInvoicePdf',
    method: 'GET',
    path: '/billing/invoices/:invoiceId/pdf',
    tag,
    summary: 'Download an invoice as PDF',
    description: 'A PDF/A-3 that contains the electronic invoice (Factur-X, EN 16931). A draft has none.',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: z.string(),
    download: { mediaType: 'application/pdf' },
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: '%PDF-1.7' },
  }),
  defineOperation({
    id: 'getInvoiceXml',
    method: 'GET',
    path: '/billing/invoices/:invoiceId/xml',
    tag,
    summary: 'Download an invoice as XML',
    description: 'A Cross Industry Invoice of EN 16931. An XRechnung also needs the buyer’s reference.',
    access: 'billing.read',
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
  defineOperation({
    id: 'issueInvoice',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/issue',
    tag,
    summary: 'Issue a draft',
    description:
      'Gives it the next number, today’s date and its due date, with the seller, the buyer and the tax as they are now.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { params },
    data: InvoiceWithLines,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleInvoiceWithLines },
  }),
  defineOperation({
    id: 'sendInvoice',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/send',
    tag,
    summary: 'Send an invoice by e-mail',
    description: 'With its PDF, to the e-mail address on the invoice. It can be sent again.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { params },
    data: Invoice,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: { ...exampleInvoice, sentAt: '2026-02-01T09:00:00.000Z', sentTo: 'sam@example.com', version: 2 },
    },
  }),
  defineOperation({
    id: 'addPayment',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/payments',
    tag,
    summary: 'Record a payment',
    description: 'All or a part of what is due. An invoice with nothing left to pay is paid.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: {
      params,
      body: z.strictObject({
        amountMinor: z
          .int()
          .min(-1_000_000_000_000_000)
          .max(1_000_000_000_000_000)
          .refine((amount) => amount !== 0, 'Enter an amount other than 0.')
          .describe('In minor units of the invoice’s currency; negative for what the seller pays back.'),
        paidOn,
        reference,
      }),
    },
    data: Invoice,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        params: exampleParams,
        body: { amountMinor: 100, paidOn: '2026-02-10', reference: examplePayment.reference },
      },
      data: { ...exampleInvoice, paidMinor: 100, dueMinor: 269, version: 2 },
    },
  }),
  defineOperation({
    id: 'markInvoicePaid',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/mark-paid',
    tag,
    summary: 'Record the payment of all that is due',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject({ paidOn, reference }) },
    data: Invoice,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reference: examplePayment.reference } },
      data: { ...exampleInvoice, state: 'paid', paidMinor: 369, dueMinor: 0, version: 2 },
    },
  }),
  defineOperation({
    id: 'voidInvoice',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/void',
    tag,
    summary: 'Void an invoice',
    description:
      'Its number stays given. An invoice with payments or credit notes can’t be voided: credit what is left of it.',
    access: 'billing.write',
    audit: { ...audit, severity: 'high' },
    production: 'never',
    request: { params, body: z.strictObject({ reason }) },
    data: Invoice,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'It was addressed to the wrong company.' } },
      data: {
        ...exampleInvoice,
        state: 'void',
        voidReason: 'It was addressed to the wrong company.',
        dueMinor: 0,
        version: 2,
      },
    },
  }),
  defineOperation({
    id: 'exportInvoices',
    method: 'GET',
    path: '/billing/export',
    tag,
    summary: 'Export invoices and their lines as CSV',
    description:
      'One row per line, with its invoice: RFC 4180, UTF-8. Amounts are in minor units. Cells that a spreadsheet would treat as a formula start with an apostrophe. Drafts are left out. The export itself is audited.',
    access: 'billing.export',
    audit: { category: 'security', severity: 'medium', entityType: 'invoice' },
    production: 'never',
    request: {
      query: z.strictObject({
        from: z.iso.date().optional().describe('First issue date.'),
        to: z.iso.date().optional().describe('Last issue date.'),
        state: z.enum(['issued', 'paid', 'void']).optional(),
        periodId: Id.optional(),
        developerId: Id.optional(),
      }),
    },
    data: z.string(),
    download: { mediaType: 'text/csv' },
    example: {
      request: { query: { from: '2026-01-01', to: '2026-12-31' } },
      data: '"number","state","issueDate"\r\n"INV-1","issued","2026-02-01"\r\n',
    },
  }),
] as const;
