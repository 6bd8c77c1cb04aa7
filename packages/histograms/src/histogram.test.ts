import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bucketOf, Histogram, isEncodedHistogram, middleOf } from './histogram.ts';

describe('histograms', () => {
  test('a bucket’s value is within 3.2 % of the recorded value, up to the largest', () => {
    for (let value = 1; value < 2 ** 40; value = Math.ceil(value * 1.37)) {
      assert(
        Math.abs(middleOf(bucketOf(value)) - value) <= value * 0.032,
        `${value} became ${middleOf(bucketOf(value))}`,
      );
    }
  });

  test('an encoded histogram is recognised, and anything else is not', () => {
    const histogram = new Histogram();
    for (const value of [0, 1, 17, 1_000, 2 ** 50]) histogram.record(value);
    for (const encoded of [[], histogram.encode()]) assert(isEncodedHistogram(encoded));
    for (const wrong of [[1], [1, 0], [5, 1, 4, 1], [5, 1, 5, 1], [-1, 1], [bucketOf(2 ** 40) + 1, 1]]) {
      assert(!isEncodedHistogram(wrong), String(wrong));
    }
  });

  test('buckets ascend without gaps', () => {
    for (let value = 0; value < 100_000; value += 1) {
      const step = bucketOf(value + 1) - bucketOf(value);
      assert(step === 0 || step === 1, `from ${value}`);
    }
    for (let exponent = 4; exponent < 40; exponent += 1) {
      assert.equal(bucketOf(2 ** exponent) - bucketOf(2 ** exponent - 1), 1, `at 2^${exponent}`);
    }
  });

  test('merged histograms have the percentiles of all values together', () => {
    const [all, first, second] = [new Histogram(), new Histogram(), new Histogram()];
    for (let value = 1; value <= 10_000; value += 1) {
      all.record(value);
      (value % 3 === 0 ? first : second).record(value);
    }
    first.addEncoded(second.encode());
    assert.deepEqual(first.encode(), all.encode());
    assert.equal(first.count, 10_000);
    assert(Math.abs(first.percentile(0.95)! - 9_500) < 9_500 * 0.04);
    assert.equal(new Histogram().percentile(0.5), null);
    assert.deepEqual(Histogram.from(all.encode()).encode(), all.encode());
  });
});
