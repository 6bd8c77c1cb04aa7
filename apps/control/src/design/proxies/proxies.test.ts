import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { parse } from 'yaml';
import { sessionCookieName } from '../../frame/authenticate.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addEnvironment, serve } from './testing.ts';

describe('API proxies', () => {
  let control: TestControl;
  let developer: TestCaller;
  let stranger: TestCaller;
  let organizationId: string;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    stranger = await control.addUser(await control.addOrganization(), ['developer']);
    environmentId = await addEnvironment(control, organizationId);
  });
  after(() => control.stop());

  const post = async (path: string, body: object) => {
    const created = await developer.call('POST', path, body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    return created.data;
  };
  const create = (name: string, values: object = {}) =>
    post('/proxies', { name, displayName: name, basePath: `/v1/${name}`, ...values });
  const operationsOf = (entries: readonly { operation: string }[]) => entries.map(({ operation }) => operation);

  test('a proxy is created as a draft, found, changed and deleted, with an audit trail', async () => {
    const created = await create('orders', { tags: ['sales'] });
    assert.deepEqual([created.stage, created.version, created.latestRevision], ['draft', 1, 0]);
    const shown = await developer.call('GET', `/proxies/${created.id}`);
    assert.deepEqual(shown.data, created);
    assert.equal(shown.headers.get('etag'), '"v1"');
    for (const query of ['search=ORDERS', 'tag=sales', 'stage=draft&protocol=rest', 'search=/v1/orders']) {
      const listed = await developer.call('GET', `/proxies?${query}`);
      assert.deepEqual([listed.data.total, listed.data.proxies[0]?.id], [1, created.id], query);
    }
    assert.equal((await developer.call('GET', '/proxies?tag=other')).data.total, 0);

    const changed = await developer.call('PATCH', `/proxies/${created.id}`, { description: 'All of them' });
    assert.deepEqual([changed.data.version, changed.data.description], [2, 'All of them']);
    assert.notEqual(changed.data.contentHash, created.contentHash);
    const stale = await developer.call('PATCH', `/proxies/${created.id}`, { description: '' }, { 'if-match': '"v1"' });
    assert.equal(stale.status, 412);

    const { data: trail } = await developer.call('GET', `/proxies/${created.id}/history`);
    assert.deepEqual(operationsOf(trail.entries), ['updateProxy', 'createProxy']);
    assert.equal((await developer.call('DELETE', `/proxies/${created.id}`)).status, 200);
    assert.equal((await developer.call('GET', `/proxies/${created.id}`)).status, 404);
    assert.equal((await create('orders')).basePath, '/v1/orders');
  });

  test('a search finds literal text, case-insensitively, sorted and in pages', async () => {
    for (const name of ['found-b', 'found-a', 'found-c']) await create(name, { displayName: `${name} 100%_sure` });
    for (const [page, name] of ['found-c', 'found-b', 'found-a'].entries()) {
      const { data } = await developer.call('GET', `/proxies?search=FOUND&sort=-name&pageSize=1&page=${page + 1}`);
      assert.deepEqual([data.total, data.proxies[0].name], [3, name]);
    }
    for (const [search, total] of [
      ['0%_S', 3],
      ['1%s', 0],
      ['f_und', 0],
    ] as const) {
      const { data } = await developer.call('GET', `/proxies?search=${encodeURIComponent(search)}&stage=draft`);
      assert.equal(data.total, total, search);
    }
  });

  test('names and base paths are unique in an organization', async () => {
    const taken = await create('taken');
    for (const [field, values] of [
      ['name', { name: 'taken', basePath: '/v1/free' }],
      ['basePath', { name: 'free', basePath: '/v1/taken' }],
    ] as const) {
      const refused = await developer.call('POST', '/proxies', { displayName: 'Taken', ...values });
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, [field]]);
    }
    const other = await create('other');
    const moved = await developer.call('PATCH', `/proxies/${other.id}`, { basePath: taken.basePath });
    assert.deepEqual([moved.status, Object.keys(moved.data.errors)], [400, ['basePath']]);
    assert.equal(
      (await stranger.call('POST', '/proxies', { name: 'taken', displayName: 'Taken', basePath: '/v1/taken' })).status,
      201,
    );

    const both = { name: 'raced', displayName: 'Raced', basePath: '/v1/raced' };
    const answers = await Promise.all([1, 2, 3].map(() => developer.call('POST', '/proxies', both)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  });

  test('the version segment of a base path is set at creation', async () => {
    const { id } = await create('versioned');
    const other = await developer.call('PATCH', `/proxies/${id}`, { basePath: '/v2/versioned' });
    assert.deepEqual([other.status, Object.keys(other.data.errors)], [400, ['basePath']]);
    assert.equal((await developer.call('PATCH', `/proxies/${id}`, { basePath: '/v1/renamed' })).status, 200);

    const without = await create('unversioned', { basePath: '/unversioned' });
    const given = await developer.call('PATCH', `/proxies/${without.id}`, { basePath: '/v3/unversioned' });
    assert.equal(given.status, 200);
  });

  test('another organization’s proxy is indistinguishable from an unknown one', async () => {
    const { id } = await create('private');
    const unknown = 'prx_00000000000000000000000000';
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/clone', { name: 'stolen', basePath: '/v1/stolen' }],
      ['GET', '/overview', undefined],
      ['GET', '/history', undefined],
      ['GET', '/export', undefined],
      ['GET', '/routes', undefined],
      ['POST', '/routes', { method: 'GET', pathPattern: '/', targetServer: 'orders' }],
      ['GET', '/policies', undefined],
      ['POST', '/policies', { kind: 'verify-api-key' }],
      ['PUT', '/policies/order', { flow: 'request', policyIds: [] }],
      ['GET', '/revisions', undefined],
      ['POST', '/revisions', {}],
    ] as const) {
      const foreign = await stranger.call(method, `/proxies/${id}${rest}`, body);
      const none = await stranger.call(method, `/proxies/${unknown}${rest}`, body);
      assert.deepEqual([foreign.status, foreign.data], [404, none.data], `${method} ${rest}`);
    }
    assert.equal((await developer.call('GET', `/proxies/${id}`)).data.version, 1);
  });

  test('a live proxy can’t be deleted; of a formerly live one the revisions stay', async () => {
    const proxy = await create('served');
    await post(`/proxies/${proxy.id}/revisions`, {});
    await serve(control, { organizationId, environmentId, proxyId: proxy.id, revision: 1 });
    const refused = await developer.call('DELETE', `/proxies/${proxy.id}`);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /test/);
    const there = await developer.call('GET', `/proxies?environmentId=${environmentId}`);
    assert.deepEqual([there.data.total, there.data.proxies[0].id], [1, proxy.id]);

    const { system } = control.opened.database;
    await system.updateTable('deployments').set({ ended_at: new Date() }).where('proxy_id', '=', proxy.id).execute();
    assert.equal((await developer.call('DELETE', `/proxies/${proxy.id}`)).status, 200);
    assert.equal((await developer.call('GET', `/proxies/${proxy.id}`)).status, 404);
    assert.equal((await developer.call('GET', `/proxies/${proxy.id}/revisions/1`)).status, 404);
    const kept = await system.selectFrom('revisions').selectAll().where('proxy_id', '=', proxy.id).execute();
    assert.equal(kept.length, 1);
    await create('served');
  });

  test('a clone has its own routes, policies and specification, and the same authors', async () => {
    const original = await create('cloned', { authScheme: 'api_key' });
    const route = await post(`/proxies/${original.id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
    });
    await post(`/proxies/${original.id}/policies`, { kind: 'verify-api-key', routeIds: [route.id] });
    const { system } = control.opened.database;
    await system
      .insertInto('specifications')
      .values({
        id: newId('spc'),
        organization_id: organizationId,
        proxy_id: original.id,
        title: 'Cloned',
        api_version: '1.0.0',
        source: 'generated',
        document: JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://api.example/v1/cloned' }] }),
      })
      .execute();
    const colleague = await control.addUser(organizationId, ['developer']);
    const cloned = await colleague.call('POST', `/proxies/${original.id}/clone`, {
      name: 'cloned-next',
      basePath: '/v2/cloned',
    });
    assert.equal(cloned.status, 201, JSON.stringify(cloned.data));
    const { id } = cloned.data;
    const { routes } = (await developer.call('GET', `/proxies/${id}/routes`)).data;
    const { policies } = (await developer.call('GET', `/proxies/${id}/policies`)).data;
    assert.deepEqual([routes.length, routes[0].pathPattern], [1, '/{orderId}']);
    assert.notEqual(routes[0].id, route.id);
    assert.deepEqual(policies[0].routeIds, [routes[0].id]);
    const document = await system
      .selectFrom('specifications')
      .select('document')
      .where('proxy_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(document.document.servers, [{ url: 'https://api.example/v2/cloned' }]);
    const authors = await system.selectFrom('proxy_authors').select('user_id').where('proxy_id', '=', id).execute();
    assert.deepEqual(authors.map(({ user_id }) => user_id).sort(), [developer.userId, colleague.userId].sort());
    const { entries } = (await developer.call('GET', `/proxies/${id}/history`)).data;
    assert.deepEqual([entries.length, entries[0].operation], [1, 'cloneProxy']);
    assert.match(entries[0].note, /cloned/);
  });

  const document = (title: string, path = '/{orderId}') => ({
    openapi: '3.1.0',
    info: { title, version: '1.2.0', description: 'All about orders' },
    servers: [{ url: 'https://api.example/v3/sales' }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
    paths: {
      [path]: {
        get: { summary: 'Show an order', responses: { 200: { description: 'The order' } } },
        delete: { summary: 'Cancel an order', responses: { 204: { description: 'Cancelled' } } },
      },
    },
  });
  const importText = (text: string, values: object = {}) =>
    developer.call('POST', '/proxies/import', { document: text, targetServer: 'orders', ...values });

  test('an OpenAPI document becomes a proxy with its routes and its specification', async () => {
    const unseen = await importText(JSON.stringify(document('\u200b')), { name: 'unseen', basePath: '/v1/unseen' });
    assert.equal(unseen.data.proxy.displayName, 'unseen');
    const imported = await importText(JSON.stringify(document('Sales & Orders')));
    assert.equal(imported.status, 201, JSON.stringify(imported.data));
    const { proxy, specificationId } = imported.data;
    assert.deepEqual(
      [proxy.name, proxy.displayName, proxy.basePath, proxy.authScheme],
      ['sales-orders', 'Sales & Orders', '/v3/sales', 'api_key'],
    );
    const { routes } = (await developer.call('GET', `/proxies/${proxy.id}/routes`)).data;
    assert.deepEqual(
      routes.map((route: Record<string, unknown>) => [
        route.method,
        route.pathPattern,
        route.summary,
        route.targetServer,
        route.targetPath,
      ]),
      [
        ['GET', '/{orderId}', 'Show an order', 'orders', '/v3/sales/{orderId}'],
        ['DELETE', '/{orderId}', 'Cancel an order', 'orders', '/v3/sales/{orderId}'],
      ],
    );
    const specification = (await developer.call('GET', `/specifications/${specificationId}`)).data;
    assert.deepEqual(
      [specification.proxyId, specification.source, specification.title, specification.apiVersion],
      [proxy.id, 'imported', 'Sales & Orders', '1.2.0'],
    );
    const overview = (await developer.call('GET', `/proxies/${proxy.id}/overview`)).data;
    assert.deepEqual([overview.specification.id, overview.specification.outdated], [specificationId, false]);
    const { entries } = (await developer.call('GET', `/proxies/${proxy.id}/history`)).data;
    assert.deepEqual(operationsOf(entries), ['importProxy']);
  });

  test('an invalid document creates nothing, and errors are reported by path', async () => {
    const { total } = (await developer.call('GET', '/proxies')).data;
    const broken: readonly (readonly [string, string, object?])[] = [
      ['document', 'neither: [one, nor'],
      ['document#/openapi', JSON.stringify({ ...document('Old'), openapi: '2.9.0' })],
      ['document#/paths', JSON.stringify({ ...document('Empty'), paths: {} })],
      ['targetServer', JSON.stringify(document('Nowhere')), { targetServer: 'unknown' }],
      ['name', JSON.stringify(document('注文'))],
      ['basePath', JSON.stringify(document('Again')), { basePath: (await create('imported-before')).basePath }],
    ];
    for (const [field, text, values] of broken) {
      const refused = await importText(text, values);
      assert.equal(refused.status, 400, JSON.stringify(refused.data));
      assert.deepEqual(Object.keys(refused.data.errors), [field]);
    }
    const unstorable = await importText(JSON.stringify(document('NUL \u0000 in it')));
    assert.equal(unstorable.status, 400);
    assert.equal((await developer.call('GET', '/proxies')).data.total, total + 1);
  });

  test('a preview of an import reports what it would create and what blocks it, and writes nothing', async () => {
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pet shop', version: '2' },
      servers: [{ url: 'https://pets.example/v2/pets' }],
      paths: { '/{petId}': { get: { responses: { 200: { description: 'A pet' } } } } },
    });
    const preview = (fields: object = {}) =>
      developer.call('POST', '/proxies/import/preview', { document: text, targetServer: 'orders', ...fields });
    const before = (await developer.call('GET', '/proxies')).data.total;
    const seen = await preview();
    assert.equal(seen.status, 200, JSON.stringify(seen.data));
    assert.deepEqual([seen.data.name, seen.data.basePath, seen.data.conflicts], ['pet-shop', '/v2/pets', []]);
    assert.deepEqual(
      seen.data.routes.map(({ method, pathPattern }: Record<string, string>) => `${method} ${pathPattern}`),
      ['GET /{petId}'],
    );
    assert.ok(seen.data.findings.some(({ code, blocking }: Record<string, unknown>) => code === 'SEC-001' && blocking));
    assert.equal((await developer.call('GET', '/proxies')).data.total, before);

    const made = await post('/proxies/import', { document: text, targetServer: 'orders' });
    assert.equal(made.proxy.basePath, seen.data.basePath);
    const again = await preview({ targetServer: 'nowhere' });
    assert.deepEqual(
      again.data.conflicts.map(({ field }: Record<string, string>) => field),
      ['name', 'basePath', 'targetServer'],
    );
    const evaluated = await developer.call('POST', `/proxies/${made.proxy.id}/governance/evaluate`, {});
    assert.deepEqual(
      new Set(seen.data.findings.map(({ code }: Record<string, string>) => code)),
      new Set(evaluated.data.findings.map(({ code }: Record<string, string>) => code)),
    );
  });

  test('the overview shows the stage, live deployments and differences', async () => {
    const proxy = await create('glance');
    await post(`/proxies/${proxy.id}/routes`, { method: 'GET', pathPattern: '/', targetServer: 'orders' });
    await post(`/proxies/${proxy.id}/revisions`, {});
    await serve(control, { organizationId, environmentId, proxyId: proxy.id, revision: 1 });
    const { data } = await developer.call('GET', `/proxies/${proxy.id}/overview`);
    assert.deepEqual(data.counts, { routes: 1, policies: 0, revisions: 1 });
    assert.deepEqual(data.workingCopy, {
      sameAsRevision: 1,
      nextEdit: { voidsApprovalOf: null, voidsRequest: false, cutsRevision: 2 },
    });
    assert.deepEqual([data.deployments.length, data.deployments[0].environmentName], [1, 'test']);
    assert.deepEqual([data.specification, data.governance, data.pendingRequest], [null, null, null]);

    await post(`/proxies/${proxy.id}/routes`, { method: 'POST', pathPattern: '/', targetServer: 'orders' });
    const edited = (await developer.call('GET', `/proxies/${proxy.id}/overview`)).data;
    assert.deepEqual([edited.workingCopy.sameAsRevision, edited.deployments[0].revision], [2, 1]);
    // The revision that the edit cut gives way to the next one.
    assert.equal(edited.workingCopy.nextEdit.cutsRevision, null);
  });

  test('the timeline has the changes of routes, policies and revisions', async () => {
    const { id } = await create('trailed');
    const route = await post(`/proxies/${id}/routes`, { method: 'GET', pathPattern: '/{id}', targetServer: 'orders' });
    await developer.call('PATCH', `/proxies/${id}/routes/${route.id}`, { timeoutMs: 2_000 });
    const policy = await post(`/proxies/${id}/policies`, { kind: 'verify-api-key' });
    await developer.call('DELETE', `/proxies/${id}/policies/${policy.id}`);
    await post(`/proxies/${id}/revisions`, { note: 'First' });
    const { entries, total } = (await developer.call('GET', `/proxies/${id}/history?pageSize=2&page=1`)).data;
    assert.deepEqual([total, operationsOf(entries)], [6, ['cutRevision', 'detachPolicy']]);
    const all = (await developer.call('GET', `/proxies/${id}/history?sort=at`)).data.entries;
    assert.deepEqual(all[2].changes, [{ path: 'route.timeoutMs', before: null, after: 2_000 }]);
    assert.equal(all[2].note, 'Route GET /{id}');
    assert.equal((await developer.call('GET', `/proxies/${id}/history?operation=updateRoute`)).data.total, 1);
    const auditor = await control.addUser(organizationId, ['auditor']);
    const trail = await auditor.call('GET', `/proxies/${id}/history`);
    assert.equal(trail.data.total, 6);
  });

  test('an export is the working copy without ids, as YAML or JSON', async () => {
    const { id } = await create('exported', { tags: ['sales'] });
    const route = await post(`/proxies/${id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
      timeoutMs: 5_000,
    });
    await post(`/proxies/${id}/policies`, { kind: 'verify-api-key', routeIds: [route.id] });
    const yaml = await developer.call('GET', `/proxies/${id}/export`);
    assert.match(yaml.headers.get('content-type') ?? '', /^application\/yaml/);
    assert.match(yaml.headers.get('content-disposition') ?? '', /exported\.yaml/);
    const declared = parse(yaml.data);
    assert.deepEqual(declared.routes, [
      { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders', timeoutMs: 5_000 },
    ]);
    assert.deepEqual(declared.policies[0].routes, ['GET /{orderId}']);
    assert.doesNotMatch(yaml.data, /(prx|rte|pol)_/);
    const json = await fetch(`${control.baseUrl}/api/proxies/${id}/export?format=json`, {
      headers: { cookie: `${sessionCookieName}=${developer.sessionToken}` },
    });
    assert.deepEqual(await json.json(), declared);
  });
});
