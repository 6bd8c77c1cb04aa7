import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Attachment } from '@millrace/document-model';
import { readAttachments } from '../read/pdf/attachments.ts';
import { openDocument } from '../read/pdf/document.ts';
import { loadPdfium } from '../read/pdf/pdfium.ts';
import { readEmbeddedInvoice } from './invoice.ts';
import type { EmbeddedValues } from './value.ts';

function fixture(name: string): Attachment {
  return { name, bytes: readFileSync(path.join(import.meta.dirname, 'fixtures', name)) };
}

function plain(values: EmbeddedValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.value]));
}

test('a UBL invoice is read with all its header fields and lines', () => {
  const invoice = readEmbeddedInvoice([{ name: 'photo.png', bytes: new Uint8Array(9) }, fixture('ubl-invoice.xml')]);
  assert.ok(invoice);
  assert.equal(invoice.docType, 'invoice');
  assert.equal(invoice.complete, true);
  assert.deepEqual(plain(invoice.fields), {
    invoice_number: '2024-0815',
    invoice_date: '2024-03-05',
    due_date: '2024-04-04',
    purchase_order: 'PO-77',
    vendor_name: 'Nordlicht Handels GmbH & Co. KG',
    vendor_address: 'Hafenstraße 7, Speicher B, 24103 Kiel, DE',
    vendor_tax_id: 'DE123456789',
    vendor_email: 'rechnung@nordlicht.example',
    vendor_phone: '+49 431 5550100',
    vendor_website: 'https://www.nordlicht.example',
    customer_name: 'Öresund Bygg AB',
    customer_address: 'Storgatan 1, 211 42 Malmö, SE',
    customer_id: 'K-1001',
    customer_tax_id: 'SE556677889901',
    shipping_address: 'Kaj 3, 222 21 Lund, SE',
    subtotal: 270.1,
    discount_amount: 10,
    shipping_amount: 12.5,
    tax_amount: 52.55,
    tax_rate: 19,
    total_amount: 329.15,
    amount_due: 229.15,
    amount_paid: 100,
    payment_terms: '30 days net, 2 % within 10 days',
    iban: 'DE02120300000000202051',
    bic: 'BYLADEM1001',
    payment_reference: 'RF18539007547034',
    service_start_date: '2024-02-01',
    service_end_date: '2024-02-29',
    currency: 'EUR',
  });
  assert.deepEqual(invoice.lines.map(plain), [
    {
      description: 'Screws galvanised, 4 × 40 mm',
      quantity: 2500,
      unit: 'pcs',
      price_unit: 0.05,
      product_code: 'SCR-440',
      discount_amount: 4.9,
      tax_rate: 19,
      amount: 120.1,
    },
    { description: 'Fitting', quantity: 2.5, unit: 'h', price_unit: 60, tax_rate: 19, amount: 150 },
  ]);
});

test('a UBL credit note is distinguished from an invoice', () => {
  const invoice = readEmbeddedInvoice([fixture('ubl-credit-note.xml')]);
  assert.ok(invoice);
  assert.equal(invoice.docType, 'credit_note');
  const fields = plain(invoice.fields);
  assert.equal(fields.invoice_number, 'CN-12');
  assert.equal(fields.original_invoice_number, 'INV-7');
  assert.equal(fields.total_amount, 48);
  assert.deepEqual(invoice.lines.map(plain), [
    { description: 'Rope, returned', quantity: 4, unit: 'pcs', price_unit: 10, amount: 40 },
  ]);
});

test('a broken e-invoice is read as far as its tags match, and says that it is incomplete', () => {
  const { bytes } = fixture('ubl-invoice.xml');
  const text = new TextDecoder().decode(bytes);
  const cut = text.slice(0, text.indexOf('<cbc:PayableAmount') + 40);
  const invoice = readEmbeddedInvoice([{ name: 'factur-x.xml', bytes: new TextEncoder().encode(cut) }]);
  assert.ok(invoice);
  assert.equal(invoice.complete, false);
  assert.equal(invoice.fields.total_amount?.value, 329.15);
  assert.equal(invoice.fields.amount_due, undefined);
  assert.deepEqual(invoice.lines, []);

  const mismatched = text.replace('</cbc:TaxInclusiveAmount>', '</cbc:TaxInclusive>');
  const second = readEmbeddedInvoice([{ name: 'a.xml', bytes: new TextEncoder().encode(mismatched) }]);
  assert.equal(second?.fields.invoice_number?.value, '2024-0815');
  assert.equal(second?.fields.amount_due, undefined);
});

test('of several e-invoices the one with the prescribed name counts', () => {
  const other = fixture('ubl-credit-note.xml');
  const named = { name: 'xrechnung.xml', bytes: fixture('ubl-invoice.xml').bytes };
  assert.equal(readEmbeddedInvoice([other, named])?.fields.invoice_number?.value, '2024-0815');
  assert.equal(readEmbeddedInvoice([]), null);
  assert.equal(readEmbeddedInvoice([{ name: 'factur-x.xml', bytes: new TextEncoder().encode('<Invoice>') }]), null);
});

