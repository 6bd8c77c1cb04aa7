import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { mergeSlots, slotsOf } from '@millrace/control/slots/testing';
import { randomOf } from '@millrace/data-plane/testing-random';
import { eventually } from '@millrace/eventually';
import { Histogram } from '@millrace/histograms';
import {
  addConsumer,
  addNode,
  addProxy,
  addRevision,
  Client,
  deploy,
  isLive,
  nodeEnvironment,
  startPlatform,
  startProcess,
  type TestPlatform,
} from './testing-platform.ts';

const main = join(import.meta.dirname, 'main.ts');
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1_000_000));
const periodsMs = { slot: 10_000, minute: 60_000, hour: 3_600_000 } as const;

/** What a log or a table says of a period of a proxy, a route or a deployment. */
interface Total {
  requests: number;
  status2xx: number;
  status3xx: number;
  status4xx: number;
  status5xx: number;
}

interface TrafficTotal extends Total {
  limited: number;
  requestBytes: number;
  responseBytes: number;
  gatewayTime: readonly number[];
  targetTime: readonly number[];
}

interface Line {
  readonly time: string;
  readonly proxyId: string;
  readonly deploymentId: string;
  readonly routeId: string;
  readonly appId: string | null;
  readonly productId: string | null;
  readonly status: number;
  readonly limited: boolean;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly latencyUs: number;
  readonly targetTimeUs: number;
  readonly gatewayTimeUs: number;
  readonly target: string | null;
}

