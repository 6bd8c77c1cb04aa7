import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { eventually } from '@millrace/eventually';
import type { Counted, CounterStore, Counters } from './counters.ts';
import { freePort } from './redis/testing-servers.ts';
import { createRedisCounters, type RedisCountersOptions, type RedisEvent } from './redis.ts';
import { describeCounters, startTestRedis, type TestRedis, withoutRedis } from './testing.ts';

const windowEndMs = Date.now() + 86_400_000;

type Mode = 'strict' | 'fast';

/** How many of so many requests are admitted, asked for at once. */
async function admitted(counters: CounterStore, key: string, limit: number, count: number, mode: Mode = 'strict') {
  const counted = await Promise.all(
    Array.from({ length: count }, () => counters.quota(key).count({ limit, windowEndMs, mode })),
  );
  return counted.filter((each) => each.admitted).length;
}

/** Counters that are closed after the test, and their events. */
function open(context: TestContext, options: Partial<RedisCountersOptions> & { readonly url: string }) {
  const events: RedisEvent[] = [];
  const counters = createRedisCounters({ nodes: () => 1, onEvent: (event) => events.push(event), ...options });
  context.after(() => counters.close());
  return { counters, events, reported: (kind: RedisEvent['kind']) => events.some((event) => event.kind === kind) };
}

async function openRedis(context: TestContext, options: Parameters<typeof startTestRedis>[0] = {}): Promise<TestRedis> {
  const redis = await startTestRedis(options);
  context.after(() => redis.remove());
  return redis;
}

