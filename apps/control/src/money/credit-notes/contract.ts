import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { DocumentTax, exampleInvoiceWithLines } from '../invoices/contract.ts';

const states = ['pending', 'issued', 'rejected'] as const;

export const CreditNote = z
  .object({
    id: Id,
    number: z.string().nullable().describe('Given when it is issued.'),
    state: z.enum(states).describe('pending: it waits for another person’s approval.'),
    invoiceId: Id,
    invoiceNumber: z.string(),
    developerId: Id,
    developerName: z.string(),
    currency: z.string(),
    issueDate: z.iso.date().nullable(),
    reason: z.string(),
    linesMinor: z.int().describe('Without tax, in minor units of the currency; positive, as every amount of it.'),
    taxMinor: z.int(),
    totalMinor: z.int(),
    requestedBy: z.string(),
    requestedByName: z.string(),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    decisionReason: z.string().nullable().describe('Why it was rejected.'),
    ...versioned,
  })
  .meta({ id: 'CreditNote' });
export type CreditNote = z.infer<typeof CreditNote>;

const CreditNoteWithLines = CreditNote.extend({
  taxes: z.array(DocumentTax),
  lines: z
    .array(
      z.object({
        position: z.int().describe('Of the invoice’s line.'),
        amountMinor: z.int().describe('Credited of it, without tax.'),
      }),
    )
    .describe('The credited lines of the invoice.'),
}).meta({ id: 'CreditNoteWithLines' });
export type CreditNoteWithLines = z.infer<typeof CreditNoteWithLines>;

const amount = z.int().min(-1_000_000_000_000_000).max(1_000_000_000_000_000);

const Credit = z.discriminatedUnion(
  'scope',
  [
    z.strictObject({ scope: z.literal('rest') }),
    z.strictObject({
      scope: z.literal('amount'),
      totalMinor: amount.min(1).describe('With tax; spread over all lines.'),
    }),
    z.strictObject({
      scope: z.literal('lines'),
      lines: z
        .array(
          z.strictObject({
            position: z.int().min(1).max(100_000),
            amountMinor: amount.describe('Without tax; the tax follows from it.'),
          }),
        )
        .min(1)
        .max(1_000),
    }),
  ],
  'Enter the scope: rest, amount or lines.',
);

const params = z.object({ creditNoteId: Id });
const audit = { category: 'governance', severity: 'high', entityType: 'credit_note' } as const;
const tag = 'Billing';

const exampleCreditNote = {
  id: 'crn_00000000000000000000000001',
  number: 'CN-1',
  state: 'issued' as const,
  invoiceId: exampleInvoiceWithLines.id,
  invoiceNumber: exampleInvoiceWithLines.number,
  developerId: exampleInvoiceWithLines.developerId,
  developerName: exampleInvoiceWithLines.developerName,
  currency: 'EUR',
  issueDate: '2026-02-10',
  reason: 'Calls of a load test.',
  linesMinor: 100,
  taxMinor: 0,
  totalMinor: 100,
  requestedBy: 'usr_00000000000000000000000001',
  requestedByName: 'Robin Example',
  decidedByName: null,
  decidedAt: null,
  decisionReason: null,
  version: 1,
  createdAt: '2026-02-10T09:00:00.000Z',
  updatedAt: '2026-02-10T09:00:00.000Z',
};
const exampleWithLines = {
  ...exampleCreditNote,
  taxes: [{ category: 'AE' as const, rate: '0', basisMinor: 100, taxMinor: 0 }],
  lines: [{ position: 1, amountMinor: 100 }],
};
const examplePending = { ...exampleWithLines, state: 'pending' as const, number: null, issueDate: null };
const exampleParams = { creditNoteId: exampleCreditNote.id };

export const creditNoteOperations = [
  defineOperation({
    id: 'createCreditNote',
    method: 'POST',
    path: '/billing/invoices/:invoiceId/credit-notes',
    tag,
    summary: 'Credit all or a part of an invoice',
    description:
      'Never more than what is left of it: its parts are shares of the invoice’s own amounts. Above the amount in the billing settings it waits for another person’s approval.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: {
      params: z.object({ invoiceId: Id }),
      body: z.strictObject({ reason: z.string().trim().min(1).max(500), credit: Credit }),
    },
    data: CreditNoteWithLines,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        params: { invoiceId: exampleCreditNote.invoiceId },
        body: { reason: exampleCreditNote.reason, credit: { scope: 'amount', totalMinor: 100 } },
      },
      data: exampleWithLines,
    },
  }),
  defineOperation({
    id: 'listCreditNotes',
    method: 'GET',
    path: '/billing/credit-notes',
    tag,
    summary: 'List credit notes',
    access: 'billing.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'issueDate', 'totalMinor'], {
        state: z.enum(states).optional(),
        developerId: Id.optional(),
      }),
    },
    data: listData('creditNotes', CreditNote),
    example: { request: { query: { state: 'issued' } }, data: { creditNotes: [exampleCreditNote], total: 1 } },
  }),
  defineOperation({
    id: 'getCreditNote',
    method: 'GET',
    path: '/billing/credit-notes/:creditNoteId',
    tag,
    summary: 'Show a credit note with its lines',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: CreditNoteWithLines,
    example: { request: { params: exampleParams }, data: exampleWithLines },
  }),
  defineOperation({
    id: 'getCreditNotePdf',
    method: 'GET',
    path: '/billing/credit-notes/:creditNoteId/pdf',
    tag,
    summary: 'Download a credit note as PDF',
    description: 'A PDF/A-3 that contains the electronic credit note (type 381 of EN 16931).',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: z.string(),
    download: { mediaType: 'application/pdf' },
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: '%PDF-1.7' },
  }),
  defineOperation({
    id: 'approveCreditNote',
    method: 'POST',
    path: '/billing/credit-notes/:creditNoteId/approve',
    tag,
    summary: 'Approve a credit note, which issues it',
    description: 'Whoever requested it can’t approve it.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { params },
    data: CreditNoteWithLines,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: { ...exampleWithLines, decidedByName: 'Kim Example', decidedAt: '2026-02-10T10:00:00.000Z', version: 2 },
    },
  }),
  defineOperation({
    id: 'rejectCreditNote',
    method: 'POST',
    path: '/billing/credit-notes/:creditNoteId/reject',
    tag,
    summary: 'Reject a credit note that waits for approval',
    access: 'billing.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject({ reason: z.string().trim().min(1).max(500) }) },
    data: CreditNoteWithLines,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'The load test was agreed on.' } },
      data: {
        ...examplePending,
        state: 'rejected',
        decidedByName: 'Kim Example',
        decidedAt: '2026-02-10T10:00:00.000Z',
        decisionReason: 'The load test was agreed on.',
        version: 2,
      },
    },
  }),
] as const;
