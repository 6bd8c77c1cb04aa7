import assert from 'node:assert/strict';
import type { TestPortalUser } from '@millrace/control/portal/users/testing';
import { type TestWindow, visit } from '@millrace/ui/testing';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { RunningPortal } from './portal.ts';

/** A user of the portal, who finds everything by its role and label. */
export class Developer {
  readonly #running: RunningPortal;
  readonly #window: TestWindow;
  readonly user: TestPortalUser;

  constructor(running: RunningPortal, window: TestWindow, user: TestPortalUser) {
    this.#running = running;
    this.#window = window;
    this.user = user;
  }

  get page(): Page {
    return this.#window.page;
  }

  /** The data of a call that the test itself makes; fails unless it returns 2xx. */
  async call(method: string, path: string, body?: unknown) {
    const { status, data } = await this.user.call(method, path, body);
    assert.ok(status < 300, `${method} ${path} returned ${status}: ${JSON.stringify(data)}`);
    return data;
  }

  get(path: string) {
    return this.call('GET', path);
  }

  async goto(path: string, heading: string): Promise<void> {
    await visit(this.page, `${this.#running.baseUrl}${path}`);
    await this.heading(heading);
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** Waits until the screen shows the text. */
  shown(text: string | RegExp): Promise<void> {
    return this.page.locator('#root').getByText(text).first().waitFor();
  }

  button(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  press(name: string): Promise<void> {
    return this.button(name).click();
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title, exact: true });
  }

  /** Submits the form of a dialog or answers its question, and waits until it has closed. */
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

  /** Closes the window; fails if the page had an error that users don't see. */
  async leave(): Promise<void> {
    assert.deepEqual(this.#window.problems, []);
    await this.#window.close();
  }
}

/** Opens a window, signed in with a role; in a new developer account unless one is given. */
export async function developerOf(
  running: RunningPortal,
  role: Parameters<RunningPortal['portal']['addUser']>[0] = 'owner',
  options: { readonly developerId?: string; readonly window?: BrowserContextOptions } = {},
): Promise<Developer> {
  const user = await running.portal.addUser(role, options.developerId ?? (await running.addDeveloper()));
  return new Developer(running, await running.open(user, options.window), user);
}
