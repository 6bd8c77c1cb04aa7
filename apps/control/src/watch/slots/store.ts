import type { SlotRow } from '@millrace/gateway-configuration/reports';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type PackedRow, packReport, unpackReport } from './packing.ts';
import { slotMs, slotRetentionMs } from './rules.ts';
import { countsOf, histogramsOf, inOrder, Sums } from './sums.ts';

/** Counts of requests that ended in a slot, or in several that were added. */
export interface SlotCounts {
  readonly requests: number;
  readonly status2xx: number;
  readonly status3xx: number;
  readonly status4xx: number;
  readonly status5xx: number;
  /** Refused by the gateway with 429. */
  readonly limited: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Histograms of microseconds, as `@millrace/histograms` encodes them: `addEncoded`, `Histogram.from(…).percentile`. */
  readonly gatewayTime: readonly number[];
  /** Only requests that called a target. */
  readonly targetTime: readonly number[];
  /** From the head of the request to the end of the answer. */
  readonly latency: readonly number[];
}

/** All requests of a proxy in an environment that ended in a slot. */
export interface Slot extends SlotCounts {
  /** Its beginning. */
  readonly slot: Date;
  readonly environmentId: string;
  readonly proxyId: string;
}

export interface SlotQuery {
  /** Slots that begin at this or later, and before `to`. */
  readonly from: Date;
  readonly to: Date;
  readonly environmentId?: string | undefined;
  readonly proxyId?: string | undefined;
}

/** Keeps what nodes counted until it is merged, except for what is too old. */
export async function addReports(
  transaction: TenantTransaction,
  reports: readonly { readonly environmentId: string; readonly rows: readonly SlotRow[] }[],
): Promise<void> {
  const oldestMs = Date.now() - slotRetentionMs;
  for (const { environmentId, rows: counted } of reports) {
    const rows = counted.filter(({ slot }) => Date.parse(slot) >= oldestMs);
    if (rows.length === 0) continue;
    const times = rows.map(({ slot }) => Date.parse(slot));
    await transaction
      .insertInto('traffic_reports')
      .values({
        organization_id: transaction.tenantId,
        environment_id: environmentId,
        first_slot: new Date(Math.min(...times)),
        last_slot: new Date(Math.max(...times)),
        rows: packReport(rows),
      })
      .execute();
  }
}

/**
 * Slots of the organization, in the order of slot, environment and proxy; those without requests are left out. Exact at
 * any moment: reports that are not merged yet are included. Works in a transaction that only reads.
 */
export async function readSlots(transaction: TenantTransaction, query: SlotQuery): Promise<readonly Slot[]> {
  const sums = new Sums();
  const { rows } = await sql<StoredRow>`
    select slot, environment_id, proxy_id, requests, status_2xx, status_3xx, status_4xx, status_5xx, limited,
      request_bytes, response_bytes, gateway_time, target_time, latency, null::bytea as report
    from traffic_slots where ${isWanted(transaction, query)} and proxy_id <> ''
    union all ${reportsOf(transaction, query)}`.execute(transaction);
  for (const row of rows) {
    if (row.report === null) sums.add(row.environment_id!, packedOf(row));
    else for (const packed of wantedRows(row.report, query)) sums.add(row.environment_id!, packed);
  }
  return sums
    .values()
    .sort(inOrder)
    .map((sum) => ({
      slot: new Date(sum.slotMs),
      environmentId: sum.environmentId,
      proxyId: sum.proxyId,
      ...countsOf(sum),
      ...histogramsOf(sum),
    }));
}

/** What has no histograms. */
export type RequestCounts = Omit<SlotCounts, 'gatewayTime' | 'targetTime' | 'latency'>;

/** Slots added up: over all environments and proxies for `slots`, over time for `proxies`. */
export interface Live {
  /** By step, oldest first; those without requests are left out. */
  readonly slots: readonly (SlotCounts & { readonly slot: Date })[];
  /** By environment and proxy, those with the most requests first. */
  readonly proxies: readonly (RequestCounts & { readonly environmentId: string; readonly proxyId: string })[];
}

/**
 * The same slots as {@link readSlots}, added up.
 *
 * @param query.stepMs what `slots` are added up to, a multiple of {@link slotMs}; by default that
 */
