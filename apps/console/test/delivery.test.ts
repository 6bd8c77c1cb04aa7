import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate } from './operator.ts';

suite('where APIs run, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  const environmentOf = (operator: Operator) =>
    operator.post('/environments', { name: 'staging', displayName: 'Staging' });

  /** A proxy with two revisions: the first serves in the environment. */
  async function deployedOf(operator: Operator) {
    const { id: environmentId } = await environmentOf(operator);
    const target = { environmentId, name: 'orders-backend', scheme: 'http', host: '127.0.0.1', port: 9 };
    await operator.post('/target-servers', target);
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', protocol: 'rest' };
    const { id: proxyId } = await operator.post('/proxies', { ...proxy, authScheme: 'api_key' });
    for (const [index, pathPattern] of ['/{orderId}', '/latest'].entries()) {
      const route = { method: 'GET', pathPattern, targetServer: 'orders-backend' };
      await operator.post(`/proxies/${proxyId}/routes`, route);
      await operator.post(`/proxies/${proxyId}/revisions`, { note: `Number ${index + 1}` });
    }
    await operator.post('/deployments', { proxyId, environmentId, revision: 1 });
    return { proxyId, environmentId };
  }
  const servingOf = async (operator: Operator, proxyId: string) => {
    const { deployments } = await operator.get(`/deployments?proxyId=${proxyId}&serving=true&sort=revision`);
    return deployments.map(({ revision, weight }: { revision: number; weight: number }) => [revision, weight]);
  };

  test('an environment is changed, and a variable of it set, changed and removed', () =>
    operate(running, async (operator) => {
      const { id } = await environmentOf(operator);
      const variables = async () => (await operator.get(`/environments/${id}/variables`)).variables;
      await operator.goto(`/environments/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit environment').getByLabel('Display name').fill('Staging in Frankfurt');
      await operator.dialog('Edit environment').getByLabel('Description').fill('Before production.');
      await operator.send('Edit environment', 'Save');
      await operator.heading('Staging in Frankfurt');
      assert.equal((await operator.get(`/environments/${id}`)).description, 'Before production.');

      await operator.press('Add variable');
      await operator.dialog('Add variable').getByLabel('Name').fill('REGION');
      await operator.dialog('Add variable').getByLabel('Value').fill('eu-central');
      await operator.send('Add variable', 'Save');
      await operator.press('Edit REGION');
      await operator.dialog('Edit REGION').getByLabel('Value').fill('eu-west');
      await operator.send('Edit REGION', 'Save');
      await operator.shown('eu-west');
      assert.equal((await variables())[0].value, 'eu-west');
      await operator.press('Delete REGION');
      await operator.confirm('Delete REGION?', 'Delete');
      await operator.gone('REGION');
      assert.deepEqual(await variables(), []);
    }));

  test('a target server is registered and deleted', () =>
    operate(running, async (operator) => {
      await environmentOf(operator);
      await operator.goto('/target-servers');
      await operator.press('Create target server');
      const dialog = operator.dialog('Create target server');
      await operator.choose(dialog.getByRole('combobox', { name: 'Environment' }), 'Staging');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('orders-backend');
      await dialog.getByRole('textbox', { name: 'Host', exact: true }).fill('orders.example');
      await operator.button('Create', dialog).click();
      await operator.heading('orders-backend');
      const id = /tgt_\w+/.exec(operator.page.url())![0];
      const { host, port } = await operator.get(`/target-servers/${id}`);
      assert.deepEqual([host, port], ['orders.example', 443]);
      await operator.press('Delete');
      await operator.confirm('Delete orders-backend?', 'Delete');
      await operator.heading('Target servers');
      assert.equal(await operator.statusOf(`/target-servers/${id}`), 404);
    }));

  test('a gateway node is renamed and removed', () =>
    operate(running, async (operator) => {
      const { id: environmentId } = await environmentOf(operator);
      const { id } = await operator.post('/gateway-nodes', { environmentId, name: 'frankfurt-1' });
      await operator.goto(`/gateway-nodes/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit gateway node').getByLabel('Name').fill('frankfurt-2');
      await operator.send('Edit gateway node', 'Save');
      await operator.heading('frankfurt-2');
      await operator.press('Delete');
      await operator.confirm('Delete frankfurt-2?', 'Delete', 'frankfurt-2');
      await operator.heading('Gateway nodes');
      assert.equal(await operator.statusOf(`/gateway-nodes/${id}`), 404);
    }));

  test('a revision is deployed, rolled back and undeployed on the proxy’s deployments tab', () =>
    operate(running, async (operator) => {
      const { proxyId } = await deployedOf(operator);
      await operator.goto(`/proxies/${proxyId}/deployments`);
      await operator.press('Deploy to Staging');
      await operator
        .button('Deploy', operator.dialog('Deploy to Staging'))
        .and(operator.page.locator(':enabled'))
        .waitFor();
      await operator.send('Deploy to Staging', 'Deploy');
      await operator.page.getByRole('link', { name: 'Revision 2', exact: true }).waitFor();
      assert.deepEqual(await servingOf(operator, proxyId), [[2, 100]]);

      await operator.press('Roll back');
      await operator.confirm('Roll back in staging?', 'Roll back');
      await operator.page.getByRole('link', { name: 'Revision 1', exact: true }).waitFor();
      assert.deepEqual(await servingOf(operator, proxyId), [[1, 100]]);

      await operator.press('Undeploy');
      await operator.confirm('Undeploy from staging?', 'Undeploy', 'orders');
      await operator.shown('Not deployed');
      assert.deepEqual(await servingOf(operator, proxyId), []);
    }));

  test('a canary is promoted on the proxy’s deployments tab, and another one on its own screen', () =>
    operate(running, async (operator) => {
      const { proxyId, environmentId } = await deployedOf(operator);
      const canary = { proxyId, environmentId, strategy: 'canary', weight: 20 };
      await operator.post('/deployments', { ...canary, revision: 2 });
      await operator.goto(`/proxies/${proxyId}/deployments`);
      await operator.press('Promote');
      await operator.confirm('Promote revision 2?', 'Promote');
      await operator.page.getByRole('link', { name: 'Revision 1', exact: true }).waitFor({ state: 'detached' });
      assert.deepEqual(await servingOf(operator, proxyId), [[2, 100]]);

      const { id } = await operator.post('/deployments', { ...canary, revision: 1 });
      await operator.goto(`/deployments/${id}`);
      await operator.press('Promote');
      await operator.confirm('Promote revision 1?', 'Promote');
      await operator.button('Promote').waitFor({ state: 'detached' });
      assert.deepEqual(await servingOf(operator, proxyId), [[1, 100]]);
    }));

  test('a deployment is rolled back on its own screen, which then shows the live one', () =>
    operate(running, async (operator) => {
      const { proxyId, environmentId } = await deployedOf(operator);
      const { id } = await operator.post('/deployments', { proxyId, environmentId, revision: 2 });
      await operator.goto(`/deployments/${id}`);
      await operator.heading('orders, revision 2');
      await operator.press('Roll back');
      await operator.button('Roll back', operator.dialog('Roll back in staging?')).click();
      await operator.heading('orders, revision 1');
      assert.deepEqual(await servingOf(operator, proxyId), [[1, 100]]);
    }));
});
