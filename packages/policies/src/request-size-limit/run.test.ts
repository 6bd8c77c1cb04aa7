import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exchangeOf, policyOf } from '../testing.ts';
import { compileRequestSizeLimit } from './run.ts';

const policy = compileRequestSizeLimit(policyOf({ maxBodyBytes: 1_000, maxHeaderBytes: 300, maxUrlBytes: 64 }));

describe('request size limit', () => {
  it('limits the path with its query', () => {
    const path = `/${'a'.repeat(53)}`;
    assert.equal(policy.onHead!(exchangeOf({ path, query: 'b=3456789' })), null);
    assert.deepEqual(policy.onHead!(exchangeOf({ path, query: 'b=34567890' })), {
      kind: 'refusal',
      error: 'url_too_long',
    });
    assert.equal(policy.onHead!(exchangeOf({ path: `/${'a'.repeat(63)}` })), null);
    assert.ok(policy.onHead!(exchangeOf({ path: `/${'a'.repeat(64)}` })));
  });

  it('limits the total of all header names and values', () => {
    assert.equal(policy.onHead!(exchangeOf({ headerBytes: 300 })), null);
    assert.deepEqual(policy.onHead!(exchangeOf({ headerBytes: 301 })), { kind: 'refusal', error: 'headers_too_large' });
  });

  it('leaves counting the body to the gateway', () => {
    assert.equal(policy.maxBodyBytes, 1_000);
  });
});
