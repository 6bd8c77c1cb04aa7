import { hash, randomBytes } from 'node:crypto';

/** A new 256-bit secret, and what is stored of it. */
export function newSecret(prefix = ''): { readonly secret: string; readonly hash: Buffer } {
  const secret = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashSecret(secret) };
}

/** SHA-256: enough for a secret of 256 random bits, which cannot be guessed from its hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
