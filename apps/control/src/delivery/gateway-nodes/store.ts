import { newId } from '@millrace/identifiers';
import { type Kysely, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, pageOf } from '../../frame/listing.ts';
import { isAwaitedNode } from '../deployments/settling.ts';
import { gatewayNodeAdded, gatewayNodeInstructed } from '../events.ts';
import type { GatewayNode } from './contract.ts';
import { type Drain, effectiveDrain, healthOf, isAwaited, offlineSeconds, type Signs } from './rules.ts';

type PresentedNode = z.infer<typeof GatewayNode>;

interface Filters extends Listing {
  readonly environmentId?: string | undefined;
  readonly health?: PresentedNode['health'] | undefined;
}

type Heartbeat = NonNullable<Schema['gateway_nodes']['heartbeat']['__select__']>;

interface Row {
  readonly id: string;
  readonly environment_id: string;
  readonly environment_name: string;
  readonly name: string;
  readonly description: string;
  readonly drain: Drain;
  readonly registered_at: Date | null;
  readonly token_active: boolean;
  readonly registration_expires_at: Date | null;
  readonly last_heartbeat_at: Date | null;
  /** Without its targets, which can be thousands. */
  readonly heartbeat: Omit<Heartbeat, 'targets'> | null;
  readonly held_sequence: number | null;
  readonly refused_since: Date | null;
  readonly heartbeat_age_seconds: number | null;
  readonly assigned_sequence: number | null;
  readonly newer_for_seconds: number | null;
  readonly consumers_newer_for_seconds: number | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Of a row of `gateway_nodes`: whether its health is `offline`, as in `healthOf`. */
export const isOfflineNode = sql<boolean>`(
  registered_at is null or last_heartbeat_at is null
  or last_heartbeat_at < now() - ${offlineSeconds} * interval '1 second')`;

/** Nodes with the data that their health is derived from, at the database's own time. */
async function selectNodes(
  transaction: Kysely<Schema>,
  organizationId: string,
  { id = null, environmentId = null }: { readonly id?: string | null; readonly environmentId?: string | null },
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select n.id, n.environment_id, e.name as environment_name, n.name, n.description, n.drain, n.registered_at,
           n.token_hash is not null as token_active, n.registration_expires_at, n.last_heartbeat_at, n.heartbeat - 'targets' as heartbeat, n.held_sequence,
           n.refused_since, n.version, n.created_at, n.updated_at,
           extract(epoch from now() - n.last_heartbeat_at)::float8 as heartbeat_age_seconds,
           (select max(sequence) from configuration_snapshots s
            where s.organization_id = n.organization_id and s.environment_id = n.environment_id) as assigned_sequence,
           (select extract(epoch from now() - min(s.created_at))::float8 from configuration_snapshots s
            where s.organization_id = n.organization_id and s.environment_id = n.environment_id
              and s.sequence > coalesce(n.held_sequence, 0)) as newer_for_seconds,
           (select extract(epoch from now() - min(c.changed_at))::float8 from consumer_changes c
            where c.organization_id = n.organization_id and c.sequence > (n.heartbeat ->> 'consumersSequence')::bigint)
             as consumers_newer_for_seconds
    from gateway_nodes n
    join environments e on e.organization_id = n.organization_id and e.id = n.environment_id
    where n.organization_id = ${organizationId} and (${id}::text is null or n.id = ${id})
      and (${environmentId}::text is null or n.environment_id = ${environmentId})`.execute(transaction);
  return rows;
}

/**
 * Health is evaluated here, row by row, so that a filter and a response never differ; an organization has few nodes.
 */
export async function listGatewayNodes(transaction: TenantTransaction, filters: Filters) {
  const rows = await selectNodes(transaction, transaction.tenantId, { environmentId: filters.environmentId ?? null });
  const nodes = rows.map(present).filter(({ health }) => filters.health === undefined || health === filters.health);
  const page = pageOf(nodes, filters, ['name', 'description', 'environmentName']);
  return { gatewayNodes: [...page.rows], total: page.total };
}

/** @param lock blocks other writers of the node until the commit */
export async function findGatewayNode(
  transaction: Kysely<Schema>,
  organizationId: string,
  id: string,
  { lock = false } = {},
): Promise<PresentedNode | null> {
  if (lock) {
    await sql`select from gateway_nodes where organization_id = ${organizationId} and id = ${id} for update`.execute(
      transaction,
    );
  }
  const [row] = await selectNodes(transaction, organizationId, { id });
  return row === undefined ? null : present(row);
}

/** Nodes of an environment, by their names, and whether deployments wait for them. */
export async function nodesOfEnvironment(
  transaction: TenantTransaction,
  environmentId: string,
): Promise<readonly (PresentedNode & { readonly awaited: boolean })[]> {
  const rows = await selectNodes(transaction, transaction.tenantId, { environmentId });
  return rows
    .map((row) => ({ ...present(row), awaited: isAwaited(signsOf(row)) }))
    .toSorted((first, second) => (first.name < second.name ? -1 : 1));
}

export async function countGatewayNodes(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('gateway_nodes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** How long a registration token is valid. */
const registrationHours = 24;

/** A new node that registers with the token of this hash. */
export async function insertGatewayNode(
  transaction: TenantTransaction,
  values: { readonly environmentId: string; readonly name: string; readonly description: string },
  registrationHash: Buffer,
): Promise<string> {
  const id = newId('gwn');
  await transaction
    .insertInto('gateway_nodes')
    .values({
      id,
      organization_id: transaction.tenantId,
      environment_id: values.environmentId,
      name: values.name,
      description: values.description,
      registration_hash: registrationHash,
      registration_expires_at: sql<Date>`now() + ${registrationHours} * interval '1 hour'`,
    })
    .execute();
  emit(transaction, gatewayNodeAdded, { environmentId: values.environmentId });
  return id;
}

/** Writes the given fields; a new registration token replaces an unused one. */
export async function updateGatewayNode(
  transaction: TenantTransaction,
  id: string,
  fields: {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly drain?: Drain;
    readonly registrationHash?: Buffer;
  },
): Promise<void> {
  const { name, description, drain, registrationHash } = fields;
  await transaction
    .updateTable('gateway_nodes')
    .set((builder) => ({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(drain === undefined ? {} : { drain }),
      ...(registrationHash === undefined
        ? {}
        : {
            registration_hash: registrationHash,
            registration_expires_at: sql<Date>`now() + ${registrationHours} * interval '1 hour'`,
          }),
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  if (drain !== undefined) emit(transaction, gatewayNodeInstructed, { nodeId: id });
}

export async function deleteGatewayNode(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('gateway_nodes')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, gatewayNodeInstructed, { nodeId: id });
}

/** What reporting nodes of an environment reject: the first of several, and how many nodes reject something. */
export async function findRefusal(transaction: TenantTransaction, environmentId: string) {
  const { rows } = await sql<{
    sequence: number;
    reason: string;
    since: Date;
    deploymentId: string | null;
    nodes: number;
  }>`
    select (heartbeat #>> '{refused,sequence}')::float8 as sequence, heartbeat #>> '{refused,reason}' as reason,
           refused_since as since, heartbeat #>> '{refused,fault,deploymentId}' as "deploymentId",
           count(*) over ()::int as nodes
    from gateway_nodes
    where organization_id = ${transaction.tenantId} and environment_id = ${environmentId} and refused_since is not null
      and ${isAwaitedNode}
    order by refused_since, id limit 1`.execute(transaction);
  const [first] = rows;
  return first === undefined ? null : { ...first, since: first.since.toISOString() };
}

/** Locks the node of a registration token; null if the token is used, too old or unknown. */
export async function findRegistering(
  platform: Kysely<Schema>,
  registrationHash: Buffer,
): Promise<{ readonly id: string; readonly organizationId: string } | null> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    select n.id, n.organization_id from gateway_nodes n join organizations o on o.id = n.organization_id
    where n.registration_hash = ${registrationHash} and n.registration_expires_at > now() and o.state = 'active'
    for update of n`.execute(platform);
  const [row] = rows;
  return row === undefined ? null : { id: row.id, organizationId: row.organization_id };
}

/** Makes this the node's only valid token. */
export async function registerNode(
  platform: Kysely<Schema>,
  node: { readonly id: string; readonly organizationId: string },
  { tokenHash, publicKey }: { readonly tokenHash: Buffer; readonly publicKey: string },
): Promise<void> {
  await platform
    .updateTable('gateway_nodes')
    .set((builder) => ({
      registration_hash: null,
      registration_expires_at: null,
      token_hash: tokenHash,
      public_key: publicKey,
      registered_at: sql<Date>`now()`,
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', node.organizationId)
    .where('id', '=', node.id)
    .execute();
}

/** Invalidates the node's token and its registration token, and removes its public key. */
export async function revokeTokens(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .updateTable('gateway_nodes')
    .set((builder) => ({
      registration_hash: null,
      registration_expires_at: null,
      token_hash: null,
      public_key: null,
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  // Its waiting call is woken, and finds the token revoked.
  emit(transaction, gatewayNodeInstructed, { nodeId: id });
}

/** A node's last report, and those of the last hour. */
export async function readMetrics(transaction: TenantTransaction, id: string) {
  const key = { organizationId: transaction.tenantId, id };
  const latest = await transaction
    .selectFrom('gateway_nodes')
    .select(['last_heartbeat_at', 'heartbeat'])
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  const history = await transaction
    .selectFrom('gateway_node_metrics')
    .select(['at', 'metrics'])
    .where('organization_id', '=', key.organizationId)
    .where('node_id', '=', key.id)
    .where('at', '>', sql<Date>`now() - interval '1 hour'`)
    .orderBy('at')
    .execute();
  return {
    latest:
      latest.heartbeat === null || latest.last_heartbeat_at === null
        ? null
        : { at: latest.last_heartbeat_at.toISOString(), ...latest.heartbeat.metrics },
    history: history.map(({ at, metrics }) => ({ at: at.toISOString(), ...metrics })),
    targets: [...(latest.heartbeat?.targets ?? [])],
  };
}

function signsOf(row: Row): Signs {
  const { heartbeat } = row;
  return {
    registered: row.registered_at !== null,
    tokenActive: row.token_active,
    heartbeatAgeSeconds: row.heartbeat_age_seconds,
    drain: effectiveDrain(row.drain, heartbeat?.drain ?? 'none'),
    heldSequence: row.held_sequence,
    serves: heartbeat !== null && heartbeat.configuration !== null,
    assignedSequence: row.assigned_sequence,
    newerForSeconds: row.newer_for_seconds,
    consumersNewerForSeconds: row.consumers_newer_for_seconds,
    refused: heartbeat?.refused ?? null,
    ready: heartbeat?.ready ?? false,
  };
}

function present(row: Row): PresentedNode {
  const { heartbeat } = row;
  const refused = heartbeat?.refused ?? null;
  return {
    id: row.id,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    name: row.name,
    description: row.description,
    ...healthOf(signsOf(row)),
    drain: row.drain,
    registeredAt: row.registered_at?.toISOString() ?? null,
    tokenActive: row.token_active,
    registrationExpiresAt: row.registration_expires_at?.toISOString() ?? null,
    lastHeartbeatAt: row.last_heartbeat_at?.toISOString() ?? null,
    startedAt: heartbeat?.startedAt ?? null,
    software: heartbeat?.software ?? null,
    address: heartbeat?.address ?? null,
    ready: heartbeat?.ready ?? false,
    configuration: {
      assigned: row.assigned_sequence,
      held: row.held_sequence,
      hash: heartbeat?.configuration?.hash ?? null,
      refused:
        refused === null || row.refused_since === null
          ? null
          : { sequence: refused.sequence, reason: refused.reason, since: row.refused_since.toISOString() },
    },
    requestsPerSecond: heartbeat?.metrics.requestsPerSecond ?? null,
    errorsPerSecond: heartbeat?.metrics.errorsPerSecond ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
