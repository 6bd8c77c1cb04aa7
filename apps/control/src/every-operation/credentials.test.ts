import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestControl } from '../testing.ts';
import { allOperations } from './cells.ts';
import { addServiceAccount, type Caller, exampleId, type FullOrganization, makeOrganization } from './organizations.ts';
import { exampleOf, type Parts, send, sendOperation } from './requests.ts';

/** Written out in policies wherever a configuration can hold a credential. */
const canary = 'canary7f3a91c2';

const headers = (name: string) => [
  { name: 'authorization', value: `Bearer ${canary}-${name}` },
  { name: 'cookie', value: `session=${canary}-${name}` },
  { name: 'x-api-key', value: `${canary}-${name}` },
  { name: 'x-acme-token', value: `${canary}-${name}` },
  { name: 'x-auth-user', value: `${canary}-${name}` },
  // By its form alone.
  { name: 'x-partner', value: `Bearer ${canary}-${name}` },
];
const configurations = {
  'transform-headers': { set: headers('set'), append: headers('append') },
  'mock-response': {
    headers: headers('mock'),
    body: JSON.stringify({ access_token: canary, user: { password: canary, apiKey: canary } }),
  },
  'verify-jwt': {
    jwksUrl: `https://id.example.com/keys?api_key=${canary}`,
    issuer: 'https://id.example.com',
    audience: ['a'],
  },
} as const;

