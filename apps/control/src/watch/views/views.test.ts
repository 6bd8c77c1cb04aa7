import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('saved views', () => {
  let control: TestControl;
  let [owner, colleague, administrator]: TestCaller[] = [];
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    owner = await control.addUser(organizationId, ['developer']);
    colleague = await control.addUser(organizationId, ['developer']);
    administrator = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  const save = (caller: TestCaller, fields: object) =>
    caller.call('POST', '/analytics/views', { section: 'errors', query: { range: '7d' }, ...fields });
  const namesOf = async (caller: TestCaller) =>
    (await caller.call('GET', '/analytics/views')).data.views.map(({ name }: { name: string }) => name);

  test('are seen by their owner, and by others if they are shared', async () => {
    assert.equal((await save(owner!, { name: 'Mine' })).status, 201);
    const { data: shared } = await save(owner!, { name: 'Ours', shared: true });
    assert.deepEqual(await namesOf(owner!), ['Mine', 'Ours']);
    assert.deepEqual(await namesOf(colleague!), ['Ours']);
    assert.equal((await colleague!.call('DELETE', `/analytics/views/${shared.id}`)).status, 403);
    assert.equal((await administrator!.call('DELETE', `/analytics/views/${shared.id}`)).status, 200);
    assert.deepEqual(await namesOf(colleague!), []);
  });

  test('have a name that is bounded and unique per account', async () => {
    assert.equal((await save(colleague!, { name: 'Mine' })).status, 201);
    const again = await save(colleague!, { name: 'Mine' });
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['name']]);
    assert.equal((await save(colleague!, { name: 'n'.repeat(500) })).status, 400);
  });
});
