import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testPassword } from '@millrace/extraction/dashboard-testing';
import { linkOfMail } from '@millrace/mail/testing';
import { fillSignIn, heading, testEntrance } from '@millrace/ui/entrance-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

const consoleUrl = 'https://console.example.com';

describe('signing in to the dashboard', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  before(async () => {
    running = await startTestDashboard(import.meta.filename, { MILLRACE_CONSOLE_URL: consoleUrl });
  });
  after(() => running?.stop());

  testEntrance(() => ({
    baseUrl: running.service.baseUrl,
    mailFolder: join(running.service.dataFolder, 'mail'),
    open: () => running.open(),
    addPerson: async (name, password) => {
      const { email, call } = await running.signIn();
      assert.equal((await call('PATCH', '/session/user', { name })).status, 200);
      const change = { currentPassword: testPassword, newPassword: password };
      assert.equal((await call('PUT', '/session/password', change)).status, 200);
      return email;
    },
    home: 'Home',
    otherApp: { name: 'Console', url: consoleUrl },
    target: { path: '/documents?state=done', heading: 'Documents' },
    account: { path: '/settings', heading: 'Settings' },
  }));

  test('the sign-in page is pictured for the documentation', async () => {
    await using window = await running.open();
    const { page } = window;
    await page.goto(`${running.service.baseUrl}/sign-in`);
    await heading(page, 'Sign in');
    await picture(page, 'sign-in');
  });

  test('accepting an invitation allows signing in', async () => {
    const administrator = await running.signIn();
    const invited = await administrator.call('POST', '/members', { email: 'kim@example.com', role: 'member' });
    assert.ok(invited.status < 300);
    await using window = await running.open();
    const { page, problems } = window;
    await page.goto(await linkOfMail(join(running.service.dataFolder, 'mail'), 'kim@example.com', 'accept-invitation'));
    await heading(page, 'Accept invitation');
    await checkAccessibility(page, 'invitation');
    await page.getByLabel('Your name').fill('Kim Invited');
    await page.getByLabel('Password', { exact: true }).fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, 'kim@example.com', 'eight amber lanterns');
    await heading(page, 'Home');
    assert.deepEqual(problems, []);
  });

  test('the theme follows the system until the user chooses one', async () => {
    await using window = await running.open(await running.signIn(), { colorScheme: 'dark' });
    const { page } = window;
    const isIn = (scheme: 'light' | 'dark') => page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
    await page.goto(running.service.baseUrl);
    await heading(page, 'Home');
    await isIn('dark');
    await page.getByRole('button', { name: 'Account of Robin Tester' }).click();
    await checkAccessibility(page, 'account');
    await page.getByRole('radio', { name: 'Light' }).check();
    await isIn('light');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Light' }).waitFor({ state: 'hidden' });
    await page.reload();
    await heading(page, 'Home');
    await isIn('light');
  });
});
