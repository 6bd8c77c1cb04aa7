import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { slotRow } from '../evaluator/testing.ts';
import { addReports } from '../slots/store.ts';

const tickMs = 10_000;
const hourMs = 3_600_000;

describe('alert rules', () => {
  let control: TestControl;
  let organizationId: string;
  let caller: TestCaller;
  let environmentId: string;
  const proxyId = newId('prx');
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    caller = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = (await done(caller, 'POST', '/environments', { name: 'test', displayName: 'Test' })).id;
  });

  const rule = { name: 'Errors', metric: 'error_rate', threshold: 50, durationSeconds: 20, keepFiringSeconds: 20 };

  test('say when they would have fired, and for how long', async () => {
    const lastMs = Math.floor(Date.now() / tickMs) * tickMs - 60_000;
    const errors = [10, 75, 80, 90, 10, 10, 10, 10];
    const rows = errors.map((count, index) => slotRow(lastMs + (index - errors.length) * tickMs, proxyId, 100, count));
    await tenantTransaction(control.opened.database, organizationId, (transaction) =>
      addReports(transaction, [{ environmentId, rows }]),
    );
    const range = { from: new Date(lastMs - 8 * tickMs).toISOString(), to: new Date(lastMs).toISOString() };
    const { id } = await done(caller, 'POST', '/alert-rules', rule);
    const tried = await done(caller, 'POST', `/alert-rules/${id}/test`, range);
    const at = (index: number) => new Date(lastMs + (index + 1 - errors.length) * tickMs).toISOString();
    assert.equal(tried.firingsTotal, 1);
    const [firing] = tried.firings;
    assert.deepEqual(
      [firing.pendingAt, firing.firedAt, firing.resolvedAt, firing.seconds, firing.value],
      [at(1), at(3), at(6), 30, 90],
    );
    assert.equal(firing.labels.proxyId, proxyId);
    assert.deepEqual(
      tried.series[0].points.map(({ value, state }: { value: number; state: string }) => [value, state]),
      [
        [10, 'inactive'],
        [75, 'pending'],
        [80, 'pending'],
        [90, 'firing'],
        [10, 'firing'],
        [10, 'firing'],
        [10, 'inactive'],
        [10, 'inactive'],
      ],
    );
    assert.deepEqual(
      tried.spans.map(({ source }: { source: string }) => source),
      ['slots'],
    );
    const changed = await done(caller, 'POST', `/alert-rules/${id}/test`, { ...range, changes: { threshold: 95 } });
    assert.equal(changed.firingsTotal, 0);
    const preview = await done(caller, 'POST', '/alert-rules/preview', { ...range, rule });
    assert.equal(preview.firingsTotal, 1);
  });

  test('are tried on hours where slots are no longer kept', async () => {
    const hour = new Date(Math.floor(Date.now() / hourMs) * hourMs - 100 * hourMs);
    await control.opened.database.system
      .insertInto('traffic_aggregates')
      .values({
        organization_id: organizationId,
        hour,
        environment_id: environmentId,
        proxy_id: proxyId,
        app_id: '',
        product_id: '',
        country: '',
        requests: 1_000,
        status_2xx: 200,
        status_3xx: 0,
        status_4xx: 0,
        status_5xx: 800,
        limited: 0,
        request_bytes: 0,
        response_bytes: 0,
        gateway_time: [],
        target_time: [],
      })
      .execute();
    const range = {
      from: new Date(hour.getTime() - hourMs).toISOString(),
      to: new Date(hour.getTime() + 3 * hourMs).toISOString(),
    };
    const { firings, spans } = await done(caller, 'POST', '/alert-rules/preview', { ...range, rule });
    assert.deepEqual(
      spans.map(({ source, evaluationSeconds }: { source: string; evaluationSeconds: number }) => [
        source,
        evaluationSeconds,
      ]),
      [['hours', 60]],
    );
    assert.equal(firings.length, 1);
    assert.equal(firings[0].value, 80);
    assert.equal(firings[0].seconds, hourMs / 1_000);
  });

  test('are rejected where their fields make no sense together', async () => {
    const rejected = async (fields: object) => {
      const { status, data } = await caller.call('POST', '/alert-rules', { ...rule, ...fields });
      return [status, ...Object.keys(data.errors ?? {})];
    };
    assert.deepEqual(await rejected({ metric: 'node_offline' }), [400, 'threshold']);
    assert.deepEqual(await rejected({ clearThreshold: 60 }), [400, 'clearThreshold']);
    assert.deepEqual(await rejected({ operator: '<', clearThreshold: 40 }), [400, 'clearThreshold']);
    assert.deepEqual(await rejected({ metric: 'certificate_days_left', proxyId }), [400, 'proxyId']);
    assert.deepEqual(await rejected({ environmentId: newId('env') }), [400, 'environmentId']);
    assert.deepEqual(await rejected({ integrationIds: [newId('itg')] }), [400, 'integrationIds.0']);
    assert.deepEqual(await rejected({ name: 'Errors' }), [201]);
    assert.deepEqual(await rejected({ name: 'Errors' }), [400, 'name']);
    const past = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const { status } = await caller.call('POST', '/alert-rules/preview', {
      ...past,
      rule: { ...rule, metric: 'prepaid_balance', operator: '<' },
    });
    assert.equal(status, 422);
  });

  test('begin again after a change of their condition, and not after another', async () => {
    const { id, state } = await done(caller, 'POST', '/alert-rules', rule);
    assert.equal(state, 'unknown');
    const disabled = await done(caller, 'PATCH', `/alert-rules/${id}`, { enabled: false });
    assert.deepEqual([disabled.state, disabled.nextEvaluationAt, disabled.version], ['disabled', null, 2]);
    const stale = await caller.call('PATCH', `/alert-rules/${id}`, { threshold: 1 }, { 'if-match': '"1"' });
    assert.equal(stale.status, 412);
  });
});

