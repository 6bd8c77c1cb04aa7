import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { hashPassword } from '@millrace/sign-in/passwords';
import { Secret, TOTP } from 'otpauth';
import { startTestControl, type TestAnswer, type TestControl } from '../../testing.ts';

const password = 'seven green lanterns';

describe('sign-in', () => {
  let control: TestControl;
  let organizationId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
  });
  after(() => control.stop());

  /** A user with a password, not signed in. */
  async function addPerson(): Promise<{ userId: string; email: string }> {
    const { userId } = await control.addUser(organizationId, ['developer']);
    const { system } = control.opened.database;
    const hash = await hashPassword(password);
    await system
      .updateTable('users')
      .set({ password_hash: hash, name: 'Robin Doe' })
      .where('id', '=', userId)
      .execute();
    return { userId, email: `${userId}@example.com` };
  }

  const login = (body: object, headers?: Record<string, string>) => control.call('POST', '/auth/login', body, headers);

  const trail = (entityId: string) =>
    control.opened.database.system
      .selectFrom('audit_entries')
      .selectAll()
      .where((builder) => builder.or([builder('entity_id', '=', entityId), builder('actor_id', '=', entityId)]))
      .orderBy('sequence')
      .execute();

  async function mailsTo(email: string): Promise<readonly string[]> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`a mail to ${email}`, () => {
      // A mail that is still being written has a hidden name.
      const names = existing(folder).filter((name) => /^[^.].*\.eml$/.test(name));
      const mails = names
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .filter((text) => text.includes(email));
      return mails.length > 0 && mails;
    });
  }

  test('a session starts with a cookie that scripts and other sites can’t use, and ends at sign-out', async () => {
    const { userId, email } = await addPerson();
    const answer = await login({ email: email.toUpperCase(), password });
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    assert.equal(answer.data.user.email, email);
    assert.deepEqual(answer.data.roles, [{ id: 'developer', name: 'Developer' }]);
    assert.ok(answer.data.permissions.includes('proxy.write'));
    const [set = '', device = ''] = answer.headers.getSetCookie();
    assert.match(device, /^millrace_device_[0-9a-f]{12}=[\w-]{75}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
    assert.match(set, /^millrace_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
    assert.ok(!JSON.stringify(answer.data).includes(tokenOf(answer)));

    const headers = { cookie: cookieOf(answer) };
    const session = await control.call('GET', '/auth/session', undefined, headers);
    assert.deepEqual(session.data, answer.data);
    assert.equal((await control.call('POST', '/auth/logout', undefined, headers)).status, 200);
    assert.equal((await control.call('GET', '/auth/session', undefined, headers)).status, 401);
    assert.deepEqual(
      (await trail(userId)).map((row) => [row.operation, row.category, row.outcome, row.actor_id]),
      [
        ['login', 'security', 'done', userId],
        ['logout', 'security', 'done', userId],
      ],
    );
  });

  test('a token from before the sign-in is invalid after it', async () => {
    const { email } = await addPerson();
    const planted = { cookie: `millrace_session=${'p'.repeat(43)}` };
    const first = await login({ email, password }, planted);
    assert.notEqual(cookieOf(first), planted.cookie);
    assert.equal((await control.call('GET', '/auth/session', undefined, planted)).status, 401);
    const second = await login({ email, password }, { cookie: cookieOf(first) });
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(first) })).status, 401);
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(second) })).status, 200);
  });

  test('an unknown address, a wrong password and a suspended user get the same response; each is audited', async () => {
    const { userId, email } = await addPerson();
    const wrong = await login({ email, password: 'another password' });
    const unknown = await login({ email: `nobody-${email}`, password });
    await control.opened.database.system
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('id', '=', userId)
      .execute();
    const suspended = await login({ email, password });
    for (const answer of [wrong, unknown, suspended]) {
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.data, { message: 'The e-mail address, the password or the one-time code is wrong.' });
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.deepEqual(
      (await trail(userId)).map((row) => [row.outcome, row.category, row.actor_kind]),
      [
        ['denied', 'security', 'anonymous'],
        ['denied', 'security', 'anonymous'],
      ],
    );
  });

  test('changing a password needs the current one, ends other sessions, and gives this one a new token', async () => {
    const { email } = await addPerson();
    const here = await login({ email, password });
    const there = await login({ email, password });
    const headers = { cookie: cookieOf(here) };
    const change = (currentPassword: string, newPassword: string) =>
      control.call('POST', '/auth/password', { currentPassword, newPassword }, headers);
    for (const [current, wanted, field] of [
      ['not my password', 'a new long password', 'currentPassword'],
      [password, 'too short', 'newPassword'],
      [password, password, 'newPassword'],
      [password, `my ${email}`, 'newPassword'],
      [password, 'RobinDoe RobinDoe', 'newPassword'],
      [password, 'aaaaaaaaaaaaaaaa', 'newPassword'],
    ] as const) {
      const refused = await change(current, wanted);
      assert.equal(refused.status, 400, wanted);
      assert.deepEqual(Object.keys(refused.data.errors), [field]);
    }
    const changed = await change(password, 'eight amber lanterns');
    assert.deepEqual([changed.status, changed.data], [200, { endedSessions: 2 }]);
    for (const old of [here, there]) {
      assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(old) })).status, 401);
    }
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(changed) })).status, 200);
    assert.equal((await login({ email, password })).status, 401);
    assert.equal((await login({ email, password: 'eight amber lanterns' })).status, 200);
  });

  test('a link sets a new password once, and ends every session', async () => {
    const { userId, email } = await addPerson();
    const session = await login({ email, password });
    const known = await control.call('POST', '/auth/password-resets', { email });
    const unknown = await control.call('POST', '/auth/password-resets', { email: `nobody-${email}` });
    assert.deepEqual([known.status, known.data], [unknown.status, unknown.data]);
    const [mail = ''] = await mailsTo(email);
    const text = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const [, link, token] = text.match(/(http:\/\/\S+\/reset-password)\?token=([\w-]{43})/) ?? [];
    assert.equal(link, `${control.baseUrl}/reset-password`);

    const confirm = (newPassword: string) =>
      control.call('POST', '/auth/password-resets/confirm', { token, newPassword });
    assert.equal((await confirm(`my ${email}`)).status, 400);
    const both = await Promise.all([confirm('nine violet lanterns'), confirm('nine violet lanterns')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    const reused = await confirm('ten scarlet lanterns');
    assert.deepEqual([reused.status, Object.keys(reused.data.errors)], [400, ['token']]);
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(session) })).status, 401);
    assert.equal((await login({ email, password: 'nine violet lanterns' })).status, 200);
    const operations = (await trail(userId)).map((row) => row.operation);
    assert.deepEqual(operations, ['login', 'requestPasswordReset', 'confirmPasswordReset', 'login']);
  });

  test('a link is valid for an hour', async () => {
    const { userId, email } = await addPerson();
    await control.call('POST', '/auth/password-resets', { email });
    const [mail = ''] = await mailsTo(email);
    const token = mail
      .replaceAll('=\r\n', '')
      .replaceAll('=3D', '=')
      .match(/token=([\w-]{43})/)?.[1];
    await control.opened.database.system
      .updateTable('password_resets')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('user_id', '=', userId)
      .execute();
    const late = await control.call('POST', '/auth/password-resets/confirm', {
      token,
      newPassword: 'ten red lanterns',
    });
    assert.deepEqual(Object.keys(late.data.errors), ['token']);
  });

  test('users can list and end their own sessions only', async () => {
    const { email } = await addPerson();
    const [first, second] = [await login({ email, password }), await login({ email, password })];
    const stranger = await login({ email: (await addPerson()).email, password });
    const headers = { cookie: cookieOf(first) };
    const listed = await control.call('GET', '/auth/sessions', undefined, headers);
    // Beside these two, the one that every user of a test has.
    assert.equal(listed.data.total, 3);
    assert.equal(listed.data.sessions.filter(({ current }: { current: boolean }) => current).length, 1);
    const others = await control.call('GET', '/auth/sessions', undefined, { cookie: cookieOf(stranger) });
    const foreign = await control.call('DELETE', `/auth/sessions/${others.data.sessions[0].id}`, undefined, headers);
    assert.equal(foreign.status, 404);
    const ended = await control.call('DELETE', '/auth/sessions', undefined, headers);
    assert.deepEqual(ended.data, { endedSessions: 2 });
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(second) })).status, 401);
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie: cookieOf(stranger) })).status, 200);
    const left = await control.call('GET', '/auth/sessions', undefined, headers);
    const own = await control.call('DELETE', `/auth/sessions/${left.data.sessions[0].id}`, undefined, headers);
    assert.match(own.headers.get('set-cookie') ?? '', /^millrace_session=; .*Max-Age=0/);
    assert.equal((await control.call('GET', '/auth/session', undefined, headers)).status, 401);
  });

  test('users can change their own profile, with the version that was read', async () => {
    const { email } = await addPerson();
    const headers = { cookie: cookieOf(await login({ email, password })) };
    const patch = (body: object, more = {}) => control.call('PATCH', '/auth/profile', body, { ...headers, ...more });
    const changed = await patch({ name: 'Kim', timeZone: 'Asia/Tokyo', locale: 'de-AT' }, { 'if-match': '"v1"' });
    assert.deepEqual(
      [changed.data.name, changed.data.timeZone, changed.data.locale, changed.data.version],
      ['Kim', 'Asia/Tokyo', 'de-AT', 2],
    );
    assert.equal((await patch({ name: 'Sam' }, { 'if-match': '"v1"' })).status, 412);
    assert.deepEqual(Object.keys((await patch({ timeZone: 'Mars/Olympus' })).data.errors), ['timeZone']);
    assert.deepEqual(Object.keys((await patch({ email: 'x@example.com' })).data.errors), ['email']);
  });

  test('one-time codes are required once confirmed; each code and recovery code works once', async (context) => {
    const { userId, email } = await addPerson();
    const headers = { cookie: cookieOf(await login({ email, password })) };
    assert.equal((await control.call('POST', '/auth/mfa/confirm', { oneTimeCode: '123456' }, headers)).status, 409);
    assert.equal((await control.call('POST', '/auth/mfa', { password: 'wrong password' }, headers)).status, 400);
    const started = await control.call('POST', '/auth/mfa', { password }, headers);
    assert.equal(started.status, 200, JSON.stringify(started.data));
    const totp = new TOTP({ secret: Secret.fromBase32(started.data.secret), algorithm: 'SHA1', digits: 6 });
    assert.match(started.data.otpauthUrl, /^otpauth:\/\/totp\/Millrace:/);
    assert.equal((await login({ email, password })).status, 200);

    // The clock stands still: the first code would be too old where its time ends just then.
    const now = Date.now();
    context.mock.timers.enable({ apis: ['Date'], now });
    const codeAt = (steps: number) => totp.generate({ timestamp: now + steps * 30_000 });
    assert.equal((await control.call('POST', '/auth/mfa/confirm', { oneTimeCode: '000000' }, headers)).status, 400);
    const confirmed = await control.call('POST', '/auth/mfa/confirm', { oneTimeCode: codeAt(-1) }, headers);
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.data));
    const sessions = await control.call('GET', '/auth/sessions', undefined, headers);
    assert.equal(sessions.data.total, 1, 'those from before end, without a code as they were');
    const { recoveryCodes } = confirmed.data;
    assert.equal(new Set(recoveryCodes).size, 10);

    const asked = await login({ email, password });
    assert.deepEqual([asked.status, Object.keys(asked.data.errors)], [401, ['oneTimeCode']]);
    assert.deepEqual(Object.keys((await login({ email, password: 'wrong password' })).data), ['message']);
    const withCode = (oneTimeCode: string) => login({ email, password, oneTimeCode });
    assert.equal((await withCode(codeAt(-1))).status, 401, 'the code of the confirmation');
    const raced = await Promise.all([withCode(codeAt(0)), withCode(codeAt(0))]);
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 401]);
    assert.equal((await withCode(codeAt(0))).status, 401);
    assert.equal((await withCode(codeAt(1))).status, 200);
    const recovered = await Promise.all([withCode(recoveryCodes[0]), withCode(recoveryCodes[0].toUpperCase())]);
    assert.deepEqual(recovered.map(({ status }) => status).sort(), [200, 401]);

    const stored = JSON.stringify(
      await control.opened.database.system.selectFrom('users').selectAll().where('id', '=', userId).execute(),
    );
    assert.ok(!stored.includes(Buffer.from(Secret.fromBase32(started.data.secret).bytes).toString('base64')));
    assert.equal((await control.call('DELETE', '/auth/mfa', { password: 'wrong password' }, headers)).status, 400);
    const remove = (body: object) => control.call('DELETE', '/auth/mfa', body, headers);
    assert.deepEqual(Object.keys((await remove({ password })).data.errors), ['oneTimeCode']);
    assert.deepEqual(Object.keys((await remove({ password, oneTimeCode: '000000' })).data.errors), ['oneTimeCode']);
    assert.equal((await remove({ password, oneTimeCode: codeAt(1) })).status, 400, 'which was used to sign in');
    assert.equal((await remove({ password: 'wrong password', oneTimeCode: recoveryCodes[2] })).status, 400);
    assert.equal((await remove({ password, oneTimeCode: recoveryCodes[2] })).status, 200);
    assert.equal((await login({ email, password })).status, 200);
    assert.equal((await withCode(recoveryCodes[1])).status, 200, 'a code that is not asked for does no harm');
  });
});

function cookieOf(answer: TestAnswer): string {
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0]!;
}

function tokenOf(answer: TestAnswer): string {
  return cookieOf(answer).split('=')[1]!;
}

function existing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
