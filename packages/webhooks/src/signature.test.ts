import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { attemptDelaysMs, retryDelayMs } from './schedule.ts';
import { newSigningSecret, signatureHeader, verifySignature } from './signature.ts';

const body = Buffer.from('{"event":"extraction.completed"}');

test('the signature is the HMAC-SHA256 of the time, a dot and the raw body', () => {
  const expected = createHmac('sha256', 'whsec_a').update(`1700000000.${body}`).digest('hex');
  assert.equal(signatureHeader(['whsec_a'], body, 1_700_000_000), `t=1700000000,v1=${expected}`);
});

test('a header made during a rotation verifies with either secret and with no other', () => {
  const header = signatureHeader(['whsec_new', 'whsec_old'], body, 1_700_000_000);
  assert.equal(verifySignature(header, body, 'whsec_new', 1_700_000_000), null);
  assert.equal(verifySignature(header, body, 'whsec_old', 1_700_000_000), null);
  assert.equal(verifySignature(header, body, 'whsec_other', 1_700_000_000), 'mismatch');
});

test('a signature is refused when the body, the time or the header was tampered with', () => {
  const header = signatureHeader(['s'], body, 1000);
  assert.equal(verifySignature(header, Buffer.concat([body, Buffer.from(' ')]), 's', 1000), 'mismatch');
  assert.equal(verifySignature(header.replace('t=1000', 't=1001'), body, 's', 1000), 'mismatch');
  assert.equal(verifySignature(`${header},t=1000`, body, 's', 1000), 'malformed');
  for (const malformed of ['', 't=1000', 'v1=00', 't=1000,v1=zz', 't=abc,v1=00', 'x'.repeat(100_000)]) {
    assert.equal(verifySignature(malformed, body, 's', 1000), 'malformed');
  }
});

test('a signature is accepted up to five minutes from now, on either side', () => {
  const header = signatureHeader(['s'], body, 10_000);
  assert.equal(verifySignature(header, body, 's', 10_300), null);
  assert.equal(verifySignature(header, body, 's', 10_301), 'too_old');
  assert.equal(verifySignature(header, body, 's', 9_700), null);
  assert.equal(verifySignature(header, body, 's', 9_699), 'too_new');
});

test('secrets are long, marked and never the same', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSigningSecret));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/);
});

test('there are six attempts: at once, then after 30 s, 2 min, 10 min, 30 min and 2 h', () => {
  assert.deepEqual(
    attemptDelaysMs.map((delayMs) => delayMs / 1000),
    [0, 30, 120, 600, 1800, 7200],
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt)),
    [30_000, 120_000, 600_000, 1_800_000, 7_200_000, null],
  );
});
