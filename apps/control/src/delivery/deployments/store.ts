import { newId } from '@millrace/identifiers';
import type { RevisionContent } from '@millrace/revision/content';
import type { ContentDiff } from '@millrace/revision/diff';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { presentDiff } from '../../design/revisions/store.ts';
import type { Caller } from '../../frame/caller.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { deploymentChanged, deploymentSettled } from '../events.ts';
import type { Deployment, DeploymentWithDiff } from './contract.ts';
import { type Serving, usesOf } from './rules.ts';
import { isAwaitedNode } from './settling.ts';

export type PresentedDeployment = z.infer<typeof Deployment>;
type PresentedWithDiff = z.infer<typeof DeploymentWithDiff>;

interface Filters extends Listing {
  readonly environmentId?: string | undefined;
  readonly proxyId?: string | undefined;
  readonly revision?: number | undefined;
  readonly state?: PresentedDeployment['state'] | undefined;
  readonly strategy?: PresentedDeployment['strategy'] | undefined;
  readonly serving?: boolean | undefined;
}

const columns = { createdAt: 'd.created_at', updatedAt: 'd.updated_at', revision: 'd.revision' };

/** A deployment with the names of its environment and proxy. */
function selectDeployments(transaction: TenantTransaction) {
  return transaction
    .selectFrom('deployments as d')
    .innerJoin('environments as e', (join) =>
      join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.environment_id'),
    )
    .innerJoin('proxies as p', (join) =>
      join.onRef('p.organization_id', '=', 'd.organization_id').onRef('p.id', '=', 'd.proxy_id'),
    )
    .select([
      'd.id',
      'd.environment_id',
      'd.proxy_id',
      'd.revision',
      'd.strategy',
      'd.weight',
      'd.split',
      'd.state',
      'd.content_hash',
      'd.previous_id',
      'd.rolled_back_from',
      'd.note',
      'd.failure',
      'd.budget',
      'd.snapshot_sequence',
      'd.created_by',
      'd.created_by_name',
      'd.version',
      'd.created_at',
      'd.updated_at',
      'd.ended_at',
      'e.name as environment_name',
      'p.name as proxy_name',
    ])
    .where('d.organization_id', '=', transaction.tenantId);
}

export async function listDeployments(transaction: TenantTransaction, filters: Filters) {
  let query = selectDeployments(transaction).where((builder) =>
    matches(builder, ['p.name', 'e.name', 'd.note', 'd.created_by_name'], filters.search),
  );
  if (filters.environmentId !== undefined) query = query.where('d.environment_id', '=', filters.environmentId);
  if (filters.proxyId !== undefined) query = query.where('d.proxy_id', '=', filters.proxyId);
  if (filters.revision !== undefined) query = query.where('d.revision', '=', filters.revision);
  if (filters.state !== undefined) query = query.where('d.state', '=', filters.state);
  if (filters.strategy !== undefined) query = query.where('d.strategy', '=', filters.strategy);
  if (filters.serving !== undefined) query = query.where('d.ended_at', filters.serving ? 'is' : 'is not', null);
  const { rows, total } = await readPage(query, filters, columns, 'd.id');
  return { deployments: rows.map(present), total };
}

