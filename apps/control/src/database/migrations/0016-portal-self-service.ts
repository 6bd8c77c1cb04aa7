import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** What developer accounts set, ask for and see in the portal: budgets, top-up requests, recent requests. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table portal_budgets (
      organization_id text not null,
      developer_id text not null,
      currency text not null,
      /* For each billing period. */
      amount_minor bigint not null check (amount_minor > 0),
      /* The level of which an e-mail was sent last, and for which period. */
      alerted_percent smallint check (alerted_percent in (80, 100)),
      alerted_period_id text,
      /* When some process last compared it with what was spent. */
      checked_at timestamptz not null default '-infinity',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, developer_id, currency),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );
    create index portal_budgets_to_check on portal_budgets (checked_at);

    create table top_up_requests (
      id text not null,
      organization_id text not null,
      developer_id text not null,
      subscription_id text not null,
      amount_minor bigint not null,
      currency text not null,
      note text not null,
      requested_by text not null,
      requested_by_name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );
    create index top_up_requests_of_developer on top_up_requests (organization_id, developer_id, created_at, id);

    /* The last requests of each app, as gateway nodes report them. */
    create table recent_requests (
      organization_id text not null,
      app_id text not null,
      at timestamptz not null,
      request_id text not null,
      method text not null,
      proxy_id text not null,
      product_id text,
      /* Base path and pattern; null: no route matched. */
      route text,
      status smallint not null,
      duration_us bigint not null,
      primary key (organization_id, app_id, at, request_id),
      foreign key (organization_id, app_id) references apps on delete cascade
    );
    create index recent_requests_by_time on recent_requests (at);
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of ['portal_budgets', 'top_up_requests', 'recent_requests']) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
