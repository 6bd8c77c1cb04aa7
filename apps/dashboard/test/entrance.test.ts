import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testPassword } from '@millrace/extraction/dashboard-testing';
import { linkOfMail } from '@millrace/mail/testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

describe('the way into the dashboard', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  before(async () => {
    running = await startTestDashboard(import.meta.filename);
  });
  after(() => running?.stop());

  async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  test('whoever is not signed in signs in, and is led to where they wanted to go', async () => {
    const { email } = await running.signIn();
    const { page, problems } = await running.open();
    await page.goto(`${running.service.baseUrl}/documents?state=done`);
    await heading(page, 'Sign in');
    await checkAccessibility(page, 'sign-in');
    await picture(page, 'sign-in');
    await fillSignIn(page, email, 'a wrong password');
    await page.getByRole('alert').waitFor();
    await checkAccessibility(page, 'refused sign-in');
    await fillSignIn(page, email, testPassword);
    await heading(page, 'Documents');
    assert.match(page.url(), /\/documents\?state=done$/);
    await page.getByRole('button', { name: 'Account of Robin Tester' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goBack();
    await heading(page, 'Sign in');
    assert.deepEqual(problems, []);
  });

  test('an address of another host is no place to be led to', async () => {
    const { email } = await running.signIn();
    const { page } = await running.open();
    await page.goto(`${running.service.baseUrl}/sign-in?next=${encodeURIComponent('//evil.example')}`);
    await fillSignIn(page, email, testPassword);
    await heading(page, 'Home');
    assert.equal(new URL(page.url()).origin, running.service.baseUrl);
  });

  test('a forgotten password is set anew by the link of an e-mail', async () => {
    const { email } = await running.signIn();
    const { page, problems } = await running.open();
    await page.goto(`${running.service.baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('status').getByText(email).waitFor();
    await checkAccessibility(page, 'forgotten password');
    await page.goto(await linkOfMail(join(running.service.dataFolder, 'mail'), email, 'reset-password'));
    await heading(page, 'Choose a new password');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Choose at least 12 characters.').waitFor();
    await checkAccessibility(page, 'new password');
    await page.getByLabel('New password').fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, email, 'eight amber lanterns');
    await heading(page, 'Home');
    assert.deepEqual(problems, []);
  });

  test('an invitation is accepted and signed in with', async () => {
    const administrator = await running.signIn();
    const invited = await administrator.call('POST', '/members', { email: 'kim@example.com', role: 'member' });
    assert.ok(invited.status < 300);
    const { page, problems } = await running.open();
    await page.goto(await linkOfMail(join(running.service.dataFolder, 'mail'), 'kim@example.com', 'accept-invitation'));
    await heading(page, 'Accept the invitation');
    await checkAccessibility(page, 'invitation');
    await page.getByLabel('Your name').fill('Kim Invited');
    await page.getByLabel('Password', { exact: true }).fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, 'kim@example.com', 'eight amber lanterns');
    await heading(page, 'Home');
    assert.deepEqual(problems, []);
  });

  test('colours follow the system until somebody chooses, and stay chosen', async () => {
    const { page } = await running.open(await running.signIn(), { colorScheme: 'dark' });
    const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
    await page.goto(running.service.baseUrl);
    await heading(page, 'Home');
    assert.equal(await scheme(), 'dark');
    await page.getByRole('button', { name: 'Account of Robin Tester' }).click();
    await checkAccessibility(page, 'account');
    await page.getByRole('radio', { name: 'Light' }).check();
    assert.equal(await scheme(), 'light');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Light' }).waitFor({ state: 'hidden' });
    await page.reload();
    await heading(page, 'Home');
    assert.equal(await scheme(), 'light');
  });
});
