import { setTimeout as sleep } from 'node:timers/promises';
import type { Sealer } from '@millrace/encryption';
import type { QueryExecutorProvider } from 'kysely';
import { type IdentityProviders, type ProviderClient, ProviderRefused } from './identity-provider.ts';
import { type DueSession, type ProviderLinks, tokenContext } from './provider-links.ts';

/** Asks identity providers whether the users whom they signed in are still active. */
export interface Rechecker {
  /** Waits for the questions in progress, and asks no further ones. */
  stop(): Promise<void>;
}

/** What the questions need of an application. */
export interface RecheckParts {
  readonly system: QueryExecutorProvider;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly identityProviders: Pick<IdentityProviders, 'recheck'>;
  readonly links: ProviderLinks;
  /** The provider of a session’s user; null if there is none. */
  findProvider(
    session: DueSession,
  ): Promise<{ readonly client: ProviderClient; readonly recheckSeconds: number } | null>;
  /** Ends a session, in the application’s own words. */
  endSession(session: DueSession, reason: string): Promise<void>;
}

const intervalMs = 5_000;
const mostAtOnce = 50;
/** Within it, the provider’s answer is noted; afterwards another process asks again. */
const leaseSeconds = 30;
/** A provider that can’t be reached for so long no longer speaks for anybody. */
const longestFailureMs = 900_000;

/** Looks for sessions that are due every five seconds. Several processes can do so concurrently. */
export function startRechecker(parts: RecheckParts & { onError(error: unknown): void }): Rechecker {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const asked = await recheckDue(parts).catch((error: unknown) => {
        parts.onError(error);
        return 0;
      });
      if (asked >= mostAtOnce) continue;
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

/** Asks about the sessions that are due, once; returns how many there were. */
async function recheckDue(parts: RecheckParts): Promise<number> {
  const due = await parts.links.claimDue(parts.system, { most: mostAtOnce, leaseSeconds });
  await Promise.all(due.map((session) => recheck(parts, session)));
  return due.length;
}

async function recheck(parts: RecheckParts, session: DueSession): Promise<void> {
  const { system, links, sealer } = parts;
  const provider = await parts.findProvider(session);
  if (provider?.client.issuer !== session.issuer)
    return parts.endSession(session, 'the identity provider was replaced');
  const context = tokenContext(session.session_id);
  const refreshToken = sealer.open(session.sealed_refresh_token, context).toString();
  try {
    const answer = await parts.identityProviders.recheck(provider.client, refreshToken, session.subject);
    if (answer.outcome === 'ended') return await parts.endSession(session, 'the identity provider ended it');
    await links.keep(system, session, {
      sealedRefreshToken: sealer.seal(Buffer.from(answer.refreshToken), context),
      recheckSeconds: provider.recheckSeconds,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const failingMs = session.failing_since === null ? 0 : Date.now() - session.failing_since.getTime();
    if (failingMs < longestFailureMs) return links.noteFailure(system, session);
    await parts.endSession(session, 'the identity provider didn’t answer for 15 minutes');
  }
}
