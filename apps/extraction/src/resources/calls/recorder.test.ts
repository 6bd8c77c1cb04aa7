import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../../database/testing.ts';
import { createKey } from '../keys/store.ts';
import { createCallRecorder, removeOldCalls } from './recorder.ts';
import { listCalls } from './store.ts';

describe('the log of calls', () => {
  let opened: ExtractionTestDatabase;
  before(async () => {
    opened = await openExtractionTestDatabase();
  });
  after(() => opened?.close());

  async function addKey() {
    const accountId = await opened.addAccount();
    const { key } = await tenantTransaction(opened.database, accountId, (transaction) =>
      createKey(transaction, { name: 'Test' }),
    );
    return { accountId, keyId: key.id };
  }
  const call = (key: { accountId: string; keyId: string }, changes: object = {}) => ({
    ...key,
    atMs: Date.now(),
    method: 'GET',
    route: '/api/external/v1/health',
    status: 200,
    latencyMs: 1,
    errorCode: null,
    documentId: null,
    jobId: null,
    ...changes,
  });
  const none = { keyId: null, statuses: null, from: null, to: null } as const;
  const logged = (accountId: string) =>
    tenantTransaction(opened.database, accountId, (transaction) =>
      listCalls(transaction, none, { before: null, limit: 10_000 }),
    );

  test('is written at a stop, with what came last', async () => {
    const key = await addKey();
    const recorder = createCallRecorder({ database: opened.database, onError: rethrow });
    for (let status = 200; status < 205; status++) recorder.record(call(key, { status }));
    await recorder.stop();
    recorder.record(call(key, { status: 299 }));
    assert.deepEqual((await logged(key.accountId)).map(({ status }) => status).sort(), [200, 201, 202, 203, 204]);
  });

  test('of an account has a bound, beyond which the oldest go', async () => {
    const [busy, calm] = [await addKey(), await addKey()];
    const recorder = createCallRecorder({ database: opened.database, onError: rethrow, kept: 100, trimEvery: 50 });
    recorder.record(call(calm));
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 60; index++) recorder.record(call(busy, { status: 200 + round }));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await recorder.stop();
    const calls = await logged(busy.accountId);
    assert.equal(calls.length, 100);
    assert.ok(calls.every(({ status }) => status >= 203));
    assert.equal((await logged(calm.accountId)).length, 1);
  });

  test('reports what could not be written, and continues', async () => {
    const key = await addKey();
    const errors: unknown[] = [];
    const recorder = createCallRecorder({ database: opened.database, onError: (error) => errors.push(error) });
    recorder.record(call({ ...key, accountId: 'acc_nobody' }));
    await eventually('the error', () => errors.length > 0);
    recorder.record(call(key));
    await recorder.stop();
    assert.equal(errors.length, 1);
    assert.equal((await logged(key.accountId)).length, 1);
  });

  test('is in the order of the times that it shows, however long a call took', async () => {
    const key = await addKey();
    const recorder = createCallRecorder({ database: opened.database, onError: rethrow });
    const atMs = Date.now() - 60_000;
    // Answered in another order than they came in.
    recorder.record(call(key, { atMs: atMs + 2_000, latencyMs: 5 }));
    recorder.record(call(key, { atMs: atMs + 1_000, latencyMs: 3_000 }));
    recorder.record(call(key, { atMs, latencyMs: 20_000 }));
    await recorder.stop();
    const times = (await logged(key.accountId)).map(({ at }) => at.getTime() - atMs);
    assert.deepEqual(times, [2_000, 1_000, 0]);
  });

  test('takes a bounded number that waits, and counts the rest', async () => {
    const key = await addKey();
    const errors: Error[] = [];
    const recorder = createCallRecorder({ database: opened.database, onError: (error) => errors.push(error as Error) });
    for (let index = 0; index < 20_003; index++) recorder.record(call(key));
    await recorder.stop();
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['3 calls were not logged: too many were waiting.'],
    );
  });

  test('keeps calls for 7 days', async () => {
    const key = await addKey();
    const recorder = createCallRecorder({ database: opened.database, onError: rethrow });
    const dayMs = 24 * 3_600_000;
    for (const days of [0, 6.9, 7.1]) recorder.record(call(key, { atMs: Date.now() - days * dayMs }));
    await recorder.stop();
    assert.equal((await logged(key.accountId)).length, 2);
    await removeOldCalls(opened.database);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from api_calls where account_id = ${key.accountId}`.execute(opened.database.system);
    assert.equal(rows[0]!.count, 2);
  });
});

function rethrow(error: unknown): never {
  throw error;
}
