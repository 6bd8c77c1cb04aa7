import type { RevisionContent, RevisionRoute } from '@millrace/revision/content';
import { contentHash } from '@millrace/revision/hash';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { found } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { loadPersons } from '../../frame/persons.ts';
import { proxyRewritten } from '../events.ts';

/**
 * The working copy of a proxy as a revision would hold it: its routes and policies in their order, the request flow
 * first, and its newest specification. Answers `not_found` where there is no such proxy.
 */
export async function loadContent(transaction: TenantTransaction, proxyId: string): Promise<RevisionContent> {
  const proxy = await transaction
    .selectFrom('proxies')
    .select(['id', 'name', 'display_name', 'description', 'base_path', 'protocol', 'auth_scheme'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return contentOf(transaction, found(proxy));
}

type Row = Pick<
  Selectable<Schema['proxies']>,
  'id' | 'name' | 'display_name' | 'description' | 'base_path' | 'protocol' | 'auth_scheme'
>;

async function contentOf(transaction: TenantTransaction, proxy: Row): Promise<RevisionContent> {
  const organizationId = transaction.tenantId;
  const proxyId = proxy.id;
  const routes = await transaction
    .selectFrom('routes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const policies = await transaction
    .selectFrom('policy_attachments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .orderBy('flow')
    .orderBy('position')
    .orderBy('id')
    .execute();
  const specification = await transaction
    .selectFrom('specifications')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    proxy: {
      name: proxy.name,
      displayName: proxy.display_name,
      description: proxy.description,
      basePath: proxy.base_path,
      // Written through the schemas, which only allow these values.
      protocol: proxy.protocol as RevisionContent['proxy']['protocol'],
      authScheme: proxy.auth_scheme as RevisionContent['proxy']['authScheme'],
    },
    routes: routes.map((route) => ({
      id: route.id,
      method: route.method as RevisionRoute['method'],
      pathPattern: route.path_pattern,
      targetServer: route.target_server,
      targetPath: route.target_path,
      timeoutMs: route.timeout_ms,
      summary: route.summary,
      description: route.description,
    })),
    policies: policies.map((policy) => ({
      id: policy.id,
      flow: policy.flow,
      kind: policy.kind,
      name: policy.name,
      enabled: policy.enabled,
      routeIds: policy.route_ids,
      configuration: policy.configuration as RevisionContent['policies'][number]['configuration'],
    })),
    specification: (specification?.document as RevisionContent['specification']) ?? null,
  };
}

/**
 * Records what a proxy's working copy holds now, and who wrote it: its version and content hash, its authors. Of a proxy
 * that this transaction made it is the first hash; where another content was there before, {@link proxyRewritten} follows.
 */
export async function recordContent(transaction: TenantTransaction, caller: Caller, proxyId: string): Promise<void> {
  const proxy = await lockProxy(transaction, proxyId);
  const content = await contentOf(transaction, proxy);
  const hash = contentHash(content);
  const isNew = proxy.content_hash === '';
  await storeHash(transaction, proxyId, hash, isNew);
  if (hash === proxy.content_hash) return;
  await addAuthors(transaction, proxyId, (await loadPersons(transaction, caller)).authorKeys);
  if (!isNew) {
    const { stage, approved_hash: approvedHash } = proxy;
    emit(transaction, proxyRewritten, { proxyId, content, contentHash: hash, stage, approvedHash });
  }
}

/**
 * Keeps other writers of the proxy and of all that is within it off until the commit: whoever is about to write any of it,
 * or to copy it whole, asks for this first. Answers `not_found` where there is no such proxy.
 */
export async function lockProxy(transaction: TenantTransaction, proxyId: string) {
  return found(
    await transaction
      .selectFrom('proxies')
      .selectAll()
      .where('organization_id', '=', transaction.tenantId)
      .where('id', '=', proxyId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst(),
  );
}

/** Counts whoever these keys stand for among those that wrote the working copy, who may not approve it. */
export async function addAuthors(
  transaction: TenantTransaction,
  proxyId: string,
  authorKeys: readonly string[],
): Promise<void> {
  if (authorKeys.length === 0) return;
  await transaction
    .insertInto('proxy_authors')
    .values(authorKeys.map((user_id) => ({ organization_id: transaction.tenantId, proxy_id: proxyId, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function storeHash(transaction: TenantTransaction, proxyId: string, hash: string, isNew: boolean): Promise<void> {
  await transaction
    .updateTable('proxies')
    .set({ content_hash: hash, ...(isNew ? {} : { version: sql`version + 1`, updated_at: sql`now()` }) })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .execute();
}
