import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import { appendAudit } from '../../frame/audit.ts';
import type { Origin } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Parts } from '../../frame/parts.ts';

/** A sign-in that somebody tries to finish, as the audit trail names it. */
interface Attempt {
  readonly operation: string;
  readonly entityType: string;
  readonly organizationId: string;
  readonly origin: Origin;
  readonly now: Date;
}

/** Translates that a provider can’t be used to begin a sign-in. */
export function unusable(error: unknown): never {
  throw error instanceof ProviderRefused
    ? new ApiError('unprocessable', { message: error.message, cause: error })
    : error;
}

/** What somebody reads who is no longer signed in as who asked to be linked. */
export function signedOutMeanwhile(): ApiError {
  return new ApiError('sign_in_failed', {
    message: 'You signed out meanwhile. Sign in again, then link your account.',
  });
}

/**
 * Records a sign-in that fails in the organization’s audit trail; whoever tried gets the public message.
 *
 * @throws ApiError for whatever is refused on the way
 */
export async function auditingFailure<Result>(
  parts: Parts,
  { operation, entityType, organizationId, origin, now }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof ProviderRefused || error instanceof ApiError;
    if (!isRefusal) throw error;
    parts.log.info({ error }, 'a sign-in by an identity provider was refused');
    await appendAudit(parts.database, parts.chain, {
      organizationId,
      at: now,
      actorKind: 'anonymous',
      actorId: null,
      actorName: 'anonymous',
      operation,
      entityType,
      entityId: null,
      category: 'security',
      severity: 'medium',
      outcome: 'denied',
      note: error.message,
      changes: [],
      origin,
    });
    throw error instanceof ApiError ? error : new ApiError('sign_in_failed', { message: error.message, cause: error });
  }
}
