import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { withMarkedSigns } from './rules.ts';
import { checkedByRows } from './statement-rows.ts';

const value = (amount: number, flags: ExtractedValue['flags'] = []): ExtractedValue => ({
  value: amount,
  confidence: 80,
  provenance: [],
  flags,
});

const rows = [{ credit: value(2400) }, { debit: value(62.1) }, { debit: value(980) }];

test('transactions that lead from one balance to the other prove both', () => {
  const fields = checkedByRows({ opening_balance: value(1210.55), closing_balance: value(2568.45) }, rows);
  for (const { confidence, flags } of Object.values(fields)) {
    assert.equal(confidence, 97);
    assert.deepEqual(flags, ['arithmetic_holds']);
  }
});

test('the sum of one kind of debits is not that of all', () => {
  const fields = checkedByRows(
    {
      opening_balance: value(1210.55),
      closing_balance: value(2568.45),
      total_credits: value(2400, ['arithmetic_fails']),
      total_debits: value(62.1, ['arithmetic_fails']),
    },
    rows,
  );
  assert.deepEqual(Object.keys(fields), ['opening_balance', 'closing_balance', 'total_credits']);
  assert.deepEqual(fields.total_credits?.flags, ['arithmetic_holds']);
});

test('transactions that end at another balance prove nothing', () => {
  const fields = { opening_balance: value(1210.55), closing_balance: value(2500) };
  assert.deepEqual(checkedByRows(fields, rows), fields);
});

test('a balance in credit is the holder’s, and one in debit is overdrawn', () => {
  const marked = (amount: number, text: string): ExtractedValue => ({
    ...value(amount),
    provenance: [{ page: 1, box: { x0: 0, y0: 0, x1: 1, y1: 1 }, text, source: 'text' }],
  });
  const fields = withMarkedSigns({
    opening_balance: marked(-1210.55, '1,210.55 Cr'),
    closing_balance: marked(40, '40.00DR'),
    total_credits: marked(-2400, '2,400.00 CR'),
    total_debits: marked(62.1, '62.10'),
  });
  assert.deepEqual(
    Object.values(fields).map((each) => each.value),
    [1210.55, -40, 2400, 62.1],
  );
});
