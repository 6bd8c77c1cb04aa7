import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallerCounters } from '../caller-counters.ts';
import { HeaderList } from '../header-list.ts';
import type { Caller, Exchange, OwnAnswer } from '../run.ts';
import { answerOf, decideNow, exchangeOf, partsOf, policyOf, transformed } from '../testing.ts';
import { createAnswerCache } from './cache.ts';
import { wasSeen } from './hits.ts';
import { compileResponseCache } from './run.ts';

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly contentLength?: number | null;
  readonly caller?: Caller | null;
  readonly afterMs?: number;
}

const app = (id: string): Caller => ({
  kind: 'key',
  credentialId: 'c',
  developer: { id: 'd', name: 'd' },
  app: { id, name: id },
  product: { id: 'p', name: 'p' },
  subscriptionId: 's',
  termId: null,
  prepaid: null,
  unitsHeader: null,
  passUnitsHeader: false,
  quota: null,
  counters: new CallerCounters(),
});

/** A gateway with a cache before a target that counts its answers. */
function gateway(configuration: Record<string, unknown> = {}, answers = createAnswerCache(1_000_000)) {
  const policy = policyOf({ ttlSeconds: 60, ...configuration });
  const { request } = compileResponseCache(policy, partsOf({ answers }));
  const { response } = compileResponseCache(policy, partsOf({ answers }));
  const target = {
    headers: [] as string[],
    status: 200,
    asked: 0,
    cut: false,
    body: (asked: number) => `answer ${asked}`,
  };
  let ids = 0;
  const ask = ({ caller = null, afterMs = 0, ...head }: Asked = {}) => {
    const more: Partial<Exchange> = { id: `id-${++ids}`, startedAtMs: Date.now() + afterMs, caller };
    const exchange = exchangeOf(head, more);
    const decision = decideNow(request, exchange) as OwnAnswer | null;
    if (decision) {
      assert.ok(wasSeen(exchange), 'the policies before the store saw it');
      assert.equal(response.onHead(exchange, answerOf(decision.status, decision.headers)), null);
      assert.ok(!wasSeen(exchange), 'those behind it have not');
      return {
        status: decision.status,
        body: Buffer.from(decision.body).toString(),
        headers: new HeaderList(decision.headers),
      };
    }
    const bodiless = head.method === 'HEAD';
    const body = target.body(++target.asked);
    const answer = answerOf(target.status, target.headers, { bodiless });
    const transform = response.onHead(exchange, answer);
    assert.ok(transform === null || 'write' in transform);
    answer.headers.append('x-behind', 'the store');
    if (transform && target.cut) transform.write(Buffer.from(body));
    else if (transform)
      assert.equal(
        transformed(transform, [Buffer.from(body.slice(0, 3)), Buffer.from(body.slice(3))]).toString(),
        body,
      );
    return { status: target.status, body: bodiless ? '' : body, headers: answer.headers };
  };
  return { ask, target, answers };
}

