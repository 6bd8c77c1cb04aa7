import { operations } from '@millrace/control/contracts';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import { OperationCalls } from '@millrace/ui/operation-calls-testing';
import { startTestBrowser, type TestWindow } from '@millrace/ui/testing';
import { buildConsole } from '../build.ts';

/** The operations that pages under test call, for `uncalled-operations.test.ts`. */
export const operationCalls = new OperationCalls('console', operations);

/** The built console on a new management API, in a real browser. */
export interface TestConsole {
  readonly control: TestControl;
  /** Opens a new window, signed in as the caller if one is given. */
  open(options?: { readonly caller?: TestCaller }): Promise<TestWindow>;
  stop(): Promise<void>;
}

/**
 * Builds the console if it isn't built, and starts what it needs; stop it in the suite's `after()`.
 *
 * @param file the test file, as `import.meta.filename`
 * @param environment settings of the management API that differ from its tests' own
 */
export async function startTestConsole(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestConsole> {
  operationCalls.ranIn(file);
  await buildConsole();
  await using started = new AsyncDisposableStack();
  const control = await startTestControl(environment);
  started.defer(() => control.stop());
  const browser = await startTestBrowser(operationCalls);
  started.defer(() => browser.close());
  const stack = started.move();
  return {
    control,
    open: ({ caller } = {}) => browser.open(control.baseUrl, caller && { millrace_session: caller.sessionToken }),
    stop: () => stack.disposeAsync(),
  };
}
