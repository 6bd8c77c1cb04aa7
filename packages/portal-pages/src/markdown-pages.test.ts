import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { llmsText, robots, sitemap } from './machine-files.ts';
import { guideMarkdown, homeMarkdown, operationMarkdown, productMarkdown, statusMarkdown } from './markdown-pages.ts';
import { code, fenced, markdown } from './markdown-text.ts';
import {
  sampleContext,
  sampleGuide,
  sampleGuides,
  sampleOperation,
  sampleProduct,
  sampleProducts,
  sampleStatus,
} from './testing.ts';

const context = sampleContext();

describe('pages as Markdown', () => {
  it('keep texts as text', () => {
    const hostile = '](javascript:x)\n# <b> `a` | \\';
    assert.equal(markdown`- ${hostile}`.text, '- \\](javascript:x) \\# \\<b\\> \\`a\\` \\| \\\\');
    assert.equal(fenced('sh', '```\nx').text, '````sh\n```\nx\n````\n');
    assert.equal(code('a`b\nc').text, '`` a`b c ``');
  });

  it('have what the pages have', () => {
    const product = productMarkdown(context, sampleProduct());
    assert.match(product, /^# Orders\n/);
    assert.match(
      product,
      /- \[Place an order\]\(https:\/\/developers\.acme\.example\/products\/orders\/operations\/placeOrder\.md\): `POST \/v1\/orders`/,
    );
    assert.match(product, /### Business\n\n€49 per month\n/);
    assert.match(product, / {2}- Up to 10,000: 0\.05 EUR\n/);
    const operation = operationMarkdown(context, sampleOperation());
    assert.match(
      operation,
      /- `lines` \(array of OrderLine, required\)\n {2}- `sku` \(string, required\): Article number\.\n/,
    );
    assert.match(operation, /```sh\ncurl 'https:/);
    assert.match(operation, /### 429/);
    assert.match(guideMarkdown(context, sampleGuide()), /^# Your first call\n\n## Get a key\n/);
    const status = statusMarkdown(context, sampleStatus());
    assert.match(status, /- Sandbox: Degraded\n/);
    assert.match(status, /## Incidents\n\n- Orders: some requests fail\. We are looking into it\. Since /);
    assert.match(
      homeMarkdown(context, { featured: sampleProducts(), guides: sampleGuides(), firstCall: null }),
      /^# Documents and orders, by API\n/,
    );
  });
});

describe('files for machines', () => {
  it('list every page for search engines', () => {
    const map = sitemap({ baseUrl: 'https://a.example/portal/acme' }, [
      { path: [], updatedAt: null },
      { path: ['products', 'a&b'], updatedAt: '2026-01-15T09:00:00.000Z' },
    ]);
    assert.match(map, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset /);
    assert.match(map, /<loc>https:\/\/a\.example\/portal\/acme\/<\/loc>/);
    assert.match(
      map,
      /<loc>https:\/\/a\.example\/portal\/acme\/products\/a%26b<\/loc><lastmod>2026-01-15T09:00:00\.000Z<\/lastmod><xhtml:link rel="alternate" hreflang="en" href="https:\/\/a\.example\/portal\/acme\/products\/a%26b\?lang=en"\/>/,
    );
    const own = robots({ baseUrl: 'https://a.example/portal/acme', basePath: '/portal/acme' });
    assert.match(own, /\nDisallow: \/portal\/acme\/account\n/);
    assert.match(own, /\nSitemap: https:\/\/a\.example\/portal\/acme\/sitemap\.xml\n/);
  });

  it('introduce the portal to language models', () => {
    const text = llmsText(context, sampleProducts(), sampleGuides());
    assert.match(text, /^# Acme Developers\n\n> Turn invoices/);
    assert.match(
      text,
      /- \[Stock\]\(https:\/\/developers\.acme\.example\/products\/stock\.md\): What is in which warehouse/,
    );
  });
});
