import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import type { SlotRow } from '@millrace/gateway-configuration/reports';
import { bucketOf } from '@millrace/histograms';
import { newId } from '@millrace/identifiers';
import { createTestAuthority, startReceiver } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import * as z from 'zod';
import { startTcp, startTestWatch, type TestWatch } from '../deliveries/testing.ts';
import { keepReports } from '../opentelemetry/store.ts';
import { type Streamer, startStreamer } from './streamer.ts';
import { messagesOf, startSyslog } from './testing.ts';

const Attributes = z.array(z.strictObject({ key: z.string(), value: z.strictObject({ stringValue: z.string() }) }));
const nano = z.string().regex(/^\d{19}$/);
const whole = z.string().regex(/^\d+$/);
const Point = { attributes: Attributes, startTimeUnixNano: nano, timeUnixNano: nano };
const delta = z.literal(1);

/** An `ExportMetricsServiceRequest` in OTLP's JSON, as far as it is sent here. */
const MetricsRequest = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeMetrics: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          metrics: z.array(
            z.strictObject({
              name: z.string(),
              unit: z.string(),
              description: z.string(),
              sum: z
                .strictObject({
                  aggregationTemporality: delta,
                  isMonotonic: z.literal(true),
                  dataPoints: z.array(z.strictObject({ ...Point, asInt: whole })),
                })
                .optional(),
              histogram: z
                .strictObject({
                  aggregationTemporality: delta,
                  dataPoints: z.array(
                    z
                      .strictObject({
                        ...Point,
                        count: whole,
                        sum: z.number(),
                        explicitBounds: z.array(z.number()),
                        bucketCounts: z.array(whole),
                      })
                      .refine((point) => point.bucketCounts.length === point.explicitBounds.length + 1)
                      .refine(
                        ({ bucketCounts, count }) =>
                          bucketCounts.reduce((sum, bucket) => sum + Number(bucket), 0) === Number(count),
                      ),
                  ),
                })
                .optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

describe('streams', () => {
  let watch: TestWatch;
  let sequence = 0;
  before(async () => {
    watch = await startTestWatch();
  });
  after(() => watch.stop());

  const start = (): Streamer =>
    startStreamer({
      ...watch.parts,
      publicUrl: () => 'https://console.example',
      pollMs: 30,
      siemIntervalMs: 50,
      timeoutMs: 1_500,
    });
  const system = () => watch.opened.database.system;

  /** Appends entries with these notes to the audit trail. */
  async function append(notes: readonly string[]): Promise<void> {
    const rows = notes.map((note) => {
      sequence += 1;
      return {
        organization_id: watch.organizationId,
        sequence: String(sequence),
        id: newId('aud'),
        at: new Date(),
        actor_kind: 'user' as const,
        actor_name: 'Eve|=\\\nrt=0 CEF:0|',
        operation: 'updateProxy',
        entity_type: 'proxy',
        category: 'configuration' as const,
        severity: 'low' as const,
        outcome: 'done' as const,
        ip: '127.0.0.1',
        user_agent: 'test',
        request_id: 'r1',
        note,
        changes: '[]',
        hash: createHash('sha256').digest(),
      };
    });
    await system().insertInto('audit_entries').values(rows).execute();
    await sql`insert into audit_heads (organization_id, sequence, hash, seal) values (${watch.organizationId}, ${sequence}, '', '')
      on conflict (organization_id) do update set sequence = excluded.sequence`.execute(system());
  }
  const makeDue = () =>
    sql`update integration_states set stream_at = now() where stream_at is not null`.execute(system());

  test('a SIEM gets every audit entry in order over TLS, whatever breaks in between', async () => {
    const authority = await createTestAuthority();
    const certificate = await authority.issue({ hosts: ['siem.example'] });
    const siem = await startSyslog(certificate);
    await append(['before the integration']);
    const settings = {
      kind: 'siem',
      host: '127.0.0.1',
      port: siem.port,
      serverName: 'siem.example',
      certificateAuthorities: authority.certificate,
    };
    const id = await watch.addIntegration(settings);
    const hanging = await watch.addIntegration({ ...settings, port: (await startHanging()).port });
    const untrusted = await watch.addIntegration({ ...settings, certificateAuthorities: null });
    const expected = Array.from({ length: 1_200 }, (_, n) => `entry ${n}\n<13>1 forged`);
    await append(expected.slice(0, 3));
    let streamers = [start(), start()];
    try {
      await eventually('the first entries', () => siem.messages.length === 3);
      siem.state.breaksAfterBytes = 20_000;
      await append(expected.slice(3, 700));
      await eventually('a failure', async () => (await watch.integration(id)).lastError !== null);
      assert.equal(siem.messages.length, 3);
      await Promise.all(streamers.map((streamer) => streamer.stop(2_000)));
      siem.state.breaksAfterBytes = null;
      await append(expected.slice(700));
      await makeDue();
      streamers = [start()];
      await eventually('the rest', () => siem.messages.length >= expected.length);
      const state = await eventually('its record', async () => {
        const integration = await watch.integration(id);
        return integration.stream?.waiting === 0 && integration;
      });
      assert.equal(state.health, 'working');
      const hung = await eventually('the hanging one', async () => {
        const integration = await watch.integration(hanging);
        return integration.lastError !== null && integration;
      });
      assert.match(hung.lastError ?? '', /within 1\.5 s/);
      assert.equal(hung.stream?.waiting, expected.length);
      assert.match((await watch.integration(untrusted)).lastError ?? '', /TLS handshake failed/);
    } finally {
      await Promise.all(streamers.map((streamer) => streamer.stop(2_000)));
      await siem.close();
    }
    const parsed = siem.messages.map((message) => {
      const [, header, text] = /^(<110>1 \S+Z console\.example millrace - configuration -) (.*)$/s.exec(message) ?? [];
      assert(header !== undefined && text !== undefined, message);
      assert(!text.includes('\n'), 'a message is one line');
      return JSON.parse(text);
    });
    assert.deepEqual(
      parsed.map(({ note }) => note),
      expected,
    );
    assert.deepEqual(
      parsed.map((entry) => entry.sequence),
      expected.map((_, n) => n + 2),
    );
    assert.deepEqual(watch.errors, []);
  });

  test('CEF over TCP escapes what its syntax uses', async () => {
    const received: Buffer[] = [];
    const listener = await startTcp((socket) => socket.on('data', (chunk) => received.push(chunk)));
    const id = await watch.addIntegration({
      kind: 'siem',
      host: '127.0.0.1',
      port: listener.port,
      transport: 'tcp',
      format: 'cef',
    });
    await append(['a=b\\c\nmsg=forged|x']);
    const streamer = start();
    try {
      await eventually('the entry', async () => (await watch.integration(id)).lastDeliveredAt !== null);
    } finally {
      await streamer.stop(2_000);
      await listener.close();
    }
    const [message = '', ...others] = messagesOf(Buffer.concat(received));
    assert.equal(others.length, 0);
    assert(!message.includes('\n'));
    const [, extension = ''] =
      /^<110>1 \S+ console\.example millrace - configuration - CEF:0\|Millrace\|API management\|1\|updateProxy\|updateProxy\|3\|(.*)$/.exec(
        message,
      ) ?? [];
    assert.match(extension, /^rt=\d{13} externalId=aud_/);
    assert(extension.includes('suser=Eve|\\=\\\\\\nrt\\=0 CEF:0| '), extension);
    assert(extension.endsWith(' msg=a\\=b\\\\c\\nmsg\\=forged|x'), extension);
  });

  test('a collector gets every ten-second figure once as delta metrics, also those that wait while it is away', async () => {
    const state = { status: 503 };
    const receiver = await startReceiver((_, response) =>
      response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}'),
    );
    const id = await watch.addIntegration(
      { kind: 'opentelemetry', url: `http://127.0.0.1:${receiver.port}/v1/metrics`, headerName: 'Authorization' },
      'Bearer collector-token',
    );
    const slot = '2026-01-15T09:00:00.000Z';
    const row = (requests: number): SlotRow => ({
      slot,
      proxyId: 'prx_1',
      requests,
      status2xx: requests - 1,
      status3xx: 0,
      status4xx: 0,
      status5xx: 1,
      limited: 0,
      requestBytes: 10,
      responseBytes: 20,
      gatewayTime: [bucketOf(500), requests],
      targetTime: [bucketOf(20_000), requests],
      latency: [bucketOf(20_500), requests],
    });
    const report = (rows: readonly SlotRow[]) =>
      watch.within((transaction) => keepReports(transaction, [{ environmentId: 'env_1', rows }]));
    await report([row(3)]);
    await report([row(4)]);
    let streamer = start();
    try {
      const failed = await eventually('the refusal', async () => {
        const integration = await watch.integration(id);
        return integration.lastError !== null && integration;
      });
      assert.equal(failed.stream?.waiting, 2);
      await streamer.stop(1_000);
      const before = receiver.posts.length;
      state.status = 200;
      await report([{ ...row(5), slot: '2026-01-15T09:00:10.000Z' }]);
      await makeDue();
      streamer = start();
      await eventually('the export', async () => (await watch.integration(id)).stream?.waiting === 0);
      const posts = receiver.posts.slice(before);
      assert.equal(posts.length, 1);
      assert.equal(posts[0]?.headers.authorization, 'Bearer collector-token');
      const { resourceMetrics } = MetricsRequest.parse(JSON.parse(posts[0]!.body.toString()));
      const metrics = resourceMetrics[0]!.scopeMetrics[0]!.metrics;
      const pointsOf = (name: string) => {
        const metric = metrics.find((one) => one.name === name);
        assert(metric !== undefined, name);
        return metric.sum?.dataPoints ?? [];
      };
      assert.deepEqual(
        pointsOf('millrace.gateway.requests').map(({ asInt, startTimeUnixNano }) => [startTimeUnixNano, asInt]),
        [
          ['1768467600000000000', '7'],
          ['1768467610000000000', '5'],
        ],
      );
      const latency = metrics.find(({ name }) => name === 'millrace.gateway.request.duration')!.histogram!
        .dataPoints[0]!;
      assert.equal(latency.count, '7');
      const bucket = latency.bucketCounts.indexOf('7');
      assert(latency.explicitBounds[bucket - 1]! < 0.0205 && latency.explicitBounds[bucket]! > 0.0205);
      assert(Math.abs(latency.sum - 7 * 0.0205) < 0.005);
    } finally {
      await streamer.stop(1_000);
      await receiver.close();
    }
  });

  /** Accepts connections and says nothing. */
  async function startHanging() {
    const listener = await startTcp(() => undefined);
    after(() => listener.close());
    return listener;
  }
});
