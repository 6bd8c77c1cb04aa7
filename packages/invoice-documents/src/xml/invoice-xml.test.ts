import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InvoiceDocument } from '../document.ts';
import { generateInvoice, withTotals } from '../invoices-testing.ts';
import { invoiceXml, xmlProblems } from './invoice-xml.ts';

const invoice = generateInvoice(0);
const thousandths: InvoiceDocument = withTotals({
  ...invoice,
  currency: 'KWD',
  minorUnit: 3,
  lines: [{ ...invoice.lines[0]!, unitPrice: '1.235', amountMinor: 1235, taxCategory: 'E', taxRate: '0' }],
});

test('an XRechnung names everything that is missing, with the rule that demands it', () => {
  const { reference: _, ...buyer } = invoice.buyer;
  const { phone: __, ...seller } = invoice.seller;
  const document = { ...invoice, buyer, seller: { ...seller, contactName: ' ', bank: null } };
  assert.throws(() => invoiceXml(document, 'xrechnung'), {
    code: 'xml_not_possible',
    message:
      "INV-2026-00001 can't be an XRechnung: the buyer has no reference, such as the Leitweg-ID (BR-DE-15); " +
      'the seller has no bank account (BR-DE-1); the seller has no contact name (BR-DE-5); ' +
      'the seller has no phone number (BR-DE-6).',
  });
  assert.deepEqual(xmlProblems(document, 'factur-x'), []);
});

test('an XRechnung states its specification, its process and the reference of the buyer', () => {
  const xml = invoiceXml(invoice, 'xrechnung');
  assert.match(xml, /<ram:ID>urn:cen\.eu:en16931:2017#compliant#urn:xeinkauf\.de:kosit:xrechnung_3\.0<\/ram:ID>/);
  assert.match(xml, /<ram:ID>urn:fdc:peppol\.eu:2017:poacc:billing:01:1\.0<\/ram:ID>/);
  assert.match(xml, /<ram:BuyerReference>PO-77120<\/ram:BuyerReference>/);
});

test('an XRechnung leaves out line periods beyond its own, which its rules forbid', () => {
  const late = { ...invoice.lines[0]!, period: { from: '2026-09-01', to: '2026-09-30' } };
  const document = withTotals({ ...invoice, lines: [late] });
  assert.match(invoiceXml(document, 'factur-x'), />20260901</);
  assert.doesNotMatch(invoiceXml(document, 'xrechnung'), />20260901</);
});

test('an amount with a third decimal is refused, one that ends in 0 is written with two', () => {
  assert.throws(() => invoiceXml(thousandths, 'factur-x'), {
    code: 'xml_not_possible',
    message: /^INV-2026-00001 can't be an electronic invoice: an amount in KWD needs three decimals/,
  });
  const line = { ...thousandths.lines[0]!, amountMinor: 1230 };
  const xml = invoiceXml(withTotals({ ...thousandths, lines: [line] }), 'factur-x');
  assert.match(xml, /<ram:LineTotalAmount>1\.23<\/ram:LineTotalAmount>/);
  assert.match(xml, /<ram:ChargeAmount>1\.235<\/ram:ChargeAmount>/);
});

test('amounts of currencies without decimals are whole', () => {
  const xml = invoiceXml(generateInvoice(2), 'factur-x');
  assert.match(xml, /<ram:GrandTotalAmount>\d+<\/ram:GrandTotalAmount>/);
});

test('a credit note is of type 381 and refers to its invoice', () => {
  const xml = invoiceXml(generateInvoice(9), 'factur-x');
  assert.match(xml, /<ram:TypeCode>381<\/ram:TypeCode>/);
  assert.match(
    xml,
    /<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>INV-2026-00001<.*<qdt:DateTimeString format="102">20261002</,
  );
});

test('a negative price becomes a negative quantity', () => {
  const line = { ...invoice.lines[0]!, quantity: '2', unitPrice: '-3.50', amountMinor: -700 };
  const document = withTotals({ ...invoice, lines: [invoice.lines[0]!, line] });
  const xml = invoiceXml(document, 'factur-x');
  assert.match(xml, /<ram:ChargeAmount>3\.5<\/ram:ChargeAmount>/);
  assert.match(xml, /<ram:BilledQuantity unitCode="C62">-2<\/ram:BilledQuantity>/);
});

test('markup and control characters of hostile names stay text', () => {
  const hostile = '</ram:Name><!ENTITY x SYSTEM "file:///"> & "q" \u0000\u0008\uFFFE\uD800]]>';
  const document = { ...invoice, buyer: { ...invoice.buyer, name: hostile }, notes: [hostile] };
  const xml = invoiceXml(document, 'factur-x');
  assert.ok(
    xml.includes(
      '<ram:Name>&lt;/ram:Name&gt;&lt;!ENTITY x SYSTEM &quot;file:///&quot;&gt; &amp; &quot;q&quot; \uFFFD]]&gt;</ram:Name>',
    ),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be absent
  assert.doesNotMatch(xml, /[\u0000-\u0008\uFFFE]/);
});

test('documents beyond a bound or with sums that contradict are refused with the path', () => {
  const cases: readonly (readonly [Partial<InvoiceDocument>, RegExp])[] = [
    [{ lines: [] }, /lines is empty/],
    [{ lines: Array.from({ length: 10_001 }, () => invoice.lines[0]!) }, /lines has more than 10000 entries/],
    [{ lines: [{ ...invoice.lines[0]!, name: 'x'.repeat(201) }] }, /lines\.0\.name is longer than 200 characters/],
    [{ lines: [{ ...invoice.lines[0]!, quantity: '1e9' }] }, /lines\.0\.quantity has the wrong form/],
    [{ lines: [{ ...invoice.lines[0]!, amountMinor: 0.5 }] }, /lines\.0\.amountMinor is not a whole number/],
    [{ issueDate: '2026-13-01' }, /issueDate is not a date/],
    [{ dueDate: '2026-02-30' }, /dueDate is not a date/],
    [{ period: { from: '2026-02-02', to: '2026-02-01' } }, /period ends before it begins/],
    [{ notes: Array.from({ length: 21 }, () => '') }, /notes has more than 20 entries/],
    [{ taxes: [] }, /taxes does not cover/],
    [{ totalMinor: invoice.totalMinor + 1 }, /totalMinor is not the sum/],
    [{ paidMinor: 1 }, /dueMinor is not/],
  ];
  for (const [change, message] of cases) {
    assert.throws(() => invoiceXml({ ...invoice, ...change }, 'factur-x'), { code: 'invalid_document', message });
  }
});

test('what a tax category needs is named before an invoice is issued', () => {
  const { vatId: _, ...buyer } = invoice.buyer;
  const { vatId: __, registration: ___, taxNumber: ____, ...seller } = invoice.seller;
  const lines = [{ ...invoice.lines[0]!, taxCategory: 'AE' as const, taxRate: '0' }];
  const document = withTotals({ ...invoice, buyer, seller, lines });
  assert.deepEqual(xmlProblems(document, 'factur-x'), [
    'the seller has no VAT ID and no registration',
    'reverse charge needs the VAT ID or tax number of the seller',
    'reverse charge and supplies within the EU need the VAT ID of the buyer',
  ]);
});
