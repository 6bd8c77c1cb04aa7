import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate } from './operator.ts';

suite('build an API proxy, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  /** An environment with a target server, which is the management API itself. */
  async function addTarget(operator: Operator): Promise<void> {
    const { id: environmentId } = await operator.post('/environments', { name: 'test', displayName: 'Test' });
    const port = Number(new URL(running.control.baseUrl).port);
    const target = { environmentId, name: 'orders-backend', scheme: 'http', host: '127.0.0.1', port };
    await operator.post('/target-servers', target);
  }
  async function proxyOf(operator: Operator) {
    await addTarget(operator);
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', protocol: 'rest' };
    return operator.post('/proxies', { ...proxy, authScheme: 'api_key' });
  }
  const routeOf = (operator: Operator, proxyId: string, pathPattern: string) =>
    operator.post(`/proxies/${proxyId}/routes`, { method: 'GET', pathPattern, targetServer: 'orders-backend' });
  const policyOf = (operator: Operator, proxyId: string) =>
    operator.post(`/proxies/${proxyId}/policies`, {
      flow: 'request',
      kind: 'quota',
      name: 'Quota',
      configuration: { limit: 100, window: { unit: 'day', count: 1 } },
    });
  const proxyIdOf = ({ page }: Operator) => /prx_\w+/.exec(page.url())![0];

  test('a proxy is edited, cloned, exported and deleted', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await operator.goto(`/proxies/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit Orders').getByLabel('Display name').fill('Orders API');
      await operator.dialog('Edit Orders').getByLabel('Description').fill('What was ordered.');
      await operator.send('Edit Orders', 'Save');
      await operator.heading('Orders API');
      assert.equal((await operator.get(`/proxies/${id}`)).description, 'What was ordered.');

      await operator.chooseItem('More', 'Clone');
      const clone = operator.dialog('Clone Orders API');
      assert.equal(await clone.getByLabel('Base path').inputValue(), '/v2/orders');
      await clone.getByLabel('Display name').fill('Orders API 2');
      await operator.button('Clone', clone).click();
      await operator.heading('Orders API 2');
      const cloneId = proxyIdOf(operator);
      assert.equal((await operator.get(`/proxies/${cloneId}/routes`)).routes[0].pathPattern, '/{orderId}');

      for (const [item, name, begin] of [
        ['Export as YAML', 'orders-next.yaml', /basePath: \/v2\/orders/],
        ['Export as JSON', 'orders-next.json', /"basePath": ?"\/v2\/orders"/],
      ] as const) {
        const saved = await operator.saved(() => operator.chooseItem('More', item));
        assert.equal(saved.name, name);
        assert.match(saved.text, begin);
      }

      await operator.chooseItem('More', 'Delete');
      await operator.confirm('Delete Orders API 2?', 'Delete', 'orders-next');
      await operator.heading('API proxies');
      assert.equal(await operator.statusOf(`/proxies/${cloneId}`), 404);
    }));

  test('a proxy is imported from an OpenAPI document, and errors in the document are listed', () =>
    operate(running, async (operator) => {
      await addTarget(operator);
      await operator.goto('/proxies');
      await operator.page.getByRole('link', { name: 'Import OpenAPI' }).click();
      await operator.heading('Import OpenAPI document');
      const document = operator.page.getByLabel('OpenAPI document');
      await document.fill('{"openapi": "3.1.0", "info": {"version": "1.0.0"}, "paths": {}}');
      await operator.page.getByRole('combobox', { name: 'Target server' }).fill('orders-backend');
      await operator.press('Preview');
      await operator.page.getByRole('alert').filter({ hasText: 'Errors in the document' }).waitFor();
      await document.fill(
        JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'Shipments', version: '1.0.0' },
          servers: [{ url: 'https://api.example.com/v1/shipments' }],
          paths: { '/{shipmentId}': { get: { responses: { 200: { description: 'It.' } } } } },
        }),
      );
      await operator.press('Preview');
      await operator.press('Import');
      await operator.heading('Shipments');
      await operator.shown('orders-backend');
      const { basePath } = await operator.get(`/proxies/${proxyIdOf(operator)}`);
      assert.equal(basePath, '/v1/shipments');
    }));

  test('a route is deleted', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await routeOf(operator, id, '/latest');
      await operator.goto(`/proxies/${id}/routes`);
      await operator.chooseItem('Actions for GET /latest', 'Delete');
      await operator.confirm('Delete GET /latest?', 'Delete');
      await operator.shown('1 total');
      const { routes } = await operator.get(`/proxies/${id}/routes`);
      assert.deepEqual(
        routes.map(({ pathPattern }: { pathPattern: string }) => pathPattern),
        ['/{orderId}'],
      );
    }));

  test('a target server is tested from the proxy that uses it', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await operator.goto(`/proxies/${id}/targets`);
      await operator.press('Test connection in Test');
      await operator.page.getByText(/^Reachable in \d+ ms$/).waitFor();
    }));

  test('a policy is disabled, enabled and detached', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      const policy = await policyOf(operator, id);
      const isEnabled = async () => (await operator.get(`/proxies/${id}/policies/${policy.id}`)).enabled;
      await operator.goto(`/proxies/${id}/policies`);
      await operator.chooseItem('Actions for Quota', 'Disable');
      await operator.shown('Disabled');
      assert.equal(await isEnabled(), false);
      await operator.chooseItem('Actions for Quota', 'Enable');
      await operator.gone('Disabled');
      assert.equal(await isEnabled(), true);
      await operator.chooseItem('Actions for Quota', 'Detach');
      await operator.confirm('Detach Quota?', 'Detach');
      assert.deepEqual((await operator.get(`/proxies/${id}/policies`)).policies, []);
    }));

  test('a policy template is edited and deleted, and policies created from it stay', () =>
    operate(running, async (operator) => {
      const { id } = await operator.post('/policy-templates', {
        name: 'partner-quota',
        kind: 'quota',
        configuration: { limit: 1_000, window: { unit: 'day', count: 1 } },
      });
      const proxy = await proxyOf(operator);
      await operator.goto(`/proxies/${proxy.id}/policies`);
      await operator.press('Attach policy to the request flow');
      await operator.page.getByRole('button', { name: /^partner-quota/ }).click();
      await operator.send('Attach Quota', 'Attach');

      await operator.goto(`/policy-templates/${id}`);
      await operator.page.getByLabel('Limit').fill('2500');
      // By keyboard: the notification of the attached policy may still cover the button.
      await operator.button('Save').press('Enter');
      await operator.page.getByRole('alert').filter({ hasText: 'Policy template saved.' }).waitFor();
      assert.equal((await operator.get(`/policy-templates/${id}`)).configuration.limit, 2_500);
      await operator.press('Delete');
      await operator.confirm('Delete partner-quota?', 'Delete');
      await operator.heading('Policy templates');
      assert.equal(await operator.statusOf(`/policy-templates/${id}`), 404);
      const { policies } = await operator.get(`/proxies/${proxy.id}/policies`);
      assert.equal(policies[0].configuration.limit, 1_000);
    }));

  test('a revision is cut, compared with another, restored and deleted', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await operator.goto(`/proxies/${id}/revisions`);
      for (const note of ['As it was', 'With the latest']) {
        await operator.press('Cut revision');
        await operator.dialog('Cut revision').getByLabel('Note').fill(note);
        await operator.send('Cut revision', 'Cut');
        await operator.shown(note);
        if (note === 'As it was') await routeOf(operator, id, '/latest');
      }
      await operator.chooseItem('Actions for revision 1', 'Compare');
      await operator.choose(operator.page.getByRole('combobox', { name: 'To' }), /^Revision 2/);
      await operator.page.getByText('GET /latest').first().waitFor();

      await operator.chooseItem('Actions for revision 1', 'Restore');
      await operator.confirm('Restore revision 1?', 'Restore');
      assert.equal((await operator.get(`/proxies/${id}/routes`)).total, 1);
      await operator.chooseItem('Actions for revision 2', 'Delete');
      await operator.confirm('Delete revision 2?', 'Delete');
      await operator.gone('With the latest');
      assert.equal((await operator.get(`/proxies/${id}/revisions`)).total, 1);
    }));

  test('a specification is edited, linted, downloaded and compared with its published version', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      const specification = await operator.post(`/proxies/${id}/specifications`);
      const view = (name: string) =>
        operator.page
          .getByRole('radiogroup', { name: 'View of the specification' })
          .getByText(name, { exact: true })
          .click();
      await operator.goto(`/proxies/${id}/specification`);
      await operator.press('Publish');
      await operator.shown('Published');
      // The specification was read again: an edit of what it was before would be refused.
      await operator.button('Publish').waitFor({ state: 'detached' });
      await operator.button('Edit', operator.page.locator('section').filter({ hasText: 'Regenerate' })).click();
      const edit = operator.dialog('Edit specification');
      await edit.getByLabel('Title').fill('Orders of Harbour Trade');
      await edit.getByRole('group', { name: 'Contact' }).getByLabel('Name').fill('The orders team');
      await operator.send('Edit specification', 'Save');
      await view('Lint');
      await operator.page
        .getByRole('status')
        .filter({ hasText: /findings?/i })
        .waitFor();
      await view('Changes');
      await operator.page
        .getByRole('status')
        .filter({ hasText: /since it was published/ })
        .waitFor();
      for (const [item, begin] of [
        ['JSON', /^\{[\s\S]*"title": ?"Orders of Harbour Trade"/],
        ['YAML', /title: Orders of Harbour Trade/],
      ] as const) {
        const saved = await operator.saved(() => operator.chooseItem('Specification actions', `Download ${item}`));
        assert.equal(saved.name, `orders.openapi.${item.toLowerCase()}`);
        assert.match(saved.text, begin);
      }
      await operator.press('Publish changes');
      await operator.button('Publish changes').waitFor({ state: 'detached' });
      await operator.chooseItem('Specification actions', 'Unpublish');
      await operator.confirm('Unpublish Orders of Harbour Trade?', 'Unpublish');
      await operator.shown('Draft');
      assert.equal((await operator.get(`/specifications/${specification.id}`)).state, 'draft');

      await operator.goto(`/specifications/${specification.id}`);
      const saved = await operator.saved(() => operator.chooseItem('More', 'Download YAML'));
      assert.equal(saved.name, 'openapi.yaml');
      await operator.press('Delete');
      await operator.confirm('Delete Orders of Harbour Trade?', 'Delete');
      await operator.heading('Specifications');
      assert.equal(await operator.statusOf(`/specifications/${specification.id}`), 404);
    }));

  test('a custom rule is deleted together with its findings', () =>
    operate(running, async (operator) => {
      const ruleset = '{"rules": {"contact": {"given": "$.info", "then": {"field": "contact", "function": "truthy"}}}}';
      await operator.post('/governance/standards', {
        code: 'CUS-010',
        name: 'A contact is named',
        severity: 'warning',
        ruleset,
      });
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await operator.post(`/proxies/${id}/specifications`);
      await operator.post(`/proxies/${id}/governance/evaluate`);
      const findings = () => operator.get('/governance/findings?code=CUS-010');
      assert.equal((await findings()).total, 1);
      await operator.goto('/governance/standards/CUS-010');
      await operator.press('Delete');
      await operator.confirm('Delete CUS-010?', 'Delete', 'CUS-010');
      await operator.heading('Rules');
      assert.equal(await operator.statusOf('/governance/standards/CUS-010'), 404);
      assert.equal((await findings()).total, 0);
    }));

  test('a finding is waived, and the waiver ended, on the proxy’s governance tab', () =>
    operate(running, async (operator) => {
      const { id } = await proxyOf(operator);
      await routeOf(operator, id, '/{orderId}');
      await operator.post(`/proxies/${id}/governance/evaluate`);
      const waivers = async () => (await operator.get('/governance/waivers?state=active')).total;
      await operator.goto(`/proxies/${id}/governance`);
      await operator.button('Waive').first().click();
      const dialog = operator.page.getByRole('dialog', { name: /^Waive/ });
      await dialog.getByLabel('Reason').fill('Only until the partner can send keys.');
      await operator.button('Waive', dialog).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await waivers(), 1);
      await operator.press('End waiver');
      const ending = operator.page.getByRole('dialog', { name: /^End the waiver/ });
      await operator.button('End waiver', ending).click();
      await ending.waitFor({ state: 'detached' });
      assert.equal(await waivers(), 0);
    }));
});
