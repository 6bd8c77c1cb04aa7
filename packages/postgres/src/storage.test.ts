import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { createStorageCheck } from './storage.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

/** Long enough for the result of a check to expire. */
const forgottenMs = 2_100;

describe('a check for room', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-room-'));
  const filler = join(folder, 'filler');
  let isMounted = false;
  let opened: TestDatabase<never>;
  before(async () => {
    opened = await openTestDatabase({});
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
      isMounted = true;
    } catch {
      // Not everybody may mount.
    }
  });
  after(async () => {
    await opened.close();
    if (isMounted) execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Until nothing more fits. */
  function fill(): void {
    assert.throws(() => writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024)), { code: 'ENOSPC' });
  }

  test('fails while a folder is full, and passes once there is space again', async (context) => {
    if (!isMounted) return context.skip('no file system can be mounted here');
    const hasRoom = createStorageCheck(opened.database, [folder]);
    assert.equal(await hasRoom(), true);
    fill();
    await pause(forgottenMs);
    assert.equal(await hasRoom(), false);
    rmSync(filler);
    await pause(forgottenMs);
    assert.equal(await hasRoom(), true);
  });

  test('fails while the database’s disk is full, and passes once there is space again', async (context) => {
    if (!isMounted) return context.skip('no file system can be mounted here');
    const fresh = await openTestDatabase<never>({});
    const owner = new Client(fresh.owner);
    await owner.connect();
    try {
      const { rows } = await owner.query(`select current_setting('data_directory') as directory`);
      // The server takes a tablespace only in a folder of its own.
      const { uid, gid } = statSync(rows[0].directory);
      chownSync(folder, uid, gid);
      const name = `room_${process.pid}`;
      await owner.query(`create tablespace ${name} location '${folder}'`);
      await owner.query(`grant create on tablespace ${name} to public`);
      await owner.query(`alter database ${fresh.owner.database} set temp_tablespaces = ${name}`);
      // The pool has no connection yet: those that it makes have the tablespace.
      assert.equal(await createStorageCheck(fresh.database, [])(), true);
      fill();
      assert.equal(await createStorageCheck(fresh.database, [])(), false);
      rmSync(filler);
      assert.equal(await createStorageCheck(fresh.database, [])(), true);
      await owner.query(`alter database ${fresh.owner.database} reset temp_tablespaces`);
      await owner.query(`drop tablespace ${name}`);
    } finally {
      await owner.end();
      await fresh.close();
    }
  });
});
