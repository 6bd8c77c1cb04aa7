import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, visit, withoutBrowser } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

describe('a working copy in the browser', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let administrator: TestCaller;
  let approver: TestCaller;
  let page: Page;
  let problems: readonly string[];
  let environmentIds: readonly string[];
  let proxyId: string;
  let number = 0;

  before(async () => {
    tested = await startTestConsole(import.meta.filename);
    const organizationId = await tested.control.addOrganization('harbour');
    administrator = await tested.control.addUser(organizationId, ['organization_administrator']);
    approver = await tested.control.addUser(organizationId, ['operations_engineer']);
    environmentIds = [];
    for (const name of ['test', 'staging']) {
      const { id } = await made('/environments', { name, displayName: name });
      environmentIds = [...environmentIds, id];
      await made('/target-servers', { environmentId: id, name: 'orders', host: 'orders.example', port: 443 });
    }
    // The time zone is the person's, not the browser's.
    const saved = await administrator.call('PATCH', '/auth/profile', { timeZone: 'Pacific/Kiritimati' });
    assert.equal(saved.status, 200, JSON.stringify(saved.data));
    ({ page, problems } = await tested.open({ caller: administrator }));
  });
  after(() => tested?.stop());
  beforeEach(async () => {
    number += 1;
    const name = `orders-${number}`;
    const proxy = { name, displayName: `Orders ${number}`, basePath: `/v1/${name}`, authScheme: 'api_key' };
    proxyId = (await made('/proxies', proxy)).id;
    await made(`/proxies/${proxyId}/routes`, { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders' });
    await made(`/proxies/${proxyId}/policies`, { kind: 'verify-api-key' });
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'quota',
      configuration: { limit: 1_000, window: { unit: 'hour' } },
    });
  });

  // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
  async function made(path: string, body: object = {}): Promise<any> {
    const { status, data } = await administrator.call('POST', path, body);
    assert.ok(status < 300, `POST ${path}: ${JSON.stringify(data)}`);
    return data;
  }
  const read = async (path: string) => (await administrator.call('GET', path)).data;
  const policyOf = async (kind: string) => (await read(`/proxies/${proxyId}/policies?kind=${kind}`)).policies[0];
  const open = (path: string) => visit(page, `${tested.control.baseUrl}${path}`);
  const openPolicies = () => open(`/proxies/${proxyId}/policies`);
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' });
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

  /** A revision of the proxy that is approved. */
  async function approve(): Promise<void> {
    await made(`/proxies/${proxyId}/specifications`);
    const { specifications } = await read(`/specifications?proxyId=${proxyId}`);
    await made(`/specifications/${specifications[0].id}/publish`);
    const asked = await made(`/proxies/${proxyId}/lifecycle/requests`, { toStage: 'approved', note: 'Ready' });
    const { status, data } = await approver.call('POST', `/lifecycle/requests/${asked.id}/approve`, { reason: '' });
    assert.equal(status, 200, JSON.stringify(data));
  }

  test('invalid JSON is not saved, shows where it is invalid, and asks before it is discarded', async () => {
    await openPolicies();
    await button('Quota').click();
    const drawer = dialog('Quota');
    await drawer.getByText('JSON', { exact: true }).click();
    const text = drawer.getByRole('textbox', { name: 'Configuration' });
    const broken = '{\n  "limit": 5,\n  "window" {}\n}';
    await text.fill(broken);
    await button('Save', drawer).click();
    await drawer.getByText(/^Line 3, column 12: this is not valid JSON/).waitFor();
    assert.equal(await text.getAttribute('aria-invalid'), 'true');
    assert.equal(await text.inputValue(), broken, 'the text stays');
    assert.deepEqual([(await policyOf('quota')).version, (await policyOf('quota')).configuration.limit], [1, 1_000]);

    const ways = [
      { leave: drawer.getByText('Form', { exact: true }), asked: 'Discard the JSON?', stay: 'Keep editing' },
      { leave: button('Cancel', drawer), asked: 'Discard the JSON?', stay: 'Keep editing' },
      { leave: button('Close', drawer), asked: 'Discard your changes?', stay: 'Keep editing' },
    ];
    for (const { leave, asked, stay } of ways) {
      await leave.click();
      const question = dialog(asked);
      await question.waitFor();
      await button(stay, question).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(await text.inputValue(), broken);
    }
    await text.fill('{"limit": 5, "window": {"unit": "day"}}');
    await button('Save', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    assert.equal((await policyOf('quota')).configuration.limit, 5);
    assert.deepEqual(problems, []);
  });

  test('a policy card summarizes its settings without secrets', async () => {
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: 'Bearer hunter2' }] },
    });
    await openPolicies();
    await page.getByText('1,000 per hour per app, strict').waitFor();
    await page.getByText('Key in the header x-api-key').waitFor();
    await page.getByText('Sets authorization: [secret]').waitFor();
    await checkAccessibility(page, 'policies');
    assert.ok(!(await page.content()).includes('hunter2'));
  });

  test('a literal credential is stored as a secret variable', async () => {
    await made(`/proxies/${proxyId}/policies`, { kind: 'transform-headers' });
    await openPolicies();
    await button('Transform Headers').click();
    const drawer = dialog('Transform Headers');
    await button('Add to set', drawer).click();
    const header = drawer.getByRole('group', { name: 'Set' });
    await header.getByRole('textbox', { name: 'Name' }).fill('authorization');
    await header.getByRole('textbox', { name: 'Value' }).fill('Bearer hunter2');
    await button('Store as secret variable', drawer).click();
    const storing = dialog('Store as secret variable');
    await button('Store', storing).click();
    await storing.getByText('Choose at least one environment.').waitFor();
    await storing.getByRole('textbox', { name: 'Variable' }).fill('ORDERS_TOKEN');
    await checkAccessibility(page, 'secret variable');
    await storing.getByRole('combobox', { name: 'Environments' }).click();
    for (const name of ['test', 'staging']) await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Tab');
    await button('Store', storing).click();
    await storing.waitFor({ state: 'detached' });
    assert.equal(
      await header.getByRole('textbox', { name: 'Value' }).inputValue(),
      'Bearer {{variables.ORDERS_TOKEN}}',
    );
    await button('Save', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    for (const id of environmentIds) {
      const { variables } = await read(`/environments/${id}/variables`);
      assert.deepEqual(
        variables.map(({ name, secret }: Record<string, unknown>) => [name, secret]),
        [['ORDERS_TOKEN', true]],
      );
    }
    assert.deepEqual((await policyOf('transform-headers')).configuration.set, [
      { name: 'authorization', value: 'Bearer {{variables.ORDERS_TOKEN}}' },
    ]);
  });

  test('a hidden value is kept when the policy is saved again', async () => {
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: 'Bearer hunter2' }] },
    });
    await openPolicies();
    await button('Transform Headers').click();
    const drawer = dialog('Transform Headers');
    await drawer.getByText('The stored value is hidden.').waitFor();
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Target token');
    await button('Save', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    const stored = await tested.control.opened.database.system
      .selectFrom('policy_attachments')
      .select(['name', 'configuration'])
      .where('proxy_id', '=', proxyId)
      .where('kind', '=', 'transform-headers')
      .executeTakeFirstOrThrow();
    assert.equal(stored.name, 'Target token');
    assert.match(JSON.stringify(stored.configuration), /Bearer hunter2/);
  });

  test('an edit shows its side effects before and after it is saved', async () => {
    await approve();
    const { approvedRevision } = await read(`/proxies/${proxyId}`);
    await openPolicies();
    await button('Actions for Quota').click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const question = dialog('Save this edit?');
    await question.getByText(`It voids the approval of revision ${approvedRevision}`).waitFor();
    await button('Don’t save', question).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(
      [(await read(`/proxies/${proxyId}`)).stage, (await policyOf('quota')).enabled],
      ['approved', true],
    );

    // The same in a form of another tab: nothing is said in the form, it stays open, and the edit is not lost.
    await open(`/proxies/${proxyId}?dialog=edit`);
    const drawer = dialog(`Edit Orders ${number}`);
    await drawer.getByRole('textbox', { name: 'Display name' }).fill('Orders renamed');
    await button('Save', drawer).click();
    await button('Don’t save', question).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await drawer.getByRole('textbox', { name: 'Display name' }).inputValue(), 'Orders renamed');
    assert.equal(await drawer.getByRole('alert').count(), 0);
    await button('Save', drawer).click();
    await question.waitFor();
    await checkAccessibility(page, 'edit question');
    await button('Save edit', question).click();
    await page
      .getByText(`The approval of revision ${approvedRevision} is void; the API proxy is a draft again.`)
      .waitFor();
    const proxy = await read(`/proxies/${proxyId}`);
    assert.deepEqual([proxy.displayName, proxy.stage], ['Orders renamed', 'draft']);
  });

  test('reordering policies of a deployed proxy names the revision it cuts, and is undone when cancelled', async () => {
    await made(`/proxies/${proxyId}/policies`, { kind: 'quota', name: 'Second' });
    await made(`/proxies/${proxyId}/revisions`);
    await made('/deployments', { proxyId, environmentId: environmentIds[0], revision: 1 });
    await openPolicies();
    const names = async () =>
      (await read(`/proxies/${proxyId}/policies`)).policies.map(({ name }: { readonly name: string }) => name);
    const before = await names();
    const moveDown = async () => {
      await button('Actions for Quota').click();
      await page.getByRole('menuitem', { name: 'Move down' }).click();
    };
    const question = dialog('Save this edit?');
    await moveDown();
    await question.getByText('It cuts revision 2').waitFor();
    await button('Don’t save', question).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await names(), before);
    assert.equal(await page.getByText('The server can’t be reached').count(), 0);
    await moveDown();
    await button('Save edit', question).click();
    await page.getByText('Revision 2 was cut.').waitFor();
    assert.deepEqual(await names(), ['Verify API Key', 'Second', 'Quota']);
    assert.equal((await read(`/proxies/${proxyId}`)).latestRevision, 2);
  });

  test('a review of a first version shows its whole content, and an edit that voids it asks first', async () => {
    await made(`/proxies/${proxyId}/policies`, {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: 'Bearer hunter2' }] },
    });
    await made(`/proxies/${proxyId}/specifications`);
    const { specifications } = await read(`/specifications?proxyId=${proxyId}`);
    await made(`/specifications/${specifications[0].id}/publish`);
    const request = await made(`/proxies/${proxyId}/lifecycle/requests`, { toStage: 'approved', note: 'Ready' });
    await open(`/review-queue/${request.id}`);
    const changes = page.getByRole('region', { name: 'What changes' }).or(page.locator('main'));
    for (const text of [`/v1/orders-${number}`, 'GET /{orderId}', 'configuration.limit', '1000']) {
      await changes.getByText(text, { exact: true }).first().waitFor();
    }
    await changes.getByText('"value": "[secret]"').waitFor();
    assert.equal(await page.getByText('Nothing was there before.').count(), 0);
    assert.ok(!(await page.content()).includes('hunter2'));
    await button('Show specification').click();
    await page.getByRole('region', { name: 'Specification' }).getByText('"openapi": "3.1').waitFor();
    await checkAccessibility(page, 'review');

    await openPolicies();
    await button('Actions for Quota').click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    const question = dialog('Save this edit?');
    await question.getByText('It voids the pending request').waitFor();
    await button('Save edit', question).click();
    await page.getByText('The pending request is void.').waitFor();
    assert.equal((await read(`/lifecycle/requests/${request.id}`)).state, 'void');
  });

  test('an import is previewed before anything is created', async () => {
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shipments', version: '1.2.3' },
      servers: [{ url: 'https://shipments.example/v1/shipments' }],
      paths: { '/{shipmentId}': { get: { summary: 'Show a shipment', responses: { 200: { description: 'It' } } } } },
    });
    const { total } = await read('/proxies');
    await open('/proxies/import');
    await page.getByRole('textbox', { name: 'OpenAPI document' }).fill(document);
    await page.getByRole('combobox', { name: 'Target server' }).fill('nowhere');
    await button('Preview').click();
    await page.getByText('This can’t be imported yet').waitFor();
    assert.equal(await button('Import').isDisabled(), true);
    await button('Back').click();
    assert.equal(await page.getByRole('textbox', { name: 'OpenAPI document' }).inputValue(), document);
    await page.getByRole('combobox', { name: 'Target server' }).fill('orders');
    await button('Preview').click();
    for (const text of ['Nothing has been created yet.', '/{shipmentId}', 'Show a shipment', 'SEC-001']) {
      await page.getByText(text).first().waitFor();
    }
    await page.getByText('Shipments 1.2.3, as a draft').waitFor();
    await checkAccessibility(page, 'import preview');
    assert.equal((await read('/proxies')).total, total, 'a preview writes nothing');
    await button('Import').click();
    await page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor();
    assert.equal((await read('/proxies')).total, total + 1);
  });

  test('an upload lists the errors of a document and keeps its text', async () => {
    await open('/specifications');
    await button(/^Upload/).click();
    const upload = page.getByRole('dialog');
    await upload.getByRole('textbox', { name: 'Document' }).fill('{"openapi": ');
    await button('Upload', upload).click();
    await upload.getByText('Errors in the document').waitFor();
    assert.equal(await upload.getByRole('textbox', { name: 'Document' }).inputValue(), '{"openapi": ');
    assert.equal((await read('/specifications?search=nothing')).total, 0);
  });

  test('a waiver expires at the end of its day in the reader’s time zone', async () => {
    await made(`/proxies/${proxyId}/governance/evaluate`);
    await open(`/proxies/${proxyId}/governance`);
    await button(/^Waive/)
      .first()
      .click();
    const waiving = page.getByRole('dialog');
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await waiving.getByLabel('Expires').fill(day);
    await waiving.getByText('Pacific/Kiritimati').waitFor();
    await waiving.getByLabel('Reason').fill('The partner moves in spring.');
    await button('Waive', waiving).click();
    await waiving.waitFor({ state: 'detached' });
    const { waivers } = await read(`/governance/waivers?proxyId=${proxyId}`);
    assert.equal(waivers[0].endsAt, `${day}T09:59:59.999Z`);
    assert.deepEqual(problems, []);
  });
});
