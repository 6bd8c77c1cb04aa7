import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { parse } from 'yaml';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('API proxies', () => {
  let control: TestControl;
  let developer: TestCaller;
  let stranger: TestCaller;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
    developer = await control.addUser(await control.addOrganization(), ['developer']);
    stranger = await control.addUser(await control.addOrganization(), ['developer']);
    environmentId = await addEnvironment(control, developer.organizationId, 'test');
  });
  after(() => control.stop());

  const create = async (name: string, values: object = {}) => {
    const body = { name, displayName: name, basePath: `/v1/${name}`, ...values };
    const created = await developer.call('POST', '/proxies', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    return created.data;
  };
  const addRoute = async (proxyId: string, method: string, pathPattern: string, values: object = {}) => {
    const body = { method, pathPattern, targetServer: 'orders', ...values };
    return developer.call('POST', `/proxies/${proxyId}/routes`, body);
  };

  test('a proxy is created as a draft, found, changed and deleted, and its trail tells it', async () => {
    const created = await create('orders', { tags: ['sales'] });
    assert.deepEqual([created.stage, created.version, created.latestRevision], ['draft', 1, 0]);
    const shown = await developer.call('GET', `/proxies/${created.id}`);
    assert.deepEqual(shown.data, created);
    assert.equal(shown.headers.get('etag'), '"v1"');
    for (const query of ['search=ORDERS', 'tag=sales', 'stage=draft&protocol=rest', 'search=/v1/orders']) {
      const listed = await developer.call('GET', `/proxies?${query}`);
      assert.deepEqual([listed.data.total, listed.data.proxies[0]?.id], [1, created.id], query);
    }
    assert.equal((await developer.call('GET', '/proxies?tag=other')).data.total, 0);

    const changed = await developer.call('PATCH', `/proxies/${created.id}`, { description: 'All of them' });
    assert.deepEqual([changed.data.version, changed.data.description], [2, 'All of them']);
    assert.notEqual(changed.data.contentHash, created.contentHash);
    const stale = await developer.call('PATCH', `/proxies/${created.id}`, { description: '' }, { 'if-match': '"v1"' });
    assert.equal(stale.status, 412);

    const { data: trail } = await developer.call('GET', `/proxies/${created.id}/history`);
    assert.deepEqual(
      trail.entries.map(({ operation }: { operation: string }) => operation),
      ['updateProxy', 'createProxy'],
    );
    assert.equal((await developer.call('DELETE', `/proxies/${created.id}`)).status, 200);
    assert.equal((await developer.call('GET', `/proxies/${created.id}`)).status, 404);
  });
});

async function addEnvironment(control: TestControl, organizationId: string, name: string): Promise<string> {
  const { system } = control.opened.database;
  const id = newId('env');
  await system
    .insertInto('environments')
    .values({ id, organization_id: organizationId, name, display_name: name, production: false })
    .execute();
  await system
    .insertInto('target_servers')
    .values({
      id: newId('tgt'),
      organization_id: organizationId,
      environment_id: id,
      name: 'orders',
      scheme: 'https',
      host: 'orders.example',
      port: 443,
    })
    .execute();
  return id;
}