export async function findDeployment(transaction: TenantTransaction, id: string): Promise<PresentedDeployment | null> {
  const row = await selectDeployments(transaction).where('d.id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function findDeploymentWithDiff(
  transaction: TenantTransaction,
  id: string,
): Promise<PresentedWithDiff | null> {
  const row = await selectDeployments(transaction).select('d.diff').where('d.id', '=', id).executeTakeFirst();
  return row === undefined ? null : { ...present(row), diff: presentDiff(row.diff) };
}

/** The environment of a deployment; undefined if the deployment doesn't exist. */
export async function environmentOf(transaction: TenantTransaction, id: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('deployments')
    .select('environment_id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.environment_id;
}

/** Live deployments of the proxy in the environment, by weight, then oldest first. */
export async function findServing(
  transaction: TenantTransaction,
  environmentId: string,
  proxyId: string,
): Promise<readonly Serving[]> {
  return transaction
    .selectFrom('deployments')
    .select(['id', 'revision', 'weight', 'split', 'previous_id as previousId'])
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .orderBy('weight', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The proxy's last live deployment in an environment where it is not live now, except rolled-back ones. */
export async function findLastServed(
  transaction: TenantTransaction,
  environmentId: string,
  proxyId: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('proxy_id', '=', proxyId)
    .where('state', 'in', ['superseded', 'undeployed'])
    .orderBy('ended_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export interface NewDeployment {
  readonly environmentId: string;
  readonly proxyId: string;
  readonly revision: number;
  readonly contentHash: string;
  readonly content: RevisionContent;
  readonly strategy: 'direct' | 'canary';
  readonly weight: number;
  readonly split: PresentedDeployment['split'];
  readonly previousId: string | null;
  /** The previous live deployments. */
  readonly replacesId: string | null;
  readonly rolledBackFrom: { readonly deploymentId: string; readonly revision: number } | null;
  readonly diff: ContentDiff;
  readonly note: string;
  readonly budget: PresentedDeployment['budget'];
}

/** Records a deployment that is live from the next snapshot on, and marks its revision as deployed. */
export async function insertDeployment(
  transaction: TenantTransaction,
  caller: Caller,
  values: NewDeployment,
): Promise<string> {
  const id = newId('dep');
  await transaction
    .insertInto('deployments')
    .values({
      id,
      organization_id: transaction.tenantId,
      environment_id: values.environmentId,
      proxy_id: values.proxyId,
      revision: values.revision,
      strategy: values.strategy,
      weight: values.weight,
      split: values.split,
      state: 'pending',
      content_hash: values.contentHash,
      ...usesOf(values.content),
      previous_id: values.previousId,
      replaces_id: values.replacesId,
      rolled_back_from: values.rolledBackFrom === null ? null : JSON.stringify(values.rolledBackFrom),
      diff: JSON.stringify(values.diff),
      note: values.note,
      budget: values.budget === null ? null : JSON.stringify(values.budget),
      created_by: caller.id,
      created_by_name: caller.name,
    })
    .execute();
  await transaction
    .updateTable('revisions')
    .set({ first_deployed_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', values.proxyId)
    .where('revision', '=', values.revision)
    .where('first_deployed_at', 'is', null)
    .execute();
  emit(transaction, deploymentChanged, { environmentId: values.environmentId });
  return id;
}

/** Ends deployments: they get no more calls. */
export async function endDeployments(
  transaction: TenantTransaction,
  ids: readonly string[],
  state: 'superseded' | 'rolled_back' | 'undeployed' | 'failed',
  failure: string | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  const ended = await transaction
    .updateTable('deployments')
    .set((builder) => ({
      state,
      failure,
      weight: 0,
      ended_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
      version: builder('version', '+', 1),
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', 'in', [...ids])
    .returning(['id', 'environment_id as environmentId'])
    .execute();
  for (const { id, environmentId } of ended) {
    emit(transaction, deploymentChanged, { environmentId });
    if (state === 'failed' || state === 'rolled_back') {
      emit(transaction, deploymentSettled, { deploymentId: id, outcome: state });
    }
  }
}

/** Sets a deployment's share, what it is a share of, and after a rollback, which deployment was rolled back. */
export async function setWeight(
  transaction: TenantTransaction,
  id: string,
  weight: number,
  { split, rolledBackFrom }: Partial<Pick<NewDeployment, 'split' | 'rolledBackFrom'>> = {},
): Promise<void> {
  const changed = await transaction
    .updateTable('deployments')
    .set((builder) => ({
      weight,
      ...(split === undefined ? {} : { split }),
      split_since: sql<Date>`now()`,
      ...(rolledBackFrom === undefined ? {} : { rolled_back_from: JSON.stringify(rolledBackFrom) }),
      updated_at: sql<Date>`now()`,
      version: builder('version', '+', 1),
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning('environment_id as environmentId')
    .executeTakeFirstOrThrow();
  emit(transaction, deploymentChanged, changed);
}

/**
 * Ends a canary, and gives all calls to the deployment next to it.
 *
 * @param failure why it was rolled back automatically
 */
export async function takeBackCanary(
  transaction: TenantTransaction,
  canary: { readonly id: string; readonly revision: number },
  besideId: string,
  state: 'rolled_back' | 'failed',
  failure: string | null = null,
): Promise<void> {
  await endDeployments(transaction, [canary.id], state, failure);
  await setWeight(transaction, besideId, 100, {
    rolledBackFrom: { deploymentId: canary.id, revision: canary.revision },
  });
}

/**
 * Gives all calls back to a deployment that has ended: it stays live if every node that counts has a configuration
 * containing it, and rolls out again otherwise.
 *
 * @param from the deployment that failed
 */
export async function reviveDeployment(
  transaction: TenantTransaction,
  id: string,
  from: { readonly id: string; readonly revision: number },
): Promise<void> {
  const { rows } = await sql<{ environmentId: string }>`
    with held as (
      select not exists (
        select from gateway_nodes n
        left join configuration_snapshots s on s.organization_id = n.organization_id
          and s.environment_id = n.environment_id and s.sequence = n.held_sequence
        where n.organization_id = d.organization_id and n.environment_id = d.environment_id and ${isAwaitedNode}
          and coalesce(strpos(s.content, '"' || d.id || '"'), 0) = 0) as everywhere
      from deployments d where d.organization_id = ${transaction.tenantId} and d.id = ${id})
    update deployments d set
      weight = 100, split_since = now(), ended_at = null, failure = null, version = d.version + 1, updated_at = now(),
      rolled_back_from = ${JSON.stringify({ deploymentId: from.id, revision: from.revision })},
      state = case when d.live_at is not null and held.everywhere then 'live' else 'pending' end,
      snapshot_sequence = case when d.live_at is not null and held.everywhere then d.snapshot_sequence end
    from held where d.organization_id = ${transaction.tenantId} and d.id = ${id}
    returning d.environment_id as "environmentId"`.execute(transaction);
  for (const changed of rows) emit(transaction, deploymentChanged, changed);
}

/** Since when each node serves a deployment, by node id. */
export async function servingSince(
  transaction: TenantTransaction,
  deploymentId: string,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await transaction
    .selectFrom('deployment_nodes')
    .select(['node_id', 'serving_since'])
    .where('organization_id', '=', transaction.tenantId)
    .where('deployment_id', '=', deploymentId)
    .execute();
  return new Map(rows.map((row) => [row.node_id, row.serving_since]));
}

/** A revision as deployments need it. */
export interface DeployableRevision {
  readonly contentHash: string;
  readonly approved: boolean;
  readonly content: RevisionContent;
}

export async function findRevision(
  transaction: TenantTransaction,
  proxyId: string,
  revision: number,
): Promise<DeployableRevision | null> {
  const row = await transaction
    .selectFrom('revisions')
    .select(['content', 'content_hash', 'approved_by'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { contentHash: row.content_hash, approved: row.approved_by !== null, content: row.content };
}

/**
 * The proxy of a deployment.
 *
 * @param lock blocks deleting, editing or moving it to another stage until the commit
 */
export async function findProxy(transaction: TenantTransaction, proxyId: string, { lock }: { readonly lock: boolean }) {
  const query = transaction
    .selectFrom('proxies')
    .select(['name', 'stage', 'content_hash', 'approved_hash'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .where('deleted_at', 'is', null);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined
    ? null
    : { name: row.name, stage: row.stage, contentHash: row.content_hash, approvedHash: row.approved_hash };
}

/** What deployments in an environment depend on: target servers, variables, a gateway node, who serves the base path. */
export async function loadSurroundings(
  transaction: TenantTransaction,
  environmentId: string,
  proxyId: string,
  basePath: string,
) {
  const organizationId = transaction.tenantId;
  const targets = await transaction
    .selectFrom('target_servers')
    .select(['name', 'enabled'])
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .execute();
  const variables = await transaction
    .selectFrom('environment_variables')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .execute();
  const { rows: nodes } = await sql`
    select from gateway_nodes where organization_id = ${organizationId} and environment_id = ${environmentId}
      and registered_at is not null limit 1`.execute(transaction);
  const { rows: holders } = await sql<{ name: string }>`
    select p.name from deployments d
    join proxies p on p.organization_id = d.organization_id and p.id = d.proxy_id
    where d.organization_id = ${organizationId} and d.environment_id = ${environmentId} and d.ended_at is null
      and d.base_path = ${basePath} and d.proxy_id <> ${proxyId} limit 1`.execute(transaction);
  return {
    targets: new Map(targets.map(({ name, enabled }) => [name, enabled])),
    variables: new Set(variables.map(({ name }) => name)),
    hasGatewayNode: nodes.length > 0,
    basePathHolder: holders[0]?.name ?? null,
  };
}

type NotPresented =
  | 'organization_id'
  | 'diff'
  | 'replaces_id'
  | 'split_since'
  | 'rollout_since'
  | 'live_at'
  | 'base_path'
  | 'target_servers'
  | 'variables';
type Row = Omit<Selectable<Schema['deployments']>, NotPresented> & {
  readonly environment_name: string;
  readonly proxy_name: string;
};

function present(row: Row): PresentedDeployment {
  return {
    id: row.id,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    proxyId: row.proxy_id,
    proxyName: row.proxy_name,
    revision: row.revision,
    strategy: row.strategy,
    weight: row.weight,
    split: row.split,
    state: row.state,
    contentHash: row.content_hash,
    previousId: row.previous_id,
    rolledBackFrom: row.rolled_back_from,
    note: row.note,
    failure: row.failure,
    budget: row.budget,
    snapshotSequence: row.snapshot_sequence,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    endedAt: row.ended_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
