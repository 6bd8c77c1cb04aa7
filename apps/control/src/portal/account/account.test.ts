import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exampleDeveloperBilling } from '../../consumers/developers/billing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { openTestPortal, portalTestSettings, type TestPortal } from '../testing.ts';

describe('the developer account', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl(portalTestSettings);
    portal = await openTestPortal(control);
  });
  after(() => control.stop());

  const { taxTreatment: _, ...billing } = exampleDeveloperBilling;

  test('owner and billing change it, others read it', async () => {
    const owner = await portal.addUser('owner');
    const changed = await owner.call('PATCH', '/portal/account', { name: 'Acme', company: 'Acme Ltd' });
    assert.deepEqual([changed.status, changed.data.name, changed.data.company], [200, 'Acme', 'Acme Ltd']);
    const accountant = await portal.addUser('billing', owner.developerId);
    assert.equal((await accountant.call('PATCH', '/portal/account', { billing })).data.billing.name, billing.name);
    for (const role of ['developer', 'viewer'] as const) {
      const user = await portal.addUser(role, owner.developerId);
      assert.equal((await user.call('PATCH', '/portal/account', { name: 'Mallory' })).status, 403);
      assert.equal((await user.call('GET', '/portal/account')).data.name, 'Acme');
    }
  });

  test('how it is taxed is the organization’s decision', async () => {
    const owner = await portal.addUser('owner');
    const stated = { billing: { ...billing, taxTreatment: 'exempt' } };
    const refused = await owner.call('PATCH', '/portal/account', stated);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['billing.taxTreatment']]);
    const first = await owner.call('PATCH', '/portal/account', { billing });
    assert.equal(first.data.billing.taxTreatment, 'standard');
    const operator = await control.addUser(portal.organizationId, ['organization_administrator']);
    await operator.call('PATCH', `/developers/${owner.developerId}`, { billing: exampleDeveloperBilling });
    const second = await owner.call('PATCH', '/portal/account', { billing: { ...billing, name: 'Other' } });
    assert.deepEqual(
      [second.data.billing.name, second.data.billing.taxTreatment],
      ['Other', exampleDeveloperBilling.taxTreatment],
    );
  });

  test('nothing else about it can be changed', async () => {
    const owner = await portal.addUser('owner');
    for (const field of ['email', 'state', 'userId', 'id', 'apps']) {
      const answer = await owner.call('PATCH', '/portal/account', { name: 'Acme', [field]: 'active' });
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    const stale = await owner.call('PATCH', '/portal/account', { name: 'Acme' }, { 'if-match': '"v9"' });
    assert.equal(stale.status, 412);
  });
});
