import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addEnvironment } from '../proxies/testing.ts';
import { routeConflict, targetPathFault } from './rules.ts';

describe('routes of an API proxy', () => {
  let control: TestControl;
  let developer: TestCaller;
  let proxyId: string;
  let path: string;
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    await addEnvironment(control, organizationId);
    const body = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders' };
    proxyId = (await developer.call('POST', '/proxies', body)).data.id;
    path = `/proxies/${proxyId}/routes`;
  });
  after(() => control.stop());

  const add = (method: string, pathPattern: string, values: object = {}) =>
    developer.call('POST', path, { method, pathPattern, targetServer: 'orders', ...values });
  const proxyVersion = async () => (await developer.call('GET', `/proxies/${proxyId}`)).data.version;

  test('a route is added, listed in order, changed and removed, each as a change of the proxy', async () => {
    const version = await proxyVersion();
    const list = await add('GET', '/listed');
    assert.equal(list.status, 201, JSON.stringify(list.data));
    const one = await add('GET', '/listed/{id}', { targetPath: '/things/{id}', timeoutMs: 5_000 });
    const listed = await developer.call('GET', `${path}?search=listed`);
    assert.deepEqual(listed.data, { routes: [list.data, one.data], total: 2 });

    const changed = await developer.call('PATCH', `${path}/${one.data.id}`, { timeoutMs: null, summary: 'One' });
    assert.deepEqual([changed.data.version, changed.data.timeoutMs, changed.data.summary], [2, null, 'One']);
    const stale = await developer.call('PATCH', `${path}/${one.data.id}`, { summary: '' }, { 'if-match': '"v1"' });
    assert.equal(stale.status, 412);
    assert.equal((await developer.call('DELETE', `${path}/${list.data.id}`)).status, 200);
    assert.equal((await developer.call('GET', `${path}/${list.data.id}`)).status, 404);
    assert.equal(await proxyVersion(), version + 4);
    await developer.call('DELETE', `${path}/${one.data.id}`);
  });

  test('a path has one route per method, and ANY covers every method', async () => {
    const { id } = (await add('GET', '/once/{id}')).data;
    await add('ANY', '/all');
    for (const [method, pathPattern, field] of [
      ['GET', '/once/{id}', 'pathPattern'],
      ['GET', '/once/{other}', 'pathPattern'],
      ['ANY', '/once/{id}', 'method'],
      ['POST', '/all', 'method'],
    ] as const) {
      const refused = await add(method, pathPattern);
      assert.deepEqual(
        [refused.status, Object.keys(refused.data.errors ?? {})],
        [400, [field]],
        `${method} ${pathPattern}`,
      );
    }
    assert.equal((await add('POST', '/once/{id}')).status, 201);
    assert.equal((await developer.call('PATCH', `${path}/${id}`, { method: 'POST' })).status, 400);
    assert.equal((await developer.call('PATCH', `${path}/${id}`, { pathPattern: '/once/{renamed}' })).status, 200);
    const raced = await Promise.all([1, 2, 3].map(() => add('GET', '/raced')));
    assert.deepEqual(raced.map(({ status }) => status).sort(), [201, 400, 400]);
  });

  test('a route’s target server has to exist in some environment', async () => {
    const refused = await add('GET', '/nowhere', { targetServer: 'unknown' });
    assert.equal(refused.status, 400);
    assert.match(refused.data.errors.targetServer, /Existing ones: orders\./);
    const { id } = (await add('GET', '/somewhere')).data;
    const moved = await developer.call('PATCH', `${path}/${id}`, { targetServer: 'unknown' });
    assert.deepEqual([moved.status, Object.keys(moved.data.errors)], [400, ['targetServer']]);
  });

  test('invalid paths are rejected with a field error', async () => {
    for (const [field, values] of [
      ['pathPattern', { pathPattern: 'no-slash' }],
      ['pathPattern', { pathPattern: '/{id}/{id}' }],
      ['pathPattern', { pathPattern: '/*/rest' }],
      ['targetPath', { targetPath: '/things/{unknown}' }],
      ['targetPath', { targetPath: '/things/*' }],
      ['timeoutMs', { timeoutMs: 0 }],
      ['colour', { colour: 'red' }],
    ] as const) {
      const refused = await add('GET', '/shape/{id}', values);
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, [field]], JSON.stringify(values));
    }
    assert.equal((await add('GET', '/files/*', { targetPath: '/store/*' })).status, 201);
  });

  test('removing a route takes it out of policies, but never makes one apply to every route', async () => {
    const first = (await add('GET', '/first')).data.id;
    const second = (await add('GET', '/second')).data.id;
    const policy = await developer.call('POST', `/proxies/${proxyId}/policies`, {
      kind: 'verify-api-key',
      routeIds: [first, second],
    });
    assert.equal(policy.status, 201, JSON.stringify(policy.data));
    assert.equal((await developer.call('DELETE', `${path}/${first}`)).status, 200);
    const narrowed = await developer.call('GET', `/proxies/${proxyId}/policies/${policy.data.id}`);
    assert.deepEqual([narrowed.data.routeIds, narrowed.data.version], [[second], 2]);
    const refused = await developer.call('DELETE', `${path}/${second}`);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /Verify API Key/);
  });
});

describe('route rules', () => {
  test('literal and parameter segments are different paths', () => {
    assert.equal(
      routeConflict([{ method: 'GET', pathPattern: '/{id}' }], { method: 'GET', pathPattern: '/latest' }),
      null,
    );
    assert.equal(routeConflict([{ method: 'GET', pathPattern: '/' }], { method: 'GET', pathPattern: '/*' }), null);
  });

  test('a target path can only use the route’s own parameters and wildcard', () => {
    assert.equal(targetPathFault({ pathPattern: '/{a}/{b}/*', targetPath: '/x/{b}/{a}/*' }), null);
    assert.equal(targetPathFault({ pathPattern: '/{a}', targetPath: null }), null);
    assert.equal(targetPathFault({ pathPattern: '/{a}/*', targetPath: '/x/*/y' })?.field, 'targetPath');
    assert.equal(targetPathFault({ pathPattern: '/{a}', targetPath: '/{b}' })?.field, 'targetPath');
  });
});
