import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { done } from '../../consumers/products/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import type { EvaluatedAlert } from './evaluated.ts';
import { evaluate, testAlert, testRule } from './testing.ts';
import { endAlertsOfRule } from './transitions.ts';

const minuteMs = 60_000;

describe('incidents', () => {
  let control: TestControl;
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  before(async () => {
    control = await startTestControl();
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    await control.stop();
    receiver.close();
    receiver.closeAllConnections();
  });

  /** An organization with two integrations, an engineer who is signed in, and a rule that notifies both. */
  async function begin(escalateAfterMinutes: number | null = null) {
    const organizationId = await control.addOrganization();
    const engineer = await control.addUser(organizationId, ['operations_engineer']);
    const integrationIds = [await addIntegration(engineer, 'First'), await addIntegration(engineer, 'Second')];
    const rule = testRule({ integrationIds, escalateAfterMinutes });
    const environmentId = await addEnvironment(control, organizationId, { name: 'live', production: true });
    const apply = (alerts: readonly EvaluatedAlert[], now = new Date()) =>
      evaluate(control, organizationId, { rule, environmentId, alerts, now });
    const call = async (method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>) => {
      const answer = await engineer.call(method, `/incidents${path}`, body, headers);
      return { status: answer.status, data: answer.data };
    };
    return { organizationId, engineer, integrationIds, rule, environmentId, apply, call };
  }

  async function addIntegration(engineer: TestCaller, name: string): Promise<string> {
    const settings = { kind: 'webhook', url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
    return (await done(engineer, 'POST', '/integrations', { name, settings })).id;
  }

  /** What was enqueued, as `integration kind` with the notification's number, in that order. */
  async function enqueued(organizationId: string, integrationIds: readonly string[]) {
    const rows = await control.opened.database.system
      .selectFrom('integration_deliveries')
      .select(['integration_id', 'notification_id', 'kind', 'state', 'run_at'])
      .where('organization_id', '=', organizationId)
      .execute();
    return rows
      .map(({ integration_id: id, notification_id: notificationId, kind }) => ({
        number: Number(notificationId.split(':')[1]),
        integration: integrationIds.indexOf(id),
        kind: kind.replace('incident.', ''),
      }))
      .toSorted((first, second) => first.number - second.number || first.integration - second.integration)
      .map(({ number, integration, kind }) => `${number} ${kind} to ${integration}`);
  }

  test('are opened, moved and resolved, each move with its audit row and notifications', async () => {
    const { organizationId, engineer, integrationIds, rule, environmentId, apply, call } = await begin();
    const { incidentId, notified } = await apply([testAlert('orders')]);
    assert.equal(notified, true);
    const { data: opened } = await call('GET', `/${incidentId}`);
    assert.deepEqual(
      [opened.state, opened.metric, opened.value, opened.threshold, opened.unit, opened.environment.id],
      ['open', rule.metric, 12.5, 5, 'percent', environmentId],
    );
    assert.deepEqual(opened.proxies, [{ id: 'prx_orders', name: 'orders' }]);
    assert.equal(opened.rule.name, rule.name);

    const refused = await call('POST', `/${incidentId}/resolve`, { summary: 'Never happened.' });
    assert.deepEqual([refused.status, refused.data.message], [409, 'This incident is open. Next: acknowledge it.']);
    const stale = await call('POST', `/${incidentId}/acknowledge`, undefined, { 'if-match': '"v7"' });
    assert.equal(stale.status, 412);
    const { data: acknowledged } = await call('POST', `/${incidentId}/acknowledge`, undefined, { 'if-match': '"v1"' });
    assert.deepEqual([acknowledged.state, acknowledged.owner.id], ['acknowledged', engineer.userId]);
    const { data: watched } = await call('POST', `/${incidentId}/monitor`);
    assert.deepEqual([watched.state, watched.warning], ['monitoring', 'Its rule still fires for one alert.']);
    const note = await call('POST', `/${incidentId}/notes`, { text: 'Restarted the database.' });
    assert.equal(note.status, 201);
    const { data: resolved } = await call('POST', `/${incidentId}/resolve`, { summary: 'Out of connections.' });
    assert.deepEqual(
      [resolved.state, resolved.summary, resolved.resolvedBy.id, resolved.warning],
      ['resolved', 'Out of connections.', engineer.userId, 'Its rule still fires for one alert.'],
    );

    assert.deepEqual(await enqueued(organizationId, integrationIds), [
      '1 opened to 0',
      '1 opened to 1',
      '2 acknowledged to 0',
      '2 acknowledged to 1',
      '3 monitoring to 0',
      '3 monitoring to 1',
      '4 resolved to 0',
      '4 resolved to 1',
    ]);
    const { data: timeline } = await call('GET', `/${incidentId}/timeline?pageSize=100`);
    const own = timeline.entries.filter(({ kind }: { kind: string }) => kind !== 'notification');
    assert.deepEqual(
      own.map(({ kind, text }: { kind: string; text: string }) => `${kind}: ${text}`),
      [
        'opened: orders, error rate: 12.5 %, above 5 %.',
        'acknowledged: Acknowledged.',
        'monitoring: Moved to monitoring.',
        'note: Restarted the database.',
        'resolved: Out of connections.',
      ],
    );
    assert.equal(timeline.total, own.length + 8);
    // By when they were delivered, which may be in another order.
    const delivered = timeline.entries.flatMap((entry: { notification: { kind: string } | null }) =>
      entry.notification === null ? [] : [entry.notification.kind],
    );
    assert.deepEqual([...new Set(delivered)].toSorted(), [
      'incident.acknowledged',
      'incident.monitoring',
      'incident.opened',
      'incident.resolved',
    ]);
    const auditor = await control.addUser(organizationId, ['auditor']);
    const { data: trail } = await auditor.call('GET', `/audit/entities/incident/${incidentId}`);
    assert.deepEqual(trail.entries.map(({ operation }: { operation: string }) => operation).toSorted(), [
      'acknowledgeIncident',
      'addIncidentNote',
      'monitorIncident',
      'resolveIncident',
    ]);
  });

  test('stay resolved while the same alert fires on, and are followed by another at the next crossing', async () => {
    const { apply, call } = await begin();
    const { incidentId } = await apply([testAlert('orders')]);
    await call('POST', `/${incidentId}/acknowledge`);
    await call('POST', `/${incidentId}/resolve`, { summary: 'False alarm.' });
    assert.equal((await apply([testAlert('orders', { value: 14 })])).incidentId, null);
    await apply([testAlert('orders', { state: 'resolved', value: 1 })]);
    const again = await apply([testAlert('orders', { since: new Date() })]);
    assert.notEqual(again.incidentId, incidentId);
    const { data } = await call('GET', `/${again.incidentId}`);
    assert.equal(data.previousId, incidentId);
  });

  test('resolve on their own when all members recovered, and reopen from monitoring', async () => {
    const { organizationId, integrationIds, apply, call } = await begin();
    const { incidentId } = await apply([testAlert('orders'), testAlert('carts')]);
    await apply([testAlert('orders', { state: 'resolved' })]);
    assert.equal((await call('GET', `/${incidentId}`)).data.firingMembers, 1);
    await apply([testAlert('carts', { state: 'resolved' })]);
    const { data } = await call('GET', `/${incidentId}`);
    assert.deepEqual([data.state, data.resolvedBy, data.summary], ['resolved', null, 'All 2 alerts recovered.']);
    assert.deepEqual(await enqueued(organizationId, integrationIds), [
      '1 opened to 0',
      '1 opened to 1',
      '2 resolved to 0',
      '2 resolved to 1',
    ]);

    const next = await apply([testAlert('orders', { since: new Date() })]);
    await call('POST', `/${next.incidentId}/acknowledge`);
    await call('POST', `/${next.incidentId}/monitor`);
    await apply([testAlert('orders', { state: 'resolved', since: new Date() })]);
    const { data: watched } = await call('GET', `/${next.incidentId}`);
    assert.deepEqual([watched.state, watched.warning], ['monitoring', null]);
    await apply([testAlert('orders', { since: new Date(Date.now() + 1_000) })]);
    const { data: reopened } = await call('GET', `/${next.incidentId}`);
    assert.deepEqual([reopened.state, reopened.reopenings, reopened.id], ['open', 1, next.incidentId]);
  });

  test('escalate to the next integration as long as nobody acknowledges them', async () => {
    const { organizationId, integrationIds, apply, call } = await begin(10);
    const now = new Date();
    const { incidentId } = await apply([testAlert('orders')], now);
    assert.deepEqual(await enqueued(organizationId, integrationIds), ['1 opened to 0', '2 escalated to 1']);
    const { data } = await call('GET', `/${incidentId}`);
    assert.deepEqual(data.nextEscalation, {
      integrationId: integrationIds[1],
      at: new Date(now.getTime() + 10 * minuteMs).toISOString(),
    });
    const { data: acknowledged } = await call('POST', `/${incidentId}/acknowledge`);
    assert.equal(acknowledged.nextEscalation, null);
    assert.deepEqual(await enqueued(organizationId, integrationIds), [
      '1 opened to 0',
      '2 escalated to 1',
      '3 acknowledged to 0',
    ]);
    const states = await control.opened.database.system
      .selectFrom('integration_deliveries')
      .select('state')
      .where('organization_id', '=', organizationId)
      .where('send_if', 'is not', null)
      .execute();
    assert.deepEqual(states, [{ state: 'skipped' }]);
  });

  test('notify whoever was escalated to before, and nobody else', async () => {
    const { organizationId, integrationIds, apply } = await begin(10);
    const began = new Date(Date.now() - 15 * minuteMs);
    await apply([testAlert('orders')], began);
    await apply([testAlert('orders', { state: 'resolved' })]);
    assert.deepEqual(await enqueued(organizationId, integrationIds), [
      '1 opened to 0',
      '2 escalated to 1',
      '3 resolved to 0',
      '3 resolved to 1',
    ]);
  });

  test('notify nobody while suppressed, and everyone when they no longer are', async () => {
    const { organizationId, integrationIds, apply, call } = await begin();
    const silenced = { suppressedBy: 'sil_00000000000000000000000001' };
    const { incidentId, notified } = await apply([testAlert('orders', silenced)]);
    assert.equal(notified, false);
    const { data } = await call('GET', `/${incidentId}`);
    assert.deepEqual(
      [data.state, data.suppressed, data.suppressedBy[0].silenceId],
      ['open', true, silenced.suppressedBy],
    );
    assert.deepEqual(await enqueued(organizationId, integrationIds), []);
    assert.equal((await apply([testAlert('orders')])).notified, true);
    assert.deepEqual(await enqueued(organizationId, integrationIds), ['1 opened to 0', '1 opened to 1']);
    await apply([testAlert('orders', silenced)]);
    await apply([testAlert('orders')]);
    assert.deepEqual((await enqueued(organizationId, integrationIds)).length, 2, 'once, however often it is silenced');
  });

  test('are announced to people who can act on them', async () => {
    const { engineer, apply } = await begin();
    const { incidentId } = await apply([testAlert('orders')]);
    const { data } = await engineer.call('GET', '/notifications');
    assert.deepEqual(
      data.notifications.map(({ kind, title, link }: Record<string, string>) => [kind, title, link]),
      [['incident', 'Orders fail in live', `/incidents/${incidentId}`]],
    );
  });

  test('end with their rule', async () => {
    const { organizationId, rule, apply, call } = await begin();
    const { incidentId } = await apply([testAlert('orders')]);
    await tenantTransaction(control.opened.database, organizationId, (transaction) =>
      endAlertsOfRule(transaction, rule.id, 'The rule was deleted.', new Date()),
    );
    const { data } = await call('GET', `/${incidentId}`);
    assert.equal(data.state, 'resolved');
    const { data: timeline } = await call('GET', `/${incidentId}/timeline?search=deleted`);
    assert.equal(timeline.total, 1);
  });

  test('are filtered and counted, with the mean times', async () => {
    const { organizationId, environmentId, rule, apply, call } = await begin();
    const began = new Date(Date.now() - 10 * minuteMs);
    await apply([testAlert('orders')], began);
    await apply([testAlert('orders', { state: 'resolved' })], new Date(began.getTime() + 4 * minuteMs));
    const { incidentId } = await apply([testAlert('carts', { since: new Date() })]);
    const other = testRule({ severity: 'info' });
    await evaluate(control, organizationId, { rule: other, alerts: [testAlert('orders', { labels: {} })] });
    const list = async (query: string) => {
      const { status, data } = await call('GET', `?${query}`);
      assert.equal(status, 200, query);
      return data;
    };
    const { figures, total } = await list('');
    assert.deepEqual([total, figures.unresolved, figures.unacknowledged], [3, 2, 2]);
    assert.equal(figures.meanSecondsToResolve, 240);
    assert.equal(figures.meanSecondsToAcknowledge, null);
    const bySeverity = await list('sort=severity');
    assert.deepEqual(
      bySeverity.incidents.map(({ severity }: { severity: string }) => severity),
      ['critical', 'critical', 'info'],
    );
    const ofRule = await list(`alertRuleId=${rule.id}&unresolved=true`);
    assert.deepEqual([ofRule.total, ofRule.incidents[0].id], [1, incidentId]);
    for (const [query, expected] of [
      ['state=resolved', 1],
      ['severity=info', 1],
      [`environmentId=${environmentId}`, 2],
      ['proxyId=prx_carts', 1],
      [`to=${new Date(Date.now() - 5 * minuteMs).toISOString()}`, 1],
      [`from=${new Date(Date.now() - 5 * minuteMs).toISOString()}`, 2],
      ['search=in%20LIVE', 2],
      ['pageSize=1&page=3', 3],
    ] as const) {
      assert.equal((await list(query)).total, expected, query);
    }
    await call('POST', `/${incidentId}/acknowledge`);
    assert.ok((await list('')).figures.meanSecondsToAcknowledge < 60);
  });
});