describe('redis', { skip: withoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.remove());

  describeCounters('redis', async () => {
    await redis.command('FLUSHALL');
    return createRedisCounters({ url: redis.url, nodes: () => 1 });
  });

  it('share limits between nodes', async (context) => {
    const nodes = Array.from({ length: 3 }, () => open(context, { url: redis.url, nodes: () => 3 }).counters);
    for (const mode of ['strict', 'fast'] as const) {
      const counts = await Promise.all(nodes.map((node) => admitted(node, `shared-${mode}`, 100, 60, mode)));
      const total = counts.reduce((sum, count) => sum + count);
      assert(total <= 100 && total >= (mode === 'strict' ? 100 : 85), `${mode}: ${total}`);
    }
  });

  it('debit a balance from 64 callers on three nodes to the last request', async (context) => {
    const nodes = Array.from({ length: 3 }, () => open(context, { url: redis.url, nodes: () => 3 }).counters);
    for (const mode of ['strict', 'fast'] as const) {
      let admittedRequests = 0;
      const request = { amount: 7, credit: 7_000, used: 0, mode } as const;
      const callers = Array.from({ length: 64 }, async (_, caller) => {
        const balance = nodes[caller % 3]!.balance(`paid-${mode}`);
        for (let call = 0; call < 40; call++) if ((await balance.debit(request)).admitted) admittedRequests += 1;
      });
      await Promise.all(callers);
      // Nothing is ever overspent; a node may hold a lease of a hundredth of its part.
      const held = mode === 'strict' ? 0 : 3 * Math.ceil(7_000 / 300 / 7 + 1);
      assert(admittedRequests <= 1_000 && admittedRequests >= 1_000 - held, `${mode}: ${admittedRequests}`);
    }
  });

  it('give back what a lease of a balance has left', async (context) => {
    const nodes = Array.from({ length: 2 }, () => open(context, { url: redis.url, nodes: () => 2 }).counters);
    const [first, second] = nodes.map((node) => node.balance('lease'));
    const request = { amount: 1, credit: 10_000, used: 0, mode: 'fast' } as const;
    assert.equal((await first!.debit(request)).admitted, true);
    let admittedRequests = 0;
    await eventually('the rest of the lease', async () => {
      while ((await second!.debit(request)).admitted) admittedRequests += 1;
      return admittedRequests >= 9_999;
    });
    assert.equal(admittedRequests, 9_999);
  });

  it('give back what a key holds that is used no more', async (context) => {
    const nodes = Array.from({ length: 2 }, () => open(context, { url: redis.url, nodes: () => 2 }).counters);
    const [first, second] = nodes as [Counters, Counters];
    assert.equal(await admitted(first, 'idle', 1_000, 1, 'fast'), 1);
    const before = await admitted(second, 'idle', 1_000, 1_000, 'fast');
    assert(before < 999, 'the first node holds some');
    let sum = before;
    await eventually('what the first held', async () => {
      sum += await admitted(second, 'idle', 1_000, 1_000, 'fast');
      return sum >= 999;
    });
    assert.equal(sum, 999);
  });

  it('give back what they hold when they close', async (context) => {
    const { counters } = open(context, { url: redis.url });
    const closing = createRedisCounters({ url: redis.url, nodes: () => 1 });
    assert.equal(await admitted(closing, 'closing', 1_000, 1, 'fast'), 1);
    await closing.close();
    assert.equal(await admitted(counters, 'closing', 1_000, 1_000), 999);
    await assert.rejects(async () => closing.quota('closing').count({ limit: 9, windowEndMs, mode: 'strict' }));
  });

  it('count in one write what one turn of the event loop asks for', async (context) => {
    const { counters } = open(context, { url: redis.url });
    await admitted(counters, 'warm', 1, 1);
    const calls = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.command('INFO', 'commandstats'))?.[1]);
    const before = await calls();
    await Promise.all(Array.from({ length: 100 }, (_, index) => admitted(counters, `turn-${index % 50}`, 10, 5)));
    assert.equal((await calls()) - before, 1);
  });

  it('count a quota and a rate behind it in one step, as one after the other', async (context) => {
    const nodes = [open(context, { url: redis.url }).counters, open(context, { url: redis.url }).counters];
    await Promise.all(nodes.map(({ connected }) => connected));
    const ask = (node: Counters, name: string, limit: number, burst: number) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ quota: Counted; rate: Counted | null }>();
      const quotaRequest = { limit, windowEndMs, mode: 'strict' } as const;
      const rateRequest = { intervalMs: 600_000, burst, mode: 'strict' } as const;
      const taker = { counted: (quota: Counted, rate: Counted | null) => resolve({ quota, rate }), failed: reject };
      const [quota, rate] = [node.quota(`both-${name}`), node.rate(`both-${name}`)];
      return node.countBoth!(quota, quotaRequest, rate, rateRequest, taker) ? promise : null;
    };
    for (const [name, limit, burst, passes, byRate] of [
      ['rate-first', 20, 7, 7, 13],
      ['quota-first', 7, 20, 7, 0],
    ] as const) {
      const counted = await Promise.all(
        Array.from({ length: 40 }, (_, index) => ask(nodes[index % 2]!, name, limit, burst)),
      );
      const outcomes = counted.map((both) => (both!.rate === null ? 'quota' : both!.rate.admitted ? 'passes' : 'rate'));
      const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
      assert.deepEqual([count('passes'), count('rate'), count('quota')], [passes, byRate, 40 - passes - byRate], name);
      for (const both of counted) assert.equal(both!.quota.admitted, both!.rate !== null);
      const lowest = Math.min(...counted.flatMap((both) => (both!.quota.admitted ? [both!.quota.remaining] : [])));
      assert.equal(lowest, 0, 'the quota reports its remainder');
      // What is just refused needs no question: it is left to the counters themselves.
      assert.equal(ask(nodes[0]!, name, limit, burst), null);
      assert.match(
        await redis.command('GET', `millrace:quota:both-${name}:${windowEndMs}`),
        new RegExp(`^\\$\\d+\r\n${limit}\r\n`),
      );
      // What the quota refused was never debited of the rate.
      const fresh = open(context, { url: redis.url }).counters;
      await fresh.connected;
      const left = await fresh.rate(`both-${name}`).count({ intervalMs: 600_000, burst, mode: 'strict' });
      assert.deepEqual([left.admitted, left.remaining], passes < burst ? [true, burst - passes - 1] : [false, 0], name);
    }
  });

  it('refuse without asking again what was just refused', async (context) => {
    const { counters } = open(context, { url: redis.url });
    assert.equal(await admitted(counters, 'refused', 3, 4), 3);
    const started = performance.now();
    const counted = counters.quota('refused').count({ limit: 3, windowEndMs, mode: 'strict' });
    if (performance.now() - started < 100) assert(!(counted instanceof Promise) && !counted.admitted);
  });

  it('cannot count for a node whose window is long over', async (context) => {
    const { counters } = open(context, { url: redis.url });
    const late = async (byMs: number) =>
      counters.quota(`late-${byMs}`).count({ limit: 1, windowEndMs: Date.now() - byMs, mode: 'strict' });
    assert.equal((await late(30_000)).admitted, true);
    await assert.rejects(late(90_000), /clock of this node is behind/);
  });

  it('leave no key without expiry, and forget nothing early', async (context) => {
    const { counters } = open(context, { url: redis.url });
    const endMs = Date.now() + 3_600_000;
    await counters.quota('ttl').count({ limit: 5, windowEndMs: endMs, mode: 'strict' });
    assert.match(await redis.command('PEXPIRETIME', `millrace:quota:ttl:${endMs}`), new RegExp(`:${endMs + 60_000}`));
    await counters.rate('ttl').count({ intervalMs: 1_500, burst: 4, mode: 'strict' });
    const ttl = Number(/:(\d+)/.exec(await redis.command('PTTL', 'millrace:rate:ttl'))?.[1]);
    assert(ttl > 1_300 && ttl <= 1_502, `${ttl}`);
  });

  it('keep a rate as it was where they refuse', async (context) => {
    // Each knows nothing of what the others were refused.
    const nodes = [
      open(context, { url: redis.url }),
      open(context, { url: redis.url }),
      open(context, { url: redis.url }),
    ];
    const rate = { intervalMs: 60_000.5, burst: 2, mode: 'strict' } as const;
    const count = async (node: number, requests: number) => {
      const counter = nodes[node]!.counters.rate('refused');
      const counted = await Promise.all(Array.from({ length: requests }, () => counter.count(rate)));
      return counted.filter(({ admitted }) => admitted).length;
    };
    const stored = () => redis.command('GET', 'millrace:rate:refused');
    assert.equal(await count(0, 2), 2);
    const before = await stored();
    assert.equal(await count(1, 1), 0);
    assert.equal(await count(2, 3), 0);
    assert.equal(await stored(), before);
  });

  it('go on after the server forgot the scripts', async (context) => {
    const { counters } = open(context, { url: redis.url });
    assert.equal(await admitted(counters, 'scripts', 10, 4), 4);
    await redis.command('SCRIPT', 'FLUSH');
    assert.equal(await admitted(counters, 'scripts', 10, 10), 6);
  });
});

