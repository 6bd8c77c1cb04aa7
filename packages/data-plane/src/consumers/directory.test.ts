import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ConsumerChange, ConsumersPage } from '@millrace/gateway-configuration/consumers';
import { CallerCounters } from '@millrace/policies/caller-counters';
import { type Consumers, createConsumerDirectory } from './directory.ts';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const nowMs = Date.UTC(2026, 0, 1);

const product = (id: string, more: object = {}): ConsumerChange => ({
  kind: 'product',
  id,
  value: {
    id,
    name: `Product ${id}`,
    active: true,
    quota: null,
    unitsHeader: null,
    passUnitsHeader: false,
    proxies: [{ proxyId: 'prx', routeIds: null }],
    ...more,
  },
});
const developer = (id: string, active = true): ConsumerChange => ({
  kind: 'developer',
  id,
  value: { id, name: `Developer ${id}`, active },
});
const app = (id: string, active = true): ConsumerChange => ({
  kind: 'app',
  id,
  value: { id, name: `App ${id}`, developerId: 'dev', active },
});
const credential = (id: string, key: string, more: object = {}): ConsumerChange => ({
  kind: 'credential',
  id,
  value: {
    id,
    appId: 'app',
    keyHash: hashOf(key),
    previousKeyHash: null,
    previousValidUntilMs: null,
    expiresAtMs: null,
    ...more,
  },
});
const subscription = (id: string, productId: string, more: object = {}): ConsumerChange => ({
  kind: 'subscription',
  id,
  value: { id, appId: 'app', productId, quota: null, termId: null, prepaid: null, ...more },
});
const page = (after: number, upTo: number, changes: ConsumerChange[], more = false): ConsumersPage => ({
  format: 1,
  organizationId: 'org',
  after,
  upTo,
  more,
  changes,
});

/** One app of one developer with one key, subscribed to one product. */
const one = [developer('dev'), app('app'), product('prd'), subscription('sub', 'prd'), credential('crd', 'key')];

function findIn(directory: Consumers, key: string, proxy = 'prx', route = { id: 'rte' }, atMs = nowMs) {
  // As it is received: in the midst of other bytes.
  const received = Buffer.from(`x-api-key: ${key}\r\n`);
  return directory.findByKey(received, 11, received.length - 2, proxy, route, atMs);
}

function open(changes: ConsumerChange[] = one) {
  const directory = createConsumerDirectory();
  directory.apply(page(0, 1, changes));
  const find = (key: string, routeId = 'rte', proxy = 'prx', atMs = nowMs) => {
    const route = { id: routeId };
    const first = findIn(directory, key, proxy, route, atMs);
    assert.deepEqual(findIn(directory, key, proxy, route, atMs), first, 'remembered');
    return typeof first === 'string' ? first : first.kind === 'key' ? first.subscriptionId : '';
  };
  return { directory, find };
}

