import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedDocuments } from './documents.ts';
import type { TrainingDocument } from './examples.ts';
import { trainModels } from './train.ts';

const options = { modelVersion: 'test', only: ['amount', 'invoice.total_amount'], log: () => {} };

async function modelOfTotals(families: (number: number) => string) {
  async function* documents(): AsyncGenerator<TrainingDocument> {
    const invoices = [...generatedDocuments(['invoice'])].slice(0, 22);
    for (const [number, each] of invoices.entries()) yield { ...each, real: true, family: families(number) };
    yield* [...generatedDocuments(['receipt'])].slice(0, 20);
  }
  const { weights, folds } = await trainModels(documents(), options);
  return [weights, ...folds].map(({ models }) => models['invoice.total_amount']!);
}

test('a field that its own documents teach well has a model of its own', async () => {
  for (const model of await modelOfTotals((number) => `issuer ${number}`)) assert.ok('roots' in model);
});

test('a field is ranked by the model of its kind where its own knows less of unseen issuers', async () => {
  // All of one issuer: a model of the field that has not seen it has seen no document at all.
  for (const model of await modelOfTotals(() => 'the same')) {
    assert.equal('kind' in model && model.kind, 'amount');
    assert.ok(model.least > 0);
  }
});
