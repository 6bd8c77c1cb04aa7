import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Decision, Exchange, PolicyParts } from '../run.ts';
import { decideNow, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { compileRequestValidation } from './run.ts';

const specification = {
  openapi: '3.1.0',
  paths: {
    '/orders/{orderId}': {
      parameters: [{ in: 'path', name: 'orderId', required: true, schema: { type: 'integer', minimum: 1 } }],
      get: {
        parameters: [
          { $ref: '#/components/parameters/limit' },
          {
            in: 'query',
            name: 'tags',
            schema: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 },
          },
          { in: 'query', name: 'ids', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
          {
            in: 'query',
            name: 'filter',
            style: 'deepObject',
            schema: { type: 'object', properties: { min: { type: 'number' } }, additionalProperties: false },
          },
          { in: 'query', name: 'on', schema: { type: ['boolean', 'null'] } },
          { in: 'query', name: 'q', content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
          { in: 'header', name: 'X-Version', required: true, schema: { enum: ['1', '2'] } },
          { in: 'header', name: 'Authorization', required: true, schema: { type: 'integer' } },
        ],
      },
      put: {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Order' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Order' } },
            'image/*': {},
          },
        },
      },
      post: {
        requestBody: {
          content: { 'application/*+json': {}, 'application/merge-patch+json': { schema: { type: 'object' } } },
        },
      },
    },
    '/stated': { delete: { 'x-route': { id: 'route-9' } } },
    '/broken': { get: { parameters: [{ in: 'query', name: 'a', schema: { $ref: 'https://evil.example/schema' } }] } },
    '/hostile': { get: { parameters: [{ in: 'query', name: 'a', schema: { type: 'string', pattern: '^(a+)+$' } }] } },
    '/back': { get: { parameters: [{ in: 'query', name: 'a', schema: { pattern: '(a)\\1' } }] } },
    '/files/{rest}': {
      get: { parameters: [{ in: 'path', name: 'rest', required: true, schema: { type: 'integer' } }] },
    },
  },
  components: {
    parameters: { limit: { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } } },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'sku', 'quantity'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', readOnly: true },
          sku: { type: 'string', pattern: '^[A-Z]+(-[A-Z0-9]+)*$' },
          quantity: { type: 'integer', minimum: 1 },
          email: { type: 'string', format: 'email' },
          at: { type: 'string', format: 'date-time' },
          tags: { type: 'array', uniqueItems: true, items: {} },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          $ref: { type: 'string', example: { $ref: 'nowhere' } },
        },
      },
    },
  },
};

