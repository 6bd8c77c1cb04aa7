import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { RatePlan } from './contract.ts';

/**
 * Rejects a rate plan that accepts no subscribers.
 *
 * @param plan null: there is none with the id
 */
export function refusePlan(plan: z.infer<typeof RatePlan> | null, productId: string): void {
  if (plan === null || plan.productId !== productId) {
    throw fieldError('ratePlanId', 'The product doesn’t have this rate plan.');
  }
  if (plan.state === 'draft') {
    throw new ApiError('conflict', {
      message: `The rate plan ${plan.displayName} is a draft and accepts no subscribers. Publish it first.`,
    });
  }
  if (plan.state === 'retired') {
    throw new ApiError('conflict', {
      message: `The rate plan ${plan.displayName} is retired and accepts no new subscribers. Choose a published one.`,
    });
  }
}