export async function readLive(
  transaction: TenantTransaction,
  query: SlotQuery & { readonly stepMs?: number },
): Promise<Live> {
  const { stepMs = slotMs } = query;
  const bySlot = new Sums();
  const byProxy = new Sums();
  const { rows } = await sql<StoredRow>`
    select date_bin(${stepMs} * interval '1 ms', slot, 'epoch') as slot, null as environment_id, null as proxy_id,
      ${sumsOfCounts}, string_agg(gateway_time, '') as gateway_time, string_agg(target_time, '') as target_time,
      string_agg(latency, '') as latency, null::bytea as report
    from traffic_slots
    where ${isWanted(transaction, query)} ${query.proxyId === undefined ? sql`and proxy_id = ''` : sql``}
    group by 1
    union all
    select null, environment_id, proxy_id, ${sumsOfCounts}, '', '', '', null
    from traffic_slots where ${isWanted(transaction, query)} and proxy_id <> ''
    group by environment_id, proxy_id
    union all ${reportsOf(transaction, query)}`.execute(transaction);
  const inStep = (row: PackedRow) => ({ ...row, slotMs: Math.floor(row.slotMs / stepMs) * stepMs, proxyId: '' });
  for (const row of rows) {
    if (row.report !== null) {
      for (const packed of wantedRows(row.report, query)) {
        bySlot.add('', inStep(packed));
        byProxy.add(row.environment_id!, { ...packed, slotMs: 0, histograms: [] });
      }
    } else if (row.environment_id === null) bySlot.add('', inStep(packedOf(row)));
    else byProxy.add(row.environment_id, { ...packedOf(row), histograms: [] });
  }
  return {
    slots: bySlot
      .values()
      .sort(inOrder)
      .map((sum) => ({ slot: new Date(sum.slotMs), ...countsOf(sum), ...histogramsOf(sum) })),
    proxies: byProxy
      .values()
      .sort((first, second) => second.counts[0]! - first.counts[0]! || inOrder(first, second))
      .map((sum) => ({ environmentId: sum.environmentId, proxyId: sum.proxyId, ...countsOf(sum) })),
  };
}

const sumsOfCounts = sql`sum(requests) as requests, sum(status_2xx) as status_2xx, sum(status_3xx) as status_3xx,
  sum(status_4xx) as status_4xx, sum(status_5xx) as status_5xx, sum(limited) as limited,
  sum(request_bytes) as request_bytes, sum(response_bytes) as response_bytes`;

/** Merged slots, or with `report` some that are not. */
interface StoredRow {
  /** Null in sums over time. */
  readonly slot: Date | null;
  /** Null in sums over environments and proxies. */
  readonly environment_id: string | null;
  readonly proxy_id: string | null;
  /** Numbers arrive as strings. */
  readonly requests: string;
  readonly status_2xx: string;
  readonly status_3xx: string;
  readonly status_4xx: string;
  readonly status_5xx: string;
  readonly limited: string;
  readonly request_bytes: string;
  readonly response_bytes: string;
  readonly gateway_time: Buffer;
  readonly target_time: Buffer;
  readonly latency: Buffer;
  readonly report: Buffer | null;
}

function packedOf(row: StoredRow): PackedRow {
  return {
    slotMs: row.slot?.getTime() ?? 0,
    proxyId: row.proxy_id ?? '',
    counts: [
      Number(row.requests),
      Number(row.status_2xx),
      Number(row.status_3xx),
      Number(row.status_4xx),
      Number(row.status_5xx),
      Number(row.limited),
      Number(row.request_bytes),
      Number(row.response_bytes),
    ],
    histograms: [row.gateway_time, row.target_time, row.latency],
  };
}

function isWanted(transaction: TenantTransaction, { from, to, environmentId, proxyId }: SlotQuery) {
  return sql<boolean>`organization_id = ${transaction.tenantId} and slot >= ${from} and slot < ${to}
    ${environmentId === undefined ? sql`` : sql`and environment_id = ${environmentId}`}
    ${proxyId === undefined ? sql`` : sql`and proxy_id = ${proxyId}`}`;
}

/** Reports that have slots of this time, as {@link StoredRow}s. */
function reportsOf(transaction: TenantTransaction, { from, to, environmentId }: SlotQuery) {
  return sql`
    select null, environment_id, null, null, null, null, null, null, null, null, null, null, null, null, rows
    from traffic_reports
    where organization_id = ${transaction.tenantId} and last_slot >= ${from} and first_slot < ${to}
      ${environmentId === undefined ? sql`` : sql`and environment_id = ${environmentId}`}`;
}

function* wantedRows(report: Buffer, { from, to, proxyId }: SlotQuery): Generator<PackedRow> {
  for (const row of unpackReport(report)) {
    const isInTime = row.slotMs >= from.getTime() && row.slotMs < to.getTime();
    if (isInTime && (proxyId === undefined || row.proxyId === proxyId)) yield row;
  }
}
