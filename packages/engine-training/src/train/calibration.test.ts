import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidenceOf } from '@millrace/engine/score/weights';
import { calibrateField, calibrationsOf } from './calibration.ts';
import { drawnSet } from './documents.ts';
import type { Judgement } from './judge.ts';

/** Judgements of likely values, of which every `wrongEvery`-th is wrong. */
function judgements(field: string, count: number, wrongEvery: number): readonly Judgement[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    family: `issuer ${index}`,
    set: 's',
    real: true,
    field,
    probability: 0.99 + index / (100 * count),
    right: index % wrongEvery !== wrongEvery - 1,
    present: true,
    printed: true,
  }));
}

test('a field with few judgements, all right, is as sure as the fields of its type allow', () => {
  const few = judgements('few', 12, 1000);
  const ofType = [...few, ...judgements('many', 140, 70)];
  const at = (calibration: ReturnType<typeof calibrateField>) => confidenceOf({ calibration }, 0.995);
  assert.ok(at(calibrateField(few, few, 100)) < 90);
  assert.ok(at(calibrateField(few, ofType, 100)) > 90);
  assert.ok(at(calibrateField(few, ofType, 89)) <= 89);
});

test('a field that errs more often than its type is held to its own errors', () => {
  const erring = judgements('erring', 40, 10);
  const ofType = [...erring, ...judgements('many', 140, 1000)];
  const calibration = calibrateField(erring, ofType, 100);
  assert.deepEqual(calibration, calibrateField(erring, erring, 100));
  assert.ok(confidenceOf({ calibration }, 0.999) < 90);
});

test('a field is as sure as it deserves where real documents confirm it, not where drawn ones do', () => {
  const all = judgements('total', 140, 1000);
  const drawn = all.map((judgement) => ({ ...judgement, set: drawnSet }));
  const surest = (own: readonly Judgement[]) =>
    confidenceOf({ calibration: calibrationsOf([{ key: 'type.total', judgements: own }]).get('type.total')! }, 1);
  assert.ok(surest(all) > 95);
  assert.equal(surest(drawn), 89);
  assert.equal(surest([...drawn, ...all.slice(0, 10)]), 89);
});
