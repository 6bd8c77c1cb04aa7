import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { register, type TestNode } from '@millrace/control/gateway-nodes/testing';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, visit, withoutBrowser } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../../../test/console.ts';

suite('run gateway nodes and deployments in the browser', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let target: Server;
  let administrator: TestCaller;
  let proxyId: string;
  let node: TestNode;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    target = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ asked: request.url }));
    }).listen(0, '127.0.0.1');
    tested = await startTestConsole(import.meta.filename);
    const organization = await tested.control.addOrganization('harbour-trade');
    administrator = await tested.control.addUser(organization, ['organization_administrator']);
    const environment = await post('/environments', { name: 'test', displayName: 'Test' });
    await post('/target-servers', {
      environmentId: environment.id,
      name: 'orders-backend',
      scheme: 'http',
      host: '127.0.0.1',
      port: (target.address() as AddressInfo).port,
    });
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', protocol: 'rest' };
    proxyId = (await post('/proxies', { ...proxy, authScheme: 'api_key' })).id;
    await post(`/proxies/${proxyId}/routes`, route('/{orderId}'));
    await post(`/proxies/${proxyId}/revisions`, { note: 'First' });
    await post('/deployments', { proxyId, environmentId: environment.id, revision: 1 });
    // What serves is never changed: this cuts revision 2.
    await post(`/proxies/${proxyId}/routes`, route('/{orderId}/lines'));
    ({ page, problems } = await tested.open({ caller: administrator }));
  });
  after(async () => {
    await tested.stop();
    target.closeAllConnections();
    await new Promise((done) => target.close(done));
  });

  async function post(path: string, body: object = {}) {
    const { status, data } = await administrator.call('POST', path, body);
    assert.ok(status < 300, `POST ${path}: ${JSON.stringify(data)}`);
    return data;
  }
  const route = (pathPattern: string) => ({ method: 'GET', pathPattern, targetServer: 'orders-backend' });

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const shown = (text: string) => page.locator('#content').getByText(text, { exact: true }).first().waitFor();
  const goto = (path: string) => visit(page, `${tested.control.baseUrl}${path}`);
  const choose = async (field: Locator, option: string | RegExp) => {
    await field.click();
    await page.getByRole('option', { name: option }).click();
  };

  test('a node is registered, with the command that starts it', async () => {
    await goto('/gateway-nodes');
    await page.getByText('No gateway nodes yet.').waitFor();
    await button('Create gateway node').click();
    const form = dialog('Create gateway node');
    await choose(form.getByRole('combobox', { name: 'Environment' }), 'Test');
    await form.getByLabel('Name').fill('frankfurt-1');
    await button('Create', form).click();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.match(token, /^mrr_/);
    await page.locator('[data-command]').getByText(`MILLRACE_GATEWAY_TOKEN=${token} npm run start:gateway`).waitFor();
    await checkAccessibility(page, 'a registration token');
    await button('Done').click();
    await heading('frankfurt-1');
    await shown('It has not registered yet.');
    node = await register(tested.control, token, 'frankfurt-1');
    await node.load();
    await shown('Healthy');
    await page.getByRole('button', { name: 'Calls per second 10.5' }).waitFor();
  });

  test('its screen follows what it reports: load, targets, rejected configurations', async () => {
    const { data } = await node.call('GET', '/gateway/configuration');
    const refuse = () =>
      node.beat({
        configuration: { sequence: 1, hash: data.configuration.hash },
        refused: { sequence: 2, reason: 'The revision of orders is not whole.' },
        targets: [
          { name: 'orders-backend', endpoint: '127.0.0.1:8080', state: 'healthy' },
          { name: 'orders-backend', endpoint: '127.0.0.1:8081', state: 'open' },
        ],
      });
    await refuse();
    await page.getByText('The revision of orders is not whole.').first().waitFor();
    await page.getByRole('row', { name: /127\.0\.0\.1:8081 Circuit open/ }).waitFor();
    await shown('Degraded');
    await checkAccessibility(page, 'a degraded node');

    await page.locator('#content').getByRole('link', { name: 'Test', exact: true }).click();
    await heading('Test');
    await refuse();
    const alert = page.getByRole('alert', { name: 'A gateway node rejects changes' });
    await alert.getByText('The revision of orders is not whole.').waitFor();
    await checkAccessibility(page, 'an environment whose node refuses changes');
    await page.goBack();
    await node.load();
    await shown('Healthy');
  });

  test('it is drained and resumed, and can’t be deleted while it reports', async () => {
    const remove = button('Delete');
    assert.equal(await remove.getAttribute('aria-disabled'), 'true');
    await button('Drain').click();
    await button('Drain', dialog('Drain frankfurt-1?')).click();
    await shown('Draining');
    assert.equal((await node.beat()).data.drain, 'draining');
    await button('Resume').click();
    await button('Drain').waitFor();
    await node.load();
    await shown('Healthy');
  });

  test('a second token rotates the first', async () => {
    await button('Rotate token').click();
    await button('Rotate token', dialog('Rotate the token of frankfurt-1?')).click();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.match(token, /^mrr_/);
    await button('Done').click();
    node = await register(tested.control, token, 'frankfurt-1');
    await node.load();
  });

  test('its token is revoked at once, and a new one restores its access', async () => {
    await button('Revoke token').click();
    const confirm = dialog('Revoke the token of frankfurt-1?');
    await checkAccessibility(page, 'the revocation of a token');
    await button('Revoke token', confirm).click();
    await confirm.waitFor({ state: 'detached' });
    await shown('Offline');
    await page
      .getByText('Its token was revoked. Start it with a new registration token, or stop it.')
      .first()
      .waitFor();
    assert.equal((await node.beat()).status, 401);
    assert.equal((await node.call('GET', '/gateway/configuration')).status, 401);
    assert.equal(await button('Revoke token').getAttribute('aria-disabled'), 'true');
    await button('New registration token').click();
    await button('New registration token', dialog('Create a registration token?')).click();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    await button('Done').click();
    node = await register(tested.control, token, 'frankfurt-1');
    await node.load();
    await shown('Healthy');
  });

  test('a canary is deployed with a budget, and is live once the node has loaded it', async () => {
    await goto(`/proxies/${proxyId}/deployments`);
    await button('Deploy to Test').click();
    const form = dialog('Deploy to Test');
    await form.getByText('GET /{orderId}/lines').first().waitFor();
    await form.getByLabel('Canary: a share of the calls').check();
    await form.getByLabel('Share of calls (percent)').fill('30');
    await form.getByLabel('Error rate increase').fill('7');
    await checkAccessibility(page, 'a canary’s form');
    await button('Deploy', form).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Revision 2', exact: true }).click();
    await heading('orders, revision 2');
    await shown('Rolling out');
    await page.getByText('more than 7 percentage points higher').waitFor();
    await page.getByRole('row', { name: /frankfurt-1 .*It has not loaded the configuration yet\./ }).waitFor();
    await node.load();
    await shown('Live');
    await page.getByText('1 of 1 reporting nodes have loaded it.').waitFor();
    await checkAccessibility(page, 'a canary');
  });

  test('traffic is split with the keyboard, to exactly 100 percent', async () => {
    await button('Split traffic').click();
    const form = dialog('Traffic of orders in test');
    const canary = form.getByRole('slider', { name: 'Revision 2' });
    assert.equal(await canary.getAttribute('aria-valuetext'), '30 %');
    await canary.focus();
    for (let pressed = 0; pressed < 10; pressed++) await page.keyboard.press('ArrowRight');
    await canary.and(page.locator('[aria-valuetext="40 %"]')).waitFor();
    assert.equal(await button('Save', form).isDisabled(), true);
    await form.getByText('Total: 110 %. It has to be 100 %.').waitFor();
    await form.getByLabel('Revision 1, in percent').fill('50');
    await form.getByText('Total: 90 %. It has to be 100 %.').waitFor();
    await checkAccessibility(page, 'a split of the traffic');
    await button('Set to 60 %', form).click();
    await button('Save', form).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Canary, 40 % of calls').waitFor();
  });

  test('it is compared with the stable deployment, and rolled back automatically when its budget is spent', async () => {
    const { data } = await administrator.call('GET', '/deployments?serving=true');
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const counted = (revision: number, requests: number, errors: number, bucket: number) => ({
      minute,
      deploymentId: data.deployments.find((deployment: { revision: number }) => deployment.revision === revision).id,
      requests,
      status2xx: requests - errors,
      status3xx: 0,
      status4xx: 0,
      status5xx: errors,
      latency: [bucket, requests],
    });
    const stream = { streamId: `usb_${'a'.repeat(26)}`, traffic: [], routes: [], metered: [] };
    const report = (sequence: number, deployments: object[]) =>
      node.call('POST', '/gateway/usage', { ...stream, sequence, deployments });
    assert.equal((await report(0, [counted(1, 900, 9, 180), counted(2, 90, 0, 200)])).status, 200);
    await page.getByRole('row', { name: /1 \(stable\) 60 % .* 900 9 1%/ }).waitFor();
    await page.getByRole('row', { name: /2 \(canary\) 40 % .* 90 0 0% .*slower/ }).waitFor();
    assert.equal((await report(1, [counted(2, 60, 40, 200)])).status, 200);
    await page.getByRole('alert').filter({ hasText: 'Rolled back automatically' }).waitFor();
    await shown('Rolled back');
  });

  test('a request is traced step by step', async () => {
    await goto(`/proxies/${proxyId}/policies`);
    await page
      .getByRole('navigation', { name: 'Sections of the API proxy' })
      .getByRole('link', { name: 'Trace' })
      .click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/42/lines');
    await page.getByLabel('Headers').fill('no header');
    await page.getByText('Write line 1 as name: value.').waitFor();
    await page.getByLabel('Headers').fill('accept: application/json');
    await button('Send').click();
    await page.getByRole('listitem').filter({ hasText: 'orders-backend' }).getByText('200').waitFor();
    await page.getByText(/"asked": ".*\/42\/lines"/).waitFor();
    await checkAccessibility(page, 'a trace');
    await choose(page.getByRole('combobox', { name: 'Revision' }), /^Revision 1/);
    await button('Send').click();
    await page.getByText('None matched').waitFor();
  });

  test('a trace shows where the request was rejected, and which steps were skipped', async () => {
    await post(`/proxies/${proxyId}/policies`, { kind: 'verify-api-key', name: 'Keys', flow: 'request' });
    const masking = { rules: [{ detector: 'card' }] };
    await post(`/proxies/${proxyId}/policies`, {
      kind: 'data-masking',
      name: 'Cards',
      flow: 'response',
      configuration: masking,
    });
    await choose(page.getByRole('combobox', { name: 'Revision' }), /working copy/i);
    await button('Send').click();
    const step = (name: string) => page.locator('li[data-end]').filter({ hasText: name });
    await step('Keys').getByText('Refused', { exact: true }).waitFor();
    for (const name of ['Target server', 'Cards']) await step(name).getByText('Skipped', { exact: true }).waitFor();
    assert.equal(await step('Keys').getAttribute('data-end'), 'refused');
    assert.equal(await step('Cards').getAttribute('data-end'), 'skipped');
    const marker = (name: string) =>
      step(name).evaluate((element) => {
        const { backgroundColor, borderRadius, borderTopWidth } = getComputedStyle(element, '::before');
        return [backgroundColor, borderRadius, borderTopWidth].join();
      });
    assert.notEqual(await marker('Keys'), await marker('Cards'));
    await checkAccessibility(page, 'a trace of a refused request');
  });

  test('a target server gets a second host and a TLS server name', async () => {
    await goto('/target-servers');
    await page.getByRole('link', { name: 'orders-backend' }).click();
    await button('Edit').click();
    const form = dialog('Edit target server');
    await choose(form.getByRole('combobox', { name: 'Scheme' }), 'https');
    await button('Add host', form).click();
    await form.getByRole('group', { name: 'host 1' }).getByLabel('Host').fill('not a host');
    await form.getByText('TLS settings').click();
    await form.getByLabel('Server name').fill('orders.example');
    await checkAccessibility(page, 'a target server’s form');
    await button('Save', form).click();
    await form
      .getByRole('group', { name: 'host 1' })
      .getByLabel('Host')
      .and(page.locator('[aria-invalid="true"]:focus'))
      .waitFor();
    await form.getByRole('group', { name: 'host 1' }).getByLabel('Host').fill('orders-b.example');
    await button('Save', form).click();
    await form.waitFor({ state: 'detached' });
    await shown('orders.example');
    await page.getByText(/https:\/\/orders-b\.example:\d+/).waitFor();
  });

  test('no error went unseen', () => {
    assert.deepEqual(problems, []);
  });
});
