import { findSignOutUrl } from '@millrace/sign-in/provider-sign-out';
import type { Parts } from '../../frame/parts.ts';
import type { RealmProviders } from './realm-providers.ts';

/** Where the browser signs out at the provider that a session began at; null: nowhere. */
export function signOutUrlOf(
  { database, sealer, identityProviders, log }: Pick<Parts, 'database' | 'sealer' | 'identityProviders' | 'log'>,
  { links, find }: RealmProviders,
  user: { readonly organizationId: string; readonly userId: string },
  sessionId: string,
): Promise<string | null> {
  const { system } = database;
  const findProvider = () => find(system, user);
  return findSignOutUrl(
    { system, sealer, identityProviders, log, links, findProvider },
    user.organizationId,
    sessionId,
  );
}
