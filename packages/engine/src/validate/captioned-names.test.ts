import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composedValue } from '../compose/value.ts';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { withNamesAtCaptions } from './captioned-names.ts';

const invoice = documentTypeOf('invoice');
const pageOf = (text: string) => layOut(typeset([[[40, text]]]));
const customerIn = (text: string) => withNamesAtCaptions(invoice, pageOf(text), {}).customer_name?.value;

test('whom a caption of two words names at the beginning of its line is the customer where no other is known', () => {
  assert.equal(customerIn('SOLD TO Carol Muster'), 'Carol Muster');
  assert.equal(customerIn('Goods that were SOLD TO Carol Muster'), undefined);
});

test('a name of which a caption has the beginning stays whole', () => {
  const fields = { vendor_name: composedValue('Example Home Trading Ltd', 80, []) };
  const { vendor_name: vendor } = withNamesAtCaptions(invoice, pageOf('Sold by EXAMPLE HOME TRADING'), fields);
  assert.equal(vendor?.value, 'Example Home Trading Ltd');
});
