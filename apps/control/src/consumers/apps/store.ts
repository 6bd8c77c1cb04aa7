import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { consumerChanged, emitChanged } from '../events.ts';
import { closeTerms } from '../terms/store.ts';
import type { App } from './contract.ts';
import { appConsumer } from './rules.ts';

type Presented = z.infer<typeof App>;
type Row = Selectable<Schema['apps']> & { readonly developer_name: string };
type Fields = Pick<Presented, 'name' | 'displayName' | 'description' | 'callbackUrl'>;

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
  readonly developerId?: string | undefined;
  readonly productId?: string | undefined;
}

const columns = { name: 'name', displayName: 'display_name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** Part of the statement that reads apps. */
const developerName = sql<string>`(
  select developer.name from developers developer
  where developer.organization_id = apps.organization_id and developer.id = apps.developer_id)`.as('developer_name');

export async function listApps(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('apps')
    .selectAll()
    .select(developerName)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'display_name', 'description'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  if (filters.developerId !== undefined) query = query.where('developer_id', '=', filters.developerId);
  const { productId } = filters;
  if (productId !== undefined) {
    query = query.where('id', 'in', (builder) =>
      builder
        .selectFrom('subscriptions')
        .select('app_id')
        .where('organization_id', '=', transaction.tenantId)
        .where('product_id', '=', productId)
        .where('state', '=', 'approved'),
    );
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { apps: rows.map(present), total };
}

/** @param lock blocks other writers of the app, its credentials and new subscriptions until the commit */
export async function findApp(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('apps')
    .selectAll()
    .select(developerName)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function insertApp(
  transaction: TenantTransaction,
  values: Fields & { readonly developerId: string },
): Promise<Presented> {
  const row = await transaction
    .insertInto('apps')
    .values({
      id: newId('app'),
      organization_id: transaction.tenantId,
      developer_id: values.developerId,
      name: values.name,
      display_name: values.displayName,
      description: values.description,
      callback_url: values.callbackUrl,
    })
    .returningAll()
    .returning(developerName)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emit(transaction, consumerChanged, appConsumer(after));
  return after;
}

export async function updateApp(
  transaction: TenantTransaction,
  before: Presented,
  changes: Partial<Fields & Pick<Presented, 'state'>>,
): Promise<Presented> {
  const { displayName, callbackUrl, ...plain } = changes;
  const row = await transaction
    .updateTable('apps')
    .set({
      ...plain,
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .returningAll()
    .returning(developerName)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emitChanged(transaction, appConsumer(before), appConsumer(after));
  return after;
}

/**
 * Deletes an app with its credentials and subscriptions.
 *
 * @returns how many admitted it until now
 */
export async function deleteApp(transaction: TenantTransaction, id: string) {
  const ofApp = (table: 'credentials' | 'subscriptions') =>
    transaction.deleteFrom(table).where('organization_id', '=', transaction.tenantId).where('app_id', '=', id);
  const credentials = await ofApp('credentials').returning(['id', 'revoked_at']).execute();
  const subscriptions = await ofApp('subscriptions').returning(['id', 'state', 'term_id']).execute();
  await closeTerms(
    transaction,
    subscriptions.flatMap(({ term_id }) => term_id ?? []),
  );
  await transaction
    .deleteFrom('apps')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  const active = credentials.filter(({ revoked_at }) => revoked_at === null);
  const approved = subscriptions.filter(({ state }) => state === 'approved');
  emit(transaction, consumerChanged, { kind: 'app', id, value: null });
  for (const row of active) emit(transaction, consumerChanged, { kind: 'credential', id: row.id, value: null });
  for (const row of approved) emit(transaction, consumerChanged, { kind: 'subscription', id: row.id, value: null });
  return { credentials: active.length, subscriptions: approved.length };
}

function present(row: Row): Presented {
  return {
    id: row.id,
    developerId: row.developer_id,
    developerName: row.developer_name,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    callbackUrl: row.callback_url,
    state: row.state,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
