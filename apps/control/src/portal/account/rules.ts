import type * as z from 'zod';
import type { Developer } from '../../consumers/developers/contract.ts';
import type { PortalAccount } from './contract.ts';

/** What the portal users of a developer account see of it: not what the organization notes beside it. */
export function presentAccount({ userId: _, state: __, ...account }: z.infer<typeof Developer>): PortalAccount {
  return account;
}
