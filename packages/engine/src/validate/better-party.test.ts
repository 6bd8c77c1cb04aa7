import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composedValue } from '../compose/value.ts';
import type { PartyValue } from '../parties/parties.ts';
import { isBetter } from './better-party.ts';

const own = 'Marktweg 3, 04109 Leipzig';

/** Whether the block with the address of its own comes before an answer. */
function isBlockBetter(answer: string, confidence: number, more: Partial<Omit<PartyValue, 'value'>> = {}): boolean {
  const party = { captioned: false, other: null, ...more, value: composedValue(own, 80, []) };
  return isBetter(party, composedValue(answer, confidence, []));
}

test('the other side’s address, or one with a line of it, gives way to the block’s own', () => {
  const other = 'Hafenstraße 12, 20457 Hamburg';
  assert.equal(isBlockBetter(other, 95, { other }), true);
  assert.equal(isBlockBetter('Hafenstraße 12, 50667 Köln', 95, { other }), true);
  assert.equal(isBlockBetter('Ringgasse 7, 50667 Köln', 95, { other }), false);
});

test('the address to which goods go gives way unless it is sure', () => {
  const third = 'Werkstraße 9, 09111 Chemnitz';
  assert.equal(isBlockBetter(third, 70, { thirds: [third] }), true);
  assert.equal(isBlockBetter(third, 90, { thirds: [third] }), false);
  assert.equal(isBlockBetter('Goods In Example Bakeries', 70, { thirds: ['Goods In'] }), true);
});

test('a part of the block’s address gives way to the whole, and the whole with its country stays', () => {
  assert.equal(isBlockBetter('Marktweg 3', 95), true);
  assert.equal(isBlockBetter(`${own}, Germany`, 60), false);
});

test('an answer that begins within the block’s address and goes on below it gives way', () => {
  assert.equal(isBlockBetter('04109 Leipzig, Re Invoice SI-20881', 66), true);
  assert.equal(isBlockBetter('04109 Leipzig, Re Invoice SI-20881', 95), false);
});

test('below a caption the block comes before an answer that is less sure', () => {
  assert.equal(isBlockBetter('Ringgasse 7, 50667 Köln', 70, { captioned: true }), true);
  assert.equal(isBlockBetter('Ringgasse 7, 50667 Köln', 90, { captioned: true }), false);
  // One that is hardly believed gives way without a caption as well.
  assert.equal(isBlockBetter('Ringgasse 7, 50667 Köln', 21), true);
});

test('a town or a county of the party’s own address is not its name', () => {
  const address = '31 Example Drive, Skipton, North Yorkshire, BD23 1LP';
  assert.equal(isBlockBetter('North Yorkshire', 95, { address }), true);
  assert.equal(isBlockBetter('York', 95, { address }), false);
});

test('who is written to at the other side is not this one', () => {
  assert.equal(isBlockBetter('Mary Major', 82, { otherBesides: ['Mary Major'] }), true);
  assert.equal(isBlockBetter('Mary Major', 82), false);
});

test('an address without its town gives way to the block’s, which goes on behind the street', () => {
  assert.equal(isBlockBetter('Buchhaltung, Marktweg 3', 90), true);
  assert.equal(isBlockBetter('Buchhaltung, Ringgasse 3', 80), false);
});

test('a logo with which the other side’s name begins gives way to the block’s own name', () => {
  const value = composedValue('Staalhandel Voorbeeld', 80, []);
  const party = { captioned: false, other: 'Machinefabriek Hoekstra B.V.', value };
  assert.equal(isBetter(party, composedValue('MACHINEFABRIEK HOEKSTRA', 95, [])), true);
  assert.equal(isBetter(party, composedValue('Voorbeeld Staal', 95, [])), false);
});
