import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

const tables = ['incidents', 'incident_members', 'incident_entries'] as const;

/** Incidents of alert rules, the alerts in each, and what happened in them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table incidents (
      id text not null,
      organization_id text not null references organizations,
      /* Rule and environment: of the unresolved incidents, each is of another one. */
      fingerprint text not null,
      rule_id text not null,
      /* The rule as it was at the last evaluation: incidents outlive rules. */
      rule jsonb not null,
      environment_id text,
      environment_name text,
      environment_production boolean not null,
      title text not null,
      state text not null check (state in ('open', 'acknowledged', 'monitoring', 'resolved')),
      severity text not null check (severity in ('critical', 'warning', 'info')),
      severity_rank smallint generated always as
        (case severity when 'critical' then 0 when 'warning' then 1 else 2 end) stored,
      value double precision,
      peak_value double precision,
      members integer not null,
      firing_members integer not null,
      suppressed boolean not null,
      owner_id text,
      owner_name text,
      opened_at timestamptz not null,
      acknowledged_at timestamptz,
      monitoring_at timestamptz,
      reopened_at timestamptz,
      reopenings integer not null default 0,
      recovered_at timestamptz,
      resolved_at timestamptz,
      resolved_by text,
      resolved_by_name text,
      summary text,
      previous_id text,
      /* Integrations that were notified so far. */
      notified text[] not null default '{}',
      /* Those that are notified while nobody acknowledges it: [{integrationId, at}]. */
      escalation jsonb not null default '[]',
      /* Notifications enqueued so far: each has its number in its id. */
      notifications integer not null default 0,
      /* When a value was last recorded in the timeline, and which. */
      measured_at timestamptz not null,
      measured_value double precision,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create unique index incidents_unresolved on incidents (organization_id, fingerprint) where state <> 'resolved';
    create index incidents_by_opening on incidents (organization_id, opened_at, id);
    create index incidents_of_fingerprint on incidents (organization_id, fingerprint, opened_at);
    create index incidents_of_rule on incidents (organization_id, rule_id);

    create table incident_members (
      organization_id text not null,
      incident_id text not null,
      fingerprint text not null,
      labels jsonb not null,
      proxy_id text,
      proxy_name text,
      state text not null check (state in ('firing', 'recovered')),
      value double precision,
      peak_value double precision,
      threshold double precision not null,
      since timestamptz not null,
      recovered_at timestamptz,
      suppressed_by text,
      inhibited_by text,
      primary key (organization_id, incident_id, fingerprint),
      foreign key (organization_id, incident_id) references incidents,
      check ((state = 'recovered') = (recovered_at is not null))
    );
    create index incident_members_of_proxy on incident_members (organization_id, proxy_id);

    /* Never changed; deleted with the organization. */
    create table incident_entries (
      id text not null,
      organization_id text not null,
      incident_id text not null,
      at timestamptz not null,
      kind text not null check (kind in ('opened', 'member_added', 'member_recovered', 'recovered', 'measured',
        'acknowledged', 'monitoring', 'resolved', 'reopened', 'suppressed', 'unsuppressed', 'note')),
      by_id text,
      by_name text,
      text text not null,
      fingerprint text,
      value double precision,
      threshold double precision,
      primary key (organization_id, id),
      foreign key (organization_id, incident_id) references incidents
    );
    create index incident_entries_of_incident on incident_entries (organization_id, incident_id, at, id);
  `.execute(database);
  for (const table of tables) await isolate(database, table, sql.ref('organization_id'));
  await sql`grant select, insert, update, delete on incidents, incident_members to ${sql.ref(serviceRole)}`.execute(
    database,
  );
  await sql`grant select, insert, delete on incident_entries to ${sql.ref(serviceRole)}`.execute(database);
}
