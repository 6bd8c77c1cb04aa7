import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { TrafficDimension } from './contract.ts';

/** What a key of a dimension is called. */
export interface Named {
  readonly id: string | null;
  readonly name: string | null;
  readonly detail: string | null;
  readonly parentId: string | null;
}

/** By dimension: rows of key, name, detail and parent for the keys in `$keys`. */
const queries: Readonly<
  Record<
    Exclude<TrafficDimension, 'country'>,
    (organizationId: string, keys: readonly string[]) => ReturnType<typeof sql>
  >
> = {
  environment: (organizationId, keys) => sql`
    select id as key, display_name as name, null as detail, null as parent from environments
    where organization_id = ${organizationId} and id = any(${keys}::text[])`,
  proxy: (organizationId, keys) => sql`
    select id as key, display_name as name, base_path as detail, null as parent from proxies
    where organization_id = ${organizationId} and id = any(${keys}::text[])`,
  app: (organizationId, keys) => sql`
    select app.id as key, app.display_name as name, developer.name as detail, developer.id as parent from apps app
    join developers developer on developer.organization_id = ${organizationId} and developer.id = app.developer_id
    where app.organization_id = ${organizationId} and app.id = any(${keys}::text[])`,
  product: (organizationId, keys) => sql`
    select id as key, display_name as name, null as detail, null as parent from products
    where organization_id = ${organizationId} and id = any(${keys}::text[])`,
  route: (organizationId, keys) => sql`
    select route.proxy_id || '/' || route.id as key, route.method || ' ' || route.path_pattern as name,
      proxy.display_name as detail, proxy.id as parent
    from unnest(${keys}::text[]) as given (key)
    join routes route on route.organization_id = ${organizationId} and route.proxy_id = split_part(given.key, '/', 1)
      and route.id = split_part(given.key, '/', 2)
    join proxies proxy on proxy.organization_id = ${organizationId} and proxy.id = route.proxy_id`,
  deployment: (organizationId, keys) => sql`
    select deployment.id as key, 'Revision ' || deployment.revision as name, proxy.display_name as detail,
      proxy.id as parent
    from deployments deployment
    join proxies proxy on proxy.organization_id = ${organizationId} and proxy.id = deployment.proxy_id
    where deployment.organization_id = ${organizationId} and deployment.id = any(${keys}::text[])`,
  gateway_node: (organizationId, keys) => sql`
    select id as key, name, null as detail, null as parent from gateway_nodes
    where organization_id = ${organizationId} and id = any(${keys}::text[])`,
};

/** Names of the keys of a dimension, by key; those of what was deleted are null. */
export async function readNames(
  transaction: TenantTransaction,
  dimension: TrafficDimension,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  if (dimension === 'country') {
    return new Map(keys.map((key) => [key, { id: key, name: key, detail: null, parentId: null }]));
  }
  const rows =
    keys.length === 0 ? [] : (await queries[dimension](transaction.tenantId, keys).execute(transaction)).rows;
  const known = new Map(
    (rows as readonly { key: string; name: string; detail: string | null; parent: string | null }[]).map((row) => [
      row.key,
      row,
    ]),
  );
  return new Map(
    keys.map((key) => {
      const row = known.get(key);
      const [parentOfRoute, id] = dimension === 'route' ? key.split('/') : [null, key];
      return [
        key,
        {
          id: id === '' ? null : id!,
          name: row?.name ?? null,
          detail: row?.detail ?? null,
          parentId: row?.parent ?? parentOfRoute ?? null,
        },
      ];
    }),
  );
}
