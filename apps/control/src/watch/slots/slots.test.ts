import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { SlotRow, UsageBatch } from '@millrace/gateway-configuration/reports';
import { Histogram } from '@millrace/histograms';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { addNode, type TestNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { dropOldSlots, mergeReports } from './merger.ts';
import { packHistogram, packReport, unpackHistograms, unpackReport } from './packing.ts';
import { slotMs } from './rules.ts';
import { readLive, readSlots, type SlotQuery } from './store.ts';
import { mergeSlots } from './testing.ts';

/** A slot that is over, at the beginning of an hour. */
const beginMs = Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000;
const slotOf = (index: number) => new Date(beginMs + index * slotMs);

describe('packing', () => {
  test('keeps every number of a report', () => {
    const rows: SlotRow[] = [0, 1, 127, 128, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER].map((number, index) => ({
      slot: slotOf(7 - index).toISOString(),
      proxyId: `prx_${index % 2}ÿ`,
      requests: number,
      status2xx: 1,
      status3xx: number,
      status4xx: 0,
      status5xx: 3,
      limited: number,
      requestBytes: number,
      responseBytes: 9,
      gatewayTime: [index, number + 1 - (number % 2), 600, 1],
      targetTime: [],
      latency: [0, 1],
    }));
    const unpacked = [...unpackReport(packReport(rows))].map(({ slotMs: atMs, proxyId, counts, histograms }) => ({
      slot: new Date(atMs).toISOString(),
      proxyId,
      counts,
      histograms: histograms.map((packed) => unpackHistograms([packed])),
    }));
    assert.deepEqual(
      unpacked,
      rows.map(({ slot, proxyId, gatewayTime, targetTime, latency, ...counts }) => ({
        slot,
        proxyId,
        counts: Object.values(counts),
        histograms: [gatewayTime, targetTime, latency],
      })),
    );
  });

  test('histograms one after the other are their sum', () => {
    const both = new Histogram();
    const parts = [1, 2].map((factor) => {
      const part = new Histogram();
      for (let value = 0; value < 500; value += 1) part.record(value * value * factor);
      both.addEncoded(part.encode());
      return packHistogram(part.encode());
    });
    assert.deepEqual(unpackHistograms(parts), both.encode());
    assert.deepEqual(unpackHistograms([Buffer.concat(parts)]), both.encode());
    assert.deepEqual(unpackHistograms([]), []);
  });
});

describe('slots', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  let node: TestNode;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = await addEnvironment(control, organizationId);
    proxyId = await addProxy();
    node = await addNode(control, administrator, environmentId);
  });

  async function addProxy(): Promise<string> {
    const name = `orders-${newId('prx').slice(-8)}`;
    const body = { name, displayName: 'Orders', basePath: `/v1/${name}` };
    return (await administrator.call('POST', '/proxies', body)).data.id;
  }

  const rowOf = (index: number, fields: Partial<SlotRow> = {}): SlotRow => ({
    slot: slotOf(index).toISOString(),
    proxyId,
    requests: 10,
    status2xx: 7,
    status3xx: 0,
    status4xx: 2,
    status5xx: 1,
    limited: 1,
    requestBytes: 100,
    responseBytes: 1_000,
    gatewayTime: [40, 9, 41, 1],
    targetTime: [200, 8],
    latency: [201, 10],
    ...fields,
  });
  async function send(slots: readonly SlotRow[], fields: Partial<UsageBatch> = {}, from = node) {
    const none = { traffic: [], deployments: [], routes: [], metered: [] };
    const batch = { streamId: newId('usb'), sequence: 0, ...none, slots, ...fields };
    const { status, data } = await from.call('POST', '/gateway/usage', batch);
    assert.equal(status, 200, JSON.stringify(data));
    return data;
  }
  const within = { from: slotOf(0), to: slotOf(360) };
  const read = (query: Partial<SlotQuery> = {}) =>
    tenantTransaction(
      control.opened.database,
      organizationId,
      (transaction) => readSlots(transaction, { ...within, ...query }),
      {
        access: 'read only',
      },
    );
  const live = (query: { readonly stepMs?: number } = {}) =>
    tenantTransaction(control.opened.database, organizationId, (transaction) =>
      readLive(transaction, { ...within, ...query }),
    );
  const requestsOf = async () =>
    (await read()).map(({ slot, requests }) => [(slot.getTime() - beginMs) / slotMs, requests]);

  test('are read the same before and after they are merged', async () => {
    const other = await addProxy();
    const second = await addNode(control, administrator, environmentId);
    await send([rowOf(0), rowOf(1), rowOf(0, { proxyId: other, latency: [3, 10] })]);
    await send([rowOf(1, { gatewayTime: [41, 4], targetTime: [] })], {}, second);
    const before = [await read(), await live(), await live({ stepMs: 60_000 })];
    await mergeSlots(control);
    assert.deepEqual([await read(), await live(), await live({ stepMs: 60_000 })], before);
    assert.deepEqual(await requestsOf(), [
      [0, 10],
      [0, 10],
      [1, 20],
    ]);
    const sum = (await read({ from: slotOf(1) }))[0]!;
    assert.deepEqual(sum, {
      slot: slotOf(1),
      environmentId,
      proxyId,
      requests: 20,
      status2xx: 14,
      status3xx: 0,
      status4xx: 4,
      status5xx: 2,
      limited: 2,
      requestBytes: 200,
      responseBytes: 2_000,
      gatewayTime: [40, 9, 41, 5],
      targetTime: [200, 8],
      latency: [201, 20],
    });
    const { slots, proxies } = await live();
    assert.deepEqual(
      slots.map(({ requests, latency }) => [requests, latency]),
      [
        [20, [3, 10, 201, 10]],
        [20, [201, 20]],
      ],
    );
    assert.deepEqual(
      proxies.map((row) => [row.environmentId, row.proxyId, row.requests]),
      [
        [environmentId, proxyId, 30],
        [environmentId, other, 10],
      ],
    );
    const { slots: minutes } = await live({ stepMs: 60_000 });
    assert.deepEqual(
      minutes.map(({ slot, requests }) => [slot, requests]),
      [[slotOf(0), 40]],
    );
  });

  test('of a time, an environment and a proxy are found, merged or not', async () => {
    const other = await addProxy();
    const elsewhere = await addEnvironment(control, organizationId, { name: 'elsewhere' });
    const farNode = await addNode(control, administrator, elsewhere);
    for (const merge of [false, true]) {
      await send([rowOf(0), rowOf(5), rowOf(9, { proxyId: other })]);
      await send([rowOf(5)], {}, farNode);
      if (merge) await mergeSlots(control);
    }
    const found = async (query: Partial<SlotQuery>) =>
      (await read(query)).reduce((sum, { requests }) => sum + requests, 0);
    assert.equal(await found({}), 80);
    assert.equal(await found({ from: slotOf(1), to: slotOf(9) }), 40);
    assert.equal(await found({ environmentId: elsewhere }), 20);
    assert.equal(await found({ proxyId: other }), 20);
    assert.equal(await found({ environmentId, proxyId }), 40);
    assert.equal(await found({ from: slotOf(10) }), 0);
  });

  test('count once, however often a batch comes and whoever merges', async () => {
    const streams = Array.from({ length: 20 }, () => newId('usb'));
    const sends = streams.flatMap((streamId) => [1, 2].map(() => () => send([rowOf(0), rowOf(1)], { streamId })));
    const merges = Array.from({ length: 20 }, () => () => mergeReports(control.opened.database));
    const seen: number[] = [];
    const reads = Array.from({ length: 20 }, () => async () => {
      seen.push((await requestsOf()).reduce((sum, [, requests]) => sum + requests!, 0));
    });
    await Promise.all([...sends, ...merges, ...reads].toSorted(() => Math.random() - 0.5).map((work) => work()));
    assert(
      seen.every((sum) => sum % 20 === 0 && sum <= 400),
      String(seen),
    );
    assert.deepEqual(await requestsOf(), [
      [0, 200],
      [1, 200],
    ]);
    await mergeSlots(control);
    assert.deepEqual(await requestsOf(), [
      [0, 200],
      [1, 200],
    ]);
  });

  test('of a fast clock count for the present; those of unknown proxies are ignored', async () => {
    const unknown = 'prx_00000000000000000000000009';
    const aheadMs = Date.now() + 7_200_000;
    const ahead = { slot: new Date(aheadMs - (aheadMs % slotMs)).toISOString() };
    const { aheadRows } = await send([rowOf(0, ahead), rowOf(0, { proxyId: unknown }), rowOf(3)]);
    assert.equal(aheadRows, 1);
    await send([rowOf(0, { proxyId: unknown })]);
    const rows = await read({ to: new Date(Date.now() + 1) });
    assert.deepEqual(
      rows.map(({ proxyId: of, requests }) => [of, requests]),
      [
        [proxyId, 10],
        [proxyId, 10],
      ],
    );
    assert(Math.abs(rows[1]!.slot.getTime() - Date.now()) < 2 * slotMs);
  });

  test('are dropped after two days, hour by hour', async () => {
    const { system } = control.opened.database;
    const hours = async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = 'traffic_slots'::regclass order by 1`.execute(system);
      return rows.length;
    };
    await send([rowOf(0), rowOf(-45 * 360), rowOf(-49 * 360)]);
    await mergeSlots(control);
    assert.deepEqual(await requestsOf(), [[0, 10]]);
    const all = await read({ from: new Date(0) });
    assert.deepEqual(
      all.map(({ slot }) => (slot.getTime() - beginMs) / slotMs),
      [-45 * 360, 0],
      'what is older is not kept',
    );
    await sql`select add_traffic_slot_hours(array[${slotOf(-50 * 360)}, ${slotOf(-60 * 360)}]::timestamptz[])`.execute(
      system,
    );
    const before = await hours();
    assert.equal(await dropOldSlots(control.opened.database), 2);
    assert.equal(await hours(), before - 2);
    assert.equal((await read({ from: new Date(0) })).length, 2);
  });

  test('of any age and size can be merged', async () => {
    const most = 2 ** 40;
    const times = ['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:50.000Z'];
    await send(times.map((slot) => rowOf(0, { slot })));
    const large = rowOf(0, { requests: most, responseBytes: most, latency: [0, Number.MAX_SAFE_INTEGER] });
    await send([...times.map((slot) => rowOf(0, { slot })), ...Array.from({ length: 4_000 }, () => large)]);
    await mergeSlots(control);
    const [row, ...others] = await read({ from: new Date(0) });
    assert.deepEqual(others, []);
    assert.deepEqual([row?.requests, row?.responseBytes, row?.requestBytes], [4_000 * most, 4_000 * most, 400_000]);
    const none = { traffic: [], deployments: [], routes: [], metered: [] };
    const larger = { streamId: newId('usb'), sequence: 0, ...none, slots: [rowOf(0, { requests: most + 1 })] };
    assert.equal((await node.call('POST', '/gateway/usage', larger)).status, 400);
  });

  test('of other organizations are not seen', async () => {
    await send([rowOf(0)]);
    const other = await control.addOrganization();
    for (const merge of [false, true]) {
      if (merge) await mergeSlots(control);
      const seen = await tenantTransaction(control.opened.database, other, (transaction) =>
        readSlots(transaction, within),
      );
      assert.deepEqual(seen, []);
      const { rows } = await tenantTransaction(control.opened.database, other, (transaction) =>
        sql<{ rows: number }>`select count(*)::int as rows from traffic_slots`.execute(transaction),
      );
      assert.deepEqual(rows, [{ rows: 0 }]);
    }
  });
});
