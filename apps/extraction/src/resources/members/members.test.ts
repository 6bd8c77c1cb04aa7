import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  mailsTo,
  newAddress,
  openBrowser,
  signInAs,
  type TestBrowser,
  testPassword,
  tokenOfNextMail,
} from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';

describe('members', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1' });
  });
  after(() => service?.stop());

  const newEmail = () => `guest-${Math.random().toString(36).slice(2)}@example.com`;
  const visitor = () => openBrowser(service.baseUrl);
  const accept = (token: string, name = 'Ada Stone', password = testPassword) =>
    visitor().call('POST', '/invitations/acceptance', { token, name, password }, newAddress());
  /** An account of its own, so that each test knows all of its members. */
  async function openAccount() {
    const accountId = await service.opened.addAccount('Harbour Books');
    return { accountId, administrator: await signInAs(service, { role: 'administrator', accountId }) };
  }
  const memberOf = async (browser: TestBrowser, email: string) =>
    (await browser.call('GET', '/members')).body.items.find((member: { email: string }) => member.email === email);

  test('who is invited sets name and password by the link, once, and signs in', async () => {
    const { administrator, accountId } = await openAccount();
    const email = newEmail();
    const invited = await administrator.call('POST', '/members', { email: email.toUpperCase(), role: 'member' });
    assert.deepEqual([invited.status, invited.body.email, invited.body.state], [201, email, 'invited']);
    const token = await tokenOfNextMail(service, email);
    const [mail] = await mailsTo(service, email);
    assert.match(mail!, /^Invitation to Harbour Books\nRobin Tester invites you to the account Harbour Books/);
    assert.match(mail!, new RegExp(`${service.baseUrl}/accept-invitation\\?token=`));
    const weak = await accept(token, 'Ada Stone', 'adastone is my name');
    assert.deepEqual([weak.status, weak.body.error.fields[0].path], [400, 'password']);
    const accepted = await Promise.all([accept(token), accept(token)]);
    assert.deepEqual(accepted.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await accept(token)).body.error.fields[0].path, 'token');
    const browser = visitor();
    const { status, body } = await browser.signIn(email, testPassword, newAddress());
    assert.deepEqual(
      [status, body.user.name, body.user.role, body.account.id],
      [200, 'Ada Stone', 'member', accountId],
    );
    const member = await memberOf(administrator, email);
    assert.deepEqual([member.state, member.name], ['active', 'Ada Stone']);
    assert.ok(member.lastSignInAt);
  });

  test('an invitation sent again has another link and role, and the one before is worth nothing', async () => {
    const { administrator } = await openAccount();
    const email = newEmail();
    const first = await administrator.call('POST', '/members', { email, role: 'member' });
    const oldToken = await tokenOfNextMail(service, email);
    const again = await administrator.call('POST', '/members', { email, role: 'administrator' });
    assert.equal(again.body.id, first.body.id);
    const token = await tokenOfNextMail(service, email, 1);
    assert.equal((await accept(oldToken)).status, 400);
    assert.equal((await accept(token)).status, 200);
    assert.equal((await memberOf(administrator, email)).role, 'administrator');
  });

  test('an invitation is good for 7 days, until it is withdrawn, and while its sender is an administrator', async () => {
    const { administrator, accountId } = await openAccount();
    const invite = async () => {
      const email = newEmail();
      const { body } = await administrator.call('POST', '/members', { email, role: 'member' });
      return { email, id: body.id as string, token: await tokenOfNextMail(service, email) };
    };
    const late = await invite();
    await sql`update invitations set expires_at = expires_at - interval '7 days' where id = ${late.id}`.execute(
      service.opened.database.system,
    );
    assert.equal((await memberOf(administrator, late.email)).state, 'invitation_expired');
    assert.equal((await accept(late.token)).status, 400);
    const withdrawn = await invite();
    assert.equal((await administrator.call('DELETE', `/members/${withdrawn.id}`)).status, 200);
    assert.equal((await accept(withdrawn.token)).status, 400);
    const ofDemoted = await invite();
    const other = await signInAs(service, { role: 'administrator', accountId });
    assert.equal((await other.call('PATCH', `/members/${administrator.userId}`, { role: 'member' })).status, 200);
    assert.equal((await accept(ofDemoted.token)).status, 400);
  });

  test('an address is sent a few mails, and a member or another account’s user no user twice', async () => {
    const { administrator } = await openAccount();
    const email = newEmail();
    const invite = (to = email) => administrator.call('POST', '/members', { email: to, role: 'member' });
    const statuses = [];
    for (let mail = 0; mail < 6; mail++) statuses.push((await invite()).status);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
    const own = await invite(administrator.email);
    assert.deepEqual([own.status, own.body.error.fields[0].path], [400, 'email']);
    const stranger = await signInAs(service, { role: 'member' });
    assert.equal((await invite(stranger.email)).status, 201, 'which reveals nothing about other accounts');
    const taken = await accept(await tokenOfNextMail(service, stranger.email));
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'conflict']);
  });

  test('a role holds from the next call on, under a new token', async () => {
    const { administrator, accountId } = await openAccount();
    const member = await signInAs(service, { role: 'member', accountId });
    const before = member.cookie();
    const promoted = await administrator.call('PATCH', `/members/${member.userId}`, { role: 'administrator' });
    assert.deepEqual([promoted.status, promoted.body.role], [200, 'administrator']);
    assert.equal((await member.call('POST', '/keys', { name: 'Mine' })).status, 201);
    assert.notEqual(member.cookie(), before);
    await administrator.call('PATCH', `/members/${member.userId}`, { role: 'member' });
    assert.equal((await member.call('POST', '/keys', { name: 'Mine' })).status, 403);
  });

  test('a disabled member is out at once and until enabled, a removed one for good', async () => {
    const { administrator, accountId } = await openAccount();
    const member = await signInAs(service, { role: 'member', accountId });
    const change = (body: object) => administrator.call('PATCH', `/members/${member.userId}`, body);
    assert.equal((await change({ disabled: true })).body.state, 'disabled');
    assert.equal((await member.call('GET', '/session')).status, 401);
    const signIn = () => visitor().signIn(member.email, testPassword, newAddress());
    assert.equal((await signIn()).status, 401);
    assert.equal((await change({ disabled: false })).body.state, 'active');
    assert.equal((await member.call('GET', '/session')).status, 401, 'the session is over');
    assert.equal((await signIn()).status, 200);
    assert.equal((await administrator.call('DELETE', `/members/${member.userId}`)).status, 200);
    assert.equal((await signIn()).status, 401);
    assert.equal(await memberOf(administrator, member.email), undefined);
    assert.equal((await change({ disabled: false })).status, 404);
    assert.equal(
      (await administrator.call('POST', '/members', { email: member.email, role: 'member' })).status,
      201,
      'the address is free again',
    );
  });

  test('nobody locks themselves out, and an administrator stays, however many change each other at once', async () => {
    const { administrator, accountId } = await openAccount();
    for (const body of [{ role: 'member' }, { disabled: true }]) {
      assert.equal((await administrator.call('PATCH', `/members/${administrator.userId}`, body)).status, 409);
    }
    assert.equal((await administrator.call('DELETE', `/members/${administrator.userId}`)).status, 409);
    const other = await signInAs(service, { role: 'administrator', accountId });
    const [first, second] = await Promise.all([
      administrator.call('DELETE', `/members/${other.userId}`),
      other.call('PATCH', `/members/${administrator.userId}`, { disabled: true }),
    ]);
    assert.equal([first, second].filter(({ status }) => status === 200).length, 1, `${first.status} ${second.status}`);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users where account_id = ${accountId} and role = 'administrator'
        and disabled_at is null and removed_at is null`.execute(service.opened.database.system);
    assert.equal(rows[0]!.count, 1);
  });

  test('members are listed page by page, invitations behind them', async () => {
    const { administrator, accountId } = await openAccount();
    for (let index = 0; index < 2; index++) await signInAs(service, { role: 'member', accountId });
    for (let index = 0; index < 2; index++) {
      await administrator.call('POST', '/members', { email: newEmail(), role: 'member' });
    }
    const states: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await administrator.call('GET', `/members?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      states.push(...page.body.items.map(({ state }: { state: string }) => state));
      cursor = page.body.nextCursor;
      pages += 1;
    } while (cursor !== null);
    assert.deepEqual(states, ['active', 'active', 'active', 'invited', 'invited']);
    assert.equal(pages, 3);
  });

  test('another account’s members are not there', async () => {
    const [{ administrator }, other] = [await openAccount(), await openAccount()];
    const path = `/members/${other.administrator.userId}`;
    assert.equal((await administrator.call('PATCH', path, { role: 'member' })).status, 404);
    assert.equal((await administrator.call('DELETE', path)).status, 404);
    assert.equal((await administrator.call('GET', '/members')).body.items.length, 1);
  });
});
