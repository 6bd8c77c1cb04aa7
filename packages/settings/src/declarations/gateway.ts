import { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { flag, integer, networks, setting, url } from '../settings.ts';
import { commonDeclarations, listenHost, listenPort, publicUrl } from './common.ts';

const path = z
  .string()
  .transform((given) => resolve(given))
  .meta({ expected: 'a path' });

/** Every setting of a gateway node, in the order of the documentation. */
export const gatewayDeclarations = {
  host: listenHost('MILLRACE_GATEWAY_HOST'),
  port: listenPort('MILLRACE_GATEWAY_PORT', 4300),
  sharesPort: setting(
    'MILLRACE_GATEWAY_SHARE_PORT',
    flag.default(false),
    '0',
    'Whether other nodes of this machine may listen on the same port, if all of them say so: [one node per core](gateway.md#one-node-per-core). On Linux and FreeBSD.',
  ),
  publicUrl: publicUrl(
    'MILLRACE_GATEWAY_PUBLIC_URL',
    'Address by which callers reach the node, where it stands behind a proxy; the console shows it.',
  ),
  adminPort: setting(
    'MILLRACE_GATEWAY_ADMIN_PORT',
    integer(0, 65_535).default(4301),
    '4301',
    'Port of `/healthz`, `/readyz` and `/metrics`; 0 takes any that is free.',
  ),
  adminHost: setting(
    'MILLRACE_GATEWAY_ADMIN_HOST',
    z.string().max(255).meta({ expected: 'a host name or an address' }).default('127.0.0.1'),
    '127.0.0.1',
    'Address on which `/healthz`, `/readyz` and `/metrics` are answered.',
  ),
  controlUrl: setting(
    'MILLRACE_CONTROL_URL',
    url('a http or https address', ({ protocol }) => protocol === 'https:' || protocol === 'http:')
      .transform((value) => value.replace(/\/+$/, ''))
      .default('http://127.0.0.1:4200'),
    'http://127.0.0.1:4200',
    'Address of the API management server, from which the node gets its configuration.',
  ),
  registrationToken: setting(
    'MILLRACE_GATEWAY_TOKEN',
    z
      .string()
      .regex(/^mrr_[\x21-\x7e]{20,200}$/)
      .meta({ expected: 'a registration token, which begins with mrr_' })
      .nullable()
      .default(null),
    'none',
    'Registration token of the node, from the console; needed once. A new one registers the node again.',
    { secret: true },
  ),
  nodeDirectory: setting(
    'MILLRACE_GATEWAY_DATA_DIR',
    path.default(resolve('data/gateway')),
    './data/gateway',
    'Folder of the node: its identity, the last good configuration, usage that is not delivered yet. Each node has its own.',
  ),
  redisUrl: setting(
    'REDIS_URL',
    url('redis://, rediss:// or unix://', ({ protocol }) => /^(?:rediss?|unix):$/.test(protocol))
      .nullable()
      .default(null),
    'none',
    'Redis server in which the nodes of an environment count together: `redis://user:password@host:6379/0`. Without it each node counts alone.',
    { secret: true },
  ),
  tlsFolder: setting(
    'MILLRACE_GATEWAY_TLS_FOLDER',
    path.nullable().default(null),
    'none: without TLS',
    'Folder of certificates (PEM): `NAME.crt` with `NAME.key`, or folders with `fullchain.pem` and `privkey.pem`. Changed files count within ten seconds. Callers get the certificate with the name that they ask for, others `default`, or the first.',
  ),
  trustedProxies: setting(
    'MILLRACE_GATEWAY_TRUSTED_PROXIES',
    networks.default(new BlockList()),
    'none',
    'Proxies in front, separated by commas, as addresses or networks: their `X-Forwarded-*`, `Forwarded` and `X-Request-Id` are believed.',
  ),
  reachPrivate: setting(
    'MILLRACE_GATEWAY_REACH_PRIVATE',
    flag.default(true),
    '1',
    'Whether target servers, and issuers of tokens, are reached at loopback addresses and in private networks. 0 where whoever names them is a stranger to the network of this node.',
  ),
  reachAlso: setting(
    'MILLRACE_GATEWAY_REACH_ALSO',
    networks.default(new BlockList()),
    'none',
    'Addresses and networks, separated by commas, that are reached whatever they are. Link-local addresses and the metadata services of clouds are reached only where they are named here.',
  ),
  countryHeader: setting(
    'MILLRACE_GATEWAY_COUNTRY_HEADER',
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/)
      .toLowerCase()
      .meta({ expected: 'a header name' })
      .nullable()
      .default(null),
    'none',
    'Header in which a trusted proxy tells the country of the caller, such as `CF-IPCountry`.',
  ),
  countryFile: setting(
    'MILLRACE_GATEWAY_COUNTRY_FILE',
    path.nullable().default(null),
    'none',
    'File in MMDB format, such as GeoLite2-Country, by which the country of a caller is found from the address.',
  ),
  traceEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('a http or https address', ({ protocol }) => protocol === 'https:' || protocol === 'http:')
      .nullable()
      .default(null),
    'none: no traces',
    'OpenTelemetry collector that takes traces by OTLP over HTTP.',
  ),
  tracePercent: setting(
    'MILLRACE_GATEWAY_TRACE_PERCENT',
    integer(0, 100).default(1),
    '1',
    'Percentage of the requests that are traced, of those without a trace that is believed.',
  ),
  traceCallers: setting(
    'MILLRACE_GATEWAY_TRACE_CALLERS',
    flag.default(false),
    '0',
    'Whether the `traceparent` of any caller is believed, and not of trusted proxies alone.',
  ),
  accessLog: setting(
    'MILLRACE_GATEWAY_ACCESS_LOG',
    flag.default(true),
    '1',
    'Whether each request is a line of the log; 0 leaves them out.',
  ),
  usageFlushMs: setting(
    'MILLRACE_GATEWAY_USAGE_FLUSH_MS',
    integer(100, 600_000).default(5_000),
    '5000',
    'How often what was counted is delivered to the API management server, in milliseconds.',
  ),
  nodeInternals: setting(
    'MILLRACE_GATEWAY_NODE_INTERNALS',
    flag.default(true),
    '1',
    'Whether sockets and HTTP heads are handled by undocumented parts of Node and undici, as far as they are there. 0 uses public interfaces alone: slower, for a Node release in which those parts misbehave.',
  ),
  logLevel: commonDeclarations.logLevel,
} as const;
