import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { deploymentSettled } from '../events.ts';

/** After this long without a heartbeat, a node is no longer healthy, and no deployment waits for it. */
export const lateSeconds = 15;

/** Of a row of `gateway_nodes`: whether deployments wait for it: it reports and is not drained. */
export const isAwaitedNode = sql<boolean>`(
  token_hash is not null and last_heartbeat_at > now() - ${lateSeconds} * interval '1 second'
  and drain <> 'drained' and coalesce(heartbeat ->> 'drain', 'none') <> 'drained')`;

/** The progress of the environment's nodes, for {@link settledState}. */
function progressOf(transaction: TenantTransaction, environmentId: string) {
  return sql`
    select count(*) filter (where ${isAwaitedNode}) as awaited,
           min(coalesce(held_sequence, 0)) filter (where ${isAwaitedNode}) as held
    from gateway_nodes where organization_id = ${transaction.tenantId} and environment_id = ${environmentId}`;
}

/**
 * The state of a deployment `d` that no node is known to serve whole yet, by the `progress` of its nodes: live where
 * every node that counts holds its snapshot or a later one; rolling out where some have to; unchanged where none is there
 * that could.
 */
function settledState(sequence: RawBuilder<unknown>) {
  return sql`case
    when d.state not in ('pending', 'rolling_out') then d.state
    when progress.awaited > 0 and progress.held >= ${sequence} then 'live'
    when progress.awaited > 0 then 'rolling_out'
    else d.state end`;
}

/** When it first went live, for its state. */
function settledAt(sequence: RawBuilder<unknown>) {
  return sql`case when d.live_at is null and ${settledState(sequence)} = 'live' then now() else d.live_at end`;
}

/** Sets the snapshot and the state of new deployments. */
export async function startRollout(
  transaction: TenantTransaction,
  environmentId: string,
  sequence: number,
): Promise<void> {
  const { rows } = await sql<Settled>`
    with progress as (${progressOf(transaction, environmentId)})
    update deployments d set snapshot_sequence = ${sequence}, rollout_since = now(),
      state = ${settledState(sql`${sequence}::int`)}, live_at = ${settledAt(sql`${sequence}::int`)}
    from progress
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.ended_at is null
      and d.snapshot_sequence is null
    returning ${settled}`.execute(transaction);
  emitSettled(transaction, rows);
}

interface Settled {
  readonly deploymentId: string;
  readonly isFirst: boolean;
}

/** Of an updated row: whether it has just gone live for the first time. */
const settled = sql`d.id as "deploymentId", d.state = 'live' and d.live_at = now() as "isFirst"`;

function emitSettled(transaction: TenantTransaction, rows: readonly Settled[]): void {
  for (const { deploymentId, isFirst } of rows) {
    if (isFirst) emit(transaction, deploymentSettled, { deploymentId, outcome: 'succeeded' });
  }
}

/**
 * Advances deployments of an environment that wait for its nodes. Call it in the transaction of every write by
 * which a node has something else, is added or removed. It locks the environment if something waits, so that of two
 * simultaneous nodes the second sees the first.
 *
 * @returns whether something waited
 */
export async function settleDeployments(transaction: TenantTransaction, environmentId: string): Promise<boolean> {
  const waiting = await transaction
    .selectFrom('deployments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('ended_at', 'is', null)
    .where('state', 'in', ['pending', 'rolling_out'])
    .limit(1)
    .executeTakeFirst();
  if (waiting === undefined) return false;
  await lockEnvironment(transaction, environmentId);
  const { rows } = await sql<Settled>`
    with progress as (${progressOf(transaction, environmentId)})
    update deployments d set state = ${settledState(sql`d.snapshot_sequence`)},
      live_at = ${settledAt(sql`d.snapshot_sequence`)}, version = d.version + 1, updated_at = now()
    from progress
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.ended_at is null
      and d.state in ('pending', 'rolling_out') and d.snapshot_sequence is not null
      and d.state <> ${settledState(sql`d.snapshot_sequence`)}
    returning ${settled}`.execute(transaction);
  emitSettled(transaction, rows);
  return true;
}

/**
 * Makes the deployments of an environment wait for a gateway node if its last one was removed. Call it in the
 * transaction of a node's removal.
 */
export async function awaitFirstNode(transaction: TenantTransaction, environmentId: string): Promise<void> {
  await lockEnvironment(transaction, environmentId);
  await sql`
    update deployments d set state = 'pending', version = d.version + 1, updated_at = now()
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.ended_at is null
      and d.state in ('rolling_out', 'live') and not exists (
        select from gateway_nodes n where n.organization_id = d.organization_id
          and n.environment_id = d.environment_id and n.registered_at is not null)`.execute(transaction);
}

async function lockEnvironment(transaction: TenantTransaction, environmentId: string): Promise<void> {
  await transaction
    .selectFrom('environments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', environmentId)
    .forNoKeyUpdate()
    .execute();
}
