import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addNode, type TestNode } from '@millrace/control/gateway-nodes/testing';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, withoutBrowser } from '@millrace/interface/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

suite('roll out revisions in the browser', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  let node: TestNode;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    tested = await startTestConsole();
    const organization = await tested.control.addOrganization('river-trade');
    administrator = await tested.control.addUser(organization, ['organization_administrator']);
    environmentId = (await post('/environments', { name: 'test', displayName: 'Test' })).id;
    await post('/target-servers', { environmentId, name: 'backend', scheme: 'http', host: '127.0.0.1', port: 9 });
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', protocol: 'rest' };
    proxyId = (await post('/proxies', { ...proxy, authScheme: 'api_key' })).id;
    await post(`/proxies/${proxyId}/routes`, route('/{orderId}'));
    await post(`/proxies/${proxyId}/revisions`, { note: 'First' });
    await deploy(1);
    await post(`/proxies/${proxyId}/routes`, route('/{orderId}/lines'));
    ({ page, problems } = await tested.open({ caller: administrator }));
  });
  after(() => tested?.stop());

  async function post(path: string, body: object = {}) {
    const { status, data } = await administrator.call('POST', path, body);
    assert.ok(status < 300, `POST ${path}: ${JSON.stringify(data)}`);
    return data;
  }
  const route = (pathPattern: string) => ({ method: 'GET', pathPattern, targetServer: 'backend' });
  const deploy = (revision: number, fields: object = {}) =>
    post('/deployments', { proxyId, environmentId, revision, ...fields });
  const serving = async (): Promise<readonly { id: string; revision: number; weight: number; state: string }[]> =>
    (await administrator.call('GET', `/deployments?serving=true&environmentId=${environmentId}`)).data.deployments;

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const goto = (path: string) => page.goto(`${tested.control.baseUrl}${path}`);

  test('Roll back on a deployment’s screen has the revision before serve again', async () => {
    const { id } = await deploy(2);
    await goto(`/deployments/${id}`);
    await button('Roll back').click();
    await button('Roll back', dialog('Roll back in test')).click();
    await heading('orders, revision 1');
    assert.deepEqual(
      (await serving()).map(({ revision, weight }) => [revision, weight]),
      [[1, 100]],
    );
    assert.equal((await administrator.call('GET', `/deployments/${id}`)).data.state, 'rolled_back');
  });

  test('Roll back on the deployments of an API proxy takes a canary back', async () => {
    await deploy(2, { strategy: 'canary', weight: 10 });
    await goto(`/proxies/${proxyId}/deployments`);
    await page.getByText('10 % of the calls').waitFor();
    await button('Roll back').first().click();
    await button('Roll back', dialog('Roll back in test?')).click();
    await dialog('Roll back in test?').waitFor({ state: 'detached' });
    assert.deepEqual(
      (await serving()).map(({ revision, weight }) => [revision, weight]),
      [[1, 100]],
    );
  });

  test('nothing went wrong that no user sees', () => {
    assert.deepEqual(problems, []);
  });
});
