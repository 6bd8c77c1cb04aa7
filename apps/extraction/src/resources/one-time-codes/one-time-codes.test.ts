import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { mailsTo, newAddress, openBrowser, signInAs, testPassword } from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';

const password = testPassword;
const encryptionKey = randomBytes(32).toString('hex');

describe('one-time codes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1', MILLRACE_ENCRYPTION_KEY: encryptionKey });
  });
  after(() => service?.stop());
  afterEach(() => mock.timers.reset());

  /** Signs in with what is given beside the password. */
  const attempt = (email: string, more: object = {}) =>
    openBrowser(service.baseUrl).call('POST', '/session', { email, password, ...more }, newAddress());

  /** A user who has one-time codes on, from the step before the present one. */
  async function userWithCodes() {
    const user = await signInAs(service, { role: 'member' });
    const begun = await user.call('POST', '/session/mfa', { password });
    assert.equal(begun.status, 200);
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body.secret), algorithm: 'SHA1', digits: 6 });
    // The clock stands still: the first code would be too old where its time ends just then.
    const nowMs = Date.now();
    mock.timers.enable({ apis: ['Date'], now: nowMs });
    const codeAt = (steps: number) => totp.generate({ timestamp: nowMs + steps * 30_000 });
    const confirmed = await user.call('POST', '/session/mfa/confirmation', { oneTimeCode: codeAt(-1) });
    assert.equal(confirmed.status, 200);
    return { ...user, begun: begun.body, codeAt, recoveryCodes: confirmed.body.recoveryCodes as string[] };
  }

  test('are asked for once the first one was confirmed, and each is taken once', async () => {
    const { email, call, begun, codeAt, recoveryCodes } = await userWithCodes();
    assert.match(begun.otpauthUrl, /^otpauth:\/\/totp\/Millrace:/);
    assert.equal(new Set(recoveryCodes).size, 10);
    assert.equal((await call('GET', '/session')).body.user.mfa, true);
    const { items } = (await call('GET', '/members?limit=200')).body;
    assert.equal(items.find((member: { email: string }) => member.email === email).mfa, true);

    const without = await attempt(email);
    assert.deepEqual([without.status, without.body.error.code], [401, 'sign_in_failed']);
    assert.equal(without.body.error.fields[0].path, 'oneTimeCode');
    assert.equal(without.headers.get('set-cookie'), null);
    assert.equal((await attempt(email, { oneTimeCode: codeAt(-1) })).status, 401, 'was used to confirm');
    assert.equal((await attempt(email, { oneTimeCode: codeAt(0) })).status, 200);
    assert.equal((await attempt(email, { oneTimeCode: codeAt(0) })).status, 401, 'was used to sign in');
    assert.equal((await attempt(email, { oneTimeCode: recoveryCodes[0]!.toUpperCase() })).status, 200);
    assert.equal((await attempt(email, { oneTimeCode: recoveryCodes[0] })).status, 401, 'was used');
    assert.match((await mailsTo(service, email)).join(), /One-time codes were turned on/);
  });

  test('need the password to begin, and a right code to be put to use', async () => {
    const user = await signInAs(service, { role: 'member' });
    const refused = await user.call('POST', '/session/mfa', { password: 'another password' });
    assert.deepEqual([refused.status, refused.body.error.fields[0].path], [400, 'password']);
    assert.equal((await user.call('POST', '/session/mfa/confirmation', { oneTimeCode: '123456' })).status, 409);
    assert.equal((await user.call('POST', '/session/mfa', { password })).status, 200);
    const wrong = await user.call('POST', '/session/mfa/confirmation', { oneTimeCode: '000000' });
    assert.deepEqual([wrong.status, wrong.body.error.fields[0].path], [400, 'oneTimeCode']);
    assert.equal((await attempt(user.email)).status, 200, 'is not asked for yet');
  });

  test('end the other sessions of the user when they are turned on', async () => {
    const user = await signInAs(service, { role: 'member' });
    const other = openBrowser(service.baseUrl);
    await other.signIn(user.email, password, newAddress());
    const { body } = await user.call('POST', '/session/mfa', { password });
    const oneTimeCode = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
    assert.equal((await user.call('POST', '/session/mfa/confirmation', { oneTimeCode })).status, 200);
    assert.equal((await other.call('GET', '/session')).status, 401);
    assert.equal((await user.call('GET', '/session')).status, 200);
  });

  test('are removed by password and code together, and the recovery codes with them', async () => {
    const { email, call, codeAt, recoveryCodes } = await userWithCodes();
    const remove = (body: object) => call('DELETE', '/session/mfa', body);
    assert.equal((await call('POST', '/session/mfa', { password })).status, 409, 'are on already');
    assert.equal((await remove({ password, oneTimeCode: '000000' })).body.error.fields[0].path, 'oneTimeCode');
    assert.equal(
      (await remove({ password: 'another password', oneTimeCode: codeAt(0) })).body.error.fields[0].path,
      'password',
    );
    assert.equal((await remove({ password, oneTimeCode: recoveryCodes[0] })).status, 200);
    assert.equal((await call('GET', '/session')).body.user.mfa, false);
    assert.equal((await attempt(email)).status, 200);
    const left = await service.opened.database.system
      .selectFrom('mfa_recovery_codes')
      .innerJoin('users', 'users.id', 'mfa_recovery_codes.user_id')
      .where('users.email', '=', email)
      .select('code_hash')
      .execute();
    assert.deepEqual(left, []);
  });

  test('are seen by administrators, and removed by one with a command', async () => {
    const administrator = await signInAs(service, { role: 'administrator' });
    const { email, call } = await userWithCodes();
    const mfaOf = async () =>
      (await administrator.call('GET', '/members?limit=200')).body.items.find(
        (member: { email: string }) => member.email === email,
      ).mfa;
    assert.equal(await mfaOf(), true);
    const main = join(import.meta.dirname, '../../admin/main.ts');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, 'members', 'remove-codes', email],
      {
        env: {
          ...process.env,
          DATABASE_URL: service.opened.url,
          MILLRACE_DATA_DIR: service.dataFolder,
          MILLRACE_ENCRYPTION_KEY: encryptionKey,
        },
      },
    );
    assert.match(stdout, /off/);
    assert.equal(await mfaOf(), false);
    assert.equal((await call('GET', '/session')).status, 401, 'sessions end');
    assert.equal((await attempt(email)).status, 200);
  });
});
