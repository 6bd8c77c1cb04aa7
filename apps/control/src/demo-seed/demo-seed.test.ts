import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pagesHeader } from '@millrace/extraction-contract/extract';
import { createLogger } from '@millrace/logs';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { readSettings } from '@millrace/settings/control';
import { sql } from 'kysely';
import { announcement } from '../announcement.ts';
import { cookiesOf } from '../client.ts';
import { migrations, schemaName } from '../database/migrations.ts';
import type { Schema } from '../database/schema.ts';
import { type Service, startService } from '../service.ts';
import { type ControlClient, createSeedClient } from './client.ts';
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

  const cookieOf = async (email: string) => {
    const { headers } = await createSeedClient({ baseUrl: address }).login({
      body: { email, password: first.password },
    });
    return cookiesOf(headers);
  };
  const signIn = async (email: string): Promise<ControlClient> => {
    return createSeedClient({ baseUrl: address, headers: { cookie: await cookieOf(email) } });
  };

  test('nothing of it failed, its own calls do not bury the announcement, which shows who can sign in', () => {
    assert.deepEqual(
      logLines.filter((line) => !line.includes('Server listening')),
      [],
    );
    assert.ok(shown.includes(first.password));
    for (const { email, role } of first.people) assert.match(shown, new RegExp(`${email} +${role}`));
  });

  test('the developer portal is open, with a guide in each language, and its user signs in', async () => {
    assert.ok(shown.includes(`Developer portal: ${address}/portal/acme `));
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${address}/api/portal${path}organization=acme`, init);
      const { data } = (await response.json()) as { readonly data: Readonly<Record<string, unknown>> };
      return { status: response.status, data };
    };
    const { status, data } = await call('?');
    assert.deepEqual([status, data.title], [200, 'Acme developers']);
    for (const [language, title] of [
      ['en', 'Extract your first invoice'],
      ['de', 'Die erste Rechnung auslesen'],
    ]) {
      const guide = await call(`/guides/extract-your-first-invoice?language=${language}&`);
      const products = [{ name: 'document-extraction', displayName: 'Document extraction' }];
      assert.deepEqual([guide.data.title, guide.data.products], [title, products]);
    }
    const signedIn = await call('/sessions?', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'lena@books.example', password: first.password }),
    });
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.data));
    const owner = await signIn('admin@acme.example');
    const settings = (await owner.getPortalSettings()).body.data;
    assert.equal(settings.sandboxProductIds.length, 1);
    assert.deepEqual(settings.catalog.featured, settings.sandboxProductIds);
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
      [['Bookkeeping', 'Document extraction', 'approved']],
    );
  });

  test('it sells: past months are closed, each with an invoice over what the usage costs', async () => {
    const owner = await signIn('admin@acme.example');
    const { periods } = (await owner.listBillingPeriods({ query: { sort: 'startsAt' } })).body.data;
    assert.deepEqual(
      periods.map(({ state }) => state),
      ['closed', 'closed', 'open'],
    );
    const [product] = (await owner.listProducts()).body.data.products;
    assert.equal(product!.unitsHeader, pagesHeader, 'the gateway counts the pages that the extraction API states');
    const [ratePlan] = (await owner.listRatePlans()).body.data.ratePlans;
    const [subscriber] = (await owner.listRatePlanSubscribers({ params: { ratePlanId: ratePlan!.id } })).body.data
      .subscribers;
    for (const [index, { id, startsAt, endsAt }] of periods.slice(0, 2).entries()) {
      const { terms } = (await owner.getBillingPeriod({ params: { periodId: id }, query: {} })).body.data;
      assert.deepEqual(
        terms.map(({ notMetered, unexplained, late }) => [notMetered, unexplained, late]),
        [[0, 0, 0]],
      );
      assert.ok(terms[0]!.billed > 300 && terms[0]!.notBillable.refused! > 0 && terms[0]!.notBillable.status! > 0);
      const { rows } = await sql<{ pages: string }>`
        select trim_scale(sum(units))::text as pages from metered_usage
        where quarter >= ${startsAt}::timestamptz and quarter < ${endsAt}::timestamptz and status_class = 2`.execute(
        opened.database.system,
      );
      const estimate = await owner.estimateRatePlan({
        params: { ratePlanId: ratePlan!.id },
        body: {
          usage: { pages: rows[0]!.pages },
          period: { from: startsAt, to: endsAt },
          ...(index === 0 ? { subscribedAt: subscriber!.since! } : {}),
        },
      });
      const { invoices } = (await owner.listInvoices({ query: { periodId: id } })).body.data;
      assert.deepEqual(
        invoices.map(({ number, state, linesMinor }) => [number, state, linesMinor]),
        [[`INV-${index + 1}`, index === 0 ? 'paid' : 'issued', estimate.body.data.subtotalMinor]],
      );
      const [invoice] = invoices;
      assert.equal(invoice!.totalMinor, Math.round(invoice!.linesMinor * 1.19));
      assert.ok(invoice!.linesMinor > 5_000, 'it is worth looking at');
      const pdf = await fetch(`${address}/api/billing/invoices/${invoice!.id}/pdf`, {
        headers: { cookie: await cookieOf('admin@acme.example') },
      });
      assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
    }
  });

  test('its past traffic is the same calls as are metered', async () => {
    const { rows } = await sql<{ hours: number; different: number }>`
      with metered as (
        select date_trunc('hour', quarter) as hour, sum(requests) as requests, sum(request_bytes) as request_bytes,
          sum(response_bytes) as response_bytes,
          coalesce(sum(requests) filter (where status_class = 2), 0) as status_2xx,
          coalesce(sum(requests) filter (where status_class = 0), 0) as limited
        from metered_usage group by 1),
      traffic as (
        select hour, sum(requests) as requests, sum(request_bytes) as request_bytes,
          sum(response_bytes) as response_bytes, sum(status_2xx) as status_2xx, sum(status_4xx) as status_4xx,
          sum(status_5xx) as status_5xx, sum(limited) as limited
        from traffic_aggregates group by 1)
      select count(*)::int as hours, (count(*) filter (where (t.requests, t.request_bytes, t.response_bytes,
        t.status_2xx, t.limited, t.status_2xx + t.status_4xx + t.status_5xx) is distinct from (m.requests,
        m.request_bytes, m.response_bytes, m.status_2xx, m.limited, m.requests)))::int as different
      from metered m full join traffic t using (hour)`.execute(opened.database.system);
    assert.ok(rows[0]!.hours > 200);
    assert.equal(rows[0]!.different, 0);
  });

  test('its past failures by route are those of its traffic', async () => {
    const { rows } = await sql<{ hours: number; different: number }>`
      with traffic as (
        select hour, sum(status_4xx) as status_4xx, sum(status_5xx) as status_5xx from traffic_aggregates
        group by 1 having sum(status_4xx + status_5xx) > 0),
      failures as (
        select hour, sum(status_4xx) as status_4xx, sum(status_5xx) as status_5xx from route_failures group by 1)
      select count(*)::int as hours, (count(*) filter (where (t.status_4xx, t.status_5xx) is distinct from
        (f.status_4xx, f.status_5xx)))::int as different
      from traffic t full join failures f using (hour)`.execute(opened.database.system);
    assert.ok(rows[0]!.hours > 20);
    assert.equal(rows[0]!.different, 0);
  });

  test('it watches itself: the outage was an incident that somebody resolved', async () => {
    const engineer = await signIn('operations@acme.example');
    const [rule] = (await engineer.listAlertRules({ query: {} })).body.data.alertRules;
    const { incidents } = (await engineer.listIncidents({ query: {} })).body.data;
    assert.equal(incidents.length, 1);
    const [incident] = incidents;
    assert.equal(incident!.rule.id, rule!.id);
    assert.equal(incident!.state, 'resolved');
    assert.equal(incident!.owner?.name, 'Oksana Kovalenko');
    assert.equal(incident!.proxies[0]?.name, 'document-extraction');
    const params = { incidentId: incident!.id };
    const { entries } = (await engineer.getIncidentTimeline({ params, query: {} })).body.data;
    const kinds = new Set(entries.map(({ kind }) => kind));
    for (const kind of ['opened', 'measured', 'acknowledged', 'note', 'monitoring', 'recovered', 'resolved'] as const) {
      assert.ok(kinds.has(kind), kind);
    }
    // What the gateway counted meanwhile explains it.
    const { openedAt, recoveredAt } = incident!;
    const { rows } = await sql<{ failed: number }>`
      select sum(status_5xx)::float8 as failed from traffic_aggregates
      where hour between date_trunc('hour', ${openedAt}::timestamptz) and ${recoveredAt}::timestamptz`.execute(
      opened.database.system,
    );
    assert.ok(rows[0]!.failed > 50);
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
