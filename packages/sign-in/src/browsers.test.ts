import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeignRequest, ownOriginsOf, readSessionCookie, writeSessionCookie } from './browsers.ts';

const plain = { name: 'session', secure: false };
const secure = { name: 'session', secure: true };
const token = 'jXQ1lqg6sB2s8Xo3mJb3o1o5m5Uu0Wf9gC4c3nD7yTk';

test('scripts and other sites can’t read a session cookie; behind TLS it is limited to this host', () => {
  assert.equal(writeSessionCookie(plain, token, 60), `session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60`);
  assert.equal(
    writeSessionCookie(secure, token, 60),
    `__Host-session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure`,
  );
});

test('a token is read only from the cookie with the right name', () => {
  assert.equal(readSessionCookie(`a=b; session=${token}; c=d`, plain), token);
  assert.equal(readSessionCookie(`session=${token}`, secure), null);
  assert.equal(readSessionCookie(`__Host-session=${token}`, secure), token);
  for (const header of [
    undefined,
    '',
    'session=',
    `session=short`,
    `session=${token}%00`,
    `session=${'x'.repeat(200)}`,
  ]) {
    assert.equal(readSessionCookie(header, plain), null, header);
  }
});

test('either header identifies a cross-origin request', () => {
  const own = ['https://example.com'];
  assert.equal(isForeignRequest({ origin: own[0] }, own), false);
  assert.equal(isForeignRequest({ origin: own[0], 'sec-fetch-site': 'same-origin' }, own), false);
  assert.equal(isForeignRequest({}, own), false);
  for (const headers of [
    { origin: 'null' },
    { origin: 'https://sub.example.com' },
    { origin: 'http://example.com' },
    { origin: own[0], 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    assert.equal(isForeignRequest(headers, own), true, JSON.stringify(headers));
  }
});

test('the service’s origin is its public URL; without one, only an IP address or localhost is trusted', () => {
  const publicUrl = 'https://millrace.example/console';
  for (const host of ['evil.example', 'millrace.example', '127.0.0.1:4200']) {
    assert.deepEqual(ownOriginsOf({ protocol: 'http', host }, publicUrl), ['https://millrace.example']);
  }
  for (const host of ['127.0.0.1:4200', 'localhost:4200', '[::1]:4200', '192.0.2.7', 'console.localhost']) {
    assert.deepEqual(ownOriginsOf({ protocol: 'http', host }, null), [`http://${host}`]);
  }
  for (const host of ['evil.example:4200', '127.0.0.1.evil.example', 'localhost.evil.example', '', 'a b']) {
    assert.deepEqual(ownOriginsOf({ protocol: 'http', host }, null), [], host);
  }
});
