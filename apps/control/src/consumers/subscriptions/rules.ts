import type { ConsumerChange, Prepaid } from '@millrace/gateway-configuration/consumers';
import { windowEndMs } from '@millrace/policies/quota/window';
import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import { type Persons, refuseSamePerson } from '../../frame/persons.ts';
import type { ApiProduct } from '../products/contract.ts';
import type { Subscription } from './contract.ts';

type Presented = z.infer<typeof Subscription>;
type State = Presented['state'];
type Quota = NonNullable<Presented['quota']>;
type Product = z.infer<typeof ApiProduct>;

/** Possible moves of a subscription, by its state. */
type Move = 'approve' | 'reject' | 'revoke' | 'quota' | 'rate-plan';

const moves: Readonly<Record<State, readonly Move[]>> = {
  pending: ['approve', 'reject', 'quota', 'rate-plan'],
  approved: ['revoke', 'quota', 'rate-plan'],
  rejected: [],
  revoked: [],
  cancelled: [],
};

/** A gateway node keeps all of an app's subscriptions. */
const mostOpen = 200;

/** The subscription, as gateway nodes see it, if it is approved. */
export function subscriptionConsumer(
  { id, appId, productId, quota, termId, state }: Presented,
  prepaid: Prepaid | null,
): ConsumerChange {
  const value = { id, appId, productId, quota, termId, prepaid };
  return { kind: 'subscription', id, value: state === 'approved' ? value : null };
}

export function refuseMove({ state }: Presented, move: Move): void {
  const allowed = moves[state];
  if (allowed.includes(move)) return;
  throw new ApiError('conflict', {
    message:
      allowed.length === 0
        ? `The subscription is ${state}, which is final. Subscribe again.`
        : `The subscription is ${state}. Possible now: ${allowed.join(', ')}.`,
  });
}

/** Rejects cancelling a subscription that has ended. */
export function refuseCancel({ state }: Presented): void {
  if (moves[state].length > 0) return;
  throw new ApiError('conflict', { message: `The subscription is already ${state}.` });
}

/** Rejects an approval by the person who requested the subscription, under any account. */
export function refuseAuthor(authorKeys: readonly string[], approver: Persons): void {
  const own = 'You requested this subscription, its quota or its rate plan. Ask someone else to approve it.';
  refuseSamePerson(approver, authorKeys, own);
}

/** Rejects a subscription to a product that doesn't accept any now. */
export function refuseUnavailable({ displayName, published, state }: Product): void {
  const lacking = [...(published ? [] : ['publish']), ...(state === 'active' ? [] : ['activate'])];
  if (lacking.length === 0) return;
  const why = [...(published ? [] : ['not published']), ...(state === 'active' ? [] : ['suspended'])].join(' and ');
  throw new ApiError('conflict', {
    message: `The product ${displayName} is ${why} and accepts no subscriptions. ${lacking.join(' and ')} it first.`,
  });
}

export function refuseTooManyOpen(open: number): void {
  if (open >= mostOpen) {
    throw new ApiError('conflict', {
      message: `An app can have at most ${mostOpen} pending and approved subscriptions. End one first.`,
    });
  }
}

export function refuseWithoutQuota({ quota }: Presented): void {
  if (quota === null) {
    throw new ApiError('conflict', {
      message: 'This subscription has no quota of its own.',
    });
  }
}

/** The effective limit of a subscription, and where it comes from; null: that of the Quota policy. */
export function quotaOf(subscription: Pick<Presented, 'quota'>, product: Pick<Product, 'quota'>) {
  if (subscription.quota !== null) return { ...subscription.quota, source: 'subscription' as const };
  return product.quota === null ? null : { ...product.quota, source: 'product' as const };
}

/** A quota's window at a given time, as the Quota policy computes it. */
export function quotaWindow({ window }: Quota, now: Date): { readonly start: Date; readonly end: Date } {
  const end = new Date(windowEndMs(window, now.getTime()));
  const start = new Date(end);
  if (window.unit === 'month') start.setUTCMonth(start.getUTCMonth() - window.count);
  else start.setTime(end.getTime() - unitMs[window.unit] * window.count);
  return { start, end };
}

/** Whether hourly usage is precise enough for the window. */
export function isOfWholeHours({ start, end }: { readonly start: Date; readonly end: Date }): boolean {
  return start.getTime() % unitMs.hour === 0 && end.getTime() % unitMs.hour === 0;
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
