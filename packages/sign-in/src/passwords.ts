import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.ts';

/** argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** Each takes 19 MiB and a core for about 20 ms: a flood of sign-ins has to queue and doesn't starve other work. */
const mostAtOnce = 2;
const mostWaiting = 200;

/** A hash of the same cost that no password has, for accounts that do not exist. */
const unmatched = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

/** The queue of password checks is full: try again later. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many passwords are waiting to be checked.');
    this.name = 'TooManyWaiting';
  }
}

function base64(sizeBytes: number): string {
  return randomBytes(sizeBytes).toString('base64').replaceAll('=', '');
}

/**
 * The argon2id hash of a password, in its encoded form.
 *
 * @throws TooManyWaiting
 */
export function hashPassword(password: string): Promise<string> {
  return inLine(() => hash(normalized(password), cost));
}

/**
 * Whether the password matches the hash. Without a hash the result is false, after the same time.
 *
 * @throws TooManyWaiting
 */
export function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  return inLine(async () => (await verify(passwordHash ?? unmatched, normalized(password))) && passwordHash !== null);
}

/** The same password from keyboards that compose accents differently. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running === mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new TooManyWaiting();
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

/** The owner of a new password. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
  /** Name of the organization or account, if known. */
  readonly organization?: string;
}

const product = 'millrace';

/** Why a new password is rejected; null if it isn't. The schema checks its length. */
export function passwordFault(password: string, owner: PasswordOwner): string | null {
  const plain = comparable(password);
  const own = [owner.email, owner.email.split('@', 1)[0]!, owner.name].map(comparable);
  if (own.some((text) => text !== '' && (plain === text || (text.length >= 5 && plain.includes(text))))) {
    return 'Choose a password that doesn’t contain your e-mail address or name.';
  }
  const shared = [product, comparable(owner.organization ?? '')];
  if (shared.some((text) => text.length >= 4 && plain.includes(text))) {
    return 'Choose a password that doesn’t contain the name of the product or your organization.';
  }
  if (new Set(password).size < 5) return 'Choose a password with at least 5 different characters.';
  if (isCommonPassword(password)) return 'This password is too easy to guess. Choose another.';
  return null;
}

/** Only letters and digits, in lower case. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
