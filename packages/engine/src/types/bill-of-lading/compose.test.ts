import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { typeset } from '../../layout/typeset.ts';

test('the consignee may be notified as well', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'Consignee NORDIC FRUIT AB']],
      [[40, 'HAMNGATAN 4, 411 17 GOTEBORG, SWEDEN']],
      [[40, 'Notify Party (see clause 22) SAME AS CONSIGNEE']],
      [[40, 'Vessel PACIFIC GRACE']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.notify_party?.value, 'SAME AS CONSIGNEE');
  assert.equal(fields.consignee?.value, 'NORDIC FRUIT AB');
  assert.equal(fields.vessel?.value, 'PACIFIC GRACE');
});
