import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

const Amount = z.string().describe('Decimal, in minor units of the currency, to the millionth.');

export const PrepaidMovement = z
  .object({
    id: Id,
    subscriptionId: Id,
    kind: z
      .enum(['top_up', 'correction', 'assignment', 'expiry'])
      .describe(
        'assignment: what was paid in for the developer is assigned to a subscription. expiry: what was left of a top-up when it expired. correction: of an expiry, by usage of before that was reported after it.',
      ),
    amountMinor: z.int().describe('In minor units of the currency; negative if the balance decreases.'),
    note: z.string(),
    topUpId: Id.nullable().describe('The top-up that expired.'),
    createdBy: Id.nullable().describe('Null: Millrace itself.'),
    createdByName: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'PrepaidMovement' });

const DeveloperMovement = PrepaidMovement.extend({
  subscriptionId: Id.nullable().describe('Null: assigned to no subscription.'),
  currency: z.string(),
}).meta({ id: 'DeveloperMovement' });

export const PrepaidAccount = z.object({
  subscriptionId: Id,
  currency: z.string(),
  balanceMinor: Amount.describe(
    'What is left: paid in, without what was used and what expired. Negative if it was overspent.',
  ),
  paidInMinor: z.int(),
  expiredMinor: z.int().describe('Of that, what was left of top-ups when they expired.'),
  usedMinor: Amount.describe('Price of the usage that gateway nodes have reported; they debit it before.'),
  counting: z
    .enum(['strict', 'fast'])
    .describe(
      'strict: every call is debited in the store that all nodes share. fast: nodes lease parts of the balance.',
    ),
  lowBalanceMinor: z.int().nullable().describe('Reported once below this; null: a tenth of the last top-up.'),
  isLow: z.boolean(),
});

/** A top-up that is good until a moment. */
export const ExpiringCredit = z
  .object({
    topUpId: Id,
    amountMinor: z.int().describe('What was topped up.'),
    leftMinor: Amount.describe('What is left of it: usage consumes the oldest credit first.'),
    expiresAt: Time.describe('From then on it is no longer good.'),
  })
  .meta({ id: 'ExpiringCredit' });

/** The prepaid balance of a developer, in one currency. */
const DeveloperBalance = z
  .object({
    currency: z.string(),
    balanceMinor: Amount.describe('What is left in all of the developer’s subscriptions, and unassigned.'),
    unassignedMinor: z
      .int()
      .describe('Of that, what was paid in and assigned to no subscription; no call is paid from it.'),
  })
  .meta({ id: 'DeveloperBalance' });

const DeveloperAccount = PrepaidAccount.pick({ subscriptionId: true, currency: true, balanceMinor: true, isLow: true })
  .extend({ appName: z.string(), productName: z.string() })
  .meta({ id: 'DeveloperPrepaidAccount' });

const params = z.object({ subscriptionId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'subscription' } as const;
const tag = 'Subscriptions';
/** Below the largest integer that is exact in millionths. */
export const mostMinor = 9_000_000_000;
/** How many subscriptions a developer's balance lists. */
export const mostAccounts = 1_000;

const exampleAccount = {
  subscriptionId: 'sub_00000000000000000000000001',
  currency: 'EUR',
  balanceMinor: '49993.3',
  paidInMinor: 50_000,
  expiredMinor: 0,
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
  topUpId: null,
  createdBy: 'usr_00000000000000000000000001',
  createdByName: 'Robin Example',
  createdAt: '2026-01-15T09:00:00.000Z',
};
/** In the examples of the reference. */
export const exampleExpiring = {
  topUpId: 'tup_00000000000000000000000001',
  amountMinor: 50_000,
  leftMinor: '49993.3',
  expiresAt: '2027-01-16T00:00:00.000Z',
};
/** How many expiring top-ups a balance lists. */
export const mostExpiring = 100;
const exampleDeveloperId = 'dev_00000000000000000000000001';
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
    data: listData('movements', PrepaidMovement)
      .extend(PrepaidAccount.shape)
      .extend({
        expiring: z
          .array(ExpiringCredit)
          .describe(
            `Top-ups of which something is left that expires, the next to expire first; at most ${mostExpiring}.`,
          ),
      })
      .meta({ id: 'SubscriptionBalance' }),
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, query: {} },
      data: { movements: [exampleMovement], total: 1, ...exampleAccount, expiring: [exampleExpiring] },
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
    id: 'getDeveloperBalance',
    method: 'GET',
    path: '/developers/:developerId/balance',
    tag: 'Developers',
    summary: 'Show a developer’s prepaid balances and their movements',
    description: 'A developer’s balance is the sum of those of the developer’s subscriptions, and what is unassigned.',
    access: 'billing.read',
    audit: null,
    request: {
      params: z.object({ developerId: Id }),
      query: listQuery(['-createdAt'], { kind: PrepaidMovement.shape.kind.optional() }),
    },
    data: listData('movements', DeveloperMovement)
      .extend({
        balances: z.array(DeveloperBalance).describe('By currency.'),
        accounts: z.array(DeveloperAccount).describe(`By subscription; at most ${mostAccounts}.`),
      })
      .meta({ id: 'DeveloperBalances' }),
    example: {
      request: { params: { developerId: exampleDeveloperId }, query: {} },
      data: {
        movements: [{ ...exampleMovement, currency: 'EUR' }],
        total: 1,
        balances: [{ currency: 'EUR', balanceMinor: '49993.3', unassignedMinor: 0 }],
        accounts: [
          {
            subscriptionId: exampleAccount.subscriptionId,
            appName: 'Shop front end',
            productName: 'Orders',
            currency: 'EUR',
            balanceMinor: exampleAccount.balanceMinor,
            isLow: false,
          },
        ],
      },
    },
  }),
] as const;

/** What gateway nodes ask for; apart, since the reference lists operations by tag. */
export const gatewayBalanceOperations = [
  defineOperation({
    id: 'listGatewayBalances',
    method: 'GET',
    path: '/gateway/balances',
    tag: 'Gateway nodes',
    summary: 'List what is used of prepaid balances',
    description:
      'For the node itself, when it starts or its store lost its counts: all usage that nodes have reported, with prices. By subscription, in the order of their ids.',
    access: 'node',
    audit: null,
    request: { query: z.strictObject({ after: Id.optional().describe('The last subscription of the page before.') }) },
    data: z.object({
      balances: z.array(
        z.object({
          subscriptionId: Id,
          usedMicro: z.int().describe('In millionths of a minor unit, rounded down.'),
        }),
      ),
      more: z.boolean(),
    }),
    example: {
      request: { query: {} },
      data: { balances: [{ subscriptionId: exampleAccount.subscriptionId, usedMicro: 6_700_000 }], more: false },
    },
  }),
] as const;
