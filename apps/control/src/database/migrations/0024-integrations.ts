import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Where notifications, metrics and audit entries are sent, and what became of each notification. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table integrations (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      kind text not null check (kind in ('email', 'slack', 'pagerduty', 'webhook', 'opentelemetry', 'siem')),
      settings jsonb not null,
      sealed_secret bytea,
      sealed_previous_secret bytea,
      previous_valid_until timestamptz,
      enabled boolean not null default true,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint integration_names unique (organization_id, name)
    );

    /* Apart from the integration, so that sending neither waits for its editor nor counts as a change. */
    create table integration_states (
      integration_id text not null,
      organization_id text not null,
      /* Attempts that failed since the last success, and the first of them. */
      failures integer not null default 0,
      failing_since timestamptz,
      last_attempt_at timestamptz,
      last_delivered_at timestamptz,
      last_error text,
      /* Of a stream: the last item that arrived, the time of it, and when to send next. */
      stream_cursor bigint,
      streamed_until timestamptz,
      stream_at timestamptz,
      /* Increases with every claim of the stream: the claim with the current number is valid. */
      stream_claim bigint not null default 0,
      primary key (organization_id, integration_id),
      foreign key (organization_id, integration_id) references integrations on delete cascade
    );
    create index integration_states_by_stream on integration_states (stream_at) where stream_at is not null;

    create table integration_deliveries (
      id text not null,
      organization_id text not null,
      integration_id text not null,
      notification_id text not null,
      kind text not null,
      subject_type text not null,
      subject_id text not null,
      data jsonb not null,
      /* A condition of its subject, checked when it is sent. */
      send_if text,
      state text not null default 'queued' check (state in ('queued', 'delivered', 'failed', 'skipped')),
      /* The time that its content states, and when it was first to be sent: the order among those of a subject. */
      occurred_at timestamptz not null default now(),
      due_at timestamptz not null,
      run_at timestamptz not null,
      lease_until timestamptz,
      /* The state from which somebody sent it again; null: the attempt follows the schedule. */
      resent_from text check (resent_from in ('queued', 'delivered', 'failed', 'skipped')),
      /* By the schedule, and all, which guards the record of an attempt. */
      scheduled_attempts integer not null default 0,
      attempt_count integer not null default 0,
      request jsonb,
      attempts jsonb not null default '[]',
      delivered_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint integration_notifications unique (organization_id, integration_id, notification_id),
      foreign key (organization_id, integration_id) references integrations on delete cascade
    );
    create index integration_deliveries_by_creation on integration_deliveries (organization_id, integration_id, created_at, id);
    create index integration_deliveries_of_subject on integration_deliveries (organization_id, subject_id, created_at);
    create index integration_deliveries_due on integration_deliveries (run_at) where state = 'queued';
    create index integration_deliveries_queued on integration_deliveries (organization_id, integration_id, run_at)
      where state = 'queued';
    /* Ten-second figures of the gateway that an OpenTelemetry integration still has to send, as nodes reported them. */
    create table telemetry_reports (
      id bigint generated always as identity primary key,
      organization_id text not null,
      integration_id text not null,
      environment_id text not null,
      reported_at timestamptz not null default now(),
      rows jsonb not null,
      foreign key (organization_id, integration_id) references integrations on delete cascade
    );
    create index telemetry_reports_of_integration on telemetry_reports (organization_id, integration_id, id);
    create index telemetry_reports_by_age on telemetry_reports (reported_at);
    create index integration_deliveries_by_age on integration_deliveries (created_at) where state <> 'queued';
  `.execute(database);
  for (const table of ['integrations', 'integration_states', 'integration_deliveries', 'telemetry_reports']) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${sql.ref(serviceRole)}`.execute(database);
  }
}
