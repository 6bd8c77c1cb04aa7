import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { randomOf } from '@millrace/data-plane/testing-random';
import { UsageRows } from '@millrace/gateway-configuration/reports';
import { Aggregate } from './aggregate.ts';
import { diskJournalFiles, JournalWriter, journalName, readJournal } from './journal.ts';
import { countOf, countOfTurns, Received, requestsOfTurn } from './testing.ts';
import { Dictionary, recordBytes, Turn } from './turn.ts';

describe('the journal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-journal-'));
  after(() => rmSync(folder, { recursive: true }));
  let next = 1;
  const unexpected = (_turn: unknown, _strings: unknown, error: unknown) => assert.fail(String(error));
  const newWriter = () => new JournalWriter(diskJournalFiles, folder, () => next++, unexpected);

  function receive(...aggregates: Aggregate[]): Received {
    const received = new Received();
    for (const aggregate of aggregates) {
      for (const rows of aggregate.batches(7)) received.add(UsageRows.parse(rows));
    }
    return received;
  }

  function readAll(journal: Buffer): Received {
    const aggregate = new Aggregate();
    for (const { turn, strings } of readJournal(journal)) aggregate.addTurn(turn, 0, turn.count, strings);
    return receive(aggregate);
  }

  async function write(turns: readonly number[]): Promise<Buffer> {
    const writer = newWriter();
    for (const turn of turns) {
      for (const request of requestsOfTurn(turn)) writer.add(request);
      await setImmediate();
    }
    const journal = writer.roll();
    assert(journal !== null);
    return readFileSync(join(folder, journalName(journal.number)));
  }

  const turns = Array.from({ length: 40 }, (_, index) => index + 1);

  test('contains all requests of a turn at its end', async () => {
    const writer = newWriter();
    for (const turn of turns) {
      for (const request of requestsOfTurn(turn)) writer.add(request);
      await setImmediate();
      const file = readFileSync(join(folder, journalName(next - 1)));
      assert.deepEqual(readAll(file).rows, countOfTurns(turns.slice(0, turn)).rows);
    }
    assert.equal(writer.roll()?.bytes, readFileSync(join(folder, journalName(next - 1))).length);
    assert.equal(writer.roll(), null);
  });

  test('traffic counts when a request ends, and is billed when it began', () => {
    const request = requestsOfTurn(1)[0]!;
    const atMs = Date.UTC(2026, 0, 15, 9, 59, 50);
    const slow = { ...request, termId: 'trm_1', startedAtMs: atMs, latencyUs: 25_000_000 };
    const bytes = new Uint8Array(recordBytes);
    const turn = new Turn(bytes);
    const dictionary = new Dictionary();
    turn.add(slow, dictionary);
    const rowsOf = () => {
      const aggregate = new Aggregate();
      aggregate.addTurn(turn, 0, 1, dictionary.strings);
      const [{ traffic, deployments, routes, metered, slots } = assert.fail()] = aggregate.batches(7);
      const times = [...traffic, ...routes].map(({ hour }) => hour);
      return [...times, deployments[0]?.minute, slots[0]?.slot, metered[0]?.quarter].map((time) => time?.slice(11, 19));
    };
    assert.deepEqual(rowsOf(), ['10:00:00', '10:00:00', '10:00:00', '10:00:10', '09:45:00']);
    // As earlier versions wrote it, without the slot.
    new Int32Array(bytes.buffer)[9] = 0;
    assert.deepEqual(rowsOf(), ['09:00:00', '09:00:00', '09:59:00', '09:59:00', '09:45:00']);
  });

  test('a turn of many requests is written in several frames', async () => {
    const writer = newWriter();
    const many = Array.from({ length: 1_000 }, (_, index) => requestsOfTurn(index)).flat();
    for (const request of many) writer.add(request);
    const journal = writer.roll();
    const file = readFileSync(join(folder, journalName(journal!.number)));
    assert.deepEqual(readAll(file).rows, countOf(many).rows);
  });

  test('returns complete turns up to any damage, and nothing else', async () => {
    const journal = await write(turns);
    const prefixes = new Set(
      Array.from({ length: turns.length + 1 }, (_, length) => keyOf(countOfTurns(turns.slice(0, length)))),
    );
    const random = randomOf(7);
    for (let round = 0; round < 300; round += 1) {
      const at = Math.floor(random() * journal.length);
      const cut = readAll(journal.subarray(0, at));
      assert(prefixes.has(keyOf(cut)), `cut at ${at}`);
      const flipped = Buffer.from(journal);
      flipped[at]! ^= 1 << Math.floor(random() * 8);
      assert(prefixes.has(keyOf(readAll(flipped))), `flipped at ${at}`);
    }
    for (let length = 0; length < 40; length += 1) {
      const noise = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
      assert.equal(readAll(noise).rows.size, 0);
      assert.deepEqual(readAll(Buffer.concat([journal, noise])).rows, countOfTurns(turns).rows);
    }
  });

  test('requests that can’t be written to disk are handed over, each once', async () => {
    for (let failing = 0; failing < 30; failing += 1) {
      const unwritten = new Aggregate();
      let calls = 0;
      const files = {
        ...diskJournalFiles,
        write: (file: number, bytes: Uint8Array, position: number) => {
          calls += 1;
          if (calls === failing) return diskJournalFiles.write(file, bytes.subarray(0, bytes.length >> 1), position);
          if (calls === failing + 1) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          return diskJournalFiles.write(file, bytes, position);
        },
      };
      const writer = new JournalWriter(
        files,
        folder,
        () => next++,
        (turn, strings) => {
          unwritten.addTurn(turn, 0, turn.count, strings);
        },
      );
      const written = new Aggregate();
      for (const turn of turns.slice(0, 20)) {
        for (const request of requestsOfTurn(turn)) writer.add(request);
        await setImmediate();
        if (turn % 7 !== 0 && turn !== 20) continue;
        const journal = writer.roll();
        if (journal === null) continue;
        for (const part of readJournal(readFileSync(join(folder, journalName(journal.number))))) {
          written.addTurn(part.turn, 0, part.turn.count, part.strings);
        }
      }
      assert.deepEqual(receive(written, unwritten).rows, countOfTurns(turns.slice(0, 20)).rows, `call ${failing}`);
    }
  });

  test('an aggregate of batches has the same counts', () => {
    const requests = turns.flatMap(requestsOfTurn);
    const aggregate = new Aggregate();
    for (const batch of aggregateOf(requests.slice(0, 50)).batches(3)) aggregate.addBatch(batch);
    for (const batch of aggregateOf(requests.slice(50)).batches(1_000)) aggregate.addBatch(batch);
    assert.deepEqual(receive(aggregate).rows, countOf(requests).rows);
  });

  function aggregateOf(requests: ReturnType<typeof requestsOfTurn>): Aggregate {
    const aggregate = new Aggregate();
    const files = {
      ...diskJournalFiles,
      open: () => {
        throw new Error('no disk');
      },
    };
    const writer = new JournalWriter(
      files,
      folder,
      () => next++,
      (turn, strings) => {
        aggregate.addTurn(turn, 0, turn.count, strings);
      },
    );
    for (const request of requests) writer.add(request);
    writer.flush();
    return aggregate;
  }

  function keyOf(received: Received): string {
    return JSON.stringify([...received.rows]);
  }
});