/** A way to the management API on which calls and answers about usage are lost, late and repeated. */
async function startUnreliableWay(controlUrl: string, random: () => number) {
  const lost = { calls: 0, answers: 0, repeated: 0 };
  const forward = async (
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<{ answer: IncomingMessage; text: Buffer }> => {
    const { method, headers, url } = incoming;
    const sent = request(`${controlUrl}${url}`, { method, headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { answer, text: Buffer.concat(await answer.toArray()) };
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray());
    const isUsage = incoming.url === '/api/gateway/usage';
    if (isUsage && random() < 0.3) {
      lost.calls += 1;
      return response.destroy();
    }
    if (isUsage) await setTimeout(random() ** 3 * 400);
    const first = forward(incoming, body);
    if (isUsage && random() < 0.3) {
      lost.repeated += 1;
      await forward(incoming, body);
    }
    const { answer, text } = await first;
    if (isUsage && random() < 0.3) {
      lost.answers += 1;
      return response.destroy();
    }
    return response.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('totals', () => {
  let platform: TestPlatform;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-totals-'));
  before(async () => {
    platform = await startPlatform();
  });
  after(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true });
  });

  test('the access log, slots, hours, routes, failures and deployments agree, whatever is killed, late and repeated', async (context) => {
    context.diagnostic(`TEST_SEED=${seed}`);
    const random = randomOf(seed);
    const { control, administrator, environmentId } = platform;
    const way = await startUnreliableWay(control.baseUrl, random);
    context.after(() => way.stop());
    const quota = { kind: 'quota', configuration: { limit: 10, window: { unit: 'day', count: 1 } } };
    const keyed = await addProxy(administrator, [{ kind: 'verify-api-key' }, quota]);
    const broken = await addProxy(administrator, []);
    await addRevision(administrator, broken, '/broken');
    const deployments = [
      await deploy(administrator, { proxyId: keyed.proxyId, environmentId, revision: 1 }),
      await deploy(administrator, { proxyId: broken.proxyId, environmentId, revision: 2 }),
    ];
    const consumers = await Promise.all([0, 1].map(() => addConsumer(administrator, [keyed.proxyId])));
    const nodes = await Promise.all(
      [0, 1].map(async (index) => ({
        settings: {
          ...nodeEnvironment(way.url, join(folder, String(index))),
          MILLRACE_GATEWAY_TOKEN: (await addNode(administrator, environmentId)).registrationToken,
          MILLRACE_GATEWAY_ACCESS_LOG: '1',
          MILLRACE_GATEWAY_USAGE_FLUSH_MS: '100',
        },
      })),
    );
    const lines: Line[] = [];
    const callAll = async (address: string, calls: number) => {
      const clients = Array.from({ length: 4 }, () => new Client());
      await Promise.all(
        clients.map(async (client) => {
          for (let call = 0; call < calls / clients.length; call += 1) {
            const { basePath } = random() < 0.6 ? keyed : broken;
            await client.get(`${address}${basePath}${random() < 0.1 ? '/nothing' : '/orders'}`, {
              'x-api-key': random() < 0.2 ? 'wrong' : consumers[random() < 0.7 ? 0 : 1]!.key,
              ...(random() < 0.1 ? { 'x-test-delay': String(Math.floor(random() * 500)) } : {}),
            });
          }
        }),
      );
      for (const client of clients) client.close();
    };
    /** Serves some requests and dies, by a signal at a random moment after the last was logged. */
    const live = async (settings: Record<string, string>, calls: number, signal: NodeJS.Signals) => {
      const node = await startProcess(main, settings);
      const logged = () =>
        node
          .output()
          .split('\n')
          .filter((line) => line.includes('"type":"access"'));
      let asked = 0;
      const askUntil = (status: number, { basePath }: { readonly basePath: string }, key = 'wrong') =>
        eventually(`the status ${status}`, async () => {
          asked += 1;
          const client = new Client();
          const url = `${node.address}${basePath}/orders`;
          return (await client.get(url, { 'x-api-key': key }).finally(() => client.close())).status === status;
        });
      await askUntil(500, broken);
      // However late a node learns of the keys, each app is known to one and used up there.
      if (signal === 'SIGTERM') for (const { key } of consumers) await askUntil(429, keyed, key);
      await callAll(node.address, calls);
      await eventually('all requests to be logged', () => logged().length >= asked + calls);
      await setTimeout(random() * 400);
      await node.end(signal);
      lines.push(...logged().map((line) => JSON.parse(line)));
    };
    let isOver = false;
    const merging = (async () => {
      for (; !isOver; await setTimeout(random() * 300)) await mergeSlots(control);
    })();
    await Promise.all(
      nodes.map(async ({ settings }, index) => {
        for (let life = 0; life < 3; life += 1) {
          await live(settings, 60, 'SIGKILL');
          if (life === 0 && index === 0) await Promise.all(deployments.map((id) => isLive(administrator, id)));
        }
        await live(settings, 40, 'SIGTERM');
      }),
    );

    const within = { from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 600_000) };
    const slots = () => slotsOf(control, administrator.organizationId, within);
    const counted = async () => (await slots()).reduce((sum, { requests }) => sum + requests, 0);
    const matched = lines.filter(({ proxyId }) => proxyId !== '');
    // What a stop could not deliver is delivered after the next start.
    await eventually('what was left behind', async () => {
      if ((await counted()) >= matched.length) return true;
      for (const { settings } of nodes) {
        const node = await startProcess(main, settings);
        await setTimeout(1_500);
        await node.end('SIGTERM');
      }
      return false;
    });
    isOver = true;
    await merging;
    context.diagnostic(`${lines.length} requests, ${JSON.stringify(way.lost)}`);

    const slotTotals = async () =>
      new Map(
        (await slots()).map(({ slot, environmentId: of, proxyId, latency, ...total }) => {
          assert.equal(of, environmentId);
          return [`${slot.toISOString()} ${proxyId}`, { ...total, latency }] as const;
        }),
      );
    const expectedSlots = trafficOf(matched, 'slot', ({ proxyId }) => proxyId);
    const latencies = histogramsOf(
      matched,
      (line) => `${endOf(line, 'slot')} ${line.proxyId}`,
      ({ latencyUs }) => latencyUs,
    );
    const expected = new Map(
      [...expectedSlots].map(([name, total]) => [name, { ...total, latency: latencies.get(name) }]),
    );
    assert.deepEqual(sorted(await slotTotals()), sorted(expected));
    await mergeSlots(control);
    assert.deepEqual(sorted(await slotTotals()), sorted(expected), 'after everything is merged');

    const { system } = control.opened.database;
    const hours = await system.selectFrom('traffic_aggregates').selectAll().execute();
    const stored = new Map<string, TrafficTotal>();
    for (const row of hours) {
      add(stored, `${row.hour.toISOString()} ${row.proxy_id}`, {
        ...statusesOf(row),
        limited: Number(row.limited),
        requestBytes: Number(row.request_bytes),
        responseBytes: Number(row.response_bytes),
        gatewayTime: row.gateway_time.map(Number),
        targetTime: row.target_time.map(Number),
      });
    }
    assert.deepEqual(sorted(stored), sorted(trafficOf(matched, 'hour', ({ proxyId }) => proxyId)));
    const routes = (await system.selectFrom('route_traffic').selectAll().execute()).map(
      (row) => [`${row.hour.toISOString()} ${row.route_id}`, statusesOf(row)] as const,
    );
    const routed = matched.filter(({ routeId }) => routeId !== '');
    assert.deepEqual(sorted(new Map(routes)), sorted(statusTotals(routed, 'hour', ({ routeId }) => routeId)));
    const failures = (await system.selectFrom('route_failures').selectAll().execute()).map(
      (row) =>
        [
          `${row.hour.toISOString()} ${row.app_id} ${row.product_id} ${row.route_id}`,
          { status4xx: Number(row.status_4xx), status5xx: Number(row.status_5xx) },
        ] as const,
    );
    const failed = matched.filter(({ appId, status }) => appId !== null && status >= 400);
    const expectedFailures = statusTotals(
      failed,
      'hour',
      ({ appId, productId, routeId }) => `${appId} ${productId ?? ''} ${routeId}`,
    );
    assert.deepEqual(
      sorted(new Map(failures)),
      sorted(expectedFailures).map(([name, { status4xx, status5xx }]) => [name, { status4xx, status5xx }]),
    );
    const failing = new Set(failed.map(({ appId }) => appId));
    assert.deepEqual(failing, new Set(consumers.map(({ appId }) => appId)), 'requests of both apps fail');
    const minutes = (await system.selectFrom('deployment_traffic').selectAll().execute()).map(
      (row) => [`${row.minute.toISOString()} ${row.deployment_id}`, statusesOf(row)] as const,
    );
    assert.deepEqual(
      sorted(new Map(minutes)),
      sorted(statusTotals(matched, 'minute', ({ deploymentId }) => deploymentId)),
    );
    const statuses = new Set(matched.map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted(), [200, 401, 404, 429, 500], 'each kind of answer occurs');
  });
});

