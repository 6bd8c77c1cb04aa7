import { newId } from '@millrace/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Organization, OrganizationSettings } from './contract.ts';
import { completeSettings } from './rules.ts';

type Presented = z.infer<typeof Organization>;

/** Organizations are above tenants: these statements see all of them, and take the id that was let in. */
type Platform = Kysely<Schema>;

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
    'incident_entries',
    'incident_members',
    'incidents',
    'identity_providers',
    'provider_sign_ins',
    'provider_logouts',
    'scim_group_members',
    'scim_groups',
    'scim_tokens',
    'governance_standards',
    'policy_templates',
    'roles',
    'invitations',
    'portal_registrations',
    'portal_settings',
    'portal_domains',
    'portal_guides',
    'portal_stamps',
    'usage_sums',
    'billing_periods',
    'billing_settings',
    'consumer_changes',
    'gateway_heads',
    'metered_usage',
    'usage_closings',
    'usage_streams',
    'traffic_aggregates',
    'deployment_traffic',
    'route_traffic',
    'route_failures',
    'alert_endings',
    'alert_rules',
    'alert_rule_status',
    'alerts',
    'alert_rule_evaluations',
    'alert_clocks',
    'alert_traffic_sums',
    'silences',
    'node_traffic',
    'traffic_hour_sums',
    'traffic_day_sums',
    'traffic_days',
    'traffic_marks',
    'traffic_heads',
    'analytics_views',
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

/** Series of documents, by the table of their numbers. */
export type NumberedTable = 'invoices' | 'credit_notes';

/** The highest number that was given with a prefix; null: none was. */
export async function lastNumber(
  platform: Platform,
  organizationId: string,
  table: NumberedTable,
  prefix: string,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    select max(number_sequence) as last from ${sql.table(table)}
    where organization_id = ${organizationId} and number_prefix = ${prefix}`.execute(platform);
  return rows[0]?.last ?? null;
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
