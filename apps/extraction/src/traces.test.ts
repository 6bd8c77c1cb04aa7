import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { startModelServer } from '@millrace/providers/testing';
import { type ReceivedSpan, startTestCollector, type TestCollector } from '@millrace/traces/testing';
import { invoicePdf, startTestService, type TestService } from './http/testing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${callerSpan}-01`;
const file = { name: 'confidential-name.pdf', bytes: invoicePdf };

describe('traces of the extraction service', () => {
  let collector: TestCollector;
  before(async () => {
    collector = await startTestCollector();
  });
  after(() => collector.stop());

  /** Spans of what some calls did, once the service has stopped. */
  async function traced(
    settings: Readonly<Record<string, string>>,
    call: (service: TestService) => Promise<unknown>,
  ): Promise<readonly ReceivedSpan[]> {
    const from = collector.spans.length;
    const service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings });
    try {
      await call(service);
    } finally {
      await service.stop();
    }
    return collector.spans.slice(from);
  }

  test('follow a document from its request through its job and model to its webhook, in the trace of the caller', async () => {
    const received: IncomingHttpHeaders[] = [];
    const receiver = createServer((request, response) => {
      received.push(request.headers);
      request.resume().on('end', () => response.end('ok'));
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const model = await startModelServer(() => ({ fields: {}, rows: [] }));
    const settings = {
      MILLRACE_EXTRACTION_TRACE_PERCENT: '0',
      MILLRACE_EXTRACTION_TRACE_CALLERS: '1',
      MILLRACE_PROVIDER_MODE: 'provider',
      MILLRACE_PROVIDER_KIND: 'ollama',
      MILLRACE_PROVIDER_MODEL: 'llama3.1',
      MILLRACE_PROVIDER_URL: model.baseUrl('ollama'),
    };
    let apiKey = '';
    const spans = await traced(settings, async (service) => {
      ({ apiKey } = service);
      const form = { doc_type: 'invoice', callback_url: callbackUrl };
      const response = await service.extract(file, { query: '?async=true', form, headers: { traceparent } });
      assert.equal(response.status, 202);
      await service.call('/health');
      await eventually('the webhook', () => received.length > 0);
    });
    receiver.close();
    await model.close();

    assert.ok(spans.every((span) => span.service === 'millrace-extraction' && span.traceId === traceId));
    const [request, job, chat, webhook] = [
      'POST /api/external/v1/extract',
      'extract document',
      'chat ollama',
      'POST webhook',
    ].map((name) => spans.find((span) => span.name === name));
    assert.equal(spans.length, 4);
    assert.deepEqual(
      [request, job, chat, webhook].map((span) => [span?.kind, span?.parentSpanId]),
      [
        [2, callerSpan],
        [5, request?.spanId],
        [3, job?.spanId],
        [3, job?.spanId],
      ],
    );
    assert.equal(request?.attributes['http.response.status_code'], 202);
    assert.equal(job?.attributes['millrace.job.attempt'], 1);
    assert.equal(webhook?.attributes['http.response.status_code'], 200);
    assert.equal(received[0]?.traceparent, `00-${traceId}-${webhook?.spanId}-01`);
    for (const secret of [apiKey, callbackUrl, file.name]) {
      assert(!collector.texts.some((text) => text.includes(secret)), secret);
    }
  });

  test('of strangers begin here, and probes have none', async () => {
    const spans = await traced({ MILLRACE_EXTRACTION_TRACE_PERCENT: '100' }, async (service) => {
      await service.call('/health', { headers: { traceparent } });
      await service.call('/jobs/job_00000000000000000000000009');
      await fetch(`${service.baseUrl}/readyz`);
    });
    assert.deepEqual(
      spans.map(({ name, parentSpanId, attributes }) => [name, parentSpanId, attributes['error.type']]),
      [
        ['GET /api/external/v1/health', undefined, undefined],
        ['GET /api/external/v1/jobs/:id', undefined, '404'],
      ],
    );
    assert.ok(spans.every((span) => span.traceId !== traceId));
  });

  test('send nothing out where nothing is traced', async () => {
    const service = await startTestService();
    await service.extract(file, { query: '?async=true', headers: { traceparent } });
    const rows = await service.opened.database.system.selectFrom('jobs').select('traceparent').execute();
    assert.deepEqual(rows, [{ traceparent: null }]);
    await service.stop();
  });
});
