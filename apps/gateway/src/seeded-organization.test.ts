import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService as startControl } from '@millrace/control/service';
import { eventually } from '@millrace/eventually';
import { createLogger } from '@millrace/logs';
import { openTestDatabase } from '@millrace/postgres/testing';
import { readSettings as readControlSettings } from '@millrace/settings/control';
import { readSettings } from '@millrace/settings/gateway';
import { startService } from './service.ts';
import { done, type Manager, nodeEnvironment } from './testing-platform.ts';

/** Pages of the document that the test sends; the plan of the demo includes 100. */
const pages = 150;

test('pages of a call through the gateway are billed by the demo’s extraction plan', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-seeded-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const extraction = createServer((incoming, answer) => {
    incoming.resume();
    answer.writeHead(200, { 'content-type': 'application/json', 'x-millrace-pages': String(pages) });
    answer.end('{"fields": []}');
  });
  extraction.listen(0, '127.0.0.1');
  await once(extraction, 'listening');
  stack.defer(() => void extraction.close());
  const opened = await openTestDatabase({});
  stack.defer(() => opened.close());

  const logger = createLogger('fatal', { write: () => true });
  const { settings: controlSettings } = readControlSettings({
    DATABASE_URL: opened.url,
    MILLRACE_DATA_DIR: join(folder, 'control'),
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  });
  const extractionUrl = `http://127.0.0.1:${(extraction.address() as AddressInfo).port}`;
  const installation = Promise.resolve({ extractionUrl, extractionKey: 'mlr_test' });
  const control = await startControl({ settings: controlSettings, logger, installation });
  stack.defer(() => control.stop());
  const demo = control.demoSeed!;
  const registrationToken = await demo.registrationToken;
  const { settings } = readSettings({
    ...nodeEnvironment(control.address, join(folder, 'gateway')),
    MILLRACE_GATEWAY_TOKEN: registrationToken!,
  });
  const gateway = await startService({ settings, logger });
  stack.defer(() => gateway.stop());
  const { key, basePath } = (await demo.finished)!;

  const owner = await signIn(control.address, 'admin@acme.example', demo.password);
  const { periods } = await done(owner, 'GET', '/billing/periods?state=open');
  const [{ id: subscriptionId }] = (await done(owner, 'GET', '/subscriptions')).subscriptions;
  const metered = async () => (await done(owner, 'GET', `/subscriptions/${subscriptionId}/usage`)).total.requests;
  const billed = async (): Promise<number> => {
    const { invoices } = await done(owner, 'POST', `/billing/periods/${periods[0].id}/preview`, {});
    const lines: readonly { readonly charge: string | null; readonly quantity: string }[] = invoices[0].lines;
    return lines.filter(({ charge }) => charge === 'pages').reduce((sum, { quantity }) => sum + Number(quantity), 0);
  };
  /** Sends a document, and waits until its call is metered; the header that states its pages. */
  const extract = async () => {
    const before = await metered();
    const { headers } = await eventually('the extraction API to be served', async () => {
      const init = { method: 'POST', headers: { 'x-api-key': key }, body: 'A document' };
      const answer = await fetch(`${gateway.address}${basePath}/extract`, init);
      await answer.arrayBuffer();
      return answer.status === 200 && answer;
    });
    await eventually('the call to be metered', async () => (await metered()) === before + 1);
    return headers.get('x-millrace-pages');
  };
  assert.equal(await extract(), String(pages), 'callers see what they are charged for');
  const billedFirst = await billed();
  assert.ok(billedFirst >= pages - 100, `${billedFirst} pages`);
  await extract();
  assert.equal(await billed(), billedFirst + pages);
  const { terms } = await done(owner, 'GET', `/billing/periods/${periods[0].id}`);
  assert.deepEqual([terms[0].notMetered, terms[0].unexplained], [0, 0]);
});

async function signIn(controlUrl: string, email: string, password: string): Promise<Manager> {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${controlUrl}/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: unknown };
    return { status: response.status, data, headers: response.headers };
  };
  const { headers } = await call('POST', '/auth/login', { email, password });
  const cookie = headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
  return { call: (method, path, body) => call(method, path, body, { cookie }) };
}
