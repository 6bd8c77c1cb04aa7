import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newAddress, signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService } from '../../http/testing.ts';

describe('keys, calls and the account in the dashboard', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1', MILLRACE_RATE_LIMIT_PER_MINUTE: '90' });
  });
  after(() => service?.stop());

  async function openAccount() {
    const accountId = await service.opened.addAccount('Harbour Books');
    return { accountId, administrator: await signInAs(service, { role: 'administrator', accountId }) };
  }
  const callWith = (key: string, path = '/health', init: RequestInit = {}) =>
    service.call(path, { ...init, headers: { 'x-api-key': key, ...newAddress() } });
  async function callsOf(browser: TestBrowser, expected: number, query = '') {
    return eventually(`${expected} calls`, async () => {
      const { body } = await browser.call('GET', `/calls?${query}`);
      return body.items.length === expected && body;
    });
  }

  test('a key is shown once, works at once, and not after it was revoked', async () => {
    const { administrator } = await openAccount();
    const { status, body } = await administrator.call('POST', '/keys', { name: ' Accounting ' });
    assert.equal(status, 201);
    assert.match(body.rawKey, /^mr_live_[0-9A-Za-z]{43}$/);
    assert.deepEqual([body.key.name, body.key.prefix], ['Accounting', body.rawKey.slice(0, 12)]);
    assert.equal((await callWith(body.rawKey)).status, 200);
    const { items } = (await administrator.call('GET', '/keys')).body;
    assert.ok(items[0].lastUsedAt);
    assert.ok(!JSON.stringify(items).includes(body.rawKey));
    const revoked = await administrator.call('DELETE', `/keys/${body.key.id}`);
    assert.ok(revoked.body.revokedAt);
    assert.equal((await callWith(body.rawKey)).status, 401);
    const again = await administrator.call('DELETE', `/keys/${body.key.id}`);
    assert.equal(again.body.revokedAt, revoked.body.revokedAt);
    assert.ok(!service.logLines.join('').includes(body.rawKey));
  });

  test('a limit holds from the next call on, and its end gives the account’s default back', async () => {
    const { administrator } = await openAccount();
    const { key, rawKey } = (await administrator.call('POST', '/keys', { name: 'A', rateLimitPerMinute: 7 })).body;
    const limit = async () => (await callWith(rawKey)).headers.get('x-ratelimit-limit');
    assert.equal(await limit(), '7');
    const changed = await administrator.call('PATCH', `/keys/${key.id}`, { name: 'B', rateLimitPerMinute: 500 });
    assert.deepEqual([changed.body.name, changed.body.rateLimitPerMinute, await limit()], ['B', 500, '500']);
    await administrator.call('PATCH', `/keys/${key.id}`, { rateLimitPerMinute: null });
    assert.equal(await limit(), '90');
    assert.deepEqual((await administrator.call('PATCH', `/keys/${key.id}`, {})).body.name, 'B');
  });

  test('keys are listed page by page, the newest first; another account’s are not there', async () => {
    const [{ administrator }, other] = [await openAccount(), await openAccount()];
    for (const name of ['1', '2', '3']) await administrator.call('POST', '/keys', { name });
    const { key, rawKey } = (await other.administrator.call('POST', '/keys', { name: 'Theirs' })).body;
    const first = (await administrator.call('GET', '/keys?limit=2')).body;
    const second = (await administrator.call('GET', `/keys?limit=2&cursor=${first.nextCursor}`)).body;
    const names = [...first.items, ...second.items].map(({ name }: { name: string }) => name);
    assert.deepEqual([names, second.nextCursor], [['3', '2', '1'], null]);
    assert.equal((await administrator.call('DELETE', `/keys/${key.id}`)).status, 404);
    assert.equal((await administrator.call('PATCH', `/keys/${key.id}`, { name: 'Mine' })).status, 404);
    assert.equal((await callWith(rawKey)).status, 200);
  });

  test('calls are logged with key, status, time, error and document, and found by each', async () => {
    const [{ administrator }, other] = [await openAccount(), await openAccount()];
    const { key, rawKey } = (await administrator.call('POST', '/keys', { name: 'A' })).body;
    const second = (await administrator.call('POST', '/keys', { name: 'B' })).body;
    const form = new FormData();
    form.append('document', new Blob([invoicePdf]), 'secret-name.pdf');
    const extracted = (await (await callWith(rawKey, '/extract', { method: 'POST', body: form })).json()) as {
      meta: { document_id: string };
    };
    const queued = new FormData();
    queued.append('document', new Blob([invoicePdf]), 'secret-name.pdf');
    queued.append('async', 'true');
    assert.equal((await callWith(rawKey, '/extract', { method: 'POST', body: queued })).status, 202);
    await callWith(rawKey, '/documents/doc_01kamy4w8q2v6x0r3t5y7z9b1d?api_key=secret');
    await callWith(rawKey, '/nowhere/secret');
    await callWith(second.rawKey);
    await callWith('mr_live_unknown');
    const { items } = await callsOf(administrator, 5);
    assert.deepEqual(
      items.map(({ method, route, status, errorCode, keyName }: Record<string, unknown>) => [
        `${method} ${route}`,
        status,
        errorCode,
        keyName,
      ]),
      [
        ['GET /api/external/v1/health', 200, null, 'B'],
        ['GET unknown', 404, 'not_found', 'A'],
        ['GET /api/external/v1/documents/:id', 404, 'not_found', 'A'],
        ['POST /api/external/v1/extract', 202, null, 'A'],
        ['POST /api/external/v1/extract', 200, null, 'A'],
      ],
    );
    assert.equal(items[4].documentId, extracted.meta.document_id);
    assert.match(items[3].documentId, /^doc_/);
    assert.ok(items[4].latencyMs > 0 && Math.abs(Date.parse(items[4].at) - Date.now()) < 120_000);
    assert.doesNotMatch(JSON.stringify(items), /secret/);
    await callsOf(administrator, 4, `keyId=${key.id}`);
    await callsOf(administrator, 2, 'status=client_error');
    await callsOf(administrator, 0, 'status=server_error');
    await callsOf(administrator, 0, `to=${new Date(Date.now() - 3_600_000).toISOString()}`);
    await callsOf(administrator, 5, `from=${new Date(Date.now() - 3_600_000).toISOString()}`);
    const page = await callsOf(administrator, 3, 'limit=3');
    await callsOf(administrator, 2, `limit=3&cursor=${page.nextCursor}`);
    await callsOf(other.administrator, 0, `keyId=${key.id}`);
    assert.equal((await administrator.call('GET', '/calls?from=yesterday')).body.error.fields[0].path, 'from');
  });

  test('a call that is over its limit is logged as such', async () => {
    const { administrator } = await openAccount();
    const { rawKey } = (await administrator.call('POST', '/keys', { name: 'A', rateLimitPerMinute: 1 })).body;
    for (let call = 0; call < 5; call++) await callWith(rawKey);
    const { items } = await callsOf(administrator, 5);
    const limited = items.filter(
      ({ errorCode, status }: Record<string, unknown>) => errorCode === 'rate_limited' && status === 429,
    );
    assert.ok(limited.length >= 3, 'a new minute lets one more through');
  });

  test('the account’s own settings are changed, its limits are shown', async () => {
    const { administrator, accountId } = await openAccount();
    const other = await openAccount();
    const { body } = await administrator.call('GET', '/account');
    assert.deepEqual(
      [body.id, body.name, body.reviewThreshold, body.retentionDays, body.defaultRateLimitPerMinute, body.maxPages],
      [accountId, 'Harbour Books', 80, null, 90, 50],
    );
    const changes = { name: 'Harbour', reviewThreshold: 75, retentionDays: 30 };
    const changed = await administrator.call('PATCH', '/account', changes);
    assert.deepEqual(changed.body, { ...body, ...changes });
    assert.equal((await administrator.call('PATCH', '/account', { retentionDays: null })).body.retentionDays, null);
    assert.deepEqual((await administrator.call('PATCH', '/account', {})).body.name, 'Harbour');
    for (const wrong of [{ reviewThreshold: 101 }, { retentionDays: 0 }, { name: ' ' }, { maxPages: 1 }]) {
      assert.equal((await administrator.call('PATCH', '/account', wrong)).status, 400, JSON.stringify(wrong));
    }
    assert.equal((await other.administrator.call('GET', '/account')).body.reviewThreshold, 80);
  });

  test('a member sees all of it', async () => {
    const { accountId } = await openAccount();
    const member = await signInAs(service, { role: 'member', accountId });
    for (const path of ['/keys', '/calls', '/account', '/members', '/home', '/sessions']) {
      assert.equal((await member.call('GET', path)).status, 200, path);
    }
  });
});
