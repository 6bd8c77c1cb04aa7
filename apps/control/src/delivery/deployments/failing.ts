import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { MonitorParts } from './monitor.ts';
import { failureOf, type NotLoaded } from './rules.ts';
import { isAwaitedNode } from './settling.ts';
import {
  endDeployments,
  findDeployment,
  findServing,
  type PresentedDeployment,
  reviveDeployment,
  takeBackCanary,
} from './store.ts';
import { carryOut, type Verdict } from './verdict.ts';

/**
 * Fails deployments of an environment that were never live and that a node they wait for has rejected because of them,
 * or has not loaded in time although it kept reporting; what was live before is restored.
 */
export async function failUnloaded(parts: MonitorParts, organizationId: string, environmentId: string): Promise<void> {
  const failing = await tenantTransaction(
    parts.database,
    organizationId,
    (transaction) => findFailing(transaction, environmentId, parts.rolloutTimeoutMs),
    { access: 'read only' },
  );
  for (const id of failing.keys()) {
    const place = { id, environmentId };
    await carryOut(parts, organizationId, place, (transaction) => fail(transaction, place, parts.rolloutTimeoutMs));
  }
}

/** Of a row of `deployments`: whether it is active and has never been live. */
const isWaiting = sql<boolean>`(ended_at is null and state in ('pending', 'rolling_out') and live_at is null)`;

/** Deployments that have failed, oldest first, each with the reason as sentences. */
async function findFailing(
  transaction: TenantTransaction,
  environmentId: string,
  timeoutMs: number,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<NotLoaded & { readonly id: string }>`
    with waiting as (
      select max(snapshot_sequence) as newest, (
        select max(sequence) from configuration_snapshots
        where organization_id = ${transaction.tenantId} and environment_id = ${environmentId}) as assigned
      from deployments
      where organization_id = ${transaction.tenantId} and environment_id = ${environmentId} and ${isWaiting}
    )
    select d.id, n.name as "nodeName", failure.sequence as "refusedSequence", failure.reason, failure.at_fault as "atFault"
    from deployments d
    cross join waiting
    join gateway_nodes n on n.organization_id = d.organization_id and n.environment_id = d.environment_id
    cross join lateral (
      select refused.sequence, refused.reason, refused.sequence is not null and n.heartbeat #> '{refused,fault}' is not null
        and case
          when n.heartbeat #>> '{refused,fault,deploymentId}' is not null
            then n.heartbeat #>> '{refused,fault,deploymentId}' = d.id
          -- Of the waiting ones, the newest is the suspect; if nodes also reject the rest, the one before it.
          else refused.sequence = waiting.assigned and d.snapshot_sequence = waiting.newest
        end as at_fault
      from (
        -- What was rejected before the deployment was created says nothing about it.
        select case when given.sequence >= d.snapshot_sequence then given.sequence end as sequence,
               case when given.sequence >= d.snapshot_sequence then given.reason end as reason
        from (select (n.heartbeat #>> '{refused,sequence}')::float8 as sequence,
                     n.heartbeat #>> '{refused,reason}' as reason) given
      ) refused
    ) failure
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and ${isWaiting}
      and ${isAwaitedNode} and coalesce(n.held_sequence, 0) < d.snapshot_sequence
      and (failure.at_fault or greatest(n.reporting_since, d.rollout_since) < now() - ${timeoutMs} * interval '1 millisecond')
    order by d.snapshot_sequence, d.id, n.name`.execute(transaction);
  const failing = Map.groupBy(rows, ({ id }) => id);
  return new Map([...failing].map(([id, notLoaded]) => [id, failureOf(notLoaded, timeoutMs)]));
}

