import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openTestPortal, type TestPortal, type TestPortalUser } from '@millrace/control/portal/users/testing';
import { portalOperations } from '@millrace/control/portal-contracts';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import { done } from '@millrace/gateway/testing-platform';
import { OperationCalls } from '@millrace/ui/operation-calls-testing';
import { startTestBrowser, type TestWindow } from '@millrace/ui/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { buildPortal } from '../build.ts';
import { addApis, startOrders, type TestApis, type TestTarget } from './scenario.ts';

/** The operations that pages under test call, for `uncalled-operations.test.ts`. */
export const operationCalls = new OperationCalls('portal', portalOperations);

/** The built portal of an organization, with its APIs behind a real gateway, in a real browser. */
export interface RunningPortal {
  readonly control: TestControl;
  readonly portal: TestPortal;
  /** Of the organization. */
  readonly administrator: TestCaller;
  readonly apis: TestApis;
  readonly target: TestTarget;
  /** Where the portal begins. */
  readonly baseUrl: string;
  readonly mailFolder: string;
  /** A developer account that gateway nodes know; its id. */
  addDeveloper(): Promise<string>;
  /** Opens a new window, signed in as the user if one is given. */
  open(user?: TestPortalUser | null, options?: BrowserContextOptions): Promise<TestWindow>;
  stop(): Promise<void>;
}

/**
 * Builds the portal if it isn't built, and starts what it needs; stop it in the suite's `after()`.
 *
 * @param file the test file, as `import.meta.filename`
 */
export async function startPortal(file: string): Promise<RunningPortal> {
  operationCalls.ranIn(file);
  await buildPortal();
  await using started = new AsyncDisposableStack();
  const control = await startTestControl();
  started.defer(() => control.stop());
  const target = await startOrders();
  started.defer(() => target.stop());
  const portal = await openTestPortal(control);
  const administrator = await control.addUser(portal.organizationId, ['organization_administrator']);
  const apis = await addApis(administrator, control.baseUrl, target);
  started.defer(() => apis.stop());
  const browser = await startTestBrowser(operationCalls);
  started.defer(() => browser.close());
  const stack = started.move();
  return {
    control,
    portal,
    administrator,
    apis,
    target,
    baseUrl: `${control.baseUrl}/portal/${portal.name}`,
    mailFolder: join(control.dataDirectory, 'mail'),
    addDeveloper: async () => {
      const body = { email: `${randomUUID()}@example.com`, name: 'Robin Doe', company: 'Example Shops' };
      return (await done(administrator, 'POST', '/developers', body)).id;
    },
    open: (user = null, options = {}) => {
      const [name, value] = user?.cookie.split('=') ?? [];
      return browser.open(control.baseUrl, name && value ? { [name]: value } : {}, options);
    },
    stop: () => stack.disposeAsync(),
  };
}
