import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sexOfWord, sexWords } from './sex.ts';

test('a word says the sex of a person in several languages, with and without its marks', () => {
  for (const word of ['Male', 'MÄNNLICH', 'mannlich', 'masculin', 'Maschio', 'Homme', 'LAKI-LAKI'])
    assert.equal(sexOfWord(word), 'M', word);
  for (const word of ['Female', 'weiblich', 'Féminin', 'FEMENINO', 'Femmina', 'femme', 'WANITA'])
    assert.equal(sexOfWord(word), 'F', word);
  assert.equal(sexOfWord('mannequin'), null);
});

test('the pattern of these words takes the longest', () => {
  const [whole] = new RegExp(sexWords, 'iu').exec('Sexe : Féminine') ?? [];
  assert.equal(whole, 'Féminine');
  assert.equal(new RegExp(`^(?:${sexWords})$`, 'iu').test('Männlich'), true);
});
