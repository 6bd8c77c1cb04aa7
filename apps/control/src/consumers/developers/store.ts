import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { consumerChanged, emitChanged } from '../events.ts';
import type { Developer } from './contract.ts';
import { developerConsumer } from './rules.ts';

type Presented = z.infer<typeof Developer>;
type Row = Selectable<Schema['developers']> & { readonly apps: number };
type Fields = Pick<Presented, 'email' | 'name' | 'company' | 'billing'>;

const columns = {
  name: 'name',
  email: 'email',
  company: 'company',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Part of the statement that reads developers. */
const apps = sql<number>`(
  select count(*)::int from apps app
  where app.organization_id = developers.organization_id and app.developer_id = developers.id)`.as('apps');

export async function listDevelopers(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: Presented['state'] | undefined },
) {
  let query = transaction
    .selectFrom('developers')
    .selectAll()
    .select(apps)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'email', 'company'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { developers: rows.map(present), total };
}

export async function findDeveloper(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('developers')
    .selectAll()
    .select(apps)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The developer that has an e-mail address, whoever signs in to it; null: none. */
export async function findDeveloperIdByEmail(transaction: TenantTransaction, email: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('developers')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Locks the developer of an e-mail address until the commit. */
export async function lockDeveloperByEmail(transaction: TenantTransaction, email: string): Promise<Presented | null> {
  const id = await findDeveloperIdByEmail(transaction, email);
  return id === null ? null : lockDeveloper(transaction, id);
}

/** Developers by their ids. */
export async function listDevelopersByIds(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Presented>> {
  const rows = await transaction
    .selectFrom('developers')
    .selectAll()
    .select(apps)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, present(row)]));
}

/** Locks a developer until the commit; no apps or movements can be added meanwhile. */
export async function lockDeveloper(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const locked = await transaction
    .selectFrom('developers')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  // Read afterwards: a statement that waited for a row sees other tables as they were before the wait.
  return locked === undefined ? null : findDeveloper(transaction, id);
}

export async function insertDeveloper(transaction: TenantTransaction, values: Fields): Promise<Presented> {
  const row = await transaction
    .insertInto('developers')
    .values({ id: newId('dev'), organization_id: transaction.tenantId, ...columnsOf(values) })
    .returningAll()
    .returning(apps)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emit(transaction, consumerChanged, developerConsumer(after));
  return after;
}

export async function updateDeveloper(
  transaction: TenantTransaction,
  before: Presented,
  changes: Partial<Fields & Pick<Presented, 'state'>>,
): Promise<Presented> {
  const row = await transaction
    .updateTable('developers')
    .set({ ...columnsOf(changes), version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .returningAll()
    .returning(apps)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emitChanged(transaction, developerConsumer(before), developerConsumer(after));
  return after;
}

export async function deleteDeveloper(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('developers')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, consumerChanged, { kind: 'developer', id, value: null });
}

/** What was paid in for a developer and is assigned to no subscription, of each currency that there ever was. */
export async function sumUnassigned(transaction: TenantTransaction, developerId: string) {
  const rows = await transaction
    .selectFrom('prepaid_movements')
    .select(['currency', sql<string>`sum(amount_minor)`.as('amount_minor')])
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('subscription_id', 'is', null)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  return rows.map(({ currency, amount_minor }) => ({ currency, amountMinor: Number(amount_minor) }));
}

/** Changes as columns: what is written as JSON is text. */
function columnsOf<Changes extends Partial<Fields>>({ billing, ...others }: Changes) {
  return { ...others, ...(billing === undefined ? {} : { billing: billing && JSON.stringify(billing) }) };
}

function present(row: Row): Presented {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    company: row.company,
    userId: row.user_id,
    state: row.state,
    apps: row.apps,
    // Written through the contract alone.
    billing: row.billing as Presented['billing'],
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
