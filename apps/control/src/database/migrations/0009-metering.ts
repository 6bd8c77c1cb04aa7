import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Terms of subscriptions, the usage that is billed by them, and what is remembered of nodes' reports. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rate_plans add column published_version integer not null default 1;
    alter table products
      /* Response header in which the target states the units of a call, in lower case; null: no units are counted. */
      add column units_header text,
      add column pass_units_header boolean not null default false;

    /* A subscription on one version of one plan. It outlives the subscription, which is deleted with its app. */
    create table subscription_terms (
      id text not null,
      organization_id text not null references organizations,
      subscription_id text not null,
      developer_id text not null,
      app_id text not null,
      app_name text not null,
      product_id text not null,
      rate_plan_id text not null,
      plan_version integer not null,
      starts_at timestamptz not null,
      ends_at timestamptz check (ends_at >= starts_at),
      primary key (organization_id, id),
      foreign key (organization_id, developer_id) references developers,
      foreign key (organization_id, product_id) references products,
      foreign key (organization_id, rate_plan_id) references rate_plans
    );
    create unique index subscription_terms_open on subscription_terms (organization_id, subscription_id)
      where ends_at is null;
    create index subscription_terms_of_subscription on subscription_terms (organization_id, subscription_id, starts_at);
    create index subscription_terms_of_developer on subscription_terms (organization_id, developer_id, starts_at);
    create index subscription_terms_of_product on subscription_terms (organization_id, product_id);
    create index subscription_terms_of_plan on subscription_terms (organization_id, rate_plan_id);
    alter table subscriptions add column term_id text;

    /* Admitted calls of a term by quarter of an hour. Class 0: what the gateway itself answered with an error. */
    create table metered_usage (
      organization_id text not null references organizations,
      term_id text not null,
      quarter timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      status_class smallint not null check (status_class between 0 and 5),
      /* What usage was closed up to when these calls arrived, if that includes their quarter; else -infinity. */
      late_after timestamptz not null default '-infinity',
      requests bigint not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      units numeric not null,
      without_units bigint not null,
      unreadable_units bigint not null,
      primary key (organization_id, term_id, quarter, environment_id, proxy_id, status_class, late_after),
      foreign key (organization_id, term_id) references subscription_terms
    );
    /* Rows come in about the order of their quarters. */
    create index metered_usage_by_quarter on metered_usage using brin (quarter) with (pages_per_range = 32, autosummarize);
    create index metered_usage_late on metered_usage (organization_id, late_after) where late_after > '-infinity';

    /* Up to when usage is closed for billing: what arrives later for an earlier quarter is late. */
    create table usage_closings (
      organization_id text primary key references organizations,
      closed_until timestamptz not null default '-infinity'
    );

    /* Batches of usage that were applied, as ranges of their numbers in the stream that a node's process sends. */
    create table usage_streams (
      organization_id text not null references organizations,
      id text not null,
      node_id text not null,
      applied int8multirange not null,
      primary key (organization_id, id)
    );
    insert into usage_streams (organization_id, id, node_id, applied)
    select organization_id, id, node_id, '{[0,1)}' from usage_batches;
    drop table usage_batches;

    /* All usage of requests that began before this has been applied; null: unknown. */
    alter table gateway_nodes add column usage_complete_until timestamptz;

    insert into subscription_terms (id, organization_id, subscription_id, developer_id, app_id, app_name, product_id,
      rate_plan_id, plan_version, starts_at)
    select 'trm_' || substr(s.id, 5), s.organization_id, s.id, a.developer_id, a.id, a.display_name, s.product_id,
      s.rate_plan_id, 1, now()
    from subscriptions s join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    where s.state = 'approved' and s.rate_plan_id is not null;
    update subscriptions s set term_id = t.id from subscription_terms t
    where t.organization_id = s.organization_id and t.subscription_id = s.id;
    /* Nodes have to learn the terms. */
    update gateway_heads h set sequence = h.sequence + t.terms
    from (select organization_id, count(*) as terms from subscription_terms group by organization_id) t
    where t.organization_id = h.organization_id;
    update consumer_changes c
    set value = c.value || jsonb_build_object('termId', t.id), sequence = h.sequence - t.place, changed_at = now()
    from (select *, row_number() over (partition by organization_id order by id) - 1 as place from subscription_terms) t
    join gateway_heads h on h.organization_id = t.organization_id
    where c.organization_id = t.organization_id and c.kind = 'subscription' and c.id = t.subscription_id;
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of ['subscription_terms', 'metered_usage', 'usage_closings', 'usage_streams']) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
