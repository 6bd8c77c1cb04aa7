import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { emit } from '../../frame/events.ts';
import { contains, type Listing, readPage } from '../../frame/listing.ts';
import { proxyContentChanged } from '../events.ts';
import type { ApiProxy } from './contract.ts';

type Row = Selectable<Schema['proxies']>;
type Presented = z.infer<typeof ApiProxy>;
type Written = Pick<
  Presented,
  'name' | 'displayName' | 'description' | 'basePath' | 'protocol' | 'authScheme' | 'tags'
>;

interface Filters extends Listing {
  readonly stage?: Presented['stage'] | undefined;
  readonly protocol?: string | undefined;
  readonly authScheme?: string | undefined;
  readonly tag?: string | undefined;
  readonly environmentId?: string | undefined;
}

const columns = {
  name: 'name',
  basePath: 'base_path',
  stage: 'stage',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export async function listProxies(transaction: TenantTransaction, filters: Filters) {
  const { search, stage, protocol, authScheme, tag, environmentId } = filters;
  let query = transaction
    .selectFrom('proxies')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('deleted_at', 'is', null);
  if (search !== undefined) query = query.where(contains(sql.ref('search_text'), search));
  if (stage !== undefined) query = query.where('stage', '=', stage);
  if (protocol !== undefined) query = query.where('protocol', '=', protocol);
  if (authScheme !== undefined) query = query.where('auth_scheme', '=', authScheme);
  if (tag !== undefined) query = query.where(sql<boolean>`tags @> array[${tag}]::text[]`);
  if (environmentId !== undefined) {
    query = query.where('id', 'in', (builder) =>
      builder
        .selectFrom('deployments')
        .select('proxy_id')
        .where('organization_id', '=', transaction.tenantId)
        .where('environment_id', '=', environmentId)
        .where('ended_at', 'is', null),
    );
  }
  const keysFirst = search !== undefined || stage !== undefined;
  const { rows, total } = await readPage(query, filters, columns, 'id', { keysFirst });
  return { proxies: rows.map(presentProxy), total };
}

export async function findProxy(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('proxies')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : presentProxy(row);
}

/** Adds a proxy without content. A name or base path that is already used is a field error. */
export async function insertProxy(transaction: TenantTransaction, callerId: string, values: Written): Promise<string> {
  const id = newId('prx');
  await conflictsAt(
    transaction
      .insertInto('proxies')
      .values({
        id,
        organization_id: transaction.tenantId,
        ...written(values),
        content_hash: '',
        created_by: callerId,
      })
      .execute(),
    taken,
  );
  emit(transaction, proxyContentChanged, { proxyId: id });
  return id;
}

/**
 * Writes the fields; the version follows from what is emitted.
 *
 * @param meanings the error for a name or base path that is already used; by default a field error
 */
export async function updateProxy(
  transaction: TenantTransaction,
  id: string,
  values: Written,
  meanings: Parameters<typeof conflictsAt>[1] = taken,
): Promise<void> {
  await conflictsAt(
    transaction
      .updateTable('proxies')
      .set(written(values))
      .where('organization_id', '=', transaction.tenantId)
      .where('id', '=', id)
      .execute(),
    meanings,
  );
  emit(transaction, proxyContentChanged, { proxyId: id });
}

/** Which of a name and a base path another proxy has, each as a field error. */
export async function listTaken(transaction: TenantTransaction, name: string | null, basePath: string) {
  const others = await transaction
    .selectFrom('proxies')
    .select(['name', 'base_path'])
    .where('organization_id', '=', transaction.tenantId)
    .where('deleted_at', 'is', null)
    .where((builder) => builder.or([builder('name', '=', name ?? ''), builder('base_path', '=', basePath)]))
    .execute();
  return [
    ...(others.some((other) => other.name === name) ? [taken.proxies_name] : []),
    ...(others.some((other) => other.base_path === basePath) ? [taken.proxies_base_path] : []),
  ].map(([field, message]) => ({ field, message }));
}

const taken = {
  proxies_name: ['name', 'Another API proxy has this name.'],
  proxies_base_path: ['basePath', 'Another API proxy has this base path.'],
} as const;

/**
 * Removes the proxy with its working copy. One that was deployed keeps its row and revisions, which its deployments
 * refer to, and releases its name and base path.
 */
export async function removeProxy(transaction: TenantTransaction, id: string): Promise<void> {
  const organizationId = transaction.tenantId;
  const deployed = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (deployed === undefined) {
    await transaction
      .deleteFrom('proxies')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return;
  }
  for (const table of [
    'routes',
    'policy_attachments',
    'specifications',
    'proxy_authors',
    'governance_evaluations',
    'governance_findings',
    'governance_waivers',
  ] as const) {
    await transaction
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('proxy_id', '=', id)
      .execute();
  }
  await transaction
    .updateTable('lifecycle_requests')
    .set({ state: 'void', reason: 'The API proxy was deleted.', decided_at: sql`now()`, version: sql`version + 1` })
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', id)
    .where('state', '=', 'pending')
    .execute();
  await transaction
    .updateTable('proxies')
    .set({ deleted_at: sql`now()`, version: sql`version + 1`, updated_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Where the proxy is live. */
export async function listServing(transaction: TenantTransaction, proxyId: string) {
  const rows = await transaction
    .selectFrom('deployments')
    .innerJoin('environments', (join) =>
      join
        .onRef('environments.organization_id', '=', 'deployments.organization_id')
        .onRef('environments.id', '=', 'deployments.environment_id'),
    )
    .select([
      'deployments.id',
      'environment_id',
      'environments.name as environment_name',
      'production',
      'revision',
      'strategy',
      'weight',
      'state',
      'deployments.created_at',
    ])
    .where('deployments.organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .orderBy('environments.name')
    .orderBy('weight', 'desc')
    .orderBy('deployments.created_at')
    .execute();
  return rows.map((row) => ({
    deploymentId: row.id,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    production: row.production,
    revision: row.revision,
    strategy: row.strategy,
    weight: row.weight,
    state: row.state,
    since: row.created_at.toISOString(),
  }));
}

/** Keys of the working copy's authors, for comparison with an approver. */
export async function listAuthors(transaction: TenantTransaction, proxyId: string): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('proxy_authors')
    .select('user_id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export function presentProxy(row: Row): Presented {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    basePath: row.base_path,
    // Written through the contract, which only allows these values.
    protocol: row.protocol as Presented['protocol'],
    authScheme: row.auth_scheme as Presented['authScheme'],
    tags: row.tags,
    stage: row.stage,
    contentHash: row.content_hash,
    approvedRevision: row.approved_revision,
    latestRevision: row.latest_revision,
    createdBy: row.created_by,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function written(values: Written) {
  return {
    name: values.name,
    display_name: values.displayName,
    description: values.description,
    base_path: values.basePath,
    protocol: values.protocol,
    auth_scheme: values.authScheme,
    tags: values.tags,
  };
}
