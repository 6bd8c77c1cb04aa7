import type { Caller } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';

/** The prefix of every token, so that secret scanners find a leaked one. */
export const tokenPrefix = 'mrs_';

/** How many of a token's characters are shown: its prefix, and 36 of its 256 random bits. */
export const shownCharacters = tokenPrefix.length + 6;

const mostTokens = 20;

/** Nobody can change their own permissions; neither can a service account. */
export function refuseOwnAccount(caller: Caller, serviceAccountId: string): void {
  if (caller.id === serviceAccountId) {
    throw new ApiError('forbidden', { message: 'A service account can’t change itself.' });
  }
}

export function refuseTooManyTokens(tokens: readonly unknown[]): void {
  if (tokens.length >= mostTokens) {
    throw new ApiError('conflict', {
      message: `A service account can have at most ${mostTokens} tokens. Revoke one first.`,
    });
  }
}

export function expiryOf(lifetimeDays: number | null, now: Date): Date | null {
  return lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * 24 * 3_600_000);
}
