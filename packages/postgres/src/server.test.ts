import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { serviceRole, tenantTransaction } from './database.ts';
import { type ConnectOptions, connectDatabase, openServer, type PostgresServer } from './server.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

interface Schema {
  things: { name: string };
}

/** Two applications may give a table the same name. */
const migrationsOf = (application: string) => ({
  '0001-things': {
    up: async (database: Kysely<unknown>) => {
      await sql`create table things (name text not null); grant select, insert on things to ${sql.ref(serviceRole)};
        insert into things values (${sql.lit(application)})`.execute(database);
    },
  },
});

describe('a database that applications share', () => {
  let empty: TestDatabase<never>;
  let server: PostgresServer;
  const connect = (application: string, options: Partial<ConnectOptions> = {}) =>
    connectDatabase<Schema>({
      server,
      migrations: migrationsOf(application),
      connections: 4,
      onConnectionError: () => undefined,
      ...options,
    });

  before(async () => {
    empty = await openTestDatabase({});
    server = await openServer({ databaseUrl: empty.url, dataDirectory: '/nowhere', join: false });
  });
  after(() => empty.close());

  test('each application has its tables in its own schema, in whatever order they start, and once', async () => {
    const databases = await Promise.all([
      connect('second', { schema: 'second' }),
      connect('second', { schema: 'second' }),
      connect('first'),
    ]);
    const [second, , first] = databases;
    const names = (database: typeof first) => database.system.selectFrom('things').select('name').execute();
    assert.deepEqual(await names(second), [{ name: 'second' }]);
    assert.deepEqual(await names(first), [{ name: 'first' }]);
    await Promise.all(databases.map((database) => database.close()));
  });

  test('a read-only transaction cannot write', async () => {
    const database = await connect('third', { schema: 'third' });
    const write = (transaction: Kysely<Schema>) =>
      transaction.insertInto('things').values({ name: 'more' }).executeTakeFirst();
    await assert.rejects(tenantTransaction(database, 'acc_1', write, { access: 'read only' }), /read-only transaction/);
    const read = (transaction: Kysely<Schema>) => transaction.selectFrom('things').selectAll().execute();
    assert.equal((await tenantTransaction(database, 'acc_1', read, { access: 'read only' })).length, 1);
    await tenantTransaction(database, 'acc_1', write);
    assert.equal((await tenantTransaction(database, 'acc_1', read)).length, 2);
    await database.close();
  });

  test('the error for a user who may not create the schema says what an administrator has to do', async () => {
    const administrator = new Client(empty.owner);
    await administrator.connect();
    await administrator.query(
      `drop role if exists without_schema; create role without_schema login password 'of-the-test';
       grant ${serviceRole} to without_schema`,
    );
    await administrator.end();
    const url = new URL(empty.url);
    url.username = 'without_schema';
    url.password = 'of-the-test';
    const restricted = await openServer({ databaseUrl: url.href, dataDirectory: '/nowhere', join: false });
    await assert.rejects(
      connect('fourth', { server: restricted, schema: 'fourth' }),
      /create schema fourth authorization/,
    );
  });

  test('a test database has its tables in the requested schema', async () => {
    const migrations = migrationsOf('control');
    const opened = await openTestDatabase<Schema>(migrations, { schema: 'control' });
    const { rows } = await sql`select table_schema from information_schema.tables where table_name = 'things'`.execute(
      opened.database.system,
    );
    assert.deepEqual(rows, [{ table_schema: 'control' }]);
    await opened.close();
  });
});
