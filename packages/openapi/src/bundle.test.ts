import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BundledApi, bundleDocuments } from './bundle.ts';
import { findReference, type JsonObject, type OpenApiDocument, objectAt } from './document.ts';
import { writePostman } from './postman.ts';
import { describeOperation, exampleRequest } from './reference.ts';

const api = (name: string, basePath: string, document: OpenApiDocument): BundledApi => ({
  name,
  basePath,
  document,
  includes: () => true,
});

const orders: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.2.0' },
  servers: [{ url: 'https://internal.example' }],
  tags: [{ name: 'orders', description: 'What was ordered' }],
  security: [{ key: [] }],
  paths: {
    '/': {
      post: {
        operationId: 'create',
        tags: ['orders'],
        summary: 'Order',
        'x-route': { id: 'rte_1' },
        parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'boolean' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
        responses: {
          '201': {
            description: 'Made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          '4XX': { $ref: '#/components/responses/Problem' },
        },
      },
    },
    '/{orderId}': {
      parameters: [{ $ref: '#/components/parameters/OrderId' }],
      get: { operationId: 'read', responses: {} },
      delete: { responses: {}, security: [] },
    },
  },
  components: {
    parameters: {
      OrderId: { name: 'orderId', in: 'path', required: true, schema: { type: 'string', examples: ['42'] } },
    },
    responses: { Problem: { description: 'Wrong', content: { 'application/json': { schema: { type: 'object' } } } } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    schemas: {
      Order: {
        type: 'object',
        required: ['lines'],
        properties: {
          id: { type: 'string', readOnly: true },
          lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } },
          parent: { $ref: '#/components/schemas/Order' },
          note: { type: ['string', 'null'], maxLength: 10 },
        },
      },
      Line: {
        allOf: [
          { type: 'object', properties: { sku: { type: 'string', example: 'A-1' } }, required: ['sku'] },
          { properties: { count: { type: 'integer', minimum: 2 } } },
        ],
      },
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Order' }],
        discriminator: { propertyName: 'k', mapping: { order: 'Order' } },
      },
    },
  },
};

/** Every reference of a value that leads nowhere. */
function danglingIn(document: OpenApiDocument, value: unknown = document): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === '$ref' && typeof child === 'string') return findReference(document, child) === undefined ? [child] : [];
    return danglingIn(document, child);
  });
}

describe('bundle', () => {
  test('one API keeps its components, below its base path', () => {
    const { document, operations } = bundleDocuments([api('orders', '/v1/orders', orders)], {
      title: 'Shop',
      description: 'All of it',
      servers: ['https://api.example.com'],
    });
    assert.deepEqual(Object.keys(objectAt(document.paths)), ['/v1/orders', '/v1/orders/{orderId}']);
    assert.deepEqual(document.info, { title: 'Shop', description: 'All of it', version: '1.2.0' });
    assert.deepEqual(document.servers, [{ url: 'https://api.example.com' }]);
    assert.deepEqual(
      operations.map(({ id, method, path }) => [id, method, path]),
      [
        ['create', 'post', '/v1/orders'],
        ['read', 'get', '/v1/orders/{orderId}'],
        ['deleteByOrderId', 'delete', '/v1/orders/{orderId}'],
      ],
    );
    assert(!JSON.stringify(document).includes('x-route'));
    assert.deepEqual(danglingIn(document), []);
  });

  test('several APIs have components and ids that are not one another’s', () => {
    const { document, operations } = bundleDocuments(
      [api('orders', '/v1/orders', orders), api('returns', '/v1/returns', orders)],
      { title: 'Shop', description: '', servers: [] },
    );
    assert.deepEqual(danglingIn(document), []);
    const { schemas } = objectAt(document.components) as { schemas: JsonObject };
    assert(Object.hasOwn(schemas, 'orders.Order') && Object.hasOwn(schemas, 'returns.Order'));
    assert.equal(new Set(operations.map(({ id }) => id)).size, 6);
    assert(operations.some(({ id }) => id === 'returns.create'));
    const pet = objectAt(schemas['returns.Pet']);
    assert.deepEqual(objectAt(pet.discriminator).mapping, { order: 'returns.Order' });
    const create = objectAt(objectAt(objectAt(document.paths)['/v1/returns']).post);
    assert.deepEqual(create.security, [{ 'returns.key': [] }]);
  });

  test('contains only the operations that are included', () => {
    const { document, operations } = bundleDocuments(
      [{ ...api('orders', '/v1/orders', orders), includes: ({ method }) => method === 'get' }],
      { title: 'Shop', description: '', servers: [] },
    );
    assert.deepEqual(
      operations.map(({ id }) => id),
      ['read'],
    );
    assert.deepEqual(Object.keys(objectAt(document.paths)), ['/v1/orders/{orderId}']);
  });
});

