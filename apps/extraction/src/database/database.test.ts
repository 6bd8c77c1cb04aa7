import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from './testing.ts';

describe('tenancy', () => {
  let opened: ExtractionTestDatabase;
  let first: string;
  let second: string;
  before(async () => {
    opened = await openExtractionTestDatabase();
    first = await opened.addAccount('First');
    second = await opened.addAccount('Second');
  });
  after(() => opened.close());

  test('a transaction sees the rows of its account, also without a filter', async () => {
    const seen = await tenantTransaction(opened.database, first, (transaction) =>
      transaction.selectFrom('accounts').select('id').execute(),
    );
    assert.deepEqual(seen, [{ id: first }]);
  });

  test('a row of another account cannot be written', async () => {
    const write = tenantTransaction(opened.database, first, (transaction) =>
      transaction
        .insertInto('webhook_endpoints')
        .values({ id: 'whe_1', account_id: second, url: 'https://example.com', events: ['extraction.completed'] })
        .execute(),
    );
    await assert.rejects(write, /row-level security/);
  });

  test('a read sees its account alone, whatever the connection was used for before, and writes nothing', async () => {
    const names = (account: string) =>
      tenantTransaction(
        opened.database,
        account,
        (reading) => reading.selectFrom('accounts').select('name').execute(),
        {
          access: 'read only',
        },
      );
    const read = await Promise.all([first, second, first, second].flatMap((id) => Array(20).fill(id)).map(names));
    for (const [index, rows] of read.entries()) {
      assert.deepEqual(rows, [{ name: Math.floor(index / 20) % 2 === 0 ? 'First' : 'Second' }]);
    }
    const write = tenantTransaction(
      opened.database,
      first,
      (reading) => reading.updateTable('accounts').set({ name: 'Renamed' }).execute(),
      { access: 'read only' },
    );
    await assert.rejects(write, /read-only/);
  });

  test('outside of a tenant transaction its connections show nothing', async () => {
    const connection = await opened.database.lendTenantConnection();
    connection.readAs('');
    assert.deepEqual(await connection.statements.selectFrom('accounts').select('id').execute(), []);
    connection.release(true);
    assert.equal((await opened.database.system.selectFrom('accounts').select('id').execute()).length, 2);
  });

  test('what a transaction did is gone when it throws', async () => {
    const failing = tenantTransaction(opened.database, first, async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'Renamed' }).where('id', '=', first).execute();
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    const { name } = await opened.database.system
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    assert.equal(name, 'First');
  });
});
