import { CurrencyCode } from '@millrace/pricing';
import * as z from 'zod';
import { Counts, exampleCounts, exampleUsage, Usage, usageRange } from '../../consumers/developers/contract.ts';
import { Allowance, SubscriptionUsage } from '../../consumers/subscriptions/contract.ts';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

/** An approved subscription's calls against its limits. */
const SubscriptionLimits = z
  .object({
    subscriptionId: Id,
    appId: Id,
    appName: z.string(),
    productId: Id,
    productName: z.string(),
    ratePlanName: z.string().nullable(),
    ...SubscriptionUsage.pick({ quota: true, window: true, used: true, remaining: true }).shape,
    allowances: z.array(Allowance).describe('What the rate plan includes in the current billing period, by charge.'),
  })
  .meta({ id: 'PortalSubscriptionLimits' });
export type SubscriptionLimits = z.infer<typeof SubscriptionLimits>;

/** Calls to one API. */
const ApiUsage = z.object({
  proxyId: Id,
  displayName: z.string().nullable().describe('Null: it was deleted.'),
  basePath: z.string().nullable(),
  ...Counts.shape,
});

/** Failed calls to one route. */
const RouteFailures = z.object({
  proxyId: Id,
  routeId: Id.nullable().describe('Null: no route matched.'),
  method: z.string().nullable().describe('`ANY`: all methods. Null: no route matched, or it was deleted.'),
  path: z
    .string()
    .nullable()
    .describe('With placeholders, such as `/v1/orders/{orderId}`. Null: no route matched, or it was deleted.'),
  failed: z.int().describe('Responses 4xx or 5xx.'),
  errors: z.int().describe('Responses 5xx; included in failed.'),
});

const PortalUsage = Usage.extend({
  apis: z.array(ApiUsage).describe('By API, most calls first; at most 100.'),
  failures: z
    .array(RouteFailures)
    .describe(
      'By route, most failures first; at most 100. Calls before gateway nodes reported routes are only in total.',
    ),
  subscriptions: z.array(SubscriptionLimits).describe('Against quota and allowance; the newest 25 approved ones.'),
  budgets: z.array(z.object({ currency: z.string(), amountMinor: z.int(), spentMinor: z.int() })),
}).meta({ id: 'PortalUsage' });

/** One call to the gateway, without anything that it carried. */
const PortalRequest = z
  .object({
    requestId: z.string(),
    at: Time,
    appId: Id,
    appName: z.string(),
    method: z.string(),
    route: z.string().nullable().describe('Its path with placeholders; null: no route matched.'),
    status: z.int(),
    durationMs: z.number().describe('Until the last byte of the response.'),
  })
  .meta({ id: 'PortalRequest' });
export type PortalRequest = z.infer<typeof PortalRequest>;

/** What an account spends in the current billing period, in one currency. */
const PortalSpending = z.object({
  currency: z.string(),
  spentMinor: z.int().describe('So far, before tax, in minor units: what an invoice would list now.'),
  amountMinor: z.int().nullable().describe('The budget for each billing period; null: none.'),
  percent: z.number().nullable().describe('Spent of the budget.'),
  alertedPercent: z
    .union([z.literal(80), z.literal(100)])
    .nullable()
    .describe('The level of which this period’s last e-mail was sent; null: none was.'),
});

const PortalBudget = z
  .object({
    period: z
      .object({ from: Time, to: Time })
      .nullable()
      .describe('The current billing period, a month unless the organization bills otherwise; null: none is open.'),
    currencies: z.array(PortalSpending),
  })
  .meta({ id: 'PortalBudget' });
export type PortalBudget = z.infer<typeof PortalBudget>;

const tag = 'Portal';
const exampleQuota = { limit: 100_000, window: { unit: 'month' as const, count: 1 } };
const exampleBudget = {
  period: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
  currencies: [{ currency: 'EUR', spentMinor: 369, amountMinor: 5_000, percent: 7.4, alertedPercent: null }],
};
const mostBudgetMinor = 1_000_000_000_000;

