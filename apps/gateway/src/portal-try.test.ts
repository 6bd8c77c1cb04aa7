import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { addPortalUser, openPortal, type PortalTestCaller } from '@millrace/control/portal/testing';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import {
  addConsumer,
  addEnvironment,
  deploy,
  done,
  isLive,
  startNode,
  type TestConsumer,
  type TestGatewayNode,
} from './testing-platform.ts';

/** What the target received last. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

describe('a request tried in the portal', () => {
  let control: TestControl;
  let administrator: TestCaller;
  let node: TestGatewayNode;
  let consumer: TestConsumer;
  let owner: PortalTestCaller;
  let proxyId: string;
  let basePath: string;
  let received: Received[] = [];
  let inner = 0;
  const answers: Record<string, (response: ServerResponse, request: Received) => void> = {
    '/redirect': (response) => response.writeHead(302, { location: `http://127.0.0.1:${innerPort()}/secret` }).end(),
    '/large': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(3_000_000)),
    '/cookie': (response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'session=1', 'x-kept': 'yes' })
        .end('cookie'),
    '/echo': (response, request) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.headers)),
    '/binary': (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from([0, 255, 1, 254])),
  };
  const target = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    };
    received.push(request);
    const path = request.url.replace(/\?.*/, '').replace(/^\/v1\/[^/]+/, '');
    const answer = answers[path];
    if (answer !== undefined) return answer(response, request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path: request.url }));
  });
  /** Somewhere within, that nobody may reach. */
  const secret = createServer((_request, response) => {
    inner += 1;
    response.end('inner');
  });
  const innerPort = () => (secret.address() as AddressInfo).port;

  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    await openPortal(control, organizationId);
    for (const server of [target, secret]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const environmentId = await addEnvironment(administrator, { port: (target.address() as AddressInfo).port });
    const name = `try-${newId('zzz').slice(-8)}`;
    basePath = `/v1/${name}`;
    proxyId = (await done(administrator, 'POST', '/proxies', { name, displayName: name, basePath })).id;
    const routes: readonly (readonly [string, string])[] = [
      ['GET', '/orders/{orderId}'],
      ['GET', '/redirect'],
      ['GET', '/large'],
      ['GET', '/cookie'],
      ['GET', '/echo'],
      ['GET', '/binary'],
      ['POST', '/documents'],
    ];
    for (const [method, pathPattern] of routes) {
      await done(administrator, 'POST', `/proxies/${proxyId}/routes`, { method, pathPattern, targetServer: 'backend' });
    }
    // A target that sees the key is the worst case.
    const configuration = { location: 'header', name: 'x-api-key', removeFromRequest: false };
    await done(administrator, 'POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key', configuration });
    const { id: specificationId } = await done(administrator, 'POST', `/proxies/${proxyId}/specifications`, {});
    await done(administrator, 'POST', `/specifications/${specificationId}/publish`);
    await done(administrator, 'POST', `/proxies/${proxyId}/revisions`, {});
    node = await startNode(administrator, control.baseUrl, environmentId);
    await isLive(administrator, await deploy(administrator, { proxyId, environmentId, revision: 1 }));
    consumer = await addConsumer(administrator, [proxyId]);
    owner = await addPortalUser(control, administrator, { developerId: consumer.developerId });
    await eventually('the key to be known', async () => (await tryIt({ path: '/echo' })).data.response?.status === 200);
    received = [];
  });
  after(async () => {
    await node.stop();
    await control.stop();
    for (const server of [target, secret]) {
      server.close();
      server.closeAllConnections();
    }
  });

  const tryIt = async (body: object, by: Pick<TestCaller, 'call'> = owner) => {
    const { productId, credentialId } = consumer;
    // The limit of a minute is held by its own test.
    await control.opened.database.system.deleteFrom('sign_in_windows').execute();
    return by.call('POST', '/portal/try', { productId, proxyId, method: 'get', path: '/echo', credentialId, ...body });
  };

  test('reaches the operation with the caller’s own key, which is nowhere shown', async () => {
    const { status, data } = await tryIt({
      path: '/orders/{orderId}',
      pathParameters: { orderId: 'ä ö?x#y' },
      query: [{ name: 'q', value: 'a b&c' }],
    });
    assert.deepEqual([status, data.problem, data.response.status], [200, null, 200], JSON.stringify(data));
    const path = `${basePath}/orders/${encodeURIComponent('ä ö?x#y')}?q=a+b%26c`;
    assert.equal(new URL(data.request.url).host, new URL(node.url).host);
    assert.equal(data.request.url.endsWith(path), true, data.request.url);
    assert.equal(data.request.keyHeader, 'x-api-key');
    const echoed = await tryIt({ path: '/echo' });
    assert.equal(received.at(-1)!.headers['x-api-key'], consumer.key);
    assert.equal(JSON.parse(echoed.data.response.text)['x-api-key'], '[key]');
    assert.equal(JSON.stringify([data, echoed.data]).includes(consumer.key), false);
    assert.equal(control.logLines.join('\n').includes(consumer.key), false);
    assert.equal(
      echoed.data.response.headers.some(({ name }: { name: string }) => name === 'x-request-id'),
      true,
    );
  });

  test('sends no header that belongs to the connection, the gateway or an identity', async () => {
    const names = ['Host', 'Connection', 'Authorization', 'Cookie', 'X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded'];
    const more = ['Transfer-Encoding', 'Content-Length', 'Upgrade', 'TE', 'Expect', 'X-API-Key', 'Proxy-Authorization'];
    const headers = [...names, ...more, 'X-Real-IP'].map((name) => ({ name, value: 'evil' }));
    const { data } = await tryIt({ headers: [...headers, { name: 'X-Own', value: 'kept' }] });
    assert.equal(data.response.status, 200, JSON.stringify(data));
    const sent = received.at(-1)!.headers;
    assert.deepEqual([sent['x-own'], sent['x-api-key']], ['kept', consumer.key]);
    assert.equal(Object.values(sent).flat().join(' ').includes('evil'), false, JSON.stringify(sent));
    for (const [name, value] of [
      ['X-Split', 'a\r\nX-Injected: yes'],
      ['X-Split', 'a\nX-Injected: yes'],
      ['X-Split\r\nX-Injected', 'yes'],
      ['X Split', 'yes'],
      ['X-Null', 'a\0b'],
      [':authority', 'evil.example'],
    ]) {
      assert.equal((await tryIt({ headers: [{ name, value }] })).status, 400, JSON.stringify([name, value]));
    }
  });

  test('goes to no path but an operation of the specification, on no host but the gateway’s', async () => {
    const paths = [
      'http://169.254.169.254/latest/meta-data',
      '//127.0.0.1/echo',
      '/../echo',
      '/echo/..',
      '/%2e%2e/echo',
      '@127.0.0.1/echo',
      '/echo@evil.example',
      'http://[::1]/echo',
      '\\\\evil\\echo',
      '/echo?x=1',
      '/echo#x',
      '/echo ',
      '/Echo',
      '',
      '/orders/1',
      '__proto__',
    ];
    for (const path of paths) assert.equal((await tryIt({ path })).status, 400, path);
    assert.equal((await tryIt({ method: 'delete' })).status, 400);
    assert.equal((await tryIt({ method: 'connect' })).status, 400);
    for (const orderId of ['', '.', '..', '\ud800']) {
      const { status } = await tryIt({ path: '/orders/{orderId}', pathParameters: { orderId } });
      assert.equal(status, 400, JSON.stringify(orderId));
    }
    received = [];
    const values = [
      '@127.0.0.1',
      '//evil.example',
      '..%2f..%2fecho',
      'http://[::1]:80/',
      '\r\nHost: evil',
      '..\\..',
      '%00',
    ];
    for (const orderId of values) {
      const { status, data } = await tryIt({ path: '/orders/{orderId}', pathParameters: { orderId } });
      assert.equal(status, 200, `${orderId}: ${JSON.stringify(data)}`);
      assert.equal(new URL(data.request.url).host, new URL(node.url).host);
    }
    for (const { url } of received) assert.ok(url.startsWith(`${basePath}/orders/`) || url.startsWith('/orders/'), url);
    assert.equal((await tryIt({ pathParameters: { other: 'x' } })).status, 400);
    assert.equal((await tryIt({ proxyId: newId('prx') })).status, 400);
    assert.equal((await tryIt({ productId: newId('prd') })).status, 400);
    assert.equal((await tryIt({ url: 'http://evil.example' })).status, 400);
  });

  test('shows a redirect and does not follow it', async () => {
    const { data } = await tryIt({ path: '/redirect' });
    assert.equal(data.response.status, 302);
    const location = data.response.headers.find(({ name }: { name: string }) => name === 'location');
    assert.match(location.value, /\/secret$/);
    assert.equal(inner, 0);
  });

  test('uses no key but the caller’s own, and none that is revoked', async () => {
    const other = await addConsumer(administrator, [proxyId]);
    for (const credentialId of [other.credentialId, newId('crd')]) {
      const { status, data } = await tryIt({ credentialId });
      assert.deepEqual([status, data.message], [400, 'Key not found.']);
    }
    const { id } = await done(administrator, 'POST', `/apps/${consumer.appId}/credentials`, { name: 'Second' });
    await done(administrator, 'POST', `/apps/${consumer.appId}/credentials/${id}/revoke`);
    assert.equal((await tryIt({ credentialId: id })).status, 409);
    assert.equal((await tryIt({ credentialId: null })).status, 400);
    for (const role of ['billing', 'viewer'] as const) {
      const user = await addPortalUser(control, administrator, { role, developerId: consumer.developerId });
      assert.equal((await tryIt({}, user)).status, 403);
    }
  });

  test('uploads a file, and shows text, bytes and the first MiB of what is large', async () => {
    const file = Buffer.from('%PDF-1.7\r\n--not-a-boundary\r\n');
    const parts = [
      { name: 'type', text: 'invoice' },
      { name: 'fi"le', fileName: 'a"b.pdf', mediaType: 'application/pdf', base64: file.toString('base64') },
    ];
    const upload = await tryIt({ method: 'post', path: '/documents', body: { kind: 'multipart', parts } });
    assert.equal(upload.data.response.status, 200, JSON.stringify(upload.data));
    const { headers, body } = received.at(-1)!;
    const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData();
    assert.equal(form.get('type'), 'invoice');
    const uploaded = form.get('fi"le') as File;
    assert.deepEqual([uploaded.name, await uploaded.text()], ['a"b.pdf', file.toString()]);
    const tooLarge = { kind: 'text', mediaType: 'text/plain', text: 'ä'.repeat(600_000) };
    assert.equal((await tryIt({ method: 'post', path: '/documents', body: tooLarge })).status, 413);
    const injected = { kind: 'text', mediaType: 'text/plain\r\nX-Injected: yes', text: '' };
    assert.equal((await tryIt({ method: 'post', path: '/documents', body: injected })).status, 400);

    const large = await tryIt({ path: '/large' });
    assert.deepEqual(
      [large.data.response.bodyBytes, large.data.response.truncated, large.data.response.text.length],
      [1_048_576, true, 1_048_576],
    );
    const binary = await tryIt({ path: '/binary' });
    assert.deepEqual([binary.data.response.text, binary.data.response.base64], [null, 'AP8B/g==']);
    const cookie = await tryIt({ path: '/cookie' });
    const fields = cookie.data.response.headers.map(({ name }: { name: string }) => name);
    assert.deepEqual([fields.includes('set-cookie'), fields.includes('x-kept')], [false, true]);
  });

  test('is limited to 60 a minute for a user', async () => {
    const user = await addPortalUser(control, administrator, { developerId: consumer.developerId });
    const { productId, credentialId } = consumer;
    const body = { productId, proxyId, method: 'get', path: '/nowhere', credentialId };
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) statuses.push((await user.call('POST', '/portal/try', body)).status);
    assert.deepEqual([new Set(statuses.slice(0, 60)), statuses[60]], [new Set([400]), 429]);
  });

  test('a visitor is asked to sign in', async () => {
    const { name } = await control.opened.database.system
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', administrator.organizationId)
      .executeTakeFirstOrThrow();
    const visitor = {
      call: (method: string, path: string, body?: unknown) =>
        control.call(method, `${path}?organization=${name}`, body),
    };
    await done(administrator, 'PATCH', `/products/${consumer.productId}`, { public: true });
    assert.equal((await tryIt({}, visitor)).status, 401);
    assert.equal((await tryIt({ credentialId: null }, visitor)).status, 401);
    await done(administrator, 'PATCH', `/products/${consumer.productId}`, { public: false });
    assert.equal((await tryIt({ credentialId: null }, visitor)).status, 400);
  });

  test('a sandbox product is tried by visitors with the organization’s key, 10 times a minute', async () => {
    const { system } = control.opened.database;
    const { name } = await system
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', administrator.organizationId)
      .executeTakeFirstOrThrow();
    const { productId } = consumer;
    await done(administrator, 'PATCH', `/products/${productId}`, { public: true });
    await done(administrator, 'PATCH', '/portal-settings', { sandboxProductIds: [productId] });
    await system.deleteFrom('sign_in_windows').execute();
    const path = `/portal/try?organization=${name}`;
    const body = { productId, proxyId, method: 'get', path: '/echo' };
    const first = await Promise.all(Array.from({ length: 4 }, () => control.call('POST', path, body)));
    assert.deepEqual(
      first.map(({ data }) => data.response.status),
      [200, 200, 200, 200],
      JSON.stringify(first.map(({ data }) => data)),
    );
    const key = String(received.at(-1)!.headers['x-api-key']);
    assert.match(key, /^mrk_/);
    assert.notEqual(key, consumer.key);
    assert.equal(JSON.stringify(first.map(({ data }) => data)).includes(key), false);
    assert.equal(control.logLines.join('\n').includes(key), false);
    const { developers } = await done(administrator, 'GET', '/developers?search=portal-sandbox');
    assert.equal(developers.length, 1);
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await control.call('POST', path, body)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429]);
    await system.updateTable('sign_in_windows').set({ failures: 100 }).where('key', 'like', 'try day %').execute();
    await system.deleteFrom('sign_in_windows').where('key', 'like', 'try minute %').execute();
    assert.match((await control.call('POST', path, body)).data.message, /100 requests in a day/);
    await system.deleteFrom('sign_in_windows').execute();
    assert.equal((await control.call('POST', path, { ...body, credentialId: consumer.credentialId })).status, 401);
    const [sandbox] = (await done(administrator, 'GET', `/apps?developerId=${developers[0].id}`)).apps;
    await done(administrator, 'POST', `/apps/${sandbox.id}/suspend`);
    assert.equal((await control.call('POST', path, body)).status, 409);
    await done(administrator, 'PATCH', `/products/${productId}`, { public: false });
  });

  test('is among the recent requests of its app, without its path and its query', async () => {
    const { data } = await tryIt({
      path: '/orders/{orderId}',
      pathParameters: { orderId: 'confidential' },
      query: [{ name: 'token', value: 'confidential' }],
    });
    const headers: { name: string; value: string }[] = data.response.headers;
    const requestId = headers.find(({ name }) => name === 'x-request-id')!.value;
    const found = await eventually('the request to be reported', async () => {
      const { requests } = await done(owner, 'GET', `/portal/requests?search=${requestId}`);
      return requests[0];
    });
    assert.deepEqual(
      [found.requestId, found.method, found.route, found.status, found.appId],
      [requestId, 'GET', `${basePath}/orders/{orderId}`, 200, consumer.appId],
    );
    const { rows } = { rows: await control.opened.database.system.selectFrom('recent_requests').selectAll().execute() };
    assert.equal(JSON.stringify(rows).includes('confidential'), false);
    const stranger = await addPortalUser(control, administrator);
    assert.equal((await done(stranger, 'GET', '/portal/requests')).total, 0);
    await control.opened.database.system
      .insertInto('recent_requests')
      .values(
        Array.from({ length: 300 }, (_, index) => ({
          organization_id: administrator.organizationId,
          app_id: consumer.appId,
          at: new Date(Date.now() - 60_000 - index),
          request_id: newId('req'),
          method: 'GET',
          proxy_id: proxyId,
          product_id: null,
          route: null,
          status: 200,
          duration_us: 1,
        })),
      )
      .execute();
    await tryIt({ path: '/echo' });
    await eventually(
      'no more than 100 to be kept',
      async () => (await done(owner, 'GET', '/portal/requests')).total === 100,
    );
  });
});
