import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addApp,
  addDeveloper,
  addProduct,
  addTraffic,
  addUnassigned,
  done,
  publishedConsumers,
  storedConsumers,
} from '../products/testing.ts';

describe('developers', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  const published = async (id: string) => (await publishedConsumers(control, organizationId))[`developer ${id}`];

  test('an e-mail address registers one developer per organization, case-insensitively', async () => {
    const body = { email: 'Sam@Example.com', name: 'Sam', company: 'Shops' };
    const created = await administrator.call('POST', '/developers', body);
    assert.deepEqual([created.status, created.data.email, created.data.apps], [201, 'sam@example.com', 0]);
    assert.deepEqual(await published(created.data.id), { id: created.data.id, name: 'Sam', active: true });
    const again = await administrator.call('POST', '/developers', { email: 'SAM@example.com', name: 'Other' });
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['email']]);
    const unseen = await administrator.call('POST', '/developers', { email: 'unseen@example.com', name: '\u200b' });
    assert.deepEqual([unseen.status, unseen.data.errors], [400, { name: 'Use at least one visible character.' }]);
    const other = await addDeveloper(administrator);
    const taken = await administrator.call('PATCH', `/developers/${other}`, { email: 'sam@example.com' });
    assert.deepEqual([taken.status, Object.keys(taken.data.errors)], [400, ['email']]);
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    assert.equal((await stranger.call('POST', '/developers', body)).status, 201);
    const listed = await administrator.call('GET', '/developers?search=shops');
    assert.deepEqual([listed.data.total, listed.data.developers[0].id], [1, created.data.id]);
  });

  test('a developer is suspended and activated once each, and nodes know', async () => {
    const id = await addDeveloper(administrator);
    const message = async (move: string) =>
      (await administrator.call('POST', `/developers/${id}/${move}`)).data.message;
    assert.match(await message('activate'), /active. Next: suspend/);
    assert.equal((await done(administrator, 'POST', `/developers/${id}/suspend`)).state, 'suspended');
    assert.equal(((await published(id)) as { active: boolean }).active, false);
    assert.match(await message('suspend'), /suspended. Next: activate/);
    assert.equal((await administrator.call('GET', '/developers?state=suspended')).data.total, 1);
    await done(administrator, 'POST', `/developers/${id}/activate`);
    assert.equal(((await published(id)) as { active: boolean }).active, true);
  });

  test('a developer with apps or money can’t be deleted', async () => {
    const id = await addDeveloper(administrator);
    const appId = await addApp(administrator, id);
    assert.equal((await done(administrator, 'GET', `/developers/${id}`)).apps, 1);
    assert.deepEqual((await done(administrator, 'GET', `/developers/${id}/apps`)).apps[0].id, appId);
    const refused = await administrator.call('DELETE', `/developers/${id}`);
    assert.deepEqual([refused.status, /has 1 apps/.test(refused.data.message)], [409, true]);
    await done(administrator, 'DELETE', `/apps/${appId}`);
    assert.equal((await administrator.call('DELETE', `/developers/${id}`)).status, 200);
    assert.equal(await published(id), undefined);

    const rich = await addDeveloper(administrator);
    await addUnassigned(control, organizationId, rich, 5);
    const kept = await administrator.call('DELETE', `/developers/${rich}`);
    assert.deepEqual([kept.status, /5 minor units of EUR/.test(kept.data.message)], [409, true]);
  });

  test('of registering an app and deleting its developer at once, exactly one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await addDeveloper(administrator);
      const [registered, deleted] = await Promise.all([
        administrator.call('POST', '/apps', { developerId: id, name: 'late', displayName: 'Late' }),
        administrator.call('DELETE', `/developers/${id}`),
      ]);
      assert.ok(
        (registered.status === 201 && deleted.status === 409) || (registered.status === 400 && deleted.status === 200),
        `${registered.status} and ${deleted.status}`,
      );
    }
  });

  test('usage is reported in total, by day and by product, for the developer’s own apps', async () => {
    const id = await addDeveloper(administrator);
    const appIds = [await addApp(administrator, id), await addApp(administrator, id)] as const;
    const productId = await addProduct(administrator);
    const other = await addApp(administrator);
    const at = (text: string) => new Date(`2026-03-${text}:00:00Z`);
    const calls = { organizationId, productId };
    await addTraffic(control, { ...calls, appId: appIds[0], hour: at('01T00'), requests: 5, limited: 2 });
    await addTraffic(control, { ...calls, appId: appIds[1], hour: at('02T23'), requests: 10 });
    await addTraffic(control, { ...calls, appId: appIds[1], productId: 'prd_gone', hour: at('02T10'), requests: 1 });
    await addTraffic(control, { ...calls, appId: appIds[1], hour: at('03T00'), requests: 100 });
    await addTraffic(control, { ...calls, appId: other, hour: at('02T01'), requests: 1_000 });
    const usage = await done(administrator, 'GET', `/developers/${id}/usage?from=2026-03-01&to=2026-03-02`);
    assert.deepEqual(usage.total, {
      requests: 16,
      succeeded: 14,
      failed: 2,
      errors: 0,
      limited: 2,
      requestBytes: 160,
      responseBytes: 1_600,
    });
    assert.deepEqual(
      usage.days.map(({ day, requests }: { day: string; requests: number }) => [day, requests]),
      [
        ['2026-03-01', 5],
        ['2026-03-02', 11],
      ],
    );
    assert.deepEqual(
      usage.products.map((row: { productId: string; requests: number }) => [row.productId, row.requests]),
      [
        [productId, 15],
        ['prd_gone', 1],
      ],
    );
    assert.equal(usage.products[1].productName, null);

    const empty = await done(administrator, 'GET', `/developers/${await addDeveloper(administrator)}/usage`);
    assert.deepEqual([empty.days.length, empty.total.requests, empty.products], [30, 0, []]);
    for (const [range, field] of [
      ['from=2026-03-02&to=2026-03-01', 'from'],
      ['from=2024-01-01&to=2026-01-01', 'from'],
      ['from=0000-01-01&to=0000-01-02', 'from'],
      ['to=0000-01-01', 'to'],
    ]) {
      const refused = await administrator.call('GET', `/developers/${id}/usage?${range}`);
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, [field]], range);
    }
  });

  test('another organization’s developer is not found, by any operation', async () => {
    const id = await addDeveloper(administrator);
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/suspend', undefined],
      ['POST', '/activate', undefined],
      ['GET', '/apps', undefined],
      ['GET', '/usage', undefined],
      ['GET', '/balance', undefined],
      ['POST', '/balance/top-ups', { amountMinor: 1, subscriptionId: 'sub_00000000000000000000000001' }],
    ] as const) {
      assert.equal((await stranger.call(method, `/developers/${id}${path}`, body)).status, 404, `${method} ${path}`);
    }
    const app = { developerId: id, name: 'mine', displayName: 'Mine' };
    const refused = await stranger.call('POST', '/apps', app);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['developerId']]);
  });

  test('nodes get what the tables contain', async () => {
    assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  });
});