export const portalUsageOperations = [
  defineOperation({
    id: 'getPortalUsage',
    method: 'GET',
    path: '/portal/usage',
    tag,
    summary: 'Show your usage against quotas, allowances and budgets',
    description: 'In total, by day, by product and by API; at most 366 days. As gateway nodes have reported it.',
    access: 'portal',
    audit: null,
    request: { query: z.strictObject({ ...usageRange, appId: Id.optional(), productId: Id.optional() }) },
    data: PortalUsage,
    example: {
      request: { query: { from: '2026-01-15', to: '2026-01-15' } },
      data: {
        ...exampleUsage,
        apis: [
          {
            proxyId: 'prx_00000000000000000000000001',
            displayName: 'Orders',
            basePath: '/v1/orders',
            ...exampleCounts,
          },
        ],
        failures: [
          {
            proxyId: 'prx_00000000000000000000000001',
            routeId: 'rte_00000000000000000000000001',
            method: 'GET',
            path: '/v1/orders/{orderId}',
            failed: 4,
            errors: 1,
          },
        ],
        subscriptions: [
          {
            subscriptionId: 'sub_00000000000000000000000001',
            appId: 'app_00000000000000000000000001',
            appName: 'Shop front end',
            productId: 'prd_00000000000000000000000001',
            productName: 'Orders',
            ratePlanName: 'Standard',
            quota: { ...exampleQuota, source: 'product' },
            window: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
            used: 1_180,
            remaining: 98_820,
            allowances: [{ charge: 'calls', meter: 'requests', included: '1000', used: '1055' }],
          },
        ],
        budgets: [{ currency: 'EUR', amountMinor: 5_000, spentMinor: 369 }],
      },
    },
  }),
  defineOperation({
    id: 'listPortalRequests',
    method: 'GET',
    path: '/portal/requests',
    tag,
    summary: 'List your apps’ recent requests',
    description:
      'At most the last 100 of each app, and none older than 7 days; of bursts some are left out. Bodies, queries and headers are never kept.',
    access: 'portal',
    audit: null,
    request: {
      query: listQuery(['-at', 'status', 'durationMs'], {
        appId: Id.optional(),
        failed: z.stringbool().optional().describe('Only responses 4xx and 5xx, or only the others.'),
      }),
    },
    data: listData('requests', PortalRequest),
    example: {
      request: { query: { failed: 'true' } },
      data: {
        requests: [
          {
            requestId: 'req_00000000000000000000000009',
            at: '2026-01-15T09:00:00.000Z',
            appId: 'app_00000000000000000000000001',
            appName: 'Shop front end',
            method: 'GET',
            route: '/v1/orders/{orderId}',
            status: 404,
            durationMs: 12.4,
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'getPortalBudget',
    method: 'GET',
    path: '/portal/budget',
    tag,
    summary: 'Show what you spend, and your budget',
    access: 'portal',
    portalRoles: ['owner', 'billing'],
    audit: null,
    request: {},
    data: PortalBudget,
    example: { request: {}, data: exampleBudget },
  }),
  defineOperation({
    id: 'setPortalBudget',
    method: 'PUT',
    path: '/portal/budget',
    tag,
    summary: 'Set your budget in one currency',
    description:
      'Owners and billing users get an e-mail at 80 and at 100 %, each once in a billing period. A budget does not stop calls.',
    access: 'portal',
    portalRoles: ['owner', 'billing'],
    audit: { category: 'configuration', severity: 'low', entityType: 'portal_budget' },
    production: 'never',
    request: {
      body: z.strictObject({
        currency: CurrencyCode,
        amountMinor: z
          .int()
          .min(1)
          .max(mostBudgetMinor)
          .nullable()
          .describe('For each billing period, before tax, in minor units of the currency; null removes it.'),
      }),
    },
    data: PortalBudget,
    example: { request: { body: { currency: 'EUR', amountMinor: 5_000 } }, data: exampleBudget },
  }),
] as const;
