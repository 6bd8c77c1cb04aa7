import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import type { PoolConfig } from 'pg';
import { checkConnectionBudget } from './connection-budget.ts';
import { type Database, migrate, openDatabase, type ReplicaEvent } from './database.ts';
import { findEmbedded, startEmbedded } from './embedded.ts';

/** A server that databases are opened on: your own, or the embedded one. */
export interface PostgresServer {
  /** The owner's connection, for migrations. */
  readonly owner: PoolConfig;
  /** The connection that services work with. */
  readonly service: PoolConfig;
  /** Whether services reach it by a pooler in transaction mode. */
  readonly isPooled?: boolean;
  /** The connection to a streaming replica that may answer reads, if there is one. */
  readonly replica?: PoolConfig;
  /** The password that the service role gets if it signs in itself; empty if the owner's login uses the role. */
  readonly serviceLogin: { readonly servicePassword?: string };
  /** Resolves, with the reason, when an embedded server has permanently failed. */
  readonly failed: Promise<Error>;
  /** Stops the server, if it was started here. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** `postgres://…` of your own server, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /** `postgres://…` of the server itself where {@link databaseUrl} is that of a pooler in transaction mode; else null. */
  readonly databaseDirectUrl?: string | null;
  /** `postgres://…` of a streaming replica of it that may answer reads, or null. */
  readonly databaseReplicaUrl?: string | null;
  /** The data folder; the embedded server uses its folder `postgres`. */
  readonly dataDirectory: string;
  /**
   * If another process runs the embedded server of the data folder: true uses that server, false fails. It ends with
   * that process.
   */
  readonly join: boolean;
  /** Called when the embedded server died and is about to be restarted. */
  readonly onRestart?: () => void;
}

/**
 * The server of a URL, without connecting yet, or the embedded one, started if it is not running.
 *
 * @throws Error for people: the embedded server does not start, or belongs to another process
 */
export async function openServer(options: ServerOptions): Promise<PostgresServer> {
  return options.databaseUrl === null ? embeddedServer(options) : remoteServer(options.databaseUrl, options);
}

function remoteServer(
  connectionString: string,
  { databaseDirectUrl = null, databaseReplicaUrl = null }: ServerOptions,
): PostgresServer {
  return {
    owner: { connectionString: databaseDirectUrl ?? connectionString },
    service: { connectionString },
    isPooled: databaseDirectUrl !== null,
    ...(databaseReplicaUrl === null ? {} : { replica: { connectionString: databaseReplicaUrl } }),
    serviceLogin: {},
    failed: new Promise(() => undefined),
    stop: async () => undefined,
  };
}

async function embeddedServer(options: ServerOptions): Promise<PostgresServer> {
  const dataDirectory = join(options.dataDirectory, 'postgres');
  const running = options.join ? findEmbedded(dataDirectory) : null;
  if (running !== null) {
    return {
      ...running,
      serviceLogin: { servicePassword: running.service.password },
      failed: new Promise(() => undefined),
      stop: async () => undefined,
    };
  }
  const { onRestart } = options;
  const started = await startEmbedded({ dataDirectory, ...(onRestart ? { onRestart } : {}) });
  return {
    owner: started.owner,
    service: started.service,
    serviceLogin: { servicePassword: started.service.password },
    failed: started.failed,
    stop: () => started.stop(),
  };
}

export interface ConnectOptions {
  readonly server: PostgresServer;
  /** The PostgreSQL schema of the application's tables; default `public`. */
  readonly schema?: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Most connections to open: half of them for tenant transactions, half for statements across tenants. */
  readonly connections: number;
  /** Called when a connection broke while idle; the next statement opens a new one. */
  readonly onConnectionError: (error: Error) => void;
  /** Called with what an operator should change, as sentences. */
  readonly onWarning?: (warning: string) => void;
  /** Called with what becomes of the replica, if the server has one. */
  readonly onReplica?: (event: ReplicaEvent) => void;
}

/**
 * Runs an application's migrations on a server and opens its database there. Closing the database doesn't stop the
 * server.
 *
 * @throws Error whose message describes the problem, without the password of the server's URL.
 */
export async function connectDatabase<Schema>(options: ConnectOptions): Promise<Database<Schema>> {
  const { server, migrations, connections, onConnectionError, onReplica, onWarning = () => {} } = options;
  const { isPooled = false } = server;
  const schema = options.schema === undefined ? {} : { schema: options.schema };
  try {
    await migrate({ connection: server.owner, migrations, ...schema, ...server.serviceLogin, onWarning });
    // A pooler shares fewer among more.
    const warning = isPooled ? null : await checkConnectionBudget(server.owner, connections);
    if (warning !== null) onWarning(warning);
  } catch (error) {
    if (server.owner.connectionString === undefined || !isConnectionFailure(error)) throw error;
    const name = isPooled ? 'MILLRACE_DATABASE_DIRECT_URL' : 'DATABASE_URL';
    throw new Error(`The database of ${name} cannot be reached: ${error.message}`, { cause: error });
  }
  const systemConnections = Math.ceil(connections / 2);
  return openDatabase({
    connection: server.service,
    isPooled,
    replica: server.replica,
    ...(onReplica === undefined ? {} : { onReplica }),
    ...schema,
    systemConnections,
    tenantConnections: connections - systemConnections,
    onConnectionError,
  });
}

function isConnectionFailure(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|28|3D|57P03)/.test(String(error.code));
}
