import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Terms of rate plans, and their versions, which never change once they are published. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rate_plans
      add column description text not null default '',
      /* Of the published version; of a plan that was never published, those of its draft. */
      add column terms jsonb,
      /* Display name, description and terms of an edit of a published plan that is not published yet. */
      add column draft jsonb;
    update rate_plans set terms = jsonb_build_object('type', type, 'currency', currency, 'recurringFee', null,
      'feeTiming', 'arrears', 'proration', 'second', 'setupFee', null, 'minimumSpend', null, 'maximumSpend', null,
      'trialDays', 0, 'charges', '[]'::jsonb);
    alter table rate_plans
      alter column terms set not null,
      drop column type,
      drop column currency,
      add column type text not null generated always as (terms ->> 'type') stored,
      add column currency text not null generated always as (terms ->> 'currency') stored,
      add constraint rate_plans_product_name_key unique (organization_id, product_id, name);
    create index rate_plans_by_creation on rate_plans (organization_id, created_at, id);
    create index subscriptions_of_rate_plan on subscriptions (organization_id, rate_plan_id, created_at)
      where rate_plan_id is not null;

    create table rate_plan_versions (
      organization_id text not null,
      rate_plan_id text not null,
      plan_version integer not null check (plan_version > 0),
      display_name text not null,
      description text not null,
      terms jsonb not null,
      published_at timestamptz not null default now(),
      /* Null: it was published before versions were kept. */
      published_by text,
      published_by_name text,
      /* When subscriptions on earlier versions move to it; null: they stay on theirs. */
      applies_from timestamptz,
      /* When all of them had moved. */
      applied_at timestamptz,
      primary key (organization_id, rate_plan_id, plan_version),
      foreign key (organization_id, rate_plan_id) references rate_plans on delete cascade
    );
    create index rate_plan_versions_due on rate_plan_versions (applies_from)
      where applies_from is not null and applied_at is null;
    insert into rate_plan_versions (organization_id, rate_plan_id, plan_version, display_name, description, terms, published_at)
    select organization_id, id, published_version, display_name, description, terms, updated_at
    from rate_plans where state <> 'draft';
  `.execute(database);
  await isolate(database, 'rate_plan_versions', sql.ref('organization_id'));
  await sql`grant select, insert, update (applied_at) on rate_plan_versions to ${sql.ref(serviceRole)}`.execute(
    database,
  );
}