describe('the consumer directory', () => {
  test('finds the caller of a key, in whatever order the changes came', () => {
    for (const changes of [one, one.toReversed()]) {
      const { directory, find } = open(changes);
      assert.deepEqual(findIn(directory, 'key'), {
        kind: 'key',
        credentialId: 'crd',
        developer: { id: 'dev', name: 'Developer dev' },
        app: { id: 'app', name: 'App app' },
        product: { id: 'prd', name: 'Product prd' },
        subscriptionId: 'sub',
        termId: null,
        prepaid: null,
        unitsHeader: null,
        passUnitsHeader: false,
        quota: null,
        counters: new CallerCounters(),
        keyHash: createHash('sha256').update('key').digest(),
      });
      assert.equal(find('another'), 'key_invalid');
      assert.equal(find('x'.repeat(10_000)), 'key_invalid');
      assert.equal(find('key', 'rte', 'other'), 'not_subscribed');
    }
  });

  test('stops a caller at once when a change removes its access', () => {
    const cases: [ConsumerChange, string][] = [
      [{ kind: 'credential', id: 'crd', value: null }, 'key_invalid'],
      [credential('crd', 'rotated'), 'key_invalid'],
      [{ kind: 'subscription', id: 'sub', value: null }, 'not_subscribed'],
      [{ kind: 'app', id: 'app', value: null }, 'key_invalid'],
      [{ kind: 'developer', id: 'dev', value: null }, 'key_invalid'],
      [{ kind: 'product', id: 'prd', value: null }, 'not_subscribed'],
      [app('app', false), 'suspended'],
      [developer('dev', false), 'suspended'],
      [product('prd', { active: false }), 'suspended'],
      [product('prd', { proxies: [] }), 'not_subscribed'],
      [product('prd', { proxies: [{ proxyId: 'prx', routeIds: ['other'] }] }), 'not_subscribed'],
    ];
    for (const [change, refusal] of cases) {
      const { directory, find } = open();
      assert.equal(find('key'), 'sub');
      const caller = findIn(directory, 'key');
      assert.ok(typeof caller === 'object');
      const refusalOf = () => directory.refusalOf(caller, 'prx', 'rte', nowMs);
      assert.equal(refusalOf(), null);
      directory.apply(page(1, 2, [change]));
      assert.equal(find('key'), refusal);
      assert.equal(refusalOf(), refusal, 'of a request in flight');
      directory.apply(page(2, 3, one));
      assert.equal(refusalOf(), null);
      assert.equal(find('key'), 'sub', 'restored');
    }
  });

  test('compares the times of a key at every call', () => {
    const { find } = open([
      ...one,
      credential('crd', 'key', {
        previousKeyHash: hashOf('before'),
        previousValidUntilMs: nowMs + 10,
        expiresAtMs: nowMs + 20,
      }),
    ]);
    const at = (key: string, afterMs: number) => find(key, 'rte', 'prx', nowMs + afterMs);
    assert.deepEqual([at('before', 9), at('before', 10)], ['sub', 'key_invalid']);
    assert.deepEqual([at('key', 19), at('key', 20)], ['sub', 'key_invalid']);
    assert.deepEqual([at('before', 0)], ['sub']);
  });

  test('uses the oldest active subscription whose product has the route, with its quota', () => {
    const { directory, find } = open([
      ...one.filter(({ kind }) => kind !== 'product' && kind !== 'subscription'),
      product('one', { active: false }),
      product('two', { proxies: [{ proxyId: 'prx', routeIds: ['other'] }] }),
      product('three', { quota: { limit: 3, window: { unit: 'day', count: 1 } } }),
      product('four'),
      subscription('sub_4', 'four', { quota: { limit: 4, window: { unit: 'day', count: 1 } } }),
      subscription('sub_3', 'three'),
      subscription('sub_1', 'one'),
      subscription('sub_2', 'two'),
    ]);
    const quotaOf = (route: string) => {
      const caller = findIn(directory, 'key', 'prx', { id: route });
      return typeof caller === 'string' || caller.kind !== 'key' ? caller : caller.quota?.limit;
    };
    assert.deepEqual([find('key'), quotaOf('rte')], ['sub_3', 3]);
    assert.equal(find('key', 'other'), 'sub_2');
    directory.apply(page(1, 2, [{ kind: 'subscription', id: 'sub_3', value: null }]));
    assert.deepEqual([find('key'), quotaOf('rte')], ['sub_4', 4]);
  });

  test('replaces everything at once, and rejects a page that does not follow', () => {
    const { directory, find } = open();
    assert.throws(() => directory.apply(page(5, 6, [])), RangeError);
    directory.apply(page(0, 1, [developer('dev'), app('app')], true));
    assert.equal(find('key'), 'sub', 'the row is not whole yet');
    assert.throws(() => directory.apply(page(7, 8, [])), RangeError);
    directory.apply(page(1, 9, [credential('crd_2', 'key 2')]));
    assert.deepEqual(
      [find('key'), find('key 2'), directory.size, directory.sequence],
      ['key_invalid', 'not_subscribed', 1, 9],
    );
    assert.equal(createConsumerDirectory().sequence, null);
  });

  test('agrees with a plain table over random changes, including removals', () => {
    const directory = createConsumerDirectory();
    directory.apply(page(0, 1, one));
    const keys = Array.from({ length: 400 }, () => randomBytes(8).toString('hex'));
    const model = new Map<string, { key: string; previous: string | null }>();
    for (let sequence = 1; sequence < 3_000; sequence += 1) {
      const id = `crd_${Math.floor(Math.random() * 200)}`;
      const [key, previous] = [keys.at(Math.random() * 200)!, keys.at(200 + Math.random() * 200)!];
      const taken = [...model].some(
        ([other, held]) => other !== id && (held.key === key || held.previous === previous),
      );
      if (taken || Math.random() < 0.4) {
        model.delete(id);
        directory.apply(page(sequence, sequence + 1, [{ kind: 'credential', id, value: null }]));
      } else {
        model.set(id, { key, previous });
        const more = { previousKeyHash: hashOf(previous), previousValidUntilMs: nowMs + 1 };
        directory.apply(page(sequence, sequence + 1, [credential(id, key, more)]));
      }
      if (sequence % 10 > 0) continue;
      const owners = new Map(
        [...model].flatMap(([owner, held]) => [
          [held.key, owner],
          [held.previous, owner],
        ]),
      );
      for (const known of keys) {
        const found = findIn(directory, known);
        assert.equal(
          typeof found === 'string' || found.kind !== 'key' ? found : found.credentialId,
          owners.get(known) ?? 'key_invalid',
        );
      }
    }
    assert.equal(directory.size, model.size + 1);
  });
});
