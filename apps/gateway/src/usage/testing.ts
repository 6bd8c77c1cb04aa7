import { newRecord, type RequestRecord } from '@millrace/data-plane/record';
import { randomOf } from '@millrace/data-plane/testing-random';
import type { UsageBatch, UsageRows } from '@millrace/gateway-configuration/reports';
import { Histogram } from '@millrace/histograms';

/** The requests of a turn of the event loop, always the same for the same number; each has its turn as its route. */
export function requestsOfTurn(turn: number): RequestRecord[] {
  const random = randomOf(turn);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
    const proxy = pick(['a', 'b', 'c']);
    const targetTimeUs = Math.floor(random() ** 4 * 1_000_000);
    const gatewayTimeUs = Math.floor(random() * 100);
    const status = pick([200, 201, 204, 304, 401, 429, 499, 502, 101]);
    return {
      ...newRecord(),
      startedAtMs: Date.UTC(2026, 0, 15, 9) + turn * 20_000,
      proxyId: `prx_${proxy}`,
      deploymentId: `dep_${proxy}`,
      routeId: `rte_${turn}`,
      appId: pick([null, 'app_x', 'app_ÿ', 'app_z']),
      productId: pick([null, 'prd_1']),
      termId: pick([null, 'trm_1', 'trm_2']),
      country: pick(['DE', 'FR', 'ZZ']),
      status,
      refused: status === 401 || status === 429,
      limited: status === 429,
      target: status === 401 ? null : '10.0.0.7:8080',
      requestBytes: Math.floor(random() * 2 ** 33),
      responseBytes: Math.floor(random() * 1_000),
      microUnits: Math.floor(random() * 5_000_000),
      unitsState: pick(['counted', 'counted', 'missing', 'unreadable', 'uncounted']),
      targetTimeUs,
      gatewayTimeUs,
      latencyUs: targetTimeUs + gatewayTimeUs,
    };
  });
}

/** What a control plane has: the rows of all batches, each batch once, however often it comes. */
export class Received {
  readonly #ids = new Set<string>();
  readonly #rows = new Map<string, Record<string, unknown>>();

  apply(batch: UsageBatch): boolean {
    const id = `${batch.streamId} ${batch.sequence}`;
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    this.add(batch);
    return true;
  }

  add({ traffic, deployments, routes, metered, slots, failures }: UsageRows): void {
    for (const [kind, rows] of Object.entries({ traffic, deployments, routes, slots, failures })) {
      for (const row of rows) this.#addRow(kind, row);
    }
    for (const { statusClass, units, ...row } of metered) {
      // Whole numbers, so that they are compared exactly.
      const [whole = '', fraction = ''] = units.split('.');
      const microUnits = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
      this.#addRow('metered', { ...row, statusClass: String(statusClass), microUnits });
    }
  }

  #addRow(kind: string, row: object): void {
    const entries = Object.entries(row);
    const key = [kind, ...entries.filter(([, value]) => typeof value === 'string' || value === null).flat()].join(' ');
    const present = this.#rows.get(key);
    if (present === undefined) {
      this.#rows.set(key, { ...row });
      return;
    }
    for (const [name, value] of entries) {
      const before = present[name];
      if (typeof value === 'number' && typeof before === 'number') present[name] = before + value;
      if (!Array.isArray(value) || !Array.isArray(before)) continue;
      const histogram = Histogram.from(before);
      histogram.addEncoded(value);
      present[name] = histogram.encode();
    }
  }

  /** By what they are counted by. */
  get rows(): ReadonlyMap<string, unknown> {
    return new Map([...this.#rows].sort(([first], [second]) => (first < second ? -1 : 1)));
  }

  /** Turns of which requests were counted. */
  get turns(): ReadonlySet<number> {
    const turns = [...this.#rows.values()].flatMap(({ routeId }) =>
      typeof routeId === 'string' ? [Number(routeId.slice('rte_'.length))] : [],
    );
    return new Set(turns);
  }
}

function meteredOf(request: RequestRecord, termId: string): UsageRows['metered'][number] {
  const { startedAtMs, proxyId, requestBytes, responseBytes, microUnits, unitsState } = request;
  return {
    quarter: new Date(Math.floor(startedAtMs / 900_000) * 900_000).toISOString(),
    termId,
    proxyId,
    statusClass: request.refused ? 0 : Math.floor(request.status / 100),
    requests: 1,
    requestBytes,
    responseBytes,
    units: `${Math.floor(microUnits / 1_000_000)}.${String(microUnits % 1_000_000).padStart(6, '0')}`,
    withoutUnits: unitsState === 'missing' ? 1 : 0,
    unreadableUnits: unitsState === 'unreadable' ? 1 : 0,
  };
}

function failureOf({ proxyId, routeId, productId, status }: RequestRecord, appId: string, hour: string) {
  const isError = status >= 500;
  const counts = { status4xx: isError ? 0 : 1, status5xx: isError ? 1 : 0 };
  return { hour, proxyId, routeId: routeId || null, appId, productId, ...counts };
}

/** What must have been received of these requests, counted one by one. */
export function countOf(requests: Iterable<RequestRecord>): Received {
  const received = new Received();
  const encoded = (value: number) => {
    const histogram = new Histogram();
    histogram.record(value);
    return histogram.encode();
  };
  for (const request of requests) {
    const endedAtMs = request.startedAtMs + request.latencyUs / 1_000;
    const beginningOf = (periodMs: number) => new Date(Math.floor(endedAtMs / periodMs) * periodMs).toISOString();
    const hour = beginningOf(3_600_000);
    const { proxyId, appId, productId, termId, country, deploymentId, routeId, requestBytes, responseBytes } = request;
    const inClass = (first: number) => (Math.floor(request.status / 100) === first ? 1 : 0);
    const counts = {
      requests: 1,
      status2xx: inClass(2),
      status3xx: inClass(3),
      status4xx: inClass(4),
      status5xx: inClass(5),
    };
    const sizes = { limited: request.limited ? 1 : 0, requestBytes, responseBytes };
    const times = {
      gatewayTime: encoded(request.gatewayTimeUs),
      targetTime: request.target === null ? [] : encoded(request.targetTimeUs),
    };
    const latency = encoded(request.latencyUs);
    received.add({
      traffic: [
        {
          hour,
          proxyId,
          appId,
          productId,
          country,
          ...counts,
          ...sizes,
          ...times,
        },
      ],
      deployments: [
        {
          minute: beginningOf(60_000),
          deploymentId,
          ...counts,
          latency,
        },
      ],
      routes: [{ hour, proxyId, routeId, ...counts }],
      failures: appId === null || request.status < 400 ? [] : [failureOf(request, appId, hour)],
      metered: termId === null ? [] : [meteredOf(request, termId)],
      slots: [{ slot: beginningOf(10_000), proxyId, ...counts, ...sizes, ...times, latency }],
    });
  }
  return received;
}

export function countOfTurns(turns: Iterable<number>): Received {
  return countOf([...turns].flatMap(requestsOfTurn));
}
