import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maxSecretsSizeBytes, SealedSecrets } from './manifest.ts';
import { canSealFor, hashSecrets, newSealingKeys, openSecrets, sealSecrets, secretsSizeBytes } from './sealing.ts';

describe('sealed secrets', () => {
  const secrets = { 'variable:API_TOKEN': 'a secret', 'target:orders:clientKey': '-----BEGIN PRIVATE KEY-----' };

  test('open for the node that they are sealed for, and for no other', () => {
    const [node, other] = [newSealingKeys(), newSealingKeys()];
    assert.equal(Buffer.from(node.publicKey, 'base64').length, 32);
    const sealed = sealSecrets(secrets, node.publicKey);
    assert.deepEqual(openSecrets(sealed, node.privateKey), secrets);
    assert.deepEqual(openSecrets(sealSecrets({}, node.publicKey), node.privateKey), {});
    assert.throws(() => openSecrets(sealed, other.privateKey), { name: 'SealingError' });
    assert(!JSON.stringify(sealed).includes('a secret'));
  });

  test('do not open where any part was changed', () => {
    const node = newSealingKeys();
    const sealed = sealSecrets(secrets, node.publicKey);
    for (const part of ['ephemeralPublicKey', 'nonce', 'ciphertext', 'tag'] as const) {
      const bytes = Buffer.from(sealed[part], 'base64');
      for (const changed of [flipped(bytes), bytes.subarray(1), Buffer.alloc(0)]) {
        assert.throws(() => openSecrets({ ...sealed, [part]: changed.toString('base64') }, node.privateKey), {
          name: 'SealingError',
        });
      }
    }
  });

  test('are sealed for keys alone by which a secret can be agreed', () => {
    assert.equal(canSealFor(newSealingKeys().publicKey), true);
    // Of order 1, 2, 4 and 8, and beyond the prime.
    for (const lowOrder of [
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0100000000000000000000000000000000000000000000000000000000000000',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    ]) {
      assert.equal(canSealFor(Buffer.from(lowOrder, 'hex').toString('base64')), false, lowOrder);
    }
    assert.equal(canSealFor('AAAA'), false);
  });

  test('have one hash, whatever the order of their names', () => {
    assert.equal(hashSecrets({ a: '1', b: '2' }), hashSecrets({ b: '2', a: '1' }));
    assert.notEqual(hashSecrets({ a: '1' }), hashSecrets({ a: '2' }));
  });

  test('are taken up to their greatest size, counted as they are sealed', () => {
    const { publicKey } = newSealingKeys();
    const quotes = { a: '"ü\t'.repeat(100_000) };
    const most = { ...quotes, b: 'x'.repeat(maxSecretsSizeBytes - secretsSizeBytes({ ...quotes, b: '' })) };
    assert.equal(secretsSizeBytes(most), maxSecretsSizeBytes);
    assert.ok(SealedSecrets.safeParse(sealSecrets(most, publicKey)).success);
    assert.ok(!SealedSecrets.safeParse(sealSecrets({ ...most, b: `${most.b}x` }, publicKey)).success);
  });

  test('are not sealed for what is no key', () => {
    assert.throws(() => sealSecrets({}, 'AAAA'), { name: 'SealingError' });
  });
});

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[0]! ^= 1;
  return changed;
}
