import { QuotaLimit } from '@millrace/gateway-configuration/consumers';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { exampleApp } from '../apps/contract.ts';
import { exampleUsage, Usage, usageRange } from '../developers/contract.ts';

export const Subscription = z
  .object({
    id: Id,
    appId: Id,
    appName: z.string(),
    developerId: Id,
    developerName: z.string(),
    productId: Id,
    productName: z.string(),
    ratePlanId: Id.nullable(),
    ratePlanName: z.string().nullable(),
    termId: Id.nullable().describe(
      'The term that its calls are billed by; null: it isn’t approved, or has no rate plan. A change of plan begins a new one.',
    ),
    state: z.enum(['pending', 'approved', 'rejected', 'revoked', 'cancelled']),
    quota: QuotaLimit.nullable().describe('Replaces the product’s quota; null: the product’s applies.'),
    reason: z.string().nullable().describe('Of the rejection or revocation.'),
    requestedBy: z.string(),
    requestedByName: z.string(),
    decidedBy: z.string().nullable().describe('Null if nobody decided: it is pending, or was approved automatically.'),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'Subscription' });

/** The filters of a list of subscriptions, but the product. */
const subscriptionFilters = {
  state: Subscription.shape.state.optional().describe('`pending`: those that wait for approval.'),
  appId: Id.optional(),
  developerId: Id.optional(),
  ratePlanId: Id.optional(),
} as const;
const subscriptionSorts = ['-createdAt', 'state', 'updatedAt'] as const;

/** Usage that a rate plan includes in each billing period. */
export const Allowance = z.object({
  charge: z.string().describe('Its name in the rate plan.'),
  meter: z.enum(['requests', 'request_bytes', 'response_bytes', 'units']),
  included: z.string().describe('Included in the whole period, as a decimal; prorated in the invoice.'),
  used: z.string().describe('Of the charge so far, as a decimal.'),
});

export const SubscriptionUsage = Usage.extend({
  quota: QuotaLimit.extend({ source: z.enum(['subscription', 'product']) })
    .nullable()
    .describe('The effective limit; null: that of the Quota policy.'),
  window: z.object({ start: Time, end: Time }).nullable().describe('The current window of the quota.'),
  used: z
    .int()
    .nullable()
    .describe('Calls in the window that were not rejected, as reported so far; null if hourly usage is too coarse.'),
  remaining: z.int().nullable(),
  allowance: z
    .array(Allowance)
    .nullable()
    .describe('What the rate plan includes in the current billing period, by charge; null if it includes nothing.'),
}).meta({ id: 'SubscriptionUsage' });

const params = z.object({ subscriptionId: Id });
const Reason = z.string().trim().min(1).max(1_000);
const audit = { category: 'configuration', severity: 'low', entityType: 'subscription' } as const;
const deciding = { ...audit, category: 'governance', severity: 'medium' } as const;
const changing = { ...audit, severity: 'medium' } as const;
const tag = 'Subscriptions';

