import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Client, Pool } from 'pg';
import { openTestDatabase, type TestDatabase } from './testing.ts';
import { isUnavailable } from './unavailable.ts';

describe('an unavailable database', () => {
  let opened: TestDatabase<never>;
  before(async () => {
    opened = await openTestDatabase({});
  });
  after(() => opened.close());

  const errorOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => assert.fail('it did not fail'),
      (error: unknown) => error,
    );

  test('is distinguished from an invalid statement', async () => {
    for (const text of ['select 1 / 0', 'select nothing', 'select from nowhere', "select 'a'::int"]) {
      assert.equal(isUnavailable(await errorOf(sql.raw(text).execute(opened.database.system))), false, text);
    }
    assert.equal(isUnavailable(null), false);
  });

  test('is detected if there is no server', async () => {
    for (const host of ['/nowhere', '127.0.0.1']) {
      const client = new Client({ ...opened.owner, host, port: 1 });
      assert.equal(isUnavailable(await errorOf(client.connect())), true, host);
    }
  });

  test('is detected if all connections are in use for too long', async () => {
    const pool = new Pool({ ...opened.owner, max: 1 });
    const lent = await pool.connect();
    // The time starts here: connecting may take longer than that.
    pool.options.connectionTimeoutMillis = 20;
    assert.equal(isUnavailable(await errorOf(pool.query('select'))), true);
    lent.release();
    await pool.end();
  });

  test('is detected if the connection was closed or broke, during a statement or before it', async () => {
    const administrator = new Client(opened.owner);
    await administrator.connect();
    const ended = new Client(opened.owner);
    ended.on('error', () => undefined);
    await ended.connect();
    const { rows } = await ended.query<{ pid: number }>('select pg_backend_pid() as pid');
    const under = errorOf(ended.query('select pg_sleep(10)'));
    await administrator.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    assert.equal(isUnavailable(await under), true);
    assert.equal(isUnavailable(await errorOf(ended.query('select'))), true);

    const broken = new Client(opened.owner);
    broken.on('error', () => undefined);
    await broken.connect();
    const cut = errorOf(broken.query('select pg_sleep(10)'));
    (broken as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    assert.equal(isUnavailable(await cut), true);
    await administrator.end();
  });

  test('is detected if it accepts no connections', async () => {
    const administrator = new Client({ ...opened.owner, database: 'postgres' });
    await administrator.connect();
    const name = String(opened.owner.database);
    await administrator.query(`alter database ${name} allow_connections false`);
    assert.equal(isUnavailable(await errorOf(new Client(opened.owner).connect())), true);
    await administrator.query(`alter database ${name} allow_connections true`);
    await administrator.end();
  });

  test('is detected if a disk is full', { skip: !existsSync('/dev/full') && 'needs /dev/full' }, async () => {
    assert.equal(isUnavailable(await errorOf(writeFile('/dev/full', 'x'))), true);
  });
});
