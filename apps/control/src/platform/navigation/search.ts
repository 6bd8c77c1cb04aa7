import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import type { Listing } from '../../frame/listing.ts';
import type { Permission } from '../../frame/permissions.ts';
import type { SearchResult, searchKinds } from './contract.ts';

type Kind = (typeof searchKinds)[number];

interface Source {
  readonly permission: Permission;
  /** Rows of `id`, `title`, `subtitle`, `path` and `names`, the texts that are searched, of one organization. */
  rows(organizationId: string): RawBuilder<unknown>;
}

const sources: Readonly<Record<Kind, Source>> = {
  proxy: {
    permission: 'proxy.read',
    rows: (organizationId) => sql`
      select id, display_name as title, base_path as subtitle, '/proxies/' || id as path,
             array[name, display_name, base_path] || tags as names
      from proxies where organization_id = ${organizationId} and deleted_at is null`,
  },
  environment: {
    permission: 'environment.read',
    rows: (organizationId) => sql`
      select id, display_name as title, name as subtitle, '/environments/' || id as path,
             array[name, display_name] || host_names as names
      from environments where organization_id = ${organizationId}`,
  },
  target_server: {
    permission: 'target-server.read',
    rows: (organizationId) => sql`
      select t.id, t.name as title, e.display_name || ' · ' || t.host || ':' || t.port as subtitle,
             '/target-servers/' || t.id as path, array[t.name, t.host] as names
      from target_servers t
      join environments e on e.organization_id = t.organization_id and e.id = t.environment_id
      where t.organization_id = ${organizationId}`,
  },
  gateway_node: {
    permission: 'gateway-node.read',
    rows: (organizationId) => sql`
      select n.id, n.name as title, e.display_name as subtitle, '/gateway-nodes/' || n.id as path,
             array[n.name] as names
      from gateway_nodes n
      join environments e on e.organization_id = n.organization_id and e.id = n.environment_id
      where n.organization_id = ${organizationId}`,
  },
  specification: {
    permission: 'specification.read',
    rows: (organizationId) => sql`
      select id, title, api_version as subtitle, '/specifications/' || id as path, array[title] as names
      from specifications where organization_id = ${organizationId}`,
  },
  policy_template: {
    permission: 'policy.read',
    rows: (organizationId) => sql`
      select id, name as title, kind as subtitle, '/policy-templates/' || id as path, array[name] as names
      from policy_templates where organization_id = ${organizationId}`,
  },
  product: {
    permission: 'product.read',
    rows: (organizationId) => sql`
      select id, display_name as title, name as subtitle, '/products/' || id as path,
             array[name, display_name] as names
      from products where organization_id = ${organizationId}`,
  },
  developer: {
    permission: 'developer.read',
    rows: (organizationId) => sql`
      select id, name as title, email as subtitle, '/developers/' || id as path, array[name, email, company] as names
      from developers where organization_id = ${organizationId}`,
  },
  app: {
    permission: 'app.read',
    rows: (organizationId) => sql`
      select a.id, a.display_name as title, d.name as subtitle, '/apps/' || a.id as path,
             array[a.name, a.display_name] as names
      from apps a join developers d on d.organization_id = a.organization_id and d.id = a.developer_id
      where a.organization_id = ${organizationId}`,
  },
  user: {
    permission: 'user.read',
    rows: (organizationId) => sql`
      select id, name as title, email as subtitle, '/users/' || id as path, array[name, email] as names
      from users where organization_id = ${organizationId}`,
  },
  role: {
    permission: 'role.read',
    rows: (organizationId) => sql`
      select id, name as title, description as subtitle, '/roles/' || id as path, array[name] as names
      from roles where organization_id = ${organizationId}`,
  },
  service_account: {
    permission: 'service-account.read',
    rows: (organizationId) => sql`
      select id, name as title, description as subtitle, '/service-accounts/' || id as path, array[name] as names
      from service_accounts where organization_id = ${organizationId}`,
  },
};

/** One page of what has the text in a name, of the kinds that the caller may read; whole names and beginnings first. */
export async function search(
  transaction: TenantTransaction,
  caller: Pick<Caller, 'permissions'>,
  query: Listing & { readonly search: string; readonly kind?: Kind | undefined },
): Promise<{ results: z.infer<typeof SearchResult>[]; total: number }> {
  const kinds = (Object.keys(sources) as Kind[]).filter(
    (kind) => caller.permissions.has(sources[kind].permission) && (query.kind ?? kind) === kind,
  );
  if (kinds.length === 0) return { results: [], total: 0 };
  const text = query.search.replaceAll(/[\\%_]/g, '\\$&');
  const matching = kinds.map(
    (kind) => sql`
      select ${kind}::text as kind, id, title, subtitle, path,
             (select min(case when name ilike ${text} then 0 when name ilike ${`${text}%`} then 1 else 2 end)
              from unnest(names) as name where name ilike ${`%${text}%`}) as distance
      from (${sources[kind].rows(transaction.tenantId)}) as source
      where exists (select from unnest(names) as name where name ilike ${`%${text}%`})`,
  );
  const descending = query.sort.startsWith('-') ? sql`desc` : sql`asc`;
  const order = query.sort.endsWith('relevance')
    ? sql`distance ${descending}, title, id`
    : sql`title ${descending}, id ${descending}`;
  const { rows } = await sql<{ total: number; results: z.infer<typeof SearchResult>[] }>`
    with matching as materialized (${sql.join(matching, sql` union all `)})
    select (select count(*)::int from matching) as total,
           (select coalesce(json_agg(json_build_object('kind', kind, 'id', id, 'title', title, 'subtitle', subtitle,
                                                       'path', path)), '[]')
            from (select * from matching order by ${order}
                  limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}) as page) as results`.execute(
    transaction,
  );
  return rows[0]!;
}
