import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import { createClient, ResponseError } from './client/client.ts';
import { openApiDocument } from './openapi/document.ts';
import { operationsIn } from './operation.ts';
import { bindOperations, createBodyReader, RequestFault } from './server/bind.ts';

const errors = {
  invalid: { status: 400, message: 'Correct the request.' },
  too_large: { status: 413, message: 'Send less.' },
} as const;

const defineOperation = operationsIn<{
  errorCode: keyof typeof errors;
  auth: 'open';
  rateClass: 'standard';
  extension: { readonly permission: string };
}>();

const Shelf = z.object({ id: z.string(), label: z.string().optional() }).meta({ id: 'Shelf' });
const common = { tag: 'Shelves', description: '', auth: 'open', rateClass: 'standard', errors: ['invalid'] } as const;

const getShelf = defineOperation({
  ...common,
  id: 'getShelf',
  method: 'GET',
  path: '/shelves/:id',
  summary: 'Shows a shelf',
  permission: 'shelves.read',
  request: { params: z.object({ id: z.string().max(8) }), query: z.object({ verbose: z.stringbool().optional() }) },
  responses: { 200: { description: 'The shelf.', body: Shelf } },
  examples: [{ summary: 'A shelf', request: { params: { id: 's1' } }, answer: { status: 200, body: { id: 's1' } } }],
});

const putBook = defineOperation({
  ...common,
  id: 'putBook',
  method: 'POST',
  path: '/shelves/:id/books',
  summary: 'Puts a book on a shelf',
  errors: ['invalid', 'too_large'],
  permission: 'shelves.write',
  request: {
    params: z.object({ id: z.string() }),
    multipart: {
      fields: z.object({ title: z.string().optional() }),
      file: { name: 'book', description: 'Its text.', mediaTypes: ['text/plain'] },
    },
  },
  responses: {
    200: { description: 'Put.', body: z.object({ title: z.string(), sizeBytes: z.int() }) },
    202: {
      description: 'To be put.',
      headers: { 'x-places': { description: 'Places left.', schema: z.int() } },
      body: z.object({ waiting: z.literal(true) }),
    },
  },
  examples: [
    {
      summary: 'A book',
      request: { params: { id: 's1' }, fileName: 'book.txt' },
      answer: { status: 202, body: { waiting: true } },
    },
  ],
});

const labelShelf = defineOperation({
  ...common,
  id: 'labelShelf',
  method: 'PUT',
  path: '/shelves/:id/label',
  summary: 'Labels a shelf',
  permission: 'shelves.write',
  request: { params: z.object({ id: z.string() }), body: z.object({ label: z.string() }) },
  responses: { 200: { description: 'The shelf.', body: Shelf } },
  examples: [
    {
      summary: 'A label',
      request: { params: { id: 's1' }, body: { label: 'Novels' } },
      answer: { status: 200, body: { id: 's1', label: 'Novels' } },
    },
  ],
});

const exportShelf = defineOperation({
  ...common,
  id: 'exportShelf',
  method: 'GET',
  path: '/shelves/:id/export',
  summary: 'Exports a shelf',
  permission: 'shelves.read',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'A line for each book.', body: z.string(), mediaType: 'text/csv' } },
  examples: [{ summary: 'A shelf', request: { params: { id: 's1' } }, answer: { status: 200, body: 'title\nEmma\n' } }],
});

const emptyShelf = defineOperation({
  ...common,
  id: 'emptyShelf',
  method: 'POST',
  path: '/shelves/:id/empty',
  summary: 'Empties a shelf',
  permission: 'shelves.write',
  request: {
    params: z.object({ id: z.string() }),
    body: z.strictObject({ label: z.string().default('free') }).default({ label: 'empty' }),
  },
  responses: { 200: { description: 'The shelf.', body: Shelf } },
  examples: [{ summary: 'A shelf', request: { params: { id: 's1' } }, answer: { status: 200, body: { id: 's1' } } }],
});

const paintShelf = defineOperation({
  ...common,
  id: 'paintShelf',
  method: 'POST',
  path: '/shelves/:id/paint',
  summary: 'Paints a shelf',
  permission: 'shelves.write',
  request: { params: z.object({ id: z.string() }), body: z.strictObject({ colour: z.string().default('white') }) },
  responses: { 200: { description: 'The shelf.', body: Shelf } },
  examples: [{ summary: 'A shelf', request: { params: { id: 's1' } }, answer: { status: 200, body: { id: 's1' } } }],
});

