import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

const Amount = z.string().describe('Decimal, in minor units of the currency, to the millionth.');

export const PrepaidMovement = z
  .object({
    id: Id,
    subscriptionId: Id,
    kind: z.enum(['top_up', 'correction']),
    amountMinor: z.int().describe('In minor units of the currency; negative if the balance decreases.'),
    note: z.string(),
    createdBy: Id,
    createdByName: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'PrepaidMovement' });

export const PrepaidAccount = z.object({
  subscriptionId: Id,
  currency: z.string(),
  balanceMinor: Amount.describe('What is left: paid in, without what was used. Negative if it was overspent.'),
  paidInMinor: z.int(),
  usedMinor: Amount.describe('Price of the usage that gateway nodes have reported; they debit it before.'),
  counting: z
    .enum(['strict', 'fast'])
    .describe(
      'strict: every call is debited in the store that all nodes share. fast: nodes lease parts of the balance.',
    ),
  lowBalanceMinor: z.int().nullable().describe('Reported once below this; null: a tenth of the last top-up.'),
  isLow: z.boolean(),
});

const params = z.object({ subscriptionId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'subscription' } as const;
const tag = 'Subscriptions';
/** Below the largest integer that is exact in millionths. */
export const mostMinor = 9_000_000_000;

const exampleAccount = {
  subscriptionId: 'sub_00000000000000000000000001',
  currency: 'EUR',
  balanceMinor: '49993.3',
  paidInMinor: 50_000,
  usedMinor: '6.7',
  counting: 'strict' as const,
  lowBalanceMinor: null,
  isLow: false,
};
const exampleMovement = {
  id: 'pmv_00000000000000000000000001',
  subscriptionId: exampleAccount.subscriptionId,
  kind: 'top_up' as const,
  amountMinor: 50_000,
  note: 'Bank transfer of 15 January',
  createdBy: 'usr_00000000000000000000000001',
  createdByName: 'Robin Example',
  createdAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { subscriptionId: exampleAccount.subscriptionId };

export const prepaidOperations = [
  defineOperation({
    id: 'getSubscriptionBalance',
    method: 'GET',
    path: '/subscriptions/:subscriptionId/balance',
    tag,
    summary: 'Show a subscription’s prepaid balance and its movements',
    description: 'Usage is not listed: it is the price of the metered calls.',
    access: 'billing.read',
    audit: null,
    request: { params, query: listQuery(['-createdAt'], { kind: PrepaidMovement.shape.kind.optional() }) },
    data: listData('movements', PrepaidMovement).extend(PrepaidAccount.shape).meta({ id: 'SubscriptionBalance' }),
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, query: {} },
      data: { movements: [exampleMovement], total: 1, ...exampleAccount },
    },
  }),
  defineOperation({
    id: 'updateSubscriptionBalance',
    method: 'PATCH',
    path: '/subscriptions/:subscriptionId/balance',
    tag,
    summary: 'Change how a prepaid balance is counted and reported',
    access: 'billing.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      params,
      body: z
        .strictObject({
          counting: PrepaidAccount.shape.counting,
          lowBalanceMinor: z.int().min(0).max(mostMinor).nullable(),
        })
        .partial(),
    },
    data: PrepaidAccount.meta({ id: 'PrepaidAccount' }),
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { lowBalanceMinor: 10_000 } },
      data: { ...exampleAccount, lowBalanceMinor: 10_000 },
    },
  }),
  defineOperation({
    id: 'topUpSubscription',
    method: 'POST',
    path: '/subscriptions/:subscriptionId/top-ups',
    tag,
    summary: 'Top up a subscription’s prepaid balance',
    description:
      'Within a second every gateway node admits calls that it pays for. Send an `Idempotency-Key`, so that a retried call adds the money once.',
    access: 'billing.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      params,
      body: z.strictObject({
        amountMinor: z.int().min(1).max(mostMinor).describe('In minor units of the plan’s currency, such as cents.'),
        note: z.string().trim().max(500).default(''),
      }),
    },
    data: PrepaidMovement.extend({ balanceMinor: PrepaidAccount.shape.balanceMinor }).meta({ id: 'PrepaidTopUp' }),
    status: 201,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { amountMinor: 50_000, note: 'Bank transfer of 15 January' } },
      data: { ...exampleMovement, balanceMinor: '50000' },
    },
  }),
] as const;
