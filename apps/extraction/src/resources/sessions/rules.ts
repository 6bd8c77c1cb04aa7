import type * as z from 'zod';
import { idleHours } from '../../http/dashboard-authenticate.ts';
import { type ApiError, fieldError } from '../../http/errors.ts';
import type { Session } from './contract.ts';
import type { StoredSession } from './store.ts';

/** How long a link to set a new password is good for. */
export const resetMinutes = 60;

/** A session as its user sees it. */
export function sessionAnswer(session: StoredSession, currentId: string): z.input<typeof Session> {
  const idleUntil = session.last_seen_at.getTime() + idleHours * 3_600_000;
  return {
    id: session.id,
    current: session.id === currentId,
    address: session.address,
    userAgent: session.user_agent,
    createdAt: session.created_at.toISOString(),
    lastSeenAt: session.last_seen_at.toISOString(),
    expiresAt: new Date(Math.min(idleUntil, session.expires_at.getTime())).toISOString(),
  };
}

/** The same for a link that was never given, was used, or is too old. */
export function uselessLink(): ApiError {
  return fieldError('token', 'This link was used before, or is too old. Ask for a new one.');
}
