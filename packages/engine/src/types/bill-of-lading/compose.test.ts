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

test('a straight bill has its parties’ names behind a caption in their boxes', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'BILL OF LADING']],
      [
        [80, 'SHIP FROM'],
        [300, 'Bill of Lading Number: 08412277104471882'],
      ],
      [[40, 'Name: Copperline Fixtures Co.']],
      [[40, 'Address: 5120 Industrial Pkwy']],
      [[40, 'City/State/Zip: Toledo, OH 43612']],
      [
        [80, 'SHIP TO'],
        [300, 'CARRIER NAME: Great Lakes Motor Freight'],
      ],
      [[40, 'Name: Homestead Supply DC #14 Location #: 014']],
      [[40, 'Address: 2400 Distribution Way']],
      [[40, 'City/State/Zip: Joliet, IL 60436']],
      [[40, 'Trailer Loaded: By shipper By driver']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'Copperline Fixtures Co.');
  assert.equal(fields.consignee?.value, 'Homestead Supply DC #14');
});
