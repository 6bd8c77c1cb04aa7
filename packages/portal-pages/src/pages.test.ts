import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  checkAccessibility,
  colourRules,
  startTestBrowser,
  type TestBrowser,
  type TestWindow,
  withoutBrowser,
} from '@millrace/ui/testing';
import { renderPage } from './layout.ts';
import { sampleContext, samplePages, startTestPages, type TestPages } from './testing.ts';

const paths = Object.keys(samplePages(sampleContext()));
const widths = [360, 1440];

/** Markup, attributes, URLs and templates that try to become more than text. */
const injections = [
  '<script>window.hit=1</script>',
  '"><img src=x onerror="window.hit=1">',
  "'><svg onload=window.hit=1>",
  '</title><script>window.hit=1</script>',
  '</script><script>window.hit=1</script>',
  '<!--<script>window.hit=1//',
  '" onmouseover="window.hit=1" autofocus onfocus="window.hit=1" x="',
  'javascript:window.hit=1',
  '{{constructor.constructor("window.hit=1")()}}',
  '#{window.hit=1}',
  '&lt;script&gt;window.hit=1&lt;/script&gt;',
  '\u2028</style><style>*{display:none}</style>',
  ']]><script>window.hit=1</script>',
  '%3Cscript%3Ewindow.hit=1%3C/script%3E',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
] as const;

