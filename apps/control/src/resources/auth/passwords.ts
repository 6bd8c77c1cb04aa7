import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { ApiError, fieldError } from '../../frame/errors.ts';
import { passwordFault } from './rules.ts';

/** argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** Each takes 19 MiB and a core for some 20 ms: a flood of sign-ins waits in line, and does not starve other work. */
const mostAtOnce = 2;
const mostWaiting = 200;

/** A hash of the same cost that no password has, for accounts that do not exist. */
const unmatched = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

function base64(sizeBytes: number): string {
  return randomBytes(sizeBytes).toString('base64').replaceAll('=', '');
}

/** The argon2id hash of a password, in its encoded form. */
export function hashPassword(password: string): Promise<string> {
  return inLine(() => hash(normalized(password), cost));
}

/**
 * Whether the password is the one that was hashed. Without a hash the answer is no, after the same time.
 *
 * @throws ApiError `unavailable` where too many wait already
 */
export function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  return inLine(async () => (await verify(passwordHash ?? unmatched, normalized(password))) && passwordHash !== null);
}

/**
 * Holds a new password against the rules.
 *
 * @param field path of the field, for the error
 * @throws ApiError that names the field
 */
export function refuseWeakPassword(
  field: string,
  password: string,
  owner: { readonly email: string; readonly name: string },
): void {
  const fault = passwordFault(password, owner);
  if (fault !== null) throw fieldError(field, fault);
}

/** The same password from keyboards that compose accents differently. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running === mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new ApiError('unavailable');
    await new Promise<void>((turn) => waiting.push(turn));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
