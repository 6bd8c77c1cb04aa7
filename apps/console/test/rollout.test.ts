import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addNode, type TestNode } from '@millrace/control/gateway-nodes/testing';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, visit, withoutBrowser } from '@millrace/ui/testing';
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
    tested = await startTestConsole(import.meta.filename);
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
  const goto = (path: string) => visit(page, `${tested.control.baseUrl}${path}`);

  test('Roll back on a deployment’s screen makes the previous revision live again', async () => {
    const { id } = await deploy(2);
    await goto(`/deployments/${id}`);
    await button('Roll back').click();
    await button('Roll back', dialog('Roll back in test?')).click();
    await heading('orders, revision 1');
    assert.deepEqual(
      (await serving()).map(({ revision, weight }) => [revision, weight]),
      [[1, 100]],
    );
    assert.equal((await administrator.call('GET', `/deployments/${id}`)).data.state, 'rolled_back');
  });

  test('Roll back on an API proxy’s deployments tab ends a canary', async () => {
    await deploy(2, { strategy: 'canary', weight: 10 });
    await goto(`/proxies/${proxyId}/deployments`);
    await page.getByText('10 %', { exact: true }).waitFor();
    await button('Roll back').first().click();
    await button('Roll back', dialog('Roll back in test?')).click();
    await dialog('Roll back in test?').waitFor({ state: 'detached' });
    assert.deepEqual(
      (await serving()).map(({ revision, weight }) => [revision, weight]),
      [[1, 100]],
    );
  });

  test('a deployment without a gateway node waits, and every screen shows it', async () => {
    const [waiting] = await serving();
    assert.equal(waiting?.state, 'pending');
    await goto(`/deployments/${waiting.id}`);
    await page.getByText('Waiting for gateway nodes', { exact: true }).waitFor();
    await page.getByText('Waiting for a gateway node: none is registered in this environment').waitFor();
    await checkAccessibility(page, 'a deployment that waits');
    await goto('/');
    await page.getByText('1 not live yet').waitFor();
    await goto(`/environments/${environmentId}`);
    await page.getByRole('row', { name: /^orders 1 Waiting for gateway nodes 100 %/ }).waitFor();
    await goto(`/proxies/${proxyId}/deployments?deploy=${environmentId}`);
    await dialog('Deploy to Test').getByText('No gateway node is registered in test: the deployment waits').waitFor();
    node = await addNode(tested.control, administrator, environmentId);
    await goto(`/deployments/${waiting.id}`);
    await page.getByText('Waiting for gateway nodes', { exact: true }).waitFor();
    await node.load();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('1 of 1 reporting nodes').waitFor();
  });

  test('draining or deleting the last node names the consequence for callers', async () => {
    await goto(`/gateway-nodes/${node.id}`);
    await button('Drain').click();
    await dialog(`Drain ${node.name}`).getByText(`${node.name} is the only node of Test`).waitFor();
    await dialog(`Drain ${node.name}`).getByText('Callers of Test get no answer until it is resumed').waitFor();
    await checkAccessibility(page, 'draining the only node');
    await page.keyboard.press('Escape');

    const second = await addNode(tested.control, administrator, environmentId);
    await goto(`/gateway-nodes/${node.id}`);
    await button('Drain').click();
    await dialog(`Drain ${node.name}`).getByText('No other node of Test serves').waitFor();
    await page.keyboard.press('Escape');
    await second.load();
    await goto(`/gateway-nodes/${node.id}`);
    await button('Drain').click();
    await dialog(`Drain ${node.name}`).getByText(`One other node of Test serves its callers`).waitFor();
    await page.keyboard.press('Escape');

    const { system } = tested.control.opened.database;
    await system
      .updateTable('gateway_nodes')
      .set({ last_heartbeat_at: new Date(Date.now() - 120_000) })
      .where('id', 'in', [node.id, second.id])
      .execute();
    // Loaded: the console takes what it read of the nodes a moment ago for current.
    await page.goto(`${tested.control.baseUrl}/gateway-nodes/${second.id}`);
    await button('Delete').click();
    await dialog(`Delete ${second.name}`)
      .getByText('Callers of Test get no answer until another node serves')
      .waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await administrator.call('DELETE', `/gateway-nodes/${second.id}`)).status, 200);
    await node.load();
  });

  test('a canary by callers is split by requests instead, and the measured split stands beside the weights', async () => {
    await goto(`/proxies/${proxyId}/deployments`);
    await button('Deploy to Test').click();
    const form = dialog('Deploy to Test');
    await form.getByRole('combobox', { name: 'Revision' }).click();
    await page.getByRole('option', { name: /^2/ }).click();
    await form.getByLabel('Canary: a share of the calls').check();
    assert.equal(await form.getByLabel('Requests', { exact: true }).isChecked(), true);
    await form.getByLabel('Callers', { exact: true }).check();
    await checkAccessibility(page, 'a canary’s form');
    await button('Deploy', form).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Revision 2', exact: true }).click();
    await page.getByText('Canary, 10 % of callers').waitFor();
    await button('Split traffic').click();
    const traffic = dialog('Traffic of orders in test');
    assert.equal(await traffic.getByLabel('Callers', { exact: true }).isChecked(), true);
    await traffic.getByLabel('Requests', { exact: true }).check();
    await checkAccessibility(page, 'a split of the traffic');
    await button('Save', traffic).click();
    await traffic.waitFor({ state: 'detached' });
    await page.getByText('Canary, 10 % of calls').waitFor();

    const { system } = tested.control.opened.database;
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    await system
      .updateTable('deployments')
      .set({ split_since: new Date(minute.getTime() - 1_000) })
      .where('proxy_id', '=', proxyId)
      .execute();
    const counted = (await serving()).map(({ id, revision }) => ({
      minute: minute.toISOString(),
      deploymentId: id,
      requests: revision === 1 ? 176 : 24,
      status2xx: revision === 1 ? 176 : 24,
      status3xx: 0,
      status4xx: 0,
      status5xx: 0,
      latency: [180, revision === 1 ? 176 : 24],
    }));
    const stream = { streamId: `usb_${'c'.repeat(26)}`, sequence: 0, traffic: [], routes: [], metered: [] };
    const batch = { ...stream, deployments: counted };
    assert.equal((await node.call('POST', '/gateway/usage', batch)).status, 200);
    await page.getByRole('row', { name: /^1 \(stable\) 90 % 88% 176 calls/ }).waitFor();
    await page.getByRole('row', { name: /^2 \(canary\) 10 % 12% 24 calls/ }).waitFor();
    await checkAccessibility(page, 'a measured split');
  });

  test('the chosen organization stands in the address', async () => {
    const { control } = tested;
    const platform = await control.addOrganization('mill-wardens');
    const superAdmin = await control.addUser(platform, ['super_admin']);
    await using opened = await tested.open({ caller: superAdmin });
    const own = opened.page;
    const organizationOf = (name: string, of: Page = own) =>
      of.getByRole('button', { name: `Organization ${name}: choose another` }).waitFor();
    await own.goto(control.baseUrl);
    await own.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    await checkAccessibility(own, 'choosing an organization');
    await own
      .getByRole('region', { name: 'Table of organizations' })
      .getByRole('link', { name: 'river-trade' })
      .click();
    await organizationOf('river-trade');
    await own.getByRole('link', { name: 'Target servers', exact: true }).click();
    await own.getByRole('link', { name: 'backend', exact: true }).click();
    await own.getByRole('heading', { level: 1, name: 'backend' }).waitFor();
    const shared = new URL(own.url());
    assert.match(shared.pathname, new RegExp(`^/o/${administrator.organizationId}/target-servers/tgt_`));
    await own.reload();
    await own.getByRole('heading', { level: 1, name: 'backend' }).waitFor();
    await organizationOf('river-trade');

    const tab = await own.context().newPage();
    await tab.goto(`${control.baseUrl}/target-servers`);
    await organizationOf('mill-wardens', tab);
    await tab.getByText('There are no target servers yet.').waitFor();
    await own.reload();
    await organizationOf('river-trade');
    await tab.close();
    await own.getByRole('button', { name: /^Organization river-trade/ }).click();
    await own.getByRole('menuitem', { name: 'mill-wardens' }).click();
    await organizationOf('mill-wardens');
    await own.goBack();
    await organizationOf('river-trade');
    await own.getByRole('heading', { level: 1, name: 'backend' }).waitFor();

    await own.goto(`${control.baseUrl}/o/org_${'0'.repeat(26)}/target-servers`);
    await own.getByRole('heading', { name: 'Organization not available' }).waitFor();
    await checkAccessibility(own, 'an organization that is not available');
    await using stranger = await tested.open({ caller: await control.addUser(platform, ['auditor']) });
    await stranger.page.goto(shared.href);
    await stranger.page.getByRole('heading', { name: 'Organization not available' }).waitFor();
    await stranger.page.getByRole('link', { name: 'Go to your own organization' }).click();
    await stranger.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a link into an organization survives the sign-in', async () => {
    const { control } = tested;
    const [email, password] = ['keeper@example.com', 'seven copper lanterns'];
    await post('/users', { name: 'Kit Keeper', email, password, roleIds: ['developer'] });
    await using opened = await tested.open();
    const { page: visitor } = opened;
    const address = `${control.baseUrl}/o/${administrator.organizationId}/target-servers?sort=-name`;
    await visitor.goto(address);
    await visitor.getByLabel('E-mail address').fill(email);
    await visitor.getByLabel('Password', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    await visitor.getByRole('link', { name: 'backend', exact: true }).waitFor();
    assert.equal(visitor.url(), address);
  });

  test('a consumer sees that the console is for operators, who to ask, and the way out', async () => {
    const consumer = await tested.control.addUser(administrator.organizationId, ['api_consumer']);
    await using opened = await tested.open({ caller: consumer });
    for (const path of ['/', '/proxies']) {
      await visit(opened.page, `${tested.control.baseUrl}${path}`);
      await opened.page.getByRole('heading', { level: 1, name: 'This console is for operators' }).waitFor();
    }
    await opened.page.getByText('with the role API Consumer').waitFor();
    await opened.page.getByText('ask an administrator of river-trade').waitFor();
    await checkAccessibility(opened.page, 'a console without permissions');
    await opened.page.getByRole('link', { name: 'Your account' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await opened.page.goBack();
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    await opened.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(opened.problems, []);
  });

  test('a role offers the permissions that operations ask for, and shows which it has', async () => {
    const held = await post('/roles', { name: 'Early bird', permissions: ['proxy.read', 'incident.read'] });
    await goto(`/roles/${held.id}`);
    await heading('Early bird');
    const incident = page.getByRole('group', { name: 'Incident' });
    assert.equal(await incident.getByLabel('read').isChecked(), true);
    assert.equal(await incident.getByLabel('write').isChecked(), false);
    await goto('/roles');
    await page.getByRole('button', { name: /role/i }).first().click();
    const form = page.getByRole('dialog');
    for (const subject of ['Proxy', 'Alert', 'Incident', 'Integration', 'Analytics']) {
      await form.getByRole('group', { name: subject }).waitFor();
    }
  });

  test('no error went unseen', () => {
    assert.deepEqual(problems, []);
  });
});
