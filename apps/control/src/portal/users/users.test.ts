import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { startTestControl, type TestControl } from '../../testing.ts';
import {
  cookiesOf,
  openTestPortal,
  portalPassword as password,
  portalTestSettings,
  type TestPortal,
  type TestPortalUser,
  tokenIn,
} from '../testing.ts';

describe('users of a developer account', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl(portalTestSettings);
    portal = await openTestPortal(control);
  });
  after(() => control.stop());

  const newEmail = () => `${newId('usr')}@example.com`;

  /** Invites an address; the link’s token. */
  async function invite(owner: TestPortalUser, email: string, role = 'developer'): Promise<string> {
    const { status, data } = await owner.call('POST', '/portal/users', { email, role });
    assert.equal(status, 201, JSON.stringify(data));
    return tokenIn((await portal.mailsTo(email)).at(-1));
  }

  const accept = (token: string, more: object = {}, at = portal) =>
    at.call('POST', '/portal/invitations/accept', { token, name: 'Kim New', password, locale: 'en', ...more });

  const operators = () => control.addUser(portal.organizationId, ['organization_administrator']);

  test('a user leaves the account, whose sessions end; its last owner stays', async () => {
    const owner = await portal.addUser('owner');
    const viewer = await portal.addUser('viewer', owner.developerId);
    assert.equal((await viewer.call('DELETE', '/portal/membership')).status, 200);
    assert.equal((await viewer.call('GET', '/portal/session')).status, 401);
    const { data: users } = await owner.call('GET', '/portal/users');
    assert.deepEqual(
      users.users.map(({ id }: { id: string }) => id),
      [owner.userId],
    );
    const operator = await operators();
    const { data: audit } = await operator.call('GET', `/audit?entityId=${viewer.userId}`);
    assert.deepEqual(
      audit.entries.map((entry: { operation: string; actorId: string }) => [entry.operation, entry.actorId]),
      [['leavePortalAccount', viewer.userId]],
    );

    const last = await owner.call('DELETE', '/portal/membership');
    assert.deepEqual([last.status, /last active owner/.test(last.data.message)], [409, true]);
    const second = await portal.addUser('owner', owner.developerId);
    const both = await Promise.all([owner, second].map((each) => each.call('DELETE', '/portal/membership')));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409], 'of two owners, one can leave');
  });

  test('an invited person joins with the role of the invitation, and is signed in', async () => {
    const owner = await portal.addUser('owner');
    const email = newEmail();
    const token = await invite(owner, email);
    const [mail] = await portal.mailsTo(email);
    assert.match(mail?.text ?? '', new RegExp(`^${owner.email} invites you to their developer account`));
    assert.ok(!mail?.text.includes('Robin'), 'free text of strangers is not mailed');
    const listed = await owner.call('GET', '/portal/users');
    assert.deepEqual([listed.data.total, listed.data.invitations[0].email], [1, email]);
    assert.ok(!JSON.stringify(listed.data).includes(token));

    const accepted = await accept(token);
    assert.equal(accepted.status, 201, JSON.stringify(accepted.data));
    assert.deepEqual(
      [accepted.data.user.email, accepted.data.user.role, accepted.data.account.id],
      [email, 'developer', owner.developerId],
    );
    const current = await portal.call('GET', '/portal/session', undefined, { cookie: cookiesOf(accepted) });
    assert.deepEqual(current.data, accepted.data);
    const after = await owner.call('GET', '/portal/users?sort=createdAt');
    assert.deepEqual(
      [after.data.users.map((user: { email: string }) => user.email), after.data.invitations],
      [[owner.email, email], []],
    );
    assert.equal((await accept(token)).status, 400, 'a link works once');
  });

  test('a link is void once it is replaced, withdrawn, expired or of another portal', async () => {
    const owner = await portal.addUser('owner');
    const email = newEmail();
    const first = await invite(owner, email);
    const second = await invite(owner, email, 'viewer');
    assert.equal((await accept(first)).status, 400);
    assert.equal((await accept(second, {}, await openTestPortal(control))).status, 400);
    const { invitations } = (await owner.call('GET', '/portal/users')).data;
    assert.deepEqual(
      invitations.map(({ role }: { role: string }) => role),
      ['viewer'],
    );
    const stranger = await portal.addUser('owner');
    assert.equal((await stranger.call('DELETE', `/portal/invitations/${invitations[0].id}`)).status, 404);
    assert.equal((await owner.call('DELETE', `/portal/invitations/${invitations[0].id}`)).status, 200);
    assert.equal((await accept(second)).status, 400);

    const late = await invite(owner, newEmail());
    await control.opened.database.system
      .updateTable('portal_invitations')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('developer_id', '=', owner.developerId)
      .execute();
    assert.equal((await accept(late)).status, 400);
  });

  test('an invitation is void once its sender may no longer invite, or the account is suspended', async () => {
    const owner = await portal.addUser('owner');
    const second = await portal.addUser('owner', owner.developerId);
    const third = await portal.addUser('owner', owner.developerId);
    const ofSecond = await invite(second, newEmail(), 'owner');
    const ofThird = await invite(third, newEmail(), 'owner');
    await owner.call('PATCH', `/portal/users/${second.userId}`, { role: 'viewer' });
    await owner.call('DELETE', `/portal/users/${third.userId}`);
    assert.equal((await accept(ofSecond)).status, 400);
    assert.equal((await accept(ofThird)).status, 400);

    const operator = await operators();
    const email = newEmail();
    await operator.call('POST', `/developers/${owner.developerId}/portal-users`, { email, role: 'owner' });
    await control.opened.database.system
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('id', '=', operator.userId)
      .execute();
    assert.equal((await accept(tokenIn((await portal.mailsTo(email)).at(-1)))).status, 400);

    const ofOwner = await invite(owner, newEmail());
    await (await operators()).call('POST', `/developers/${owner.developerId}/suspend`);
    assert.equal((await accept(ofOwner)).status, 400);
  });

  test('inviting doesn’t reveal who has an account elsewhere in the portal; its owner learns it', async () => {
    const owner = await portal.addUser('owner');
    const elsewhere = await portal.addUser('owner');
    const token = await invite(owner, elsewhere.email);
    const taken = await accept(token);
    assert.equal(taken.status, 409);
    assert.match(taken.data.message, /already has an account/);
    const own = await owner.call('POST', '/portal/users', { email: owner.email, role: 'viewer' });
    assert.deepEqual([own.status, Object.keys(own.data.errors)], [400, ['email']]);
  });

  test('an invitation takes neither another address nor another role', async () => {
    const owner = await portal.addUser('owner');
    const token = await invite(owner, newEmail(), 'viewer');
    for (const field of ['email', 'role', 'developerId', 'state']) {
      const answer = await accept(token, { [field]: 'owner' });
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    const signedInAs = await portal.addUser('owner');
    const body = { token, name: 'Kim New', password, locale: 'en' };
    const accepted = await signedInAs.call('POST', '/portal/invitations/accept', body);
    assert.equal(accepted.data.user.role, 'viewer');
    assert.equal((await signedInAs.call('GET', '/portal/session')).status, 401, 'the earlier session is over');
  });

  test('invitations are limited by address, by account, and in number', async () => {
    const owner = await portal.addUser('owner');
    const email = newEmail();
    const statuses: number[] = [];
    for (let round = 0; round < 6; round++) {
      statuses.push((await owner.call('POST', '/portal/users', { email, role: 'viewer' })).status);
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
    const many: number[] = [];
    for (let round = 0; round < 18; round++) {
      many.push((await owner.call('POST', '/portal/users', { email: newEmail(), role: 'viewer' })).status);
    }
    assert.equal(many.filter((status) => status === 201).length, 15);
    assert.equal(many.at(-1), 429);
  });

  test('nobody but an owner invites, withdraws, changes or removes', async () => {
    const owner = await portal.addUser('owner');
    await invite(owner, newEmail());
    const { invitations } = (await owner.call('GET', '/portal/users')).data;
    for (const role of ['developer', 'billing', 'viewer'] as const) {
      const user = await portal.addUser(role, owner.developerId);
      const calls = [
        user.call('POST', '/portal/users', { email: newEmail(), role: 'owner' }),
        user.call('DELETE', `/portal/invitations/${invitations[0].id}`),
        user.call('PATCH', `/portal/users/${user.userId}`, { role: 'owner' }),
        user.call('DELETE', `/portal/users/${owner.userId}`),
      ];
      for (const { status } of await Promise.all(calls)) assert.equal(status, 403);
      assert.equal((await user.call('GET', '/portal/users')).status, 200);
    }
  });

  test('another account’s users are not found', async () => {
    const owner = await portal.addUser('owner');
    const stranger = await portal.addUser('viewer');
    assert.equal((await owner.call('PATCH', `/portal/users/${stranger.userId}`, { role: 'viewer' })).status, 404);
    assert.equal((await owner.call('DELETE', `/portal/users/${stranger.userId}`)).status, 404);
    const operator = await operators();
    for (const change of ['suspend', 'activate']) {
      const path = `/developers/${owner.developerId}/portal-users/${stranger.userId}/${change}`;
      assert.equal((await operator.call('POST', path)).status, 404);
    }
  });

  test('an account keeps an active owner, however many are changed at once', async () => {
    const owner = await portal.addUser('owner');
    const path = ({ userId }: TestPortalUser) => `/portal/users/${userId}`;
    assert.equal((await owner.call('PATCH', path(owner), { role: 'viewer' })).status, 409);
    assert.equal((await owner.call('DELETE', path(owner))).status, 409);
    assert.equal((await owner.call('PATCH', path(owner), { role: 'owner' })).status, 200);
    const second = await portal.addUser('owner', owner.developerId);
    const crossed = await Promise.all([
      owner.call('PATCH', path(second), { role: 'viewer' }),
      second.call('DELETE', path(owner)),
    ]);
    assert.equal(crossed.filter(({ status }) => status === 200).length, 1);
    const { rows } = await ownersOf(owner.developerId);
    assert.equal(rows, 1);

    const third = await portal.addUser('owner');
    const suspended = await portal.addUser('owner', third.developerId);
    const suspend = `/developers/${third.developerId}/portal-users/${suspended.userId}/suspend`;
    assert.equal((await (await operators()).call('POST', suspend)).status, 200);
    assert.equal((await third.call('PATCH', path(third), { role: 'viewer' })).status, 409);
  });

  async function ownersOf(developerId: string): Promise<{ rows: number }> {
    const found = await control.opened.database.system
      .selectFrom('portal_users')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('role', '=', 'owner')
      .where('state', '=', 'active')
      .execute();
    return { rows: found.length };
  }

  test('a new role holds at the next call, which gets a new token; a removed user is out at once', async () => {
    const owner = await portal.addUser('owner');
    const user = await portal.addUser('owner', owner.developerId);
    await owner.call('PATCH', `/portal/users/${user.userId}`, { role: 'viewer' });
    const denied = await user.call('POST', '/portal/users', { email: newEmail(), role: 'owner' });
    assert.equal(denied.status, 403);
    const renewed = cookiesOf(denied);
    assert.match(renewed, /^millrace_portal_session=/);
    assert.ok(!renewed.includes(user.cookie));
    const session = () => portal.call('GET', '/portal/session', undefined, { cookie: renewed });
    assert.equal((await session()).data.user.role, 'viewer');
    await owner.call('DELETE', `/portal/users/${user.userId}`);
    assert.equal((await session()).status, 401);
    assert.equal((await portal.call('POST', '/portal/sessions', { email: user.email, password })).status, 401);
  });

  test('operators invite, suspend and activate a developer’s portal users', async () => {
    const operator = await operators();
    const developerId = await portal.addDeveloper();
    const path = `/developers/${developerId}/portal-users`;
    const email = newEmail();
    const invited = await operator.call('POST', path, { email, role: 'owner', locale: 'de' });
    assert.equal(invited.status, 201, JSON.stringify(invited.data));
    const [mail] = await portal.mailsTo(email);
    assert.equal(mail?.subject, `Einladung in das Entwicklerportal von ${portal.name}`);
    assert.ok(!mail?.text.includes('User '), 'the organization invites, not one of its people');
    const accepted = await accept(tokenIn(mail));
    assert.equal(accepted.data.account.id, developerId);
    const { users } = (await operator.call('GET', path)).data;
    const cookie = cookiesOf(accepted);
    const session = () => portal.call('GET', '/portal/session', undefined, { cookie });
    await portal.call('POST', '/portal/password-resets', { email });
    const suspended = await operator.call('POST', `${path}/${users[0].id}/suspend`);
    assert.deepEqual([suspended.data.state, (await session()).status], ['suspended', 401]);
    const reset = { token: tokenIn((await portal.mailsTo(email)).at(-1)), newPassword: 'eight green lanterns' };
    assert.equal((await operator.call('POST', `${path}/${users[0].id}/suspend`)).status, 409);
    assert.equal((await operator.call('POST', `${path}/${users[0].id}/activate`)).data.state, 'active');
    assert.equal((await session()).status, 401, 'a session that ended stays ended');
    assert.equal((await portal.call('POST', '/portal/password-resets/confirm', reset)).status, 400);
    assert.equal((await portal.call('POST', '/portal/sessions', { email, password })).status, 200);

    const again = await operator.call('POST', path, { email: newEmail(), role: 'viewer' });
    const withdraw = `/developers/${developerId}/portal-invitations/${again.data.id}`;
    assert.equal((await operator.call('DELETE', withdraw)).status, 200);
    assert.equal((await operator.call('DELETE', withdraw)).status, 404);
  });
});
