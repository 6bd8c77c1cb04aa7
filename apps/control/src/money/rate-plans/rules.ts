import { checkTerms, type PlanTerms, type planTermsFields, trialEndOf, type UsageToPrice } from '@millrace/pricing';
import type * as z from 'zod';
import type { ApiProduct } from '../../consumers/products/contract.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { RatePlan } from './contract.ts';

type Plan = z.infer<typeof RatePlan>;
type Product = z.infer<typeof ApiProduct>;

/** What a version of a plan consists of. */
export interface PlanContent {
  readonly displayName: string;
  readonly description: string;
  readonly terms: PlanTerms;
}

/** The fields of an edit; what is left out stays. */
export type PlanChanges = Partial<PlanTerms & Pick<PlanContent, 'displayName' | 'description'>> & {
  readonly name?: string;
};

const longestNoticeYears = 2;

/** Rejects a rate plan that accepts no subscribers. */
export function refuseSubscription({ displayName, state }: Pick<Plan, 'displayName' | 'state'>): void {
  if (state === 'draft') {
    throw new ApiError('conflict', {
      message: `The rate plan ${displayName} is a draft and accepts no subscribers. Publish it first.`,
    });
  }
  if (state === 'retired') {
    throw new ApiError('conflict', {
      message: `The rate plan ${displayName} is retired and accepts no new subscribers. Choose a published one.`,
    });
  }
}

/** The terms among a plan's fields. */
export function termsOf(fields: { readonly [Field in keyof typeof planTermsFields]: PlanTerms[Field] }): PlanTerms {
  const { type, currency, recurringFee, feeTiming, proration, setupFee, minimumSpend, maximumSpend } = fields;
  const { trialDays, creditExpiry, charges } = fields;
  return {
    type,
    currency,
    recurringFee,
    feeTiming,
    proration,
    setupFee,
    minimumSpend,
    maximumSpend,
    trialDays,
    creditExpiry,
    charges,
  };
}

/** What processes of the version before, which run beside these in an upgrade, store no value for. */
const absentTerms = { creditExpiry: null } as const;

/** Terms as they are stored, with every field. */
export function storedTerms(terms: PlanTerms): PlanTerms {
  return { ...absentTerms, ...terms };
}

/** What an edit of a plan starts from: its draft, or where there is none its published version. */
export function draftOf(plan: Plan): PlanContent {
  const { displayName, description, ...fields } = plan.draft ?? plan;
  return { displayName, description, terms: termsOf(fields) };
}

/**
 * A plan's draft with an edit.
 *
 * @throws ApiError `invalid_request` with the path of each field that contradicts another, or that can't change
 */
export function edited(plan: Plan, changes: PlanChanges): PlanContent {
  const before = draftOf(plan);
  const { name = plan.name, displayName = before.displayName, description = before.description, ...fields } = changes;
  const terms = termsOf({ ...before.terms, ...fields });
  refuseProblems(checkTerms(terms));
  if (plan.state !== 'draft') {
    if (name !== plan.name) {
      throw fieldError('name', 'A published plan keeps its name. Change its display name, or create another plan.');
    }
    if (terms.currency !== plan.currency) {
      throw fieldError('currency', `A published plan keeps its currency. Create another plan for ${terms.currency}.`);
    }
    if ((terms.type === 'prepaid') !== (plan.type === 'prepaid')) {
      throw fieldError('type', 'A published plan can’t change to or from prepaid. Create another plan.');
    }
  }
  return { displayName, description, terms };
}

function refuseProblems(problems: ReturnType<typeof checkTerms>): void {
  if (problems.length === 0) return;
  const errors = problems.map(({ path, message }) => [path.join('.'), message] as const);
  throw new ApiError('invalid_request', { message: errors[0]![1], errors: Object.fromEntries(errors.toReversed()) });
}

/** Rejects charges for API proxies that the product doesn't bundle. */
export function refuseForeignProxies({ charges }: Pick<PlanTerms, 'charges'>, { proxies }: Product): void {
  const bundled = new Set(proxies.map(({ proxyId }) => proxyId));
  for (const [index, { proxyIds }] of charges.entries()) {
    const at = proxyIds?.findIndex((id) => !bundled.has(id)) ?? -1;
    if (at < 0) continue;
    throw fieldError(`charges.${index}.proxyIds.${at}`, 'The product doesn’t bundle this API proxy. Bundle it first.');
  }
}

