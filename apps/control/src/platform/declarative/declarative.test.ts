import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createTestAuthority } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { addApp, publishedConsumers, storedConsumers } from '../../consumers/products/testing.ts';
import { serve } from '../../design/proxies/testing.ts';
import { sessionCookieName } from '../../frame/authenticate.ts';
import { exampleSeller } from '../../money/billing-settings/contract.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import type { PlanEntry } from './declare.ts';

const tables = [
  'organizations',
  'roles',
  'user_roles',
  'environments',
  'environment_variables',
  'target_servers',
  'policy_templates',
  'governance_standards',
  'proxies',
  'proxy_authors',
  'routes',
  'policy_attachments',
  'specifications',
  'revisions',
  'configuration_snapshots',
  'products',
  'product_proxies',
  'rate_plans',
  'rate_plan_versions',
  'billing_settings',
  'consumer_changes',
  'gateway_heads',
] as const;

const specification = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: { '/{orderId}': { get: { summary: 'Show an order', responses: { 200: { description: 'The order' } } } } },
};

const document = {
  version: 1,
  organization: {
    displayName: 'Globex',
    settings: { currency: 'CHF' },
    billing: {
      timeZone: 'Europe/Zurich',
      period: 'quarter',
      creditNoteNumbering: { prefix: 'GS-' },
      seller: exampleSeller,
      reminders: [7, 14],
    },
  },
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
  products: [
    {
      name: 'partners',
      displayName: 'For partners',
      public: true,
      quota: { limit: 100, window: { unit: 'day', count: 1 } },
      unitsHeader: 'x-pages',
      passUnitsHeader: true,
      published: true,
      proxies: [{ proxy: 'orders', routes: ['POST /', 'GET /{orderId}'] }, { proxy: 'customers' }],
      ratePlans: [
        {
          name: 'pages',
          displayName: 'By the page',
          type: 'tiered',
          currency: 'CHF',
          recurringFee: '20',
          charges: [
            {
              name: 'pages',
              meter: 'units',
              proxies: ['orders'],
              model: 'volume',
              tiers: [
                { upTo: '1000', unitPrice: '0.02' },
                { upTo: null, unitPrice: '0.01' },
              ],
            },
          ],
          state: 'published',
        },
        {
          name: 'calls',
          displayName: 'By the call',
          type: 'pay_as_you_go',
          currency: 'CHF',
          charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.001', allowance: '500' }],
        },
      ],
    },
    { name: 'later', displayName: 'Later', autoApprove: true, state: 'suspended' },
  ],
  portal: {
    open: true,
    registration: 'approval',
    title: 'Globex APIs',
    catalog: { order: ['later', 'partners'], featured: ['partners'], hidden: [] },
    sandboxProducts: ['partners'],
    guides: [
      { slug: 'start', title: 'Start', source: '# Start', products: ['partners'], published: true },
      { slug: 'start', language: 'de', title: 'Los', source: '# Los' },
    ],
  },
};

const perCall = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.001' };
const closedTier = { name: 'calls', meter: 'requests', model: 'volume', tiers: [{ upTo: '5', unitPrice: '1' }] };

