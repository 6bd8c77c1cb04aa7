/** One gateway for the benchmark: `server.ts {JSON}` reports over IPC where it listens and what loading cost. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createRedisCounters } from '@millrace/counters/redis';
import { createConsumerDirectory } from '@millrace/data-plane/consumers';
import { createGateway } from '@millrace/data-plane/serve';
import { type Contents, compileSnapshot, type LoadedSnapshot, type SnapshotParts } from '@millrace/data-plane/snapshot';
import { createBalancer } from '@millrace/data-plane/targets/balance';
import { defaultReach, testContent, testTarget } from '@millrace/data-plane/testing';
import { yieldToMainThread } from '@millrace/data-plane/threads';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { Manifest } from '@millrace/gateway-configuration/manifest';
import { manifestOf } from '@millrace/gateway-configuration/testing';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import type { RevisionPolicy } from '@millrace/revision/content';
import { Joiner, split } from '../../apps/gateway/src/configuration/pieces.ts';
import { keyOf } from './key.ts';
import { type Recording, startRecording } from './recording.ts';

/** What the benchmark wants of it. */
export interface ServerOptions {
  readonly upstreamPort: number;
  /** Of the upstream; HTTP/1.1 where it is absent. */
  readonly protocol?: 'http2';
  readonly proxies: number;
  readonly keys: number;
  /** `none`: no policies; `wide`: limits that nothing reaches; `binding`: limits that refuse most. */
  readonly limits: 'none' | 'wide' | 'binding';
  /** Counts that nodes share in Redis; without it they are the process's own. */
  readonly shared?: { readonly url: string; readonly mode: 'strict' | 'fast' };
  /** What is kept of requests; without it nothing is. */
  readonly recording?: Recording;
  /** Whether subscriptions have a term, whose use is metered for invoices. Default: they do. */
  readonly metered?: boolean;
}

if (process.send !== undefined) await serve(JSON.parse(process.argv[2]!) as ServerOptions);

async function serve({
  upstreamPort,
  protocol,
  proxies,
  keys,
  limits,
  shared,
  recording,
  metered = true,
}: ServerOptions): Promise<void> {
  yieldToMainThread();
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
  const target = testTarget('backend', `http://127.0.0.1:${upstreamPort}`);
  const targetServers = { backend: protocol === undefined ? target : { ...target, protocol } };
  const deployment = (index: number, summary: string) => ({
    content: testContent(`api-${index}`, { policies: limits === 'none' ? [] : policies, routes: [{ summary }] }),
  });
  const configuration = (deployments: ReturnType<typeof deployment>[], sequence: number) =>
    manifestOf({ deployments, targetServers }, sequence);
  const directory = createConsumerDirectory();
  const counters =
    shared === undefined ? createMemoryCounters() : createRedisCounters({ url: shared.url, nodes: () => 1 });
  const parts: SnapshotParts = {
    counters,
    consumers: directory,
    answers: createAnswerCache(1_000_000),
    fetchJson: () => Promise.reject(new Error('no documents')),
    reach: defaultReach,
  };
  await counters.connected;
  const recorded = recording === undefined ? { record() {} } : await startRecording(recording);
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    acceptsPriorKnowledge: true,
    balancer: createBalancer(),
    ...recorded,
  });
  let snapshot: LoadedSnapshot | null = null;
  const load = async (manifest: Manifest, contents: Contents) => {
    snapshot = await compileSnapshot(manifest, contents, new Map(), parts, snapshot);
    gateway.use(snapshot);
  };

  // Made and hashed beforehand, as a node gets it: what is measured is to compile it, and to take it.
  const first = configuration(
    Array.from({ length: proxies }, (_, index) => deployment(index, '')),
    1,
  );
  const manifests = new Joiner<Manifest>();
  let manifest = await manifests.join(split(first.manifest));
  const begunMs = performance.now();
  await load(manifest, first.contents);
  const loadMs = performance.now() - begunMs;
  let sequence = 0;
  for (const changes of consumers(proxies, keys, metered)) {
    directory.apply({ format: 1, organizationId: 'org_test', after: sequence, upTo: ++sequence, more: false, changes });
  }
  globalThis.gc?.();
  process.send!({ port: await gateway.listen(), loadMs, rssBytes: process.memoryUsage.rss() });

  process.on('message', async () => {
    // One revision is another: the node gets the whole configuration, in pieces, and this content.
    const changed = configuration([deployment(0, `changed ${manifest.sequence}`)], manifest.sequence + 1);
    manifest = {
      ...changed.manifest,
      deployments: [...changed.manifest.deployments, ...manifest.deployments.slice(1)],
    };
    const pieces = split(manifest);
    // What making them has cost is over, and served.
    await wait(200);
    const longestTurnMs = watchTurns();
    const begunMs = performance.now();
    await load(await manifests.join(pieces), changed.contents);
    const swapMs = performance.now() - begunMs;
    await wait(20);
    const stallMs = longestTurnMs();
    const longestUsualMs = watchTurns();
    await wait(swapMs + 20);
    process.send!({ swapMs, stallMs, usualMs: longestUsualMs() });
  });
  process.on('disconnect', () => process.exit());
}

/** Watches the turns of the event loop until it is asked for the longest of them, in milliseconds. */
function watchTurns(): () => number {
  let isWatching = true;
  let longestMs = 0;
  let beforeMs = performance.now();
  const turn = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - beforeMs);
    beforeMs = nowMs;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isWatching = false;
    return longestMs;
  };
}

/** One product with all proxies; apps with a thousand keys each. */
function* consumers(proxies: number, keys: number, metered: boolean): Generator<ConsumerChange[]> {
  const proxyIds = Array.from({ length: proxies }, (_, index) => ({ proxyId: `prx_api-${index}`, routeIds: null }));
  yield [
    { kind: 'developer', id: 'dev', value: { id: 'dev', name: 'dev', active: true } },
    {
      kind: 'product',
      id: 'prd',
      value: {
        id: 'prd',
        name: 'all',
        active: true,
        quota: null,
        unitsHeader: null,
        passUnitsHeader: false,
        proxies: proxyIds,
      },
    },
  ];
  for (let first = 0; first < keys; first += 998) {
    const appId = `app_${first}`;
    const changes: ConsumerChange[] = [
      { kind: 'app', id: appId, value: { id: appId, name: appId, developerId: 'dev', active: true } },
      {
        kind: 'subscription',
        id: `sub_${first}`,
        value: {
          id: `sub_${first}`,
          appId,
          productId: 'prd',
          quota: null,
          termId: metered ? `trm_${first}` : null,
          prepaid: null,
        },
      },
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
