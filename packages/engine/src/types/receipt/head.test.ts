import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { candidatesOf } from '../../own-types/candidates.ts';
import { documentTypeOf } from '../registry.ts';
import { captionedSaleNumber, phoneAtHead, signedSaleNumber, taxNumberAtHead } from './head.ts';

const layoutOf = (...rows: PrintedRow[]) => layOut(typeset(rows));

test('the number of a sale may have its sign for a caption', () => {
  const layout = layoutOf([
    [40, 'SALE'],
    [200, '#0412-2-5518'],
  ]);
  assert.equal(signedSaleNumber(layout)?.value, '0412-2-5518');
  assert.equal(signedSaleNumber(layoutOf([[40, 'Lakeview Plaza #1184']])), null);
});

test('a telephone number alone in a line above all amounts is the merchant’s', () => {
  const layout = layoutOf(
    [[40, 'Marché Laurier']],
    [[40, '905-555-0177']],
    [[40, 'BANANA 1.70']],
    [[40, '619-555-0133']],
  );
  assert.equal(phoneAtHead(layout)?.value, '905-555-0177');
  const order: PrintedRow = [
    [40, 'Bestelnummer'],
    [200, '4418-2077-11'],
  ];
  assert.equal(phoneAtHead(layoutOf([[40, 'Example']], order, [[40, 'BANANA 1.70']])), null);
  assert.equal(phoneAtHead(layoutOf([[40, '10-03-2025']], [[40, 'BANANA 1.70']])), null);
});

test('a receipt’s number stands behind its caption within a line, or beside its title', () => {
  const numberOf = (...rows: PrintedRow[]) => captionedSaleNumber(layoutOf(...rows))?.value;
  assert.equal(numberOf([[40, 'REG#04 TRN#7719 CSHR#0000082 STR#6620']]), '7719');
  assert.equal(
    numberOf([
      [40, 'Rechnung'],
      [200, '0412/03/118827'],
    ]),
    '0412/03/118827',
  );
  assert.equal(
    numberOf([
      [40, 'Kassenbon'],
      [200, 'Nr. 0044182'],
    ]),
    '0044182',
  );
  assert.equal(numberOf([[40, 'No 4417-160825-088217']]), '4417-160825-088217');
  assert.equal(numberOf([[40, 'Trans 8844']], [[40, 'Check #10392']]), undefined);
  assert.equal(
    numberOf([
      [40, 'Rechnung'],
      [200, '07.06.2025'],
    ]),
    undefined,
  );
});

test('a telephone number of North America may stand beside other words above all amounts', () => {
  const phoneOf = (...rows: PrintedRow[]) => phoneAtHead(layoutOf(...rows, [[40, 'BANANA 1.70']]))?.value;
  assert.equal(phoneOf([[40, 'Lakeview Commons - 510-555-0148']]), '510-555-0148');
  assert.equal(phoneOf([[40, 'Exampleville, (864) 555-0139']]), '(864) 555-0139');
  assert.equal(phoneOf([[40, 'STORE MANAGER: JO DOE (630)555-0121']]), '(630)555-0121');
  assert.equal(phoneOf([[40, 'Fax 510-555-0148']]), undefined);
  assert.equal(phoneOf([[40, 'Lakeview 510-555-0148']], [[40, 'Pharmacy 510-555-0149']]), undefined);
});

test('tills shorten the caption of a receipt’s number', () => {
  const numberOf = (text: string) => captionedSaleNumber(layoutOf([[40, text]]))?.value;
  assert.equal(numberOf('Re-Nr: 3127-20250609-02-1884'), '3127-20250609-02-1884');
  assert.equal(numberOf('REC#2-5049-0862-0078-3318-6 VCD#751-276'), '2-5049-0862-0078-3318-6');
  assert.equal(numberOf('Foli0 #: 55120'), '55120');
  assert.equal(numberOf('ST 1184 TRN 7716 OP 0341'), '7716');
  assert.equal(numberOf('12-06-2025 11:07 N. 0933-0041'), '0933-0041');
  assert.equal(numberOf('Nr: FS AAA047/118827'), 'FS AAA047/118827');
  assert.equal(numberOf('Periode: 5204 Transactie: 03187722'), '03187722');
});

test('a tax number above all amounts needs no caption where its check digits hold in the country', () => {
  const numberOf = (...rows: PrintedRow[]) => {
    const layout = layoutOf(...rows, [[40, 'FACTURA SIMPLIFICADA']], [[40, 'LECHE 1,76']], [[40, 'IVA 0,12 EUR']]);
    const type = documentTypeOf('receipt');
    const locale = { ...decideLocale(layout), country: 'ES' };
    return taxNumberAtHead({ type, layout, locale, candidates: candidatesOf(type, layout, locale) })?.value;
  };
  assert.equal(numberOf([[40, 'EJEMPLO, S.A. B-12345674']]), 'B-12345674');
  assert.equal(numberOf([[40, 'EJEMPLO, S.A. B-12345675']]), undefined);
});
