import { newId } from '@millrace/identifiers';
import type { OpenApiDocument } from '@millrace/openapi/document';
import { pathShape } from '@millrace/openapi/document';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { PortalChange } from './contract.ts';
import { describeChange, shapeOf } from './rules.ts';

/** Records what the publication of a proxy's specification changed for its callers. */
export async function recordChange(
  transaction: TenantTransaction,
  {
    proxyId,
    before,
    after,
  }: { readonly proxyId: string; readonly before: OpenApiDocument | null; readonly after: OpenApiDocument | null },
): Promise<void> {
  const change = describeChange(before, after);
  if (change === null) return;
  await transaction
    .insertInto('portal_changes')
    .values({
      id: newId('pcg'),
      organization_id: transaction.tenantId,
      proxy_id: proxyId,
      kind: change.kind,
      api_version: change.apiVersion,
      breaking: change.breaking,
      changes: JSON.stringify(change.changes),
      total: change.total,
    })
    .execute();
}

interface ChangeRow {
  readonly id: string;
  readonly kind: PortalChange['kind'];
  readonly api_version: string;
  readonly breaking: boolean;
  readonly changes: PortalChange['changes'];
  readonly total: number;
  readonly created_at: Date;
  readonly api: PortalChange['api'];
  readonly base_path: string;
  readonly products: PortalChange['products'];
  /** Places of the routes that the viewer's products bundle; null: all of them. */
  readonly places: readonly { readonly method: string; readonly pathPattern: string }[] | null;
  readonly count: number;
}

/**
 * A page of the change log of the APIs in the products that a viewer sees, by one statement. Of an API whose products
 * bundle some of its routes, changes of others are left out.
 *
 * @param filters.product id or name; undefined: all products
 */
export async function listChanges(
  transaction: TenantTransaction,
  { signedIn }: { readonly signedIn: boolean },
  filters: { readonly product?: string | undefined; readonly page: number; readonly pageSize: number },
): Promise<{ readonly changes: PortalChange[]; readonly total: number }> {
  const { product = null, page, pageSize } = filters;
  const { rows } = await sql<ChangeRow>`
    with apis as materialized (
      select i.proxy_id, bool_or(i.route_ids is null) as whole,
             json_agg(json_build_object('name', p.name, 'displayName', p.display_name) order by p.display_name, p.id) as products,
             array_agg(p.id) as product_ids
      from products p
      join product_proxies i on i.organization_id = p.organization_id and i.product_id = p.id
      where p.organization_id = ${transaction.tenantId} and p.published and p.state = 'active'
        and (p.public or ${signedIn}) and (${product}::text is null or p.id = ${product} or p.name = ${product})
      group by i.proxy_id
    )
    select c.id, c.kind, c.api_version, c.breaking, c.changes, c.total, c.created_at, x.base_path,
           json_build_object('name', x.name, 'displayName', x.display_name) as api, apis.products,
           case when not apis.whole then (
             select coalesce(json_agg(json_build_object('method', t.method, 'pathPattern', t.path_pattern)), '[]')
             from product_proxies i
             join routes t on t.organization_id = i.organization_id and t.proxy_id = i.proxy_id and t.id = any(i.route_ids)
             where i.organization_id = c.organization_id and i.proxy_id = c.proxy_id and i.product_id = any(apis.product_ids)
           ) end as places,
           (count(*) over ())::int as count
    from portal_changes c
    join apis on apis.proxy_id = c.proxy_id
    join proxies x on x.organization_id = c.organization_id and x.id = c.proxy_id
    where c.organization_id = ${transaction.tenantId}
    order by c.created_at desc, c.id desc
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(transaction);
  return { changes: rows.map(present), total: rows[0]?.count ?? 0 };
}

function present(row: ChangeRow): PortalChange {
  const places =
    row.places && new Set(row.places.map(({ method, pathPattern }) => `${method} ${shapeOf(pathPattern)}`));
  const isBundled = (operation: string | null) => {
    if (places === null || operation === null) return true;
    const [method = '', path = ''] = operation.split(' ', 2);
    return places.has(`${method} ${pathShape(path)}`) || places.has(`ANY ${pathShape(path)}`);
  };
  const changes = row.changes.filter(({ operation }) => isBundled(operation));
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    kind: row.kind,
    api: row.api,
    apiVersion: row.api_version,
    products: row.products,
    breaking: places === null ? row.breaking : changes.some(({ breaking }) => breaking),
    changes: changes.map((change) => ({ ...change, ...placed(change, row.base_path) })),
    total: places === null ? row.total : changes.length,
  };
}

/** The operation with its base path, as everywhere in the portal. */
function placed({ operation, text }: PortalChange['changes'][number], basePath: string) {
  if (operation === null) return {};
  const [method = '', path = ''] = operation.split(' ', 2);
  const base = basePath.replace(/\/$/, '');
  const whole = `${method} ${path === '/' && base !== '' ? base : `${base}${path}`}`;
  return {
    operation: whole,
    text: text.startsWith(`${operation} `) ? `${whole}${text.slice(operation.length)}` : text,
  };
}
