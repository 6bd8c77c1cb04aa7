import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { type TrafficCounts, TrafficWindow, widestMs } from '../alert-rules/samples.ts';
import { type PackedRow, unpackHistograms, unpackReport } from '../slots/packing.ts';
import { slotMs } from '../slots/rules.ts';

/** How old a node's last heartbeat may be for it to count as reporting. */
const reportingMs = 30_000;

/** A proxy in an environment, and what its requests were. */
export interface TrafficPair {
  readonly key: string;
  readonly ids: { readonly [name in 'environmentId' | 'proxyId']: string };
  readonly window: TrafficWindow;
  /** Whether it is known that there were no other requests: a node of the environment reports. */
  readonly isReported: boolean;
}

/** An organization's traffic up to an evaluation. */
export interface Traffic {
  readonly pairs: readonly TrafficPair[];
  isReported(environmentId: string | null): boolean;
}

export function pairKey(environmentId: string, proxyId: string): string {
  return `${environmentId} ${proxyId}`;
}

/** A pair's window of slots, the newest first; those without requests may be missing. */
export function trafficPair(
  { environmentId, proxyId }: { readonly environmentId: string; readonly proxyId: string },
  given: readonly (TrafficCounts | undefined)[],
  isReported: Traffic['isReported'],
): TrafficPair {
  const slots = Array.from({ length: widestMs / slotMs }, (_, index) => given[index]);
  return {
    key: pairKey(environmentId, proxyId),
    ids: { environmentId, proxyId },
    window: new TrafficWindow(slots, slotMs / 1_000),
    isReported: isReported(environmentId),
  };
}

/** The parts of a slot; histograms are only added where a rule asks. */
class SlotSum implements TrafficCounts {
  requests = 0;
  status4xx = 0;
  status5xx = 0;
  limited = 0;
  readonly #parts: (readonly Buffer[])[] = [];
  readonly #sums: (readonly number[] | undefined)[] = [];

  add({ counts, histograms }: Pick<PackedRow, 'counts' | 'histograms'>): void {
    this.requests += counts[0]!;
    this.status4xx += counts[3]!;
    this.status5xx += counts[4]!;
    this.limited += counts[5]!;
    this.#parts.push(histograms);
  }

  get gatewayTime(): readonly number[] {
    return this.#sum(0);
  }

  get targetTime(): readonly number[] {
    return this.#sum(1);
  }

  get latency(): readonly number[] {
    return this.#sum(2);
  }

  #sum(index: number): readonly number[] {
    this.#sums[index] ??= unpackHistograms(this.#parts.map((parts) => parts[index]!));
    return this.#sums[index];
  }
}

interface PairSlots {
  readonly environmentId: string;
  readonly proxyId: string;
  /** The newest first. */
  readonly slots: (SlotSum | undefined)[];
}

interface SlotRow {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly proxy_id: string | null;
  readonly slot: Date | null;
  readonly requests: string | null;
  readonly status_4xx: string | null;
  readonly status_5xx: string | null;
  readonly limited: string | null;
  readonly gateway_time: Buffer | null;
  readonly target_time: Buffer | null;
  readonly latency: Buffer | null;
  readonly report: Buffer | null;
}

const nothing = Buffer.alloc(0);

/** By organization, whether a rule of it watches a latency, for which histograms are read. */
export type WatchedOrganizations = ReadonlyMap<string, { readonly latency: boolean }>;

/**
 * What the proxies of organizations did in the slots up to a moment, in two statements; reports that aren't merged yet are
 * included. Proxies that are deployed are listed without requests too.
 */
export async function readTraffic(
  system: Kysely<Schema>,
  organizations: WatchedOrganizations,
  at: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const ids = [...organizations.keys()];
  if (ids.length === 0) return new Map();
  const toMs = at.getTime();
  const fromMs = toMs - widestMs;
  const found = new Map<string, Map<string, PairSlots>>(ids.map((id) => [id, new Map()]));
  const pairOf = (organizationId: string, environmentId: string, proxyId: string): PairSlots => {
    const pairs = found.get(organizationId)!;
    const key = pairKey(environmentId, proxyId);
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const pair = { environmentId, proxyId, slots: [] };
    pairs.set(key, pair);
    return pair;
  };
  const add = (organizationId: string, environmentId: string, row: PackedRow): void => {
    if (row.slotMs < fromMs || row.slotMs >= toMs) return;
    const { slots } = pairOf(organizationId, environmentId, row.proxyId);
    const index = (toMs - row.slotMs) / slotMs - 1;
    const sum = slots[index] ?? new SlotSum();
    slots[index] = sum;
    sum.add(row);
  };
  for (const row of await readRows(system, organizations, new Date(fromMs), at)) {
    if (row.report === null) add(row.organization_id, row.environment_id, packedOf(row));
    else for (const packed of unpackReport(row.report)) add(row.organization_id, row.environment_id, packed);
  }
  const { rows: known } = await sql<{ organization_id: string; environment_id: string; proxy_id: string | null }>`
    select distinct organization_id, environment_id, proxy_id from deployments
    where organization_id = any(${ids}) and ended_at is null and state = 'live'
    union all
    select distinct organization_id, environment_id, null from gateway_nodes
    where organization_id = any(${ids}) and last_heartbeat_at >= ${new Date(toMs - reportingMs)}`.execute(system);
  const reporting = new Set<string>();
  for (const { organization_id: organizationId, environment_id: environmentId, proxy_id: proxyId } of known) {
    if (proxyId === null) reporting.add(`${organizationId} ${environmentId}`);
    else pairOf(organizationId, environmentId, proxyId);
  }
  for (const [organizationId, pairs] of found) {
    for (const { environmentId, slots } of pairs.values()) {
      if (slots[0] !== undefined) reporting.add(`${organizationId} ${environmentId}`);
    }
  }
  return new Map(
    [...found].map(([organizationId, pairs]) => {
      const isReported = (environmentId: string | null) => reporting.has(`${organizationId} ${environmentId}`);
      return [
        organizationId,
        { pairs: [...pairs.values()].map((pair) => trafficPair(pair, pair.slots, isReported)), isReported },
      ];
    }),
  );
}

async function readRows(
  system: Kysely<Schema>,
  organizations: WatchedOrganizations,
  from: Date,
  to: Date,
): Promise<readonly SlotRow[]> {
  const ids = [...organizations.keys()];
  const withTimes = ids.filter((id) => organizations.get(id)!.latency);
  const time = (column: string) =>
    sql`case when organization_id = any(${withTimes}) then ${sql.ref(column)} end as ${sql.ref(column)}`;
  const { rows } = await sql<SlotRow>`
    select organization_id, environment_id, proxy_id, slot, requests, status_4xx, status_5xx, limited,
      ${time('gateway_time')}, ${time('target_time')}, ${time('latency')}, null::bytea as report
    from traffic_slots where organization_id = any(${ids}) and slot >= ${from} and slot < ${to}
      and proxy_id <> ''
    union all
    select organization_id, environment_id, null, null, null, null, null, null, null, null, null, rows
    from traffic_reports where organization_id = any(${ids}) and last_slot >= ${from} and first_slot < ${to}`.execute(
    system,
  );
  return rows;
}

function packedOf(row: SlotRow): PackedRow {
  return {
    slotMs: row.slot!.getTime(),
    proxyId: row.proxy_id!,
    counts: [Number(row.requests), 0, 0, Number(row.status_4xx), Number(row.status_5xx), Number(row.limited)],
    histograms: [row.gateway_time ?? nothing, row.target_time ?? nothing, row.latency ?? nothing],
  };
}
