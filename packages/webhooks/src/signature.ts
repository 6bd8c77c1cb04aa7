import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The oldest and the furthest future time, in seconds from now, at which a signature is accepted. */
export const signatureToleranceSeconds = 300;

/** A new signing secret: `whsec_` and 32 random bytes in base64url. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/**
 * The value of the header `X-Svc-Signature`: `t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of `<t>.` and
 * the body's bytes, with the secret's text as the key. During a rotation several secrets are valid: the header then has
 * one `v1` for each, in the given order, and a receiver accepts it if any of them matches.
 *
 * @param secrets the valid secrets, newest first; at least one
 */
export function signatureHeader(secrets: readonly string[], body: Uint8Array, unixSeconds: number): string {
  if (secrets.length === 0) throw new Error('A webhook cannot be signed without a secret.');
  return [
    `t=${unixSeconds}`,
    ...secrets.map((secret) => `v1=${digest(secret, body, unixSeconds).toString('hex')}`),
  ].join(',');
}

/** Why a signature was rejected. */
export type SignatureProblem = 'malformed' | 'too_old' | 'too_new' | 'mismatch';

/**
 * Checks a received `X-Svc-Signature` against the raw body's bytes. Returns null if it is genuine and at most five
 * minutes off, otherwise what is wrong with it. The comparison takes constant time.
 */
export function verifySignature(
  header: string,
  body: Uint8Array,
  secret: string,
  nowUnixSeconds: number = Math.floor(Date.now() / 1000),
): SignatureProblem | null {
  const parts = header
    .slice(0, 4096)
    .split(',')
    .map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  const signatures = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .map((part) => Buffer.from(part.slice(3), 'hex'));
  const time = times[0] ?? '';
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0) return 'malformed';
  const unixSeconds = Number(time);
  const expected = digest(secret, body, unixSeconds);
  // Every signature is compared, so that the time taken doesn't reveal which one matched.
  const matches = signatures.map((signature) => timingSafeEqual(signature, expected)).some(Boolean);
  if (!matches) return 'mismatch';
  if (nowUnixSeconds - unixSeconds > signatureToleranceSeconds) return 'too_old';
  if (unixSeconds - nowUnixSeconds > signatureToleranceSeconds) return 'too_new';
  return null;
}

function digest(secret: string, body: Uint8Array, unixSeconds: number): Buffer {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest();
}
