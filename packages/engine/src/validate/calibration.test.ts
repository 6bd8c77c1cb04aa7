import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { documentTypeOf } from '../types/registry.ts';
import { calibrateFields, confidenceOfProbability } from './calibration.ts';

const given = (value: string | number, confidence: number): ExtractedValue => ({
  value,
  confidence,
  provenance: [],
  flags: [],
});

test('90 and more is given from the probability on that keeps its promise, and by groups of types', () => {
  const calibration = { sure: { trade: 0.95, other: 0.98 }, lines: {} };
  assert.equal(confidenceOfProbability(0.96, 'trade', calibration), 96);
  assert.equal(confidenceOfProbability(0.96, 'card', calibration), 89.5);
  assert.equal(confidenceOfProbability(0.72, 'trade', calibration), 72);
  assert.equal(confidenceOfProbability(1, 'trade', calibration), 99.5);
});

test('values that are likelier wrong are left out, languages and items are kept as they are', () => {
  const fields = {
    vendor_name: given('Acme', 20),
    invoice_number: given('A-1', 90),
    language: given('en', 40),
    items: given('', 30),
  };
  const weights = { constant: -1, given: 5 };
  const kept = calibrateFields(documentTypeOf('invoice'), fields, {
    weights,
    sure: { other: 0.98 },
    lines: {},
    least: 0.35,
  });
  assert.deepEqual(Object.keys(kept), ['invoice_number', 'language', 'items']);
  assert.equal(kept.language!.confidence, 40);
});

test('what confirmed documents taught is kept, and a field that nothing was labelled with stays below 90', () => {
  const type = documentTypeOf('invoice');
  const calibration = { weights: { constant: 5 }, sure: { other: 0.98 }, lines: {}, least: 0.35 };
  const fields = { vendor_name: given('Acme', 82), invoice_number: given('A-1', 82) };
  const kept = calibrateFields(type, fields, calibration, new Map([['vendor_name', 'acme']]));
  assert.equal(kept.vendor_name!.confidence, 82);
  assert.equal(kept.invoice_number!.confidence, 89.5);
});

test('what rules make is sure where hardly any of many was wrong, whatever scored values of its group need', () => {
  const calibration = { weights: {}, sure: { prose: 0.98, other: 0.98 }, lines: {}, least: 0.5 };
  const confidenceAt = (right: number) =>
    calibrateFields(
      documentTypeOf('contract'),
      { governing_law: given('New York', 82) },
      { ...calibration, rules: { 'contract.governing_law': [[82, right]] } },
    ).governing_law?.confidence;
  assert.deepEqual([0.975, 0.96, 0.4].map(confidenceAt), [97.5, 89.5, undefined]);
});

test('a sum that the others contradict is left to be reviewed, however likely it is', () => {
  const calibration = { weights: { constant: 5 }, sure: { trade: 0.95, other: 0.98 }, lines: {}, least: 0.5 };
  const fields = { total_amount: { ...given(1248, 60), flags: ['arithmetic_fails'] as const } };
  assert.equal(calibrateFields(documentTypeOf('invoice'), fields, calibration).total_amount!.confidence, 75);
});

test('a value that can be read otherwise as well is not sure, however likely it is', () => {
  const calibration = {
    weights: { constant: 5, 'field due_date': 1 },
    sure: { account: 0.95, other: 0.98 },
    lines: {},
    least: 0.5,
  };
  const confidenceOf = (...flags: readonly ('ambiguous_date' | 'captioned')[]) =>
    calibrateFields(documentTypeOf('utility_bill'), { due_date: { ...given('2023-11-02', 80), flags } }, calibration)
      .due_date!.confidence;
  assert.ok(confidenceOf() > 95);
  assert.equal(confidenceOf('ambiguous_date'), 89.5);
});
