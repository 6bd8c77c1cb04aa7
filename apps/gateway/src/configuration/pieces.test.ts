import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Joiner, split } from './pieces.ts';

interface Whole {
  readonly sequence: number;
  readonly empty: readonly unknown[];
  readonly items: readonly { readonly id: string; readonly weight: number }[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly nothing: null;
}

function whole(sequence: number, ids: readonly number[]): Whole {
  const items = ids.map((id) => ({ id: `dep_${id * 7_919}`, weight: 100 }));
  const members = Object.fromEntries(ids.map((id) => [`NAME_${id}`, { value: id, list: [id] }]));
  return { sequence, empty: [], items, members, nothing: null };
}

const ids = Array.from({ length: 5_000 }, (_, index) => index);

test('split objects are joined again', async () => {
  for (const count of [0, 1, 63, 64, 65, 5_000]) {
    const object = whole(count, ids.slice(0, count));
    const pieces = split({ ...object });
    assert.deepEqual(await new Joiner().join(pieces), object);
    for (const { json } of pieces) assert.ok(json.length < 30_000);
  }
});

test('unchanged parts stay the same objects, wherever others were added or removed', async () => {
  const joiner = new Joiner<Whole>();
  const first = await joiner.join(split({ ...whole(1, ids) }));
  const copy = structuredClone(first);
  // One goes at the beginning, one in the midst, and one comes at the end.
  const changed = whole(2, [...ids.filter((id) => id !== 3 && id !== 2_500), 9_999]);
  const second = await joiner.join(split({ ...changed }));
  assert.deepEqual(second, changed);
  assert.deepEqual(first, copy, 'the one that serves is not changed');
  const known = new Set(first.items);
  const taken = second.items.filter((item) => known.has(item)).length;
  assert.ok(taken > 4_000, `${taken} of 5,000 items`);
});
