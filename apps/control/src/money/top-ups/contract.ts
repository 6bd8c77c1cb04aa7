import { CreditExpiry } from '@millrace/pricing';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { mostMinor, PrepaidAccount } from '../prepaid/contract.ts';

const states = ['pending', 'credited', 'rejected'] as const;

const TopUp = z
  .object({
    id: Id,
    state: z.enum(states).describe('pending: it waits for another person’s approval, and pays for no calls yet.'),
    subscriptionId: Id,
    appName: z.string(),
    productName: z.string(),
    developerId: Id,
    developerName: z.string(),
    amountMinor: z.int().describe('In minor units of the currency, such as cents.'),
    currency: z.string(),
    source: z
      .enum(['payment', 'unassigned'])
      .describe('payment: new money. unassigned: what was paid in for the developer and assigned to no subscription.'),
    requestId: Id.nullable().describe('The request from the portal that it credits.'),
    creditExpiry: CreditExpiry.nullable().describe(
      'How long it is good for from the day on which it is credited, to the end of the last day; null: it never expires.',
    ),
    expiresAt: Time.nullable().describe('From then on it is no longer good; null while it isn’t credited.'),
    expiredMinor: z
      .int()
      .nullable()
      .describe('What was left of it then; null while that hasn’t come, or usage of before may still be reported.'),
    note: z.string(),
    requestedBy: Id,
    requestedByName: z.string(),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    decisionReason: z.string().nullable().describe('Why it was rejected.'),
    ...versioned,
  })
  .meta({ id: 'TopUp' });
export type TopUp = z.infer<typeof TopUp>;

const Requested = TopUp.extend({ balanceMinor: PrepaidAccount.shape.balanceMinor }).meta({ id: 'RequestedTopUp' });

const fields = {
  amountMinor: z.int().min(1).max(mostMinor).describe('In minor units of the plan’s currency, such as cents.'),
  source: TopUp.shape.source.default('payment'),
  requestId: Id.optional().describe(
    'The open request of the developer that this credits. Its amount may differ, not its subscription.',
  ),
  creditExpiry: CreditExpiry.nullable()
    .optional()
    .describe('How long it is good for; null: forever. Without it, as the subscription’s rate plan says.'),
  note: z.string().trim().max(500).default(''),
};

const params = z.object({ topUpId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'top_up' } as const;
const production = { exempt: 'one_consumer' } as const;
const tag = 'Billing';
const description =
  'Within a second every gateway node admits calls that it pays for. Above the amount in the billing settings it waits for another person’s approval. Send an `Idempotency-Key`, so that a retried call adds the money once.';

const exampleTopUp = {
  id: 'tup_00000000000000000000000001',
  state: 'credited' as const,
  subscriptionId: 'sub_00000000000000000000000001',
  appName: 'Shop front end',
  productName: 'Orders',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  amountMinor: 50_000,
  currency: 'EUR',
  source: 'payment' as const,
  requestId: null,
  creditExpiry: { count: 12, unit: 'month' as const },
  expiresAt: '2027-01-16T00:00:00.000Z',
  expiredMinor: null,
  note: 'Bank transfer of 15 January',
  requestedBy: 'usr_00000000000000000000000001',
  requestedByName: 'Robin Example',
  decidedByName: null,
  decidedAt: null,
  decisionReason: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleBody = { amountMinor: exampleTopUp.amountMinor, note: exampleTopUp.note };
const exampleRequested = { ...exampleTopUp, balanceMinor: '50000' };
const exampleParams = { topUpId: exampleTopUp.id };
const exampleDecision = { decidedByName: 'Kim Example', decidedAt: '2026-01-15T10:00:00.000Z', version: 2 };

export const topUpOperations = [
  defineOperation({
    id: 'topUpSubscription',
    method: 'POST',
    path: '/subscriptions/:subscriptionId/top-ups',
    tag: 'Subscriptions',
    summary: 'Top up a subscription’s prepaid balance',
    description,
    access: 'billing.write',
    audit,
    production,
    request: { params: z.object({ subscriptionId: Id }), body: z.strictObject(fields) },
    data: Requested,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: { subscriptionId: exampleTopUp.subscriptionId }, body: exampleBody },
      data: exampleRequested,
    },
  }),
  defineOperation({
    id: 'topUpDeveloperBalance',
    method: 'POST',
    path: '/developers/:developerId/balance/top-ups',
    tag: 'Developers',
    summary: 'Top up the prepaid balance of one of a developer’s subscriptions',
    description,
    access: 'billing.write',
    audit,
    production,
    request: {
      params: z.object({ developerId: Id }),
      body: z.strictObject({ subscriptionId: Id.describe('A subscription of the developer.'), ...fields }),
    },
    data: Requested,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        params: { developerId: exampleTopUp.developerId },
        body: { subscriptionId: exampleTopUp.subscriptionId, ...exampleBody },
      },
      data: exampleRequested,
    },
  }),
  defineOperation({
    id: 'listTopUps',
    method: 'GET',
    path: '/billing/top-ups',
    tag,
    summary: 'List top-ups of prepaid balances',
    access: 'billing.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'amountMinor'], {
        state: TopUp.shape.state.optional(),
        developerId: Id.optional(),
        subscriptionId: Id.optional(),
      }),
    },
    data: listData('topUps', TopUp),
    example: { request: { query: { state: 'credited' } }, data: { topUps: [exampleTopUp], total: 1 } },
  }),
  defineOperation({
    id: 'getTopUp',
    method: 'GET',
    path: '/billing/top-ups/:topUpId',
    tag,
    summary: 'Show a top-up',
    access: 'billing.read',
    audit: null,
    request: { params },
    data: TopUp,
    example: { request: { params: exampleParams }, data: exampleTopUp },
  }),
  defineOperation({
    id: 'approveTopUp',
    method: 'POST',
    path: '/billing/top-ups/:topUpId/approve',
    tag,
    summary: 'Approve a top-up, which credits it',
    description: 'Whoever requested it can’t approve it.',
    access: 'billing.write',
    audit: { ...audit, category: 'governance', severity: 'high' },
    production,
    request: { params },
    data: TopUp,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleTopUp, ...exampleDecision } },
  }),
  defineOperation({
    id: 'rejectTopUp',
    method: 'POST',
    path: '/billing/top-ups/:topUpId/reject',
    tag,
    summary: 'Reject a top-up that waits for approval',
    access: 'billing.write',
    audit: { ...audit, category: 'governance', severity: 'high' },
    production,
    request: { params, body: z.strictObject({ reason: z.string().trim().min(1).max(500) }) },
    data: TopUp,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'No such transfer arrived.' } },
      data: {
        ...exampleTopUp,
        ...exampleDecision,
        state: 'rejected',
        decisionReason: 'No such transfer arrived.',
      },
    },
  }),
] as const;
