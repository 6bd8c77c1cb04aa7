import type { Kysely } from 'kysely';
import type { Devices } from './devices.ts';
import { passwordMatches } from './passwords.ts';
import { countWithNotice, settleSignIn, signInCounters, takeBackAttempt } from './throttle.ts';

/** A user as somebody signs in. */
export interface SigningIn {
  readonly email: string;
  /** Null where none was set yet. */
  readonly password_hash: string | null;
  /** Null where no one-time code is asked for. */
  readonly mfa_secret: Buffer | null;
}

export type SignInFailure = 'unknown' | 'password' | 'suspended' | 'no_code' | 'code';

export interface SignInParts<Schema, User extends SigningIn> {
  readonly system: Kysely<Schema>;
  readonly devices: Devices;
  /** Where people sign in, if there are several places; see {@link signInCounters}. */
  readonly realm?: string;
  /** The user of an e-mail address in the realm. */
  findUser(email: string): Promise<User | null>;
  isActive(user: User): boolean;
  /** Uses a one-time code up; false where it is wrong. */
  takeCode(user: User, code: string): Promise<boolean>;
  /** Records an attempt that failed; an unknown address takes as long as a known one. */
  recordFailure(user: User | null, failure: SignInFailure): Promise<void>;
  /** Warns the user, once a day, that somebody keeps failing to sign in as them. Not waited for. */
  warn(user: User): Promise<void>;
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly oneTimeCode?: string | undefined;
  readonly address: string;
  /** The `Cookie` header, empty where there is none. */
  readonly cookies: string;
}

export type SignInResult<User> =
  | { readonly outcome: 'passed'; readonly user: User; readonly deviceId: string | null }
  /** As many attempts failed as are free of a wait. */
  | { readonly outcome: 'waiting'; readonly seconds: number }
  | { readonly outcome: 'failed'; readonly failure: SignInFailure };

/**
 * Sign-in up to its session: attempt counted → user found → password checked → one-time code checked.
 *
 * An unknown address costs the same time as a wrong password: a hash is computed either way.
 */
export async function checkSignIn<Schema, User extends SigningIn>(
  parts: SignInParts<Schema, User>,
  attempt: SignInAttempt,
): Promise<SignInResult<User>> {
  const { system } = parts;
  const deviceId = parts.devices.read(attempt.cookies, attempt.email);
  const counters = signInCounters(attempt.email, attempt.address, deviceId, parts.realm);
  const { waitSeconds, notice } = await countWithNotice(system, counters);
  if (waitSeconds > 0) return { outcome: 'waiting', seconds: waitSeconds };
  const user = await parts.findUser(attempt.email);
  const matches = await passwordMatches(user?.password_hash ?? null, attempt.password);
  const fail = async (failure: SignInFailure) => {
    await parts.recordFailure(user, failure);
    // Not waited for: the time of the answer does not show whether there is somebody to warn.
    if (notice && user !== null) void parts.warn(user);
    return { outcome: 'failed', failure } as const;
  };
  if (user === null) return fail('unknown');
  if (!matches) return fail('password');
  if (!parts.isActive(user)) return fail('suspended');
  if (user.mfa_secret !== null && attempt.oneTimeCode === undefined) {
    await takeBackAttempt(system, counters);
    await parts.recordFailure(user, 'no_code');
    return { outcome: 'failed', failure: 'no_code' };
  }
  if (user.mfa_secret !== null && !(await parts.takeCode(user, attempt.oneTimeCode ?? ''))) return fail('code');
  await settleSignIn(system, counters);
  return { outcome: 'passed', user, deviceId };
}

/** What a one-time code that is missing or wrong is answered with; null for any other failure, which names no reason. */
export function codeMessage(failure: SignInFailure): string | null {
  if (failure === 'no_code') return 'Enter the 6 digits of your authenticator app, or a recovery code.';
  return failure === 'code' ? 'This code is wrong or was already used. Wait for the next one.' : null;
}
