import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { NodeCaller } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';
import type { NodeContext } from '../../frame/handler.ts';
import { listDeployers } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import type { DeploymentMonitor } from '../deployments/monitor.ts';
import { isAwaitedNode, lateSeconds, settleDeployments } from '../deployments/settling.ts';
import { keepRecentRequests } from './recent-requests.ts';

/** A ring of an hour, one row for each ten seconds. */
const slotSeconds = 10;
const slots = 360;

/**
 * Processes a node's heartbeat: what it has and rejects, its health, apps' last requests, and which deployments it serves; advances
 * deployments that waited for it. Whether those still waiting have failed is evaluated afterwards; people are notified
 * about a live deployment that can no longer be loaded.
 *
 * @returns what is requested of the node, and how many nodes of its environment may serve
 */
export async function takeHeartbeat(
  { monitor }: { readonly monitor: DeploymentMonitor },
  { transaction, caller: node, now, afterCommit }: NodeContext<TenantTransaction>,
  { recentRequests, ...reported }: Heartbeat,
): Promise<{ readonly drain: 'none' | 'draining'; readonly nodes: number }> {
  const organizationId = transaction.tenantId;
  const heartbeat: Heartbeat = { ...reported, recentRequests: [] };
  const { configuration, refused } = heartbeat;
  const completeUntil = heartbeat.usageCompleteUntil === 'stopped' ? 'infinity' : heartbeat.usageCompleteUntil;
  const { rows } = await sql<{
    drain: 'none' | 'draining' | 'drained';
    held: number | null;
    held_before: number | null;
    blamed_before: string | null;
  }>`
    update gateway_nodes n set
      last_heartbeat_at = now(),
      reporting_since = case
        when n.last_heartbeat_at > now() - ${lateSeconds} * interval '1 second' then coalesce(n.reporting_since, now())
        else now() end,
      heartbeat = ${JSON.stringify(heartbeat)},
      held_sequence = present.held::int,
      -- Of a clock that is ahead no more is complete than until now.
      usage_complete_until = case
        when ${completeUntil}::timestamptz = 'infinity' then 'infinity'
        when ${completeUntil}::timestamptz is not null then least(${completeUntil}::timestamptz, now()) end,
      refused_since = case
        when ${refused?.sequence ?? null}::bigint is null then null
        else coalesce(n.refused_since, now()) end,
      drain = case when n.drain = 'draining' and ${heartbeat.drain} = 'drained' then 'drained' else n.drain end,
      version = case when n.drain = 'draining' and ${heartbeat.drain} = 'drained' then n.version + 1 else n.version end
    from (
      select before.held_sequence as held_before, before.heartbeat #>> '{refused,fault,deploymentId}' as blamed_before, (
        -- What has another hash than was given out under its number is none of ours; of an old one nothing is known.
        select ${configuration?.sequence ?? null}::bigint where not exists (
          select from configuration_snapshots s
          where s.organization_id = before.organization_id and s.environment_id = before.environment_id
            and s.sequence = ${configuration?.sequence ?? null}::bigint and s.hash <> ${configuration?.hash ?? null}::text
        ) and ${configuration?.sequence ?? null}::bigint <= coalesce((
          select max(s.sequence) from configuration_snapshots s
          where s.organization_id = before.organization_id and s.environment_id = before.environment_id), 0)
      ) as held
      from gateway_nodes before
      where before.organization_id = ${organizationId} and before.id = ${node.id} for update
    ) present
    where n.organization_id = ${organizationId} and n.id = ${node.id}
    returning n.drain, n.held_sequence as held, present.held_before, present.blamed_before`.execute(transaction);
  const [row] = rows;
  // Removed since it was authenticated.
  if (row === undefined) throw new ApiError('not_signed_in');

  await sql`
    insert into gateway_node_metrics (organization_id, node_id, slot, at, metrics)
    values (${organizationId}, ${node.id},
      mod(floor(extract(epoch from now()) / ${slotSeconds}::int)::bigint, ${slots}::int)::smallint,
      now(), ${JSON.stringify(heartbeat.metrics)})
    on conflict (organization_id, node_id, slot) do update set at = excluded.at, metrics = excluded.metrics`.execute(
    transaction,
  );
  await keepRecentRequests(transaction, recentRequests);
  if (row.held !== null && row.held !== row.held_before) {
    await noteServing(transaction, node, { held: row.held, heldBefore: row.held_before ?? 0 });
  }
  const blamed = refused?.fault?.deploymentId ?? null;
  if (blamed !== null && blamed !== row.blamed_before) await notifyUnloadable(transaction, node, blamed, now);
  if (await settleDeployments(transaction, node.environmentId)) {
    afterCommit(() => monitor.check(organizationId, node.environmentId));
  }
  return {
    drain: row.drain === 'none' ? 'none' : 'draining',
    nodes: await countServing(transaction, node.environmentId),
  };
}

/**
 * Notifies those who may deploy there about a deployment that has been live and that a node can't load, unless another
 * node has reported it; a waiting deployment is reported by its failure.
 */
async function notifyUnloadable(
  transaction: TenantTransaction,
  { id, environmentId }: NodeCaller,
  deploymentId: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ environment: string; production: boolean; proxy: string; revision: number }>`
    select e.name as environment, e.production, p.name as proxy, d.revision from deployments d
    join environments e on e.organization_id = d.organization_id and e.id = d.environment_id
    join proxies p on p.organization_id = d.organization_id and p.id = d.proxy_id
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${environmentId} and d.id = ${deploymentId}
      and d.ended_at is null and d.live_at is not null and not exists (
        select from gateway_nodes
        where organization_id = d.organization_id and environment_id = d.environment_id and id <> ${id}
          and heartbeat #>> '{refused,fault,deploymentId}' = d.id and ${isAwaitedNode})`.execute(transaction);
  const [found] = rows;
  if (found === undefined) return;
  const { environment, production, proxy, revision } = found;
  const deployers = await listDeployers(transaction, production);
  const notice = {
    userIds: deployers.map((deployer) => deployer.id),
    kind: 'configuration_refused',
    title: `${environment}: gateway nodes can’t load ${proxy}, revision ${revision}, or any later change`,
    link: `/environments/${environmentId}`,
  };
  await notify(transaction, notice, now);
}

/** A node that can't reach the control plane keeps serving: one that reported within a day is counted. */
async function countServing(transaction: TenantTransaction, environmentId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('gateway_nodes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('last_heartbeat_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Records since when the node serves the deployments of snapshots newer than its previous one. */
async function noteServing(
  transaction: TenantTransaction,
  node: NodeCaller,
  { held, heldBefore }: { readonly held: number; readonly heldBefore: number },
): Promise<void> {
  await sql`
    insert into deployment_nodes (organization_id, deployment_id, node_id, serving_since)
    select organization_id, id, ${node.id}, now() from deployments
    where organization_id = ${transaction.tenantId} and environment_id = ${node.environmentId} and ended_at is null
      and snapshot_sequence > ${heldBefore} and snapshot_sequence <= ${held}
    order by id
    on conflict do nothing`.execute(transaction);
}
