import { operationsIn } from '@millrace/operations';
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** Declares an operation of the extraction API. All of them take an API key and count against its rate limit. */
export const defineOperation = operationsIn<{
  errorCode: ErrorCode;
  auth: 'api_key';
  rateClass: 'key';
  extension: object;
}>();

/** What every operation has in common. */
export const everyOperation = { auth: 'api_key', rateClass: 'key' } as const;

/** Errors that any call may meet. */
export const anyCallErrors = ['invalid_api_key', 'rate_limited', 'internal_error', 'unavailable'] as const;

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string().describe('What went wrong, for programs. New codes may be added.'),
      message: z.string().describe('What to do, for people.'),
    }),
  })
  .meta({ id: 'Error' });
