import { findProduct, lockProduct } from '../../consumers/products/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { fieldError, found, foundAt } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import type { ratePlanOperations } from './contract.ts';
import { estimate } from './estimate.ts';
import { newVersionMail } from './mails.ts';
import {
  draftOf,
  edited,
  refuseAppliesFrom,
  refuseDeletion,
  refuseForeignProxies,
  refusePublication,
  refuseRetired,
  refuseRetirement,
  termsOf,
} from './rules.ts';
import {
  deleteDraft,
  findRatePlan,
  findVersionTerms,
  insertRatePlan,
  listRatePlans,
  listSubscribedDevelopers,
  listSubscribers,
  listVersions,
  publishDraft,
  putDraft,
  retireRatePlan,
} from './store.ts';

export function ratePlanHandlers(): Handlers<typeof ratePlanOperations> {
  return {
    listRatePlans: ({ query }, { transaction }) => listRatePlans(transaction, query),
    createRatePlan: async ({ body }, { transaction }) => {
      const product = foundAt('productId', 'API product', await lockProduct(transaction, body.productId, 'share'));
      refuseForeignProxies(body, product);
      const { productId, name, displayName, description } = body;
      const content = { displayName, description, terms: termsOf(body) };
      const after = await conflictsAt(insertRatePlan(transaction, { productId, name, content }), nameTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getRatePlan: async ({ params: { ratePlanId } }, { transaction }) => ({
      ...found(await findRatePlan(transaction, ratePlanId)),
      versions: await listVersions(transaction, ratePlanId),
    }),
    updateRatePlan: async ({ params, body }, { transaction }) => {
      const { before, product } = await lockPlan(transaction, params.ratePlanId);
      refuseRetired(before);
      const content = edited(before, given(body));
      if (body.charges !== undefined) refuseForeignProxies(content.terms, product);
      const name = body.name ?? before.name;
      const after = await conflictsAt(putDraft(transaction, before, { name, content }), nameTaken);
      return { data: after, change: { entityId: before.id, before, after } };
    },
    deleteRatePlan: async ({ params }, { transaction }) => {
      const { before } = await lockPlan(transaction, params.ratePlanId);
      refuseDeletion(before);
      const after = await deleteDraft(transaction, before);
      return { data: {}, change: { entityId: before.id, before, after } };
    },
    publishRatePlan: async ({ params, body }, { transaction, caller, now, mail }) => {
      const { before, product } = await lockPlan(transaction, params.ratePlanId);
      const appliesFrom = body.appliesToSubscribersFrom;
      refusePublication(before, product);
      refuseAppliesFrom(before, appliesFrom, now);
      const content = draftOf(before);
      const after = await publishDraft(transaction, before, { content, by: caller, appliesFrom, now });
      if (appliesFrom !== null) {
        const { timeZone } = await findBillingSettings(transaction);
        const version = { productName: product.displayName, content, appliesFrom: new Date(appliesFrom), timeZone };
        for (const developer of await listSubscribedDevelopers(transaction, before.id)) {
          await mail(newVersionMail(developer, version));
        }
      }
      const note = appliesFrom === null ? '' : `Applies to existing subscribers from ${appliesFrom}`;
      return { data: after, change: { entityId: before.id, before, after, note } };
    },
    retireRatePlan: async ({ params }, { transaction }) => {
      const { before } = await lockPlan(transaction, params.ratePlanId);
      refuseRetirement(before);
      const after = await retireRatePlan(transaction, before);
      return { data: after, change: { entityId: before.id, before, after } };
    },
    listRatePlanSubscribers: async ({ params: { ratePlanId }, query }, { transaction }) => {
      found(await findRatePlan(transaction, ratePlanId));
      return listSubscribers(transaction, ratePlanId, query);
    },
    estimateRatePlan: async ({ params: { ratePlanId }, body }, { transaction, now }) => {
      const plan = found(await findRatePlan(transaction, ratePlanId));
      const { planVersion = plan.planVersion } = body;
      const terms =
        planVersion === plan.planVersion
          ? termsOf(plan)
          : planVersion === plan.draft?.planVersion
            ? termsOf(plan.draft)
            : await findVersionTerms(transaction, ratePlanId, planVersion);
      if (terms === null) throw fieldError('planVersion', 'The plan has no such version.');
      return estimate(transaction, { planVersion, terms }, body, now);
    },
    listProductRatePlans: async ({ params: { productId }, query }, { transaction }) => {
      found(await findProduct(transaction, productId));
      return listRatePlans(transaction, { ...query, productId });
    },
  };
}

const nameTaken = {
  rate_plans_product_name_key: ['name', 'Another rate plan of this product has this name.'],
} as const;

/** A plan that nobody else changes until the commit, and its product. */
async function lockPlan(transaction: TenantTransaction, ratePlanId: string) {
  const before = found(await findRatePlan(transaction, ratePlanId, { lock: 'update' }));
  return { before, product: found(await findProduct(transaction, before.productId)) };
}
