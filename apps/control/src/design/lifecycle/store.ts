import { newId } from '@millrace/identifiers';
import type { RevisionContent } from '@millrace/revision/content';
import type { ContentDiff } from '@millrace/revision/diff';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { JsonObject, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { accountIds, type Persons } from '../../frame/persons.ts';
import { completeSettings } from '../../identity/organizations/rules.ts';
import type { Person } from '../../identity/users/holders.ts';
import { reviewMoved } from '../events.ts';
import { listAuthors, listServing } from '../proxies/store.ts';
import { presentDiff } from '../revisions/store.ts';
import type { LifecycleRequest, LifecycleRequestDetail } from './contract.ts';
import type { Life, Stage, Target } from './rules.ts';

export type PresentedRequest = z.infer<typeof LifecycleRequest>;
type PresentedDetail = z.infer<typeof LifecycleRequestDetail>;
type ProxyRow = NonNullable<Awaited<ReturnType<typeof findProxyRow>>>;

/** Moves for which the organization requires another person's approval. */
export async function loadRequiredFor(transaction: TenantTransaction): Promise<readonly Target[]> {
  const { settings } = await transaction
    .selectFrom('organizations')
    .select('settings')
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return completeSettings(settings).approval.requiredFor;
}

/** Names of the environments in which the proxy serves. */
export async function listServingEnvironments(
  transaction: TenantTransaction,
  proxyId: string,
): Promise<readonly string[]> {
  const serving = await listServing(transaction, proxyId);
  return [...new Set(serving.map(({ environmentName }) => environmentName))];
}

/** A proxy's position in its lifecycle, from its row and its pending request. */
export async function loadLife(
  transaction: TenantTransaction,
  proxy: Pick<ProxyRow, 'id' | 'stage' | 'content_hash' | 'approved_hash'>,
): Promise<Life> {
  const request = await transaction
    .selectFrom('lifecycle_requests')
    .select(['to_stage', 'content_hash', 'requested_by', 'author_ids'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxy.id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return {
    stage: proxy.stage,
    contentHash: proxy.content_hash,
    approvedHash: proxy.approved_hash,
    authorKeys: await listAuthors(transaction, proxy.id),
    request:
      request === undefined
        ? null
        : {
            // Written through the contract, which only allows these values.
            toStage: request.to_stage as Target,
            contentHash: request.content_hash,
            requestedBy: request.requested_by,
            authorKeys: request.author_ids,
          },
  };
}

/** The row of a proxy; null if it doesn't exist or was deleted. */
export async function findProxyRow(transaction: TenantTransaction, proxyId: string) {
  const row = await transaction
    .selectFrom('proxies')
    .select(['id', 'stage', 'content_hash', 'approved_hash', 'approved_revision'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The proxy of a request; null if the request doesn't exist. */
export async function findProxyId(transaction: TenantTransaction, requestId: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('lifecycle_requests')
    .select('proxy_id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', requestId)
    .executeTakeFirst();
  return row?.proxy_id ?? null;
}

/** Stores a proxy's new position in its lifecycle, and the move if the stage changed. */
export async function writeLife(
  transaction: TenantTransaction,
  proxyId: string,
  before: Life,
  after: Life,
  move: {
    readonly mover: Pick<Caller, 'id' | 'name'>;
    readonly requestId: string;
    readonly reason: string;
    readonly revision: number;
  },
): Promise<void> {
  const organizationId = transaction.tenantId;
  const approves = after.approvedHash !== before.approvedHash;
  if (after.stage !== before.stage || approves) {
    await transaction
      .updateTable('proxies')
      .set({
        stage: after.stage,
        ...(approves ? { approved_hash: after.approvedHash, approved_revision: move.revision } : {}),
        version: sql`version + 1`,
        updated_at: sql`now()`,
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', proxyId)
      .execute();
  }
  if (after.stage !== before.stage) {
    await transaction
      .insertInto('lifecycle_moves')
      .values({
        id: newId('mov'),
        organization_id: organizationId,
        proxy_id: proxyId,
        from_stage: before.stage,
        to_stage: after.stage,
        request_id: move.requestId,
        moved_by: move.mover.id,
        moved_by_name: move.mover.name,
        reason: move.reason,
      })
      .execute();
  }
}

/** Marks the revision as approved and clears the authors of unapproved content. */
export async function approveRevision(
  transaction: TenantTransaction,
  proxyId: string,
  revision: number,
  approver: Pick<Caller, 'id'>,
  now: Date,
): Promise<void> {
  const organizationId = transaction.tenantId;
  await transaction
    .updateTable('revisions')
    .set({ approved_by: approver.id, approved_at: now })
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .where('revision', '=', revision)
    .returning('revision')
    .executeTakeFirstOrThrow();
  await transaction
    .deleteFrom('proxy_authors')
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .execute();
}

/** The newest revision that holds this content. */
export async function findRevisionOf(transaction: TenantTransaction, proxyId: string, contentHash: string) {
  const row = await transaction
    .selectFrom('revisions')
    .select(['revision', 'author_ids'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('content_hash', '=', contentHash)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** What callers use: the last approved content, otherwise the live revision with most of the calls. */
export async function findKnownContent(
  transaction: TenantTransaction,
  proxyId: string,
): Promise<RevisionContent | null> {
  const approved = await transaction
    .selectFrom('revisions')
    .select('content')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('approved_at', 'is not', null)
    .orderBy('approved_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (approved !== undefined) return approved.content;
  const serving = await transaction
    .selectFrom('deployments')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.organization_id', '=', 'deployments.organization_id')
        .onRef('revisions.proxy_id', '=', 'deployments.proxy_id')
        .onRef('revisions.revision', '=', 'deployments.revision'),
    )
    .select('revisions.content')
    .where('deployments.organization_id', '=', transaction.tenantId)
    .where('deployments.proxy_id', '=', proxyId)
    .where('deployments.ended_at', 'is', null)
    .orderBy('deployments.weight', 'desc')
    .orderBy('deployments.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return serving?.content ?? null;
}

interface NewRequest {
  readonly proxyId: string;
  readonly fromStage: Stage;
  readonly toStage: Target;
  readonly state: 'pending' | 'approved';
  readonly note: string;
  readonly revision: number;
  readonly contentHash: string;
  readonly requester: Pick<Caller, 'id' | 'name'>;
  readonly authorKeys: readonly string[];
  readonly findings: readonly JsonObject[];
  readonly diff: ContentDiff;
  /** Why it was carried out immediately; null if it is pending. */
  readonly reason: string | null;
}

export async function insertRequest(transaction: TenantTransaction, request: NewRequest, now: Date): Promise<string> {
  const id = newId('lcr');
  await transaction
    .insertInto('lifecycle_requests')
    .values({
      id,
      organization_id: transaction.tenantId,
      proxy_id: request.proxyId,
      from_stage: request.fromStage,
      to_stage: request.toStage,
      state: request.state,
      note: request.note,
      revision: request.revision,
      content_hash: request.contentHash,
      requested_by: request.requester.id,
      requested_by_name: request.requester.name,
      author_ids: [...request.authorKeys],
      findings: JSON.stringify(request.findings),
      diff: JSON.stringify(request.diff),
      decided_at: request.state === 'pending' ? null : now,
      reason: request.reason,
    })
    .execute();
  if (request.state === 'pending') emit(transaction, reviewMoved, { requestId: id, move: 'requested' });
  return id;
}

export async function decideRequest(
  transaction: TenantTransaction,
  id: string,
  decision: {
    readonly state: 'approved' | 'rejected' | 'withdrawn';
    readonly decider: Pick<Caller, 'id' | 'name'>;
    readonly reason: string | null;
  },
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('lifecycle_requests')
    .set({
      state: decision.state,
      decided_by: decision.decider.id,
      decided_by_name: decision.decider.name,
      decided_at: now,
      reason: decision.reason,
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, reviewMoved, { requestId: id, move: 'decided' });
}

interface RequestFilters extends Listing {
  readonly state?: PresentedRequest['state'] | undefined;
  readonly proxyId?: string | undefined;
  readonly requestedBy?: string | undefined;
  readonly toStage?: Target | undefined;
  readonly mine?: boolean | undefined;
  readonly approvable?: boolean | undefined;
}

const requestColumns = {
  createdAt: 'request.created_at',
  updatedAt: 'request.updated_at',
  proxyName: 'proxy_name',
  toStage: 'request.to_stage',
};

function selectRequests(transaction: TenantTransaction) {
  return transaction
    .selectFrom('lifecycle_requests as request')
    .innerJoin('proxies as proxy', (join) =>
      join.onRef('proxy.organization_id', '=', 'request.organization_id').onRef('proxy.id', '=', 'request.proxy_id'),
    )
    .select([
      'request.id',
      'request.proxy_id',
      'proxy.name as proxy_name',
      'request.from_stage',
      'request.to_stage',
      'request.state',
      'request.note',
      'request.revision',
      'request.content_hash',
      'request.requested_by',
      'request.requested_by_name',
      'request.author_ids',
      'request.decided_by',
      'request.decided_by_name',
      'request.decided_at',
      'request.reason',
      'request.version',
      'request.created_at',
      'request.updated_at',
    ])
    .select([
      sql<number>`jsonb_array_length(request.findings)`.as('findings_count'),
      sql<boolean>`coalesce((request.diff -> 'breaking')::boolean, false)`.as('breaking'),
    ])
    .where('request.organization_id', '=', transaction.tenantId);
}

export async function listRequests(transaction: TenantTransaction, filters: RequestFilters, persons: Persons) {
  const { state, proxyId, requestedBy, toStage, mine, approvable } = filters;
  let query = selectRequests(transaction).where((builder) =>
    matches(builder, ['proxy.name', 'request.note', 'request.requested_by_name'], filters.search),
  );
  if (state !== undefined) query = query.where('request.state', '=', state);
  if (proxyId !== undefined) query = query.where('request.proxy_id', '=', proxyId);
  if (requestedBy !== undefined) query = query.where('request.requested_by', '=', requestedBy);
  if (toStage !== undefined) query = query.where('request.to_stage', '=', toStage);
  const ids = [persons.id, ...persons.userIds];
  if (mine !== undefined) query = query.where('request.requested_by', mine ? 'in' : 'not in', ids);
  if (approvable !== undefined) {
    const possible = sql<boolean>`(request.state = 'pending' and not request.author_ids && ${[...persons.approverKeys]}::text[])`;
    query = query.where(approvable ? possible : sql<boolean>`not ${possible}`);
  }
  const { rows, total } = await readPage(query, filters, requestColumns, 'request.id');
  return { requests: rows.map(presentRequest), total };
}

export async function findRequest(transaction: TenantTransaction, id: string): Promise<PresentedRequest | null> {
  const row = await selectRequests(transaction).where('request.id', '=', id).executeTakeFirst();
  return row === undefined ? null : presentRequest(row);
}

/** The proxy's pending request. */
export async function findPendingRequest(
  transaction: TenantTransaction,
  proxyId: string,
): Promise<PresentedRequest | null> {
  const row = await selectRequests(transaction)
    .where('request.proxy_id', '=', proxyId)
    .where('request.state', '=', 'pending')
    .executeTakeFirst();
  return row === undefined ? null : presentRequest(row);
}

/** The findings and changes as stored with the request. */
export async function findRecord(
  transaction: TenantTransaction,
  id: string,
): Promise<Pick<PresentedDetail, 'findings' | 'diff'>> {
  const { findings, diff } = await transaction
    .selectFrom('lifecycle_requests')
    .select(['findings', 'diff'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  // Stored in this form when the request was made.
  return { findings: findings as unknown as PresentedDetail['findings'], diff: presentDiff(diff) };
}

type RequestRow = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;

function presentRequest(row: RequestRow): PresentedRequest {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    proxyName: row.proxy_name,
    // Written by the rules, which only allow these values.
    fromStage: row.from_stage as Stage,
    toStage: row.to_stage as Target,
    state: row.state,
    note: row.note,
    revision: row.revision,
    contentHash: row.content_hash,
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    authorIds: [...accountIds(row.author_ids)],
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    findings: row.findings_count,
    breaking: row.breaking,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export async function listMoves(
  transaction: TenantTransaction,
  proxyId: string,
  filters: Listing & { readonly toStage?: Stage | undefined },
) {
  let query = transaction
    .selectFrom('lifecycle_moves')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where((builder) => matches(builder, ['moved_by_name', 'reason'], filters.search));
  if (filters.toStage !== undefined) query = query.where('to_stage', '=', filters.toStage);
  const { rows, total } = await readPage(query, filters, { createdAt: 'created_at' }, 'id');
  const history = rows.map((row) => ({
    id: row.id,
    fromStage: row.from_stage as Stage,
    toStage: row.to_stage as Stage,
    requestId: row.request_id,
    movedBy: row.moved_by,
    movedByName: row.moved_by_name,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
  }));
  return { history, total };
}

export async function listComments(
  transaction: TenantTransaction,
  requestId: string,
  filters: Listing & { readonly authorId?: string | undefined },
) {
  let query = transaction
    .selectFrom('lifecycle_comments')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('request_id', '=', requestId)
    .where((builder) => matches(builder, ['text', 'author_name'], filters.search));
  if (filters.authorId !== undefined) query = query.where('author_id', '=', filters.authorId);
  const { rows, total } = await readPage(query, filters, { createdAt: 'created_at' }, 'id');
  return { comments: rows.map(presentComment), total };
}

export async function insertComment(
  transaction: TenantTransaction,
  requestId: string,
  author: Pick<Caller, 'id' | 'name'>,
  text: string,
) {
  const row = await transaction
    .insertInto('lifecycle_comments')
    .values({
      id: newId('cmt'),
      organization_id: transaction.tenantId,
      request_id: requestId,
      author_id: author.id,
      author_name: author.name,
      text,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentComment(row);
}

function presentComment(row: {
  readonly id: string;
  readonly request_id: string;
  readonly author_id: string;
  readonly author_name: string;
  readonly text: string;
  readonly created_at: Date;
}) {
  return {
    id: row.id,
    requestId: row.request_id,
    authorId: row.author_id,
    authorName: row.author_name,
    text: row.text,
    createdAt: row.created_at.toISOString(),
  };
}

/** Ids of everyone who commented on the request. */
export async function listCommenters(transaction: TenantTransaction, requestId: string): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('lifecycle_comments')
    .select('author_id')
    .distinct()
    .where('organization_id', '=', transaction.tenantId)
    .where('request_id', '=', requestId)
    .execute();
  return rows.map(({ author_id }) => author_id);
}

const mostPeople = 100;

/** The active users behind these ids: users themselves, and the owners of service accounts. */
export async function listPeopleBehind(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<readonly Person[]> {
  const { rows } = await sql<Person>`
    select id, email from users
    where organization_id = ${transaction.tenantId} and state = 'active' and (
      id = any(${[...ids]}::text[]) or exists (
        select from service_accounts account
        where account.organization_id = users.organization_id and account.id = any(${[...ids]}::text[])
          and users.id = any(account.owner_ids)))
    order by id limit ${mostPeople}`.execute(transaction);
  return rows;
}
