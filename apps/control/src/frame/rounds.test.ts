import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startRounds } from './rounds.ts';

const intervalMs = 1_000;

/** Rounds that end when their test ends them, by its own clock. */
function startHeld(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const held: { readonly isStopped: () => boolean; readonly end: PromiseWithResolvers<void> }[] = [];
  const errors: unknown[] = [];
  const rounds = startRounds(
    (isStopped) => {
      const end = Promise.withResolvers<void>();
      held.push({ isStopped, end });
      return end.promise;
    },
    { intervalMs, onError: (error) => errors.push(error) },
  );
  return { rounds, held, errors, tick: () => context.mock.timers.tick(intervalMs) };
}

describe('rounds', () => {
  test('begin at once and at each interval, one at a time', async (context) => {
    const { rounds, held, tick } = startHeld(context);
    assert.equal(held.length, 1);
    tick();
    assert.equal(held.length, 1, 'the first is in progress');
    held[0]!.end.resolve();
    await turn();
    assert.equal(held.length, 1, 'the next interval begins the next');
    tick();
    assert.equal(held.length, 2);
    held[1]!.end.resolve();
    await rounds.stop();
  });

  test('go on after one that failed, whose error is reported', async (context) => {
    const { rounds, held, errors, tick } = startHeld(context);
    held[0]!.end.reject(new Error('no database'));
    await turn();
    assert.deepEqual(errors, [new Error('no database')]);
    tick();
    assert.equal(held.length, 2);
    held[1]!.end.resolve();
    await rounds.stop();
  });

  test('begin when woken, and once more after the one in progress', async (context) => {
    const { rounds, held } = startHeld(context);
    for (let wakes = 0; wakes < 3; wakes++) rounds.wake();
    assert.equal(held.length, 1);
    held[0]!.end.resolve();
    await turn();
    assert.equal(held.length, 2);
    held[1]!.end.resolve();
    await turn();
    assert.equal(held.length, 2, 'three wakes are one round');
    rounds.wake();
    assert.equal(held.length, 3, 'none is in progress');
    rounds.wake();
    const stopped = rounds.stop();
    held[2]!.end.resolve();
    await stopped;
    rounds.wake();
    assert.equal(held.length, 3, 'none begins after the end');
  });

  test('have ended when they are stopped', async (context) => {
    const { rounds, held, tick } = startHeld(context);
    assert.equal(held[0]!.isStopped(), false);
    let hasEnded = false;
    const stopped = rounds.stop().then(() => {
      hasEnded = true;
    });
    await turn();
    assert.equal(hasEnded, false, 'a round is in progress');
    assert.equal(held[0]!.isStopped(), true);
    held[0]!.end.resolve();
    await stopped;
    tick();
    assert.equal(held.length, 1);
  });
});
