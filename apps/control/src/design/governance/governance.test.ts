import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RevisionContent } from '@millrace/revision/content';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { builtInStandards, type Subject } from './built-in.ts';

const route = (id: string, method: string, pathPattern: string, more: object = {}) => ({
  id,
  method,
  pathPattern,
  targetServer: 'orders',
  targetPath: null,
  timeoutMs: 5_000,
  summary: 'Does it',
  description: '',
  ...more,
});
const policy = (kind: string, configuration: object = {}, more: object = {}) => ({
  id: `pol-${kind}`,
  flow: 'request',
  kind,
  name: kind,
  enabled: true,
  routeIds: null,
  configuration,
  ...more,
});
const document = (paths: object) => ({ openapi: '3.1.0', info: { title: 'Orders', version: '1.0.0' }, paths });
const clean = {
  routes: [route('r1', 'GET', '/{orderId}'), route('r2', 'ANY', '/files/*')],
  policies: [policy('verify-api-key'), policy('quota', { limit: 10, window: { unit: 'day' } })],
  specification: document({
    '/{id}': { get: { summary: 'Reads', responses: {} } },
    '/files/{rest}': { get: { summary: 'Reads', responses: {} }, put: { summary: 'Writes', responses: {} } },
  }),
};

/** Locations of what the rule finds in the clean content with these changes. */
function locations(code: string, changes: object = {}, more: Partial<Subject> = {}, proxy: object = {}): string[] {
  const content = RevisionContent.parse({
    proxy: {
      name: 'orders',
      displayName: 'Orders',
      description: '',
      basePath: '/v1/orders',
      protocol: 'rest',
      authScheme: 'api_key',
      ...proxy,
    },
    ...clean,
    ...changes,
  });
  const subject: Subject = {
    content,
    specificationId: 'spc_1',
    published: { id: 'spc_1', document: content.specification ?? {} },
    productionTargets: [],
    ...more,
  };
  const standard = builtInStandards.find((candidate) => candidate.code === code)!;
  return [...standard.check(subject)].map(({ location }) => location);
}

