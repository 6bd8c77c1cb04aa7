import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addProduct, done } from '../../consumers/products/testing.ts';
import { addEnvironment, serve } from '../../design/proxies/testing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { openPortal, type TestPortal } from '../settings/testing.ts';

/** An OpenAPI document with as many operations as paths. */
const documentOf = (...paths: readonly string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  tags: [{ name: 'orders', description: 'What was ordered' }],
  paths: Object.fromEntries(
    paths.map((path) => [
      path,
      {
        get: {
          summary: `Read ${path}`,
          tags: ['orders'],
          responses: {
            '200': { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } },
          },
        },
      },
    ]),
  ),
});

describe('catalog', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    portal = await openPortal(control);
  });

  /** A proxy with routes; its id and theirs. */
  const addApi = async (name: string, fields: object = {}, routes: readonly string[] = []) => {
    const { administrator } = portal;
    const proxy = { name, displayName: name, basePath: `/v1/${name}`, authScheme: 'api_key', ...fields };
    const { id } = await done(administrator, 'POST', '/proxies', proxy);
    const routeIds: string[] = [];
    for (const pathPattern of routes) {
      const route = { method: 'GET', pathPattern, targetServer: 'orders' };
      routeIds.push((await done(administrator, 'POST', `/proxies/${id}/routes`, route)).id);
    }
    return { id, routeIds };
  };
  /** Publishes a document as the specification of a proxy; the specification's id. */
  const publish = async (proxyId: string, document: object) => {
    const body = { document: JSON.stringify(document), proxyId };
    const { id } = await done(portal.administrator, 'POST', '/specifications', body);
    await done(portal.administrator, 'POST', `/specifications/${id}/publish`);
    return id;
  };
  const bundle = (productId: string, proxyId: string, routeIds: readonly string[] | null = null) =>
    done(portal.administrator, 'PUT', `/products/${productId}/proxies/${proxyId}`, { routeIds });
  /** A file of a product, as JSON. */
  const download = async (path: string) => {
    const response = await fetch(`${control.baseUrl}/api/portal/catalog/${path}?organization=${portal.name}`);
    const json = JSON.parse(await response.text());
    return { json, disposition: response.headers.get('content-disposition') };
  };
  const namesIn = async (query: string, visit = portal.visit) =>
    (await visit(`/catalog${query}`)).data.products.map(({ name }: { name: string }) => name);

  test('visitors see public products that are published and active, developers private ones too', async () => {
    const { administrator } = portal;
    await addProduct(administrator, { name: 'open', displayName: 'Open', public: true });
    await addProduct(administrator, { name: 'private', displayName: 'private' });
    const stopped = await addProduct(administrator, { name: 'stopped', public: true });
    await done(administrator, 'POST', `/products/${stopped}/suspend`);
    await done(administrator, 'POST', '/products', { name: 'draft', displayName: 'Draft', public: true });
    assert.deepEqual(await namesIn(''), ['open']);
    assert.deepEqual(await namesIn('', portal.visitSignedIn), ['open', 'private']);
    for (const name of ['private', 'stopped', 'draft', 'nothing', stopped]) {
      assert.equal((await portal.visit(`/catalog/${name}`)).status, 404, name);
      assert.equal((await portal.visit(`/catalog/${name}/specification`)).status, 404, name);
      assert.equal((await portal.visit(`/catalog/${name}/specification/document`)).status, 404, name);
    }
    assert.equal((await portal.visitSignedIn('/catalog/private')).status, 200);
  });

  test('is searched, filtered by tag, ordered and paged', async () => {
    const { administrator } = portal;
    const ids: Record<string, string> = {};
    for (const name of ['alpha', 'beta', 'gamma', 'delta']) {
      ids[name] = await addProduct(administrator, {
        name,
        displayName: name,
        public: true,
        description: `About ${name}`,
      });
    }
    const { id: proxyId } = await addApi('stock', { tags: ['sales', 'goods'] });
    await bundle(ids.beta!, proxyId);
    await bundle(ids.gamma!, proxyId);
    const catalog = { order: [ids.gamma], featured: [ids.delta], hidden: [ids.alpha] };
    await done(administrator, 'PATCH', '/portal-settings', { catalog, sandboxProductIds: [ids.beta] });
    const { data } = await portal.visit('/catalog');
    assert.deepEqual(
      data.products.map(({ name, featured, sandbox, tags }: Record<string, unknown>) => [
        name,
        featured,
        sandbox,
        tags,
      ]),
      [
        ['gamma', false, false, ['goods', 'sales']],
        ['beta', false, true, ['goods', 'sales']],
        ['delta', true, false, []],
      ],
    );
    assert.deepEqual(data.tags, [
      { tag: 'goods', products: 2 },
      { tag: 'sales', products: 2 },
    ]);
    assert.deepEqual(await namesIn('?search=ABOUT%20b'), ['beta']);
    assert.deepEqual(await namesIn('?tag=sales'), ['gamma', 'beta']);
    assert.deepEqual(await namesIn('?featured=true'), ['delta']);
    const second = await portal.visit('/catalog?page=2&pageSize=2');
    assert.deepEqual([second.data.total, second.data.products.length], [3, 1]);
    // It has left the list and not the portal.
    assert.equal((await portal.visit('/catalog/alpha')).status, 200);
  });

  test('a product’s page has prices, quota, APIs and guides', async () => {
    const { administrator } = portal;
    const quota = { limit: 1_000, window: { unit: 'day', count: 1 } };
    const productId = await addProduct(administrator, { name: 'orders', public: true, autoApprove: true, quota });
    const { id: proxyId } = await addApi('orders', { description: 'All orders' });
    await bundle(productId, proxyId);
    await publish(proxyId, documentOf('/{orderId}', '/'));
    const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01', allowance: '100' };
    const plan = {
      productId,
      name: 'standard',
      displayName: 'Standard',
      type: 'flat',
      currency: 'EUR',
      recurringFee: '20',
    };
    const { id: planId } = await done(administrator, 'POST', '/rate-plans', { ...plan, charges: [charge] });
    await done(administrator, 'POST', `/rate-plans/${planId}/publish`);
    await done(administrator, 'POST', '/rate-plans', { ...plan, name: 'draft' });
    const guide = { slug: 'start', title: 'Start', source: 'x', productIds: [productId] };
    const { id: guideId } = await done(administrator, 'POST', '/portal-guides', guide);
    await done(administrator, 'POST', `/portal-guides/${guideId}/publish`);
    const { data } = await portal.visit('/catalog/orders');
    assert.deepEqual([data.autoApprove, data.quota, data.billingPeriod], [true, quota, 'month']);
    assert.deepEqual(
      data.plans.map(({ name, recurringFee, charges }: Record<string, never>) => [name, recurringFee, charges]),
      [['standard', '20', [{ ...charge, statusClasses: [2, 3], proxyIds: null }]]],
    );
    const [api] = data.apis;
    assert.deepEqual(
      [api.name, api.version, api.description, api.deprecated],
      ['orders', '1.0.0', 'All orders', false],
    );
    assert.deepEqual(data.operations, [
      {
        tag: 'orders',
        description: 'What was ordered',
        operations: [
          {
            id: 'getByOrderId',
            api: 'orders',
            method: 'GET',
            path: '/v1/orders/{orderId}',
            summary: 'Read /{orderId}',
            deprecated: false,
          },
          { id: 'getRoot', api: 'orders', method: 'GET', path: '/v1/orders', summary: 'Read /', deprecated: false },
        ],
      },
    ]);
    assert.deepEqual(data.guides, [{ slug: 'start', language: 'en', title: 'Start', summary: '' }]);
    assert.equal(data.changes[0].kind, 'published');
    assert.deepEqual((await portal.visit(`/catalog/${productId}`)).data, data);
  });

  test('the reference is what was published, not what is being edited', async () => {
    const productId = await addProduct(portal.administrator, { name: 'orders', public: true });
    const { id: proxyId } = await addApi('orders');
    await bundle(productId, proxyId);
    assert.equal((await portal.visit('/catalog/orders/specification')).data.total, 0);
    const specificationId = await publish(proxyId, documentOf('/a'));
    await done(portal.administrator, 'PATCH', `/specifications/${specificationId}`, {
      summaries: [{ operationId: 'getA', summary: 'Edited' }],
    });
    const summaryOf = async () => (await portal.visit('/catalog/orders/operations/getA')).data.summary;
    assert.equal(await summaryOf(), 'Read /a');
    await done(portal.administrator, 'POST', `/specifications/${specificationId}/publish`);
    assert.equal(await summaryOf(), 'Edited');
    await done(portal.administrator, 'POST', `/specifications/${specificationId}/unpublish`);
    assert.equal((await portal.visit('/catalog/orders/operations/getA')).status, 404);
  });

  test('a product with some routes of an API shows these alone', async () => {
    const productId = await addProduct(portal.administrator, { name: 'some', public: true });
    await addEnvironment(control, portal.organizationId);
    const { id: proxyId, routeIds } = await addApi('orders', {}, ['/sold/{id}', '/hidden', '/files/*']);
    await bundle(productId, proxyId, [routeIds[0]!, routeIds[2]!]);
    await publish(proxyId, documentOf('/sold/{number}', '/hidden', '/files/{name}'));
    const { data } = await portal.visit('/catalog/some/specification');
    const paths = data.operations[0].operations.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths, ['/v1/orders/sold/{number}', '/v1/orders/files/{name}']);
    const { json } = await download('some/specification/document');
    assert.deepEqual(Object.keys(json.paths), paths);
    assert.equal((await portal.visit('/catalog/some/operations/getHidden')).status, 404);
    const next = documentOf('/sold/{number}', '/files/{name}', '/secret');
    await publish(proxyId, next);
    const { data: log } = await portal.visit('/changes');
    assert(!JSON.stringify(log).includes('hidden') && !JSON.stringify(log).includes('secret'), JSON.stringify(log));
  });

  test('an operation has its servers, and snippets that call the gateway', async () => {
    const productId = await addProduct(portal.administrator, { name: 'orders', public: true });
    const { id: proxyId } = await addApi('orders');
    await bundle(productId, proxyId);
    await publish(proxyId, documentOf('/{orderId}'));
    const environment = { name: 'live', displayName: 'Live', production: true, hostNames: ['api.acme.example'] };
    const { id: environmentId } = await done(portal.administrator, 'POST', '/environments', environment);
    await done(portal.administrator, 'POST', `/proxies/${proxyId}/revisions`, { note: '' });
    await serve(control, { organizationId: portal.organizationId, environmentId, proxyId, revision: 1 });
    const { data } = await portal.visit('/catalog/orders/operations/getByOrderId');
    assert.deepEqual(data.servers, [
      { environment: 'live', displayName: 'Live', production: true, url: 'https://api.acme.example' },
    ]);
    assert.equal(data.request.url, 'https://api.acme.example/v1/orders/YOUR_ORDERID');
    assert.deepEqual(
      data.snippets.map(({ language }: { language: string }) => language),
      ['curl', 'javascript', 'python', 'java', 'go', 'csharp'],
    );
    const { json, disposition } = await download('orders/specification/document');
    assert.equal(json.servers[0].url, 'https://api.acme.example');
    assert.equal(disposition, 'attachment; filename="orders.openapi.json"');
    const collection = await download('orders/specification/postman');
    assert.match(collection.json.info.schema, /v2\.1\.0/);
  });

  test('publishing again adds what changed to the change log, in words', async () => {
    const productId = await addProduct(portal.administrator, { name: 'orders', displayName: 'Orders', public: true });
    const { id: proxyId } = await addApi('orders');
    await bundle(productId, proxyId);
    await publish(proxyId, documentOf('/a', '/b'));
    await publish(proxyId, { ...documentOf('/a', '/c'), info: { title: 'Orders', version: '2.0.0' } });
    const { data } = await portal.visit('/changes?product=orders');
    assert.equal(data.total, 2);
    const [{ at: _, id: __, ...latest }, first] = data.changes;
    assert.deepEqual(latest, {
      kind: 'changed',
      api: { name: 'orders', displayName: 'orders' },
      apiVersion: '2.0.0',
      products: [{ name: 'orders', displayName: 'Orders' }],
      breaking: true,
      changes: [
        { operation: 'GET /v1/orders/b', kind: 'removed', breaking: true, text: 'GET /v1/orders/b was removed.' },
        { operation: 'GET /v1/orders/c', kind: 'added', breaking: false, text: 'GET /v1/orders/c was added.' },
      ],
      total: 2,
    });
    assert.equal(first.kind, 'published');
    assert.equal((await portal.visit('/changes?product=nothing')).data.total, 0);
  });

  test('a page of 1,000 products takes far less than twenty times one of 50', async () => {
    const { organizationId } = portal;
    const { system } = control.opened.database;
    const addProducts = async (first: number, last: number) => {
      await sql`insert into products (id, organization_id, name, display_name, description, public, published)
        select 'prd_' || lpad(n::text, 26, '0'), ${organizationId}, 'p' || n, 'Product ' || n, 'About ' || n, true, true
        from generate_series(${first}::int, ${last}::int) n`.execute(system);
      await sql`insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, content_hash, created_by, tags)
        select 'prx_' || lpad(n::text, 26, '0'), ${organizationId}, 'x' || n, 'API ' || n, '/x' || n, 'rest', 'api_key', '', 'usr', array['t' || n % 20]
        from generate_series(${first}::int, ${last}::int) n`.execute(system);
      await sql`insert into product_proxies (organization_id, product_id, proxy_id)
        select ${organizationId}, 'prd_' || lpad(n::text, 26, '0'), 'prx_' || lpad(n::text, 26, '0')
        from generate_series(${first}::int, ${last}::int) n`.execute(system);
    };
    /** The milliseconds of the best of some calls: other tests share this machine. */
    const bestOf = async (page: number, total: number) => {
      const tries: number[] = [];
      for (let count = 0; count < 10; count++) {
        const beganMs = performance.now();
        const { data } = await portal.visit(`/catalog?page=${page}&pageSize=50`);
        tries.push(performance.now() - beganMs);
        assert.deepEqual([data.products.length, data.total, data.tags.length], [50, total, 20]);
      }
      return Math.min(...tries);
    };
    await addProducts(1, 50);
    const few = await bestOf(1, 50);
    await addProducts(51, 1_000);
    for (const page of [1, 10, 20]) {
      const many = await bestOf(page, 1_000);
      assert.ok(many < 12 * few, `page ${page} took ${many} ms, beside ${few} ms with a twentieth of the products`);
    }
  });
});
