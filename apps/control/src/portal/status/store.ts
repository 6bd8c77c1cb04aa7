import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { offlineSeconds } from '../../delivery/gateway-nodes/rules.ts';
import { impacts } from '../../watch/incidents/rules.ts';
import type { PortalIncident, PortalStatus } from './contract.ts';
import { incidentStates, type NodeCounts, stateOf, wholeState } from './rules.ts';

interface EnvironmentRow extends NodeCounts {
  readonly name: string;
  readonly displayName: string;
  readonly reported_at: Date | null;
}

/**
 * Whether the gateway answers, from the last heartbeats of the nodes of production environments, and which APIs have
 * incidents.
 */
export async function readStatus(
  transaction: TenantTransaction,
  viewer: { readonly signedIn: boolean },
  now: Date,
): Promise<PortalStatus> {
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
  const incidents = await listPortalIncidents(transaction, viewer);
  const states = environments.map(({ state }) => state);
  return { state: wholeState(states, incidents), environments, incidents, checkedAt: now.toISOString() };
}

interface IncidentRow extends Pick<PortalIncident, 'environment' | 'apis' | 'products'> {
  readonly metric: keyof typeof impacts;
  readonly state: keyof typeof incidentStates;
  readonly opened_at: Date;
  readonly resolved_at: Date | null;
}

const resolvedDays = 7;
const mostIncidents = 20;

/**
 * Incidents of production that were marked public, and critical ones whose notifications were not suppressed all the
 * time and that nobody marked private, as far as they are of APIs in products that the viewer sees.
 */
async function listPortalIncidents(
  transaction: TenantTransaction,
  { signedIn }: { readonly signedIn: boolean },
): Promise<PortalIncident[]> {
  const { rows } = await sql<IncidentRow>`
    select i.rule ->> 'metric' as metric, i.state, i.opened_at, i.resolved_at,
           json_build_object('name', e.name, 'displayName', e.display_name) as environment, shown.apis, shown.products
    from incidents i
    join environments e on e.organization_id = i.organization_id and e.id = i.environment_id and e.production
    cross join lateral (
      select json_agg(distinct jsonb_build_object('name', x.name, 'displayName', x.display_name)) as apis,
             json_agg(distinct jsonb_build_object('name', p.name, 'displayName', p.display_name)) as products
      from incident_members m
      join proxies x on x.organization_id = m.organization_id and x.id = m.proxy_id
      join product_proxies b on b.organization_id = x.organization_id and b.proxy_id = x.id
      join products p on p.organization_id = b.organization_id and p.id = b.product_id
      where m.organization_id = i.organization_id and m.incident_id = i.id
        and p.published and p.state = 'active' and (p.public or ${signedIn})
    ) shown
    where i.organization_id = ${transaction.tenantId}
      and (i.visibility = 'public'
        or i.visibility = 'automatic' and i.severity = 'critical' and i.notifications > 0
          and (i.state = 'resolved' or not i.suppressed))
      and i.rule ->> 'metric' = any(${Object.keys(impacts)}::text[]) and shown.apis is not null
      and (i.state <> 'resolved' or i.resolved_at > now() - ${resolvedDays} * interval '1 day')
    order by i.state = 'resolved', i.opened_at desc, i.id
    limit ${mostIncidents}`.execute(transaction);
  return rows.map(({ metric, state, environment, apis, products, opened_at: openedAt, resolved_at: resolvedAt }) => ({
    impact: impacts[metric]!,
    state: incidentStates[state],
    environment,
    apis,
    products,
    startedAt: openedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }));
}
