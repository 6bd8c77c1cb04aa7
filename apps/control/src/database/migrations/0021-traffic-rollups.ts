import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

const partitioned = [
  'traffic_aggregates',
  'route_traffic',
  'node_traffic',
  'traffic_hour_sums',
  'traffic_day_sums',
  'traffic_days',
] as const;
const tables = [...partitioned, 'traffic_heads', 'traffic_marks', 'analytics_views'] as const;

const statusCounts = sql.raw(`
      requests bigint not null,
      status_2xx bigint not null,
      status_3xx bigint not null,
      status_4xx bigint not null,
      status_5xx bigint not null,`);

/** What is counted of every request; routes count neither limits nor bytes. */
const sums = sql`${statusCounts}
      limited bigint,
      request_bytes bigint,
      response_bytes bigint,
      /* Of which it is the sum. */
      rows bigint not null,
      /* Histograms of microseconds, packed as apps/control/src/watch/slots/packing.ts does. */
      gateway_time bytea not null,
      target_time bytea not null`;

/** Traffic by month, its sums by hour and day, and saved views of it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table traffic_aggregates rename to unparted_traffic_aggregates;
    alter table unparted_traffic_aggregates rename constraint traffic_aggregates_pkey to unparted_traffic_aggregates_pkey;
    alter table route_traffic rename to unparted_route_traffic;
    alter table unparted_route_traffic rename constraint route_traffic_pkey to unparted_route_traffic_pkey;
    drop index traffic_by_app, traffic_by_proxy;

    create table traffic_aggregates (
      organization_id text not null references organizations,
      hour timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      /* Empty where no policy found the caller. */
      app_id text not null,
      product_id text not null,
      country text not null,${statusCounts}
      limited bigint not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      /* Bucket, count, bucket, count, … of microseconds. */
      gateway_time bigint[] not null,
      target_time bigint[] not null,
      primary key (organization_id, hour, environment_id, proxy_id, app_id, product_id, country)
    ) partition by range (hour);
    create index traffic_by_app on traffic_aggregates (organization_id, app_id, hour);
    create index traffic_by_proxy on traffic_aggregates (organization_id, proxy_id, hour);

    create table route_traffic (
      organization_id text not null references organizations,
      hour timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      route_id text not null,${statusCounts}
      primary key (organization_id, hour, environment_id, proxy_id, route_id)
    ) partition by range (hour);
    create index route_traffic_by_route on route_traffic (organization_id, proxy_id, route_id, hour);

    create table node_traffic (
      organization_id text not null references organizations,
      node_id text not null,
      hour timestamptz not null,
      environment_id text not null,${statusCounts}
      limited bigint not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      primary key (organization_id, node_id, hour, environment_id)
    ) partition by range (hour);
    create index node_traffic_by_hour on node_traffic (organization_id, hour);

    /* Sums of an hour's rows by one dimension: all, proxy, app, product or country. */
    create table traffic_hour_sums (
      organization_id text not null references organizations,
      dimension text not null,
      /* Empty for all, and where the dimension is unknown. */
      key text not null,
      hour timestamptz not null,
      environment_id text not null,${sums},
      primary key (organization_id, dimension, key, hour, environment_id)
    ) partition by range (hour);

    /* Sums of a day's rows by one dimension: in addition route (its proxy, a slash and its id) and gateway_node. */
    create table traffic_day_sums (
      organization_id text not null references organizations,
      dimension text not null,
      key text not null,
      /* In the time zone of the organization's head. */
      day date not null,
      environment_id text not null,${sums},
      primary key (organization_id, dimension, key, day, environment_id)
    ) partition by range (day);

    /* Sums of a day's rows by all dimensions. */
    create table traffic_days (
      organization_id text not null references organizations,
      day date not null,
      environment_id text not null,
      proxy_id text not null,
      app_id text not null,
      product_id text not null,
      country text not null,${sums},
      primary key (organization_id, day, environment_id, proxy_id, app_id, product_id, country)
    ) partition by range (day);
    create index traffic_days_by_proxy on traffic_days (organization_id, proxy_id, day);
    create index traffic_days_by_app on traffic_days (organization_id, app_id, day);
    create index traffic_days_by_product on traffic_days (organization_id, product_id, day);
    create index traffic_days_by_country on traffic_days (organization_id, country, day);

    /* How far an organization's traffic is summed. */
    create table traffic_heads (
      organization_id text primary key references organizations,
      /* Of its days. */
      time_zone text not null default 'UTC',
      /* Hours before this have sums, unless they are marked; null: none has. */
      rolled_until timestamptz,
      /* Hours before this are dropped: only their days are left, which never change again. Null: none is. */
      hours_from timestamptz,
      /* The day of hours_from, and the first that is made of hours. */
      first_day date
    );

    /* Hours before rolled_until whose rows have changed since they were summed. */
    create table traffic_marks (
      id bigint generated always as identity,
      organization_id text not null references organizations,
      hour timestamptz not null,
      primary key (organization_id, hour, id)
    );

    create table analytics_views (
      id text not null,
      organization_id text not null references organizations,
      owner_id text not null,
      name text not null,
      section text not null,
      query jsonb not null,
      shared boolean not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, owner_id, name)
    );

    create index deployment_traffic_by_minute on deployment_traffic (minute);

    create table traffic_aggregates_default partition of traffic_aggregates default;
    create table route_traffic_default partition of route_traffic default;
    create table node_traffic_default partition of node_traffic default;
    create table traffic_hour_sums_default partition of traffic_hour_sums default;
    create table traffic_day_sums_default partition of traffic_day_sums default;
    create table traffic_days_default partition of traffic_days default;

    /* Makes the partitions of the months from the first to the last one where they are missing, and of all months of the
       last five years that the default partitions have rows of, which are moved. */
    create function add_traffic_months(first date, last date) returns void
    language plpgsql security definer
    set search_path from current set lock_timeout = '2s' set timezone = 'UTC' set millrace.tenant = '*' as $$
    declare
      parent text;
      partitioned_by text;
      partition text;
      month timestamp;
    begin
      perform pg_advisory_xact_lock(hashtextextended('traffic_months', 0));
      for parent, partitioned_by in values
        ('traffic_aggregates', 'hour'), ('route_traffic', 'hour'), ('node_traffic', 'hour'),
        ('traffic_hour_sums', 'hour'), ('traffic_day_sums', 'day'), ('traffic_days', 'day')
      loop
        for month in execute format('select generate_series(date_trunc(''month'', %L::date::timestamp), %L, ''1 month'')
          union select date_trunc(''month'', %I::timestamp) from %I where %3$I > now() - interval ''5 years''',
          first, last, partitioned_by, parent || '_default')
        loop
          partition := parent || '_' || to_char(month, 'YYYYMM');
          continue when to_regclass(partition) is not null;
          execute format('create table %I (like %I including defaults)', partition, parent);
          execute format('lock table %I in share row exclusive mode', parent || '_default');
          execute format('with moved as (delete from %I where %I >= %L and %2$I < %4$L returning *)
            insert into %5$I select * from moved', parent, partitioned_by, month, month + interval '1 month', partition);
          execute format('alter table %I enable row level security, force row level security', partition);
          /* Attached, not made as a partition, which would wait for everybody who reads. */
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, month,
            month + interval '1 month');
        end loop;
      end loop;
    end $$;

    /* Drops the partitions of the months before these, of tables by hour and by day, and returns how many. */
    create function drop_traffic_months(hours_before date, days_before date) returns integer
    language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
    declare
      parent text;
      before date;
      partition text;
      dropped integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtextextended('traffic_months', 0));
      for parent, before in values
        ('traffic_aggregates', hours_before), ('route_traffic', hours_before), ('node_traffic', hours_before),
        ('traffic_hour_sums', hours_before), ('traffic_day_sums', days_before), ('traffic_days', days_before)
      loop
        for partition in
          select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
          where inhparent = parent::regclass and relname ~ '_[0-9]{6}$'
            and right(relname, 6) < to_char(before, 'YYYYMM')
        loop
          execute format('drop table %I', partition);
          dropped := dropped + 1;
        end loop;
      end loop;
      return dropped;
    end $$;
    revoke all on function add_traffic_months, drop_traffic_months from public;
    grant execute on function add_traffic_months, drop_traffic_months to ${sql.ref(serviceRole)};
  `.execute(database);

  const role = sql.ref(serviceRole);
  for (const table of tables) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
  for (const table of partitioned) await isolate(database, `${table}_default`, sql.ref('organization_id'));
  await sql`
    select add_traffic_months(
      greatest(coalesce((select min(hour) from unparted_traffic_aggregates), now()), now() - interval '14 months')::date,
      (now() + interval '1 month')::date);
    insert into traffic_aggregates select * from unparted_traffic_aggregates;
    insert into route_traffic select * from unparted_route_traffic;
    drop table unparted_traffic_aggregates, unparted_route_traffic;
  `.execute(database);
}
