import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import type { Counted, Counters } from './counters.ts';

/** What every driver must hold, counting for one node. `open` gives a store whose counts start at nothing. */
export function describeCounters(driver: string, open: () => Promise<Counters>): void {
  for (const mode of ['strict', 'fast'] as const) {
    describe(`${driver} counters, ${mode}`, () => {
      let counters: Counters;
      before(async () => {
        counters = await open();
      });
      after(() => counters.close());

      /** The end of the hour in which the tests run: they may be read in the hour before. A minute away at the least. */
      let hour = 0;
      before(() => {
        hour = Math.ceil((Date.now() + 60_000) / 3_600_000) * 3_600_000;
      });
      const quota = (key: string, limit: number, windowEndMs = hour) =>
        Promise.resolve(counters.quota(key).count({ limit, windowEndMs, mode }));
      const rate = (key: string, intervalMs: number, burst: number) =>
        Promise.resolve(counters.rate(key).count({ intervalMs, burst, mode }));
      const admitted = async (counted: Promise<Counted>[]) =>
        (await Promise.all(counted)).filter((each) => each.admitted).length;

      it('admit a quota’s limit, one after the other and all at once', async () => {
        for (const limit of [1, 5, 100, 10_000]) {
          const key = `limit-${limit}`;
          const first = await quota(key, limit);
          assert.equal(first.admitted, true);
          assert.equal(first.remaining, limit - 1);
          const rest = Array.from({ length: limit + 50 }, () => quota(key, limit));
          assert.equal(await admitted(rest), limit - 1);
          const refused = await quota(key, limit);
          assert.equal(refused.admitted, false);
          assert.equal(refused.remaining, 0);
          assert(refused.retryAfterMs > 0 && refused.retryAfterMs <= 3_660_000);
        }
      });

      it('tell what remains of a quota, down to nothing', async () => {
        const remaining: number[] = [];
        for (let request = 0; request < 40; request++) remaining.push((await quota('remaining', 40)).remaining);
        assert.deepEqual(
          remaining,
          Array.from({ length: 40 }, (_, index) => 39 - index),
        );
      });

      it('start over with the next window, and never again with an earlier one', async () => {
        const key = 'windows';
        assert.equal(await admitted([quota(key, 2), quota(key, 2), quota(key, 2)]), 2);
        const next = hour + 3_600_000;
        assert.equal(await admitted([quota(key, 2, next), quota(key, 2, next), quota(key, 2, next)]), 2);
        assert.equal(await admitted([quota(key, 2), quota(key, 2, next)]), 0);
      });

      it('hold a key against the limit that is asked for', async () => {
        const key = 'limits';
        assert.equal(await admitted(Array.from({ length: 5 }, () => quota(key, 5))), 5);
        assert.equal((await quota(key, 3)).admitted, false);
        assert.equal((await quota(key, 6)).admitted, true, 'a raised limit counts at once');
        assert.equal((await quota(key, 6)).admitted, false);
      });

      it('count keys apart, whatever characters they have', async () => {
        for (const key of ['a b', 'a\r\nb', 'ä', '日本', '*', 'x'.repeat(5_000)]) {
          assert.equal(await admitted([quota(key, 1), quota(key, 1)]), 1, key.slice(0, 10));
        }
      });

      it('debit a balance until nothing is left, whatever is asked for at once', async () => {
        for (const [credit, amount] of [
          [1_000, 1],
          [6_700_000_000, 6_700_000],
          [10, 3],
        ] as const) {
          const balance = counters.balance(`credit-${credit}`);
          const debit = () => Promise.resolve(balance.debit({ amount, credit, used: 0, mode }));
          const wanted = Math.floor(credit / amount);
          const debits = await Promise.all(Array.from({ length: wanted + 64 }, debit));
          assert.equal(debits.filter((each) => each.admitted).length, wanted);
          const refused = await debit();
          assert.deepEqual([refused.admitted, refused.remaining], [false, credit - wanted * amount]);
        }
      });

      it('give back what a debit did not cost, and honour a top-up', async () => {
        const balance = counters.balance('refunds');
        const debit = (credit: number, amount = 10) => balance.debit({ amount, credit, used: 0, mode });
        assert.equal((await debit(30)).admitted, true);
        balance.adjust(-10);
        const admittedOf = async (count: number, credit: number) => {
          let admitted = 0;
          for (let each = 0; each < count; each++) if ((await debit(credit)).admitted) admitted += 1;
          return admitted;
        };
        assert.equal(await admittedOf(5, 30), 3);
        balance.adjust(5);
        assert.equal(await admittedOf(5, 50), 1);
      });

      it('debit no more than what is left of a credit that falls', async () => {
        const balance = counters.balance('falling');
        const admitted = async (credit: number) => (await balance.debit({ amount: 1, credit, used: 0, mode })).admitted;
        assert.equal(await admitted(10_000), true);
        let count = 0;
        for (let each = 0; each < 20; each++) if (await admitted(5)) count += 1;
        assert.equal(count, 4);
        assert.equal(await admitted(6), true, 'it rises again');
      });

      it('never count less of a balance than is known to be used', async () => {
        const balance = counters.balance('known');
        const debit = (used: number) => balance.debit({ amount: 10, credit: 100, used, mode });
        assert.equal((await debit(85)).admitted, true);
        assert.equal((await debit(0)).admitted, false);
      });

      it('restore what is used of a balance, before and after its first debit', async () => {
        const debit = (key: string) => counters.balance(key).debit({ amount: 10, credit: 100, used: 0, mode });
        counters.restoreUsed('restored before', 85);
        assert.equal((await debit('restored before')).admitted, true);
        assert.equal((await debit('restored before')).admitted, false);
        assert.equal((await debit('restored after')).admitted, true);
        counters.restoreUsed('restored after', 100);
        assert.equal((await debit('restored after')).admitted, false);
      });

      it('space a rate, and admit its burst after a pause', async () => {
        const key = 'rate';
        const started = performance.now();
        let passed = await admitted(Array.from({ length: 9 }, () => rate(key, 200, 4)));
        let last = await rate(key, 200, 4);
        for (; last.admitted; last = await rate(key, 200, 4)) passed++;
        // By as much as the machine is slow, the rate has made room meanwhile.
        const most = () => 4 + Math.floor((performance.now() - started) / 200);
        assert(passed >= 4 && passed <= most(), `${passed} of at most ${most()}`);
        assert(last.retryAfterMs > 0 && last.retryAfterMs <= 200, `${last.retryAfterMs}`);
        await sleep(last.retryAfterMs + 20);
        const later = await admitted([rate(key, 200, 4), rate(key, 200, 4)]);
        assert(later >= 1 && passed + later <= most(), `${later} after ${passed} of at most ${most()}`);
      });

      it('admit no more than a rate allows while requests keep coming', async () => {
        const started = performance.now();
        let passed = 0;
        let asked = 0;
        while (performance.now() - started < 250) {
          asked += 5;
          passed += await admitted(Array.from({ length: 5 }, () => rate('steady', 1, 20)));
          await sleep(3);
        }
        const most = 20 + (performance.now() - started) / 1;
        assert(passed <= most + 1, `${passed} of at most ${most}`);
        assert(passed >= Math.min(asked, most) * 0.5, `${passed} of ${asked}, at most ${most}`);
      });

      it('never exceed one node’s limits', () => {
        assert.equal(counters.overAdmissionBound('quota', 10_000, mode), 0);
        assert.equal(counters.overAdmissionBound('rate', 10_000, mode), 0);
      });
    });
  }
}

