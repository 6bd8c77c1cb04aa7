import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composedValue } from '../../compose/value.ts';
import { layOut } from '../../layout/layout.ts';
import { typeset } from '../../layout/typeset.ts';
import { withMalaysianCompany } from './malaysian-company.ts';

function merchantOf(...lines: readonly string[]): unknown {
  const layout = layOut(typeset([...lines, 'Total 4.50'].map((text) => [[40, text]])));
  const [first] = layout.lines;
  const fields = { merchant_name: composedValue(first!.text, 70, [{ line: first! }]) };
  return withMalaysianCompany(fields, layout).merchant_name?.value;
}

test('a Malaysian merchant is the one company in the head, unless the brand is a business or has its name', () => {
  assert.equal(merchantOf('THE FAMILY', 'HAXINCO RESOURCES SDN BHD (383322-D)'), 'HAXINCO RESOURCES SDN BHD');
  assert.equal(merchantOf('SANTU STATIONERY SHOP', 'SANTU SUPPLY SDN BHD (1135772-K)'), 'SANTU STATIONERY SHOP');
  assert.equal(merchantOf('PERNIAGAAN ZHENG', 'HAXINCO ENGINEERING (M) SDN BHD'), 'PERNIAGAAN ZHENG');
  assert.equal(merchantOf('HARVEY', 'ONE TRADING SDN BHD', 'TWO RESOURCES SDN BHD'), 'HARVEY');
});

test('a company’s number is no part of its name', () => {
  assert.equal(merchantOf('R&C VENTURE SDN BHD (1191015-W)'), 'R&C VENTURE SDN BHD');
  assert.equal(merchantOf('LAVENDEL BAKERY S/B COMPANY NO: 499702-V'), 'LAVENDEL BAKERY S/B');
});
