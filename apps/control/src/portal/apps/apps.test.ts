import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { addApp, done, publishedConsumers } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addPortalUser, openPortal, type PortalTestCaller } from '../testing-callers.ts';
import { nameFor } from './rules.ts';

describe('apps in the portal', () => {
  let control: TestControl;
  let administrator: TestCaller;
  let owner: PortalTestCaller;
  let stranger: PortalTestCaller;
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    await openPortal(control, organizationId);
    owner = await addPortalUser(control, administrator);
    stranger = await addPortalUser(control, administrator);
  });
  after(() => control.stop());

  test('an app gets a name that is free, and reaches gateway nodes', async () => {
    const first = await done(owner, 'POST', '/portal/apps', { displayName: 'Große Läden' });
    const second = await done(owner, 'POST', '/portal/apps', { displayName: 'Große Läden' });
    assert.deepEqual([first.name, second.name], ['gro-e-laden', 'gro-e-laden-2']);
    assert.equal('developerId' in first, false);
    const published = await publishedConsumers(control, owner.organizationId);
    assert.equal((published[`app ${first.id}`] as { developerId: string }).developerId, owner.developerId);
    assert.equal(nameFor('日本', new Set()), 'app');
    const { total } = await done(stranger, 'GET', '/portal/apps');
    assert.equal(total, 0);
  });

  test('an account has at most 10 apps, and an app 10 keys', async () => {
    const crowd = await addPortalUser(control, administrator);
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) => crowd.call('POST', '/portal/apps', { displayName: `App ${index}` })),
    );
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [...Array.from({ length: 10 }, () => 201), 409, 409]);
    const appId = made.find(({ status }) => status === 201)!.data.id;
    const keys = [];
    for (let count = 0; count < 11; count++) {
      keys.push(await crowd.call('POST', `/portal/apps/${appId}/credentials`, { name: 'Production' }));
    }
    assert.deepEqual(
      keys.map(({ status }) => status),
      [...Array.from({ length: 10 }, () => 201), 409],
    );
    assert.match(keys[10]!.data.message, /at most 10 unrevoked credentials. Revoke one first/);
    assert.equal((await done(crowd, 'GET', `/portal/apps/${appId}`)).credentials, 10);
  });

  test('a key is shown once, rotated with an overlap, and revoked', async () => {
    const { id } = await done(owner, 'POST', '/portal/apps', { displayName: 'Shop' });
    const issued = await done(owner, 'POST', `/portal/apps/${id}/credentials`, { name: 'Production' });
    assert.match(issued.key, /^mrk_/);
    const listed = await owner.call('GET', `/portal/apps/${id}/credentials`);
    assert.equal(JSON.stringify(listed.data).includes(issued.key), false);
    const ofKey = `/portal/apps/${id}/credentials/${issued.id}`;
    const rotated = await done(owner, 'POST', `${ofKey}/rotate`, { graceSeconds: 60 });
    assert.equal(rotated.state, 'rotating');
    assert.notEqual(rotated.key, issued.key);
    assert.equal((await done(owner, 'POST', `${ofKey}/revoke`)).state, 'revoked');
    assert.equal((await owner.call('POST', `${ofKey}/rotate`, {})).status, 409);
    for (const line of control.logLines) {
      assert.equal(line.includes(issued.key) || line.includes(rotated.key), false);
    }
  });

  test('another account’s app and keys are answered like unknown ones', async () => {
    const appId = await addApp(administrator, owner.developerId);
    const { id: credentialId } = await done(owner, 'POST', `/portal/apps/${appId}/credentials`, { name: 'Production' });
    const own = await done(stranger, 'POST', '/portal/apps', { displayName: 'Own' });
    const tries = (app: string, credential: string) =>
      [
        ['GET', `/portal/apps/${app}`, undefined],
        ['PATCH', `/portal/apps/${app}`, { displayName: 'Mine' }],
        ['DELETE', `/portal/apps/${app}`, undefined],
        ['GET', `/portal/apps/${app}/credentials`, undefined],
        ['POST', `/portal/apps/${app}/credentials`, { name: 'Mine' }],
        ['POST', `/portal/apps/${app}/credentials/${credential}/rotate`, {}],
        ['POST', `/portal/apps/${app}/credentials/${credential}/revoke`, undefined],
        ['POST', `/portal/apps/${own.id}/credentials/${credential}/revoke`, undefined],
      ] as const;
    const [foreign, unknown] = [tries(appId, credentialId), tries(newId('app'), newId('crd'))];
    for (const [index, [method, path, body]] of foreign.entries()) {
      const answer = await stranger.call(method, path, body);
      const other = unknown[index]!;
      const same = await stranger.call(other[0], other[1], other[2]);
      assert.deepEqual([answer.status, answer.data], [404, same.data], `${method} ${path}`);
    }
    assert.equal((await owner.call('GET', `/portal/apps/${appId}`)).status, 200);
  });

  test('a suspended app can’t be deleted, and billing users change nothing', async () => {
    const appId = await addApp(administrator, owner.developerId);
    await done(administrator, 'POST', `/apps/${appId}/suspend`);
    assert.equal((await owner.call('DELETE', `/portal/apps/${appId}`)).status, 409);
    const billing = await addPortalUser(control, administrator, { role: 'billing', developerId: owner.developerId });
    assert.equal((await billing.call('GET', `/portal/apps/${appId}`)).status, 200);
    assert.equal((await billing.call('POST', '/portal/apps', { displayName: 'More' })).status, 403);
  });
});
