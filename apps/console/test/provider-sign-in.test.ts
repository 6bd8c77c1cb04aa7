import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addUnknownCodes, addVerifiedDomain } from '@millrace/control/provider-sign-in/testing';
import type { TestCaller } from '@millrace/control/testing';
import { type PeerProvider, startPeerProvider } from '@millrace/sign-in/oidc-provider-testing';
import { signInThere } from '@millrace/ui/provider-sign-in-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operatorOf } from './operator.ts';

suite('sign-in by an identity provider, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let operator: Operator;
  /** Somebody whose session goes on while the operator signs in once more. */
  let witness: TestCaller;
  let provider: PeerProvider;
  let domain: string;

  before(async () => {
    running = await startTestConsole(import.meta.filename);
    operator = await operatorOf(running);
    witness = await running.control.addUser(operator.organizationId, ['organization_administrator']);
    domain = `${operator.organizationId.slice(-8)}.example`;
    const settings = await operator.get('/identity-provider');
    provider = await startPeerProvider(settings);
    provider.accounts.set('kim', { email: `kim@${domain}`, name: 'Kim Peer', groups: ['builders'] });
    provider.accounts.set('root', { email: `root@${domain}`, name: 'Root Peer', groups: [] });
    await addVerifiedDomain(running.control, operator.organizationId, domain);
  });
  after(async () => {
    await operator?.close();
    await running?.stop();
    await provider?.stop();
  });

  test('an administrator configures the provider, tests it, and links the own account', async () => {
    const { page } = operator;
    await operator.goto('/settings/sign-in');
    await page.getByLabel('Name').fill('Peer ID');
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByLabel('E-mail domains').fill(domain);
    await page.getByLabel('Create users at their first sign-in').check();
    await page.getByRole('combobox', { name: 'Roles of everybody' }).click();
    await page.getByRole('option', { name: 'Developer' }).click();
    await page.keyboard.press('Escape');
    await operator.press('Save');
    await operator.shown('Optional');
    const { provider: stored } = await operator.get('/identity-provider');
    assert.equal(stored.issuer, provider.issuer);
    assert.deepEqual(stored.emailDomains, [domain]);
    assert.deepEqual(stored.verifiedDomains, [domain]);
    assert.deepEqual(stored.defaultRoleIds, ['developer']);
    assert.equal(stored.hasClientSecret, true);
    await checkAccessibility(page, 'sign-in settings');

    await operator.press('Test connection');
    await operator.shown('Connected: 1 signing key.');

    await operator.press('Link your account');
    await signInThere(page, 'root');
    await operator.shown('Your account is linked.');
    const session = await page.evaluate<string>(`fetch('/api/auth/session').then((answer) => answer.text())`);
    assert.match(session, new RegExp(operator.caller.userId));
  });

  test('somebody signs in by the domain of their address, and out there as well', async () => {
    const { page, close } = await running.open();
    await page.goto(`${running.control.baseUrl}/account`);
    await page.getByLabel('E-mail address').fill(`kim@${domain}`);
    await page.getByRole('button', { name: 'Sign in with Peer ID' }).waitFor();
    await checkAccessibility(page, 'sign-in with a provider');
    await page.getByRole('button', { name: 'Sign in with Peer ID' }).click();
    await signInThere(page, 'kim');
    await page.waitForURL(`${running.control.baseUrl}/account`);
    await page.getByRole('button', { name: 'Account of Kim Peer' }).click();
    const { data } = await witness.call('GET', `/users?search=${encodeURIComponent(`kim@${domain}`)}`);
    assert.deepEqual(
      data.users[0].roles.map(({ id }: { id: string }) => id),
      ['developer'],
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await close();
  });

  test('the organization is named where no address leads to it; what the provider refuses is shown', async () => {
    const { page, close } = await running.open();
    await page.goto(`${running.control.baseUrl}/sign-in`);
    await page.getByRole('button', { name: 'Use your organization’s identity provider' }).click();
    await page.getByLabel('Name of the organization').fill('nobody-has-this-name');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This organization has no identity provider.').waitFor();
    const { data } = await witness.call('GET', '/auth/session');
    await page.getByLabel('Name of the organization').fill(data.organization.name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: '[ Cancel ]' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign-in failed' }).waitFor();
    await page.getByRole('alert').getByText('didn’t sign you in').waitFor();
    await checkAccessibility(page, 'refused sign-in by a provider');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await close();
  });

  test('the provider of a developer’s company is configured for the portal, tested and removed', async () => {
    const other = await operatorOf(running);
    const body = { name: 'Books', email: `books@${domain}`, company: 'Books' };
    const developer = (await other.caller.call('POST', '/developers', body)).data;
    const stored = async () => (await other.get(`/developers/${developer.id}/identity-provider`)).provider;
    await other.goto(`/developers/${developer.id}`);
    await other.page.getByRole('link', { name: 'Sign-in', exact: true }).click();
    await other.page.getByLabel('Name').fill('Books ID');
    await other.page.getByLabel('Issuer').fill(provider.issuer);
    await other.page.getByLabel('Client ID').fill(provider.clientId);
    await other.page.getByLabel('Client secret').fill(provider.clientSecret);
    await other.page.getByLabel('E-mail domains').fill('books.example');
    await other.press('Save');
    await other.button('Test connection').waitFor();
    const { issuer, emailDomains, role, createsUsers, enforced, hasClientSecret } = await stored();
    assert.deepEqual(
      [issuer, emailDomains, role, createsUsers, enforced, hasClientSecret],
      [provider.issuer, ['books.example'], 'developer', true, false, true],
    );
    await checkAccessibility(other.page, 'sign-in of a developer');
    await other.press('Test connection');
    await other.shown('Connected: 1 signing key.');
    await other.press('Remove');
    await other.confirm('Remove Books ID?', 'Remove');
    await other.button('Test connection').waitFor({ state: 'detached' });
    assert.equal(await stored(), null);
    assert.deepEqual(other.problems, []);
    await other.close();
  });

  test('a provisioning token is created, shown once, and deleted', async () => {
    const other = await operatorOf(running);
    await other.goto('/settings/sign-in');
    await other.press('Create provisioning token');
    const dialog = other.dialog('Create provisioning token');
    await dialog.getByLabel('Name').fill('Peer ID');
    await other.button('Create', dialog).click();
    const secret = (await other.page.locator('[data-secret]').textContent()) ?? '';
    const listUsers = () =>
      fetch(`${running.control.baseUrl}/scim/v2/Users`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await listUsers()).status, 200);
    await other.press('Done');
    await other.page.getByRole('cell', { name: 'Peer ID', exact: true }).waitFor();
    await other.press('Delete Peer ID');
    await other.confirm('Delete Peer ID?', 'Delete');
    await other.shown('No provisioning tokens yet.');
    assert.equal((await listUsers()).status, 401);
    assert.deepEqual(other.problems, []);
    await other.close();
  });

  test('sign-in by the provider is enforced with a break-glass administrator, ended and removed', async () => {
    const { page } = operator;
    await addUnknownCodes(running.control, witness.userId);
    const { name } = (await witness.call('GET', '/auth/session')).data.user;
    await operator.goto('/settings/sign-in');
    await operator.press('Enforce');
    const dialog = operator.dialog('Enforce Peer ID?');
    await dialog.getByRole('combobox', { name: 'Break-glass administrator' }).click();
    await page.getByRole('option', { name: new RegExp(name) }).click();
    await operator.button('Enforce', dialog).click();
    await operator.shown('Enforced');
    const stored = async () => (await witness.call('GET', '/identity-provider')).data.provider;
    assert.equal((await stored()).breakGlassUserId, witness.userId);
    await operator.press('Stop enforcing');
    await operator.shown('Optional');
    assert.equal((await stored()).enforced, false);
    await operator.press('Remove');
    await operator.confirm('Remove Peer ID?', 'Remove');
    assert.equal(await stored(), null);
  });
});
