import { newId } from '@millrace/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { isOfflineNode } from '../../delivery/gateway-nodes/store.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Organization, OrganizationOverview, OrganizationSettings } from './contract.ts';
import { completeSettings, healthOf } from './rules.ts';

type Presented = z.infer<typeof Organization>;

/** Organizations are above tenants: these statements see all of them, and take the id that was let in. */
type Platform = Kysely<Schema>;

/** How long a failed deployment without a follow-up is reported. */
const failedDays = 7;

const columns = { name: 'name', displayName: 'display_name', createdAt: 'created_at', updatedAt: 'updated_at' };

export async function listOrganizations(
  platform: Platform,
  filters: Listing & { readonly state?: 'active' | 'suspended' | undefined },
) {
  let query = platform
    .selectFrom('organizations')
    .selectAll()
    .where((builder) => matches(builder, ['name', 'display_name'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { organizations: rows.map(present), total };
}

export async function insertOrganization(
  platform: Platform,
  values: { readonly name: string; readonly displayName: string; readonly platform?: boolean },
): Promise<Presented> {
  const row = await platform
    .insertInto('organizations')
    .values({
      id: newId('org'),
      name: values.name,
      display_name: values.displayName,
      platform: values.platform ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

/** @param lock keeps other writers off until the commit */
export async function findOrganization(
  platform: Platform,
  id: string,
  { lock = false } = {},
): Promise<{ readonly organization: Presented; readonly settings: OrganizationSettings } | null> {
  const query = platform.selectFrom('organizations').selectAll().where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : { organization: present(row), settings: completeSettings(row.settings) };
}

export async function updateOrganization(
  platform: Platform,
  id: string,
  changes: {
    readonly displayName?: string;
    readonly state?: 'active' | 'suspended';
    readonly settings?: OrganizationSettings;
  },
): Promise<Presented> {
  const row = await platform
    .updateTable('organizations')
    .set({
      ...(changes.displayName === undefined ? {} : { display_name: changes.displayName }),
      ...(changes.state === undefined ? {} : { state: changes.state }),
      ...(changes.settings === undefined ? {} : { settings: JSON.stringify(changes.settings) }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

export async function deleteOrganization(platform: Platform, id: string): Promise<void> {
  for (const table of [
    'idempotency_keys',
    'outbox',
    'governance_standards',
    'policy_templates',
    'roles',
    'invitations',
    'consumer_changes',
    'gateway_heads',
    'usage_batches',
    'traffic_aggregates',
    'deployment_traffic',
    'route_traffic',
  ] as const) {
    await platform.deleteFrom(table).where('organization_id', '=', id).execute();
  }
  await platform.deleteFrom('organizations').where('id', '=', id).execute();
}

/** How many of what stands in the way of a deletion an organization holds. */
export async function countHeld(platform: Platform, id: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from users where organization_id = ${id}) as users,
           (select count(*)::int from service_accounts where organization_id = ${id}) as "service accounts",
           (select count(*)::int from environments where organization_id = ${id}) as environments,
           (select count(*)::int from proxies where organization_id = ${id}) as "API proxies",
           (select count(*)::int from products where organization_id = ${id}) as "API products",
           (select count(*)::int from developers where organization_id = ${id}) as developers,
           (select count(*)::int from specifications where organization_id = ${id}) as specifications`.execute(
    platform,
  );
  return rows[0] ?? {};
}

/** All counts of the overview, in one statement. */
export async function readOverview(platform: Platform, id: string): Promise<z.infer<typeof OrganizationOverview>> {
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
    products: z.infer<typeof OrganizationOverview>['products'];
    developers: z.infer<typeof OrganizationOverview>['developers'];
    apps: z.infer<typeof OrganizationOverview>['apps'];
    subscriptions: z.infer<typeof OrganizationOverview>['subscriptions'];
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

function present(row: Selectable<Schema['organizations']>): Presented {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    platform: row.platform,
    state: row.state,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
