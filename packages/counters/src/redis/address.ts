/** Where a Redis server is and how to sign in to it. */
export interface RedisAddress {
  /** A socket's path takes the place of host and port. */
  readonly path: string | null;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
}

/**
 * Reads the URL of a Redis server: `redis://[[user]:password@]host[:port][/database]`, `rediss://…` for TLS, or
 * `unix:///path/of.sock[?db=database]`, with `[user]:password@localhost` before the path where the server asks for them.
 *
 * @throws Error with a sentence that does not tell the URL, which may hold a password
 */
export function parseRedisUrl(text: string): RedisAddress {
  const url = URL.parse(text);
  if (url === null || !['redis:', 'rediss:', 'unix:'].includes(url.protocol)) {
    throw new Error('The URL of the Redis server must begin with redis://, rediss:// or unix://.');
  }
  const unix = url.protocol === 'unix:';
  const database = unix ? (url.searchParams.get('db') ?? '') : url.pathname.slice(1);
  if (!/^\d{0,4}$/.test(database)) throw new Error('The database of the Redis server must be a number.');
  if (!unix && url.hostname === '') throw new Error('The URL of the Redis server has no host.');
  return {
    path: unix ? decodeURIComponent(url.pathname) : null,
    // IPv6 addresses stand in brackets in a URL alone.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 6379),
    tls: url.protocol === 'rediss:',
    username: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
    database: Number(database),
  };
}
