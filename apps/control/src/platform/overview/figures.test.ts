import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addApp, addDeveloper, addProduct, done } from '../../consumers/products/testing.ts';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('figures for the same thing', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    const post = (path: string, body: object) => done(administrator, 'POST', path, body);
    environmentId = (await post('/environments', { name: 'test', displayName: 'Test' })).id;
    const target = { environmentId, scheme: 'http', host: '127.0.0.1', port: 9 };
    await post('/target-servers', { ...target, name: 'backend' });
    const idle = await post('/target-servers', { ...target, name: 'idle' });
    await post(`/target-servers/${idle.id}/disable`, {});
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/orders', protocol: 'rest', authScheme: 'none' };
    proxyId = (await post('/proxies', proxy)).id;
    await post('/proxies', { ...proxy, name: 'customers', basePath: '/v1/customers' });
    await post(`/proxies/${proxyId}/routes`, { method: 'GET', pathPattern: '/{id}', targetServer: 'backend' });
    await post(`/proxies/${proxyId}/revisions`, {});
    await post(`/proxies/${proxyId}/governance/evaluate`, {});
    await post('/deployments', { proxyId, environmentId, revision: 1 });
  });
  after(() => control.stop());

  const get = (path: string) => done(administrator, 'GET', path);
  const totalOf = async (path: string): Promise<number> => (await get(path)).total;

  test('on the overview equal the totals of the lists', async () => {
    const nodes = [
      await addNode(control, administrator, environmentId),
      await addNode(control, administrator, environmentId),
    ];
    await nodes[0]!.load();
    await done(administrator, 'POST', '/gateway-nodes', { environmentId, name: 'never-registered' });
    const productId = await addProduct(administrator);
    await addProduct(administrator);
    const suspended = await addApp(administrator);
    await done(administrator, 'POST', `/apps/${suspended}/suspend`, {});
    await done(administrator, 'POST', '/subscriptions', { appId: await addApp(administrator), productId });
    const overview = await get(`/organizations/${organizationId}/overview`);
    const summary = await get('/governance/summary?pageSize=100');
    const sumOf = (field: string): number =>
      summary.proxies.reduce((sum: number, row: Record<string, number>) => sum + (row[field] ?? 0), 0);
    assert.deepEqual(
      {
        proxies: overview.proxies.total,
        live: overview.deployments.serving,
        notLive: overview.deployments.pending,
        environments: overview.environments,
        targetServers: overview.targetServers,
        gatewayNodes: overview.gatewayNodes,
        pendingReviews: overview.pendingReviews,
        blockingFindings: [overview.blockingFindings, overview.blockingFindings],
        products: overview.products,
        developers: overview.developers,
        apps: overview.apps,
        subscriptions: overview.subscriptions,
        users: { active: overview.users.active, suspended: overview.users.suspended },
      },
      {
        proxies: await totalOf('/proxies'),
        live: await totalOf('/deployments?serving=true&state=live'),
        notLive:
          (await totalOf('/deployments?serving=true&state=pending')) +
          (await totalOf('/deployments?serving=true&state=rolling_out')),
        environments: await totalOf('/environments'),
        targetServers: {
          total: await totalOf('/target-servers'),
          disabled: await totalOf('/target-servers?enabled=false'),
        },
        gatewayNodes: {
          total: await totalOf('/gateway-nodes'),
          offline: await totalOf('/gateway-nodes?health=offline'),
        },
        pendingReviews: await totalOf('/lifecycle/requests?state=pending'),
        blockingFindings: [sumOf('blocking'), await totalOf('/governance/findings?blocking=true&waived=false')],
        products: {
          total: await totalOf('/products'),
          published: await totalOf('/products?published=true'),
          suspended: await totalOf('/products?state=suspended'),
        },
        developers: { total: await totalOf('/developers'), suspended: await totalOf('/developers?state=suspended') },
        apps: { total: await totalOf('/apps'), suspended: await totalOf('/apps?state=suspended') },
        subscriptions: {
          approved: await totalOf('/subscriptions?state=approved'),
          pending: await totalOf('/subscriptions?state=pending'),
        },
        users: { active: await totalOf('/users?state=active'), suspended: await totalOf('/users?state=suspended') },
      },
    );
    assert.deepEqual(overview.gatewayNodes, { total: 3, offline: 2 });
    assert.ok(overview.blockingFindings > 0);
  });

  test('of an API proxy, a subscription and a developer count errors in the same way', async () => {
    const developerId = await addDeveloper(administrator);
    const appId = await addApp(administrator, developerId);
    const productId = await addProduct(administrator);
    const { id: subscriptionId } = await done(administrator, 'POST', '/subscriptions', { appId, productId });
    const row = {
      requests: 100,
      status_2xx: 60,
      status_3xx: 10,
      status_4xx: 25,
      status_5xx: 5,
      limited: 15,
    };
    await control.opened.database.system
      .insertInto('traffic_aggregates')
      .values({
        ...row,
        organization_id: organizationId,
        hour: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000),
        environment_id: environmentId,
        proxy_id: proxyId,
        app_id: appId,
        product_id: productId,
        country: 'DE',
        request_bytes: 1,
        response_bytes: 1,
        gateway_time: [],
        target_time: [],
      })
      .execute();
    const counted = {
      requests: row.requests,
      failed: row.status_4xx + row.status_5xx,
      errors: row.status_5xx,
      limited: row.limited,
    };
    const shown = ({ requests, failed, errors, limited }: typeof counted) => ({ requests, failed, errors, limited });
    assert.deepEqual(shown((await get(`/proxies/${proxyId}/overview`)).traffic), counted);
    assert.deepEqual(shown((await get(`/subscriptions/${subscriptionId}/usage`)).total), counted);
    assert.deepEqual(shown((await get(`/developers/${developerId}/usage`)).total), counted);
  });
});
