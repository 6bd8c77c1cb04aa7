import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { App, Credential } from './contract.ts';

/** The prefix of every key, so that secret scanners find a leaked one. */
export const keyPrefix = 'mrk_';

/** How many of a key's characters are shown: its prefix, and 36 of its 256 random bits. */
export const shownCharacters = keyPrefix.length + 6;

/** Unrevoked credentials that an app may have. */
export const mostCredentials = 50;

type State = z.infer<typeof Credential>['state'];
type Move = 'rotate' | 'revoke' | 'reveal';

const moves: Readonly<Record<State, readonly Move[]>> = {
  active: ['rotate', 'revoke', 'reveal'],
  rotating: ['rotate', 'revoke', 'reveal'],
  expired: ['revoke', 'reveal'],
  revoked: [],
};

/** The app, as gateway nodes see it. */
export function appConsumer({ id, name, developerId, state }: z.infer<typeof App>): ConsumerChange {
  return { kind: 'app', id, value: { id, name, developerId, active: state === 'active' } };
}

/** The times that determine a credential's state. */
interface Times {
  readonly previousValidUntil: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The state of a credential at a moment. */
export function credentialState({ revokedAt, expiresAt, previousValidUntil }: Times, now: Date): State {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return previousValidUntil !== null && previousValidUntil > now ? 'rotating' : 'active';
}

export function refuseMove(state: State, move: Move): void {
  const allowed = moves[state];
  if (allowed.includes(move)) return;
  throw new ApiError('conflict', {
    message:
      allowed.length === 0
        ? `The credential is permanently ${state}. Issue a new one.`
        : `The credential is ${state}. Possible now: ${allowed.join(' and ')}. Or issue a new one.`,
  });
}

export function refuseTooManyCredentials(unrevoked: number, most: number): void {
  if (unrevoked >= most) {
    throw new ApiError('conflict', {
      message: `An app can have at most ${most} unrevoked credentials. Revoke one first.`,
    });
  }
}

/** When a new credential expires; rejects a time in the past. */
export function expiryOf(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const expiry = new Date(expiresAt);
  if (expiry <= now) throw fieldError('expiresAt', 'Must be in the future.');
  return expiry;
}

/**
 * When the key before a rotation expires, at the latest with the credential; null: immediately.
 *
 * @param expiresAt of the credential; null: it doesn't expire
 */
export function graceEnd(graceSeconds: number, expiresAt: Date | null, now: Date): Date | null {
  if (graceSeconds === 0) return null;
  const end = new Date(now.getTime() + graceSeconds * 1_000);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
