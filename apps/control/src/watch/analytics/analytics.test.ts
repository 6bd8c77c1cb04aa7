import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import type { UsageBatch } from '@millrace/gateway-configuration/reports';
import { addEncoded, Histogram } from '@millrace/histograms';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { addApp, addProduct, done } from '../../consumers/products/testing.ts';
import { addNode, type TestNode } from '../../delivery/gateway-nodes/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { keepTraffic, rollTraffic } from '../rollups/roller.ts';
import { advanceHead, rollDay } from '../rollups/store.ts';

const hourMs = 3_600_000;
const thisHourMs = Math.floor(Date.now() / hourMs) * hourMs;

type TrafficRow = UsageBatch['traffic'][number];

/** A row as plain SQL reads it. */
interface PlainRow {
  readonly hour: Date;
  readonly environment_id: string;
  readonly proxy_id: string;
  readonly app_id: string;
  readonly product_id: string;
  readonly country: string;
  readonly counts: readonly number[];
  readonly gatewayTime: readonly number[];
  readonly targetTime: readonly number[];
}

const names = [
  'requests',
  'status2xx',
  'status3xx',
  'status4xx',
  'status5xx',
  'limited',
  'requestBytes',
  'responseBytes',
] as const;

/** Mulberry32: the same numbers at every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

type Made = Pick<Site, 'control' | 'organizationId' | 'administrator' | 'proxyIds' | 'appIds' | 'productIds' | 'nodes'>;

/** An organization with two environments, three proxies, and a node in each environment. */
class Site {
  readonly control: TestControl;
  readonly organizationId: string;
  readonly administrator: TestCaller;
  readonly proxyIds: readonly string[];
  readonly appIds: readonly (string | null)[];
  readonly productIds: readonly (string | null)[];
  readonly nodes: readonly { readonly id: string; readonly environmentId: string; readonly node: TestNode }[];
  readonly random: (below: number) => number;

  private constructor(fields: Made, seed: number) {
    this.control = fields.control;
    this.organizationId = fields.organizationId;
    this.administrator = fields.administrator;
    this.proxyIds = fields.proxyIds;
    this.appIds = fields.appIds;
    this.productIds = fields.productIds;
    this.nodes = fields.nodes;
    this.random = randomOf(seed);
  }

  static async open(control: TestControl, seed: number): Promise<Site> {
    const organizationId = await control.addOrganization();
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const proxyIds: string[] = [];
    for (const name of ['orders', 'customers', '-stock']) {
      const body = { name: `api${name.replace('-', '')}`, displayName: name, basePath: `/v1/${name.replace('-', '')}` };
      proxyIds.push((await done(administrator, 'POST', '/proxies', body)).id);
    }
    const nodes: { id: string; environmentId: string; node: TestNode }[] = [];
    for (let count = 0; count < 2; count++) {
      const body = { name: `place-${count}`, displayName: `Place ${count}` };
      const environmentId = (await done(administrator, 'POST', '/environments', body)).id;
      const node = await addNode(control, administrator, environmentId);
      nodes.push({ id: node.id, environmentId, node });
    }
    const appIds = [null, await addApp(administrator), await addApp(administrator)];
    const productIds = [null, await addProduct(administrator)];
    return new Site({ control, organizationId, administrator, proxyIds, appIds, productIds, nodes }, seed);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.random(values.length)]!;
  }

  row(hoursAgo: number): TrafficRow {
    const [status2xx, status3xx, limited, clientErrors, status5xx] = [20, 3, 4, 3, 3].map(this.random);
    const requests = status2xx! + status3xx! + limited! + clientErrors! + status5xx! + 1;
    const histogram = (count: number) => {
      const times = new Histogram();
      for (let index = 0; index < count; index++) times.record(100 * 2 ** this.random(12) + this.random(100));
      return times.encode();
    };
    return {
      hour: new Date(thisHourMs - hoursAgo * hourMs).toISOString(),
      proxyId: this.pick(this.proxyIds),
      appId: this.pick(this.appIds),
      productId: this.pick(this.productIds),
      country: this.pick(['DE', 'FR', 'ZZ']),
      requests,
      status2xx: status2xx! + 1,
      status3xx: status3xx!,
      status4xx: limited! + clientErrors!,
      status5xx: status5xx!,
      limited: limited!,
      requestBytes: this.random(10_000),
      responseBytes: this.random(100_000),
      gatewayTime: histogram(requests),
      targetTime: histogram(requests - limited!),
    };
  }

  /** Sends rows of these hours before now, as a node does. */
  async send(rows: readonly TrafficRow[], routes: UsageBatch['routes'] = []): Promise<void> {
    const { node } = this.pick(this.nodes);
    const batch = { streamId: newId('usb'), sequence: 0, traffic: rows, routes, deployments: [], metered: [] };
    const { status, data } = await node.call('POST', '/gateway/usage', batch);
    assert.deepEqual([status, data.applied], [200, true], JSON.stringify(data));
  }

  get(path: string, query: Readonly<Record<string, string | undefined>>) {
    return done(this.administrator, 'GET', `${path}?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`);
  }

  async rows(): Promise<readonly PlainRow[]> {
    const { rows } = await sql<Record<string, string> & { hour: Date; gateway_time: string[]; target_time: string[] }>`
      select * from traffic_aggregates where organization_id = ${this.organizationId}`.execute(
      this.control.opened.database.system,
    );
    const columns = [
      'requests',
      'status_2xx',
      'status_3xx',
      'status_4xx',
      'status_5xx',
      'limited',
      'request_bytes',
      'response_bytes',
    ];
    return rows.map((row) => ({
      ...(row as unknown as PlainRow),
      counts: columns.map((column) => Number(row[column])),
      gatewayTime: row.gateway_time.map(Number),
      targetTime: row.target_time.map(Number),
    }));
  }
}

