import { operationsIn } from '@millrace/operations';
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/** Declares an operation of the extraction API. All of them take an API key and count against its rate limit. */
export const defineOperation = operationsIn<{
  errorCode: ErrorCode;
  auth: 'api_key';
  rateClass: 'key';
  extension: {
    /** Any one of them is enough; empty: every valid key may call it. */
    readonly scopes: readonly Scope[];
  };
}>();

/** What every operation has in common. */
export const everyOperation = { auth: 'api_key', rateClass: 'key' } as const;

/** Errors that any call may meet. */
export const anyCallErrors = [
  'invalid_api_key',
  'expired_api_key',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

/** Errors that any call may meet which needs a scope. */
export const anyScopedCallErrors = [...anyCallErrors, 'insufficient_scope'] as const;

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string().describe('What went wrong, for programs. New codes may be added.'),
      message: z.string().describe('What to do, for people.'),
    }),
  })
  .meta({ id: 'Error' });
