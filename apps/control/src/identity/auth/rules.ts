import { type PasswordOwner, passwordFault } from '@millrace/sign-in/passwords';
import { ApiError, fieldError } from '../../frame/errors.ts';

/**
 * Checks a new password against the rules.
 *
 * @param field path of the field, for the error
 * @throws ApiError with that field
 */
export function refuseWeakPassword(field: string, password: string, owner: PasswordOwner): void {
  const fault = passwordFault(password, owner);
  if (fault !== null) throw fieldError(field, fault);
}

/** @throws ApiError `too_many_requests` where there are seconds to wait */
export function refuseWaiting(seconds: number): void {
  if (seconds > 0) throw waiting(seconds);
}

/** `too_many_requests` with the time to come back. */
export function waiting(seconds: number): ApiError {
  return new ApiError('too_many_requests', {
    message: `Too many failed attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(seconds) },
  });
}
