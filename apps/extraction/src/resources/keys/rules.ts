import { randomBytes } from 'node:crypto';
import { scopes } from '@millrace/extraction-contract/scopes';
import type * as z from 'zod';
import { fieldError } from '../../http/errors.ts';
import type { ApiKey } from './contract.ts';
import type { StoredKey } from './store.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base-62 characters that carry 256 bits. */
const secretLength = 43;
/** Of the raw key; kept for recognition. */
const prefixLength = 12;

/** A new API key: `mr_live_` and 256 random bits in base 62. */
export function newRawKey(): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      // 248 = 4 × 62: the bytes beyond would make some characters likelier than others.
      if (byte < 248 && secret.length < secretLength) secret += alphabet.charAt(byte % 62);
    }
  }
  return `mr_live_${secret}`;
}

export function keyPrefix(raw: string): string {
  return raw.slice(0, prefixLength);
}

/** Usable keys that an account may have at once. */
export const mostKeys = 1_000;

/** A key as the dashboard shows it. */
export function keyAnswer(key: StoredKey, now = new Date()): z.input<typeof ApiKey> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    rateLimitPerMinute: key.rate_limit_per_minute,
    scopes: scopes.filter((scope) => key.scopes.includes(scope)),
    status: statusOf(key, now),
    expiresAt: key.expires_at?.toISOString() ?? null,
    createdAt: key.created_at.toISOString(),
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
  };
}

function statusOf(key: StoredKey, now: Date): z.input<typeof ApiKey>['status'] {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

/** @throws ApiError that names the field, where a key would have expired before it was used */
export function refusePastExpiry(expiresAt: string | null | undefined, now = new Date()): void {
  if (expiresAt && new Date(expiresAt) <= now) throw fieldError('expiresAt', 'Choose a time in the future.');
}
