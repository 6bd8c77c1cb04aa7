import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { offlineSeconds } from '../../delivery/gateway-nodes/rules.ts';
import type { PortalStatus } from './contract.ts';
import { type NodeCounts, stateOf, worstState } from './rules.ts';

interface EnvironmentRow extends NodeCounts {
  readonly name: string;
  readonly displayName: string;
  readonly reported_at: Date | null;
}

/** Whether the gateway answers, from the last heartbeats of the nodes of production environments. */
export async function readStatus(transaction: TenantTransaction, now: Date): Promise<PortalStatus> {
  const { rows } = await sql<EnvironmentRow>`
    select e.name, e.display_name as "displayName", max(n.last_heartbeat_at) as reported_at, count(*)::int as nodes,
           (count(*) filter (where n.last_heartbeat_at > now() - ${offlineSeconds} * interval '1 second'
             and (n.heartbeat ->> 'ready')::boolean and n.heartbeat ->> 'drain' = 'none' and n.drain = 'none'))::int as serving
    from environments e
    join gateway_nodes n on n.organization_id = e.organization_id and n.environment_id = e.id
    where e.organization_id = ${transaction.tenantId} and e.production and n.token_hash is not null
    group by e.id, e.name, e.display_name
    order by e.name`.execute(transaction);
  const environments = rows.map((row) => ({
    name: row.name,
    displayName: row.displayName,
    state: row.reported_at === null ? ('unknown' as const) : stateOf(row),
    reportedAt: row.reported_at?.toISOString() ?? null,
  }));
  return { state: worstState(environments.map(({ state }) => state)), environments, checkedAt: now.toISOString() };
}
