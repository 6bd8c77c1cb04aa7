import { type PlanTerms, PricingError, periodContaining, priceUsage } from '@millrace/pricing';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import type { Estimate } from './contract.ts';
import { type Estimated, usageToPrice } from './rules.ts';

/** What is priced, with the period, which is the current one by default. */
interface Asked extends Estimated {
  readonly period?: { readonly from: string; readonly to: string } | undefined;
}

/**
 * Prices a usage under a version of a plan, with the function that closes a billing period.
 *
 * @throws ApiError `invalid_request` for a period or subscription that ends before it begins, an unknown charge, or what
 *   is too large to be exact
 */
export async function estimate(
  transaction: TenantTransaction,
  { planVersion, terms }: { readonly planVersion: number; readonly terms: PlanTerms },
  asked: Asked,
  now: Date,
): Promise<z.infer<typeof Estimate>> {
  const { period: unit, timeZone } = await findBillingSettings(transaction);
  const period = asked.period ?? periodContaining(now.toISOString(), { unit, timeZone });
  const input = usageToPrice(terms, asked, period, timeZone);
  try {
    return { planVersion, period, ...priceUsage(input) };
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    throw fieldError('usage', error.message);
  }
}
