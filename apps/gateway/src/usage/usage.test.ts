import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { randomOf } from '@millrace/data-plane/testing-random';
import { eventually } from '@millrace/eventually';
import { UsageBatch } from '@millrace/gateway-configuration/reports';
import { createLogger } from '@millrace/logs';
import { diskFiles, type Files } from '../configuration/files.ts';
import { diskJournalFiles, type JournalFiles, JournalWriter } from './journal.ts';
import { Spool } from './spool.ts';
import { countOf, countOfTurns, Received, requestsOfTurn } from './testing.ts';
import { createUsage, type Usage, type UsageOptions, UsageRefused } from './usage.ts';

const logger = createLogger('silent', process.stdout);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('usage', () => {
  let folder: string;
  let received: Received;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-usage-'));
    received = new Received();
  });
  afterEach(async () => {
    for (const usage of started.splice(0)) await usage.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = async (batch: UsageBatch) => {
    received.apply(UsageBatch.parse(batch));
  };
  const started: Usage[] = [];
  const start = (options: Partial<UsageOptions> = {}) => {
    const usage = createUsage({ dataDirectory: folder, flushMs: 5, send: apply, logger, ...options });
    started.push(usage);
    return usage;
  };
  const names = () => readdirSync(join(folder, 'usage')).sort();

  async function count(usage: Usage, turns: Iterable<number>, pauseMs = 0): Promise<void> {
    for (const turn of turns) {
      for (const request of requestsOfTurn(turn)) usage.record(request);
      if (pauseMs > 0) await setTimeout(pauseMs);
      else await setImmediate();
    }
  }

  const until = (isTrue: () => boolean) => eventually('what was counted', isTrue);

  /** What a crash would leave: a usage that is no more, and whatever it still does fails. */
  const dead = () => Promise.reject(new Error('not reachable'));

  test('each request is delivered once, and nothing stays on disk', async () => {
    const usage = start();
    await count(usage, range(0, 60), 1);
    await until(() => received.turns.size === 60);
    await usage.stop();
    assert.deepEqual(received.rows, countOfTurns(range(0, 60)).rows);
    assert.deepEqual(names(), []);
    assert.equal(usage.spooledBatches(), 0);
  });

  test('a request that matches no proxy is not counted', async () => {
    const usage = start();
    usage.record({ ...requestsOfTurn(1)[0]!, proxyId: '' });
    await usage.stop();
    assert.equal(received.rows.size, 0);
  });

  test('usage that is undelivered at a stop is delivered after the next start', async () => {
    const first = start({ send: dead });
    await count(first, range(0, 30));
    await first.stop();
    assert(first.spooledBatches() > 0);
    const second = start();
    await count(second, range(30, 40));
    await until(() => received.turns.size === 40);
    await second.stop();
    assert.deepEqual(received.rows, countOfTurns(range(0, 40)).rows);
    assert.deepEqual(names(), []);
  });

  test('lost responses, errors and repeats count nothing twice', async () => {
    const random = randomOf(11);
    const usage = start({
      async send(batch) {
        if (random() < 0.2) throw new Error('refused before it was applied');
        received.apply(batch);
        if (random() < 0.2) received.apply(batch);
        if (random() < 0.2) throw new Error('the answer was lost');
      },
    });
    await count(usage, range(0, 40), 2);
    await until(() => received.turns.size === 40);
    await usage.stop();
    assert.deepEqual(received.rows, countOfTurns(range(0, 40)).rows);
  });

  test('a rejected batch doesn’t hold up others, and is kept', async () => {
    let refused: UsageBatch | null = null;
    const usage = start({
      async send(batch) {
        refused ??= batch;
        if (batch.sequence === refused.sequence) throw new UsageRefused('Not valid.');
        await apply(batch);
      },
    });
    await count(usage, range(0, 40), 2);
    await until(() => received.turns.has(39));
    await usage.stop();
    assert(refused !== null);
    assert.equal(names().length, 1);
    await apply(refused);
    assert.deepEqual(received.rows, countOfTurns(range(0, 40)).rows);
  });

  test('a clock that goes back counts at the time it shows', async () => {
    const usage = start({ now: () => Date.now() - received.rows.size * 7_200_000 });
    const requests = range(0, 300).flatMap((turn) => requestsOfTurn(300 - turn));
    for (const request of requests) {
      usage.record(request);
      if (Math.random() < 0.1) await setTimeout(1);
    }
    await usage.stop();
    assert.deepEqual(received.rows, countOf(requests).rows);
  });

  test('large batches are split', async () => {
    const batches: UsageBatch[] = [];
    const usage = start({
      flushMs: 60_000,
      async send(batch) {
        batches.push(UsageBatch.parse(batch));
        await apply(batch);
      },
    });
    const requests = range(0, 3_000).map((index) => ({
      ...requestsOfTurn(index)[0]!,
      proxyId: `prx_${index}`,
    }));
    for (const request of requests) usage.record(request);
    await usage.stop();
    assert(batches.length > 2 && batches.every(({ traffic }) => traffic.length <= 5_000));
    assert.deepEqual(received.rows, countOf(requests).rows);
  });

  test('a full disk loses nothing while the process lives, and is reported', async () => {
    let isFull = false;
    const check = () => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    let isAway = false;
    const usage = start({
      files: {
        ...diskFiles,
        async write(path, bytes) {
          check();
          await diskFiles.write(path, bytes);
        },
      },
      journalFiles: {
        ...diskJournalFiles,
        write(file, bytes, position) {
          check();
          return diskJournalFiles.write(file, bytes, position);
        },
      },
      send: (batch) => (isAway ? dead() : apply(batch)),
    });
    await count(usage, range(0, 10), 1);
    isFull = true;
    await count(usage, range(10, 40), 2);
    assert.match(usage.failure() ?? '', /no space/);
    // What was in a journal when the disk became full waits there.
    await until(() => received.turns.has(39));
    isAway = true;
    await count(usage, range(40, 60), 2);
    isFull = false;
    await count(usage, range(60, 70), 2);
    await until(() => usage.failure() === null);
    isAway = false;
    await until(() => received.turns.size === 70);
    await usage.stop();
    assert.deepEqual(received.rows, countOfTurns(range(0, 70)).rows);
  });

  test('whenever it is killed, each complete turn is delivered once', async () => {
    for (let step = 1; step <= 60; step += 1) {
      const home = join(folder, String(step));
      received = new Received();
      const random = randomOf(step);
      let steps = 0;
      /** The turn whose end the process did not live to see. */
      let diedIn: number | null = null;
      let turn = 0;
      const takeStep = (dying: () => void = () => {}) => {
        steps += 1;
        if (steps === step) {
          diedIn = turn;
          dying();
        }
        if (steps >= step) throw new Error('dead');
      };
      const stepped = async <Result>(call: () => Promise<Result>): Promise<Result> => {
        takeStep();
        return call();
      };
      const files: Files = {
        read: (path) => stepped(() => diskFiles.read(path)),
        list: (path) => stepped(() => diskFiles.list(path)),
        write: async (path, bytes) => {
          const half = Buffer.from(bytes).subarray(0, bytes.length >> 1);
          let isDying = false;
          try {
            takeStep(() => {
              isDying = true;
            });
          } finally {
            if (isDying) await diskFiles.write(path, half);
          }
          await diskFiles.write(path, bytes);
        },
        sync: (path) => stepped(() => diskFiles.sync(path)),
        rename: (from, to) => stepped(() => diskFiles.rename(from, to)),
        remove: (path) => stepped(() => diskFiles.remove(path)),
      };
      const journalFiles: JournalFiles = {
        open(path) {
          takeStep();
          return diskJournalFiles.open(path);
        },
        write(file, bytes, position) {
          const half = bytes.subarray(0, Math.floor(random() * bytes.length));
          takeStep(() => diskJournalFiles.write(file, half, position));
          return diskJournalFiles.write(file, bytes, position);
        },
        truncate: () => takeStep(),
        close: diskJournalFiles.close,
      };
      const usage = createUsage({
        dataDirectory: home,
        flushMs: 1,
        logger,
        files,
        journalFiles,
        async send(batch) {
          takeStep(() => {
            if (random() < 0.5) received.apply(batch);
          });
          received.apply(batch);
        },
      });
      for (turn = 0; turn < 200 && diedIn === null; turn += 1) {
        for (const request of requestsOfTurn(turn)) usage.record(request);
        // The turn ends here: on a slow machine a timer may come before what it has still to write.
        await setImmediate();
        if (random() < 0.4) await setTimeout(2);
      }
      if (diedIn === null) {
        await usage.stop();
        continue;
      }
      await usage.stop();
      const again = createUsage({ dataDirectory: home, flushMs: 5, logger, send: apply });
      await again.stop();
      const ended = range(0, diedIn);
      const lost = received.turns.has(diedIn) ? [diedIn] : [];
      assert.deepEqual(received.rows, countOfTurns([...ended, ...lost]).rows, `step ${step}, turn ${diedIn}`);
      assert.deepEqual(readdirSync(join(home, 'usage')), []);
    }
  });

  test('a day without the control plane keeps one row per hour', async () => {
    const spool = new Spool(diskFiles, folder, logger);
    const writer = new JournalWriter(diskJournalFiles, folder, spool.nextNumber, () => assert.fail());
    const beganMs = Date.UTC(2026, 0, 15);
    const requests = range(0, 24 * 8).map((index) => ({
      ...requestsOfTurn(index % 5)[0]!,
      startedAtMs: beganMs + index * 450_000,
    }));
    for (const request of requests) {
      writer.add(request);
      await setImmediate();
      spool.close(writer.roll()!);
      await spool.fold(null, request.startedAtMs);
      await spool.removeCovered();
    }
    assert.equal(readdirSync(folder).length, 24);
    const sizeBytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    assert(sizeBytes < 24 * 12_000, `${sizeBytes} bytes`);
    for (let file = await spool.promote(); file !== null; file = await spool.promote()) {
      for await (const batch of spool.read(file)) await apply(batch);
      await spool.remove(file);
    }
    assert.deepEqual(received.rows, countOf(requests).rows);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a batch damaged on disk doesn’t hold up others, and is kept aside', async () => {
    const requests = range(0, 1_200).map((index) => ({ ...requestsOfTurn(index)[0]!, proxyId: `prx_${index}` }));
    const first = start({ send: dead, flushMs: 60_000 });
    for (const request of requests) first.record(request);
    await first.stop();
    const [name = ''] = names();
    const path = join(folder, 'usage', name);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    const second = start();
    await second.stop();
    const counted = [...received.rows.keys()].filter((key) => key.startsWith('traffic')).length;
    assert(counted > 600 && counted < 1_200, `${counted} rows`);
    assert.equal(names().length, 1);
    assert.match(names()[0]!, /damaged$/);
  });

  test('while the control plane is unreachable, the journal continues with few files on disk', async () => {
    const usage = start({ send: dead, flushMs: 1 });
    await count(usage, range(0, 300), 1);
    assert(names().length <= 4, names().join());
    await usage.stop();
    const again = start();
    await again.stop();
    assert.deepEqual(received.rows, countOfTurns(range(0, 300)).rows);
  });
});

