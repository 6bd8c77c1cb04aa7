import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { addProduct, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { openTestPortal, type TestPortal } from '../testing.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: {
    '/': {
      get: {
        operationId: 'listOrders',
        summary: 'List <orders>',
        description: 'Lists **all** orders. <script>alert(1)</script> [x](javascript:alert(1))',
        tags: ['orders'],
        parameters: [{ name: 'after', in: 'query', schema: { type: 'string' } }],
        responses: { '200': { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
};

interface Answer {
  readonly status: number;
  /** Several of one name are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly text: string;
}

describe('portal pages', () => {
  let control: TestControl;
  let portal: TestPortal;
  let administrator: TestCaller;
  let cookie: string;
  let productId: string;

  before(async () => {
    control = await startTestControl();
    portal = await openTestPortal(control);
    ({ cookie } = await portal.addUser('developer'));
    administrator = await control.addUser(portal.organizationId, ['organization_administrator']);
    productId = await addProduct(administrator, { name: 'orders', displayName: 'Orders', public: true });
    await addProduct(administrator, { name: 'private', displayName: 'Private' });
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', authScheme: 'api_key' };
    const { id: proxyId } = await done(administrator, 'POST', '/proxies', proxy);
    await done(administrator, 'PUT', `/products/${productId}/proxies/${proxyId}`, { routeIds: null });
    const body = { document: JSON.stringify(document), proxyId };
    const { id } = await done(administrator, 'POST', '/specifications', body);
    await done(administrator, 'POST', `/specifications/${id}/publish`);
    const plan = { productId, name: 'standard', displayName: 'Standard', type: 'pay_as_you_go', currency: 'EUR' };
    const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01', allowance: '100' };
    const { id: planId } = await done(administrator, 'POST', '/rate-plans', { ...plan, charges: [charge] });
    await done(administrator, 'POST', `/rate-plans/${planId}/publish`);
    const source = '# First\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sh\nls\n```\n';
    const guide = { slug: 'start', title: 'Start <here>', source, productIds: [productId] };
    const { id: guideId } = await done(administrator, 'POST', '/portal-guides', guide);
    await done(administrator, 'POST', `/portal-guides/${guideId}/publish`);
  });
  after(() => control.stop());

  /** Reads an address as it is, at another host name if one is given. */
  function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { hostname, port } = new URL(control.baseUrl);
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        const received = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]);
        const answer = { status: response.statusCode ?? 0, headers: Object.fromEntries(received) };
        resolve({ ...answer, body, text: String(body) });
      });
      sent.on('error', reject);
      sent.end();
    });
  }
  const visit = (path: string, headers?: Readonly<Record<string, string>>) =>
    read(`/portal/${portal.name}${path}`, headers);

  test('show what the portal has, as pages and as Markdown', async () => {
    const expected: Readonly<Record<string, readonly RegExp[]>> = {
      '': [/<h1>Build on /, /List &lt;orders&gt;/],
      '/': [/<h1>Build on /],
      '/catalog': [/>Orders<\/a>/, /1 API</],
      '/products/orders': [/<h1>Orders<\/h1>/, /€0\.01/, /100 requests included/, /Start &lt;here&gt;/],
      '/products/orders?plan=standard&usage.calls=1100': [/€10\.00/],
      '/products/orders/operations/listOrders': [/<h1>List &lt;orders&gt;<\/h1>/, /<strong>all<\/strong>/, /curl/],
      '/catalog?search=ORDERS&tag=': [/>Orders<\/a>/, /1 API</],
      '/catalog?search=absent': [/0 APIs</, /No API matches/],
      '/catalog?tag=absent': [/0 APIs</],
      '/guides': [/Start &lt;here&gt;/],
      '/guides/start': [/<th>a<\/th>/, /<pre tabindex="0">/],
      '/changes': [/Published for the first time/],
      '/status': [/No reports/],
      '/account/apps': [/id="root" data-organization=/],
      '/index.md': [/^# Build on /],
      '/products/orders.md': [/^# Orders\n/, /`GET \/v1\/orders`/],
      '/products/orders/operations/listOrders.md': [/^# List \\<orders\\>\n/],
      '/guides/start.md': [/^# Start \\<here\\>\n/],
      '/llms.txt': [/\/products\/orders\.md\)/],
      '/robots.txt': [/^User-agent: \*\n/],
      '/sitemap.xml': [/\/products\/orders\/sitemap\.xml</],
      '/sitemap-pages.xml': [/\/products\/orders</],
      '/products/orders/sitemap.xml': [/\/operations\/listOrders</],
      '/theme.css': [/^:root\{--portal-accent:/],
      '/products/orders/openapi.json': [/"openapi": "3\.1\.0"/],
      '/products/orders/postman.json': [/"item"/],
    };
    for (const [path, patterns] of Object.entries(expected)) {
      const { status, text, headers } = await visit(path);
      assert.equal(status, 200, path);
      for (const pattern of patterns) assert.match(text, pattern, path);
      // Markdown keeps what was written; browsers show it as text.
      if (headers['content-type']?.startsWith('text/html')) {
        assert.doesNotMatch(text, /<script>alert|href="javascript/, path);
      }
      assert.match(headers['content-security-policy'] ?? '', /script-src 'self';/, path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
    }
  });

  test('have no inline scripts or styles, and are shown in no frame', async () => {
    const { headers, text } = await visit('/products/orders/operations/listOrders');
    const policy = headers['content-security-policy'] ?? '';
    assert.doesNotMatch(policy, /unsafe/);
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(text, / style="| on[a-z]+="|<style|<script(?! type="(?:module" src=|application\/ld))/);
    const app = await visit('/account');
    assert.match(app.headers['content-security-policy'] ?? '', /script-src 'self'; style-src 'self' 'unsafe-inline'/);
  });

  test('are compressed, and sent once', async () => {
    const plain = await visit('/catalog');
    const compressed = await visit('/catalog', { 'accept-encoding': 'gzip, br' });
    assert.equal(compressed.headers['content-encoding'], 'br');
    assert.ok(compressed.body.length < plain.body.length / 2);
    assert.equal(String(brotliDecompressSync(compressed.body)), plain.text);
    assert.match(plain.headers['cache-control'] ?? '', /^public, max-age=0, s-maxage=60/);
    assert.equal(plain.headers.vary, 'accept-encoding, accept-language, cookie');
    const again = await visit('/catalog', { 'if-none-match': plain.headers.etag ?? '' });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    const [, style = ''] = /<link rel="stylesheet" href="(\/portal-files[^"]+)"/.exec(plain.text) ?? [];
    const file = await read(style);
    assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await read('/portal-files/x/absent.css')).status, 404);
  });

  test('speak the visitor’s language', async () => {
    const german = await visit('/catalog', { 'accept-language': 'de-AT,en;q=0.5' });
    assert.match(german.text, /<html lang="de">/);
    const asked = await visit('/catalog?lang=en', { 'accept-language': 'de' });
    assert.match(asked.text, /<html lang="en">/);
    assert.match(
      String(asked.headers['set-cookie']),
      /^millrace_portal_language=en; Path=\/; Max-Age=31536000; SameSite=Lax$/,
    );
    assert.equal(asked.headers['cache-control'], 'private, no-cache');
    const chosen = await visit('/catalog', { cookie: 'millrace_portal_language=de' });
    assert.match(chosen.text, /hreflang="en" href="[^"]+\/catalog\?lang=en"/);
    assert.match(chosen.text, /<html lang="de">/);
  });

  test('have the colours that the visitor chose', async () => {
    const answer = await visit('/catalog?tag=a&theme=dark');
    assert.deepEqual([answer.status, answer.headers.location], [303, `/portal/${portal.name}/catalog?tag=a`]);
    assert.match(String(answer.headers['set-cookie']), /^millrace_portal_theme=dark; /);
    assert.match(
      (await visit('/catalog', { cookie: 'a=b; millrace_portal_theme=dark' })).text,
      /<html data-theme="dark" lang="en">/,
    );
    assert.match((await visit('/catalog', { cookie: 'millrace_portal_theme="><script>' })).text, /<html lang="en">/);
    assert.match(
      String((await visit('/?theme=x')).headers['set-cookie']),
      /millrace_portal_theme=system; Path=\/; Max-Age=0/,
    );
  });

  test('show private products to those who have signed in, and to nobody else', async () => {
    for (const path of ['/products/private', '/products/private.md']) {
      assert.equal((await visit(path)).status, 404, path);
      const own = await visit(path, { cookie });
      assert.deepEqual([own.status, own.headers['cache-control']], [200, 'private, no-cache'], path);
      assert.equal((await visit(path)).status, 404, path);
    }
    const [seen, own] = [await visit('/catalog'), await visit('/catalog', { cookie })];
    assert.doesNotMatch(seen.text, /private/);
    assert.match(seen.text, />Sign in</);
    assert.match(own.text, />Private<\/a>/);
    assert.match(own.text, />Account</);
    const other = await openTestPortal(control);
    assert.match((await read(`/portal/${other.name}/catalog`, { cookie })).text, />Sign in</);
    assert.match((await visit('/catalog', { cookie: 'millrace_portal_session=nonsense' })).text, />Sign in</);
  });

  test('follow what the organization changes', async () => {
    assert.match((await visit('/products/orders')).text, /<h1>Orders<\/h1>/);
    await done(administrator, 'PATCH', `/products/${productId}`, { displayName: 'All orders' });
    await eventually('the new name', async () => /<h1>All orders<\/h1>/.test((await visit('/products/orders')).text));
  });

  test('say where there is nothing', async () => {
    const absent = await visit('/nothing');
    assert.deepEqual([absent.status, absent.headers['cache-control']], [404, 'no-store']);
    assert.match(absent.text, /<h1>Page not found<\/h1>/);
    for (const path of [
      '/portal',
      '/portal/',
      '/portal/nobody',
      '/portal/nobody/catalog',
      '/portal/%00',
      '/portal/A..',
    ]) {
      const { status, text } = await read(path, { accept: 'text/html' });
      assert.ok(status === 404 || status === 400, path);
      if (status === 404) assert.match(text, /No developer portal here/, path);
    }
    assert.equal((await visit('/products/orders/operations/nothing')).status, 404);
    assert.equal((await visit('/guides/nothing')).status, 404);
    assert.equal((await visit(`/products/${productId}`)).status, 404);
    assert.equal((await visit('/logo.png')).status, 404);
  });

  test('stand at the root of the portal’s own host names', async () => {
    const hostName = 'developers.acme.example';
    await control.opened.database.system
      .insertInto('portal_domains')
      .values({
        id: newId('pdm'),
        organization_id: portal.organizationId,
        host_name: hostName,
        token: 'x',
        verified_at: new Date(),
        is_primary: true,
      })
      .execute();
    const host = { host: hostName };
    const { text } = await eventually('the portal at its host name', async () => {
      const page = await read('/catalog', host);
      return page.status === 200 && page;
    });
    assert.match(text, /<link rel="canonical" href="https:\/\/developers\.acme\.example\/catalog">/);
    assert.match(text, /href="\/products\/orders"/);
    assert.match((await read('/', host)).text, /<h1>Build on /);
    assert.match((await read('/robots.txt', host)).text, /\nDisallow: \/account\n/);
    assert.equal((await read('/nothing', host)).status, 404);
    for (const path of ['//evil.example/?theme=dark', '/\\evil.example/?theme=dark', '/%2F/evil.example?theme=dark']) {
      const { headers } = await read(path, host);
      if (headers.location !== undefined) {
        assert.equal(new URL(headers.location, 'https://a.example').host, 'a.example', path);
      }
    }
    // The API is at every host name; other names are nobody's.
    assert.equal((await read('/api/portal', host)).status, 200);
    const elsewhere = await read('/catalog', { host: 'other.acme.example' });
    assert.doesNotMatch(elsewhere.text, /developers\.acme\.example/);
    await eventually('the canonical address of other addresses', async () =>
      /<link rel="canonical" href="https:\/\/developers\.acme\.example\/catalog">/.test((await visit('/catalog')).text),
    );
  });
});
