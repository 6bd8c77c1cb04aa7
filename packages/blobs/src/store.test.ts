import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type BlobStore, openBlobStore, openDriver } from './store.ts';
import { type ObjectServer, type ObjectServerOptions, startObjectServer } from './testing.ts';

const key = randomBytes(32);

interface Place {
  readonly url: string;
  remove(): Promise<void>;
}

/** An empty place in a bucket of a real server, as `BLOB_URL` has it; without it, only the tests' own server is asked. */
const givenUrl = process.env.MILLRACE_TEST_S3_URL;

const drivers: Record<string, () => Promise<Place>> = {
  folder: folderPlace,
  'S3 by path': () => bucketPlace({}),
  'S3 by host': () => bucketPlace({ region: 'eu-central-1', virtualHost: 's3.test' }),
  ...(givenUrl === undefined
    ? {}
    : { 'the S3 of MILLRACE_TEST_S3_URL': async () => ({ url: givenUrl, remove: async () => {} }) }),
};

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
      const driver = await openDriver(place.url);
      const stored = Buffer.from((await driver.get('secret/one'))!);
      assert.ok(!stored.includes('Invoice'));
      stored[stored.length - 20]! ^= 1;
      await driver.put('secret/one', stored);
      await assert.rejects(store.get('secret/one'), { code: 'tampered' });
      await store.delete('secret/one');
      await driver.close();
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

describe('S3', () => {
  let server: ObjectServer;
  let store: BlobStore;
  before(async () => {
    server = await startObjectServer(credentials, { region: 'eu-central-1' });
    store = await openBlobStore(`${bucketUrl(server)}&region=eu-central-1`, [key]);
    await store.put('acc_1/doc_1', Buffer.from('x'));
    assert.deepEqual([...server.objects.keys()], ['/documents/originals/acc_1/doc_1']);
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  test('encrypts objects as the URL asks for', async () => {
    assert.deepEqual(server.encryptions.get('/documents/originals/acc_1/doc_1'), [undefined, undefined]);
    for (const [query, asked] of [
      ['encryption=AES256', ['AES256', undefined]],
      ['encryption=aws:kms', ['aws:kms', undefined]],
      ['encryption=aws:kms&kmsKey=alias/documents', ['aws:kms', 'alias/documents']],
    ] as const) {
      const encrypting = await openBlobStore(`${bucketUrl(server)}&region=eu-central-1&${query}`, [key]);
      await encrypting.put('encrypted/one', Buffer.from('x'));
      assert.deepEqual(server.encryptions.get('/documents/originals/encrypted/one'), asked, query);
      assert.deepEqual(Buffer.from((await encrypting.get('encrypted/one'))!), Buffer.from('x'));
      await encrypting.close();
    }
  });

  test('that is busy is asked again, and not forever', async () => {
    server.busyAnswers = 3;
    await store.put('busy/one', Buffer.from('x'));
    server.busyAnswers = 100;
    await assert.rejects(store.put('busy/two', Buffer.from('x')), { name: 'SlowDown' });
    assert.equal(100 - server.busyAnswers, 5);
    server.busyAnswers = 0;
  });

  test('whose answer breaks off is asked again, and never taken for the whole', async () => {
    const bytes = randomBytes(200_000);
    await store.put('truncated/one', bytes);
    server.truncatedAnswers = 2;
    assert.ok(bytes.equals((await store.get('truncated/one'))!));
    server.truncatedAnswers = 100;
    await assert.rejects(store.get('truncated/one'));
    server.truncatedAnswers = 0;
    // One that was cut short where it is stored has a whole answer.
    const [name, stored] = [...server.objects].at(-1)!;
    server.objects.set(name, stored.subarray(0, 100_000));
    await assert.rejects(store.get('truncated/one'), { code: 'tampered' });
  });

  test('with another time is asked with its own', async () => {
    for (const clockAheadMs of [0, -3_600_000, 3_600_000]) {
      server.clockAheadMs = clockAheadMs;
      await store.put('skewed/one', Buffer.from('x'));
    }
    assert.deepEqual(Buffer.from((await store.get('skewed/one'))!), Buffer.from('x'));
  });

  test('refuses a wrong secret, and another region', async () => {
    const url = `${bucketUrl(server)}&region=eu-central-1`;
    for (const wrong of [url.replace('s%2F', 'wrong'), url.replace('eu-central-1', 'us-east-1')]) {
      const stranger = await openBlobStore(wrong, [key]);
      await assert.rejects(stranger.get('acc_1/doc_1'), { name: 'SignatureDoesNotMatch' });
      await stranger.close();
    }
  });

  test('is asked with temporary credentials of the environment', async (context) => {
    const temporary = { ...credentials, sessionToken: 'a/token+==' };
    const asking = await startObjectServer(temporary);
    context.after(() => asking.close());
    const url = bucketUrl(asking).replace(/\/\/.*@/, '//');
    const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
    const values = [temporary.accessKeyId, temporary.secretAccessKey, temporary.sessionToken];
    for (const [index, name] of names.entries()) process.env[name] = values[index];
    context.after(() => {
      for (const name of names) delete process.env[name];
    });
    const opened = await openBlobStore(url, [key]);
    await opened.put('temporary/one', Buffer.from('x'));
    await opened.close();
    const without = await openBlobStore(bucketUrl(asking), [key]);
    await assert.rejects(without.get('temporary/one'), { name: 'SignatureDoesNotMatch' });
    await without.close();
  });
});

test('an error about an invalid URL does not contain its credentials', async () => {
  for (const url of [
    '',
    'blobs',
    'ftp://host/',
    's3://',
    's3://id:hunter2@bucket?regoin=x',
    's3://id:hunter2@bucket?endpoint=ftp://x',
    's3://id:hunter2@bucket?region=x&encryption=rot13',
    's3://id:hunter2@bucket?region=x&encryption=AES256&kmsKey=one',
    's3://id:hunter2@bucket?region=x&kmsKey=one',
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
  return { url: pathToFileURL(root).href, remove: () => rm(root, { recursive: true }) };
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 's/ecret+key' };

function bucketUrl(server: ObjectServer): string {
  const { accessKeyId, secretAccessKey } = credentials;
  const user = `${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secretAccessKey)}`;
  return `s3://${user}@documents/originals?endpoint=${encodeURIComponent(server.endpoint)}&pathStyle=true`;
}

async function bucketPlace(options: ObjectServerOptions): Promise<Place> {
  const server = await startObjectServer(credentials, options);
  const { region, virtualHost } = options;
  const url = bucketUrl(server) + (region === undefined ? '' : `&region=${region}`);
  if (virtualHost === undefined) return { url, remove: () => server.close() };
  // The names of buckets are known to no name server.
  const ask = dns.lookup;
  const lookup = mock.method(dns, 'lookup', (name: string, ...rest: never[]) =>
    (ask as (...all: unknown[]) => void)(name.endsWith(`.${virtualHost}`) ? '127.0.0.1' : name, ...rest),
  );
  return {
    url: url.replace('&pathStyle=true', ''),
    remove: async () => {
      lookup.mock.restore();
      await server.close();
    },
  };
}
