import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { docTypes } from '@millrace/document-model';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { invoicePdf, startTestService, type TestService, textPdf } from './http/testing.ts';
import { findDelivery, listDeliveries } from './resources/deliveries/store.ts';
import { revokeKey } from './resources/keys/store.ts';
import { checkNewEndpoint } from './resources/webhooks/rules.ts';
import { createEndpoint, listEndpoints, rotateSecret } from './resources/webhooks/store.ts';

const sharedData =
  process.env.MILLRACE_SHARED_DATA ?? join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data');

/** The API and webhook specification, row by row, over real HTTP against the whole service. */

const invoice = { name: 'invoice.pdf', bytes: invoicePdf };
const letter = {
  name: 'letter.pdf',
  bytes: textPdf([['Dear reader,', 'The harbour opens on 3 May 2026.', 'Ada Stone']]),
};
const locked = {
  name: 'locked.pdf',
  bytes: new TextEncoder().encode(
    new TextDecoder()
      .decode(invoicePdf)
      .replace('/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (x) /U (x) >>'),
  ),
};

// biome-ignore lint/suspicious/noExplicitAny: what the service answers is the tested matter, down to its very shape
type Json = any;

describe('the specification', () => {
  let service: TestService;
  let receiver: Receiver;

  before(async () => {
    service = await startTestService();
    receiver = await startReceiver();
  });

  after(async () => {
    await service?.stop();
    await receiver?.stop();
  });

  async function extracted(options: Parameters<TestService['extract']>[1] = {}): Promise<Json> {
    const response = await service.extract(invoice, { ...options, form: { doc_type: 'invoice', ...options.form } });
    assert.equal(response.status, 200);
    return response.json();
  }

  async function refused(response: Response, status: number, code: string): Promise<string> {
    const body: Json = await response.json();
    assert.deepEqual([response.status, body.error?.code], [status, code]);
    assert.deepEqual(Object.keys(body), ['error']);
    assert.deepEqual(Object.keys(body.error), ['code', 'message']);
    assert.ok(body.error.message.length > 10);
    assertRateHeaders(response);
    return body.error.message;
  }

  function assertRateHeaders(response: Response) {
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      assert.match(response.headers.get(name) ?? '', /^\d+$/, name);
    }
  }

  async function queued(options: Parameters<TestService['extract']>[1] = {}): Promise<Json> {
    const response = await service.extract(invoice, { query: '?async=true', ...options });
    assert.equal(response.status, 202);
    return response.json();
  }

  async function finishedJob(jobId: string): Promise<Json> {
    let job: Json;
    await eventually('the job is finished', async () => {
      job = await (await service.call(`/jobs/${jobId}`)).json();
      return job.state === 'done' || job.state === 'error';
    });
    return job;
  }

  describe('extracted document payload', () => {
    let payload: Json;
    before(async () => {
      payload = await extracted();
    });

    test('fields: values by field name, among them those of an invoice', () => {
      assert.equal(payload.fields.invoice_number, 'INV-2041');
      assert.equal(payload.fields.invoice_date, '2026-03-14');
      assert.equal(payload.fields.total_amount, 1428);
      assert.equal(payload.fields.currency, 'EUR');
      assert.equal(typeof payload.fields.vendor_name, 'string');
    });

    test('lines: rows with keys such as description, quantity and price_unit', () => {
      assert.ok(payload.lines.length > 0);
      for (const key of ['description', 'quantity', 'price_unit']) assert.ok(key in payload.lines[0], key);
    });

    test('lines: an empty array for a type without line items', async () => {
      const general: Json = await (await service.extract(invoice)).json();
      assert.equal(general.meta.doc_type, 'general');
      assert.deepEqual(general.lines, []);
    });

    test('confidence: 0 to 100 by field name', () => {
      assert.ok(Object.keys(payload.confidence).length > 0);
      for (const [name, score] of Object.entries<number>(payload.confidence)) {
        assert.ok(name in payload.fields, name);
        assert.ok(score >= 0 && score <= 100, `${name}: ${score}`);
      }
    });

    test('ai: provider, model, process_time_ms, total_tokens', () => {
      assert.deepEqual(Object.keys(payload.ai).sort(), ['model', 'process_time_ms', 'provider', 'total_tokens']);
      assert.equal(typeof payload.ai.provider, 'string');
      assert.equal(typeof payload.ai.model, 'string');
      assert.ok(Number.isInteger(payload.ai.process_time_ms));
      assert.ok(Number.isInteger(payload.ai.total_tokens));
    });

    test('meta: success, document_id, reference, doc_type, state', () => {
      assert.equal(payload.meta.success, true);
      assert.match(payload.meta.document_id, /^doc_/);
      assert.match(payload.meta.reference, /^MR-\d{6}$/);
      assert.equal(payload.meta.doc_type, 'invoice');
      assert.equal(payload.meta.state, 'done');
    });

    test('nothing beyond the documented keys stands at the top, unless provenance is asked for', async () => {
      assert.deepEqual(Object.keys(payload), ['fields', 'lines', 'confidence', 'ai', 'meta']);
      const { provenance } = await extracted({ query: '?include=provenance' });
      const [place] = provenance.fields.invoice_number.places;
      assert.deepEqual([place.page, typeof place.box.x0, typeof place.text], [1, 'number', 'string']);
    });
  });

  describe('job', () => {
    test('created in queued, with job_id and a relative poll_url, at once', async () => {
      const job = await queued();
      assert.deepEqual(Object.keys(job), ['job_id', 'state', 'poll_url']);
      assert.match(job.job_id, /^job_/);
      assert.equal(job.state, 'queued');
      assert.equal(job.poll_url, `/api/external/v1/jobs/${job.job_id}`);
      await finishedJob(job.job_id);
    });

    test('polled until done, then with document_id, under which the document is fetched', async () => {
      const job = await queued({ form: { doc_type: 'invoice' } });
      const done = await finishedJob(job.job_id);
      assert.deepEqual(Object.keys(done), ['job_id', 'state', 'document_id']);
      assert.equal(done.state, 'done');
      const document: Json = await (await service.call(`/documents/${done.document_id}`)).json();
      assert.equal(document.fields.invoice_number, 'INV-2041');
    });

    test('polled until error, with what went wrong', async () => {
      const response = await service.extract(locked, { query: '?async=true' });
      const { job_id } = (await response.json()) as Json;
      const failed = await finishedJob(job_id);
      assert.deepEqual(Object.keys(failed), ['job_id', 'state', 'error']);
      assert.deepEqual([failed.state, failed.error.code], ['error', 'encrypted_document']);
    });
  });

  describe('API key', () => {
    test('shown once, stored only as a SHA-256 hash', async () => {
      const { raw, key } = await service.addKey();
      assert.match(raw, /^mr_live_[0-9A-Za-z]{43}$/);
      const stored = await service.opened.database.system
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(stored.key_hash, createHash('sha256').update(raw).digest());
      assert.ok(!JSON.stringify(stored).includes(raw));
      assert.ok(!service.logLines.join('').includes(raw));
    });
  });

  describe('endpoints', () => {
    test('GET /health: ok is true', async () => {
      const response = await service.call('/health');
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { ok: true });
      assertRateHeaders(response);
    });

    test('POST /extract: synchronous by default, answers the document', async () => {
      const response = await service.extract(invoice);
      assert.equal(response.status, 200);
      assert.ok('fields' in ((await response.json()) as Json));
      assertRateHeaders(response);
    });

    test('POST /extract?async=true: answers a job', async () => {
      assert.ok('job_id' in (await queued()));
    });

    test('GET /documents/:id: what the synchronous call answered', async () => {
      const payload = await extracted();
      const response = await service.call(`/documents/${payload.meta.document_id}`);
      assert.deepEqual(await response.json(), payload);
      assertRateHeaders(response);
      const withProvenance = await extracted({ query: '?include=provenance' });
      const again = await service.call(`/documents/${withProvenance.meta.document_id}?include=provenance`);
      assert.deepEqual(await again.json(), withProvenance);
    });

    test('GET /documents/:id of a failed extraction: success false, state error', async () => {
      const { job_id } = (await (await service.extract(locked, { query: '?async=1' })).json()) as Json;
      await finishedJob(job_id);
      const { document_id } = await service.opened.database.system
        .selectFrom('jobs')
        .select('document_id')
        .where('id', '=', job_id)
        .executeTakeFirstOrThrow();
      const document: Json = await (await service.call(`/documents/${document_id}`)).json();
      assert.deepEqual([document.meta.success, document.meta.state], [false, 'error']);
      assert.deepEqual([document.fields, document.lines, document.confidence], [{}, [], {}]);
      assert.equal(document.meta.error.code, 'encrypted_document');
    });

    test('GET /jobs/:id: job_id and state', async () => {
      const { job_id } = await queued();
      const response = await service.call(`/jobs/${job_id}`);
      const job: Json = await response.json();
      assert.equal(job.job_id, job_id);
      assert.ok(['queued', 'processing', 'done'].includes(job.state));
      assertRateHeaders(response);
    });

    test('an unknown id, a malformed one and an unknown path are not found', async () => {
      for (const path of [
        '/documents/doc_00000000000000000000000000',
        '/documents/x',
        '/documents/%00',
        `/documents/${'x'.repeat(1000)}`,
        '/documents/%zz',
        '/jobs/job_00000000000000000000000000',
        '/nothing',
      ]) {
        await refused(await service.call(path), 404, 'not_found');
      }
    });

    test('a method that a path does not have names those that it has', async () => {
      const response = await service.call('/health', { method: 'DELETE' });
      assert.equal(response.headers.get('allow'), 'GET');
      await refused(response, 405, 'method_not_allowed');
    });

    test("another account's document and job are not found, by the same answer", async () => {
      const { meta } = await extracted();
      const { job_id } = await queued();
      const { raw } = await service.addKey({ accountId: await service.opened.addAccount('Other') });
      const headers = { 'x-api-key': raw };
      const foreign = await refused(
        await service.call(`/documents/${meta.document_id}`, { headers }),
        404,
        'not_found',
      );
      const unknown = await refused(await service.call('/documents/doc_x', { headers }), 404, 'not_found');
      assert.equal(foreign, unknown);
      await refused(await service.call(`/jobs/${job_id}`, { headers }), 404, 'not_found');
    });
  });

  describe('request of POST /extract', () => {
    test('document is required', async () => {
      await refused(await service.extract(null), 400, 'missing_document');
      await refused(await service.call('/extract', { method: 'POST' }), 400, 'missing_document');
      const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
      await refused(await service.call('/extract', json), 400, 'missing_document');
      const body = new FormData();
      body.append('document', 'text, not a file');
      await refused(await service.call('/extract', { method: 'POST', body }), 400, 'missing_document');
    });

    test('document: the type is detected by the content, not by the name', async () => {
      const named = await service.extract({ name: 'picture.png', bytes: invoicePdf });
      assert.equal(named.status, 200);
      const text = { name: 'invoice.pdf', bytes: new TextEncoder().encode('Invoice INV-1') };
      await refused(await service.extract(text), 400, 'unsupported_file_type');
    });

    for (const name of ['simple-invoice.png', 'invoice_sample.jpg']) {
      const path = join(sharedData, 'documents', 'invoice', name);
      const skip = existsSync(path) ? false : `${path} is absent`;
      test(`document: a scan in ${name.slice(-3)} is read`, { skip }, async () => {
        const file = { name, bytes: new Uint8Array(readFileSync(path)) };
        const response = await service.extract(file, { form: { doc_type: 'invoice' } });
        assert.equal(response.status, 200);
        assert.ok(Object.keys(((await response.json()) as Json).fields).length > 3);
      });
    }

    test('doc_type: general when omitted', async () => {
      const { meta } = (await (await service.extract(letter)).json()) as Json;
      assert.equal(meta.doc_type, 'general');
    });

    test('doc_type: general when invalid, and a 400 invalid_doc_type in strict mode', async () => {
      const form = { doc_type: 'novel' };
      const lenient: Json = await (await service.extract(letter, { form })).json();
      assert.equal(lenient.meta.doc_type, 'general');
      await refused(await service.extract(letter, { form, query: '?strict=true' }), 400, 'invalid_doc_type');
      await refused(await service.extract(letter, { form: { ...form, strict: '1' } }), 400, 'invalid_doc_type');
    });

    test('doc_type: 21 types are supported, general, invoice and bank_statement among them', async () => {
      assert.equal(docTypes.length, 21);
      for (const named of ['general', 'invoice', 'bank_statement'] as const) assert.ok(docTypes.includes(named));
      for (const docType of docTypes) {
        const response = await service.extract(letter, { form: { doc_type: docType }, query: '?strict=true' });
        assert.equal(response.status, 200, docType);
        assert.equal(((await response.json()) as Json).meta.doc_type, docType);
      }
    });

    for (const name of ['fields', 'custom_fields']) {
      test(`${name}: restricts the extraction`, async () => {
        const { fields } = await extracted({ form: { [name]: 'invoice_number, total_amount' } });
        assert.deepEqual(Object.keys(fields).sort(), ['invoice_number', 'total_amount']);
      });
    }

    for (const value of ['true', '1', 'yes']) {
      test(`async: ${value} queues a job, as a parameter and as a form field`, async () => {
        assert.equal((await service.extract(invoice, { query: `?async=${value}` })).status, 202);
        assert.equal((await service.extract(invoice, { form: { async: value } })).status, 202);
      });
    }

    test('async: other values do not queue', async () => {
      assert.equal((await service.extract(invoice, { query: '?async=false' })).status, 200);
      await refused(await service.extract(invoice, { query: '?async=perhaps' }), 400, 'invalid_request');
    });

    test('callback_url: the finished document is posted to it, synchronous or not', async () => {
      const { meta } = await extracted({ form: { callback_url: `${receiver.url}/sync` } });
      const synchronous = await receiver.next('/sync');
      assert.equal(synchronous.json.data.document_id, meta.document_id);
      const { job_id } = await queued({ form: { callback_url: `${receiver.url}/async` } });
      const { document_id } = await finishedJob(job_id);
      assert.equal((await receiver.next('/async')).json.data.document_id, document_id);
    });

    test('callback_url: an address that may not be posted to is a 400', async () => {
      for (const url of ['nonsense', 'http://example.com/', 'https://10.0.0.1/', 'https://user:pass@example.com/']) {
        await refused(await service.extract(invoice, { form: { callback_url: url } }), 400, 'invalid_callback_url');
      }
    });
  });

  describe('authentication', () => {
    test('the key is taken as X-API-Key and as Authorization: Bearer', async () => {
      const url = `${service.baseUrl}/api/external/v1/health`;
      assert.equal((await fetch(url, { headers: { 'x-api-key': service.apiKey } })).status, 200);
      assert.equal((await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } })).status, 200);
    });

    for (const [name, path, init] of [
      ['GET /health', '/health', {}],
      ['POST /extract', '/extract', { method: 'POST' }],
      ['GET /documents/:id', '/documents/doc_x', {}],
      ['GET /jobs/:id', '/jobs/job_x', {}],
    ] as const) {
      test(`a missing, wrong or revoked key is a 401 of ${name}`, async () => {
        const url = `${service.baseUrl}/api/external/v1${path}`;
        await refused(await fetch(url, init), 401, 'invalid_api_key');
        const wrong = { ...init, headers: { 'x-api-key': 'mr_live_wrong' } };
        await refused(await fetch(url, wrong), 401, 'invalid_api_key');
        const { raw, key } = await service.addKey();
        await tenantTransaction(service.opened.database, service.accountId, (transaction) =>
          revokeKey(transaction, key.id),
        );
        await refused(await fetch(url, { ...init, headers: { 'x-api-key': raw } }), 401, 'invalid_api_key');
      });
    }

    test('revocation takes effect on the next request', async () => {
      const { raw, key } = await service.addKey();
      const headers = { 'x-api-key': raw };
      assert.equal((await service.call('/health', { headers })).status, 200);
      await tenantTransaction(service.opened.database, service.accountId, (transaction) =>
        revokeKey(transaction, key.id),
      );
      assert.equal((await service.call('/health', { headers })).status, 401);
    });
  });

  describe('account-wide webhook endpoint', () => {
    test('destination URL: must be HTTPS', () => {
      const policy = { allowLoopback: false };
      assert.throws(() => checkNewEndpoint({ url: 'http://example.com/hook' }, policy), { code: 'invalid_url' });
      assert.equal(checkNewEndpoint({ url: 'https://example.com/hook' }, policy).url, 'https://example.com/hook');
    });

    test('subscribed events: a selection of extraction.completed', () => {
      const policy = { allowLoopback: false };
      const url = 'https://example.com/hook';
      assert.deepEqual(checkNewEndpoint({ url }, policy).events, ['extraction.completed']);
      assert.throws(() => checkNewEndpoint({ url, events: ['other'] }, policy), { code: 'invalid_event' });
    });

    test('signing secret: generated on save and shown at that time alone', async () => {
      const accountId = await service.opened.addAccount();
      await tenantTransaction(service.opened.database, accountId, async (transaction) => {
        const endpoint = checkNewEndpoint({ url: 'https://example.com/hook' }, { allowLoopback: false });
        const { secret } = await createEndpoint(transaction, service.sealer, endpoint);
        assert.ok(secret.length >= 32);
        assert.ok(!JSON.stringify(await listEndpoints(transaction)).includes(secret));
      });
    });
  });

  describe('event extraction.completed', () => {
    let secret: string;
    let endpointId: string;
    let accountId: string;
    let headers: Record<string, string>;
    before(async () => {
      accountId = await service.opened.addAccount('Hooked');
      headers = { 'x-api-key': (await service.addKey({ accountId })).raw };
      await tenantTransaction(service.opened.database, accountId, async (transaction) => {
        const checked = checkNewEndpoint({ url: `${receiver.url}/endpoint` }, { allowLoopback: true });
        const created = await createEndpoint(transaction, service.sealer, checked);
        secret = created.secret;
        endpointId = created.endpoint.id;
      });
    });

    async function delivery(file = invoice): Promise<Posted> {
      await service.extract(file, { headers, form: { doc_type: 'invoice' } });
      return receiver.next('/endpoint');
    }

    test('payload: every key, in the shapes of the REST payload', async () => {
      const response = await service.extract(invoice, { headers, form: { doc_type: 'invoice' } });
      const payload: Json = await response.json();
      const { json } = await receiver.next('/endpoint');
      assert.deepEqual(Object.keys(json), ['event', 'timestamp', 'data']);
      assert.equal(json.event, 'extraction.completed');
      assert.match(json.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      assert.deepEqual(json.data, {
        document_id: payload.meta.document_id,
        reference: payload.meta.reference,
        doc_type: 'invoice',
        state: 'done',
        fields: payload.fields,
        lines: payload.lines,
        confidence: payload.confidence,
        source: 'api',
      });
    });

    test('state error: a failed extraction is reported too', async () => {
      const { json } = await delivery(locked);
      assert.equal(json.data.state, 'error');
      assert.deepEqual([json.data.fields, json.data.lines], [{}, []]);
    });

    test('X-Svc-Signature: HMAC-SHA256 of the time, a dot and the raw body, at most 5 minutes old', async () => {
      const { body, request } = await delivery();
      const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['x-svc-signature']));
      assert.ok(match);
      const expected = createHmac('sha256', secret).update(`${match[1]}.`).update(body).digest('hex');
      assert.equal(match[2], expected);
      assert.ok(Math.abs(Date.now() / 1000 - Number(match[1])) < 300);
    });

    test('X-Svc-Delivery: unique to each attempt', async () => {
      const ids = new Set([(await delivery()).deliveryId, (await delivery()).deliveryId]);
      assert.equal(ids.size, 2);
    });

    test("callback: the same payload, signed with the account's primary secret", async () => {
      const primary = await tenantTransaction(service.opened.database, service.accountId, (transaction) =>
        rotateSecret(transaction, service.sealer, null),
      );
      await extracted({ form: { callback_url: `${receiver.url}/signed` } });
      const { body, request, json } = await receiver.next('/signed');
      const signature = String(request.headers['x-svc-signature']);
      const time = /^t=(\d+),/.exec(signature)?.[1];
      const { secret: raw } = primary;
      assert.ok(signature.includes(createHmac('sha256', raw).update(`${time}.`).update(body).digest('hex')));
      assert.equal(json.event, 'extraction.completed');
    });

    test('retries: six attempts on the schedule, then permanently failed; each attempt is a record', async () => {
      receiver.answer = (_request, response) => response.writeHead(500, { 'x-reason': 'test' }).end('not now');
      const { system } = service.opened.database;
      try {
        await service.extract(invoice, { headers });
        for (const [attempts, delaySeconds] of [30, 120, 600, 1800, 7200, null].entries()) {
          await receiver.next('/endpoint');
          let pending: Json;
          await eventually('the attempt is recorded', async () => {
            pending = await system
              .selectFrom('notifications')
              .selectAll()
              .where('endpoint_id', '=', endpointId)
              .where('attempt_count', '=', attempts + 1)
              .where('state', '=', delaySeconds === null ? 'failed' : 'pending')
              .orderBy('id', 'desc')
              .executeTakeFirst();
            return pending && (delaySeconds === null || pending.run_at.getTime() > Date.now() + 20_000);
          });
          if (delaySeconds === null) break;
          const delayed = (pending.run_at.getTime() - Date.now()) / 1000;
          assert.ok(Math.abs(delayed - delaySeconds) < 10, `attempt ${attempts + 2} after ${delayed} s`);
          await system.updateTable('notifications').set({ run_at: new Date() }).where('id', '=', pending.id).execute();
        }
      } finally {
        receiver.answer = null;
      }
      await tenantTransaction(service.opened.database, accountId, async (transaction) => {
        const [last, ...earlier] = (await listDeliveries(transaction, { endpointId })).slice(0, 6);
        assert.equal(earlier.length, 5);
        assert.equal(last?.permanently_failed, true);
        assert.ok(earlier.every(({ permanently_failed }) => !permanently_failed));
        assert.deepEqual([last?.attempt, last?.response_status], [6, 500]);
        assert.ok(Number.isInteger(last?.latency_ms));
        const full = (await findDelivery(transaction, last!.id))!;
        assert.equal(JSON.parse(String(full.request_body)).event, 'extraction.completed');
        assert.equal(String(full.response_body), 'not now');
      });
    });
  });

  describe('errors', () => {
    test('400: missing document, unsupported file type, bad doc_type', async () => {
      await refused(await service.extract(null), 400, 'missing_document');
      const text = { name: 'a.txt', bytes: new TextEncoder().encode('text') };
      await refused(await service.extract(text), 400, 'unsupported_file_type');
      const options = { form: { doc_type: 'novel' }, query: '?strict=1' };
      await refused(await service.extract(invoice, options), 400, 'invalid_doc_type');
    });

    test('400: a document that cannot be read, which is stored in state error', async () => {
      await refused(await service.extract(locked), 400, 'encrypted_document');
      const damaged = { name: 'a.pdf', bytes: new TextEncoder().encode('%PDF-1.7 nothing follows') };
      await refused(await service.extract(damaged), 400, 'corrupt_document');
      await refused(await service.extract({ name: 'blank.pdf', bytes: textPdf([[]]) }), 400, 'empty_document');
      const stored = await service.opened.database.system
        .selectFrom('documents')
        .select(['state', 'error_code'])
        .orderBy('id', 'desc')
        .limit(3)
        .execute();
      assert.deepEqual(stored.map(({ error_code }) => error_code).reverse(), [
        'encrypted_document',
        'corrupt_document',
        'empty_document',
      ]);
      assert.ok(stored.every(({ state }) => state === 'error'));
    });

    test('400: more pages than a caller may wait for, with the way out', async () => {
      const long = { name: 'long.pdf', bytes: textPdf(Array.from({ length: 11 }, (_, page) => [`Page ${page + 1}`])) };
      assert.match(await refused(await service.extract(long), 400, 'too_many_pages'), /async=true/);
      const job: Json = await (await service.extract(long, { query: '?async=true' })).json();
      assert.equal((await finishedJob(job.job_id)).state, 'done');
    });

    test('401: missing, wrong or revoked key', async () => {
      const response = await service.call('/health', { headers: { 'x-api-key': 'wrong' } });
      await refused(response, 401, 'invalid_api_key');
    });

    test('413: a file larger than the limit, whole or chunked', async () => {
      const large = { name: 'large.pdf', bytes: new Uint8Array(20 * 1024 * 1024 + 1).fill(0x20) };
      assert.match(await refused(await service.extract(large), 413, 'file_too_large'), /20 MB/);
      let head: string | null = '--b\r\ncontent-disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n';
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(head === null ? large.bytes.subarray(0, 65_536) : new TextEncoder().encode(head));
          head = null;
        },
      });
      const response = await service
        .call('/extract', {
          method: 'POST',
          body,
          duplex: 'half',
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        } as RequestInit)
        .catch(() => null);
      if (response) await refused(response, 413, 'file_too_large');
    });

    test('429: with Retry-After and the reset to wait for', async () => {
      const { raw } = await service.addKey({ rateLimitPerMinute: 1 });
      const headers = { 'x-api-key': raw };
      let response = await service.call('/health', { headers });
      while (response.status === 200) response = await service.call('/health', { headers });
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
      assert.ok(Number(response.headers.get('x-ratelimit-reset')) > Date.now() / 1000);
      await refused(response, 429, 'rate_limited');
    });

    test('the body is an object error with code and message on every path', async () => {
      for (const path of ['/', '/nothing', '/api/external/v1', '/api/external/v1/nothing', '/api/external/v2/health']) {
        // Outside of the API, whoever takes a page gets the dashboard's.
        const response = await fetch(service.baseUrl + path, { headers: { accept: 'application/json' } });
        const body: Json = await response.json();
        assert.deepEqual(Object.keys(body.error), ['code', 'message'], path);
      }
    });
  });

  describe('limits', () => {
    test('rate: per key, counted down to zero, over all calls', async () => {
      const { raw } = await service.addKey({ rateLimitPerMinute: 5 });
      const headers = { 'x-api-key': raw };
      // A window that ends within this test would reset the count.
      const secondsLeft = 60 - (Math.floor(Date.now() / 1000) % 60);
      if (secondsLeft <= 10) await new Promise((resolve) => setTimeout(resolve, secondsLeft * 1000));
      const responses = await Promise.all(
        ['/health', '/health', '/jobs/x', '/documents/x', '/nothing', '/health', '/health'].map((path) =>
          service.call(path, { headers }),
        ),
      );
      const remaining = responses.map((response) => Number(response.headers.get('x-ratelimit-remaining')));
      assert.deepEqual(remaining.sort(), [0, 0, 0, 1, 2, 3, 4]);
      assert.equal(responses.filter(({ status }) => status === 429).length, 2);
      for (const response of responses) assert.equal(response.headers.get('x-ratelimit-limit'), '5');
      assert.equal((await service.call('/health')).status, 200);
    });

    test('rate: the reset is the end of the window, in Unix seconds', async () => {
      const response = await service.call('/health');
      const reset = Number(response.headers.get('x-ratelimit-reset'));
      assert.ok(reset > Date.now() / 1000 - 1 && reset <= Date.now() / 1000 + 61);
      assert.equal(reset % 60, 0);
    });

    test('file size: 20 MB pass', async () => {
      const bytes = new Uint8Array(20 * 1024 * 1024).fill(0x20);
      bytes.set(invoicePdf);
      const response = await service.extract({ name: 'large.pdf', bytes }, { query: '?async=true' });
      assert.equal(response.status, 202);
    });

    test('poll cadence: a document is finished within a minute', async () => {
      const { job_id } = await queued();
      const startedMs = Date.now();
      await finishedJob(job_id);
      assert.ok(Date.now() - startedMs < 60_000);
    });
  });

  describe('Idempotency-Key', () => {
    test('the same request is extracted once and gets the same answer', async () => {
      const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
      const first = await service.extract(invoice, { headers });
      const second = await service.extract(invoice, { headers });
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(await second.json(), await first.json());
      const jobs = [{ query: '?async=1', headers: { 'idempotency-key': randomBytes(8).toString('hex') } }];
      const ids = await Promise.all(
        [...jobs, ...jobs].map(async (options) => {
          for (;;) {
            const response = await service.extract(invoice, options);
            if (response.status === 202) return ((await response.json()) as Json).job_id;
            await refused(response, 409, 'idempotency_in_progress');
          }
        }),
      );
      assert.equal(ids[0], ids[1]);
    });

    test("a document's own failure is answered again; the key is free after a refusal", async () => {
      const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
      const first = await refused(await service.extract(locked, { headers }), 400, 'encrypted_document');
      const second = await service.extract(locked, { headers });
      assert.equal(second.status, 400);
      assert.equal(((await second.json()) as Json).error.message, first);
      const other = { 'idempotency-key': randomBytes(8).toString('hex') };
      const long = { name: 'long.pdf', bytes: textPdf(Array.from({ length: 11 }, () => ['Page'])) };
      await refused(await service.extract(long, { headers: other }), 400, 'too_many_pages');
      assert.equal((await service.extract(invoice, { headers: other })).status, 200);
    });

    test('another request with the same key is a conflict, for this API key alone', async () => {
      const key = randomBytes(8).toString('hex');
      await service.extract(invoice, { headers: { 'idempotency-key': key } });
      const other = await service.extract(letter, { headers: { 'idempotency-key': key } });
      await refused(other, 422, 'idempotency_conflict');
      const { raw } = await service.addKey();
      const elsewhere = await service.extract(letter, { headers: { 'idempotency-key': key, 'x-api-key': raw } });
      assert.equal(elsewhere.status, 200);
    });

    test('a duplicate is asked to retry while the first is in progress', async () => {
      const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
      const responses = await Promise.all(Array.from({ length: 4 }, () => service.extract(invoice, { headers })));
      const statuses = responses.map(({ status }) => status);
      assert.ok(statuses.includes(200));
      for (const response of responses) {
        if (response.status === 200) continue;
        assert.ok(Number(response.headers.get('retry-after')) > 0);
        await refused(response, 409, 'idempotency_in_progress');
      }
    });

    test('a key that is no key is refused', async () => {
      const response = await service.extract(invoice, { headers: { 'idempotency-key': 'with space' } });
      await refused(response, 400, 'invalid_request');
    });
  });
});

interface Posted {
  readonly path: string;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly json: Json;
  readonly deliveryId: string;
}

interface Receiver {
  readonly url: string;
  /** Answers in place of a plain 200. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** Waits for the next delivery to a path; each is handed out once. */
  next(path: string): Promise<Posted>;
  stop(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const posted: Posted[] = [];
  const receiver: Pick<Receiver, 'answer'> = { answer: null };
  const server = createHttpServer(async (request, response) => {
    const body = await buffer(request);
    posted.push({
      path: request.url ?? '',
      request,
      body,
      json: JSON.parse(body.toString()),
      deliveryId: String(request.headers['x-svc-delivery']),
    });
    if (receiver.answer) receiver.answer(request, response);
    else response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next(path: string) {
      const index = () => posted.findIndex((candidate) => candidate.path === path);
      await eventually(`a delivery to ${path}`, () => index() >= 0);
      return posted.splice(index(), 1)[0]!;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}
