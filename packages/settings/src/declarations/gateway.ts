import { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { flag, integer, networks, setting, url } from '../settings.ts';
import { commonDeclarations, listenHost, listenPort, publicUrl, traceEndpoint } from './common.ts';

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
    'Whether other nodes on this machine may listen on the same port, if all of them have this setting: [one node per core](gateway.md#one-node-per-core). On Linux and FreeBSD.',
  ),
  acceptsPriorKnowledge: setting(
    'MILLRACE_GATEWAY_HTTP2_CLEARTEXT',
    flag.default(false),
    '0',
    'Whether callers may use HTTP/2 without TLS, such as a load balancer in front or gRPC within a network. With TLS, they always may.',
  ),
  publicUrl: publicUrl(
    'MILLRACE_GATEWAY_PUBLIC_URL',
    'URL at which callers reach a node behind a proxy; the console shows it.',
  ),
  adminPort: setting(
    'MILLRACE_GATEWAY_ADMIN_PORT',
    integer(0, 65_535).default(4301),
    '4301',
    'Port of `/healthz`, `/readyz` and `/metrics`; 0 picks any free port.',
  ),
  adminHost: setting(
    'MILLRACE_GATEWAY_ADMIN_HOST',
    z.string().max(255).meta({ expected: 'a host name or an address' }).default('127.0.0.1'),
    '127.0.0.1',
    'Address of `/healthz`, `/readyz` and `/metrics`.',
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
    'Registration token of the node, from the console; only needed once. A new token registers the node again.',
    { secret: true },
  ),
  registrationTokenFile: setting(
    'MILLRACE_GATEWAY_TOKEN_FILE',
    path.nullable().default(null),
    'none',
    'File with that token, instead of the setting; it can be missing once the node is registered.',
  ),
  nodeDirectory: setting(
    'MILLRACE_GATEWAY_DATA_DIR',
    path.default(resolve('data/gateway')),
    './data/gateway',
    'Folder of the node: its identity, the last good configuration, undelivered usage. Each node needs its own.',
  ),
  redisUrl: setting(
    'REDIS_URL',
    z
      .string()
      .max(4_000)
      .regex(/^(?:rediss?(?:\+(?:sentinel|cluster))?|unix):\/\/./)
      .meta({
        expected: 'a URL that begins with redis://, rediss://, redis+sentinel://, redis+cluster:// or unix://',
      })
      .nullable()
      .default(null),
    'none',
    'Redis that the nodes of an environment share limits through: `redis://user:password@host:6379/0`, `redis+sentinel://user:password@host:26379,host:26379/primary` or `redis+cluster://user:password@host:6379,host:6379`; `rediss` instead of `redis` for TLS. Without it each node counts separately.',
    { secret: true },
  ),
  redisAuthorityFile: setting(
    'REDIS_CA_FILE',
    path.nullable().default(null),
    'none: those that Node trusts',
    'File with the certificate authorities (PEM) of a Redis that is reached by TLS.',
  ),
  redisServerName: setting(
    'REDIS_SERVER_NAME',
    z.string().max(253).meta({ expected: 'a host name' }).nullable().default(null),
    'the host of each server',
    'Name in the certificates of a Redis that is reached by TLS, if sentinels or the cluster name its servers by other hosts.',
  ),
  redisTimeoutMs: setting(
    'REDIS_TIMEOUT_MS',
    integer(10, 60_000).default(250),
    '250',
    'How long a request waits for Redis, in milliseconds. After that, its strict limits can’t be evaluated.',
  ),
  tlsFolder: setting(
    'MILLRACE_GATEWAY_TLS_FOLDER',
    path.nullable().default(null),
    'none: without TLS',
    'Folder of certificates (PEM): `NAME.crt` with `NAME.key`, or folders with `fullchain.pem` and `privkey.pem`. Changed files are loaded within ten seconds. Callers get the certificate for the requested name, otherwise `default`, otherwise the first.',
  ),
  trustedProxies: setting(
    'MILLRACE_GATEWAY_TRUSTED_PROXIES',
    networks.default(new BlockList()),
    'none',
    'Comma-separated addresses or networks of the proxies in front: their `X-Forwarded-*`, `Forwarded` and `X-Request-Id` headers are trusted.',
  ),
  reachPrivate: setting(
    'MILLRACE_GATEWAY_REACH_PRIVATE',
    flag.default(true),
    '1',
    'Whether target servers and token issuers can be reached at loopback addresses and in private networks. Use 0 if you don’t trust the people who configure them with this node’s network.',
  ),
  reachAlso: setting(
    'MILLRACE_GATEWAY_REACH_ALSO',
    networks.default(new BlockList()),
    'none',
    'Comma-separated addresses and networks that can always be reached. Link-local addresses and cloud metadata services are only reachable if listed here.',
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
    'Header in which a trusted proxy sends the caller’s country, such as `CF-IPCountry`.',
  ),
  countryFile: setting(
    'MILLRACE_GATEWAY_COUNTRY_FILE',
    path.nullable().default(null),
    'none',
    'MMDB file, such as GeoLite2-Country, for looking up the country of a caller’s address.',
  ),
  traceEndpoint,
  tracePercent: setting(
    'MILLRACE_GATEWAY_TRACE_PERCENT',
    integer(0, 100).default(1),
    '1',
    'Percentage of requests to trace, among those without a trusted trace.',
  ),
  traceCallers: setting(
    'MILLRACE_GATEWAY_TRACE_CALLERS',
    flag.default(false),
    '0',
    'Whether to trust the `traceparent` of any caller, not only of trusted proxies.',
  ),
  accessLog: setting('MILLRACE_GATEWAY_ACCESS_LOG', flag.default(true), '1', 'Whether each request is logged.'),
  usageFlushMs: setting(
    'MILLRACE_GATEWAY_USAGE_FLUSH_MS',
    integer(100, 600_000).default(5_000),
    '5000',
    'How often usage is delivered to the API management server, in milliseconds.',
  ),
  nodeInternals: setting(
    'MILLRACE_GATEWAY_NODE_INTERNALS',
    flag.default(true),
    '1',
    'Whether sockets and HTTP heads are handled by undocumented parts of Node and undici, if available. 0 uses only public interfaces: slower, for Node releases in which those parts misbehave.',
  ),
  logLevel: commonDeclarations.logLevel,
} as const;
