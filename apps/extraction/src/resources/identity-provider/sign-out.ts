import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import { tokenContext } from '@millrace/sign-in/provider-links';
import type { IdentityProviderParts } from './handlers.ts';
import { placeOf } from './rules.ts';
import { clientOf, findProvider, links } from './store.ts';

/**
 * Where the browser signs out at the provider that a session began at; null for a session by password, and where the
 * provider has no such address or doesn’t answer: signing out here doesn’t depend on it.
 */
export async function findSignOutUrl(
  parts: Pick<
    IdentityProviderParts,
    'database' | 'identityProviders' | 'identityProviderSecrets' | 'dashboardUrl' | 'log'
  >,
  accountId: string,
  sessionId: string,
): Promise<string | null> {
  const { system } = parts.database;
  const token = await links.findIdToken(system, accountId, sessionId);
  const provider = token && (await findProvider(system, accountId));
  if (token === null || provider?.issuer !== token.issuer) return null;
  const { identityProviderSecrets: sealer } = parts;
  try {
    return await parts.identityProviders.endSessionUrl(clientOf(sealer, provider), {
      idToken: sealer.open(token.sealed, tokenContext(sessionId)).toString(),
      returnTo: placeOf(parts.dashboardUrl(), accountId).signOutReturnUri,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    parts.log.info({ error }, 'the identity provider has no address to sign out at now');
    return null;
  }
}
