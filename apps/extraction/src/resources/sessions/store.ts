import type { StoredSession } from '@millrace/sign-in/sessions';
import { type Kysely, sql } from 'kysely';
import type { Schema, TenantTransaction, UserRole } from '../../database/schema.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { newId } from '../../identifiers.ts';

/** A user with their account, for signing in. */
export interface SigningIn {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly name: string;
  /** Null for a user whom an identity provider created. */
  readonly password_hash: string | null;
  readonly mfa_secret: Buffer | null;
  readonly mfa_pending_secret: Buffer | null;
}

const userColumns = [
  'users.id',
  'users.account_id',
  'users.email',
  'users.name',
  'users.password_hash',
  'users.mfa_secret',
  'users.mfa_pending_secret',
] as const;
const sessionColumns = ['id', 'address', 'user_agent', 'created_at', 'last_seen_at', 'expires_at as ends_at'] as const;

/** The user of an e-mail address who may sign in, over all accounts. */
export async function findActiveUser(system: Kysely<Schema>, email: string): Promise<SigningIn | null> {
  const row = await system
    .selectFrom('users')
    .select(userColumns)
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * A user of the account, to check or change how they sign in.
 *
 * @param options.lock keeps other writers off until the commit
 */
export async function findUser(
  transaction: TenantTransaction,
  userId: string,
  { lock = false } = {},
): Promise<SigningIn | null> {
  const query = transaction
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .where('removed_at', 'is', null);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/**
 * Notes a sign-in, should the user still be who was checked: active, and of that password.
 *
 * @returns whether they are
 */
export async function recordSignIn(transaction: TenantTransaction, user: SigningIn): Promise<boolean> {
  const changed = await transaction
    .updateTable('users')
    .set({ last_sign_in_at: sql<Date>`now()` })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', user.id)
    .where('password_hash', 'is not distinct from', user.password_hash)
    .where('disabled_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** The user's sessions, the one last seen first. They are few, so it is one page. */
export function listSessions(transaction: TenantTransaction, userId: string): Promise<readonly StoredSession[]> {
  return transaction
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('account_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where(sessions.live())
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Sets a user's password, should it still be the one that was checked, where one was.
 *
 * @returns whether it was set
 */
export async function setPassword(
  transaction: TenantTransaction,
  userId: string,
  password: { readonly hash: string; readonly checkedHash?: string | null },
): Promise<boolean> {
  let query = transaction
    .updateTable('users')
    .set({ password_hash: password.hash })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .where('removed_at', 'is', null)
    .where('disabled_at', 'is', null);
  if (password.checkedHash !== undefined) {
    query = query.where('password_hash', 'is not distinct from', password.checkedHash);
  }
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

export async function setName(transaction: TenantTransaction, userId: string, name: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ name })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .execute();
}

/** Makes a link good for an hour. */
export async function insertPasswordReset(
  transaction: TenantTransaction,
  userId: string,
  reset: { readonly tokenHash: Buffer; readonly minutes: number },
): Promise<void> {
  await transaction
    .insertInto('password_resets')
    .values({
      id: newId('pwr'),
      account_id: transaction.tenantId,
      user_id: userId,
      token_hash: reset.tokenHash,
      expires_at: sql<Date>`now() + ${reset.minutes} * interval '1 minute'`,
    })
    .execute();
}

/** The user that a link's token is good for. */
export async function findPasswordReset(system: Kysely<Schema>, tokenHash: Buffer): Promise<SigningIn | null> {
  const row = await system
    .selectFrom('password_resets')
    .innerJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'password_resets.account_id')
        .onRef('users.id', '=', 'password_resets.user_id'),
    )
    .select(userColumns)
    .where('password_resets.token_hash', '=', tokenHash)
    .where('password_resets.expires_at', '>', sql<Date>`now()`)
    .where('users.removed_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up: true once, within its time. */
export async function takePasswordReset(transaction: TenantTransaction, tokenHash: Buffer): Promise<boolean> {
  const taken = await transaction
    .deleteFrom('password_resets')
    .where('account_id', '=', transaction.tenantId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return taken.numDeletedRows === 1n;
}

/** Takes the worth of every link that the user was sent. */
export async function deletePasswordResets(transaction: TenantTransaction, userId: string): Promise<void> {
  await transaction
    .deleteFrom('password_resets')
    .where('account_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .execute();
}

/** A session with its user and account; null where it ended meanwhile. */
export async function findCurrentSession(transaction: TenantTransaction, sessionId: string) {
  const row = await transaction
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'sessions.account_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['users.id', 'users.email', 'users.name', 'users.role', 'users.mfa_secret'])
    .select(['accounts.id as account_id', 'accounts.name as account_name', 'sessions.expires_at'])
    .where('sessions.account_id', '=', transaction.tenantId)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    user: { id: row.id, email: row.email, name: row.name, role: row.role, mfa: row.mfa_secret !== null },
    account: { id: row.account_id, name: row.account_name },
    expiresAt: row.expires_at.toISOString(),
  };
}

/** An invitation that is good, as it is accepted. */
export interface OpenInvitation {
  readonly account_id: string;
  readonly email: string;
  readonly role: UserRole;
}

/** The invitation that a link's token is good for: it holds as long as who sent it is an administrator. */
export async function findInvitation(system: Kysely<Schema>, tokenHash: Buffer): Promise<OpenInvitation | null> {
  const row = await openInvitation(system, tokenHash).executeTakeFirst();
  return row ?? null;
}

function openInvitation(database: Kysely<Schema>, tokenHash: Buffer) {
  return database
    .selectFrom('invitations')
    .innerJoin('users as inviter', (join) =>
      join
        .onRef('inviter.account_id', '=', 'invitations.account_id')
        .onRef('inviter.id', '=', 'invitations.invited_by'),
    )
    .select(['invitations.account_id', 'invitations.email', 'invitations.role'])
    .where('invitations.token_hash', '=', tokenHash)
    .where('invitations.expires_at', '>', sql<Date>`now()`)
    .where('inviter.role', '=', 'administrator')
    .where('inviter.disabled_at', 'is', null)
    .where('inviter.removed_at', 'is', null);
}

/** Uses an invitation up; null where it is no longer good. */
export async function takeInvitation(
  transaction: TenantTransaction,
  tokenHash: Buffer,
): Promise<OpenInvitation | null> {
  const open = await openInvitation(transaction, tokenHash)
    .where('invitations.account_id', '=', transaction.tenantId)
    .forUpdate('invitations')
    .executeTakeFirst();
  if (open === undefined) return null;
  await transaction
    .deleteFrom('invitations')
    .where('account_id', '=', transaction.tenantId)
    .where('token_hash', '=', tokenHash)
    .execute();
  return open;
}
