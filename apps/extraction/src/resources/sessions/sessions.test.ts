import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { hashPassword } from '@millrace/sign-in/passwords';
import { sql } from 'kysely';
import { insertUser } from '../../accounts/store.ts';
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

const adminPassword = 'nine amber windmills';
const publicUrl = 'https://documents.example.com';

describe('signing in to the dashboard', () => {
  let service: TestService;
  let passwordHash: string;
  before(async () => {
    service = await startTestService({ MILLRACE_ADMIN_PASSWORD: adminPassword, MILLRACE_TRUST_PROXY: '1' });
    passwordHash = await hashPassword(testPassword);
  });
  after(() => service?.stop());

  /** Somebody who can sign in with {@link testPassword}. */
  async function addPerson(): Promise<string> {
    const email = `person-${Math.random().toString(36).slice(2)}@example.com`;
    await tenantTransaction(service.opened.database, service.accountId, (transaction) =>
      insertUser(transaction, { email, name: 'Robin', role: 'member', passwordHash }),
    );
    return email;
  }
  const attempt = (email: string, password = testPassword, headers = newAddress(), browser?: TestBrowser) =>
    (browser ?? openBrowser(service.baseUrl)).signIn(email, password, headers);
  const isSignedIn = async (browser: TestBrowser) => (await browser.call('GET', '/session')).status === 200;

  test('the first administrator signs in with the password of the first start', async () => {
    const browser = openBrowser(service.baseUrl);
    const answer = await browser.signIn('Admin@Millrace.local', adminPassword);
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.body.user.email, answer.body.user.role], ['admin@millrace.local', 'administrator']);
    assert.match(
      answer.headers.getSetCookie()[0] ?? '',
      /^millrace_dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
    );
    const { body } = await browser.call('GET', '/session');
    assert.deepEqual(body, answer.body);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  test('a session ends with the sign-out, at once', async () => {
    const browser = await signInAs(service, { role: 'member' });
    const kept = openBrowser(service.baseUrl, browser.cookie());
    const out = await browser.call('DELETE', '/session');
    assert.deepEqual([out.status, out.body, browser.cookie()], [200, { signOutUrl: null }, '']);
    const refused = await kept.call('GET', '/session');
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'not_signed_in']);
  });

  test('a token from before the sign-in is worth nothing after it, planted or own', async () => {
    const email = await addPerson();
    const planted = `millrace_dashboard=${'a'.repeat(43)}`;
    const browser = openBrowser(service.baseUrl, planted);
    await attempt(email, testPassword, newAddress(), browser);
    assert.notEqual(browser.cookie(), planted);
    assert.equal(await isSignedIn(openBrowser(service.baseUrl, planted)), false);
    const first = openBrowser(service.baseUrl, browser.cookie());
    await attempt(email, testPassword, newAddress(), browser);
    assert.equal(await isSignedIn(first), false);
    assert.equal(await isSignedIn(browser), true);
  });

  test('what is stored of a token is its hash', async () => {
    const browser = await signInAs(service, { role: 'member' });
    const token = browser.cookie().split('=')[1]!;
    const rows = await service.opened.database.system.selectFrom('sessions').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(token));
    assert.ok(!service.logLines.join('').includes(token));
  });

  test('own sessions are listed and ended, and nobody else’s', async () => {
    const email = await addPerson();
    const [here, there] = [openBrowser(service.baseUrl), openBrowser(service.baseUrl)];
    await attempt(email, testPassword, { ...newAddress(), 'user-agent': 'A phone' }, there);
    await attempt(email, testPassword, newAddress(), here);
    const stranger = await signInAs(service, { role: 'administrator' });
    const { items } = (await here.call('GET', '/sessions')).body;
    assert.deepEqual(
      items.map(({ current }: { current: boolean }) => current),
      [true, false],
    );
    const other = items[1];
    assert.match(other.address, /^10\./);
    assert.equal(other.userAgent, 'A phone');
    assert.equal((await stranger.call('DELETE', `/sessions/${other.id}`)).status, 404);
    assert.equal(await isSignedIn(there), true);
    assert.equal((await here.call('DELETE', `/sessions/${other.id}`)).status, 200);
    assert.deepEqual([await isSignedIn(there), await isSignedIn(here)], [false, true]);
    const ended = await here.call('DELETE', `/sessions/${items[0].id}`);
    assert.deepEqual([ended.status, here.cookie()], [200, '']);
  });

  test('all other own sessions are ended at once, and nobody else’s', async () => {
    const email = await addPerson();
    const [here, ...there] = Array.from({ length: 3 }, () => openBrowser(service.baseUrl));
    for (const browser of [here!, ...there]) await attempt(email, testPassword, newAddress(), browser);
    const stranger = await signInAs(service, { role: 'administrator' });
    const ended = await here!.call('DELETE', '/sessions');
    assert.deepEqual([ended.status, ended.body], [200, { endedSessions: 2 }]);
    for (const browser of there) assert.equal(await isSignedIn(browser), false);
    assert.deepEqual([await isSignedIn(here!), await isSignedIn(stranger)], [true, true]);
    assert.deepEqual((await here!.call('DELETE', '/sessions')).body, { endedSessions: 0 });
  });

  test('the own name is changed', async () => {
    const browser = await signInAs(service, { role: 'member' });
    const changed = await browser.call('PATCH', '/session/user', { name: '  Ada Stone ' });
    assert.equal(changed.body.user.name, 'Ada Stone');
    assert.equal((await browser.call('GET', '/session')).body.user.name, 'Ada Stone');
    const refused = await browser.call('PATCH', '/session/user', { name: ' ', role: 'administrator' });
    assert.deepEqual(
      refused.body.error.fields.map(({ path }: { path: string }) => path),
      ['name', 'role'],
    );
  });

  test('a password is changed by who knows it, ends the other sessions and gives this one a new token', async () => {
    const email = await addPerson();
    const [here, there] = [openBrowser(service.baseUrl), openBrowser(service.baseUrl)];
    for (const browser of [here, there]) await attempt(email, testPassword, newAddress(), browser);
    const old = openBrowser(service.baseUrl, here.cookie());
    const change = (currentPassword: string, newPassword: string) =>
      here.call('PUT', '/session/password', { currentPassword, newPassword });
    for (const [current, next, path] of [
      ['a wrong password', 'eleven silver rivers', 'currentPassword'],
      [testPassword, testPassword, 'newPassword'],
      [testPassword, 'too short', 'newPassword'],
      [testPassword, `${email} and more`, 'newPassword'],
      [testPassword, 'aaaaaaaaaaaaaaaa', 'newPassword'],
    ] as const) {
      const refused = await change(current, next);
      assert.deepEqual([refused.status, refused.body.error.fields[0].path], [400, path], next);
    }
    const changed = await change(testPassword, 'eleven silver rivers');
    assert.deepEqual([changed.status, changed.body], [200, { endedSessions: 1 }]);
    assert.deepEqual([await isSignedIn(here), await isSignedIn(there), await isSignedIn(old)], [true, false, false]);
    assert.equal((await attempt(email)).status, 401);
    assert.equal((await attempt(email, 'eleven silver rivers')).status, 200);
    await eventually('the mail', async () => (await mailsTo(service, email)).some((mail) => /was changed/.test(mail)));
  });

  test('who guesses the current password of an open session has to wait', async () => {
    const browser = await signInAs(service, { role: 'member' });
    const guess = () =>
      browser.call('PUT', '/session/password', { currentPassword: 'a guess', newPassword: 'eleven silver rivers' });
    const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [400, 400, 400, 400, 400, 429, 429, 429]);
  });

  test('a link sets a new password once, and ends every session', async () => {
    const email = await addPerson();
    const browser = openBrowser(service.baseUrl);
    await attempt(email, testPassword, newAddress(), browser);
    const visitor = openBrowser(service.baseUrl);
    assert.equal((await visitor.call('POST', '/password-resets', { email }, newAddress())).status, 200);
    const token = await tokenOfNextMail(service, email);
    const reset = (newPassword: string) =>
      visitor.call('POST', '/password-resets/confirmation', { token, newPassword });
    assert.equal((await reset('too short')).status, 400);
    const done = await Promise.all([reset('eleven silver rivers'), reset('twelve silver rivers')]);
    assert.deepEqual(done.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await reset('eleven silver rivers')).body.error.fields[0].path, 'token');
    assert.equal(await isSignedIn(browser), false);
    assert.equal((await attempt(email)).status, 401);
    assert.ok(!service.logLines.join('').includes(token));
  });

  test('a link is good for an hour', async () => {
    const email = await addPerson();
    const visitor = openBrowser(service.baseUrl);
    await visitor.call('POST', '/password-resets', { email }, newAddress());
    const token = await tokenOfNextMail(service, email);
    await service.opened.database.system
      .updateTable('password_resets')
      .set({ expires_at: sql<Date>`expires_at - interval '1 hour'` })
      .execute();
    const late = await visitor.call('POST', '/password-resets/confirmation', {
      token,
      newPassword: 'eleven silver rivers',
    });
    assert.deepEqual([late.status, late.body.error.fields[0].path], [400, 'token']);
  });

  test('links name the public address, and go to known addresses alone', async () => {
    const second = await startTestService({ MILLRACE_PUBLIC_URL: publicUrl });
    try {
      const headers = { origin: publicUrl, 'sec-fetch-site': 'same-origin' };
      const visitor = openBrowser(second.baseUrl);
      for (const email of ['nobody@example.com', 'admin@millrace.local']) {
        const asked = await visitor.call('POST', '/password-resets', { email }, headers);
        assert.deepEqual([asked.status, asked.body], [200, {}]);
      }
      await tokenOfNextMail(second, 'admin@millrace.local');
      const [mail] = await mailsTo(second, 'admin@millrace.local');
      assert.match(mail!, /https:\/\/documents\.example\.com\/reset-password\?token=[\w-]{43}\n/);
      assert.deepEqual(await mailsTo(second, 'nobody@example.com'), []);
      const stored = () => second.opened.database.system.selectFrom('mails').selectAll().execute();
      // A mail stands in its folder before its row says that it is sent.
      await eventually('the mail is done with', async () => (await stored()).every(({ state }) => state === 'done'));
      assert.deepEqual(
        (await stored()).map(({ sealed_payload }) => sealed_payload.length),
        [0],
      );
    } finally {
      await second.stop();
    }
  });
});
