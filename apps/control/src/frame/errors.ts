import type { ErrorTable } from '@millrace/operations';
import { errorsOf, serverErrors } from '@millrace/operations/errors';

/** Every error of the management API: its status, and a text for whoever meets it. A more exact text may take its place. */
export const errors = {
  invalid_request: { status: 400, message: 'Correct the fields named in errors.' },
  not_signed_in: { status: 401, message: 'Sign in, or send a service account’s token as Authorization: Bearer.' },
  sign_in_failed: { status: 401, message: 'The e-mail address, the password or the one-time code is wrong.' },
  forbidden: { status: 403, message: 'Ask an administrator for the right that is named.' },
  not_found: serverErrors.not_found,
  method_not_allowed: serverErrors.method_not_allowed,
  request_timeout: serverErrors.request_timeout,
  conflict: { status: 409, message: 'The present state does not allow this.' },
  version_conflict: {
    status: 412,
    message: 'Somebody changed it since you read it. Read it again, and repeat your change on what it is now.',
  },
  too_large: { status: 413, message: 'Send a smaller body.' },
  wrong_content_type: { status: 415, message: 'Send the body as application/json.' },
  unprocessable: { status: 422, message: 'The request is well formed, but cannot be carried out.' },
  too_many_requests: { status: 429, message: 'Wait for the time in Retry-After, then try again.' },
  headers_too_large: { status: 431, message: 'Send fewer or shorter headers.' },
  internal_error: { status: 500, message: 'Something failed on our side. Nothing was changed; try again.' },
  unavailable: { status: 503, message: 'The service is busy or starting. Try again after the time in Retry-After.' },
} as const satisfies ErrorTable;

export type ErrorCode = keyof typeof errors;

/** An answer with an error of this API. The message is public; the private cause goes to the log alone. */
export class ApiError extends errorsOf(errors) {}

/** One field is at fault: answered as a validation failure, beside that field. */
export function fieldError(path: string, message: string): ApiError {
  return new ApiError('invalid_request', { message, errors: { [path]: message } });
}

/** The row, or the answer that there is none: the same for an unknown id and for another organization's. */
export function found<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw new ApiError('not_found');
  return row;
}
