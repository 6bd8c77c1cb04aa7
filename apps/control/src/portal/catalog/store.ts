import type { PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { completeBillingSettings } from '../../money/billing-settings/rules.ts';
import { storedTerms } from '../../money/rate-plans/rules.ts';
import type { CatalogProduct, CatalogProductPage } from './contract.ts';

/** Who looks at the catalog. */
export interface Viewer {
  /** Whether they have signed in, and so see private products. */
  readonly signedIn: boolean;
}

/** What is looked for in the catalog. */
export interface CatalogFilters {
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly featured?: boolean | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface CatalogPage {
  readonly products: CatalogProduct[];
  readonly total: number;
  readonly tags: { readonly tag: string; readonly products: number }[];
}

/** The lists of product ids in the settings of the portal. */
const listed = ({ tenantId }: TenantTransaction) => sql`
  settings as (
    select array(select jsonb_array_elements_text(settings #> '{catalog,order}')) as first_ids,
           array(select jsonb_array_elements_text(settings #> '{catalog,featured}')) as featured_ids,
           array(select jsonb_array_elements_text(settings #> '{catalog,hidden}')) as hidden_ids,
           array(select jsonb_array_elements_text(settings -> 'sandboxProductIds')) as sandbox_ids
    from (select coalesce((select settings from portal_settings
      where organization_id = ${tenantId}), '{}') as settings) set
  )`;

/** Tags of the APIs of the product `p`, in alphabetical order. */
const tagsOf = sql`array(
  select distinct tag
  from product_proxies i,
       unnest((select x.tags from proxies x where x.organization_id = i.organization_id and x.id = i.proxy_id)) tag
  where i.organization_id = p.organization_id and i.product_id = p.id
  order by tag)`;

/** What a card and a page say of the product `p`, as members of a JSON object. */
const cardFields = sql`
  'id', p.id, 'name', p.name, 'displayName', p.display_name, 'description', p.description, 'public', p.public,
  'autoApprove', p.auto_approve, 'featured', p.id = any(settings.featured_ids),
  'sandbox', p.id = any(settings.sandbox_ids), 'updatedAt', ${utc(sql`p.updated_at`)}`;

/**
 * A page of the catalog, by one statement: products in the order of the settings, then by display name, with the tags of
 * all products that the viewer sees. Tables are looked up by whole keys: a plan without
 * statistics is as fast.
 */
export async function listCatalog(
  transaction: TenantTransaction,
  { signedIn }: Viewer,
  { search = '', page, pageSize, ...filters }: CatalogFilters,
): Promise<CatalogPage> {
  const tag = filters.tag ?? null;
  const featured = filters.featured ?? null;
  const { rows } = await sql<CatalogPage>`
    with ${listed(transaction)},
    seen as materialized (
      select p.*, ${tagsOf} as tags, array_position(settings.first_ids, p.id) as place
      from products p, settings
      where p.organization_id = ${transaction.tenantId} and p.published and p.state = 'active'
        and (p.public or ${signedIn}) and p.id <> all(settings.hidden_ids)
    ),
    wanted as materialized (
      select p.* from seen p, settings
      where (${search} = '' or strpos(lower(concat_ws(' ', p.display_name, p.name, p.description)), lower(${search})) > 0)
        and (${tag}::text is null or ${tag} = any(p.tags))
        and (${featured}::boolean is null or (p.id = any(settings.featured_ids)) = ${featured})
    ),
    shown as (
      select * from wanted order by place nulls last, lower(display_name), id limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select
      (select count(*)::int from wanted) as total,
      (select coalesce(json_agg(json_build_object(${cardFields}, 'tags', p.tags,
          'apis', (select coalesce(json_agg(json_build_object('name', x.name, 'displayName', x.display_name,
              'version', ${publishedVersion}) order by x.display_name, x.id), '[]')
            from product_proxies i join proxies x on x.organization_id = i.organization_id and x.id = i.proxy_id
            where i.organization_id = p.organization_id and i.product_id = p.id),
          'plans', (select coalesce(json_agg(json_build_object('displayName', r.display_name, 'type', r.type,
              'currency', r.currency, 'recurringFee', r.terms -> 'recurringFee') order by ${byFee}), '[]')
            from rate_plans r
            where r.organization_id = p.organization_id and r.product_id = p.id and r.state = 'published')
        ) order by p.place nulls last, lower(p.display_name), p.id), '[]')
       from shown p, settings) as products,
      (select coalesce(json_agg(json_build_object('tag', tag, 'products', products) order by products desc, tag), '[]')
       from (select tag, count(*)::int as products from seen, unnest(seen.tags) tag
             group by tag order by count(*) desc, tag limit 100) counted) as tags`.execute(transaction);
  return rows[0]!;
}

/** The least expensive first, as far as a recurring fee says. */
const byFee = sql`(r.terms ->> 'recurringFee')::numeric nulls first, r.created_at, r.id`;

/** Version of what is published of the API `x`. */
const publishedVersion = sql`(
  select s.published_api_version from specifications s
  where s.organization_id = x.organization_id and s.proxy_id = x.id and s.state = 'published'
  order by s.published_at desc, s.id desc limit 1)`;

/** An API of a product, with what its published specification is found by. */
export interface ApiRow {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly basePath: string;
  readonly authentication: CatalogProductPage['apis'][number]['authentication'];
  readonly deprecated: boolean;
  readonly version: string | null;
  readonly publishedAt: string | null;
  /** Null: none is published. */
  readonly specificationId: string | null;
  /** Bundled routes; null: all. */
  readonly routeIds: readonly string[] | null;
  /** Of the bundled ones, unless that is all. */
  readonly routes: readonly { readonly method: string; readonly pathPattern: string }[];
}

type Card = Omit<CatalogProduct, 'apis' | 'plans'>;

/** A product with everything that its pages need but documents and servers. */
export interface CatalogEntry {
  readonly product: Card & Pick<CatalogProductPage, 'quota'>;
  readonly apis: readonly ApiRow[];
  readonly plans: CatalogProductPage['plans'];
  readonly billingPeriod: CatalogProductPage['billingPeriod'];
}

interface EntryRow {
  readonly product: CatalogEntry['product'];
  readonly apis: readonly ApiRow[];
  readonly plans: readonly (Pick<
    CatalogProductPage['plans'][number],
    'id' | 'name' | 'displayName' | 'description' | 'planVersion'
  > & { readonly terms: PlanTerms })[];
  readonly billing: Parameters<typeof completeBillingSettings>[0];
}

/**
 * A published, active product by its id or name, by one statement; null if there is none that the viewer sees. One that the
 * catalog hides is found.
 */
export async function findCatalogEntry(
  transaction: TenantTransaction,
  { signedIn }: Viewer,
  key: string,
): Promise<CatalogEntry | null> {
  const { rows } = await sql<EntryRow>`
    with ${listed(transaction)}
    select
      json_build_object(${cardFields}, 'tags', ${tagsOf}, 'quota', p.quota) as product,
      (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'displayName', x.display_name,
          'description', x.description, 'basePath', x.base_path, 'authentication', x.auth_scheme,
          'deprecated', x.stage = 'deprecated', 'version', s.published_api_version,
          'publishedAt', ${utc(sql`s.published_at`)}, 'specificationId', s.id, 'routeIds', i.route_ids,
          'routes', (select coalesce(json_agg(json_build_object('method', t.method, 'pathPattern', t.path_pattern)), '[]')
            from routes t
            where t.organization_id = i.organization_id and t.proxy_id = i.proxy_id and t.id = any(i.route_ids))
        ) order by x.display_name, x.id), '[]')
       from product_proxies i
       join proxies x on x.organization_id = i.organization_id and x.id = i.proxy_id
       left join lateral (
         select id, published_at, published_api_version from specifications s
         where s.organization_id = x.organization_id and s.proxy_id = x.id and s.state = 'published'
         order by s.published_at desc, s.id desc limit 1) s on true
       where i.organization_id = p.organization_id and i.product_id = p.id) as apis,
      (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'displayName', r.display_name,
          'description', r.description, 'planVersion', r.published_version, 'terms', r.terms) order by ${byFee}), '[]')
       from rate_plans r
       where r.organization_id = p.organization_id and r.product_id = p.id and r.state = 'published') as plans,
      (select b.settings from billing_settings b where b.organization_id = p.organization_id) as billing
    from products p, settings
    where p.organization_id = ${transaction.tenantId} and (p.id = ${key} or p.name = ${key})
      and p.published and p.state = 'active' and (p.public or ${signedIn})`.execute(transaction);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    product: row.product,
    apis: row.apis,
    plans: row.plans.map(({ terms, ...plan }) => ({ ...plan, ...storedTerms(terms) })),
    billingPeriod: completeBillingSettings(row.billing ?? {}).period,
  };
}

/** Where the gateway answers, production first. */
export type Servers = CatalogProductPage['servers'];

interface ServerRow {
  readonly name: string;
  readonly display_name: string;
  readonly production: boolean;
  readonly host_name: string | null;
  readonly address: string | null;
}

/**
 * Addresses of the environments in which APIs are deployed, without base paths: the environment's first host name, or what
 * one of its gateway nodes reports. Environments that are not production stand there only if none is.
 */
export async function findServers(transaction: TenantTransaction, proxyIds: readonly string[]): Promise<Servers> {
  const { rows } = await sql<ServerRow>`
    select e.name, e.display_name, e.production, e.host_names[1] as host_name,
           (select n.heartbeat ->> 'address' from gateway_nodes n
            where n.organization_id = e.organization_id and n.environment_id = e.id and n.token_hash is not null
              and n.heartbeat ->> 'address' is not null
            order by n.last_heartbeat_at desc, n.name limit 1) as address
    from environments e
    where e.organization_id = ${transaction.tenantId} and exists (
      select from deployments d
      where d.organization_id = e.organization_id and d.environment_id = e.id and d.ended_at is null
        and d.state = 'live' and d.proxy_id = any(${proxyIds}::text[]))
    order by e.production desc, e.name`.execute(transaction);
  const servers = rows.flatMap(({ name, display_name: displayName, production, host_name: host, address }) => {
    const url = host === null ? address?.replace(/\/+$/, '') : `https://${host}`;
    return url === undefined ? [] : [{ environment: name, displayName, production, url }];
  });
  const production = servers.filter((server) => server.production);
  return production.length > 0 ? production : servers;
}

/** A time as the API writes it. */
function utc(time: ReturnType<typeof sql>) {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
