import { BlockList } from 'node:net';
import type { CounterStore } from '@millrace/counters';
import { createMemoryCounters } from '@millrace/counters/memory';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { TargetServer } from '@millrace/gateway-configuration/manifest';
import { manifestOf, type TestConfiguration } from '@millrace/gateway-configuration/testing';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import type { RevisionContent, RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
import { type Consumers, createConsumerDirectory } from './consumers/directory.ts';
import type { RequestRecord } from './http-server/record.ts';
import { internals, publicInterfaces } from './node-internals/internals.ts';
import { createGateway, type Gateway, type GatewayOptions } from './serve.ts';
import { compileSnapshot, type PolicyWatch } from './snapshot/compile.ts';
import { createReach, type Reach } from './targets/reach.ts';

export interface TestGatewayOptions extends Omit<TestConfiguration, 'targetServers'> {
  /** By name; `http://127.0.0.1:8080`, or all of it. */
  readonly targets?: Readonly<Record<string, string | TargetServer>>;
  readonly consumers?: readonly ConsumerChange[];
  /** Those of one process, where this is not given. */
  readonly counters?: CounterStore;
  readonly gateway?: Partial<GatewayOptions>;
  readonly watch?: PolicyWatch;
  /** As settings have it by default, where this is not given. */
  readonly reach?: Reach;
}

/** As the setting of that name has it: `public-interfaces.test.ts` runs the tests of requests without internals. */
const testInternals = process.env.MILLRACE_GATEWAY_NODE_INTERNALS === '0' ? publicInterfaces : internals;

/** What is reached where no setting says otherwise. */
export const defaultReach = createReach({ reachPrivate: true, reachAlso: new BlockList() });

/** A gateway on an ephemeral port, without a control plane. */
export interface TestGateway {
  /** Such as `http://127.0.0.1:49152`. */
  readonly url: string;
  readonly port: number;
  readonly gateway: Gateway;
  readonly consumers: Consumers;
  /** A copy of every record, in their order. */
  readonly records: readonly RequestRecord[];
  /** Serves another configuration from now on; what is not given is none. */
  use(configuration: Omit<TestConfiguration, 'targetServers'> & Pick<TestGatewayOptions, 'targets'>): Promise<void>;
  /** Sends changes of consumers. */
  change(changes: readonly ConsumerChange[]): void;
  stop(): Promise<void>;
}

export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const consumers = createConsumerDirectory();
  const records: RequestRecord[] = [];
  const ownCounters = options.counters === undefined ? createMemoryCounters() : null;
  const parts = {
    counters: options.counters ?? ownCounters!,
    consumers,
    answers: createAnswerCache(16 * 1_024 * 1_024),
    reach: options.reach ?? defaultReach,
    fetchJson: async (url: string): Promise<unknown> => (await fetch(url)).json(),
    ...(options.watch === undefined ? {} : { watch: options.watch }),
  };
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    internals: testInternals,
    consumers,
    ...(ownCounters === null ? {} : { balances: ownCounters }),
    record: (record) => records.push({ ...record }),
    ...options.gateway,
  });
  let sequence = 0;
  let previous: Awaited<ReturnType<typeof compileSnapshot>> | null = null;

  const use: TestGateway['use'] = async ({ targets = {}, secrets = {}, ...configuration }) => {
    sequence += 1;
    const targetServers = Object.fromEntries(
      Object.entries(targets).map(([name, target]) => [
        name,
        typeof target === 'string' ? testTarget(name, target) : target,
      ]),
    );
    const { manifest, contents } = manifestOf({ ...configuration, targetServers, secrets }, sequence);
    previous = await compileSnapshot(manifest, contents, new Map(Object.entries(secrets)), parts, previous);
    gateway.use(previous);
  };
  const change: TestGateway['change'] = (changes) => {
    const after = consumers.sequence ?? 0;
    consumers.apply({
      format: 1,
      organizationId: 'org_test',
      after,
      upTo: after + 1,
      more: false,
      changes: [...changes],
    });
  };

  change(options.consumers ?? []);
  await use(options);
  const port = await gateway.listen();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    gateway,
    consumers,
    records,
    use,
    change,
    async stop() {
      await gateway.stop(0);
      await ownCounters?.close();
    },
  };
}

/** A target server with one endpoint, from its URL. */
export function testTarget(name: string, url: string): TargetServer {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'https:';
  return {
    id: `tgt_${name}`,
    scheme: isTls ? 'https' : 'http',
    enabled: true,
    healthPath: null,
    endpoints: [{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80), weight: 1 }],
    tls: { serverName: null, certificateAuthorities: null, clientCertificate: null },
  };
}

/** A revision with one route for everything below `/v1/NAME`, to the target `backend`, where nothing else is said. */
export function testContent(
  name: string,
  more: {
    readonly basePath?: string;
    readonly routes?: readonly Partial<RevisionRoute>[];
    readonly policies?: readonly Partial<RevisionPolicy>[];
    readonly specification?: RevisionContent['specification'];
  } = {},
): RevisionContent {
  return {
    proxy: {
      name,
      displayName: name,
      description: '',
      basePath: more.basePath ?? `/v1/${name}`,
      protocol: 'rest',
      authScheme: 'none',
    },
    routes: (more.routes ?? [{}]).map((route, index) => ({
      id: `rte_${name}_${index}`,
      method: 'ANY',
      pathPattern: '/*',
      targetServer: 'backend',
      targetPath: null,
      timeoutMs: null,
      summary: '',
      description: '',
      ...route,
    })),
    policies: (more.policies ?? []).map((policy, index) => ({
      id: `pol_${name}_${index}`,
      flow: 'request',
      kind: 'verify-api-key',
      name: `policy-${index}`,
      enabled: true,
      routeIds: null,
      configuration: {},
      ...policy,
    })),
    specification: more.specification ?? null,
  };
}

/** An app with a developer, an approved subscription and one key, which admits to the proxies. */
export function testCaller(name: string, keyHash: string, proxyIds: readonly string[]): readonly ConsumerChange[] {
  return [
    { kind: 'developer', id: `dev_${name}`, value: { id: `dev_${name}`, name, active: true } },
    { kind: 'app', id: `app_${name}`, value: { id: `app_${name}`, name, developerId: `dev_${name}`, active: true } },
    {
      kind: 'product',
      id: `prd_${name}`,
      value: {
        id: `prd_${name}`,
        name,
        active: true,
        quota: null,
        unitsHeader: null,
        passUnitsHeader: false,
        proxies: proxyIds.map((proxyId) => ({ proxyId, routeIds: null })),
      },
    },
    {
      kind: 'subscription',
      id: `sub_${name}`,
      value: {
        id: `sub_${name}`,
        appId: `app_${name}`,
        productId: `prd_${name}`,
        quota: null,
        termId: `trm_${name}`,
        prepaid: null,
      },
    },
    {
      kind: 'credential',
      id: `crd_${name}`,
      value: {
        id: `crd_${name}`,
        appId: `app_${name}`,
        keyHash,
        previousKeyHash: null,
        previousValidUntilMs: null,
        expiresAtMs: null,
      },
    },
  ];
}
