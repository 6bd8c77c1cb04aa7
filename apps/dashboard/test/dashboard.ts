import { dashboardOperations } from '@millrace/extraction/dashboard-contracts';
import { signInAs, type TestBrowser as TestSession } from '@millrace/extraction/dashboard-testing';
import { startTestService, type TestService } from '@millrace/extraction/testing';
import { OperationCalls } from '@millrace/ui/operation-calls-testing';
import { startTestBrowser, type TestWindow } from '@millrace/ui/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { buildDashboard } from '../build.ts';

/** What the pages of every test file call, for `uncalled-operations.test.ts`. */
export const operationCalls = new OperationCalls('dashboard', dashboardOperations);

/** The built dashboard on a fresh service, with its engine, in a real browser. */
export interface TestDashboard {
  readonly service: TestService;
  /** Adds a member or an administrator to the account, or to that given, and signs them in. */
  signIn(user?: Partial<Parameters<typeof signInAs>[1]>): ReturnType<typeof signInAs>;
  /** A window of its own, signed in by the session where one is given. */
  open(session?: TestSession | null, options?: BrowserContextOptions): Promise<TestWindow>;
  stop(): Promise<void>;
}

/**
 * Builds the dashboard where it is not, and starts what it needs; to be stopped in the suite's `after()`.
 *
 * @param file the test file, as `import.meta.filename`
 * @param environment settings of the service that differ from its tests' own
 */
export async function startTestDashboard(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestDashboard> {
  operationCalls.ranIn(file);
  await buildDashboard();
  await using started = new AsyncDisposableStack();
  const service = await startTestService(environment);
  started.defer(() => service.stop());
  const browser = await startTestBrowser(operationCalls);
  started.defer(() => browser.close());
  const stack = started.move();
  return {
    service,
    signIn: (user = {}) => signInAs(service, { role: 'administrator', ...user }),
    open: (session = null, options = {}) => {
      const [name, value] = session?.cookie().split('=') ?? [];
      const cookies = name && value ? { [name]: value } : {};
      return browser.open(service.baseUrl, cookies, options);
    },
    stop: () => stack.disposeAsync(),
  };
}
