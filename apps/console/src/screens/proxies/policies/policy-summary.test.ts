import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { policyKinds } from '@millrace/policies';
import { policySummary } from './policy-summary.ts';

describe('the summary of a policy', () => {
  const summary = (kind: string, configuration: object) =>
    policySummary({ kind, configuration: configuration as never });

  test('describes the settings in words', () => {
    assert.equal(summary('quota', { limit: 1_000, window: { unit: 'hour' } }), '1,000 per hour per app, strict');
    assert.equal(
      summary('spike-arrest', { ratePerSecond: 50, burst: 10, per: 'ip', mode: 'fast', failOpen: true }),
      '50 per second per IP address, bursts of 10, fast, fails open',
    );
    assert.equal(
      summary('transform-headers', { set: [{ name: 'authorization', value: '[secret]' }], remove: ['via'] }),
      'Removes via, sets authorization: [secret]',
    );
    assert.equal(summary('verify-api-key', {}), 'Key in the header x-api-key');
    assert.equal(summary('transform-headers', {}), 'Changes nothing');
    assert.equal(summary('verify-jwt', {}), 'Not fully configured');
  });

  test('covers every kind', () => {
    for (const { kind, example } of policyKinds) assert.ok(summary(kind, example), kind);
  });
});
