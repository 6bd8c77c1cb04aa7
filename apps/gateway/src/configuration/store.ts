import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slices } from '@millrace/data-plane/slices';
import type { RevisionContent } from '@millrace/revision/content';
import { sha256 } from './checks.ts';
import { type Files, replaceFile, replaceFileNow, temporaryEnding } from './files.ts';

/** The last good configuration on disk. It is checked when read as if it had just been received. */
export interface Store {
  readConfiguration(): Promise<Buffer | null>;
  writeConfiguration(file: Uint8Array): Promise<void>;
  readContent(hash: string): Promise<Buffer | null>;
  /** Synchronously, for the compiler. @throws Error if it is missing or damaged */
  contentNow(hash: string): RevisionContent;
  writeContents(contents: readonly { readonly hash: string; readonly text: string }[]): Promise<void>;
  /** Removes contents with other hashes, and incomplete files. */
  keepContents(hashes: ReadonlySet<string>): Promise<void>;
  /** Sequences of pages from the first consumer, newest sequence first. */
  consumerRows(): Promise<readonly number[]>;
  readConsumers(row: number, after: number): Promise<Buffer | null>;
  writeConsumers(row: number, after: number, file: Uint8Array): Promise<void>;
  /** Removes the pages of other sequences. */
  keepConsumers(row: number): Promise<void>;
  /** Removes everything, as it belongs to another registration. */
  clear(): Promise<void>;
}

/** Folders that the store needs. */
export const storeFolders = ['contents', 'consumers'] as const;

/** @param directory with its {@link storeFolders} */
export function createStore(files: Files, directory: string): Store {
  const configuration = join(directory, 'configuration.json');
  const [contents, consumers] = storeFolders.map((folder) => join(directory, folder)) as [string, string];
  const contentAt = (hash: string) => join(contents, `${hash}.json`);
  const pageAt = (row: number, after: number) => join(consumers, `${row}-${after}.json`);

  const removeFrom = async (folder: string, isWanted: (name: string) => boolean): Promise<void> => {
    const breathe = slices();
    for (const name of await files.list(folder)) {
      if (!isWanted(name)) await files.remove(join(folder, name));
      await breathe();
    }
  };

  return {
    readConfiguration: () => files.read(configuration),
    writeConfiguration: (file) => replaceFileNow(files, configuration, file),
    readContent: (hash) => files.read(contentAt(hash)),
    contentNow(hash) {
      const bytes = readFileSync(contentAt(hash));
      if (sha256(bytes) !== hash) throw new Error('The content of a revision on disk is damaged.');
      return JSON.parse(bytes.toString('utf8'));
    },
    async writeContents(written) {
      // Concurrently: the disk writes several as fast as one.
      await Promise.all(written.map(({ hash, text }) => replaceFile(files, contentAt(hash), text)));
      await files.sync(contents);
    },
    keepContents: (hashes) => removeFrom(contents, (name) => hashes.has(name.replace(/\.json$/, ''))),
    async consumerRows() {
      const names = await files.list(consumers);
      const rows = names.filter((name) => !name.endsWith(temporaryEnding)).map((name) => Number.parseInt(name, 10));
      return [...new Set(rows)].filter(Number.isSafeInteger).sort((first, second) => second - first);
    },
    readConsumers: (row, after) => files.read(pageAt(row, after)),
    writeConsumers: (row, after, file) => replaceFileNow(files, pageAt(row, after), file),
    keepConsumers: (row) => removeFrom(consumers, (name) => name.startsWith(`${row}-`)),
    async clear() {
      await files.remove(configuration);
      await removeFrom(contents, () => false);
      await removeFrom(consumers, () => false);
    },
  };
}
