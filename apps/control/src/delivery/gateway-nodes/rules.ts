import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import { lateSeconds } from '../deployments/settling.ts';
import type { GatewayNode } from './contract.ts';

type Presented = z.infer<typeof GatewayNode>;
export type Drain = Presented['drain'];

/** Maximum number of nodes per organization. */
const mostNodes = 500;
export const offlineSeconds = 60;
/** How long a node may take to load something newer. */
const staleSeconds = 30;

/** What a node's health is derived from, as of its last heartbeat. */
export interface Signs {
  readonly registered: boolean;
  /** Whether its token is valid. */
  readonly tokenActive: boolean;
  /** Null before the first one. */
  readonly heartbeatAgeSeconds: number | null;
  /** What was requested of it, or what it does on its own. */
  readonly drain: Drain;
  /** Null if it has none, or none created by this control plane. */
  readonly heldSequence: number | null;
  /** Whether it reports serving a configuration. */
  readonly serves: boolean;
  readonly assignedSequence: number | null;
  /** Since when something newer than its configuration exists; null if nothing does. */
  readonly newerForSeconds: number | null;
  /** Since when it lacks a change of consumers; null if it has all. */
  readonly consumersNewerForSeconds: number | null;
  readonly refused: { readonly sequence: number; readonly reason: string } | null;
  readonly ready: boolean;
}

/** A node's health, and in sentences why it is not healthy. */
export function healthOf(signs: Signs): Pick<Presented, 'health' | 'problems'> {
  if (!signs.registered) return { health: 'offline', problems: ['It has not registered yet.'] };
  if (!signs.tokenActive) {
    return {
      health: 'offline',
      problems: ['Its token was revoked. Start it with a new registration token, or stop it.'],
    };
  }
  const { heartbeatAgeSeconds: age } = signs;
  if (age === null) return { health: 'offline', problems: ['It has registered, but not reported yet.'] };
  if (age > offlineSeconds) {
    return { health: 'offline', problems: [`It has not reported for more than ${offlineSeconds} seconds.`] };
  }
  const problems = [...problemsOf(signs, age)];
  if (signs.drain !== 'none') return { health: signs.drain, problems };
  return { health: problems.length === 0 ? 'healthy' : 'degraded', problems };
}

function* problemsOf(signs: Signs, ageSeconds: number): Generator<string> {
  const { heldSequence: held, assignedSequence: assigned, refused } = signs;
  if (ageSeconds > lateSeconds) yield `It has not reported for more than ${lateSeconds} seconds.`;
  if (refused !== null) {
    const what = refused.sequence === 0 ? 'its configuration' : `configuration ${refused.sequence}`;
    yield `It rejected ${what}: ${refused.reason}`;
  }
  if (signs.serves && held === null) yield 'It serves a configuration that this control plane did not create.';
  else if ((signs.newerForSeconds ?? 0) > staleSeconds) {
    const present = held === null ? 'no configuration' : `configuration ${held}`;
    yield `It serves ${present}, and has not loaded ${assigned} for more than ${staleSeconds} seconds.`;
  }
  if ((signs.consumersNewerForSeconds ?? 0) > staleSeconds) {
    yield `For more than ${staleSeconds} seconds it has not received changes to consumers.`;
  }
  if (!signs.ready) yield 'It has not loaded all revisions that it serves.';
}

/** Whether deployments wait for the node: it reports with a valid token, and is not drained. */
export function isAwaited(signs: Pick<Signs, 'heartbeatAgeSeconds' | 'drain' | 'tokenActive'>): boolean {
  const { heartbeatAgeSeconds: age, drain, tokenActive } = signs;
  return tokenActive && age !== null && age < lateSeconds && drain !== 'drained';
}

/** The stronger of what was requested of a node and what it does on its own, such as when it is being stopped. */
export function effectiveDrain(asked: Drain, reported: Drain): Drain {
  if (asked === 'drained' || reported === 'drained') return 'drained';
  return asked === 'draining' || reported === 'draining' ? 'draining' : 'none';
}

/** Rejects more nodes than an organization may have. */
export function refuseTooMany(count: number): void {
  if (count < mostNodes) return;
  throw new ApiError('conflict', {
    message: `An organization can have at most ${mostNodes} gateway nodes. Remove one first.`,
  });
}

/** Rejects removing a node that is reporting. */
export function refuseReporting({ health }: Pick<Presented, 'health'>): void {
  if (health === 'offline') return;
  throw new ApiError('conflict', {
    message: `It is ${health}. Only an offline node can be removed: stop it and wait ${offlineSeconds} seconds.`,
  });
}

/** Rejects revoking a token if there is none. */
export function refuseRevoke({
  tokenActive,
  registrationExpiresAt,
}: Pick<Presented, 'tokenActive' | 'registrationExpiresAt'>): void {
  if (tokenActive || registrationExpiresAt !== null) return;
  throw new ApiError('conflict', { message: 'This node has no token. Next: make a registration token, or remove it.' });
}

/** Rejects draining a node that is no longer, or not yet, taking traffic. */
export function refuseDrain({ drain, registeredAt }: Pick<Presented, 'drain' | 'registeredAt'>): void {
  if (registeredAt === null) {
    throw new ApiError('conflict', { message: 'It has not registered yet. It can be changed or removed.' });
  }
  if (drain !== 'none') throw new ApiError('conflict', { message: `It is ${drain}. It can be resumed.` });
}

/** Rejects resuming a node that is not drained. */
export function refuseResume({ drain }: Pick<Presented, 'drain'>): void {
  if (drain === 'none') throw new ApiError('conflict', { message: 'It takes traffic. It can be drained.' });
}
