/** Where a server listens. */
export interface ServerAddress {
  /** A socket's path takes the place of host and port. */
  readonly path: string | null;
  readonly host: string;
  readonly port: number;
}

/** Where Redis is and how to sign in to it. */
export interface RedisAddress {
  /** `sentinel`: the servers are sentinels, which know the primary. `cluster`: they are some servers of a cluster. */
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** One at least. */
  readonly servers: readonly ServerAddress[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
  /** Name under which the sentinels watch the primary; empty where there are none. */
  readonly primaryName: string;
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
}

/** Servers that a URL may name. */
const maxServers = 64;
const defaultPorts = { server: 6379, sentinel: 26379, cluster: 6379 } as const;

/**
 * Reads the URL of Redis, each with `rediss` instead of `redis` for TLS:
 *
 * - `redis://[[user]:password@]host[:port][/database]`
 * - `redis+sentinel://[[user]:password@]host[:port][,host[:port]…]/primary[/database]`, with the name of the primary;
 *   `?sentinelPassword=…` and `&sentinelUsername=…` where the sentinels ask for a password of their own
 * - `redis+cluster://[[user]:password@]host[:port][,host[:port]…]`, with some servers of the cluster
 * - `unix:///path/of.sock[?db=database]`, with `[user]:password@localhost` before the path where the server asks for them
 *
 * @throws Error with a sentence that does not contain the URL, which may hold a password
 */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z+]+):\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  const [, secure, kind = 'server'] = /^redis(s)?(?:\+(sentinel|cluster))?$/.exec(scheme) ?? [];
  const isUnix = scheme === 'unix';
  if (!isUnix && !/^rediss?(?:\+(?:sentinel|cluster))?$/.test(scheme)) {
    throw new Error(
      'The URL of Redis must begin with redis://, rediss://, redis+sentinel://, redis+cluster:// or unix://.',
    );
  }
  const at = authority.lastIndexOf('@');
  const hosts = authority.slice(at + 1).split(',');
  if (hosts.length > maxServers || (kind === 'server' && hosts.length > 1)) {
    throw new Error('The URL of Redis names too many servers.');
  }
  const parsed = hosts.map((host) => URL.parse(`redis://${at < 0 ? '' : authority.slice(0, at + 1)}${host}${rest}`));
  const [url] = parsed;
  if (!url || parsed.includes(null)) throw new Error('The URL of Redis has a server that is not host:port.');
  if (!isUnix && parsed.some((each) => each?.hostname === '')) throw new Error('The URL of Redis has no host.');
  const segments = isUnix ? [] : url.pathname.split('/').slice(1);
  const primaryName = kind === 'sentinel' ? decodeURIComponent(segments.shift() ?? '') : '';
  if (kind === 'sentinel' && primaryName === '') {
    throw new Error('The URL of the sentinels has no name of a primary: redis+sentinel://host:26379/primary.');
  }
  const database = isUnix ? (url.searchParams.get('db') ?? '') : segments.join('/');
  if (!/^\d{0,4}$/.test(database)) throw new Error('The database of the Redis server must be a number.');
  if (kind === 'cluster' && Number(database) !== 0) throw new Error('A Redis Cluster has the database 0 only.');
  return {
    kind: kind as RedisAddress['kind'],
    servers: parsed.map((each) => ({
      path: isUnix ? decodeURIComponent(url.pathname) : null,
      // IPv6 addresses stand in brackets in a URL alone.
      host: each!.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(each!.port || defaultPorts[kind as RedisAddress['kind']]),
    })),
    tls: secure !== undefined,
    username: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
    database: Number(database),
    primaryName,
    sentinelUsername: url.searchParams.get('sentinelUsername'),
    sentinelPassword: url.searchParams.get('sentinelPassword'),
  };
}
