import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBatches } from './batches.ts';

test('calls of a group that arrive during a run share the next one; groups do not wait for each other', async () => {
  const runs: string[][] = [];
  const gates: (() => void)[] = [];
  const double = inBatches<string, string>({
    groupOf: (input) => input.charAt(0),
    largest: 2,
    run: async (inputs) => {
      runs.push([...inputs]);
      await new Promise<void>((resolve) => gates.push(resolve));
      return inputs.map((input) => input + input);
    },
  });
  const answers = Promise.all(['a1', 'a2', 'a3', 'a4', 'b1'].map(double));
  while (runs.flat().length < 5) {
    gates.shift()?.();
    await new Promise(setImmediate);
  }
  gates.shift()?.();
  assert.deepEqual(await answers, ['a1a1', 'a2a2', 'a3a3', 'a4a4', 'b1b1']);
  assert.deepEqual(runs, [['a1'], ['b1'], ['a2', 'a3'], ['a4']]);
});

test('a failing run only fails its own calls', async () => {
  const call = inBatches<number, number>({
    groupOf: () => '',
    largest: 1,
    run: async ([input]) => {
      if (input === 2) throw new Error('two');
      return [input!];
    },
  });
  const settled = await Promise.allSettled([1, 2, 3].map(call));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(await call(4), 4);
});
