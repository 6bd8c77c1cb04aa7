import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { startDns } from '@millrace/sign-in/dns-testing';
import { misbehaviours, startTestProvider, type TestProvider } from '@millrace/sign-in/provider-testing';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import {
  mailsTo,
  newAddress,
  openBrowser,
  signInAs,
  type TestBrowser,
  testPassword,
} from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';

type SignedIn = Awaited<ReturnType<typeof signInAs>>;

describe('sign-in to the dashboard by an identity provider', () => {
  let service: TestService;
  let provider: TestProvider;
  let admin: SignedIn;
  const records = new Map<string, string>();
  let dns: Awaited<ReturnType<typeof startDns>>;

  before(async () => {
    dns = await startDns(records);
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1', MILLRACE_DNS_SERVERS: dns.address });
    provider = await startTestProvider();
  });
  after(async () => {
    await service?.stop();
    await provider?.stop();
    dns?.socket.close();
  });
  beforeEach(async () => {
    provider.misbehaviour = {};
    provider.disabled.clear();
    admin = await signInAs(service, { role: 'administrator' });
    const name = Math.random().toString(36).slice(2);
    provider.user = { sub: name, email: `${name}@example.com`, email_verified: true, name: 'Kim Provider' };
    await sql`delete from identity_providers`.execute(service.opened.database.system);
    await configure();
  });

  const given = () => ({
    name: 'Example ID',
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    createsUsers: true,
  });
  const configure = async (changes: object = {}) => {
    const { status, body } = await admin.call('PUT', '/identity-provider', { ...given(), ...changes });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const cookieIn = (headers: Headers, name: string) =>
    headers
      .getSetCookie()
      .find((line) => line.startsWith(`${name}=`))
      ?.split(';')[0] ?? '';

  /** Signs in in a browser of its own, whose cookies are returned by name. */
  async function signIn(next?: string) {
    const browser = openBrowser(service.baseUrl);
    const body = { organization: service.accountId, ...(next === undefined ? {} : { next }) };
    const started = await browser.call('POST', '/provider-sign-ins', body, newAddress());
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const cookie = cookieIn(started.headers, 'millrace_dashboard_sign_in');
    const parameters = await provider.authorize(started.body.url);
    const finish = (sent = parameters, cookies = cookie) =>
      openBrowser(service.baseUrl).call(
        'POST',
        '/provider-sign-ins/finish',
        { parameters: sent },
        { ...newAddress(), cookie: cookies },
      );
    const answer = await finish();
    const session = cookieIn(answer.headers, 'millrace_dashboard');
    return { answer, finish, call: openBrowser(service.baseUrl, session).call };
  }
  /** Links a user’s own account, in the browser of their session, which it replaces. */
  async function link(user: SignedIn) {
    const session = user.cookie();
    const { body, headers } = await user.call('POST', '/identity-provider/links');
    const parameters = await provider.authorize(body.url);
    const cookie = `${cookieIn(headers, 'millrace_dashboard_sign_in')}; ${session}`;
    const browser = openBrowser(service.baseUrl);
    return browser.call('POST', '/provider-sign-ins/finish', { parameters }, { ...newAddress(), cookie });
  }

  test('a new user signs in, once per code, and opens the page that was asked for', async () => {
    const { answer, finish, call } = await signIn('/review');
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.next, '/review');
    const session = await call('GET', '/session');
    assert.equal(session.body.user.email, provider.user!.email);
    assert.equal(session.body.user.role, 'member');
    const again = await finish();
    assert.equal(again.status, 401);
    assert.match(again.body.error.message, /finished already/);
    assert.equal((await signIn('//evil.example')).answer.body.next, '/');
  });

  test('what a provider gets wrong is refused', async () => {
    for (const [name, misbehaviour] of Object.entries(misbehaviours)) {
      provider.misbehaviour = misbehaviour();
      const { answer } = await signIn();
      assert.equal(answer.status, 401, name);
      assert.equal(cookieIn(answer.headers, 'millrace_dashboard'), '');
    }
  });

  test('an address alone links nobody; nobody is created with an unverified address, or where that is off', async () => {
    provider.user = { ...provider.user!, email: admin.email };
    assert.match((await signIn()).answer.body.error.message, /has an account already/);
    provider.user = { ...provider.user, email: 'somebody@example.com', email_verified: false };
    assert.match((await signIn()).answer.body.error.message, /Nobody has verified/);
    await configure({ createsUsers: false });
    assert.match((await signIn()).answer.body.error.message, /no account here/);
    await configure({ emailDomains: ['elsewhere.example'] });
    assert.match((await signIn()).answer.body.error.message, /can’t sign in here/);
  });

  test('a verified domain links members by address, and finds the provider', async () => {
    const domain = `d${Math.random().toString(36).slice(2, 10)}.example`;
    await configure({ emailDomains: [domain], createsUsers: false });
    const member = await signInAs(service, { role: 'member' });
    const email = `kim@${domain}`;
    await sql`update users set email = ${email} where id = ${member.userId}`.execute(service.opened.database.system);
    provider.user = { ...provider.user!, email };
    assert.match((await signIn()).answer.body.error.message, /no account here/);
    const { body: added } = await admin.call('POST', '/email-domains', { domain });
    assert.equal(added.state, 'pending');
    const missing = await admin.call('POST', `/email-domains/${added.id}/verify`);
    assert.match(missing.body.problem, /has no TXT record/);
    records.set(added.recordName, added.recordValue);
    const verified = await admin.call('POST', `/email-domains/${added.id}/verify`);
    assert.deepEqual([verified.body.state, verified.body.problem], ['verified', null]);
    provider.user = { ...provider.user, email_verified: false };
    assert.match((await signIn()).answer.body.error.message, /no account here/);
    provider.user = { ...provider.user, email_verified: true };
    const { answer, call } = await signIn();
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal((await call('GET', '/session')).body.user.email, email);
    const found = await openBrowser(service.baseUrl).call('POST', '/sign-in-provider', { email }, newAddress());
    assert.equal(found.body.provider.organization, service.accountId);
    assert.equal((await member.call('POST', '/email-domains', { domain: 'other.example' })).status, 403);
    assert.equal((await admin.call('POST', '/email-domains', { domain })).status, 400);
    assert.equal((await admin.call('GET', '/email-domains')).body.domains.length, 1);
    assert.equal((await admin.call('DELETE', `/email-domains/${added.id}`)).status, 200);
    assert.equal((await admin.call('DELETE', `/email-domains/${added.id}`)).status, 404);
  });

  test('the role follows from groups', async () => {
    await configure({ groupsClaim: 'groups', administratorGroups: ['admins'], memberGroups: ['people'] });
    const roleWith = async (groups: readonly string[]) => {
      provider.user = { ...provider.user!, groups };
      const { answer, call } = await signIn();
      return answer.status === 200 ? (await call('GET', '/session')).body.user.role : answer.body.error.message;
    };
    assert.equal(await roleWith(['people']), 'member');
    assert.equal(await roleWith(['admins']), 'administrator');
    assert.equal(await roleWith(['people']), 'member');
    assert.match(await roleWith(['strangers']), /None of your groups/);
  });

  test('the provider is enforced but for one administrator, whose sign-in is reported', async () => {
    const member = await signInAs(service, { role: 'member' });
    const { body: begun } = await admin.call('POST', '/session/mfa', { password: testPassword });
    const enforceAs = (browser: TestBrowser) =>
      browser.call('PUT', '/identity-provider/enforcement', { enforced: true, breakGlassUserId: admin.userId });
    assert.match((await enforceAs(admin)).body.error.message, /Sign in with Example ID once/);
    const session = admin.cookie();
    assert.equal((await link(admin)).status, 200);
    assert.equal((await openBrowser(service.baseUrl, session).call('GET', '/session')).status, 401, 'it was replaced');

    const second = openBrowser(service.baseUrl);
    assert.equal((await second.signIn(admin.email, testPassword, newAddress())).status, 200);
    assert.match(JSON.stringify((await enforceAs(second)).body), /no one-time codes/);
    const oneTimeCode = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
    const confirmed = await second.call('POST', '/session/mfa/confirmation', { oneTimeCode });
    const [recoveryCode, another] = confirmed.body.recoveryCodes;
    const enforced = await enforceAs(second);
    assert.equal(enforced.status, 200, JSON.stringify(enforced.body));
    assert.equal((await member.call('GET', '/session')).status, 401, 'sessions by password ended');

    const refused = await openBrowser(service.baseUrl).signIn(member.email, testPassword, newAddress());
    assert.equal(refused.status, 401);
    assert.match(refused.body.error.message, /Choose “Sign in with Example ID”/);
    const credentials = { email: admin.email, password: testPassword, oneTimeCode: recoveryCode };
    const broken = await openBrowser(service.baseUrl).call('POST', '/session', credentials, newAddress());
    assert.equal(broken.status, 200, JSON.stringify(broken.body));
    const reported = async () =>
      (await mailsTo(service, admin.email)).some((mail) => mail.includes('past the identity'));
    await eventually('the mail', reported);
    const codesOff = await second.call('DELETE', '/session/mfa', { password: testPassword, oneTimeCode: another });
    assert.match(codesOff.body.error.message, /break-glass administrator/);
    const other = await signInAs(service, { role: 'administrator' }).catch(() => null);
    assert.equal(other, null, 'nobody else signs in with a password');

    const off = await second.call('PUT', '/identity-provider/enforcement', { enforced: false });
    assert.equal(off.body.provider.enforced, false);
    assert.equal((await openBrowser(service.baseUrl).signIn(member.email, testPassword, newAddress())).status, 200);
  });

  test('only administrators configure it, and the secret is never returned', async () => {
    const member = await signInAs(service, { role: 'member' });
    assert.equal((await member.call('PUT', '/identity-provider', given())).status, 403);
    const shown = await member.call('GET', '/identity-provider');
    assert.equal(shown.body.provider.hasClientSecret, true);
    assert.ok(!JSON.stringify(shown.body).includes(provider.clientSecret));
    const tested = await admin.call('POST', '/identity-provider/test');
    assert.equal(tested.body.ok, true, tested.body.message);
    const moved = await admin.call('PUT', '/identity-provider', {
      ...given(),
      clientSecret: undefined,
      issuer: 'https://other.example.com',
    });
    assert.equal(moved.status, 400);
    const inner = await admin.call('PUT', '/identity-provider', { ...given(), issuer: 'http://example.com' });
    assert.equal(inner.status, 400);
  });

  test('a logout token, a refused refresh token and a removed provider end sessions', async () => {
    const first = await signIn();
    const token = await provider.logoutToken({ sub: provider.user!.sub });
    const logout = () =>
      fetch(`${service.baseUrl}/api/auth/back-channel-logout/${service.accountId}`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
    assert.equal((await logout()).status, 200);
    assert.equal((await first.call('GET', '/session')).status, 401);
    assert.equal((await logout()).status, 400);

    const second = await signIn();
    provider.disabled.add(provider.user!.sub);
    await sql`update provider_sessions set check_at = now()`.execute(service.opened.database.system);
    await eventually('the check', async () => (await second.call('GET', '/session')).status === 401);

    provider.disabled.clear();
    const third = await signIn();
    const out = await (await signIn()).call('DELETE', '/session');
    assert.match(out.body.signOutUrl, /\/sign-out\?/);
    assert.equal((await admin.call('DELETE', '/identity-provider')).status, 200);
    assert.equal((await third.call('GET', '/session')).status, 401);
  });

  test('the only account’s provider is found without a name', async () => {
    const find = async (body: object) =>
      (await openBrowser(service.baseUrl).call('POST', '/sign-in-provider', body, newAddress())).body.provider;
    const expected = { organization: service.accountId, name: 'Example ID', enforced: false };
    assert.deepEqual(await find({ organization: service.accountId }), expected);
    assert.deepEqual(await find({}), expected);
    assert.equal(await find({ organization: 'acc_unknown' }), null);
  });
});
