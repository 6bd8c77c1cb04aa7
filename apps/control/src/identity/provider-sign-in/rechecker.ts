import type { DueSession } from '@millrace/sign-in/provider-links';
import { type Rechecker, startRechecker } from '@millrace/sign-in/provider-recheck';
import type { SessionKind } from '../../frame/credentials.ts';
import type { Parts } from '../../frame/parts.ts';
import { portalSessions, sessions } from '../../frame/sessions.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { clientOf } from '../identity-providers/client.ts';
import { findProvider, providerLinks } from '../identity-providers/store.ts';

/** Asks the identity providers of a realm whether the users whom they signed in are still active. */
export function startProviderRechecker(
  parts: Pick<Parts, 'database' | 'chain' | 'sealer' | 'identityProviders'> & { onError(error: unknown): void },
  realm: SessionKind,
): Rechecker {
  const { database, chain, sealer, identityProviders, onError } = parts;
  const { system } = database;
  return startRechecker({
    system,
    sealer,
    identityProviders,
    onError,
    links: providerLinks[realm],
    findProvider: async (organizationId) => {
      const provider = await findProvider(system, organizationId, realm);
      return provider && { client: clientOf(parts, provider), recheckSeconds: provider.recheck_seconds };
    },
    endSession: async ({ tenant_id: organizationId, user_id: userId, session_id: sessionId }: DueSession, reason) => {
      const table = realm === 'console' ? sessions : portalSessions;
      await writeAsSystem({ database, chain }, organizationId, async (transaction) => {
        const ended = await table.end(transaction, organizationId, userId, sessionId);
        if (ended === null) return null;
        const note = `Ended, since ${reason}.`;
        return {
          operation: 'endSessionByProvider',
          entityType: 'session',
          entityId: sessionId,
          note,
          before: null,
          after: null,
        };
      });
    },
  });
}
