import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { linkOfMail } from '@millrace/mail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { checkAccessibility, type TestWindow } from './testing.ts';

/** An app whose entrance is tested, with its service running. */
export interface TestedEntrance {
  readonly baseUrl: string;
  readonly mailFolder: string;
  /** A window in which nobody is signed in. */
  open(options?: BrowserContextOptions): Promise<TestWindow>;
  /** Adds a user with this name and password; returns their e-mail address. */
  addPerson(name: string, password: string): Promise<string>;
  /** The page that signing in opens, by its heading. */
  readonly home: string;
  /** A page to be sent to after signing in, and its heading. */
  readonly target: { readonly path: string; readonly heading: string };
  /** The other app, at the address that the service was given. */
  readonly otherApp: { readonly name: string; readonly url: string };
  /** Where one-time codes are set up, and its heading. */
  readonly account: { readonly path: string; readonly heading: string };
}

const password = 'seven copper lanterns';

export async function fillSignIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/**
 * The tests of an app's entrance that every app passes: signing in and out, one-time codes, a forgotten password.
 *
 * @param entrance what `before()` has started
 */
export function testEntrance(entrance: () => TestedEntrance): void {
  test('signing in opens the page that was asked for', async () => {
    const { baseUrl, target, addPerson, open } = entrance();
    const email = await addPerson('Sam Entrance', password);
    await using window = await open();
    const { page, problems } = window;
    await page.goto(`${baseUrl}${target.path}`);
    await heading(page, 'Sign in');
    await checkAccessibility(page, 'sign-in');
    await fillSignIn(page, email, 'a wrong password');
    await page.getByRole('alert').getByText('is wrong').waitFor();
    await checkAccessibility(page, 'refused sign-in');
    await fillSignIn(page, email, password);
    await heading(page, target.heading);
    assert.equal(page.url(), `${baseUrl}${target.path}`);
    await page.getByRole('button', { name: 'Account of Sam Entrance' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goBack();
    await heading(page, 'Sign in');
    assert.deepEqual(problems, []);
  });

  test('the menu at the logo switches to the other app', async () => {
    const { baseUrl, home, otherApp, addPerson, open } = entrance();
    const email = await addPerson('Alex Switcher', password);
    await using window = await open();
    const { page } = window;
    await page.goto(baseUrl);
    await fillSignIn(page, email, password);
    await heading(page, home);
    await page.getByRole('button', { name: /switch app/ }).click();
    const link = page.getByRole('menuitem', { name: otherApp.name });
    await link.waitFor();
    await checkAccessibility(page, 'app switcher');
    assert.equal(await link.getAttribute('href'), otherApp.url);
  });

  test('signing in never redirects to another host', async () => {
    const { baseUrl, home, addPerson, open } = entrance();
    const email = await addPerson('Toni Elsewhere', password);
    await using window = await open();
    const { page } = window;
    await page.goto(`${baseUrl}/sign-in?next=${encodeURIComponent('//evil.example')}`);
    await fillSignIn(page, email, password);
    await heading(page, home);
    assert.equal(new URL(page.url()).origin, baseUrl);
  });

  test('one-time codes are set up, required at the next sign-in, and turned off', async () => {
    const { baseUrl, home, account, addPerson, open } = entrance();
    const email = await addPerson('Mika Codes', password);
    await using window = await open();
    const { page, problems } = window;
    await page.goto(`${baseUrl}${account.path}`);
    await fillSignIn(page, email, password);
    await heading(page, account.heading);
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    await page.getByRole('dialog').getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await checkAccessibility(page, 'QR code');
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabel('Code from the app').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Code from the app').fill(oneTimeCode(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Shown only once').waitFor();
    const [recoveryCode = '', otherCode = ''] = ((await page.locator('[data-secret]').textContent()) ?? '').split('\n');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Signing in requires a code').waitFor();

    await using next = await open();
    await next.page.goto(baseUrl);
    await fillSignIn(next.page, email, password);
    await heading(next.page, 'One-time code');
    await checkAccessibility(next.page, 'one-time code');
    await next.page.getByLabel('Code').fill(recoveryCode);
    await next.page.getByRole('button', { name: 'Sign in' }).click();
    await heading(next.page, home);

    await page.getByRole('button', { name: 'Turn off one-time codes' }).click();
    const removal = page.getByRole('dialog', { name: 'Turn off one-time codes' });
    await removal.getByLabel('Your password').fill(password);
    await removal.getByLabel('One-time code').fill(otherCode);
    await removal.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor();
    await using last = await open();
    await last.page.goto(baseUrl);
    await fillSignIn(last.page, email, password);
    await heading(last.page, home);
    assert.deepEqual([...problems, ...next.problems, ...last.problems], []);
  });

  test('the link of an e-mail resets a forgotten password', async () => {
    const { baseUrl, home, mailFolder, addPerson, open } = entrance();
    const email = await addPerson('Pat Forgetful', password);
    await using window = await open();
    const { page, problems } = window;
    await page.goto(`${baseUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // Both pages ask for an e-mail address.
    await heading(page, 'Reset password');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('status').getByText(email).waitFor();
    await checkAccessibility(page, 'forgotten password');
    await page.goto(await linkOfMail(mailFolder, email, 'reset-password'));
    await heading(page, 'Choose a new password');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Choose at least 12 characters.').waitFor();
    await checkAccessibility(page, 'new password');
    await page.getByLabel('New password').fill('eight amber lanterns');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, email, 'eight amber lanterns');
    await heading(page, home);
    assert.deepEqual(problems, []);
  });
}

/** The code that an authenticator app shows now: RFC 6238 with SHA-1, 30 seconds, 6 digits. */
export function oneTimeCode(secretBase32: string): string {
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
