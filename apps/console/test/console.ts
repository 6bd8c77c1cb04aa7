import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import axe from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../build.ts';

const candidates = [process.env.MILLRACE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** The browser of the tests; null where this machine has none. */
const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path)) ?? null;

/** Why browser tests are skipped; false where they are not. */
export const withoutBrowser =
  chromiumPath === null ? 'No Chromium found: set MILLRACE_CHROMIUM to the path of one.' : false;

/** A window of the console. */
export interface TestWindow {
  readonly page: Page;
  /** What went wrong that no user sees: errors of the page and its console, and requests to other hosts. */
  readonly problems: readonly string[];
}

/** The built console on a fresh management API, in a real browser. */
export interface TestConsole {
  readonly control: TestControl;
  /** A window of its own, signed in as the caller where one is given. */
  open(options?: { readonly caller?: TestCaller }): Promise<TestWindow>;
  stop(): Promise<void>;
}

/** Builds the console where it is not, and starts what it needs; to be stopped in the suite's `after()`. */
export async function startTestConsole(): Promise<TestConsole> {
  await buildConsole();
  await using started = new AsyncDisposableStack();
  const control = await startTestControl();
  started.defer(() => control.stop());
  const userData = mkdtempSync(join(tmpdir(), 'millrace-test-chromium-'));
  started.defer(() => rmSync(userData, { recursive: true, force: true, maxRetries: 5 }));
  const browser = await chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disk-cache-dir=${userData}`,
    ],
  });
  started.defer(() => browser.close());
  const stack = started.move();
  return {
    control,
    open: async ({ caller } = {}) => {
      const context = await browser.newContext({
        colorScheme: 'light',
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(10_000);
      if (caller) await addSession(context, control.baseUrl, caller);
      const page = await context.newPage();
      return { page, problems: recordProblems(page, control.baseUrl) };
    },
    stop: () => stack.disposeAsync(),
  };
}

function addSession(context: BrowserContext, url: string, { sessionToken }: TestCaller): Promise<void> {
  return context.addCookies([{ name: 'millrace_session', value: sessionToken, url }]);
}

function recordProblems(page: Page, ownOrigin: string): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser's own line for an answer of 4xx, which the console shows in its own words.
    const expected = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (message.type() === 'error' && !expected) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith(`${ownOrigin}/`) || /^(?:data|blob):/.test(url);
    if (!own) problems.push(`request: ${url}`);
  });
  return problems;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** Holds the page, as it is now, against WCAG 2.2 AA by axe; fails where a violation is serious or critical. */
export async function checkAccessibility(page: Page, screen: string): Promise<void> {
  // Through the debugger: the page's own policy refuses a script element with this text.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  )) as AxeResult;
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
  assert.deepEqual(grave, [], screen);
}
