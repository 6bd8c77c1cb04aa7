/**
 * A Node gateway that the benchmark compares with: `peer.ts {JSON}` starts it, and reports over IPC that it listens.
 * They are not packages of this repository: see {@link peersFolder}.
 */
import cluster from 'node:cluster';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { keyOf } from './key.ts';

type PeerKind = 'Express Gateway' | 'Edge Microgateway core';

/** What it is to be. */
export interface PeerOptions {
  readonly kind: PeerKind;
  readonly port: number;
  readonly upstreamPort: number;
  readonly proxies: number;
  /** It may keep files there. */
  readonly folder: string;
  /** Its own policies, in this order: to verify the key, a quota, and a spike arrest. Nothing reaches their limits. */
  readonly policies: boolean;
}

/** What it reports once it listens. */
export interface PeerStarted {
  /** All that serve its requests: its cost is theirs together. */
  readonly processes: readonly number[];
}

interface Package {
  readonly name: string;
  readonly version: string;
}

/** Where they are installed by who wants them measured. */
export const peersFolder = join(import.meta.dirname, '../../.cache/peers');

/** Of each, the package in the version that is measured, and the one that has its policies, where that is another. */
export const peerPackages: Readonly<Record<PeerKind, Package & { readonly plugins?: Package }>> = {
  'Express Gateway': { name: 'express-gateway', version: '1.16.11' },
  'Edge Microgateway core': {
    name: 'microgateway-core',
    version: '3.3.7',
    plugins: { name: 'microgateway-plugins', version: '3.3.5' },
  },
};

/** Those that are measured, in this order. */
export const peerKinds = Object.keys(peerPackages) as readonly PeerKind[];

/** How many keys each of them knows. */
const keys = 200;

/** A key that it takes in the header `X-Api-Key` if it has policies; the index is less than {@link keys}. */
export function peerKeyOf(kind: PeerKind, index: number): string {
  // Express Gateway finds a credential by what is before the colon, and compares what is behind it.
  return kind === 'Express Gateway' ? `${index}:${keyOf(index)}` : keyOf(index);
}

const installed = createRequire(join(peersFolder, 'index.js'));

if (process.send !== undefined) {
  process.on('disconnect', () => process.exit());
  process.send(await start(JSON.parse(process.argv[2]!) as PeerOptions));
}

async function start(options: PeerOptions): Promise<PeerStarted> {
  const processes = [process.pid];
  if (options.kind === 'Express Gateway') await startExpressGateway(options);
  else if (options.policies && cluster.isPrimary) processes.push(await startWorker());
  else await startEdgeMicrogateway(options);
  return { processes };
}

async function startExpressGateway({ port, upstreamPort, proxies, folder, policies }: PeerOptions): Promise<void> {
  const models = join(dirname(installed.resolve('express-gateway/package.json')), 'lib/config/models');
  await mkdir(folder, { recursive: true });
  await cp(models, join(folder, 'models'), { recursive: true });
  const names = Array.from({ length: proxies }, (_, index) => `api-${index}`);
  const each = <T>(value: (name: string) => T) => Object.fromEntries(names.map((name) => [name, value(name)]));
  const limit = (name: string, max: number, windowMs: number) => ({
    // All limits count in one store: the name keeps them apart. Its default is to delay all requests but the first.
    action: { rateLimitBy: `${name} \${req.headers['x-api-key']}`, max, windowMs, delayAfter: 0 },
  });
  const before = [
    { 'key-auth': [{ action: { apiKeyHeader: 'x-api-key', disableHeadersScheme: true, disableQueryParam: true } }] },
    { 'rate-limit': [limit('quota', 1_000_000_000, 3_600_000), limit('spike arrest', 1_000_000, 1_000)] },
  ];
  // JSON is YAML.
  await writeFile(
    join(folder, 'gateway.config.yml'),
    JSON.stringify({
      http: { port, hostname: '127.0.0.1' },
      apiEndpoints: each((name) => ({ host: '*', paths: `/v1/${name}/*` })),
      serviceEndpoints: { backend: { url: `http://127.0.0.1:${upstreamPort}` } },
      policies: ['key-auth', 'rate-limit', 'proxy'],
      pipelines: each((name) => ({
        apiEndpoints: [name],
        policies: [
          ...(policies ? before : []),
          { proxy: [{ action: { serviceEndpoint: 'backend', changeOrigin: true } }] },
        ],
      })),
    }),
  );
  await writeFile(
    join(folder, 'system.config.yml'),
    JSON.stringify({
      // In the process's own memory.
      db: { redis: { emulate: true, namespace: 'EG' } },
      crypto: { cipherKey: 'benchmark', algorithm: 'aes256', saltRounds: 10 },
      session: { secret: 'benchmark', resave: false, saveUninitialized: false },
      accessTokens: { timeToExpiry: 7_200_000 },
      refreshTokens: { timeToExpiry: 7_200_000 },
      authorizationCodes: { timeToExpiry: 300_000 },
    }),
  );
  process.env.LOG_LEVEL = 'error';
  const createGateway: () => { load(folder: string): { run(): Promise<unknown> } } = installed('express-gateway');
  await createGateway().load(folder).run();
  if (!policies) return;
  // They read the configuration that runs.
  const services: {
    user: { insert(user: object): Promise<{ id: string }> };
    application: { insert(application: object, userId: string): Promise<{ id: string }> };
    credential: { insertCredential(consumerId: string, type: string, credential: object): Promise<unknown> };
  } = installed('express-gateway/lib/services');
  const user = await services.user.insert({ username: 'dev', firstname: 'dev', lastname: 'dev' });
  const application = await services.application.insert({ name: 'app' }, user.id);
  for (let index = 0; index < keys; index++) {
    const [keyId, keySecret] = peerKeyOf('Express Gateway', index).split(':');
    await services.credential.insertCredential(application.id, 'key-auth', { keyId, keySecret });
  }
}