/** A subscription in the examples of the reference. */
const exampleSubscription = {
  id: 'sub_00000000000000000000000001',
  appId: exampleApp.id,
  appName: exampleApp.displayName,
  developerId: exampleApp.developerId,
  developerName: exampleApp.developerName,
  productId: 'prd_00000000000000000000000001',
  productName: 'Orders',
  ratePlanId: null,
  ratePlanName: null,
  termId: null,
  state: 'pending' as const,
  quota: null,
  reason: null,
  requestedBy: 'usr_00000000000000000000000001',
  requestedByName: 'Robin Example',
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleDecided = {
  ...exampleSubscription,
  decidedBy: 'usr_00000000000000000000000001',
  decidedByName: 'Robin Example',
  decidedAt: '2026-01-15T10:00:00.000Z',
  version: 2,
};
const exampleParams = { subscriptionId: exampleSubscription.id };
const exampleQuota = { limit: 100_000, window: { unit: 'month' as const, count: 1 } };

export const subscriptionOperations = [
  defineOperation({
    id: 'listSubscriptions',
    method: 'GET',
    path: '/subscriptions',
    tag,
    summary: 'List subscriptions',
    description: 'With `state=pending`, those that wait for approval.',
    access: 'subscription.read',
    audit: null,
    request: { query: listQuery(subscriptionSorts, { ...subscriptionFilters, productId: Id.optional() }) },
    data: listData('subscriptions', Subscription),
    example: {
      request: { query: { state: 'pending' } },
      data: { subscriptions: [exampleSubscription], total: 1 },
    },
  }),
  defineOperation({
    id: 'createSubscription',
    method: 'POST',
    path: '/subscriptions',
    tag,
    summary: 'Subscribe an app to a product',
    description:
      'Approved immediately if the product auto-approves; otherwise it waits in the queue. The product has to be ' +
      'published and active, and a rate plan published. An app can have one pending or approved subscription per product.',
    access: 'subscription.write',
    audit: changing,
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({ appId: Id, productId: Id, ratePlanId: Id.nullable().default(null) }),
    },
    data: Subscription,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { appId: exampleApp.id, productId: 'prd_00000000000000000000000001' } },
      data: exampleSubscription,
    },
  }),
  defineOperation({
    id: 'getSubscription',
    method: 'GET',
    path: '/subscriptions/:subscriptionId',
    tag,
    summary: 'Show a subscription',
    access: 'subscription.read',
    audit: null,
    request: { params },
    data: Subscription,
    example: { request: { params: exampleParams }, data: exampleSubscription },
  }),
  defineOperation({
    id: 'approveSubscription',
    method: 'POST',
    path: '/subscriptions/:subscriptionId/approve',
    tag,
    summary: 'Approve a pending subscription',
    description:
      'Within a second every gateway node lets the app call what the product bundles. Whoever requested the subscription, ' +
      'or changed its quota or rate plan while pending, can’t approve it, nor can their service accounts.',
    access: 'subscription.approve',
    audit: deciding,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: Subscription,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleDecided, state: 'approved' } },
  }),
  defineOperation({
    id: 'rejectSubscription',
    method: 'POST',
    path: '/subscriptions/:subscriptionId/reject',
    tag,
    summary: 'Reject a pending subscription',
    description: 'The requester may reject it too.',
    access: 'subscription.approve',
    audit: deciding,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject({ reason: Reason }) },
    data: Subscription,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'Only partners may call this.' } },
      data: { ...exampleDecided, state: 'rejected', reason: 'Only partners may call this.' },
    },
  }),
  defineOperation({
    id: 'revokeSubscription',
    method: 'POST',
    path: '/subscriptions/:subscriptionId/revoke',
    tag,
    summary: 'Revoke an approved subscription',
    description: 'Within a second every gateway node rejects the app’s calls to the product.',
    access: 'subscription.write',
    audit: changing,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject({ reason: Reason }) },
    data: Subscription,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'The contract has ended.' } },
      data: { ...exampleDecided, state: 'revoked', reason: 'The contract has ended.', version: 3 },
    },
  }),
  defineOperation({
    id: 'setSubscriptionQuota',
    method: 'PUT',
    path: '/subscriptions/:subscriptionId/quota',
    tag,
    summary: 'Set a subscription’s own quota',
    description: 'Replaces the product’s quota, within a second on every gateway node.',
    access: 'subscription.write',
    audit: changing,
    production: { exempt: 'one_consumer' },
    request: { params, body: QuotaLimit },
    data: Subscription,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: exampleQuota },
      data: { ...exampleSubscription, quota: exampleQuota, version: 2 },
    },
  }),
  defineOperation({
    id: 'removeSubscriptionQuota',
    method: 'DELETE',
    path: '/subscriptions/:subscriptionId/quota',
    tag,
    summary: 'Take a subscription back to the product’s quota',
    access: 'subscription.write',
    audit: changing,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'setSubscriptionRatePlan',
    method: 'PUT',
    path: '/subscriptions/:subscriptionId/rate-plan',
    tag,
    summary: 'Change a subscription’s rate plan',
    access: 'subscription.write',
    audit: changing,
    production: { exempt: 'one_consumer' },
    request: {
      params,
      body: z.strictObject({ ratePlanId: Id.nullable().describe('A published rate plan of the product; null: none.') }),
    },
    data: Subscription,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { ratePlanId: 'rpl_00000000000000000000000001' } },
      data: {
        ...exampleSubscription,
        ratePlanId: 'rpl_00000000000000000000000001',
        ratePlanName: 'Standard',
        version: 2,
      },
    },
  }),
  defineOperation({
    id: 'getSubscriptionUsage',
    method: 'GET',
    path: '/subscriptions/:subscriptionId/usage',
    tag,
    summary: 'Show a subscription’s usage against its quota and allowance',
    description: 'In the quota’s current window, in total and by day; at most 366 days.',
    access: 'analytics.read',
    audit: null,
    request: { params, query: z.strictObject(usageRange) },
    data: SubscriptionUsage,
    example: {
      request: { params: exampleParams, query: { from: '2026-01-15', to: '2026-01-15' } },
      data: {
        ...exampleUsage,
        quota: { ...exampleQuota, source: 'subscription' },
        window: { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
        used: 1_180,
        remaining: 98_820,
        allowance: null,
      },
    },
  }),
  defineOperation({
    id: 'listProductSubscriptions',
    method: 'GET',
    path: '/products/:productId/subscriptions',
    tag: 'API products',
    summary: 'List an API product’s subscriptions',
    access: 'subscription.read',
    audit: null,
    request: { params: z.object({ productId: Id }), query: listQuery(subscriptionSorts, subscriptionFilters) },
    data: listData('subscriptions', Subscription),
    example: {
      request: { params: { productId: exampleSubscription.productId }, query: { state: 'pending' } },
      data: { subscriptions: [exampleSubscription], total: 1 },
    },
  }),
] as const;
