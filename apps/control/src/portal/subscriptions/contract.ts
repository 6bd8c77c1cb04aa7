import { QuotaLimit } from '@millrace/gateway-configuration/consumers';
import { PricedLine, planTermsFields, Quantity } from '@millrace/pricing';
import * as z from 'zod';
import { Subscription } from '../../consumers/subscriptions/contract.ts';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';
import { Estimate, exampleEstimate, exampleTerms } from '../../money/rate-plans/contract.ts';

/** A subscription as the portal users of its developer account see it. */
const PortalSubscription = Subscription.pick({
  id: true,
  appId: true,
  appName: true,
  productId: true,
  productName: true,
  ratePlanId: true,
  ratePlanName: true,
  state: true,
  reason: true,
  decidedAt: true,
  version: true,
  createdAt: true,
  updatedAt: true,
})
  .extend({
    quota: QuotaLimit.nullable().describe('The limit of calls; null: none of its own.'),
    isPrepaid: z.boolean().describe('Its calls are paid from a balance.'),
  })
  .meta({ id: 'PortalSubscription' });
export type PortalSubscription = z.infer<typeof PortalSubscription>;

const PlanVersion = z.int().min(1);

/** One version of a rate plan, with its prices. */
const PortalPlan = z
  .object({
    ratePlanId: Id,
    planVersion: PlanVersion,
    displayName: z.string(),
    description: z.string(),
    ...planTermsFields,
  })
  .meta({ id: 'PortalPlan' });
export type PortalPlan = z.infer<typeof PortalPlan>;

const PortalSubscriptionWithPlan = PortalSubscription.extend({
  plan: PortalPlan.extend({ since: Time })
    .nullable()
    .describe('The prices that its calls are billed by; null: it isn’t approved, or has no plan.'),
  nextPlan: PortalPlan.extend({ from: Time }).nullable().describe('The version of the plan that it moves to.'),
}).meta({ id: 'PortalSubscriptionWithPlan' });
export type PortalSubscriptionWithPlan = z.infer<typeof PortalSubscriptionWithPlan>;

/** What a subscription costs in a billing period, in one currency. */
const PortalCost = z
  .object({
    currency: z.string(),
    lines: z.array(
      PricedLine.extend({
        planName: z.string(),
        planVersion: PlanVersion,
        firstDay: z.iso.date(),
        lastDay: z.iso.date(),
      }),
    ),
    subtotalMinor: z.int().describe('Sum of the lines, before tax.'),
  })
  .meta({ id: 'PortalCost' });
export type PortalCost = z.infer<typeof PortalCost>;

const PlanChangePreview = z
  .object({
    period: z.object({ from: Time, to: Time }).describe('The current billing period.'),
    from: PortalPlan.nullable().describe('The present plan; null: none.'),
    to: PortalPlan,
    staying: z.array(PortalCost).describe('With the usage so far, if the plan is kept until the period ends.'),
    changing: z.array(PortalCost).describe('With the same usage, if the plan changes now; without calls after that.'),
  })
  .meta({ id: 'PortalPlanChangePreview' });

