import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import { csvRow } from '../../frame/csv.ts';
import { addDays, dayOfHour, startOfDay } from '../rollups/rules.ts';
import { type Head, readHead } from '../rollups/store.ts';
import { countColumns, type HourlyRow, type Sum, Sums, sumOfRow } from '../rollups/sums.ts';
import { unpackHistograms } from '../slots/packing.ts';
import { percentilesOf } from './answers.ts';
import type { Filters } from './figures.ts';
import { isWanted, type RowNames, readRowNames } from './rows.ts';
import type { Span } from './spans.ts';

const header = [
  'from',
  'day',
  'timeZone',
  'environmentId',
  'environment',
  'proxyId',
  'proxy',
  'appId',
  'app',
  'productId',
  'product',
  'country',
  'requests',
  'status2xx',
  'status3xx',
  'status4xx',
  'status5xx',
  'limited',
  'requestBytes',
  'responseBytes',
  'gatewayTimeP50Us',
  'gatewayTimeP95Us',
  'gatewayTimeP99Us',
  'targetTimeP50Us',
  'targetTimeP95Us',
  'targetTimeP99Us',
] as const;

interface Export {
  readonly span: Span;
  readonly filters: Filters;
  readonly head: Head;
}

const rowsAtOnce = 2_000;

/** Rows of hours or days in the order of time; a piece of text at a time. */
export async function* exportCsv(
  database: ControlDatabase,
  organizationId: string,
  { span, filters, head }: Export,
): AsyncGenerator<string> {
  yield csvRow([...header]);
  // Each piece is a transaction of its own, since a slow reader must not keep one open.
  const inTransaction = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
    tenantTransaction(database, organizationId, work, { access: 'read only', onReplica: true, planned: true });
  if (span.days !== null) {
    for (let rest: readonly string[] = span.days; rest.length > 0; ) {
      const days = rest;
      const { lines, read } = await inTransaction((transaction) => linesOfDays(transaction, days, span, filters));
      for (let start = 0; start < lines.length; start += rowsAtOnce) {
        yield lines.slice(start, start + rowsAtOnce).join('');
      }
      rest = days.slice(read);
    }
    return;
  }
  for (let after: Row | null | undefined; after !== null; ) {
    const last: Row | undefined = after;
    const { lines, next } = await inTransaction((transaction) => linesOfHours(transaction, span, filters, head, last));
    if (lines.length > 0) yield lines.join('');
    after = next;
  }
}

interface Row extends HourlyRow {
  readonly hour: Date;
}

const keyColumns = ['environment_id', 'proxy_id', 'app_id', 'product_id', 'country'] as const;
const order = sql.join(['hour', ...keyColumns].map((column) => sql.ref(column)));
const columns = sql.join(countColumns.map((column) => sql.ref(column)));

/** The next hourly rows, and the last of them; null: there are no more. */
async function linesOfHours(
  transaction: TenantTransaction,
  { from, to }: Span,
  filters: Filters,
  head: Head,
  after: Row | undefined,
): Promise<{ readonly lines: readonly string[]; readonly next: Row | null }> {
  const { rows } = await sql<Row>`
    select ${order}, ${columns}, gateway_time::text, target_time::text from traffic_aggregates
    where organization_id = ${transaction.tenantId} and hour >= ${after?.hour ?? from} and hour < ${to} ${isWanted(filters)}
      ${
        after === undefined
          ? sql``
          : sql`and (${order}) > (${after.hour}, ${sql.join(keyColumns.map((column) => after[column]))})`
      }
    order by ${order} limit ${rowsAtOnce}`.execute(transaction);
  const names = await readRowNames(transaction, rows);
  const lines = rows.map((row) => lineOf(sumOfRow(row), row.hour, dayOfHour(row.hour, head), head, names));
  return { lines, next: rows.length < rowsAtOnce ? null : rows.at(-1)! };
}

/**
 * The rows of the first days: their sums, or of a day whose sums are not made or of which a part is asked for, those of its
 * hours.
 *
 * @returns with how many days were read, at least one
 */
async function linesOfDays(
  transaction: TenantTransaction,
  days: readonly string[],
  span: Span,
  filters: Filters,
): Promise<{ readonly lines: readonly string[]; readonly read: number }> {
  const head = await readHead(transaction);
  const from = startOfDay(days[0]!, head);
  const { rows: marks } = await sql<{ hour: Date }>`
    select distinct hour from traffic_marks
    where organization_id = ${transaction.tenantId} and hour >= ${from} and hour < ${span.to}`.execute(transaction);
  const marked = new Set(marks.map(({ hour }) => dayOfHour(hour, head)));
  const isSummed = (day: string) => {
    const end = startOfDay(addDays(day, 1), head);
    return end <= span.to && head.rolledUntil !== null && end <= head.rolledUntil && !marked.has(day);
  };
  const unsummed = days.findIndex((day) => !isSummed(day));
  if (unsummed !== 0) {
    const summed = unsummed === -1 ? days : days.slice(0, unsummed);
    const { rows, read } = await readDays(transaction, summed, filters);
    return { lines: await present(transaction, rows, head), read };
  }
  const end = startOfDay(addDays(days[0]!, 1), head);
  const sums = await sumHours(transaction, from, new Date(Math.min(end.getTime(), span.to.getTime())), filters);
  const rows = sums
    .toSorted((first, second) => (first.keys.join(' ') < second.keys.join(' ') ? -1 : 1))
    .map((sum) => ({ day: days[0]!, sum }));
  return { lines: await present(transaction, rows, head), read: 1 };
}

