import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFields, ExtractedRow, JsonValue } from '@millrace/document-model';
import type { EvaluatedCase, Truth } from '../labelled/cases.ts';
import { isSameValue, similarity } from '../labelled/compare.ts';
import { errorListOf, reportOf } from './report.ts';
import { scoreCases } from './score.ts';

function values(given: Readonly<Record<string, readonly [JsonValue, number]>>): ExtractedFields {
  return Object.fromEntries(
    Object.entries(given).map(([name, [value, confidence]]) => [
      name,
      { value, confidence, provenance: [], flags: [] },
    ]),
  );
}

function evaluated(
  key: string,
  truth: Partial<Truth>,
  fields: ExtractedFields,
  rows: readonly ExtractedRow[] = [],
  printedFields: ReadonlySet<string> | null = null,
): EvaluatedCase {
  return {
    key,
    docType: 'invoice',
    floor: null,
    truth: { fields: {}, rows: null, docType: null, ...truth },
    answer: { fields, rows, docType: 'invoice', error: null },
    printed: printedFields && { fields: printedFields, rows: null, beside: () => ({ shows: () => true }) },
    durationMs: 10,
    pageCount: 1,
  };
}

test('values are equal apart from case, spaces and punctuation, numbers to half a cent', () => {
  assert.ok(isSameValue('No. 8, Jalan 7/118B', 'NO 8 JALAN 7 118B'));
  assert.ok(!isSameValue('Mueller', 'Müller'));
  assert.ok(isSameValue(10.001, 10));
  assert.ok(!isSameValue(10.01, 10));
  assert.ok(!isSameValue('10', 10));
  assert.ok(isSameValue(['b@x.org', 'a@x.org'], ['a@x.org', 'b@x.org']));
  assert.ok(!isSameValue(['a@x.org'], ['a@x.org', 'b@x.org']));
  assert.equal(similarity('Apple pie', 'apple-pie'), 1);
  assert.equal(similarity('abcde', 'abcdx'), 0.8);
});

test('fields are counted where the truth has them, and where they are printed', () => {
  const score = scoreCases([
    evaluated(
      'a',
      { fields: { total_amount: [10], iban: ['X1'] } },
      values({ total_amount: [10, 99], extra: ['?', 99] }),
      [],
      new Set(['total_amount']),
    ),
    evaluated('b', { fields: { total_amount: [20] } }, values({ total_amount: [2, 80] }), [], new Set()),
    evaluated(
      'c',
      { fields: { total_amount: [30, 33] } },
      values({ total_amount: [33, 95] }),
      [],
      new Set(['total_amount']),
    ),
  ]);
  assert.deepEqual(score.fields, [
    { field: 'total_amount', documents: 3, answered: 3, right: 2, printed: { documents: 2, right: 2 } },
    { field: 'iban', documents: 1, answered: 0, right: 0, printed: { documents: 0, right: 0 } },
  ]);
  assert.deepEqual(score.fieldValues, [
    { confidence: 99, right: true, printed: true },
    { confidence: 80, right: false, printed: false },
    { confidence: 95, right: true, printed: true },
  ]);
  assert.deepEqual(
    score.errors.map(({ key, field }) => [key, field]),
    [
      ['a', 'iban'],
      ['b', 'total_amount'],
    ],
  );
  assert.match(
    errorListOf(score),
    /^a\tiban\ttrue "X1"\tanswered nothing\nb\ttotal_amount\ttrue 20\tanswered 2 \(80\)$/,
  );
});

test('a row is right when description, quantity and amount agree, and each counts once', () => {
  const rows: Truth['rows'] = [
    { description: ['Apples red'], quantity: [2], amount: [4] },
    { description: ['Apples red'], quantity: [2], amount: [4] },
    { description: ['Pears', 'Pears, green'], amount: [5] },
  ];
  const answer = [
    values({ description: ['apples, red', 90], quantity: [2, 90], amount: [4, 95], tax_rate: [7, 90] }),
    values({ description: ['Pears green', 90], amount: [5, 90] }),
    values({ description: ['Pears', 90], amount: [6, 91] }),
  ];
  const score = scoreCases([evaluated('a', { rows }, {}, answer)]);
  assert.deepEqual(score.rows, { truth: 3, answered: 3, right: 2, printed: null });
  assert.equal(score.rowErrors.length, 2);
  assert.equal(score.rowValues.length, 3 + 2 + 2);
  assert.equal(score.rowValues.filter(({ right }) => right).length, 5);
  // Of the second pears the true row is that of the second apples, which agrees in nothing.
  assert.deepEqual(
    score.cellErrors.map(({ field, truth, answer }) => [field, truth, answer?.value]),
    [
      ['row.description', null, 'Pears'],
      ['row.amount', null, 6],
    ],
  );

  const renamed = [values({ description: ['red things', 90], quantity: [2, 91], amount: [4, 92] })];
  assert.deepEqual(scoreCases([evaluated('a', { rows }, {}, renamed)]).rowValues, [
    { confidence: 90, right: false, printed: null },
    { confidence: 91, right: true, printed: null },
    { confidence: 92, right: true, printed: null },
  ]);
});

test('a report states the figures', () => {
  const cases = [
    evaluated('a', { fields: { total_amount: [10] }, docType: 'invoice' }, values({ total_amount: [10, 99] })),
    evaluated('b', { fields: { total_amount: [10] }, docType: 'receipt' }, values({})),
  ];
  const report = reportOf('Set', cases, scoreCases(cases), false);
  assert.match(report, /2 documents, 2 pages\. Type found: 1 of 2 \(50\.0 %\)\. No extraction failed\./);
  assert.match(report, /\| `total_amount` \| 2 \| 50\.0 % \| 100\.0 % \| 66\.7 % \|/);
  assert.match(report, /\| \*\*90 and more\*\* \(100\.0 % of all\) \| 1 \| 99\.0 \| 100\.0 % \|/);
});
