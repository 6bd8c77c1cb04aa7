import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { isFull } from './unavailable.ts';

/** What is written into each folder to see whether there is room: more than a file system keeps in its own records. */
const probe = new Uint8Array(64 * 1024);
/** Readiness is asked for often, and by anybody: what was found holds for so long. */
const heldForMs = 2_000;
/** A disk that answers no sooner takes no data either. */
const longestProbeMs = 2_000;

/**
 * Tells whether there is room to store data, in folders and in the database: for readiness checks. It writes a little,
 * and takes it back.
 *
 * @param folders on this machine; those of the database too, where it runs here
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
 * A temporary table grows its file at once, by what does not compress. Whatever else keeps it from being made, such as a
 * missing right or a database that is away, is not about room.
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
