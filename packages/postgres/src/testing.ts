import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import { Client, type PoolConfig } from 'pg';
import { type Database, migrate, openDatabase } from './database.ts';
import { type EmbeddedPostgres, startEmbedded, urlOf } from './embedded.ts';

export interface TestDatabase<Schema> {
  readonly database: Database<Schema>;
  /** The owner's connection to this database. */
  readonly owner: PoolConfig;
  /** As `DATABASE_URL` has it, with the owner's login. */
  readonly url: string;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

let server: Promise<EmbeddedPostgres> | undefined;
const templates: {
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly schema: string | undefined;
  readonly name: Promise<string>;
}[] = [];

/**
 * A fresh, migrated database on a server that all tests of this process use together: started at the first call, gone
 * when the process ends. Each set of migrations runs once, into a template from which the databases are copied.
 *
 * @param options.schema as {@link migrate} and {@link openDatabase} take it.
 */
export async function openTestDatabase<Schema>(
  migrations: Readonly<Record<string, Migration>>,
  { schema }: { readonly schema?: string } = {},
): Promise<TestDatabase<Schema>> {
  server ??= startServer();
  const { owner, service } = await server;
  let template = templates.find((known) => known.migrations === migrations && known.schema === schema);
  if (template === undefined) {
    template = { migrations, schema, name: createTemplate(await server, migrations, schema) };
    templates.push(template);
  }
  const name = databaseName();
  await administer(await server, `create database ${name} template ${await template.name} strategy file_copy`);
  const database = openDatabase<Schema>({
    connection: { ...service, database: name },
    ...(schema === undefined ? {} : { schema }),
    tenantConnections: 10,
    systemConnections: 10,
  });
  return {
    database,
    owner: { ...owner, database: name },
    url: urlOf({ ...owner, database: name }),
    close: async () => {
      await database.close();
      await administer(await (server as Promise<EmbeddedPostgres>), `drop database ${name} with (force)`);
    },
  };
}

async function startServer(): Promise<EmbeddedPostgres> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `millrace-test-postgres-${process.pid}-`));
  const started = await startEmbedded({ dataDirectory: folder, durable: false });
  process.once('exit', () => {
    // SIGQUIT: at once, without a checkpoint; nothing of it is needed again. The server's last act is to remove its lock.
    try {
      process.kill(started.processId, 'SIGQUIT');
    } catch {
      // Gone already.
    }
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let waits = 0; waits < 200 && existsSync(join(folder, 'cluster', 'postmaster.pid')); waits++) {
      Atomics.wait(clock, 0, 0, 10);
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return started;
}

/** Removes the folders of test processes that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const processId = Number(name.match(/^millrace-test-postgres-(\d+)-/)?.[1] ?? Number.NaN);
    if (Number.isNaN(processId)) continue;
    try {
      process.kill(processId, 0);
    } catch {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

async function createTemplate(
  on: EmbeddedPostgres,
  migrations: Readonly<Record<string, Migration>>,
  schema: string | undefined,
): Promise<string> {
  const name = databaseName();
  await administer(on, `create database ${name}`);
  await migrate({
    connection: { ...on.owner, database: name },
    ...(schema === undefined ? {} : { schema }),
    migrations,
    servicePassword: on.service.password,
  });
  return name;
}

function databaseName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

async function administer(on: EmbeddedPostgres, statement: string): Promise<void> {
  const client = new Client({ ...on.owner });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
