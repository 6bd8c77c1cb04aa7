import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The node's file operations, step by step. */
export interface Files {
  /** Null if the file doesn't exist. */
  read(path: string): Promise<Buffer | null>;
  /** Names in a folder; none if it doesn't exist. */
  list(folder: string): Promise<readonly string[]>;
  write(path: string, bytes: Uint8Array | string): Promise<void>;
  /** Waits until a file or folder is on the disk itself. */
  sync(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a folder with its content, if it exists. */
  remove(path: string): Promise<void>;
}

/** The machine's own, readable and writable by this user only. */
export const diskFiles: Files = {
  read: (path) => readFile(path).catch(absent(null)),
  list: (folder) => readdir(folder).catch(absent([])),
  write: (path, bytes) => writeFile(path, bytes, { mode: 0o600 }),
  async sync(path) {
    const handle: FileHandle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
};

/** The suffix of files that are not written completely yet. */
export const temporaryEnding = '.new';

/**
 * Writes a file completely or not at all, whenever the machine stops. The folder still has to be
 * synced.
 */
export async function replaceFile(files: Files, path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}${temporaryEnding}`;
  await files.write(temporary, bytes);
  await files.sync(temporary);
  await files.rename(temporary, path);
}

/** {@link replaceFile}, and waits until the new name is on disk too. */
export async function replaceFileNow(files: Files, path: string, bytes: Uint8Array | string): Promise<void> {
  await replaceFile(files, path, bytes);
  await files.sync(dirname(path));
}

function absent<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
