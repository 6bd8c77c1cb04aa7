import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import type { BlobDriver } from '@millrace/blobs';
import { migrate } from '@millrace/postgres';
import { copyIn } from '@millrace/postgres/copy';
import type { PostgresServer } from '@millrace/postgres/server';
import type { Migration } from 'kysely/migration';
import { Client } from 'pg';
import * as z from 'zod';
import { type Manifest, readManifest, type SchemaContent, sha256Of } from './manifest.ts';
import { type PartStore, readLines, readParts } from './parts.ts';
import { tablesOf } from './take.ts';

export interface RestoreTarget {
  readonly server: PostgresServer;
  /** The migrations of each schema, by its name. */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, Migration>>>>;
  readonly originals: BlobDriver;
  readonly encryptionKey: Uint8Array;
  readonly anchorFile: string;
}

const Original = z.strictObject({ blobKey: z.string(), sizeBytes: z.int(), sha256: z.hex() });

/** Originals that are copied at the same time. */
const concurrency = 8;

/**
 * Restores a backup into an empty place: originals first, then the tables in one transaction. The tables are as the
 * migrations of that time leave them; the next start runs those that came since.
 *
 * @throws Error if the place is not empty, or if the backup was interrupted, is damaged, has another encryption key or
 * comes from a newer version
 */
export async function restoreBackup(target: RestoreTarget, place: BlobDriver): Promise<Manifest> {
  const manifest = await readManifest(place, target.encryptionKey);
  const store: PartStore = { place, encryptionKey: target.encryptionKey, backupId: manifest.id };
  const migrations = new Map(manifest.schemas.map((schema) => [schema.name, migrationsOf(target, schema)]));
  await using opened = new AsyncDisposableStack();
  const client = new Client({
    ...target.server.owner,
    application_name: 'millrace restore',
    options: '-c millrace.tenant=* -c timezone=UTC -c datestyle=ISO -c statement_timeout=0',
  });
  client.on('error', () => undefined);
  await client.connect();
  opened.defer(() => client.end());
  await checkEmpty(target, client);

  await restoreOriginals(store, manifest, target.originals);
  for (const [name, ran] of migrations) {
    const schema = name === 'public' ? {} : { schema: name };
    await migrate({ connection: target.server.owner, migrations: ran, ...schema, ...target.server.serviceLogin });
  }
  await client.query('begin');
  for (const schema of manifest.schemas) await restoreSchema(client, store, schema);
  await client.query('commit');
  for await (const bytes of readParts(store, manifest.auditAnchors)) {
    await appendFile(target.anchorFile, bytes, { mode: 0o600, flush: true });
  }
  return manifest;
}

/** The migrations that had run when the backup was taken. */
function migrationsOf(target: RestoreTarget, { name, migrations }: SchemaContent): Record<string, Migration> {
  const known = target.schemas[name] ?? {};
  return Object.fromEntries(
    migrations.map((ran) => {
      const migration = known[ran];
      if (migration === undefined) {
        throw new Error(`This backup comes from a newer version of Millrace (${ran}). Restore it with that one.`);
      }
      return [ran, migration];
    }),
  );
}

async function checkEmpty({ schemas, originals, anchorFile }: RestoreTarget, client: Client): Promise<void> {
  const { rows } = await client.query<{ schemaname: string }>(
    `select schemaname from pg_tables where tablename = 'kysely_migration' and schemaname = any($1)`,
    [Object.keys(schemas)],
  );
  if (rows.length > 0) {
    throw new Error('The database already has tables of Millrace. Restore into an empty one.');
  }
  if (!(await originals.isEmpty())) {
    throw new Error(
      'The store of originals (BLOB_URL, or blobs in the data folder) is not empty. Choose an empty one.',
    );
  }
  if (existsSync(anchorFile)) throw new Error(`${anchorFile} exists already. Choose an empty data folder.`);
}

async function restoreOriginals(store: PartStore, manifest: Manifest, originals: BlobDriver): Promise<void> {
  const waiting = readLines(store, manifest.originals.lists);
  let count = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (;;) {
        const { value, done } = await waiting.next();
        if (done) return;
        const { blobKey, sha256 } = Original.parse(value);
        const bytes = await store.place.get(`originals/${blobKey}`);
        if (bytes === null || sha256Of(bytes) !== sha256) {
          throw new Error(`The backup is damaged: the original ${blobKey} is missing or was changed.`);
        }
        await originals.put(blobKey, bytes);
        count++;
      }
    }),
  );
  if (count !== manifest.originals.count)
    throw new Error('The backup is damaged: its lists of originals are incomplete.');
}

/** Fills a schema's tables, without their triggers and foreign keys until all rows are there. */
async function restoreSchema(client: Client, store: PartStore, content: SchemaContent): Promise<void> {
  const { name: schema } = content;
  await client.query(`set local search_path = ${schema}`);
  const known = new Map((await tablesOf(client, schema)).map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of content.tables) {
    const own = known.get(name);
    if (own === undefined || columns.some((column) => !own.has(column))) {
      throw new Error(
        `The table ${schema}.${name} of the backup is not one of Millrace’s. Restore it by hand with COPY.`,
      );
    }
  }
  for (const { parent, name, bound } of content.partitions) {
    const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]);
    if (rows[0]?.exists) continue;
    await client.query(`create table ${name} (like ${parent} including defaults)`);
    await client.query(`alter table ${name} enable row level security, force row level security`);
    await client.query(`alter table ${parent} attach partition ${name} ${bound}`);
  }
  const { rows: foreignKeys } = await client.query<{ child: string; name: string; definition: string }>(
    `select conrelid::regclass::text as child, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = $1::regnamespace`,
    [schema],
  );
  for (const { child, name } of foreignKeys) await client.query(`alter table ${child} drop constraint "${name}"`);
  const { rows: forced } = await client.query<{ name: string }>(
    'select relname as name from pg_class where relforcerowsecurity and relnamespace = $1::regnamespace',
    [schema],
  );
  for (const { name } of content.tables) await client.query(`alter table "${name}" disable trigger user`);
  // COPY refuses a table whose policies its owner is subject to.
  for (const { name } of forced) await client.query(`alter table "${name}" no force row level security`);
  if (content.tables.length > 0) {
    await client.query(`truncate ${content.tables.map(({ name }) => `"${name}"`).join(', ')}`);
  }
  for (const { name, columns, rows, parts } of content.tables) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const copied = await copyIn(client, `copy "${name}" (${list}) from stdin`, readParts(store, parts));
    if (copied !== rows) throw new Error(`The backup is damaged: ${schema}.${name} has ${copied} of ${rows} rows.`);
  }
  for (const { name, lastValue, isCalled } of content.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [`${schema}."${name}"`, lastValue, isCalled]);
  }
  for (const { child, name, definition } of foreignKeys) {
    await client.query(`alter table ${child} add constraint "${name}" ${definition}`);
  }
  for (const { name } of forced) await client.query(`alter table "${name}" force row level security`);
  for (const { name } of content.tables) await client.query(`alter table "${name}" enable trigger user`);
}