/** Rejects an edit of a plan that is retired. */
export function refuseRetired({ state }: Plan): void {
  if (state === 'retired') {
    throw new ApiError('conflict', { message: 'The rate plan is retired, which is final. Create another plan.' });
  }
}

/** Rejects publishing where there is no draft, or one whose units nobody would count. */
export function refusePublication(plan: Plan, product: Product): void {
  refuseRetired(plan);
  if (plan.state === 'published' && plan.draft === null) {
    throw new ApiError('conflict', { message: 'The rate plan is already published. Change it first.' });
  }
  const { terms } = draftOf(plan);
  refuseForeignProxies(terms, product);
  const counted = terms.charges.find(({ meter }) => meter === 'units');
  if (counted !== undefined && product.unitsHeader === null) {
    throw new ApiError('conflict', {
      message: `The charge ${counted.name} needs units, but the product ${product.displayName} has no response header for them. Set its unitsHeader first.`,
    });
  }
}

/**
 * Rejects a time from which existing subscribers can't be moved to a new version.
 *
 * @param from ISO 8601; null: they keep their version
 */
export function refuseAppliesFrom({ state }: Plan, from: string | null, now: Date): void {
  const field = 'appliesToSubscribersFrom';
  if (from === null) return;
  if (state === 'draft') throw fieldError(field, 'This plan has no subscribers yet. Leave this out.');
  const at = new Date(from);
  if (at <= now) throw fieldError(field, 'Choose a time in the future.');
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + longestNoticeYears);
  if (at > latest) throw fieldError(field, `Choose a time within ${longestNoticeYears} years.`);
}

/** Rejects deleting where there is no draft. */
export function refuseDeletion({ state, draft }: Plan): void {
  if (state === 'draft' || draft !== null) return;
  throw new ApiError('conflict', {
    message:
      state === 'published'
        ? 'The rate plan is published and can’t be deleted. Retire it to stop new subscriptions.'
        : 'The rate plan is retired and can’t be deleted: it records what subscriptions cost.',
  });
}

/** Rejects retiring a plan that isn't published, or has an edit that would be lost. */
export function refuseRetirement(plan: Plan): void {
  refuseRetired(plan);
  if (plan.state === 'draft') {
    throw new ApiError('conflict', { message: 'The rate plan is a draft. Delete it, or publish it first.' });
  }
  if (plan.draft !== null) {
    throw new ApiError('conflict', {
      message: 'The rate plan has an edit that isn’t published. Publish or delete the edit first.',
    });
  }
}

/** A usage to be priced, and when the subscription begins and ends. */
export interface Estimated {
  readonly usage: Readonly<Record<string, string>>;
  readonly subscribedAt?: string | undefined;
  readonly endedAt?: string | undefined;
}

/**
 * What is priced for an estimate.
 *
 * @throws ApiError `invalid_request` for a period or subscription that ends before it begins, or an unknown charge
 */
export function usageToPrice(
  terms: PlanTerms,
  { usage, subscribedAt, endedAt }: Estimated,
  period: UsageToPrice['period'],
  timeZone: string,
): UsageToPrice {
  if (Date.parse(period.to) <= Date.parse(period.from)) {
    throw fieldError('period.to', 'The period must end after it begins.');
  }
  if (subscribedAt !== undefined && endedAt !== undefined && Date.parse(endedAt) <= Date.parse(subscribedAt)) {
    throw fieldError('endedAt', 'The subscription must end after it begins.');
  }
  const names = new Set(terms.charges.map(({ name }) => name));
  const unknown = Object.keys(usage).find((name) => !names.has(name));
  if (unknown !== undefined) throw fieldError(`usage.${unknown}`, 'The plan has no charge of this name.');
  const isFirst = subscribedAt !== undefined && Date.parse(subscribedAt) >= Date.parse(period.from);
  return {
    terms,
    period,
    timeZone,
    within: { from: subscribedAt ?? period.from, to: endedAt ?? period.to },
    isFirst: isFirst && Date.parse(subscribedAt) < Date.parse(period.to),
    trialEndsAt:
      subscribedAt === undefined || terms.trialDays === 0 ? null : trialEndOf(subscribedAt, terms.trialDays, timeZone),
    usage,
  };
}
