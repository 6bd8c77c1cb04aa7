import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FileQueue } from './queue.ts';

const never = () => false;

describe('the queue of test files', () => {
  test('gives the longest file first, with short ones of the same workspace', () => {
    const durationsMs: Readonly<Record<string, number>> = {
      'apps/a/1.test.ts': 50_000,
      'apps/a/2.test.ts': 1_000,
      'packages/b/1.test.ts': 20_000,
      'packages/b/2.test.ts': 4_000,
      'packages/c/1.test.ts': 3_000,
    };
    const queue = new FileQueue(Object.keys(durationsMs), (file) => durationsMs[file]!, never);
    const batches: (readonly string[])[] = [];
    for (let batch = queue.take(); batch !== null; batch = queue.take()) {
      batches.push(batch);
      queue.done();
    }
    assert.deepEqual(batches[0], ['apps/a/1.test.ts']);
    assert.equal(batches[1]![0], 'packages/b/1.test.ts');
    assert.deepEqual(batches.flat().sort(), Object.keys(durationsMs).sort());
  });

  test('starts no process for a few short files of a workspace', () => {
    const files = Array.from({ length: 8 }, (_, index) => `apps/a/${index}.test.ts`);
    const queue = new FileQueue(files, () => 500, never);
    assert.deepEqual(queue.take(), files);
  });

  test('keeps a file that has to be the last until all others have ended', async () => {
    const queue = new FileQueue(
      ['apps/a/last.test.ts', 'apps/a/1.test.ts'],
      () => 1,
      (file) => file.includes('last'),
    );
    assert.deepEqual(queue.take(), ['apps/a/1.test.ts']);
    assert.deepEqual(queue.take(), [], 'another process has to wait');
    const ended = queue.changed();
    queue.done();
    await ended;
    assert.deepEqual(queue.take(), ['apps/a/last.test.ts']);
    queue.done();
    assert.equal(queue.take(), null);
  });

  test('gives again what a process that broke off did not run', () => {
    const queue = new FileQueue(['apps/a/1.test.ts'], () => 1, never);
    queue.take();
    queue.done(['apps/a/2.test.ts']);
    assert.deepEqual(queue.take(), ['apps/a/2.test.ts']);
  });
});