describe('literal credentials in policies', () => {
  let control: TestControl;
  let organization: FullOrganization;
  let policyIds: readonly string[];
  let revision: number;

  before(async () => {
    control = await startTestControl();
    const made = await makeOrganization(control);
    const admin = 'organization_administrator';
    const data = async (method: string, path: string, body?: object) => {
      const { status, json, text } = await made.call(admin, method, path, body);
      assert.ok(status < 300, `${method} ${path}: ${text}`);
      assert.doesNotMatch(text, new RegExp(canary), `the answer of ${method} ${path} shows it`);
      return json.data;
    };
    const ofProxy = `/proxies/${made.ids.get(exampleId('prx'))}`;
    const ids: string[] = [];
    let templateId = '';
    for (const [kind, configuration] of Object.entries(configurations)) {
      ids.push((await data('POST', `${ofProxy}/policies`, { kind, name: `Attached ${kind}`, configuration })).id);
      templateId = (await data('POST', '/policy-templates', { name: `t-${kind}`, kind, configuration })).id;
      const applied = { kind, templateId, name: `From a template ${kind}`, routeIds: null };
      ids.push((await data('POST', `${ofProxy}/policies`, applied)).id);
      await data('PATCH', `/policy-templates/${templateId}`, { description: 'Changed' });
    }
    // A canary in the response flow too, and one that is moved, changed, disabled.
    const { id } = await data('POST', `${ofProxy}/policies`, {
      kind: 'transform-headers',
      flow: 'response',
      configuration: { set: [{ name: 'set-cookie', value: `sid=${canary}; Path=/` }] },
    });
    ids.push(id);
    await data('PATCH', `${ofProxy}/policies/${id}`, { enabled: false });
    revision = (await data('POST', `${ofProxy}/revisions`, { note: 'With credentials' })).revision;
    const environmentId = made.ids.get(exampleId('env'));
    const proxyId = made.ids.get(exampleId('prx'));
    const dep = await data('POST', '/deployments', { proxyId, environmentId, revision });
    const lcr = await data('POST', `${ofProxy}/lifecycle/requests`, { toStage: 'approved', note: 'Again' });
    for (const policyId of ids.slice(0, 2)) {
      await data('PATCH', `${ofProxy}/policies/${policyId}`, {
        configuration: { set: headers('changed'), append: [] },
      });
    }
    const clone = await data('POST', `${ofProxy}/clone`, { name: 'copied', basePath: '/v1/copied' });
    await data('POST', `${ofProxy}/governance/evaluate`, {});
    policyIds = ids;
    organization = {
      ...made,
      ids: new Map([
        ...made.ids,
        [exampleId('pol'), ids[0]!],
        [exampleId('tpl'), templateId],
        [exampleId('dep'), dep.id],
        [exampleId('lcr'), lcr.id],
      ]),
    };
    await data('GET', `/proxies/${clone.id}/policies`);
  });
  after(() => control.stop());

  const reads = allOperations.filter(({ method, auth }) => method === 'GET' && auth !== 'node');

  /** The example, and whatever else of the operation could show a policy. */
  function requestsOf(operation: (typeof reads)[number]): readonly Parts[] {
    const example = exampleOf(operation, organization);
    const { params, query } = example;
    const requests: Parts[] = [example, { ...example, query: {} }];
    if ('revision' in params) {
      for (const number of [revision, revision + 1]) {
        requests.push({ ...example, params: { ...params, revision: number } });
        for (const against of operation.id === 'diffRevision' ? ['1', 'test'] : []) {
          requests.push({ ...example, params: { ...params, revision: number }, query: { ...query, against } });
        }
      }
    }
    if ('policyId' in params) {
      requests.push(...policyIds.map((policyId) => ({ ...example, params: { ...params, policyId } })));
    }
    if ('format' in (operation.request.query as unknown as { shape: object }).shape) {
      requests.push({ ...example, query: { format: 'json' } });
    }
    if ('pageSize' in (operation.request.query as unknown as { shape: object }).shape) {
      requests.push({ ...example, query: { pageSize: 100 } }, { ...example, query: { pageSize: 100, search: canary } });
    }
    return requests;
  }

  for (const operation of reads) {
    test(`${operation.id} shows them to no role`, async () => {
      const callers: readonly (readonly [string, Caller])[] = Object.entries(organization.people);
      for (const [role, caller] of callers) {
        for (const request of requestsOf(operation)) {
          const answer = await sendOperation(control.baseUrl, operation, request, caller);
          if (answer.status === 403) break;
          const shown = answer.text.replaceAll(`search=${canary}`, '');
          assert.ok(!shown.includes(canary), `${role}: ${JSON.stringify(request)} → ${answer.text.slice(0, 3_000)}`);
        }
      }
    });
  }

  test('no row of the audit trail shows them', async () => {
    for (let page = 1; ; page++) {
      const listed = await organization.call('auditor', 'GET', `/audit?page=${page}&pageSize=100`);
      for (const { id } of listed.json.data.entries) {
        const { text } = await organization.call('auditor', 'GET', `/audit/${id}`);
        assert.ok(!text.includes(canary), text);
      }
      if (page * 100 >= listed.json.data.total) break;
    }
  });

  test('a plan, a trace and errors show them to nobody', async () => {
    const admin = 'organization_administrator';
    const document = await organization.call(admin, 'GET', `/organizations/${organization.id}/export`);
    const path = `/organizations/${organization.id}/apply`;
    const applied = await organization.call(admin, 'POST', path, { document: document.text, dryRun: true });
    assert.deepEqual(applied.json.data.plan, [], 'applying an unchanged export changes nothing');
    const changed = document.text
      .replaceAll('Attached transform-headers', 'Renamed')
      .replaceAll('[secret]', `Bearer ${canary}9`);
    const plan = await organization.call(admin, 'POST', path, { document: changed, dryRun: true });
    assert.equal(plan.status, 200, plan.text);
    assert.ok(!plan.text.includes(canary), plan.text.slice(0, 2_000));
    const ofProxy = `/proxies/${organization.ids.get(exampleId('prx'))}`;
    const refused = await organization.call(admin, 'POST', `${ofProxy}/policies`, {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: `${canary}\n` }], remove: canary },
    });
    assert.equal(refused.status, 400);
    assert.ok(!refused.text.includes(canary), refused.text);
    const traced = await organization.call(admin, 'POST', `${ofProxy}/trace`, {
      environmentId: organization.ids.get(exampleId('env')),
      path: '/ord_1',
    });
    assert.ok(!traced.text.includes(canary), traced.text);
  });

  test('live and stored content keeps them', async () => {
    const { system } = control.opened.database;
    const { content } = await system
      .selectFrom('revisions')
      .select('content')
      .where('organization_id', '=', organization.id)
      .where('revision', '=', revision)
      .executeTakeFirstOrThrow();
    assert.ok(JSON.stringify(content).includes(canary));
    const { json } = await organization.call(
      'developer',
      'GET',
      `/proxies/${organization.ids.get(exampleId('prx'))}/policies/${policyIds[2]}`,
    );
    assert.match(JSON.stringify(json.data.configuration), /\[secret\]/);
    const path = `/proxies/${json.data.proxyId}/policies/${json.data.id}`;
    const saved = await organization.call('developer', 'PATCH', path, {
      configuration: { ...json.data.configuration, delayMs: 5 },
    });
    assert.equal(saved.status, 200, saved.text);
    const stored = await system
      .selectFrom('policy_attachments')
      .select('configuration')
      .where('organization_id', '=', organization.id)
      .where('id', '=', json.data.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      { ...(stored.configuration as object), delayMs: 0 },
      { status: 200, contentType: 'application/json', ...configurations['mock-response'], delayMs: 0 },
    );
  });

  test('the permission to read proxies alone exports no policies', async () => {
    const proxyId = organization.ids.get(exampleId('prx'));
    const path = `/api/proxies/${proxyId}/export`;
    const reader = await addServiceAccount(control, organization.id, ['proxy.read']);
    const refused = await send(control.baseUrl, { method: 'GET', path, headers: reader.headers });
    assert.equal(refused.status, 403);
    assert.match(refused.json.data.message, /policy\.read/);
    const both = await addServiceAccount(control, organization.id, ['proxy.read', 'policy.read']);
    assert.equal((await send(control.baseUrl, { method: 'GET', path, headers: both.headers })).status, 200);
  });
});
