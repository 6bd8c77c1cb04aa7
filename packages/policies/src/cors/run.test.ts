import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeaderList } from '../header-list.ts';
import type { OwnAnswer } from '../run.ts';
import { answerOf, decideNow, exchangeOf, policyOf } from '../testing.ts';
import { compileCors } from './run.ts';

const configuration = {
  allowedOrigins: ['https://app.example.com', 'https://*.example.org', 'https://*.example.net:8443'],
  allowedMethods: ['GET', 'POST'],
  allowedHeaders: ['x-api-key'],
  exposedHeaders: ['x-ratelimit-remaining'],
  allowCredentials: true,
  maxAgeSeconds: 60,
};

function ask(headers: readonly string[], method = 'GET', more = {}) {
  const exchange = exchangeOf({ method, headers });
  const decision = decideNow(compileCors(policyOf({ ...configuration, ...more })), exchange);
  return { decision, answerHeaders: exchange.answerHeaders };
}

const allowed = (origin: string) => ask(['Origin', origin]).answerHeaders.get('access-control-allow-origin') === origin;

describe('CORS', () => {
  it('answers a preflight request itself', () => {
    const { decision } = ask(['Origin', 'https://app.example.com', 'Access-Control-Request-Method', 'POST'], 'OPTIONS');
    const answer = decision as OwnAnswer;
    assert.equal(answer.status, 204);
    const headers = new HeaderList(answer.headers);
    assert.equal(headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.equal(headers.get('access-control-allow-credentials'), 'true');
    assert.equal(headers.get('access-control-allow-methods'), 'GET, POST');
    assert.equal(headers.get('access-control-allow-headers'), 'x-api-key');
    assert.equal(headers.get('access-control-max-age'), '60');
    assert.match(headers.get('vary')!, /\bOrigin\b/);
  });

  it('rejects the preflight request of another origin, and lets a plain OPTIONS pass', () => {
    const { decision } = ask(['Origin', 'https://evil.example', 'Access-Control-Request-Method', 'GET'], 'OPTIONS');
    assert.ok(decision?.kind === 'refusal' && decision.error === 'origin_refused');
    assert.match(new HeaderList(decision.headers).get('vary')!, /\bOrigin\b/);
    assert.equal(ask(['Origin', 'https://app.example.com'], 'OPTIONS').decision, null);
    assert.equal(ask([], 'OPTIONS').decision, null);
  });

  it('allows a listed page to read, returns nothing for another, and adds Vary for caches', () => {
    const { decision, answerHeaders } = ask(['Origin', 'https://app.example.com']);
    assert.equal(decision, null);
    assert.equal(answerHeaders.get('access-control-allow-origin'), 'https://app.example.com');
    assert.equal(answerHeaders.get('access-control-expose-headers'), 'x-ratelimit-remaining');
    assert.equal(answerHeaders.get('vary'), 'Origin');
    for (const headers of [['Origin', 'https://evil.example'], []]) {
      const other = ask(headers);
      assert.equal(other.decision, null);
      assert.deepEqual(other.answerHeaders.fields, ['vary', 'Origin']);
    }
  });

  it('accepts subdomains for *. and nothing that only looks like one', () => {
    for (const origin of ['https://a.example.org', 'https://a.b-c.example.org', 'https://x.example.net:8443']) {
      assert.ok(allowed(origin), origin);
    }
    for (const origin of [
      'https://example.org',
      'https://.example.org',
      'https://evil-example.org',
      'https://evilexample.org',
      'https://a.example.org.evil.com',
      'https://a.example.org:8443',
      'https://x.example.net',
      'https://x.example.net:84430',
      'http://a.example.org',
      'https://evil.com/.example.org',
      'https://evil.com#.example.org',
      'https://evil.com?.example.org',
      'https://user@a.example.org',
      'https://evil.com:80.example.org',
      'https://evil.com\\.example.org',
      'https://a..example.org',
      'https://a.example.org ',
      'https://A.example.org',
      'https://app.example.com.',
      'https://app.example.com:443',
      'null',
      '*',
      '',
      `https://${'a.'.repeat(5_000)}example.org`,
    ]) {
      assert.ok(!allowed(origin), origin);
    }
  });

  it('accepts no request with two origins', () => {
    const { answerHeaders } = ask(['Origin', 'https://app.example.com', 'Origin', 'https://evil.example']);
    assert.equal(answerHeaders.has('access-control-allow-origin'), false);
  });

  it('reads a default port as browsers write it', () => {
    const more = { allowedOrigins: ['https://app.example.com:443'] };
    const { answerHeaders } = ask(['Origin', 'https://app.example.com'], 'GET', more);
    assert.equal(answerHeaders.get('access-control-allow-origin'), 'https://app.example.com');
  });

  it('responds to any origin alike if any may call', () => {
    const more = { allowedOrigins: ['*'], allowCredentials: false };
    for (const origin of ['https://one.example', 'null']) {
      const { answerHeaders } = ask(['Origin', origin], 'GET', more);
      assert.equal(answerHeaders.get('access-control-allow-origin'), '*');
      assert.equal(answerHeaders.has('vary'), false);
      assert.equal(answerHeaders.has('access-control-allow-credentials'), false);
    }
  });

  it('removes the target’s own CORS headers from the response', () => {
    const answer = answerOf(200, [
      'Access-Control-Allow-Origin',
      '*',
      'Access-Control-Allow-Credentials',
      'true',
      'Etag',
      '"1"',
    ]);
    compileCors(policyOf(configuration)).onAnswer!(exchangeOf(), answer);
    assert.deepEqual(answer.headers.fields, ['Etag', '"1"']);
  });
});
