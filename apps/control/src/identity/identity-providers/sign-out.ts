import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import { tokenContext } from '@millrace/sign-in/provider-links';
import type { SessionKind } from '../../frame/credentials.ts';
import type { Parts } from '../../frame/parts.ts';
import { clientOf } from './client.ts';
import { placeOf } from './place.ts';
import { findProvider, providerLinks } from './store.ts';

/**
 * Where the browser signs out at the provider that a session began at; null for a session by password, and where the
 * provider has no such address or doesn’t answer: signing out here doesn’t depend on it.
 */
export async function signOutUrlOf(
  parts: Pick<Parts, 'database' | 'sealer' | 'identityProviders' | 'publicUrl' | 'log'>,
  realm: SessionKind,
  organizationId: string,
  sessionId: string,
): Promise<string | null> {
  const { system } = parts.database;
  const token = await providerLinks[realm].findIdToken(system, organizationId, sessionId);
  const provider = token && (await findProvider(system, organizationId, realm));
  if (token === null || provider?.issuer !== token.issuer) return null;
  try {
    return await parts.identityProviders.endSessionUrl(clientOf(parts, provider), {
      idToken: parts.sealer.open(token.sealed, tokenContext(sessionId)).toString(),
      returnTo: placeOf(parts.publicUrl(), organizationId, '').signOutReturnUri,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    parts.log.info({ error }, 'the identity provider has no address to sign out at now');
    return null;
  }
}