function sumOf(rows: readonly PlainRow[]): readonly number[] {
  return names.map((_name, index) => rows.reduce((sum, { counts }) => sum + counts[index]!, 0));
}

const countsOf = (answer: Readonly<Record<string, number>>) => names.map((name) => answer[name]);

function percentileOf(rows: readonly PlainRow[], of: 'gatewayTime' | 'targetTime', share: number): number | null {
  const merged = rows.reduce((sum, row) => addEncoded(sum, row[of]), [] as number[]);
  return Histogram.from(merged).percentile(share);
}

/** The civil day of a moment, by what JavaScript itself knows. */
function civilDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
}

describe('analytics', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  const keys = {
    environmentId: 'environment_id',
    proxyId: 'proxy_id',
    appId: 'app_id',
    productId: 'product_id',
    country: 'country',
  } as const;

  /** A random question; and the rows that it is about. */
  function randomQuery(site: Site, longestHours: number) {
    const filters: Record<string, string> = {};
    const choices: Record<keyof typeof keys, readonly (string | null)[]> = {
      environmentId: site.nodes.map(({ environmentId }) => environmentId),
      proxyId: site.proxyIds,
      appId: site.appIds,
      productId: site.productIds,
      country: ['DE', 'FR', 'ZZ'],
    };
    for (const name of Object.keys(keys) as (keyof typeof keys)[]) {
      if (site.random(4) === 0) filters[name] = site.pick(choices[name]) ?? 'none';
    }
    const begin = site.random(longestHours) + 1;
    const length = site.random(begin) + 1;
    const from = new Date(thisHourMs - begin * hourMs + site.random(hourMs)).toISOString();
    const to = new Date(thisHourMs - (begin - length) * hourMs + 1).toISOString();
    const isWanted = (row: PlainRow, answer: { from: string; to: string }) =>
      row.hour >= new Date(answer.from) &&
      row.hour < new Date(answer.to) &&
      (Object.keys(filters) as (keyof typeof keys)[]).every(
        (name) => row[keys[name]] === (filters[name] === 'none' ? '' : filters[name]),
      );
    return { query: { ...filters, from, to, step: site.pick(['hour', 'day']) }, isWanted };
  }

  async function compare(site: Site, longestHours: number): Promise<void> {
    const { query, isWanted } = randomQuery(site, longestHours);
    const all = await site.rows();
    const of = (answer: { from: string; to: string }) => all.filter((row) => isWanted(row, answer));

    const summary = await site.get('/analytics/summary', { ...query, compare: 'previous' });
    for (const answer of [summary, { ...summary.previous, total: summary.previous }]) {
      const rows = of(answer);
      assert.deepEqual(countsOf(answer.total), sumOf(rows), JSON.stringify(query));
      for (const time of ['gatewayTime', 'targetTime'] as const) {
        for (const share of [50, 95, 99]) {
          assert.equal(
            answer.total[`${time}P${share}Us`],
            percentileOf(rows, time, share / 100),
            JSON.stringify(query),
          );
        }
      }
    }

    const by = site.pick(['environment', 'proxy', 'app', 'product', 'country']);
    const column = by === 'country' ? 'country' : (`${by}_id` as 'app_id');
    const series = await site.get('/analytics/traffic', { ...query, by, limit: '2' });
    const { timeZone } = series;
    const stepOf = (at: Date) => (query.step === 'day' ? civilDay(at, timeZone) : at.toISOString());
    const rows = of(series);
    const byStep = Map.groupBy(rows, ({ hour }) => stepOf(hour));
    for (const point of series.points) {
      assert.deepEqual(countsOf(point), sumOf(byStep.get(stepOf(new Date(point.at))) ?? []), JSON.stringify(query));
    }
    assert.equal(
      new Set(series.points.map(({ at }: { at: string }) => stepOf(new Date(at)))).size,
      series.points.length,
    );
    assert.deepEqual(countsOf(series.total), sumOf(rows));
    const listed = [...series.series, ...(series.others === null ? [] : [series.others])];
    for (const [index, point] of series.points.entries()) {
      const added = names.map((name) => listed.reduce((sum, { points }) => sum + points[index][name], 0));
      assert.deepEqual(added, countsOf(point), 'series and others add up to the points');
    }

    const top = await site.get('/analytics/top', { ...query, by, limit: '1', measure: 'responseBytes' });
    const groups = [...Map.groupBy(rows, (row) => row[column])].map(([key, ofKey]) => [key, sumOf(ofKey)] as const);
    const largest = groups.toSorted(([, first], [, second]) => second[7]! - first[7]!)[0];
    if (largest !== undefined) {
      assert.deepEqual([top.rows[0].id ?? '', countsOf(top.rows[0])], largest, JSON.stringify(query));
      assert.equal(top.others === null, groups.length === 1);
    }

    const latency = await site.get('/analytics/latency', { ...query, measure: 'gatewayTime' });
    const cells = latency.heatMap.cells.map((row: number[]) => row.reduce((sum, count) => sum + count, 0));
    assert.deepEqual(
      cells,
      latency.points.map(({ requests }: { requests: number }) => requests),
      'each request is in one cell',
    );
    const point = site.pick(latency.points as { at: string; gatewayTimeP95Us: number | null }[]);
    assert.equal(
      point.gatewayTimeP95Us,
      percentileOf(byStep.get(stepOf(new Date(point.at))) ?? [], 'gatewayTime', 0.95),
    );

    const errors = await site.get('/analytics/errors', query);
    const [requests, , , status4xx, status5xx, limited] = sumOf(rows);
    assert.equal(errors.total.requests, requests);
    assert.deepEqual(
      Object.fromEntries(errors.causes.map((one: { cause: string; requests: number }) => [one.cause, one.requests])),
      {
        limited,
        client: status4xx! - limited!,
        server: status5xx,
      },
    );

    const { step: _step, ...rowQuery } = query;
    const aggregates = await site.get('/analytics/aggregates', { ...rowQuery, pageSize: '100' });
    assert.equal(aggregates.total, of(aggregates).length, JSON.stringify(rowQuery));
    const csv = (await site.get('/analytics/export', query)) as unknown as string;
    const lines = csv.trimEnd().split('\r\n').slice(1);
    const exported = lines.map((line) => line.slice(1, -1).split('","'));
    const place = 12;
    assert.deepEqual(
      names.map((_name, index) => exported.reduce((sum, cells) => sum + Number(cells[place + index]), 0)),
      sumOf(rows),
      'the file adds up to the same',
    );
  }

  for (const seed of [1, 2]) {
    test(`figures equal plain sums over the rows, however late they come and whatever is summed (seed ${seed})`, async () => {
      const site = await Site.open(control, seed);
      const { database } = control.opened;
      const longestHours = 24 * 20;
      const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
      for (let round = 0; round < 6; round++) {
        await site.send(Array.from({ length: 60 }, () => site.row(site.random(longestHours))));
        const work = site.random(4);
        const now = new Date();
        if (work === 0) await rollTraffic(database, site.organizationId, now);
        if (work === 1) {
          await tenantTransaction(database, site.organizationId, (transaction) => advanceHead(transaction, now));
          for (let days = site.random(9); days > 0; days--)
            await tenantTransaction(database, site.organizationId, rollDay);
        }
        if (work === 2) {
          await done(site.administrator, 'PATCH', '/billing/settings', { timeZone: site.pick(zones) });
          await tenantTransaction(database, site.organizationId, (transaction) => advanceHead(transaction, now));
        }
        for (let questions = 0; questions < 2; questions++) await compare(site, longestHours);
      }
      await rollTraffic(database, site.organizationId, new Date());
      for (let questions = 0; questions < 4; questions++) await compare(site, longestHours);
    });
  }

  test('a request counts once at every moment, while batches come and hours are summed', async () => {
    const site = await Site.open(control, 7);
    const { database } = control.opened;
    const query = { range: '30d' };
    let sent = 0;
    let isDone = false;
    const sending = async () => {
      for (let batch = 0; batch < 12; batch++) {
        const rows = Array.from({ length: 20 }, () => site.row(2 + site.random(72)));
        await site.send(rows);
        sent += rows.reduce((sum, { requests }) => sum + requests, 0);
      }
      isDone = true;
    };
    const rolling = async () => {
      while (!isDone) await rollTraffic(database, site.organizationId, new Date());
    };
    const reading = async () => {
      let seen = 0;
      while (!isDone) {
        const known = sent;
        const { total } = await site.get('/analytics/summary', query);
        assert(total.requests >= known && total.requests >= seen, 'nothing that was counted is missing');
        seen = total.requests;
      }
    };
    await Promise.all([sending(), rolling(), reading()]);
    assert.equal((await site.get('/analytics/summary', query)).total.requests, sent, 'and nothing counts twice');
  });

  test('days stay when their hours are dropped, and what is later counts for the first hour that is kept', async () => {
    const site = await Site.open(control, 8);
    const { database } = control.opened;
    await site.send([site.row(24 * 500), site.row(24 * 470), site.row(24 * 10)]);
    await rollTraffic(database, site.organizationId, new Date());
    const query = { from: new Date(thisHourMs - 24 * 600 * hourMs).toISOString(), step: 'day' };
    const before = await site.get('/analytics/traffic', query);
    await keepTraffic(database, new Date());
    assert.equal((await site.rows()).length, 1, 'two of three hours are no longer there');
    assert.deepEqual((await site.get('/analytics/traffic', query)).points, before.points);
    const late = site.row(24 * 480);
    await site.send([late]);
    const { total } = await site.get('/analytics/summary', query);
    assert.equal(total.requests, before.total.requests + late.requests);
    await rollTraffic(database, site.organizationId, new Date());
    assert.equal((await site.get('/analytics/summary', query)).total.requests, before.total.requests + late.requests);
    const refused = await site.administrator.call('GET', `/analytics/traffic?from=${query.from}&step=hour`);
    assert.equal(refused.status, 400);
  });

  test('failures by route are kept as long as hours, and later ones count for the first hour that is kept', async () => {
    const site = await Site.open(control, 9);
    const { database } = control.opened;
    const [proxyId, appId] = [site.proxyIds[0]!, site.appIds[1]!];
    const row = (hoursAgo: number) => ({
      ...{ hour: new Date(thisHourMs - hoursAgo * hourMs).toISOString(), proxyId, routeId: 'rte_1', appId },
      ...{ productId: null, status4xx: 2, status5xx: 1 },
    });
    const send = async (hoursAgo: readonly number[]) => {
      const none = { traffic: hoursAgo.map((ago) => site.row(ago)), routes: [], deployments: [], metered: [] };
      const batch = { streamId: newId('usb'), sequence: 0, ...none, failures: hoursAgo.map(row) };
      const { status, data } = await site.nodes[0]!.node.call('POST', '/gateway/usage', batch);
      assert.deepEqual([status, data.applied], [200, true], JSON.stringify(data));
    };
    const kept = async () => {
      const rows = await database.system
        .selectFrom('route_failures')
        .select(['hour', 'status_4xx'])
        .where('organization_id', '=', site.organizationId)
        .orderBy('hour')
        .execute();
      return rows.map(({ hour, status_4xx }) => [hour.toISOString(), Number(status_4xx)]);
    };
    await send([24 * 500, 24 * 470, 24 * 10]);
    const recent = [row(24 * 10).hour, 2];
    assert.deepEqual((await kept()).at(-1), recent);
    // The service under test may be summing, too.
    await eventually('old hours to be dropped', async () => {
      await rollTraffic(database, site.organizationId, new Date());
      await keepTraffic(database, new Date());
      return (await kept()).length < 3;
    });
    assert.deepEqual(await kept(), [recent]);
    await send([24 * 480]);
    const { hours_from: first } = await database.system
      .selectFrom('traffic_heads')
      .select('hours_from')
      .where('organization_id', '=', site.organizationId)
      .executeTakeFirstOrThrow();
    assert.deepEqual(await kept(), [[first!.toISOString(), 2], recent]);
  });

  test('a range of days has the same period before, whatever its steps are', async () => {
    const site = await Site.open(control, 11);
    for (const [range, days] of [
      ['7d', 7],
      ['30d', 30],
    ] as const) {
      const { from, previous } = await site.get('/analytics/summary', { range, compare: 'previous' });
      const zone = (await site.get('/analytics/traffic', { range })).timeZone;
      const daysApart =
        Date.parse(civilDay(new Date(from), zone)) - Date.parse(civilDay(new Date(previous.from), zone));
      assert.equal(daysApart, days * 24 * hourMs);
      for (const step of ['hour', 'day']) {
        const series = await site.get('/analytics/traffic', { range, step, compare: 'previous' });
        assert.deepEqual([series.previous.from, series.previous.to], [previous.from, previous.to], `${range} ${step}`);
      }
    }
  });

  test('routes and gateway nodes add up to the same', async () => {
    const site = await Site.open(control, 9);
    const row = site.row(30);
    const { requests, status2xx, status3xx, status4xx, status5xx, proxyId, hour } = row;
    const route = { hour, proxyId, routeId: 'rte_1', requests, status2xx, status3xx, status4xx, status5xx };
    await site.send([row], [route]);
    for (const summed of [false, true]) {
      if (summed) await rollTraffic(control.opened.database, site.organizationId, new Date());
      for (const [by, id] of [
        ['route', 'rte_1'],
        ['gateway_node', null],
      ] as const) {
        const top = await site.get('/analytics/top', { range: '30d', by });
        assert.equal(top.rows[0].requests, requests);
        if (id !== null) assert.equal(top.rows[0].id, id);
      }
    }
    const invalid = await site.administrator.call('GET', '/analytics/top?by=route&country=DE');
    assert.deepEqual([invalid.status, Object.keys(invalid.data.errors)], [400, ['country']]);
  });

  test('live figures are those of the last fifteen minutes', async () => {
    const site = await Site.open(control, 10);
    const { node } = site.nodes[0]!;
    const row = site.row(0);
    const { hour: _hour, appId: _appId, productId: _productId, country: _country, ...counted } = row;
    const slot = new Date(Math.floor(Date.now() / 10_000 - 6) * 10_000).toISOString();
    const batch = { streamId: newId('usb'), sequence: 0, traffic: [], routes: [], deployments: [], metered: [] };
    const { data } = await node.call('POST', '/gateway/usage', {
      ...batch,
      slots: [{ ...counted, slot, latency: row.gatewayTime }],
    });
    assert.equal(data.applied, true);
    const series = await site.get('/analytics/traffic', { range: '15m', by: 'proxy' });
    assert.deepEqual([series.live, series.step, series.points.length], [true, '10s', 90]);
    assert.equal(series.points.find(({ at }: { at: string }) => at === slot).requests, row.requests);
    assert.equal(series.series[0].total.requests, row.requests);
    const latency = await site.get('/analytics/latency', { range: '15m', measure: 'latency' });
    assert.equal(latency.total.latencyP95Us, Histogram.from(row.gatewayTime).percentile(0.95));
    const refused = await site.administrator.call('GET', '/analytics/countries?range=15m');
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['range']]);
  });
});
