import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Sums of a period's usage while it is being closed, so that its rows are read once and in the order of their time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    /* While it is closing: usage before this is summed; null: none is. */
    alter table billing_periods add column summed_until timestamptz;

    create table usage_sums (
      organization_id text not null references organizations,
      period_id text not null,
      term_id text not null,
      proxy_id text not null,
      status_class smallint not null,
      /* In the trial of the subscription. */
      in_trial boolean not null,
      requests numeric not null,
      request_bytes numeric not null,
      response_bytes numeric not null,
      units numeric not null,
      primary key (organization_id, period_id, term_id, proxy_id, status_class, in_trial),
      foreign key (organization_id, period_id) references billing_periods
    );
  `.execute(database);
  await isolate(database, 'usage_sums', sql.ref('organization_id'));
  await sql`grant select, insert, update, delete on usage_sums to ${sql.ref(serviceRole)}`.execute(database);
}