describe('built-in governance rules', () => {
  test('find nothing in a content that follows all of them', () => {
    for (const { code } of builtInStandards) assert.deepEqual(locations(code), [], code);
    const codes = builtInStandards.map(({ code }) => code).join(' ');
    assert.equal(codes, 'DAT-001 DOC-001 DOC-002 NAM-001 REL-001 SEC-001 SEC-002 SEC-003 SEC-004 VER-001');
    const blocking = builtInStandards.filter((standard) => standard.blocking).map(({ code }) => code);
    assert.deepEqual(blocking, ['SEC-001', 'SEC-002']);
  });

  test('SEC-004: no policy contains a literal credential', () => {
    const headers = (value: string) => [policy('transform-headers', { set: [{ name: 'authorization', value }] })];
    assert.deepEqual(locations('SEC-004', { policies: headers('Bearer hunter2') }), [
      'policy request/transform-headers: transform-headers',
    ]);
    assert.deepEqual(locations('SEC-004', { policies: headers('Bearer {{variables.TOKEN}}') }), []);
  });

  test('SEC-001: every route is behind an enabled authentication policy', () => {
    const both = ['route GET /{orderId}', 'route ANY /files/*'];
    assert.deepEqual(locations('SEC-001', { policies: [] }), both);
    assert.deepEqual(locations('SEC-001', { policies: [policy('verify-jwt', {}, { enabled: false })] }), both);
    assert.deepEqual(locations('SEC-001', { policies: [policy('verify-jwt', {}, { routeIds: ['r2'] })] }), [both[0]]);
    assert.deepEqual(locations('SEC-001', { policies: [policy('ip-allow-list')] }), both);
  });

  test('SEC-002: production target servers used by routes have TLS', () => {
    const target = { id: 'tgt_1', name: 'orders', environmentName: 'live', scheme: 'http' as const };
    const found = ['target server orders in live'];
    assert.deepEqual(locations('SEC-002', {}, { productionTargets: [target] }), found);
    assert.deepEqual(locations('SEC-002', {}, { productionTargets: [{ ...target, scheme: 'https' }] }), []);
    assert.deepEqual(locations('SEC-002', {}, { productionTargets: [{ ...target, name: 'other' }] }), []);
  });

  test('SEC-003: Quota or Spike Arrest limits every route', () => {
    assert.deepEqual(locations('SEC-003', { policies: [] }), ['request flow']);
    const one = policy('spike-arrest', { ratePerSecond: 1 }, { routeIds: ['r1'] });
    assert.deepEqual(locations('SEC-003', { policies: [one] }), ['route ANY /files/*']);
    assert.deepEqual(locations('SEC-003', { routes: [], policies: [] }), []);
  });

  test('DOC-001: the published specification matches the routes exactly', () => {
    assert.deepEqual(locations('DOC-001', {}, { published: null }), ['specification']);
    assert.deepEqual(locations('DOC-001', { routes: [...clean.routes, route('r3', 'GET', '/new')] }), [
      'specification',
    ]);
    assert.deepEqual(locations('DOC-001', { routes: [clean.routes[1]] }), ['specification']);
    assert.deepEqual(locations('DOC-001', { routes: [route('r1', 'POST', '/{orderId}'), clean.routes[1]] }), [
      'specification',
    ]);
  });

  test('DOC-002: every operation, or without a specification every route, has a summary', () => {
    const specification = document({ '/{id}': { get: { summary: ' ', responses: {} } } });
    assert.deepEqual(locations('DOC-002', { specification }), ['operation GET /{id}']);
    const routes = [route('r1', 'GET', '/', { summary: '' })];
    assert.deepEqual(locations('DOC-002', { routes, specification: null }), ['route GET /']);
  });

  test('VER-001, NAM-001 and REL-001 check paths and time-outs', () => {
    assert.deepEqual(locations('VER-001', {}, {}, { basePath: '/orders' }), ['base path /orders']);
    assert.deepEqual(locations('VER-001', {}, {}, { basePath: '/public/v1.2/orders' }), []);
    assert.deepEqual(locations('NAM-001', {}, {}, { basePath: '/v1/salesOrders' }), ['base path /v1/salesOrders']);
    const routes = ['/order_lines', '/{OrderId}', '/order-lines/{lineId}/openapi.json', '/a/*'].map((path, index) =>
      route(`r${index}`, 'GET', path, { timeoutMs: index === 3 ? null : 1 }),
    );
    assert.deepEqual(locations('NAM-001', { routes }), ['route GET /order_lines', 'route GET /{OrderId}']);
    assert.deepEqual(locations('REL-001', { routes }), ['route GET /a/*']);
  });

  test('DAT-001: fields that the specification marks as sensitive are masked, wherever they are', () => {
    const customer = {
      type: 'object',
      properties: {
        email: { type: 'string', 'x-sensitive': true },
        iban: { type: 'string', 'x-sensitive': 'iban' },
        parent: { $ref: '#/components/schemas/Customer' },
      },
    };
    const schema = {
      allOf: [{ properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Customer' } } } }],
    };
    const specification = {
      ...document({
        '/{orderId}': {
          get: { responses: { 200: { description: 'It', content: { 'application/json': { schema } } } } },
        },
      }),
      components: { schemas: { Customer: customer } },
    };
    const operation = 'operation GET /{orderId}: ';
    const found = [`${operation}$.items[*].email`, `${operation}$.items[*].iban`];
    const masking = (rules: object[], more: object = {}) => ({
      specification,
      policies: [policy('data-masking', { rules }, { flow: 'response', ...more })],
    });
    assert.deepEqual(locations('DAT-001', { specification }), found);
    assert.deepEqual(locations('DAT-001', masking([{ jsonPath: '$.items[*].email' }, { detector: 'iban' }])), []);
    assert.deepEqual(locations('DAT-001', masking([{ jsonPath: '$..email' }, { jsonPath: '$.items[*].iban' }])), []);
    assert.deepEqual(locations('DAT-001', masking([{ jsonPath: '$.email' }, { detector: 'card' }])), found);
    assert.deepEqual(locations('DAT-001', masking([{ jsonPath: '$.items[0].email' }])), found);
    assert.deepEqual(locations('DAT-001', masking([{ jsonPath: '$..email' }], { routeIds: ['r2'] })), found);
  });
});

describe('governance', () => {
  let control: TestControl;
  let organizationId: string;
  let developer: TestCaller;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    const environment = await administrator.call('POST', '/environments', {
      name: 'live',
      displayName: 'Live',
      production: true,
    });
    const target = { environmentId: environment.data.id, name: 'orders', host: 'orders.example', port: 80 };
    await administrator.call('POST', '/target-servers', { ...target, scheme: 'http' });
  });
  after(() => control.stop());

  let made = 0;
  const addProxy = async () => {
    made += 1;
    const name = `orders-${made}`;
    const { data } = await developer.call('POST', '/proxies', { name, displayName: name, basePath: `/v1/${name}` });
    await developer.call('POST', `/proxies/${data.id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
      summary: 'Read an order',
    });
    return data.id as string;
  };
  const evaluate = async (proxyId: string) => {
    const { status, data } = await developer.call('POST', `/proxies/${proxyId}/governance/evaluate`);
    assert.equal(status, 200, JSON.stringify(data));
    return data;
  };
  const codesOf = (data: { findings: { code: string }[] }) => data.findings.map(({ code }) => code);
  const soon = (days = 1) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('an evaluation reports what is wrong, where, and how to fix it; findings keep their identity', async () => {
    const proxyId = await addProxy();
    const never = await developer.call('GET', `/proxies/${proxyId}/governance`);
    assert.deepEqual([never.data.score, never.data.total], [null, 0]);
    const first = await evaluate(proxyId);
    assert.deepEqual(codesOf(first), ['SEC-001', 'SEC-002', 'DOC-001', 'REL-001', 'SEC-003']);
    // 2 × 30 for those that block, 3 × 8 for warnings.
    assert.deepEqual([first.score, first.blocking], [16, 2]);
    const [unauthenticated, unencrypted] = first.findings;
    assert.equal(unauthenticated.location, 'route GET /{orderId}');
    assert.match(unauthenticated.remedy, /Attach Verify API Key/);
    assert.deepEqual(unauthenticated.fix, { kind: 'policy', id: null });
    assert.equal(unencrypted.fix.kind, 'target-server');

    await developer.call('POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key' });
    const read = await developer.call('GET', `/proxies/${proxyId}/governance`);
    assert.deepEqual([read.data.current, read.data.total], [false, 5]);
    const second = await evaluate(proxyId);
    assert.deepEqual(codesOf(second), ['SEC-002', 'DOC-001', 'REL-001', 'SEC-003']);
    assert.deepEqual(second.findings[0], unencrypted);
    assert.equal((await developer.call('GET', `/proxies/${proxyId}/governance`)).data.current, true);
    const filtered = await developer.call('GET', `/governance/findings?proxyId=${proxyId}&blocking=true`);
    assert.deepEqual([filtered.data.total, filtered.data.findings[0].code], [1, 'SEC-002']);
  });

  test('a waiver applies until it expires or is ended, and both are audited', async () => {
    const proxyId = await addProxy();
    await evaluate(proxyId);
    const waiver = { proxyId, code: 'SEC-002', reason: 'The target moves to TLS next month.' };
    const refused = await developer.call('POST', '/governance/waivers', { ...waiver, endsAt: soon() });
    assert.equal(refused.status, 403);
    for (const endsAt of [soon(-1), soon(400)]) {
      const wrong = await administrator.call('POST', '/governance/waivers', { ...waiver, endsAt });
      assert.deepEqual([wrong.status, Object.keys(wrong.data.errors)], [400, ['endsAt']]);
    }
    const unknown = await administrator.call('POST', '/governance/waivers', {
      ...waiver,
      code: 'NO-1',
      endsAt: soon(),
    });
    assert.deepEqual(Object.keys(unknown.data.errors), ['code']);
    const { status, data } = await administrator.call('POST', '/governance/waivers', { ...waiver, endsAt: soon() });
    assert.equal(status, 201, JSON.stringify(data));
    assert.equal(data.state, 'active');
    const state = async () => {
      const read = await developer.call('GET', `/proxies/${proxyId}/governance?code=SEC-002`);
      return [read.data.score, read.data.blocking, read.data.findings[0].waiver?.id ?? null];
    };
    assert.deepEqual(await state(), [46, 1, data.id]);
    await evaluate(proxyId);
    assert.deepEqual(await state(), [46, 1, data.id]);

    assert.equal((await administrator.call('DELETE', `/governance/waivers/${data.id}`)).status, 200);
    assert.deepEqual(await state(), [16, 2, null]);
    assert.equal((await administrator.call('DELETE', `/governance/waivers/${data.id}`)).status, 409);

    const short = await administrator.call('POST', '/governance/waivers', { ...waiver, endsAt: soon() });
    assert.deepEqual(await state(), [46, 1, short.data.id]);
    await control.opened.database.system
      .updateTable('governance_waivers')
      .set({ ends_at: new Date(Date.now() - 1) })
      .where('id', '=', short.data.id)
      .execute();
    assert.deepEqual(await state(), [16, 2, null]);
    const listed = await developer.call('GET', `/governance/waivers?proxyId=${proxyId}&sort=createdAt`);
    assert.deepEqual(
      listed.data.waivers.map(({ state }: { state: string }) => state),
      ['ended', 'expired'],
    );
    const rows = await control.opened.database.system
      .selectFrom('audit_entries')
      .select(['operation', 'outcome', 'category'])
      .where('entity_type', '=', 'governance_waiver')
      .where('outcome', '=', 'done')
      .orderBy('sequence')
      .execute();
    assert.deepEqual(
      rows.map(({ operation }) => operation),
      ['createGovernanceWaiver', 'endGovernanceWaiver', 'createGovernanceWaiver'],
    );
  });

  test('an organization can change severity, blocking and enabled of built-in rules, but not their texts', async () => {
    const proxyId = await addProxy();
    await evaluate(proxyId);
    const path = '/governance/standards/REL-001';
    assert.equal((await developer.call('PATCH', path, { blocking: true })).status, 403);
    const original = await administrator.call('GET', path);
    const changed = await administrator.call('PATCH', path, { blocking: true }, { 'if-match': '"v1"' });
    assert.deepEqual([changed.status, changed.data.blocking, changed.data.version], [200, true, 2]);
    assert.equal((await administrator.call('PATCH', path, { enabled: false }, { 'if-match': '"v1"' })).status, 412);
    const read = async () => (await developer.call('GET', `/proxies/${proxyId}/governance`)).data;
    assert.deepEqual([(await read()).score, (await read()).blocking], [0, 3]);
    await administrator.call('PATCH', path, { enabled: false });
    assert.deepEqual([(await read()).score, (await read()).total], [24, 4]);
    await administrator.call('PATCH', path, { enabled: true, blocking: false });
    assert.equal((await read()).current, false);
    assert.equal((await evaluate(proxyId)).score, 16);
    const renamed = await administrator.call('PATCH', path, { name: 'x' });
    assert.deepEqual([renamed.status, Object.keys(renamed.data.errors)], [400, ['name']]);
    assert.match((await administrator.call('DELETE', path)).data.message, /disabled, not deleted/);
    const after = await administrator.call('GET', path);
    assert.deepEqual({ ...after.data, version: 0, updatedAt: '' }, { ...original.data, version: 0, updatedAt: '' });
    const listed = await developer.call('GET', '/governance/standards?kind=built_in&search=tls');
    assert.deepEqual([listed.data.total, listed.data.standards[0].code], [1, 'SEC-002']);
  });

  test('a custom ruleset checks the specification', async () => {
    const proxyId = await addProxy();
    await developer.call('POST', `/proxies/${proxyId}/specifications`, {});
    const ruleset = 'rules: {contact: {given: $.info, severity: warn, then: {field: contact, function: truthy}}}';
    const standard = { code: 'CUS-001', name: 'API has a contact', ruleset, blocking: true };
    const reserved = await administrator.call('POST', '/governance/standards', { ...standard, code: 'SEC-009' });
    assert.deepEqual(Object.keys(reserved.data.errors), ['code']);
    const wrong = await administrator.call('POST', '/governance/standards', { ...standard, ruleset: 'rules: {a: 5}' });
    assert.deepEqual([wrong.status, Object.keys(wrong.data.errors)], [400, ['ruleset#rules.a']]);
    const created = await administrator.call('POST', '/governance/standards', standard);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    assert.equal((await administrator.call('POST', '/governance/standards', standard)).status, 400);

    const own = async () =>
      (await evaluate(proxyId)).findings.filter(({ code }: { code: string }) => code === 'CUS-001');
    const [finding] = await own();
    assert.deepEqual([finding.location, finding.blocking], ['specification / info (contact)', true]);
    const { data } = await developer.call('GET', `/specifications?proxyId=${proxyId}`);
    await developer.call('PATCH', `/specifications/${data.specifications[0].id}`, { contact: { name: 'Team' } });
    assert.deepEqual(await own(), []);

    const other = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    assert.equal((await other.call('GET', '/governance/standards/CUS-001')).status, 404);
    assert.equal((await administrator.call('DELETE', '/governance/standards/CUS-001')).status, 200);
    assert.equal((await administrator.call('GET', '/governance/standards/CUS-001')).status, 404);
  });

  test('a ruleset that never finishes is a finding, and does not stop the service', async () => {
    const proxyId = await addProxy();
    await developer.call('PATCH', `/proxies/${proxyId}`, { description: `${'a'.repeat(40)}!` });
    await developer.call('POST', `/proxies/${proxyId}/specifications`, {});
    const pattern = '{function: pattern, functionOptions: {match: "^(a+)+$"}}';
    const ruleset = `rules: {slow: {given: $.info.description, then: ${pattern}}}`;
    await administrator.call('POST', '/governance/standards', { code: 'CUS-002', name: 'Slow', ruleset });
    const found = await evaluate(proxyId);
    await administrator.call('DELETE', '/governance/standards/CUS-002');
    const [slow] = found.findings.filter(({ code }: { code: string }) => code === 'CUS-002');
    assert.match(slow.message, /couldn’t be evaluated/);
  });

  test('the summary has a score for every proxy and a count for every rule', async () => {
    const proxyId = await addProxy();
    await evaluate(proxyId);
    const { status, data } = await developer.call('GET', '/governance/summary?evaluated=true&sort=-name&pageSize=1');
    assert.equal(status, 200, JSON.stringify(data));
    assert.equal(data.proxies[0].proxyId, proxyId);
    assert.equal(data.proxies[0].score, 16);
    assert.equal(data.total, data.evaluated);
    const rule = data.rules.find(({ code }: { code: string }) => code === 'DOC-001');
    assert.equal(rule.proxies, data.evaluated);
  });

  test('another organization sees and affects nothing', async () => {
    const proxyId = await addProxy();
    const other = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const waiver = { code: 'SEC-001', reason: 'Somebody else’s proxy.', endsAt: soon() };
    const foreign = await other.call('POST', '/governance/waivers', { ...waiver, proxyId });
    const unknown = await other.call('POST', '/governance/waivers', { ...waiver, proxyId: 'prx_unknown' });
    assert.deepEqual([foreign.status, foreign.data], [400, unknown.data]);
    assert.equal((await other.call('GET', `/proxies/${proxyId}/governance`)).status, 404);
    assert.equal((await other.call('POST', `/proxies/${proxyId}/governance/evaluate`)).status, 404);
    assert.equal((await other.call('GET', '/governance/findings')).data.total, 0);
  });
});
