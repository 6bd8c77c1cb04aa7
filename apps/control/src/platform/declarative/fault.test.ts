import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createSealer } from '@millrace/encryption';
import { createLogger } from '@millrace/logs';
import { createDevices } from '@millrace/sign-in/devices';
import { createIdentityProviders } from '@millrace/sign-in/identity-provider';
import type { FastifyInstance } from 'fastify';
import { type KyselyPlugin, sql } from 'kysely';
import { createKeySealers } from '../../consumers/apps/key-sealers.ts';
import type { ControlDatabase } from '../../database/schema.ts';
import { createSnapshotSigner } from '../../delivery/configuration/signing.ts';
import { createDeploymentMonitor } from '../../delivery/deployments/monitor.ts';
import { createNodeWaits } from '../../delivery/gateway-nodes/waiting.ts';
import { createSubscribers } from '../../events.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { sessionCookieName } from '../../frame/authenticate.ts';
import { createIdempotencyKeys } from '../../frame/idempotency.ts';
import { createOutbound } from '../../frame/outbound.ts';
import { createServer } from '../../http/server.ts';
import { untraced } from '../../http/traces.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const specification = (title: string) => ({
  openapi: '3.1.0',
  info: { title, version: '1.0.0' },
  paths: { '/': { get: { summary: 'List', responses: { 200: { description: 'All' } } } } },
});
const route = { method: 'GET', pathPattern: '/', targetServer: 'backend' };
const ruleset = (field: string) => ({
  // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
  rules: { named: { given: '$.info', severity: 'warn', then: { field, function: 'truthy' } } },
});

/** Of each kind one that stays, one that goes and one that comes. */
const present = {
  version: 1,
  roles: [
    { name: 'Stays', permissions: ['proxy.read'] },
    { name: 'Goes', permissions: [] },
  ],
  environments: [
    {
      name: 'stays',
      displayName: 'Stays',
      variables: [
        { name: 'STAYS', value: '1' },
        { name: 'GOES', value: '1' },
      ],
      targetServers: [
        { name: 'backend', host: 'one.example', port: 443 },
        { name: 'goes', host: 'goes.example', port: 443 },
      ],
    },
    { name: 'goes', displayName: 'Goes' },
  ],
  policyTemplates: [
    { name: 'stays', kind: 'spike-arrest', configuration: { ratePerSecond: 1 } },
    { name: 'goes', kind: 'spike-arrest', configuration: { ratePerSecond: 1 } },
  ],
  governanceStandards: [
    { code: 'CUS-001', name: 'Stays', ruleset: ruleset('contact') },
    { code: 'CUS-002', name: 'Goes', ruleset: ruleset('contact') },
  ],
  proxies: [
    {
      name: 'stays',
      displayName: 'Stays',
      basePath: '/v1/stays',
      routes: [route],
      policies: [{ kind: 'verify-api-key' }],
      specification: specification('One'),
    },
    { name: 'goes', displayName: 'Goes', basePath: '/v1/goes' },
  ],
  products: [
    { name: 'stays', displayName: 'Stays', published: true, proxies: [{ proxy: 'stays' }, { proxy: 'goes' }] },
    { name: 'goes', displayName: 'Goes', proxies: [{ proxy: 'goes' }] },
  ],
};
const wanted = {
  version: 1,
  organization: { displayName: 'Changed', settings: { currency: 'CHF' } },
  roles: [
    { name: 'Stays', permissions: ['proxy.read', 'proxy.write'] },
    { name: 'Comes', permissions: ['proxy.read'] },
  ],
  environments: [
    {
      name: 'stays',
      displayName: 'Changed',
      variables: [
        { name: 'STAYS', value: '2' },
        { name: 'COMES', secret: true, value: '1' },
      ],
      targetServers: [
        { name: 'backend', host: 'two.example', port: 443, enabled: false },
        { name: 'comes', host: 'comes.example', port: 443 },
      ],
    },
    { name: 'comes', displayName: 'Comes' },
  ],
  policyTemplates: [
    { name: 'stays', kind: 'spike-arrest', configuration: { ratePerSecond: 2 } },
    { name: 'comes', kind: 'quota', configuration: { limit: 1, window: { unit: 'day' } } },
  ],
  governanceStandards: [
    { code: 'SEC-003', blocking: true },
    { code: 'CUS-001', name: 'Changed', ruleset: ruleset('license') },
    { code: 'CUS-003', name: 'Comes', ruleset: ruleset('contact') },
  ],
  proxies: [
    {
      name: 'stays',
      displayName: 'Changed',
      routes: [route, { ...route, method: 'POST', targetServer: 'comes' }],
      policies: [{ kind: 'verify-api-key' }, { kind: 'spike-arrest', template: 'stays' }],
      specification: specification('Two'),
    },
    {
      name: 'comes',
      displayName: 'Comes',
      basePath: '/v1/comes',
      routes: [route],
      policies: [{ kind: 'quota', template: 'comes' }],
    },
  ],
  products: [
    {
      name: 'stays',
      displayName: 'Changed',
      published: false,
      proxies: [{ proxy: 'stays', routes: ['POST /'] }, { proxy: 'comes' }],
    },
    { name: 'comes', displayName: 'Comes', published: true, state: 'suspended', proxies: [{ proxy: 'comes' }] },
  ],
};

