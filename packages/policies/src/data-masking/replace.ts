import { createHmac } from 'node:crypto';
import type { Replacement } from './paths.ts';

/** Replaces a value that is removed completely. */
export const redacted = '***';

/** Computes the replacement of a value from its text. */
export type Replace = (value: string, replacement: Replacement) => string;

/** @param key of the organization: equal values have equal digests under it, and without it nobody can test guesses. */
export function replacer(key: Uint8Array): Replace {
  return (value, replacement) => {
    if (replacement === 'redact') return redacted;
    if (replacement === 'hash') return digestText(createHmac('sha256', key).update(value).digest());
    const characters = [...value];
    // Never more than half of it.
    return characters.length < 8 ? redacted : `****${characters.slice(-4).join('')}`;
  };
}

/** 128 bits of it, as 22 characters. */
export function digestText(digest: Buffer): string {
  return digest.subarray(0, 16).toString('base64url');
}
