import { type Kysely, sql } from 'kysely';
import type { ControlDatabase, Schema } from '../../database/schema.ts';
import { type PackedRow, packHistogram, unpackHistograms, unpackReport } from './packing.ts';
import { slotMs, slotRetentionMs } from './rules.ts';
import { inOrder, Sums } from './sums.ts';

const hourMs = 3_600_000;
/** Merged at once: some tens of megabytes at most. */
const mostReports = 200;
/** When reports are merged in the background: this long after each slot, for nodes send theirs within a second. */
const afterSlotMs = 2_500;

/**
 * Makes slots of what nodes reported since the last time, of all organizations, exactly once. Returns immediately where
 * another process is merging: `readSlots` includes what is not merged yet, so nobody has to wait for it.
 *
 * @returns how many reports were merged
 */
export async function mergeReports({ system }: Pick<ControlDatabase, 'system'>): Promise<number> {
  let merged = 0;
  for (let reports = mostReports; reports === mostReports; merged += reports) {
    reports = await system.transaction().execute(mergeSome);
  }
  return merged;
}

/**
 * Drops slots that are kept no longer.
 *
 * @returns how many hours were dropped
 */
export async function dropOldSlots({ system }: Pick<ControlDatabase, 'system'>): Promise<number> {
  const before = new Date(Date.now() - slotRetentionMs);
  const { rows } = await sql<{ hours: number }>`select drop_traffic_slot_hours(${before}) as hours`.execute(system);
  return rows[0]?.hours ?? 0;
}

async function mergeSome(transaction: Kysely<Schema>): Promise<number> {
  const { rows: leases } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('traffic_reports', 0)) as held`.execute(transaction);
  if (leases[0]?.held !== true) return 0;
  const { rows: reports } = await sql<{ organization_id: string; environment_id: string; rows: Buffer }>`
    delete from traffic_reports
    where id = any(array(select id from traffic_reports order by id limit ${mostReports}))
    returning organization_id, environment_id, rows`.execute(transaction);
  const oldestMs = Date.now() - slotRetentionMs;
  const organizations = new Map<string, Sums>();
  for (const { organization_id: organizationId, environment_id: environmentId, rows } of reports) {
    const sums = organizations.get(organizationId) ?? new Sums();
    organizations.set(organizationId, sums);
    for (const row of unpackReport(rows)) if (row.slotMs >= oldestMs) sums.add(environmentId, row);
  }
  const merged = [...organizations].map(([organizationId, sums]) => [organizationId, rowsOf(sums)] as const);
  const hours = new Set(merged.flatMap(([, rows]) => rows.map((row) => Math.floor(row.slotMs / hourMs) * hourMs)));
  if (hours.size > 0) {
    const beginnings = [...hours].map((hour) => new Date(hour));
    await sql`select add_traffic_slot_hours(${beginnings}::timestamptz[])`.execute(transaction);
  }
  for (const [organizationId, rows] of merged) await insertSlots(transaction, organizationId, rows);
  return reports.length;
}

interface MergedRow extends PackedRow {
  readonly environmentId: string;
}

/** The rows of proxies, and those of environments, which have no proxy. */
function rowsOf(sums: Sums): readonly MergedRow[] {
  const rows = packedRows(sums);
  const environments = new Sums();
  for (const row of rows) environments.add(row.environmentId, { ...row, proxyId: '' });
  return [...rows, ...packedRows(environments)];
}

function packedRows(sums: Sums): readonly MergedRow[] {
  return sums
    .values()
    .sort(inOrder)
    .map((sum) => ({ ...sum, histograms: sum.histograms.map(packed) }));
}

async function insertSlots(
  transaction: Kysely<Schema>,
  organizationId: string,
  rows: readonly MergedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const counts = (index: number) => sql`${rows.map((row) => row.counts[index]!)}::bigint[]`;
  const histograms = (index: number) => sql`${rows.map((row) => row.histograms[index]!)}::bytea[]`;
  await sql`
    insert into traffic_slots (organization_id, slot, environment_id, proxy_id, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time, target_time, latency)
    select ${organizationId}, given.* from unnest(
      ${rows.map(({ slotMs: atMs }) => new Date(atMs))}::timestamptz[],
      ${rows.map(({ environmentId }) => environmentId)}::text[], ${rows.map(({ proxyId }) => proxyId)}::text[],
      ${counts(0)}, ${counts(1)}, ${counts(2)}, ${counts(3)}, ${counts(4)}, ${counts(5)}, ${counts(6)}, ${counts(7)},
      ${histograms(0)}, ${histograms(1)}, ${histograms(2)}) as given`.execute(transaction);
}

/** The sum of the parts; a single part is that already. */
function packed(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : packHistogram(unpackHistograms(parts));
}

export interface SlotMerger {
  /** Waits for the merge in progress, and starts no further one. */
  stop(): Promise<void>;
}

/** Merges after each slot, and drops old slots every hour. Several processes can do so concurrently. */
export function startSlotMerger(parts: {
  readonly database: Pick<ControlDatabase, 'system'>;
  /** Called with an error; the next round tries again. */
  readonly onError: (error: unknown) => void;
}): SlotMerger {
  const { database, onError } = parts;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let droppedHour = 0;
  let running: Promise<void> = Promise.resolve();

  const round = async (): Promise<void> => {
    try {
      await mergeReports(database);
      const hour = Math.floor(Date.now() / hourMs);
      if (hour !== droppedHour) await dropOldSlots(database);
      droppedHour = hour;
    } catch (error) {
      onError(error);
    }
    wait();
  };
  const wait = (): void => {
    if (isStopped) return;
    timer = setTimeout(
      () => {
        running = round();
      },
      slotMs - ((Date.now() - afterSlotMs) % slotMs),
    );
    timer.unref();
  };
  wait();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
