import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openDriver } from '@millrace/blobs';
import { loadEncryptionKey } from '@millrace/encryption/key';
import { openServer } from '@millrace/postgres/server';
import { blobUrlOf, readSettings, type Settings } from '@millrace/settings/extraction';
import type { Migration } from 'kysely/migration';
import { migrations } from '../database/migrations.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { takeBackup } from './take.ts';

/** What API management has in the same database and data folder. */
export interface ManagementData {
  readonly schemaName: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly anchorFile: (dataDirectory: string) => string;
}

/** What is wrong with the command line. */
class UsageError extends Error {}

/**
 * `npm run backup -- --to FOLDER|s3://…`: backs up the data of the settings, beside the running service or without it.
 * `{time}` in the place is the time of the call, such as `20260115T093000Z`.
 */
export function runBackup(words: readonly string[], management: ManagementData): Promise<void> {
  return reporting(async () => {
    const address = readAddress(words, 'to', 'npm run backup -- --to FOLDER|s3://BUCKET/PREFIX');
    const { settings } = readSettings(process.env);
    const encryptionKey = existingKey(settings);
    await using opened = new AsyncDisposableStack();
    const server = opened.adopt(await openServer({ ...settings, join: true }), ({ stop }) => stop());
    const originals = opened.adopt(await openDriver(blobUrlOf(settings)), (driver) => driver.close());
    const place = opened.adopt(await openDriver(address), (driver) => driver.close());
    const manifest = await takeBackup(
      {
        connection: server.owner,
        schemas: ['public', management.schemaName],
        originals,
        encryptionKey,
        anchorFile: management.anchorFile(settings.dataDirectory),
        version: ownVersion(),
      },
      place,
    );
    console.log(`Backed up ${contentOf(manifest)}.`);
    if (manifest.originals.missing > 0) {
      console.log(`Warning: ${manifest.originals.missing} documents had no original.`);
    }
    console.log('Keep the encryption key apart from the backup: it can’t be restored without it.');
  });
}

/** `npm run restore -- --from FOLDER|s3://…`: restores a backup into the empty database and folders of the settings. */
export function runRestore(words: readonly string[], management: ManagementData): Promise<void> {
  return reporting(async () => {
    const address = readAddress(words, 'from', 'npm run restore -- --from FOLDER|s3://BUCKET/PREFIX');
    const { settings } = readSettings(process.env);
    const encryptionKey = existingKey(settings);
    await using opened = new AsyncDisposableStack();
    const place = opened.adopt(await openDriver(address), (driver) => driver.close());
    const server = opened.adopt(await openServer({ ...settings, join: true }), ({ stop }) => stop());
    const originals = opened.adopt(await openDriver(blobUrlOf(settings)), (driver) => driver.close());
    const manifest = await restoreBackup(
      {
        server,
        schemas: { public: migrations, [management.schemaName]: management.migrations },
        originals,
        encryptionKey,
        anchorFile: management.anchorFile(settings.dataDirectory),
      },
      place,
    );
    console.log(`Restored ${contentOf(manifest)}, as of ${manifest.takenAt}.`);
  });
}

function readAddress(words: readonly string[], option: 'to' | 'from', usage: string): string {
  let given: string | undefined;
  try {
    given = parseArgs({ args: [...words], options: { [option]: { type: 'string' } } }).values[option];
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${error.message}\n${usage}`) : error;
  }
  if (given === undefined || given === '') throw new UsageError(usage);
  if (option === 'to') given = given.replaceAll('{time}', new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''));
  if (/^(s3|file):\/\//.test(given)) return given;
  // npm runs scripts in the root folder, wherever it was called.
  const folder = resolve(process.env.INIT_CWD ?? '', given);
  if (option === 'from' && !existsSync(folder)) throw new UsageError(`${folder} doesn’t exist.`);
  return pathToFileURL(folder).href;
}

/** The key in use; unlike a start of the service, this never makes a new one. */
function existingKey(settings: Settings): Buffer {
  if (settings.encryptionKey === null && !existsSync(join(settings.dataDirectory, 'encryption.key'))) {
    throw new UsageError(
      `There is no encryption key: set MILLRACE_ENCRYPTION_KEY, or put encryption.key into ${settings.dataDirectory}.`,
    );
  }
  return loadEncryptionKey(settings);
}

function contentOf({ schemas, originals }: Manifest): string {
  const tables = schemas.flatMap((schema) => schema.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString('en')} rows of ${tables.length} tables and ${originals.count.toLocaleString('en')} originals`;
}

function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}

async function reporting(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
