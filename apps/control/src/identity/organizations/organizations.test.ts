import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addTraffic } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('organizations', () => {
  let control: TestControl;
  let superAdmin: TestCaller;
  let administrator: TestCaller;
  let own: string;
  before(async () => {
    control = await startTestControl();
    const platform = await control.opened.database.system
      .selectFrom('organizations')
      .select('id')
      .where('platform', '=', true)
      .executeTakeFirstOrThrow();
    own = await control.addOrganization('acme');
    superAdmin = await control.addUser(platform.id, ['super_admin']);
    administrator = await control.addUser(own, ['organization_administrator']);
  });
  after(() => control.stop());

  test('a Super Admin creates, suspends, activates and deletes organizations', async () => {
    const created = await superAdmin.call('POST', '/organizations', { name: 'globex', displayName: 'Globex' });
    assert.equal(created.status, 201);
    const path = `/organizations/${created.data.id}`;
    assert.equal((await superAdmin.call('POST', '/organizations', { name: 'globex', displayName: 'G' })).status, 400);
    assert.equal((await superAdmin.call('POST', `${path}/suspend`)).data.state, 'suspended');
    const again = await superAdmin.call('POST', `${path}/suspend`);
    assert.equal(again.status, 409);
    assert.match(again.data.message, /activate/);
    assert.equal((await superAdmin.call('POST', `${path}/activate`)).data.state, 'active');

    const member = await control.addUser(created.data.id, ['auditor']);
    const held = await superAdmin.call('DELETE', path);
    assert.equal(held.status, 409);
    assert.match(held.data.message, /1 users/);
    await superAdmin.call('POST', `${path}/suspend`);
    assert.equal((await member.call('GET', path)).status, 401, 'nobody of a suspended organization is admitted');

    const empty = await superAdmin.call('POST', '/organizations', { name: 'initech', displayName: 'Initech' });
    assert.equal((await superAdmin.call('DELETE', `/organizations/${empty.data.id}`)).status, 200);
    assert.equal((await superAdmin.call('GET', `/organizations/${empty.data.id}`)).status, 404);
  });

  test('products and developers prevent a deletion, their usage and events don’t', async () => {
    const { id } = (await superAdmin.call('POST', '/organizations', { name: 'umbrella', displayName: 'Umbrella' }))
      .data;
    const within = `?organizationId=${id}`;
    const product = { name: 'orders', displayName: 'Orders' };
    const productPath = `/products/${(await superAdmin.call('POST', `/products${within}`, product)).data.id}`;
    await superAdmin.call('POST', `${productPath}/publish${within}`);
    const developer = { email: 'sam@umbrella.example', name: 'Sam' };
    const developerId = (await superAdmin.call('POST', `/developers${within}`, developer)).data.id;
    const app = { developerId, name: 'shop', displayName: 'Shop' };
    const appPath = `/apps/${(await superAdmin.call('POST', `/apps${within}`, app)).data.id}`;
    await superAdmin.call('POST', `${appPath}/suspend${within}`);
    const subscription = { appId: appPath.slice(6), productId: productPath.slice(10) };
    assert.equal((await superAdmin.call('POST', `/subscriptions${within}`, subscription)).status, 201);
    const { products, developers, apps, subscriptions } = (
      await superAdmin.call('GET', `/organizations/${id}/overview`)
    ).data;
    assert.deepEqual(
      { products, developers, apps, subscriptions },
      {
        products: { total: 1, published: 1, suspended: 0 },
        developers: { total: 1, suspended: 0 },
        apps: { total: 1, suspended: 1 },
        subscriptions: { approved: 0, pending: 1 },
      },
    );

    const held = await superAdmin.call('DELETE', `/organizations/${id}`);
    assert.deepEqual([held.status, /1 API products, 1 developers/.test(held.data.message)], [409, true]);
    for (const path of [appPath, productPath, `/developers/${developerId}`]) {
      assert.equal((await superAdmin.call('DELETE', `${path}${within}`)).status, 200, path);
    }
    await addTraffic(control, {
      organizationId: id,
      appId: subscription.appId,
      productId: subscription.productId,
      hour: new Date('2026-01-15T09:00:00Z'),
      requests: 1,
    });
    await sql`insert into route_failures (organization_id, app_id, hour, environment_id, proxy_id, route_id, product_id,
        status_4xx, status_5xx)
      values (${id}, ${subscription.appId}, now(), '', '', '', '', 1, 0)`.execute(control.opened.database.system);
    assert.equal((await superAdmin.call('DELETE', `/organizations/${id}`)).status, 200);
  });

  test('the platform’s own organization can’t be removed', async () => {
    const path = `/organizations/${superAdmin.organizationId}`;
    assert.equal((await superAdmin.call('POST', `${path}/suspend`)).status, 409);
    assert.equal((await superAdmin.call('DELETE', path)).status, 409);
  });

  test('an administrator can see and change only their own organization', async () => {
    const shown = await administrator.call('GET', `/organizations/${own}`);
    assert.equal(shown.data.name, 'acme');
    const stale = await administrator.call(
      'PATCH',
      `/organizations/${own}`,
      { displayName: 'X' },
      { 'if-match': '"v9"' },
    );
    assert.equal(stale.status, 412);
    const changed = await administrator.call('PATCH', `/organizations/${own}`, { displayName: 'Acme' });
    assert.deepEqual([changed.data.displayName, changed.data.version], ['Acme', 2]);
    const foreign = await administrator.call('GET', `/organizations/${superAdmin.organizationId}`);
    const unknown = await administrator.call('GET', '/organizations/org_00000000000000000000000009');
    assert.deepEqual([foreign.status, foreign.data], [404, unknown.data]);
    assert.equal((await administrator.call('GET', '/organizations')).status, 403);
    assert.equal((await administrator.call('POST', '/organizations', { name: 'x', displayName: 'X' })).status, 403);
  });

  test('settings have defaults, are changed individually, and unknown ones are rejected', async () => {
    const path = `/organizations/${own}/settings`;
    assert.equal((await administrator.call('GET', path)).data.currency, 'EUR');
    const changed = await administrator.call('PATCH', path, { currency: 'CHF' });
    assert.deepEqual([changed.data.currency, changed.data.tax.name], ['CHF', 'VAT']);
    const refused = await administrator.call('PATCH', path, { currency: 'euros', colour: 'red' });
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.data.errors).sort(), ['colour', 'currency']);
  });

  test('the overview counts existing objects', async () => {
    const { data } = await administrator.call('GET', `/organizations/${own}/overview`);
    assert.equal(data.users.active, 1);
    assert.equal(data.proxies.total, 0);
    assert.equal(data.health, 'good');
  });
});
