import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkAccessibility, startTestBrowser, type TestBrowser, withoutBrowser } from '@millrace/ui/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { addReferencePages } from './pages.ts';

const example = { id: 'INV-2041', total: 1428.5, paid: true, note: null };
const operation = (summary: string) => ({
  tags: ['Invoices'],
  summary,
  description: 'With `code`, and [a link](https://example.com/).',
  parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer' }, description: 'Such as `2`.' }],
  responses: {
    200: { description: 'The invoice.', content: { 'application/json': { example } } },
    400: { description: 'Refused.' },
  },
});

/** Every method has a colour of its own. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Invoices', version: 'v1', description: 'Of a test.' },
  tags: [{ name: 'Invoices', description: 'What is owed.' }],
  paths: {
    '/invoices': { get: operation('List invoices'), post: operation('Add an invoice') },
    '/invoices/last': {
      put: operation('Replace it'),
      patch: operation('Change it'),
      delete: { ...operation('Delete it'), deprecated: true },
    },
  },
};

describe('the pages of the reference', { skip: withoutBrowser }, () => {
  let server: FastifyInstance;
  let browser: TestBrowser;
  before(async () => {
    server = Fastify();
    addReferencePages(server, () => document, 'Invoices');
    await server.listen({ host: '127.0.0.1', port: 0 });
    browser = await startTestBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`keep their contrast in ${colorScheme} colours`, async () => {
      const origin = server.listeningOrigin.replace('localhost', '127.0.0.1');
      const { page, problems } = await browser.open(origin, {}, { colorScheme });
      await page.goto(`${origin}/api-docs`, { timeout: 60_000 });
      for (const summary of ['List invoices', 'Add an invoice', 'Replace it', 'Change it', 'Delete it']) {
        await page.getByRole('heading', { name: summary }).first().scrollIntoViewIfNeeded({ timeout: 60_000 });
      }
      await page.getByText('"INV-2041"').first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      await checkAccessibility(page, colorScheme, ['color-contrast', 'html-has-lang', 'target-size']);
      assert.deepEqual(problems, []);
    });
  }
});
