import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { type Database, openDatabase, serviceRole, tenantTransaction } from './database.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

interface Schema {
  things: { name: string };
}

const migrations = {
  '0001-things': {
    up: async (database: Kysely<unknown>) => {
      await sql`create table things (name text primary key); grant select, insert on things to ${sql.ref(serviceRole)}`.execute(
        database,
      );
    },
  },
};

const tenantOf = async (transaction: Kysely<Schema>) => {
  const { rows } = await sql<{ tenant: string }>`select current_setting('millrace.tenant') as tenant`.execute(
    transaction,
  );
  return rows[0]?.tenant;
};
const insert = (transaction: Kysely<Schema>, name: string) =>
  transaction.insertInto('things').values({ name }).executeTakeFirst();
const divide = (divisor: string) => ({
  name: 'divide',
  text: `insert into things select 'quotient ' || 1 / $1::int`,
  parameters: [divisor],
});

describe('one connection shared by tenants', () => {
  let opened: TestDatabase<Schema>;
  let database: Database<Schema>;
  before(async () => {
    opened = await openTestDatabase<Schema>(migrations);
    database = openDatabase<Schema>({ connection: opened.owner, tenantConnections: 1, systemConnections: 1 });
  });
  after(async () => {
    await database.close();
    await opened.close();
  });

  const things = async () =>
    (await database.system.selectFrom('things').select('name').orderBy('name').execute()).map(({ name }) => name);
  const reading = <Result>(tenantId: string, work: (transaction: Kysely<Schema>) => Promise<Result>) =>
    tenantTransaction(database, tenantId, work, { access: 'read only' });

  test('serves each tenant in turn, even if its first statement fails and others follow immediately', async () => {
    assert.equal(await reading('first', tenantOf), 'first');
    const both = await reading('second', (transaction) =>
      Promise.allSettled([sql`select 1 / 0`.execute(transaction), tenantOf(transaction), tenantOf(transaction)]),
    );
    assert.deepEqual(
      both.map((settled) => (settled.status === 'fulfilled' ? settled.value : settled.status)),
      ['rejected', 'second', 'second'],
    );
    assert.equal(await tenantTransaction(database, 'third', tenantOf), 'third');
    assert.equal(await reading('second', tenantOf), 'second');
    assert.equal(await reading('first', tenantOf), 'first');
  });

  test('plans a statement once where asked to, also after it or what came with it has failed', async () => {
    const planned = <Result>(tenantId: string, work: (transaction: Kysely<Schema>) => Promise<Result>) =>
      tenantTransaction(database, tenantId, work, { access: 'read only', planned: true });
    const quotient = (transaction: Kysely<Schema>, divisor: number) =>
      sql<{ quotient: number }>`select 6 / ${divisor}::int as quotient`
        .execute(transaction)
        .then(({ rows }) => rows[0]?.quotient);
    assert.equal(await planned('first', (transaction) => quotient(transaction, 2)), 3);
    await assert.rejects(
      planned('second', (transaction) => quotient(transaction, 0)),
      /division by zero/,
    );
    const answers = await planned('first', (transaction) =>
      Promise.allSettled([quotient(transaction, 0), quotient(transaction, 3), tenantOf(transaction)]),
    );
    assert.deepEqual(
      answers.map((settled) => (settled.status === 'fulfilled' ? settled.value : settled.status)),
      ['rejected', 2, 'first'],
    );
    const counted = await planned('first', (transaction) =>
      sql<{ name: string; calls: number }>`
        select name, (generic_plans + custom_plans)::int as calls from pg_prepared_statements
        where statement like 'select 6 /%'`.execute(transaction),
    );
    assert.deepEqual(
      counted.rows.map(({ calls }) => calls),
      [1],
    );
    assert.equal(await reading('first', (transaction) => quotient(transaction, 6)), 1);
  });

  test('commits the work together with its last statement, or neither', async () => {
    const writing = (name: string, divisor: string) =>
      tenantTransaction(database, 'first', (transaction) => insert(transaction, name), { last: () => divide(divisor) });
    // The server learns the last statement's name while it fails, and accepts the name again.
    await assert.rejects(writing('undone', '0'), /division by zero/);
    await writing('done', '1');
    await assert.rejects(writing('undone', '0'), /division by zero/);
    assert.deepEqual(await things(), ['done', 'quotient 1']);
    await assert.rejects(writing('done', '2'), /duplicate key/);
    await tenantTransaction(database, 'first', async () => undefined, { last: () => divide('-1') });
    await tenantTransaction(database, 'first', async () => undefined);
    assert.deepEqual(await things(), ['done', 'quotient -1', 'quotient 1']);
  });

  test('reports a failed statement that the work ignored', async () => {
    const passing = tenantTransaction(database, 'first', async (transaction) => {
      await insert(transaction, 'undone');
      await insert(transaction, 'done').catch(() => undefined);
    });
    await assert.rejects(passing, /rolled back/);
    assert.equal((await things()).includes('undone'), false);
  });

  test('accepts statements with and without values, and reports the caller of a failing one', async () => {
    const results = await reading('first', (transaction) =>
      Promise.all([
        sql<{ sum: number }>`select 1 + 1 as sum`.execute(transaction),
        sql<{ sum: number }>`select ${1}::int + 1 as sum`.execute(transaction),
      ]),
    );
    assert.deepEqual(
      results.map(({ rows }) => rows),
      [[{ sum: 2 }], [{ sum: 2 }]],
    );
    const asksWrongly = (transaction: Kysely<Schema>) => sql`select 1 / 0`.execute(transaction);
    await assert.rejects(reading('first', asksWrongly), (error: Error) => /tenantTransaction/.test(error.stack ?? ''));
  });
});
