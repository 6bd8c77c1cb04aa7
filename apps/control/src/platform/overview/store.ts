import { type Kysely, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { isOfflineNode } from '../../delivery/gateway-nodes/store.ts';
import type { OrganizationOverview } from './contract.ts';

type Overview = z.infer<typeof OrganizationOverview>;

/** How long a failed deployment without a follow-up is reported. */
const failedDays = 7;

/** All counts of the overview, in one statement. */
export async function readOverview(platform: Kysely<Schema>, id: string): Promise<Overview> {
  const { rows } = await sql<{
    by_stage: Record<string, number>;
    not_evaluated: number;
    serving: number;
    pending: number;
    failed: number;
    environments: number;
    targets: number;
    disabled: number;
    nodes: number;
    offline_nodes: number;
    reviews: number;
    blocking: number;
    products: Overview['products'];
    developers: Overview['developers'];
    apps: Overview['apps'];
    subscriptions: Overview['subscriptions'];
    active: number;
    suspended: number;
    invited: number;
  }>`
    select
      (select coalesce(json_object_agg(stage, count), '{}') from (
         select stage, count(*)::int as count from proxies
         where organization_id = ${id} and deleted_at is null group by stage) by_stage) as by_stage,
      (select count(*)::int from proxies p where p.organization_id = ${id} and p.deleted_at is null and not exists (
         select from governance_evaluations e
         where e.organization_id = ${id} and e.proxy_id = p.id and e.content_hash = p.content_hash)) as not_evaluated,
      (select count(*)::int from deployments where organization_id = ${id} and ended_at is null and state = 'live')
        as serving,
      (select count(*)::int from deployments where organization_id = ${id} and ended_at is null
         and state in ('pending', 'rolling_out')) as pending,
      (select count(*)::int from deployments d where d.organization_id = ${id} and d.state = 'failed'
         and d.ended_at > now() - ${failedDays} * interval '1 day' and not exists (
         select from deployments later where later.organization_id = d.organization_id
           and later.environment_id = d.environment_id and later.proxy_id = d.proxy_id
           and later.created_at > d.created_at)) as failed,
      (select count(*)::int from environments where organization_id = ${id}) as environments,
      (select count(*)::int from target_servers where organization_id = ${id}) as targets,
      (select count(*)::int from target_servers where organization_id = ${id} and not enabled) as disabled,
      (select count(*)::int from gateway_nodes where organization_id = ${id}) as nodes,
      (select count(*)::int from gateway_nodes where organization_id = ${id} and ${isOfflineNode})
        as offline_nodes,
      (select count(*)::int from lifecycle_requests where organization_id = ${id} and state = 'pending') as reviews,
      (select count(*)::int from governance_findings f
         join proxies p on p.organization_id = f.organization_id and p.id = f.proxy_id and p.deleted_at is null
         where f.organization_id = ${id} and f.blocking and f.waiver_id is null) as blocking,
      (select json_build_object('total', count(*), 'published', count(*) filter (where published),
         'suspended', count(*) filter (where state = 'suspended'))
       from products where organization_id = ${id}) as products,
      (select json_build_object('total', count(*), 'suspended', count(*) filter (where state = 'suspended'))
       from developers where organization_id = ${id}) as developers,
      (select json_build_object('total', count(*), 'suspended', count(*) filter (where state = 'suspended'))
       from apps where organization_id = ${id}) as apps,
      (select json_build_object('approved', count(*) filter (where state = 'approved'),
         'pending', count(*) filter (where state = 'pending'))
       from subscriptions where organization_id = ${id}) as subscriptions,
      (select count(*)::int from users where organization_id = ${id} and state = 'active') as active,
      (select count(*)::int from users where organization_id = ${id} and state = 'suspended') as suspended,
      (select count(*)::int from invitations
       where organization_id = ${id} and state = 'pending' and expires_at > now()) as invited
  `.execute(platform);
  const row = rows[0]!;
  const byStage = row.by_stage;
  const deployments = { serving: row.serving, pending: row.pending, failed: row.failed };
  const gatewayNodes = { total: row.nodes, offline: row.offline_nodes };
  return {
    proxies: {
      total: Object.values(byStage).reduce((sum, count) => sum + count, 0),
      byStage,
      notEvaluated: row.not_evaluated,
    },
    deployments,
    environments: row.environments,
    targetServers: { total: row.targets, disabled: row.disabled },
    gatewayNodes,
    pendingReviews: row.reviews,
    blockingFindings: row.blocking,
    products: row.products,
    developers: row.developers,
    apps: row.apps,
    subscriptions: row.subscriptions,
    users: { active: row.active, suspended: row.suspended, invited: row.invited },
    health: healthOf({ deployments, gatewayNodes, blockingFindings: row.blocking }),
  };
}

function healthOf(overview: Pick<Overview, 'deployments' | 'gatewayNodes' | 'blockingFindings'>): Overview['health'] {
  const { deployments, gatewayNodes, blockingFindings } = overview;
  return deployments.failed > 0 || gatewayNodes.offline > 0 || blockingFindings > 0 ? 'attention' : 'good';
}
