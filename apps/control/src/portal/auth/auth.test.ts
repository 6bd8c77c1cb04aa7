import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAsManyStatements } from '@millrace/postgres/testing-statements';
import { hashPassword } from '@millrace/sign-in/passwords';
import { assertChecksAPassword } from '@millrace/sign-in/passwords-testing';
import { Secret, TOTP } from 'otpauth';
import { startTestControl, type TestControl } from '../../testing.ts';
import {
  cookiesOf,
  openTestPortal,
  portalPassword as password,
  portalTestSettings,
  type TestPortal,
  tokenIn,
} from '../testing.ts';

const newPassword = 'eight green lanterns';
/** Statements of sending what stands in the outbox. */
const ofMails = /update "outbox"/;

describe('signing in to the developer portal', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl(portalTestSettings);
    portal = await openTestPortal(control);
  });
  after(() => control.stop());

  const signIn = (body: object, headers?: Record<string, string>, at = portal) =>
    at.call('POST', '/portal/sessions', body, headers);
  const session = (cookie: string, at = portal) => at.call('GET', '/portal/session', undefined, { cookie });

  test('a session starts with a cookie that scripts and other sites can’t use, and ends at sign-out', async () => {
    const { email, developerId } = await portal.addUser('billing');
    const answer = await signIn({ email: email.toUpperCase(), password });
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    assert.deepEqual(
      [answer.data.user.email, answer.data.user.role, answer.data.account.id, answer.data.organization.name],
      [email, 'billing', developerId, portal.name],
    );
    const [set = '', device = ''] = answer.headers.getSetCookie();
    assert.match(set, /^millrace_portal_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
    assert.match(device, /^millrace_device_[0-9a-f]{12}=/);
    const cookie = cookiesOf(answer);
    assert.deepEqual((await session(cookie)).data, answer.data);
    assert.equal((await portal.call('DELETE', '/portal/session', undefined, { cookie })).status, 200);
    assert.equal((await session(cookie)).status, 401);
  });

  test('an unknown address, a wrong password, and a suspended user or account get the same response', async () => {
    const { email } = await portal.addUser('owner');
    const { email: suspended, userId } = await portal.addUser('owner');
    const { email: ofSuspended, developerId } = await portal.addUser('owner');
    const { system } = control.opened.database;
    await system.updateTable('portal_users').set({ state: 'suspended' }).where('id', '=', userId).execute();
    await system.updateTable('developers').set({ state: 'suspended' }).where('id', '=', developerId).execute();
    const elsewhere = await (await openTestPortal(control)).addUser('owner');
    const answers = [
      await signIn({ email: 'nobody@example.com', password }),
      await signIn({ email, password: 'wrong' }),
      await signIn({ email: suspended, password }),
      await signIn({ email: ofSuspended, password }),
      await signIn({ email: elsewhere.email, password }),
    ];
    for (const { status, data } of answers) {
      assert.deepEqual(
        [status, data],
        [401, { message: 'The e-mail address, the password or the one-time code is wrong.' }],
      );
    }
    const rows = await system
      .selectFrom('audit_entries')
      .select('outcome')
      .where('organization_id', '=', portal.organizationId)
      .where('operation', '=', 'signInToPortal')
      .where('outcome', '=', 'denied')
      .execute();
    assert.equal(rows.length, answers.length, 'each is audited');
  });

  test('suspending the developer account ends the worth of its sessions at once; deleting it, its users', async () => {
    const user = await portal.addUser('owner');
    const operator = await control.addUser(portal.organizationId, ['organization_administrator']);
    assert.equal((await session(user.cookie)).status, 200);
    await operator.call('POST', `/developers/${user.developerId}/suspend`);
    assert.equal((await session(user.cookie)).status, 401);
    await operator.call('POST', `/developers/${user.developerId}/activate`);
    assert.equal((await session(user.cookie)).status, 200);
    assert.equal((await operator.call('DELETE', `/developers/${user.developerId}`)).status, 200);
    assert.equal((await session(user.cookie)).status, 401);
    assert.equal((await signIn({ email: user.email, password })).status, 401);
  });

  test('a token from before a sign-in is invalid after it, also one of another portal', async () => {
    const user = await portal.addUser('owner');
    const other = await openTestPortal(control);
    const elsewhere = await other.addUser('owner');
    const answer = await signIn({ email: user.email, password }, { cookie: user.cookie });
    assert.equal((await session(user.cookie)).status, 401);
    const there = await signIn({ email: elsewhere.email, password }, { cookie: cookiesOf(answer) }, other);
    assert.equal(there.status, 200);
    assert.equal((await session(cookiesOf(answer))).status, 401);
    assert.equal((await session(cookiesOf(there))).status, 401, 'a session is worth nothing in another portal');
    assert.equal((await session(cookiesOf(there), other)).status, 200);
    const planted = await signIn(
      { email: user.email, password },
      { cookie: `millrace_portal_session=${'p'.repeat(43)}` },
    );
    assert.ok(!cookiesOf(planted).includes('p'.repeat(43)), 'a token that the browser brings is not taken over');
  });

  test('sessions of console and portal are worth nothing on the other side', async () => {
    const user = await portal.addUser('owner');
    const operator = await control.addUser(portal.organizationId, ['organization_administrator']);
    const token = user.cookie.split('=')[1];
    for (const cookie of [user.cookie, `millrace_session=${token}`]) {
      assert.equal((await control.call('GET', '/auth/session', undefined, { cookie })).status, 401);
    }
    for (const name of ['millrace_session', 'millrace_portal_session']) {
      assert.equal((await session(`${name}=${operator.sessionToken}`)).status, 401);
    }
  });

  test('another site’s page can’t sign anybody in, register, or change anything', async () => {
    const user = await portal.addUser('owner');
    const foreign = [{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }];
    for (const headers of foreign) {
      assert.equal((await signIn({ email: user.email, password }, headers)).status, 403);
      for (const path of ['/portal/registrations/confirm', '/portal/invitations/accept', '/portal/password-resets']) {
        assert.equal((await portal.call('POST', path, {}, headers)).status, 403);
      }
      assert.equal((await user.call('PATCH', '/portal/profile', { name: 'Mallory' }, headers)).status, 403);
      assert.equal((await user.call('DELETE', '/portal/session', undefined, headers)).status, 403);
    }
    assert.equal((await session(user.cookie)).data.user.name, 'Robin Doe');
  });

  test('failures count for one portal alone, and not for the console', async () => {
    const other = await openTestPortal(control);
    const ip = { 'x-forwarded-for': '203.0.113.5' };
    const { email, developerId } = await portal.addUser('owner');
    const { system } = control.opened.database;
    const passwordHash = await hashPassword(password);
    const elsewhere = await other.addUser('owner');
    await system.updateTable('portal_users').set({ email }).where('id', '=', elsewhere.userId).execute();
    const { userId } = await control.addUser(portal.organizationId, ['developer']);
    await system.updateTable('users').set({ email, password_hash: passwordHash }).where('id', '=', userId).execute();
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) statuses.push((await signIn({ email, password: 'wrong' }, ip)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    assert.equal((await signIn({ email, password }, ip)).status, 429);
    const there = await signIn({ email, password }, ip, other);
    assert.equal(there.status, 200);
    const inConsole = await control.call('POST', '/auth/login', { email, password }, ip);
    assert.equal(inConsole.status, 200);
    // Neither makes the browser a known device here, which wouldn’t have to wait.
    for (const cookie of [cookiesOf(there), cookiesOf(inConsole)]) {
      assert.equal((await signIn({ email, password }, { ...ip, cookie })).status, 429);
    }
    const mails = await portal.mailsTo(email);
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Failed attempts to sign in to your account'],
    );
    assert.match(mails[0]?.text ?? '', new RegExp(`/portal/${portal.name}/forgot-password`));
    assert.ok(developerId);
  });

  test('changing a password needs the current one, ends other sessions, and gives this one a new token', async () => {
    const user = await portal.addUser('viewer');
    const other = cookiesOf(await signIn({ email: user.email, password }));
    const wrong = await user.call('POST', '/portal/password', { currentPassword: 'wrong', newPassword });
    assert.deepEqual([wrong.status, Object.keys(wrong.data.errors)], [400, ['currentPassword']]);
    const weak = await user.call('POST', '/portal/password', {
      currentPassword: password,
      newPassword: `${portal.name} it is`,
    });
    assert.deepEqual([weak.status, Object.keys(weak.data.errors)], [400, ['newPassword']]);
    const changed = await user.call('POST', '/portal/password', { currentPassword: password, newPassword });
    assert.deepEqual([changed.status, changed.data], [200, { endedSessions: 1 }]);
    assert.equal((await session(user.cookie)).status, 401);
    assert.equal((await session(other)).status, 401);
    assert.equal((await session(cookiesOf(changed))).status, 200);
    assert.equal((await signIn({ email: user.email, password })).status, 401);
    assert.equal((await signIn({ email: user.email, password: newPassword })).status, 200);
    assert.match((await portal.mailsTo(user.email)).at(-1)?.subject ?? '', /^Your password was changed$/);
  });

  test('a link sets a new password once, in its own portal, and ends every session', async () => {
    const user = await portal.addUser('owner');
    await user.call('PATCH', '/portal/profile', { locale: 'de' });
    const known = await portal.call('POST', '/portal/password-resets', { email: user.email });
    const unknown = await portal.call('POST', '/portal/password-resets', { email: 'nobody@example.com' });
    assert.deepEqual([known.status, known.data], [unknown.status, unknown.data]);
    const [mail] = await portal.mailsTo(user.email);
    assert.equal(mail?.subject, 'Neues Passwort festlegen');
    assert.match(mail?.text ?? '', new RegExp(`/portal/${portal.name}/reset-password\\?token=`));
    const body = { token: tokenIn(mail), newPassword };
    const elsewhere = await openTestPortal(control);
    assert.equal((await elsewhere.call('POST', '/portal/password-resets/confirm', body)).status, 400);
    assert.equal((await control.call('POST', '/auth/password-resets/confirm', body)).status, 400);
    const both = await Promise.all([
      portal.call('POST', '/portal/password-resets/confirm', body),
      portal.call('POST', '/portal/password-resets/confirm', body),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await session(user.cookie)).status, 401);
    assert.equal((await signIn({ email: user.email, password: newPassword })).status, 200);

    await portal.call('POST', '/portal/password-resets', { email: user.email });
    const second = { token: tokenIn((await portal.mailsTo(user.email)).at(-1)), newPassword: password };
    await control.opened.database.system
      .updateTable('portal_users')
      .set({ state: 'suspended' })
      .where('id', '=', user.userId)
      .execute();
    assert.equal((await portal.call('POST', '/portal/password-resets/confirm', second)).status, 400);
  });

  test('response times don’t reveal whether an account exists', async () => {
    const known: string[] = [];
    for (let index = 0; index < 12; index++) known.push((await portal.addUser('viewer')).email);
    const wrong = (email: string) => signIn({ email, password: 'a wrong password' });
    const reset = (email: string) => portal.call('POST', '/portal/password-resets', { email });
    for (const call of [wrong, reset]) {
      await assertAsManyStatements(
        ofMails,
        (index) => call(known[index]!),
        (index) => call(`no-${known[index]}`),
      );
    }
    await assertChecksAPassword((index) => wrong(`nobody-${known[index]}`));
  });

  test('one-time codes are required once confirmed, and name the organization', async () => {
    const user = await portal.addUser('developer');
    const started = await user.call('POST', '/portal/mfa', { password });
    assert.equal(started.status, 200, JSON.stringify(started.data));
    const url = new URL(started.data.otpauthUrl);
    assert.equal(url.searchParams.get('issuer'), portal.name);
    const code = () => new TOTP({ algorithm: 'SHA1', digits: 6, secret: Secret.fromBase32(started.data.secret) });
    const confirmed = await user.call('POST', '/portal/mfa/confirm', { oneTimeCode: code().generate() });
    assert.equal(confirmed.data.recoveryCodes.length, 10);
    assert.equal((await user.call('GET', '/portal/session')).data.user.mfa, true);
    const without = await signIn({ email: user.email, password });
    assert.deepEqual([without.status, Object.keys(without.data.errors)], [401, ['oneTimeCode']]);
    const oneTimeCode = confirmed.data.recoveryCodes[0];
    assert.equal((await signIn({ email: user.email, password, oneTimeCode })).status, 200);
    assert.equal((await signIn({ email: user.email, password, oneTimeCode })).status, 401);
    const removal = { password, oneTimeCode: confirmed.data.recoveryCodes[1] };
    assert.equal((await user.call('DELETE', '/portal/mfa', removal)).status, 200);
    assert.equal((await signIn({ email: user.email, password })).status, 200);
  });

  test('users list and end their own sessions only, and change nothing of their profile but name and language', async () => {
    const user = await portal.addUser('viewer');
    const colleague = await portal.addUser('owner', user.developerId);
    await signIn({ email: user.email, password });
    const list = await user.call('GET', '/portal/sessions?sort=createdAt');
    assert.deepEqual(
      list.data.sessions.map(({ current }: { current: boolean }) => current),
      [true, false],
    );
    const second = list.data.sessions[1].id;
    assert.equal((await colleague.call('DELETE', `/portal/sessions/${second}`)).status, 404);
    assert.equal((await user.call('DELETE', `/portal/sessions/${second}`)).status, 200);
    await signIn({ email: user.email, password });
    assert.deepEqual((await user.call('DELETE', '/portal/sessions')).data, { endedSessions: 1 });
    assert.equal((await user.call('GET', '/portal/sessions')).data.total, 1);
    for (const field of ['role', 'email', 'developerId', 'state', 'mfa']) {
      const answer = await user.call('PATCH', '/portal/profile', { name: 'Kim', [field]: 'owner' });
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    assert.equal((await user.call('PATCH', '/portal/profile', { locale: null })).data.locale, null);
  });
});
