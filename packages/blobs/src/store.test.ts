import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type BlobStore, openBlobStore, openDriver } from './store.ts';
import { type ObjectServer, startObjectServer } from './testing.ts';

const key = randomBytes(32);

interface Place {
  readonly url: string;
  /** Every stored byte string, as it is stored. */
  stored(): Promise<Buffer[]>;
  /** Replaces the content of the one stored name. */
  replace(bytes: Buffer): Promise<void>;
  remove(): Promise<void>;
}

const drivers: Record<string, () => Promise<Place>> = { folder: folderPlace, S3: bucketPlace };

for (const [name, createPlace] of Object.entries(drivers)) {
  describe(`a blob store in ${name}`, () => {
    let place: Place;
    let store: BlobStore;
    before(async () => {
      place = await createPlace();
      store = await openBlobStore(place.url, [key]);
    });
    after(async () => {
      await store.close();
      await place.remove();
    });

    test('returns what was stored, until it is replaced or deleted', async () => {
      assert.equal(await store.get('acc_1/doc_1'), null);
      await store.put('acc_1/doc_1', Buffer.from('first'));
      assert.deepEqual(Buffer.from((await store.get('acc_1/doc_1'))!), Buffer.from('first'));
      await store.put('acc_1/doc_1', Buffer.from('second'));
      assert.deepEqual(Buffer.from((await store.get('acc_1/doc_1'))!), Buffer.from('second'));
      await store.delete('acc_1/doc_1');
      assert.equal(await store.get('acc_1/doc_1'), null);
      await store.delete('acc_1/doc_1');
    });

    test('is empty without blobs', async () => {
      const driver = await openDriver(place.url);
      assert.equal(await driver.isEmpty(), true);
      await store.put('acc_1/doc_1', Buffer.from('first'));
      assert.equal(await driver.isEmpty(), false);
      await store.delete('acc_1/doc_1');
      await driver.close();
    });

    test('stores any bytes of any size', async () => {
      for (const size of [0, 1, 65_536, 5_000_000]) {
        const bytes = randomBytes(size);
        await store.put('sizes/one', bytes);
        assert.ok(bytes.equals((await store.get('sizes/one'))!), `${size} bytes`);
      }
      await store.delete('sizes/one');
    });

    test('allows concurrent writers and readers, each seeing a complete value', async () => {
      const values = Array.from({ length: 10 }, (_, n) => Buffer.alloc(50_000, n));
      await Promise.all(
        values.map(async (value) => {
          await store.put('at-once/one', value);
          const read = await store.get('at-once/one');
          assert.ok(values.some((candidate) => candidate.equals(read!)));
        }),
      );
      await store.delete('at-once/one');
    });

    test('stores nothing in plain text, and detects a change', async () => {
      await store.put('secret/one', Buffer.from('Invoice 4711 of Example Ltd'));
      const [stored] = await place.stored();
      assert.ok(stored && !stored.includes('Invoice'));
      stored[stored.length - 20]! ^= 1;
      await place.replace(stored);
      await assert.rejects(store.get('secret/one'), { code: 'tampered' });
      await store.delete('secret/one');
    });

    test('decrypts with an earlier key after a new one is put in front of it', async () => {
      await store.put('rotation/one', Buffer.from('old'));
      const other = randomBytes(32);
      const rotated = await openBlobStore(place.url, [other, key]);
      assert.deepEqual(Buffer.from((await rotated.get('rotation/one'))!), Buffer.from('old'));
      await rotated.put('rotation/one', Buffer.from('new'));
      await assert.rejects(store.get('rotation/one'), { code: 'unknown_key' });
      await rotated.delete('rotation/one');
      await rotated.close();
    });

    test('rejects keys that could point outside the store', async () => {
      const keys = [
        '',
        '/',
        '.',
        '..',
        '../x',
        'a/../b',
        'a//b',
        '/a',
        'a/',
        '.hidden',
        'a/.hidden',
        'a\\b',
        'a\0b',
        'a b',
        'a%2e',
        'ä',
        'x'.repeat(129),
        'a/b/c/d/e/f/g/h/i',
      ];
      for (const bad of keys) {
        await assert.rejects(store.put(bad, Buffer.alloc(1)), /not a valid blob key/, bad);
        await assert.rejects(store.get(bad), /not a valid blob key/, bad);
        await assert.rejects(store.delete(bad), /not a valid blob key/, bad);
      }
    });
  });
}

test('the folder is private to its owner and contains no partly written file', async () => {
  const place = await folderPlace();
  const root = new URL(place.url).pathname;
  const store = await openBlobStore(place.url, [key]);
  await store.put('acc_1/doc_1', Buffer.from('x'));
  assert.equal((await stat(join(root, 'acc_1'))).mode & 0o077, 0);
  assert.equal((await stat(join(root, 'acc_1/doc_1'))).mode & 0o077, 0);
  assert.deepEqual(await readdir(join(root, '.incoming')), []);
  await writeFile(join(root, '.incoming/left'), 'half');
  await writeFile(join(root, '.incoming/being-written'), 'half');
  await utimes(join(root, '.incoming/left'), 0, 0);
  await openBlobStore(place.url, [key]);
  assert.deepEqual(await readdir(join(root, '.incoming')), ['being-written']);
  await place.remove();
});

test('a busy S3 server is retried, and a wrong secret is an error', async () => {
  const server = await startObjectServer(credentials);
  const store = await openBlobStore(bucketUrl(server), [key]);
  server.busyAnswers = 1;
  await store.put('busy/one', Buffer.from('x'));
  assert.deepEqual([...server.objects.keys()], ['/documents/originals/busy/one']);
  const stranger = await openBlobStore(bucketUrl(server).replace('s%2F', 'wrong'), [key]);
  await assert.rejects(stranger.get('busy/one'), { name: 'SignatureDoesNotMatch' });
  await Promise.all([store.close(), stranger.close()]);
  await server.close();
});

test('an error about an invalid URL does not contain its credentials', async () => {
  for (const url of [
    '',
    'blobs',
    'ftp://host/',
    's3://',
    's3://id:hunter2@bucket?regoin=x',
    's3://id:hunter2@bucket?endpoint=ftp://x',
  ]) {
    await assert.rejects(
      openBlobStore(url, [key]),
      (error: Error) => /URL/.test(error.message) && !error.message.includes('hunter2'),
      url,
    );
  }
});

async function folderPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'millrace-blobs-'));
  const paths = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  return {
    url: pathToFileURL(root).href,
    stored: async () => Promise.all((await paths()).map((path) => readFile(path))),
    replace: async (bytes) => writeFile((await paths())[0]!, bytes),
    remove: () => rm(root, { recursive: true }),
  };
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 's/ecret+key' };

function bucketUrl(server: ObjectServer): string {
  const { accessKeyId, secretAccessKey } = credentials;
  const user = `${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secretAccessKey)}`;
  return `s3://${user}@documents/originals?endpoint=${encodeURIComponent(server.endpoint)}&pathStyle=true`;
}

async function bucketPlace(): Promise<Place> {
  const server = await startObjectServer(credentials);
  return {
    url: bucketUrl(server),
    stored: async () => [...server.objects.values()].map((bytes) => Buffer.from(bytes)),
    replace: async (bytes) => void server.objects.set([...server.objects.keys()][0]!, bytes),
    remove: () => server.close(),
  };
}
