import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import {
  checkMove,
  checkOrder,
  findPolicyKind,
  insertionIndex,
  type PlacedPolicy,
  parseConfiguration,
  policyKinds,
} from './policies.ts';

const place = (flow: PlacedPolicy['flow'], kind: string, name = kind): PlacedPolicy => ({ flow, kind, name });

/** A flow that holds each rank. */
const lane: readonly PlacedPolicy[] = [
  place('request', 'ip-allow-list'),
  place('request', 'verify-api-key'),
  place('request', 'quota', 'Daily'),
  place('request', 'spike-arrest'),
  place('request', 'request-size-limit'),
  place('request', 'transform-headers'),
  place('response', 'data-masking'),
  place('response', 'transform-headers'),
];

describe('policy kinds', () => {
  for (const kind of policyKinds) {
    it(`${kind.kind} is complete`, () => {
      assert.equal(findPolicyKind(kind.kind), kind);
      assert.deepEqual(Object.keys(kind.rank).sort(), [...kind.flows].sort());
      const parsed = parseConfiguration(kind.kind, kind.example);
      assert.deepEqual(parsed, { ok: true, value: kind.example }, 'the example is valid and spells every field out');
      const unknown = parseConfiguration(kind.kind, { ...kind.example, surprise: 1 });
      assert.ok(!unknown.ok && unknown.errors.surprise, 'an unknown field is refused by name');
      assert.equal(kind.impact.changed(kind.example, kind.example), null, 'no change breaks nothing');
    });

    it(`${kind.kind} describes and bounds every field for the editor`, () => {
      const schema = JSON.parse(JSON.stringify(z.toJSONSchema(kind.configuration, { io: 'input' })));
      for (const [field, property] of Object.entries<Record<string, unknown>>(schema.properties)) {
        assert.ok(property.description, `${field} has no description`);
      }
      visit(schema, (node) => {
        if (node.type === 'array') assert.ok(Number(node.maxItems) <= 1_000, `unbounded list: ${JSON.stringify(node)}`);
        if (node.type === 'integer')
          assert.ok(Number(node.maximum) <= 1e12, `unbounded number: ${JSON.stringify(node)}`);
        if (node.type === 'string' && !node.enum && !node.format && node.const === undefined) {
          assert.ok(Number(node.maxLength) <= 300_000, `unbounded text: ${JSON.stringify(node)}`);
        }
      });
    });
  }

  it('stand in rank order', () => {
    const ranks = policyKinds.filter(({ rank }) => rank.request).map(({ rank }) => rank.request!);
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
    );
  });

  it('of another name do not exist', () => {
    assert.equal(findPolicyKind('constructor'), null);
    assert.deepEqual(parseConfiguration('nonsense', {}), {
      ok: false,
      errors: { '': 'Unknown policy kind "nonsense".' },
    });
  });
});

describe('order', () => {
  it('admits the ranks, equal ones in any order, the flows mixed', () => {
    assert.equal(checkOrder([]), null);
    assert.equal(checkOrder(lane), null);
    assert.equal(checkOrder([lane[6]!, ...lane.slice(0, 6), lane[7]!]), null);
    assert.equal(checkOrder([place('request', 'cors'), place('request', 'ip-allow-list')]), null);
  });

  it('reports policies that are in the wrong order', () => {
    assert.equal(
      checkOrder([place('request', 'spike-arrest', 'Smooth'), place('request', 'quota', 'Daily')]),
      'On the request flow, Quota "Daily" must come before Spike Arrest "Smooth".',
    );
    const sequence = ['quota', 'verify-api-key'].map((kind) => place('request', kind));
    assert.match(checkOrder(sequence)!, /Verify API Key .* must come before Quota/);
  });

  it('rejects kinds not allowed there, unknown ones, and more than a flow can have', () => {
    assert.equal(checkOrder([place('response', 'quota')]), 'Quota is only allowed on the request flow.');
    assert.equal(checkOrder([place('request', 'data-masking')]), 'Data Masking is only allowed on the response flow.');
    assert.equal(checkOrder([place('request', 'toString')]), 'Unknown policy kind "toString".');
    assert.equal(
      checkOrder([place('request', 'cors'), place('request', 'cors', 'Other')]),
      'The request flow can have at most 1 CORS.',
    );
  });

  it('inserts every kind at a valid position, whatever exists already', () => {
    for (let taken = 0; taken < 2 ** lane.length; taken++) {
      const policies = lane.filter((_, index) => taken & (1 << index));
      for (const kind of policyKinds) {
        if (kind.maxPerFlow !== null && policies.some((policy) => policy.kind === kind.kind)) continue;
        for (const flow of kind.flows) {
          const index = insertionIndex(policies, flow, kind.kind);
          assert.equal(checkOrder(policies.toSpliced(index, 0, place(flow, kind.kind, 'New'))), null);
        }
      }
    }
  });

  it('inserts after those of the same rank', () => {
    assert.equal(insertionIndex(lane, 'request', 'quota'), 3);
    assert.equal(insertionIndex(lane, 'request', 'verify-jwt'), 2);
    assert.equal(insertionIndex(lane, 'response', 'response-cache'), 8);
    assert.throws(() => insertionIndex(lane, 'response', 'quota'), /is not allowed on the response flow/);
  });

  it('only moves within a rank', () => {
    const policies = [place('request', 'quota', 'Daily'), place('request', 'quota', 'Monthly'), ...lane.slice(3)];
    assert.equal(checkMove(policies, 0, 1), null);
    assert.match(checkMove(policies, 0, 2)!, /Quota "Daily" must come before Spike Arrest/);
    assert.match(checkMove(policies, 0, policies.length - 1)!, /stays on the request flow/);
    assert.equal(checkMove(policies, 0, 99), 'No policy at this position.');
  });
});

