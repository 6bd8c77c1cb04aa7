import { describeReplica } from '@millrace/postgres';
import { connectDatabase as connectSchema, openServer, type PostgresServer } from '@millrace/postgres/server';
import type { Settings } from '@millrace/settings/extraction';
import type { Logger } from 'pino';
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
  /** A server that is open already, which its opener stops; without it the settings' own. */
  readonly server?: PostgresServer;
}

/**
 * Brings up the database: the server of `DATABASE_URL` or the embedded one, with its migrations run.
 *
 * @throws Error whose message names what is wrong, without the password in the URL.
 */
export async function connectDatabase({ settings, logger, ...options }: ConnectOptions): Promise<ConnectedDatabase> {
  const opened = new AsyncDisposableStack();
  try {
    const server = options.server ?? (await openOwnServer());
    const database: ExtractionDatabase = await connectSchema({
      server,
      migrations,
      connections: settings.databaseConnections,
      onConnectionError: (error) => logger.warn({ error }, 'a database connection was lost'),
      onWarning: (warning) => logger.warn({}, warning),
      onReplica: (event) => logger.warn({}, describeReplica(event)),
    });
    opened.defer(() => database.close());
    return { database, failed: server.failed, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }

  async function openOwnServer(): Promise<PostgresServer> {
    const server = await openServer({
      ...settings,
      join: options.join,
      onRestart: () => logger.error('the embedded database died and is being restarted'),
    });
    opened.defer(() => server.stop());
    return server;
  }
}
