import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { catalogChanged, consumerChanged, emitChanged } from '../events.ts';
import type { ApiProduct } from './contract.ts';
import { productConsumer } from './rules.ts';

type Presented = z.infer<typeof ApiProduct>;
type Row = Selectable<Schema['products']> & { readonly proxies: Presented['proxies'] };
type Fields = Pick<
  Presented,
  'name' | 'displayName' | 'description' | 'public' | 'autoApprove' | 'quota' | 'unitsHeader' | 'passUnitsHeader'
>;
/** The fields to change; omitted ones don't change. */
type Changes = Partial<Fields & Pick<Presented, 'published' | 'state'>>;

interface Filters extends Listing {
  readonly published?: boolean | undefined;
  readonly public?: boolean | undefined;
  readonly state?: Presented['state'] | undefined;
  readonly proxyId?: string | undefined;
}

const columns = { name: 'name', displayName: 'display_name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** Part of the statement that reads products. */
const bundled = sql<Presented['proxies']>`(
  select coalesce(json_agg(json_build_object(
    'proxyId', proxy.id, 'proxyName', proxy.name, 'proxyDisplayName', proxy.display_name, 'basePath', proxy.base_path,
    'routeIds', bundle.route_ids) order by proxy.name, proxy.id), '[]')
  from product_proxies bundle
  join proxies proxy on proxy.organization_id = bundle.organization_id and proxy.id = bundle.proxy_id
  where bundle.organization_id = products.organization_id and bundle.product_id = products.id)`.as('proxies');

export async function listProducts(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('products')
    .selectAll()
    .select(bundled)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'display_name', 'description'], filters.search));
  if (filters.published !== undefined) query = query.where('published', '=', filters.published);
  if (filters.public !== undefined) query = query.where('public', '=', filters.public);
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { proxyId } = filters;
  if (proxyId !== undefined) {
    query = query.where('id', 'in', (builder) =>
      builder
        .selectFrom('product_proxies')
        .select('product_id')
        .where('organization_id', '=', transaction.tenantId)
        .where('proxy_id', '=', proxyId),
    );
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { products: rows.map(present), total };
}

/** Every product of the organization. */
export async function loadProducts(transaction: TenantTransaction): Promise<readonly Presented[]> {
  const rows = await transaction
    .selectFrom('products')
    .selectAll()
    .select(bundled)
    .where('organization_id', '=', transaction.tenantId)
    .execute();
  return rows.map(present);
}

/** Products by their ids. */
export async function loadProductsByIds(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Presented>> {
  const rows = await transaction
    .selectFrom('products')
    .selectAll()
    .select(bundled)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, present(row)]));
}