describe('redis that fails', { skip: withoutRedis, concurrency: true }, () => {
  it('fails strict counting at once, and lets fast counting use up what it holds', async (context) => {
    const redis = await openRedis(context, { persistent: true });
    // A question that is given up may have been counted all the same.
    const { counters, reported } = open(context, { url: redis.url, timeoutMs: 10_000 });
    assert.equal(await admitted(counters, 'outage', 1_000, 1, 'fast'), 1);
    assert.equal(await admitted(counters, 'outage-strict', 10, 4), 4);
    await redis.stop('SIGKILL');
    await eventually('the loss', () => reported('lost'));
    const started = performance.now();
    await assert.rejects(admitted(counters, 'outage-strict', 10, 1), /Redis is un/);
    assert(performance.now() - started < 5_000, 'nothing waits for a server that is known to be away');
    assert.equal(await admitted(counters, 'outage', 1_000, 50, 'fast'), 50);
    await assert.rejects(admitted(counters, 'outage', 1_000, 200, 'fast'), /Redis is un/);
    await redis.start();
    await eventually('counting', () =>
      admitted(counters, 'outage-strict', 10, 1).then(
        (count) => count === 1,
        () => false,
      ),
    );
    assert.equal(await admitted(counters, 'outage-strict', 10, 20), 5);
  });

  it('is given up after the time-out where it does not answer, and found again', async (context) => {
    const redis = await openRedis(context);
    const { counters } = open(context, { url: redis.url, timeoutMs: 100 });
    assert.equal(await admitted(counters, 'paused', 10, 1), 1);
    redis.pause();
    const started = performance.now();
    await assert.rejects(admitted(counters, 'paused', 10, 1), /no response within 100 ms/);
    assert(performance.now() - started < 30_000);
    // What waits for the new connection is given up as well, and then nothing waits any more.
    await assert.rejects(admitted(counters, 'paused', 10, 1));
    redis.resume();
    let later = 0;
    await eventually('counting', async () => {
      later += await admitted(counters, 'paused', 10, 20).catch(() => 0);
      return later > 0;
    });
    // The two that failed may have been counted.
    assert(later >= 7 && later <= 9, `${later}`);
  });

  it('that returns without its data gets the counts that nodes received last', async (context) => {
    const redis = await openRedis(context);
    const one = open(context, { url: redis.url, nodes: () => 2 });
    const other = open(context, { url: redis.url, nodes: () => 2 });
    assert.equal(await admitted(one.counters, 'lost', 100, 30), 30);
    assert.equal(await admitted(other.counters, 'lost', 100, 50), 50);
    await redis.stop('SIGKILL');
    await eventually('the losses', () => one.reported('lost') && other.reported('lost'));
    await redis.start();
    await eventually('the lost data', () => one.reported('data lost') && other.reported('data lost'));
    // The other knew of all 80, this one of 30: between the two, what it does not know of may pass once more.
    assert.equal(await admitted(one.counters, 'lost', 100, 10), 10);
    assert.equal(await admitted(other.counters, 'lost', 100, 100), 20);
    assert.equal(await admitted(one.counters, 'lost', 100, 100), 0);
    assert(one.reported('restored') && other.reported('restored'));
  });

  for (const mode of ['strict', 'fast'] as const) {
    it(`that returns without its data admits nothing of a balance twice, ${mode}`, async (context) => {
      const redis = await openRedis(context);
      const nodes = Array.from({ length: 3 }, () => open(context, { url: redis.url, nodes: () => 3 }));
      const debit = async (node: number, wanted: number) => {
        const balance = nodes[node]!.counters.balance('lost');
        const request = { amount: 1, credit: 10_000, used: 0, mode } as const;
        let admittedRequests = 0;
        for (let first = 0; first < wanted; first += 500) {
          const asked = Array.from({ length: 500 }, async () => (await balance.debit(request)).admitted);
          for (const result of await Promise.allSettled(asked)) {
            if (result.status === 'fulfilled' && result.value) admittedRequests += 1;
          }
        }
        return admittedRequests;
      };
      // The second node knows of few of them, the third of none.
      let total = await debit(1, 500);
      total += await debit(0, 7_000);
      await redis.stop('SIGKILL');
      await eventually('the losses', () => nodes.every((node) => node.reported('lost')));
      await redis.start();
      const isBack = ({ events }: (typeof nodes)[number]) =>
        events.filter(({ kind }) => kind === 'connected').length === 2;
      for (const node of [2, 1, 0]) {
        await eventually('the connection', () => isBack(nodes[node]!));
        total += await debit(node, 5_000);
      }
      // Fast: by what a node may hold of its leases, less.
      const held = mode === 'strict' ? 0 : 3 * 2 * Math.ceil(10_000 / 300);
      assert(total <= 10_000 && total >= 10_000 - held, `${total}`);
    });
  }

  it('and was never there fails at once, and is found when it comes', async (context) => {
    const redis = await openRedis(context);
    await redis.stop();
    const { counters, reported } = open(context, { url: redis.url });
    await eventually('the loss', () => reported('lost'));
    await assert.rejects(admitted(counters, 'first', 10, 1), /Redis is un/);
    await redis.start();
    await eventually('the connection', () => reported('connected'));
    assert.equal(await admitted(counters, 'first', 10, 20), 10);
  });

  it('and speaks another protocol is no server', async (context) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    const { port } = server.address() as { port: number };
    const { events } = open(context, { url: `redis://127.0.0.1:${port}` });
    await eventually('an event', () => events.length > 0);
    assert.deepEqual(events, [
      { kind: 'lost', reason: 'Redis is unavailable: This is not a reply of a Redis server.' },
    ]);
  });

  it('is reported if it may lose counts', async (context) => {
    const careless = await openRedis(context, {
      arguments: ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'],
    });
    const { events } = open(context, { url: careless.url });
    await eventually('an event', () => events.length > 0);
    const [event] = events;
    assert(event?.kind === 'connected');
    assert.equal(event.warnings.length, 2);
    assert.match(event.warnings[0]!, /noeviction/);
    assert.match(event.warnings[1]!, /appendonly/);
  });
});

