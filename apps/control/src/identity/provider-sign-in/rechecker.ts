import type { DueSession } from '@millrace/sign-in/provider-links';
import { type Rechecker, startRechecker } from '@millrace/sign-in/provider-recheck';
import type { Sessions } from '@millrace/sign-in/sessions';
import type { Parts } from '../../frame/parts.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import type { RealmProviders } from '../identity-providers/realm-providers.ts';

/** Asks the identity providers of a realm whether the users whom they signed in are still active. */
export function startProviderRechecker(
  parts: Pick<Parts, 'database' | 'chain' | 'sealer' | 'identityProviders'> & { onError(error: unknown): void },
  { providers, sessions }: { readonly providers: RealmProviders; readonly sessions: Sessions },
): Rechecker {
  const { database, chain, sealer, identityProviders, onError } = parts;
  const { system } = database;
  return startRechecker({
    system,
    sealer,
    identityProviders,
    onError,
    links: providers.links,
    findProvider: ({ tenant_id: organizationId, user_id: userId }) =>
      providers.find(system, { organizationId, userId }),
    endSession: async ({ tenant_id: organizationId, user_id: userId, session_id: sessionId }: DueSession, reason) => {
      await writeAsSystem({ database, chain }, organizationId, async (transaction) => {
        const ended = await sessions.end(transaction, organizationId, userId, sessionId);
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
