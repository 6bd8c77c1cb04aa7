import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestGateway, type TestGateway, testCaller, testContent } from '../testing.ts';
import { microUnitsAt } from './units.ts';

test('units are read as exact decimals, and anything else is unreadable', () => {
  const read = (text: string) => microUnitsAt(Buffer.from(`: ${text}\r`), 2, Buffer.byteLength(text) + 2);
  for (const [text, microUnits] of [
    ['0', 0],
    ['1', 1_000_000],
    ['12.5', 12_500_000],
    ['0.000001', 1],
    ['007.10', 7_100_000],
    ['999999999.999999', 999_999_999_999_999],
  ] as const) {
    assert.equal(read(text), microUnits, text);
  }
  for (const text of [
    ...['', '.', '1.', '.5', '-1', '+1', '1e3', '1,5', ' 1', '1 ', '1.2.3', '0x10', 'NaN', 'Infinity', '12 pages'],
    ...['1000000000', '0.0000001', '1'.repeat(400), '٣', '1\u0000'],
  ]) {
    assert.equal(read(text), -1, JSON.stringify(text));
  }
});

describe('what a call is billed by', () => {
  const proxyId = 'prx_0';
  let stated: readonly string[] = [];
  let isHeld = false;
  let release: (() => void) | null = null;
  const target = createServer((_request, response) => {
    const answer = () =>
      response
        .writeHead(
          200,
          stated.flatMap((value) => ['X-Pages', value]),
        )
        .end('{}');
    if (isHeld) release = answer;
    else answer();
  });
  let gateway: TestGateway;
  before(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const cache = { kind: 'response-cache', configuration: { ttlSeconds: 60 }, routeIds: ['rte_orders_1'] };
    gateway = await startTestGateway({
      deployments: [
        {
          proxyId,
          content: testContent('orders', {
            routes: [
              {},
              { pathPattern: '/kept' },
              { pathPattern: '/scarce' },
              { pathPattern: '/away', targetServer: 'away' },
            ],
            policies: [
              { kind: 'verify-api-key' },
              {
                kind: 'quota',
                configuration: { limit: 1, window: { unit: 'day' } },
                routeIds: ['rte_orders_2'],
              },
              cache,
              { ...cache, flow: 'response' },
            ],
          }),
        },
      ],
      targets: {
        backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}`,
        away: 'http://127.0.0.1:1',
      },
    });
  });
  after(async () => {
    await gateway.stop();
    target.close();
    target.closeAllConnections();
  });
  beforeEach(() => {
    stated = ['2.5'];
    isHeld = false;
    declare({});
  });

  /** Sets what the product and the subscription say about billing. */
  function declare({
    unitsHeader = 'x-pages' as string | null,
    passUnitsHeader = false,
    termId = 'trm_1' as string | null,
  }) {
    gateway.change(
      testCaller('one', hash('sha256', 'one'), [proxyId]).map((change) => {
        if (change.kind === 'product') return { ...change, value: { ...change.value!, unitsHeader, passUnitsHeader } };
        return change.kind === 'subscription' ? { ...change, value: { ...change.value!, termId } } : change;
      }),
    );
  }

  /** The status and the units header that the caller gets, and what was recorded. */
  async function call(path = '/', key = 'one') {
    const before = gateway.records.length;
    const answer = await fetch(`${gateway.url}/v1/orders${path}`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    while (gateway.records.length === before) await wait(1);
    const { termId, refused, microUnits, unitsState } = gateway.records.at(-1)!;
    return [answer.status, answer.headers.get('x-pages'), termId, refused, microUnits, unitsState];
  }

  test('is the term that the node’s configuration has', async () => {
    assert.deepEqual(await call(), [200, null, 'trm_1', false, 2_500_000, 'counted']);
    declare({ termId: 'trm_2' });
    assert.deepEqual(await call(), [200, null, 'trm_2', false, 2_500_000, 'counted']);
    declare({ termId: null });
    assert.deepEqual(await call(), [200, null, null, false, 2_500_000, 'counted']);
    assert.deepEqual(await call('/', 'unknown'), [401, null, null, true, 0, 'uncounted']);
  });

  test('includes the units of the declared header, which the caller sees only if the product passes it', async () => {
    declare({ passUnitsHeader: true });
    assert.deepEqual(await call(), [200, '2.5', 'trm_1', false, 2_500_000, 'counted']);
    declare({ unitsHeader: 'x-tokens' });
    assert.deepEqual(await call(), [200, '2.5', 'trm_1', false, 0, 'missing']);
    declare({ unitsHeader: null });
    assert.deepEqual(await call(), [200, '2.5', 'trm_1', false, 0, 'uncounted']);
  });

  test('has no units if the header is missing, repeated or nonsense', async () => {
    stated = [];
    assert.deepEqual(await call(), [200, null, 'trm_1', false, 0, 'missing']);
    stated = ['1', '1'];
    assert.deepEqual(await call(), [200, null, 'trm_1', false, 0, 'unreadable']);
    stated = ['many'];
    assert.deepEqual(await call(), [200, null, 'trm_1', false, 0, 'unreadable']);
  });

  test('includes the units of a cached response, for the product that declares them', async () => {
    const counted = [200, null, 'trm_1', false, 2_500_000, 'counted'];
    assert.deepEqual(await call('/kept'), counted);
    stated = ['9'];
    assert.deepEqual(await call('/kept'), counted);
    declare({ passUnitsHeader: true });
    assert.equal((await call('/kept'))[1], '2.5');
  });

  test('excludes what the gateway rejects before the target', async () => {
    assert.deepEqual((await call('/scarce')).slice(0, 4), [200, null, 'trm_1', false]);
    assert.deepEqual(await call('/scarce'), [429, null, 'trm_1', true, 0, 'uncounted']);
    assert.deepEqual(await call('/away'), [503, null, 'trm_1', true, 0, 'uncounted']);
  });

  /** Lets the target answer the held request, once it has come there. */
  async function released(): Promise<void> {
    while (release === null) await wait(1);
    release();
    release = null;
  }

  test('is known of a request in flight', async () => {
    assert.equal(gateway.gateway.oldestBilledMs(), Infinity);
    isHeld = true;
    const before = Date.now();
    const calling = call();
    while (gateway.gateway.oldestBilledMs() === Infinity) await wait(1);
    const oldestMs = gateway.gateway.oldestBilledMs();
    assert.ok(oldestMs >= before - 100 && oldestMs <= Date.now() + 100, `${oldestMs}`);
    await released();
    await calling;
    assert.equal(gateway.gateway.oldestBilledMs(), Infinity);
    declare({ termId: null });
    const unbilled = call();
    while (release === null) await wait(1);
    assert.equal(gateway.gateway.oldestBilledMs(), Infinity);
    await released();
    await unbilled;
  });
});
