import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { OperationCalls } from './operation-calls-testing.ts';

/** The shell first: a window of a whole Chromium costs four times as much. */
const candidates = [
  process.env.MILLRACE_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

/**
 * Features of Chromium that are off: of its own screens, those that it renders for each window though nobody sees them,
 * and what Playwright turns off, whose list this one replaces.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Flags of V8: no page under test lives long enough to earn back what optimizing its scripts costs. Without the optimizing
 * compilers, loading a page takes a fifth less processor time and a run of axe a quarter less.
 */
const scriptFlags = ['--no-turbofan', '--no-maglev'];

/** The browser of the tests; null where this machine has none. */
const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path)) ?? null;

/** Why browser tests are skipped; false where they are not. */
export const withoutBrowser =
  chromiumPath === null ? 'No Chromium found: set MILLRACE_CHROMIUM to the path of one.' : false;

/** A window of pages under test. */
export interface TestWindow extends AsyncDisposable {
  readonly page: Page;
  /** What went wrong that no user sees: errors of the page and its console, and requests to other hosts. */
  readonly problems: readonly string[];
  /**
   * Closes the window. The next one with the same options may be the same again, without cookies, storage and listeners:
   * a new one costs a second of processor time. Where a test changes more than that, it closes the page’s context.
   */
  close(): Promise<void>;
}

/** A real browser for pages under test. */
export interface TestBrowser {
  /**
   * Opens a window of its own, on a desk's screen and in light colours where nothing else is said.
   *
   * @param origin of the pages; any other host is a problem
   * @param cookies by name
   */
  open(
    origin: string,
    cookies?: Readonly<Record<string, string>>,
    options?: BrowserContextOptions,
  ): Promise<TestWindow>;
  close(): Promise<void>;
}

/**
 * The test files of a process share a browser: a new one costs a second of processor time. It is closed when none of them
 * has opened it again for a while, since the process would go on with it.
 */
let launched: Promise<Browser> | undefined;
let users = 0;
const idleMs = 3_000;

