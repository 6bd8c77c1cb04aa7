import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { countAdmitted } from '../developers/usage.ts';
import type { ApiProduct } from '../products/contract.ts';
import type { Subscription } from './contract.ts';
import { isOfWholeHours, quotaOf, quotaWindow } from './rules.ts';

type Presented = z.infer<typeof Subscription>;

/** A subscription's quota and what is used of its current window. */
export async function readLimits(
  transaction: TenantTransaction,
  subscription: Pick<Presented, 'appId' | 'productId' | 'quota'>,
  product: Pick<z.infer<typeof ApiProduct>, 'quota'>,
  now: Date,
) {
  const quota = quotaOf(subscription, product);
  const window = quota && quotaWindow(quota, now);
  const used = window && isOfWholeHours(window) ? await countAdmitted(transaction, subscription, window) : null;
  return {
    quota,
    window: window && { start: window.start.toISOString(), end: window.end.toISOString() },
    used,
    remaining: quota === null || used === null ? null : Math.max(0, quota.limit - used),
  };
}
