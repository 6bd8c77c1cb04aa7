import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';

test('looks until something is there, and returns it', async () => {
  for (const nothing of [false, null, undefined]) {
    let looks = 0;
    assert.equal(await eventually('a number', async () => (++looks < 3 ? nothing : 7)), 7);
    assert.equal(looks, 3);
  }
});

test('takes 0 and the empty text for something', async () => {
  assert.equal(await eventually('a count', () => 0), 0);
  assert.equal(await eventually('a text', () => ''), '');
});

test('passes on what a look throws', async () => {
  await assert.rejects(
    eventually('nothing', () => {
      throw new Error('It broke.');
    }),
    /It broke/,
  );
});

test('gives up in the end, and says for what it waited', async (context) => {
  let nowMs = performance.now();
  context.mock.method(performance, 'now', () => {
    nowMs += 40_000;
    return nowMs;
  });
  await assert.rejects(
    eventually('the train', () => null),
    /^Error: Waited 90 s in vain for the train\.$/,
  );
});
