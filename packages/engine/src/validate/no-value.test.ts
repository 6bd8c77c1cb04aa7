import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValueKind } from '@millrace/document-model';
import { placed } from '../candidates/placed.ts';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { isNoValue } from './no-value.ts';

/** Whether a stretch of a line alone is refused as the value of a field. */
function isRefused(
  name: string,
  kind: ValueKind,
  text: string,
  value: string | number = text,
  line = text,
  above = '',
): boolean {
  const layout = layOut(typeset([[[40, above]], [[40, line]]]));
  const own = layout.lines.at(-1)!;
  const start = own.text.indexOf(text);
  const candidate = placed(kind, value, 1, layout, [own], start, start + text.length);
  return isNoValue({ name, kind, description: '', captions: [] }, candidate, 90);
}

test('what is charged on late payments and what is taken off are no tax', () => {
  const isRateRefused = (line: string) => isRefused('tax_rate', 'percent', '8 %', 8, line);
  assert.equal(isRateRefused('VAT 8 %'), false);
  assert.equal(isRateRefused('Interest of 8 % a year on late payments'), true);
  assert.equal(isRateRefused('Discount 8 %'), true);
});

test('an amount whose point was read as a colon is no time', () => {
  const isTimeRefused = (line: string) => isRefused('transaction_time', 'time', '11:15', '11:15', line);
  assert.equal(isTimeRefused('Sa les Tax 9.25% 11:15'), true);
  assert.equal(isTimeRefused('TOTAL EUR 11:15'), true);
  assert.equal(isTimeRefused('Total paid at 11:15'), false);
  assert.equal(isTimeRefused('VAT No 318 4471 22 11:15'), false);
  assert.equal(isTimeRefused('12/08/2024 11:15'), false);
});

test('a branch is nobody, and what shops are called is no branch', () => {
  assert.equal(isRefused('vendor_name', 'organization', 'Sampleton Branch'), true);
  assert.equal(isRefused('merchant_name', 'organization', 'Olive Branch'), false);
});

test('who pays for the carriage is no term of payment', () => {
  const areTermsRefused = (text: string) => isRefused('payment_terms', 'text', text);
  assert.equal(areTermsRefused('CIF Rotterdam'), true);
  assert.equal(areTermsRefused('frei Haus'), true);
  assert.equal(areTermsRefused('carriage paid'), true);
  assert.equal(areTermsRefused("Banca d'appoggio"), true);
  assert.equal(areTermsRefused('of delivery (Incoterms 2020)'), true);
  assert.equal(areTermsRefused('Drojsmalsranta 8 %'), true);
  assert.equal(areTermsRefused('Interest of 8 % after 30 days'), false);
  assert.equal(areTermsRefused('Zahlbar bis'), true);
  assert.equal(areTermsRefused('Currency: USD'), true);
  assert.equal(areTermsRefused('30 days net'), false);
});

test('a telephone number that its sign alone names is no other number, a tax number no reference', () => {
  assert.equal(isRefused('invoice_number', 'identifier', 'T 0341-555 210'), true);
  assert.equal(isRefused('invoice_number', 'identifier', 'F24-00881204'), false);
  assert.equal(
    isRefused('vendor_phone', 'phone', '255 550 119', undefined, 'Telef. 255 550 118 Fax 255 550 119'),
    true,
  );
  assert.equal(
    isRefused('vendor_phone', 'phone', '255 550 118', undefined, 'Telef. 255 550 118 Fax 255 550 119'),
    false,
  );
  assert.equal(isRefused('vendor_phone', 'phone', '414-555-0147', undefined, 'P: 414-555-0146 F: 414-555-0147'), true);
  assert.equal(isRefused('vendor_phone', 'phone', '414-555-0146', undefined, 'P: 414-555-0146 F: 414-555-0147'), false);
  assert.equal(isRefused('payment_reference', 'identifier', 'MFT/4471', undefined, 'MFT/4471', 'PO Reference'), true);
  assert.equal(isRefused('payment_reference', 'identifier', 'GB980780684'), true);
  assert.equal(isRefused('payment_reference', 'identifier', 'RF18539007547034'), false);
});

