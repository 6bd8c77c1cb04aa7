import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { trafficHeadLock } from '../../delivery/gateway-nodes/traffic-head.ts';
import { findBillingSettings } from '../../money/billing-settings/store.ts';
import { packHistogram } from '../slots/packing.ts';
import { addDays, type Days, dayOfHour, firstKeptDay, floorToHour, hourMs, settlingMs, startOfDay } from './rules.ts';
import { byDimension, countColumns, type HourlyRow, hourDimensions, type Sum, Sums, sumOfRow } from './sums.ts';

/** How far an organization's traffic is summed, and what its days are. */
export interface Head extends Days {
  /** Hours before this have sums, unless they are marked; null: none has. */
  readonly rolledUntil: Date | null;
}

/** The head; before the first round, nothing is summed and days are those of the settings. */
export async function readHead(transaction: TenantTransaction): Promise<Head> {
  const { rows } = await sql<{
    time_zone: string;
    rolled_until: Date | null;
    hours_from: Date | null;
    first_day: string | null;
  }>`
    select time_zone, rolled_until, hours_from, first_day::text from traffic_heads
    where organization_id = ${transaction.tenantId}`.execute(transaction);
  const row = rows[0];
  if (row === undefined) {
    const { timeZone } = await findBillingSettings(transaction);
    return { timeZone, rolledUntil: null, hoursFrom: null, firstDay: null };
  }
  return {
    timeZone: row.time_zone,
    rolledUntil: row.rolled_until,
    hoursFrom: row.hours_from,
    firstDay: row.first_day,
  };
}

/**
 * Moves the head to the last hour that is over, and marks the hours up to it. Waits for the batches that are being added,
 * and they for it. If the organization's time zone has changed, all of its days are marked.
 */
export async function advanceHead(transaction: TenantTransaction, now: Date): Promise<void> {
  const { tenantId } = transaction;
  const { timeZone } = await findBillingSettings(transaction);
  const until = floorToHour(new Date(now.getTime() - settlingMs));
  const isThere = ({ rolledUntil }: Head) => rolledUntil !== null && rolledUntil >= until;
  const before = await readHead(transaction);
  if (isThere(before) && before.timeZone === timeZone) return;
  await sql`select pg_advisory_xact_lock(${trafficHeadLock(tenantId)})`.execute(transaction);
  await sql`insert into traffic_heads (organization_id, time_zone) values (${tenantId}, ${timeZone})
    on conflict do nothing`.execute(transaction);
  const head = await readHead(transaction);
  if (head.timeZone !== timeZone) await changeTimeZone(transaction, { ...head, timeZone });
  if (isThere(head)) return;
  // Every hour, and not only those with rows, so that every day is summed when its last hour is over.
  const hours =
    head.rolledUntil === null
      ? sql`select distinct hour from (
          select hour from traffic_aggregates where organization_id = ${tenantId} and hour < ${until}
          union all select hour from route_traffic where organization_id = ${tenantId} and hour < ${until}
          union all select hour from node_traffic where organization_id = ${tenantId} and hour < ${until}) hours`
      : sql`select generate_series(${head.rolledUntil}::timestamptz, ${new Date(until.getTime() - hourMs)}, '1 hour')`;
  await sql`insert into traffic_marks (organization_id, hour)
    select ${tenantId}, hour from (${hours}) as given (hour)`.execute(transaction);
  await sql`update traffic_heads set rolled_until = ${until} where organization_id = ${tenantId}`.execute(transaction);
}

/** Days of hours that are dropped stay what they were; all others are summed again. */
async function changeTimeZone(transaction: TenantTransaction, head: Head): Promise<void> {
  const { tenantId } = transaction;
  const { rolledUntil, firstDay } = head;
  for (const table of ['traffic_day_sums', 'traffic_days']) {
    await sql`delete from ${sql.table(table)} where organization_id = ${tenantId}
      and (${firstDay}::date is null or day >= ${firstDay}::date)`.execute(transaction);
  }
  await sql`update traffic_heads set time_zone = ${head.timeZone} where organization_id = ${tenantId}`.execute(
    transaction,
  );
  if (rolledUntil === null) return;
  // One mark is enough to sum a day again.
  const { rows } = await sql<{ first: Date | null }>`
    select min(hour) as first from traffic_hour_sums
    where organization_id = ${tenantId} and dimension = 'all' and key = ''`.execute(transaction);
  const first = rows[0]?.first ?? null;
  if (first === null) return;
  const marks: Date[] = [];
  for (let day = dayOfHour(first, head); startOfDay(day, head) < rolledUntil; day = addDays(day, 1)) {
    marks.push(startOfDay(day, head));
  }
  await sql`insert into traffic_marks (organization_id, hour)
    select ${tenantId}, given.hour from unnest(${marks}::timestamptz[]) as given (hour)`.execute(transaction);
}

