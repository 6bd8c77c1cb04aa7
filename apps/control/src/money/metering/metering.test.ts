import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { MeteredRow, TrafficRow, UsageBatch } from '@millrace/gateway-configuration/reports';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { addApp, addProduct, addProxy, addRatePlan, done } from '../../consumers/products/testing.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { addNode, type TestNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { closeUsage, lateUsageOfTerms, nodesBehind, type TermUsage, usageOfTerms } from './store.ts';

const quarterMs = 900_000;
const hourMs = 3_600_000;
const none = { traffic: [], deployments: [], routes: [], metered: [] };

/** One call, as a gateway stamps it. */
interface Call {
  readonly atMs: number;
  readonly proxyId: string;
  readonly termId: string;
  readonly appId: string;
  readonly productId: string;
  readonly statusClass: number;
  readonly responseBytes: number;
  readonly microUnits: bigint;
}

describe('metering', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = await addEnvironment(control, organizationId);
  });

  const within = <Result>(work: (transaction: TenantTransaction) => Promise<Result>): Promise<Result> =>
    tenantTransaction(control.opened.database, organizationId, work);
  const send = (node: TestNode, batch: Partial<UsageBatch>) =>
    node.call('POST', '/gateway/usage', { streamId: newId('usb'), sequence: 0, ...none, ...batch });

  async function addTerm() {
    const productId = await addProduct(administrator, { autoApprove: true });
    const ratePlanId = await addRatePlan(control, organizationId, productId, 'published');
    const appId = await addApp(administrator);
    const { termId } = await done(administrator, 'POST', '/subscriptions', { appId, productId, ratePlanId });
    return { termId: termId as string, appId, productId };
  }

  /** The usage of some calls as the store presents it, in any order. */
  function usageOf(calls: readonly Call[]): string[] {
    const sums = new Map<string, { requests: number; responseBytes: number; microUnits: bigint }>();
    for (const { termId, proxyId, statusClass, responseBytes, microUnits } of calls) {
      const key = `${termId} ${proxyId} ${statusClass}`;
      const sum = sums.get(key) ?? { requests: 0, responseBytes: 0, microUnits: 0n };
      sums.set(key, {
        requests: sum.requests + 1,
        responseBytes: sum.responseBytes + responseBytes,
        microUnits: sum.microUnits + microUnits,
      });
    }
    return [...sums].map(([key, sum]) => `${key}: ${sum.requests} ${sum.responseBytes} ${sum.microUnits}`).toSorted();
  }
  const presented = (rows: readonly TermUsage[]) =>
    rows
      .map(
        ({ termId, proxyId, statusClass, requests, responseBytes, units }) =>
          `${termId} ${proxyId} ${statusClass}: ${requests} ${responseBytes} ${microUnitsOf(units)}`,
      )
      .toSorted();

  test('however calls are split, repeated, delayed and mixed, each is billed once', async (context) => {
    const seed = randomInt(2 ** 31);
    context.diagnostic(`seed ${seed}`);
    const random = randomOf(seed);
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
    const terms = await Promise.all([1, 2, 3].map(addTerm));
    const proxies = await Promise.all([1, 2].map(() => addProxy(control, organizationId)));
    const nodes = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
    const toMs = Math.floor(Date.now() / quarterMs) * quarterMs;
    const fromMs = toMs - 8 * quarterMs;
    const calls = Array.from(
      { length: 900 },
      (): Call => ({
        ...pick(terms),
        atMs: fromMs + Math.floor(random() * (toMs - fromMs)),
        proxyId: pick(proxies).proxyId,
        statusClass: pick([0, 1, 2, 2, 2, 3, 4, 5]),
        responseBytes: Math.floor(random() ** 8 * 2 ** 43),
        microUnits: pick([0n, 1n, 100_000n, 2_500_000n, 999_999_999_999_999n]),
      }),
    );
    const batches = nodes.flatMap((node) => {
      const streamId = newId('usb');
      return Array.from({ length: 6 }, (_, sequence) => ({ node, streamId, sequence, calls: [] as Call[] }));
    });
    for (const call of calls) pick(batches).calls.push(call);

    const deliver = async (chosen: typeof batches) => {
      const sendings = chosen.flatMap((batch) => Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => batch));
      const applied = await Promise.all(
        shuffled(sendings, random).map(async ({ node, streamId, sequence, calls: own }) => {
          const { status, data } = await send(node, { streamId, sequence, ...rowsOf(own) });
          assert.equal(status, 200, JSON.stringify(data));
          return data.applied;
        }),
      );
      assert.equal(applied.filter(Boolean).length, chosen.length);
    };
    const order = shuffled(batches, random);
    const [onTime, late, later] = [order.slice(0, 9), order.slice(9, 14), order.slice(14)];
    const callsOf = (chosen: typeof batches) => chosen.flatMap((batch) => batch.calls);
    const [from, to] = [new Date(fromMs), new Date(toMs)];
    const middle = new Date(fromMs + 4 * quarterMs);
    const isBefore = (end: Date) => (call: Call) => call.atMs < end.getTime();

    await deliver(onTime);
    await within((transaction) => closeUsage(transaction, middle));
    const closed = callsOf(onTime).filter(isBefore(middle));
    const readClosed = () => within((transaction) => usageOfTerms(transaction, { from, to: middle }));
    assert.deepEqual(presented(await readClosed()), usageOf(closed));
    await deliver(late);
    await within((transaction) => closeUsage(transaction, to));
    await deliver(later);

    assert.deepEqual(presented(await readClosed()), usageOf(closed), 'what was billed stays as it was');
    const second = await within((transaction) => usageOfTerms(transaction, { from: middle, to }));
    const arrived = callsOf([...onTime, ...late]).filter((call) => !isBefore(middle)(call));
    assert.deepEqual(presented(second), usageOf(arrived));
    const afterMiddle = await within((transaction) => lateUsageOfTerms(transaction, middle));
    assert.deepEqual(mergedLate(afterMiddle), usageOf(callsOf(late).filter(isBefore(middle))));
    assert.deepEqual(
      mergedLate(await within((transaction) => lateUsageOfTerms(transaction, to))),
      usageOf(callsOf(later)),
    );
    const known = await within((transaction) => usageOfTerms(transaction, { from, to, lateBefore: to }));
    assert.deepEqual(presented(known), usageOf(callsOf([...onTime, ...late])));
    await within((transaction) => closeUsage(transaction, new Date(toMs + quarterMs)));
    const all = await within((transaction) =>
      usageOfTerms(transaction, { from, to, lateBefore: new Date(toMs + quarterMs) }),
    );
    assert.deepEqual(presented(all), usageOf(calls));
    await assertSumsAgree();
  });

  /** Late usage without its quarters. */
  function mergedLate(rows: readonly TermUsage[]): string[] {
    const byKey = Map.groupBy(rows, ({ termId, proxyId, statusClass }) => `${termId} ${proxyId} ${statusClass}`);
    return [...byKey]
      .map(([key, group]) => {
        const sum = (name: 'requests' | 'responseBytes') => group.reduce((total, row) => total + Number(row[name]), 0);
        const microUnits = group.reduce((total, row) => total + microUnitsOf(row.units), 0n);
        return `${key}: ${sum('requests')} ${sum('responseBytes')} ${microUnits}`;
      })
      .toSorted();
  }

  /** Hourly traffic of the callers that have terms, and what is metered. */
  async function assertSumsAgree(): Promise<void> {
    const { rows } = await sql<{ traffic: number; metered: number; differing: number }>`
      with traffic as (
        select hour, app_id, product_id, proxy_id, environment_id, sum(requests) as requests,
          sum(response_bytes) as response_bytes
        from traffic_aggregates where organization_id = ${organizationId} group by 1, 2, 3, 4, 5
      ), metered as (
        select date_trunc('hour', quarter, 'UTC') as hour, t.app_id, t.product_id, m.proxy_id, m.environment_id,
          sum(m.requests) as requests, sum(m.response_bytes) as response_bytes
        from metered_usage m
        join subscription_terms t on t.organization_id = m.organization_id and t.id = m.term_id
        where m.organization_id = ${organizationId} group by 1, 2, 3, 4, 5
      )
      select (select count(*)::int from traffic) as traffic, (select count(*)::int from metered) as metered,
        (select count(*)::int from (table traffic except table metered) d) +
        (select count(*)::int from (table metered except table traffic) d) as differing`.execute(
      control.opened.database.system,
    );
    assert.ok(rows[0]!.traffic > 0);
    assert.deepEqual([rows[0]!.metered, rows[0]!.differing], [rows[0]!.traffic, 0]);
  }

  test('batches that arrive while usage is closed are on one side of it', async () => {
    const term = await addTerm();
    const { proxyId } = await addProxy(control, organizationId);
    const nodes = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
    const untilMs = Math.floor(Date.now() / quarterMs) * quarterMs;
    const call = { ...term, proxyId, atMs: untilMs - 1, statusClass: 2, responseBytes: 1, microUnits: 0n };
    const until = new Date(untilMs);
    const from = new Date(untilMs - quarterMs);
    const onTime = () => within((transaction) => usageOfTerms(transaction, { from, to: until }));
    let closed: readonly TermUsage[] = [];
    await Promise.all([
      ...Array.from({ length: 24 }, (_, index) => send(nodes[index % 3]!, rowsOf([call]))),
      within((transaction) => closeUsage(transaction, until)).then(async () => {
        closed = await onTime();
      }),
    ]);
    assert.deepEqual(await onTime(), closed);
    const late = await within((transaction) => lateUsageOfTerms(transaction, until));
    const sum = [...closed, ...late].reduce((total, { requests }) => total + Number(requests), 0);
    assert.equal(sum, 24);
  });

  test('usage stays closed, and rows of unknown terms and proxies are ignored', async () => {
    const until = new Date(Math.floor(Date.now() / quarterMs) * quarterMs);
    const earlier = new Date(until.getTime() - quarterMs);
    assert.deepEqual(await within((transaction) => closeUsage(transaction, until)), until);
    assert.deepEqual(await within((transaction) => closeUsage(transaction, earlier)), until);
    const node = await addNode(control, administrator, environmentId);
    const term = await addTerm();
    const { proxyId } = await addProxy(control, organizationId);
    const call = { ...term, proxyId, atMs: Date.now(), statusClass: 2, responseBytes: 1, microUnits: 0n };
    const foreign = { ...call, termId: newId('trm') };
    const { status } = await send(node, rowsOf([call, foreign, { ...call, proxyId: newId('prx') }]));
    assert.equal(status, 200);
    const to = new Date(until.getTime() + 2 * quarterMs);
    const rows = await within((transaction) => usageOfTerms(transaction, { from: earlier, to }));
    assert.deepEqual(rows, [
      {
        termId: term.termId,
        proxyId,
        statusClass: 2,
        requests: '1',
        requestBytes: '0',
        responseBytes: '1',
        units: '0',
        withoutUnits: 0,
        unreadableUnits: 0,
      },
    ]);
  });

  test('nodes that may still have usage of a period are named', async () => {
    const [silent, behind, complete, stopped] = await Promise.all(
      [1, 2, 3, 4].map(() => addNode(control, administrator, environmentId)),
    );
    let end = new Date(Date.now() + hourMs);
    const ahead = new Date(Date.now() + 2 * hourMs).toISOString();
    await behind!.beat({ usageCompleteUntil: new Date(end.getTime() - 60_000).toISOString() });
    await stopped!.beat({ usageCompleteUntil: 'stopped' });
    await complete!.beat({ usageCompleteUntil: ahead });
    const named = async () => {
      const rows = await within((transaction) => nodesBehind(transaction, end));
      return rows.map(({ nodeId, completeUntil }) => [nodeId, completeUntil?.getTime() ?? null]).toSorted();
    };
    assert.equal((await named()).length, 3, 'no clock is believed that is ahead');
    end = new Date();
    await behind!.beat({ usageCompleteUntil: new Date(end.getTime() - 60_000).toISOString() });
    await complete!.beat({ usageCompleteUntil: ahead });
    assert.deepEqual(
      await named(),
      [
        [behind!.id, end.getTime() - 60_000],
        [silent!.id, null],
      ].toSorted(),
    );
  });
});