describe('silences', () => {
  let control: TestControl;
  let caller: TestCaller;
  before(async () => {
    control = await startTestControl();
    caller = await control.addUser(await control.addOrganization(), ['organization_administrator']);
  });
  after(() => control.stop());

  const matchers = [{ label: 'environment', operator: '=', value: 'production' }];
  const recurring = {
    kind: 'recurring',
    timeZone: 'Europe/Berlin',
    days: { kind: 'weekly', weekdays: [1, 2, 3, 4, 5, 6, 7] },
    startTime: '00:00',
    durationMinutes: 1_440,
    from: null,
    until: null,
  };

  test('say which window is in force and which is next', async () => {
    const silence = await done(caller, 'POST', '/silences', { comment: 'Always', matchers, schedule: recurring });
    assert.equal(silence.state, 'active');
    assert(Date.parse(silence.current.from) <= Date.now() && Date.now() < Date.parse(silence.current.to));
    assert.equal(silence.next.from, silence.current.to);
    const schedule = { kind: 'once', startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' };
    const past = await done(caller, 'PATCH', `/silences/${silence.id}`, { schedule });
    assert.deepEqual([past.state, past.current, past.next], ['expired', null, null]);
    assert.equal((await done(caller, 'GET', '/silences?state=active')).total, 0);
  });

  test('are rejected where they match everything, can’t be matched or never begin', async () => {
    const rejected = async (fields: object) => {
      const body = { comment: 'Work', matchers, schedule: recurring, ...fields };
      const { status, data } = await caller.call('POST', '/silences', body);
      return [status, ...Object.keys(data.errors ?? {})];
    };
    const matcher = (operator: string, value: string) => [{ label: 'proxy', operator, value }];
    assert.deepEqual(await rejected({ matchers: matcher('=~', '.*') }), [400, 'matchers']);
    assert.deepEqual(await rejected({ matchers: matcher('!=', 'orders') }), [400, 'matchers']);
    assert.deepEqual(await rejected({ matchers: matcher('=~', '(') }), [400, 'matchers.0.value']);
    assert.deepEqual(await rejected({ schedule: { ...recurring, until: '2026-01-01' } }), [400, 'schedule']);
    assert.deepEqual(await rejected({ schedule: { ...recurring, timeZone: 'Europe/Nowhere' } }), [
      400,
      'schedule.timeZone',
    ]);
  });
});
