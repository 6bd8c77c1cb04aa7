import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Traffic by ten seconds, for two days. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    /* What nodes reported and is not merged yet: one row per batch, as it came. */
    create table traffic_reports (
      id bigint generated always as identity primary key,
      organization_id text not null,
      environment_id text not null,
      first_slot timestamptz not null,
      last_slot timestamptz not null,
      /* Rows, packed: apps/control/src/watch/slots/packing.ts. */
      rows bytea not null
    );
    /* They are packed, and soon deleted. */
    alter table traffic_reports alter column rows set storage external;

    /* Requests that ended in the ten seconds. Rows are only added; those of the same ten seconds, environment and proxy are
       parts of a sum. */
    create table traffic_slots (
      organization_id text not null,
      slot timestamptz not null,
      environment_id text not null,
      /* Empty: the sum of all proxies, which the live view reads. */
      proxy_id text not null,
      requests bigint not null,
      status_2xx bigint not null,
      status_3xx bigint not null,
      status_4xx bigint not null,
      status_5xx bigint not null,
      limited bigint not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      /* Histograms of microseconds, packed: those of parts, one after the other, are those of the sum. */
      gateway_time bytea not null,
      target_time bytea not null,
      latency bytea not null
    ) partition by range (slot);
    create index traffic_slots_by_slot on traffic_slots (organization_id, slot);
    create index traffic_slots_sums on traffic_slots (organization_id, slot) where proxy_id = '';

    /* Makes the partitions of these hours where they are missing. */
    create function add_traffic_slot_hours(hours timestamptz[]) returns void
    language plpgsql security definer set search_path from current set lock_timeout = '2s' set timezone = 'UTC' as $$
    declare
      hour timestamptz;
      partition text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('traffic_slots', 0));
      foreach hour in array hours loop
        hour := date_trunc('hour', hour);
        partition := 'traffic_slots_' || to_char(hour, 'YYYYMMDDHH24');
        continue when to_regclass(partition) is not null;
        /* Attached, not made as a partition, which would wait for everybody who reads. */
        execute format('create table %I (like traffic_slots)', partition);
        execute format('alter table %I enable row level security, force row level security', partition);
        execute format('alter table traffic_slots attach partition %I for values from (%L) to (%L)',
          partition, hour, hour + interval '1 hour');
      end loop;
    end $$;

    /* Drops the partitions of hours that ended before this, and returns how many. */
    create function drop_traffic_slot_hours(before timestamptz) returns integer
    language plpgsql security definer set search_path from current set lock_timeout = '2s' set timezone = 'UTC' as $$
    declare
      partition text;
      dropped integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtextextended('traffic_slots', 0));
      for partition in
        select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = 'traffic_slots'::regclass
          and relname <= 'traffic_slots_' || to_char(before - interval '1 hour', 'YYYYMMDDHH24')
      loop
        execute format('drop table %I', partition);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $$;
    revoke all on function add_traffic_slot_hours, drop_traffic_slot_hours from public;
    grant execute on function add_traffic_slot_hours, drop_traffic_slot_hours to ${sql.ref(serviceRole)};
  `.execute(database);
  await isolate(database, 'traffic_reports', sql.ref('organization_id'));
  await isolate(database, 'traffic_slots', sql.ref('organization_id'));
  await sql`
    grant select, insert, delete on traffic_reports to ${sql.ref(serviceRole)};
    grant select, insert on traffic_slots to ${sql.ref(serviceRole)}`.execute(database);
}
