import { join } from 'node:path';
import { migrate, openDatabase } from '@millrace/postgres';
import { findEmbedded, startEmbedded } from '@millrace/postgres/embedded';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import { migrations } from './migrations.ts';
import type { ExtractionDatabase } from './schema.ts';

export interface ConnectedDatabase {
  readonly database: ExtractionDatabase;
  /** Resolves, with the reason, when an embedded server is gone for good. */
  readonly failed: Promise<Error>;
  /** Closes the connections and stops the server, if it was started here. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /**
   * Where another process runs the embedded server of the data folder: true uses that server, false fails. It ends
   * with that process.
   */
  readonly join: boolean;
}

/**
 * Brings up the database: the server of `DATABASE_URL` or the embedded one, with its migrations run.
 *
 * @throws Error whose message names what is wrong, without the password in the URL.
 */
export async function connectDatabase(options: ConnectOptions): Promise<ConnectedDatabase> {
  const { settings, logger } = options;
  const server = settings.databaseUrl === null ? await embeddedServer(options) : remoteServer(settings.databaseUrl);
  try {
    await migrate({ connection: server.owner, migrations, ...server.serviceLogin });
  } catch (error) {
    await server.stop();
    if (settings.databaseUrl === null || !isConnectionFailure(error)) throw error;
    throw new Error(`The database of DATABASE_URL cannot be reached: ${error.message}`, { cause: error });
  }
  const systemConnections = Math.ceil(settings.databaseConnections / 2);
  const database: ExtractionDatabase = openDatabase({
    connection: server.service,
    systemConnections,
    tenantConnections: settings.databaseConnections - systemConnections,
    onConnectionError: (error) => logger.warn({ error }, 'a database connection was lost'),
  });
  return {
    database,
    failed: server.failed,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}

interface Server {
  readonly owner: PoolConfig;
  readonly service: PoolConfig;
  /** The password that the service role gets where it signs in itself. */
  readonly serviceLogin: { readonly servicePassword?: string };
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

function remoteServer(connectionString: string): Server {
  return {
    owner: { connectionString },
    service: { connectionString },
    serviceLogin: {},
    failed: new Promise(() => undefined),
    stop: async () => undefined,
  };
}

async function embeddedServer({ settings, logger, join: joins }: ConnectOptions): Promise<Server> {
  const dataDirectory = join(settings.dataDirectory, 'postgres');
  const running = joins ? findEmbedded(dataDirectory) : null;
  if (running !== null) {
    return {
      ...running,
      serviceLogin: { servicePassword: running.service.password },
      failed: new Promise(() => undefined),
      stop: async () => undefined,
    };
  }
  const started = await startEmbedded({
    dataDirectory,
    onRestart: () => logger.error('the embedded database died and is started anew'),
  });
  return {
    owner: started.owner,
    service: started.service,
    serviceLogin: { servicePassword: started.service.password },
    failed: started.failed,
    stop: () => started.stop(),
  };
}

function isConnectionFailure(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(E[A-Z]+|28|3D|57P03)/.test(String(error.code));
}
