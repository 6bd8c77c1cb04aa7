import { newId } from '@millrace/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { localeOf } from '../auth/store.ts';
import type { PortalRegistration } from './contract.ts';
import { type AddressStanding, confirmationHours, type RegistrationMode } from './rules.ts';

type Presented = z.infer<typeof PortalRegistration>;
export type RegistrationRow = Selectable<Schema['portal_registrations']>;

const columns = {
  name: 'name',
  email: 'email',
  company: 'company',
  confirmedAt: 'confirmed_at',
  createdAt: 'created_at',
};

/** Who may register in an organization’s portal. */
export async function findRegistrationMode(
  database: Kysely<Schema>,
  organizationId: string,
): Promise<RegistrationMode> {
  const row = await database
    .selectFrom('portal_settings')
    .select('registration')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.registration ?? 'closed';
}

/** What an e-mail address is to the portal, in one statement whatever the answer. */
export async function findStanding(transaction: TenantTransaction, email: string): Promise<AddressStanding> {
  const { tenantId } = transaction;
  const { rows } = await sql<{ standing: AddressStanding }>`
    select case
      when exists (select from portal_users where organization_id = ${tenantId} and email = ${email}) then 'user'
      when exists (select from portal_registrations
        where organization_id = ${tenantId} and email = ${email} and state = 'pending') then 'pending'
      when exists (select from developers d join portal_users u
        on u.organization_id = d.organization_id and u.developer_id = d.id
        where d.organization_id = ${tenantId} and d.email = ${email}) then 'account'
      else 'new' end as standing`.execute(transaction);
  return rows[0]!.standing;
}

/** Whether a registration of an e-mail address waits for approval. */
export async function awaitsApproval(transaction: TenantTransaction, email: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('portal_registrations')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('email', '=', email)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a registration until its address is confirmed, if it is to be kept; otherwise the same statement, without effect. */
export async function insertRegistration(
  transaction: TenantTransaction,
  isKept: boolean,
  values: {
    readonly email: string;
    readonly name: string;
    readonly company: string;
    readonly locale: string;
    readonly tokenHash: Buffer;
    readonly browserHash: Buffer;
    readonly passwordHash: string;
  },
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into portal_registrations (id, organization_id, email, name, company, locale, token_hash, browser_hash,
      password_hash, terms_accepted_at, expires_at)
    select ${newId('prg', now.getTime())}, ${transaction.tenantId}, ${values.email}, ${values.name}, ${values.company},
      ${values.locale}, ${values.tokenHash}, ${values.browserHash}, ${values.passwordHash}, ${now},
      ${now}::timestamptz + ${confirmationHours} * interval '1 hour'
    where ${isKept}
    returning id`.execute(transaction);
  return rows[0]?.id ?? null;
}

/** The registration that a link’s token confirms, if it still can. */
export async function findUnconfirmed(
  system: Kysely<Schema>,
  organizationId: string,
  tokenHash: Buffer,
): Promise<RegistrationRow | null> {
  const row = await system
    .selectFrom('portal_registrations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'unconfirmed')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up: the registration once, within its time, and null ever after. */
export async function takeRegistration(
  transaction: TenantTransaction,
  tokenHash: Buffer,
  now: Date,
): Promise<RegistrationRow | null> {
  const row = await transaction
    .updateTable('portal_registrations')
    .set({ state: 'pending', token_hash: null, browser_hash: null, confirmed_at: now, updated_at: now })
    .where('organization_id', '=', transaction.tenantId)
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'unconfirmed')
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function listRegistrations(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: Presented['state'] | undefined },
) {
  let query = transaction
    .selectFrom('portal_registrations')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('state', '!=', 'unconfirmed')
    .where((builder) => matches(builder, ['name', 'email', 'company'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { registrations: rows.map(presentRegistration), total };
}

/** Locks a confirmed registration until the commit. */
export async function lockRegistration(transaction: TenantTransaction, id: string): Promise<RegistrationRow | null> {
  const row = await transaction
    .selectFrom('portal_registrations')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('state', '!=', 'unconfirmed')
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a registration, whose password hash goes with it. */
export async function decideRegistration(
  transaction: TenantTransaction,
  id: string,
  decision: {
    readonly state: 'approved' | 'rejected';
    /** Null if the portal is open to everybody. */
    readonly by: { readonly id: string; readonly name: string } | null;
    readonly reason: string | null;
    readonly developerId: string | null;
  },
  now: Date,
): Promise<Presented> {
  const row = await transaction
    .updateTable('portal_registrations')
    .set({
      state: decision.state,
      decided_by: decision.by?.id ?? null,
      decided_by_name: decision.by?.name ?? null,
      decided_at: now,
      reason: decision.reason,
      developer_id: decision.developerId,
      password_hash: null,
      version: sql<number>`version + 1`,
      updated_at: now,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentRegistration(row);
}

/** @param row of a confirmed registration */
export function presentRegistration(row: RegistrationRow): Presented {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    company: row.company,
    locale: localeOf(row.locale) ?? 'en',
    state: row.state as Presented['state'],
    confirmedAt: row.confirmed_at!.toISOString(),
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    developerId: row.developer_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
