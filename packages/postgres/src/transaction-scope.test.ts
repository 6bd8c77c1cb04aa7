import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { type Database, openDatabase, serviceRole, tenantTransaction } from './database.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';
import { startTestPooler, type TestPooler, withoutPooler } from './testing-pooler.ts';
import { givenTestServer, startTestServer } from './testing-server.ts';

interface Schema {
  things: { tenant: string; name: string };
}

const migrations = {
  '0001-things': {
    up: async (database: Kysely<unknown>) => {
      await sql`
        create table things (tenant text not null, name text primary key);
        grant select, insert, delete on things to ${sql.ref(serviceRole)};
        alter table things enable row level security;
        create policy tenant on things using (
          tenant = (select current_setting('millrace.tenant', true))
          or (select current_setting('millrace.tenant', true)) = '*')`.execute(database);
    },
  },
};

describe('a database by a pooler in transaction mode', { skip: withoutPooler }, () => {
  let opened: TestDatabase<Schema>;
  let pooler: TestPooler;
  let database: Database<Schema>;
  before(async () => {
    const logins = givenTestServer() ?? (await startTestServer());
    opened = await openTestDatabase<Schema>(migrations, { schema: 'scoped' });
    pooler = await startTestPooler(logins, 2);
    database = openDatabase<Schema>({
      connection: pooler.by({ ...logins.service, database: String(opened.owner.database) }),
      isPooled: true,
      schema: 'scoped',
      tenantConnections: 10,
      systemConnections: 10,
    });
  });
  after(async () => {
    await database.close();
    pooler.stop();
    await opened.close();
  });

  const who = async (transaction: Kysely<Schema>) => {
    const { rows } = await sql<{ role: string; tenant: string; path: string; timeout: string; readonly: string }>`
      select current_user::text as role, current_setting('millrace.tenant') as tenant,
             current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
             current_setting('transaction_read_only') as readonly`.execute(transaction);
    return rows[0];
  };
  const scoped = { role: serviceRole, path: 'scoped', timeout: '1min' };

  test('works as its role, in its schema and for its tenant, in every statement', async () => {
    assert.deepEqual(await who(database.system), { ...scoped, tenant: '*', readonly: 'off' });
    assert.deepEqual(await tenantTransaction(database, 'one', who), { ...scoped, tenant: 'one', readonly: 'off' });
    const reading = tenantTransaction(database, 'two', (each) => Promise.all([who(each), who(each)]), {
      access: 'read only',
    });
    assert.deepEqual(await reading, Array(2).fill({ ...scoped, tenant: 'two', readonly: 'on' }));
    const [row] = await database.prepared<{ tenant: string }>(
      { name: 'tenant', text: `select current_setting('millrace.tenant') as tenant where $1 = 1` },
      [1],
    );
    assert.equal(row?.tenant, '*');
    // As a session's, such a statement may also write.
    await database.prepared({ name: 'write', text: 'delete from things where name = $1 returning name' }, ['none']);
  });

  test('shows tenants in turn only their own rows, with more clients than connections', async () => {
    const tenants = Array.from({ length: 20 }, (_, index) => `tenant_${index}`);
    await Promise.all(
      tenants.map((tenant) =>
        tenantTransaction(
          database,
          tenant,
          (transaction) =>
            transaction
              .insertInto('things')
              .values({ tenant, name: `first of ${tenant}` })
              .execute(),
          {
            last: () => ({
              name: 'last',
              text: 'insert into things values ($1, $2)',
              parameters: [tenant, `last of ${tenant}`],
            }),
          },
        ),
      ),
    );
    const seen = await Promise.all(
      tenants.flatMap((tenant) =>
        Array.from({ length: 5 }, async () => {
          const rows = await tenantTransaction(
            database,
            tenant,
            (each) => each.selectFrom('things').selectAll().execute(),
            {
              access: 'read only',
              planned: true,
            },
          );
          return rows.length === 2 && rows.every((row) => row.tenant === tenant);
        }),
      ),
    );
    assert(seen.every(Boolean));
    assert.equal((await database.system.selectFrom('things').selectAll().execute()).length, 40);
    assert.equal((await database.system.deleteFrom('things').executeTakeFirst()).numDeletedRows, 40n);
  });

  test('rolls back, refuses to write where it reads, and keeps nothing for the next', async () => {
    const insert = (transaction: Kysely<Schema>) =>
      transaction.insertInto('things').values({ tenant: 'one', name: 'undone' }).execute();
    const failing = async (transaction: Kysely<Schema>) => {
      await insert(transaction);
      throw new Error('given up');
    };
    await assert.rejects(tenantTransaction(database, 'one', failing), /given up/);
    await assert.rejects(database.system.transaction().execute(failing), /given up/);
    await assert.rejects(tenantTransaction(database, 'one', insert, { access: 'read only' }), /read-only transaction/);
    await assert.rejects(tenantTransaction(database, 'two', insert), /row-level security/);
    await assert.rejects(sql`select 1 / 0`.execute(database.system), /division by zero/);
    assert.deepEqual(await database.system.selectFrom('things').selectAll().execute(), []);
    const level = database.system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    const { rows } = await level.execute((transaction) =>
      sql`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as readonly`.execute(
        transaction,
      ),
    );
    assert.deepEqual(rows, [{ level: 'repeatable read', readonly: 'on' }]);
    assert.deepEqual(await who(database.system), { ...scoped, tenant: '*', readonly: 'off' });
  });
});
