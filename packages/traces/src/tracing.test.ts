import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { currentTraceparent, inTrace, parseTraceparent, type TraceContext, traceparentOf } from './context.ts';
import { startTestCollector, type TestCollector } from './testing.ts';
import { startTracing } from './tracing.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const received = parseTraceparent(traceparent);

describe('trace context', () => {
  test('is read and written as W3C Trace Context says', () => {
    assert(received !== null);
    assert.equal(traceparentOf(received), traceparent);
    assert.equal(traceparentOf({ ...received, traceFlags: 0 }), traceparent.replace(/1$/, '0'));
    assert.equal(parseTraceparent(traceparent.replace('00-', '42-').concat('-more'))?.traceId, received.traceId);
    for (const wrong of [
      null,
      '',
      `${traceparent}-more`,
      traceparent.toUpperCase(),
      traceparent.replace('00-', 'ff-'),
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
    ]) {
      assert.equal(parseTraceparent(wrong), null, String(wrong));
    }
  });

  test('is passed on to everything that work waits for', async () => {
    const contexts: TraceContext[] = ['1', '2'].map((digit) => ({ ...received!, spanId: digit.repeat(16) }));
    const seen = await Promise.all(
      contexts.map((context, index) =>
        inTrace(context, async () => {
          await setTimeout(2 - index);
          return currentTraceparent();
        }),
      ),
    );
    assert.deepEqual(seen, contexts.map(traceparentOf));
    assert.equal(currentTraceparent(), null);
  });
});

describe('tracing', () => {
  let collector: TestCollector;
  before(async () => {
    collector = await startTestCollector();
  });
  after(() => collector.stop());

  test('sends spans with their parents, attributes and failures', async () => {
    const tracing = startTracing({ service: 'test', endpoint: `${collector.endpoint}/`, percent: 100 });
    const server = tracing.begin('GET /orders', 'server', received);
    const client = tracing.begin('GET', 'client', server.context);
    client.end({ 'server.address': '10.0.0.7:8080' }, true);
    server.end({ 'http.response.status_code': 200 }, false);
    await tracing.stop();
    assert.deepEqual(
      collector.spans.map(({ name, kind, status, parentSpanId, attributes, service }) => ({
        name,
        kind,
        status,
        parentSpanId,
        attributes,
        service,
      })),
      [
        {
          name: 'GET',
          kind: 3,
          status: 2,
          parentSpanId: server.context.spanId,
          attributes: { 'server.address': '10.0.0.7:8080' },
          service: 'test',
        },
        {
          name: 'GET /orders',
          kind: 2,
          status: 0,
          parentSpanId: received?.spanId,
          attributes: { 'http.response.status_code': 200 },
          service: 'test',
        },
      ],
    );
    assert(collector.spans.every(({ traceId }) => traceId === received?.traceId));
  });

  test('records no trace that its beginning did not, and none of its own at 0 %', async () => {
    const sent = collector.spans.length;
    const tracing = startTracing({ service: 'test', endpoint: collector.endpoint, percent: 0 });
    for (const parent of [null, { ...received!, traceFlags: 0 }]) {
      const span = tracing.begin('GET', 'server', parent);
      assert.equal(span.isRecorded, false);
      assert.equal(span.context.traceFlags, 0);
      span.end({}, true);
    }
    await tracing.stop();
    assert.equal(collector.spans.length, sent);
  });

  test('begins as many traces as the percentage says, each with ids of its own', async () => {
    const tracing = startTracing({ service: 'test', endpoint: collector.endpoint, percent: 10 });
    const spans = Array.from({ length: 4_000 }, () => tracing.begin('GET', 'server', null));
    const recorded = spans.filter(({ isRecorded }) => isRecorded);
    assert(recorded.length > 300 && recorded.length < 500, String(recorded.length));
    assert(recorded.every(({ context }) => context.traceFlags === 1));
    for (const { context } of spans) assert.deepEqual(parseTraceparent(traceparentOf(context))?.spanId, context.spanId);
    assert.equal(new Set(spans.map(({ context }) => context.traceId)).size, spans.length);
    assert.equal(new Set(spans.map(({ context }) => context.spanId)).size, spans.length);
    await tracing.stop();
  });

  test('waits for no collector', async () => {
    const tracing = startTracing({ service: 'test', endpoint: 'http://127.0.0.1:9', percent: 100 });
    tracing.begin('GET', 'server', null).end({}, false);
    await tracing.stop();
  });
});