test('what stands at the caption of another number is not the document’s own', () => {
  const isNumberRefused = (name: string, before: string, above = '') =>
    isRefused(name, 'identifier', '50077103', undefined, `${before}50077103`, above);
  assert.equal(isNumberRefused('invoice_number', 'Job No. '), true);
  assert.equal(isNumberRefused('invoice_number', '', 'Contrib.'), true);
  assert.equal(
    isRefused('invoice_number', 'identifier', '214-41126', undefined, 'Via Emilia 214-41126 Modena (MO)'),
    true,
  );
  assert.equal(isRefused('vendor_tax_id', 'tax_id', '8840-R', undefined, '8840-R', 'P.O. Number'), true);
  assert.equal(isRefused('vendor_tax_id', 'tax_id', '8840-R', undefined, '8840-R', 'Tax ID'), false);
  assert.equal(isNumberRefused('payment_reference', '', 'ABN'), true);
  assert.equal(isRefused('payment_reference', 'identifier', '55180', undefined, 'WO 55180', 'Reference'), true);
  assert.equal(isRefused('payment_reference', 'identifier', 'PO 88120', undefined, 'PO 88120', 'Reference'), true);
  assert.equal(isRefused('payment_reference', 'identifier', '204 118', undefined, '61 204 118', 'ABN'), true);
  assert.equal(isNumberRefused('purchase_order', 'Order No. '), false);
  assert.equal(isNumberRefused('invoice_number', 'Invoice No. ', 'Account No.'), false);
});

test('who is written to at a company is not the customer, unless no company stands above', () => {
  const isAttentionRefused = (above: string) =>
    isRefused('customer_name', 'organization', 'Attention: Mrs D Example', 'Mrs D Example', undefined, above);
  assert.equal(isAttentionRefused('Example Primary School'), true);
  assert.equal(isAttentionRefused('Bill to:'), false);
});

test('what a shop does, in small letters below its name, is not its name', () => {
  const isSloganRefused = (above: string) =>
    isRefused('merchant_name', 'organization', 'gastropub & rooms', undefined, undefined, above);
  assert.equal(isSloganRefused('THE EXAMPLE KETTLE'), true);
  assert.equal(isSloganRefused('12 Market Place'), false);
});

test('who is named as a reference is neither side', () => {
  const isNameRefused = (line: string) =>
    isRefused('customer_name', 'organization', 'Gunilla Exempel', undefined, line);
  assert.equal(isNameRefused('Er referens: Gunilla Exempel'), true);
  assert.equal(isNameRefused('Kund: Gunilla Exempel'), false);
});

test('the number of a post box or of a letterhead’s telephone is no other number, nor that of an order a customer’s', () => {
  assert.equal(isRefused('customer_id', 'identifier', '2210', undefined, 'PO BOX 2210'), true);
  assert.equal(isRefused('purchase_order', 'identifier', 'BOX 2210', undefined, 'PO BOX 2210'), true);
  assert.equal(isRefused('customer_id', 'identifier', 'MR-447', undefined, 'PO NUMBER: MR-447'), true);
  assert.equal(isRefused('purchase_order', 'identifier', 'MR-447', undefined, 'PO NUMBER: MR-447'), false);
  assert.equal(isRefused('original_invoice_number', 'identifier', '403-555-0182', undefined, '403-555-0182'), true);
  assert.equal(
    isRefused('original_invoice_number', 'identifier', '403-555-0182', undefined, '403-555-0182', 'Invoice #'),
    false,
  );
});

test('terms of payment end where another caption begins', () => {
  const layout = layOut(typeset([[[40, 'Within 45 days Due net']], [[40, 'Terms of del.: FOB origin']]]));
  const candidate = placed('text', 'Within 45 days Due net Terms of del.:', 1, layout, layout.lines, 0, 14);
  const field = { name: 'payment_terms', kind: 'text', description: '', captions: [] } as const;
  assert.equal(isNoValue(field, candidate, 90), true);
});

test('a receipt’s number is none that a till or a bank prints beside it, nor the shop’s own', () => {
  const isNumberRefused = (text: string, line = text) =>
    isRefused('receipt_number', 'identifier', text, undefined, line);
  assert.equal(isNumberRefused('55173', 'MID: ***55173'), true);
  assert.equal(isNumberRefused('6620', 'STR#6620'), true);
  assert.equal(isNumberRefused('030-5550144'), true);
  assert.equal(isNumberRefused('ATU39104822'), true);
  assert.equal(isNumberRefused('7719', 'TRN#7719'), false);
  assert.equal(isNumberRefused('0412/03/118827'), false);
});

