import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestAnswer, TestCaller } from '@millrace/control/testing';
import { type TestWindow, visit } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import type { TestConsole } from './console.ts';

/** A user of the console, who finds everything by its role and label. */
export class Operator {
  readonly #baseUrl: string;
  readonly #caller: TestCaller;
  readonly #window: TestWindow;

  constructor(baseUrl: string, caller: TestCaller, window: TestWindow) {
    this.#baseUrl = baseUrl;
    this.#caller = caller;
    this.#window = window;
  }

  get page(): Page {
    return this.#window.page;
  }

  get problems(): readonly string[] {
    return this.#window.problems;
  }

  /** For what prepares tests of the management API. */
  get caller(): TestCaller {
    return this.#caller;
  }

  get organizationId(): string {
    return this.#caller.organizationId;
  }

  /** Calls the API directly, to prepare and to check; fails unless it returns 2xx. */
  async call(method: string, path: string, body?: unknown): Promise<TestAnswer['data']> {
    const { status, data } = await this.#caller.call(method, path, body);
    assert.ok(status < 300, `${method} ${path} returned ${status}: ${JSON.stringify(data)}`);
    return data;
  }

  get(path: string): Promise<TestAnswer['data']> {
    return this.call('GET', path);
  }

  post(path: string, body: object = {}): Promise<TestAnswer['data']> {
    return this.call('POST', path, body);
  }

  /** The status of a call that may fail. */
  async statusOf(path: string): Promise<number> {
    return (await this.#caller.call('GET', path)).status;
  }

  async goto(path: string): Promise<void> {
    await visit(this.page, `${this.#baseUrl}${path}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** Waits until the screen itself shows the text. */
  shown(text: string): Promise<void> {
    return this.page.locator('#content').getByText(text, { exact: true }).first().waitFor();
  }

  /** Waits until the screen no longer shows the text. */
  gone(text: string): Promise<void> {
    return this.page.locator('#content').getByText(text, { exact: true }).first().waitFor({ state: 'hidden' });
  }

  button(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  /** Presses a button of the screen. */
  press(name: string): Promise<void> {
    return this.button(name).click();
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title, exact: true });
  }

  /** Confirms in a dialog, and waits until it has closed. */
  async confirm(title: string, action: string, typed?: string): Promise<void> {
    const dialog = this.dialog(title);
    if (typed !== undefined) {
      assert.equal(await this.button(action, dialog).isDisabled(), true, 'the name has to be typed to confirm');
      await dialog.getByLabel(`Type ${typed} to confirm`).fill(typed);
    }
    await this.button(action, dialog).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Submits the form of a dialog, and waits until it has closed. */
  async send(title: string, action: string): Promise<void> {
    const dialog = this.dialog(title);
    await this.button(action, dialog).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Chooses an option of a select field. */
  async choose(field: Locator, option: string | RegExp): Promise<void> {
    await field.click();
    await this.page.getByRole('option', { name: option }).click();
  }

  /** Chooses an item of a menu, by keyboard: a notification may cover the menu for a while. */
  async chooseItem(menu: string | Locator, item: string): Promise<void> {
    await (typeof menu === 'string' ? this.button(menu) : menu).click();
    // A menu takes the focus once it is open, also from an item that had it before.
    await this.page.locator('[role="menu"]:focus-within').waitFor();
    await this.page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
  }

  /** The file that the browser downloads. */
  async saved(act: () => Promise<unknown>): Promise<{ readonly name: string; readonly text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), act()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }

  close(): Promise<void> {
    return this.#window.close();
  }
}

/** Signs a user in and opens the console; in a new organization if none is given. */
export async function operatorOf(
  { control, open }: TestConsole,
  options: {
    readonly organizationId?: string;
    readonly roles?: Parameters<TestConsole['control']['addUser']>[1];
  } = {},
): Promise<Operator> {
  const organizationId = options.organizationId ?? (await control.addOrganization());
  const caller = await control.addUser(organizationId, options.roles ?? ['organization_administrator']);
  return new Operator(control.baseUrl, caller, await open({ caller }));
}

/** Runs a test with an administrator of a new organization; fails if the page had an error that users don't see. */
export async function operate(
  running: TestConsole,
  run: (operator: Operator) => Promise<void>,
  options?: Parameters<typeof operatorOf>[1],
): Promise<void> {
  const operator = await operatorOf(running, options);
  try {
    await run(operator);
  } catch (error) {
    // What the page reported often says why it didn't show what the test waited for.
    if (operator.problems.length > 0) {
      throw new Error(`The page reported: ${operator.problems.join('; ')}`, { cause: error });
    }
    throw error;
  }
  assert.deepEqual(operator.problems, []);
  await operator.close();
}
