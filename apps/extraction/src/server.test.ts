import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { operations } from '@millrace/extraction-contract/operations';
import pg from 'pg';
import { invoicePdf, startTestService, type TestService } from './http/testing.ts';

describe('the HTTP server', () => {
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });

  after(() => service?.stop());

  describe('every answer', () => {
    test('is kept by no cache, framed by no page and known by an id', async () => {
      for (const path of ['/health', '/nothing', '/documents/%zz']) {
        const { headers } = await service.call(path);
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('x-frame-options'), 'DENY');
        assert.match(headers.get('x-request-id') ?? '', /^req_/);
      }
    });

    test('to what is not HTTP is an error of the usual form', async () => {
      const head = 'GET /api/external/v1/health HTTP/1.1\r\nHost: x\r\n';
      for (const [sent, expected] of [
        ['NONSENSE\r\n\r\n', /^HTTP\/1.1 400 .*"code":"invalid_request"/s],
        [`${head}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 400 .*Send fewer or shorter headers/s],
      ] as const) {
        const { port } = new URL(service.baseUrl);
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(sent);
        const [answer] = await once(socket, 'data');
        assert.match(String(answer), expected);
        socket.destroy();
      }
    });

    test('without the database is a 503 to come back from, with the rate headers', async () => {
      const owner = new pg.Client(service.opened.owner);
      await owner.connect();
      try {
        await owner.query('revoke select on api_keys from millrace_service');
        const response = await service.call('/health');
        assert.equal(response.status, 503);
        assert.ok(Number(response.headers.get('retry-after')) > 0);
        assert.match(response.headers.get('x-ratelimit-reset') ?? '', /^\d+$/);
        assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'unavailable');
      } finally {
        await owner.query('grant select on api_keys to millrace_service');
        await owner.end();
      }
      assert.equal((await service.call('/health')).status, 200);
    });
  });

  test('attempts without a valid key are limited by address, and leave valid keys alone', async () => {
    let response: Response;
    let attempts = 0;
    do {
      response = await service.call('/health', { headers: { 'x-api-key': 'wrong' } });
      assert.ok(++attempts < 500);
    } while (response.status === 401);
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal((await service.call('/health')).status, 200);
  });

  test('hostile form fields are refused or kept harmless', async () => {
    const file = { name: '../../etc/pass\u0001wd\u202e.pdf', bytes: invoicePdf };
    assert.equal((await service.extract(file)).status, 200);
    const { file_name } = await service.opened.database.system
      .selectFrom('documents')
      .select('file_name')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(file_name, /\/|\p{Cc}/u);
    for (const form of [{ doc_type: 'a\0b' }, { fields: 'a\u0007' }, { fields: 'x,'.repeat(3_000) }]) {
      assert.equal((await service.extract(file, { form })).status, 400);
    }
    const prototype = await service.extract(file, { form: { __proto__: 'x', constructor: 'x', toString: 'x' } });
    assert.equal(prototype.status, 200);
  });

  test('requests are logged without keys and documents', async () => {
    await service.extract({ name: 'secret-name.pdf', bytes: invoicePdf }, { form: { doc_type: 'invoice' } });
    await service.call('/documents/doc_x?api_key=from-a-query');
    const log = service.logLines.join('');
    assert.match(log, /"route":"\/api\/external\/v1\/extract"/);
    for (const secret of [service.apiKey, 'secret-name', 'INV-2041', 'Northwind', 'from-a-query']) {
      assert.ok(!log.includes(secret), secret);
    }
  });

  test('a browser gets the dashboard, or a note that it isn’t built; pages can’t be framed and run no inline script', async () => {
    const response = await fetch(`${service.baseUrl}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    const isBuilt = existsSync(join(import.meta.dirname, '../../dashboard/dist/index.html'));
    assert.equal(response.status, isBuilt ? 200 : 503);
    assert.match(await response.text(), isBuilt ? /^<!doctype html>/ : /^The dashboard isn’t built yet/);
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
    assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /script-src[^;]*unsafe/);
  });

  describe('the reference', () => {
    test('/api-docs.json describes every operation, and every reference in it leads somewhere', async () => {
      const response = await fetch(`${service.baseUrl}/api-docs.json`);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      const document = (await response.json()) as {
        openapi: string;
        paths: Record<string, Record<string, { operationId: string }>>;
        webhooks: object;
      };
      assert.match(document.openapi, /^3\.1\./);
      const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
      assert.deepEqual(described.map(({ operationId }) => operationId).sort(), operations.map(({ id }) => id).sort());
      assert.deepEqual(Object.keys(document.webhooks), ['extraction.completed']);
      for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        const target = path!
          .split('/')
          .reduce((value: unknown, key) => (value as Record<string, unknown>)?.[key], document);
        assert.ok(target, path);
      }
    });

    test('/api-docs is a page that names no other host, with its script served here', async () => {
      const response = await fetch(`${service.baseUrl}/api-docs`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*connect-src 'self'/);
      const page = await response.text();
      assert.doesNotMatch(page, /https?:\/\/|["'(]\/\//);
      const script = /<script src="([^"]+)"/.exec(page)?.[1];
      const served = await fetch(new URL(script ?? '', response.url));
      assert.equal(served.status, 200);
      assert.match(served.headers.get('content-type') ?? '', /javascript/);
      await served.body?.cancel();
    });
  });
});