describe('pages in a browser', { skip: withoutBrowser }, () => {
  let pages: TestPages;
  let browser: TestBrowser;
  before(async () => {
    [pages, browser] = await Promise.all([startTestPages(), startTestBrowser()]);
  });
  after(async () => {
    await browser.close();
    await pages.stop();
  });

  async function inWindow(options: Parameters<TestBrowser['open']>[2], work: (window: TestWindow) => Promise<void>) {
    const window = await browser.open(pages.baseUrl, {}, options);
    await work(window);
    assert.deepEqual(window.problems, []);
    await window.close();
  }

  for (const width of widths) {
    it(`are accessible and fit ${width} pixels in light and dark colours`, async () => {
      await inWindow({ viewport: { width, height: 800 } }, async ({ page }) => {
        for (const path of paths) {
          await page.emulateMedia({ colorScheme: 'light' });
          await page.goto(pages.baseUrl + path);
          // Every part is checked, those that are closed at first as well.
          await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
          await checkAccessibility(page, `${path}, ${width}, light`);
          assert.equal(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
            0,
            `${path}, ${width}`,
          );
          await page.emulateMedia({ colorScheme: 'dark' });
          await checkAccessibility(page, `${path}, ${width}, dark`, colourRules);
        }
      });
    });
  }

  it('read whole without scripts', async () => {
    await inWindow({ javaScriptEnabled: false }, async ({ page }) => {
      const texts: Readonly<Record<string, readonly string[]>> = {
        '/': ['Documents and orders, by API', 'Featured APIs', 'Your first call', 'curl'],
        '/catalog': ['Document extraction', 'Page 2 of 3'],
        '/products/orders': ['List orders', '€0.067', 'Up to 10,000', '€971.00', 'Postman collection'],
        '/products/orders/operations/placeOrder': ['/v1/orders', 'x-api-key', 'customerId', 'The quota is used up.'],
        '/guides/first-call': ['Create an account, then an app.'],
        '/changes': ['the query parameter cursor is now required'],
        '/status': ['Some systems are degraded', 'Orders: some requests fail', 'Last seven days'],
      };
      for (const [path, expected] of Object.entries(texts)) {
        await page.goto(pages.baseUrl + path);
        // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts
        const shown = await page.locator('body').innerText();
        for (const text of expected) assert.ok(shown.includes(text), `${path}: ${text}`);
      }
      await page.goto(`${pages.baseUrl}/products/orders/operations/placeOrder`);
      const go = page.getByText('// Go');
      assert.equal(await go.isVisible(), false);
      await page.getByText('Go', { exact: true }).click();
      assert.equal(await go.isVisible(), true);
      await page.getByText('Fields of OrderLine').first().click();
      assert.equal(await page.getByText('Article number.').first().isVisible(), true);
    });
  });

  it('estimate as somebody types', async () => {
    await inWindow({}, async ({ page }) => {
      await page.goto(`${pages.baseUrl}/products/orders`);
      const answered = page.waitForResponse((response) => response.url().includes('usage.calls=30000'));
      await page.getByLabel('Number of requests (calls)').fill('30000');
      assert.equal((await answered).status(), 200);
      assert.equal(await page.getByText('Estimated total').isVisible(), true);
    });
  });

  it('lead through the catalog by keyboard alone', async () => {
    await inWindow({}, async ({ page }) => {
      await page.goto(`${pages.baseUrl}/catalog`);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
      await page.keyboard.press('Enter');
      const seen: string[] = [];
      for (let step = 0; step < 24; step++) {
        await page.keyboard.press('Tab');
        seen.push(
          await page.evaluate<string>(
            'document.activeElement.textContent.trim() || document.activeElement.getAttribute("name") || ""',
          ),
        );
      }
      const wanted = [
        'search',
        'Search',
        'All',
        'sales',
        'Document extraction',
        'Orders',
        'Previous page',
        'Next page',
      ];
      assert.deepEqual(
        seen.filter((text) => wanted.includes(text)),
        wanted,
      );
    });
  });

  it('change their colours, and remember it', async () => {
    await inWindow({}, async ({ page }) => {
      await page.goto(pages.baseUrl);
      const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      assert.equal(await background(), 'rgb(255, 255, 255)');
      await page.getByRole('link', { name: 'Dark colors' }).click();
      assert.equal(await background(), 'rgb(16, 17, 20)');
      await page.goto(`${pages.baseUrl}/catalog`);
      assert.equal(await background(), 'rgb(16, 17, 20)');
      await page.getByRole('link', { name: 'System colors' }).click();
      assert.equal(await background(), 'rgb(255, 255, 255)');
    });
  });

  it('show whatever is tried as text', async () => {
    for (const injection of [injections.join(' '), injections.toReversed().join('')]) {
      const hostile = await startTestPages((text) => `${injection}${text}`);
      const window = await browser.open(hostile.baseUrl);
      try {
        for (const path of paths) {
          await window.page.goto(hostile.baseUrl + path);
          const found = await window.page.evaluate<Readonly<Record<string, unknown>>>(`({
            hit: window.hit ?? null,
            handlers: [...document.querySelectorAll('*')].filter((each) => each.getAttributeNames().some((name) => name.startsWith('on') || name === 'style')).length,
            foreign: document.querySelectorAll('main script, main style, base, iframe, object, embed, main svg, main img, meta[http-equiv]').length,
            scripts: document.querySelectorAll('script:not([type="application/ld+json"])').length,
            links: [...document.links].filter(({ href }) => !/^https?:/.test(href)).length,
            data: [...document.querySelectorAll('script[type="application/ld+json"]')].filter((each) => { try { JSON.parse(each.textContent); return false; } catch { return true; } }).length,
          })`);
          const harmless = { hit: null, handlers: 0, foreign: 0, scripts: 1, links: 0, data: 0 };
          assert.deepEqual(found, harmless, `${path}: ${injection}`);
        }
        assert.deepEqual(window.problems, [], injection);
      } finally {
        await window.close();
        await hostile.stop();
      }
    }
  });
});

describe('pages', () => {
  it('are alike with texts that are markup and texts that are not', () => {
    const shape = (text: (own: string) => string) => {
      const context = sampleContext({ text });
      return Object.values(samplePages(context, text)).map((page) =>
        // Code has more or fewer colours by its text.
        [...renderPage(context, page).matchAll(/<\/?(?!span\b)[a-z][a-z0-9]*/g)].join(''),
      );
    };
    const plain = shape((text) => `${'x'.repeat(30)}${text}`);
    for (const injection of injections.filter((text) => !text.includes('$') && !/["'`]/.test(text))) {
      assert.deepEqual(
        shape((text) => `${injection.padEnd(30, 'x')}${text}`),
        plain,
        injection,
      );
    }
  });

  it('are light until they can be read', () => {
    const context = sampleContext();
    for (const [path, page] of Object.entries(samplePages(context))) {
      const sizeBytes = Buffer.byteLength(renderPage(context, page));
      assert.ok(sizeBytes < 60_000, `${path}: ${sizeBytes} bytes`);
    }
  });
});
