import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { PeriodUnit } from '../billing-settings/contract.ts';

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

const params = z.object({ periodId: Id });
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
    summary: 'Show a billing period',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: BillingPeriod.extend({
      closableFrom: Time.describe('When its end and the grace time have passed.'),
      nodesBehind: z
        .array(NodeBehind)
        .describe('Gateway nodes that may not have reported all of its usage; none once it is closing.'),
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
      },
    },
  }),
] as const;