describe('a declared organization', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  const administrator = async () => {
    const organizationName = `org-${randomBytes(6).toString('hex')}`;
    const organizationId = await control.addOrganization(organizationName);
    return { ...(await control.addUser(organizationId, ['organization_administrator'])), organizationName };
  };
  const exported = async ({ sessionToken, organizationId }: TestCaller, format = 'yaml') => {
    const address = `${control.baseUrl}/api/organizations/${organizationId}/export?format=${format}`;
    const response = await fetch(address, { headers: { cookie: `${sessionCookieName}=${sessionToken}` } });
    assert.equal(response.status, 200);
    return response.text();
  };
  const apply = ({ call, organizationId }: TestCaller, declared: unknown, options: object = {}) =>
    call('POST', `/organizations/${organizationId}/apply`, {
      document: typeof declared === 'string' ? declared : JSON.stringify(declared),
      ...options,
    });

  /** Every row that a document could touch, as one text. */
  const rowsOf = async (organizationId: string) => {
    const { rows } = await sql<{ rows: string }>`
      select string_agg(row, E'\n' order by row) as rows from (
        ${sql.join(
          tables.map(
            (table) => sql`select ${table} || ' ' || row_of::text as row from ${sql.table(table)} row_of
              where row_of.${sql.ref(table === 'organizations' ? 'id' : 'organization_id')} = ${organizationId}`,
          ),
          sql` union all `,
        )}) every_row`.execute(control.opened.database.system);
    return rows[0]!.rows;
  };

  test('is created from a document, and applying its export changes nothing', async () => {
    const caller = await administrator();
    const made = await apply(caller, document);
    assert.equal(made.status, 200, JSON.stringify(made.data));
    assert.deepEqual(
      made.data.plan.map(({ action, kind, name }: PlanEntry) => `${action} ${kind} ${name}`),
      [
        `update organization ${caller.organizationName}`,
        'create role Release manager',
        'create environment production',
        'create environment test',
        'create environment_variable test/REGION',
        'create environment_variable test/TOKEN',
        'create target_server production/orders',
        'create target_server test/legacy',
        'create target_server test/orders',
        'create policy_template partner',
        'create governance_standard CUS-001',
        'update governance_standard DOC-002',
        'create proxy customers',
        'create proxy orders',
        'create product later',
        'create product partners',
        'create rate_plan partners/calls',
        'create rate_plan partners/pages',
        `update portal_settings ${caller.organizationName}`,
        'create portal_guide start/de',
        'create portal_guide start/en',
      ],
    );
    for (const format of ['yaml', 'json']) {
      const first = await exported(caller, format);
      const rows = await rowsOf(caller.organizationId);
      const again = await apply(caller, first, { prune: true });
      assert.deepEqual([again.status, again.data], [200, { applied: true, plan: [] }]);
      assert.equal(await exported(caller, format), first);
      assert.equal(await rowsOf(caller.organizationId), rows);
    }
  });

  test('a document contains no ids, users or secrets', async () => {
    const caller = await administrator();
    await apply(caller, document);
    const text = await exported(caller);
    assert.doesNotMatch(text, /\b(?:org|usr|env|tgt|prx|rte|pol|tpl|spc|rol|prd)_[0-9a-z]{20,}/);
    assert.doesNotMatch(text, /hunter2|written out/);
    assert.match(text, /Bearer {{variables\.TOKEN}}/);
    assert.match(text, /value: "\[secret\]"/);
    const trail = await caller.call('GET', '/audit?operation=applyOrganization');
    assert.equal(trail.data.total, 1, 'one row records the whole plan');
    const entry = await caller.call('GET', `/audit/${trail.data.entries[0].id}`);
    assert.doesNotMatch(JSON.stringify(entry.data), /hunter2|written out/);
    const paths = entry.data.changes.map(({ path }: { path: string }) => path);
    assert.ok(paths.includes('proxy orders: basePath'), paths.join());
    assert.equal((await caller.call('GET', '/audit?operation=createProxy')).data.total, 0);
  });

  test('a client key stays as long as its certificate, and is in no export', async () => {
    const caller = await administrator();
    const { cert, key } = await (await createTestAuthority()).issue({ hosts: ['client.example'] });
    const withTarget = (fields: object) => ({
      version: 1,
      environments: [
        {
          name: 'test',
          displayName: 'Test',
          targetServers: [{ name: 'orders', host: 'a.example', port: 443, ...fields }],
        },
      ],
    });
    const tls = { clientCertificate: cert, clientKey: key };
    const endpoints = [{ host: 'b.example', port: 443, weight: 2 }];
    assert.equal((await apply(caller, withTarget({ tls, endpoints }))).status, 200);
    const text = await exported(caller);
    assert.ok(text.includes('b.example') && text.includes('BEGIN CERTIFICATE') && !text.includes('PRIVATE KEY'));
    assert.deepEqual((await apply(caller, text, { prune: true })).data.plan, []);
    const changed = await apply(caller, withTarget({ tls: { clientCertificate: cert, serverName: 'orders' } }));
    assert.equal(changed.status, 200, JSON.stringify(changed.data));
    const { data } = await caller.call('GET', '/target-servers');
    const [target] = data.targetServers;
    assert.deepEqual([target.tls.serverName, target.tls.hasClientKey, target.endpoints], ['orders', true, endpoints]);
    const keyless = await apply(await administrator(), text);
    assert.deepEqual(Object.keys(keyless.data.errors), ['environments.0.targetServers.0.tls.clientKey']);
  });

  test('makes another organization equal once its secrets are given', async () => {
    const first = await administrator();
    await apply(first, document);
    const text = await exported(first);
    const second = await administrator();
    const refused = await apply(second, text);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['environments.1.variables.1.value']]);
    const withSecret = text.replace('secret: true', 'secret: true\n        value: hunter2');
    const also = await apply(second, withSecret);
    assert.deepEqual(
      [also.status, Object.keys(also.data.errors)],
      [400, ['proxies.1.policies.2.configuration.set.x-shared.value']],
    );
    const made = await apply(second, withSecret.replace('"[secret]"', 'written out'));
    assert.equal(made.status, 200, JSON.stringify(made.data));
    assert.equal(await exported(second), text);
    const again = await apply(second, withSecret);
    assert.deepEqual(again.data.plan, [], 'a secret that is given again is no change');
  });

  test('a dry run returns what applying would do, and changes nothing', async () => {
    const caller = await administrator();
    await apply(caller, document);
    const rows = await rowsOf(caller.organizationId);
    const edited = structuredClone(document);
    Object.assign(edited.proxies[0]!.routes[0]!, { timeoutMs: 9_000 });
    edited.proxies.pop();
    edited.products[0]!.proxies!.pop();
    edited.environments[1]!.variables![0]!.value = 'us';
    const dry = await apply(caller, edited, { dryRun: true, prune: true });
    assert.deepEqual([dry.status, dry.data.applied], [200, false], JSON.stringify(dry.data));
    assert.equal(await rowsOf(caller.organizationId), rows);
    assert.equal((await caller.call('GET', '/audit?operation=applyOrganization')).data.total, 1);
    const applied = await apply(caller, edited, { prune: true });
    assert.deepEqual(applied.data, { ...dry.data, applied: true });
    assert.deepEqual(dry.data.plan, [
      {
        action: 'update',
        kind: 'environment_variable',
        name: 'test/REGION',
        changes: [{ path: 'value', before: 'eu', after: 'us' }],
      },
      { action: 'delete', kind: 'proxy', name: 'customers', changes: dry.data.plan[1].changes },
      {
        action: 'update',
        kind: 'proxy',
        name: 'orders',
        changes: [{ path: 'routes.0.timeoutMs', before: 5_000, after: 9_000 }],
      },
      {
        action: 'update',
        kind: 'product',
        name: 'partners',
        changes: [
          { path: 'proxies.0.proxy', before: 'customers', after: 'orders' },
          { path: 'proxies.0.routes', before: null, after: ['GET /{orderId}', 'POST /'] },
          { path: 'proxies.1', before: { proxy: 'orders', routes: ['GET /{orderId}', 'POST /'] }, after: null },
        ],
      },
    ]);
  });

  test('omitted sections stay, and unlisted entries are only deleted with prune', async () => {
    const caller = await administrator();
    await apply(caller, document);
    const before = await exported(caller);
    const smaller = { version: 1, environments: [{ name: 'test', targetServers: [] }], policyTemplates: [], roles: [] };
    assert.deepEqual((await apply(caller, smaller)).data.plan, []);
    assert.equal(await exported(caller), before);

    const referenced = await apply(caller, smaller, { prune: true });
    assert.equal(referenced.status, 409);
    assert.match(
      referenced.data.message,
      /^production\/orders is not in the document but can’t be deleted: It can.t be deleted: used by route/,
    );
    assert.equal(await exported(caller), before);

    const emptied = await apply(
      caller,
      {
        version: 1,
        environments: [],
        policyTemplates: [],
        roles: [],
        governanceStandards: [],
        proxies: [],
        products: [],
      },
      { prune: true },
    );
    assert.equal(emptied.status, 200, JSON.stringify(emptied.data));
    const left = JSON.parse(await exported(caller, 'json'));
    assert.deepEqual([left.environments, left.policyTemplates, left.roles, left.proxies], [[], [], [], []]);
    assert.deepEqual(left.products, []);
    assert.ok(left.governanceStandards.length > 5, 'built-in rules stay');
  });

  test('errors are reported by path, and nothing of the document is applied', async () => {
    const caller = await administrator();
    await apply(caller, document);
    const before = await exported(caller);
    const orders = (edit: (proxy: Record<string, unknown>) => void) => {
      const proxy = structuredClone(document.proxies[0]!) as Record<string, unknown>;
      edit(proxy);
      return { version: 1, organization: { displayName: 'Lost' }, proxies: [proxy] };
    };
    const route = { method: 'GET', pathPattern: '/lost', targetServer: 'orders' };
    const cases: readonly (readonly [path: string, declared: unknown, status?: number])[] = [
      ['version', { version: 2 }],
      ['colour', { version: 1, colour: 'red' }],
      ['roles.0.permissions.0', { version: 1, roles: [{ name: 'X', permissions: ['everything'] }] }],
      ['roles.0.name', { version: 1, roles: [{ name: 'Auditor', permissions: [] }] }],
      [
        'roles.1.name',
        {
          version: 1,
          roles: [
            { name: 'X', permissions: [] },
            { name: 'X', permissions: [] },
          ],
        },
      ],
      ['environments.0.displayName', { version: 1, environments: [{ name: 'new' }] }],
      [
        'environments.0.variables.0.name',
        { version: 1, environments: [{ name: 'test', variables: [{ name: '1', value: '' }] }] },
      ],
      [
        'environments.0.targetServers.0.host',
        { version: 1, environments: [{ name: 'test', targetServers: [{ name: 'new', port: 1 }] }] },
      ],
      ['environments.0.hostNames', { version: 1, environments: [{ name: 'test', hostNames: ['api.globex.example'] }] }],
      [
        'policyTemplates.0.configuration.limit',
        {
          version: 1,
          policyTemplates: [{ name: 'new', kind: 'quota', configuration: { limit: 0, window: { unit: 'day' } } }],
        },
      ],
      ['policyTemplates.0.kind', { version: 1, policyTemplates: [{ name: 'partner', kind: 'cors' }] }],
      ['governanceStandards.0.name', { version: 1, governanceStandards: [{ code: 'DOC-001', name: 'Mine' }] }],
      [
        'proxies.0.basePath',
        { version: 1, proxies: [{ name: 'rival', displayName: 'Rival', basePath: '/v1/orders' }] },
      ],
      ['proxies.0.basePath', orders((proxy) => Object.assign(proxy, { basePath: '/v2/orders' }))],
      [
        'proxies.0.routes.2.targetServer',
        orders((proxy) => (proxy.routes as unknown[]).push({ ...route, targetServer: 'none' })),
      ],
      [
        'proxies.0.routes.2.pathPattern',
        orders((proxy) => (proxy.routes as unknown[]).push({ ...route, pathPattern: '/{id}' })),
      ],
      [
        'proxies.0.routes.2.targetPath',
        orders((proxy) => (proxy.routes as unknown[]).push({ ...route, targetPath: '/{id}' })),
      ],
      ['proxies.0.policies', orders((proxy) => (proxy.policies as unknown[]).reverse())],
      [
        'proxies.0.policies.0.template',
        orders((proxy) => Object.assign((proxy.policies as object[])[0]!, { template: 'partner' })),
      ],
      [
        'proxies.0.policies.1.routes.0',
        orders((proxy) => Object.assign((proxy.policies as object[])[1]!, { routes: ['GET /none'] })),
      ],
      [
        'products.0.proxies.1.proxy',
        { version: 1, products: [{ name: 'partners', proxies: [{ proxy: 'orders' }, { proxy: 'none' }] }] },
      ],
      [
        'products.0.proxies.0.routes.1',
        {
          version: 1,
          products: [{ name: 'later', proxies: [{ proxy: 'orders', routes: ['POST /', 'GET /none'] }] }],
        },
      ],
      [
        'products.0.proxies.0.routes',
        { version: 1, products: [{ name: 'later', proxies: [{ proxy: 'orders', routes: [] }] }] },
      ],
      [
        'products.0.proxies.0.routes.0',
        {
          ...orders((proxy) => Object.assign(proxy, { routes: [], policies: [] })),
          products: [{ name: 'partners', proxies: [{ proxy: 'orders', routes: ['POST /', 'GET /{orderId}'] }] }],
        },
      ],
      ['products.0.displayName', { version: 1, products: [{ name: 'new' }] }],
      ['products.0.quota', { version: 1, products: [{ name: 'new', displayName: 'New', quota: 0 }] }],
      [
        'proxies.0.specification#/info/title',
        orders((proxy) => Object.assign(proxy, { specification: { ...specification, info: { version: '1' } } })),
      ],
    ];
    for (const [path, declared, status = 400] of cases) {
      const refused = await apply(caller, declared);
      assert.deepEqual(
        [refused.status, Object.keys(refused.data.errors ?? {})],
        [status, [path]],
        `${path}: ${JSON.stringify(refused.data)}`,
      );
      const { message } = (await apply(caller, declared, { dryRun: true })).data;
      assert.equal(message, refused.data.message);
    }
    assert.equal(await exported(caller), before);
  });

  test('a document that would exhaust the service is rejected', async () => {
    const caller = await administrator();
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h']
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join()}]`)
      .join('\n')}`;
    for (const text of [bomb, `${'['.repeat(200)}${']'.repeat(200)}`, 'a: 1\na: 2', '{', 'just words', '']) {
      const refused = await apply(caller, text);
      assert.equal(refused.status, 400, text.slice(0, 40));
      assert.ok(Object.keys(refused.data.errors)[0]?.startsWith('document'), JSON.stringify(refused.data));
    }
    assert.ok([400, 413].includes((await apply(caller, `a: ${'x'.repeat(5_000_001)}`)).status));
  });

  test('an edit keeps the ids of unchanged parts, voids the approval, and cuts a revision of a deployed proxy', async () => {
    const caller = await administrator();
    await apply(caller, document);
    const { organizationId } = caller;
    const proxyId = (await caller.call('GET', '/proxies?search=orders')).data.proxies[0].id;
    const revision = (await caller.call('POST', `/proxies/${proxyId}/revisions`, {})).data.revision;
    const { system } = control.opened.database;
    const { content_hash } = await system
      .updateTable('proxies')
      .set((builder) => ({
        stage: 'approved',
        approved_revision: revision,
        approved_hash: builder.ref('content_hash'),
      }))
      .where('id', '=', proxyId)
      .returning('content_hash')
      .executeTakeFirstOrThrow();
    const environment = await system
      .selectFrom('environments')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('name', '=', 'test')
      .executeTakeFirstOrThrow();
    await serve(control, { organizationId, environmentId: environment.id, proxyId, revision });
    assert.deepEqual((await apply(caller, await exported(caller))).data.plan, []);
    const approved = await caller.call('GET', `/proxies/${proxyId}`);
    assert.deepEqual([approved.data.stage, approved.data.contentHash], ['approved', content_hash]);

    const routes = (await caller.call('GET', `/proxies/${proxyId}/routes`)).data.routes;
    const edited = structuredClone(document);
    edited.proxies[0]!.routes.reverse();
    edited.proxies[0]!.routes[1]!.summary = 'Show it';
    assert.equal((await apply(caller, edited)).status, 200);
    const after = (await caller.call('GET', `/proxies/${proxyId}/routes`)).data.routes;
    assert.deepEqual(
      after.map(({ id, summary }: { id: string; summary: string }) => [id, summary]),
      [
        [routes[1].id, ''],
        [routes[0].id, 'Show it'],
      ],
    );
    const proxy = (await caller.call('GET', `/proxies/${proxyId}`)).data;
    assert.deepEqual([proxy.stage, proxy.approvedRevision, proxy.latestRevision], ['draft', null, revision + 1]);
  });

  test('a document needs the same permissions as its changes by hand', async () => {
    const owner = await administrator();
    await apply(owner, document);
    const add = async (name: string, permissions: readonly string[]) => {
      const role = await owner.call('POST', '/roles', { name, permissions });
      return control.addUser(owner.organizationId, [role.data.id]);
    };
    const importer = await add('Importer', ['organization.import', 'role.write']);
    for (const [declared, named] of [
      [{ roles: [{ name: 'Mighty', permissions: ['proxy.write'] }] }, /permissions you don.t have: proxy\.write/],
      [{ roles: [{ name: 'Importer', permissions: ['organization.import'] }] }, /permissions of your own role/],
      [{ environments: [{ name: 'more', displayName: 'More' }] }, /environment\.write/],
      [{ proxies: [{ name: 'orders', routes: [], policies: [] }] }, /proxy\.write/],
      [{ organization: { displayName: 'Mine' } }, /organization\.write/],
      [{ products: [{ name: 'partners', public: false }] }, /product\.write/],
      [{ products: [{ name: 'partners', published: false }] }, /product\.publish/],
    ] as const) {
      const refused = await apply(importer, { version: 1, ...declared });
      assert.deepEqual([refused.status, named.test(refused.data.message)], [403, true], JSON.stringify(refused.data));
    }
    const editor = await add('Editor', ['organization.import', 'environment.write']);
    const production = { version: 1, environments: [{ name: 'test', production: true }] };
    assert.equal((await apply(editor, production)).status, 403);
    const same = { version: 1, proxies: [{ name: 'orders', displayName: 'Orders' }] };
    assert.deepEqual((await apply(editor, same)).data.plan, [], 'what changes nothing needs nothing');
  });

  test('products are published, suspended and deleted with the right permissions, and nodes are notified', async () => {
    const owner = await administrator();
    await apply(owner, document);
    const declared = (fields: object) => ({ version: 1, products: [{ name: 'partners', ...fields }] });
    const role = await owner.call('POST', '/roles', {
      name: 'Product editor',
      permissions: ['organization.import', 'product.read', 'product.write'],
    });
    const editor = await control.addUser(owner.organizationId, [role.data.id]);
    const hidden = declared({ published: false });
    assert.equal((await apply(editor, hidden)).status, 403);
    const refused = await apply(editor, { version: 1, products: [] }, { prune: true });
    assert.deepEqual([refused.status, /product\.delete/.test(refused.data.message)], [403, true]);
    const { data } = await apply(editor, declared({ state: 'suspended', published: true }));
    assert.deepEqual(data.plan[0].changes, [{ path: 'state', before: 'active', after: 'suspended' }]);
    assert.deepEqual((await apply(owner, hidden)).data.plan[0].changes, [
      { path: 'published', before: true, after: false },
    ]);
    assert.deepEqual(
      await publishedConsumers(control, owner.organizationId),
      await storedConsumers(control, owner.organizationId),
    );
    const [product] = (await owner.call('GET', '/products?search=partners')).data.products;
    assert.deepEqual([product.state, product.published, product.proxies.length], ['suspended', false, 2]);
  });

  test('guides are published with new texts, and pruned by address and language', async () => {
    const owner = await administrator();
    const guide = { slug: 'start', title: 'Start', source: 'one', published: true };
    const declared = (...guides: object[]) => ({ version: 1, portal: { guides } });
    await apply(owner, declared(guide, { ...guide, language: 'de' }));
    const guides = async () => (await owner.call('GET', '/portal-guides?sort=title')).data.guides;
    assert.deepEqual(
      (await guides()).map(({ publishedVersion }: { publishedVersion: number }) => publishedVersion),
      [1, 1],
    );
    const { data } = await apply(owner, declared({ ...guide, source: 'two' }), { prune: true });
    assert.deepEqual(
      data.plan.map(({ action, kind, name }: Record<string, string>) => `${action} ${kind} ${name}`),
      ['delete portal_guide start/de', 'update portal_guide start/en'],
    );
    const [{ guideVersion, publishedVersion }] = await guides();
    assert.deepEqual([guideVersion, publishedVersion], [2, 2]);
    await apply(owner, declared({ ...guide, source: 'two', published: false }));
    assert.equal((await guides())[0].state, 'draft');
    for (const [path, portal] of [
      ['portal.guides.0.products.0', { guides: [{ ...guide, products: ['none'] }] }],
      ['portal.catalog.featured.0', { catalog: { order: [], featured: ['none'], hidden: [] } }],
      ['portal.guides.1.slug', { guides: [guide, guide] }],
      ['portal.legal.terms', { legal: { terms: 'http://x.example', privacy: null, imprint: null } }],
    ] as const) {
      const { status, data: refused } = await apply(owner, { version: 1, portal });
      assert.deepEqual([status, Object.keys(refused.errors)], [400, [path]]);
    }
  });

  test('a changed rate plan is published as its next version, and only drafts are pruned', async () => {
    const owner = await administrator();
    await apply(owner, document);
    const declared = (...ratePlans: object[]) => ({ version: 1, products: [{ name: 'partners', ratePlans }] });
    const plans = async () => (await owner.call('GET', '/rate-plans?sort=name')).data.ratePlans;
    const [calls, pages] = await plans();
    assert.deepEqual([calls.state, calls.planVersion, pages.state, pages.planVersion], ['draft', 1, 'published', 1]);

    await owner.call('PATCH', `/rate-plans/${pages.id}`, { recurringFee: '99', maximumSpend: '500' });
    assert.deepEqual((await apply(owner, document)).data.plan, [], 'an edit that is not published is no difference');
    const raised = await apply(owner, declared({ name: 'pages', recurringFee: '25' }, { name: 'calls', trialDays: 7 }));
    assert.equal(raised.status, 200, JSON.stringify(raised.data));
    assert.deepEqual(raised.data.plan, [
      {
        action: 'update',
        kind: 'rate_plan',
        name: 'partners/calls',
        changes: [{ path: 'trialDays', before: 0, after: 7 }],
      },
      {
        action: 'update',
        kind: 'rate_plan',
        name: 'partners/pages',
        changes: [{ path: 'recurringFee', before: '20', after: '25' }],
      },
    ]);
    const [, second] = await plans();
    assert.deepEqual([second.planVersion, second.maximumSpend, second.draft], [2, null, null]);

    for (const [path, ...ratePlans] of [
      ['products.0.ratePlans.0.state', { name: 'pages', state: 'draft' }],
      ['products.0.ratePlans.0.currency', { name: 'pages', currency: 'EUR' }],
      ['products.0.ratePlans.0.charges.0.tiers.0.upTo', { name: 'calls', type: 'tiered', charges: [closedTier] }],
      ['products.0.ratePlans.0.charges.0.proxies.0', { name: 'calls', charges: [{ ...perCall, proxies: ['none'] }] }],
      ['products.0.ratePlans.0.charges.0.unitPrice', { name: 'calls', charges: [{ ...perCall, unitPrice: 'free' }] }],
      ['products.0.ratePlans.0.type', { name: 'new', displayName: 'New', currency: 'CHF' }],
    ] as const) {
      const { status, data } = await apply(owner, declared(...ratePlans));
      assert.deepEqual([status, Object.keys(data.errors)], [400, [path]], JSON.stringify(data));
    }
    const refused = await apply(owner, declared({ name: 'calls' }), { prune: true });
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [409, ['products.0.ratePlans']]);
    const pruned = await apply(owner, declared({ name: 'pages', state: 'retired' }), { prune: true });
    assert.equal(pruned.status, 200, JSON.stringify(pruned.data));
    assert.deepEqual(
      (await plans()).map((plan: { name: string; state: string }) => [plan.name, plan.state]),
      [['pages', 'retired']],
    );
  });

  test('a product with consumers is not pruned', async () => {
    const owner = await administrator();
    await apply(owner, document);
    const [product] = (await owner.call('GET', '/products?search=partners')).data.products;
    const appId = await addApp(owner);
    const { id } = (await owner.call('POST', '/subscriptions', { appId, productId: product.id })).data;
    const before = await exported(owner);
    assert.doesNotMatch(before, /developer|app-|pending/);
    const pruned = await apply(owner, { version: 1, products: [] }, { prune: true });
    assert.deepEqual(
      [pruned.status, Object.keys(pruned.data.errors)],
      [409, ['products']],
      JSON.stringify(pruned.data),
    );
    assert.equal(await exported(owner), before);
    assert.equal((await owner.call('GET', `/subscriptions/${id}`)).data.state, 'pending');
  });

  test('a bundled route removed from the working copy stays bundled', async () => {
    const owner = await administrator();
    await apply(owner, document);
    const [proxy] = (await owner.call('GET', '/proxies?search=orders')).data.proxies;
    const { routes } = (await owner.call('GET', `/proxies/${proxy.id}/routes`)).data;
    const gone = routes.find(({ method }: { method: string }) => method === 'GET');
    assert.equal((await owner.call('DELETE', `/proxies/${proxy.id}/routes/${gone.id}`)).status, 200);
    const rows = await rowsOf(owner.organizationId);
    assert.deepEqual((await apply(owner, await exported(owner), { prune: true })).data.plan, []);
    assert.equal(await rowsOf(owner.organizationId), rows);
    const [product] = (await owner.call('GET', '/products?search=partners')).data.products;
    const bundle = product.proxies.find(({ proxyName }: { proxyName: string }) => proxyName === 'orders');
    assert.ok(bundle.routeIds.includes(gone.id));
  });

  test('only a Super Admin can access another organization', async () => {
    const owner = await administrator();
    const stranger = await administrator();
    const path = `/organizations/${owner.organizationId}`;
    assert.equal((await stranger.call('GET', `${path}/export`)).status, 404);
    assert.equal((await stranger.call('POST', `${path}/apply`, { document: 'version: 1' })).status, 404);
    const root = await control.addUser(await control.addOrganization(), ['super_admin']);
    const body = { document: 'version: 1\norganization: {displayName: By the platform}' };
    assert.equal((await root.call('POST', `${path}/apply`, body)).status, 200);
    assert.match(await exported(owner), /displayName: By the platform/);
    assert.equal((await owner.call('GET', '/audit?operation=applyOrganization')).data.total, 1);
    assert.equal((await root.call('GET', '/organizations/org_none/export')).status, 404);
  });
});
