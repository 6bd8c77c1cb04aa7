import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { type TestWindow, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

const password = 'seven copper lanterns';

suite('the user’s own account, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  /** Adds a user with a known password; their e-mail address. */
  async function addPerson(name: string): Promise<string> {
    const administrator = await running.control.addUser(await running.control.addOrganization(), [
      'organization_administrator',
    ]);
    const email = `${name.toLowerCase()}@example.com`;
    const { status } = await administrator.call('POST', '/users', { name, email, roleIds: ['developer'], password });
    assert.equal(status, 201);
    return email;
  }

  /** A new browser, signed in, on the account screen. */
  async function signIn(email: string) {
    const window = await running.open();
    const { page } = window;
    await page.goto(`${running.control.baseUrl}/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Your account');
    return window;
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const notified = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

  test('name, time zone and language are saved, and times follow them', async () => {
    const email = await addPerson('Robin');
    await using window = await signIn(email);
    const { page, problems } = window;
    await page.getByLabel('Name').fill('Robin Renamed');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Pacific/Auckland');
    await page.getByLabel('Language').fill('de-AT');
    await page.getByRole('button', { name: 'Save' }).click();
    await notified(page, 'Profile saved.');
    await page.getByRole('button', { name: 'Account of Robin Renamed' }).waitFor();
    const session = page.getByRole('cell').getByRole('time').first();
    await eventually('times in the zone', async () =>
      /NZ|GMT\+1[23]|Neuseeland/.test((await session.getAttribute('title')) ?? ''),
    );
    assert.deepEqual(problems, []);
  });

  test('another session, all others, and those before a password change are ended', async () => {
    const email = await addPerson('Sam');
    await using window = await signIn(email);
    const { page, problems } = window;
    const isSignedOut = async (other: TestWindow) => {
      await other.page.reload();
      await heading(other.page, 'Sign in');
      await other.close();
    };

    const second = await signIn(email);
    await page.reload();
    await page.getByRole('button', { name: 'End session from 127.0.0.1' }).click();
    await notified(page, 'Session ended.');
    await isSignedOut(second);

    const third = await signIn(email);
    await page.reload();
    await page.getByRole('button', { name: 'End all others' }).click();
    await notified(page, 'Sessions ended: 1.');
    await isSignedOut(third);

    const fourth = await signIn(email);
    await page.getByLabel('Current password').fill('not my password');
    await page.getByLabel('New password').fill('nine silver lanterns');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await notified(page, 'Password changed.');
    await isSignedOut(fourth);
    const login = (secret: string) => running.control.call('POST', '/auth/login', { email, password: secret });
    assert.deepEqual([(await login(password)).status, (await login('nine silver lanterns')).status], [401, 200]);
    assert.deepEqual(problems, []);
  });
});