/** A Redis server of a test's own, on a socket in a folder of its own. */
export interface TestRedis {
  readonly url: string;
  /** Ends it by its own process id, as a crash does or in good order; its data stays where it was persistent. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again, on the same socket. */
  start(): Promise<void>;
  /** Suspends it: it is there, and does not answer. */
  pause(): void;
  resume(): void;
  /** Answers of a command, as text. */
  command(...commandArguments: string[]): Promise<string>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** The program of a Redis server. */
export const redisBinary = process.env.MILLRACE_REDIS_SERVER || 'redis-server';

/** Why tests with a Redis server are skipped, or false; for the option `skip`. */
export const withoutRedis: string | false = isInstalled()
  ? false
  : 'no redis-server here: scripts/install-servers installs it, MILLRACE_REDIS_SERVER names another';

function isInstalled(): boolean {
  try {
    execFileSync(redisBinary, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param options `persistent`: with an append-only file that is written before every answer. `arguments`: of the server. */
export async function startTestRedis(
  options: { readonly persistent?: boolean; readonly arguments?: readonly string[] } = {},
): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-redis-'));
  const socket = join(directory, 'redis.sock');
  let server: ChildProcess | null = null;
  const kill = () => server?.kill('SIGKILL');
  process.once('exit', kill);

  const start = async () => {
    rmSync(socket, { force: true });
    const persistence = ['--save', '', '--appendonly', options.persistent ? 'yes' : 'no', '--appendfsync', 'always'];
    const place = ['--port', '0', '--unixsocket', socket, '--dir', directory, '--daemonize', 'no'];
    const started = spawn(redisBinary, [...place, ...persistence, ...(options.arguments ?? [])], { stdio: 'ignore' });
    server = started;
    await eventually('redis-server', () => {
      if (started.exitCode !== null) throw new Error('redis-server did not start.');
      return existsSync(socket) && answers(socket);
    });
  };
  const stop = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM') => {
    const stopped = server;
    server = null;
    if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return;
    const ended = once(stopped, 'exit');
    stopped.kill(signal);
    await ended;
  };

  await start();
  return {
    url: `unix://${socket}`,
    start,
    stop,
    pause: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
    command: (...commandArguments) => ask(socket, commandArguments),
    async remove() {
      process.removeListener('exit', kill);
      await stop('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answers(socket: string): Promise<boolean> {
  return /^(\+PONG|-NOAUTH)/.test(await ask(socket, ['PING']).catch(() => ''));
}

/** One command in the inline form, on a connection of its own. */
async function ask(socket: string, commandArguments: readonly string[]): Promise<string> {
  const connection = connect(socket);
  connection.write(`${commandArguments.join(' ')}\r\nQUIT\r\n`);
  let text = '';
  for await (const chunk of connection) text += String(chunk);
  return text;
}
