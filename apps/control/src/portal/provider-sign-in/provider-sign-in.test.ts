import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import {
  misbehaviours,
  startTestProvider,
  type TestProvider,
  wrongLogoutTokens,
} from '@millrace/sign-in/provider-testing';
import { sql } from 'kysely';
import { assertSignInRefused, cookieOf } from '../../identity/provider-sign-in/testing.ts';
import { startTestControl, type TestAnswer, type TestCaller, type TestControl } from '../../testing.ts';
import {
  openTestPortal,
  portalPassword,
  portalTestSettings,
  type TestPortal,
  type TestPortalUser,
  tokenIn,
} from '../testing.ts';

describe('sign-in to the developer portal by an identity provider', () => {
  let control: TestControl;
  let provider: TestProvider;
  let portal: TestPortal;
  let operator: TestCaller;
  let developerId: string;
  let domain: string;

  before(async () => {
    control = await startTestControl(portalTestSettings);
    provider = await startTestProvider();
    portal = await openTestPortal(control, 'approval');
    operator = await control.addUser(portal.organizationId, ['organization_administrator']);
  });
  after(async () => {
    await control?.stop();
    await provider?.stop();
  });
  beforeEach(async () => {
    provider.misbehaviour = {};
    provider.disabled.clear();
    const name = `d${Math.random().toString(36).slice(2, 10)}`;
    domain = `${name}.example`;
    developerId = await portal.addDeveloper();
    provider.user = { sub: `sub-${name}`, email: `kim@${domain}`, email_verified: true, name: 'Kim Provider' };
    await configure();
  });

  const system = () => control.opened.database.system;
  const given = () => ({
    name: 'Example ID',
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    emailDomains: [domain],
  });
  const put = (changes: object = {}, id = developerId) =>
    operator.call('PUT', `/developers/${id}/identity-provider`, { ...given(), ...changes });
  const configure = async (changes: object = {}) => {
    const { status, data } = await put(changes);
    assert.equal(status, 200, JSON.stringify(data));
    return data;
  };
  /** Begins in a browser of its own; returns how to finish there. */
  async function begin(body: object = {}, caller: Pick<TestPortalUser, 'call'> = portal, at = portal) {
    const started = await caller.call('POST', '/portal/provider-sign-ins', { developerId, ...body });
    assert.equal(started.status, 200, JSON.stringify(started.data));
    const cookie = cookieOf(started, 'millrace_portal_sign_in');
    const parameters = await provider.authorize(started.data.url);
    const finish = (sent = parameters, cookies = cookie) =>
      at.call('POST', '/portal/provider-sign-ins/finish', { parameters: sent }, { cookie: cookies });
    return { url: new URL(started.data.url), parameters, cookie, finish };
  }
  const signIn = async (body: object = {}) => (await begin(body)).finish();
  /** Links a portal user in the browser of their session. */
  const link = async (user: TestPortalUser) => {
    const { finish, parameters, cookie } = await begin({ link: true }, user);
    return finish(parameters, `${cookie}; ${user.cookie}`);
  };
  const sessionOf = (answer: TestAnswer) =>
    portal.call('GET', '/portal/session', undefined, { cookie: cookieOf(answer, 'millrace_portal_session') });
  const operations = async () => {
    const { data } = await operator.call('GET', '/audit?pageSize=20');
    return data.entries.map(({ operation }: { operation: string }) => operation);
  };

  test('a new user signs in to the developer account of the provider, with a role and an audit entry', async () => {
    await configure({ role: 'viewer' });
    const { url, finish } = await begin({ next: '/account/apps', email: `kim@${domain}` });
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(url.searchParams.get('redirect_uri'), `${control.baseUrl}/portal/${portal.name}/sign-in/callback`);
    const answer = await finish();
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    assert.equal(answer.data.next, '/account/apps');
    const { user, account } = answer.data.session;
    assert.deepEqual(
      [user.email, user.name, user.role, account.id],
      [`kim@${domain}`, 'Kim Provider', 'viewer', developerId],
    );
    assert.equal((await sessionOf(answer)).data.user.id, user.id);
    const written = await operations();
    assert.ok(
      written.includes('createPortalUserBySignIn') && written.includes('finishPortalProviderSignIn'),
      `${written}`,
    );
    assert.equal((await signIn()).data.session.user.id, user.id);
    assert.equal((await signIn({ next: '//evil.example' })).data.next, '/');
  });

  test('a sign-in is bound to its browser and its portal, and finished once', async () => {
    const { finish, parameters } = await begin();
    const other = await begin();
    assertSignInRefused(await finish(parameters, ''), /didn’t begin in this browser/);
    assertSignInRefused(await finish(parameters, other.cookie), /didn’t begin in this browser/);
    assert.equal((await finish()).status, 200);
    assertSignInRefused(await finish(), /finished already/);
    const elsewhere = await openTestPortal(control);
    assertSignInRefused(await (await begin({}, portal, elsewhere)).finish(), /didn’t begin in this browser/);
    const late = await begin();
    await sql`update provider_sign_ins set expires_at = now() where organization_id = ${portal.organizationId}`.execute(
      system(),
    );
    assertSignInRefused(await late.finish(), /took too long/);
  });

  describe('refuses', () => {
    for (const [name, misbehaviour] of Object.entries(misbehaviours)) {
      test(name, async () => {
        provider.misbehaviour = misbehaviour();
        assertSignInRefused(await signIn(), /./);
        const { data } = await operator.call('GET', `/developers/${developerId}/portal-users`);
        assert.equal(data.total, 0, 'nobody was created');
      });
    }

    test('what the provider itself refuses', async () => {
      provider.user = null;
      assertSignInRefused(await signIn(), /didn’t sign you in/);
      const { data } = await operator.call('GET', '/audit?operation=finishPortalProviderSignIn');
      assert.equal(data.entries[0].outcome, 'denied');
    });
  });

  test('an address alone links nobody; whoever is signed in links their own portal user', async () => {
    const user = await portal.addUser('developer', developerId);
    const [host = ''] = user.email.split('@').slice(1);
    await configure({ emailDomains: [domain, host] });
    provider.user = { ...provider.user!, email: user.email };
    assertSignInRefused(await signIn(), /has an account already/);
    const { finish, parameters, cookie } = await begin({ link: true }, user);
    assertSignInRefused(await finish(parameters, cookie), /signed out meanwhile/);
    assert.deepEqual((await user.call('GET', '/portal/identity-provider')).data, {
      provider: { name: 'Example ID', enforced: false },
      linked: false,
    });
    assert.equal((await link(user)).status, 200);
    assert.equal((await signIn()).data.session.user.id, user.userId);
    assert.ok((await operations()).includes('linkPortalUserBySignIn'));
    const colleague = await portal.addUser('developer', developerId);
    assertSignInRefused(await link(colleague), /Another user is linked/);
    await configure({ emailDomains: [domain] });
    assertSignInRefused(await signIn(), /isn’t one of your company’s/);
  });

  test('a provider speaks for its own developer account alone', async () => {
    const stranger = await portal.addUser('owner');
    const started = await stranger.call('POST', '/portal/provider-sign-ins', { developerId, link: true });
    assert.equal(started.status, 401);
    await signIn();
    const other = await portal.addDeveloper();
    const taken = await put({}, other);
    assert.deepEqual([taken.status, Object.keys(taken.data.errors)], [400, ['emailDomains']]);
    assert.equal((await put({ emailDomains: [`other-${domain}`] }, other)).status, 200);
    provider.user = { ...provider.user!, email: `kim@other-${domain}` };
    // The same user of the same provider, who is linked in the first account.
    assertSignInRefused(await (await begin({ developerId: other })).finish(), /suspended or was removed/);
  });

  test('approval of registrations, other accounts’ addresses and unverified ones still hold', async () => {
    await sql`insert into portal_registrations (id, organization_id, email, name, company, locale, state, confirmed_at,
        terms_accepted_at, expires_at)
      values (${`prg_${domain}`}, ${portal.organizationId}, ${`kim@${domain}`}, 'Kim', 'Example', 'en', 'pending', now(),
        now(), now())`.execute(system());
    assertSignInRefused(await signIn(), /awaits approval/);
    await sql`delete from portal_registrations where id = ${`prg_${domain}`}`.execute(system());
    const other = await portal.addDeveloper(`kim@${domain}`);
    assertSignInRefused(await signIn(), /belongs to another developer account/);
    await sql`delete from developers where id = ${other}`.execute(system());
    provider.user = { ...provider.user!, email_verified: false };
    assertSignInRefused(await signIn(), /hasn’t verified/);
    provider.user = { ...provider.user, email_verified: true };
    await configure({ createsUsers: false });
    assertSignInRefused(await signIn(), /no account here/);
    await configure();
    assert.equal((await signIn()).status, 200);
  });

  test('the role follows from groups, and the last owner keeps theirs', async () => {
    await configure({
      groupsClaim: 'groups',
      groupRoles: [
        { group: 'bosses', role: 'owner' },
        { group: 'money', role: 'billing' },
      ],
    });
    const roleWith = async (groups: readonly string[]) => {
      provider.user = { ...provider.user!, groups };
      return (await signIn()).data.session.user.role;
    };
    assert.equal(await roleWith(['money']), 'billing');
    assert.equal(await roleWith([]), 'developer');
    assert.equal(await roleWith(['bosses', 'money']), 'owner');
    assert.equal(await roleWith(['money']), 'owner', 'the last owner');
    await portal.addUser('owner', developerId);
    assert.equal(await roleWith(['money']), 'billing');
  });

  test('suspended portal users and developer accounts are refused', async () => {
    const { data } = await signIn();
    const path = `/developers/${developerId}`;
    await operator.call('POST', `${path}/portal-users/${data.session.user.id}/suspend`);
    assertSignInRefused(await signIn(), /suspended/);
    await operator.call('POST', `${path}/portal-users/${data.session.user.id}/activate`);
    const { finish } = await begin();
    await operator.call('POST', `${path}/suspend`);
    assert.equal((await finish()).status, 404);
    const { data: found } = await portal.call('POST', '/portal/identity-provider', { email: `a@${domain}` });
    assert.equal(found.provider, null);
  });

  test('the provider is found by a domain or by the account', async () => {
    const find = async (body: object) => (await portal.call('POST', '/portal/identity-provider', body)).data.provider;
    const expected = { developerId, name: 'Example ID', enforced: false };
    assert.deepEqual(await find({ email: `anybody@${domain}` }), expected);
    assert.deepEqual(await find({ developerId }), expected);
    assert.equal(await find({ email: 'anybody@elsewhere.example' }), null);
    const elsewhere = await openTestPortal(control);
    const { data } = await elsewhere.call('POST', '/portal/identity-provider', { developerId });
    assert.equal(data.provider, null);
  });

  test('an enforced provider refuses passwords and invitations, and ends sessions by password', async () => {
    const user = await portal.addUser('owner', developerId);
    const body = { email: user.email, password: portalPassword };
    await configure({ enforced: true });
    assert.equal((await user.call('GET', '/portal/session')).status, 401);
    assertSignInRefused(await portal.call('POST', '/portal/sessions', body), /Choose “Sign in with Example ID”/);
    assert.equal((await signIn()).status, 200);
    const email = `new@${domain}`;
    await operator.call('POST', `/developers/${developerId}/portal-users`, { email, role: 'viewer' });
    const token = tokenIn((await portal.mailsTo(email)).at(-1));
    const accepted = { token, name: 'Noor New', password: 'nine green lanterns', locale: 'en' };
    assertSignInRefused(await portal.call('POST', '/portal/invitations/accept', accepted), /doesn’t allow passwords/);
    await configure({ enforced: false });
    assert.equal((await portal.call('POST', '/portal/sessions', body)).status, 200);
  });

  test('the secret is neither returned nor sent elsewhere, and the test reports what is offered', async () => {
    const path = `/developers/${developerId}/identity-provider`;
    const shown = await operator.call('GET', path);
    assert.equal(shown.data.provider.hasClientSecret, true);
    assert.ok(!JSON.stringify(shown.data).includes(provider.clientSecret));
    const moved = await put({ clientSecret: undefined, issuer: 'https://other.example.com' });
    assert.deepEqual([moved.status, Object.keys(moved.data.errors)], [400, ['clientSecret']]);
    assert.equal((await put({ clientSecret: undefined })).status, 200);
    assert.equal((await put({ issuer: 'http://169.254.169.254' })).status, 400);
    assert.equal((await operator.call('POST', `${path}/test`)).data.problem, null);
    const lesser = await control.addUser(portal.organizationId, ['developer']);
    assert.equal((await lesser.call('PUT', path, given())).status, 403);
  });

  describe('the end of a session', () => {
    const logout = async (token: string) => {
      const { data } = await operator.call('GET', `/developers/${developerId}/identity-provider`);
      return fetch(data.backChannelLogoutUri, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
    };

    test('a logout token ends the user’s sessions at once, and is good for one logout', async () => {
      const [first, second] = [await signIn(), await signIn()];
      const token = await provider.logoutToken({ sub: provider.user!.sub });
      for (const [name, wrong] of Object.entries(await wrongLogoutTokens(provider))) {
        assert.equal((await logout(wrong)).status, 400, name);
      }
      assert.equal((await sessionOf(first)).status, 200);
      assert.equal((await logout(token)).status, 200);
      assert.equal((await sessionOf(first)).status, 401);
      assert.equal((await sessionOf(second)).status, 401);
      assert.equal((await logout(token)).status, 400);
      const nowhere = await fetch(`${control.baseUrl}/api/portal/back-channel-logout/nonsense`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
      assert.equal(nowhere.status, 400);
    });

    test('a user whom the provider disabled loses the session at the next check', async () => {
      const session = await signIn();
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from check_at - now())::float as seconds from portal_provider_sessions
        where organization_id = ${portal.organizationId} order by check_at desc limit 1`.execute(system());
      assert.ok(rows[0]!.seconds <= 45, 'the provider is asked within a minute');
      provider.disabled.add(provider.user!.sub);
      await sql`update portal_provider_sessions set check_at = now()
        where organization_id = ${portal.organizationId}`.execute(system());
      await eventually('the end of the session', async () => (await sessionOf(session)).status === 401);
      assert.ok((await operations()).includes('endSessionByProvider'));
    });

    test('signing out names the provider’s address; removing the provider ends its sessions', async () => {
      const [first, second] = [await signIn(), await signIn()];
      const out = await portal.call('DELETE', '/portal/session', undefined, {
        cookie: cookieOf(first, 'millrace_portal_session'),
      });
      const url = new URL(out.data.signOutUrl);
      assert.equal(`${url.origin}${url.pathname}`, `${provider.issuer}/sign-out`);
      assert.equal(
        url.searchParams.get('post_logout_redirect_uri'),
        `${control.baseUrl}/portal/${portal.name}/sign-in`,
      );
      const { data } = await operator.call('DELETE', `/developers/${developerId}/identity-provider`);
      assert.equal(data.endedSessions, 1);
      assert.equal((await sessionOf(second)).status, 401);
      const { status } = await portal.call('POST', '/portal/provider-sign-ins', { developerId });
      assert.equal(status, 404);
    });
  });
});