interface DayRow {
  readonly day: string;
  readonly sum: Sum;
}

async function present(
  transaction: TenantTransaction,
  rows: readonly DayRow[],
  head: Head,
): Promise<readonly string[]> {
  const names = await readRowNames(
    transaction,
    rows.map(
      ({
        sum: {
          keys: [environment_id, proxy_id, app_id, product_id],
        },
      }) => ({
        environment_id: environment_id!,
        proxy_id: proxy_id!,
        app_id: app_id!,
        product_id: product_id!,
      }),
    ),
  );
  const starts = new Map([...new Set(rows.map(({ day }) => day))].map((day) => [day, startOfDay(day, head)]));
  return rows.map(({ day, sum }) => lineOf(sum, starts.get(day)!, day, head, names));
}

/** The sums of the first days: whole days, as many as there are rows read at once, and at least one. */
async function readDays(
  transaction: TenantTransaction,
  days: readonly string[],
  filters: Filters,
): Promise<{ readonly rows: readonly DayRow[]; readonly read: number }> {
  const select = async (of: readonly string[], most: number | null) => {
    const { rows } = await sql<
      Omit<HourlyRow, 'gateway_time' | 'target_time'> & {
        readonly day: string;
        readonly gateway_time: Buffer;
        readonly target_time: Buffer;
      }
    >`
      select day::text, ${sql.join(keyColumns.map((column) => sql.ref(column)))}, ${columns}, gateway_time, target_time
      from traffic_days
      where organization_id = ${transaction.tenantId} and day >= ${of[0]!}::date and day <= ${of.at(-1)!}::date
        ${isWanted(filters)}
      order by traffic_days.day, ${sql.join(keyColumns.map((column) => sql.ref(column)))}
      limit ${most}`.execute(transaction);
    return rows;
  };
  const first = await select(days, rowsAtOnce);
  const last = first.length < rowsAtOnce ? null : first.at(-1)!.day;
  // The last day may have more rows: it is read with those after it, or alone.
  const isOne = last !== null && last === first[0]!.day;
  const rows = last === null ? first : isOne ? await select([last], null) : first.filter(({ day }) => day !== last);
  return {
    rows: rows.map((row) => ({
      day: row.day,
      sum: {
        keys: keyColumns.map((column) => row[column]),
        counts: countColumns.map((column) => Number(row[column])),
        rows: 1,
        gatewayTime: unpackHistograms([row.gateway_time]),
        targetTime: unpackHistograms([row.target_time]),
      },
    })),
    read: last === null ? days.length : days.indexOf(last) + (isOne ? 1 : 0),
  };
}

async function sumHours(
  transaction: TenantTransaction,
  from: Date,
  to: Date,
  filters: Filters,
): Promise<readonly Sum[]> {
  const { rows } = await sql<HourlyRow>`
    select ${order}, ${columns}, gateway_time::text, target_time::text from traffic_aggregates
    where organization_id = ${transaction.tenantId} and hour >= ${from} and hour < ${to} ${isWanted(filters)}`.execute(
    transaction,
  );
  const sums = new Sums();
  for (const row of rows) sums.add(sumOfRow(row));
  return sums.values();
}

function lineOf(sum: Sum, from: Date, day: string, { timeZone }: Head, names: RowNames): string {
  const [environmentId, proxyId, appId, productId, country] = sum.keys as [string, string, string, string, string];
  const percentiles = percentilesOf({ gatewayTime: sum.gatewayTime, targetTime: sum.targetTime, latency: [] });
  return csvRow([
    from.toISOString(),
    day,
    timeZone,
    environmentId,
    names.environment.get(environmentId)!.name,
    proxyId,
    names.proxy.get(proxyId)!.name,
    appId,
    names.app.get(appId)!.name,
    productId,
    names.product.get(productId)!.name,
    country,
    ...sum.counts.map(String),
    ...[
      percentiles.gatewayTimeP50Us,
      percentiles.gatewayTimeP95Us,
      percentiles.gatewayTimeP99Us,
      percentiles.targetTimeP50Us,
      percentiles.targetTimeP95Us,
      percentiles.targetTimeP99Us,
    ].map((value) => (value === null ? null : String(value))),
  ]);
}
