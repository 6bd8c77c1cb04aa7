import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { BlobDriver } from '@millrace/blobs';
import { copyOut } from '@millrace/postgres/copy';
import { Client, type PoolConfig } from 'pg';
import { holdOriginals } from './hold.ts';
import { type Manifest, type Partition, type SchemaContent, sha256Of, type Table, writeManifest } from './manifest.ts';
import { type PartStore, writeParts } from './parts.ts';

export interface BackupSource {
  /** The owner's connection. */
  readonly connection: PoolConfig;
  /** The schemas with the tables of each application; originals are those of the tables in `public`. */
  readonly schemas: readonly string[];
  /** Where originals are stored. */
  readonly originals: BlobDriver;
  readonly encryptionKey: Uint8Array;
  /** The file with the ends of the audit trails. */
  readonly anchorFile: string;
  /** Of Millrace. */
  readonly version: string;
}

/** Originals that are copied at the same time. */
const concurrency = 8;
const listLength = 10_000;

/**
 * Backs up the databases as they are at one moment, and the originals of all their documents, while the service works.
 * The manifest is written last: without it, the backup counts as interrupted.
 *
 * @param place an empty one
 * @throws Error if the place is not empty, or if another backup is running
 */
export async function takeBackup(source: BackupSource, place: BlobDriver): Promise<Manifest> {
  if (!(await place.isEmpty())) throw new Error('The place of the backup is not empty. Choose another one.');
  await using opened = new AsyncDisposableStack();
  const connect = async () => {
    const client = new Client({
      ...source.connection,
      application_name: 'millrace backup',
      keepAlive: true,
      options: '-c millrace.tenant=* -c timezone=UTC -c datestyle=ISO -c statement_timeout=0',
    });
    client.on('error', () => undefined);
    await client.connect();
    opened.defer(() => client.end());
    return client;
  };
  await holdOriginals(await connect());
  const store: PartStore = { place, encryptionKey: source.encryptionKey, backupId: randomUUID() };
  // Before the snapshot: afterwards, the file may have ends that the snapshot has not reached.
  const auditAnchors = await writeParts(store, 'audit-anchors', fileIfAny(source.anchorFile));

  const client = await connect();
  await client.query('begin isolation level repeatable read, read only');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ at: Date; version: string }>(
    `select now() as at, current_setting('server_version') as version`,
  );
  const schemas: SchemaContent[] = [];
  for (const name of source.schemas) schemas.push(await backUpSchema(client, store, name));
  const originals = await backUpOriginals(client, store, source.originals);
  const manifest: Manifest = {
    format: 1,
    id: store.backupId,
    takenAt: (rows[0]?.at ?? new Date()).toISOString(),
    version: source.version,
    postgresVersion: rows[0]?.version ?? '',
    schemas,
    originals,
    auditAnchors,
  };
  await writeManifest(place, source.encryptionKey, manifest);
  return manifest;
}

async function backUpSchema(client: Client, store: PartStore, schema: string): Promise<SchemaContent> {
  const namesOf = async (statement: string) => {
    const { rows } = await client.query<{ name: string }>(statement, [schema]);
    return rows.map(({ name }) => name);
  };
  if (!(await namesOf(`select tablename as name from pg_tables where schemaname = $1`)).includes('kysely_migration')) {
    throw new Error(`The database has no tables of Millrace in the schema ${schema}. Start the service once.`);
  }
  const migrations = await namesOf(
    `select m.name from ${schema}.kysely_migration m where $1 <> '' order by m.name collate "C"`,
  );
  const { rows: partitions } = await client.query<Partition>(
    `select parent.relname as parent, part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bound
     from pg_inherits join pg_class parent on parent.oid = inhparent join pg_class part on part.oid = inhrelid
     where parent.relnamespace = $1::regnamespace and parent.relkind = 'p'
       and pg_get_expr(part.relpartbound, part.oid) <> 'DEFAULT'
     order by 1, 2`,
    [schema],
  );
  const tables: Table[] = [];
  for (const { name, columns } of await tablesOf(client, schema)) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    let rows = 0;
    const parts = await writeParts(
      store,
      `tables/${schema}.${name}`,
      countingLines(copyOut(client, `copy (select ${list} from ${schema}."${name}") to stdout`), (count) => {
        rows += count;
      }),
    );
    tables.push({ name, columns, rows, parts });
  }
  const sequences: SchemaContent['sequences'] = [];
  for (const name of await namesOf(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = $1::regnamespace order by 1`,
  )) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${schema}."${name}"`,
    );
    for (const { last_value, is_called } of rows) sequences.push({ name, lastValue: last_value, isCalled: is_called });
  }
  return { name: schema, migrations, partitions, tables, sequences };
}

/**
 * The tables of a schema, with the columns that are stored rather than computed. Partitions are read through their
 * table; the migrations' own tables, unlogged ones and those of extensions are left out.
 */
export async function tablesOf(
  client: Client,
  schema: string,
): Promise<readonly { readonly name: string; readonly columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
       and relname not like 'kysely\\_%' and attnum > 0 and not attisdropped and attgenerated = ''
       and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')
     group by relname order by relname collate "C"`,
    [schema],
  );
  return rows;
}

async function* countingLines(source: AsyncIterable<Buffer>, count: (lines: number) => void): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    let lines = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
    count(lines);
    yield bytes;
  }
}

/** Copies the originals of all documents in the snapshot, encrypted as they are. */
async function backUpOriginals(
  client: Client,
  store: PartStore,
  originals: BlobDriver,
): Promise<Manifest['originals']> {
  const result: Manifest['originals'] = { count: 0, sizeBytes: 0, lists: [], missing: 0 };
  const copyOne = async (blobKey: string): Promise<string> => {
    const bytes = await originals.get(blobKey);
    if (bytes === null) {
      result.missing++;
      return '';
    }
    await store.place.put(`originals/${blobKey}`, bytes);
    result.count++;
    result.sizeBytes += bytes.length;
    return `${JSON.stringify({ blobKey, sizeBytes: bytes.length, sha256: sha256Of(bytes) })}\n`;
  };
  async function* lines(): AsyncGenerator<Buffer> {
    await client.query(
      'declare originals no scroll cursor for select blob_key from public.documents where deleted_at is null',
    );
    for (;;) {
      const { rows } = await client.query<{ blob_key: string }>(`fetch ${listLength} from originals`);
      if (rows.length === 0) return;
      const waiting = rows.values();
      const list: string[] = [];
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (const { blob_key } of waiting) list.push(await copyOne(blob_key));
        }),
      );
      yield Buffer.from(list.join(''));
    }
  }
  result.lists = await writeParts(store, 'originals-lists', lines());
  return result;
}

async function* fileIfAny(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
