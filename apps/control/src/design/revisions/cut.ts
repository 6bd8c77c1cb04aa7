import type { RevisionContent } from '@millrace/revision/content';
import { contentHash } from '@millrace/revision/hash';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import type { RewrittenProxy } from '../events.ts';

export type RevisionRow = Selectable<Schema['revisions']>;

interface Cut {
  readonly proxyId: string;
  readonly content: RevisionContent;
  readonly note: string;
  /** By an edit of a deployed proxy, not on request. */
  readonly automatic: boolean;
}

/** Stores the content as the proxy's next revision; the proxy's row is locked by the update of its counter. */
export async function insertRevision(
  transaction: TenantTransaction,
  caller: Caller,
  { proxyId, content, note, automatic }: Cut,
): Promise<RevisionRow> {
  const organizationId = transaction.tenantId;
  const { latest_revision: revision } = await transaction
    .updateTable('proxies')
    .set({ latest_revision: sql`latest_revision + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', proxyId)
    .returning('latest_revision')
    .executeTakeFirstOrThrow();
  const authors = await transaction
    .selectFrom('proxy_authors')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .orderBy('user_id')
    .execute();
  return transaction
    .insertInto('revisions')
    .values({
      organization_id: organizationId,
      proxy_id: proxyId,
      revision,
      content: JSON.stringify(content),
      content_hash: contentHash(content),
      note,
      created_by: caller.id,
      author_ids: authors.map(({ user_id }) => user_id),
      automatic,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Makes the newest revision of a deployed proxy equal to its working copy; live deployments don't change.
 * A revision that an earlier edit cut, and that was not deployed, approved or put under review since, is replaced by the
 * new one.
 */
export async function cutDeployedEdit(
  transaction: TenantTransaction,
  caller: Caller,
  { proxyId, content, contentHash: hash }: RewrittenProxy,
): Promise<void> {
  if (!(await isDeployed(transaction, proxyId))) return;
  const newest = await findNewest(transaction, proxyId);
  if (newest === undefined || newest.content_hash === hash) return;
  if (await isUnusedEdit(transaction, newest)) {
    await transaction
      .deleteFrom('revisions')
      .where('organization_id', '=', transaction.tenantId)
      .where('proxy_id', '=', proxyId)
      .where('revision', '=', newest.revision)
      .execute();
    const before = await findNewest(transaction, proxyId);
    await transaction
      .updateTable('proxies')
      .set({ latest_revision: newest.revision - 1 })
      .where('organization_id', '=', transaction.tenantId)
      .where('id', '=', proxyId)
      .execute();
    if (before?.content_hash === hash) return;
  }
  await insertRevision(transaction, caller, {
    proxyId,
    content,
    note: 'Cut by an edit of the deployed proxy',
    automatic: true,
  });
}

/**
 * The number of the revision that the next edit of a proxy cuts; null if it cuts none, because the proxy is live nowhere or
 * the revision of an earlier edit is replaced.
 */
export async function nextCutRevision(transaction: TenantTransaction, proxyId: string): Promise<number | null> {
  if (!(await isDeployed(transaction, proxyId))) return null;
  const newest = await findNewest(transaction, proxyId);
  if (newest === undefined || (await isUnusedEdit(transaction, newest))) return null;
  const { latest_revision: latest } = await transaction
    .selectFrom('proxies')
    .select('latest_revision')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .executeTakeFirstOrThrow();
  return latest + 1;
}

async function isDeployed(transaction: TenantTransaction, proxyId: string): Promise<boolean> {
  const deployed = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return deployed !== undefined;
}

function findNewest(transaction: TenantTransaction, proxyId: string) {
  return transaction
    .selectFrom('revisions')
    .select(['proxy_id', 'revision', 'content_hash', 'automatic', 'approved_by', 'first_deployed_at'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type Newest = NonNullable<Awaited<ReturnType<typeof findNewest>>>;

async function isUnusedEdit(transaction: TenantTransaction, newest: Newest): Promise<boolean> {
  if (!newest.automatic || newest.approved_by !== null || newest.first_deployed_at !== null) return false;
  const request = await transaction
    .selectFrom('lifecycle_requests')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', newest.proxy_id)
    .where('revision', '=', newest.revision)
    .executeTakeFirst();
  return request === undefined;
}
