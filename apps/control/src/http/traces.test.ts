import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestCollector, type TestCollector } from '@millrace/traces/testing';
import { startTestControl, type TestCaller } from '../testing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describe('traces of the management API', () => {
  let collector: TestCollector;
  before(async () => {
    collector = await startTestCollector();
  });
  after(() => collector.stop());

  /** Spans of what some calls did, by the ids of their operations. */
  async function traced(
    settings: Readonly<Record<string, string>>,
    call: (administrator: TestCaller) => Promise<unknown>,
  ) {
    const from = collector.spans.length;
    const control = await startTestControl({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings });
    try {
      const administrator = await control.addUser(await control.addOrganization(), ['organization_administrator']);
      await call(administrator);
    } finally {
      await control.stop();
    }
    return collector.spans.slice(from);
  }

  test('have a span for each call, with its operation and its status', async () => {
    const password = 'hunter2hunter2';
    let sessionToken = '';
    const spans = await traced({ MILLRACE_CONTROL_TRACE_PERCENT: '100' }, async (administrator) => {
      ({ sessionToken } = administrator);
      const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders' };
      await administrator.call('POST', '/proxies', proxy);
      await administrator.call('GET', '/proxies?search=very-secret');
      await administrator.call('GET', '/proxies/prx_00000000000000000000000009');
      await administrator.call('POST', '/auth/login', { email: 'nobody@example.com', password });
      await administrator.call('GET', '/nothing');
    });
    assert.deepEqual(
      spans.map(({ name, attributes }) => [
        name,
        attributes['millrace.operation.id'],
        attributes['http.response.status_code'],
        attributes['error.type'],
      ]),
      [
        ['POST /api/proxies', 'createProxy', 201, undefined],
        ['GET /api/proxies', 'listProxies', 200, undefined],
        ['GET /api/proxies/:proxyId', 'getProxy', 404, '404'],
        ['POST /api/auth/login', 'login', 401, '401'],
      ],
    );
    for (const span of spans) {
      assert.deepEqual(
        [span.service, span.kind, span.status, span.parentSpanId],
        ['millrace-control', 2, 0, undefined],
      );
      assert.match(String(span.attributes['millrace.request.id']), /^req_/);
    }
    for (const secret of [password, sessionToken, 'very-secret', 'nobody@example.com']) {
      assert(!collector.texts.some((text) => text.includes(secret)), secret);
    }
  });

  test('continue the trace of a caller only if the setting says so', async () => {
    const call = (administrator: TestCaller) => administrator.call('GET', '/proxies', undefined, { traceparent });
    assert.deepEqual(await traced({ MILLRACE_CONTROL_TRACE_PERCENT: '0' }, call), []);
    const believed = { MILLRACE_CONTROL_TRACE_PERCENT: '0', MILLRACE_CONTROL_TRACE_CALLERS: '1' };
    const [span] = await traced(believed, call);
    assert.deepEqual([span?.traceId, span?.parentSpanId], [traceId, 'b7ad6b7169203331']);
  });

  test('need no collector that answers', async () => {
    const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', MILLRACE_CONTROL_TRACE_PERCENT: '100' };
    await traced(unreachable, async (administrator) => {
      assert.equal((await administrator.call('GET', '/proxies')).status, 200);
    });
  });
});
