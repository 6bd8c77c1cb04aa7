import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { isFull } from './unavailable.ts';

/** What is written to each folder to check for space: more than a file system stores in its own records. */
const probe = new Uint8Array(64 * 1024);
/** Readiness is checked often, by anyone: a result is reused for this long. */
const heldForMs = 2_000;
/** A disk that takes longer than this doesn't accept data either. */
const longestProbeMs = 2_000;

/**
 * Checks whether there is space to store data, in folders and in the database: for readiness checks. It writes a little
 * and removes it.
 *
 * @param folders on this machine, including the database's if it runs here
 */
export function createStorageCheck<Schema>(
  { system }: { readonly system: Kysely<Schema> },
  folders: readonly string[],
): () => Promise<boolean> {
  let checked: { readonly atMs: number; readonly hasRoom: Promise<boolean> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (checked === null || nowMs - checked.atMs > heldForMs) {
      const late = new Promise<boolean>((done) => setTimeout(done, longestProbeMs, false).unref());
      const found = Promise.all([...folders.map(folderHasRoom), databaseHasRoom(system)]);
      checked = { atMs: nowMs, hasRoom: Promise.race([found.then((rooms) => rooms.every(Boolean)), late]) };
    }
    return checked.hasRoom;
  };
}

async function folderHasRoom(folder: string): Promise<boolean> {
  const path = join(folder, `.room-${randomUUID()}`);
  try {
    await writeFile(path, probe, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    return !isFull(error);
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/**
 * A temporary table that grows its file immediately, with data that doesn't compress. Other failures, such as a missing
 * permission or an unreachable database, are not about space.
 */
async function databaseHasRoom<Schema>(system: Kysely<Schema>): Promise<boolean> {
  try {
    await system.transaction().execute(async (transaction) => {
      await sql`
        create temporary table room on commit drop as
        select gen_random_uuid() as filling from generate_series(1, 4000)`.execute(transaction);
    });
    return true;
  } catch (error) {
    return !isFull(error);
  }
}