function endOf({ time, latencyUs }: Line, period: keyof typeof periodsMs): string {
  const periodMs = periodsMs[period];
  return new Date(Math.floor((Date.parse(time) + latencyUs / 1_000) / periodMs) * periodMs).toISOString();
}

function trafficOf(lines: readonly Line[], period: keyof typeof periodsMs, of: (line: Line) => string) {
  const totals = new Map<string, TrafficTotal>();
  const encoded = (valueUs: number) => {
    const histogram = new Histogram();
    histogram.record(valueUs);
    return histogram.encode();
  };
  for (const line of lines) {
    add(totals, `${endOf(line, period)} ${of(line)}`, {
      ...statusOf(line),
      limited: Number(line.limited),
      requestBytes: line.requestBytes,
      responseBytes: line.responseBytes,
      gatewayTime: encoded(line.gatewayTimeUs),
      targetTime: line.target === null ? [] : encoded(line.targetTimeUs),
    });
  }
  return totals;
}

function statusTotals(lines: readonly Line[], period: keyof typeof periodsMs, of: (line: Line) => string) {
  const totals = new Map<string, Total>();
  for (const line of lines) add(totals, `${endOf(line, period)} ${of(line)}`, statusOf(line));
  return totals;
}

function histogramsOf(lines: readonly Line[], of: (line: Line) => string, valueUsOf: (line: Line) => number) {
  const histograms = new Map<string, Histogram>();
  for (const line of lines) {
    const histogram = histograms.get(of(line)) ?? new Histogram();
    histograms.set(of(line), histogram);
    histogram.record(valueUsOf(line));
  }
  return new Map([...histograms].map(([name, histogram]) => [name, histogram.encode()]));
}

function statusOf({ status }: Line): Total {
  const inClass = (first: number) => Number(Math.floor(status / 100) === first);
  return { requests: 1, status2xx: inClass(2), status3xx: inClass(3), status4xx: inClass(4), status5xx: inClass(5) };
}

function statusesOf(row: {
  readonly requests: string;
  readonly status_2xx: string;
  readonly status_3xx: string;
  readonly status_4xx: string;
  readonly status_5xx: string;
}): Total {
  return {
    requests: Number(row.requests),
    status2xx: Number(row.status_2xx),
    status3xx: Number(row.status_3xx),
    status4xx: Number(row.status_4xx),
    status5xx: Number(row.status_5xx),
  };
}

function add<Of extends object>(totals: Map<string, Of>, name: string, total: Of): void {
  const before = totals.get(name);
  if (before === undefined) {
    totals.set(name, total);
    return;
  }
  const values = before as Record<string, number | readonly number[]>;
  for (const [field, value] of Object.entries(total)) {
    const present = values[field];
    if (typeof value === 'number' && typeof present === 'number') values[field] = present + value;
    if (!Array.isArray(value) || !Array.isArray(present)) continue;
    const histogram = Histogram.from(present);
    histogram.addEncoded(value);
    values[field] = histogram.encode();
  }
}

function sorted<Of>(map: ReadonlyMap<string, Of>) {
  return [...map].toSorted(([first], [second]) => (first < second ? -1 : 1));
}
