import { ApiError } from './errors.ts';

/** A NUL or half a surrogate pair, as `JSON.stringify` writes it; a backslash that is itself escaped does not count. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Rejects text that PostgreSQL can't store unchanged: storing it would fail, or the stored text would differ from the
 * one that the audit trail hashes.
 */
export function refuseUnstorableText(input: object): void {
  if (unstorable.test(JSON.stringify(input))) {
    throw new ApiError('invalid_request', {
      message: 'Remove control characters (NUL) and broken Unicode from the text.',
    });
  }
}
