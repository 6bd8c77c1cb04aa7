import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BlobDriver } from './store.ts';

/** Blob keys have no segment that begins with a dot, so this name is free. */
const incomingName = '.incoming';
const abandonedAfterMs = 3600 * 1000;

/** Stores each blob as a file in a folder, which it creates if it is missing. */
export async function openFolder(url: URL): Promise<BlobDriver> {
  const root = fileURLToPath(url);
  const incoming = join(root, incomingName);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await removeAbandoned(incoming);

  return {
    async put(key, bytes) {
      const path = join(root, key);
      const temporary = join(incoming, randomUUID());
      await createFolder(dirname(path));
      try {
        await writeDurably(temporary, bytes);
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
    },

    async get(key) {
      try {
        return await readFile(join(root, key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    async delete(key) {
      const path = join(root, key);
      try {
        await unlink(path);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await syncFolder(dirname(path));
    },

    async isEmpty() {
      for await (const entry of await opendir(root, { recursive: true })) {
        if (entry.isFile() && entry.parentPath !== incoming) return false;
      }
      return true;
    },

    close: async () => undefined,
  };
}

/** Creates a folder and its parents so that they survive a crash of the machine. */
async function createFolder(path: string): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let created = path; created.length >= topmost.length; created = dirname(created))
    await syncFolder(dirname(created));
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.datasync();
}

/** A new name is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Removes partly written files that a crash left; only old ones, since other processes may be writing now. */
async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
