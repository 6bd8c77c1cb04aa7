import type { RevisionContent, RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
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
  const { routes, policies, specification } = (await loadParts(transaction, proxy.id))(proxy.id);
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
    routes,
    // Which template a policy came from is not part of the content, and does not change its hash.
    policies: policies.map(({ templateId: _, ...policy }) => policy),
    specification,
  };
}

/** A policy of a working copy, with the template that it came from. */
export type TemplatedPolicy = RevisionPolicy & { readonly templateId: string | null };

/** What a working copy consists of beside the proxy's own fields. */
export interface WorkingCopyParts {
  readonly routes: RevisionRoute[];
  readonly policies: TemplatedPolicy[];
  readonly specification: RevisionContent['specification'];
}

/**
 * Reads the parts of one working copy, or of all of the organization, each table once.
 *
 * @param proxyId null for all
 * @returns the parts by the proxy's id
 */
export async function loadParts(
  transaction: TenantTransaction,
  proxyId: string | null,
): Promise<(proxyId: string) => WorkingCopyParts> {
  const organizationId = transaction.tenantId;
  const routes = await transaction
    .selectFrom('routes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(proxyId !== null, (query) => query.where('proxy_id', '=', proxyId!))
    .orderBy('position')
    .orderBy('id')
    .execute();
  const policies = await transaction
    .selectFrom('policy_attachments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(proxyId !== null, (query) => query.where('proxy_id', '=', proxyId!))
    .orderBy('flow')
    .orderBy('position')
    .orderBy('id')
    .execute();
  const specifications = await transaction
    .selectFrom('specifications')
    .distinctOn('proxy_id')
    .select(['proxy_id', 'document'])
    .where('organization_id', '=', organizationId)
    .where((where) => (proxyId === null ? where('proxy_id', 'is not', null) : where('proxy_id', '=', proxyId)))
    .orderBy('proxy_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const routesOf = Map.groupBy(routes, (route) => route.proxy_id);
  const policiesOf = Map.groupBy(policies, (policy) => policy.proxy_id);
  const documentOf = new Map(specifications.map((specification) => [specification.proxy_id, specification.document]));
  return (id) => ({
    routes: (routesOf.get(id) ?? []).map((route) => ({
      id: route.id,
      method: route.method as RevisionRoute['method'],
      pathPattern: route.path_pattern,
      targetServer: route.target_server,
      targetPath: route.target_path,
      timeoutMs: route.timeout_ms,
      summary: route.summary,
      description: route.description,
    })),
    policies: (policiesOf.get(id) ?? []).map((policy) => ({
      id: policy.id,
      flow: policy.flow,
      kind: policy.kind,
      name: policy.name,
      enabled: policy.enabled,
      routeIds: policy.route_ids,
      configuration: policy.configuration as RevisionPolicy['configuration'],
      templateId: policy.template_id,
    })),
    specification: (documentOf.get(id) as RevisionContent['specification'] | undefined) ?? null,
  });
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