async function claimBrowser(): Promise<Browser> {
  users++;
  if (launched !== undefined && !(await launched).isConnected()) launched = undefined;
  launched ??= chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // A process less to start and to send frames to.
      '--in-process-gpu',
      '--num-raster-threads=1',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join(',')}`,
      `--js-flags=${scriptFlags.join(',')}`,
    ],
  });
  return launched;
}

function releaseBrowser(): void {
  users--;
  setTimeout(() => {
    if (users > 0 || launched === undefined) return;
    closedPages.clear();
    void launched.then((browser) => browser.close());
    launched = undefined;
  }, idleMs);
}

/** Pages of closed windows, by what they were opened with; few, since each of them holds memory. */
const closedPages = new Map<string, Page[]>();
const mostClosedPages = 2;

/**
 * Gives the suite a browser; to be closed in its `after()`, before the server of its pages.
 *
 * @param calls records which operations the pages call
 */
export async function startTestBrowser(calls?: OperationCalls): Promise<TestBrowser> {
  const browser = await claimBrowser();
  const open = new Map<TestWindow, () => Promise<void>>();
  const origins = new Set<string>();

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    // Long enough for a machine that has other work: a test that passes does not wait so long.
    context.setDefaultTimeout(90_000);
    calls?.record(context);
    return context.newPage();
  }

  /**
   * Keeps a page for the next window, without what a user leaves in it; closes it where a test did more than that.
   *
   * @param isLast whether the server of the page may stop next
   */
  async function recycle(page: Page, key: string, origin: string, isLast: boolean): Promise<void> {
    const context = page.context();
    const pages = closedPages.get(key) ?? [];
    if (page.isClosed() || context.pages().length !== 1 || pages.length >= mostClosedPages) return context.close();
    page.removeAllListeners();
    const isLeft = !isLast && new URL(page.url()).origin === origin && (await page.evaluate<boolean>(`(${leave})()`));
    if (!isLeft) await unload(page, origin);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    closedPages.set(key, [...pages, page]);
  }

  /** Ends what a page still does, in the same process of the browser, where its storage can be reached. */
  async function unload(page: Page, origin: string): Promise<void> {
    await page.goto(`${origin}/favicon.svg`);
  }

  /** Ends the apps that closed windows have left open at the origins of the suite, whose servers may stop next. */
  async function unloadClosed(): Promise<void> {
    for (const page of [...closedPages.values()].flat()) {
      const { origin, pathname } = new URL(page.url());
      if (origins.has(origin) && pathname !== '/favicon.svg') await unload(page, origin);
    }
  }

  return {
    open: async (origin, cookies = {}, options = {}) => {
      const { viewport, colorScheme, ...others } = options;
      const key = JSON.stringify([calls?.app, others]);
      const page = closedPages.get(key)?.pop() ?? (await newPage(others));
      await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
      const context = page.context();
      await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin })));
      const close = async () => {
        if (open.delete(window)) await recycle(page, key, origin, false);
      };
      const problems = recordProblems(page, origin);
      const window: TestWindow = { page, problems, close, [Symbol.asyncDispose]: close };
      open.set(window, () => recycle(page, key, origin, true));
      origins.add(origin);
      return window;
    },
    close: async () => {
      await Promise.all([...open.values()].map((end) => end()));
      await unloadClosed();
      releaseBrowser();
    },
  };
}

/**
 * Opens an address as a link within the app does: without loading the page again where the app is open at another one.
 * Loading costs several times as much processor time.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  const current = new URL(page.url());
  const isOpen = current.origin === origin && `${current.pathname}${current.search}` !== `${pathname}${search}`;
  const followed = isOpen && (await page.evaluate<boolean>(`(${follow})(${JSON.stringify(pathname + search)})`));
  if (!followed) await page.goto(url);
}

/** Runs in the page: false where no app is open, or where a dialog may stay open. Unsent forms are left as by a load. */
const follow = `async (href) => {
  const router = window.__TSR_ROUTER__;
  if (router === undefined || document.querySelector('[role="dialog"]') !== null) return false;
  await router.navigate({ href, ignoreBlocker: true });
  const isResolved = () => router.state.status === 'idle' && router.state.resolvedLocation?.href === router.state.location.href;
  for (let frames = 0; !isResolved() && frames < 600; frames++) await new Promise(requestAnimationFrame);
  return isResolved();
}`;

/**
 * Runs in the page: leaves an app whose router names the cache of all that it has read, for the page of the app that needs
 * no session; loading the app again costs twice as much. False where that may not be enough: no such app, another
 * organization’s address, a theme that was chosen, an open dialog, messages that stay, or calls that go on.
 *
 * Where there is no app it returns no promise: a page without scripts would never resolve it.
 */
const leave = `() => {
  const router = window.__TSR_ROUTER__;
  const cache = router?.options.context?.cache;
  if (cache === undefined || router.basepath !== '/') return false;
  if (localStorage.getItem('mantine-color-scheme-value') !== null) return false;
  const messages = '[role="alert"]';
  const isIdle = () => {
    for (const button of document.querySelectorAll(messages + ' button')) button.click();
    return document.querySelector(messages) === null && cache.isFetching() + cache.isMutating() === 0;
  };
  return (async () => {
    if (!(await (${follow})('/forgot-password'))) return false;
    for (let frames = 0; !isIdle() && frames < 60; frames++) await new Promise(requestAnimationFrame);
    cache.clear();
    return isIdle();
  })();
}`;

function recordProblems(page: Page, ownOrigin: string): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser's own line for an answer of 4xx, which the page shows in its own words.
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

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Axe without the markup of all that it looks at: it is read of the elements at fault alone. */
const loadAxe = `${axe}; axe.configure({ noHtml: true });`;

/** Axe's rules whose result depends on the colour scheme; the others need no second run in dark colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** The width of a page at rest, in px: while a screen is being drawn, it may be wider than its window for some frames. */
export async function widthAtRest(page: Page): Promise<number> {
  const widthOf = () => page.evaluate<number>('document.documentElement.scrollWidth');
  const isWider = () => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  for (let tries = 1; tries < triesToRest && (await isWider()); tries++) await wait(restIntervalMs);
  return widthOf();
}

/** How often a page is looked at whose faults may be those of a screen that is still being drawn, and when again. */
const triesToRest = 10;
const restIntervalMs = 250;

const guidelines = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The shell’s parts around a screen. */
const shell = ['.mantine-AppShell-header', '.mantine-AppShell-navbar'];
/** The kinds of elements of shells, each as it was shown, that this process has checked. */
const checkedKinds = new Set<string>();

/** Runs in the page: how it is shown, and which kinds of elements the shell has, by all that is not a text or an id. */
const describeShell = `(shell) => {
  const { mantineColorScheme } = document.documentElement.dataset;
  const kindOf = (element) => [
    mantineColorScheme, innerWidth, element.tagName, element.getAttribute('class'), element.textContent === '',
    ...[...element.attributes].map(({ name, value }) => name + (value === '')),
  ].join(' ');
  const elements = document.querySelectorAll(shell.map((part) => part + ', ' + part + ' *').join());
  return [...new Set([...elements].map(kindOf))];
}`;

/**
 * Runs in the page: what axe finds. Its rule about spacing finds only properties that are important: where no element has
 * one, it would read the visible text of each element with a style for nothing, a sixth of the whole run.
 */
const findFaults = `async (context, rules) => {
  const isImportant = ({ style }) =>
    ['letter-spacing', 'word-spacing', 'line-height'].some((property) => style.getPropertyPriority(property) !== '');
  const hasFrame = document.querySelector('iframe') !== null;
  const hasSpacing = hasFrame || [...document.querySelectorAll('[style*="important" i]')].some(isImportant);
  const { violations } = await axe.run(context, {
    runOnly: rules,
    resultTypes: ['violations'],
    elementRef: true,
    ...(hasSpacing ? {} : { rules: { 'avoid-inline-spacing': { enabled: false } } }),
  });
  const markupOf = ({ element, target }) => element?.outerHTML.slice(0, 300) ?? target.join();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + markupOf(node) + '\\n' + node.failureSummary));
}`;

/**
 * Holds the page, as it is now, against WCAG 2.2 AA by axe; fails where there is a violation. The shell, which costs as
 * much as the screen in it, is left out where all its kinds of elements have been checked by these rules around another
 * screen, in the same colours and width; its landmarks themselves stay, beside which the screen’s have to be unique.
 *
 * @param rules ids of axe's rules or names of sets of them, for pages that are not ours in all
 */
export async function checkAccessibility(page: Page, screen: string, rules = guidelines): Promise<void> {
  // Through the debugger: the page's own policy refuses a script element with this text.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(loadAxe);
  const found = await page.evaluate<readonly string[]>(`(${describeShell})(${JSON.stringify(shell)})`);
  const kinds = found.map((kind) => `${rules} ${kind}`);
  const isChecked = kinds.every((kind) => checkedKinds.has(kind));
  const context = isChecked ? `{ exclude: ${JSON.stringify(shell.map((part) => [`${part} > *`]))} }` : 'document';
  const find = () => page.evaluate<readonly string[]>(`(${findFaults})(${context}, ${JSON.stringify(rules)})`);
  let faults = await find();
  // A dialog, for example, has no name until its title has been drawn: what is left once the page is at rest counts.
  for (let tries = 1; faults.length > 0 && tries < triesToRest; tries++) {
    await wait(restIntervalMs);
    faults = await find();
  }
  assert.deepEqual(faults, [], screen);
  for (const kind of kinds) checkedKinds.add(kind);
}
