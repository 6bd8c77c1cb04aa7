import { findSignOutUrl as findUrl } from '@millrace/sign-in/provider-sign-out';
import type { IdentityProviderParts } from './handlers.ts';
import { placeOf } from './rules.ts';
import { clientOf, findProvider, links } from './store.ts';

/** Where the browser signs out at the provider that a session began at; null: nowhere. */
export function findSignOutUrl(
  parts: Pick<
    IdentityProviderParts,
    'database' | 'identityProviders' | 'identityProviderSecrets' | 'dashboardUrl' | 'log'
  >,
  accountId: string,
  sessionId: string,
): Promise<string | null> {
  const { identityProviders, identityProviderSecrets: sealer, log } = parts;
  const { system } = parts.database;
  const findOwn = async () => {
    const provider = await findProvider(system, accountId);
    const { signOutReturnUri } = placeOf(parts.dashboardUrl(), accountId);
    return provider && { client: clientOf(sealer, provider), signOutReturnUri };
  };
  return findUrl({ system, sealer, identityProviders, links, log, findProvider: findOwn }, accountId, sessionId);
}
