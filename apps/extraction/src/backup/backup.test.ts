import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type BlobDriver, openBlobStore, openDriver } from '@millrace/blobs';
import { type ObjectServer, startObjectServer } from '@millrace/blobs/testing';
import { tenantTransaction } from '@millrace/postgres';
import type { PostgresServer } from '@millrace/postgres/server';
import { Client } from 'pg';
import { migrations } from '../database/migrations.ts';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { newId } from '../identifiers.ts';
import { purgeOriginals, removeDocuments } from '../resources/documents/removal.ts';
import { restoreBackup } from './restore.ts';
import { takeBackup } from './take.ts';

const documentCount = 40;

describe('backup and restore', () => {
  const encryptionKey = randomBytes(32);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-backup-'));
  const role = `owner_${randomBytes(6).toString('hex')}`;
  let opened: ExtractionTestDatabase;
  let accountId: string;
  let originals: BlobDriver;
  let administrator: Client;
  let bucket: ObjectServer;

  before(async () => {
    opened = await openExtractionTestDatabase();
    accountId = await opened.addAccount('Müller & "Söhne"\t\\N');
    bucket = await startObjectServer({ accessKeyId: 'key', secretAccessKey: 'secret' });
    originals = await openDriver(urlOf('originals'));
    administrator = new Client(opened.owner);
    await administrator.connect();
    // A plain role, as managed databases have.
    await administrator.query(`create role ${role} login password 'of a test'; grant millrace_service to ${role}`);
    for (let index = 0; index < documentCount; index++) await addDocument(index);
  });
  after(async () => {
    await administrator.query(`drop role ${role}`);
    await administrator.end();
    await opened.close();
    await bucket.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** In the test's folder, or in its bucket where the name begins with `bucket`. */
  const urlOf = (name: string) =>
    name.startsWith('bucket')
      ? `s3://key:secret@backups/${name}?endpoint=${encodeURIComponent(bucket.endpoint)}&pathStyle=true`
      : pathToFileURL(join(folder, name)).href;

  async function addDocument(index: number): Promise<void> {
    const blobs = await openBlobStore(urlOf('originals'), [encryptionKey]);
    const id = newId('doc');
    const bytes = randomBytes(2_000 + index);
    await blobs.put(`${accountId}/${id}`, bytes);
    await opened.database.system
      .insertInto('documents')
      .values({
        id,
        account_id: accountId,
        reference: `D-${index}`,
        source: 'api',
        file_name: `line\nbreak \\ ${index}.pdf`,
        media_type: 'application/pdf',
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest(),
        doc_type: 'invoice',
        state: 'done',
        blob_key: `${accountId}/${id}`,
      })
      .execute();
  }

  const back = (name: string, from = originals) =>
    openDriver(urlOf(name)).then((place) =>
      takeBackup(
        {
          connection: opened.owner,
          schemas: ['public'],
          originals: from,
          encryptionKey,
          anchorFile: join(folder, 'no-anchors'),
          version: '0.1.0',
        },
        place,
      ),
    );

  /** Restores into a new database of the plain role, lets `check` look at it, and drops it. */
  async function restore(
    name: string,
    {
      key = encryptionKey,
      into = `restored-${randomBytes(4).toString('hex')}`,
      check = async () => undefined,
    }: {
      readonly key?: Buffer;
      readonly into?: string;
      readonly check?: (client: Client, again: () => Promise<unknown>) => Promise<void>;
    } = {},
  ): Promise<void> {
    const database = `restored_${randomBytes(6).toString('hex')}`;
    await administrator.query(`create database ${database} owner ${role}`);
    const connection = { ...opened.owner, database, user: role, password: 'of a test' };
    const server: PostgresServer = {
      owner: connection,
      service: connection,
      serviceLogin: {},
      failed: new Promise(() => undefined),
      stop: async () => undefined,
    };
    const client = new Client({ ...connection, options: '-c millrace.tenant=*' });
    const run = async () =>
      restoreBackup(
        {
          server,
          schemas: { public: migrations },
          originals: await openDriver(urlOf(into)),
          encryptionKey: key,
          anchorFile: join(folder, 'no-anchors'),
        },
        await openDriver(urlOf(name)),
      );
    try {
      await run();
      await client.connect();
      await check(client, run);
    } finally {
      await client.end();
      await administrator.query(`drop database ${database} with (force)`);
    }
  }

  test('restores every document of a backup during which all of them were changed and removed', async () => {
    const { rows: expected } = await administrator.query('select * from documents order by id');
    const { rows: expectedAccounts } = await administrator.query('select * from accounts');
    let isRemoved = false;
    const underLoad: BlobDriver = {
      ...originals,
      get: async (key) => {
        if (!isRemoved) {
          isRemoved = true;
          const ids = expected.map(({ id }) => id);
          const removed = await tenantTransaction(opened.database, accountId, (transaction) =>
            removeDocuments(transaction, ids.slice(0, documentCount / 2), { lessons: true }),
          );
          const blobs = await openBlobStore(urlOf('originals'), [encryptionKey]);
          await purgeOriginals({ database: opened.database, blobs }, accountId, removed);
          await opened.database.system.updateTable('accounts').set({ name: 'Renamed' }).execute();
          await addDocument(documentCount);
        }
        return originals.get(key);
      },
    };
    const manifest = await back('under-load', underLoad);
    assert.deepEqual([manifest.originals.count, manifest.originals.missing], [documentCount, 0]);

    await restore('under-load', {
      into: 'whole',
      check: async (client, again) => {
        const { rows } = await client.query('select * from documents order by id');
        assert.deepEqual(rows, expected);
        assert.deepEqual((await client.query('select * from accounts')).rows, expectedAccounts);
        const blobs = await openBlobStore(urlOf('whole'), [encryptionKey]);
        for (const { blob_key, sha256 } of rows) {
          const bytes = await blobs.get(blob_key);
          assert.ok(bytes && createHash('sha256').update(bytes).digest().equals(sha256), blob_key);
        }
        const protection = `select relname, relrowsecurity, relforcerowsecurity from pg_class
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`;
        assert.deepEqual((await client.query(protection)).rows, (await administrator.query(protection)).rows);
        await assert.rejects(again(), /already has tables of Millrace/);
        await assert.rejects(
          client.query(
            `insert into api_keys (id, account_id, name, prefix, key_hash) values ('k', 'none', '', '', '')`,
          ),
          /foreign key/,
        );
      },
    });
  });

  test('backs up to S3 and restores into S3, while the bucket is busy and answers break off', async () => {
    const { rows: expected } = await administrator.query(
      'select * from documents where deleted_at is null order by id',
    );
    bucket.busyAnswers = 3;
    const manifest = await back('bucket-backup');
    assert.equal(manifest.originals.count, expected.length);
    bucket.truncatedAnswers = 3;
    await restore('bucket-backup', {
      into: 'bucket-restored',
      check: async (client) => {
        assert.equal(bucket.truncatedAnswers, 0);
        const { rows } = await client.query('select * from documents where deleted_at is null order by id');
        assert.deepEqual(rows, expected);
        const blobs = await openBlobStore(urlOf('bucket-restored'), [encryptionKey]);
        for (const { blob_key, sha256 } of rows) {
          const bytes = await blobs.get(blob_key);
          assert.ok(bytes && createHash('sha256').update(bytes).digest().equals(sha256), blob_key);
        }
      },
    });
  });

  test('stores no value in plain text', async () => {
    await back('sealed');
    const driver = await openDriver(urlOf('sealed'));
    const sealed = await driver.get('tables/public.accounts/000001');
    assert.ok(sealed && Buffer.from(sealed.subarray(0, 4)).toString() === 'MRS1');
    await assert.rejects(back('sealed'), /not empty/);
  });

  test('rejects what is interrupted, damaged, or of another key, and a place that is not empty', async () => {
    const failing: BlobDriver = {
      ...originals,
      get: () => Promise.reject(new Error('The disk is gone.')),
    };
    await assert.rejects(back('interrupted', failing), /The disk is gone/);
    await assert.rejects(restore('interrupted'), /was interrupted/);
    await assert.rejects(restore('nothing'), /There is no backup/);

    await back('good');
    await assert.rejects(restore('good', { key: randomBytes(32) }), /encryption key is not the one/);
    await assert.rejects(restore('good', { into: 'originals' }), /store of originals .* not empty/);
    const [original = ''] = await readdir(join(folder, 'good', 'originals', accountId));
    await writeFile(join(folder, 'good', 'originals', accountId, original), 'changed');
    await assert.rejects(restore('good'), /original .* is missing or was changed/);

    await back('without-rows');
    await rm(join(folder, 'without-rows', 'tables', 'public.documents', '000001'));
    await assert.rejects(restore('without-rows'), /documents\/000001 is missing/);
  });
});
