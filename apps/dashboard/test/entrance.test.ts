import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testPassword } from '@millrace/extraction/dashboard-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/interface/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';

describe('the way into the dashboard', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  before(async () => {
    running = await startTestDashboard();
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
});
