import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('target servers', () => {
  let control: TestControl;
  let developer: TestCaller;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    environmentId = newId('env');
    await control.opened.database.system
      .insertInto('environments')
      .values({
        id: environmentId,
        organization_id: organizationId,
        name: 'test',
        display_name: 'Test',
        production: false,
      })
      .execute();
  });
  after(() => control.stop());

  test('a target server is registered, shown and listed, and leaves one audit row', async () => {
    const body = { environmentId, name: 'orders', host: 'orders.example', port: 443 };
    const created = await developer.call('POST', '/target-servers', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    assert.deepEqual([created.data.scheme, created.data.version], ['https', 1]);
    const shown = await developer.call('GET', `/target-servers/${created.data.id}`);
    assert.deepEqual(shown.data, created.data);
    assert.equal(shown.headers.get('etag'), '"v1"');
    const listed = await developer.call('GET', '/target-servers?search=ORDERS');
    assert.deepEqual([listed.data.total, listed.data.targetServers.length], [1, 1]);
    const rows = await control.opened.database.system.selectFrom('audit_entries').selectAll().execute();
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.operation, 'createTargetServer');

    const again = await developer.call('POST', '/target-servers', body);
    assert.equal(again.status, 400);
    assert.deepEqual(Object.keys(again.data.errors), ['name']);
    assert.equal((await developer.call('GET', '/target-servers?colour=red')).status, 400);
  });
});
