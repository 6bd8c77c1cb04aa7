import { displayName } from '@millrace/operations/display-name';
import { CurrencyCode, checkTerms, Priced, planTermsFields, planTermsShape, Quantity } from '@millrace/pricing';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const state = z.enum(['draft', 'published', 'retired']).describe('Only a published one accepts subscribers.');
const PlanVersion = z.int().min(1).max(1_000_000);

export const RatePlan = z
  .object({
    id: Id,
    productId: Id,
    productName: z.string(),
    name: Name,
    displayName: z.string(),
    description: z.string(),
    state,
    planVersion: PlanVersion.describe('The version that these terms are; a published one never changes.'),
    ...planTermsFields,
    draft: z
      .object({ planVersion: PlanVersion, displayName: z.string(), description: z.string(), ...planTermsFields })
      .nullable()
      .describe('An edit of a published plan that is not published yet.'),
    subscribers: z.int().describe('Approved subscriptions, on any version.'),
    ...versioned,
  })
  .meta({ id: 'RatePlan' });

export const RatePlanVersion = z
  .object({
    planVersion: PlanVersion,
    displayName: z.string(),
    description: z.string(),
    ...planTermsFields,
    publishedAt: Time,
    publishedByName: z.string().nullable(),
    appliesToSubscribersFrom: Time.nullable().describe(
      'When subscriptions on earlier versions move to this one; null: they stay on theirs.',
    ),
    appliedAt: Time.nullable().describe('When all of them had moved.'),
    subscribers: z.int().describe('Approved subscriptions on this version.'),
  })
  .meta({ id: 'RatePlanVersion' });

export const RatePlanSubscriber = z
  .object({
    subscriptionId: Id,
    appId: Id,
    appName: z.string(),
    developerId: Id,
    developerName: z.string(),
    state: z.enum(['pending', 'approved']),
    termId: Id.nullable().describe('Null while the subscription is pending.'),
    planVersion: PlanVersion.nullable().describe('The version that it is billed by; null while it is pending.'),
    since: Time.nullable().describe('Since when it has been billed by that version.'),
    next: z
      .object({ planVersion: PlanVersion, from: Time })
      .nullable()
      .describe('The version that it moves to next; null if none.'),
    createdAt: Time,
  })
  .meta({ id: 'RatePlanSubscriber' });

export const Estimate = Priced.extend({
  planVersion: PlanVersion,
  period: z.object({ from: Time, to: Time }),
}).meta({ id: 'RatePlanEstimate' });

