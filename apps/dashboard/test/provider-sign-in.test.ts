import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { testPassword } from '@millrace/extraction/dashboard-testing';
import { type PeerProvider, startPeerProvider } from '@millrace/sign-in/oidc-provider-testing';
import { signInThere } from '@millrace/ui/provider-sign-in-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import { Secret, TOTP } from 'otpauth';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';

suite('sign-in by an identity provider, in the browser', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  let administrator: Awaited<ReturnType<TestDashboard['signIn']>>;
  /** Whose session goes on while the administrator signs in once more. */
  let witness: Awaited<ReturnType<TestDashboard['signIn']>>;
  let provider: PeerProvider;

  before(async () => {
    running = await startTestDashboard(import.meta.filename);
    administrator = await running.signIn();
    witness = await running.signIn();
    const { body } = await witness.call('GET', '/identity-provider');
    provider = await startPeerProvider(body);
    provider.accounts.set('kim', { email: 'kim@peer.example', name: 'Kim Peer', groups: [] });
    provider.accounts.set('root', { email: 'root@peer.example', name: 'Root Peer', groups: [] });
  });
  after(async () => {
    await running?.stop();
    await provider?.stop();
  });

  const stored = async () => (await witness.call('GET', '/identity-provider')).body.provider;

  test('an administrator configures, tests, links, enforces and removes it; somebody signs in by it', async () => {
    const { baseUrl } = running.service;
    const { page, close } = await running.open(administrator);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${baseUrl}/settings/sign-in`);
    await page.getByLabel('Name').fill('Peer ID');
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByLabel('Create users at their first sign-in').check();
    await press('Save');
    await page.getByText('Optional', { exact: true }).waitFor();
    assert.equal((await stored()).issuer, provider.issuer);
    assert.equal((await stored()).createsUsers, true);
    await checkAccessibility(page, 'sign-in settings');
    await press('Test connection');
    await page.getByText('Connected: 1 signing key.').waitFor();
    await press('Link your account');
    await signInThere(page, 'root');
    await page.getByText('Your account is linked.').waitFor();

    const visitor = await running.open();
    await visitor.page.goto(`${baseUrl}/settings/members`);
    await visitor.page.getByRole('button', { name: 'Sign in with Peer ID' }).click();
    await signInThere(visitor.page, 'kim');
    await visitor.page.waitForURL(`${baseUrl}/settings/members`);
    await visitor.page.getByRole('button', { name: 'Account of Kim Peer' }).click();
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await visitor.page.waitForURL(/\/sign-in$/);
    await visitor.close();

    await press('Enforce');
    const dialog = page.getByRole('dialog', { name: 'Enforce Peer ID?' });
    await dialog.getByRole('combobox', { name: 'Break-glass administrator' }).click();
    await page.getByRole('option', { name: witness.email }).click();
    await dialog.getByRole('button', { name: 'Enforce' }).click();
    await dialog.getByText('no one-time codes').waitFor();
    const { body: codes } = await witness.call('POST', '/session/mfa', { password: testPassword });
    const oneTimeCode = new TOTP({ secret: Secret.fromBase32(codes.secret) }).generate();
    await witness.call('POST', '/session/mfa/confirmation', { oneTimeCode });
    await dialog.getByRole('button', { name: 'Enforce' }).click();
    await page.getByText('Enforced', { exact: true }).waitFor();
    assert.deepEqual([(await stored()).enforced, (await stored()).breakGlassUserId], [true, witness.userId]);
    await press('Stop enforcing');
    await page.getByText('Optional', { exact: true }).waitFor();
    assert.equal((await stored()).enforced, false);

    await press('Add domain');
    const addition = page.getByRole('dialog', { name: 'Add domain' });
    await addition.getByLabel('Domain').fill('peer.example');
    await addition.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Show the record of peer.example' }).click();
    const record = page.getByRole('dialog', { name: 'DNS record of peer.example' });
    await record.getByText('_millrace.peer.example').waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    await press('Verify peer.example');
    await page.getByText(/DNS servers didn’t answer|has no TXT record/).waitFor();
    await press('Remove peer.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('peer.example removed.').waitFor();

    await press('Create provisioning token');
    const creation = page.getByRole('dialog', { name: 'Create provisioning token' });
    await creation.getByLabel('Name').fill('Peer ID');
    await creation.getByRole('button', { name: 'Create', exact: true }).click();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    const listUsers = () => fetch(`${baseUrl}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await listUsers()).status, 200);
    await press('Done');
    await checkAccessibility(page, 'provisioning tokens');
    await press('Delete Peer ID');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No provisioning tokens yet.').waitFor();
    assert.equal((await listUsers()).status, 401);

    await press('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    assert.equal(await stored(), null);
    await close();
  });
});
