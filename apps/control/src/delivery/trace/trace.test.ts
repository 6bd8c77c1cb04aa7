import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const secret = 'opensesame-7c1f';

describe('a trace', () => {
  let control: TestControl;
  let administrator: TestCaller;
  let developer: TestCaller;
  let environmentId: string;
  let productionId: string;
  let proxyId: string;
  const received: string[] = [];
  const target = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
  before(async () => {
    control = await startTestControl();
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
  });
  after(async () => {
    target.closeAllConnections();
    target.close();
    await control.stop();
  });
  beforeEach(async () => {
    received.length = 0;
    const organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    developer = await control.addUser(organizationId, ['developer']);
    environmentId = await addEnvironment('test', false);
    productionId = await addEnvironment('production', true);
    proxyId = (await made('/proxies', { name: 'orders', displayName: 'Orders', basePath: '/v1/orders' })).id;
    const route = { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders', targetPath: '/inner/{orderId}' };
    await made(`/proxies/${proxyId}/routes`, route);
    await made(`/proxies/${proxyId}/policies`, { kind: 'verify-api-key' });
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TOKEN}}' }] },
    });
    await made(`/proxies/${proxyId}/revisions`, {});
  });

  async function made(path: string, body?: object) {
    const { status, data } = await administrator.call('POST', path, body);
    assert.ok(status < 300, `${path} ${JSON.stringify(data)}`);
    return data;
  }

  async function addEnvironment(name: string, production: boolean): Promise<string> {
    const { id } = await made('/environments', { name, displayName: name, production });
    const { port } = target.address() as AddressInfo;
    await made('/target-servers', { environmentId: id, name: 'orders', scheme: 'http', host: '127.0.0.1', port });
    await administrator.call('PUT', `/environments/${id}/variables/TOKEN`, { value: secret, secret: true });
    return id;
  }

  /** Key of an app that is subscribed to a product with the proxy. */
  async function addKey(): Promise<string> {
    const product = await made('/products', { name: 'orders', displayName: 'Orders', autoApprove: true });
    const bundled = await administrator.call('PUT', `/products/${product.id}/proxies/${proxyId}`, {});
    assert.equal(bundled.status, 200, JSON.stringify(bundled.data));
    await made(`/products/${product.id}/publish`);
    const { id: developerId } = await made('/developers', { email: `${proxyId}@example.com`, name: 'Sam' });
    const app = await made('/apps', { developerId, name: 'shop', displayName: 'Shop' });
    const credential = await made(`/apps/${app.id}/credentials`, { name: 'Test' });
    await made('/subscriptions', { appId: app.id, productId: product.id });
    return credential.key ?? credential.secret;
  }

  const trace = (fields: object, caller = developer) =>
    caller.call('POST', `/proxies/${proxyId}/trace`, { environmentId, path: '/7?a=b', ...fields });

  test('reports what each policy did with the request, and the target’s response', async () => {
    const key = await addKey();
    const { status, data } = await trace({ key });
    assert.equal(status, 200, JSON.stringify(data));
    assert.deepEqual(
      data.steps.map(({ kind, decision }: { kind: string; decision: string }) => [kind, decision]),
      [
        ['verify-api-key', 'passed'],
        ['transform-headers', 'transformed'],
      ],
    );
    assert.match(data.steps[0].detail, /App shop/);
    assert.deepEqual(received, [`GET /inner/7?a=b Bearer ${secret}`]);
    assert.deepEqual([data.target.name, data.target.status], ['orders', 200]);
    assert.deepEqual([data.answer.status, data.answer.body], [200, '{"ok":true}']);
    assert.equal(data.route.pathPattern, '/{orderId}');

    const { rows } = await sql<{ note: string; text: string }>`
      select note, t::text as text from audit_entries t where operation = 'traceProxy' and entity_id = ${proxyId}`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(
      rows.map(({ note }) => note),
      ['GET through the working copy in test: returned 200.'],
    );
    const everything = JSON.stringify([rows, data]) + control.logLines.join('');
    assert.ok(!everything.includes(secret) && !everything.includes(key));
  });

  test('shows no literal credential of a policy', async () => {
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'transform-headers',
      flow: 'response',
      configuration: {
        set: [
          { name: 'set-cookie', value: 'sid=written-out-1; Path=/' },
          { name: 'x-region', value: 'eu' },
        ],
        append: [{ name: 'x-echo', value: 'for written-out-1' }],
      },
    });
    const { data } = await trace({ key: await addKey() });
    const headerOf = (name: string) =>
      data.answer.headers.find((header: { readonly name: string }) => header.name === name)?.value;
    assert.deepEqual([headerOf('set-cookie'), headerOf('x-region')], ['[secret]', 'eu']);
    assert.equal(headerOf('x-echo'), 'for [secret]');
  });

  test('ends where a policy rejects the request, and calls no target then', async () => {
    for (const [fields, error] of [
      [{}, 'key_missing'],
      [{ key: 'mrk_nonsense' }, 'key_invalid'],
    ] as const) {
      const { data } = await trace(fields);
      const decisions = data.steps.map(({ decision }: { readonly decision: string }) => decision);
      assert.deepEqual([decisions, data.target], [['refused', 'skipped'], null]);
      assert.equal(JSON.parse(data.answer.body).data.error, error);
    }
    assert.deepEqual(received, []);
  });

  test('can run through a revision', async () => {
    const policies = (await administrator.call('GET', `/proxies/${proxyId}/policies`)).data.policies;
    const { id } = policies.find(({ kind }: { kind: string }) => kind === 'verify-api-key');
    await administrator.call('DELETE', `/proxies/${proxyId}/policies/${id}`);
    assert.equal((await trace({})).data.answer.status, 200);
    assert.equal((await trace({ revision: 1 })).data.answer.status, 401);
    const unknown = await trace({ revision: 99 });
    assert.deepEqual([unknown.status, Object.keys(unknown.data.errors)], [400, ['revision']]);
  });

  test('in production runs approved content, or for those who may deploy there', async () => {
    const refused = await trace({ environmentId: productionId });
    assert.equal(refused.status, 403);
    assert.match(refused.data.message, /deployment\.prod/);
    assert.equal((await trace({ environmentId: productionId }, administrator)).status, 200);
    await sql`update revisions set approved_by = 'usr_1', approved_at = now() where proxy_id = ${proxyId}`.execute(
      control.opened.database.system,
    );
    assert.equal((await trace({ environmentId: productionId, revision: 1 })).status, 200);
  });

  test('of content that no gateway could load says why', async () => {
    await administrator.call('DELETE', `/environments/${environmentId}/variables/TOKEN`);
    const { status, data } = await trace({});
    assert.equal(status, 409);
    assert.match(data.message, /A gateway couldn’t load this: .*TOKEN/);
  });

  test('never connects to a metadata service, and reports that for the target', async () => {
    const { targetServers } = (await administrator.call('GET', `/target-servers?environmentId=${environmentId}`)).data;
    // As an address of before the rule that refuses such ones, or as a name would lead there.
    const moveTo = (host: string) =>
      sql`update target_servers set host = ${host} where id = ${targetServers[0].id}`.execute(
        control.opened.database.system,
      );
    const key = await addKey();
    for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]']) {
      await moveTo(host);
      const { data } = await trace({ key });
      assert.match(data.target.problem, /can’t be connected to from here: /, host);
      assert.deepEqual([data.target.status, data.answer.status], [null, 503]);
      assert.equal((await trace({})).data.target, null, 'a request that does not get there reports no target');
    }
    await moveTo('localhost');
    assert.deepEqual([(await trace({ key })).data.answer.status, received.length], [200, 1]);
  });

  test('doesn’t fetch an issuer’s keys from such an address either', async () => {
    const policies = (await administrator.call('GET', `/proxies/${proxyId}/policies`)).data.policies;
    const { id } = policies.find(({ kind }: { kind: string }) => kind === 'verify-api-key');
    await administrator.call('DELETE', `/proxies/${proxyId}/policies/${id}`);
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'verify-jwt',
      configuration: {
        issuer: 'https://issuer.example.com',
        audience: ['orders'],
        jwksUrl: 'https://169.254.169.254/keys',
      },
    });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256', kid: 'first' })}.${part({ iss: 'https://issuer.example.com' })}.AAAA`;
    const { data } = await trace({ headers: [{ name: 'authorization', value: `Bearer ${token}` }] });
    assert.match(data.steps[0].detail, /169\.254\.169\.254 .*not allowed/);
    assert.equal(data.answer.status, 503);
  });

  test('is limited to a few at once, and to the organization’s own proxies', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => trace({})));
    const statuses = new Set(answers.map(({ status }) => status));
    assert.ok(
      statuses.has(200) && [...statuses].every((status) => status === 200 || status === 429),
      [...statuses].join(),
    );
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    assert.equal((await trace({}, stranger)).status, 404);
  });
});
