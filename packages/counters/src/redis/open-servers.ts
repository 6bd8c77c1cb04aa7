import type { RedisAddress } from './address.ts';
import { RedisCluster } from './cluster.ts';
import { RedisConnection, type RedisServer } from './connection.ts';
import { locatePrimary } from './sentinels.ts';
import { nameOf, type RedisLogin, type RedisServers, type TlsTrust } from './servers.ts';

export interface OpenServersOptions {
  readonly address: RedisAddress;
  /** Of connections by TLS. */
  readonly trust: TlsTrust;
  /** For how long a command may wait for its answer. */
  readonly timeoutMs: number;
  /** Called when commands can be sent, with what the server reports about itself. */
  readonly onReady: (server: RedisServer) => void;
  /** Called when commands can no longer be sent, or still can't; once per outage. */
  readonly onLost: (reason: Error) => void;
}

/** How often the sentinels are asked whether another server is the primary now. */
const watchEveryMs = 1_000;

/** Opens what an address names. An unreachable server is retried again and again. */
export function openServers({ address, trust, ...rest }: OpenServersOptions): RedisServers {
  const { kind, username, password, database } = address;
  const tls = address.tls ? trust : null;
  const login: RedisLogin = { tls, username, password };
  if (kind === 'cluster') return new RedisCluster({ address, login, ...rest });
  if (kind === 'server') {
    const [server] = address.servers;
    return oneServer(new RedisConnection({ locate: () => server!, login, database, role: 'any', ...rest }));
  }
  const asSentinel = { tls, username: address.sentinelUsername, password: address.sentinelPassword };
  const locate = () => locatePrimary(address, asSentinel);
  const connection = new RedisConnection({ locate, login, database, role: 'primary', ...rest });
  // A primary that was cut off from its sentinels and replicas may still answer this node.
  const watching = setInterval(async () => {
    const primary = await locate().catch(() => null);
    if (primary === null || !connection.ready || nameOf(primary) === connection.connectedTo) return;
    connection.reconnect('another server is the primary now');
  }, watchEveryMs);
  return oneServer(connection, () => clearInterval(watching));
}

/** One server, which has all keys. */
function oneServer(connection: RedisConnection, closing = () => {}): RedisServers {
  return {
    parts: 1,
    partOf: () => 0,
    tagOf: () => '',
    isReady: () => connection.ready,
    runOf: () => connection.runId,
    run: (script, _part, keyCount, encoded, done) => connection.run(script, keyCount, encoded, done),
    flush: () => connection.flush(),
    close: () => {
      closing();
      connection.close();
    },
  };
}
