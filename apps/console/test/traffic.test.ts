import assert from 'node:assert/strict';
import { after, before, mock, suite, test } from 'node:test';
import { addNode, type TestNode } from '@millrace/control/gateway-nodes/testing';
import { checkAccessibility, colourRules, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Locator } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operatorOf } from './operator.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const phone = { width: 360, height: 780 };
const desk = { width: 1280, height: 800 };

/** The organization's time zone is UTC. */
const startOf = (at: number, lengthMs: number) => Math.floor(at / lengthMs) * lengthMs;

interface Rows {
  readonly from: number;
  readonly to?: number;
  readonly proxyId?: string;
  readonly appId?: string;
  readonly country?: string;
}

suite('traffic, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let operator: Operator;
  let node: TestNode;
  let sequence = 0;
  let now: number;
  let endOfHour: number;
  let today: number;
  /** Of the rows of deployments. */
  let minutes: readonly number[];
  const ids = { environment: '', orders: '', pages: '', product: '', app: '', route: '', stable: '', canary: '' };

  before(async () => {
    running = await startTestConsole(import.meta.filename);
    operator = await operatorOf(running);
    await setUp();
    // From here on the clock of the service stands still: a range would be another one once the hour has ended.
    now = Date.now();
    mock.timers.enable({ apis: ['Date'], now });
    endOfHour = startOf(now, hourMs) + hourMs;
    today = startOf(now, dayMs);
    await report();
  });
  after(async () => {
    mock.timers.reset();
    await running?.stop();
  });

  async function setUp() {
    const { id: environmentId } = await operator.post('/environments', { name: 'test', displayName: 'Test' });
    await operator.post('/target-servers', {
      environmentId,
      name: 'backend',
      scheme: 'http',
      host: '127.0.0.1',
      port: 9,
    });
    const addProxy = async (name: string, displayName: string): Promise<string> =>
      (
        await operator.post('/proxies', {
          name,
          displayName,
          basePath: `/v1/${name}`,
          protocol: 'rest',
          authScheme: 'api_key',
        })
      ).id;
    ids.environment = environmentId;
    ids.orders = await addProxy('orders', 'Orders');
    ids.pages = await addProxy('pages', 'Pages');
    const route = { method: 'GET', pathPattern: '/{orderId}', targetServer: 'backend' };
    ids.route = (await operator.post(`/proxies/${ids.orders}/routes`, route)).id;
    await operator.post(`/proxies/${ids.orders}/revisions`, { note: 'First' });
    const deploy = (fields: object) => operator.post('/deployments', { proxyId: ids.orders, environmentId, ...fields });
    ids.stable = (await deploy({ revision: 1 })).id;
    await operator.post(`/proxies/${ids.orders}/routes`, { ...route, pathPattern: '/{orderId}/lines' });
    await operator.post(`/proxies/${ids.orders}/revisions`, { note: 'Second' });
    ids.canary = (await deploy({ revision: 2, strategy: 'canary', weight: 10 })).id;
    ids.product = (await operator.post('/products', { name: 'trade', displayName: 'Trade', autoApprove: true })).id;
    const developer = await operator.post('/developers', { name: 'Sam Example', email: 'sam@example.com' });
    ids.app = (await operator.post('/apps', { developerId: developer.id, name: 'shop', displayName: 'Shop' })).id;
    node = await addNode(running.control, operator.caller, environmentId);
  }

  /** What a node counted, as one batch. */
  async function send(rows: object) {
    const none = { traffic: [], deployments: [], routes: [], metered: [], slots: [] };
    const batch = { streamId: `usb_${'0'.repeat(26)}`, sequence: sequence++, ...none, ...rows };
    const { status, data } = await node.call('POST', '/gateway/usage', batch);
    assert.equal(status, 200, JSON.stringify(data));
  }

  /** Each hour of two days, and an hour of each day before. */
  async function report() {
    const hours = [
      ...Array.from({ length: 48 }, (_empty, index) => endOfHour - (index + 1) * hourMs),
      ...Array.from({ length: 40 }, (_empty, index) => today - (index + 3) * dayMs + 12 * hourMs),
    ];
    const rowOf = (requests: number, status4xx: number, status5xx: number) => ({
      requests,
      status2xx: requests - status4xx - status5xx,
      status3xx: 0,
      status4xx,
      status5xx,
    });
    const timesOf = (requests: number) => ({ gatewayTime: [120, requests], targetTime: [200, requests - 1, 250, 1] });
    const traffic = hours.flatMap((at, index) => {
      const of = (requests: number, fields: object) => ({
        hour: new Date(at).toISOString(),
        ...rowOf(requests, 3, index % 2),
        limited: 2,
        requestBytes: requests * 10,
        responseBytes: requests * 100,
        ...timesOf(requests),
        ...fields,
      });
      return [
        of(100 + index, { proxyId: ids.orders, appId: ids.app, productId: ids.product, country: 'DE' }),
        of(40 + index, { proxyId: ids.orders, appId: null, productId: null, country: 'FR' }),
        of(20, { proxyId: ids.pages, appId: null, productId: null, country: 'ZZ' }),
      ];
    });
    minutes = Array.from({ length: 30 }, (_empty, index) => startOf(Date.now(), 60_000) - index * 60_000);
    const deployments = minutes.flatMap((at, index) =>
      [ids.stable, ids.canary].map((deploymentId, place) => ({
        minute: new Date(at).toISOString(),
        deploymentId,
        ...rowOf(90 - 80 * place, 0, index % 5 === 0 ? place : 0),
        latency: [200 + 20 * place, 90 - 80 * place],
      })),
    );
    const routes = hours.slice(0, 24).map((at) => ({
      hour: new Date(at).toISOString(),
      proxyId: ids.orders,
      routeId: ids.route,
      ...rowOf(50, 1, 1),
    }));
    await send({ traffic, deployments, routes, slots: [slotOf(30, 4)] });
    const at = new Date(now - 60_000).toISOString();
    const recent = [404, 502, 502, 200].map((status, index) => ({
      requestId: `request-${index}`,
      at,
      appId: ids.app,
      productId: ids.product,
      proxyId: ids.orders,
      routeId: ids.route,
      method: 'GET',
      status,
      durationUs: 900,
    }));
    assert.equal((await node.beat({ recentRequests: recent })).status, 200);
  }

  /** Of ten seconds, a minute or so ago. */
  function slotOf(requests: number, slotsAgo: number) {
    return {
      slot: new Date(startOf(Date.now(), 10_000) - slotsAgo * 10_000).toISOString(),
      proxyId: ids.orders,
      requests,
      status2xx: requests - 1,
      status3xx: 0,
      status4xx: 0,
      status5xx: 1,
      limited: 0,
      requestBytes: 10,
      responseBytes: 10,
      gatewayTime: [120, requests],
      targetTime: [200, requests],
      latency: [220, requests],
    };
  }

  const columns = ['requests', 'status_4xx', 'status_5xx', 'limited'] as const;

  /** Sums of the rows themselves. */
  async function sumsOf({ from, to = endOfHour, proxyId, appId, country }: Rows) {
    const { system } = running.control.opened.database;
    const rows = await system
      .selectFrom('traffic_aggregates')
      .select([...columns])
      .where('organization_id', '=', operator.organizationId)
      .where('hour', '>=', new Date(from))
      .where('hour', '<', new Date(to))
      .$if(proxyId !== undefined, (query) => query.where('proxy_id', '=', proxyId!))
      .$if(appId !== undefined, (query) => query.where('app_id', '=', appId!))
      .$if(country !== undefined, (query) => query.where('country', '=', country!))
      .execute();
    const sum = (column: (typeof columns)[number]) => rows.reduce((total, row) => total + Number(row[column]), 0);
    return {
      requests: sum('requests'),
      clientErrors: sum('status_4xx'),
      errors: sum('status_5xx'),
      limited: sum('limited'),
    };
  }

  const figure = (name: string) => operator.page.getByRole('figure', { name, exact: true });
  const field = (name: string) => operator.page.getByRole('combobox', { name, exact: true });
  const table = (name: string) => operator.page.getByRole('region', { name: `Table of ${name}`, exact: true });
  const text = (value: number) => value.toLocaleString('en-US');
  const search = () => Object.fromEntries(new URL(operator.page.url()).searchParams);

  /** Waits until a figure at the head of the screen has the value. */
  const shows = (label: string, value: number) =>
    operator.page
      .locator(`#content p:text-is("${label}") + div strong`)
      .filter({ hasText: new RegExp(`^${text(value)}$`) })
      .waitFor();
  async function showsAll(rows: Rows) {
    const { requests, clientErrors, errors, limited } = await sumsOf(rows);
    assert.ok(requests > 0, 'there are rows');
    await shows('Requests', requests);
    await shows('Client errors (4xx)', clientErrors);
    await shows('Errors (5xx)', errors);
    await shows('Refused by limits', limited);
  }
  const legend = (chart: string, name: string, value: number) =>
    figure(chart)
      .getByRole('button', { name: `${name} ${text(value)}`, exact: true })
      .waitFor();
  /** The sum of the columns of a CSV after the first one. */
  async function sumOfCsv(button: Locator): Promise<number> {
    const { text: csv } = await operator.saved(() => button.click());
    const [, ...lines] = csv.trimEnd().split('\r\n');
    return lines.flatMap((line) => line.split(',').slice(1)).reduce((sum, cell) => sum + Number(cell), 0);
  }

  test('the figures of each range, filter and step are those of the rows', async () => {
    const { page } = operator;
    await operator.goto('/');
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await operator.heading('Traffic');
    const day = { from: endOfHour - dayMs };
    await showsAll(day);
    const { requests, errors, clientErrors, limited } = await sumsOf(day);
    await legend('Requests by outcome', 'Succeeded', requests - errors - clientErrors);
    await legend('Requests by outcome', 'Other client errors (4xx)', clientErrors - limited);
    await legend('Requests by outcome', 'Refused by limits', limited);
    await legend('Requests by outcome', 'Errors (5xx)', errors);
    assert.equal(await sumOfCsv(operator.button('Download CSV of Requests by outcome')), requests);

    const ranges: readonly (readonly [string, string, number])[] = [
      ['1 hour', '1h', endOfHour - 2 * hourMs],
      ['7 days', '7d', today - 6 * dayMs],
      ['13 months', '13mo', 0],
      ['30 days', '30d', today - 29 * dayMs],
    ];
    for (const [name, range, from] of ranges) {
      await operator.choose(field('Range'), name);
      await showsAll({ from });
      assert.equal(search().range, range);
    }
    await operator.choose(field('Range'), '7 days');
    await operator.choose(field('Step'), 'By day');
    await figure('Requests by outcome').getByText('Days are in UTC.').waitFor();
    assert.deepEqual(search(), { range: '7d', step: 'day' });
    await figure('Requests by outcome').getByText('Show as table').click();
    const week = await sumsOf({ from: today - 6 * dayMs });
    const cells = await page
      .getByRole('region', { name: 'Requests by outcome, as a table' })
      .locator('td')
      .allTextContents();
    assert.equal(
      cells.reduce((sum, cell) => sum + Number(cell.replaceAll(',', '')), 0),
      week.requests,
    );

    await page.getByLabel('Compare with the period before').check();
    const earlier = await sumsOf({ from: today - 13 * dayMs, to: endOfHour - 7 * dayMs });
    await page
      .locator('#content')
      .getByText(`before ${text(earlier.requests)}`)
      .first()
      .waitFor();
    await figure('Requests by outcome').getByText('Period before', { exact: true }).waitFor();
    assert.equal(search().compare, 'previous');
    await page.getByLabel('Compare with the period before').uncheck();
    await page
      .locator('#content')
      .getByText(`before ${text(earlier.requests)}`)
      .first()
      .waitFor({ state: 'detached' });

    await operator.choose(field('Range'), '24 hours');
    await operator.choose(field('API proxy'), 'Pages');
    await showsAll({ ...day, proxyId: ids.pages });
    await page.getByLabel('Clear API proxy').click();
    await showsAll(day);
    await operator.choose(field('Environment'), 'Test');
    await showsAll(day);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await operator.choose(field('App'), 'Shop');
    await showsAll({ ...day, appId: ids.app });
    await operator.choose(field('API product'), 'Trade');
    await showsAll({ ...day, appId: ids.app });
    await operator.choose(field('Country'), 'Germany');
    await showsAll({ ...day, country: 'DE' });
    assert.deepEqual(search(), {
      range: '24h',
      environmentId: ids.environment,
      appId: ids.app,
      productId: ids.product,
      country: 'DE',
    });
    await operator.choose(field('Route'), /orderId/);
    await shows('Requests', 24 * 50);
    assert.deepEqual(search(), { range: '24h', environmentId: ids.environment, routeId: ids.route });
    await operator.choose(field('Deployment'), /^Revision 2/);
    await shows('Requests', 30 * 10);
    assert.equal(search().deploymentId, ids.canary);
    await operator.choose(field('Gateway node'), node.name);
    assert.deepEqual(search(), { range: '24h', environmentId: ids.environment, gatewayNodeId: node.id });
    await operator.press('Clear filters');
    await showsAll(day);
    assert.deepEqual(search(), { range: '24h' });
  });

  test('top lists split by each dimension, link to what they list, and filter by it', async () => {
    const { page } = operator;
    const day = { from: endOfHour - dayMs };
    await operator.goto('/traffic?range=24h');
    const [orders, pages] = [
      await sumsOf({ ...day, proxyId: ids.orders }),
      await sumsOf({ ...day, proxyId: ids.pages }),
    ];
    await legend('Requests by API proxies', 'Orders', orders.requests);
    const rows = table('API proxies by requests').getByRole('row');
    await rows.filter({ hasText: 'Orders' }).getByText(text(orders.requests), { exact: true }).waitFor();
    await rows.filter({ hasText: 'Pages' }).getByText(text(pages.requests), { exact: true }).waitFor();
    await operator.choose(field('Measure'), 'Errors (5xx)');
    await table('API proxies by errors (5xx)')
      .getByRole('row')
      .filter({ hasText: 'Orders' })
      .getByText(text(orders.errors), { exact: true })
      .waitFor();
    for (const [by, row] of [
      ['Apps', 'Shop'],
      ['API products', 'Trade'],
      ['Countries', 'Germany'],
      ['Environments', 'Test'],
      ['Routes', 'orderId'],
      ['Deployments', 'Orders'],
      ['Gateway nodes', node.name],
    ] as const) {
      await operator.choose(field('Top by'), by);
      await table(`${by} by errors (5xx)`).getByRole('row').filter({ hasText: row }).first().waitFor();
    }
    await operator.choose(field('Top by'), 'Apps');
    await operator.choose(field('Measure'), 'Requests');
    const ofApp = await sumsOf({ ...day, appId: ids.app });
    await table('Apps by requests').getByText(text(ofApp.requests), { exact: true }).waitFor();
    const saved = await operator.saved(() => operator.button('Download CSV of Apps by requests').click());
    assert.match(saved.text, new RegExp(`"${ids.app}","Shop",${ofApp.requests},`));
    await operator.press('Filter by No known app');
    await showsAll({ ...day, appId: '' });
    assert.equal(search().appId, 'none');
    await operator.press('Clear filters');
    await table('Apps by requests').getByRole('link', { name: 'Shop' }).click();
    await operator.heading('Shop');
    await page.goBack();
    await showsAll(day);
  });

  test('a range is selected on a chart by pointer and by keyboard', async () => {
    const { page } = operator;
    await operator.goto('/traffic?range=24h');
    await showsAll({ from: endOfHour - dayMs });
    const chart = figure('Requests by outcome');
    const plot = chart.getByRole('slider', { name: 'Requests by outcome, figures' });
    const last = endOfHour - hourMs;
    await plot.press('End');
    const ofLast = await sumsOf({ from: last });
    const readout = await plot.getAttribute('aria-valuetext');
    const parts = (readout ?? '').matchAll(/(?:Succeeded|errors \(4xx\)|limits|Errors \(5xx\)) ([\d,]+)/g);
    assert.equal(
      [...parts].reduce((sum, [, count]) => sum + Number(count!.replaceAll(',', '')), 0),
      ofLast.requests,
      readout!,
    );
    await plot.press('ArrowLeft');
    await plot.press('Shift+ArrowLeft');
    await plot.press('Shift+ArrowLeft');
    assert.match((await plot.getAttribute('aria-valuetext')) ?? '', / selected$/);
    await plot.press('Escape');
    assert.doesNotMatch((await plot.getAttribute('aria-valuetext')) ?? '', / selected$/);
    await plot.press('Shift+ArrowRight');
    await plot.press('Enter');
    await page.waitForURL(/from=/);
    const byKeyboard = { from: last - 3 * hourMs, to: last - hourMs };
    assert.deepEqual(search(), {
      from: new Date(byKeyboard.from).toISOString(),
      to: new Date(byKeyboard.to).toISOString(),
    });
    await showsAll(byKeyboard);

    await operator.goto('/traffic?range=24h');
    await showsAll({ from: endOfHour - dayMs });
    const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + width * 0.3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    const { from, to } = search();
    const lengthHours = (Date.parse(to!) - Date.parse(from!)) / hourMs;
    assert.ok(lengthHours >= 7 && lengthHours <= 9, `${lengthHours} hours`);
    await showsAll({ from: Date.parse(from!), to: Date.parse(to!) });

    await page.getByLabel('From', { exact: true }).fill(new Date(endOfHour - 10 * hourMs).toISOString().slice(0, 16));
    await showsAll({ from: endOfHour - 10 * hourMs, to: Date.parse(to!) });
    await page.getByLabel('To', { exact: true }).fill(new Date(endOfHour - 8 * hourMs).toISOString().slice(0, 16));
    await showsAll({ from: endOfHour - 10 * hourMs, to: endOfHour - 8 * hourMs });
    await chart.getByRole('button', { name: /^Succeeded/ }).click();
    assert.equal(await chart.getByRole('button', { name: /^Succeeded/ }).getAttribute('aria-pressed'), 'false');
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await showsAll({ from: endOfHour - dayMs });
  });

  test('errors are shown by cause, status and API proxy', async () => {
    const { page } = operator;
    await operator.goto('/traffic?range=7d');
    await page.getByRole('link', { name: 'Errors', exact: true }).click();
    await operator.page.waitForURL(/\/traffic\/errors\?range=7d$/);
    const week = await sumsOf({ from: today - 6 * dayMs });
    const causes = table('causes of errors').getByRole('row');
    await causes.filter({ hasText: 'Errors (5xx)' }).getByText(text(week.errors), { exact: true }).waitFor();
    await causes.filter({ hasText: 'Refused by limits' }).getByText(text(week.limited), { exact: true }).waitFor();
    await causes
      .filter({ hasText: 'Other client errors' })
      .getByText(text(week.clientErrors - week.limited), { exact: true })
      .waitFor();
    assert.equal(
      await sumOfCsv(operator.button('Download CSV of Errors by cause over time')),
      week.errors + week.clientErrors,
    );
    await table('statuses').getByRole('row').filter({ hasText: '502' }).getByText('2', { exact: true }).waitFor();
    const orders = await sumsOf({ from: today - 6 * dayMs, proxyId: ids.orders });
    const row = table('API proxies with errors').getByRole('row').filter({ hasText: 'Orders' });
    await row.getByText(text(orders.errors), { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Orders' }).waitFor();
  });

  test('latency is shown as bands and as a heat map that is read by keyboard', async () => {
    const { page } = operator;
    await operator.goto('/traffic/latency?range=24h');
    await figure('Time at the target over time').waitFor();
    await figure('Time in the gateway over time').waitFor();
    const { requests } = await sumsOf({ from: endOfHour - dayMs });
    const map = 'Heat map of time at the target';
    assert.equal(await sumOfCsv(operator.button(`Download CSV of ${map}`)), requests);
    const cells = figure(map).getByRole('slider');
    await cells.press('End');
    const first = await cells.getAttribute('aria-valuetext');
    await cells.press('ArrowUp');
    assert.notEqual(await cells.getAttribute('aria-valuetext'), first);
    await page.getByText('Time in the gateway', { exact: true }).last().click();
    await figure('Heat map of time in the gateway').waitFor();
    assert.equal(search().measure, 'gatewayTime');
    await operator.choose(field('Range'), 'Live, 15 minutes');
    await figure('Whole latency over time').waitFor();
  });

  test('countries are shown by name, and filter', async () => {
    await operator.goto('/traffic/countries?range=24h');
    const germany = await sumsOf({ from: endOfHour - dayMs, country: 'DE' });
    const row = table('countries by requests').getByRole('row').filter({ hasText: 'Germany' });
    await row.getByText(text(germany.requests), { exact: true }).waitFor();
    await table('countries by requests').getByText('Unknown country').waitFor();
    await operator.press('Filter by Germany');
    await table('countries by requests').getByText('Unknown country').waitFor({ state: 'detached' });
    assert.equal(search().country, 'DE');
  });

  test('the last 15 minutes are refreshed', async () => {
    await operator.goto('/traffic?range=15m');
    await shows('Requests', 30);
    assert.equal(await operator.button('Export CSV').getAttribute('aria-disabled'), 'true');
    await send({ slots: [slotOf(12, 2)] });
    await shows('Requests', 42);
  });

  test('a view is saved, chosen and deleted', async () => {
    const { page } = operator;
    await operator.goto(`/traffic/errors?range=30d&proxyId=${ids.orders}&compare=previous`);
    await operator.press('Save view');
    await operator.dialog('Save view').getByLabel('Name').fill('Errors of orders');
    await operator.dialog('Save view').getByLabel('Share with everyone in the organization').check();
    await operator.send('Save view', 'Save');
    const [view] = (await operator.get('/analytics/views')).views;
    assert.deepEqual(
      [view.name, view.section, view.shared, view.query],
      ['Errors of orders', 'errors', true, { range: '30d', proxyId: ids.orders, compare: 'previous' }],
    );
    await operator.goto('/traffic');
    await operator.button('Delete view').waitFor({ state: 'detached' });
    await operator.choose(field('Saved view'), 'Errors of orders');
    await page.waitForURL(/\/traffic\/errors/);
    assert.deepEqual(search(), { range: '30d', proxyId: ids.orders, compare: 'previous' });
    await operator.press('Delete view');
    await operator.confirm('Delete Errors of orders?', 'Delete view');
    await field('Saved view').waitFor({ state: 'detached' });
    assert.equal((await operator.get('/analytics/views')).total, 0);
  });

  test('the export has the rows of the range', async () => {
    await operator.goto('/traffic?range=24h&country=DE');
    const { text: csv } = await operator.saved(() => operator.press('Export CSV'));
    const [head, ...lines] = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
    const column = head!.indexOf('requests');
    const { requests } = await sumsOf({ from: endOfHour - dayMs, country: 'DE' });
    assert.equal(
      lines.reduce((sum, line) => sum + Number(line[column]), 0),
      requests,
    );
  });

  test('the screens of what has traffic show it, and lead to more', async () => {
    const { page } = operator;
    const day = { from: endOfHour - dayMs };
    const screens: readonly (readonly [path: string, requests: number, search: Readonly<Record<string, string>>])[] = [
      ['/', (await sumsOf(day)).requests, {}],
      [`/proxies/${ids.orders}`, (await sumsOf({ ...day, proxyId: ids.orders })).requests, { proxyId: ids.orders }],
      [`/products/${ids.product}`, (await sumsOf({ ...day, appId: ids.app })).requests, { productId: ids.product }],
      [`/apps/${ids.app}`, (await sumsOf({ ...day, appId: ids.app })).requests, { appId: ids.app }],
      [`/proxies/${ids.orders}/routes?route=${ids.route}`, 24 * 50, { proxyId: ids.orders, routeId: ids.route }],
      [
        `/gateway-nodes/${node.id}`,
        (await sumsOf(day)).requests,
        { environmentId: ids.environment, gatewayNodeId: node.id },
      ],
      [
        `/deployments/${ids.stable}`,
        30 * 90,
        { proxyId: ids.orders, environmentId: ids.environment, deploymentId: ids.stable },
      ],
    ];
    for (const [path, requests, filters] of screens) {
      await operator.goto(path);
      const strip = page.locator('section', { has: page.getByRole('heading', { name: 'Traffic, last 24 hours' }) });
      await strip.getByText(text(requests), { exact: true }).waitFor();
      await strip.getByRole('link', { name: 'Show traffic' }).click();
      await operator.heading('Traffic');
      assert.deepEqual(search(), { range: '24h', ...filters }, path);
      await page
        .locator('#content p:text-is("Requests") + div strong')
        .filter({ hasText: text(requests) })
        .waitFor();
    }
    await operator.goto(`/deployments/${ids.canary}`);
    for (const name of ['Requests by minute', 'Share of errors (5xx)', 'Latency, p95']) {
      await figure(name)
        .getByRole('button', { name: /^Revision 2 \(canary\)/ })
        .waitFor();
      await figure(name)
        .getByRole('button', { name: /^Revision 1 \(stable\)/ })
        .waitFor();
    }
    const { since } = await operator.get(`/deployments/${ids.canary}/comparison`);
    const shown = minutes.filter((minute) => minute >= startOf(Date.parse(since), 60_000)).length;
    assert.ok(shown > 0);
    assert.equal(await sumOfCsv(operator.button('Download CSV of Requests by minute')), shown * 100);
    await checkAccessibility(page, 'a canary beside its stable deployment');
  });

  test('users who may not see traffic see none, and those who only read can’t export', async () => {
    const { id } = await operator.post('/roles', { name: 'Builder', permissions: ['organization.read', 'proxy.read'] });
    const builder = await operatorOf(running, { organizationId: operator.organizationId, roles: [id] });
    await builder.goto(`/proxies/${ids.orders}`);
    await builder.shown('Calls in 24 hours');
    assert.equal(await builder.page.getByText('Traffic, last 24 hours').count(), 0);
    assert.deepEqual(builder.problems, []);
    await builder.close();
    const reader = await operatorOf(running, { organizationId: operator.organizationId, roles: ['auditor'] });
    await reader.goto('/traffic');
    assert.equal(await reader.button('Export CSV').getAttribute('aria-disabled'), 'true');
    await reader.close();
  });

  test('every section is accessible in light and dark colours, and fits a phone', async () => {
    const { page } = operator;
    for (const path of [
      '/traffic?range=7d&compare=previous',
      '/traffic/errors',
      '/traffic/latency',
      '/traffic/countries',
    ]) {
      await operator.goto(path);
      await page.getByLabel('Loading').first().waitFor({ state: 'hidden' });
      await page.locator('.u-over, table').first().waitFor();
      await checkAccessibility(page, path);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
      await checkAccessibility(page, `${path}, dark`, colourRules);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(phone);
      assert.equal(await widthAtRest(page), phone.width, `${path} fits a phone`);
      await page.setViewportSize(desk);
    }
    assert.deepEqual(operator.problems, []);
  });
});