/**
 * Sums the marked hours of the latest day that has any, and the day itself if it is over, from their rows. What is added
 * meanwhile is marked, and stays so.
 *
 * @returns the day; null: nothing is marked, or another process is summing
 */
export async function rollDay(transaction: TenantTransaction): Promise<string | null> {
  const { tenantId } = transaction;
  const { rows: leases } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`traffic_marks ${tenantId}`}, 0)) as held`.execute(transaction);
  if (leases[0]?.held !== true) return null;
  const head = await readHead(transaction);
  const { rows: latest } = await sql<{ hour: Date }>`
    select hour from traffic_marks where organization_id = ${tenantId} order by hour desc limit 1`.execute(transaction);
  if (latest[0] === undefined || head.rolledUntil === null) return null;
  const day = dayOfHour(latest[0].hour, head);
  const from = startOfDay(day, head);
  const to = startOfDay(addDays(day, 1), head);
  const { rows: marks } = await sql<{ id: string; hour: Date }>`
    select id, hour from traffic_marks
    where organization_id = ${tenantId} and hour >= ${from} and hour < ${to}`.execute(transaction);
  const marked = new Set(marks.map(({ hour }) => hour.getTime()));
  const { hours, days } = await sumHours(transaction, to <= head.rolledUntil ? hoursOf(from, to) : [...marked], marked);
  await storeHours(transaction, [...marked], hours);
  if (to <= head.rolledUntil) await storeDay(transaction, day, from, to, days);
  await sql`delete from traffic_marks
    where organization_id = ${tenantId} and hour >= ${from} and hour < ${to}
      and id = any(${marks.map(({ id }) => id)}::bigint[])`.execute(transaction);
  return day;
}

function hoursOf(from: Date, to: Date): readonly number[] {
  return Array.from(
    { length: (to.getTime() - from.getTime()) / hourMs },
    (_, index) => from.getTime() + index * hourMs,
  );
}

type SumsBy = ReadonlyMap<(typeof hourDimensions)[number], Sums>;

/** Sums of hours by the hour and one dimension, and of all of them by one dimension or all. */
interface RolledSums {
  readonly hours: SumsBy;
  readonly days: { readonly by: SumsBy; readonly whole: Sums };
}

/** Hours that are read at once, and rows that are summed before others get a turn: some milliseconds. */
const hoursAtOnce = 6;
const turnRows = 500;

/** @param stored hours that are summed by themselves, too */
async function sumHours(
  transaction: TenantTransaction,
  hours: readonly number[],
  stored: ReadonlySet<number>,
): Promise<RolledSums> {
  const [ofHours, ofDays] = [0, 1].map(() => new Map(hourDimensions.map((dimension) => [dimension, new Sums()])));
  const whole = new Sums();
  for (let start = 0; start < hours.length; start += hoursAtOnce) {
    const some = hours.slice(start, start + hoursAtOnce).map((atMs) => new Date(atMs));
    const { rows } = await sql<HourlyRow & { readonly hour: Date }>`
      select hour, environment_id, proxy_id, app_id, product_id, country, ${columns()}, gateway_time::text,
        target_time::text
      from traffic_aggregates
      where organization_id = ${transaction.tenantId} and hour = any(${some}::timestamptz[])`.execute(transaction);
    const sums = new Map(hourDimensions.map((dimension) => [dimension, new Sums()]));
    for (const [index, row] of rows.entries()) {
      const sum = sumOfRow(row);
      whole.add(sum);
      for (const dimension of hourDimensions) {
        const part = byDimension(sum, dimension);
        sums.get(dimension)!.add({ ...part, keys: [row.hour.toISOString(), ...part.keys] });
      }
      if (index % turnRows === turnRows - 1) await turn();
    }
    for (const [dimension, ofHour] of sums) {
      for (const sum of ofHour.values()) {
        const [hour, ...keys] = sum.keys;
        if (stored.has(Date.parse(hour!))) ofHours!.get(dimension)!.add(sum);
        ofDays!.get(dimension)!.add({ ...sum, keys });
      }
    }
  }
  return { hours: ofHours!, days: { by: ofDays!, whole } };
}

async function storeHours(transaction: TenantTransaction, hours: readonly number[], sums: SumsBy): Promise<void> {
  await sql`delete from traffic_hour_sums where organization_id = ${transaction.tenantId}
    and hour = any(${hours.map((atMs) => new Date(atMs))}::timestamptz[])`.execute(transaction);
  for (const [dimension, values] of sums) {
    await insertSums(transaction, 'traffic_hour_sums', values.values(), ['hour', 'environment_id', 'key'], {
      dimension: sql`${dimension}::text`,
    });
  }
}

async function storeDay(
  transaction: TenantTransaction,
  day: string,
  from: Date,
  to: Date,
  { by, whole }: RolledSums['days'],
): Promise<void> {
  const { tenantId } = transaction;
  for (const table of ['traffic_day_sums', 'traffic_days']) {
    await sql`delete from ${sql.table(table)} where organization_id = ${tenantId} and day = ${day}`.execute(
      transaction,
    );
  }
  for (const [dimension, values] of by) {
    await insertSums(transaction, 'traffic_day_sums', values.values(), ['environment_id', 'key'], {
      dimension: sql`${dimension}::text`,
      day: sql`${day}::date`,
    });
  }
  const rowKeys = ['environment_id', 'proxy_id', 'app_id', 'product_id', 'country'];
  await insertSums(transaction, 'traffic_days', whole.values(), rowKeys, { day: sql`${day}::date` });
  const inDay = sql`organization_id = ${tenantId} and hour >= ${from} and hour < ${to}`;
  await sql`
    insert into traffic_day_sums (organization_id, dimension, key, day, environment_id, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, rows, gateway_time, target_time)
    select ${tenantId}, 'route', proxy_id || '/' || route_id, ${day}::date, environment_id, sum(requests), sum(status_2xx),
      sum(status_3xx), sum(status_4xx), sum(status_5xx), count(*), '', ''
    from route_traffic where ${inDay} group by environment_id, proxy_id, route_id`.execute(transaction);
  await sql`
    insert into traffic_day_sums (organization_id, dimension, key, day, environment_id, ${columns()}, rows, gateway_time,
      target_time)
    select ${tenantId}, 'gateway_node', node_id, ${day}::date, environment_id,
      ${sql.join(countColumns.map((column) => sql`sum(${sql.ref(column)})`))}, count(*), '', ''
    from node_traffic where ${inDay} group by environment_id, node_id`.execute(transaction);
}

const insertedRows = 2_000;

/**
 * @param keyNames the columns of the sums' keys, in their order
 * @param fixed columns that are the same in all of them
 */
async function insertSums(
  transaction: TenantTransaction,
  table: string,
  sums: readonly Sum[],
  keyNames: readonly string[],
  fixed: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  for (let start = 0; start < sums.length; start += insertedRows) {
    const part = sums.slice(start, start + insertedRows);
    const given = [
      ...keyNames.map((name, index) => {
        const type = sql.raw(name === 'hour' ? 'timestamptz[]' : 'text[]');
        return sql`${part.map(({ keys }) => keys[index]!)}::${type}`;
      }),
      ...countColumns.map((_name, index) => sql`${part.map(({ counts }) => counts[index]!)}::bigint[]`),
      sql`${part.map(({ rows }) => rows)}::bigint[]`,
      sql`${part.map(({ gatewayTime }) => packHistogram(gatewayTime))}::bytea[]`,
      sql`${part.map(({ targetTime }) => packHistogram(targetTime))}::bytea[]`,
    ];
    const names = [...keyNames, ...countColumns, 'rows', 'gateway_time', 'target_time'].map((name) => sql.ref(name));
    const fixedNames = Object.keys(fixed).map((name) => sql.ref(name));
    await sql`
      insert into ${sql.table(table)} (organization_id, ${sql.join([...fixedNames, ...names])})
      select ${transaction.tenantId}, ${sql.join(Object.values(fixed))}, given.*
      from unnest(${sql.join(given)}) as given`.execute(transaction);
  }
}

function columns() {
  return sql.join(countColumns.map((column) => sql.ref(column)));
}

/**
 * Lets go of the hours before those that are kept, once all of them are summed. Their days stay; what is counted for them
 * later counts for the first hour that is kept. Their partitions can be dropped once all organizations have let go.
 */
export async function letGoOfHours(transaction: TenantTransaction, now: Date): Promise<void> {
  const { tenantId } = transaction;
  await sql`select pg_advisory_xact_lock(${trafficHeadLock(tenantId)})`.execute(transaction);
  const head = await readHead(transaction);
  if (head.rolledUntil === null) return;
  const firstDay = firstKeptDay(now, head.timeZone);
  if (head.firstDay !== null && firstDay <= head.firstDay) return;
  const hoursFrom = startOfDay(firstDay, { timeZone: head.timeZone, hoursFrom: null, firstDay: null });
  const { rows: marks } = await sql`
    select from traffic_marks where organization_id = ${tenantId} and hour < ${hoursFrom} limit 1`.execute(transaction);
  if (marks.length > 0) return;
  // Of the months that are kept these are a few hours; whole months are dropped.
  const month = new Date(Date.UTC(hoursFrom.getUTCFullYear(), hoursFrom.getUTCMonth(), 1));
  for (const table of ['traffic_aggregates', 'route_traffic', 'route_failures', 'node_traffic', 'traffic_hour_sums']) {
    await sql`delete from ${sql.table(table)} where organization_id = ${tenantId}
      and hour >= ${month} and hour < ${hoursFrom}`.execute(transaction);
  }
  await sql`update traffic_heads set hours_from = ${hoursFrom}, first_day = ${firstDay}
    where organization_id = ${tenantId}`.execute(transaction);
}
