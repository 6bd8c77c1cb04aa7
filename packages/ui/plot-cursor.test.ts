import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movedBy, type PlotCursor, rangeOf } from './src/plot-cursor.ts';

const at = (index: number, anchor: number | null = null, row = 0): PlotCursor => ({ index, row, anchor });

describe('the cursor of a plot', () => {
  test('moves by keys within what is shown', () => {
    const from = at(5);
    const leads = (key: string) => movedBy(key, from, [2, 12], 0, false)?.index;
    assert.deepEqual(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'].map(leads), [4, 6, 12, 2, 2, 12]);
    assert.equal(movedBy('ArrowUp', from, [2, 12], 0, false), null);
    assert.equal(movedBy('a', from, [2, 12], 3, false), null);
  });

  test('moves between rows of cells', () => {
    assert.deepEqual(movedBy('ArrowUp', at(5, null, 2), [0, 9], 3, false), at(5, null, 2));
    assert.deepEqual(movedBy('ArrowDown', at(5, null, 2), [0, 9], 3, false), at(5, null, 1));
  });

  test('selects with Shift from where it was, in either direction', () => {
    const first = movedBy('ArrowLeft', at(5), [0, 9], 0, true)!;
    assert.deepEqual(first, at(4, 5));
    const second = movedBy('ArrowLeft', first, [0, 9], 0, true)!;
    assert.deepEqual(rangeOf(second), [3, 5]);
    assert.deepEqual(rangeOf(movedBy('ArrowRight', second, [0, 9], 0, false)!), [4, 4]);
  });
});
