import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOfHead } from './state-heads.ts';

test('a state names itself at a card’s head, with its country, code and title beside it', () => {
  const names = [
    'TEXAS TX',
    'USA Ohio',
    'NORTHDAKOTA USA ND DRIVER LICENSE',
    'New Brunswick CANADA',
    'STATE OF NEVADA IDENTIFICATION CARD',
    'WASHINGTON DC',
    'VIRGINIA BEACH',
    'Maine Street',
  ].map((text) => stateOfHead(text));
  assert.deepEqual(
    names.map((state) => state?.name ?? null),
    ['TEXAS', 'Ohio', 'NORTHDAKOTA', 'New Brunswick', 'STATE OF NEVADA', null, null, null],
  );
  assert.equal(names[3]?.country, 'CA');
});
