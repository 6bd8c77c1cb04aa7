import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitByLargestRemainder } from './split.ts';
import { Random } from './testing.ts';

describe('splitting an amount', () => {
  it('gives the largest remainders one more, the first of equals first', () => {
    assert.deepEqual(splitByLargestRemainder(5, [1, 1, 1]), [2, 2, 1]);
    assert.deepEqual(splitByLargestRemainder(10_000, [1, 2, 3]), [1_667, 3_333, 5_000]);
    assert.deepEqual(splitByLargestRemainder(0, [1, 2]), [0, 0]);
    assert.deepEqual(splitByLargestRemainder(7, [0, 1, 0]), [0, 7, 0]);
    assert.deepEqual(splitByLargestRemainder(Number.MAX_SAFE_INTEGER, [1, 1]), [2 ** 52, 2 ** 52 - 1]);
  });

  it('adds up, and no part is a unit away from its share', () => {
    const random = new Random(3);
    for (let round = 0; round < 2_000; round += 1) {
      const weights = Array.from({ length: 1 + random.below(9) }, () => random.below(1_000) - (round % 2) * 100);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      if (sum <= 0) continue;
      const amount = random.below(100_000) - 20_000;
      const parts = splitByLargestRemainder(amount, weights);
      assert.equal(
        parts.reduce((total, part) => total + part, 0),
        amount,
      );
      for (const [index, part] of parts.entries()) {
        assert(Math.abs(part - (amount * weights[index]!) / sum) < 1, `seed 3, round ${round}`);
      }
    }
  });

  it('rejects weights without a sum, and fractions', () => {
    assert.throws(() => splitByLargestRemainder(1, []), /add up to more than 0/);
    assert.throws(() => splitByLargestRemainder(1, [1, -1]), /add up to more than 0/);
    assert.throws(() => splitByLargestRemainder(0.5, [1]), /whole numbers/);
  });
});
