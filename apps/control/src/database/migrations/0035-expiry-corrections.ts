import { type Kysely, sql } from 'kysely';

/** Corrections of expiries wait for the service, which has an audit entry for each. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table top_ups
      /* Whether usage of before an expiry was reported after that was entered. */
      add column correction_due boolean not null default false;
    create index top_ups_corrections on top_ups (organization_id, subscription_id) where correction_due;
  `.execute(database);
}