const params = z.object({ subscriptionId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'subscription' } as const;
const tag = 'Portal';
const writers = ['owner', 'developer'] as const;

const exampleSubscription = {
  id: 'sub_00000000000000000000000001',
  appId: 'app_00000000000000000000000001',
  appName: 'Shop front end',
  productId: 'prd_00000000000000000000000001',
  productName: 'Orders',
  ratePlanId: 'rpl_00000000000000000000000001',
  ratePlanName: 'Standard',
  state: 'approved' as const,
  reason: null,
  decidedAt: '2026-01-15T09:00:00.000Z',
  quota: { limit: 10_000, window: { unit: 'day' as const, count: 1 } },
  isPrepaid: false,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const examplePlan = {
  ratePlanId: exampleSubscription.ratePlanId,
  planVersion: 1,
  displayName: 'Standard',
  description: '',
  ...exampleTerms,
};
const exampleWithPlan = {
  ...exampleSubscription,
  plan: { ...examplePlan, since: '2026-01-15T09:00:00.000Z' },
  nextPlan: null,
};
const exampleParams = { subscriptionId: exampleSubscription.id };
const exampleCost = {
  currency: 'EUR',
  lines: [
    {
      ...exampleEstimate.lines[0]!,
      planName: 'Standard',
      planVersion: 1,
      firstDay: '2026-01-01',
      lastDay: '2026-01-31',
    },
  ],
  subtotalMinor: 369,
};
const PlanOfProduct = Id.describe('A published rate plan of the product.');

export const portalSubscriptionOperations = [
  defineOperation({
    id: 'listPortalSubscriptions',
    method: 'GET',
    path: '/portal/subscriptions',
    tag,
    summary: 'List your subscriptions',
    access: 'portal',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'state', 'updatedAt'], {
        state: PortalSubscription.shape.state.optional(),
        appId: Id.optional(),
        productId: Id.optional(),
      }),
    },
    data: listData('subscriptions', PortalSubscription),
    example: {
      request: { query: { state: 'approved' } },
      data: { subscriptions: [exampleSubscription], total: 1 },
    },
  }),
  defineOperation({
    id: 'subscribeInPortal',
    method: 'POST',
    path: '/portal/subscriptions',
    tag,
    summary: 'Subscribe one of your apps to a product',
    description:
      'Approved immediately if the product allows it; otherwise `state` is `pending` until the organization decides. A product with published rate plans needs one of them. An app can have one pending or approved subscription per product.',
    access: 'portal',
    portalRoles: writers,
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({
        appId: Id,
        productId: Id,
        ratePlanId: PlanOfProduct.nullable().default(null).describe('Null if the product has no published rate plan.'),
      }),
    },
    data: PortalSubscriptionWithPlan,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: {
          appId: exampleSubscription.appId,
          productId: exampleSubscription.productId,
          ratePlanId: exampleSubscription.ratePlanId,
        },
      },
      data: { ...exampleWithPlan, state: 'pending', decidedAt: null, plan: null },
    },
  }),
  defineOperation({
    id: 'getPortalSubscription',
    method: 'GET',
    path: '/portal/subscriptions/:subscriptionId',
    tag,
    summary: 'Show one of your subscriptions, with its prices',
    access: 'portal',
    audit: null,
    request: { params },
    data: PortalSubscriptionWithPlan,
    example: { request: { params: exampleParams }, data: exampleWithPlan },
  }),
  defineOperation({
    id: 'previewPortalPlanChange',
    method: 'GET',
    path: '/portal/subscriptions/:subscriptionId/plan-change',
    tag,
    summary: 'Show what a change of plan costs this period',
    description: 'Priced by the function that makes invoices, from the usage reported so far. Nothing is changed.',
    access: 'portal',
    audit: null,
    request: { params, query: z.strictObject({ ratePlanId: PlanOfProduct }) },
    data: PlanChangePreview,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, query: { ratePlanId: examplePlan.ratePlanId } },
      data: {
        period: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
        from: examplePlan,
        to: { ...examplePlan, ratePlanId: 'rpl_00000000000000000000000002', displayName: 'Large' },
        staying: [exampleCost],
        changing: [exampleCost],
      },
    },
  }),
  defineOperation({
    id: 'changePortalPlan',
    method: 'POST',
    path: '/portal/subscriptions/:subscriptionId/plan',
    tag,
    summary: 'Change a subscription’s rate plan',
    description: 'Calls from now on are billed by the newest published version of the plan.',
    access: 'portal',
    portalRoles: writers,
    audit,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject({ ratePlanId: PlanOfProduct }) },
    data: PortalSubscriptionWithPlan,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { ratePlanId: examplePlan.ratePlanId } },
      data: { ...exampleWithPlan, version: 2 },
    },
  }),
  defineOperation({
    id: 'cancelPortalSubscription',
    method: 'POST',
    path: '/portal/subscriptions/:subscriptionId/cancel',
    tag,
    summary: 'Cancel a subscription',
    description:
      'Permanent. Within a second every gateway node rejects the app’s calls to the product. What was used until then is billed.',
    access: 'portal',
    portalRoles: writers,
    audit,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: PortalSubscription,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: { ...exampleSubscription, state: 'cancelled', version: 2 },
    },
  }),
  defineOperation({
    id: 'estimatePortalPrice',
    method: 'POST',
    path: '/portal/estimates',
    tag,
    summary: 'Price a given usage under a published rate plan',
    description:
      'Calculates what one billing period would cost, with the function that makes invoices. Nothing is stored.',
    access: 'portal_visitor',
    audit: null,
    request: {
      body: z.strictObject({
        productId: Id,
        ratePlanId: Id,
        usage: z
          .record(z.string().max(63), Quantity)
          .refine((usage) => Object.keys(usage).length <= 50, 'A plan has at most 50 charges.')
          .default({})
          .describe('Quantity by the name of the charge; a charge that is left out has 0.'),
      }),
    },
    data: Estimate,
    example: {
      request: {
        body: {
          productId: exampleSubscription.productId,
          ratePlanId: examplePlan.ratePlanId,
          usage: { calls: '1055' },
        },
      },
      data: exampleEstimate,
    },
  }),
] as const;
