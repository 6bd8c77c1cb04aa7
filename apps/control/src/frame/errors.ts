import type { ErrorTable } from '@millrace/operations';
import { errorsOf, serverErrors } from '@millrace/operations/errors';

/** Every error of the management API: its status and default message, which a more specific one may replace. */
export const errors = {
  invalid_request: { status: 400, message: 'Correct the fields listed in errors.' },
  not_signed_in: { status: 401, message: 'Sign in, or send a service account’s token as Authorization: Bearer.' },
  sign_in_failed: { status: 401, message: 'The e-mail address, the password or the one-time code is wrong.' },
  forbidden: { status: 403, message: 'Ask an administrator for the named permission.' },
  not_found: serverErrors.not_found,
  method_not_allowed: serverErrors.method_not_allowed,
  request_timeout: serverErrors.request_timeout,
  conflict: { status: 409, message: 'This isn’t possible in the current state.' },
  version_conflict: {
    status: 412,
    message: 'Someone changed this since you read it. Reload it and repeat your change.',
  },
  too_large: { status: 413, message: 'Send a smaller body.' },
  wrong_content_type: { status: 415, message: 'Send the body as application/json.' },
  unprocessable: { status: 422, message: 'The request is well formed but can’t be carried out.' },
  too_many_requests: { status: 429, message: 'Wait for the time in Retry-After, then try again.' },
  headers_too_large: { status: 431, message: 'Send fewer or shorter headers.' },
  internal_error: { status: 500, message: 'Something failed on our side. Nothing was changed. Try again.' },
  unavailable: { status: 503, message: 'The service is busy or starting. Try again after the time in Retry-After.' },
} as const satisfies ErrorTable;

export type ErrorCode = keyof typeof errors;

/** An error response of this API. The message is public; the private cause is only logged. */
export class ApiError extends errorsOf(errors) {}

/** An error of a single field: a validation failure with that field's path. */
export function fieldError(path: string, message: string): ApiError {
  return new ApiError('invalid_request', { message, errors: { [path]: message } });
}

/** The row, or a 404: the same for an unknown id and for another organization's. */
export function found<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw new ApiError('not_found');
  return row;
}

/**
 * The row that a field of the request refers to, or an error of that field.
 *
 * @param noun what was not found, such as `Environment`
 */
export function foundAt<Row>(field: string, noun: string, row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw fieldError(field, `${noun} not found.`);
  return row;
}

/**
 * What a caller reads who lacks a permission.
 *
 * @param permissions any one of which is enough
 */
export function permissionRequired(permissions: readonly string[], reason?: string): string {
  return `This requires the permission ${permissions.join(' or ')}${reason === undefined ? '' : `: ${reason}`}.`;
}
