import { newId } from '@millrace/identifiers';
import type { RevisionContent, RevisionRoute } from '@millrace/revision/content';
import { contentHash } from '@millrace/revision/hash';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { found } from '../../frame/errors.ts';
import { loadPersons } from '../../frame/persons.ts';
import { cutDeployedEdit } from '../revisions/cut.ts';

/**
 * The working copy of a proxy as a revision would hold it: its routes and policies in their order, the request flow
 * first, and its newest specification. Answers `not_found` where there is no such proxy.
 */
export async function loadContent(transaction: TenantTransaction, proxyId: string): Promise<RevisionContent> {
  const organizationId = transaction.tenantId;
  const proxy = found(
    await transaction
      .selectFrom('proxies')
      .select(['name', 'display_name', 'description', 'base_path', 'protocol', 'auth_scheme'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', proxyId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
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
      // Written through the schemas that name these values alone.
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
 * To be called after every write of a proxy's working copy, in the write's transaction: the proxy's fields, routes,
 * policies, its specification. Keeps what follows from it:
 *
 * - the proxy's version and content hash, and who wrote the content;
 * - an approval of other content is void, and so is a request that awaits a decision on it: the proxy is a draft again;
 * - of a deployed proxy a new revision is cut; what serves stays as it is.
 */
export async function contentChanged(transaction: TenantTransaction, caller: Caller, proxyId: string): Promise<void> {
  const organizationId = transaction.tenantId;
  const proxy = await lockProxy(transaction, proxyId);
  const content = await loadContent(transaction, proxyId);
  const hash = contentHash(content);
  await storeHash(transaction, proxyId, hash);
  if (hash === proxy.content_hash) return;
  await addAuthors(transaction, proxyId, (await loadPersons(transaction, caller)).authorKeys);
  const voided = await voidRequest(transaction, proxyId, hash);
  if (proxy.stage === 'approved' && proxy.approved_hash !== hash) {
    await backToDraft(transaction, caller, proxyId, proxy.stage);
  }
  if (proxy.stage === 'review' && voided) await backToDraft(transaction, caller, proxyId, proxy.stage);
  const deployed = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (deployed) await cutDeployedEdit(transaction, caller, proxyId, content);
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

/** The content of a proxy that this transaction made: its first hash, and who wrote it. */
export async function contentCreated(
  transaction: TenantTransaction,
  proxyId: string,
  authorKeys: readonly string[],
): Promise<void> {
  const hash = contentHash(await loadContent(transaction, proxyId));
  await transaction
    .updateTable('proxies')
    .set({ content_hash: hash })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .execute();
  await addAuthors(transaction, proxyId, authorKeys);
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

async function storeHash(transaction: TenantTransaction, proxyId: string, hash: string): Promise<void> {
  await transaction
    .updateTable('proxies')
    .set({ content_hash: hash, version: sql`version + 1`, updated_at: sql`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .execute();
}

/** Ends the request that awaits a decision on other content; whether there was one. */
async function voidRequest(transaction: TenantTransaction, proxyId: string, hash: string): Promise<boolean> {
  const voided = await transaction
    .updateTable('lifecycle_requests')
    .set({
      state: 'void',
      reason: voidReason,
      decided_at: sql`now()`,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('state', '=', 'pending')
    .where('content_hash', '<>', hash)
    .returning('id')
    .execute();
  return voided.length > 0;
}

const voidReason = 'The working copy was changed.';

async function backToDraft(
  transaction: TenantTransaction,
  caller: Caller,
  proxyId: string,
  from: 'approved' | 'review',
): Promise<void> {
  await transaction
    .updateTable('proxies')
    .set({ stage: 'draft', approved_hash: null, approved_revision: null })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .execute();
  await transaction
    .insertInto('lifecycle_moves')
    .values({
      id: newId('mov'),
      organization_id: transaction.tenantId,
      proxy_id: proxyId,
      from_stage: from,
      to_stage: 'draft',
      moved_by: caller.id,
      moved_by_name: caller.name,
      reason: voidReason,
    })
    .execute();
}
