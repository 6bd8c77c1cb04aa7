import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { portalPassword } from '@millrace/control/portal/users/testing';
import { type PeerProvider, startPeerProvider } from '@millrace/sign-in/oidc-provider-testing';
import { signInThere } from '@millrace/ui/provider-sign-in-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { type RunningPortal, startPortal } from './portal.ts';

suite('sign-in by a company’s identity provider, in the browser', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let provider: PeerProvider;
  let developerId: string;
  const path = () => `/developers/${developerId}/identity-provider`;

  before(async () => {
    running = await startPortal(import.meta.filename);
    developerId = await running.addDeveloper();
    provider = await startPeerProvider((await running.administrator.call('GET', path())).data);
    for (const [name, domain] of [
      ['kim', 'peer.example'],
      ['robin', 'peer.example'],
      ['stranger', 'elsewhere.example'],
    ] as const) {
      provider.accounts.set(name, { email: `${name}@${domain}`, name: `${name} Peer`, groups: [] });
    }
    const { issuer, clientId, clientSecret } = provider;
    const body = { name: 'Peer ID', issuer, clientId, clientSecret, emailDomains: ['peer.example'] };
    const { status, data } = await running.administrator.call('PUT', path(), body);
    assert.equal(status, 200, JSON.stringify(data));
  });
  after(async () => {
    await running?.stop();
    await provider?.stop();
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const byPeer = (page: Page) => page.getByRole('button', { name: 'Sign in with Peer ID' });
  /** Without what the provider’s own pages request. */
  const ownProblems = (problems: readonly string[]) =>
    problems.filter(
      (problem) => !/fonts\.googleapis|ERR_NAME_NOT_RESOLVED/.test(problem) && !problem.includes(provider.issuer),
    );
  const users = async () => (await running.administrator.call('GET', `/developers/${developerId}/portal-users`)).data;

  test('somebody new signs in by the domain of their address, and out there as well', async () => {
    const { page, problems, close } = await running.open();
    await page.goto(`${running.baseUrl}/account/apps`);
    await heading(page, 'Sign in');
    assert.equal(await byPeer(page).count(), 0);
    await page.getByLabel('E-mail address').fill('kim@peer.example');
    await byPeer(page).waitFor();
    await checkAccessibility(page, 'sign-in with a provider');
    await byPeer(page).click();
    await signInThere(page, 'kim');
    await heading(page, 'Apps');
    assert.match(page.url(), /\/account\/apps$/);
    const { users: created } = await users();
    assert.deepEqual(
      created.map(({ email, role }: { email: string; role: string }) => [email, role]),
      [['kim@peer.example', 'developer']],
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(/\/sign-in$/);
    await heading(page, 'Sign in');
    assert.deepEqual(ownProblems(problems), []);
    await close();
  });

  test('registration offers the company’s provider, in German too; what it refuses is shown', async () => {
    const { page, close } = await running.open();
    await page.goto(`${running.baseUrl}/register?lang=de`);
    await page.getByLabel('E-Mail-Adresse').fill('stranger@peer.example');
    await page.getByRole('button', { name: 'Mit Peer ID anmelden' }).click();
    await signInThere(page, 'stranger');
    await heading(page, 'Anmeldung fehlgeschlagen');
    await page.getByRole('alert').getByText('gehört nicht zu Ihrer Firma').waitFor();
    await checkAccessibility(page, 'refused sign-in by a provider');
    await page.context().clearCookies();
    await close();
  });

  test('a portal user links the own account, and then signs in by the company’s sign-in page', async () => {
    const user = await running.portal.addUser('owner', developerId);
    const { page, problems, close } = await running.open(user);
    await page.goto(`${running.baseUrl}/account/security`);
    await page.getByText('Link your account to sign in with Peer ID.').waitFor();
    await page.getByRole('button', { name: 'Link your account' }).click();
    await signInThere(page, 'robin');
    await page.getByText('Peer ID signs you in.').waitFor();
    assert.deepEqual(ownProblems(problems), []);
    await close();

    const { provider: stored, signInUrl } = (await running.administrator.call('GET', path())).data;
    const { hasClientSecret: _, version: _version, createdAt: _created, updatedAt: _updated, ...values } = stored;
    const enforced = await running.administrator.call('PUT', path(), { ...values, enforced: true });
    assert.equal(enforced.status, 200, JSON.stringify(enforced.data));
    const next = await running.open();
    await next.page.goto(signInUrl);
    await next.page.getByLabel('E-mail address').fill(user.email);
    await next.page.getByLabel('Password', { exact: true }).fill(portalPassword);
    await next.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await next.page.getByText('doesn’t allow passwords here').waitFor();
    await byPeer(next.page).click();
    await signInThere(next.page, 'robin');
    await heading(next.page, 'Welcome, Robin Doe');
    await next.page.goto(`${running.baseUrl}/account/security`);
    await next.page.getByText('Your company doesn’t allow passwords here.').waitFor();
    await next.close();
  });

  test('a logout that the provider reports signs out of the portal at once', async () => {
    const { page, close } = await running.open();
    await page.goto(`${running.baseUrl}/sign-in?organization=${developerId}`);
    await byPeer(page).click();
    await signInThere(page, 'kim');
    await heading(page, 'Welcome, kim Peer');
    // Ends the session there, in this browser, which reports it to the portal’s server.
    await page.goto(`${provider.issuer}/session/end`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { name: 'Sign-out Success' }).waitFor();
    await page.goto(`${running.baseUrl}/account`);
    await heading(page, 'Sign in');
    await close();
  });
});
