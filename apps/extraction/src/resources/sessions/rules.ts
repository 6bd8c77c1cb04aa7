import type { StoredSession } from '@millrace/sign-in/sessions';
import type * as z from 'zod';
import { sessions } from '../../http/dashboard-sessions.ts';
import { type ApiError, fieldError } from '../../http/errors.ts';
import type { Session } from './contract.ts';

/** How long a link to set a new password is good for. */
export const resetMinutes = 60;

export const tooManyAttempts = 'Too many attempts failed';

/** A session as its user sees it. */
export function sessionAnswer(session: StoredSession, currentId: string): z.input<typeof Session> {
  return {
    id: session.id,
    current: session.id === currentId,
    address: session.address,
    userAgent: session.user_agent,
    createdAt: session.created_at.toISOString(),
    lastSeenAt: session.last_seen_at.toISOString(),
    expiresAt: sessions.expiryOf(session.last_seen_at, session.ends_at).toISOString(),
  };
}

/** The same error for a link that never existed, was used, or has expired. */
export function uselessLink(): ApiError {
  return fieldError('token', 'This link was used before or has expired. Request a new one.');
}
