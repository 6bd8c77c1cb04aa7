import { createHmac } from 'node:crypto';
import type { Replacement } from './paths.ts';

/** In the place of a value of which nothing is left. */
export const redacted = '***';

/** Makes what stands in the place of a value, from its text. */
export type Replace = (value: string, replacement: Replacement) => string;

/** @param key of the organization: digests under it tell equal values, and nobody without it can try values out. */
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
