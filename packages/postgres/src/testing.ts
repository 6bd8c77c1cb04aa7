import { createHash, randomBytes } from 'node:crypto';
import type { Migration } from 'kysely/migration';
import { Pool, type PoolConfig } from 'pg';
import { type Database, migrate, openDatabase } from './database.ts';
import { type ServerLogin, urlOf } from './embedded.ts';
import { startTestPooler, type TestPooler } from './testing-pooler.ts';
import { givenTestServer, startTestServer, type TestLogins } from './testing-server.ts';

export interface TestDatabase<Schema> {
  readonly database: Database<Schema>;
  /** The owner's connection to this database. */
  readonly owner: PoolConfig;
  /** As `DATABASE_URL` has it, with the owner's login. */
  readonly url: string;
  /** Of a service with this database: `DATABASE_URL`, and the server's own where the tests run through a pooler. */
  readonly settings: Readonly<Record<string, string>>;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

let server: Promise<TestLogins> | undefined;
let pooler: Promise<TestPooler> | undefined;
/** Runs the tests' databases through a PgBouncer in transaction mode, where it is set to 1. */
const isPooled = process.env.MILLRACE_TEST_POOLER === '1';
/** The templates that this process knows to be there, by name. */
const templates = new Map<string, Promise<void>>();

/**
 * A fresh, migrated database, on the server that this process was given or on one that its tests share, started at the
 * first call and gone when the process ends. Each set of migrations runs once on a server, into a template from which the
 * databases are copied.
 *
 * @param options.schema as {@link migrate} and {@link openDatabase} take it.
 */
export async function openTestDatabase<Schema>(
  migrations: Readonly<Record<string, Migration>>,
  { schema }: { readonly schema?: string } = {},
): Promise<TestDatabase<Schema>> {
  server ??= Promise.resolve(givenTestServer() ?? startTestServer());
  const { owner, service } = await server;
  const template = templateName(migrations, schema);
  if (!templates.has(template)) templates.set(template, createTemplate(await server, template, migrations, schema));
  await templates.get(template);
  const name = databaseName();
  await administer({ owner }, `create database ${name} template ${template} strategy file_copy`);
  if (isPooled) pooler ??= startTestPooler(await server);
  const by = (await pooler)?.by ?? ((login: ServerLogin) => login);
  const database = openDatabase<Schema>({
    connection: by({ ...service, database: name }),
    isPooled,
    ...(schema === undefined ? {} : { schema }),
    tenantConnections: 10,
    systemConnections: 10,
  });
  return {
    database,
    owner: { ...owner, database: name },
    url: urlOf({ ...owner, database: name }),
    settings: {
      DATABASE_URL: urlOf(by({ ...owner, database: name })),
      ...(isPooled ? { MILLRACE_DATABASE_DIRECT_URL: urlOf({ ...owner, database: name }) } : {}),
    },
    close: async () => {
      await database.close();
      await administer({ owner }, `drop database ${name} with (force)`);
    },
  };
}

/** The same for the same migrations, whichever process of a run they are run by. */
function templateName(migrations: Readonly<Record<string, Migration>>, schema: string | undefined): string {
  const source = Object.entries(migrations).map(([name, { up }]) => [name, String(up)]);
  return `template_${createHash('sha256')
    .update(JSON.stringify([schema, source]))
    .digest('hex')
    .slice(0, 16)}`;
}

async function createTemplate(
  on: TestLogins,
  template: string,
  migrations: Readonly<Record<string, Migration>>,
  schema: string | undefined,
): Promise<void> {
  if (await exists(on, template)) return;
  // Under its own name only when it is whole: a process may end between.
  const name = databaseName();
  await administer(on, `create database ${name}`);
  await migrate({
    connection: { ...on.owner, database: name },
    ...(schema === undefined ? {} : { schema }),
    migrations,
    servicePassword: on.service.password,
  });
  await administer(on, `alter database ${name} rename to ${template}`);
}

function databaseName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

async function exists(on: TestLogins, name: string): Promise<boolean> {
  return (await administer(on, `select from pg_database where datname = '${name}'`)) > 0;
}

let administration: Pool | undefined;

/** Runs a statement as the owner and returns its number of rows. */
async function administer({ owner }: Pick<TestLogins, 'owner'>, statement: string): Promise<number> {
  administration ??= new Pool({ ...owner, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return (await administration.query(statement)).rowCount ?? 0;
}
