import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { linkOfMail } from '@millrace/mail/testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

const password = 'seven copper lanterns';

describe('the way into the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let organizationId: string;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
    organizationId = await running.control.addOrganization();
  });
  after(() => running?.stop());

  /** Somebody with a password of their own; the e-mail address. */
  async function addPerson(name: string): Promise<string> {
    const administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
    const { status } = await administrator.call('POST', '/users', { name, email, roleIds: ['developer'], password });
    assert.equal(status, 201);
    return email;
  }

  async function fillSignIn(page: Page, email: string, secret: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('whoever is not signed in signs in, and is led to where they wanted to go', async () => {
    const email = await addPerson('Sam Entrance');
    const { page, problems } = await running.open();
    await page.goto(`${running.control.baseUrl}/environments?sort=-name`);
    await heading(page, 'Sign in');
    await checkAccessibility(page, 'sign-in');
    await fillSignIn(page, email, 'a wrong password');
    await page.getByRole('alert').getByText('is wrong').waitFor();
    await fillSignIn(page, email, password);
    await heading(page, 'Environments');
    assert.match(page.url(), /\/environments\?sort=-name$/);
    await page.getByRole('button', { name: 'Account of Sam Entrance' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goBack();
    await heading(page, 'Sign in');
    assert.deepEqual(problems, []);
  });

  test('an address of another host is no place to be led to', async () => {
    const email = await addPerson('Toni Elsewhere');
    const { page } = await running.open();
    await page.goto(`${running.control.baseUrl}/sign-in?next=${encodeURIComponent('//evil.example')}`);
    await fillSignIn(page, email, password);
    await heading(page, 'Overview');
    assert.equal(new URL(page.url()).origin, running.control.baseUrl);
  });

  test('an authenticator app is set up, and asked for at the next sign-in', async () => {
    const email = await addPerson('Mika Codes');
    const { page, problems } = await running.open();
    await page.goto(`${running.control.baseUrl}/account`);
    await fillSignIn(page, email, password);
    await heading(page, 'Your account');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('dialog').getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await checkAccessibility(page, 'QR code');
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await page.getByLabel('The 6 digits it shows now').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabel('The 6 digits it shows now').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('The 6 digits it shows now').fill(oneTimeCode(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Shown only once').waitFor();
    const [recoveryCode = '', otherCode = ''] = ((await page.locator('[data-secret]').textContent()) ?? '').split('\n');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('is asked for at sign-in').waitFor();

    const next = await running.open();
    await next.page.goto(running.control.baseUrl);
    await fillSignIn(next.page, email, password);
    await heading(next.page, 'One-time code');
    await checkAccessibility(next.page, 'one-time code');
    await next.page.getByLabel('Code').fill(recoveryCode);
    await next.page.getByRole('button', { name: 'Sign in' }).click();
    await heading(next.page, 'Overview');

    await page.getByRole('button', { name: 'Stop using them' }).click();
    const removal = page.getByRole('dialog', { name: 'Stop using one-time codes' });
    await removal.getByLabel('Your password').fill(password);
    await removal.getByLabel('One-time code').fill(otherCode);
    await removal.getByRole('button', { name: 'Stop using them' }).click();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    const last = await running.open();
    await last.page.goto(running.control.baseUrl);
    await fillSignIn(last.page, email, password);
    await heading(last.page, 'Overview');
    assert.deepEqual([...problems, ...next.problems, ...last.problems], []);
  });

  test('a forgotten password is set anew by the link of an e-mail', async () => {
    const email = await addPerson('Pat Forgetful');
    const { page, problems } = await running.open();
    await page.goto(`${running.control.baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('status').getByText(email).waitFor();
    await checkAccessibility(page, 'forgotten password');
    await page.goto(await linkOfMail(join(running.control.dataDirectory, 'mail'), email, 'reset-password'));
    await heading(page, 'Choose a new password');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Choose at least 12 characters.').waitFor();
    await checkAccessibility(page, 'new password');
    await page.getByLabel('New password').fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, email, 'eight amber lanterns');
    await heading(page, 'Overview');
    assert.deepEqual(problems, []);
  });

  test('an invitation is sent, accepted and signed in with', async () => {
    const administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    const { page, problems } = await running.open({ caller: administrator });
    await page.goto(`${running.control.baseUrl}/users/invitations`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kim Invited');
    await dialog.getByLabel('E-mail address').fill('not an address');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('Give an e-mail address').waitFor();
    await dialog.getByLabel('E-mail address').fill('kim.invited@example.com');
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'Auditor' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('cell', { name: 'kim.invited@example.com', exact: true }).waitFor();

    const invited = await running.open();
    await invited.page.goto(
      await linkOfMail(join(running.control.dataDirectory, 'mail'), 'kim.invited@example.com', 'accept-invitation'),
    );
    await heading(invited.page, 'Accept the invitation');
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

/** The code that an authenticator app shows now: RFC 6238 with SHA-1, 30 seconds, 6 digits. */
function oneTimeCode(secretBase32: string): string {
  const bits = [...secretBase32.trim()]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(step).digest();
  const offset = digest[19]! & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