test('a title with its number begins no address', () => {
  assert.equal(isRefused('vendor_address', 'address', 'FACTUUR 2024-017, Stichting Voorbeeld'), true);
  assert.equal(isRefused('vendor_address', 'address', 'Kanaalweg 8, 3526 KL Utrecht'), false);
});

test('a list of what somebody does is no name', () => {
  assert.equal(isRefused('vendor_name', 'organization', 'Gartengestaltung · Pflege · Naturstein'), true);
  assert.equal(isRefused('vendor_name', 'organization', 'Gartenbau Muster'), false);
});

test('the time in a till’s signature is the receipt’s where no other one is printed', () => {
  const isTimeRefused = (above: string) =>
    isRefused('transaction_time', 'time', '17:36:20', undefined, 'R1_1884_2025-06-09T17:36:20', above);
  assert.equal(isTimeRefused('09.06.2025 17:36:20'), false);
  assert.equal(isTimeRefused('09.06.2025 17:35'), true);
});

test('the size of goods is no receipt’s number, and a copy no way to pay', () => {
  assert.equal(isRefused('receipt_number', 'identifier', '300G'), true);
  assert.equal(isRefused('receipt_number', 'identifier', '30048'), false);
  assert.equal(isRefused('payment_method', 'text', 'Original'), true);
  assert.equal(isRefused('payment_method', 'text', 'efectivo', 'efectivo', 'Entregado efectivo'), false);
});

test('an article’s number that begins the row of its price is no receipt’s', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'TPD/1443172'],
        [300, '4.00-'],
      ],
    ]),
  );
  const line = layout.lines.find(({ text }) => text.startsWith('TPD'))!;
  const candidate = placed('identifier', line.text, 1, layout, [line], 0, line.text.length);
  const field = { name: 'receipt_number', kind: 'identifier', description: '', captions: [] } as const;
  assert.equal(isNoValue(field, candidate, 90), true);
});

test('a number of the Dutch register is no tax number beside one', () => {
  const isRegisterRefused = (line: string) => isRefused('merchant_tax_id', 'tax_id', '30118827', undefined, line);
  assert.equal(isRegisterRefused('KvK 30118827 - BTW NL8117.44.208.B01'), true);
  assert.equal(isRegisterRefused('KvK 30118827'), false);
});

test('a form of address is nobody without a name', () => {
  assert.equal(isRefused('provider_name', 'organization', 'Gent.ma Sig.ra'), true);
  assert.equal(isRefused('customer_name', 'name', 'Sig.ra Anna Esempio'), false);
});

test('a quarter for trade is nobody', () => {
  assert.equal(isRefused('supplier_name', 'organization', 'ZA des Quatre Vents'), true);
  assert.equal(isRefused('supplier_name', 'organization', 'Zone Climat SARL'), false);
});

test('the general partner of a company is not the company', () => {
  const line = 'phG: Muster Verwaltungs-GmbH';
  assert.equal(
    isRefused('vendor_name', 'organization', 'Muster Verwaltungs-GmbH', 'Muster Verwaltungs-GmbH', line),
    true,
  );
});

test('a postal code below its town is no document’s number', () => {
  const layout = layOut(typeset([[[40, 'Unit 3, 48 Barkly Street']], [[40, 'BRUNSWICK EAST VIC']], [[40, '3057']]]));
  const line = layout.lines.at(-1)!;
  const candidate = placed('identifier', '3057', 1, layout, [line], 0, 4);
  const field = { name: 'invoice_number', kind: 'identifier', description: '', captions: [] } as const;
  assert.equal(isNoValue(field, candidate, 90), true);
  assert.equal(isRefused('invoice_number', 'identifier', '3057', undefined, '3057', 'Invoice'), false);
});

test('a house in its street is nobody', () => {
  assert.equal(isRefused('supplier_name', 'organization', '1150 Industrial Road'), true);
  assert.equal(isRefused('supplier_name', 'organization', '24 Hour Fitness'), false);
});
