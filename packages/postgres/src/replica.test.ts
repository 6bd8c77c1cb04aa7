import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { type Kysely, sql } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import { type Database, migrate, openDatabase, type ReplicaEvent, tenantTransaction } from './database.ts';
import { isolate } from './isolation.ts';
import { startTestPooler, withoutPooler } from './testing-pooler.ts';
import { startTestReplication, type TestReplication } from './testing-replica.ts';

interface Schema {
  notes: { account_id: string; text: string };
}

const migrations = {
  '1': {
    async up(database: Kysely<unknown>) {
      await sql`create table notes (account_id text not null, text text not null)`.execute(database);
      await isolate(database, 'notes', sql.ref('account_id'));
      await sql`grant select, insert, update, delete on notes to millrace_service`.execute(database);
    },
  },
};

describe('a replica', () => {
  let replication: TestReplication;
  const events: ReplicaEvent[] = [];

  const open = (replica: PoolConfig): Database<Schema> =>
    openDatabase({
      connection: replication.primary.service,
      replica,
      onReplica: (event) => void events.push(event),
      schema: 'notebook',
      tenantConnections: 4,
      systemConnections: 4,
    });
  const write = (database: Database<Schema>, text: string, account = 'acc_1') =>
    tenantTransaction(database, account, (transaction) =>
      transaction.insertInto('notes').values({ account_id: account, text }).execute(),
    );
  /** What is read of one account, and whether a replica answered. */
  const read = (database: Database<Schema>, account = 'acc_1') =>
    tenantTransaction(
      database,
      account,
      async (transaction) => {
        const rows = await transaction.selectFrom('notes').select('text').orderBy('text').execute();
        const { rows: states } = await sql<{ on_replica: boolean }>`
          select pg_is_in_recovery() as on_replica`.execute(transaction);
        return { texts: rows.map(({ text }) => text), onReplica: states[0]?.on_replica };
      },
      { access: 'read only', onReplica: true },
    );

  const replicaAnswers = (database: Database<Schema>) =>
    eventually('the replica to answer', async () => (await read(database)).onReplica);

  before(async () => {
    replication = await startTestReplication();
    const { primary } = replication;
    await migrate({
      connection: primary.owner,
      schema: 'notebook',
      migrations,
      servicePassword: primary.service.password,
    });
  });
  after(() => replication?.[Symbol.asyncDispose]());

  test('answers reads with everything that was committed before, of one account only', async () => {
    const database = open(replication.replica.service);
    await write(database, 'of another', 'acc_2');
    const texts: string[] = [];
    let byReplica = 0;
    for (let number = 10; number < 40; number++) {
      texts.push(String(number));
      await write(database, String(number));
      const found = await read(database);
      assert.deepEqual(found.texts, texts);
      if (found.onReplica) byReplica++;
    }
    assert.deepEqual(database.replicaReads(), { replica: byReplica, primary: 30 - byReplica });
    await replicaAnswers(database);
    assert.deepEqual((await read(database, 'acc_2')).texts, ['of another']);
    await database.close();
  });

  test('answers with commits that do not wait for the disk, or leaves them to the primary', async () => {
    const administrator = new Client({ ...replication.primary.owner });
    await administrator.connect();
    await administrator.query('alter role millrace_service set synchronous_commit = off');
    const database = open(replication.replica.service);
    for (let number = 0; number < 20; number++) {
      await write(database, `${number}`, 'acc_3');
      assert.equal((await read(database, 'acc_3')).texts.length, number + 1);
    }
    await database.close();
    await administrator.query('alter role millrace_service reset synchronous_commit');
    await administrator.end();
  });

  test('rejects a write, and passes on what the work throws', async () => {
    const database = open(replication.replica.service);
    const working = (work: Parameters<typeof tenantTransaction<Schema, unknown>>[2]) =>
      tenantTransaction(database, 'acc_1', work, { access: 'read only', onReplica: true });
    await assert.rejects(
      working((transaction) => transaction.deleteFrom('notes').execute()),
      /read-only transaction/,
    );
    await assert.rejects(
      working(() => Promise.reject(new Error('no such note'))),
      { message: 'no such note' },
    );
    await replicaAnswers(database);
    await database.close();
  });

  test('that is behind leaves reads to the primary until it has caught up', async () => {
    const database = open(replication.replica.service);
    events.length = 0;
    await replication.pause();
    await write(database, 'while paused');
    const found = await read(database);
    assert.equal(found.onReplica, false);
    assert.ok(found.texts.includes('while paused'));
    assert.deepEqual(events, [{ kind: 'behind' }]);
    await replication.resume();
    await replicaAnswers(database);
    assert.deepEqual(events.at(-1), { kind: 'used' });
    await database.close();
  });

  test('that is lost in the middle leaves the whole work to the primary', async () => {
    const database = open(replication.replica.service);
    events.length = 0;
    const places: boolean[] = [];
    await eventually('a replica that answered at first', async () => {
      places.length = 0;
      const found = await tenantTransaction(
        database,
        'acc_1',
        async (transaction) => {
          const { rows } = await sql<{ on_replica: boolean }>`
            select pg_is_in_recovery() as on_replica`.execute(transaction);
          places.push(rows[0]!.on_replica);
          if (rows[0]!.on_replica) await replication.disconnect();
          return transaction.selectFrom('notes').select('text').where('text', '=', 'while paused').execute();
        },
        { access: 'read only', onReplica: true },
      );
      assert.deepEqual(found, [{ text: 'while paused' }]);
      return places[0];
    });
    assert.deepEqual(places, [true, false]);
    assert.ok(events.some(({ kind }) => kind === 'away'));
    await database.close();
  });

  test('that does not answer leaves reads to the primary', async () => {
    const database = open(replication.replica.service);
    process.kill(replication.replica.processId, 'SIGSTOP');
    try {
      assert.deepEqual([(await read(database)).onReplica, (await read(database)).onReplica], [false, false]);
    } finally {
      process.kill(replication.replica.processId, 'SIGCONT');
    }
    await database.close();
  });

  test('behind a pooler in transaction mode answers as well', { skip: withoutPooler }, async () => {
    const pooler = await startTestPooler(replication.replica);
    const database = open(pooler.by(replication.replica.service));
    await write(database, 'by a pooler');
    const found = await read(database);
    assert.ok(found.texts.includes('by a pooler'));
    await replicaAnswers(database);
    await database.close();
    pooler.stop();
  });

  test('is not asked if it is the primary, or nothing answers there', async () => {
    for (const [replica, reason] of [
      [replication.primary.service, /not a replica/],
      [{ ...replication.replica.service, host: '127.0.0.1', port: 1 }, /ECONNREFUSED/],
    ] as const) {
      events.length = 0;
      const database = open(replica);
      const found = await read(database);
      assert.equal(found.onReplica, false);
      assert.ok(found.texts.includes('while paused'));
      const [event, ...others] = events;
      assert.deepEqual(others, []);
      assert.ok(event?.kind === 'away' && reason.test(event.reason), JSON.stringify(event));
      await database.close();
    }
  });

  test('of another history is not asked', async () => {
    const database = open(replication.replica.service);
    await replication.promote();
    events.length = 0;
    await write(database, 'after the promotion');
    const found = await read(database);
    assert.equal(found.onReplica, false);
    assert.ok(found.texts.includes('after the promotion'));
    assert.equal(events[0]?.kind, 'away');
    await database.close();
  });
});
