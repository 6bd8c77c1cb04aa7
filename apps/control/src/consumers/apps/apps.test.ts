import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addApp, addDeveloper, addProduct, done, publishedConsumers, storedConsumers } from '../products/testing.ts';

describe('apps', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  const published = async (name: string) => (await publishedConsumers(control, organizationId))[name];

  test('an app is registered for a developer under a name that is unique there', async () => {
    const developerId = await addDeveloper(administrator, { name: 'Sam' });
    const body = { developerId, name: 'shop', displayName: 'Shop', callbackUrl: 'https://shop.example/back' };
    const created = await administrator.call('POST', '/apps', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    const { id } = created.data;
    assert.deepEqual([created.data.developerName, created.data.state], ['Sam', 'active']);
    assert.deepEqual(await published(`app ${id}`), { id, name: 'shop', developerId, active: true });
    const again = await administrator.call('POST', '/apps', body);
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['name']]);
    assert.equal(
      (await administrator.call('POST', '/apps', { ...body, developerId: await addDeveloper(administrator) })).status,
      201,
    );
    const changed = await done(administrator, 'PATCH', `/apps/${id}`, { name: 'store', callbackUrl: null });
    assert.deepEqual([changed.name, changed.callbackUrl, changed.displayName], ['store', null, 'Shop']);
    assert.equal(((await published(`app ${id}`)) as { name: string }).name, 'store');
    for (const callbackUrl of ['javascript:alert(1)', 'shop.example', 'ftp://shop.example']) {
      assert.equal((await administrator.call('PATCH', `/apps/${id}`, { callbackUrl })).status, 400, callbackUrl);
    }
    for (const displayName of ['\u200b', 'Shop \u202eetis']) {
      const refused = await administrator.call('PATCH', `/apps/${id}`, { displayName });
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['displayName']]);
    }
    const listed = await administrator.call('GET', `/apps?developerId=${developerId}&search=STORE`);
    assert.deepEqual([listed.data.total, listed.data.apps[0].id], [1, id]);
  });

  test('an app is suspended and activated once each, and nodes know', async () => {
    const id = await addApp(administrator);
    const message = async (move: string) => (await administrator.call('POST', `/apps/${id}/${move}`)).data.message;
    assert.match(await message('activate'), /active. Next: suspend/);
    assert.equal((await done(administrator, 'POST', `/apps/${id}/suspend`)).state, 'suspended');
    assert.equal(((await published(`app ${id}`)) as { active: boolean }).active, false);
    assert.match(await message('suspend'), /suspended. Next: activate/);
    await done(administrator, 'POST', `/apps/${id}/activate`);
    assert.equal(((await published(`app ${id}`)) as { active: boolean }).active, true);
  });

  test('an app is deleted with its credentials and subscriptions, and nodes forget all of them', async () => {
    const id = await addApp(administrator);
    const productId = await addProduct(administrator, { autoApprove: true });
    const credential = await done(administrator, 'POST', `/apps/${id}/credentials`, { name: 'One' });
    const subscription = await done(administrator, 'POST', '/subscriptions', { appId: id, productId });
    const listed = await administrator.call('GET', `/apps?productId=${productId}`);
    assert.deepEqual([listed.data.total, listed.data.apps[0].id], [1, id]);
    assert.ok(await published(`credential ${credential.id}`));
    assert.ok(await published(`subscription ${subscription.id}`));
    await done(administrator, 'DELETE', `/apps/${id}`);
    for (const name of [`app ${id}`, `credential ${credential.id}`, `subscription ${subscription.id}`]) {
      assert.equal(await published(name), undefined, name);
    }
    assert.equal((await administrator.call('GET', `/subscriptions/${subscription.id}`)).status, 404);
    assert.equal((await administrator.call('GET', `/apps/${id}/credentials/${credential.id}`)).status, 404);
  });

  test('another organization’s app is not found, by any operation', async () => {
    const id = await addApp(administrator);
    const credential = await done(administrator, 'POST', `/apps/${id}/credentials`, { name: 'One' });
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const own = await addApp(stranger);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { displayName: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/suspend', undefined],
      ['POST', '/activate', undefined],
      ['GET', '/credentials', undefined],
      ['POST', '/credentials', { name: 'Mine' }],
      ['GET', `/credentials/${credential.id}`, undefined],
      ['POST', `/credentials/${credential.id}/rotate`, {}],
      ['POST', `/credentials/${credential.id}/revoke`, undefined],
      ['POST', `/credentials/${credential.id}/reveal`, undefined],
    ] as const) {
      assert.equal((await stranger.call(method, `/apps/${id}${path}`, body)).status, 404, `${method} ${path}`);
      if (!path.includes(credential.id)) continue;
      assert.equal((await stranger.call(method, `/apps/${own}${path}`, body)).status, 404, `${method} own ${path}`);
    }
  });

  test('nodes get what the tables contain', async () => {
    assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  });
});
