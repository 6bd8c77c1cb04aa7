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

  test('outside of a tenant transaction the tenant connections show nothing', async () => {
    assert.deepEqual(await opened.database.tenants.selectFrom('accounts').select('id').execute(), []);
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
