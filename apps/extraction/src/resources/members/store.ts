import { sql } from 'kysely';
import type { TenantTransaction, UserRole } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';

/** A user, or an invitation; the latter has an end. */
export interface StoredMember {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly disabled_at: Date | null;
  /** Whether a one-time code is asked for at sign-in. */
  readonly mfa: boolean;
  readonly created_at: Date;
  readonly last_sign_in_at: Date | null;
  readonly invited_until: Date | null;
}

/** Whether an id is an invitation's and not a user's. */
export function isInvitationId(id: string): boolean {
  return id.startsWith('inv_');
}

/**
 * A page of the users and, behind them, the invitations; each the oldest first.
 *
 * @param page.after id of the last one of the page before
 */
export async function listMembers(
  transaction: TenantTransaction,
  page: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredMember[]> {
  const after = page.after ?? '';
  const { rows } = await sql<StoredMember>`
    select id, email, name, role, disabled_at, mfa, created_at, last_sign_in_at, invited_until from (
      select 0 as place, id, email, name, role, disabled_at, mfa_secret is not null as mfa, created_at, last_sign_in_at,
        null::timestamptz as invited_until
      from users where account_id = ${transaction.tenantId} and removed_at is null
      union all
      select 1, id, email, '', role, null, false, created_at, null, expires_at
      from invitations where account_id = ${transaction.tenantId}
    ) as member
    where (place, id) > (${isInvitationId(after) ? 1 : 0}, ${after})
    order by place, id limit ${page.limit}`.execute(transaction);
  return rows;
}

/** A user or an invitation of the account. */
export async function findMember(transaction: TenantTransaction, id: string): Promise<StoredMember | null> {
  const { rows } = await sql<StoredMember>`
    select id, email, name, role, disabled_at, mfa_secret is not null as mfa, created_at, last_sign_in_at, null::timestamptz as invited_until
    from users where account_id = ${transaction.tenantId} and id = ${id} and removed_at is null
    union all
    select id, email, '', role, null, false, created_at, null, expires_at
    from invitations where account_id = ${transaction.tenantId} and id = ${id}`.execute(transaction);
  return rows[0] ?? null;
}

/** Keeps others off the account's members until the commit, so that what was counted stays true. */
export async function lockMembers(transaction: TenantTransaction): Promise<void> {
  await sql`select from accounts where id = ${transaction.tenantId} for no key update`.execute(transaction);
}

/** Administrators who can sign in, without one. */
export async function countOtherAdministrators(transaction: TenantTransaction, userId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', transaction.tenantId)
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('id', '!=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Members and invitations together. */
export async function countMembers(transaction: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from users where account_id = ${transaction.tenantId} and removed_at is null)
      + (select count(*) from invitations where account_id = ${transaction.tenantId}))::int as count`.execute(
    transaction,
  );
  return rows[0]!.count;
}

/** Whether a user of this account has the e-mail address. */
export async function isMember(transaction: TenantTransaction, email: string): Promise<boolean> {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', transaction.tenantId)
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return user !== undefined;
}

/** Creates an invitation, or replaces the one for this address, with a new link. */
export async function putInvitation(
  transaction: TenantTransaction,
  invitation: {
    readonly email: string;
    readonly role: UserRole;
    readonly tokenHash: Buffer;
    readonly invitedBy: string;
    readonly days: number;
  },
): Promise<StoredMember> {
  const { email, role, tokenHash, invitedBy, days } = invitation;
  const { rows } = await sql<StoredMember>`
    insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
    values (${newId('inv')}, ${transaction.tenantId}, ${email}, ${role}, ${tokenHash}, ${invitedBy},
      now() + ${days} * interval '1 day')
    on conflict (account_id, email) do update set role = excluded.role, token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, expires_at = excluded.expires_at
    returning id, email, '' as name, role, null as disabled_at, false as mfa, created_at, null as last_sign_in_at,
      expires_at as invited_until`.execute(transaction);
  return rows[0]!;
}

/** Changes a user's or an invitation's role. A user's sessions get new tokens with their next calls. */
export async function setRole(transaction: TenantTransaction, id: string, role: UserRole): Promise<void> {
  await transaction
    .updateTable(isInvitationId(id) ? 'invitations' : 'users')
    .set({ role })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await transaction
    .updateTable('sessions')
    .set({ rotated_at: new Date(0) })
    .where('account_id', '=', transaction.tenantId)
    .where('user_id', '=', id)
    .execute();
}

export async function setDisabled(transaction: TenantTransaction, userId: string, disabled: boolean): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ disabled_at: disabled ? sql<Date>`coalesce(disabled_at, now())` : null })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .execute();
}

/** Withdraws an invitation, or removes a user, whose row stays for what they did. */
export async function removeMember(transaction: TenantTransaction, id: string): Promise<void> {
  if (isInvitationId(id)) {
    await transaction
      .deleteFrom('invitations')
      .where('account_id', '=', transaction.tenantId)
      .where('id', '=', id)
      .execute();
    return;
  }
  await transaction
    .updateTable('users')
    .set({ removed_at: sql<Date>`now()`, password_hash: '', mfa_secret: null, mfa_pending_secret: null })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}
