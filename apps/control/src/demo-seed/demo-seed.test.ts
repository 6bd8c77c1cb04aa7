import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '@millrace/logs';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { readSettings } from '@millrace/settings/control';
import { announcement } from '../announcement.ts';
import { type ControlClient, cookiesOf, createControlClient } from '../client.ts';
import { migrations, schemaName } from '../database/migrations.ts';
import type { Schema } from '../database/schema.ts';
import { type Service, startService } from '../service.ts';
import type { DemoSeed } from './demo-seed.ts';

describe('the first start', () => {
  let opened: TestDatabase<Schema>;
  let services: readonly Service[];
  let first: DemoSeed;
  let address: string;
  let shown: string;
  const logLines: string[] = [];
  const dataDirectory = mkdtempSync(join(tmpdir(), 'millrace-demo-seed-'));
  const encryptionKey = randomBytes(32).toString('hex');

  const start = () => {
    const { settings } = readSettings({
      DATABASE_URL: opened.url,
      MILLRACE_DATA_DIR: dataDirectory,
      MILLRACE_CONTROL_PORT: '0',
      MILLRACE_ENCRYPTION_KEY: encryptionKey,
    });
    const logger = createLogger('info', { write: (line) => logLines.push(line) });
    return startService({ settings, logger }).then((service) => ({ service, lines: announcement(service, settings) }));
  };

  before(async () => {
    opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
    const started = await Promise.all([start(), start()]);
    services = started.map(({ service }) => service);
    const filling = started.filter(({ service }) => service.demoSeed !== null);
    assert.equal(filling.length, 1, 'of two processes that start at once, one fills the installation');
    first = filling[0]!.service.demoSeed!;
    address = filling[0]!.service.address;
    shown = filling[0]!.lines.join('\n');
    await first.finished;
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await opened.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  const signIn = async (email: string): Promise<ControlClient> => {
    const { headers } = await createControlClient({ baseUrl: address }).login({
      body: { email, password: first.password },
    });
    return createControlClient({ baseUrl: address, headers: { cookie: cookiesOf(headers) } });
  };

  test('nothing of it failed, its own calls do not bury the announcement, which shows who can sign in', () => {
    assert.deepEqual(
      logLines.filter((line) => !line.includes('Server listening')),
      [],
    );
    assert.ok(shown.includes(first.password));
    for (const { email, role } of first.people) assert.match(shown, new RegExp(`${email} +${role}`));
  });

  test('there is a user of every role, two environments and three proxies in different stages', async () => {
    const sessions = await Promise.all(
      first.people.map(async ({ email }) => (await (await signIn(email)).getSession()).body.data),
    );
    assert.deepEqual(sessions.flatMap(({ roles }) => roles.map(({ name }) => name)).sort(), [
      'API Consumer',
      'Auditor',
      'Developer',
      'Operations Engineer',
      'Organization Administrator',
    ]);
    const auditor = await signIn('auditor@acme.example');
    const { environments } = (await auditor.listEnvironments()).body.data;
    assert.deepEqual(
      environments.map(({ name, production }) => [name, production]),
      [
        ['production', true],
        ['test', false],
      ],
    );
    const { proxies } = (await auditor.listProxies({ query: { sort: 'name' } })).body.data;
    assert.deepEqual(
      proxies.map(({ name, stage }) => [name, stage]),
      [
        ['customers', 'draft'],
        ['document-extraction', 'published'],
        ['orders', 'approved'],
      ],
    );
    const { findings } = (
      await auditor.listGovernanceFindings({ query: { proxyId: proxies[0]!.id, blocking: 'true', pageSize: '100' } })
    ).body.data;
    assert.deepEqual([...new Set(findings.map(({ code }) => code))].toSorted(), ['SEC-001', 'SEC-002']);
    for (const { id } of proxies.slice(1)) {
      const { requests } = (await auditor.listLifecycleRequests({ query: { proxyId: id, toStage: 'approved' } })).body
        .data;
      assert.deepEqual(
        requests.map(({ requestedByName, decidedByName }) => [requestedByName, decidedByName]),
        [['Daniel Brandt', 'Oksana Kovalenko']],
      );
    }
  });

  test('the extraction API is imported from its own document, protected, published and deployed to test', async () => {
    const auditor = await signIn('auditor@acme.example');
    const { proxies } = (await auditor.listProxies({ query: { search: 'document-extraction' } })).body.data;
    const proxyId = proxies[0]!.id;
    assert.equal(proxies[0]!.basePath, '/api/external/v1');
    const { routes } = (await auditor.listRoutes({ params: { proxyId } })).body.data;
    assert.ok(routes.some(({ method, pathPattern }) => `${method} ${pathPattern}` === 'POST /extract'));
    const { policies } = (await auditor.listPolicies({ params: { proxyId } })).body.data;
    assert.deepEqual(
      policies.map(({ kind }) => kind),
      ['verify-api-key', 'quota', 'spike-arrest'],
    );
    const overview = (await auditor.getProxyOverview({ params: { proxyId } })).body.data;
    assert.equal(overview.specification?.state, 'published');
    assert.deepEqual(
      overview.deployments.map(({ environmentName, weight, state }) => [environmentName, weight, state]),
      [['test', 100, 'pending']],
    );
  });

  test('a consumer of the extraction API is subscribed, and its key is shown once', async () => {
    const call = await first.finished;
    assert.ok(call !== null && /^mrk_/.test(call.key));
    assert.deepEqual([call.basePath, call.callsPerMinute], ['/api/external/v1', 5]);
    assert.equal(await first.registrationToken, null, 'no gateway comes where the management API runs alone');
    const auditor = await signIn('auditor@acme.example');
    const { subscriptions } = (await auditor.listSubscriptions()).body.data;
    assert.deepEqual(
      subscriptions.map(({ appName, productName, state }) => [appName, productName, state]),
      [['Bookkeeping', 'Document extraction, trial', 'approved']],
    );
  });

  test('its users created it themselves, with calls recorded in the audit trail', async () => {
    const auditor = await signIn('auditor@acme.example');
    const trail = (await auditor.listAuditEntries({ query: { pageSize: '100' } })).body.data;
    const made = trail.entries.filter(({ operation }) => operation === 'createProxy');
    assert.deepEqual(new Set(made.map(({ actorName }) => actorName)), new Set(['Daniel Brandt']));
    assert.ok(trail.entries.every(({ outcome }) => outcome === 'done'));
  });

  test('a later start makes nothing', async () => {
    const { service } = await start();
    assert.equal(service.demoSeed, null);
    await service.stop();
  });
});
