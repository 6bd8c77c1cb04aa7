/**
 * A gateway that the benchmark compares with and that Node runs: `peer.ts {JSON}` starts it without policies, and tells
 * over IPC that it listens. They are no packages of this repository: see {@link peersFolder}.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What it is to be. */
export interface PeerOptions {
  readonly kind: keyof typeof peerPackages;
  readonly port: number;
  readonly upstreamPort: number;
  readonly proxies: number;
  /** It may keep files there. */
  readonly folder: string;
}

/** Where they are installed by who wants them measured. */
export const peersFolder = join(import.meta.dirname, '../../.cache/peers');

/** Of each, the package in the version that is measured. */
export const peerPackages = {
  'Express Gateway': { name: 'express-gateway', version: '1.16.11' },
  'Edge Microgateway core': { name: 'microgateway-core', version: '3.3.7' },
} as const;

const installed = createRequire(join(peersFolder, 'index.js'));

if (process.send !== undefined) {
  const options = JSON.parse(process.argv[2]!) as PeerOptions;
  await (options.kind === 'Express Gateway' ? startExpressGateway(options) : startEdgeMicrogateway(options));
  process.send('started');
  process.on('disconnect', () => process.exit());
}

async function startExpressGateway({ port, upstreamPort, proxies, folder }: PeerOptions): Promise<void> {
  const models = join(dirname(installed.resolve('express-gateway/package.json')), 'lib/config/models');
  await mkdir(folder, { recursive: true });
  await cp(models, join(folder, 'models'), { recursive: true });
  const names = Array.from({ length: proxies }, (_, index) => `api-${index}`);
  const each = <T>(value: (name: string) => T) => Object.fromEntries(names.map((name) => [name, value(name)]));
  // JSON is YAML.
  await writeFile(
    join(folder, 'gateway.config.yml'),
    JSON.stringify({
      http: { port, hostname: '127.0.0.1' },
      apiEndpoints: each((name) => ({ host: '*', paths: `/v1/${name}/*` })),
      serviceEndpoints: { backend: { url: `http://127.0.0.1:${upstreamPort}` } },
      policies: ['proxy'],
      pipelines: each((name) => ({
        apiEndpoints: [name],
        policies: [{ proxy: [{ action: { serviceEndpoint: 'backend', changeOrigin: true } }] }],
      })),
    }),
  );
  await writeFile(
    join(folder, 'system.config.yml'),
    JSON.stringify({
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
}

function startEdgeMicrogateway({ port, upstreamPort, proxies }: PeerOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const createGateway: (configuration: object) => { start(started: (error: unknown) => void): void } =
    installed('microgateway-core');
  const gateway = createGateway({
    key: 'benchmark',
    secret: 'benchmark',
    edgemicro: {
      port,
      address: '127.0.0.1',
      logging: { level: 'none', to_console: true },
      plugins: { sequence: [] },
    },
    proxies: Array.from({ length: proxies }, (_, index) => ({
      name: `api-${index}`,
      base_path: `/v1/api-${index}`,
      url: `http://127.0.0.1:${upstreamPort}/v1/api-${index}`,
      max_connections: 1_000,
    })),
  });
  gateway.start((error) => (error ? reject(error) : resolve()));
  return promise;
}
