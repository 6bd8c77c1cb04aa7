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

test('a straight bill goes from its shipper to its consignee side by side', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'UNIFORM STRAIGHT BILL OF LADING']],
      [
        [40, 'FROM:'],
        [300, 'TO:'],
      ],
      [
        [40, 'Arroyo Ceramics Inc'],
        [300, 'TileMart Warehouse'],
      ],
      [
        [40, '600 Clay Rd'],
        [300, '1450 Logistics Way'],
      ],
      [
        [40, 'Laredo, TX 78045'],
        [300, 'Dallas, TX 75241'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'Arroyo Ceramics Inc');
  assert.equal(fields.consignee?.value, 'TileMart Warehouse');
});
