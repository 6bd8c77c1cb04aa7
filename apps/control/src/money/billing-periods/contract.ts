import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { PeriodUnit } from '../billing-settings/contract.ts';
import { exampleInvoiceWithLines, InvoiceWithLines } from '../invoices/contract.ts';
import { notBillableReasons } from './not-billable.ts';

const BillingPeriod = z
  .object({
    id: Id,
    startsAt: Time,
    endsAt: Time.describe('The first moment after it.'),
    firstDay: z.iso.date(),
    lastDay: z.iso.date(),
    unit: PeriodUnit,
    timeZone: z.string(),
    state: z
      .enum(['open', 'closing', 'closed'])
      .describe('closing: invoices are being made. closed: each developer has theirs.'),
    closedAt: Time.nullable(),
    closedByName: z.string().nullable().describe('Who closed it; null while it is open.'),
    totals: z
      .object({
        developers: z.int().describe('Developers with invoices.'),
        currencies: z.array(
          z.object({
            currency: z.string(),
            invoices: z.int(),
            linesMinor: z.int(),
            taxMinor: z.int(),
            totalMinor: z.int(),
          }),
        ),
      })
      .nullable()
      .describe('Of its invoices, by currency; null until it is closed.'),
    ...versioned,
  })
  .meta({ id: 'BillingPeriod' });
export type BillingPeriod = z.infer<typeof BillingPeriod>;

const NodeBehind = z.object({
  id: Id,
  name: z.string(),
  usageCompleteUntil: Time.nullable().describe('Up to when it has reported all usage; null: it never has.'),
});

/** How a term's calls in a period add up. */
export const ReconciledTerm = z
  .object({
    termId: Id,
    subscriptionId: Id,
    developerId: Id,
    appId: Id,
    appName: z.string(),
    productId: Id,
    startsAt: Time,
    endsAt: Time.nullable(),
    admitted: z.int().describe('Calls that gateway nodes counted.'),
    metered: z.int().describe('Calls in the rows that are billed by.'),
    late: z.int().describe('Of them, those that arrived after the period was closed; a later invoice bills them.'),
    billed: z.int().describe('Of them, those that a charge of the plan applies to.'),
    notBillable: z
      .partialRecord(z.enum(notBillableReasons), z.int())
      .describe(
        'Of them, the others. refused: by the gateway. prepaid: debited from a balance. trial: of the subscription. status, api: no charge names theirs. no_charge: the plan has no charges.',
      ),
    lateBilled: z.int().describe('Calls of earlier periods that were billed with this one.'),
    currency: z.string(),
    amountMinor: z.int().describe('Sum of its invoice lines, without tax.'),
    notMetered: z.int().describe('admitted − metered; other than 0, calls were not metered.'),
    unexplained: z.int().describe('metered − late − billed − notBillable; other than 0, rows have changed.'),
  })
  .meta({ id: 'ReconciledTerm' });

const params = z.object({ periodId: Id });
const paging = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
};
const audit = { category: 'configuration', severity: 'medium', entityType: 'billing_period' } as const;
const tag = 'Billing';

const examplePeriod = {
  id: 'bpd_00000000000000000000000001',
  startsAt: '2025-12-31T23:00:00.000Z',
  endsAt: '2026-01-31T23:00:00.000Z',
  firstDay: '2026-01-01',
  lastDay: '2026-01-31',
  unit: 'month' as const,
  timeZone: 'Europe/Berlin',
  state: 'open' as const,
  closedAt: null,
  closedByName: null,
  totals: null,
  version: 1,
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-01-01T09:00:00.000Z',
};
const exampleParams = { periodId: examplePeriod.id };
const { developerId, developerName, currency, linesMinor, taxMinor, totalMinor, buyer, taxes, lines } =
  exampleInvoiceWithLines;
const examplePreview = {
  developerId,
  developerName,
  currency,
  linesMinor,
  taxMinor,
  totalMinor,
  buyer,
  taxes,
  lines,
  problems: [],
};

const PreviewedInvoice = InvoiceWithLines.pick({
  developerId: true,
  developerName: true,
  currency: true,
  linesMinor: true,
  taxMinor: true,
  totalMinor: true,
  buyer: true,
  taxes: true,
  lines: true,
  problems: true,
}).meta({ id: 'PreviewedInvoice' });

