import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { linkOfMail } from '@millrace/mail/testing';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { type RunningPortal, startPortal } from './portal.ts';

const password = 'seven copper lanterns';

suite('from an unknown visitor to the first call', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  before(async () => {
    running = await startPortal(import.meta.filename);
  });
  after(() => running?.stop());

  /** The headings that a page has shown, each once in a row. */
  async function countScreens(page: Page): Promise<() => Promise<readonly string[]>> {
    const seen: string[] = [];
    await page.exposeBinding('noteScreen', (_source, name: string) => {
      if (seen.at(-1) !== name) seen.push(name);
    });
    await page.addInitScript(`setInterval(() => {
      const head = document.querySelector('h1')?.textContent;
      if (head) window.noteScreen(head);
    }, 20)`);
    return async () => seen;
  }

  /** What the gateway's target got, with the key that the page showed. */
  async function callWith(key: string): Promise<number> {
    const response = await fetch(`${running.apis.gatewayUrl}/v1/shop/orders`, { headers: { 'x-api-key': key } });
    await response.text();
    return response.status;
  }

  test('takes at most five screens', async () => {
    await using window = await running.open();
    const { page, problems } = window;
    const screens = await countScreens(page);
    const email = 'noor.mouse@example.com';
    await page.goto(`${running.baseUrl}/register?product=orders&plan=starter`);
    await page.getByLabel('Your name').fill('Noor New');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(`We sent a link to ${email}`).waitFor();

    await page.goto(await linkOfMail(running.mailFolder, email, 'confirm'));
    await page.getByRole('heading', { name: 'Get an API key' }).waitFor();
    assert.equal(await page.getByRole('radio', { name: /^Starter/ }).isChecked(), true);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor();
    const key = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.match(
      (await page.getByRole('region', { name: 'The call as a curl command' }).textContent()) ?? '',
      new RegExp(key),
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('200', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'application/json' }).getByText('"ord_1"').waitFor();

    await checkAccessibility(page, 'the first call');
    assert.equal(await callWith(key), 200);
    assert.ok(!page.url().includes(key));
    const shown = await screens();
    assert.ok(shown.length <= 5, shown.join(' → '));
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  test('works by keyboard alone', async () => {
    await using window = await running.open();
    const { page, problems } = window;
    const email = 'noor.keys@example.com';
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(`(() => {
      const at = document.activeElement;
      const named = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
      return (named ?? '').trim();
    })()`);
    /** Tabs until what has this name has the focus. */
    const reach = async (name: RegExp) => {
      for (let steps = 0; steps < 60; steps += 1) {
        if (name.test(await focused())) return;
        await keyboard.press('Tab');
      }
      assert.fail(`Nothing called ${name} was reached.`);
    };
    await page.goto(`${running.baseUrl}/register`);
    await page.getByLabel('Your name').waitFor();
    for (const [label, text] of [
      [/^Your name/, 'Noor Keys'],
      [/^E-mail address/, email],
      [/^Password/, password],
    ] as const) {
      await reach(label);
      await keyboard.type(text);
    }
    await reach(/^I accept/);
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await page.getByText(`We sent a link to ${email}`).waitFor();
    await page.goto(await linkOfMail(running.mailFolder, email, 'confirm'));
    await page.getByRole('heading', { name: 'Get an API key' }).waitFor();
    await reach(/^Orders/);
    await keyboard.press('Space');
    await page.getByRole('radio', { name: /^Starter/ }).waitFor();
    await reach(/^Create key/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await reach(/^Send/);
    await keyboard.press('Enter');
    await page.getByRole('status').getByText('200', { exact: true }).waitFor();
    const key = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.equal(await callWith(key), 200);
    assert.deepEqual(problems, []);
  });
});
