import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Prepaid balances of subscriptions. Money is in millionths of a minor unit where its column says micro. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    /* What calls cost: [{meter, statusClasses, proxyIds, price}], price in micro; null: the plan is not prepaid. */
    alter table subscription_terms add column prepaid jsonb;

    create table prepaid_accounts (
      organization_id text not null references organizations,
      subscription_id text not null,
      currency text not null,
      counting text not null default 'strict' check (counting in ('strict', 'fast')),
      /* Sum of its movements. */
      credit_micro numeric not null default 0,
      /* Price of the metered usage of its terms. */
      used_micro numeric not null default 0,
      /* Of that, what gateway nodes were sent last. */
      sent_micro numeric not null default 0,
      /* A balance below this is reported; null: a tenth of the last top-up. */
      low_balance_minor bigint,
      last_top_up_minor bigint not null default 0,
      /* Whether it was reported since it was last above. */
      is_low boolean not null default false,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, subscription_id)
    );

    /* Only ever added to. Usage is in metered_usage. */
    create table prepaid_movements (
      id text not null,
      organization_id text not null references organizations,
      subscription_id text not null,
      kind text not null check (kind in ('top_up', 'correction')),
      amount_minor bigint not null,
      note text not null default '',
      created_by text not null,
      created_by_name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create index prepaid_movements_of_subscription on prepaid_movements (organization_id, subscription_id, created_at, id);
  `.execute(database);
  const role = sql.ref(serviceRole);
  await isolate(database, 'prepaid_accounts', sql.ref('organization_id'));
  await isolate(database, 'prepaid_movements', sql.ref('organization_id'));
  await sql`grant select, insert, update on prepaid_accounts to ${role}`.execute(database);
  await sql`grant select, insert on prepaid_movements to ${role}`.execute(database);
}
