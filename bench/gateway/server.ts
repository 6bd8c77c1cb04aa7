/** One gateway for the benchmark: `server.ts {JSON}` tells over IPC where it listens and what it cost to load. */
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConsumerChange } from '@millrace/configuration/consumers';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createRedisCounters } from '@millrace/counters/redis';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import type { RevisionPolicy } from '@millrace/revision/content';
import { manifestOf } from '../../apps/gateway/src/configuration/testing.ts';
import { createConsumerDirectory } from '../../apps/gateway/src/consumers/directory.ts';
import { createGateway } from '../../apps/gateway/src/serve.ts';
import { compileSnapshot, type LoadedSnapshot, type SnapshotParts } from '../../apps/gateway/src/snapshot/compile.ts';
import { createBalancer } from '../../apps/gateway/src/targets/balance.ts';
import { testContent } from '../../apps/gateway/src/testing.ts';

/** What the benchmark wants of it. */
export interface ServerOptions {
  readonly upstreamPort: number;
  readonly proxies: number;
  readonly keys: number;
  /** `none`: no policies; `wide`: limits that nothing reaches; `binding`: limits that refuse most. */
  readonly limits: 'none' | 'wide' | 'binding';
  /** Counts that nodes share in Redis; without it they are the process's own. */
  readonly shared?: { readonly url: string; readonly mode: 'strict' | 'fast' };
}

export function keyOf(index: number): string {
  return `mrk_${String(index).padStart(43, '0')}`;
}

if (process.send !== undefined) await serve(JSON.parse(process.argv[2]!) as ServerOptions);

async function serve({ upstreamPort, proxies, keys, limits, shared }: ServerOptions): Promise<void> {
  const mode = shared?.mode ?? 'strict';
  const policies: Partial<RevisionPolicy>[] = [
    { kind: 'verify-api-key', configuration: { location: 'header', name: 'x-api-key', removeFromRequest: true } },
    {
      kind: 'quota',
      configuration: {
        limit: 1_000_000_000,
        window: { unit: 'hour', count: 1 },
        per: 'key',
        mode,
      },
    },
    {
      kind: 'spike-arrest',
      configuration: {
        ratePerSecond: limits === 'binding' ? 20 : 1_000_000,
        burst: limits === 'binding' ? 20 : 1_000_000,
        per: 'key',
        mode,
      },
    },
  ];
  const targetServers = {
    backend: {
      id: 'tgt',
      scheme: 'http',
      enabled: true,
      healthPath: null,
      endpoints: [{ host: '127.0.0.1', port: upstreamPort, weight: 1 }],
      tls: { serverName: null, certificateAuthorities: null, clientCertificate: null },
    },
  } as const;
  /** All revisions, the first of them as `summary` says. */
  const configuration = (sequence: number, summary: string) => {
    const deployments = Array.from({ length: proxies }, (_, index) => ({
      content: testContent(`api-${index}`, {
        policies: limits === 'none' ? [] : policies,
        routes: [{ summary: index === 0 ? summary : '' }],
      }),
    }));
    const { backend } = targetServers;
    return manifestOf(
      { deployments, targetServers: { backend: { ...backend, endpoints: [...backend.endpoints] } } },
      sequence,
    );
  };
  const directory = createConsumerDirectory();
  const counters =
    shared === undefined ? createMemoryCounters() : createRedisCounters({ url: shared.url, nodes: () => 1 });
  const parts: SnapshotParts = {
    counters,
    consumers: directory,
    answers: createAnswerCache(1_000_000),
    fetchJson: () => Promise.reject(new Error('no documents')),
  };
  await counters.connected;
  const gateway = createGateway({ host: '127.0.0.1', port: 0, balancer: createBalancer(), record() {} });
  const load = async ({ manifest, contents }: ReturnType<typeof manifestOf>, previous: LoadedSnapshot | null) => {
    const snapshot = await compileSnapshot(manifest, contents, new Map(), parts, previous);
    gateway.use(snapshot);
    return snapshot;
  };

  // Made and hashed beforehand, as a node gets it: what is measured is to compile it, and to take it.
  const first = configuration(1, '');
  const begunMs = performance.now();
  const snapshot = await load(first, null);
  const loadMs = performance.now() - begunMs;
  let sequence = 0;
  for (const changes of consumers(proxies, keys)) {
    directory.apply({ format: 1, organizationId: 'org_test', after: sequence, upTo: ++sequence, more: false, changes });
  }
  globalThis.gc?.();
  process.send!({ port: await gateway.listen(), loadMs, rssBytes: process.memoryUsage.rss() });

  process.on('message', async () => {
    const second = configuration(2, 'changed');
    const delay = monitorEventLoopDelay({ resolution: 1 });
    await wait(20);
    delay.enable();
    const swapMs = performance.now();
    await load(second, snapshot);
    const doneMs = performance.now();
    await wait(20);
    delay.disable();
    process.send!({ swapMs: doneMs - swapMs, stallMs: delay.max / 1e6 });
  });
  process.on('disconnect', () => process.exit());
}

/** One product with all proxies; apps with a thousand keys each. */
function* consumers(proxies: number, keys: number): Generator<ConsumerChange[]> {
  const proxyIds = Array.from({ length: proxies }, (_, index) => ({ proxyId: `prx_api-${index}`, routeIds: null }));
  yield [
    { kind: 'developer', id: 'dev', value: { id: 'dev', name: 'dev', active: true } },
    { kind: 'product', id: 'prd', value: { id: 'prd', name: 'all', active: true, quota: null, proxies: proxyIds } },
  ];
  for (let first = 0; first < keys; first += 998) {
    const appId = `app_${first}`;
    const changes: ConsumerChange[] = [
      { kind: 'app', id: appId, value: { id: appId, name: appId, developerId: 'dev', active: true } },
      { kind: 'subscription', id: `sub_${first}`, value: { id: `sub_${first}`, appId, productId: 'prd', quota: null } },
    ];
    for (let index = first; index < Math.min(first + 998, keys); index++) {
      const keyHash = createHash('sha256').update(keyOf(index)).digest('hex');
      const value = {
        id: `crd_${index}`,
        appId,
        keyHash,
        previousKeyHash: null,
        previousValidUntilMs: null,
        expiresAtMs: null,
      };
      changes.push({ kind: 'credential', id: value.id, value });
    }
    yield changes;
  }
}
