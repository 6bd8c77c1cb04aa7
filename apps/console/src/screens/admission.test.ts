import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import {
  type Answer,
  addEnvironment,
  addProxy,
  Client,
  deploy,
  done,
  isLive,
  keyed,
  startNode,
  startTarget,
  type TestGatewayNode,
  type TestProxy,
  type TestTarget,
} from '@millrace/gateway/testing-platform';
import { withoutBrowser } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../../test/console.ts';

suite('admitting a consumer in the browser, and shutting it out, at a gateway', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let target: TestTarget;
  let node: TestGatewayNode;
  let proxy: TestProxy;
  let approver: TestCaller;
  let page: Page;
  let problems: readonly string[];
  let key: string;
  const client = new Client();

  before(async () => {
    [tested, target] = await Promise.all([startTestConsole(import.meta.filename), startTarget()]);
    const { control } = tested;
    const organization = await control.addOrganization('harbour-trade');
    const administrator = await control.addUser(organization, ['organization_administrator']);
    approver = await control.addUser(organization, ['organization_administrator']);
    const environmentId = await addEnvironment(administrator, target);
    const window = { unit: 'month', count: 1 };
    proxy = await addProxy(administrator, [keyed, { kind: 'quota', configuration: { limit: 1_000_000, window } }]);
    node = await startNode(administrator, control.baseUrl, environmentId);
    const { proxyId } = proxy;
    await isLive(administrator, await deploy(administrator, { proxyId, environmentId, revision: 1 }));
    const product = { name: 'orders', displayName: 'Orders', quota: { limit: 3, window } };
    const { id } = await done(administrator, 'POST', '/products', product);
    await done(administrator, 'PUT', `/products/${id}/proxies/${proxyId}`, {});
    await done(administrator, 'POST', `/products/${id}/publish`);
    ({ page, problems } = await tested.open({ caller: administrator }));
  });
  after(async () => {
    client.close();
    await node?.stop();
    target?.stop();
    await tested?.stop();
  });

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const shown = (text: string) => page.locator('#content').getByText(text, { exact: true }).first().waitFor();
  const section = (name: string) => page.getByRole('navigation', { name: /^Sections of/ }).getByRole('link', { name });
  const call = (headers: Record<string, string> = { 'x-api-key': key }): Promise<Answer> =>
    client.get(`${node.url}${proxy.basePath}/orders`, headers);

  test('a developer, an app and a credential are created', async () => {
    await page.goto(`${tested.control.baseUrl}/developers`);
    await button('Create developer').click();
    const register = dialog('Create developer');
    await register.getByLabel('Name').fill('Sam Example');
    await register.getByLabel('Email').fill('sam@example.com');
    await button('Create', register).click();
    await heading('Sam Example');
    await button('Create app').click();
    const app = dialog('Create app');
    await app.getByLabel('Display name').fill('Shop front end');
    await button('Create', app).click();
    await heading('Shop front end');
    await button('Issue credential').click();
    const issue = dialog('Issue credential');
    await issue.getByLabel('Name').fill('Production');
    await button('Issue', issue).click();
    await page.getByText('Anyone who has it can call as this app', { exact: true }).waitFor();
    key = (await page.locator('[data-secret]').textContent()) ?? '';
    await button('Done').click();
    await page.getByRole('cell', { name: 'Production', exact: true }).waitFor();

    assert.equal((await call({})).error, 'key_missing');
    const known = await eventually('the key to be known', async () => {
      const { status, error } = await call();
      return error === 'key_invalid' ? null : { status, error };
    });
    assert.deepEqual(known, { status: 403, error: 'not_subscribed' });
  });

  test('its subscription admits calls once another user approves it', async () => {
    await section('Subscriptions').click();
    await button('Subscribe to product').click();
    const subscribe = dialog('Subscribe to product');
    await subscribe.getByRole('combobox', { name: 'API product' }).click();
    await page.getByRole('option', { name: /^Orders/ }).click();
    await button('Subscribe', subscribe).click();
    await heading('Shop front end to Orders');
    await shown('Pending');
    assert.equal((await call()).error, 'not_subscribed');

    const { page: other, problems: others } = await tested.open({ caller: approver });
    await other.goto(`${tested.control.baseUrl}/subscriptions/queue`);
    await other.getByRole('button', { name: 'Approve Shop front end to Orders' }).click();
    await other.getByText('Nothing waits for approval.').waitFor();
    assert.deepEqual(others, []);
    await other.context().close();
  });

  test('its calls are admitted until the quota is used up', async () => {
    const first = await eventually('the first call to be admitted', async () => {
      const answer = await call();
      return answer.status === 200 ? answer : null;
    });
    const limitsOf = ({ headers }: Answer) => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    assert.deepEqual([first.path, ...limitsOf(first)], ['/revision-1', '3', '2']);
    assert.deepEqual(limitsOf(await call()), ['3', '1']);
    assert.deepEqual(limitsOf(await call()), ['3', '0']);
    const refused = await call();
    assert.deepEqual([refused.status, refused.error, ...limitsOf(refused)], [429, 'quota_exceeded', '3', '0']);
    const waitSeconds = Number(refused.headers['retry-after']);
    const resetSeconds = Number(refused.headers['x-ratelimit-reset']) - Date.now() / 1_000;
    assert.ok(waitSeconds > 0 && Math.abs(waitSeconds - resetSeconds) < 5, `${waitSeconds} s, ${resetSeconds} s`);
    assert.equal(target.seen.get(''), 3);

    await eventually('the page to show what was used', async () => {
      await page.reload();
      await shown('Approved');
      return (await page.getByText(/^\d of 3 \(\d+%\)$/).textContent()) === '3 of 3 (100%)';
    });
  });

  test('its key is accepted until it is revoked', async (context) => {
    await page.getByRole('link', { name: 'Shop front end', exact: true }).click();
    await button('Revoke Production').click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/revoke'));
    await button('Revoke', dialog('Revoke Production?')).click();
    assert.equal((await answered).status(), 200);
    const sinceMs = performance.now();
    const refused = await eventually('the key to be refused', async () => {
      const answer = await call();
      return answer.status === 401 ? answer : null;
    });
    const tookMs = performance.now() - sinceMs;
    context.diagnostic(`refused after ${Math.round(tookMs)} ms`);
    assert.equal(refused.error, 'key_invalid');
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
    await shown('Revoked');
  });

  test('no error occurred that users don’t see', () => {
    assert.deepEqual(problems, []);
  });
});
