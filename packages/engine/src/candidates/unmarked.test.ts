import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unmarked } from './unmarked.ts';

test('a pattern knows letters without their marks, in classes and out of them', () => {
  const pattern = unmarked(/^(?:durée|[äö]hnlich|año\.)$/u);
  for (const text of ['durée', 'duree', 'ähnlich', 'ahnlich', 'ohnlich', 'año.', 'ano.']) assert.match(text, pattern);
  assert.doesNotMatch('dure', pattern);
});
