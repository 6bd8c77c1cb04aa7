import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The defaults of authenticator apps: SHA-1, six digits, 30 seconds (RFC 6238). */
const algorithm = { algorithm: 'SHA1', digits: 6 } as const;
const issuer = 'Millrace';
const recoveryCodeCount = 10;
const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new secret of 160 bits, for typing and as the address in the QR code. */
export function newMfaSecret(email: string): {
  readonly bytes: Uint8Array;
  readonly base32: string;
  readonly url: string;
} {
  const secret = new Secret({ size: 20 });
  return {
    bytes: secret.bytes,
    base32: secret.base32,
    url: new TOTP({ ...algorithm, issuer, label: email, secret }).toString(),
  };
}

/** The time step of a code, taken also from the step before and the one after; null where it is none of theirs. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const token = code.replaceAll(/[ -]/g, '');
  const delta = TOTP.validate({
    ...algorithm,
    token,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    timestamp,
    window: 1,
  });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

/** Whether a text is written as an app's code is; otherwise it may be a recovery code. */
export function isAppCode(text: string): boolean {
  return /^\d{3}[ -]?\d{3}$/.test(text);
}

/** Codes of 80 random bits, each good for one sign-in without the app. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = [...randomBytes(16)].map((byte) => recoveryAlphabet.charAt(byte & 31)).join('');
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** SHA-256, however the code is written: 80 random bits cannot be guessed from it. */
export function hashRecoveryCode(code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`recovery ${letters}`).digest();
}
