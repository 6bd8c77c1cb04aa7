import { errors } from '@millrace/extraction-contract/errors';
import { errorsOf } from '@millrace/operations/errors';
import { dashboardErrors } from './dashboard-errors.ts';

/** Every answer with an error: the API's and the dashboard's. */
export const everyError = { ...errors, ...dashboardErrors } as const;

/** An error response. The message is public; the private cause is only logged. */
export class ApiError extends errorsOf(everyError) {}

/** One field is at fault: answered as a validation failure, beside that field. */
export function fieldError(path: string, message: string): ApiError {
  return new ApiError('invalid_request', { message, errors: { [path]: message } });
}
