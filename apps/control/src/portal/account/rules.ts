import type * as z from 'zod';
import type { DeveloperBilling } from '../../consumers/developers/billing.ts';
import type { Developer } from '../../consumers/developers/contract.ts';
import type { PortalAccount } from './contract.ts';

/** What the portal users of a developer account see of it: not what the organization notes beside it. */
export function presentAccount({ userId: _, state: __, ...account }: z.infer<typeof Developer>): PortalAccount {
  return account;
}

/** Billing as the account states it, taxed as the organization set it: by default as its settings say. */
export function billingOf(
  stated: Omit<DeveloperBilling, 'taxTreatment'>,
  before: DeveloperBilling | null,
): DeveloperBilling {
  return { ...stated, taxTreatment: before?.taxTreatment ?? 'standard' };
}
