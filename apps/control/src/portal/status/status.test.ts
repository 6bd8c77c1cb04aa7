import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { evaluate, testAlert, testRule } from '../../watch/incidents/testing.ts';
import { openPortal } from '../settings/testing.ts';

describe('portal status', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  test('is that of the nodes of production environments', async () => {
    const portal = await openPortal(control);
    const state = async () => (await portal.visit('/status')).data.state;
    assert.equal(await state(), 'unknown');
    const test = await addEnvironment(control, portal.organizationId, { name: 'test' });
    await (await addNode(control, portal.administrator, test)).beat();
    assert.equal(await state(), 'unknown');
    const production = await addEnvironment(control, portal.organizationId, { name: 'production', production: true });
    const first = await addNode(control, portal.administrator, production);
    assert.equal(await state(), 'unknown');
    await first.beat();
    assert.equal(await state(), 'operational');
    const second = await addNode(control, portal.administrator, production);
    await second.beat({ ready: false });
    const { data } = await portal.visit('/status');
    assert.deepEqual(
      [data.state, data.environments.map(({ name }: { name: string }) => name)],
      ['degraded', ['production']],
    );
    assert(!JSON.stringify(data).includes(first.name), 'nodes are nobody’s business');
    await sql`update gateway_nodes set last_heartbeat_at = now() - interval '2 minutes'
      where organization_id = ${portal.organizationId}`.execute(control.opened.database.system);
    assert.equal(await state(), 'unavailable');
  });

  test('shows critical incidents of production APIs in products, without internal figures', async () => {
    const portal = await openPortal(control);
    const production = await addEnvironment(control, portal.organizationId, { name: 'production', production: true });
    const test = await addEnvironment(control, portal.organizationId, { name: 'test' });
    const proxies = await addProducts(portal);
    const alertOf = (proxy: keyof typeof proxies, fields: object = {}) =>
      testAlert(proxy, { labels: { proxyId: proxies[proxy], proxy }, value: 73.21, ...fields });
    const apply = (environmentId: string, rule: ReturnType<typeof testRule>, alerts: ReturnType<typeof alertOf>[]) =>
      evaluate(control, portal.organizationId, { rule, environmentId, alerts });
    const rule = testRule({ name: 'Secret backend' });

    await apply(production, testRule({ severity: 'warning' }), [alertOf('orders')]);
    await apply(production, testRule({ metric: 'quota_used' }), [alertOf('orders')]);
    await apply(production, testRule(), [alertOf('inner')]);
    await apply(production, testRule(), [alertOf('orders', { suppressedBy: 'sil_1' })]);
    await apply(test, testRule(), [alertOf('orders')]);
    const { data: none } = await portal.visit('/status');
    assert.deepEqual([none.state, none.incidents], ['unknown', []]);

    const { incidentId } = await apply(production, rule, [alertOf('orders'), alertOf('inner')]);
    const { data: disturbed } = await portal.visit('/status');
    assert.equal(disturbed.state, 'degraded');
    assert.deepEqual(
      disturbed.incidents.map(({ impact, state, apis, products }: Record<string, unknown>) => [
        impact,
        state,
        apis,
        products,
      ]),
      [
        [
          'errors',
          'investigating',
          [{ name: 'orders', displayName: 'Orders' }],
          [{ name: 'shop', displayName: 'Shop' }],
        ],
      ],
    );
    for (const internal of ['73.21', 'Secret', incidentId!, 'inner']) {
      assert(!JSON.stringify(disturbed).includes(internal), internal);
    }
    await apply(production, rule, [alertOf('orders', { state: 'resolved' }), alertOf('inner', { state: 'resolved' })]);
    const { data: resolved } = await portal.visit('/status');
    assert.deepEqual([resolved.state, resolved.incidents[0].state], ['unknown', 'resolved']);
  });

  test('shows and hides incidents as they are marked, with an audit row each', async () => {
    const portal = await openPortal(control);
    const production = await addEnvironment(control, portal.organizationId, { name: 'production', production: true });
    const proxies = await addProducts(portal);
    const alerts = [testAlert('orders', { labels: { proxyId: proxies.orders, proxy: 'orders' }, value: 73.21 })];
    const open = async (rule: ReturnType<typeof testRule>, environmentId = production) =>
      (await evaluate(control, portal.organizationId, { rule, environmentId, alerts })).incidentId!;
    const mark = (id: string, visibility: string) =>
      portal.administrator.call('PUT', `/incidents/${id}/visibility`, { visibility });
    const shown = async () => (await portal.visit('/status')).data.incidents.length;

    const warning = await open(testRule({ severity: 'warning' }));
    assert.equal(await shown(), 0);
    const { data: marked } = await mark(warning, 'public');
    assert.deepEqual([marked.visibility, await shown()], ['public', 1]);
    await mark(warning, 'automatic');
    assert.equal(await shown(), 0);
    const critical = await open(testRule({ name: 'Critical' }));
    assert.equal(await shown(), 1);
    await mark(critical, 'private');
    await mark(critical, 'private');
    assert.equal(await shown(), 0);
    const { data: trail } = await portal.administrator.call('GET', `/audit/entities/incident/${critical}`);
    assert.deepEqual(
      trail.entries.map(({ operation, note }: Record<string, unknown>) => [operation, note]),
      [['setIncidentVisibility', 'Hidden from the status page.']],
    );

    const test = await addEnvironment(control, portal.organizationId, { name: 'test' });
    for (const id of [await open(testRule({ name: 'Test' }), test), await open(testRule({ metric: 'quota_used' }))]) {
      const refused = await mark(id, 'public');
      assert.deepEqual(
        [refused.status, refused.data.message.slice(0, 43)],
        [409, 'Only incidents about errors or latency in a'],
      );
    }
    const viewer = await control.addUser(portal.organizationId, ['auditor']);
    assert.equal((await viewer.call('PUT', `/incidents/${warning}/visibility`, { visibility: 'public' })).status, 403);
  });

  /** A published product with the first of two API proxies; the ids of both by name. */
  async function addProducts({ administrator }: Awaited<ReturnType<typeof openPortal>>) {
    const add = async (name: string, displayName: string): Promise<string> => {
      const proxy = { name, displayName, basePath: `/v1/${name}`, authScheme: 'none' };
      return (await done(administrator, 'POST', '/proxies', proxy)).id;
    };
    const proxies = { orders: await add('orders', 'Orders'), inner: await add('inner', 'Inner') };
    const product = { name: 'shop', displayName: 'Shop', public: true };
    const { id } = await done(administrator, 'POST', '/products', product);
    await done(administrator, 'PUT', `/products/${id}/proxies/${proxies.orders}`, {});
    await done(administrator, 'POST', `/products/${id}/publish`);
    return proxies;
  }
});