describe('usage of a process that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-killed-'));
  after(() => rmSync(folder, { recursive: true }));

  test('is delivered to the last turn of its event loop, once', async () => {
    const received = new Received();
    const random = randomOf(3);
    const control = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const fate = random();
      if (fate < 0.15) return response.writeHead(503).end();
      const batch = UsageBatch.parse(JSON.parse(text));
      received.apply(batch);
      if (fate < 0.3) return request.socket.destroy();
      if (fate < 0.4) await setTimeout(30);
      received.apply(batch);
      response.writeHead(fate < 0.5 ? 500 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(control, 'listening');
    const { port } = control.address() as AddressInfo;
    const ended = new Set<number>();
    /** Begun and not seen to end: counted whole or not at all. */
    const cut = new Set<number>();
    let firstTurn = 1;
    try {
      for (let life = 0; life < 5; life += 1) {
        const child = spawn(
          process.execPath,
          [join(import.meta.dirname, 'testing-recorder.ts'), folder, String(port), String(firstTurn)],
          { stdio: ['ignore', 'ignore', 'inherit'] },
        );
        const exited = once(child, 'exit');
        const progress = () => {
          const path = join(folder, 'progress');
          const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
          return bytes.length < 8
            ? { begun: 0, ended: 0 }
            : { begun: bytes.readUInt32LE(0), ended: bytes.readUInt32LE(4) };
        };
        while (progress().ended < firstTurn) await setTimeout(5);
        await setTimeout(random() * 300);
        child.kill('SIGKILL');
        await exited;
        const last = progress();
        for (let turn = firstTurn; turn <= last.ended; turn += 1) ended.add(turn);
        if (last.begun > last.ended) cut.add(last.begun);
        firstTurn = last.begun + 1;
      }
      const usage = createUsage({
        dataDirectory: folder,
        flushMs: 5,
        logger,
        send: async (batch) => {
          received.apply(batch);
        },
      });
      await usage.stop();
    } finally {
      control.closeAllConnections();
      control.close();
    }
    const counted = received.turns;
    for (const turn of counted) assert(ended.has(turn) || cut.has(turn), `turn ${turn} never was`);
    const expected = new Set([...ended, ...[...cut].filter((turn) => counted.has(turn))]);
    assert.deepEqual(received.rows, countOfTurns(expected).rows);
    assert(ended.size > 50, `${ended.size} turns`);
  });
});
