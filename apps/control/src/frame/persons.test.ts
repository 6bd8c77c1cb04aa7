import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../testing.ts';

const password = 'seven green lanterns';

describe('author and approver are different persons', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let colleague: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await establishedOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    colleague = await control.addUser(organizationId, ['organization_administrator']);
    await administrator.call('POST', '/environments', { name: 'test', displayName: 'Test', production: false });
  });
  after(() => control.stop());

  const system = () => control.opened.database.system;

  /** An organization that is past its first day. */
  async function establishedOrganization(): Promise<string> {
    const id = await control.addOrganization();
    await sql`update organizations set created_at = now() - interval '2 days' where id = ${id}`.execute(system());
    return id;
  }

  const newAddress = () => `${newId('usr')}@example.com`;

  async function signIn(email: string): Promise<TestCaller['call']> {
    const { status, headers, data } = await control.call('POST', '/auth/login', { email, password });
    assert.equal(status, 200, JSON.stringify(data));
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    return (method, path, body) => control.call(method, path, body, { cookie });
  }

  /** A user that somebody makes with a password, signed in. */
  async function makeUser(
    maker: Pick<TestCaller, 'call'>,
    email = newAddress(),
    roleId = 'organization_administrator',
  ) {
    const body = { email, name: 'Kim Vale', roleIds: [roleId], password };
    const { status, data } = await maker.call('POST', '/users', body);
    assert.equal(status, 201, JSON.stringify(data));
    return { id: data.id as string, email, call: await signIn(email) };
  }

  /** A request for approval by whoever wrote the proxy. */
  async function submit(author: Pick<TestCaller, 'call'>): Promise<string> {
    const name = newId('prx').replaceAll('_', '-').toLowerCase();
    const proxy = await author.call('POST', '/proxies', { name, displayName: name, basePath: `/v1/${name}` });
    assert.equal(proxy.status, 201, JSON.stringify(proxy.data));
    const path = `/proxies/${proxy.data.id}/lifecycle/requests`;
    const { status, data } = await author.call('POST', path, { toStage: 'approved', note: '' });
    assert.equal(status, 201, JSON.stringify(data));
    return data.id;
  }

  async function assertRefused(
    approver: Pick<TestCaller, 'call'>,
    requestId: string,
    reason = /may belong to one person/,
  ) {
    const { status, data } = await approver.call('POST', `/lifecycle/requests/${requestId}/approve`, {});
    assert.deepEqual([status, reason.test(data.message)], [403, true], data.message);
    const shown = await approver.call('GET', `/lifecycle/requests/${requestId}`);
    assert.deepEqual([shown.data.approval.allowed, reason.test(shown.data.approval.reason)], [false, true]);
    const queue = await approver.call('GET', `/lifecycle/requests?approvable=true&pageSize=100`);
    assert.ok(!queue.data.requests.some(({ id }: { id: string }) => id === requestId));
  }

  async function assertApproves(approver: Pick<TestCaller, 'call'>, requestId: string) {
    const queue = await approver.call('GET', `/lifecycle/requests?approvable=true&pageSize=100`);
    assert.ok(queue.data.requests.some(({ id }: { id: string }) => id === requestId));
    const { status, data } = await approver.call('POST', `/lifecycle/requests/${requestId}/approve`, {});
    assert.equal(status, 200, JSON.stringify(data));
  }

  /** Lets a week go by for what was done to an account. */
  const age = (userId: string) =>
    sql`update account_makers set at = at - interval '8 days' where user_id = ${userId}`.execute(system());

  /** The tokens of the links that an address was sent, once they are so many. */
  async function tokensTo(email: string, count: number): Promise<readonly string[]> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`${count} mails to ${email}`, async () => {
      const names = await readdir(folder).catch(() => []);
      const tokens = names
        .filter((name) => /^[^.].*\.eml$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .filter((text) => text.includes(`To: ${email}`))
        .flatMap((text) => /\?token=([\w-]{43})/.exec(text)?.[1] ?? []);
      return tokens.length >= count && tokens;
    });
  }

  test('whoever creates a user can’t approve through it, nor what it wrote, for a week', async () => {
    const made = await makeUser(administrator);
    const ofMaker = await submit(administrator);
    await assertRefused(made, ofMaker);
    const ofMade = await submit(made);
    await assertRefused(administrator, ofMade);
    await assertApproves(colleague, ofMade);

    await age(made.id);
    await assertApproves(made, ofMaker);
    await assertApproves(administrator, await submit(made));
  });

  test('a user created by a created user counts as the first creator too', async () => {
    const first = await makeUser(administrator);
    const second = await makeUser(first);
    await assertRefused(second, await submit(administrator));
    await assertRefused(administrator, await submit(second));
  });

  test('two users with the same creator can’t approve for each other, except on the organization’s first day', async () => {
    const [author, approver] = [await makeUser(administrator), await makeUser(administrator)];
    await assertRefused(approver, await submit(author));

    const founder = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const [founded, other] = [await makeUser(founder), await makeUser(founder)];
    await assertApproves(other, await submit(founded));
    await assertRefused(founder, await submit(founded));
    await assertRefused(founded, await submit(founder));
  });

  test('an account recreated with a deleted account’s address is the same person', async () => {
    const maker = await control.addUser(organizationId, ['organization_administrator']);
    const author = await makeUser(maker);
    await age(author.id);
    const requestId = await submit(author);
    for (const email of [author.email, author.email.toUpperCase(), author.email.replace('@', '+again@')]) {
      const found = await maker.call('GET', `/users?search=${encodeURIComponent(author.email.split('@')[0] ?? '')}`);
      for (const { id } of found.data.users) await maker.call('DELETE', `/users/${id}`);
      const again = await makeUser(colleague, email.toLowerCase());
      await sql`delete from account_makers where user_id = ${again.id}`.execute(system());
      await assertRefused(again, requestId);
      await maker.call('DELETE', `/users/${again.id}`);
    }
  });

  test('an account’s earlier addresses are remembered', async () => {
    const author = await makeUser(administrator);
    const requestId = await submit(author);
    await administrator.call('PATCH', `/users/${author.id}`, { email: newAddress() });
    await administrator.call('DELETE', `/users/${author.id}`);
    const again = await makeUser(colleague, author.email);
    await age(again.id);
    await assertRefused(again, requestId);
  });

  test('whoever changes the address of an approver counts as that approver', async () => {
    const approver = await makeUser(colleague);
    await age(approver.id);
    const requestId = await submit(administrator);
    const changed = await administrator.call('PATCH', `/users/${approver.id}`, { email: newAddress() });
    assert.equal(changed.status, 200);
    const back = await administrator.call('PATCH', `/users/${approver.id}`, { email: approver.email });
    assert.equal(back.status, 200);
    await assertRefused(approver, requestId);
  });

  test('whoever invites someone, or sends the invitation again, counts as them', async () => {
    const email = newAddress();
    const body = { email, name: 'Invited', roleIds: ['organization_administrator'] };
    const invitation = await administrator.call('POST', '/invitations', body);
    assert.equal(invitation.status, 201, JSON.stringify(invitation.data));
    const resender = await control.addUser(organizationId, ['organization_administrator']);
    const resent = await resender.call('POST', `/invitations/${invitation.data.id}/resend`);
    assert.equal(resent.status, 200, JSON.stringify(resent.data));
    // The first link is no longer valid.
    const statuses: number[] = [];
    for (const token of await tokensTo(email, 2)) {
      statuses.push((await control.call('POST', '/invitations/accept', { token, name: 'Kim', password })).status);
    }
    assert.deepEqual(statuses.sort(), [201, 400]);
    const invited = { call: await signIn(email) };
    await assertRefused(invited, await submit(administrator));
    await assertRefused(invited, await submit(resender));
    await assertApproves(invited, await submit(colleague));
  });

  test('a service account of a created user counts as the creator', async () => {
    const made = await makeUser(administrator);
    const permissions = ['proxy.read', 'lifecycle.read', 'lifecycle.approve', 'subscription.read'];
    const account = await made.call('POST', '/service-accounts', { name: newId('sva'), permissions });
    assert.equal(account.status, 201, JSON.stringify(account.data));
    const issued = await made.call('POST', `/service-accounts/${account.data.id}/tokens`, { name: 'Build server' });
    const authorization = `Bearer ${issued.data.token}`;
    const call: TestCaller['call'] = (method, path, body) => control.call(method, path, body, { authorization });
    await assertRefused({ call }, await submit(administrator));
  });

  test('a Super Admin created by another one counts as them in every organization', async () => {
    const platformId = await establishedOrganization();
    await system().updateTable('organizations').set({ platform: true }).where('id', '=', platformId).execute();
    const first = await control.addUser(platformId, ['super_admin']);
    const second = await makeUser(first, newAddress(), 'super_admin');
    const within = ({ call }: Pick<TestCaller, 'call'>): Pick<TestCaller, 'call'> => ({
      call: (method, path, body) => {
        const separator = path.includes('?') ? '&' : '?';
        return call(method, `${path}${separator}organizationId=${organizationId}`, body);
      },
    });
    await assertRefused(within(second), await submit(within(first)));
  });
});