interface Asked {
  readonly method?: string;
  readonly pattern?: string;
  readonly routeId?: string;
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly path?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

function validation(configuration = {}, more: Partial<PolicyParts> = {}) {
  const policy = compileRequestValidation(policyOf(configuration), partsOf({ specification, ...more }));
  return (asked: Asked): { readonly decision: Decision; readonly exchange: Exchange; readonly read: boolean } => {
    const { method = 'GET', pattern = '/orders/{id}', query = '', path = { id: '1' } } = asked;
    const body = asked.body === undefined ? null : Buffer.from(asked.body);
    const headers = asked.headers ?? (body ? ['Content-Type', 'application/json'] : ['X-Version', '1']);
    const exchange = exchangeOf(
      { method, query, headers, contentLength: body?.length ?? 0 },
      { route: { id: asked.routeId ?? pattern, method, pathPattern: pattern }, pathParameters: () => path },
    );
    let decision = decideNow(policy, exchange);
    const read = decision === null && policy.onBody!.wanted(exchange);
    if (read) decision = policy.onBody!.decide(exchange, body ?? new Uint8Array()) as Decision;
    return { decision, exchange, read };
  };
}

const ask = validation();

/** What is named as wrong, or the error where it is another one. */
function wrong(asked: Asked, by = ask): readonly string[] {
  const { decision } = by(asked);
  if (decision === null) return [];
  assert.ok(decision.kind === 'refusal');
  for (const message of Object.values(decision.errors!)) assert.match(message, /\.$/);
  return decision.error === 'invalid_request' ? Object.keys(decision.errors!) : [decision.error];
}

const order = { sku: 'AB-1', quantity: 2 };
const put = (body: unknown, headers?: readonly string[]): readonly string[] =>
  wrong({
    method: 'PUT',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(headers ? { headers } : {}),
  });

describe('request validation', () => {
  it('validates parameters', () => {
    assert.deepEqual(
      wrong({ query: 'limit=100&tags=a&tags=b&ids=1,2&filter[min]=1.5&on=true&q=%7B%22a%22%3A1%7D' }),
      [],
    );
    assert.deepEqual(wrong({ path: { id: '0' } }), ['path.orderId']);
    assert.deepEqual(wrong({ path: { id: 'x' } }), ['path.orderId']);
    assert.deepEqual(wrong({ path: { id: '1e400' } }), ['path.orderId']);
    for (const [query, field] of [
      ['limit=101', 'query.limit'],
      ['limit=0x10', 'query.limit'],
      ['limit=', 'query.limit'],
      ['limit', 'query.limit'],
      ['limit=1&limit=2', 'query.limit'],
      ['%6Cimit=x', 'query.limit'],
      ['tags=a&tags=b&tags=c', 'query.tags'],
      ['tags=long', 'query.tags.0'],
      ['ids=1,x', 'query.ids.1'],
      ['ids=1&ids=2', 'query.ids'],
      ['filter[min]=x', 'query.filter.min'],
      ['filter[min]=1&filter[min]=2', 'query.filter'],
      ['filter[max]=1', 'query.filter.max'],
      ['filter[__proto__]=1', 'query.filter.__proto__'],
      ['on=yes', 'query.on'],
      ['q={}', 'query.q.a'],
      ['q={', 'query.q'],
    ] as const) {
      assert.deepEqual(wrong({ query }), [field], query);
    }
    assert.deepEqual(wrong({ headers: [] }), ['header.x-version']);
    assert.deepEqual(wrong({ headers: ['X-Version', '3'] }), ['header.x-version']);
    assert.deepEqual(wrong({ headers: ['X-Version', '1', 'x-version', '2'] }), ['header.x-version']);
    assert.deepEqual(wrong({ query: 'limit=x&ids=x', path: { id: 'x' } }), [
      'path.orderId',
      'query.limit',
      'query.ids.0',
    ]);
    assert.deepEqual(wrong({ query: 'other=1' }), []);
  });

  it('rejects undescribed parameters and media types if configured', () => {
    const strict = validation({ refuseUnknownQuery: true });
    assert.deepEqual(wrong({ query: 'limit=1&filter[min]=1&other=1&debug' }, strict), ['query.other', 'query.debug']);
    assert.deepEqual(wrong({ method: 'DELETE' }), ['DELETE']);
    assert.deepEqual(wrong({ method: 'GET', pattern: '/elsewhere' }), ['GET']);
    assert.deepEqual(wrong({ method: 'toString' }), ['toString']);
    assert.deepEqual(wrong({ method: 'HEAD' }), [], 'HEAD asks for what GET answers');
    assert.deepEqual(wrong({ method: 'DELETE', routeId: 'route-9', pattern: '/whatever' }), [], 'by the route itself');
    assert.deepEqual(wrong({ pattern: '/files/*', path: {} }), []);
  });

  it('validates bodies', () => {
    assert.deepEqual(put(order), []);
    assert.deepEqual(put({ ...order, parts: [order, { ...order, quantity: 0 }] }), ['body.parts.1.quantity']);
    assert.deepEqual(put({ sku: 'AB' }), ['body.quantity']);
    assert.deepEqual(put({ ...order, surprise: 1 }), ['body.surprise']);
    assert.deepEqual(put(`{"sku":"A","quantity":1,"__proto__":{}}`), ['body.__proto__']);
    assert.deepEqual(put({ ...order, sku: 'ab' }), ['body.sku']);
    assert.deepEqual(put({ ...order, email: 'x' }), ['body.email']);
    assert.deepEqual(put({ ...order, at: '2026-02-30T00:00:00Z' }), ['body.at']);
    assert.deepEqual(
      put({
        ...order,
        tags: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
      ['body.tags'],
    );
    for (const text of ['', '{', 'null', '[]', '{"sku":"A","quantity":1}x', '\ufeff{}'])
      assert.deepEqual(put(text), ['body'], text);
    assert.deepEqual(wrong({ method: 'PUT', body: Uint8Array.of(0x22, 0xff, 0x22) }), ['body']);
    assert.deepEqual(wrong({ method: 'PUT', headers: [] }), ['body'], 'required');
    assert.deepEqual(wrong({ method: 'POST', headers: [] }), []);
  });

  it('reads forms', () => {
    const headers = ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8'];
    assert.deepEqual(put('sku=AB-1&quantity=2&tags=1&tags=2', headers), []);
    assert.deepEqual(put('sku=A%42&quantity=x', headers), ['body.quantity']);
    assert.deepEqual(put('sku=AB&quantity=1&quantity=2', headers), ['body.quantity']);
  });

  it('rejects undescribed media types', () => {
    const type = (contentType: string, method = 'PUT') =>
      wrong({ method, body: '{}', headers: ['Content-Type', contentType] });
    assert.deepEqual(type('text/xml'), ['unsupported_media_type']);
    assert.deepEqual(type('application/json;charset=utf-8'), ['body.sku']);
    assert.deepEqual(type('APPLICATION/JSON'), ['body.sku']);
    assert.deepEqual(type('image/png'), [], 'not read');
    assert.deepEqual(type('image'), ['unsupported_media_type']);
    assert.deepEqual(wrong({ method: 'PUT', body: '{}', headers: [] }), ['unsupported_media_type']);
    assert.deepEqual(
      wrong({ method: 'PUT', body: '{}', headers: ['Content-Type', 'image/png', 'Content-Type', 'application/json'] }),
      ['unsupported_media_type'],
    );
    assert.deepEqual(
      wrong({ method: 'PUT', body: '{}', headers: ['Content-Type', 'application/json', 'Content-Encoding', 'gzip'] }),
      ['unsupported_media_type'],
    );
    assert.deepEqual(
      wrong({ body: '{}', headers: ['Content-Type', 'application/json', 'X-Version', '1'] }),
      ['unsupported_media_type'],
      'no body is described',
    );
    const lenient = validation({ refuseUnknownMediaTypes: false });
    assert.deepEqual(wrong({ method: 'PUT', body: '{}', headers: ['Content-Type', 'text/xml'] }, lenient), []);
  });

  it('finishes in time on hostile requests', () => {
    const started = process.threadCpuUsage();
    assert.deepEqual(wrong({ pattern: '/hostile', query: `a=${'a'.repeat(100_000)}!` }), ['query.a']);
    assert.deepEqual(put({ ...order, tags: Array.from({ length: 50_000 }, (_, index) => ({ index })) }), []);
    const depth = 20_000;
    const nested = `{"sku":"A","quantity":1,"parts":[`.repeat(depth) + ']}'.repeat(depth);
    assert.deepEqual(put(nested), ['body']);
    assert.deepEqual(put({ ...order, email: `${'a'.repeat(100_000)}@` }), ['body.email']);
    assert.ok(process.threadCpuUsage(started).user < 3_000_000);
  });

  it('fails if the specification can’t be checked, for that operation only', () => {
    assert.throws(() => ask({ pattern: '/broken' }), /points outside the specification/);
    assert.throws(() => ask({ pattern: '/broken' }), /points outside the specification/, 'again');
    assert.throws(() => ask({ pattern: '/back' }), /uses a backreference/);
    assert.throws(() => validation({}, { specification: null })({}), /no specification/);
    assert.deepEqual(wrong({}), []);
  });

  it('passes requests that it only reports, and lists the problems in one line', () => {
    const report = validation({ action: 'report', refuseUnknownQuery: true, maxBodyBytes: 100 });
    const { decision, exchange } = report({ query: 'limit=x&a%0d%0ab%C3%A9=1' });
    assert.equal(decision, null);
    assert.deepEqual(exchange.answerHeaders.fields, ['x-request-validation', 'query.limit, query.a??b?']);
    const body = report({ method: 'PUT', body: '{}' });
    assert.equal(body.decision, null);
    assert.deepEqual(body.exchange.answerHeaders.fields, ['x-request-validation', 'body.sku']);
    assert.equal(report({ method: 'PUT', body: JSON.stringify('x'.repeat(200)) }).read, false, 'too large to be read');
  });
});
