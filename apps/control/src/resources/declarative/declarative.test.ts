import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const specification = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: { '/{orderId}': { get: { summary: 'Show an order', responses: { 200: { description: 'The order' } } } } },
};

const document = {
  version: 1,
  organization: { displayName: 'Globex', settings: { currency: 'CHF' } },
  roles: [{ name: 'Release manager', description: 'Releases', permissions: ['proxy.read', 'deployment.write'] }],
  environments: [
    {
      name: 'production',
      displayName: 'Production',
      production: true,
      hostNames: ['api.globex.example'],
      targetServers: [{ name: 'orders', host: 'orders.globex.example', port: 443 }],
    },
    {
      name: 'test',
      displayName: 'Test',
      variables: [
        { name: 'REGION', value: 'eu' },
        { name: 'TOKEN', secret: true, value: 'hunter2' },
      ],
      targetServers: [
        { name: 'orders', host: 'orders.test.globex.example', port: 8443, enabled: false, healthPath: '/up' },
        { name: 'legacy', scheme: 'http', host: 'legacy.test.globex.example', port: 80 },
      ],
    },
  ],
  policyTemplates: [
    { name: 'partner', kind: 'quota', configuration: { limit: 10, window: { unit: 'day' } }, description: 'Partners' },
  ],
  governanceStandards: [
    { code: 'DOC-002', severity: 'error' },
    {
      code: 'CUS-001',
      name: 'Contact',
      ruleset: {
        // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
        rules: { contact: { given: '$.info', severity: 'warn', then: { field: 'contact', function: 'truthy' } } },
      },
    },
  ],
  proxies: [
    {
      name: 'orders',
      displayName: 'Orders',
      basePath: '/v1/orders',
      authScheme: 'api_key',
      tags: ['sales'],
      routes: [
        { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders', timeoutMs: 5_000, summary: 'Show' },
        { method: 'POST', pathPattern: '/', targetServer: 'orders', targetPath: '/new' },
      ],
      policies: [
        { kind: 'verify-api-key' },
        { kind: 'quota', name: 'Of partners', template: 'partner', routes: ['POST /'] },
        {
          kind: 'transform-headers',
          flow: 'request',
          configuration: {
            set: [
              { name: 'authorization', value: 'Bearer {{variables.TOKEN}}' },
              { name: 'x-shared', value: 'written out' },
            ],
          },
        },
        { kind: 'data-masking', enabled: false },
      ],
      specification,
    },
    { name: 'customers', displayName: 'Customers', basePath: '/v1/customers', routes: [], policies: [] },
  ],
};

describe('a declared organization', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  const administrator = async () => {
    const organizationId = await control.addOrganization();
    return control.addUser(organizationId, ['organization_administrator']);
  };
  const exported = async ({ call, organizationId }: TestCaller, format = 'yaml') => {
    const answer = await call('GET', `/organizations/${organizationId}/export?format=${format}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    return format === 'json' ? `${JSON.stringify(answer.data)}` : (answer.data as string);
  };
  const apply = ({ call, organizationId }: TestCaller, declared: unknown, options: object = {}) =>
    call('POST', `/organizations/${organizationId}/apply`, {
      document: typeof declared === 'string' ? declared : JSON.stringify(declared),
      ...options,
    });

  test('is made by a document, and its export applied again changes nothing', async () => {
    const caller = await administrator();
    const made = await apply(caller, document);
    assert.equal(made.status, 200, JSON.stringify(made.data));
    const first = await exported(caller);
    const again = await apply(caller, first, { prune: true });
    assert.deepEqual([again.status, again.data], [200, { applied: true, plan: [] }]);
    assert.equal(await exported(caller), first);
  });
});
