import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { createSealer } from '@millrace/encryption';
import { createKeySealers } from './key-sealers.ts';

describe('key sealers', () => {
  const encryptionKey = randomBytes(32);
  const service = createSealer([encryptionKey], 'control secrets');
  const sealers = createKeySealers(encryptionKey, service);

  test('what is sealed for an organization only opens for it, and not with the service’s key', () => {
    const sealed = sealers('org_1').seal(Buffer.from('mrk_secret'), 'crd_1');
    assert.equal(sealers('org_1').open(sealed, 'crd_1').toString(), 'mrk_secret');
    assert.throws(() => sealers('org_2').open(sealed, 'crd_1'), { code: 'unknown_key' });
    assert.throws(() => service.open(sealed, 'crd_1'), { code: 'unknown_key' });
    assert.throws(() => sealers('org_1').open(sealed, 'crd_2'), { code: 'tampered' });
  });

  test('what the service’s own sealer sealed still opens', () => {
    const sealed = service.seal(Buffer.from('mrk_secret'), 'crd_1');
    assert.equal(sealers('org_1').open(sealed, 'crd_1').toString(), 'mrk_secret');
    assert.throws(() => sealers('org_1').open(sealed, 'crd_2'), { code: 'tampered' });
  });
});
