import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { SessionKind } from '../../frame/credentials.ts';
import type { Parts } from '../../frame/parts.ts';
import { portalSessions, sessions } from '../../frame/sessions.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { clientOf } from '../identity-providers/client.ts';
import {
  claimDue,
  type DueSession,
  findProvider,
  keepSession,
  noteFailure,
  tokenContext,
} from '../identity-providers/store.ts';

/** Asks identity providers whether the users whom they signed in are still active. */
export interface Rechecker {
  /** Waits for the questions in progress, and asks no further ones. */
  stop(): Promise<void>;
}

type RecheckParts = Pick<Parts, 'database' | 'chain' | 'sealer' | 'identityProviders'>;

const intervalMs = 5_000;
const mostAtOnce = 50;
/** Within it, the provider’s answer is noted; afterwards another process asks again. */
const leaseSeconds = 30;
/** A provider that can’t be reached for so long no longer speaks for anybody. */
const longestFailureMs = 900_000;

const realms: readonly SessionKind[] = ['console', 'portal'];

/** Looks for sessions that are due every five seconds. Several processes can do so concurrently. */
export function startRechecker(parts: RecheckParts & { onError(error: unknown): void }): Rechecker {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const asked = await recheckDue(parts).catch((error: unknown) => {
        parts.onError(error);
        return 0;
      });
      if (asked < mostAtOnce)
        await sleep(intervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Asks about every session that is due, once; returns how many there were. */
export async function recheckDue(parts: RecheckParts): Promise<number> {
  let most = 0;
  for (const realm of realms) {
    const due = await claimDue(parts.database.system, realm, { most: mostAtOnce, leaseSeconds });
    await Promise.all(due.map((session) => recheck(parts, realm, session)));
    most = Math.max(most, due.length);
  }
  return most;
}

async function recheck(parts: RecheckParts, realm: SessionKind, session: DueSession): Promise<void> {
  const { system } = parts.database;
  const provider = await findProvider(system, session.organization_id, realm);
  if (provider?.issuer !== session.issuer)
    return endSession(parts, realm, session, 'the identity provider was replaced');
  const context = tokenContext(session.session_id);
  const refreshToken = parts.sealer.open(session.sealed_refresh_token, context).toString();
  try {
    const answer = await parts.identityProviders.recheck(clientOf(parts, provider), refreshToken, session.subject);
    if (answer.outcome === 'ended') return await endSession(parts, realm, session, 'the identity provider ended it');
    await keepSession(system, realm, session, {
      sealedRefreshToken: parts.sealer.seal(Buffer.from(answer.refreshToken), context),
      recheckSeconds: provider.recheck_seconds,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const failingMs = session.failing_since === null ? 0 : Date.now() - session.failing_since.getTime();
    if (failingMs < longestFailureMs) return noteFailure(system, realm, session);
    await endSession(parts, realm, session, 'the identity provider didn’t answer for 15 minutes');
  }
}

async function endSession(
  { database, chain }: RecheckParts,
  realm: SessionKind,
  { organization_id: organizationId, user_id: userId, session_id: sessionId }: DueSession,
  reason: string,
): Promise<void> {
  const table = realm === 'console' ? sessions : portalSessions;
  await writeAsSystem({ database, chain }, organizationId, async (transaction) => {
    const ended = await table.end(transaction, organizationId, userId, sessionId);
    if (ended === null) return null;
    return {
      operation: 'endSessionByProvider',
      entityType: 'session',
      entityId: sessionId,
      note: `Ended, since ${reason}.`,
      before: null,
      after: null,
    };
  });
}
