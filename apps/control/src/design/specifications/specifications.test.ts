import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('specifications', () => {
  let control: TestControl;
  let developer: TestCaller;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const environment = await administrator.call('POST', '/environments', {
      name: 'test',
      displayName: 'Test',
      production: false,
    });
    environmentId = environment.data.id;
    await developer.call('POST', '/target-servers', {
      environmentId,
      name: 'orders',
      host: 'orders.example',
      port: 443,
    });
  });
  after(() => control.stop());

  let made = 0;
  const addProxy = async () => {
    made += 1;
    const { data } = await developer.call('POST', '/proxies', {
      name: `orders-${made}`,
      displayName: 'Orders',
      basePath: `/v2/orders-${made}`,
    });
    const route = await developer.call('POST', `/proxies/${data.id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
      summary: 'Read an order',
    });
    assert.equal(route.status, 201, JSON.stringify(route.data));
    return data.id as string;
  };
  const document = (title: string) => `openapi: 3.0.3
info: {title: ${title}, version: 1.2.0, contact: {email: a@example.com}}
paths:
  /{id}:
    get:
      responses: {'200': {description: It.}}
  /{id}/lines:
    get:
      summary: Lines
      responses: {'200': {description: They.}}
`;

  test('is generated, edited, and keeps edits when it is generated again', async () => {
    const proxyId = await addProxy();
    const generated = await developer.call('POST', `/proxies/${proxyId}/specifications`, {});
    assert.equal(generated.status, 201, JSON.stringify(generated.data));
    assert.deepEqual(
      [generated.data.title, generated.data.apiVersion, generated.data.outdated, generated.data.state],
      ['Orders', '2.0.0', false, 'draft'],
    );
    const path = `/specifications/${generated.data.id}`;
    const edited = await developer.call('PATCH', `${path}/operations/getByOrderId`, {
      summary: 'Read one order',
      description: 'By its number.',
      examples: [
        { place: 'response', status: '200', mediaType: 'application/json', name: 'paid', value: { state: 'paid' } },
      ],
    });
    assert.equal(edited.status, 200, JSON.stringify(edited.data));
    assert.equal((await developer.call('GET', path)).data.outdated, false);

    await developer.call('POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key' });
    await developer.call('POST', `/proxies/${proxyId}/routes`, {
      method: 'DELETE',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
    });
    assert.equal((await developer.call('GET', path)).data.outdated, true);
    const again = await developer.call('POST', `/proxies/${proxyId}/specifications`, { apiVersion: '2.1.0' });
    assert.deepEqual([again.data.id, again.data.outdated, again.data.apiVersion], [generated.data.id, false, '2.1.0']);

    const { data } = await developer.call('GET', `${path}/operations?sort=method`);
    assert.deepEqual(
      data.operations.map(({ method, summary, description }: Record<string, string>) => [method, summary, description]),
      [
        ['DELETE', '', ''],
        ['GET', 'Read one order', 'By its number.'],
      ],
    );
    assert.deepEqual(data.operations[1].examples[0].value, { state: 'paid' });
    const downloaded = await developer.call('GET', `${path}/document?format=yaml`);
    assert.match(downloaded.headers.get('content-type') ?? '', /^application\/yaml/);
    const read = parse(downloaded.data);
    assert.equal(read.openapi, '3.1.0');
    assert.ok(read.paths['/{orderId}'].get.responses['401']);
    assert.equal((await developer.call('GET', `${path}/operations?summarized=false`)).data.total, 1);
    assert.equal((await developer.call('GET', `${path}/operations?search=READ`)).data.total, 1);
  });

  test('editing texts is an edit of the working copy', async () => {
    const proxyId = await addProxy();
    const { data: specification } = await developer.call('POST', `/proxies/${proxyId}/specifications`, {});
    const hash = async () => (await developer.call('GET', `/proxies/${proxyId}`)).data.contentHash;
    const before = await hash();
    const path = `/specifications/${specification.id}`;
    const changed = await developer.call('PATCH', path, {
      title: 'Orders API',
      contact: { email: 'api@example.com' },
      summaries: [{ operationId: 'getByOrderId', summary: 'One' }],
    });
    assert.deepEqual([changed.data.title, changed.data.contact], ['Orders API', { email: 'api@example.com' }]);
    assert.notEqual(await hash(), before);
    const unknown = await developer.call('PATCH', path, { summaries: [{ operationId: 'no', summary: 'One' }] });
    assert.deepEqual([unknown.status, Object.keys(unknown.data.errors)], [400, ['summaries.0.operationId']]);
    assert.equal((await developer.call('PATCH', `${path}/operations/no`, { summary: 'x' })).status, 404);
    const stale = await developer.call('PATCH', path, { title: 'x' }, { 'if-match': '"v1"' });
    assert.equal(stale.status, 412);
    await developer.call('DELETE', path);
    assert.notEqual(await hash(), before);
  });

  test('the published version stays the same until it is published again', async () => {
    const uploaded = await developer.call('POST', '/specifications', { document: document('Freight') });
    assert.equal(uploaded.status, 201, JSON.stringify(uploaded.data));
    const path = `/specifications/${uploaded.data.id}`;
    assert.deepEqual(uploaded.data.contact, { email: 'a@example.com' });
    assert.equal((await developer.call('GET', `${path}/document?state=published`)).status, 404);
    assert.equal((await developer.call('POST', `${path}/unpublish`)).status, 409);
    const published = await developer.call('POST', `${path}/publish`);
    assert.deepEqual([published.data.state, published.data.unpublishedChanges], ['published', false]);
    assert.match((await developer.call('POST', `${path}/publish`)).data.message, /Unpublish it, or edit it/);
    assert.equal((await developer.call('DELETE', path)).status, 409);

    await developer.call('PATCH', path, { title: 'Freight 2' });
    assert.equal((await developer.call('GET', path)).data.unpublishedChanges, true);
    const frozen = await developer.call('GET', `${path}/document?state=published&format=yaml`);
    assert.deepEqual(Object.keys(parse(frozen.data)), ['openapi', 'info', 'paths']);
    assert.equal(parse(frozen.data).info.title, 'Freight');
    assert.equal((await developer.call('POST', `${path}/publish`)).status, 200);
    assert.equal((await developer.call('POST', `${path}/unpublish`)).data.state, 'draft');
    assert.equal((await developer.call('DELETE', path)).status, 200);
    assert.equal((await developer.call('GET', path)).status, 404);
  });

  test('is compared with another, and with its own published version', async () => {
    const first = await developer.call('POST', '/specifications', { document: document('First') });
    const second = await developer.call('POST', '/specifications', {
      document: document('Second').replace('/{id}/lines', '/{id}/items'),
    });
    const against = (id: string) => developer.call('GET', `/specifications/${second.data.id}/diff?againstId=${id}`);
    const compared = await against(first.data.id);
    assert.equal(compared.status, 200, JSON.stringify(compared.data));
    assert.equal(compared.data.breaking, true);
    assert.equal(compared.data.changes[0].operation, 'GET /{id}/lines');
    assert.equal((await against('spc_unknown')).status, 400);
    const own = await developer.call('GET', `/specifications/${second.data.id}/diff`);
    assert.equal(own.data.total, 0);
  });

  test('is linted', async () => {
    const { data } = await developer.call('POST', '/specifications', { document: document('Linted') });
    const linted = await developer.call('POST', `/specifications/${data.id}/lint`);
    assert.equal(linted.status, 200, JSON.stringify(linted.data));
    assert.ok(linted.data.counts.warning > 0);
    assert.ok(linted.data.findings.some(({ code }: { code: string }) => code === 'operation-operationId'));
  });

  test('examples with any name are shown, and can be sent back unchanged', async () => {
    const text = document('Examples').replace(
      "get:\n      responses: {'200': {description: It.}}",
      "get:\n      responses: {'200': {description: It., content: {'*/*': {examples: {'An order': {value: 1}}}}}}",
    );
    const { data } = await developer.call('POST', '/specifications', { document: text });
    const path = `/specifications/${data.id}/operations`;
    const [{ examples }] = (await developer.call('GET', `${path}?search=getById`)).data.operations;
    assert.deepEqual(examples, [{ place: 'response', status: '200', mediaType: '*/*', name: 'An order', value: 1 }]);
    const again = await developer.call('PATCH', `${path}/getById`, { examples });
    assert.deepEqual([again.status, again.data.examples], [200, examples]);
    assert.deepEqual((await developer.call('PATCH', `${path}/getById`, { examples: [] })).data.examples, []);
  });

  test('reports problems with a document or a proxy', async () => {
    const swagger = await developer.call('POST', '/specifications', { document: '{"swagger": "2.0"}' });
    assert.deepEqual([swagger.status, Object.keys(swagger.data.errors)], [400, ['document#/swagger']]);
    const orphan = await developer.call('POST', '/specifications', { document: document('x'), proxyId: 'prx_unknown' });
    assert.deepEqual([orphan.status, Object.keys(orphan.data.errors)], [400, ['proxyId']]);
    const { data } = await developer.call('POST', '/specifications', { document: document('y') });
    const twice = { place: 'request', status: '200', mediaType: 'a/b', name: 'x', value: 1 };
    const refused = await developer.call('PATCH', `/specifications/${data.id}/operations/getById`, {
      examples: [twice],
    });
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['examples.0.status']]);
  });

  test('is not found in another organization', async () => {
    const { data } = await developer.call('POST', '/specifications', { document: document('Own') });
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const path = `/specifications/${data.id}`;
    for (const [method, below, body] of [
      ['GET', ''],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', ''],
      ['GET', '/document'],
      ['POST', '/publish'],
      ['POST', '/lint'],
      ['GET', '/diff'],
    ] as const) {
      const foreign = await stranger.call(method, path + below, body);
      const unknown = await stranger.call(method, `/specifications/spc_unknown${below}`, body);
      assert.deepEqual([foreign.status, foreign.data], [404, unknown.data], `${method} ${below}`);
    }
  });
});