/** What a node counts of calls. */
function rowsOf(calls: readonly Call[]) {
  const startOf = (timeMs: number, periodMs: number) =>
    new Date(Math.floor(timeMs / periodMs) * periodMs).toISOString();
  const traffic = calls.map((call): TrafficRow => {
    const inClass = (statusClass: number) => (call.statusClass === statusClass ? 1 : 0);
    return {
      hour: startOf(call.atMs, hourMs),
      proxyId: call.proxyId,
      appId: call.appId,
      productId: call.productId,
      country: 'DE',
      requests: 1,
      status2xx: inClass(2),
      status3xx: inClass(3),
      status4xx: inClass(4) + inClass(0),
      status5xx: inClass(5),
      limited: 0,
      requestBytes: 0,
      responseBytes: call.responseBytes,
      gatewayTime: [],
      targetTime: [],
    };
  });
  const metered = calls.map(
    (call): MeteredRow => ({
      quarter: startOf(call.atMs, quarterMs),
      termId: call.termId,
      proxyId: call.proxyId,
      statusClass: call.statusClass,
      requests: 1,
      requestBytes: 0,
      responseBytes: call.responseBytes,
      units: `${call.microUnits / 1_000_000n}.${String(call.microUnits % 1_000_000n).padStart(6, '0')}`,
      withoutUnits: 0,
      unreadableUnits: 0,
    }),
  );
  return { traffic, metered };
}

function microUnitsOf(units: string): bigint {
  const [whole = '', fraction = ''] = units.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ value }) => value);
}
