import { objectAt, textAt } from '@millrace/openapi/document';
import { hideCredentials } from '@millrace/policies/secrets';
import type { RevisionContent } from '@millrace/revision/content';
import type { ContentDiff } from '@millrace/revision/diff';
import { canonicalJson } from '@millrace/revision/hash';
import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { accountIds } from '../../frame/persons.ts';
import { proxyContentChanged } from '../events.ts';
import { deletePolicies, insertPolicies } from '../policies/store.ts';
import { loadContent, lockProxy } from '../proxies/content.ts';
import { deleteRoutes, insertRoutes } from '../routes/store.ts';
import {
  findDocuments,
  insertSpecification,
  newestSpecificationId,
  updateSpecification,
} from '../specifications/store.ts';
import type { ContentChanges, Revision } from './contract.ts';
import { insertRevision, type RevisionRow } from './cut.ts';

type Presented = z.infer<typeof Revision>;

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
  readonly approved?: boolean | undefined;
}

/** Everything but the content, which is long. */
const summary = [
  'proxy_id',
  'revision',
  'content_hash',
  'note',
  'automatic',
  'created_by',
  'author_ids',
  'approved_by',
  'approved_at',
  'first_deployed_at',
  'created_at',
] as const satisfies readonly (keyof Schema['revisions'])[];

type Summary = Pick<Selectable<Schema['revisions']>, (typeof summary)[number]>;

/** Cuts the working copy as the proxy's next revision. Throws `not_found` if the proxy doesn't exist. */
export async function cutRevision(
  transaction: TenantTransaction,
  caller: Caller,
  proxyId: string,
  note: string,
): Promise<RevisionRow> {
  await lockProxy(transaction, proxyId);
  const content = await loadContent(transaction, proxyId);
  return insertRevision(transaction, caller, { proxyId, content, note, automatic: false });
}

export async function listRevisions(transaction: TenantTransaction, proxyId: string, filters: Filters) {
  let query = transaction
    .selectFrom('revisions')
    .select(summary)
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where((builder) => matches(builder, ['note'], filters.search));
  if (filters.state !== undefined) {
    query = query.where('first_deployed_at', filters.state === 'deployed' ? 'is not' : 'is', null);
  }
  if (filters.approved !== undefined) query = query.where('approved_by', filters.approved ? 'is not' : 'is', null);
  const columns = { revision: 'revision', createdAt: 'created_at' };
  const { rows, total } = await readPage(query, filters, columns, 'revision');
  return { revisions: rows.map(presentRevision), total };
}

export async function findRevision(
  transaction: TenantTransaction,
  proxyId: string,
  revision: number,
): Promise<RevisionRow | null> {
  const row = await transaction
    .selectFrom('revisions')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a pending request is about the revision. */
export async function isUnderReview(
  transaction: TenantTransaction,
  proxyId: string,
  revision: number,
): Promise<boolean> {
  const request = await transaction
    .selectFrom('lifecycle_requests')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('revision', '=', revision)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return request !== undefined;
}

export async function deleteRevision(transaction: TenantTransaction, proxyId: string, revision: number): Promise<void> {
  await conflictsAt(
    transaction
      .deleteFrom('revisions')
      .where('organization_id', '=', transaction.tenantId)
      .where('proxy_id', '=', proxyId)
      .where('revision', '=', revision)
      .execute(),
    {
      deployments_organization_id_proxy_id_revision_fkey: [
        null,
        'It is being deployed. A deployed revision can’t be deleted.',
      ],
    },
  );
}

/** The environment with that name, if any. */
export async function findEnvironmentId(transaction: TenantTransaction, name: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('environments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

/** The number of the live revision with most of the calls in the environment; null if the proxy isn't live there. */
export async function findServingRevision(
  transaction: TenantTransaction,
  environmentId: string,
  proxyId: string,
): Promise<number | null> {
  const row = await transaction
    .selectFrom('deployments')
    .select('revision')
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .orderBy('weight', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.revision ?? null;
}

/**
 * Replaces routes, policies and specification of the working copy, with the same ids, so that the same content has the
 * same hash. The caller writes the fields of the proxy.
 *
 * @param version of the routes and policies: never used before with the same ids
 */
export async function replaceContent(
  transaction: TenantTransaction,
  proxyId: string,
  content: Omit<RevisionContent, 'proxy'>,
  version: number,
): Promise<void> {
  await deleteRoutes(transaction, proxyId);
  await insertRoutes(transaction, proxyId, content.routes, version);
  await deletePolicies(transaction, proxyId);
  await insertPolicies(transaction, proxyId, content.policies, version);
  await replaceSpecification(transaction, proxyId, content.specification);
}

async function replaceSpecification(
  transaction: TenantTransaction,
  proxyId: string,
  document: RevisionContent['specification'],
): Promise<void> {
  const newestId = await newestSpecificationId(transaction, proxyId);
  if (document === null) return newestId === null ? undefined : deleteSpecifications(transaction, proxyId);
  const info = objectAt(document.info);
  const written = {
    title: (textAt(info.title) ?? 'Untitled').slice(0, 200),
    description: (textAt(info.description) ?? '').slice(0, 5_000),
    apiVersion: (textAt(info.version) ?? '1.0.0').slice(0, 50),
    document,
  };
  if (newestId === null) {
    await insertSpecification(transaction, proxyId, 'uploaded', written);
    return;
  }
  const present = await findDocuments(transaction, newestId);
  if (canonicalJson(present?.document) !== canonicalJson(document)) {
    await updateSpecification(transaction, newestId, written);
  }
}

/** Removes drafts. Unpublishing needs its own permission, so a restore doesn't do it. */
async function deleteSpecifications(transaction: TenantTransaction, proxyId: string): Promise<void> {
  const specifications = await transaction
    .deleteFrom('specifications')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .returning('state')
    .execute();
  if (specifications.some(({ state }) => state === 'published')) {
    throw new ApiError('conflict', {
      message: 'The revision has no specification, so the published one would be deleted. Unpublish it first.',
    });
  }
  emit(transaction, proxyContentChanged, { proxyId });
}

export function presentRevision(row: Summary): Presented {
  return {
    proxyId: row.proxy_id,
    revision: row.revision,
    state: row.first_deployed_at === null ? 'undeployed' : 'deployed',
    contentHash: row.content_hash,
    note: row.note,
    automatic: row.automatic,
    createdBy: row.created_by,
    authorIds: [...accountIds(row.author_ids)],
    approvedBy: row.approved_by,
    approvedAt: row.approved_at?.toISOString() ?? null,
    firstDeployedAt: row.first_deployed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

/**
 * A diff as the response has it: the schema's lists are mutable. One that was stored long ago may
 * still have credentials in it.
 */
export function presentDiff(diff: ContentDiff): z.infer<typeof ContentChanges> {
  return {
    breaking: diff.breaking,
    changes: diff.changes.map((change) => ({
      ...change,
      fields: change.area === 'policy' ? hideCredentials([...change.fields]) : [...change.fields],
    })),
  };
}
