import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallerCounters } from '../caller-counters.ts';
import type { Caller, ConsumerDirectory, GatewayErrorCode } from '../run.ts';
import { decideNow, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { compileVerifyApiKey } from './run.ts';

const caller: Caller = {
  kind: 'key',
  credentialId: 'credential-1',
  developer: { id: 'developer-1', name: 'Ada' },
  app: { id: 'app-1', name: 'Shop' },
  product: { id: 'product-1', name: 'Orders' },
  subscriptionId: 'subscription-1',
  termId: null,
  prepaid: null,
  unitsHeader: null,
  passUnitsHeader: false,
  quota: null,
  counters: new CallerCounters(),
};

const asked: unknown[][] = [];
const consumers: ConsumerDirectory = {
  findByKey(bytes, start, end, ...rest) {
    const key = Buffer.from(bytes.subarray(start, end)).toString();
    asked.push([key, ...rest]);
    if (key === 'suspended' || key === 'not_subscribed') return key;
    return key === 'k+y /é' || key === 'key' ? caller : 'key_invalid';
  },
};

function ask(configuration: Record<string, unknown>, request: { headers?: string[]; query?: string }) {
  const exchange = exchangeOf(request);
  const decision = decideNow(compileVerifyApiKey(policyOf(configuration), partsOf({ consumers })), exchange);
  if (decision !== null) assert.equal(exchange.caller, null);
  return {
    exchange,
    error: decision === null ? null : (decision as { error: GatewayErrorCode }).error,
    decision,
  };
}

describe('API key', () => {
  it('identifies the caller, and the target never gets the key', () => {
    const { error, exchange } = ask({}, { headers: ['Host', 'a', 'X-API-Key', 'key'] });
    assert.equal(error, null);
    assert.equal(exchange.caller, caller);
    assert.deepEqual(exchange.request.headers.fields, ['Host', 'a']);
    assert.deepEqual(asked.at(-1), ['key', 'proxy-1', exchange.route, exchange.startedAtMs]);
  });

  it('keeps the key in the request if configured', () => {
    const { exchange } = ask({ removeFromRequest: false }, { headers: ['X-API-Key', 'key'] });
    assert.deepEqual(exchange.request.headers.fields, ['X-API-Key', 'key']);
  });

  it('rejects a missing, repeated or invalid key with the matching error', () => {
    assert.equal(ask({}, {}).error, 'key_missing');
    assert.equal(ask({}, { query: 'x-api-key=key' }).error, 'key_missing', 'the query is not the place');
    assert.equal(ask({}, { headers: ['X-API-Key', ''] }).error, 'key_missing');
    assert.equal(ask({}, { headers: ['X-API-Key', 'other'] }).error, 'key_invalid');
    assert.equal(ask({}, { headers: ['X-API-Key', 'suspended'] }).error, 'suspended');
    assert.equal(ask({}, { headers: ['X-API-Key', 'not_subscribed'] }).error, 'not_subscribed');
    assert.equal(ask({}, { headers: ['X-API-Key', 'key', 'x-api-key', 'key'] }).error, 'key_invalid', 'sent twice');
    const { decision } = ask({}, {});
    assert.ok(decision?.kind === 'refusal' && decision.headers?.[0] === 'www-authenticate');
  });

  it('doesn’t look up what is too long to be a key', () => {
    const before = asked.length;
    assert.equal(ask({}, { headers: ['X-API-Key', 'k'.repeat(8_000)] }).error, 'key_invalid');
    assert.equal(asked.length, before);
  });

  it('parses the query as URLSearchParams does, and only removes the key', () => {
    const configuration = { location: 'query', name: 'api_key' };
    const left = (query: string) => {
      const { error, exchange } = ask(configuration, { query });
      return error ?? exchange.request.query;
    };
    assert.equal(left('api_key=key'), '');
    assert.equal(left('a=%20&api_key=key&b=+'), 'a=%20&b=+');
    assert.equal(left('api_key=key&a=1'), 'a=1');
    assert.equal(left('a=1&api_key=key'), 'a=1');
    assert.equal(left('%61pi%5Fkey=key&&a'), '&a');
    assert.equal(left('api_key=k%2By+%2F%C3%A9'), '');
    assert.equal(left('a=1?api_key=key'), 'key_missing');
    assert.equal(left('a=api_key=key'), 'key_missing');
    assert.equal(left('API_KEY=key'), 'key_missing');
    assert.equal(left('?api_key=key'), 'key_missing');
    assert.equal(left('a=1;api_key=key'), 'key_missing');
    assert.equal(left('api_key'), 'key_missing');
    assert.equal(left('api_key='), 'key_missing');
    assert.equal(left('api_key=k=y'), 'key_invalid');
    assert.equal(left('api_key=key&api_key=key'), 'key_invalid');
    assert.equal(left('api_key=key&%61pi_key=other'), 'key_invalid', 'an encoded name is the same name');
    assert.equal(left('api_key=%ff%'), 'key_invalid');
  });

  it('finds what URLSearchParams finds in any query', () => {
    const pieces = [
      'api_key',
      '%61pi_key',
      'api%5Fkey',
      '=',
      '=',
      '&',
      '&',
      'key',
      '+',
      '%2',
      '%',
      '?',
      '%C3',
      'é',
      ';',
    ];
    let seed = 7;
    for (let round = 0; round < 5_000; round++) {
      let query = '';
      for (let length = round % 9; length >= 0; length--) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        query += pieces[Math.floor((seed / 2 ** 32) * pieces.length)];
      }
      const expected = new URLSearchParams(`&${query}`).getAll('api_key');
      const before = asked.length;
      ask({ location: 'query', name: 'api_key' }, { query });
      const [key] = asked.slice(before).map(([found]) => found);
      assert.equal(key, expected.length === 1 && expected[0] !== '' ? expected[0] : undefined, query);
    }
  });
});
