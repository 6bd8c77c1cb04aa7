import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType } from '@millrace/document-model';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { classify, placeWeights } from './classify.ts';
import { classifierFeatures, classifierFeaturesOf } from './features.ts';
import { dateAtTitle, headlineOf, numberAtTitle } from './headline.ts';

const file = {
  features: ['evidence.invoice', 'evidence.receipt', 'words'],
  types: ['invoice', 'receipt'],
  weights: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  temperature: 1,
  ceiling: 1,
} as const;

test('weights stay valid when a type is added after their training', () => {
  const features = ['evidence.invoice', 'evidence.novel', 'evidence.receipt', 'words'];
  const { places, types } = placeWeights(file, features, ['invoice', 'novel', 'receipt']);
  assert.deepEqual(
    [places, types],
    [
      [0, 2, 3],
      ['invoice', 'receipt'],
    ],
  );
});

test('weights are refused that need a feature or a type which is gone', () => {
  assert.throws(() => placeWeights(file, ['evidence.invoice', 'words'], ['invoice', 'receipt']));
  assert.throws(() => placeWeights(file, [...file.features], ['invoice']));
});

test('a term of payment is no sign of a receipt', () => {
  const evidenceOf = (text: string) =>
    classifierFeaturesOf(layOut(typeset([[[40, text]]])))[classifierFeatures.indexOf('evidence.receipt')]!;
  assert.equal(evidenceOf('Due upon receipt of invoice'), 0);
  assert.ok(evidenceOf('Receipt') > 0);
});

test('a card that calls itself one of identification is no licence, whatever its numbers', () => {
  const document = typeset([
    [[40, 'IDENTIFICATION CARD']],
    [[40, '4d IDN: 32 814 907 DUPS: 00']],
    [[40, '3 DOB: 07/03/1991 4b EXP: 07/31/2026 4a ISS: 06/20/2022']],
    [[40, '15 SEX: F 18 EYES: HAZ 16 HGT: 5-06 5 DD: 2217103300941']],
    [[40, 'ORGAN DONOR']],
  ]);
  assert.equal(classify(layOut(document)).docType, 'id_card');
});

test('cards are known by their titles in other countries', () => {
  const typeOf = (...lines: string[]) => classify(layOut(typeset(lines.map((text) => [[40, text]])))).docType;
  const licence = typeOf("British Columbia DRIVER'S LICENCE", 'NDL: 7419283', 'DOB: 1980-May-02', 'Class: 5 Restr: 21');
  assert.equal(licence, 'driver_license');
  const voter = typeOf('CREDENCIAL PARA VOTAR', 'CLAVE DE ELECTOR VLCSLS85031414H700', 'CURP VICL850314HJCLSS08');
  assert.equal(voter, 'id_card');
});

test('a card has its title at its own head, wherever it lies in its picture', () => {
  const title = classifierFeatures.indexOf('title.driver_license');
  const lines = ['DRIVER LICENCE', 'IMOGEN CLAIRE', 'LICENCE EXPIRY 17-02-2030', 'DATE OF BIRTH 17-02-1990'];
  const document = typeset(lines.map((text) => [[40, text]]));
  const [page] = document.pages;
  const moved = page!.words.map((word) => ({
    ...word,
    box: { ...word.box, y0: word.box.y0 + 400, y1: word.box.y1 + 400 },
  }));
  const lower = { ...document, pages: [{ ...page!, words: moved }] };
  assert.ok(classifierFeaturesOf(layOut(lower))[title]! > 0);
});

test('a quote that was accepted is no sign of a quote', () => {
  const evidenceOf = (text: string) =>
    classifierFeaturesOf(layOut(typeset([[[40, text]]])))[classifierFeatures.indexOf('evidence.quote')]!;
  assert.equal(evidenceOf('Devis n° D-2025-0141 accepté le 30/05/2025'), 0);
  assert.ok(evidenceOf('Devis') > 0);
});

test('a document that shows many words of one type is no general one', () => {
  const card = typeset([
    [[40, 'sample health']],
    [[40, 'ID W2718 44190']],
    [[40, 'NAME 01 JANE DOE']],
    [
      [40, 'RXBIN# 610502'],
      [200, 'RXPCN# SMP-X1'],
      [360, 'RXGRP# RXSMP'],
    ],
    [[40, 'PCP $25 SPC $50 ER $250 UC $60']],
    [[40, 'PAYER NUMBER 60054 0735']],
  ]);
  assert.equal(classify(layOut(card)).docType, 'insurance_card');
});

test('a statement of a credit card is a bank statement, and an order form for a subscription a contract', () => {
  const typeOf = (...lines: readonly string[]) =>
    classify(layOut(typeset(lines.map((line) => [[40, line]] as const)))).docType;
  assert.equal(
    typeOf(
      'Sample Bank',
      'Your statement 21 August 2024',
      'Card number 5299 4410',
      'Credit limit 4,500.00 Available credit 3,453.12',
      'Your new balance 1,046.88 Minimum payment 26.17',
      'Your transactions',
      ...['02 Aug SAMPLE FUELS 74.50', '09 Aug PAYMENT RECEIVED - THANK YOU 500.00 CR', '11 Aug EXAMPLE HOTELS 612.00'],
      'If you make only the minimum payment each month, it will take you longer to clear your balance.',
    ),
    'bank_statement',
  );
  assert.equal(
    typeOf(
      'Order Form',
      'Bill To: Example Ltd',
      'Contract Start Date: 1/1/2025 Contract End Date: 31/12/2027',
      'Subscription Term: 36 months Payment Terms: Net 30',
      'Total: GBP 172,800.00',
      'This Order Form is governed by the laws of England and shall become legally binding on signature.',
    ),
    'contract',
  );
});

