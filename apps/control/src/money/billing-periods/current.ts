import type { PlanTerms } from '@millrace/pricing';
import type * as z from 'zod';
import type { Allowance, Subscription } from '../../consumers/subscriptions/contract.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { type BillableTerm, type BilledTerm, billTerm, pricedCharges, trialEndsAt } from './billing.ts';
import { findPeriodAt, followingPeriod } from './store.ts';
import { type Billing, billDevelopers, loadBilling, loadTerms } from './terms.ts';
import { readTermUsage, type TermUsage } from './usage.ts';

/*
 * What the current billing period costs so far, from the usage that gateway nodes have reported: by the functions that
 * make its invoices.
 */

/** The billing period of a moment; null: none is open. */
export async function loadCurrentBilling(transaction: TenantTransaction, now: Date): Promise<Billing | null> {
  const period = await findPeriodAt(transaction, now);
  return period && loadBilling(transaction, period.id, await followingPeriod(transaction));
}

/** What a developer's invoices of a period would list, before tax, by currency. */
export async function readSpending(
  transaction: TenantTransaction,
  billing: Billing,
  developerId: string,
): Promise<ReadonlyMap<string, number>> {
  const spent = new Map<string, number>();
  for (const { term, lines } of await billDevelopers(transaction, billing, [developerId])) {
    const { currency } = term.terms;
    const amountMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
    spent.set(currency, (spent.get(currency) ?? 0) + amountMinor);
  }
  return spent;
}

type Presented = z.infer<typeof Subscription>;

/** What the rate plans of subscriptions include in the current billing period, and what was used of it, by their ids. */
export async function readAllowances(
  transaction: TenantTransaction,
  subscriptions: readonly Pick<Presented, 'id' | 'developerId' | 'termId'>[],
  now: Date,
): Promise<ReadonlyMap<string, readonly z.infer<typeof Allowance>[]>> {
  const open = new Set(subscriptions.flatMap(({ termId }) => termId ?? []));
  const billing = open.size === 0 ? null : await loadCurrentBilling(transaction, now);
  if (billing === null) return new Map();
  const { period } = billing;
  const developerIds = [...new Set(subscriptions.map(({ developerId }) => developerId))];
  const ids = subscriptions.map(({ id }) => id);
  const terms = (await loadTerms(transaction, period, developerIds, ids)).filter(({ id }) => open.has(id));
  const usage = await usageOf(transaction, billing, terms);
  return new Map(
    terms.map((term) => {
      const meters = new Map(term.terms.charges.map(({ name, meter }) => [name, meter]));
      const included = pricedCharges(term, period, usage.get(term.id) ?? []).flatMap((charge) => {
        if (Number(charge.allowance) === 0) return [];
        return {
          charge: charge.charge,
          meter: meters.get(charge.charge)!,
          included: charge.allowance,
          used: charge.usage,
        };
      });
      return [term.subscriptionId, included];
    }),
  );
}

/** The plan that a subscription may change to. */
export interface NextPlan {
  readonly ratePlanId: string;
  readonly planVersion: number;
  readonly displayName: string;
  readonly terms: PlanTerms;
}

/** A subscription's bills of the current billing period, with the usage so far. */
export interface PlanChange {
  /** If its plan stays until the period ends. */
  readonly staying: readonly BilledTerm[];
  /** If it changes now, without calls after that. */
  readonly changing: readonly BilledTerm[];
}

/** Bills a subscription's current period twice: as it is, and with another plan from now on. Stores nothing. */
export async function previewPlanChange(
  transaction: TenantTransaction,
  billing: Billing,
  subscription: Presented,
  next: NextPlan,
  now: Date,
): Promise<PlanChange> {
  const { period } = billing;
  const terms = await loadTerms(transaction, period, [subscription.developerId], [subscription.id]);
  const usage = await usageOf(transaction, billing, terms);
  const bill = (term: BillableTerm) => billTerm({ ...billing, term, usage: usage.get(term.id) ?? [], late: [] });
  const isOver = ({ endsAt }: BillableTerm) => endsAt !== null && Date.parse(endsAt) < Date.parse(period.startsAt);
  const current = terms.filter((term) => !isOver(term));
  const at = now.toISOString();
  const open = current.find(({ id }) => id === subscription.termId);
  const closed = current.map((term) => (term === open ? { ...term, endsAt: at } : term));
  const added: BillableTerm = {
    id: '',
    subscriptionId: subscription.id,
    developerId: subscription.developerId,
    productId: subscription.productId,
    ratePlanId: next.ratePlanId,
    planVersion: next.planVersion,
    productName: subscription.productName,
    planName: next.displayName,
    appName: subscription.appName,
    startsAt: at,
    endsAt: null,
    subscribedAt: terms[0]?.subscribedAt ?? at,
    isContinuation: open !== undefined,
    isRepeated: terms.some(({ ratePlanId }) => ratePlanId === next.ratePlanId),
    terms: next.terms,
  };
  return { staying: current.map(bill), changing: [...closed, added].map(bill) };
}

async function usageOf(
  transaction: TenantTransaction,
  { period }: Billing,
  terms: readonly BillableTerm[],
): Promise<ReadonlyMap<string, readonly TermUsage[]>> {
  const read = terms.map((term) => ({ id: term.id, trialEndsAt: trialEndsAt(term, period.timeZone) }));
  return Map.groupBy(await readTermUsage(transaction, read, period), ({ termId }) => termId);
}