/** Fails a deployment, unless nodes have loaded it or someone has replaced it meanwhile. */
async function fail(
  transaction: TenantTransaction,
  { id, environmentId }: { readonly id: string; readonly environmentId: string },
  timeoutMs: number,
): Promise<Verdict | null> {
  const reason = (await findFailing(transaction, environmentId, timeoutMs)).get(id);
  if (reason === undefined) return null;
  const before = found(await findDeployment(transaction, id));
  const then = await takeOut(transaction, before, reason);
  return {
    before,
    operation: 'failDeployment',
    note: `${reason} ${then}`,
    notice: {
      kind: 'deployment_failed',
      title: `${before.proxyName}: the deployment of revision ${before.revision} in ${before.environmentName} failed`,
      userIds: [before.createdBy],
    },
  };
}

/** Ends a deployment as failed and restores what was live before; returns that as a sentence. */
async function takeOut(transaction: TenantTransaction, failed: PresentedDeployment, reason: string): Promise<string> {
  const serving = await findServing(transaction, failed.environmentId, failed.proxyId);
  const beside = serving.find((one) => one.id !== failed.id && one.id === failed.previousId);
  if (beside !== undefined) {
    await takeBackCanary(transaction, failed, beside.id, 'failed', reason);
    return `Revision ${beside.revision} serves all calls again (${beside.id}).`;
  }
  await endDeployments(transaction, [failed.id], 'failed', reason);
  const canaries = serving.filter(({ previousId }) => previousId === failed.id).map((canary) => canary.id);
  await endDeployments(transaction, canaries, 'failed', `The deployment next to it failed. ${reason}`);
  const replaced = await findReplaced(transaction, failed.id);
  if (replaced === null) return 'The proxy was not live there before, and isn’t now.';
  const missing = await findMissing(transaction, replaced.id);
  if (missing !== null) {
    return `The proxy is no longer live there: revision ${replaced.revision} can’t be restored without ${missing}.`;
  }
  await reviveDeployment(transaction, replaced.id, failed);
  return `Revision ${replaced.revision} serves all calls again (${replaced.id}).`;
}

interface Replaced {
  readonly id: string;
  readonly revision: number;
}

/**
 * The deployment that preceded a deployment; if that one had failed or was rolled back before it was live, its own
 * predecessor.
 */
async function findReplaced(transaction: TenantTransaction, id: string): Promise<Replaced | null> {
  const { rows } = await sql<Replaced>`
    with recursive before as (
      select replaces_id, 1 as step from deployments
      where organization_id = ${transaction.tenantId} and id = ${id}
      union all
      select d.replaces_id, before.step + 1 from before
      join deployments d on d.organization_id = ${transaction.tenantId} and d.id = before.replaces_id
      where d.live_at is null and d.state <> 'superseded' and before.step < 1000)
    select d.id, d.revision from before
    join deployments d on d.organization_id = ${transaction.tenantId} and d.id = before.replaces_id
    where (d.live_at is not null or d.state = 'superseded') and d.ended_at is not null
    order by before.step desc limit 1`.execute(transaction);
  return rows[0] ?? null;
}

/** What an ended deployment needs to be live again and no longer exists; null if it has everything. */
async function findMissing(transaction: TenantTransaction, id: string): Promise<string | null> {
  const { rows } = await sql<{ missing: string }>`
    select problem.missing from deployments d
    cross join lateral (
      select 'the target server ' || needed as missing from unnest(d.target_servers) needed
      where not exists (select from target_servers t where t.organization_id = d.organization_id
        and t.environment_id = d.environment_id and t.name = needed)
      union all
      select 'the variable ' || needed from unnest(d.variables) needed
      where not exists (select from environment_variables v where v.organization_id = d.organization_id
        and v.environment_id = d.environment_id and v.name = needed)
      union all
      select 'its base path ' || d.base_path from deployments other
      where other.organization_id = d.organization_id and other.environment_id = d.environment_id
        and other.ended_at is null and other.base_path = d.base_path and other.proxy_id <> d.proxy_id
    ) problem
    where d.organization_id = ${transaction.tenantId} and d.id = ${id}
    order by problem.missing limit 1`.execute(transaction);
  return rows[0]?.missing ?? null;
}
