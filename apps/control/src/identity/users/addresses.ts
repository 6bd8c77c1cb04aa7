import { type Counter, countAttempt } from '@millrace/sign-in/throttle';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Parts } from '../../frame/parts.ts';
import { refuseWaiting } from '../auth/rules.ts';
import { findAccount } from '../auth/store.ts';
import { isOwnAddress } from './store.ts';

/**
 * An e-mail address belongs to one user of the whole platform, so a write with an address used in another organization
 * has to fail, which reveals that it is in use. It reveals no more than that, the attempt is audited, and a caller who
 * hits several has to wait longer and longer before any further address is accepted: trying lists of addresses doesn't
 * work.
 */

const freeCollisions = 5;

/**
 * Counts a caller's attempt at an address of another organization, before the transaction that is to fail.
 *
 * @throws ApiError `too_many_requests` where the caller met too many of them
 */
export async function refuseAddressGuessing(
  parts: Parts,
  { caller, organizationId }: { readonly caller: Caller; readonly organizationId: string },
  email: string,
): Promise<void> {
  const counter: Counter = {
    key: `user address ${caller.id}`,
    free: freeCollisions,
    windowHours: 24,
    longestWaitSeconds: 900,
  };
  const row = await parts.database.system
    .selectFrom('sign_in_windows')
    .select(sql<number>`ceil(extract(epoch from blocked_until - clock_timestamp()))::int`.as('seconds'))
    .where('key', '=', counter.key)
    .executeTakeFirst();
  refuseWaiting(Math.max(0, row?.seconds ?? 0));
  const owner = await findAccount(parts.database.system, email);
  const foreign = owner !== null && owner.organization_id !== organizationId;
  if (foreign) refuseWaiting(await countAttempt(parts.database.system, [counter]));
}

/** Says at the field that a user of the caller's organization has the address, which its users' list shows as well. */
export async function refuseOwnAddress(transaction: TenantTransaction, email: string): Promise<void> {
  if (await isOwnAddress(transaction, email)) throw fieldError('email', 'Another user has this e-mail address.');
}

/**
 * Answers that a write's address is taken, by the index that is the only one to know of other organizations.
 *
 * @throws ApiError `conflict`
 */
export async function refuseTakenAddress<Result>(statement: Promise<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = 'This e-mail address can’t be used here. Choose another.';
    throw new ApiError('conflict', { message, errors: { email: message }, cause: error });
  }
}

/** Whether an error says that an e-mail address belongs to a user already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email_key';
}
