import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Top-ups that wait for approval, and one ledger of prepaid money instead of one for developers and one for subscriptions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table top_ups (
      id text not null,
      organization_id text not null references organizations,
      subscription_id text not null,
      developer_id text not null,
      currency text not null,
      amount_minor bigint not null check (amount_minor > 0),
      /* unassigned: taken from what was paid in for the developer and no subscription. */
      source text not null check (source in ('payment', 'unassigned')),
      note text not null,
      state text not null check (state in ('pending', 'credited', 'rejected')),
      requested_by text not null,
      requested_by_name text not null,
      /* Who may not approve it: see author keys of production_changes. */
      author_keys text[] not null,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      decision_reason text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, developer_id) references developers
    );
    create index top_ups_by_creation on top_ups (organization_id, created_at, id);
    create index top_ups_of_developer on top_ups (organization_id, developer_id);

    alter table prepaid_movements
      add column developer_id text,
      add column currency text,
      /* Null: paid in for the developer, and assigned to no subscription yet. */
      alter column subscription_id drop not null,
      drop constraint prepaid_movements_kind_check,
      add constraint prepaid_movements_kind_check check (kind in ('top_up', 'correction', 'assignment'));
    update prepaid_movements movement set currency = account.currency, developer_id = (
      select developer_id from subscription_terms term
      where term.organization_id = account.organization_id and term.subscription_id = account.subscription_id limit 1)
    from prepaid_accounts account
    where account.organization_id = movement.organization_id and account.subscription_id = movement.subscription_id;
    insert into prepaid_movements (id, organization_id, developer_id, subscription_id, kind, amount_minor, currency, note,
      created_by, created_by_name, created_at)
    select id, organization_id, developer_id, null, case kind when 'top_up' then kind else 'correction' end, amount_minor,
      currency, note, created_by, created_by_name, created_at
    from balance_movements;
    drop table balance_movements;
    alter table prepaid_movements
      alter column developer_id set not null,
      alter column currency set not null,
      add foreign key (organization_id, developer_id) references developers on delete cascade;
    create index prepaid_movements_of_developer on prepaid_movements (organization_id, developer_id, created_at, id);

    insert into top_ups (id, organization_id, subscription_id, developer_id, currency, amount_minor, source, note, state,
      requested_by, requested_by_name, author_keys, created_at, updated_at)
    select 'tup_' || substr(id, 5), organization_id, subscription_id, developer_id, currency, amount_minor, 'payment', note,
      'credited', created_by, created_by_name, array[created_by], created_at, created_at
    from prepaid_movements where kind = 'top_up' and subscription_id is not null;
  `.execute(database);
  await isolate(database, 'top_ups', sql.ref('organization_id'));
  await sql`grant select, insert, update on top_ups to ${sql.ref(serviceRole)}`.execute(database);
}
