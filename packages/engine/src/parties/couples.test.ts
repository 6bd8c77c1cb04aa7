import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../extract.ts';
import { typeset } from '../layout/typeset.ts';

test('a couple’s name begins with the first form of address, however far from the second', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Relevé de compte']],
      [
        [300, 'M.'],
        [330, 'OU MME BERTRAND AUZANNEAU'],
      ],
      [[300, '4 IMPASSE DES TILLEULS']],
      [[300, '86500 MONTMORILLON']],
      null,
      [[40, 'Ancien solde 120,00']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_holder?.value, 'M. OU MME BERTRAND AUZANNEAU');
});
