import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Client } from 'pg';
import { migrate } from './database.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

const migrationOf = (statement: string): Migration => ({
  up: async (database: Kysely<unknown>) => void (await sql.raw(statement).execute(database)),
});
const released = {
  '0001-first': migrationOf('create table first (name text)'),
  '0002-second': migrationOf('create table second (name text)'),
};

let opened: TestDatabase<never>;
before(async () => {
  opened = await openTestDatabase<never>(released);
});
after(() => opened.close());

async function connected(): Promise<Client> {
  const client = new Client({ ...opened.owner });
  await client.connect();
  return client;
}

test('a migration gives way to a service, and runs once the service is done', async () => {
  const service = await connected();
  await service.query('begin; insert into first values ($$before$$)');
  const migrations = {
    ...released,
    // In the order that would be a deadlock with the service.
    '0003-third': migrationOf('alter table second add column third text; alter table first add column third text'),
    '0004-fourth': migrationOf('alter table second add column fourth text'),
  };
  let isDone = false;
  const migrated = migrate({ connection: opened.owner, migrations }).then(() => {
    isDone = true;
  });
  const observer = await connected();
  await eventually('the migration to wait', async () => {
    const { rows } = await observer.query(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like 'alter table%'`);
    return rows.length > 0;
  });
  const beganMs = performance.now();
  await service.query('insert into second values ($$during$$)');
  assert.ok(performance.now() - beganMs < 5_000, 'the service is not held up for as long as the migration waits');
  await sleep(200);
  assert.equal(isDone, false);
  await service.query('commit');
  await migrated;
  const { rows } = await observer.query('select third, fourth from second');
  assert.deepEqual(rows, [{ third: null, fourth: null }]);
  await Promise.all([service.end(), observer.end()]);
});

test('a version starts on a schema that a newer one has migrated, and warns', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  await migrate({ connection: opened.owner, migrations: released, onWarning });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /newer version .*\(0004-fourth\)/);
});

test('a version of another line does not start', async () => {
  const other = { ...released, '0003-other': migrationOf('create table other (name text)') };
  await assert.rejects(migrate({ connection: opened.owner, migrations: other }), /missing/);
});
