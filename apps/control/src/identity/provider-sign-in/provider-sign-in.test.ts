import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { hashPassword } from '@millrace/sign-in/passwords';
import {
  misbehaviours,
  startTestProvider,
  type TestProvider,
  wrongLogoutTokens,
} from '@millrace/sign-in/provider-testing';
import { newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { startTestControl, type TestAnswer, type TestCaller, type TestControl } from '../../testing.ts';
import { addVerifiedDomain, assertSignInRefused, cookieOf } from './testing.ts';

describe('sign-in by an identity provider', () => {
  let control: TestControl;
  let provider: TestProvider;
  let organizationId: string;
  let organization: string;
  let admin: TestCaller;
  let domain: string;

  before(async () => {
    control = await startTestControl();
    provider = await startTestProvider();
  });
  after(async () => {
    await control?.stop();
    await provider?.stop();
  });
  beforeEach(async () => {
    provider.misbehaviour = {};
    provider.disabled.clear();
    domain = `d${Math.random().toString(36).slice(2, 10)}.example`;
    organization = `acme-${domain.slice(0, 9)}`;
    organizationId = await control.addOrganization(organization);
    admin = await control.addUser(organizationId, ['organization_administrator']);
    provider.user = { sub: `sub-${domain}`, email: `kim@${domain}`, email_verified: true, name: 'Kim Provider' };
    await configure();
  });

  const given = () => ({
    name: 'Example ID',
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    createsUsers: true,
    defaultRoleIds: ['developer'],
  });
  const configure = async (changes: object = {}) => {
    const { status, data } = await admin.call('PUT', '/identity-provider', { ...given(), ...changes });
    assert.equal(status, 200, JSON.stringify(data));
    return data;
  };
  /** Begins in a browser of its own; returns how to finish there. */
  async function begin(body: object = {}, caller: { call: TestCaller['call'] } = control) {
    const started = await caller.call('POST', '/auth/provider-sign-ins', { organization, ...body });
    assert.equal(started.status, 200, JSON.stringify(started.data));
    const cookie = cookieOf(started, 'millrace_sign_in');
    const parameters = await provider.authorize(started.data.url);
    const finish = (sent = parameters, cookies = cookie) =>
      control.call('POST', '/auth/provider-sign-ins/finish', { parameters: sent }, { cookie: cookies });
    return { url: new URL(started.data.url), parameters, cookie, finish };
  }
  const signIn = async (body: object = {}) => (await begin(body)).finish();
  const sessionOf = (answer: TestAnswer) =>
    control.call('GET', '/auth/session', undefined, { cookie: cookieOf(answer, 'millrace_session') });

  test('a browser signs in by code with PKCE, and the session opens the page that was asked for', async () => {
    const { url, finish } = await begin({ next: '/proxies?search=a', email: `kim@${domain}` });
    const query = url.searchParams;
    assert.equal(query.get('response_type'), 'code');
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.equal(query.get('redirect_uri'), `${control.baseUrl}/sign-in/callback`);
    assert.equal(query.get('login_hint'), `kim@${domain}`);
    const answer = await finish();
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    assert.equal(answer.data.next, '/proxies?search=a');
    assert.equal(answer.data.session.user.email, `kim@${domain}`);
    assert.deepEqual(answer.data.session.roles, [{ id: 'developer', name: 'Developer' }]);
    assert.equal((await sessionOf(answer)).data.user.name, 'Kim Provider');
    const again = await signIn();
    assert.equal(again.data.session.user.id, answer.data.session.user.id);
  });

  test('a return path elsewhere becomes the first page', async () => {
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
    ]) {
      assert.equal((await signIn({ next })).data.next, '/', next);
    }
  });

  test('a code and a state are taken once', async () => {
    const { finish } = await begin();
    assert.equal((await finish()).status, 200);
    assertSignInRefused(await finish(), /finished already/);
  });

  test('a code is worth nothing in another sign-in', async () => {
    const first = await begin();
    const second = await begin();
    const code = new URLSearchParams(first.parameters).get('code')!;
    const mixed = new URLSearchParams(second.parameters);
    mixed.set('code', code);
    assertSignInRefused(await second.finish(mixed.toString()), /refused: invalid_grant/);
  });

  test('a sign-in is bound to the browser that began it', async () => {
    const { finish, parameters } = await begin();
    const other = await begin();
    assertSignInRefused(await finish(parameters, ''), /didn’t begin in this browser/);
    assertSignInRefused(await finish(parameters, other.cookie), /didn’t begin in this browser/);
    assert.equal((await finish()).status, 200);
  });

  test('a sign-in that took too long is refused', async () => {
    const { finish } = await begin();
    await sql`update provider_sign_ins set expires_at = now() where organization_id = ${organizationId}`.execute(
      control.opened.database.system,
    );
    assertSignInRefused(await finish(), /took too long/);
  });

  describe('refuses', () => {
    for (const [name, misbehaviour] of Object.entries(misbehaviours)) {
      test(name, async () => {
        provider.misbehaviour = misbehaviour();
        const answer = await signIn();
        assertSignInRefused(answer, /./);
        const { count } = (
          await sql<{
            count: number;
          }>`select count(*)::int as count from users where organization_id = ${organizationId}`.execute(
            control.opened.database.system,
          )
        ).rows[0]!;
        assert.equal(count, 1, 'nobody was created');
      });
    }

    test('what the provider itself refuses', async () => {
      provider.user = null;
      assertSignInRefused(await signIn(), /didn’t sign you in/);
      const { data } = await admin.call('GET', '/audit?operation=finishProviderSignIn');
      assert.equal(data.entries[0].outcome, 'denied');
    });
  });

  test('an issuer at an inner address is refused where the settings don’t allow it', async () => {
    const { status, data } = await admin.call('PUT', '/identity-provider', {
      ...given(),
      issuer: 'http://169.254.169.254',
    });
    assert.equal(status, 400);
    assert.ok(data.errors.issuer);
  });

  test('metadata that names another issuer, or inner addresses, is refused', async () => {
    provider.misbehaviour = { metadata: { issuer: 'http://127.0.0.1:1' } };
    await configure({ clientId: 'another' });
    const test1 = await admin.call('POST', '/identity-provider/test');
    assert.match(test1.data.problem, /names itself|not valid/);
    provider.misbehaviour = { metadata: { jwks_uri: 'http://169.254.169.254/keys' } };
    const test2 = await admin.call('POST', '/identity-provider/test');
    assert.notEqual(test2.data.problem, null);
  });

  test('the connection test reports what the provider offers', async () => {
    const { data } = await admin.call('POST', '/identity-provider/test');
    assert.deepEqual(data, {
      problem: null,
      authorizationEndpoint: `${provider.issuer}/authorize`,
      keys: 1,
      refreshTokens: true,
      backChannelLogout: true,
      frontChannelSignOut: true,
    });
  });

  test('the client secret is neither returned nor stored readably, and is not sent elsewhere', async () => {
    const shown = await admin.call('GET', '/identity-provider');
    assert.equal(shown.data.provider.hasClientSecret, true);
    assert.ok(!JSON.stringify(shown.data).includes(provider.clientSecret));
    const { clientSecret: _, ...without } = given();
    assert.equal((await admin.call('PUT', '/identity-provider', without)).status, 200);
    assert.equal((await signIn()).status, 200);
    const moved = await admin.call('PUT', '/identity-provider', { ...without, issuer: 'https://other.example.com' });
    assert.equal(moved.status, 400);
    assert.ok(moved.data.errors.clientSecret);
  });

  describe('who it is', () => {
    const addUser = async (email: string, roles: readonly ['developer' | 'super_admin'] = ['developer']) => {
      const user = await control.addUser(organizationId, roles);
      await sql`update users set email = ${email} where id = ${user.userId}`.execute(control.opened.database.system);
      return user;
    };

    test('a user with the address is linked where the organization has verified its domain', async () => {
      await configure({ emailDomains: [domain] });
      await addVerifiedDomain(control, organizationId, domain);
      const user = await addUser(`kim@${domain}`);
      assert.equal((await signIn()).data.session.user.id, user.userId);
    });

    test('an address alone links nobody', async () => {
      await addUser(`kim@${domain}`);
      await configure({ emailDomains: [domain] });
      assertSignInRefused(await signIn(), /has an account already/);
      await addVerifiedDomain(control, organizationId, domain);
      provider.user = { ...provider.user!, email_verified: false };
      assertSignInRefused(await signIn(), /has an account already/);
    });

    test('a Super Admin is linked by nobody else', async () => {
      await configure({ emailDomains: [domain] });
      await addVerifiedDomain(control, organizationId, domain);
      await addUser(`kim@${domain}`, ['super_admin']);
      assertSignInRefused(await signIn(), /has an account already/);
    });

    test('a signed-in user links their own account', async () => {
      const user = await addUser(`someone@${domain}`);
      const { finish, cookie, parameters } = await begin({ link: true }, user);
      assertSignInRefused(await finish(parameters, cookie), /signed out meanwhile/);
      const second = await begin({ link: true }, user);
      const own = `${second.cookie}; millrace_session=${user.sessionToken}`;
      assert.equal((await second.finish(second.parameters, own)).status, 200);
      assert.equal((await signIn()).data.session.user.id, user.userId);
      const other = await addUser(`other@${domain}`);
      const third = await begin({ link: true }, other);
      const cookies = `${third.cookie}; millrace_session=${other.sessionToken}`;
      assertSignInRefused(await third.finish(third.parameters, cookies), /Another user here is linked/);
    });

    test('somebody unknown is refused where the provider creates nobody', async () => {
      await configure({ createsUsers: false });
      assertSignInRefused(await signIn(), /no account here/);
    });

    test('an address of another domain, or that nobody verified, is refused', async () => {
      await configure({ emailDomains: ['elsewhere.example'] });
      assertSignInRefused(await signIn(), new RegExp(`Addresses at ${domain} can’t sign in`));
      await configure({ emailDomains: [] });
      provider.user = { ...provider.user!, email_verified: false };
      assertSignInRefused(await signIn(), /Nobody has verified/);
    });

    test('an address of a user of another organization is refused', async () => {
      const elsewhere = await control.addUser(await control.addOrganization(), ['developer']);
      await sql`update users set email = ${`kim@${domain}`} where id = ${elsewhere.userId}`.execute(
        control.opened.database.system,
      );
      assertSignInRefused(await signIn(), /has an account already/);
    });

    test('roles follow from groups at each sign-in, and the last administrator keeps theirs', async () => {
      await configure({
        groupsClaim: 'groups',
        defaultRoleIds: [],
        groupRoles: [
          { group: 'builders', roleIds: ['developer'] },
          { group: 'checkers', roleIds: ['auditor'] },
        ],
      });
      provider.user = { ...provider.user!, groups: ['strangers'] };
      assertSignInRefused(await signIn(), /None of your groups/);
      provider.user = { ...provider.user, groups: ['builders', 'checkers'] };
      const rolesOf = ({ data }: TestAnswer) => data.session.roles.map(({ id }: { id: string }) => id);
      assert.deepEqual(rolesOf(await signIn()), ['auditor', 'developer']);
      provider.user = { ...provider.user, groups: ['checkers'] };
      const signedIn = await signIn();
      assert.deepEqual(rolesOf(signedIn), ['auditor']);
      await sql`update user_roles set role_id = 'organization_administrator' where user_id = ${signedIn.data.session.user.id}`.execute(
        control.opened.database.system,
      );
      await sql`update users set state = 'suspended' where id = ${admin.userId}`.execute(
        control.opened.database.system,
      );
      assert.deepEqual(rolesOf(await signIn()), ['auditor', 'organization_administrator']);
    });

    test('a suspended user is refused', async () => {
      const { data } = await signIn();
      await admin.call('POST', `/users/${data.session.user.id}/suspend`);
      assertSignInRefused(await signIn(), /suspended/);
    });
  });

  test('the provider is found by a verified domain or by the organization’s name', async () => {
    const find = async (body: object) => (await control.call('POST', '/auth/identity-provider', body)).data.provider;
    const expected = { organization, name: 'Example ID', enforced: false };
    assert.deepEqual(await find({ organization }), expected);
    await configure({ emailDomains: [domain] });
    assert.equal(await find({ email: `anybody@${domain}` }), null);
    await addVerifiedDomain(control, organizationId, domain);
    assert.deepEqual(await find({ email: `anybody@${domain}` }), expected);
    assert.equal(await find({ email: 'anybody@elsewhere.example' }), null);
  });

  test('nobody maps a group to Super Admin, and only a full administrator decides who signs in', async () => {
    const mapped = await admin.call('PUT', '/identity-provider', { ...given(), defaultRoleIds: ['super_admin'] });
    assert.equal(mapped.status, 400);
    const role = await admin.call('POST', '/roles', { name: 'Identity', permissions: ['identity-provider.write'] });
    const lesser = await control.addUser(organizationId, [role.data.id]);
    const { status, data } = await lesser.call('PUT', '/identity-provider', given());
    assert.equal(status, 403, JSON.stringify(data));
  });

  describe('enforcement', () => {
    const password = 'seven copper lanterns';
    const addPassword = async (userId: string, email: string) => {
      await sql`update users set email = ${email}, password_hash = ${await hashPassword(password)} where id = ${userId}`.execute(
        control.opened.database.system,
      );
    };
    const withCodes = async (caller: TestCaller): Promise<readonly string[]> => {
      const { data } = await caller.call('POST', '/auth/mfa', { password });
      const oneTimeCode = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate();
      return (await caller.call('POST', '/auth/mfa/confirm', { oneTimeCode })).data.recoveryCodes;
    };

    test('needs a caller who signed in by the provider, and a break-glass administrator with codes', async () => {
      const enforce = (breakGlassUserId: string | null) =>
        admin.call('PUT', '/identity-provider/enforcement', { enforced: true, breakGlassUserId });
      assert.match((await enforce(admin.userId)).data.message, /Sign in with Example ID once/);
      const { finish, parameters, cookie } = await begin({ link: true }, admin);
      assert.equal((await finish(parameters, `${cookie}; millrace_session=${admin.sessionToken}`)).status, 200);
      admin = await again(admin);
      assert.ok((await enforce(null)).data.errors.breakGlassUserId);
      assert.match((await enforce(admin.userId)).data.message, /no password/);
      await addPassword(admin.userId, `root@${domain}`);
      assert.match((await enforce(admin.userId)).data.message, /no one-time codes/);
    });

    /** The same user in another session. */
    async function again(caller: TestCaller): Promise<TestCaller> {
      const { secret, hash } = newSecret();
      await sql`insert into sessions (id, organization_id, user_id, token_hash, ip, user_agent, absolute_expires_at)
        values (${newId('ses')}, ${organizationId}, ${caller.userId}, ${hash}, '127.0.0.1', 'test', now() + interval '1 hour')`.execute(
        control.opened.database.system,
      );
      return {
        ...caller,
        sessionToken: secret,
        call: (method, path, body, headers = {}) =>
          control.call(method, path, body, { cookie: `millrace_session=${secret}`, ...headers }),
      };
    }

    test('refuses passwords, but for the break-glass administrator, which is reported', async () => {
      const member = await control.addUser(organizationId, ['developer']);
      await addPassword(member.userId, `member@${domain}`);
      await addPassword(admin.userId, `root@${domain}`);
      const { finish, parameters, cookie } = await begin({ link: true }, admin);
      assert.equal((await finish(parameters, `${cookie}; millrace_session=${admin.sessionToken}`)).status, 200);
      admin = await again(admin);
      const [recoveryCode = '', other = ''] = await withCodes(admin);
      const enforced = await admin.call('PUT', '/identity-provider/enforcement', {
        enforced: true,
        breakGlassUserId: admin.userId,
      });
      assert.equal(enforced.status, 200, JSON.stringify(enforced.data));
      assert.equal((await member.call('GET', '/auth/session')).status, 401, 'sessions by password ended');

      const login = (email: string, code?: string) =>
        control.call('POST', '/auth/login', { email, password, ...(code === undefined ? {} : { oneTimeCode: code }) });
      assertSignInRefused(await login(`member@${domain}`), /doesn’t allow passwords. Choose “Sign in with Example ID”/);
      assert.equal((await login(`root@${domain}`)).status, 401);
      assert.equal((await login(`root@${domain}`, recoveryCode)).status, 200);
      const { data } = await admin.call('GET', '/audit?operation=breakGlassSignIn');
      assert.deepEqual(
        data.entries.map(({ severity }: { severity: string }) => severity),
        ['high'],
      );
      const notices = await admin.call('GET', '/notifications');
      assert.match(JSON.stringify(notices.data), /past the identity provider/);

      const suspend = await (await control.addUser(organizationId, ['organization_administrator'])).call(
        'POST',
        `/users/${admin.userId}/suspend`,
      );
      assert.match(suspend.data.message, /break-glass administrator can’t be suspended/);
      const off = await admin.call('DELETE', '/auth/mfa', { password, oneTimeCode: other });
      assert.match(off.data.message, /break-glass administrator can’t be without/);
      assert.equal((await admin.call('PUT', '/identity-provider/enforcement', { enforced: false })).status, 200);
      assert.equal((await login(`member@${domain}`)).status, 200);
    });
  });

  describe('the end of a session', () => {
    const logout = (token: string) =>
      fetch(`${control.baseUrl}/api/auth/back-channel-logout/${organizationId}`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });

    test('a logout token ends the user’s sessions at once, and is good for one logout', async () => {
      const [first, second] = [await signIn(), await signIn()];
      const token = await provider.logoutToken({ sub: provider.user!.sub });
      assert.equal((await logout(token)).status, 200);
      assert.equal((await sessionOf(first)).status, 401);
      assert.equal((await sessionOf(second)).status, 401);
      const third = await signIn();
      assert.equal((await logout(token)).status, 400);
      assert.equal((await sessionOf(third)).status, 200);
    });

    test('a logout token that isn’t one is refused', async () => {
      const session = await signIn();
      const tokens = Object.entries(await wrongLogoutTokens(provider));
      for (const [name, token] of tokens) assert.equal((await logout(token)).status, 400, name);
      assert.equal((await sessionOf(session)).status, 200);
    });

    test('a user whom the provider disabled loses the session at the next check', async () => {
      const session = await signIn();
      const due = () =>
        sql`update provider_sessions set check_at = now() where organization_id = ${organizationId}`.execute(
          control.opened.database.system,
        );
      const checked = async () => {
        await due();
        await eventually('the check', async () => {
          const { rows } = await sql`select from provider_sessions where organization_id = ${organizationId}
            and check_at < now() + interval '35 seconds'`.execute(control.opened.database.system);
          return rows.length === 0;
        });
      };
      await checked();
      assert.equal((await sessionOf(session)).status, 200);
      provider.disabled.add(provider.user!.sub);
      await checked();
      assert.equal((await sessionOf(session)).status, 401);
    });

    test('without a refresh token, a session lasts an hour', async () => {
      provider.misbehaviour = { withoutRefreshToken: true };
      const { data } = await signIn();
      const leftMs = new Date(data.session.expiresAt).getTime() - Date.now();
      assert.ok(leftMs > 3_500_000 && leftMs <= 3_600_000, `${leftMs}`);
    });

    test('signing out names the address to sign out at the provider', async () => {
      const answer = await signIn();
      const out = await control.call('POST', '/auth/logout', undefined, {
        cookie: cookieOf(answer, 'millrace_session'),
      });
      const url = new URL(out.data.signOutUrl);
      assert.equal(`${url.origin}${url.pathname}`, `${provider.issuer}/sign-out`);
      assert.ok(url.searchParams.get('id_token_hint'));
      assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${control.baseUrl}/sign-in`);
      assert.equal((await sessionOf(answer)).status, 401);
      assert.equal((await admin.call('POST', '/auth/logout')).data.signOutUrl, null);
    });

    test('removing the provider ends the sessions that began there', async () => {
      const session = await signIn();
      const { data } = await admin.call('DELETE', '/identity-provider');
      assert.equal(data.endedSessions, 1);
      assert.equal((await sessionOf(session)).status, 401);
    });
  });
});