const operations = [getShelf, putBook, labelShelf, exportShelf, emptyShelf, paintShelf] as const;

describe('operations', () => {
  let server: FastifyInstance;
  let baseUrl: string;

  before(async () => {
    server = Fastify();
    server.setErrorHandler((error, _request, reply) => {
      const kind = error instanceof RequestFault ? error.kind : 'internal';
      const status =
        { invalid: 400, file_too_large: 413, wrong_content_type: 415, overloaded: 503, timed_out: 408 }[
          kind as string
        ] ?? 500;
      reply.code(status).send({ error: { code: kind, message: (error as Error).message } });
    });
    const bodies = createBodyReader({
      jsonSizeBytes: 1_000,
      fileSizeBytes: 100_000,
      uploadMemoryBytes: 150_000,
      idleTimeoutMs: 200,
    });
    bindOperations(
      server,
      operations,
      {
        getShelf: async ({ params, query }) => ({
          status: 200,
          body: { id: params.id, ...(query.verbose ? { label: 'all of it' } : {}) },
        }),
        putBook: async ({ form, file }) =>
          file
            ? { status: 200, body: { title: form.title ?? file.name, sizeBytes: file.bytes.length } }
            : { status: 202, body: { waiting: true } },
        exportShelf: async ({ params }) => ({
          status: 200,
          body: `title\n${params.id}\n`,
          headers: { 'content-type': 'text/csv' },
        }),
        labelShelf: async ({ params, body }) => ({ status: 200, body: { id: params.id, label: body.label } }),
        emptyShelf: async ({ params, body }) => ({ status: 200, body: { id: params.id, label: body.label } }),
        paintShelf: async ({ params, body }) => ({ status: 200, body: { id: params.id, label: body.colour } }),
      },
      { enter: async () => null, bodies },
    );
    baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  });

  after(() => server.close());

  test('a generated client calls the generated routes', async () => {
    const client = createClient(operations, { baseUrl });
    assert.deepEqual((await client.getShelf({ params: { id: 's 1' } })).body, { id: 's 1' });
    assert.deepEqual(
      (await client.getShelf({ params: { id: 's1' }, query: { verbose: 'yes' } })).body.label,
      'all of it',
    );
    assert.deepEqual((await client.labelShelf({ params: { id: 's1' }, body: { label: 'é' } })).body.label, 'é');
    assert.equal((await client.exportShelf({ params: { id: 's1' } })).body, 'title\ns1\n');
    const content = new Uint8Array(100_000).fill(65);
    const put = await client.putBook({ params: { id: 's1' }, file: { name: 'Emma.txt', content } });
    assert.equal(put.status, 200);
    assert.deepEqual(put.body, { title: 'Emma.txt', sizeBytes: 100_000 });
    assert.equal((await client.putBook({ params: { id: 's1' } })).status, 202);
  });

  test('rejects what the schemas don’t accept, and reports which part is invalid', async () => {
    const client = createClient(operations, { baseUrl });
    await assert.rejects(client.getShelf({ params: { id: 'longer than 8' } }), (error) => {
      assert.ok(error instanceof ResponseError);
      assert.deepEqual([error.status, error.code], [400, 'invalid']);
      assert.match(error.message, /path parameter "id"/);
      return true;
    });
    await assert.rejects(
      client.getShelf({ params: { id: 's1' }, query: { verbose: 'perhaps' } }),
      /query parameter "verbose"/,
    );
    const twice = await fetch(`${baseUrl}/shelves/s1?verbose=yes&verbose=no`);
    assert.equal(twice.status, 400);
    const broken = await fetch(`${baseUrl}/shelves/s1/label`, {
      method: 'PUT',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    assert.match(await broken.text(), /not valid JSON/);
  });

  test('a client leaves out an optional body, and sends an empty object where the body is required', async () => {
    const client = createClient(operations, { baseUrl });
    const params = { id: 's1' };
    assert.equal((await client.emptyShelf({ params })).body.label, 'empty');
    assert.equal((await client.emptyShelf({ params, body: {} })).body.label, 'free');
    assert.equal((await client.paintShelf({ params })).body.label, 'white');
  });

  const bodiless = {
    'no Content-Length': '',
    'Content-Length: 0': 'Content-Length: 0\r\n',
    'Content-Length: 0 and a content type': 'Content-Length: 0\r\nContent-Type: application/json\r\n',
    'a content type alone': 'Content-Type: application/json\r\n',
    'Content-Length: 0 and another content type': 'Content-Length: 0\r\nContent-Type: text/plain\r\n',
    'an empty chunked body': 'Transfer-Encoding: chunked\r\n',
    'an empty chunked body and a content type': 'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n',
  };
  for (const [name, headers] of Object.entries(bodiless)) {
    test(`a request with ${name} has no body, which is valid for an optional one`, async () => {
      const post = async (path: string) => {
        const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
        const end = headers.includes('chunked') ? '0\r\n\r\n' : '';
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${end}`);
        let answer = '';
        for await (const chunk of socket) answer += chunk;
        return answer;
      };
      const answered = await post('/shelves/s1/empty');
      assert.match(answered, /^HTTP\/1.1 200/);
      assert.match(answered, /"label":"empty"/);
      assert.match(await post('/shelves/s1/paint'), /^HTTP\/1.1 4(00|15)/);
    });
  }

  test('an optional body that is present is parsed as JSON only', async () => {
    const post = (body: string, contentType: string) =>
      fetch(`${baseUrl}/shelves/s1/empty`, { method: 'POST', body, headers: { 'content-type': contentType } });
    assert.equal((await post('{}', 'text/plain')).status, 415);
    assert.equal((await post('label', 'application/json')).status, 400);
    assert.match(await (await post('{"label":"new"}', 'application/json')).text(), /"new"/);
    assert.equal((await post('{"name":"new"}', 'application/json')).status, 400);
  });

  test('a body is rejected as soon as it exceeds its limit, whatever length it declares', async () => {
    const client = createClient(operations, { baseUrl });
    const content = new Uint8Array(100_001);
    await assert.rejects(client.putBook({ params: { id: 's1' }, file: { name: 'a', content } }), { status: 413 });
    await assert.rejects(client.putBook({ params: { id: 's1' }, file: { name: 'a', content: new Uint8Array(5e6) } }), {
      status: 413,
    });
    await assert.rejects(client.labelShelf({ params: { id: 's' }, body: { label: 'x'.repeat(2_000) } }), {
      status: 413,
    });
  });

  test('rejects a form with a second file, a repeated field or too many fields', async () => {
    const post = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      fill(form);
      return (await fetch(`${baseUrl}/shelves/s1/books`, { method: 'POST', body: form })).text();
    };
    const file = new File(['text'], 'a.txt');
    assert.match(
      await post((form) => {
        for (const name of ['book', 'book']) form.append(name, file);
      }),
      /one file/,
    );
    assert.match(await post((form) => form.append('other', file)), /in the field \\"book\\"/);
    assert.match(
      await post((form) => {
        for (const title of ['a', 'b']) form.append('title', title);
      }),
      /is repeated/,
    );
    assert.match(
      await post((form) => {
        for (let field = 0; field < 50; field++) form.append(`f${field}`, 'x');
      }),
      /too many/,
    );
    assert.match(await post((form) => form.append('title', 'x'.repeat(20_000))), /too long/);
    const unbounded = await fetch(`${baseUrl}/shelves/s1/books`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    });
    assert.match(await unbounded.text(), /boundary/);
    const malformed = await fetch(`${baseUrl}/shelves/s1/books`, {
      method: 'POST',
      body: '--b\r\nContent-Disposition: form-data; name="book"; filename="a"\r\n\r\nunfinished',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    assert.match(await malformed.text(), /not valid multipart/);
  });

  test('concurrent uploads share one memory limit and release their share', async () => {
    const client = createClient(operations, { baseUrl });
    const put = () =>
      client.putBook({ params: { id: 's1' }, file: { name: 'a', content: new Uint8Array(90_000) } }).then(
        ({ status }) => status,
        (error: ResponseError) => error.status,
      );
    const statuses = await Promise.all(Array.from({ length: 8 }, put));
    assert.ok(statuses.every((status) => status === 200 || status === 503));
    for (let round = 0; round < 3; round++) assert.equal(await put(), 200);
  });

  test('a body that stops arriving times out', async () => {
    const { port } = new URL(baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /shelves/s1/books HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500\r\n\r\n--b\r\n',
    );
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1.1 408/);
    socket.destroy();
  });

  test('the reference describes every operation, with its examples, errors and headers', () => {
    const document = openApiDocument(operations, {
      title: 'Shelves',
      version: '1',
      description: '',
      tags: [],
      securitySchemes: {},
      auth: {},
      errors,
      errorBody: z.object({ error: z.object({ code: z.string(), message: z.string() }) }).meta({ id: 'Error' }),
      webhooks: {},
      responseHeaders: { 'X-Count': { description: 'Calls.', schema: { type: 'integer' } } },
    }) as unknown as {
      paths: Record<string, Record<string, { requestBody?: { required: boolean } }>>;
      components: { schemas: Record<string, unknown> };
    };
    assert.deepEqual(Object.keys(document.paths), [
      '/shelves/{id}',
      '/shelves/{id}/books',
      '/shelves/{id}/label',
      '/shelves/{id}/export',
      '/shelves/{id}/empty',
      '/shelves/{id}/paint',
    ]);
    const required = Object.values(document.paths).flatMap(({ put, post }) => {
      const { requestBody } = put ?? post ?? {};
      return requestBody ? [requestBody.required] : [];
    });
    assert.deepEqual(required, [true, true, false, true]);
    assert.deepEqual(Object.keys(document.components.schemas), ['Error', 'Shelf']);
    const text = JSON.stringify(document);
    assert.match(text, /"\$ref":"#\/components\/schemas\/Shelf"/);
    assert.match(text, /"operationId":"putBook"/);
    assert.match(text, /"book":\{"type":"string","format":"binary"/);
    assert.match(text, /"text\/csv":\{"schema":\{"type":"string"\}/);
    assert.match(
      text,
      /"headers":\{"X-Count":\{[^}]+\},"X-Places":\{"description":"Places left\.","schema":\{"type":"integer"/,
    );
    assert.match(text, /"413":\{"description":"`too_large`: Send less\."/);
  });

  test('the reference includes an application’s extensions, errors, parameters and servers', () => {
    const document = openApiDocument(operations, {
      title: 'Shelves',
      version: '1',
      description: '',
      servers: [{ url: 'https://shelves.example.com' }],
      tags: [],
      securitySchemes: {},
      auth: {},
      errors,
      errorBody: z.object({ code: z.int() }),
      errorExample: (_code, { status }) => ({ code: status }),
      describe: ({ permission, summary }) => ({
        description: `${summary}. Needs \`${permission}\`.`,
        extensions: { 'x-permission': permission },
      }),
      commonParameters: ({ method }) => (method === 'GET' ? [] : [{ name: 'Idempotency-Key', in: 'header' }]),
      webhooks: {},
      responseHeaders: {},
    }) as unknown as { servers: unknown; paths: Record<string, Record<string, DescribedOperation>> };
    interface DescribedOperation {
      description: string;
      'x-permission': string;
      parameters: { name: string; example?: unknown }[];
      requestBody?: { content: Record<string, { examples: unknown }> };
      responses: Record<string, { content: Record<string, { examples: unknown }> }>;
    }
    assert.deepEqual(document.servers, [{ url: 'https://shelves.example.com' }]);
    const label = document.paths['/shelves/{id}/label']?.put;
    assert.equal(label?.description, 'Labels a shelf. Needs `shelves.write`.');
    assert.equal(label['x-permission'], 'shelves.write');
    assert.deepEqual(
      label.parameters.map(({ name, example }) => [name, example]),
      [
        ['id', 's1'],
        ['Idempotency-Key', undefined],
      ],
    );
    assert.deepEqual(label.requestBody?.content['application/json']?.examples, {
      'A label': { summary: 'A label', value: { label: 'Novels' } },
    });
    assert.deepEqual(label.responses['400']?.content['application/json']?.examples, {
      invalid: { value: { code: 400 } },
    });
    assert.equal(document.paths['/shelves/{id}']?.get?.parameters.length, 2);
  });

  test('an operation without an example, with an invalid one or with an unknown error does not compile', () => {
    const rest = {
      ...common,
      method: 'GET',
      path: '/',
      summary: '',
      permission: '',
      request: {},
      responses: { 200: { description: '', body: Shelf } },
    } as const;
    // @ts-expect-error an example is missing
    defineOperation({ ...rest, id: 'a', examples: [] });
    // @ts-expect-error the example's answer has no id
    defineOperation({ ...rest, id: 'b', examples: [{ summary: '', request: {}, answer: { status: 200, body: {} } }] });
    // @ts-expect-error the application's own statement, the permission, is missing
    defineOperation({
      ...common,
      id: 'd',
      method: 'GET',
      path: '/',
      summary: '',
      request: {},
      responses: rest.responses,
      examples: [{ summary: '', request: {}, answer: { status: 200, body: { id: 's1' } } }],
    });
    defineOperation({
      ...rest,
      id: 'c',
      // @ts-expect-error no such code
      errors: ['no_such_code'],
      examples: [{ summary: '', request: {}, answer: { status: 200, body: { id: 's1' } } }],
    });
  });
});