test('a document is what its title says, and not what it refers to', () => {
  const headline = (...rows: string[]) => headlineOf(layOut(typeset(rows.map((text) => [[40, text]]))));
  assert.deepEqual(headline('Rechnung', 'Lieferschein / Datum', 'Ihre Bestellung / Datum'), {
    type: 'invoice',
    isAlone: true,
  });
  assert.deepEqual(headline('INVOICE No.30518'), { type: 'invoice', isAlone: false });
  assert.deepEqual(headline('Original Invoice'), { type: 'invoice', isAlone: true });
  assert.equal(headline('Invoice date', 'Delivery note no.'), null);
  assert.equal(headline('Invoice', 'Delivery Note'), null);
});

test('the number behind a document’s own title is its own', () => {
  const numberOf = (text: string) => {
    const found = numberAtTitle('invoice', layOut(typeset([[[40, text]]])));
    return found?.line.text.slice(found.start) ?? null;
  };
  assert.equal(numberOf('1. Abschlagsrechnung Nr. 2025-AR-038'), '2025-AR-038');
  assert.equal(numberOf('Facture n° FA-118'), 'FA-118');
  assert.equal(numberOf('Fatura FT A/2114'), 'FT A/2114');
  assert.equal(numberOf('Lieferschein Nr. 118'), null);
});

test('the number right below a document’s title is its own', () => {
  const numberBelow = (type: DocType, ...lines: string[]) => {
    const found = numberAtTitle(type, layOut(typeset(lines.map((text) => [[40, text]]))));
    return found?.line.text.slice(found.start, found.end);
  };
  assert.equal(numberBelow('purchase_order', 'BON DE COMMANDE', 'N° BC-2025-0612 du 18/02/2025'), 'BC-2025-0612');
  assert.equal(numberBelow('delivery_note', 'PAKBON', 'Nummer PB-88214'), 'PB-88214');
});

test('the day behind a document’s own title, or right below it, is its own', () => {
  const dayOf = (...lines: readonly string[]) => {
    const found = dateAtTitle('credit_note', layOut(typeset(lines.map((text) => [[40, text]]))));
    return found?.line.text.slice(found.start, found.end) ?? null;
  };
  assert.equal(dayOf('AVOIR AV-2025-017', 'du 08/04/2025', 'sur facture FC-288 du 12/03/2025'), '08/04/2025');
  assert.equal(dayOf('Gutschrift 118 vom 12.03.2025'), '12.03.2025');
  assert.equal(dayOf('Avoir n° F24-0118 du 22/05/2024 — Devis n° D24-0071 accepté le 04/03/2024'), '22/05/2024');
  assert.equal(dayOf('sur facture FC-288 du 12/03/2025'), null);
});

test('an invoice for a period that names no utility is no utility’s bill', () => {
  const typeOf = (...lines: readonly string[]) =>
    classify(layOut(typeset(lines.map((line) => [[40, line]] as const)))).docType;
  assert.equal(
    typeOf(
      'Example Compute Services Invoice',
      'Account number: 447120033918',
      'Bill to: Example Analytics LLC',
      'Invoice Number: 2118840417',
      'Invoice Date: April 3, 2025',
      'TOTAL AMOUNT DUE ON April 3, 2025 $1,847.33',
      'This invoice is for the billing period March 1 - March 31, 2025',
      'Service charges $1,847.33',
      'Total for this invoice $1,847.33',
    ),
    'invoice',
  );
});

test('a short form that is called an agreement is a contract', () => {
  const typeOf = (...lines: readonly string[]) =>
    classify(layOut(typeset(lines.map((line) => [[40, line]] as const)))).docType;
  const lines = [
    'Landlord: Jane Doe Phone: (505) 555-0119',
    'Tenant(s): Richard Roe',
    'Lease term: Beginning June 1, 2024 and ending May 31, 2025. After that the tenancy is month to month.',
    'Utilities paid by Tenant: electric and gas',
    'Pets: none without written consent.',
  ];
  assert.equal(typeOf('RESIDENTIAL RENTAL AGREEMENT', ...lines), 'contract');
});

test('a mobile provider’s bill that calls itself an invoice is a utility bill', () => {
  const lines = [
    'example mobile',
    'Your phone bill',
    'Invoice number 0088127744',
    'Invoice date 11/03/25',
    'Account number RM-4471882',
    '07700 900118 – SIM Only 30GB £24.00',
    'Charges outside your plan (11 Feb – 10 Mar) £8.00',
    'Net total £32.00',
    'VAT at 20% £6.40',
    'Amount due £38.40',
    'You used 11.2 GB of data, 204 minutes and 61 texts.',
  ];
  assert.equal(classify(layOut(typeset(lines.map((line) => [[40, line]] as const)))).docType, 'utility_bill');
});
