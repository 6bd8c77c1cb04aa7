import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addApp, addProduct, addProxy, addRatePlan, done, publishedConsumers, storedConsumers } from './testing.ts';

describe('API products', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  const published = async (id: string) => (await publishedConsumers(control, organizationId))[`product ${id}`];

  test('a product is created, shown, listed and changed, and nodes get what concerns them', async () => {
    const quota = { limit: 10, window: { unit: 'day', count: 1 } };
    const units = { unitsHeader: 'x-pages', passUnitsHeader: true };
    const created = await administrator.call('POST', '/products', {
      name: 'orders',
      displayName: 'Orders',
      quota,
      unitsHeader: 'X-Pages',
      passUnitsHeader: true,
    });
    assert.equal(created.status, 201, JSON.stringify(created.data));
    const { id } = created.data;
    assert.deepEqual(
      [created.data.published, created.data.public, created.data.autoApprove, created.data.state, created.data.proxies],
      [false, false, false, 'active', []],
    );
    const shown = await administrator.call('GET', `/products/${id}`);
    assert.deepEqual([shown.data, shown.headers.get('etag')], [created.data, '"v1"']);
    assert.deepEqual(await published(id), { id, name: 'orders', active: true, quota, ...units, proxies: [] });

    const sequence = () => control.opened.database.system.selectFrom('gateway_heads').selectAll().execute();
    const before = await sequence();
    await done(administrator, 'PATCH', `/products/${id}`, { description: 'Orders and their lines', public: true });
    assert.deepEqual(await sequence(), before, 'what nodes do not know does not wake them');
    const changed = await done(administrator, 'PATCH', `/products/${id}`, { quota: null });
    assert.deepEqual([changed.quota, changed.public, changed.version], [null, true, 3]);
    assert.deepEqual(await published(id), { id, name: 'orders', active: true, quota: null, ...units, proxies: [] });

    const again = await administrator.call('POST', '/products', { name: 'orders', displayName: 'Twice' });
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['name']]);
    const stale = await administrator.call('PATCH', `/products/${id}`, { name: 'other' }, { 'if-match': '"v1"' });
    assert.equal(stale.status, 412);
    const listed = await administrator.call('GET', '/products?search=ORD&public=true&published=false');
    assert.deepEqual([listed.data.total, listed.data.products[0].id], [1, id]);
    assert.equal((await administrator.call('GET', '/products?public=false&search=ord')).data.total, 0);
  });

  test('a quota is a bounded integer with a calendar window', async () => {
    for (const quota of [
      { limit: 0, window: { unit: 'day', count: 1 } },
      { limit: 1.5, window: { unit: 'day', count: 1 } },
      { limit: 1, window: { unit: 'week', count: 1 } },
      { limit: 1, window: { unit: 'day', count: 0 } },
      { limit: 1 },
    ]) {
      const refused = await administrator.call('POST', '/products', { name: 'quota', displayName: 'Quota', quota });
      assert.equal(refused.status, 400, JSON.stringify(quota));
      assert.ok(Object.keys(refused.data.errors).every((path) => path.startsWith('quota')));
    }
  });

  test('it is published, unpublished, suspended and activated once each', async () => {
    const id = await addProduct(administrator);
    const message = async (move: string) => (await administrator.call('POST', `/products/${id}/${move}`)).data.message;
    assert.match(await message('publish'), /published. Next: unpublish/);
    assert.equal((await done(administrator, 'POST', `/products/${id}/unpublish`)).published, false);
    assert.match(await message('unpublish'), /not published. Next: publish/);
    assert.match(await message('activate'), /active. Next: suspend/);
    assert.equal((await done(administrator, 'POST', `/products/${id}/suspend`)).state, 'suspended');
    assert.equal(((await published(id)) as { active: boolean }).active, false);
    assert.match(await message('suspend'), /suspended. Next: activate/);
    assert.equal((await done(administrator, 'POST', `/products/${id}/activate`)).state, 'active');
    assert.equal(((await published(id)) as { active: boolean }).active, true);
    const developer = await control.addUser(organizationId, ['developer']);
    assert.equal((await developer.call('POST', `/products/${id}/suspend`)).status, 200, 'product.write suspends');
    assert.equal((await developer.call('POST', `/products/${id}/publish`)).status, 403, 'and does not publish');
  });

  test('it keeps routes that only deployed revisions have, and others can be added', async () => {
    const id = await addProduct(administrator);
    const name = `orders-${newId('prx').slice(-8)}`;
    const proxy = { name, displayName: name, basePath: `/v1/${name}` };
    const proxyId = (await done(administrator, 'POST', '/proxies', proxy)).id;
    const environment = { name: name, displayName: name, production: false };
    const environmentId = (await done(administrator, 'POST', '/environments', environment)).id;
    const target = { environmentId, name: 'orders', scheme: 'http', host: 'orders.internal', port: 80 };
    await done(administrator, 'POST', '/target-servers', target);
    const addRoute = async (pathPattern: string) => {
      const route = { method: 'GET', pathPattern, targetServer: 'orders' };
      return (await done(administrator, 'POST', `/proxies/${proxyId}/routes`, route)).id;
    };
    const [kept, gone, never] = [await addRoute('/kept'), await addRoute('/gone'), await addRoute('/never')];
    await done(administrator, 'DELETE', `/proxies/${proxyId}/routes/${never}`);
    await done(administrator, 'POST', `/proxies/${proxyId}/revisions`, {});
    const deployed = { proxyId, environmentId, revision: 1 };
    const deploymentId = (await done(administrator, 'POST', '/deployments', deployed)).id;
    await done(administrator, 'PATCH', `/proxies/${proxyId}/routes/${kept}`, { pathPattern: '/renamed' });
    await done(administrator, 'DELETE', `/proxies/${proxyId}/routes/${gone}`);
    const added = await addRoute('/added');

    const put = (routeIds: readonly string[]) =>
      administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, { routeIds });
    assert.deepEqual((await put([kept, gone])).data.proxies[0].routeIds, [kept, gone], 'the deployed revision has it');
    assert.deepEqual(((await published(id)) as { proxies: unknown }).proxies, [{ proxyId, routeIds: [kept, gone] }]);
    assert.equal((await put([kept, gone, never])).status, 400);
    await done(administrator, 'POST', `/deployments/${deploymentId}/undeploy`);
    assert.equal((await put([kept, gone, added])).status, 200, 'it was bundled before');
    assert.equal((await put([kept, added])).status, 200);
    assert.equal((await put([kept, gone])).status, 400, 'nothing has it now');
  });

  test('it bundles existing proxies, completely or by routes, each proxy once', async () => {
    const id = await addProduct(administrator);
    const { proxyId, routeIds } = await addProxy(control, organizationId, 2);
    const other = await addProxy(control, organizationId, 1);
    const whole = await done(administrator, 'PUT', `/products/${id}/proxies/${proxyId}`, {});
    assert.deepEqual([whole.proxies.length, whole.proxies[0].routeIds, whole.version], [1, null, 3]);
    const partly = await done(administrator, 'PUT', `/products/${id}/proxies/${proxyId}`, { routeIds: [routeIds[0]] });
    assert.deepEqual([partly.proxies.length, partly.proxies[0].routeIds], [1, [routeIds[0]]]);
    assert.deepEqual((await published(id)) as object, {
      id,
      name: partly.name,
      active: true,
      quota: null,
      unitsHeader: null,
      passUnitsHeader: false,
      proxies: [{ proxyId, routeIds: [routeIds[0]] }],
    });
    const foreignRoute = { routeIds: [other.routeIds[0]] };
    const refused = await administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, foreignRoute);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['routeIds']]);
    assert.equal((await administrator.call('PUT', `/products/${id}/proxies/${newId('prx')}`, {})).status, 404);
    assert.equal((await administrator.call('GET', `/products?proxyId=${proxyId}`)).data.products[0].id, id);

    const stays = await administrator.call('DELETE', `/proxies/${proxyId}`);
    assert.deepEqual(
      [stays.status, stays.data.message],
      [409, `API products bundle it. Unbundle it from ${partly.name} first.`],
    );
    assert.equal((await administrator.call('DELETE', `/products/${id}/proxies/${other.proxyId}`)).status, 404);
    assert.deepEqual(await done(administrator, 'DELETE', `/products/${id}/proxies/${proxyId}`), {});
    assert.deepEqual(((await published(id)) as { proxies: unknown }).proxies, []);
    assert.equal((await administrator.call('DELETE', `/proxies/${proxyId}`)).status, 200);
    assert.equal((await administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, {})).status, 404, 'deleted');
  });

  test('proxies bundled concurrently all reach nodes', async () => {
    const id = await addProduct(administrator);
    const bundled: string[] = [];
    for (let round = 0; round < 4; round++) {
      const proxies = await Promise.all(Array.from({ length: 5 }, () => addProxy(control, organizationId)));
      const answers = await Promise.all(
        proxies.map(({ proxyId }) => administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, {})),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      bundled.push(...proxies.map(({ proxyId }) => proxyId));
      const { proxies: known } = (await published(id)) as { proxies: readonly { proxyId: string }[] };
      assert.deepEqual(
        known.map(({ proxyId }) => proxyId),
        bundled.toSorted(),
      );
    }
  });

  test('of bundling and deleting a proxy at once, exactly one succeeds', async () => {
    const id = await addProduct(administrator);
    for (let round = 0; round < 5; round++) {
      const { proxyId } = await addProxy(control, organizationId);
      const [bundled, deleted] = await Promise.all([
        administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, {}),
        administrator.call('DELETE', `/proxies/${proxyId}`),
      ]);
      assert.ok(
        (bundled.status === 200 && deleted.status === 409) || (bundled.status === 404 && deleted.status === 200),
        `${bundled.status} and ${deleted.status}`,
      );
    }
  });

  test('a product bundles at most 100 proxies', async () => {
    const id = await addProduct(administrator);
    for (let count = 0; count < 100; count++) {
      const { proxyId } = await addProxy(control, organizationId);
      await control.opened.database.system
        .insertInto('product_proxies')
        .values({ organization_id: organizationId, product_id: id, proxy_id: proxyId })
        .execute();
    }
    const { proxyId } = await addProxy(control, organizationId);
    const refused = await administrator.call('PUT', `/products/${id}/proxies/${proxyId}`, {});
    assert.deepEqual([refused.status, /at most 100/.test(refused.data.message)], [409, true]);
    const [bundled] = (await done(administrator, 'GET', `/products/${id}`)).proxies;
    await done(administrator, 'PUT', `/products/${id}/proxies/${bundled.proxyId}`, {});
    await done(administrator, 'DELETE', `/products/${id}/proxies/${bundled.proxyId}`);
    await done(administrator, 'PUT', `/products/${id}/proxies/${proxyId}`, {});
  });

  test('a product with subscriptions, even ended ones, can’t be deleted; one without is, with its plans', async () => {
    const id = await addProduct(administrator);
    const appId = await addApp(administrator);
    const subscription = await done(administrator, 'POST', '/subscriptions', { appId, productId: id });
    const refused = await administrator.call('DELETE', `/products/${id}`);
    assert.deepEqual([refused.status, /has 1 pending or approved/.test(refused.data.message)], [409, true]);
    await done(administrator, 'POST', `/subscriptions/${subscription.id}/reject`, { reason: 'No.' });
    assert.match((await administrator.call('DELETE', `/products/${id}`)).data.message, /1 ended/);

    const free = await addProduct(administrator);
    await addRatePlan(control, organizationId, free, 'draft');
    assert.equal((await administrator.call('DELETE', `/products/${free}`)).status, 200);
    assert.equal((await administrator.call('GET', `/products/${free}`)).status, 404);
    assert.equal(await published(free), undefined);
  });

  test('it lists its subscriptions and its plans', async () => {
    const id = await addProduct(administrator);
    const draft = await addRatePlan(control, organizationId, id, 'draft');
    await addRatePlan(control, organizationId, id, 'published');
    const plans = await administrator.call('GET', `/products/${id}/rate-plans?state=draft`);
    assert.deepEqual([plans.data.total, plans.data.ratePlans[0].id], [1, draft]);
    const appId = await addApp(administrator);
    const { id: subscriptionId } = await done(administrator, 'POST', '/subscriptions', { appId, productId: id });
    await done(administrator, 'POST', '/subscriptions', { appId, productId: await addProduct(administrator) });
    const listed = await administrator.call('GET', `/products/${id}/subscriptions?state=pending`);
    assert.deepEqual([listed.data.total, listed.data.subscriptions[0].id], [1, subscriptionId]);
  });

  test('another organization’s product is not found, by any operation, nor its proxies bundled', async () => {
    const id = await addProduct(administrator);
    const { proxyId } = await addProxy(control, organizationId);
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { displayName: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/publish', undefined],
      ['POST', '/unpublish', undefined],
      ['POST', '/suspend', undefined],
      ['POST', '/activate', undefined],
      ['PUT', `/proxies/${proxyId}`, {}],
      ['DELETE', `/proxies/${proxyId}`, undefined],
      ['GET', '/subscriptions', undefined],
      ['GET', '/rate-plans', undefined],
    ] as const) {
      assert.equal((await stranger.call(method, `/products/${id}${path}`, body)).status, 404, `${method} ${path}`);
    }
    const own = await addProduct(stranger);
    assert.equal((await stranger.call('PUT', `/products/${own}/proxies/${proxyId}`, {})).status, 404);
  });

  test('nodes get what the tables contain', async () => {
    assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  });
});
