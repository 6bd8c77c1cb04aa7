import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidenceOfProbability } from '@millrace/engine/validate/calibration';
import type { EvaluatedCase } from '../labelled/cases.ts';
import { randomNumbers } from '../train/boost.ts';
import { type GivenValue, ruleLines, trainCalibration } from './confidence.ts';

const random = randomNumbers(7);
const values = Array.from({ length: 1200 }, (_, index): GivenValue => {
  const share = random();
  const group = index % 3 === 0 ? 'trade' : 'receipt';
  // Half of what trade documents are sure of is wrong.
  const right = random() < (group === 'trade' ? share / 2 : share);
  const features = { constant: 1, given: share * 4 - 2, [`group ${group}`]: 1, [`given ${group}`]: share * 4 - 2 };
  return { family: `family ${index}`, alike: `${index}`, set: 'all', group, features, right, weight: 1, known: false };
});

test('calibrated confidences are as often right as they say, for each group of types', () => {
  const { calibration, unseen } = trainCalibration(values);
  for (const group of ['trade', 'receipt']) {
    const own = unseen
      .filter((value) => value.group === group)
      .map((value) => ({ ...value, confidence: confidenceOfProbability(value.probability, group, calibration) }));
    for (const from of [0, 20, 40, 60]) {
      const within = own.filter(({ confidence }) => confidence >= from && confidence < from + 20);
      if (within.length < 60) continue;
      const mean = within.reduce((sum, { confidence }) => sum + confidence, 0) / within.length;
      const right = (100 * within.filter((value) => value.right).length) / within.length;
      assert.ok(Math.abs(mean - right) < 8, `${group} ${from}: ${mean.toFixed(1)} against ${right.toFixed(1)}`);
    }
  }
  assert.ok(
    unseen.filter(({ group }) => group === 'trade').every(({ probability }) => probability < calibration.sure.trade!),
  );
});

test('variants of one issuer count as one document', () => {
  const features = { constant: 1 };
  const one = (index: number, right: boolean, weight: number): GivenValue => ({
    family: `family ${index}`,
    alike: `${index}`,
    set: 'all',
    group: 'trade',
    features,
    right,
    weight,
    known: false,
  });
  const wrong = Array.from({ length: 50 }, () => one(0, false, 1 / 50));
  const right = Array.from({ length: 200 }, (_, index) => one(index + 1, true, 1));
  const { calibration } = trainCalibration([...wrong, ...right]);
  assert.ok(calibration.weights.constant! > 3);
});

test('documents that rules were written for teach which values are righter than others, not how often they are right', () => {
  const known = values.map((value) => ({ ...value, alike: `known ${value.alike}`, known: true, right: true }));
  const { calibration, unseen } = trainCalibration([...values, ...known]);
  assert.equal(unseen.length, values.length);
  for (const from of [0.6, 0.8]) {
    const within = unseen.filter(({ group, probability }) => group === 'receipt' && probability >= from);
    const confidences = within.map(({ probability }) => confidenceOfProbability(probability, 'receipt', calibration));
    const mean = confidences.reduce((sum, confidence) => sum + confidence, 0) / within.length;
    const right = (100 * within.filter((value) => value.right).length) / within.length;
    assert.ok(Math.abs(mean - right) < 8, `${from}: ${mean.toFixed(1)} against ${right.toFixed(1)}`);
  }
});

test('fields that rules make are given the lower end of the share right, rising with what the rules state', () => {
  const contract = (confidence: number, right: boolean): EvaluatedCase => ({
    key: 'contract',
    docType: 'contract',
    truth: { fields: { parties: [['Example Mills Ltd', 'Mary Major']] }, rows: null, docType: 'contract' },
    answer: {
      fields: {
        parties: {
          value: right ? ['Mary Major', 'Example Mills Ltd'] : ['Mary Major'],
          confidence,
          provenance: [],
          flags: [],
        },
      },
      rows: [],
      docType: 'contract',
      error: null,
    },
    floor: null,
    printed: null,
    durationMs: 0,
    pageCount: 1,
  });
  const cases = [
    ...Array.from({ length: 40 }, (_, at) => contract(84, at > 0)),
    ...Array.from({ length: 15 }, (_, at) => contract(60, at < 12)),
    ...Array.from({ length: 15 }, (_, at) => contract(70, at < 9)),
  ];
  const line = ruleLines(cases)['contract.parties']!;
  assert.deepEqual(
    line.map(([stated]) => stated),
    [60, 70, 84],
  );
  const [low, same, high] = line.map(([, right]) => right) as [number, number, number];
  assert.equal(low, same);
  assert.ok(low < 0.7 && low > 0.45 && high > 0.84 && high < 0.975);
  assert.deepEqual(ruleLines(cases.slice(0, 20)), {});
});
