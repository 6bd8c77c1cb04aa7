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
    tenantTransaction(database, organizationId, work, { access: 'read only', planned: true });
  if (span.days !== null) {
    for (const day of span.days) {
      const lines = await inTransaction((transaction) => linesOfDay(transaction, day, span, filters));
      for (let start = 0; start < lines.length; start += rowsAtOnce) {
        yield lines.slice(start, start + rowsAtOnce).join('');
      }
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

/** A day's rows: its sums, or where they are not made or a part of the day is asked for, those of its hours. */
async function linesOfDay(
  transaction: TenantTransaction,
  day: string,
  span: Span,
  filters: Filters,
): Promise<readonly string[]> {
  const head = await readHead(transaction);
  const from = startOfDay(day, head);
  const end = startOfDay(addDays(day, 1), head);
  const to = new Date(Math.min(end.getTime(), span.to.getTime()));
  const { rows: marks } = await sql`
    select from traffic_marks where organization_id = ${transaction.tenantId} and hour >= ${from} and hour < ${to}
    limit 1`.execute(transaction);
  const isSummed = to >= end && head.rolledUntil !== null && end <= head.rolledUntil && marks.length === 0;
  const sums = isSummed ? await readDay(transaction, day, filters) : await sumHours(transaction, from, to, filters);
  const names = await readRowNames(
    transaction,
    sums.map(({ keys: [environment_id, proxy_id, app_id, product_id] }) => ({
      environment_id: environment_id!,
      proxy_id: proxy_id!,
      app_id: app_id!,
      product_id: product_id!,
    })),
  );
  return sums
    .toSorted((first, second) => (first.keys.join(' ') < second.keys.join(' ') ? -1 : 1))
    .map((sum) => lineOf(sum, from, day, head, names));
}

async function readDay(transaction: TenantTransaction, day: string, filters: Filters): Promise<readonly Sum[]> {
  const { rows } = await sql<
    Omit<HourlyRow, 'gateway_time' | 'target_time'> & { readonly gateway_time: Buffer; readonly target_time: Buffer }
  >`
    select ${sql.join(keyColumns.map((column) => sql.ref(column)))}, ${columns}, gateway_time, target_time
    from traffic_days where organization_id = ${transaction.tenantId} and day = ${day}::date ${isWanted(filters)}`.execute(
    transaction,
  );
  return rows.map((row) => ({
    keys: keyColumns.map((column) => row[column]),
    counts: countColumns.map((column) => Number(row[column])),
    rows: 1,
    gatewayTime: unpackHistograms([row.gateway_time]),
    targetTime: unpackHistograms([row.target_time]),
  }));
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
