import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { addNode } from '@millrace/control/gateway-nodes/testing';
import { evaluate, testAlert, testRule } from '@millrace/control/incidents/testing';
import { eventually } from '@millrace/eventually';
import { withoutBrowser } from '@millrace/ui/testing';
import type { Locator } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate, operatorOf } from './operator.ts';

const slotMs = 10_000;
const minuteMs = 60_000;

suite('watching, in the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  const saved = (operator: Operator, text: string) =>
    operator.page.getByRole('alert').filter({ hasText: text }).waitFor();
  const listed = (operator: Operator, name: string): Locator => operator.page.getByRole('list', { name, exact: true });
  /** The text of each cell of a table's body, row by row. */
  const cellsOf = async (operator: Operator, name: string): Promise<string[][]> => {
    const rows = operator.page.getByRole('region', { name, exact: true }).getByRole('row');
    await rows.nth(1).getByRole('cell').first().waitFor();
    const all = await rows.all();
    return Promise.all(all.slice(1).map((row) => row.getByRole('cell').allInnerTexts()));
  };
  /** Waits until a value stands under a label. */
  const factIs = (operator: Operator, label: string, value: string) =>
    operator.page
      .locator('#content p')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::*[1]')
      .filter({ hasText: new RegExp(`^${value.replaceAll('.', '\\.')}$`) })
      .first()
      .waitFor();

  async function environmentOf(operator: Operator): Promise<string> {
    const environment = { name: 'production', displayName: 'Production', production: true };
    return (await operator.post('/environments', environment)).id;
  }

  async function proxyOf(operator: Operator): Promise<string> {
    return (await operator.post('/proxies', { name: 'orders', displayName: 'Orders', basePath: '/v1/orders' })).id;
  }

  /** An hour of traffic that ended a minute ago: of 40 requests every ten seconds, 8 fail for ten minutes. */
  async function addTraffic(operator: Operator, environmentId: string, proxyId: string): Promise<void> {
    const node = await addNode(running.control, operator.caller, environmentId);
    const beginMs = Math.floor(Date.now() / slotMs) * slotMs - 61 * minuteMs;
    const slots = Array.from({ length: 360 }, (_empty, index) => {
      const status5xx = index >= 120 && index < 180 ? 8 : 0;
      return {
        slot: new Date(beginMs + index * slotMs).toISOString(),
        proxyId,
        requests: 40,
        status2xx: 40 - status5xx,
        status3xx: 0,
        status4xx: 0,
        status5xx,
        limited: 0,
        requestBytes: 1_000,
        responseBytes: 1_000,
        gatewayTime: [40, 40],
        targetTime: [200, 40],
        latency: [201, 40],
      };
    });
    const batch = { streamId: 'usb_00000000000000000000000001', sequence: 0, traffic: [], deployments: [], routes: [] };
    const { status, data } = await node.call('POST', '/gateway/usage', { ...batch, metered: [], slots });
    assert.equal(status, 200, JSON.stringify(data));
  }

  /** An incident of Orders in production, which opened ten minutes ago; its id. */
  async function incidentOf(operator: Operator, integrationIds: readonly string[] = []): Promise<string> {
    const environmentId = await environmentOf(operator);
    const proxyId = await proxyOf(operator);
    const fields = { name: 'Orders fail', metric: 'error_rate', threshold: 5, environmentId, severity: 'critical' };
    // The test evaluates it, not the service.
    const { id } = await operator.post('/alert-rules', { ...fields, integrationIds, enabled: false });
    const rule = testRule({
      id,
      name: 'Orders fail',
      environmentId,
      proxyId: null,
      integrationIds: [...integrationIds],
    });
    const labels = { environmentId, environment: 'production', proxyId, proxy: 'orders' };
    for (const [minutesAgo, value] of [
      [10, 12.5],
      [8, 38.2],
      [6, 20],
    ] as const) {
      await evaluate(running.control, operator.organizationId, {
        rule,
        environmentId,
        alerts: [testAlert('orders', { labels, value, since: new Date(Date.now() - 10 * minuteMs) })],
        now: new Date(Date.now() - minutesAgo * minuteMs),
      });
    }
    return (await operator.get('/incidents')).incidents[0].id;
  }

  test('an alert rule shows only what its metric uses, says what it does, and is tried before it is created', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const environmentId = await environmentOf(operator);
      const proxyId = await proxyOf(operator);
      await addTraffic(operator, environmentId, proxyId);
      await operator.goto('/');
      await page.getByRole('link', { name: 'Alert rules', exact: true }).click();
      await operator.shown('No alert rules yet. Create one to learn of errors before your users report them.');
      await page.getByRole('link', { name: 'Create alert rule' }).click();
      await operator.heading('Create alert rule');
      const metric = page.getByRole('combobox', { name: 'Metric' });
      const fields = ['API proxy', 'App', 'Threshold', 'Time', 'Requests at least', 'When no gateway node reports'];
      const shownFields = async () => {
        const within = page.locator('#content');
        const counts = fields.map((name) =>
          Promise.all(
            (['textbox', 'combobox'] as const).map((role) => within.getByRole(role, { name, exact: true }).count()),
          ),
        );
        const found = await Promise.all(counts);
        return fields.filter((_name, index) => found[index]!.some((count) => count > 0));
      };
      await operator.choose(metric, 'Gateway node offline');
      await operator.shown('Fires for each gateway node when it is offline for 1 minute.');
      assert.deepEqual(await shownFields(), []);
      await operator.choose(metric, 'Prepaid balance');
      await page.getByText(/its prepaid balance is below 10 for 1 minute/).waitFor();
      assert.deepEqual(await shownFields(), ['App', 'Threshold']);
      await operator.choose(metric, 'Latency, 95th percentile');
      await page.getByText(/the 95th percentile of the latency is above 1,000 ms/).waitFor();
      assert.deepEqual(await shownFields(), fields);
      await operator.choose(metric, 'Error rate (5xx)');
      await page.getByText(/the share of 5xx answers is above 5%/).waitFor();

      await page.getByLabel('Name').fill('Orders fail');
      await operator.choose(page.getByRole('combobox', { name: 'Severity' }), 'Critical');
      await operator.choose(page.getByRole('combobox', { name: 'Environment' }), 'Production');
      await operator.choose(page.getByRole('combobox', { name: 'API proxy' }), /Orders/);
      await page.getByLabel('Threshold').fill('10');
      await page.getByLabel('Fires after', { exact: true }).fill('2');
      await operator.shown('Fires for Orders in Production when the share of 5xx answers is above 10% for 2 minutes.');

      await operator.press('Test');
      await factIs(operator, 'Would have fired', '1 time');
      const [firing] = await cellsOf(operator, 'Table of firings');
      const range = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
      const given = { name: 'x', environmentId, proxyId, metric: 'error_rate', threshold: 10, durationSeconds: 120 };
      const preview = await operator.post('/alert-rules/preview', {
        rule: { ...given, minimumRequests: 20 },
        ...range,
      });
      assert.equal(preview.firingsTotal, 1);
      assert.deepEqual(firing?.slice(2, 4), [minutesText(preview.firings[0].seconds), '20%']);

      await operator.press('Create');
      await operator.heading('Orders fail');
      const { alertRules } = await operator.get('/alert-rules');
      const { name, severity, threshold, durationSeconds, minimumRequests, ...rule } = alertRules[0];
      assert.deepEqual(
        [name, severity, threshold, durationSeconds, minimumRequests],
        ['Orders fail', 'critical', 10, 120, 20],
      );
      assert.deepEqual([rule.environmentId, rule.proxyId], [environmentId, proxyId]);
    }));

  test('an alert rule is tried on the past, edited, disabled, enabled and deleted', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const environmentId = await environmentOf(operator);
      await addTraffic(operator, environmentId, await proxyOf(operator));
      const first = await operator.post('/integrations', webhook('First', 'http://127.0.0.1:9999/'));
      const second = await operator.post('/integrations', webhook('Second', 'http://127.0.0.1:9999/'));
      const created = { name: 'Orders fail', metric: 'error_rate', threshold: 5, environmentId, minimumRequests: 20 };
      const { id } = await operator.post('/alert-rules', created);
      const rule = () => operator.get(`/alert-rules/${id}`);
      await operator.goto(`/alert-rules/${id}`);
      await page.getByRole('link', { name: 'Test on the past' }).click();
      await operator.choose(page.getByRole('combobox', { name: 'Tested time' }), 'Last 2 days');
      await operator.press('Test');
      const range = { from: new Date(Date.now() - 2 * 86_400_000).toISOString(), to: new Date().toISOString() };
      const tested = await operator.post(`/alert-rules/${id}/test`, range);
      const firings = await cellsOf(operator, 'Table of firings');
      assert.deepEqual(
        firings.map((cells) => cells.slice(2)),
        tested.firings.map(({ seconds }: { readonly seconds: number }) => [
          minutesText(seconds),
          '20%',
          'production · orders',
        ]),
      );
      await page.getByRole('figure', { name: 'Tested values' }).getByText('Show as table').click();
      await page.getByRole('rowheader').first().waitFor();

      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await operator.heading('Edit Orders fail');
      await page.getByLabel('Threshold').fill('50');
      await operator.press('Test');
      await factIs(operator, 'Would have fired', 'Never');
      const integrations = page.getByRole('combobox', { name: 'Integrations' });
      for (const name of ['Second', 'First']) await operator.choose(integrations, name);
      await integrations.press('Escape');
      await page.getByLabel('Escalation', { exact: true }).fill('15');
      await operator.shown('Notifies Second first; First after another 15 minutes if nobody acknowledges.');
      await operator.press('Save');
      await operator.heading('Orders fail');
      const edited = await rule();
      assert.deepEqual(
        [edited.threshold, edited.integrationIds, edited.escalateAfterMinutes],
        [50, [second.id, first.id], 15],
      );

      await operator.press('Disable');
      await operator.confirm('Disable Orders fail?', 'Disable');
      await operator.shown('Disabled');
      assert.equal((await rule()).enabled, false);
      await operator.press('Enable');
      await operator.button('Disable').waitFor();
      assert.equal((await rule()).enabled, true);
      await page.getByRole('link', { name: 'Evaluations' }).click();
      await page.getByRole('region', { name: 'Table of evaluations' }).waitFor();
      await operator.press('Delete');
      await operator.confirm('Delete Orders fail?', 'Delete');
      await operator.heading('Alert rules');
      assert.equal(await operator.statusOf(`/alert-rules/${id}`), 404);
    }));

  test('a silence applies once, or in windows that recur, whose next ones are the server’s', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      await environmentOf(operator);
      const silences = async () => (await operator.get('/silences?sort=comment')).silences;
      await operator.goto('/silences');
      await operator.press('Create silence');
      const dialog = operator.dialog('Create silence');
      await dialog.getByLabel('Comment').fill('Load test');
      await dialog.getByLabel('Value of matcher 1').fill('production');
      await operator.press('Add matcher');
      await dialog.getByLabel('Label of matcher 2').fill('severity');
      await operator.choose(dialog.getByRole('combobox', { name: 'Comparison of matcher 2' }), 'is not');
      await dialog.getByLabel('Value of matcher 2').fill('critical');
      await operator.press('Add matcher');
      await operator.press('Remove matcher 3');
      await dialog.getByLabel('Lasts', { exact: true }).fill('3');
      await operator.send('Create silence', 'Create');
      await operator.shown('severity is not critical');
      const [once] = await silences();
      assert.equal(Date.parse(once.schedule.endsAt) - Date.parse(once.schedule.startsAt), 3 * 3_600_000);
      assert.deepEqual(once.matchers, [
        { label: 'environment', operator: '=', value: 'production' },
        { label: 'severity', operator: '!=', value: 'critical' },
      ]);

      await operator.press('Edit Load test');
      const edit = operator.dialog('Edit silence');
      await edit.getByLabel('Again and again').check();
      await edit.getByText('Wednesday', { exact: true }).click();
      await edit.getByText('Sunday', { exact: true }).click();
      await edit.getByLabel('Time zone').fill('America/New_York');
      await edit.getByLabel('Starts at').fill('22:30');
      const windows = edit.getByRole('list').last().getByRole('listitem');
      await windows.nth(4).waitFor();
      const shownFirst = (await windows.first().textContent()) ?? '';
      await operator.send('Edit silence', 'Save');
      await operator.shown('Wednesdays at 22:30 for 2 hours, America/New York');
      const [recurring] = await silences();
      assert.deepEqual(recurring.schedule.days, { kind: 'weekly', weekdays: [3] });
      const zone = { timeZone: 'America/New_York', dateStyle: 'medium', timeStyle: 'short' } as const;
      const next = recurring.current ?? recurring.next;
      const text = new Intl.DateTimeFormat('en-US', zone).formatRange(new Date(next.from), new Date(next.to));
      assert.ok(plain(shownFirst).startsWith(plain(text)), `${shownFirst} begins with ${text}`);

      await operator.press('Edit Load test');
      await operator.choose(edit.getByRole('combobox', { name: 'Days' }), 'On a weekday of the month');
      await operator.choose(edit.getByRole('combobox', { name: 'Weekday' }), 'Monday');
      await operator.send('Edit silence', 'Save');
      await operator.shown('The first Monday of each month at 22:30 for 2 hours, America/New York');
      await operator.press('Edit Load test');
      await operator.choose(edit.getByRole('combobox', { name: 'Days' }), 'On days of the month');
      const days = edit.getByRole('combobox', { name: 'Days of the month' });
      await operator.choose(days, 'last day');
      await days.press('Escape');
      await operator.send('Edit silence', 'Save');
      assert.deepEqual((await silences())[0].schedule.days, { kind: 'monthly', daysOfMonth: [1, -1] });
      await operator.press('Delete Load test');
      await operator.confirm('Delete Load test?', 'Delete');
      await operator.shown('No silences. Create one before work that sets off alerts.');
      assert.deepEqual(await silences(), []);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }));

  test('an incident is acknowledged, noted, monitored, silenced and resolved, with a warning while its rule fires', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const id = await incidentOf(operator);
      const incident = () => operator.get(`/incidents/${id}`);
      await operator.goto('/incidents?unresolved=true');
      const { figures } = await operator.get('/incidents?unresolved=true');
      await factIs(operator, 'Unresolved', String(figures.unresolved));
      await factIs(operator, 'Not acknowledged', '1');
      const { title } = await incident();
      await page.locator('#content').getByRole('link', { name: title }).click();
      await operator.heading(title);
      await factIs(operator, 'Worst value', '38.2%');
      await factIs(operator, 'Last value', '20%');
      const [member] = await cellsOf(operator, 'Table of members');
      assert.deepEqual(member?.slice(1, 5), ['Firing', '20%', '38.2%', '5%']);

      // Its buttons follow from its state, where the timeline may be read again before it is.
      await operator.press('Acknowledge');
      await operator.button('Acknowledge').waitFor({ state: 'detached' });
      await operator.shown('Acknowledged');
      const { state, owner } = await incident();
      assert.deepEqual([state, owner.id], ['acknowledged', operator.caller.userId]);
      await page.getByLabel('Note', { exact: true }).fill('The orders database was restarted.');
      await operator.press('Add note');
      await listed(operator, 'Timeline').getByText('The orders database was restarted.').waitFor();
      await operator.press('Monitor');
      await operator.button('Monitor').waitFor({ state: 'detached' });
      await operator.shown('Monitoring');
      assert.equal((await incident()).state, 'monitoring');

      await operator.press('Show on status page');
      await operator.shown('Shown');
      assert.equal((await incident()).visibility, 'public');
      await operator.press('Hide from status page');
      await operator.shown('Hidden');
      assert.equal((await incident()).visibility, 'private');

      const timeline = page.getByRole('combobox', { name: 'Shown in the timeline' });
      await operator.choose(timeline, 'Note');
      await listed(operator, 'Timeline').getByRole('listitem').nth(3).waitFor({ state: 'detached' });
      const { entries } = await operator.get(`/incidents/${id}/timeline?kind=note`);
      assert.deepEqual(
        entries.map(({ text }: { readonly text: string }) => text),
        ['The orders database was restarted.', 'Shown on the status page.', 'Hidden from the status page.'],
      );

      await operator.press('Silence');
      await operator.dialog('Create silence').getByLabel('Comment').fill('Being worked on');
      await operator.send('Create silence', 'Create');
      const { silences } = await operator.get('/silences');
      assert.deepEqual(silences[0].matchers, [
        { label: 'rule', operator: '=', value: 'Orders fail' },
        { label: 'environment', operator: '=', value: 'production' },
        { label: 'proxy', operator: '=', value: 'orders' },
      ]);

      await operator.press('Resolve');
      const dialog = operator.dialog('Resolve incident');
      await dialog.getByText('Its rule still fires for 1 member').waitFor();
      await dialog.getByLabel('Summary').fill('The database ran out of connections.');
      await operator.send('Resolve incident', 'Resolve');
      await operator.shown('Resolved');
      const resolved = await incident();
      assert.deepEqual([resolved.state, resolved.summary], ['resolved', 'The database ran out of connections.']);
      await operator.shown(resolved.warning);
      await page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
      await operator.heading('Incidents');
      const after = (await operator.get('/incidents')).figures;
      await factIs(operator, 'Mean time to resolve', minutesText(after.meanSecondsToResolve));
      await factIs(operator, 'Mean time to acknowledge', minutesText(after.meanSecondsToAcknowledge));
    }));

  test('unresolved incidents are shown on every screen, to those who may read them', async () => {
    const operator = await operatorOf(running);
    const id = await incidentOf(operator);
    const { title } = await operator.get(`/incidents/${id}`);
    await operator.goto('/proxies');
    await operator.press('1 unresolved incident');
    const notices = operator.page.getByRole('dialog', { name: '1 unresolved incident' });
    await notices.getByRole('link', { name: title }).click();
    await operator.heading(title);
    await operator.press('1 unresolved incident');
    await notices.getByRole('link', { name: 'Show all' }).click();
    await operator.heading('Incidents');
    const reader = await operatorOf(running, { organizationId: operator.organizationId, roles: ['api_consumer'] });
    const called: string[] = [];
    reader.page.on('request', (request) => called.push(new URL(request.url()).pathname));
    await reader.goto('/');
    await reader.page.getByRole('button', { name: /^Notifications/ }).waitFor();
    assert.equal(await reader.button('1 unresolved incident').count(), 0);
    assert.deepEqual(
      called.filter((path) => path.endsWith('/incidents')),
      [],
    );
    await Promise.all([operator.close(), reader.close()]);
  });

  test('a webhook is created, tested, resent to, rotated, revealed, disabled and deleted', () =>
    operate(running, async (operator) => {
      await using receiver = await startReceiver();
      const { page } = operator;
      const { received } = receiver;
      await operator.goto('/integrations');
      await operator.press('Create integration');
      const dialog = operator.dialog('Create integration');
      await dialog.getByLabel('Name').fill('Operations');
      await dialog.getByRole('radio', { name: /^Webhook/ }).click();
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Operations');
      await dialog.getByLabel('URL').fill('ftp://receiver.example');
      await operator.button('Create', dialog).click();
      await dialog.getByText('Must start with https:// or http://.').waitFor();
      await dialog.getByLabel('URL').fill(receiver.url);
      await dialog.getByLabel('A deployment failed').check();
      await operator.button('Create', dialog).click();
      const secret = await operator.dialog('Signing secret').locator('[data-secret]').textContent();
      await operator.button('Done').click();
      await operator.heading('Operations');
      const integration = async () => (await operator.get('/integrations')).integrations[0];
      const { id, settings } = await integration();
      assert.deepEqual(settings.events, ['deployment.failed']);

      await operator.press('Send test');
      await operator.shown('Delivered');
      await operator.shown('thanks');
      assert.equal(received.length, 1);
      receiver.answerWith(500);
      await operator.press('Send test');
      await operator.shown('The receiver returned 500.');
      receiver.answerWith(200);

      await page.getByRole('link', { name: 'Deliveries' }).click();
      const rows = await cellsOf(operator, 'Table of deliveries');
      assert.deepEqual(
        rows.map(([kind]) => kind),
        ['test', 'test'],
      );
      const { deliveries } = await operator.get(`/integrations/${id}/deliveries`);
      const delivered = deliveries.find((delivery: { readonly state: string }) => delivery.state === 'delivered');
      await page.getByRole('row').filter({ hasText: 'Delivered' }).getByRole('button', { name: /^Show/ }).click();
      await operator.dialog('test').getByText(delivered.notificationId).first().waitFor();
      await operator.dialog('test').getByRole('button', { name: 'Close' }).click();
      const before = received.length;
      await page
        .getByRole('row')
        .filter({ hasText: 'Delivered' })
        .getByRole('button', { name: /^Resend/ })
        .click();
      await saved(operator, 'Queued again');
      await receiver.until(before + 1);
      assert.equal(received.at(-1)!.headers['x-svc-delivery'], delivered.notificationId);

      await operator.chooseItem('More', 'Rotate secret');
      await operator.dialog('Rotate the secret of Operations').getByLabel('Grace period', { exact: true }).fill('2');
      await operator.send('Rotate the secret of Operations', 'Rotate');
      const rotated = await operator.dialog('New signing secret').locator('[data-secret]').textContent();
      assert.notEqual(rotated, secret);
      await operator.button('Done').click();
      await operator.chooseItem('More', 'Reveal secret');
      await operator.confirm('Reveal the secret of Operations?', 'Reveal secret');
      assert.equal(await operator.dialog('Secret').locator('[data-secret]').textContent(), rotated);
      await operator.button('Done').click();

      await operator.press('Edit');
      await operator.dialog('Edit integration').getByLabel('Name').fill('On call');
      await operator.send('Edit integration', 'Save');
      await operator.heading('On call');
      await operator.press('Disable');
      await operator.confirm('Disable On call?', 'Disable');
      await operator.shown('Disabled');
      assert.equal((await integration()).enabled, false);
      await operator.press('Enable');
      await operator.button('Disable').waitFor();
      assert.equal((await integration()).enabled, true);
      await operator.press('Delete');
      await operator.confirm('Delete On call?', 'Delete', 'On call');
      await operator.heading('Integrations');
      assert.equal(await operator.statusOf(`/integrations/${id}`), 404);
    }));

  test('integrations of every other kind are created with what they need, and keep their secrets to themselves', () =>
    operate(running, async (operator) => {
      await using receiver = await startReceiver();
      await using collector = await startCollector();
      const { page } = operator;
      const key = 'abcdefghijklmnopqrstuvwxyz012345';
      const create = async (kind: string, name: string, fill: (dialog: Locator) => Promise<void>) => {
        await operator.goto('/integrations');
        await operator.press('Create integration');
        const dialog = operator.dialog('Create integration');
        await dialog.getByRole('radio', { name: new RegExp(`^${kind}`) }).click();
        await dialog.getByLabel(/^Name/).fill(name);
        await fill(dialog);
        await operator.button('Create', dialog).click();
        await operator.heading(name);
        const { integrations } = await operator.get(`/integrations?search=${name}`);
        const [{ id, settings, hasSecret }] = integrations;
        return { id, settings, hasSecret };
      };
      const mail = await create('E-mail', 'Mail', async (dialog) => {
        await dialog.getByLabel('Recipients').fill('ops@example.com\nlead@example.com');
        await dialog.getByLabel('Send through our own SMTP server').check();
        await dialog.getByLabel('Host').fill('smtp.example.com');
        await dialog.getByLabel('User name').fill('millrace');
        await dialog.getByLabel('Sender').fill('alerts@example.com');
        await dialog.getByLabel('Password of the SMTP server').fill(key);
      });
      assert.deepEqual(
        [mail.settings.recipients, mail.settings.server.host, mail.settings.server.port, mail.hasSecret],
        [['ops@example.com', 'lead@example.com'], 'smtp.example.com', 587, true],
      );
      const plainMail = await create('E-mail', 'Platform', (dialog) =>
        dialog.getByLabel('Recipients').fill('ops@example.com'),
      );
      assert.deepEqual([plainMail.settings.server, plainMail.hasSecret], [null, false]);
      const slack = await create('Slack', 'Chat', async (dialog) => {
        await dialog.getByLabel('Channel').fill('#operations');
        await dialog.getByLabel('Webhook URL').fill(`${receiver.url}${key}`);
      });
      assert.deepEqual([slack.settings.channel, slack.hasSecret], ['#operations', true]);
      await operator.press('Send test');
      await operator.shown('Delivered');
      assert.equal((await page.content()).includes(key), false, 'the page shows a secret');
      assert.equal(receiver.received.length, 1);
      const pager = await create('PagerDuty', 'Pager', async (dialog) => {
        await dialog.getByLabel('Events API').fill(receiver.url);
        await dialog.getByLabel('Integration key').fill(key);
      });
      assert.deepEqual([pager.settings.url, pager.hasSecret], [receiver.url, true]);
      const telemetry = await create('OpenTelemetry', 'Metrics', async (dialog) => {
        await dialog.getByLabel('URL').fill(receiver.url);
        await dialog.getByLabel('Header name').fill('Authorization');
        await dialog.getByLabel('Value of the header').fill('Bearer secret');
      });
      assert.deepEqual([telemetry.settings.headerName, telemetry.hasSecret], ['Authorization', true]);
      const siem = await create('SIEM', 'Trail', async (dialog) => {
        await dialog.getByLabel('Host').fill('127.0.0.1');
        await dialog.getByLabel('Port', { exact: true }).fill(String(collector.port));
        await operator.choose(dialog.getByRole('combobox', { name: 'Transport' }), 'TCP');
        await operator.choose(dialog.getByRole('combobox', { name: 'Format' }), 'CEF');
      });
      assert.deepEqual([siem.settings.transport, siem.settings.format, siem.hasSecret], ['tcp', 'cef', false]);
      await operator.press('Send test');
      await operator.shown('Delivered');
      await eventually('the message', () => /CEF:0\|/.test(collector.text()));

      await operator.goto(`/integrations/${slack.id}`);
      await operator.shown('Not tested yet.');
      await operator.chooseItem('More', 'Rotate secret');
      const rotate = operator.dialog('Rotate the secret of Chat');
      await rotate.getByLabel('Webhook URL').fill(`${receiver.url}other`);
      await operator.send('Rotate the secret of Chat', 'Rotate');
      await operator.press('Send test');
      await operator.shown('Delivered');
      assert.equal(receiver.received.at(-1)!.path, '/other');
    }));

  test('the events that integrations can subscribe to are listed with examples', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      await operator.goto('/integrations');
      await page.getByRole('link', { name: 'Events', exact: true }).click();
      await operator.heading('Events');
      const { events } = await operator.get('/events');
      const rows = await cellsOf(operator, 'Table of events');
      assert.deepEqual(
        rows.map(([kind]) => kind),
        events.map(({ kind }: { readonly kind: string }) => kind),
      );
      await operator.press('Show an example of incident.opened');
      const { example } = events.find(({ kind }: { readonly kind: string }) => kind === 'incident.opened');
      const shown = await operator.dialog('Example of incident.opened').locator('pre').textContent();
      assert.deepEqual(JSON.parse(shown ?? ''), example);
    }));

  const withoutPictures = process.env.MILLRACE_SCREENSHOTS !== '1' && 'takes pictures for the documentation';
  test('the demo organization’s traffic and incident are worth showing', { skip: withoutPictures }, async () => {
    await using stack = new AsyncDisposableStack();
    const demo = await startTestConsole(import.meta.filename, { MILLRACE_SEED: '1' });
    stack.defer(() => demo.stop());
    const { system } = demo.control.opened.database;
    const seeded = () => system.selectFrom('incidents').select(['id', 'organization_id']).executeTakeFirst();
    while ((await seeded()) === undefined) await setTimeout(200);
    const { id, organization_id: organizationId } = (await seeded())!;
    const operator = await operatorOf(demo, { organizationId });
    const { page } = operator;
    const picture = (name: string) =>
      page.screenshot({ path: join(import.meta.dirname, '../../../docs', `${name}.png`) });
    await operator.goto('/traffic?range=7d');
    await page.locator('canvas').nth(1).waitFor();
    await picture('console-traffic');
    await operator.goto(`/incidents/${id}`);
    await page.getByText('Extraction fails').first().waitFor();
    await picture('console-incident');
    await operator.goto('/alert-rules');
    await page.getByText('Extraction fails').first().click();
    await operator.heading('Extraction fails');
    await picture('console-alert-rule');
  });
});

function webhook(name: string, url: string) {
  return { name, settings: { kind: 'webhook', url, events: [] } };
}

/** A duration as screens show it, below an hour. */
function minutesText(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const texts = [
    [minutes, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const shown = texts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return shown.join(' ') || '0 seconds';
}

/** With ordinary spaces alone. */
function plain(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** An HTTP server on loopback that keeps what it receives, and answers with a text. */
async function startReceiver() {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers });
      response.writeHead(status, { 'content-type': 'text/plain' });
      response.end('thanks');
      server.emit('received');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answerWith: (next: number) => {
      status = next;
    },
    until: async (count: number) => {
      while (received.length < count) await once(server, 'received');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A syslog listener on loopback, without TLS. */
async function startCollector() {
  let text = '';
  const server = createTcpServer((socket) => {
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    text: () => text,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
