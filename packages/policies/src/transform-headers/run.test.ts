import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallerCounters } from '../caller-counters.ts';
import type { PolicyParts } from '../run.ts';
import { answerOf, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { compileTransformHeaders } from './run.ts';

const variables = new Map([
  ['TOKEN', 'secret'],
  ['BROKEN', 'one\r\nx-evil: two'],
]);

function change(
  configuration: Record<string, unknown>,
  headers: string[],
  more = {},
  parts: Partial<PolicyParts> = {},
) {
  const exchange = exchangeOf({ headers }, more);
  const policy = compileTransformHeaders(policyOf(configuration), partsOf({ variables, ...parts }));
  assert.equal(policy.request.onHead!(exchange), null);
  return exchange.request.headers.fields;
}

describe('header changes', () => {
  it('removes, renames, sets and appends, in this order', () => {
    assert.deepEqual(
      change(
        {
          remove: ['X-Gone'],
          rename: [{ from: 'x-old', to: 'x-new' }],
          set: [{ name: 'X-Set', value: 'mine' }],
          append: [{ name: 'via', value: '1.1 millrace' }],
        },
        ['x-gone', '1', 'X-Old', 'a', 'X-New', 'theirs', 'x-old', 'b', 'X-SET', 'theirs', 'Via', '1.0 other'],
      ),
      ['Via', '1.0 other', 'x-new', 'a', 'x-new', 'b', 'x-set', 'mine', 'via', '1.1 millrace'],
    );
  });

  it('removes and replaces what a target could treat as the same header', () => {
    const twins = ['X_Internal', '1', 'x.internal', '2', 'X_Set', 'theirs', 'X_New', 'theirs', 'x-old', 'a'];
    const configuration = {
      remove: ['x-internal'],
      rename: [{ from: 'x-old', to: 'x-new' }],
      set: [{ name: 'x-set', value: 'mine' }],
    };
    assert.deepEqual(change(configuration, twins), ['x-new', 'a', 'x-set', 'mine']);
    assert.throws(
      () => change({ set: [{ name: 'content_length', value: '1' }] }, []),
      /Only the gateway sets this header/,
    );
  });

  it('leaves a header alone if there is nothing to rename', () => {
    assert.deepEqual(change({ rename: [{ from: 'x-old', to: 'x-new' }] }, ['x-new', '1']), ['x-new', '1']);
    assert.deepEqual(change({ rename: [{ from: 'x-a', to: 'x-a' }] }, ['x-a', '1']), ['x-a', '1']);
  });

  it('fills references in', () => {
    const caller = {
      kind: 'key',
      credentialId: 'c',
      developer: { id: 'd-1', name: 'Ada' },
      app: { id: 'a-1', name: 'Shop' },
      product: { id: 'p-1', name: 'Orders' },
      subscriptionId: 's',
      termId: null,
      prepaid: null,
      unitsHeader: null,
      passUnitsHeader: false,
      quota: null,
      counters: new CallerCounters(),
    };
    const value =
      'Bearer {{variables.TOKEN}};{{request.id}} {{request.method}} {{request.path}};{{client.ip}};{{app.id}}={{app.name}};' +
      '{{developer.name}}/{{product.id}};{{proxy.name}}@{{environment.name}}';
    assert.deepEqual(change({ set: [{ name: 'x-all', value }] }, [], { caller, forwardedAddress: '198.51.100.9' }), [
      'x-all',
      'Bearer secret;request-1 GET /v1/orders;198.51.100.9;a-1=Shop;Ada/p-1;orders@production',
    ]);
    assert.deepEqual(
      change({ set: [{ name: 'x-app', value: '<{{app.name}}>' }] }, []),
      ['x-app', '<>'],
      'no app is known',
    );
  });

  it('never lets a value end its line', () => {
    const caller = {
      kind: 'key',
      app: { id: 'a', name: 'Evil\r\nX-Admin: true\0\u2028\u010d\u010a' },
    };
    const [, value] = change({ set: [{ name: 'x-app', value: '{{app.name}}' }] }, [], { caller });
    assert.match(value!, /^EvilX-Admin: true[\x20-\x7e\x80-\xff]+$/);
    assert.equal(Buffer.from(value!, 'latin1').toString(), 'EvilX-Admin: true\u2028\u010d\u010a', 'as UTF-8');
  });

  it('doesn’t load without its variables, or with one that no header can contain', () => {
    const compile = (name: string) => change({ set: [{ name: 'x-a', value: `{{variables.${name}}}` }] }, []);
    assert.throws(() => compile('MISSING'), /MISSING has no value/);
    assert.throws(
      () => compile('BROKEN'),
      (error: Error) => /BROKEN/.test(error.message) && !/evil/.test(error.message),
    );
  });

  it('treats what callers send as text', () => {
    const path = '/v1/{{variables.TOKEN}}';
    const exchange = exchangeOf({ path });
    const { request } = compileTransformHeaders(
      policyOf({ set: [{ name: 'x-path', value: '{{request.path}}' }] }),
      partsOf({ variables }),
    );
    request.onHead!(exchange);
    assert.equal(exchange.request.headers.get('x-path'), path);
  });

  it('changes responses', () => {
    const answer = answerOf(200, ['X-Powered-By', 'old', 'ETag', '"1"']);
    const { response } = compileTransformHeaders(policyOf({ remove: ['x-powered-by'] }), partsOf());
    assert.equal(response.onHead(exchangeOf(), answer), null);
    assert.deepEqual(answer.headers.fields, ['ETag', '"1"']);
  });
});