/**
 * Starts what serves, and gives its process. Edge Microgateway keeps the keys that it has verified only in a cluster, as
 * it is run: the first process keeps them, and the workers, here one, serve and ask it.
 */
async function startWorker(): Promise<number> {
  // It watches for workers.
  installed('microgateway-plugins/emgCache');
  const worker = cluster.fork();
  worker.once('exit', () => process.exit(1));
  await once(worker, 'listening');
  return worker.process.pid!;
}

async function startEdgeMicrogateway({ port, upstreamPort, proxies, policies }: PeerOptions): Promise<void> {
  const names = Array.from({ length: proxies }, (_, index) => `api-${index}`);
  const sequence = policies ? ['apikeys', 'quota-memory', 'spikearrest'] : [];
  const createGateway: (configuration: object) => {
    addPlugin(name: string, init: unknown, all: readonly string[]): void;
    start(started: (error: unknown) => void): void;
  } = installed('microgateway-core');
  const gateway = createGateway({
    key: 'benchmark',
    secret: 'benchmark',
    edgemicro: {
      port,
      address: '127.0.0.1',
      logging: { level: 'none', to_console: true },
      plugins: { sequence },
    },
    proxies: names.map((name) => ({
      name,
      base_path: `/v1/${name}`,
      url: `http://127.0.0.1:${upstreamPort}/v1/${name}`,
      max_connections: 1_000,
    })),
    ...(policies && {
      apikeys: {
        ...(await startKeyService()),
        cacheKey: true,
        product_to_proxy: { all: names },
        product_to_api_resource: { all: [] },
      },
      'quota-memory': { all: { allow: 1_000_000_000, interval: 1, timeUnit: 'hour' } },
      // It counts for the whole process, and lets requests pass 1 s / allow apart, by a clock of whole milliseconds: a
      // million would refuse the second of a millisecond. This is so short that the clock's numbers cannot tell.
      spikearrest: { allow: 1_000_000_000, timeUnit: 'second' },
    }),
  });
  for (const name of sequence) {
    const plugin: { init: unknown } = installed(`microgateway-plugins/${name}`);
    gateway.addPlugin(name, plugin.init, sequence);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  gateway.start((error) => (error ? reject(error) : resolve()));
  await promise;
}

/** What `apikeys` asks once for each key, in place of Apigee's cloud, and how it verifies what that answers. */
async function startKeyService(): Promise<{ verify_api_key_url: string; public_key: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokens = new Map<unknown, string>();
  for (let index = 0; index < keys; index++) {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = {
      // The quota counts for each of these.
      application_name: `app-${index}`,
      api_product_list: ['all'],
      iat: nowSeconds,
      exp: nowSeconds + 86_400,
    };
    const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url');
    tokens.set(peerKeyOf('Edge Microgateway core', index), `${content}.${signature}`);
  }
  const service = createServer((request, response) => {
    const token = tokens.get(request.headers['x-dna-api-key']);
    response.writeHead(token === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token }));
  });
  // Not through the cluster, which only gets the gateway's messages.
  await once(service.listen({ port: 0, host: '127.0.0.1', exclusive: true }), 'listening');
  const address = service.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    verify_api_key_url: `http://127.0.0.1:${address.port}`,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
