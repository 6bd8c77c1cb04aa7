import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { policyKinds } from '@millrace/policies';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addEnvironment } from '../proxies/testing.ts';
import { permutationFault } from './rules.ts';

describe('policies', () => {
  let control: TestControl;
  let developer: TestCaller;
  let path: string;
  let proxyId: string;
  let proxies = 0;
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    await addEnvironment(control, organizationId);
  });
  beforeEach(async () => {
    const name = `proxy-${++proxies}`;
    const created = await developer.call('POST', '/proxies', { name, displayName: name, basePath: `/v1/${name}` });
    proxyId = created.data.id;
    path = `/proxies/${proxyId}/policies`;
  });
  after(() => control.stop());

  const attach = async (kind: string, values: object = {}) => {
    const attached = await developer.call('POST', path, { kind, ...values });
    assert.equal(attached.status, 201, JSON.stringify(attached.data));
    return attached.data;
  };
  const names = async () => (await developer.call('GET', path)).data.policies.map(({ name }: { name: string }) => name);
  const quota = { limit: 10, window: { unit: 'day' }, per: 'app', mode: 'strict' };

  test('every kind has a description and the schema of its configuration', async () => {
    const { policyKinds: kinds, total } = (await developer.call('GET', '/policy-kinds?pageSize=100')).data;
    assert.equal(total, policyKinds.length);
    for (const kind of kinds) assert.equal(kind.configurationSchema.type, 'object');
    const one = await developer.call('GET', '/policy-kinds/quota');
    assert.deepEqual(
      one.data,
      kinds.find(({ kind }: { kind: string }) => kind === 'quota'),
    );
    assert.equal((await developer.call('GET', '/policy-kinds/unknown')).status, 404);
    const response = (await developer.call('GET', '/policy-kinds?flow=response&search=MASK')).data;
    assert.deepEqual(
      response.policyKinds.map(({ kind }: { kind: string }) => kind),
      ['data-masking'],
    );
  });

  test('a policy is placed where its kind belongs, whatever the order of attaching', async () => {
    await attach('spike-arrest');
    await attach('data-masking', { configuration: { rules: [{ detector: 'card', replacement: 'redact' }] } });
    await attach('verify-api-key');
    await attach('quota', { name: 'First', configuration: quota });
    await attach('quota', { name: 'Second', configuration: quota });
    assert.deepEqual(await names(), ['Verify API Key', 'First', 'Second', 'Spike Arrest', 'Data Masking']);
    const request = (await developer.call('GET', `${path}?flow=request&pageSize=2&page=2`)).data;
    assert.deepEqual([request.total, request.policies.length, request.policies[0].name], [4, 2, 'Second']);

    const once = await developer.call('POST', path, { kind: 'verify-api-key', name: 'Again' });
    assert.deepEqual([once.status, Object.keys(once.data.errors)], [400, ['kind']]);
    const flow = await developer.call('POST', path, { kind: 'quota', flow: 'response', configuration: quota });
    assert.deepEqual([flow.status, Object.keys(flow.data.errors)], [400, ['flow']]);
    const kind = await developer.call('POST', path, { kind: 'unknown' });
    assert.deepEqual([kind.status, Object.keys(kind.data.errors)], [400, ['kind']]);
    const name = await developer.call('POST', path, { kind: 'quota', name: 'First', configuration: quota });
    assert.deepEqual([name.status, Object.keys(name.data.errors)], [400, ['name']]);
  });

  test('an order with a higher rank before a lower one is rejected, naming both', async () => {
    const key = await attach('verify-api-key');
    const first = await attach('quota', { name: 'First', configuration: quota });
    const second = await attach('quota', { name: 'Second', configuration: quota });
    const order = (policyIds: readonly string[], headers = {}) =>
      developer.call('PUT', `${path}/order`, { flow: 'request', policyIds }, headers);
    const refused = await order([first.id, key.id, second.id]);
    assert.equal(refused.status, 400);
    assert.match(refused.data.errors.policyIds, /Verify API Key "Verify API Key" must come before Quota "First"/);
    for (const ids of [
      [key.id, first.id],
      [key.id, first.id, first.id],
      [key.id, first.id, second.id, 'pol_x'],
    ]) {
      assert.deepEqual(Object.keys((await order(ids)).data.errors), ['policyIds']);
    }
    assert.equal((await order([key.id, second.id, first.id], { 'if-match': '"v1"' })).status, 412);
    const before = (await developer.call('GET', `/proxies/${proxyId}`)).data;
    const moved = await order([key.id, second.id, first.id], { 'if-match': `"v${before.version}"` });
    assert.equal(moved.status, 200, JSON.stringify(moved.data));
    assert.deepEqual(await names(), ['Verify API Key', 'Second', 'First']);
    const afterwards = (await developer.call('GET', `/proxies/${proxyId}`)).data;
    assert.notEqual(afterwards.contentHash, before.contentHash);
    const { entries } = (await developer.call('GET', `/proxies/${proxyId}/history`)).data;
    assert.deepEqual([entries[0].operation, entries[0].changes.length], ['orderPolicies', 2]);
  });

  test('an invalid configuration is rejected with errors by field', async () => {
    const refused = await developer.call('POST', path, {
      kind: 'quota',
      configuration: { ...quota, limit: 0, window: { unit: 'year' }, colour: 'red' },
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.data.errors).sort(), [
      'configuration.colour',
      'configuration.limit',
      'configuration.window.unit',
    ]);
    const attached = await attach('quota', { configuration: quota });
    assert.deepEqual(attached.configuration.window, { unit: 'day', count: 1 });
    const broken = await developer.call('PATCH', `${path}/${attached.id}`, { configuration: { limit: 5 } });
    assert.equal(broken.status, 400);
    const changed = await developer.call('PATCH', `${path}/${attached.id}`, {
      configuration: { ...quota, limit: 5 },
      enabled: false,
    });
    assert.deepEqual([changed.data.configuration.limit, changed.data.enabled, changed.data.version], [5, false, 2]);
    assert.equal(
      (await developer.call('PATCH', `${path}/${attached.id}`, { enabled: true }, { 'if-match': '"v1"' })).status,
      412,
    );
    assert.equal((await developer.call('DELETE', `${path}/${attached.id}`)).status, 200);
    assert.equal((await developer.call('DELETE', `${path}/${attached.id}`)).status, 404);
  });

  test('a policy only applies to routes of its own proxy', async () => {
    const body = { method: 'GET', pathPattern: '/', targetServer: 'orders' };
    const { data: route } = await developer.call('POST', `/proxies/${proxyId}/routes`, body);
    const attached = await attach('verify-api-key', { routeIds: [route.id] });
    assert.deepEqual(attached.routeIds, [route.id]);
    for (const routeIds of [['rte_unknown'], [], [route.id, route.id]]) {
      const refused = await developer.call('PATCH', `${path}/${attached.id}`, { routeIds });
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['routeIds']]);
    }
    assert.equal((await developer.call('PATCH', `${path}/${attached.id}`, { routeIds: null })).data.routeIds, null);
  });

  test('a template’s configuration is copied, and doesn’t follow later changes', async () => {
    const created = await developer.call('POST', '/policy-templates', {
      name: 'partner-quota',
      kind: 'quota',
      configuration: quota,
    });
    assert.equal(created.status, 201, JSON.stringify(created.data));
    const templateId = created.data.id;
    const again = await developer.call('POST', '/policy-templates', {
      name: 'partner-quota',
      kind: 'quota',
      configuration: quota,
    });
    assert.deepEqual(Object.keys(again.data.errors), ['name']);
    const attached = await attach('quota', { templateId });
    assert.deepEqual([attached.configuration, attached.templateId], [created.data.configuration, templateId]);
    const both = await developer.call('POST', path, { kind: 'quota', templateId, configuration: quota });
    assert.deepEqual(Object.keys(both.data.errors), ['templateId']);
    const other = await developer.call('POST', path, { kind: 'spike-arrest', templateId });
    assert.deepEqual(Object.keys(other.data.errors), ['templateId']);

    const changed = await developer.call('PATCH', `/policy-templates/${templateId}`, {
      configuration: { ...quota, limit: 20 },
    });
    assert.deepEqual([changed.data.configuration.limit, changed.data.version], [20, 2]);
    assert.equal((await developer.call('GET', `${path}/${attached.id}`)).data.configuration.limit, 10);
    const copied = await developer.call('PATCH', `${path}/${attached.id}`, { templateId });
    assert.equal(copied.data.configuration.limit, 20);
    const own = await developer.call('PATCH', `${path}/${attached.id}`, { configuration: quota });
    assert.equal(own.data.templateId, null);
    await developer.call('PATCH', `${path}/${attached.id}`, { templateId });
    assert.equal((await developer.call('DELETE', `/policy-templates/${templateId}`)).status, 200);
    const kept = (await developer.call('GET', `${path}/${attached.id}`)).data;
    assert.deepEqual([kept.templateId, kept.configuration.limit], [null, 20]);
  });

  test('a policy’s secret is in no audit row, but its change is', async () => {
    const configuration = (value: string) => ({ set: [{ name: 'authorization', value }] });
    const attached = await attach('transform-headers', { configuration: configuration('Bearer top-secret-1') });
    await developer.call('PATCH', `${path}/${attached.id}`, { configuration: configuration('Bearer top-secret-2') });
    const rows = await control.opened.database.system.selectFrom('audit_entries').select(['changes', 'note']).execute();
    assert.doesNotMatch(JSON.stringify(rows), /top-secret/);
    assert.ok(rows.some(({ note }) => note.endsWith('(a secret was changed)')));
  });

  test('a credential is redacted in every response, and kept if the redacted form is sent back', async () => {
    const configuration = {
      set: [
        { name: 'authorization', value: 'Bearer top-secret-1' },
        { name: 'x-region', value: 'eu' },
      ],
    };
    const attached = await attach('transform-headers', { configuration });
    const at = `${path}/${attached.id}`;
    for (const { configuration: shown } of [attached, (await developer.call('GET', at)).data]) {
      assert.deepEqual(shown.set, [{ name: 'authorization', value: '[secret]' }, configuration.set[1]]);
    }
    const saved = await developer.call('PATCH', at, {
      configuration: { set: [{ name: 'x-region', value: 'us' }, attached.configuration.set[0]] },
    });
    assert.equal(saved.status, 200);
    const stored = await control.opened.database.system
      .selectFrom('policy_attachments')
      .select('configuration')
      .where('id', '=', attached.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual((stored.configuration as { set?: unknown }).set, [
      { name: 'x-region', value: 'us' },
      configuration.set[0],
    ]);
    const elsewhere = await developer.call('PATCH', at, {
      configuration: { append: [{ name: 'authorization', value: '[secret]' }] },
    });
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.data.errors)], [400, ['configuration.append.0.value']]);
  });

  test('concurrent attaching leaves a valid order', async () => {
    await Promise.all(
      ['spike-arrest', 'verify-api-key', 'quota', 'transform-headers', 'request-size-limit'].map((kind) =>
        attach(kind),
      ),
    );
    const listed = (await developer.call('GET', path)).data.policies;
    assert.deepEqual(
      listed.map(({ kind }: { kind: string }) => kind),
      ['verify-api-key', 'quota', 'spike-arrest', 'request-size-limit', 'transform-headers'],
    );
  });
});

describe('policy rules', () => {
  test('an order lists each policy of the flow once', () => {
    assert.equal(permutationFault(['a', 'b'], ['b', 'a']), null);
    assert.match(permutationFault(['a', 'b'], ['a']) ?? '', /b is missing/);
    assert.match(permutationFault(['a'], ['a', 'a']) ?? '', /once/);
    assert.match(permutationFault(['a'], ['a', 'c']) ?? '', /no policy c/);
  });
});
