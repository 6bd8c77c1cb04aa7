import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadEncryptionKey } from './encryption-key.ts';

describe('the encryption key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-key-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('a configured key is used', () => {
    const encryptionKey = Buffer.alloc(32, 7);
    assert.equal(loadEncryptionKey({ encryptionKey, dataDirectory: join(folder, 'unused') }), encryptionKey);
  });

  test('without one, a key is created in the data folder, readable only by its owner, and reused', () => {
    const settings = { encryptionKey: null, dataDirectory: join(folder, 'data') };
    const made = loadEncryptionKey(settings);
    assert.equal(made.length, 32);
    assert.deepEqual(loadEncryptionKey(settings), made);
    assert.equal(statSync(join(folder, 'data', 'encryption.key')).mode & 0o777, 0o600);
  });

  test('a file without a key is reported and not replaced', () => {
    writeFileSync(join(folder, 'encryption.key'), 'spoilt');
    assert.throws(
      () => loadEncryptionKey({ encryptionKey: null, dataDirectory: folder }),
      /encryption\.key does not contain an encryption key/,
    );
  });
});
