import type { RevisionPolicy } from '@millrace/revision/content';
import { sql } from 'kysely';
import type { CredentialRow } from '../../consumers/apps/credentials.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { isAwaitedNode } from '../../delivery/deployments/settling.ts';

/** Where an API is served. */
export interface Serving {
  readonly basePath: string;
  readonly policies: readonly RevisionPolicy[];
  readonly hostName: string | null;
  /** Of the gateway nodes that report now. */
  readonly addresses: readonly string[];
}

/** The live deployment of an API that callers use: in production if it is there. Null: none has a node that reports. */
export async function findServing(transaction: TenantTransaction, proxyId: string): Promise<Serving | null> {
  const { rows } = await sql<Serving>`
    select d.base_path as "basePath", r.content -> 'policies' as policies, e.host_names[1] as "hostName", n.addresses
    from deployments d
    join environments e on e.organization_id = d.organization_id and e.id = d.environment_id
    join revisions r on r.organization_id = d.organization_id and r.proxy_id = d.proxy_id and r.revision = d.revision
    cross join lateral (
      select array_agg(distinct heartbeat ->> 'address') as addresses from gateway_nodes
      where organization_id = d.organization_id and environment_id = d.environment_id and ${isAwaitedNode}
        and heartbeat ->> 'address' is not null and heartbeat ->> 'ready' = 'true') n
    where d.organization_id = ${transaction.tenantId} and d.proxy_id = ${proxyId} and d.state = 'live'
      and n.addresses is not null
    order by e.production desc, d.weight desc, d.live_at desc limit 1`.execute(transaction);
  return rows[0] ?? null;
}

/** Whether an API's published specification has an operation. */
export async function hasOperation(
  transaction: TenantTransaction,
  proxyId: string,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from specifications
    where organization_id = ${transaction.tenantId} and proxy_id = ${proxyId} and state = 'published'
      and json_typeof(published_document -> 'paths' -> ${path}::text -> ${method}::text) = 'object'
    limit 1`.execute(transaction);
  return rows.length > 0;
}

/** A key of one of a developer's apps; undefined: unknown, or another account's. */
export async function findOwnCredential(
  transaction: TenantTransaction,
  developerId: string,
  credentialId: string,
): Promise<CredentialRow | undefined> {
  return transaction
    .selectFrom('credentials')
    .innerJoin('apps', (join) =>
      join
        .onRef('apps.organization_id', '=', 'credentials.organization_id')
        .onRef('apps.id', '=', 'credentials.app_id'),
    )
    .selectAll('credentials')
    .where('credentials.organization_id', '=', transaction.tenantId)
    .where('credentials.id', '=', credentialId)
    .where('apps.developer_id', '=', developerId)
    .executeTakeFirst();
}

/** The products that visitors may try, by the portal's settings. */
export async function sandboxProducts(transaction: TenantTransaction): Promise<readonly string[]> {
  const { rows } = await sql<{ ids: readonly string[] | null }>`
    select settings -> 'sandboxProductIds' as ids from portal_settings
    where organization_id = ${transaction.tenantId}`.execute(transaction);
  return rows[0]?.ids ?? [];
}