describe('a connection to redis', { skip: withoutRedis }, () => {
  it('signs in, and chooses its database', async (context) => {
    const redis = await openRedis(context, { arguments: ['--requirepass', 'pä$$:word'] });
    const withPassword = redis.url.replace('unix://', `unix://:${encodeURIComponent('pä$$:word')}@localhost`);
    const { counters } = open(context, { url: `${withPassword}?db=3` });
    assert.equal(await admitted(counters, 'signed-in', 5, 9), 5);
    const wrong = open(context, { url: redis.url.replace('unix://', 'unix://:guess@localhost') });
    await eventually('the loss', () => wrong.reported('lost'));
    assert(!JSON.stringify(wrong.events).includes('guess'), 'no password in the events');
  });

  const skip = spawnSync('openssl', ['version']).error ? 'no openssl here to make a certificate with' : false;
  it('is encrypted for rediss, to a server whose certificate holds', { skip }, async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'millrace-redis-tls-'));
    context.after(() => rmSync(directory, { recursive: true }));
    const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const port = await freePort();
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    await openRedis(context, { arguments: ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files] });
    const url = `rediss://localhost:${port}`;
    const { counters } = open(context, { url, certificateAuthority: readFileSync(certificate, 'utf8') });
    assert.equal(await admitted(counters, 'encrypted', 5, 9), 5);
    const unknown = open(context, { url });
    await eventually('the loss', () => unknown.reported('lost'));
    assert.match(JSON.stringify(unknown.events), /self-signed certificate/);
    const byAddress = {
      url: url.replace('localhost', '127.0.0.1'),
      certificateAuthority: readFileSync(certificate, 'utf8'),
    };
    const misnamed = open(context, byAddress);
    await eventually('the loss', () => misnamed.reported('lost'));
    assert.match(JSON.stringify(misnamed.events), /127\.0\.0\.1/);
    const named = open(context, { ...byAddress, serverName: 'localhost' });
    assert.equal(await admitted(named.counters, 'encrypted by name', 5, 9), 5);
  });
});
