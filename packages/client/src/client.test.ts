import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { invoicePdf, startTestService, type TestService, textPdf } from '@millrace/extraction/testing';
import {
  createMillraceClient,
  ExtractionError,
  type MillraceClient,
  ResponseError,
  suggestedPollDelayMs,
} from './index.ts';

const quickly = { pollDelayMs: () => 50 };

describe('against the service', () => {
  let service: TestService;
  let client: MillraceClient;
  before(async () => {
    service = await startTestService();
    client = createMillraceClient({ baseUrl: `${service.baseUrl}/`, apiKey: service.apiKey });
  });
  after(() => service?.stop());

  test('health confirms the key, and a wrong key rejects with its code', async () => {
    assert.deepEqual(await client.health(), { ok: true });
    const stranger = createMillraceClient({ baseUrl: service.baseUrl, apiKey: 'wrong' });
    await assert.rejects(stranger.health(), { name: 'ResponseError', status: 401, code: 'invalid_api_key' });
  });

  test('a file is extracted in every accepted form', async () => {
    const file = new File([invoicePdf], 'invoice.pdf');
    const document = await client.extract(file, { docType: 'invoice', fields: ['invoice_number'] });
    assert.deepEqual(document.fields, { invoice_number: 'INV-2041' });
    assert.equal(document.provenance, undefined);
    const [stored] = await service.opened.database.system.selectFrom('documents').select('file_name').execute();
    assert.equal(stored?.file_name, 'invoice.pdf');
    const named = { name: 'second.pdf', content: invoicePdf };
    for (const input of [invoicePdf, new Blob([invoicePdf]), named]) {
      assert.equal((await client.extract(input)).meta.state, 'done');
    }
    const { meta } = document;
    assert.deepEqual(await client.getDocument(meta.document_id), document);
    const { provenance } = await client.getDocument(meta.document_id, { include: 'provenance' });
    assert.equal(provenance?.fields.invoice_number?.places[0]?.page, 1);
  });

  test('a queued file is waited for', async () => {
    const job = await client.extractAsync(invoicePdf, { docType: 'invoice' });
    assert.equal(job.state, 'queued');
    const document = await client.waitForJob(job.job_id, quickly);
    assert.equal(document.fields.invoice_number, 'INV-2041');
    assert.equal((await client.getJob(job.job_id)).document_id, document.meta.document_id);
  });

  test('a job that fails rejects with its code', async () => {
    const job = await client.extractAsync(textPdf([[]]));
    await assert.rejects(client.waitForJob(job.job_id, quickly), (error) => {
      assert.ok(error instanceof ExtractionError);
      assert.deepEqual([error.code, error.jobId], ['empty_document', job.job_id]);
      return true;
    });
  });

  test('waiting stops when it is aborted', async () => {
    const job = await client.extractAsync(invoicePdf);
    const startedMs = Date.now();
    await assert.rejects(client.waitForJob(job.job_id, { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' });
    assert.ok(Date.now() - startedMs < 10_000);
  });

  test('document types are defined, used, counted, exported, imported and deleted', async () => {
    const name = 'delivery_report';
    const created = await client.types.create({
      name,
      title: 'Delivery report',
      fields: [{ name: 'report_number', kind: 'identifier', captions: ['Report no'] }],
    });
    assert.equal(created.version, 1);
    const listed = (await client.types.list()).find((type) => type.name === name);
    assert.deepEqual([listed?.title, listed?.origin], ['Delivery report', 'own']);
    const document = await client.extract(textPdf([['Delivery report', '', 'Report no: DR-2026-18']]), {
      docType: name,
    });
    assert.deepEqual(document.fields, { report_number: 'DR-2026-18' });
    const { fields } = created;
    const renamed = await client.types.update(name, { version: 1, title: 'Report', fields });
    assert.deepEqual([renamed.title, renamed.version], ['Report', 2]);
    await assert.rejects(client.types.update(name, { version: 1, title: 'Stale', fields }), { code: 'conflict' });
    assert.equal((await client.types.figures(name)).documents, 0);
    const file = await client.types.export(name);
    await assert.rejects(client.types.import(file), { code: 'conflict' });
    assert.equal((await client.types.import(file, { replace: true })).version, 3);
    await client.types.delete(name);
    await assert.rejects(client.types.get(name), { code: 'not_found' });
  });

  test('one idempotency key extracts once', async () => {
    const options = { idempotencyKey: 'order-7' };
    const [first, second] = [await client.extract(invoicePdf, options), await client.extract(invoicePdf, options)];
    assert.equal(first.meta.document_id, second.meta.document_id);
    await assert.rejects(client.extract(textPdf([['Other']]), options), { status: 422, code: 'idempotency_conflict' });
  });
});

describe('against a server in trouble', () => {
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.close();
  });

  async function clientOf(listener: RequestListener, retries = 4) {
    const server = createServer((request, response) => {
      request.resume();
      request.once('end', () => listener(request, response));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return createMillraceClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', retries });
  }

  test('a rate limit is waited out', async () => {
    let calls = 0;
    const client = await clientOf((_request, response) => {
      if (++calls > 1) return response.end('{"ok":true}');
      response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"code":"rate_limited","message":"Wait."}}');
    });
    const startedMs = Date.now();
    assert.deepEqual(await client.health(), { ok: true });
    assert.ok(Date.now() - startedMs >= 1_000);
    assert.equal(calls, 2);
  });

  test('a temporary failure is retried with one idempotency key, a permanent one is not', async () => {
    const keys = new Set<string | undefined>();
    let calls = 0;
    const body = '{"job_id":"job_1","state":"queued","poll_url":"/api/external/v1/jobs/job_1"}';
    const client = await clientOf((request, response) => {
      keys.add(request.headers['idempotency-key'] as string | undefined);
      calls++;
      if (calls === 1) return response.socket?.destroy();
      if (calls === 2) return response.writeHead(503).end('<html>');
      response.writeHead(202).end(body);
    });
    assert.equal((await client.extractAsync(new Uint8Array([1]))).job_id, 'job_1');
    assert.deepEqual([calls, keys.size], [3, 1]);
    const refusing = await clientOf((_request, response) => {
      calls++;
      response.writeHead(400).end('{"error":{"code":"missing_document","message":"Send a file."}}');
    });
    await assert.rejects(refusing.extract(new Uint8Array([1])), { code: 'missing_document', message: 'Send a file.' });
    assert.equal(calls, 4);
  });

  test('an upload in progress is waited for without using up retries', async () => {
    let calls = 0;
    const client = await clientOf((_request, response) => {
      if (++calls > 3) {
        return response
          .writeHead(202)
          .end('{"job_id":"job_1","state":"queued","poll_url":"/api/external/v1/jobs/job_1"}');
      }
      const body = '{"error":{"code":"idempotency_in_progress","message":"Try again."}}';
      response.writeHead(409, { 'retry-after': '0' }).end(body);
    }, 0);
    assert.equal((await client.extractAsync(new Uint8Array([1]))).job_id, 'job_1');
    assert.equal(calls, 4);
  });

  test('a response that is not the service’s own is an error with its status', async () => {
    const client = await clientOf((_request, response) => response.writeHead(502).end('<html>'), 0);
    await assert.rejects(client.health(), (error) => {
      assert.ok(error instanceof ResponseError);
      assert.deepEqual([error.status, error.code], [502, null]);
      return true;
    });
  });
});

test('the suggested cadence is 3 seconds for the first 30 seconds, then 10', () => {
  assert.deepEqual([0, 29_999, 30_000, 600_000].map(suggestedPollDelayMs), [3_000, 3_000, 10_000, 10_000]);
});
