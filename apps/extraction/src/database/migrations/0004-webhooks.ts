import { type Kysely, sql } from 'kysely';

/** Since when an endpoint has failed, and who paused it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_endpoints
      add column paused_by text check (paused_by in ('person', 'failures')),
      add column paused_at timestamptz,
      add column failing_since timestamptz,
      add column last_failure_at timestamptz,
      add column last_success_at timestamptz;
    update webhook_endpoints set paused_by = 'person', paused_at = now() where state = 'paused';
    alter table webhook_endpoints add check ((state = 'paused') = (paused_by is not null));
  `.execute(database);
}
