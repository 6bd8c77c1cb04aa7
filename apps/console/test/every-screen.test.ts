import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  addCalls,
  addTerm,
  type BilledSubscription,
  closeNext,
  exampleSeller,
  openPeriods,
  pastMonths,
  setUpBilling,
} from '@millrace/control/billing-periods/testing';
import { evaluate, testAlert, testRule } from '@millrace/control/incidents/testing';
import { addRegistration } from '@millrace/control/portal/testing';
import { checkAccessibility, colourRules, visit, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operatorOf } from './operator.ts';

const desk = { width: 1_440, height: 900 };
const phone = { width: 360, height: 780 };
/** No line can break within these. */
const name = 'a'.repeat(63);
const title = 'W'.repeat(60);
const sentence = 'M'.repeat(200);

suite('every screen of the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let administrator: Operator;
  let superAdmin: Operator;
  /** The id of one entity of each kind, by its parameter in addresses. */
  let ids: Readonly<Record<string, string>>;
  /** The paths of the screens that each of the users opens. */
  let screens: ReadonlyMap<Operator, readonly string[]>;

  before(async () => {
    running = await startTestConsole(import.meta.filename);
    const organizationId = await running.control.addOrganization(title);
    administrator = await operatorOf(running, { organizationId });
    superAdmin = await operatorOf(running, { organizationId, roles: ['super_admin'] });
    ids = await fill(administrator);
    for (const operator of [administrator, superAdmin]) {
      await operator.page.setViewportSize(desk);
      await operator.goto('/');
    }
    screens = await listScreens();
  });
  after(() => running?.stop());

  async function fill(operator: Operator): Promise<Readonly<Record<string, string>>> {
    const post = operator.post.bind(operator);
    const named = { name, displayName: title, description: sentence };
    const hostNames = [`${'h'.repeat(60)}.${'o'.repeat(60)}.example`];
    const environment = await post('/environments', { ...named, production: true, hostNames });
    const environmentId = environment.id;
    await operator.call('PUT', `/environments/${environmentId}/variables/${'V'.repeat(60)}`, { value: sentence });
    const target = { name, description: sentence, host: hostNames[0], port: 443, healthPath: `/${'p'.repeat(200)}` };
    const targetServer = await post('/target-servers', { environmentId, ...target });
    const api = { ...named, basePath: `/v1/${name}`, protocol: 'rest', authScheme: 'api_key', tags: ['t'.repeat(40)] };
    const { id: proxyId } = await post('/proxies', api);
    const route = {
      method: 'DELETE',
      pathPattern: `/${name}/{${'i'.repeat(40)}}`,
      targetServer: name,
      summary: sentence,
    };
    await post(`/proxies/${proxyId}/routes`, route);
    const configuration = { limit: 100, window: { unit: 'day', count: 1 } };
    await post(`/proxies/${proxyId}/policies`, { flow: 'request', kind: 'quota', name: title, configuration });
    const specification = await post(`/proxies/${proxyId}/specifications`);
    await post(`/proxies/${proxyId}/revisions`, { note: sentence });
    await post(`/proxies/${proxyId}/governance/evaluate`);
    const { findings } = await operator.get(`/proxies/${proxyId}/governance?pageSize=100`);
    const endsAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const code of new Set<string>(findings.map((finding: { code: string }) => finding.code))) {
      await post('/governance/waivers', { proxyId, code, location: null, reason: sentence, endsAt });
    }
    const request = { toStage: 'approved', note: sentence };
    const { id: requestId } = await post(`/proxies/${proxyId}/lifecycle/requests`, request);
    await post(`/lifecycle/requests/${requestId}/comments`, { text: sentence });
    const staging = await post('/environments', { ...named, name: `b${name.slice(1)}` });
    await post('/target-servers', { environmentId: staging.id, ...target });
    const deployment = await post('/deployments', { proxyId, environmentId: staging.id, revision: 1, note: sentence });
    const node = await post('/gateway-nodes', { environmentId: staging.id, name, description: sentence });
    const email = `${'u'.repeat(60)}@${'d'.repeat(60)}.example`;
    const role = await post('/roles', { name: title, description: sentence, permissions: ['proxy.read'] });
    const user = await post('/users', { name: title, email, roleIds: [role.id] });
    await post('/invitations', { name: title, email: `i${email}`, roleIds: [role.id] });
    const account = { name: title, description: sentence, permissions: ['proxy.read', 'deployment.prod'] };
    const serviceAccount = await post('/service-accounts', account);
    await post(`/service-accounts/${serviceAccount.id}/tokens`, { name: title, lifetimeDays: 30 });
    const template = await post('/policy-templates', { name, description: sentence, kind: 'quota', configuration });
    const product = await post('/products', { ...named, autoApprove: true });
    await operator.call('PUT', `/products/${product.id}/proxies/${proxyId}`, {});
    await post(`/products/${product.id}/publish`);
    const tiers = [
      { upTo: '1'.repeat(18), unitPrice: '0.000000000001' },
      { upTo: null, unitPrice: '9'.repeat(9) },
    ];
    const plan = await post('/rate-plans', {
      ...named,
      productId: product.id,
      type: 'tiered',
      currency: 'EUR',
      recurringFee: '9'.repeat(9),
      charges: [{ name, meter: 'response_bytes', model: 'graduated', tiers }],
    });
    await post(`/rate-plans/${plan.id}/publish`);
    await operator.call('PATCH', `/rate-plans/${plan.id}`, { setupFee: '9'.repeat(9) });
    const developer = await post('/developers', { name: title, email, company: title });
    const callbackUrl = `https://shop.example/${'c'.repeat(200)}`;
    const invitation = { email: `p${email}`, role: 'developer' };
    await post(`/developers/${developer.id}/portal-users`, invitation);
    const app = await post('/apps', { developerId: developer.id, ...named, callbackUrl });
    await post(`/apps/${app.id}/credentials`, { name: title });
    const subscription = await post('/subscriptions', { appId: app.id, productId: product.id, ratePlanId: plan.id });
    const price = { name, meter: 'requests', model: 'per_unit', unitPrice: '0.000000000001' };
    const prepaid = { ...named, name: 'prepaid', productId: product.id, type: 'prepaid', currency: 'EUR' };
    const prepaidPlan = await post('/rate-plans', { ...prepaid, charges: [price] });
    await post(`/rate-plans/${prepaidPlan.id}/publish`);
    const prepaidApp = await post('/apps', { ...named, name: 'prepaid', developerId: developer.id });
    const ofPrepaid = { appId: prepaidApp.id, productId: product.id, ratePlanId: prepaidPlan.id };
    const prepaidSubscription = await post('/subscriptions', ofPrepaid);
    const topUp = { amountMinor: 9_000_000_000, note: sentence };
    const { id: topUpId } = await post(`/subscriptions/${prepaidSubscription.id}/top-ups`, topUp);
    const documents = await addDocuments(operator, {
      developerId: developer.id,
      appId: app.id,
      productId: product.id,
      subscriptionId: subscription.id,
      ratePlanId: plan.id,
    });
    const settings = { catalog: { order: [product.id], featured: [product.id], hidden: [] }, open: true };
    await operator.call('PATCH', '/portal-settings', { ...settings, title, sandboxProductIds: [product.id] });
    const source = `# ${title}\n\n${sentence}\n\n| ${name} | ${title} |\n|---|---|\n| ${sentence} | 1 |\n\n    ${sentence}`;
    const guide = await post('/portal-guides', { slug: name, title, summary: sentence, source });
    await post(`/portal-guides/${guide.id}/publish`);
    await operator.call('PATCH', `/portal-guides/${guide.id}`, { source: sentence });
    await post('/portal-domains', { hostName: hostNames[0] });
    await addRegistration(running.control, operator.organizationId, { name: title, email, company: title });
    const watched = await addWatching(operator, environmentId, proxyId);
    const { entries } = await operator.get('/audit?pageSize=1');
    await operator.call('PATCH', `/organizations/${operator.organizationId}/settings`, {
      approval: { requiredFor: [], productionChanges: true },
    });
    const change = await operator.call('PATCH', `/target-servers/${targetServer.id}`, { host: hostNames[0]!.slice(1) });
    return {
      environmentId,
      targetServerId: targetServer.id,
      proxyId,
      requestId,
      userId: user.id,
      roleId: role.id,
      serviceAccountId: serviceAccount.id,
      entryId: entries[0].id,
      organizationId: operator.organizationId,
      deploymentId: deployment.id,
      specificationId: specification.id,
      guideId: guide.id,
      code: 'SEC-001',
      templateId: template.id,
      productId: product.id,
      ratePlanId: plan.id,
      developerId: developer.id,
      appId: app.id,
      subscriptionId: subscription.id,
      nodeId: node.id,
      prepaidSubscriptionId: prepaidSubscription.id,
      topUpId,
      ...documents,
      ...watched,
      changeId: change.id,
    };
  }

  /** An alert rule with an incident that a webhook was notified of, and a silence. */
  async function addWatching(operator: Operator, environmentId: string, proxyId: string) {
    const url = `https://${'h'.repeat(60)}.example/${'w'.repeat(200)}`;
    const settings = { kind: 'webhook', url, events: ['deployment.failed'] };
    const { id: integrationId } = await operator.post('/integrations', { name: title, settings, enabled: false });
    const { id: alertRuleId } = await operator.post('/alert-rules', {
      name: title,
      description: sentence,
      environmentId,
      metric: 'latency_p99',
      threshold: 1e12,
      integrationIds: [integrationId],
      enabled: false,
    });
    await operator.post('/silences', {
      comment: sentence,
      matchers: [{ label: 'environment', operator: '=', value: sentence }],
      schedule: {
        kind: 'recurring',
        timeZone: 'America/Argentina/ComodRivadavia',
        days: { kind: 'weekly', weekdays: [1, 2, 3, 4, 5, 6] },
        startTime: '02:00',
        durationMinutes: 90,
        from: '2026-01-01',
        until: null,
      },
    });
    const rule = testRule({ id: alertRuleId, name: title, environmentId, integrationIds: [integrationId] });
    const labels = { environmentId, environment: name, proxyId, proxy: name };
    await evaluate(running.control, operator.organizationId, {
      rule,
      environmentId,
      alerts: [testAlert(name, { labels })],
    });
    const [{ id: incidentId }] = (await operator.get('/incidents')).incidents;
    await operator.post(`/incidents/${incidentId}/notes`, { text: sentence });
    return { integrationId, alertRuleId, incidentId };
  }

  /** A closed billing period with an invoice that is paid and credited in part. */
  async function addDocuments(operator: Operator, billed: Omit<BilledSubscription, 'termId'>) {
    const [month, next] = pastMonths();
    const address = { lines: [title, title], postalCode: '1'.repeat(20), city: title, countryCode: 'IE' };
    await setUpBilling(operator.caller, { seller: { ...exampleSeller, name: title, address } });
    await operator.call('PATCH', `/developers/${billed.developerId}`, { billing: { name: title, address } });
    const times = { startsAt: `${month}T00:00:00Z`, endsAt: `${next}T00:00:00Z` };
    const termId = await addTerm(running.control, operator.organizationId, billed, times);
    await addCalls(
      running.control,
      operator.organizationId,
      { ...billed, termId },
      { at: times.startsAt, requests: 1e9 },
    );
    const periodId = await openPeriods(operator.caller, month);
    await closeNext(operator.caller);
    const [{ id: invoiceId }] = (await operator.get('/billing/invoices')).invoices;
    await operator.post(`/billing/invoices/${invoiceId}/payments`, { amountMinor: 1, reference: title });
    const credit = { reason: sentence, credit: { scope: 'amount', totalMinor: 100 } };
    const { id: creditNoteId } = await operator.post(`/billing/invoices/${invoiceId}/credit-notes`, credit);
    return { periodId, invoiceId, creditNoteId };
  }

  /** An address of each route that the router knows, and of the views that an address selects. */
  async function listScreens(): Promise<ReadonlyMap<Operator, readonly string[]>> {
    const paths = (await administrator.page.evaluate(
      'Object.keys(window.__TSR_ROUTER__.routesByPath)',
    )) as readonly string[];
    const routes = new Set(paths.map((path) => path.replace(/(?<=.)\/$/, '')));
    assert.ok(routes.size > 50, `${routes.size} routes`);
    const views = [
      '/specifications/$specificationId?view=json',
      '/specifications/$specificationId?view=lint',
      '/subscriptions/$prepaidSubscriptionId',
    ];
    const shown = [...routes, ...views]
      .filter((route) => !/^\/(?:sign-in|forgot-password|reset-password|accept-invitation)$/.test(route))
      .map((route) =>
        route.replaceAll(/\$(\w*)/g, (_whole, parameter: string) => {
          if (parameter === '') return name;
          assert.ok(ids[parameter], `${route} needs an entity for ${parameter}`);
          return ids[parameter];
        }),
      );
    return Map.groupBy(shown, (path) => (path.startsWith('/organizations') ? superAdmin : administrator));
  }

  /**
   * Opens each screen once, complete, and shows it in light colours, in dark ones, and on a phone: showing it again costs
   * less than opening it. Since each change of how it is shown costs as much again, every other screen is shown the other
   * way round.
   */
  test('meets WCAG 2.2 AA by axe in light and dark colours, has a title, and fits a phone', async () => {
    const faults: string[] = [];
    const findFaults = async (page: Page, path: string) => {
      // What was laid out for another screen may take some frames to follow.
      for (let frames = 0; frames < 60 && (await faultsOf(page)).length > 0; frames++) await nextFrame(page);
      for (const fault of await faultsOf(page)) faults.push(`${path}: ${fault}`);
    };
    for (const [operator, paths] of screens) {
      const { page } = operator;
      for (const [index, path] of paths.entries()) {
        const isReversed = index % 2 === 1;
        await visit(page, `${running.control.baseUrl}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByLabel('Loading').first().waitFor({ state: 'hidden' });
        assert.match(await page.title(), /^.+ · Millrace$/, path);

        if (isReversed) {
          await findFaults(page, path);
          await showOn(page, desk);
        }
        const [first, second] = isReversed ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
        await checkAccessibility(page, `${path}, ${first}`);
        await showIn(page, second);
        await checkAccessibility(page, `${path}, ${second}`, colourRules);
        if (!isReversed) {
          await showOn(page, phone);
          await findFaults(page, path);
        }
      }
      await showIn(page, 'light');
      await showOn(page, desk);
    }
    assert.deepEqual(faults, []);
  });

  test('is operated on a phone', async () => {
    const { page } = administrator;
    await page.setViewportSize(phone);
    await checkAccessibility(page, 'a phone');
    await administrator.press('Navigation');
    await page.getByRole('link', { name: 'Target servers' }).click();
    await administrator.heading('Target servers');
    await page.setViewportSize(desk);
  });

  test('causes no error that no user sees', () => {
    assert.deepEqual([...administrator.problems, ...superAdmin.problems], []);
  });
});

const nextFrame = (page: Page) => page.evaluate('new Promise((done) => requestAnimationFrame(done))');

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  // The colours follow within the next frames.
  for (let frames = 0; frames < 3; frames++) await nextFrame(page);
}

async function showOn(page: Page, size: typeof desk): Promise<void> {
  await page.setViewportSize(size);
  // What depends on the window’s size is rendered in the next frames.
  for (let frames = 0; frames < 3; frames++) await nextFrame(page);
}

/** What doesn’t fit the window: whatever makes the page wider, and texts that are cut off. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const beyond = (await page.evaluate(widest)) as string | null;
  const cutOff = (await page.evaluate(clipped)) as readonly string[];
  return [...(beyond === null ? [] : [beyond]), ...cutOff.map((text) => `${text} is cut off`)];
}

/** Buttons whose text is clipped, and values whose title overlaps the next row. */
const clipped = `[
    ...[...document.querySelectorAll('#content button span')].filter((part) => part.scrollWidth > part.clientWidth + 1
      && getComputedStyle(part).overflowX === 'hidden'),
    ...[...document.querySelectorAll('#content td[data-title]')].filter((cell) => cell.scrollHeight > cell.clientHeight + 1),
  ].map((item) => (item.dataset.title ?? '') + item.textContent)`;

/** What makes a page wider than its window; null if it isn't. */
const widest = `(() => {
  const scrolls = (element) =>
    element !== null && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return null;
  const inner = [...document.querySelectorAll('#content *, header *')]
    .filter((element) => element.children.length === 0 && element.getBoundingClientRect().right > clientWidth + 1)
    .filter((element) => !scrolls(element.parentElement))
    .map((element) => element.outerHTML.replace(/class="[^"]*"/, '').slice(0, 160));
  return scrollWidth + ' px, by ' + inner.slice(0, 3).join(' and ');
})()`;
