import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { withNamesAtCaptions } from './captioned-names.ts';

const customerIn = (text: string) =>
  withNamesAtCaptions(documentTypeOf('invoice'), layOut(typeset([[[40, text]]])), {}).customer_name?.value;

test('whom a caption of two words names at the beginning of its line is the customer where no other is known', () => {
  assert.equal(customerIn('SOLD TO Carol Muster'), 'Carol Muster');
  assert.equal(customerIn('Goods that were SOLD TO Carol Muster'), undefined);
});