describe('reference', () => {
  const bundle = bundleDocuments([api('orders', '/v1/orders', orders)], {
    title: 'Shop',
    description: '',
    servers: [],
  });
  const [create, read, remove] = bundle.operations;

  test('an operation is described with its references resolved', () => {
    const model = describeOperation(bundle, create!);
    const schema = model.requestBody!.content[0]!.schema!;
    assert.equal(schema.name, 'Order');
    assert.deepEqual(
      schema.properties.map(({ name, required, schema }) => [name, required, schema.type, schema.cut]),
      [
        ['id', false, 'string', null],
        ['lines', true, 'array of Line', null],
        ['parent', false, 'object', 'recursive'],
        ['note', false, 'string or null', null],
      ],
    );
    const line = schema.properties[1]!.schema.items!;
    assert.deepEqual(
      line.properties.map(({ name, required }) => [name, required]),
      [
        ['sku', true],
        ['count', false],
      ],
    );
    assert.deepEqual(
      model.responses.map(({ status, description }) => [status, description]),
      [
        ['201', 'Made'],
        ['4XX', 'Wrong'],
      ],
    );
    assert.deepEqual(
      model.security.map((all) => all.map(({ parameter }) => parameter)),
      [['X-API-Key']],
    );
    assert.deepEqual(describeOperation(bundle, remove!).security, []);
  });

  test('an example follows from the schema, without what the other direction has', () => {
    const { requestBody, responses } = describeOperation(bundle, create!);
    assert.deepEqual(requestBody!.content[0]!.examples[0]!.value, {
      lines: [{ sku: 'A-1', count: 2 }],
      note: 'string',
    });
    assert.deepEqual(responses[0]!.content[0]!.examples[0]!.value, {
      id: 'string',
      lines: [{ sku: 'A-1', count: 2 }],
      note: 'string',
    });
  });

  test('the example request has placeholders for what only a caller has', () => {
    const request = exampleRequest(read!, describeOperation(bundle, read!), 'https://api.example.com');
    assert.deepEqual(request, {
      method: 'GET',
      url: 'https://api.example.com/v1/orders/42',
      headers: [{ name: 'X-API-Key', value: 'YOUR_API_KEY' }],
      body: null,
    });
  });

  test('a schema that contains itself, or nests without end, is described in bounded size', () => {
    const deep = Array.from({ length: 200 }).reduce<JsonObject>(
      (inner) => ({ type: 'object', properties: { inner } }),
      {},
    );
    const wide = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${index}`, { $ref: '#/components/schemas/Wide' }]),
    );
    const wider = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${index}`, { $ref: '#/components/schemas/Leaf' }]),
    );
    const document: OpenApiDocument = {
      paths: {
        '/': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    anyOf: [
                      { $ref: '#/components/schemas/Loop' },
                      { $ref: '#/components/schemas/All' },
                      { $ref: '#/components/schemas/Huge' },
                      { $ref: '#/nowhere' },
                      deep,
                    ],
                  },
                },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          Loop: { $ref: '#/components/schemas/Loop' },
          All: { allOf: [{ $ref: '#/components/schemas/All' }, { type: 'object' }] },
          Huge: { type: 'object', properties: wide },
          Wide: { type: 'object', properties: wider },
          Leaf: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
    };
    const huge = bundleDocuments([api('x', '/', document)], { title: '', description: '', servers: [] });
    const start = performance.now();
    const model = describeOperation(huge, huge.operations[0]!);
    assert(JSON.stringify(model).length < 5_000_000, `${JSON.stringify(model).length} characters`);
    // Followed everywhere, the references would not end.
    assert(performance.now() - start < 20_000);
  });

  test('a malformed document is described as far as it is one', () => {
    const document = {
      paths: {
        '/a': {
          get: {
            parameters: [null, 7, { name: 1 }, { name: 'x', in: 'nowhere' }],
            responses: { '200': 5 },
            security: [3],
          },
        },
        '/b': null,
        '/c': {
          post: { requestBody: { content: { 'application/json': 7, 'text/plain': { schema: true } } }, tags: [1, 'x'] },
        },
      },
      components: 7,
      tags: [3],
    } as unknown as OpenApiDocument;
    const bundle = bundleDocuments([api('x', '/v1', document)], { title: '', description: '', servers: [] });
    assert.deepEqual(
      bundle.operations.map(({ id }) => id),
      ['getA', 'postC'],
    );
    for (const operation of bundle.operations) {
      exampleRequest(operation, describeOperation(bundle, operation), 'https://x.example');
    }
    writePostman(bundle, '');
  });
});

describe('Postman collection', () => {
  test('has a folder for each tag, and variables for address and key', () => {
    const bundle = bundleDocuments([api('orders', '/v1/orders', orders)], {
      title: 'Shop',
      description: '',
      servers: [],
    });
    const collection = writePostman(bundle, 'https://api.example.com') as {
      item: { name: string; item: { request: JsonObject }[] }[];
      variable: JsonObject[];
    };
    assert.equal(collection.item[0]!.name, 'orders');
    const { auth, url, body, header } = collection.item[0]!.item[0]!.request as Record<string, JsonObject>;
    assert.equal(auth!.type, 'apikey');
    assert.equal(url!.raw, '{{baseUrl}}/v1/orders');
    assert.equal(JSON.parse(String(body!.raw)).lines[0].sku, 'A-1');
    assert.deepEqual(header, [{ key: 'content-type', value: 'application/json' }]);
    assert.deepEqual(collection.variable[0], { key: 'baseUrl', value: 'https://api.example.com', type: 'string' });
  });
});
