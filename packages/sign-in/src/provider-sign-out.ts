import type { Sealer } from '@millrace/encryption';
import type { QueryExecutorProvider } from 'kysely';
import { type IdentityProviders, type ProviderClient, ProviderRefused } from './identity-provider.ts';
import { type ProviderLinks, tokenContext } from './provider-links.ts';

/** What signing out at a provider needs of an application. */
interface SignOutParts {
  readonly system: QueryExecutorProvider;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly identityProviders: Pick<IdentityProviders, 'endSessionUrl'>;
  readonly links: Pick<ProviderLinks, 'findIdToken'>;
  readonly log: { info(facts: object, message: string): void };
  /** The provider of the session’s user, and where it sends the browser back to; null if there is none. */
  findProvider(): Promise<{ readonly client: ProviderClient; readonly signOutReturnUri: string } | null>;
}

/**
 * Where the browser signs out at the provider that a session began at; null for a session by password, and where the
 * provider has no such address or doesn’t answer: signing out here doesn’t depend on it.
 */
export async function findSignOutUrl(parts: SignOutParts, tenantId: string, sessionId: string): Promise<string | null> {
  const token = await parts.links.findIdToken(parts.system, tenantId, sessionId);
  const provider = token && (await parts.findProvider());
  if (token === null || provider?.client.issuer !== token.issuer) return null;
  try {
    return await parts.identityProviders.endSessionUrl(provider.client, {
      idToken: parts.sealer.open(token.sealed, tokenContext(sessionId)).toString(),
      returnTo: provider.signOutReturnUri,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    parts.log.info({ error }, 'the identity provider has no address to sign out at now');
    return null;
  }
}