describe('configuration', () => {
  const errors = (kind: string, value: unknown) => {
    const parsed = parseConfiguration(kind, value);
    return parsed.ok ? {} : parsed.errors;
  };

  it('fills defaults in', () => {
    const parsed = parseConfiguration('quota', { limit: 5, window: { unit: 'day' } });
    assert.ok(parsed.ok);
    assert.equal(parsed.value.window.count, 1);
    assert.equal(parsed.value.failOpen, false);
    assert.equal(parsed.value.mode, 'strict');
  });

  it('reports errors by field', () => {
    assert.deepEqual(errors('quota', { limit: 0, window: { unit: 'year' } }), {
      limit: 'Must be at least 1.',
      'window.unit': 'Must be one of minute, hour, day, month.',
    });
    assert.deepEqual(Object.keys(errors('quota', null)), ['']);
    assert.deepEqual(Object.keys(errors('data-masking', { rules: [{ detector: 'card', jsonPath: '$.a' }] })), [
      'rules.0.jsonPath',
    ]);
    assert.deepEqual(Object.keys(errors('cors', { allowedOrigins: ['*'], allowCredentials: true })), [
      'allowCredentials',
    ]);
    assert.deepEqual(Object.keys(errors('spike-arrest', {})), ['ratePerSecond']);
    assert.deepEqual(Object.keys(errors('spike-arrest', { ratePerSecond: 1, ratePerMinute: 1 })), ['ratePerSecond']);
  });

  it('never accepts a token that anyone could sign', () => {
    const { example } = findPolicyKind('verify-jwt')!;
    for (const algorithm of ['none', 'HS256']) {
      assert.ok(errors('verify-jwt', { ...example, algorithms: [algorithm] })['algorithms.0']);
    }
    for (const jwksUrl of [
      'http://login.example.com/keys',
      'https://a:b@login.example.com/',
      'file:///etc/passwd',
      'x',
    ]) {
      assert.ok(errors('verify-jwt', { ...example, jwksUrl }).jwksUrl, jwksUrl);
    }
    assert.deepEqual(errors('verify-jwt', { ...example, jwksUrl: 'http://127.0.0.1:4900/keys' }), {});
  });

  it('lets no header end its line or frame the message', () => {
    const set = (name: string, value: string) => errors('transform-headers', { set: [{ name, value }] });
    assert.ok(set('x-a', 'one\r\nx-b: two')['set.0.value']);
    assert.ok(set('Transfer-Encoding', 'chunked')['set.0.name']);
    assert.ok(set('x a', 'b')['set.0.name']);
    assert.ok(set('x-a', '{{process.env}}')['set.0.value']);
    assert.ok(set('x-a', '{{variables.A')['set.0.value']);
    assert.deepEqual(set('X-A', 'Bearer {{variables.TOKEN}} for {{app.name}}'), {});
  });

  it('reads networks of both families', () => {
    assert.deepEqual(errors('ip-allow-list', { allow: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'] }), {});
    for (const range of ['10.0.0.0/33', '10.0.0', 'example.com', '2001:db8::/129']) {
      assert.ok(errors('ip-allow-list', { allow: [range] })['allow.0'], range);
    }
  });

  it('accepts JSON paths without filters and scripts, and quickly rejects long hostile ones', () => {
    const path = (jsonPath: string) => errors('data-masking', { rules: [{ jsonPath }] });
    for (const good of ['$.a', '$.a.b[*].c', "$['first name']", '$..iban', '$.a[0]'])
      assert.deepEqual(path(good), {}, good);
    for (const bad of ['$', 'a', '$[?(@.a)]', '$..', '$...a', `$${'.a'.repeat(149)}!`, '$..a..b..c']) {
      const started = process.threadCpuUsage();
      assert.ok(path(bad)['rules.0.jsonPath'], bad);
      assert.ok(process.threadCpuUsage(started).user < 100_000);
    }
  });

  it('describes changes of a limit by what callers notice', () => {
    const { changed } = findPolicyKind('quota')!.impact;
    const quota = (limit: number, unit: string, more = {}) => {
      const parsed = parseConfiguration('quota', { limit, window: { unit }, ...more });
      assert.ok(parsed.ok);
      return parsed.value;
    };
    assert.equal(changed(quota(100, 'day'), quota(99, 'day')), 'Fewer requests are allowed.');
    assert.equal(changed(quota(100, 'day'), quota(100, 'hour')), null);
    assert.equal(changed(quota(100, 'day'), quota(3_000, 'month')), 'Fewer requests are allowed.');
    assert.equal(changed(quota(100, 'day'), quota(3_100, 'month')), null);
    assert.match(changed(quota(100, 'day'), quota(200, 'day', { per: 'ip' }))!, /per ip/);
    const burst = findPolicyKind('spike-arrest')!.impact.changed;
    const { example } = findPolicyKind('spike-arrest')!;
    assert.equal(burst(example, { ...example, ratePerSecond: null, ratePerMinute: 1_200 }), null);
    assert.equal(burst(example, { ...example, ratePerSecond: null, ratePerMinute: 1_199 }), 'The rate is lower.');
  });
});

function visit(node: unknown, see: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) see(node as Record<string, unknown>);
  for (const child of Object.values(node)) visit(child, see);
}
