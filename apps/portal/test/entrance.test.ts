import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { portalPassword } from '@millrace/control/portal/users/testing';
import { linkOfMail } from '@millrace/mail/testing';
import { oneTimeCode } from '@millrace/ui/entrance-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { type RunningPortal, startPortal } from './portal.ts';

const password = 'seven copper lanterns';

suite('the entrance of the portal', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  before(async () => {
    running = await startPortal(import.meta.filename);
  });
  after(() => running?.stop());

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  async function signIn(page: Page, email: string, secret: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function register(page: Page, email: string): Promise<void> {
    await page.goto(`${running.baseUrl}/register`);
    await page.getByLabel('Your name').fill('Kim New');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Register' }).click();
    await heading(page, 'Check your e-mail');
  }

  const setRegistration = async (registration: 'open' | 'approval' | 'closed') => {
    const { status } = await running.administrator.call('PATCH', '/portal-settings', { registration });
    assert.equal(status, 200);
  };

  test('signing in opens the page that was asked for, and signing out the first page', async () => {
    const user = await running.portal.addUser('owner');
    await using window = await running.open();
    const { page, problems } = window;
    await page.goto(`${running.baseUrl}/account/apps?sort=name`);
    await heading(page, 'Sign in');
    await checkAccessibility(page, 'sign-in');
    await signIn(page, user.email, 'a wrong password');
    await page.getByRole('alert').waitFor();
    await signIn(page, user.email, portalPassword);
    await heading(page, 'Apps');
    assert.match(page.url(), /\/account\/apps\?sort=name$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${running.baseUrl}/`);
    await page.goto(`${running.baseUrl}/account`);
    await heading(page, 'Sign in');
    await page.goto(`${running.baseUrl}/sign-in?next=${encodeURIComponent('//evil.example')}`);
    await signIn(page, user.email, portalPassword);
    await heading(page, 'Welcome, Robin Doe');
    assert.deepEqual(problems, []);
  });

  test('what is wrong with a registration is shown at its field', async () => {
    await using window = await running.open();
    const { page } = window;
    await page.goto(`${running.baseUrl}/register`);
    await page.getByLabel('Your name').fill('Kim New');
    await page.getByLabel('E-mail address').fill('kim.wrong@example.com');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Choose at least 12 characters.').waitFor();
    await page.getByText('Accept the terms to register.').waitFor();
    await checkAccessibility(page, 'registration');
  });

  test('the entrance speaks German, the server’s sentences too', async () => {
    await using window = await running.open();
    const { page } = window;
    await page.goto(`${running.baseUrl}/sign-in?lang=de`);
    await heading(page, 'Anmelden');
    await page.getByLabel('E-Mail-Adresse').fill('nobody@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('E-Mail-Adresse, Passwort oder Einmalcode ist falsch.').waitFor();
    await page.context().clearCookies();
  });

  test('another browser confirms a registration with the password', async () => {
    const email = 'kim.elsewhere@example.com';
    await using window = await running.open();
    const { page } = window;
    await register(page, email);
    await using other = await running.open();
    await other.page.goto(await linkOfMail(running.mailFolder, email, 'confirm'));
    await other.page.getByLabel('Password', { exact: true }).fill('not the password');
    await other.page.getByRole('button', { name: 'Confirm' }).click();
    await other.page.locator('[aria-invalid="true"]').waitFor();
    await checkAccessibility(other.page, 'confirmation elsewhere');
    await other.page.getByLabel('Password', { exact: true }).fill(password);
    await other.page.getByRole('button', { name: 'Confirm' }).click();
    await heading(other.page, 'Get an API key');
    await page.goto(`${running.baseUrl}/confirm?token=${'x'.repeat(43)}`);
    await heading(page, 'This link doesn’t work');
    await checkAccessibility(page, 'failed confirmation');
  });

  test('registration says whether accounts need approval, or that it is closed', async () => {
    const email = 'kim.waiting@example.com';
    await setRegistration('approval');
    await using window = await running.open();
    const { page } = window;
    await page.goto(`${running.baseUrl}/register`);
    await page.getByText('approves new accounts').waitFor();
    await register(page, email);
    await page.goto(await linkOfMail(running.mailFolder, email, 'confirm'));
    await heading(page, 'Waiting for approval');
    await setRegistration('closed');
    await page.goto(`${running.baseUrl}/register`);
    await page.getByText('doesn’t accept new registrations').waitFor();
    await page.locator('#root').getByRole('link', { name: 'Sign in' }).click();
    await heading(page, 'Sign in');
    assert.equal(await page.getByRole('link', { name: 'Register' }).count(), 0);
    await setRegistration('open');
  });

  test('the link of an e-mail resets a forgotten password', async () => {
    const { email } = await running.portal.addUser('viewer');
    await using window = await running.open();
    const { page } = window;
    await page.goto(`${running.baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading(page, 'Reset password');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('status').getByText(email).waitFor();
    await page.goto(await linkOfMail(running.mailFolder, email, 'reset-password'));
    await page.getByLabel('New password').fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.locator('#root').getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email, 'eight amber lanterns');
    await heading(page, 'Welcome, Robin Doe');
  });

  test('accepting an invitation opens the account', async () => {
    const owner = await running.portal.addUser('owner');
    const email = 'kim.invited@example.com';
    assert.equal((await owner.call('POST', '/portal/users', { email, role: 'developer' })).status, 201);
    await using window = await running.open();
    const { page } = window;
    await page.goto(await linkOfMail(running.mailFolder, email, 'accept-invitation'));
    await heading(page, 'Accept invitation');
    await page.getByLabel('Your name').fill('Kim Invited');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await heading(page, 'Welcome, Kim Invited');
    assert.equal(await page.getByRole('link', { name: 'Invoices' }).count(), 0);
  });

  test('one-time codes are set up, required at the next sign-in, and turned off', async () => {
    const user = await running.portal.addUser('owner');
    await using window = await running.open(user);
    const { page, problems } = window;
    await page.goto(`${running.baseUrl}/account/security`);
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    await page.getByRole('dialog').getByLabel('Your password').fill(portalPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await page.getByLabel('Code from the app').fill(oneTimeCode(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Shown only once').waitFor();
    const [recoveryCode = '', otherCode = ''] = ((await page.locator('[data-secret]').textContent()) ?? '').split('\n');
    await page.getByRole('button', { name: 'Done' }).click();

    await using next = await running.open();
    await next.page.goto(`${running.baseUrl}/sign-in`);
    await signIn(next.page, user.email, portalPassword);
    await heading(next.page, 'One-time code');
    await next.page.getByLabel('Code').fill(recoveryCode);
    await next.page.getByRole('button', { name: 'Sign in' }).click();
    await heading(next.page, 'Welcome, Robin Doe');

    await page.getByRole('button', { name: 'Turn off one-time codes' }).click();
    const removal = page.getByRole('dialog', { name: 'Turn off one-time codes' });
    await removal.getByLabel('Your password').fill(portalPassword);
    await removal.getByLabel('One-time code').fill(otherCode);
    await removal.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor();
    assert.equal((await user.call('GET', '/portal/session')).data.user.mfa, false);
    assert.deepEqual([...problems, ...next.problems], []);
  });
});