describe('a fault while a document is applied', () => {
  let control: TestControl;
  let server: FastifyInstance | undefined;
  let caller: TestCaller;
  /** The statement, counted from the last apply, that fails; 0: none. */
  let failing = 0;
  let statements = 0;

  before(async () => {
    control = await startTestControl();
    const { encryptionKey, dataDirectory, opened } = control;
    const faulty: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1;
        if (statements === failing) throw new Error(`statement ${failing} failed`);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const database: ControlDatabase = {
      ...opened.database,
      lendTenantConnection: async () => {
        const connection = await opened.database.lendTenantConnection();
        return { ...connection, statements: connection.statements.withPlugin(faulty) };
      },
    };
    const chain = createAuditChain(encryptionKey);
    const sealer = createSealer([encryptionKey], 'control secrets');
    const signer = createSnapshotSigner(encryptionKey);
    const subscribers = createSubscribers({ sealer, signer });
    const onError = () => undefined;
    const outbox = { sealer, wake: () => undefined };
    server = createServer({
      database,
      chain,
      sealer,
      keySealers: createKeySealers(encryptionKey, sealer),
      signer,
      waits: createNodeWaits(database),
      monitor: createDeploymentMonitor({ database, chain, subscribers, rolloutTimeoutMs: 600_000, onError }),
      closer: { wake: () => undefined, stop: async () => undefined },
      sandbox: { keyFor: async () => '' },
      platformMail: async () => '',
      outbound: createOutbound({ reachPrivate: true, reachAlso: new BlockList() }),
      identityProviders: createIdentityProviders(async () => Response.error()),
      publicUrl: () => '',
      dashboardUrl: () => null,
      dnsServers: [],
      secureCookies: false,
      devices: createDevices(encryptionKey, { name: 'millrace_device', secure: false }),
      outbox,
      dataDirectory,
      frame: {
        database,
        chain,
        idempotencyKeys: createIdempotencyKeys(encryptionKey),
        outbox,
        subscribers,
        secureCookies: false,
      },
      log: createLogger('error', { write: () => undefined }),
      configuredPublicUrl: null,
      trustedProxies: 0,
      consoleFolder: null,
      portalAppFolder: dataDirectory,
      traces: untraced,
      isFilling: () => false,
    });
    caller = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const made = await apply(present);
    assert.equal(made.statusCode, 200, made.body);
  });
  after(async () => {
    await server?.close();
    await control.stop();
  });

  const apply = (document: object) => {
    statements = 0;
    return server!.inject({
      method: 'POST',
      url: `/api/organizations/${caller.organizationId}/apply`,
      headers: { cookie: `${sessionCookieName}=${caller.sessionToken}` },
      payload: { document: JSON.stringify(document), prune: true },
    });
  };

  /** A hash of every row of each table of the organization that nothing in the background writes, the audit trail included. */
  const rowsOf = async () => {
    const { system } = control.opened.database;
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'organization_id'
        and table_name not in ('sessions', 'traffic_heads')
      order by 1`.execute(system);
    const selects = tables.map(
      ({ name }) => sql`select ${name} as name, row_of::text as row from ${sql.table(name)} row_of
        where organization_id = ${caller.organizationId}`,
    );
    const { rows } = await sql<{ name: string; hash: string }>`
      select name, md5(string_agg(row, '' order by row)) as hash from (${sql.join(selects, sql` union all `)}
        union all select 'organizations', o::text from organizations o where id = ${caller.organizationId}) all_rows
      group by name`.execute(system);
    return new Map(rows.map(({ name, hash }) => [name, hash]));
  };

  test('changes nothing, at whichever statement it happens', async () => {
    const untouched = await rowsOf();
    const step = process.env.MILLRACE_FULL === '1' ? 1 : 5;
    let rejected = 0;
    for (failing = 1; failing < 1_000; failing += step) {
      const answer = await apply(wanted);
      if (answer.statusCode === 200) break;
      assert.equal(answer.statusCode, 500, answer.body);
      assert.deepEqual(await rowsOf(), untouched, `statement ${failing}`);
      rejected += 1;
    }
    // The first apply that succeeds runs fewer statements than the number of the one that would fail.
    assert.ok(rejected * step > 100, `${rejected} faults`);
    assert.ok(statements < failing && statements >= failing - step, `${statements} statements`);
    assert.notDeepEqual(await rowsOf(), untouched);
  });
});