/*
 * The real e-invoices are checked against what plain text searches find in their XML, so that a fault in the parser or
 * in the mapping shows.
 */

type Answer = { fields: Record<string, unknown>; lines: Record<string, unknown>[] };

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Inner XML of every element of the name. */
function inner(xml: string, name: string): string[] {
  const pattern = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:\\w+:)?${name}>`, 'g');
  return [...xml.matchAll(pattern)].map((match) => match[1]!);
}

function leaf(xml: string | undefined, name: string): string | undefined {
  const text = inner(xml ?? '', name).find((content) => !content.includes('<') && content.trim() !== '');
  return text === undefined ? undefined : unescapeXml(text);
}

function isoDate(xml: string | undefined): string | undefined {
  const digits = /\b(\d{4})-?(0[1-9]|1[0-2])-?(\d\d)(?!\d)/.exec((xml ?? '').replace(/<[^>]*>/g, ' '));
  return digits ? `${digits[1]}-${digits[2]}-${digits[3]}` : undefined;
}

/** Everything that the XML says and the answer does not, and the number of values compared. */
function missingFrom(answer: Answer, xml: string): { missing: string[]; compared: number } {
  const missing: string[] = [];
  let compared = 0;
  const expect = (label: string, holds: (text: string) => boolean, text: string | undefined) => {
    if (text === undefined || text === '') return;
    compared += 1;
    if (!holds(text)) missing.push(`${label}: ${text}`);
  };
  const is = (value: unknown) => (text: string) => value === text;
  const isNumber = (value: unknown) => (text: string) => typeof value === 'number' && value === Number(text);
  const contains = (value: unknown) => (text: string) => typeof value === 'string' && value.includes(text);
  const isCompact = (value: unknown) => (text: string) => value === text.replace(/\s/g, '');

  const lines = inner(xml, 'IncludedSupplyChainTradeLineItem');
  const header = lines.reduce((rest, line) => rest.replace(line, ''), xml);
  const { fields } = answer;
  const document = inner(header, '(?:Header)?ExchangedDocument')[0];
  expect('number', is(fields.invoice_number), leaf(document, 'ID'));
  expect('date', is(fields.invoice_date), isoDate(inner(document ?? '', 'IssueDateTime')[0]));
  expect('due date', is(fields.due_date), isoDate(inner(header, 'DueDateDateTime')[0]));
  expect('currency', is(fields.currency), leaf(header, 'InvoiceCurrencyCode'));
  const order = inner(header, 'BuyerOrderReferencedDocument')[0];
  expect('order', is(fields.purchase_order), leaf(order, 'IssuerAssignedID') ?? leaf(order, 'ID'));
  expect(
    'original',
    is(fields.original_invoice_number),
    leaf(inner(header, 'InvoiceReferencedDocument')[0], 'IssuerAssignedID'),
  );
  for (const [tag, role] of [
    ['SellerTradeParty', 'vendor'],
    ['BuyerTradeParty', 'customer'],
  ] as const) {
    const party = inner(header, tag)[0];
    expect(`${role} name`, is(fields[`${role}_name`]), leaf(party, 'Name'));
    for (const part of ['LineOne', 'LineTwo', 'LineThree', 'PostcodeCode', 'CityName']) {
      expect(`${role} ${part}`, contains(fields[`${role}_address`]), leaf(party, part));
    }
    const registrations = [...(party ?? '').matchAll(/schemeID="(VA|FC)">\s*([^<]+?)\s*</g)];
    const registration = registrations.find((match) => match[1] === 'VA') ?? registrations[0];
    expect(`${role} tax id`, isCompact(fields[`${role}_tax_id`]), registration?.[2]);
  }
  const seller = inner(header, 'SellerTradeParty')[0];
  expect('phone', is(fields.vendor_phone), leaf(seller, 'CompleteNumber'));
  expect('email', is(fields.vendor_email), leaf(inner(seller ?? '', 'EmailURIUniversalCommunication')[0], 'URIID'));
  const buyerBeforeAddress = inner(header, 'BuyerTradeParty')[0]?.split(/<\w+:Name/)[0];
  expect('customer id', is(fields.customer_id), leaf(buyerBeforeAddress, 'ID'));
  const shipTo = inner(header, 'ShipToTradeParty')[0];
  for (const part of ['LineOne', 'LineTwo', 'CityName']) {
    expect(`ship to ${part}`, contains(fields.shipping_address), leaf(shipTo, part));
  }
  const totals = inner(header, 'SpecifiedTradeSettlement(?:Header)?MonetarySummation')[0];
  expect('subtotal', isNumber(fields.subtotal), leaf(totals, 'LineTotalAmount') ?? leaf(totals, 'TaxBasisTotalAmount'));
  expect('total', isNumber(fields.total_amount), leaf(totals, 'GrandTotalAmount'));
  expect('due', isNumber(fields.amount_due), leaf(totals, 'DuePayableAmount'));
  expect('paid', isNumber(fields.amount_paid), leaf(totals, 'TotalPrepaidAmount'));
  expect('discount', isNumber(fields.discount_amount), leaf(totals, 'AllowanceTotalAmount'));
  const taxTotals = inner(totals ?? '', 'TaxTotalAmount').map(Number);
  expect('tax', () => taxTotals.includes(Number(fields.tax_amount)), taxTotals[0]?.toString());
  expect('iban', isCompact(fields.iban), leaf(inner(header, 'PayeePartyCreditorFinancialAccount')[0], 'IBANID'));
  expect('bic', isCompact(fields.bic), leaf(inner(header, 'PayeeSpecifiedCreditorFinancialInstitution')[0], 'BICID'));
  expect('account', is(fields.bank_account_number), leaf(header, 'ProprietaryID'));
  expect('reference', is(fields.payment_reference), leaf(header, 'PaymentReference'));
  for (const terms of inner(header, 'SpecifiedTradePaymentTerms')) {
    expect('terms', contains(fields.payment_terms), leaf(terms, 'Description'));
  }
  const period = inner(header, 'BillingSpecifiedPeriod')[0];
  const delivered = inner(header, 'ActualDeliverySupplyChainEvent')[0];
  expect(
    'service start',
    is(fields.service_start_date),
    isoDate(inner(period ?? '', 'StartDateTime')[0]) ?? isoDate(delivered),
  );
  expect('service end', is(fields.service_end_date), isoDate(inner(period ?? '', 'EndDateTime')[0]));

  const items = lines.filter((line) => leaf(line, 'Name') !== undefined);
  expect('line count', () => answer.lines.length === items.length, `${items.length}`);
  items.forEach((item, index) => {
    const line = answer.lines[index] ?? {};
    const product = inner(item, 'SpecifiedTradeProduct')[0]!.replace(/<(\w+:)?(Included|Applicable)[\s\S]*$/, '');
    const price = inner(item, 'NetPriceProductTradePrice')[0];
    const basis = Number(leaf(price, 'BasisQuantity') ?? 1);
    const near = (value: unknown, wanted: number) => Math.abs(Number(value) - wanted) < 1e-6;
    expect(`line ${index} name`, contains(line.description), leaf(product, 'Name'));
    expect(`line ${index} description`, contains(line.description), leaf(product, 'Description'));
    expect(`line ${index} quantity`, isNumber(line.quantity), leaf(item, 'BilledQuantity'));
    expect(`line ${index} code`, is(line.product_code), leaf(product, 'SellerAssignedID'));
    expect(`line ${index} price`, (text) => near(line.price_unit, Number(text) / basis), leaf(price, 'ChargeAmount'));
    const summation = inner(item, 'SpecifiedTradeSettlement(?:Line)?MonetarySummation')[0];
    expect(`line ${index} amount`, isNumber(line.amount), leaf(summation, 'LineTotalAmount'));
    const tax = inner(item, 'ApplicableTradeTax')[0];
    expect(`line ${index} rate`, isNumber(line.tax_rate), leaf(tax, '(?:Rate)?ApplicablePercent'));
  });
  return { missing, compared };
}

const dataFolder = path.join(
  process.env.MILLRACE_SHARED_DATA ?? path.resolve(import.meta.dirname, '../../../../../shared/data'),
  'e-invoices',
);

test('every header field and line of every real e-invoice is in the answer', {
  skip: !existsSync(dataFolder) && 'no labelled data',
}, async () => {
  const pdfium = await loadPdfium();
  let compared = 0;
  let lineCount = 0;
  const files = globSync('**/*.pdf', { cwd: dataFolder });
  assert.equal(files.length, 96);
  for (const name of files) {
    const document = openDocument(pdfium, readFileSync(path.join(dataFolder, name)), { pages: 50 });
    const attachments = readAttachments(document);
    document.close();
    const invoice = readEmbeddedInvoice(attachments);
    assert.ok(invoice?.complete, name);
    const answer = { fields: plain(invoice.fields), lines: invoice.lines.map(plain) };
    lineCount += answer.lines.length;
    const results = attachments
      .map((attachment) => new TextDecoder().decode(attachment.bytes))
      .filter((xml) => /<(\w+:)?Specified(SupplyChain)?TradeSettlement|<(\w+:)?SupplyChainTradeTransaction/.test(xml))
      .map((xml) => missingFrom(answer, xml))
      .sort((a, b) => a.missing.length - b.missing.length);
    assert.ok(results[0], name);
    assert.deepEqual(results[0].missing, [], name);
    assert.ok(results[0].compared >= 10, `${name}: only ${results[0].compared} values compared`);
    compared += results[0].compared;

    const wrong = { fields: { ...answer.fields, total_amount: -1 }, lines: answer.lines.slice(1) };
    const xml = new TextDecoder().decode(attachments.find((attachment) => /\.xml$/.test(attachment.name))!.bytes);
    assert.notDeepEqual(missingFrom(wrong, xml).missing, [], 'the check itself must be able to fail');
  }
  assert.ok(compared > 3500, `${compared} values compared`);
  assert.ok(lineCount > 200, `${lineCount} lines`);
});
