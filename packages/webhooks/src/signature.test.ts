import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { attemptDelaysMs, retryDelayMs } from './schedule.ts';
import { newSigningSecret, signatureHeader, verifySignature } from './signature.ts';

const body = Buffer.from('{"event":"extraction.completed"}');

test('the signature is the HMAC-SHA256 of the time, a dot and the raw body', () => {
  const expected = createHmac('sha256', 'whsec_a').update(`1700000000.${body}`).digest('hex');
  assert.equal(signatureHeader(['whsec_a'], body, 1_700_000_000), `t=1700000000,v1=${expected}`);
});

test('a header signed during a rotation verifies with either secret and no other', () => {
  const header = signatureHeader(['whsec_new', 'whsec_old'], body, 1_700_000_000);
  assert.equal(verifySignature(header, body, 'whsec_new', 1_700_000_000), null);
  assert.equal(verifySignature(header, body, 'whsec_old', 1_700_000_000), null);
  assert.equal(verifySignature(header, body, 'whsec_other', 1_700_000_000), 'mismatch');
});

test('rejects a signature if the body, the time or the header was tampered with', () => {
  const header = signatureHeader(['s'], body, 1000);
  assert.equal(verifySignature(header, Buffer.concat([body, Buffer.from(' ')]), 's', 1000), 'mismatch');
  assert.equal(verifySignature(header.replace('t=1000', 't=1001'), body, 's', 1000), 'mismatch');
  assert.equal(verifySignature(`${header},t=1000`, body, 's', 1000), 'malformed');
  for (const malformed of ['', 't=1000', 'v1=00', 't=1000,v1=zz', 't=abc,v1=00', 'x'.repeat(100_000)]) {
    assert.equal(verifySignature(malformed, body, 's', 1000), 'malformed');
  }
});

test('accepts a signature up to five minutes in the past or future', () => {
  const header = signatureHeader(['s'], body, 10_000);
  assert.equal(verifySignature(header, body, 's', 10_300), null);
  assert.equal(verifySignature(header, body, 's', 10_301), 'too_old');
  assert.equal(verifySignature(header, body, 's', 9_700), null);
  assert.equal(verifySignature(header, body, 's', 9_699), 'too_new');
});

test('secrets are long, prefixed and unique', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSigningSecret));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/);
});

test('there are six attempts: immediately, then after 30 s, 2 min, 10 min, 30 min and 2 h', () => {
  assert.deepEqual(
    attemptDelaysMs.map((delayMs) => delayMs / 1000),
    [0, 30, 120, 600, 1800, 7200],
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt)),
    [30_000, 120_000, 600_000, 1_800_000, 7_200_000, null],
  );
});

const documentation = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');

/** Headers for the documented snippets to check. */
function samples(): { header: string; genuine: boolean }[] {
  const now = Math.floor(Date.now() / 1000);
  return [
    { header: signatureHeader(['s'], body, now), genuine: true },
    { header: signatureHeader(['new', 's'], body, now - 200), genuine: true },
    { header: signatureHeader(['s', 'old'], body, now), genuine: true },
    { header: signatureHeader(['other'], body, now), genuine: false },
    { header: signatureHeader(['s'], Buffer.from('{}'), now), genuine: false },
    { header: signatureHeader(['s'], body, now - 400), genuine: false },
    ...['', 't', 'v1', 't=,v1=', `t=${now}`, `t=${now},v1=zz`, 'v1=00', 't=²,v1=00'].map((header) => ({
      header,
      genuine: false,
    })),
  ];
}

test('the documented snippet for Node distinguishes genuine from forged signatures', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(documentation) ?? [];
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  for (const { header, genuine } of samples()) assert.equal(isGenuine(header, body, 's'), genuine, header);
});

const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));

test('the documented snippet for Python distinguishes genuine from forged signatures', {
  skip: !python && 'Python is not installed',
}, () => {
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(documentation) ?? [];
  const headers = samples();
  const program = `${code}
import json, sys
given = json.load(sys.stdin)
print(json.dumps([is_genuine(header, given["body"].encode(), "s") for header in given["headers"]]))`;
  const input = JSON.stringify({ body: body.toString(), headers: headers.map(({ header }) => header) });
  const answers = JSON.parse(execFileSync(python ?? '', ['-c', program], { input, encoding: 'utf8' }));
  assert.deepEqual(
    answers,
    headers.map(({ genuine }) => genuine),
  );
});