export async function findProduct(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('products')
    .selectAll()
    .select(bundled)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

/**
 * Locks a product until the commit.
 *
 * @param mode `share`: others may lock it in this mode too, such as other subscription requests
 */
export async function lockProduct(
  transaction: TenantTransaction,
  id: string,
  mode: 'update' | 'share' = 'update',
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('products')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const locked = await (mode === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirst();
  // Read afterwards: a statement that waited for a row sees other tables as they were before the wait.
  return locked === undefined ? null : findProduct(transaction, id);
}

export async function insertProduct(transaction: TenantTransaction, values: Fields): Promise<Presented> {
  const row = await transaction
    .insertInto('products')
    .values({
      id: newId('prd'),
      organization_id: transaction.tenantId,
      name: values.name,
      display_name: values.displayName,
      description: values.description,
      public: values.public,
      auto_approve: values.autoApprove,
      quota: stored(values.quota),
      units_header: values.unitsHeader,
      pass_units_header: values.passUnitsHeader,
    })
    .returningAll()
    .returning(bundled)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emit(transaction, consumerChanged, productConsumer(after));
  emit(transaction, catalogChanged, {});
  return after;
}

/** Changes a product; its version increases even if only its proxies changed. */
export async function updateProduct(
  transaction: TenantTransaction,
  before: Presented,
  changes: Changes,
): Promise<Presented> {
  const { displayName, autoApprove, quota, unitsHeader, passUnitsHeader, ...plain } = changes;
  const row = await transaction
    .updateTable('products')
    .set({
      ...plain,
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(autoApprove === undefined ? {} : { auto_approve: autoApprove }),
      ...(quota === undefined ? {} : { quota: stored(quota) }),
      ...(unitsHeader === undefined ? {} : { units_header: unitsHeader }),
      ...(passUnitsHeader === undefined ? {} : { pass_units_header: passUnitsHeader }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .returningAll()
    .returning(bundled)
    .executeTakeFirstOrThrow();
  const after = present(row);
  emitChanged(transaction, productConsumer(before), productConsumer(after));
  emit(transaction, catalogChanged, {});
  return after;
}

/** Deletes a product with its rate plans. */
export async function deleteProduct(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('products')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, consumerChanged, { kind: 'product', id, value: null });
  emit(transaction, catalogChanged, {});
}

/** How many subscriptions to the product are pending or approved, and how many have ended or were billed. */
export async function countSubscriptions(transaction: TenantTransaction, productId: string) {
  // A subscription that was deleted with its app leaves its terms.
  const deleted = sql`(select count(distinct term.subscription_id) from subscription_terms term
    where term.organization_id = ${transaction.tenantId} and term.product_id = ${productId} and not exists (
      select from subscriptions s where s.organization_id = term.organization_id and s.id = term.subscription_id))`;
  return transaction
    .selectFrom('subscriptions')
    .select([
      sql<number>`(count(*) filter (where state in ('pending', 'approved')))::int`.as('open'),
      sql<number>`(count(*) filter (where state not in ('pending', 'approved')) + ${deleted})::int`.as('ended'),
    ])
    .where('organization_id', '=', transaction.tenantId)
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
}

/** Keeps a proxy from being deleted until the commit; undefined if it doesn't exist. */
export async function holdProxy(
  transaction: TenantTransaction,
  proxyId: string,
): Promise<{ readonly id: string } | undefined> {
  return transaction
    .selectFrom('proxies')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** Those of the ids that are not routes of the proxy's working copy or of a live revision. */
export async function unknownRoutes(
  transaction: TenantTransaction,
  proxyId: string,
  routeIds: readonly string[],
): Promise<readonly string[]> {
  if (routeIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${routeIds}::text[]) with ordinality as given (id, place)
    where not exists (
      select from routes
      where routes.organization_id = ${transaction.tenantId} and routes.proxy_id = ${proxyId} and routes.id = given.id
    ) and not exists (
      select from deployments d
      join revisions r on r.organization_id = d.organization_id and r.proxy_id = d.proxy_id and r.revision = d.revision
      where d.organization_id = ${transaction.tenantId} and d.proxy_id = ${proxyId} and d.ended_at is null
        and r.content -> 'routes' @> jsonb_build_array(jsonb_build_object('id', given.id)))
    order by given.place`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Bundles a proxy, or changes the routes of one already bundled. */
export async function putProductProxy(
  transaction: TenantTransaction,
  before: Presented,
  values: { readonly proxyId: string; readonly routeIds: readonly string[] | null },
): Promise<Presented> {
  const routeIds = values.routeIds === null ? null : [...values.routeIds];
  await transaction
    .insertInto('product_proxies')
    .values({
      organization_id: transaction.tenantId,
      product_id: before.id,
      proxy_id: values.proxyId,
      route_ids: routeIds,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'product_id', 'proxy_id']).doUpdateSet({ route_ids: routeIds }),
    )
    .execute();
  return updateProduct(transaction, before, {});
}

/** Unbundles a proxy. */
export async function deleteProductProxy(
  transaction: TenantTransaction,
  before: Presented,
  proxyId: string,
): Promise<Presented> {
  await transaction
    .deleteFrom('product_proxies')
    .where('organization_id', '=', transaction.tenantId)
    .where('product_id', '=', before.id)
    .where('proxy_id', '=', proxyId)
    .execute();
  return updateProduct(transaction, before, {});
}

/** Names of the products that bundle a proxy. */
export async function listProductsOf(transaction: TenantTransaction, proxyId: string): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('product_proxies')
    .innerJoin('products', (join) =>
      join
        .onRef('products.organization_id', '=', 'product_proxies.organization_id')
        .onRef('products.id', '=', 'product_proxies.product_id'),
    )
    .select('products.name')
    .where('product_proxies.organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .orderBy('products.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** A product that bundles a proxy and has a quota, of its own or in a subscription. */
interface SoldQuota {
  readonly product: string;
  /** Bundled routes; null: all of them. */
  readonly routeIds: readonly string[] | null;
}

/** Quotas that apply to calls of a proxy, by product; suspended products are left out. */
export async function listSoldQuotas(transaction: TenantTransaction, proxyId: string): Promise<readonly SoldQuota[]> {
  const { rows } = await sql<SoldQuota>`
    select p.name as product, i.route_ids as "routeIds" from product_proxies i
    join products p on p.organization_id = i.organization_id and p.id = i.product_id
    where i.organization_id = ${transaction.tenantId} and i.proxy_id = ${proxyId} and p.state = 'active'
      and (p.quota is not null or exists (
        select from subscriptions s
        where s.organization_id = p.organization_id and s.product_id = p.id and s.state = 'approved' and s.quota is not null))
    order by p.name`.execute(transaction);
  return rows;
}

function stored(quota: Presented['quota']): string | null {
  return quota === null ? null : JSON.stringify(quota);
}

function present(row: Row): Presented {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    public: row.public,
    autoApprove: row.auto_approve,
    published: row.published,
    state: row.state,
    quota: row.quota,
    unitsHeader: row.units_header,
    passUnitsHeader: row.pass_units_header,
    proxies: row.proxies,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
