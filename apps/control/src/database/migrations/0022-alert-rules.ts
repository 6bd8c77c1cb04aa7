import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

const tenantTables = [
  'alert_rules',
  'alert_rule_status',
  'alerts',
  'alert_endings',
  'alert_rule_evaluations',
  'alert_clocks',
  'alert_traffic_sums',
  'silences',
] as const;

/** Rules about what the gateway, its nodes and its consumers do, and what their evaluation found. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_rules (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      description text not null,
      /* Null: any. */
      environment_id text,
      proxy_id text,
      app_id text,
      product_id text,
      /* Condition of @millrace/alerting. */
      condition jsonb not null,
      severity text not null check (severity in ('critical', 'warning', 'info')),
      integration_ids text[] not null,
      escalate_after_minutes integer,
      enabled boolean not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );

    /* What the last evaluation of a rule found. */
    create table alert_rule_status (
      organization_id text not null,
      rule_id text not null,
      evaluated_at timestamptz not null,
      state text not null check (state in ('inactive', 'pending', 'firing', 'no_data', 'failed')),
      firing integer not null,
      pending integer not null,
      value float8,
      error text,
      primary key (organization_id, rule_id)
    ) with (fillfactor = 50);

    /* Alerts that are pending or fire; others have no row. Foreign keys would add a third to the time of writing them. */
    create table alerts (
      organization_id text not null,
      rule_id text not null,
      fingerprint text not null,
      labels jsonb not null,
      state text not null check (state in ('pending', 'firing')),
      active_since timestamptz not null,
      firing_since timestamptz,
      cleared_since timestamptz,
      /* With which the condition held last. */
      held_value float8,
      /* Of the last evaluation. */
      value float8,
      requests bigint not null,
      no_data boolean not null,
      suppressed_by text,
      inhibited_by text,
      primary key (organization_id, rule_id, fingerprint)
    ) with (fillfactor = 50);

    /* Rules with alerts that fired when they were changed, disabled or deleted, until incidents have recorded it. */
    create table alert_endings (
      id bigint generated always as identity primary key,
      organization_id text not null references organizations,
      rule_id text not null,
      reason text not null
    );

    create table alert_rule_evaluations (
      organization_id text not null,
      rule_id text not null,
      at timestamptz not null,
      evaluated_at timestamptz not null,
      /* Null: it was evaluated. */
      error text,
      series integer not null,
      without_data integer not null,
      pending integer not null,
      firing integer not null,
      value float8,
      requests bigint not null,
      alerts jsonb not null,
      primary key (organization_id, rule_id, at)
    );
    create index alert_rule_evaluations_by_time on alert_rule_evaluations using brin (at) with (autosummarize);

    /* Up to when an organization's rules are evaluated, and how often its rules and silences were changed. */
    create table alert_clocks (
      organization_id text primary key references organizations,
      evaluated_until timestamptz not null default '-infinity',
      edits bigint not null default 0
    ) with (fillfactor = 50);

    /* The hourly figures of apps and products that rules watch, as they were at an evaluation. */
    create table alert_traffic_sums (
      organization_id text not null,
      at timestamptz not null,
      sums jsonb not null,
      primary key (organization_id, at)
    );

    create table silences (
      id text not null,
      organization_id text not null references organizations,
      comment text not null,
      matchers jsonb not null,
      schedule jsonb not null,
      created_by text,
      created_by_name text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id)
    );

    /* Which process evaluates. */
    create table evaluator_lease (
      single boolean primary key default true check (single),
      holder text not null,
      expires_at timestamptz not null
    );
    insert into evaluator_lease (holder, expires_at) values ('', '-infinity');
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of tenantTables) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
  await sql`grant select, update on evaluator_lease to ${role}`.execute(database);
}
