import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnyOperation } from '@millrace/operations';
import { dashboardOperations, signedInOperations, visitorOperations } from './dashboard-contracts.ts';
import type { DashboardRole } from './http/dashboard-operation.ts';
import { newAddress, openBrowser, signInAs, type TestAnswer, type TestBrowser } from './http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService } from './http/testing.ts';

type Listed = AnyOperation & { readonly role: DashboardRole };

const prefix = '/api/dashboard/v1';
const operations: readonly Listed[] = signedInOperations;
const name = ({ method, path }: Listed) => `${method} ${path}`;

describe('every operation of the dashboard', () => {
  let service: TestService;
  let administrator: TestBrowser;
  let member: TestBrowser;
  before(async () => {
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1' });
    administrator = await signInAs(service, { role: 'administrator' });
    member = await signInAs(service, { role: 'member' });
  });
  after(() => service?.stop());

  /** Makes the call of an operation's first example. */
  function callExample(browser: TestBrowser, operation: Listed, headers = newAddress()): Promise<TestAnswer> {
    const [example] = operation.examples;
    const params = (example!.request.params ?? {}) as Readonly<Record<string, string>>;
    const path = operation.path.replaceAll(/:(\w+)/g, (_match, key: string) => encodeURIComponent(params[key] ?? ''));
    const query = new URLSearchParams((example!.request.query ?? {}) as Record<string, string>).toString();
    const address = `${path.slice(prefix.length)}${query === '' ? '' : `?${query}`}`;
    if (!operation.request.multipart) return browser.call(operation.method, address, example!.request.body, headers);
    const form = new FormData();
    for (const [key, value] of Object.entries(example!.request.form ?? {})) form.append(key, String(value));
    form.append(operation.request.multipart.file.name, new Blob([invoicePdf]), 'invoice.pdf');
    return browser.call(operation.method, address, form, headers);
  }

  test('stands below the dashboard’s own path', () => {
    for (const { path } of dashboardOperations) assert.ok(path.startsWith(`${prefix}/`), path);
  });

  test('refuses who is not signed in', async () => {
    const visitor = openBrowser(service.baseUrl, `millrace_dashboard=${'x'.repeat(43)}`);
    for (const operation of operations) {
      const { status, body, headers } = await callExample(visitor, operation);
      assert.deepEqual([status, body?.error], [401, { code: 'not_signed_in', message: 'Sign in.' }], name(operation));
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  test('that takes no session is known as such', () => {
    assert.deepEqual(
      visitorOperations.map(({ id }) => id),
      [
        'signIn',
        'requestPasswordReset',
        'resetPassword',
        'acceptInvitation',
        'findSignInProvider',
        'startProviderSignIn',
        'finishProviderSignIn',
      ],
    );
    assert.ok(operations.every(({ auth }) => auth === 'session'));
  });

  test('that writes refuses another site’s page, whoever is signed in', async () => {
    for (const operation of [...operations, ...visitorOperations].filter(({ method }) => method !== 'GET')) {
      const foreign = { ...newAddress(), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const { status, body } = await callExample(administrator, operation, foreign);
      assert.deepEqual([status, body?.error.code], [403, 'forbidden'], name(operation));
    }
  });

  test('that is for administrators refuses a member', async () => {
    const forAdministrators = operations.filter(({ role }) => role === 'administrator');
    assert.ok(forAdministrators.length > 8);
    for (const operation of forAdministrators) {
      const { status, body } = await callExample(member, operation);
      assert.deepEqual([status, body?.error.code], [403, 'forbidden'], name(operation));
    }
  });

  test('of an id says that there is none where it is another account’s', async () => {
    const ofIds = operations.filter(({ path }) => path.includes('/:'));
    assert.ok(ofIds.length > 8);
    for (const operation of ofIds) {
      const { status, body } = await callExample(administrator, operation);
      assert.deepEqual([status, body?.error.code], [404, 'not_found'], name(operation));
    }
  });

  test('that takes a body takes no other type than it says', async () => {
    for (const operation of operations.filter(({ request }) => request.body ?? request.multipart)) {
      const [example] = operation.examples;
      const params = (example!.request.params ?? {}) as Readonly<Record<string, string>>;
      const path = operation.path.replaceAll(/:(\w+)/g, (_match, key: string) => params[key] ?? '');
      const { status, body } = await administrator.call(operation.method, path.slice(prefix.length), 'x', {
        'content-type': 'text/plain',
      });
      assert.deepEqual([status, body?.error.code], [400, 'invalid_request'], name(operation));
    }
  });

  test('names the fields that are wrong', async () => {
    const { status, body } = await administrator.call('POST', '/keys', { name: '', rateLimitPerMinute: 0, role: 'x' });
    assert.equal(status, 400);
    assert.deepEqual(
      body.error.fields.map(({ path }: { path: string }) => path),
      ['name', 'rateLimitPerMinute', 'role'],
    );
    for (const { message } of body.error.fields) assert.match(message, /\.$/);
  });

  test('is answered under its own method alone, and an unknown path not at all', async () => {
    const wrong = await administrator.call('PUT', '/keys', {});
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, POST']);
    for (const path of ['/nothing', '/keys/a/b', '/nothing/%zz']) {
      const { status, body } = await administrator.call('GET', path);
      assert.deepEqual([status, body.error.code], [404, 'not_found'], path);
    }
  });
});
