import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import type { GatewayNode } from './contract.ts';

type Presented = z.infer<typeof GatewayNode>;
export type Drain = Presented['drain'];

/** Nodes of one organization. */
const mostNodes = 500;
/** Without a heartbeat for so long, a node is no longer healthy, and no deployment waits for it. */
export const lateSeconds = 15;
export const offlineSeconds = 60;
/** So long a node may take to load what is newer. */
const staleSeconds = 30;

/** What tells how a node is, as of its last heartbeat. */
export interface Signs {
  readonly registered: boolean;
  /** Whether its token is valid. */
  readonly tokenActive: boolean;
  /** Null before the first one. */
  readonly heartbeatAgeSeconds: number | null;
  /** What it was asked for, or does by itself. */
  readonly drain: Drain;
  /** Null where it holds none, or none that this control plane made. */
  readonly heldSequence: number | null;
  /** Whether it says that it serves a configuration. */
  readonly serves: boolean;
  readonly assignedSequence: number | null;
  /** Since something newer than what it holds is there; null where nothing is. */
  readonly newerForSeconds: number | null;
  /** Since a consumer has changed that it does not know; null where it knows all. */
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
    const what = refused.sequence === 0 ? 'what it was given' : `configuration ${refused.sequence}`;
    yield `It refused ${what}: ${refused.reason}`;
  }
  if (signs.serves && held === null) yield 'It serves a configuration that this control plane did not make.';
  else if ((signs.newerForSeconds ?? 0) > staleSeconds) {
    const present = held === null ? 'no configuration' : `configuration ${held}`;
    yield `It serves ${present}, and has not loaded ${assigned} for more than ${staleSeconds} seconds.`;
  }
  if ((signs.consumersNewerForSeconds ?? 0) > staleSeconds) {
    yield `For more than ${staleSeconds} seconds it has not learnt of changes of who may call.`;
  }
  if (!signs.ready) yield 'It has not loaded all revisions that it serves.';
}

/** Whether deployments wait for the node: it reports under a valid token, and is not drained. */
export function isAwaited(signs: Pick<Signs, 'heartbeatAgeSeconds' | 'drain' | 'tokenActive'>): boolean {
  const { heartbeatAgeSeconds: age, drain, tokenActive } = signs;
  return tokenActive && age !== null && age < lateSeconds && drain !== 'drained';
}

/** The stronger of what a node was asked for and what it does by itself, as when it is being stopped. */
export function effectiveDrain(asked: Drain, reported: Drain): Drain {
  if (asked === 'drained' || reported === 'drained') return 'drained';
  return asked === 'draining' || reported === 'draining' ? 'draining' : 'none';
}

/** Refuses one node more than an organization may have. */
export function refuseTooMany(count: number): void {
  if (count < mostNodes) return;
  throw new ApiError('conflict', { message: `An organization has at most ${mostNodes} gateway nodes. Remove one.` });
}

/** Refuses to remove a node that reports. */
export function refuseReporting({ health }: Pick<Presented, 'health'>): void {
  if (health === 'offline') return;
  throw new ApiError('conflict', {
    message: `It is ${health}: only an offline node is removed. Stop it and wait ${offlineSeconds} seconds.`,
  });
}

/** Refuses to revoke where there is nothing to revoke. */
export function refuseRevoke({
  tokenActive,
  registrationExpiresAt,
}: Pick<Presented, 'tokenActive' | 'registrationExpiresAt'>): void {
  if (tokenActive || registrationExpiresAt !== null) return;
  throw new ApiError('conflict', { message: 'This node has no token. Next: make a registration token, or remove it.' });
}

/** Refuses to drain what is no longer, or not yet, taking traffic. */
export function refuseDrain({ drain, registeredAt }: Pick<Presented, 'drain' | 'registeredAt'>): void {
  if (registeredAt === null) {
    throw new ApiError('conflict', { message: 'It has not registered yet. It can be changed or removed.' });
  }
  if (drain !== 'none') throw new ApiError('conflict', { message: `It is ${drain}. It can be resumed.` });
}

/** Refuses to resume what is not drained. */
export function refuseResume({ drain }: Pick<Presented, 'drain'>): void {
  if (drain === 'none') throw new ApiError('conflict', { message: 'It takes traffic. It can be drained.' });
}
