import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSpelling, symbolCount, symbolsOf, wordEnd, wordStart } from '@millrace/engine/read/ocr/spelling';
import { trainSpelling } from './spelling.ts';
import { wordsOfLanguage } from './word-lists.ts';

test('what follows a sequence of letters adds up to one, and the usual is likelier', () => {
  const { costOf } = parseSpelling(trainSpelling(['total', 'total', 'totally', 'tonne', 'note', 'item 12']));
  for (const context of [[wordStart], symbolsOf('to'), symbolsOf('xyz')]) {
    const all = Array.from({ length: symbolCount }, (_, symbol) => Math.exp(-costOf(context, symbol)));
    const sum = all.reduce((total, probability) => total + probability, 0);
    // Costs are kept in steps, and none is higher than the limit.
    assert.ok(sum > 0.9 && sum < 1.1, `${sum}`);
  }
  const cost = (before: string, next: number) => costOf([wordStart, ...symbolsOf(before)].slice(-4), next);
  assert.ok(cost('tot', symbolsOf('a')[0]!) < cost('tot', symbolsOf('e')[0]!));
  assert.ok(cost('total', wordEnd) < cost('total', symbolsOf('l')[0]!));
});

test('a language has its words, names among them, without their spelling mistakes', () => {
  const words = new Set(wordsOfLanguage('de'));
  for (const word of ['Rechnung', 'verschärfte', 'Moosburg', 'Straße']) assert.ok(words.has(word), word);
  for (const word of ['Rechnunq', 'verscharfteren', '']) assert.ok(!words.has(word), word);
});
