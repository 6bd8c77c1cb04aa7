import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Requests of apps that failed, by route and hour, in partitions that come and go with those of other hours. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table route_failures (
      organization_id text not null references organizations,
      /* Callers that no policy identified are not counted: there are as many rows as apps have failing routes. */
      app_id text not null,
      hour timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      /* Empty where no route matched. */
      route_id text not null,
      /* Empty where there is none. */
      product_id text not null,
      status_4xx bigint not null,
      status_5xx bigint not null,
      primary key (organization_id, app_id, hour, environment_id, proxy_id, route_id, product_id)
    ) partition by range (hour);
    create table route_failures_default partition of route_failures default;

    /* As before, with route_failures. */
    create or replace function add_traffic_months(first date, last date) returns void
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
        ('traffic_aggregates', 'hour'), ('route_traffic', 'hour'), ('route_failures', 'hour'), ('node_traffic', 'hour'),
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

    create or replace function drop_traffic_months(hours_before date, days_before date) returns integer
    language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
    declare
      parent text;
      before date;
      partition text;
      dropped integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtextextended('traffic_months', 0));
      for parent, before in values
        ('traffic_aggregates', hours_before), ('route_traffic', hours_before), ('route_failures', hours_before),
        ('node_traffic', hours_before), ('traffic_hour_sums', hours_before), ('traffic_day_sums', days_before),
        ('traffic_days', days_before)
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
    end $$;`.execute(database);
  await isolate(database, 'route_failures', sql.ref('organization_id'));
  await isolate(database, 'route_failures_default', sql.ref('organization_id'));
  await sql`grant select, insert, update, delete on route_failures to ${sql.ref(serviceRole)}`.execute(database);
  await sql`select add_traffic_months(now()::date, (now() + interval '1 month')::date)`.execute(database);
}
