import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RevisionContent } from '@millrace/revision/content';
import { type JsonObject, objectAt } from './document.ts';
import { generateDocument } from './generate.ts';

const route = (id: string, method: string, pathPattern: string, summary = '') => ({
  id,
  method,
  pathPattern,
  targetServer: 'orders',
  targetPath: null,
  timeoutMs: 30_000,
  summary,
  description: '',
});
const policy = (kind: string, configuration: object, more: object = {}) => ({
  id: `p-${kind}`,
  flow: 'request',
  kind,
  name: kind,
  enabled: true,
  routeIds: null,
  configuration,
  ...more,
});

const content = RevisionContent.parse({
  proxy: {
    name: 'orders',
    displayName: 'Orders',
    description: 'Everything about orders.',
    basePath: '/v1/orders',
    protocol: 'rest',
    authScheme: 'api_key',
  },
  routes: [
    route('r1', 'GET', '/', 'List orders'),
    route('r2', 'GET', '/{orderId}', 'Read an order'),
    route('r3', 'PUT', '/{id}', 'Replace an order'),
    route('r4', 'ANY', '/files/*'),
    route('r5', 'GET', '/files/*'),
  ],
  policies: [
    policy('verify-api-key', { location: 'header', name: 'x-key' }),
    policy('quota', { limit: 100, window: { unit: 'day' } }),
    policy('request-size-limit', { maxBodyBytes: 1_000 }, { routeIds: ['r3'] }),
    policy('spike-arrest', { ratePerSecond: 5 }, { enabled: false }),
  ],
  specification: null,
});

const generate = (of: RevisionContent, previous: JsonObject | null = null) =>
  generateDocument({ content: of, previous, title: 'Orders', version: '1.0.0', serverUrl: null });

const operation = (document: JsonObject, path: string, method: string) =>
  objectAt(objectAt(objectAt(document.paths)[path])[method]);

describe('generated document', () => {
  const document = generate(content);

  it('has one operation per route, and five for ANY minus those with their own route', () => {
    const operations = Object.entries(objectAt(document.paths)).map(([path, item]) => [
      path,
      Object.keys(objectAt(item)),
    ]);
    assert.deepEqual(operations, [
      ['/', ['get']],
      ['/{orderId}', ['get', 'put']],
      ['/files/{rest}', ['put', 'post', 'delete', 'patch', 'get']],
    ]);
    assert.equal(operation(document, '/{orderId}', 'put').operationId, 'putByOrderId');
    assert.equal(objectAt(operation(document, '/files/{rest}', 'get')['x-route']).id, 'r5');
    assert.deepEqual(document.servers, [{ url: '/v1/orders' }]);
  });

  it('describes what the policies of a route require and return', () => {
    const read = operation(document, '/{orderId}', 'get');
    assert.deepEqual(read.security, [{ apiKeyHeader: [] }]);
    assert.deepEqual(objectAt(objectAt(document.components).securitySchemes), {
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-key' },
    });
    assert.deepEqual(Object.keys(objectAt(read.responses)), ['200', '401', '403', '429']);
    assert.deepEqual(Object.keys(objectAt(operation(document, '/{orderId}', 'put').responses)), [
      '200',
      '401',
      '403',
      '413',
      '429',
    ]);
    assert.match(JSON.stringify(objectAt(read.responses)['429']), /100 requests per day and app/);
    assert.match(JSON.stringify(objectAt(read.responses)['200']), /X-RateLimit-Remaining/);
    assert.deepEqual(Object.keys(objectAt(objectAt(document.components).responses)), [
      'GatewayUnauthorized',
      'GatewayForbidden',
      'GatewayContentTooLarge',
      'GatewayTooManyRequests',
    ]);
  });

  it('is open if no policy authenticates callers', () => {
    const open = generate({ ...content, policies: [] });
    assert.deepEqual(operation(open, '/', 'get').security, []);
    assert.deepEqual(Object.keys(objectAt(operation(open, '/', 'get').responses)), ['200']);
  });

  it('is the same when generated again from itself', () => {
    assert.deepEqual(generate(content, document), document);
    assert.deepEqual(generate(content, JSON.parse(JSON.stringify(document))), document);
  });

  it('keeps edits, updates the rest from the routes, and drops operations without a route', () => {
    const edited = structuredClone(document);
    const list = operation(edited, '/', 'get');
    list.summary = 'All orders of the caller';
    list.parameters = [{ name: 'page', in: 'query', schema: { type: 'integer' } }];
    objectAt(list.responses)['200'] = { description: 'Orders.', content: { 'application/json': { schema: {} } } };
    objectAt(edited.info).contact = { name: 'Orders team' };

    const changed = structuredClone(content);
    changed.routes[0]!.summary = 'Find orders';
    changed.routes[1]!.summary = 'Fetch an order';
    changed.routes[1]!.pathPattern = '/by-number/{number}';
    changed.routes.splice(3, 1);
    changed.policies.splice(1, 1);
    const next = generate(changed, edited);

    const kept = operation(next, '/', 'get');
    assert.equal(kept.summary, 'All orders of the caller');
    assert.deepEqual(kept.parameters, list.parameters);
    assert.deepEqual(
      objectAt(kept.responses)['200'],
      objectAt(list.responses)['200'],
      'without limits, no limit headers',
    );
    assert.equal(objectAt(kept.responses)['429'], undefined);
    const moved = operation(next, '/by-number/{number}', 'get');
    assert.equal(moved.summary, 'Fetch an order');
    assert.equal(moved.operationId, 'getByOrderId', 'an operation keeps its name');
    assert.deepEqual(moved.parameters, [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }]);
    assert.deepEqual(Object.keys(objectAt(objectAt(next.paths)['/files/{rest}'])), ['get']);
    assert.deepEqual(objectAt(next.info).contact, { name: 'Orders team' });
    assert.deepEqual(generate(changed, next), next);
  });

  it('accepts tokens, and needs key and token if both policies are attached', () => {
    const both = structuredClone(content);
    const configuration = { jwksUrl: 'https://id.example.com/keys', issuer: 'https://id.example.com', audience: ['a'] };
    both.policies.push(RevisionContent.shape.policies.parse([policy('verify-jwt', configuration)])[0]!);
    assert.deepEqual(operation(generate(both), '/', 'get').security, [{ apiKeyHeader: [], bearer: [] }]);
  });
});