const texts = { displayName: displayName(), description: z.string().max(5_000) };
const params = z.object({ ratePlanId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'rate_plan' } as const;
const publishing = { ...audit, severity: 'medium' } as const;
const tag = 'Rate plans';

/** A plan's prices in the examples of the reference. */
export const exampleTerms = {
  type: 'pay_as_you_go' as const,
  currency: 'EUR',
  recurringFee: null,
  feeTiming: 'arrears' as const,
  proration: 'second' as const,
  setupFee: null,
  minimumSpend: null,
  maximumSpend: null,
  trialDays: 0,
  creditExpiry: null,
  charges: [
    {
      name: 'calls',
      meter: 'requests' as const,
      statusClasses: [2, 3],
      proxyIds: ['prx_00000000000000000000000001'],
      allowance: '1000',
      model: 'per_unit' as const,
      unitPrice: '0.067',
    },
  ],
};

/** A plan in the examples of the reference. */
const exampleRatePlan = {
  id: 'rpl_00000000000000000000000001',
  productId: 'prd_00000000000000000000000001',
  productName: 'Orders',
  name: 'standard',
  displayName: 'Standard',
  description: '',
  state: 'published' as const,
  planVersion: 1,
  ...exampleTerms,
  draft: null,
  subscribers: 3,
  version: 2,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleDraft = { ...exampleRatePlan, state: 'draft' as const, subscribers: 0, version: 1 };
const exampleParams = { ratePlanId: exampleRatePlan.id };
const examplePeriod = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
/** The price of 1,055 calls by those prices. */
export const exampleEstimate = {
  planVersion: 1,
  period: examplePeriod,
  currency: 'EUR',
  lines: [
    {
      kind: 'usage' as const,
      charge: 'calls',
      tier: null,
      isFlatFee: false,
      quantity: '55',
      unitPrice: '0.067',
      amountMinor: 369,
      share: null,
    },
  ],
  charges: [{ charge: 'calls', usage: '1055', allowance: '1000', billable: '55' }],
  subtotalMinor: 369,
};

export const ratePlanOperations = [
  defineOperation({
    id: 'listRatePlans',
    method: 'GET',
    path: '/rate-plans',
    tag,
    summary: 'List rate plans',
    access: 'rate-plan.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'name', 'displayName', 'updatedAt'], {
        productId: Id.optional(),
        state: state.optional(),
        type: planTermsFields.type.optional(),
        currency: CurrencyCode.optional(),
      }),
    },
    data: listData('ratePlans', RatePlan),
    example: { request: { query: { state: 'published' } }, data: { ratePlans: [exampleRatePlan], total: 1 } },
  }),
  defineOperation({
    id: 'createRatePlan',
    method: 'POST',
    path: '/rate-plans',
    tag,
    summary: 'Draft a rate plan',
    description:
      'Prices are decimals in major units of the currency. The type determines which fields the plan may have: pay_as_you_go no recurring fee and no minimum, flat a recurring fee, tiered at least one charge with tiers, prepaid only prices per unit. A draft accepts no subscribers.',
    access: 'rate-plan.write',
    audit,
    production: 'never',
    request: {
      body: z
        .strictObject({
          productId: Id,
          name: Name,
          displayName: texts.displayName,
          description: texts.description.default(''),
          ...planTermsShape,
        })
        .superRefine((terms, context) => {
          for (const { path, message } of checkTerms(terms)) {
            context.addIssue({ code: 'custom', path: [...path], message });
          }
        }),
    },
    data: RatePlan,
    status: 201,
    example: {
      request: {
        body: {
          productId: exampleRatePlan.productId,
          name: 'pages',
          displayName: 'By the page',
          type: 'tiered',
          currency: 'EUR',
          recurringFee: '20',
          charges: [
            {
              name: 'calls',
              meter: 'requests',
              proxyIds: ['prx_00000000000000000000000001'],
              model: 'graduated',
              tiers: [
                { upTo: '1000', unitPrice: '0' },
                { upTo: null, unitPrice: '0.01' },
              ],
            },
          ],
        },
      },
      data: {
        ...exampleDraft,
        name: 'pages',
        displayName: 'By the page',
        type: 'tiered',
        recurringFee: '20',
        charges: [
          {
            name: 'calls',
            meter: 'requests',
            statusClasses: [2, 3],
            proxyIds: ['prx_00000000000000000000000001'],
            allowance: '0',
            model: 'graduated',
            tiers: [
              { upTo: '1000', unitPrice: '0', flatFee: '0' },
              { upTo: null, unitPrice: '0.01', flatFee: '0' },
            ],
          },
        ],
      },
    },
  }),
  defineOperation({
    id: 'getRatePlan',
    method: 'GET',
    path: '/rate-plans/:ratePlanId',
    tag,
    summary: 'Show a rate plan with its versions',
    access: 'rate-plan.read',
    audit: null,
    request: { params },
    data: RatePlan.extend({
      versions: z.array(RatePlanVersion).describe('The published ones, newest first; at most 100.'),
    }).meta({ id: 'RatePlanWithVersions' }),
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleRatePlan,
        versions: [
          {
            planVersion: 1,
            displayName: exampleRatePlan.displayName,
            description: '',
            ...exampleTerms,
            publishedAt: '2026-01-15T09:00:00.000Z',
            publishedByName: 'Robin Example',
            appliesToSubscribersFrom: null,
            appliedAt: null,
            subscribers: 3,
          },
        ],
      },
    },
  }),
  defineOperation({
    id: 'updateRatePlan',
    method: 'PATCH',
    path: '/rate-plans/:ratePlanId',
    tag,
    summary: 'Change a rate plan’s draft',
    description:
      'Changes the given fields. A published plan never changes: an edit starts a draft of its next version, or changes that draft. A published plan keeps its name and its currency, and a prepaid one stays prepaid.',
    access: 'rate-plan.write',
    audit,
    production: 'never',
    request: {
      params,
      body: z.strictObject({ name: Name, ...texts, ...planTermsFields }).partial(),
    },
    data: RatePlan,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { maximumSpend: '500' } },
      data: {
        ...exampleRatePlan,
        draft: {
          planVersion: 2,
          displayName: exampleRatePlan.displayName,
          description: '',
          ...exampleTerms,
          maximumSpend: '500',
        },
        version: 3,
      },
    },
  }),
  defineOperation({
    id: 'deleteRatePlan',
    method: 'DELETE',
    path: '/rate-plans/:ratePlanId',
    tag,
    summary: 'Delete a draft',
    description:
      'Deletes a plan that was never published. Of a published plan, only an edit that is not published yet is deleted, and the plan stays.',
    access: 'rate-plan.write',
    audit,
    production: 'never',
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'publishRatePlan',
    method: 'POST',
    path: '/rate-plans/:ratePlanId/publish',
    tag,
    summary: 'Publish a rate plan’s draft',
    description:
      'Makes the draft the version that new subscribers get. Existing ones stay on theirs, unless `appliesToSubscribersFrom` names a time from which they are on the new version as well; their developers are notified of it by e-mail.',
    access: 'rate-plan.publish',
    audit: publishing,
    production: 'never',
    request: {
      params,
      body: z
        .strictObject({
          appliesToSubscribersFrom: Time.nullable()
            .default(null)
            .describe('In the future, at most two years ahead; null: existing subscribers keep their version.'),
        })
        .default({ appliesToSubscribersFrom: null }),
    },
    data: RatePlan,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { appliesToSubscribersFrom: '2026-03-01T00:00:00.000Z' } },
      data: { ...exampleRatePlan, planVersion: 2, version: 4 },
    },
  }),
  defineOperation({
    id: 'retireRatePlan',
    method: 'POST',
    path: '/rate-plans/:ratePlanId/retire',
    tag,
    summary: 'Retire a rate plan',
    description: 'It accepts no new subscribers; existing ones keep it.',
    access: 'rate-plan.publish',
    audit: publishing,
    production: 'never',
    request: { params },
    data: RatePlan,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleRatePlan, state: 'retired', version: 3 } },
  }),
  defineOperation({
    id: 'listRatePlanSubscribers',
    method: 'GET',
    path: '/rate-plans/:ratePlanId/subscribers',
    tag,
    summary: 'List a rate plan’s subscribers',
    description: 'Its pending and approved subscriptions, each with the version that it is billed by.',
    access: 'rate-plan.read',
    audit: null,
    request: {
      params,
      query: listQuery(['-createdAt', 'planVersion'], {
        state: RatePlanSubscriber.shape.state.optional(),
        planVersion: z.coerce.number().pipe(PlanVersion).optional(),
      }),
    },
    data: listData('subscribers', RatePlanSubscriber),
    example: {
      request: { params: exampleParams, query: { state: 'approved' } },
      data: {
        subscribers: [
          {
            subscriptionId: 'sub_00000000000000000000000001',
            appId: 'app_00000000000000000000000001',
            appName: 'Shop',
            developerId: 'dev_00000000000000000000000001',
            developerName: 'Sam Example',
            state: 'approved',
            termId: 'trm_00000000000000000000000001',
            planVersion: 1,
            since: '2026-01-15T10:00:00.000Z',
            next: { planVersion: 2, from: '2026-03-01T00:00:00.000Z' },
            createdAt: '2026-01-15T09:00:00.000Z',
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'estimateRatePlan',
    method: 'POST',
    path: '/rate-plans/:ratePlanId/estimate',
    tag,
    summary: 'Price a given usage',
    description:
      'Calculates what a subscription would cost, with the function that closes a billing period. Nothing is stored.',
    access: 'rate-plan.read',
    audit: null,
    request: {
      params,
      body: z.strictObject({
        usage: z
          .record(z.string().max(63), Quantity)
          .default({})
          .describe('Quantity by the name of the charge; a charge that is left out has 0.'),
        period: z
          .strictObject({ from: Time, to: Time })
          .optional()
          .describe('The billing period; default: the current one.'),
        subscribedAt: Time.optional().describe(
          'Start of the subscription; default: before the period. A setup fee is due and the trial begins then.',
        ),
        endedAt: Time.optional().describe('End of the subscription; default: after the period.'),
        planVersion: PlanVersion.optional().describe(
          'A published version, or the draft’s; default: the published one, or the draft of a plan without.',
        ),
      }),
    },
    data: Estimate,
    example: {
      request: { params: exampleParams, body: { usage: { calls: '1055' }, period: examplePeriod } },
      data: exampleEstimate,
    },
  }),
  defineOperation({
    id: 'listProductRatePlans',
    method: 'GET',
    path: '/products/:productId/rate-plans',
    tag: 'API products',
    summary: 'List an API product’s rate plans',
    access: 'rate-plan.read',
    audit: null,
    request: {
      params: z.object({ productId: Id }),
      query: listQuery(['name', '-createdAt', 'updatedAt'], { state: state.optional() }),
    },
    data: listData('ratePlans', RatePlan),
    example: {
      request: { params: { productId: exampleRatePlan.productId }, query: {} },
      data: { ratePlans: [exampleRatePlan], total: 1 },
    },
  }),
] as const;
