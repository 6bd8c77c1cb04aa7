import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import { createClient, ResponseError } from './client/client.ts';
import { operationsIn } from './operation.ts';
import { addRoutes, createBodyReader, RequestFault, readInput } from './server/bind.ts';

const defineOperation = operationsIn<{
  errorCode: 'invalid';
  auth: 'open';
  rateClass: 'standard';
  extension: object;
}>();

const rest = {
  tag: 'Mills',
  summary: '',
  description: '',
  auth: 'open',
  rateClass: 'standard',
  errors: ['invalid'],
  responses: { 200: { description: '', body: z.object({ data: z.unknown() }) } },
} as const;
const answer = { status: 200, body: { data: null } } as const;

const Route = z.strictObject({ method: z.enum(['GET', 'POST']), path: z.string() });

const operations = [
  defineOperation({
    ...rest,
    id: 'putMill',
    method: 'PUT',
    path: '/mills',
    request: {
      query: z.strictObject({ dry: z.stringbool().optional() }),
      body: z.strictObject({
        name: z.string().min(1),
        routes: z.array(Route).default([]),
        labels: z.record(z.string().max(4, 'Too long.'), z.string()).default({}),
        wheel: z.union([z.null(), z.strictObject({ widthMetres: z.number() })]).default(null),
        stones: z.int().optional(),
        millers: z.array(z.string()).min(1).optional(),
        builtAt: z.iso.datetime().optional(),
        builtOn: z.iso.date().optional(),
      }),
    },
    examples: [{ summary: 'A mill', request: { body: { name: 'Upper' } }, answer }],
  }),
  defineOperation({
    ...rest,
    id: 'removeMill',
    method: 'DELETE',
    path: '/mills',
    request: {},
    examples: [{ summary: 'A mill', request: {}, answer }],
  }),
] as const;

describe('an application’s own frame', () => {
  let server: FastifyInstance;
  let baseUrl: string;
  const put = async (body: unknown, query = '') => {
    const response = await fetch(`${baseUrl}/mills${query}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: { errors: Record<string, string> } }).data.errors;
  };

  before(async () => {
    server = Fastify();
    server.setErrorHandler((error, _request, reply) => {
      const { message, errors } = error as RequestFault;
      return reply.code(error instanceof RequestFault ? 400 : 500).send({ status: false, data: { message, errors } });
    });
    const bodies = createBodyReader({
      jsonSizeBytes: 1_000_000,
      fileSizeBytes: 0,
      uploadMemoryBytes: 0,
      idleTimeoutMs: 1_000,
    });
    addRoutes(server, operations, async (operation, request, reply) => {
      using input = await readInput(operation, request, bodies);
      return reply.send({ data: input });
    });
    baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => server.close());

  test('receives the parsed request', async () => {
    const response = await fetch(`${baseUrl}/mills?dry=yes`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Upper"}',
    });
    assert.deepEqual(await response.json(), {
      data: { query: { dry: true }, body: { name: 'Upper', routes: [], labels: {}, wheel: null } },
    });
  });

  test('reports each invalid field by path, including unknown ones and those in a union', async () => {
    const errors = await put({
      routes: [{ method: 'BREW', path: '/', colour: 'red' }],
      labels: { longer: 'x' },
      wheel: { widthMetres: '2', heightMetres: 3 },
      mame: 'Upper',
    });
    assert.deepEqual(Object.keys(errors).sort(), [
      'labels.longer',
      'mame',
      'name',
      'routes.0.colour',
      'routes.0.method',
      'wheel.heightMetres',
      'wheel.widthMetres',
    ]);
    assert.equal(errors.mame, 'Unknown field.');
    assert.equal(errors['labels.longer'], 'Too long.');
    assert.match(errors['routes.0.method'] ?? '', /^Must be one of GET/);
    assert.equal(errors.name, 'Required.');
    assert.equal((await put({ name: '' })).name, 'Can’t be empty.');
    assert.deepEqual(await put({ name: 'Upper' }, '?wet=yes'), { wet: 'Unknown query parameter.' });
    assert.deepEqual(Object.keys(await put([])), ['body']);
  });

  test('the error of a field of the wrong type names the expected type', async () => {
    const wrong = { name: 5, stones: 1.5, millers: 'Ann', labels: [], builtAt: 'tomorrow', builtOn: '2026-02-30' };
    assert.deepEqual(await put({ ...wrong, wheel: { widthMetres: '2' } }), {
      name: 'Must be text.',
      stones: 'Must be a whole number.',
      millers: 'Must be a list.',
      labels: 'Must be an object.',
      builtAt: 'Must be a time with a time zone, such as 2026-01-15T09:00:00Z.',
      builtOn: 'Must be a date such as 2026-01-15.',
      'wheel.widthMetres': 'Must be a number.',
    });
    assert.deepEqual(await put({ name: 'Upper', millers: [] }), { millers: 'Must have at least 1 entry.' });
  });

  test('reports a limited number of errors of limited length', async () => {
    const errors = await put({
      name: 'Upper',
      routes: Array.from({ length: 500 }, () => ({ method: 'BREW' })),
      ['x'.repeat(10_000)]: 1,
    });
    assert.equal(Object.keys(errors).length, 50);
    assert(Object.keys(await put({ name: 'Upper', ['x'.repeat(10_000)]: 1 }))[0]?.length === 200);
    assert.deepEqual(Object.keys(await put(JSON.parse('{"name":"Upper","__proto__":1}'))), ['__proto__']);
  });

  test('does not read a body that the operation doesn’t declare', async () => {
    const response = await fetch(`${baseUrl}/mills`, { method: 'DELETE', body: '{not JSON' });
    assert.deepEqual([response.status, await response.json()], [200, { data: {} }]);
  });

  test('a client parses the application’s own errors, and sends cookies if configured', async () => {
    const sent: (RequestInit | undefined)[] = [];
    const Failure = z.object({
      data: z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() }),
    });
    const client = createClient(operations, {
      baseUrl,
      credentials: 'same-origin',
      errorOf: (_status, body) => {
        const failure = Failure.safeParse(body).data?.data;
        return failure ? { code: null, message: failure.message, errors: failure.errors ?? {} } : null;
      },
      fetch: (input, init) => {
        sent.push(init);
        return fetch(input, init);
      },
    });
    // @ts-expect-error the name is missing
    await assert.rejects(client.putMill({ body: {} }), (error) => {
      assert(error instanceof ResponseError);
      assert.deepEqual([error.status, error.code, Object.keys(error.errors)], [400, null, ['name']]);
      assert.match(error.message, /^Correct the request\. field "name"/);
      return true;
    });
    assert.equal(sent[0]?.credentials, 'same-origin');
    const elsewhere = createClient(operations, { baseUrl: `${baseUrl}/nowhere`, errorOf: () => null });
    await assert.rejects(elsewhere.removeMill(), { status: 404, code: null, errors: {} });
  });
});
