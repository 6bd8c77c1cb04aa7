import { newId } from '@millrace/identifiers';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { permissionsOf } from '../../frame/authenticate.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Rights } from '../roles/rules.ts';
import { presentRoles } from '../users/store.ts';
import type { Invitation } from './contract.ts';
import { stateAt } from './rules.ts';

type Presented = z.infer<typeof Invitation>;
type Stored = Selectable<Schema['invitations']>;
type Row = Stored & {
  readonly roles: readonly { readonly id: string; readonly name: string | null }[];
  readonly inviter_name: string | null;
};

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
}

const columns = {
  email: 'email',
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Of each invitation, in the statement that reads the invitation. */
const details = [
  sql<Row['roles']>`(
    select coalesce(json_agg(json_build_object('id', given.id, 'name', r.name) order by given.id collate "C"), '[]')
    from unnest(invitations.role_ids) as given(id)
    left join roles r on r.organization_id = invitations.organization_id and r.id = given.id)`.as('roles'),
  sql<string | null>`coalesce(
    (select u.name from users u where u.organization_id = invitations.organization_id and u.id = invited_by),
    (select a.name from service_accounts a
     where a.organization_id = invitations.organization_id and a.id = invited_by))`.as('inviter_name'),
] as const;

export async function listInvitations(transaction: TenantTransaction, filters: Filters, now: Date) {
  let query = transaction
    .selectFrom('invitations')
    .selectAll()
    .select(details)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['email', 'name'], filters.search));
  const { state } = filters;
  if (state !== undefined) query = query.where('state', '=', state === 'expired' ? 'pending' : state);
  if (state === 'pending') query = query.where('expires_at', '>', now);
  if (state === 'expired') query = query.where('expires_at', '<=', now);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { invitations: rows.map((row) => present(row, now)), total };
}

export async function findInvitation(transaction: TenantTransaction, id: string, now: Date): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('invitations')
    .selectAll()
    .select(details)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row, now);
}

/** When mails of the organization's invitations went to an address, the oldest first, as far as it is kept. */
export async function loadMailTimes(transaction: TenantTransaction, email: string): Promise<readonly Date[]> {
  const rows = await transaction
    .selectFrom('invitations')
    .select('mailed_at')
    .where('organization_id', '=', transaction.tenantId)
    .where('email', '=', email)
    .execute();
  return rows.flatMap((row) => row.mailed_at).toSorted((first, second) => first.getTime() - second.getTime());
}

/** An invitation whose mail goes out now. */
export async function insertInvitation(
  transaction: TenantTransaction,
  values: {
    readonly email: string;
    readonly name: string;
    readonly roleIds: readonly string[];
    readonly tokenHash: Buffer;
    readonly invitedBy: string;
    readonly senderIds: readonly string[];
    readonly expiresAt: Date;
  },
  now: Date,
): Promise<Presented> {
  const row = await transaction
    .insertInto('invitations')
    .values({
      id: newId('inv', now.getTime()),
      organization_id: transaction.tenantId,
      email: values.email,
      name: values.name,
      role_ids: [...values.roleIds],
      token_hash: values.tokenHash,
      invited_by: values.invitedBy,
      sender_ids: [...values.senderIds],
      expires_at: values.expiresAt,
      mailed_at: [now],
    })
    .returningAll()
    .returning(details)
    .executeTakeFirstOrThrow();
  return present(row, now);
}

export async function withdrawInvitation(transaction: TenantTransaction, id: string, now: Date): Promise<Presented> {
  return updateInvitation(transaction, id, { state: 'withdrawn' }, now);
}

/** Gives an invitation another link, whose mail goes out now. */
export async function renewInvitation(
  transaction: TenantTransaction,
  id: string,
  values: {
    readonly tokenHash: Buffer;
    readonly invitedBy: string;
    readonly senderIds: readonly string[];
    readonly expiresAt: Date;
  },
  now: Date,
): Promise<Presented> {
  const changes = {
    token_hash: values.tokenHash,
    expires_at: values.expiresAt,
    invited_by: values.invitedBy,
    sender_ids: sql<string[]>`array(select distinct unnest(sender_ids || ${[...values.senderIds]}::text[]))`,
    mailed_at: sql<Date[]>`array(select at from unnest(mailed_at) as at
      where at > ${now}::timestamptz - interval '1 day' order by at) || ${now}::timestamptz`,
  };
  return updateInvitation(transaction, id, changes, now);
}

/** Changes an invitation, whose row goes to its next version. */
async function updateInvitation(
  transaction: TenantTransaction,
  id: string,
  changes:
    | { readonly state: 'withdrawn' }
    | {
        readonly token_hash: Buffer;
        readonly expires_at: Date;
        readonly invited_by: string;
        readonly sender_ids: RawBuilder<string[]>;
        readonly mailed_at: RawBuilder<Date[]>;
      },
  now: Date,
): Promise<Presented> {
  const row = await transaction
    .updateTable('invitations')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .returning(details)
    .executeTakeFirstOrThrow();
  return present(row, now);
}

/** The invitation that a link's token is good for, across organizations: who accepts it is in none yet. */
export async function findOpenInvitation(system: Kysely<Schema>, tokenHash: Buffer): Promise<Stored | null> {
  const row = await system
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .selectAll('invitations')
    .where('invitations.token_hash', '=', tokenHash)
    .where('invitations.state', '=', 'pending')
    .where('invitations.expires_at', '>', sql<Date>`now()`)
    .where('organizations.state', '=', 'active')
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up: the invitation once, within its time, and null ever after. */
export async function takeInvitation(
  transaction: Kysely<Schema>,
  organizationId: string,
  tokenHash: Buffer,
): Promise<Row | null> {
  const row = await transaction
    .updateTable('invitations')
    .set({ state: 'accepted', version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .returning(details)
    .executeTakeFirst();
  return row ?? null;
}

/** What who sent an invitation may do now; null where they are suspended or gone. A Super Admin is of the platform. */
export async function findInviter(
  system: Kysely<Schema>,
  { organization_id: organizationId, invited_by: inviterId }: Pick<Stored, 'organization_id' | 'invited_by'>,
): Promise<Rights | null> {
  const { rows } = await sql<{ role_ids: string[]; permissions: string[] }>`
    select array(select ur.role_id from user_roles ur
                 where ur.organization_id = u.organization_id and ur.user_id = u.id) as role_ids,
           array(select unnest(r.permissions) from user_roles ur
                 join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
                 where ur.organization_id = u.organization_id and ur.user_id = u.id) as permissions
    from users u join organizations o on o.id = u.organization_id
    where u.id = ${inviterId} and (o.id = ${organizationId} or o.platform)
      and u.state = 'active' and o.state = 'active'
    union all
    select '{}', a.permissions from service_accounts a
    where a.organization_id = ${organizationId} and a.id = ${inviterId} and a.state = 'active'`.execute(system);
  const row = rows[0];
  if (row === undefined) return null;
  const superAdmin = row.role_ids.includes('super_admin');
  return { permissions: permissionsOf(row.role_ids, row.permissions), superAdmin };
}

function present(row: Row, now: Date): Presented {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    roles: presentRoles(row.roles),
    state: stateAt(row, now),
    invitedBy: { id: row.invited_by, name: row.inviter_name },
    expiresAt: row.expires_at.toISOString(),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
