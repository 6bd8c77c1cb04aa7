import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import type { Written } from '../../frame/handler.ts';
import { loadPersons } from '../../frame/persons.ts';
import type { ApiProduct } from '../products/contract.ts';
import type { Subscription } from './contract.ts';
import { askApprovers } from './notices.ts';
import { refuseCancel, refuseTooManyOpen } from './rules.ts';
import { changeTerms, countOpen, decideSubscription, insertSubscription } from './store.ts';

/*
 * What operators and the portal users of a developer account both do with subscriptions. Which product, plan and
 * subscription it may be is decided before.
 */

type Presented = z.infer<typeof Subscription>;

interface Requested {
  /** Locked until the commit. */
  readonly app: { readonly id: string };
  /** Locked at least for share. */
  readonly product: Pick<z.infer<typeof ApiProduct>, 'id' | 'autoApprove'>;
  readonly ratePlanId: string | null;
}

/** Subscribes an app: approved where the product says so, or else it waits and its approvers are notified. */
export async function requestSubscription(
  transaction: TenantTransaction,
  { app, product, ratePlanId }: Requested,
  caller: Caller,
  now: Date,
): Promise<Written<Presented>> {
  refuseTooManyOpen(await countOpen(transaction, app.id));
  const { authorKeys } = await loadPersons(transaction, caller);
  const after = await conflictsAt(
    insertSubscription(transaction, {
      appId: app.id,
      productId: product.id,
      ratePlanId,
      requestedBy: caller.id,
      requestedByName: caller.name,
      authorKeys,
      approvedAt: product.autoApprove ? now : null,
    }),
    subscribedAlready,
  );
  if (after.state === 'pending') await askApprovers(transaction, after, now);
  return { data: after, change: { entityId: after.id, before: null, after } };
}

/** @param before locked until the commit */
export async function changeRatePlan(
  transaction: TenantTransaction,
  before: Presented,
  ratePlanId: string | null,
  caller: Caller,
): Promise<Written<Presented>> {
  const { authorKeys } = await loadPersons(transaction, caller);
  const after = await changeTerms(transaction, before, { ratePlanId }, authorKeys);
  return { data: after, change: { entityId: before.id, before, after } };
}

/**
 * Ends a subscription as its developer wants it.
 *
 * @param before locked until the commit
 */
export async function cancelSubscription(
  transaction: TenantTransaction,
  before: Presented,
  caller: Caller,
  now: Date,
): Promise<Written<Presented>> {
  refuseCancel(before);
  const after = await decideSubscription(transaction, before, {
    state: 'cancelled',
    reason: null,
    by: caller,
    at: now,
  });
  return { data: after, change: { entityId: before.id, before, after } };
}

const subscribedAlready = {
  subscriptions_open: [
    null,
    'The app already has a pending or approved subscription to this product. End that one first.',
  ],
} as const;
