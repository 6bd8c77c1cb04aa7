import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startTestService, type TestService, textPdf } from '../../http/testing.ts';

describe('the pages of an extraction', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const pdfOf = (count: number) => ({
    name: 'report.pdf',
    bytes: textPdf(Array.from({ length: count }, (_, page) => [`Page ${page + 1} of the report`])),
  });
  const broken = { name: 'broken.pdf', bytes: new TextEncoder().encode('%PDF-1.7 nothing follows') };
  const photo = {
    name: 'receipt.jpg',
    bytes: new Uint8Array(readFileSync(new URL('../../../../../samples/receipt.jpg', import.meta.url))),
  };
  /** Two pages, each of one black pixel. */
  const fax = () => {
    const header = Buffer.from('49492a0008000000', 'hex');
    const directory = (next: number) => {
      const entries = [256, 257, 258, 259, 262, 273, 278, 279].map((tag) => {
        const entry = Buffer.from('000004000100000001000000', 'hex');
        entry.writeUInt16LE(tag, 0);
        return entry;
      });
      const bytes = Buffer.concat([Buffer.from('0800', 'hex'), ...entries, Buffer.alloc(4)]);
      bytes.writeUInt32LE(next, bytes.length - 4);
      return bytes;
    };
    const [first, last] = [directory(8 + 2 + 8 * 12 + 4), directory(0)];
    return { name: 'fax.tif', bytes: new Uint8Array(Buffer.concat([header, first, last])) };
  };
  const stated = async (...request: Parameters<TestService['extract']>) => {
    const response = await service.extract(...request);
    await response.arrayBuffer();
    return [response.status, response.headers.get('x-millrace-pages')];
  };

  test('are those that a synchronous call has read', async () => {
    assert.deepEqual(await stated(pdfOf(3)), [200, '3']);
    assert.deepEqual(await stated(photo), [200, '1']);
  });

  test('are those that a queued extraction will read', async () => {
    const query = '?async=true';
    assert.deepEqual(await stated(pdfOf(12), { query }), [202, '12']);
    assert.deepEqual(await stated(photo, { query }), [202, '1']);
    assert.deepEqual(await stated(fax(), { query }), [202, '2']);
    assert.deepEqual(await stated(broken, { query }), [202, '0'], 'its job will fail');
    assert.deepEqual(await stated(pdfOf(51), { query }), [202, '0'], 'its job will fail for its pages');
  });

  test('are not stated again for an Idempotency-Key', async () => {
    for (const [query, status] of [
      ['', 200],
      ['?async=true', 202],
    ] as const) {
      const request = [pdfOf(2), { query, headers: { 'idempotency-key': randomUUID() } }] as const;
      assert.deepEqual(await stated(...request), [status, '2']);
      assert.deepEqual(await stated(...request), [status, '0']);
    }
  });

  test('are not stated where nothing was extracted', async () => {
    assert.deepEqual(await stated(broken), [400, null]);
    assert.deepEqual(await stated(null), [400, null]);
  });

  test('are counted however many call at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stated(pdfOf(index + 1), { query: '?async=true' })),
    );
    assert.deepEqual(
      all,
      all.map((_, index) => [202, String(index + 1)]),
    );
  });

  test('are part of the reference', async () => {
    const response = await fetch(`${service.baseUrl}/api-docs.json`);
    // biome-ignore lint/suspicious/noExplicitAny: the document is the tested matter
    const reference = (await response.json()) as any;
    const { responses } = reference.paths['/api/external/v1/extract'].post;
    for (const status of ['200', '202'])
      assert.match(responses[status].headers['X-Millrace-Pages'].description, /0 if/);
  });
});
