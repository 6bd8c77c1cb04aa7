import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.ts';

/** argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** Each takes 19 MiB and a core for some 20 ms: a flood of sign-ins waits in line, and does not starve other work. */
const mostAtOnce = 2;
const mostWaiting = 200;

/** A hash of the same cost that no password has, for accounts that do not exist. */
const unmatched = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${base64(16)}$${base64(32)}`;

/** As many passwords wait to be checked as may: the one who asks is to come again. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many passwords wait to be checked.');
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
 * Whether the password is the one that was hashed. Without a hash the answer is no, after the same time.
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

/** Whose a new password is. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
  /** Of the organization or account, where it is known. */
  readonly organization?: string;
}

const product = 'millrace';

/** What is wrong with a new password; null where nothing is. Its length is the schema's to check. */
export function passwordFault(password: string, owner: PasswordOwner): string | null {
  const plain = comparable(password);
  const own = [owner.email, owner.email.split('@', 1)[0]!, owner.name].map(comparable);
  if (own.some((text) => text !== '' && (plain === text || (text.length >= 5 && plain.includes(text))))) {
    return 'Choose a password without your e-mail address or name in it.';
  }
  const shared = [product, comparable(owner.organization ?? '')];
  if (shared.some((text) => text.length >= 4 && plain.includes(text))) {
    return 'Choose a password without the name of the product or of your organization in it.';
  }
  if (new Set(password).size < 5) return 'Choose a password of at least 5 different characters.';
  if (isCommonPassword(password)) return 'This password is one of the first that are guessed. Choose another.';
  return null;
}

/** Letters and digits alone, in lower case. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
