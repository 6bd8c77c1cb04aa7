import { tenantTransaction } from '@millrace/postgres';
import { type Rechecker, startRechecker } from '@millrace/sign-in/provider-recheck';
import { sessions } from '../../http/dashboard-sessions.ts';
import type { IdentityProviderParts } from './handlers.ts';
import { clientOf, findProvider, links } from './store.ts';

/** Asks accounts’ identity providers whether the users whom they signed in are still active. */
export function startProviderRechecker(
  parts: Pick<IdentityProviderParts, 'database' | 'identityProviders' | 'identityProviderSecrets' | 'log'>,
): Rechecker {
  const { database, identityProviders, identityProviderSecrets: sealer, log } = parts;
  const { system } = database;
  return startRechecker({
    system,
    sealer,
    identityProviders,
    links,
    onError: (error) => log.warn({ error }, 'asking an identity provider about a session failed'),
    findProvider: async ({ tenant_id: accountId }) => {
      const provider = await findProvider(system, accountId);
      return provider && { client: clientOf(sealer, provider), recheckSeconds: provider.recheck_seconds };
    },
    endSession: async ({ tenant_id: accountId, user_id: userId, session_id: sessionId }, reason) => {
      await tenantTransaction(database, accountId, (transaction) =>
        sessions.end(transaction, accountId, userId, sessionId),
      );
      log.info({ user: userId, reason }, 'a session was ended by the identity provider');
    },
  });
}
