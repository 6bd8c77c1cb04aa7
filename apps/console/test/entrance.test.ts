import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { linkOfMail } from '@millrace/mail/testing';
import { fillSignIn, heading, testEntrance } from '@millrace/ui/entrance-testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';

const password = 'seven copper lanterns';
const dashboardUrl = 'https://documents.example.com';

describe('signing in to the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let organizationId: string;
  before(async () => {
    running = await startTestConsole(import.meta.filename, { MILLRACE_DASHBOARD_URL: dashboardUrl });
    organizationId = await running.control.addOrganization();
  });
  after(() => running?.stop());

  /** Adds a user with a known password; their e-mail address. */
  async function addPerson(name: string, password: string): Promise<string> {
    const administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
    const { status } = await administrator.call('POST', '/users', { name, email, roleIds: ['developer'], password });
    assert.equal(status, 201);
    return email;
  }

  testEntrance(() => ({
    baseUrl: running.control.baseUrl,
    mailFolder: join(running.control.dataDirectory, 'mail'),
    open: () => running.open(),
    addPerson,
    home: 'Overview',
    otherApp: { name: 'Dashboard', url: dashboardUrl },
    target: { path: '/environments?sort=-name', heading: 'Environments' },
    account: { path: '/account', heading: 'Your account' },
  }));

  test('an invitation is sent and accepted, and its user signs in', async () => {
    const administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    await using window = await running.open({ caller: administrator });
    const { page, problems } = window;
    await page.goto(`${running.control.baseUrl}/users/invitations`);
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kim Invited');
    await dialog.getByLabel('Email').fill('not an address');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('Enter an e-mail address').waitFor();
    await dialog.getByLabel('Email').fill('kim.invited@example.com');
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'Auditor' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('cell', { name: 'kim.invited@example.com', exact: true }).waitFor();

    await using invited = await running.open();
    await invited.page.goto(
      await linkOfMail(join(running.control.dataDirectory, 'mail'), 'kim.invited@example.com', 'accept-invitation'),
    );
    await heading(invited.page, 'Accept invitation');
    await checkAccessibility(invited.page, 'invitation');
    await invited.page.getByLabel('Your name').fill('Kim Invited');
    await invited.page.getByLabel('Password', { exact: true }).fill(password);
    await invited.page.getByRole('button', { name: 'Accept' }).click();
    await invited.page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(invited.page, 'kim.invited@example.com', password);
    await heading(invited.page, 'Overview');
    assert.deepEqual([...problems, ...invited.problems], []);
  });
});
