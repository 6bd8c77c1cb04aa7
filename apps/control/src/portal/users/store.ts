import { newId } from '@millrace/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { PortalRole } from '../../frame/operation.ts';
import { type PortalUserRow, presentProfile } from '../auth/store.ts';
import type { PortalInvitation, PortalUser } from './contract.ts';

type Presented = z.infer<typeof PortalUser>;
export type InvitationRow = Selectable<Schema['portal_invitations']>;

interface Filters extends Listing {
  readonly role?: PortalRole | undefined;
  readonly state?: Presented['state'] | undefined;
}

const columns = { name: 'name', email: 'email', lastSignInAt: 'last_sign_in_at', createdAt: 'created_at' };

/** The portal users of a developer account, and who is invited to it. */
export async function listUsers(transaction: TenantTransaction, developerId: string, filters: Filters) {
  let query = transaction
    .selectFrom('portal_users')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where((builder) => matches(builder, ['name', 'email'], filters.search));
  if (filters.role !== undefined) query = query.where('role', '=', filters.role);
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { users: rows.map(presentUser), total, invitations: await listInvitations(transaction, developerId) };
}

async function listInvitations(transaction: TenantTransaction, developerId: string) {
  const rows = await transaction
    .selectFrom('portal_invitations')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(presentInvitation);
}

/** A portal user of a developer account; of another account’s, null. */
export async function findMember(
  transaction: TenantTransaction,
  developerId: string,
  userId: string,
): Promise<PortalUserRow | null> {
  const row = await transaction
    .selectFrom('portal_users')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether anybody signs in to a developer account. */
export async function hasUsers(transaction: TenantTransaction, developerId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('portal_users')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an e-mail address signs in to a developer account. */
export async function isMember(transaction: TenantTransaction, developerId: string, email: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('portal_users')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws ApiError `conflict` if the e-mail address has an account in this portal */
export async function insertUser(
  transaction: TenantTransaction,
  values: {
    readonly developerId: string;
    readonly email: string;
    readonly name: string;
    readonly role: PortalRole;
    /** Null: the browser’s. */
    readonly locale: string | null;
    readonly passwordHash: string | null;
  },
): Promise<PortalUserRow> {
  const insertion = transaction
    .insertInto('portal_users')
    .values({
      id: newId('pus'),
      organization_id: transaction.tenantId,
      developer_id: values.developerId,
      email: values.email,
      name: values.name,
      role: values.role,
      locale: values.locale,
      password_hash: values.passwordHash,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return conflictsAt(insertion, addressInUse);
}

/** The response to the owner of an address that has an account by now; nobody else has the link. */
const addressInUse = {
  portal_users_organization_id_email_key: [null, 'This e-mail address already has an account. Sign in with it.'],
} as const;

/** Deletes a portal user with all that is the user's own: sessions, links, one-time codes. */
export async function deleteUser(transaction: TenantTransaction, userId: string): Promise<void> {
  await transaction
    .deleteFrom('portal_users')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .execute();
}

/** The active owners of a developer account, besides one portal user. */
export async function countOtherOwners(
  transaction: TenantTransaction,
  developerId: string,
  exceptUserId: string,
): Promise<number> {
  const { count } = await transaction
    .selectFrom('portal_users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('role', '=', 'owner')
    .where('state', '=', 'active')
    .where('id', '!=', exceptUserId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Gives a portal user’s sessions a new token at their next call, since the user’s rights have changed. */
export async function rotateSessions(transaction: TenantTransaction, userId: string): Promise<void> {
  await transaction
    .updateTable('portal_sessions')
    .set({ rotate: true })
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .execute();
}

export async function countPendingInvitations(transaction: TenantTransaction, developerId: string): Promise<number> {
  return (await listInvitations(transaction, developerId)).length;
}

/** Invites an address; an invitation that it has already is replaced, and its link is no longer valid. */
export async function putInvitation(
  transaction: TenantTransaction,
  values: {
    readonly developerId: string;
    readonly email: string;
    readonly role: PortalRole;
    readonly tokenHash: Buffer;
    readonly inviter: { readonly id: string; readonly kind: InvitationRow['invited_by_kind']; readonly name: string };
    readonly expiresAt: Date;
  },
): Promise<InvitationRow> {
  const changes = {
    role: values.role,
    token_hash: values.tokenHash,
    invited_by: values.inviter.id,
    invited_by_kind: values.inviter.kind,
    invited_by_name: values.inviter.name,
    expires_at: values.expiresAt,
  };
  return transaction
    .insertInto('portal_invitations')
    .values({
      id: newId('piv'),
      organization_id: transaction.tenantId,
      developer_id: values.developerId,
      email: values.email,
      ...changes,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'developer_id', 'email']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Withdraws an invitation to a developer account; null if there is none. */
export async function deleteInvitation(
  transaction: TenantTransaction,
  developerId: string,
  id: string,
): Promise<InvitationRow | null> {
  const row = await transaction
    .deleteFrom('portal_invitations')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The invitation that a link’s token is of. */
export async function findInvitation(
  system: Kysely<Schema>,
  organizationId: string,
  tokenHash: Buffer,
): Promise<InvitationRow | null> {
  const row = await system
    .selectFrom('portal_invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up: the invitation once, within its time, and null ever after. */
export async function takeInvitation(transaction: TenantTransaction, tokenHash: Buffer): Promise<InvitationRow | null> {
  const row = await transaction
    .deleteFrom('portal_invitations')
    .where('organization_id', '=', transaction.tenantId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export function presentUser(row: PortalUserRow): Presented {
  const { locale: _, ...user } = presentProfile(row);
  return { ...user, state: row.state };
}

export function presentInvitation(row: InvitationRow): z.infer<typeof PortalInvitation> {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedByName: row.invited_by_name,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  };
}
