import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateEnsemble } from '@millrace/engine/score/trees';
import { type BoostOptions, boost, type GroupedRows, meanOf, randomNumbers } from './boost.ts';
import { bestThreshold, calibrate, type Judgement } from './judge.ts';

const options: BoostOptions = {
  trees: 40,
  leaves: 6,
  learningRate: 0.2,
  featureShare: 1,
  lambda: 1,
  leafWeight: 0.5,
  seed: 1,
};

/** Groups of four rows; the right one has the largest first feature, the second feature is noise. Each fifth group has none right. */
function groups(count: number): GroupedRows {
  const random = randomNumbers(7);
  const values: number[] = [];
  const labels: number[] = [];
  for (let group = 0; group < count; group += 1) {
    const right = group % 5 === 0 ? -1 : Math.floor(random() * 4);
    for (let row = 0; row < 4; row += 1) {
      values.push(row === right ? 0.7 + 0.3 * random() : 0.6 * random(), random());
      labels.push(row === right ? 1 : 0);
    }
  }
  return {
    values: Float32Array.from(values),
    featureCount: 2,
    labels: Uint8Array.from(labels),
    groupStarts: Int32Array.from({ length: count + 1 }, (_, group) => group * 4),
    groupWeights: new Float32Array(count).fill(1),
    offsets: new Float32Array(count * 4),
  };
}

test('boosting learns which row of a group is right, and when none is', () => {
  const ensemble = boost(groups(300), options);
  assert.ok(evaluateEnsemble(ensemble, Float32Array.of(0.9, 0.5), 2)[0]! > 2);
  assert.ok(evaluateEnsemble(ensemble, Float32Array.of(0.3, 0.5), 2)[0]! < -2);
});

test('the mean of ensembles gives the mean of their sums, whatever their numbers of trees', () => {
  const rows = Float32Array.of(0.9, 0.5, 0.65, 0.1, 0.3, 0.5);
  const long = boost(groups(300), options);
  const short = boost(groups(200), { ...options, trees: 25, seed: 2 });
  const [a, b, mean] = [long, short, meanOf([long, short])].map((ensemble) => evaluateEnsemble(ensemble, rows, 2));
  for (const [row, sum] of mean!.entries()) assert.ok(Math.abs(sum - (a![row]! + b![row]!) / 2) < 1e-6);
});

test('the same rows and seed give the same trees', () => {
  assert.deepEqual(boost(groups(60), options), boost(groups(60), options));
  assert.notDeepEqual(
    boost(groups(60), { ...options, featureShare: 0.5 }),
    boost(groups(60), { ...options, featureShare: 0.5, seed: 2 }),
  );
});

function judgement(probability: number, right: boolean): Judgement {
  return { key: 'k', family: 'f', set: 's', real: true, field: 'f', probability, right, present: true, printed: true };
}

test('calibration rises with the probability and stays below its cap', () => {
  const judgements = Array.from({ length: 400 }, (_, index) => judgement(index / 400, index % 10 < index / 40));
  const points = calibrate(judgements, 89);
  for (let index = 1; index < points.length; index += 1) {
    assert.ok(points[index]![0] > points[index - 1]![0]);
    assert.ok(points[index]![1] >= points[index - 1]![1]);
  }
  assert.ok(points.at(-1)![1] <= 89);
});

test('few judgements do not make for full confidence', () => {
  assert.ok(calibrate([judgement(0.9, true), judgement(0.95, true)], 100).at(-1)![1] < 80);
});

test('the threshold is where F1 is highest', () => {
  const { threshold, f1 } = bestThreshold([
    judgement(0.9, true),
    judgement(0.8, true),
    judgement(0.2, false),
    judgement(0.1, false),
  ]);
  assert.ok(threshold > 0.2 && threshold < 0.8);
  assert.ok(f1 > 0.6);
});