export const billingPeriodOperations = [
  defineOperation({
    id: 'listBillingPeriods',
    method: 'GET',
    path: '/billing/periods',
    tag,
    summary: 'List billing periods',
    access: 'billing.read',
    audit: null,
    request: {
      query: listQuery(['-startsAt', 'state'], { state: BillingPeriod.shape.state.optional() }),
    },
    data: listData('periods', BillingPeriod),
    example: { request: { query: { state: 'open' } }, data: { periods: [examplePeriod], total: 1 } },
  }),
  defineOperation({
    id: 'openBillingPeriod',
    method: 'POST',
    path: '/billing/periods',
    tag,
    summary: 'Open a billing period',
    description:
      'Opens the first period, or the one after the last. Once there is one, the next opens automatically when it ends. A period that ends early, or begins within a week, month or quarter, has that share of its fees.',
    access: 'billing.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        firstDay: z.iso
          .date()
          .optional()
          .describe('Of the first period; a later one begins where the last ends. Default: the calendar decides.'),
        lastDay: z.iso.date().optional().describe('Default: the last day of the week, month or quarter.'),
      }),
    },
    data: BillingPeriod,
    status: 201,
    errors: ['conflict'],
    example: { request: { body: { firstDay: '2026-01-01' } }, data: examplePeriod },
  }),
  defineOperation({
    id: 'getBillingPeriod',
    method: 'GET',
    path: '/billing/periods/:periodId',
    tag,
    summary: 'Show a billing period with its reconciliation',
    description:
      'Compares, for each term, what gateway nodes counted with the rows that are billed by, and those with the invoices. `page` and `pageSize` select the terms.',
    access: 'billing.read',
    audit: null,
    request: { params, query: z.strictObject(paging) },
    data: BillingPeriod.extend({
      closableFrom: Time.describe('When its end and the grace time have passed.'),
      nodesBehind: z
        .array(NodeBehind)
        .describe('Gateway nodes that may not have reported all of its usage; none once it is closing.'),
      terms: z.array(ReconciledTerm),
      totalTerms: z.int(),
    }).meta({ id: 'BillingPeriodWithUsage' }),
    example: {
      request: { params: exampleParams },
      data: {
        ...examplePeriod,
        closableFrom: '2026-02-01T00:00:00.000Z',
        nodesBehind: [
          {
            id: 'gwn_00000000000000000000000001',
            name: 'frankfurt-1',
            usageCompleteUntil: '2026-01-31T22:59:30.000Z',
          },
        ],
        terms: [
          {
            termId: 'trm_00000000000000000000000001',
            subscriptionId: 'sub_00000000000000000000000001',
            developerId: 'dev_00000000000000000000000001',
            appId: 'app_00000000000000000000000001',
            appName: 'Shop',
            productId: 'prd_00000000000000000000000001',
            startsAt: '2026-01-15T09:00:00.000Z',
            endsAt: null,
            admitted: 1_000,
            metered: 1_000,
            late: 0,
            billed: 970,
            notBillable: { refused: 20, status: 10 },
            lateBilled: 0,
            currency: 'EUR',
            amountMinor: 6_499,
            notMetered: 0,
            unexplained: 0,
          },
        ],
        totalTerms: 1,
      },
    },
  }),
  defineOperation({
    id: 'previewBillingPeriod',
    method: 'POST',
    path: '/billing/periods/:periodId/preview',
    tag,
    summary: 'Preview the invoices of a billing period',
    description:
      'What closing the period now would come to, by the same calculation; nothing is written. Pages are of developers.',
    access: 'billing.read',
    audit: null,
    request: {
      params,
      body: z.strictObject({
        developerId: Id.optional().describe('Only the invoices of this developer.'),
        page: z.int().min(1).max(100_000).default(1),
        pageSize: z.int().min(1).max(100).default(25),
      }),
    },
    data: z.object({
      invoices: z.array(PreviewedInvoice),
      totalDevelopers: z.int().describe('Developers who have or had terms by the end of the period.'),
    }),
    example: {
      request: { params: exampleParams, body: { pageSize: 10 } },
      data: { invoices: [examplePreview], totalDevelopers: 1 },
    },
  }),
  defineOperation({
    id: 'closeBillingPeriod',
    method: 'POST',
    path: '/billing/periods/:periodId/close',
    tag,
    summary: 'Close a billing period',
    description:
      'Makes one invoice for each developer and currency, in the background: the period is closing until all are made, and then closed. Usage that arrives later goes on the next invoices. Closing again changes nothing.',
    access: 'billing.write',
    audit: { ...audit, severity: 'high' },
    production: 'never',
    request: {
      params,
      body: z.strictObject({
        ignoreGrace: z.boolean().default(false).describe('Don’t wait for the grace time; the period must have ended.'),
        ignoreNodesBehind: z
          .boolean()
          .default(false)
          .describe('Don’t wait for gateway nodes that may still report usage of the period.'),
      }),
    },
    data: BillingPeriod,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { ignoreGrace: false, ignoreNodesBehind: true } },
      data: { ...examplePeriod, state: 'closing', closedByName: 'Robin Example', version: 2 },
    },
  }),
] as const;