describe('response cache', () => {
  it('caches no response to a request with a body, which may affect it', () => {
    const { ask, target } = gateway({ varyByCaller: false });
    for (const contentLength of [5, null]) assert.equal(ask({ contentLength })?.body, `answer ${target.asked}`);
    assert.equal(ask()?.body, 'answer 3');
    assert.equal(ask()?.body, 'answer 3');
    assert.equal(ask({ contentLength: null })?.body, 'answer 4');
  });

  it('caches nothing for callers whose tokens don’t distinguish them', () => {
    const { ask } = gateway();
    const nobody: Caller = { kind: 'token', issuer: 'i', subject: '' };
    assert.equal(ask({ caller: nobody })?.body, 'answer 1');
    assert.equal(ask({ caller: nobody })?.body, 'answer 2');
    const shared = gateway({ varyByCaller: false });
    assert.equal(shared.ask({ caller: nobody })?.body, 'answer 1');
    assert.equal(shared.ask({ caller: nobody })?.body, 'answer 1');
  });

  it('serves a cached response with its age until it expires', () => {
    const { ask, target } = gateway();
    target.headers = ['Content-Type', 'text/plain', 'Connection', 'close', 'Content-Length', '8', 'Age', '5'];
    assert.equal(ask().body, 'answer 1');
    const { body, headers, status } = ask({ afterMs: 10_000 });
    assert.deepEqual([status, body], [200, 'answer 1']);
    assert.deepEqual(headers.fields, ['Content-Type', 'text/plain', 'age', '15']);
    assert.equal(ask({ afterMs: 61_000 }).body, 'answer 2');
  });

  it('caches separately what may differ', () => {
    const { ask } = gateway();
    const bodies = [
      ask(),
      ask({ path: '/other' }),
      ask({ query: 'a=1' }),
      ask({ headers: ['Accept', 'text/csv'] }),
      ask({ headers: ['Host', 'other.example'] }),
      ask({ caller: app('a') }),
      ask({ caller: app('b') }),
      ask({ caller: { kind: 'token', issuer: 'i', subject: 'a' } }),
      ask({ headers: ['Authorization', 'Basic x'] }),
      ask({ headers: ['Cookie', 'session=1'] }),
      ask({ headers: ['Cookie', 'session=2'] }),
    ].map(({ body }) => body);
    assert.equal(new Set(bodies).size, bodies.length);
    assert.equal(ask({ caller: app('b') }).body, bodies[6]);
    assert.equal(ask({ headers: ['User-Agent', 'curl/8'] }).body, bodies[0]);
  });

  it('caches separately by everything else that may affect a response', () => {
    for (const varyByCaller of [true, false]) {
      const { ask } = gateway({ varyByCaller });
      const bodies = [
        ask(),
        ...[
          'Forwarded-Host: a',
          'Origin: https://evil.example',
          'Prefer: return=minimal',
          'X-Forwarded-Host: evil.example',
          'X-Forwarded-Port: 1',
          'X-Forwarded-Prefix: /a',
          'X-Forwarded-Proto: http',
          'X-Forwarded-Scheme: http',
          'X-Forwarded-Server: evil.example',
          'X-HTTP-Method: DELETE',
          'X-HTTP-Method-Override: DELETE',
          'X-HTTP-Method-Override: PUT',
          'X-Host: evil.example',
          'X-Method-Override: DELETE',
          'X-Original-URL: /admin',
          'X-Rewrite-URL: /admin',
          'X-Requested-With: XMLHttpRequest',
          'X_Original_URL: /admin',
          'X-Nobody-Knows: 1',
          'X-Nobody-Knows: 2',
          'Content-Type: text/xml',
        ].map((line) => ask({ headers: line.split(': ') })),
        ask({ headers: ['X-A', '1', 'X-A', '2'] }),
        ask({ headers: ['X-A', '2', 'X-A', '1'] }),
        ask({ headers: ['X-A', '1', 'X-B', '2'] }),
        ask({ headers: ['X-A', '1","x-b","2'] }),
      ].map(({ body }) => body);
      assert.equal(new Set(bodies).size, bodies.length);
    }
  });

  it('serves ordinary clients from the cache, whoever they are', () => {
    const { ask, target } = gateway({ varyByCaller: false, ignoredHeaders: ['x-session'] });
    const negotiation = ['Accept', '*/*', 'Accept-Encoding', 'gzip', 'Accept-Language', 'en'];
    const page = ['Origin', 'https://app.example', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Site', 'cross-site'];
    const browser = (number: number) => [
      ...['Host', 'api.example', 'Connection', 'keep-alive', 'User-Agent', `Mozilla/5.0 (${number})`],
      ...['Referer', `https://app.example/${number}`, 'Sec-CH-UA', `"Chromium";v="${number}"`],
      ...['Sec-CH-UA-Platform', `"${number}"`, 'Cookie', `visitor=${number}`, 'X-Session', String(number)],
      ...['traceparent', `00-${number}`, 'X-Correlation-Id', String(number), 'Cache-Control', 'max-age=600'],
      ...(number % 2 === 0 ? [...negotiation, ...page] : [...page, ...negotiation]),
    ];
    const script = (number: number) => [
      ...['Host', 'api.example', 'User-Agent', `python-requests/${number}`, ...negotiation],
      ...['X-Request-Id', String(number), 'If-None-Match', `"${number}"`, 'X-Forwarded-For', `192.0.2.${number}`],
    ];
    for (let number = 0; number < 50; number++) {
      ask({ headers: browser(number) });
      ask({ headers: script(number) });
    }
    assert.equal(target.asked, 2, 'once for the page of the origin, once for scripts');
  });

  it('shares between callers and queries if configured', () => {
    const { ask } = gateway({ varyByCaller: false, varyByQuery: ['page'] });
    assert.equal(ask({ caller: app('a'), query: 'page=1&x=1' }).body, 'answer 1');
    assert.equal(ask({ caller: app('b'), query: 'x=2&page=1' }).body, 'answer 1');
    assert.equal(ask({ query: 'page=2' }).body, 'answer 2');
    assert.equal(ask({ query: 'page=1&page=2' }).body, 'answer 3');
    assert.equal(ask({ query: '%70age=1' }).body, 'answer 1');
  });

  it('doesn’t share private responses to requests with Authorization', () => {
    const { ask, target } = gateway({ varyByCaller: false });
    const headers = ['Authorization', 'Bearer x'];
    ask({ headers });
    ask({ headers });
    assert.equal(target.asked, 2);
    target.headers = ['Cache-Control', 'public, max-age=60'];
    ask({ headers });
    ask({ headers });
    assert.equal(target.asked, 3);
  });

  it('caches nothing that must not be cached', () => {
    for (const headers of [
      ['Set-Cookie', 'session=1'],
      ['Cache-Control', 'no-store'],
      ['Cache-Control', 'max-age=60, PRIVATE'],
      ['Cache-Control', 'no-cache="set-cookie"'],
      ['Cache-Control', 'max-age=0'],
      ['Cache-Control', 'max-age=-1'],
      ['Cache-Control', 'max-age=60, s-maxage=0'],
      ['Cache-Control', 'max-age=10', 'Age', '10'],
      ['Pragma', 'no-cache'],
      ['Expires', '0'],
      ['Expires', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['Vary', '*'],
      ['Vary', 'Accept, X-Tenant'],
      ['Content-Range', 'bytes 0-1/2'],
    ]) {
      const { ask, target } = gateway();
      target.headers = headers;
      ask();
      ask();
      assert.equal(target.asked, 2, headers.join(': '));
    }
    for (const asked of [{ method: 'POST' }, { headers: ['Cache-Control', 'no-store'] }]) {
      const { ask, target } = gateway();
      ask(asked);
      ask(asked);
      assert.equal(target.asked, 2);
    }
    const { ask, target } = gateway();
    target.status = 500;
    ask();
    ask();
    assert.equal(target.asked, 2, 'another status');
  });

  it('never shares a caller’s cookie, whatever the target says', () => {
    const { ask, target } = gateway({ respectCacheControl: false });
    target.headers = ['Set-Cookie', 'session=1', 'Cache-Control', 'public, max-age=60'];
    ask();
    ask();
    assert.equal(target.asked, 2);
    target.headers = ['Cache-Control', 'no-store'];
    ask();
    ask();
    assert.equal(target.asked, 3, 'the rest is the operator to decide');
  });

  it('caches as long as the target says, and no longer than configured', () => {
    const { ask, target } = gateway();
    target.headers = ['Cache-Control', 'max-age=10'];
    ask();
    ask({ afterMs: 9_000 });
    assert.equal(target.asked, 1);
    ask({ afterMs: 11_000 });
    assert.equal(target.asked, 2);
    target.headers = ['Cache-Control', 'max-age=9999', 'Vary', 'Accept-Encoding'];
    ask({ path: '/long' });
    ask({ path: '/long', afterMs: 61_000 });
    assert.equal(target.asked, 4);
  });

  it('obeys callers that want no cached response, and caches the new one', () => {
    const { ask } = gateway();
    ask();
    assert.equal(ask({ headers: ['Cache-Control', 'no-cache'] }).body, 'answer 2');
    assert.equal(ask({ headers: ['Cache-Control', 'max-age=0'], afterMs: 1_500 }).body, 'answer 3');
    assert.equal(ask().body, 'answer 3');
  });

  it('returns 304 to callers that already have the response', () => {
    const { ask, target } = gateway();
    target.headers = ['ETag', 'W/"a"', 'Last-Modified', 'Sun, 01 Mar 2026 00:00:00 GMT', 'Content-Type', 'text/plain'];
    ask();
    for (const headers of [
      ['If-None-Match', '"a"'],
      ['If-None-Match', '"b", W/"a"'],
      ['If-None-Match', '*'],
      ['If-Modified-Since', 'Sun, 01 Mar 2026 00:00:00 GMT'],
    ]) {
      const answer = ask({ headers });
      assert.deepEqual([answer.status, answer.body], [304, ''], headers.join(': '));
      assert.deepEqual(answer.headers.fields, ['ETag', 'W/"a"', 'age', '0']);
    }
    for (const headers of [
      ['If-None-Match', '"b"'],
      ['If-None-Match', 'a'],
      ['If-None-Match', '"b"', 'If-Modified-Since', 'Sun, 01 Mar 2026 00:00:00 GMT'],
      ['If-Modified-Since', 'Sat, 28 Feb 2026 00:00:00 GMT'],
      ['If-Modified-Since', 'nonsense'],
    ]) {
      assert.equal(ask({ headers }).status, 200, headers.join(': '));
    }
    assert.equal(target.asked, 1);
  });

  it('serves HEAD from a response to GET, but never GET from HEAD', () => {
    const { ask, target } = gateway();
    ask({ method: 'HEAD' });
    ask({ method: 'HEAD' });
    assert.equal(target.asked, 1);
    assert.equal(ask().body, 'answer 2');
    ask({ method: 'HEAD' });
    assert.equal(target.asked, 2);
  });

  it('invalidates a path after a write to it', () => {
    const { ask, target } = gateway();
    ask();
    ask({ path: '/other' });
    ask({ method: 'DELETE' });
    assert.equal(ask().body, 'answer 4');
    assert.equal(ask({ path: '/other' }).body, 'answer 2');
    target.status = 403;
    ask({ method: 'DELETE' });
    assert.equal(ask().body, 'answer 4');
  });

  it('caches no incomplete or oversized response', () => {
    const { ask, target } = gateway({ maxBodyBytes: 100 });
    target.cut = true;
    ask();
    target.cut = false;
    target.body = () => 'x'.repeat(101);
    ask();
    ask();
    assert.equal(target.asked, 3);
  });

  it('finds nothing that another configuration cached', () => {
    const answers = createAnswerCache(1_000_000);
    gateway({}, answers).ask();
    const after = gateway({}, answers);
    after.ask();
    assert.equal(after.target.asked, 1);
  });
});

describe('cached responses', () => {
  const answer = (size: number, expiresAtMs = 1_000) => ({
    status: 200,
    headers: [],
    body: new Uint8Array(size),
    storedAtMs: 0,
    expiresAtMs,
  });

  it('stay within their size limit: the least recently used go', () => {
    const cache = createAnswerCache(10_000);
    for (const key of ['a', 'b', 'c']) cache.set(key, answer(2_500));
    assert.ok(cache.get('a', 0));
    cache.set('d', answer(2_500));
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => cache.get(key, 0) !== null),
      [true, false, true, true],
    );
    cache.set('huge', answer(20_000));
    assert.equal(cache.get('huge', 0), null);
    assert.ok(cache.get('a', 0), 'one that is too large drives none out');
    for (let index = 0; index < 1_000; index++) cache.set(`k${index % 70}`, answer(index));
    assert.ok(cache.sizeBytes <= 10_000);
  });

  it('are removed when they expire, and free their bytes', () => {
    const cache = createAnswerCache(10_000);
    cache.set('a', answer(100, 1_000));
    cache.set('a', answer(200, 1_000));
    assert.equal(cache.get('a', 1_000), null);
    assert.equal(cache.sizeBytes, 0);
  });
});
