import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { composedValue } from '../../compose/value.ts';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset, typesetPage } from '../../layout/typeset.ts';
import { readRows } from '../../lines/rows.ts';
import { decideLocale } from '../../locale/locale.ts';
import { documentTypeOf } from '../registry.ts';
import { composeReceipt } from './compose.ts';
import { receiptRules } from './rules.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'receipt', fields: null }).extraction.fields;

function paidBy(...rows: PrintedRow[]): unknown {
  const layout = layOut(typeset(rows));
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  return composeReceipt(findings).payment_method?.value;
}

test('a card’s brand at its masked number or at an amount is how a receipt was paid', () => {
  assert.equal(
    paidBy([[40, 'Harbour Grill']], [[40, 'Total 24.60']], [[40, 'VISA DEBIT ************4821']]),
    'VISA DEBIT',
  );
  assert.equal(paidBy([[40, 'Summe 12,40 EUR']], [[40, 'Girocard 12,40']]), 'Girocard');
  assert.equal(paidBy([[40, 'Total 9.50']], [[40, 'Mastercard']]), 'Mastercard');
});

test('cards that a shop accepts are not how it was paid', () => {
  assert.equal(paidBy([[40, 'We accept Visa, Mastercard and Amex']], [[40, 'Total 9.50']]), undefined);
});

test('cash that was given is how a receipt was paid', () => {
  assert.equal(paidBy([[40, 'Total 9.50']], [[40, 'CASH TENDERED 20.00']], [[40, 'Change 10.50']]), 'CASH TENDERED');
  assert.equal(paidBy([[40, 'Cash sale']], [[40, 'Total 9.50']]), undefined);
});

test('a receipt is of whom it welcomes its customer to', () => {
  const fields = extracted(
    [[40, 'WELCOME TO']],
    [[40, 'EXAMPLE FUEL 441']],
    [[40, '1200 N MAIN ST']],
    [[40, 'WICHITA KS 67203']],
    [[40, 'DATE 04/12/23 TIME 08:41']],
    [[40, 'FUEL TOTAL $36.96']],
    [[40, 'VISA XXXXXXXXXXXX4412']],
  );
  assert.equal(fields.merchant_name?.value, 'EXAMPLE FUEL');
  assert.equal(fields.card_last4?.value, '4412');
});

test('the only sum of a receipt is its total where cash and change say that it was paid', () => {
  const fields = extracted(
    [[40, 'Café Sonnenschein']],
    [[40, 'Marktplatz 5']],
    [[40, '79098 Freiburg']],
    [[40, 'Datum: 14.05.2022 15:32']],
    [
      [40, '2 x Cappuccino'],
      [200, '6,80'],
    ],
    [
      [40, '1 x Apfelkuchen'],
      [200, '3,90'],
    ],
    [
      [40, 'Summe EUR'],
      [200, '10,70'],
    ],
    [
      [40, 'Gegeben bar EUR'],
      [200, '20,00'],
    ],
    [
      [40, 'Rückgeld EUR'],
      [200, '9,30'],
    ],
  );
  assert.equal(fields.total_amount?.value, 10.7);
});

test('what was received is the total where it is the sum before tax with the tax', () => {
  const given = (value: number) => ({ value, confidence: 90, provenance: [], flags: [] });
  const layout = layOut(typeset([]));
  const findings = { layout, candidates: [], locale: decideLocale(layout) };
  const totalOf = (received: number) => {
    const fields = { subtotal: given(380), tax_amount: given(26.6), cash_received: given(received) };
    return receiptRules.check?.(fields, [], findings as never);
  };
  assert.equal(totalOf(406.6)?.total_amount?.value, 406.6);
  assert.equal(totalOf(406.6)?.cash_received, undefined);
  assert.equal(totalOf(420)?.total_amount, undefined);
});

test('an address begins behind the shop’s name and number', () => {
  const given = (value: string) => ({ value, confidence: 80, provenance: [], flags: [] });
  const layout = layOut(typeset([]));
  const findings = { layout, candidates: [], locale: decideLocale(layout) };
  const fields = {
    merchant_name: given('TALLGRASS TRAVEL STOP'),
    merchant_address: given('TALLGRASS TRAVEL STOP 441, I-70 EXIT 295, JUNCTION CITY KS'),
  };
  const checked = receiptRules.check?.(fields, [], findings as never);
  assert.equal(checked?.merchant_address?.value, 'I-70 EXIT 295, JUNCTION CITY KS');
});

test('a merchant’s name goes on over the lines that a narrow roll broke it into', () => {
  const merchantOf = (answer: string, ...lines: readonly string[]) => {
    const layout = layOut(typeset(lines.map((text): PrintedRow => [[40, text]])));
    const line = layout.lines.find(({ text }) => text === answer)!;
    const findings = { layout, candidates: [], locale: { ...decideLocale(layout), country: 'SG' } };
    const fields = { merchant_name: composedValue(answer, 70, [{ line }]) };
    return receiptRules.check?.(fields, [], findings as never).merchant_name?.value;
  };
  assert.equal(merchantOf('Pte Ltd', 'CityExample Rides', 'Pte Ltd', '205 Braddell Rd'), 'CityExample Rides Pte Ltd');
  assert.equal(merchantOf('Pte Ltd', 'TAX INVOICE', 'Pte Ltd', '205 Braddell Rd'), undefined);
  const hardware = ['EXAMPLE HARDWARE', 'ENTERPRISE (SETIA', 'ALAM) SDN BHD', '17 Jalan Setia'];
  assert.equal(merchantOf(hardware[1]!, ...hardware), hardware.slice(0, 3).join(' '));
  assert.equal(merchantOf(hardware[0]!, ...hardware), hardware.slice(0, 3).join(' '));
  assert.equal(merchantOf('MASTER LOCKS &', 'MASTER LOCKS &', 'KEYS', '17 Jalan Setia'), 'MASTER LOCKS & KEYS');
  assert.equal(merchantOf('MASTER (SETIA', 'MASTER (SETIA', '17 Jalan Setia'), undefined);
  assert.equal(merchantOf('MASTER LOCKS', 'MASTER LOCKS', 'KEYS', '17 Jalan Setia'), 'MASTER LOCKS');
});

test('an address with a sign between its letters was misread', () => {
  const given = (value: string) => ({ value, confidence: 80, provenance: [], flags: [] });
  const layout = layOut(typeset([]));
  const findings = { layout, candidates: [], locale: decideLocale(layout) };
  const addressOf = (text: string) =>
    receiptRules.check?.({ merchant_address: given(text) }, [], findings as never).merchant_address?.value;
  assert.equal(addressOf('12, JA:AN SS 4C/5, PETALING JAYA'), undefined);
  assert.equal(addressOf('Papierweg 44 | 3528 BJ Utrecht'), 'Papierweg 44 | 3528 BJ Utrecht');
  assert.equal(addressOf('NO:12, JALAN SS 4C/5, PETALING JAYA'), 'NO:12, JALAN SS 4C/5, PETALING JAYA');
});

test('an address of which only the last row was taken has all that it goes on over', () => {
  const rows = ['EXAMPLE CAFE', 'Lot 20, Level UG1, Publika', 'No 1, Jalan Dutamas, 50480 KL', 'TEL : 03-5422 1188'];
  const layout = layOut(typeset([...rows, 'Coffee 4.50'].map((text): PrintedRow => [[40, text]])));
  const line = layout.lines.find(({ text }) => text.startsWith('No 1'))!;
  const findings = { layout, candidates: [], locale: decideLocale(layout) };
  const fields = { merchant_address: composedValue(line.text, 89, [{ line }]) };
  const { merchant_address: address } = receiptRules.check?.(fields, [], findings as never) ?? {};
  assert.equal(address?.value, `${rows[1]}, ${rows[2]}`);
});

test('what a shop does stands in small letters below its logo', () => {
  const document = typeset([
    [[40, 'The Copper Ladle']],
    [[40, 'café & bakehouse']],
    [[40, '21 Quay Street, Westport']],
  ]);
  const [page] = document.pages;
  const words = page!.words.map((word) =>
    word.box.y0 < 45 ? { ...word, box: { ...word.box, y0: word.box.y0 - 12 } } : word,
  );
  const layout = layOut({ ...document, pages: [{ ...page!, words }] });
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  assert.equal(composeReceipt(findings).merchant_name?.value, 'The Copper Ladle');
});

test('a merchant’s logo names it before the line below does', () => {
  const document = typeset([
    [[120, 'Copperladle']],
    [[120, 'Kitchen & Taproom']],
    [[120, '1184 Division St']],
    [[120, 'Portland, OR 97202']],
    [[40, 'Check 10392']],
    [
      [40, 'Burrata Toast'],
      [200, '14.00'],
    ],
    [
      [40, 'Total'],
      [200, '14.00'],
    ],
  ]);
  const words = document.pages[0]!.words.map((word) =>
    word.text === 'Copperladle' ? { ...word, box: { ...word.box, y0: word.box.y0 - 15 } } : word,
  );
  const page = { ...document.pages[0]!, words, readings: [{ source: 'text' as const, words }] };
  const { extraction } = extractFromWords({ ...document, pages: [page] }, { docType: 'receipt', fields: null });
  assert.equal(extraction.fields.merchant_name?.value, 'Copperladle');
});

test('what became of a payment is no way to pay', () => {
  const fields = extracted(
    [[40, 'Frischmarkt Beispiel']],
    [[40, 'Bahnhofstr. 42']],
    [[40, '88299 Leutkirch']],
    [
      [40, 'SUMME EUR'],
      [200, '24,37'],
    ],
    [
      [40, 'Geg. girocard EUR'],
      [200, '24,37'],
    ],
    [[40, 'Zahlung erfolgt']],
  );
  assert.equal(fields.payment_method?.value, 'girocard');
});

test('a hotel’s address stands between marks at the foot of its bill', () => {
  const fields = extracted(
    [[40, 'Hotel Kastanienhof']],
    null,
    [[40, 'Halcyon Biotech plc']],
    [[40, '12 Innovation Way']],
    [[40, 'Cambridge CB4 0WS']],
    null,
    [[40, 'Guest folio']],
    ...Array.from({ length: 45 }, () => null),
    [[40, 'Hotel Kastanienhof · Moosweg 61 · 5020 Salzburg · Tel. +43 662 55 50 77']],
  );
  assert.equal(fields.merchant_address?.value, 'Moosweg 61, 5020 Salzburg');
});

test('cash may stand apart from its amount, and a card behind three dots', () => {
  assert.equal(
    paidBy([
      [40, 'Bar'],
      [200, '10,00'],
    ]),
    'Bar',
  );
  assert.equal(paidBy([[40, 'Total 31.80']], [[40, 'VISA ...3375']]), 'VISA');
});

test('a merchant may stand with its number above its street', () => {
  const value = (text: string): ExtractedValue => ({ value: text, confidence: 54, provenance: [], flags: [] });
  const layout = layOut(typeset([]));
  const fields = receiptRules.check?.(
    { merchant_address: value('GREENFIELD TRAVEL PLAZA, #0442, 2001 W Main St, Greenfield, IN 46140') },
    [],
    { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] },
  );
  assert.equal(fields?.merchant_name?.value, 'GREENFIELD TRAVEL PLAZA');
  assert.equal(fields?.merchant_address?.value, '2001 W Main St, Greenfield, IN 46140');
});

test('a merchant’s full name stands below a logo that has its first word, and a caption below a title is none', () => {
  const nameBelow = (logo: string, below: string) => {
    const document = typeset([
      [[40, logo]],
      [[40, below]],
      [[40, '22 Example Street']],
      [[40, 'Total 9.50']],
      [[40, 'Thank you']],
    ]);
    const pages = document.pages.map((page) => {
      const words = page.words.map((word) =>
        word.text === logo ? { ...word, box: { ...word.box, y0: word.box.y0 - 6 } } : word,
      );
      return { ...page, words, readings: [{ source: 'text' as const, words }] };
    });
    const layout = layOut({ ...document, pages });
    const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
    return composeReceipt(findings).merchant_name?.value;
  };
  assert.equal(nameBelow('halfmoon', 'Halfmoon Coffee Roasters'), 'Halfmoon Coffee Roasters');
  assert.equal(nameBelow('Receipt', 'Receipt number'), undefined);
});

test('the tax of a receipt in two halves is both, and the total the one with them', () => {
  const fields = extracted(
    [[40, 'EXAMPLE VERANDAH']],
    [[40, 'Tax Invoice']],
    [[40, 'Bill No: SV-10448']],
    [[40, 'Paneer 320.00']],
    [[40, 'Biryani 660.00']],
    [
      [40, 'Sub Total'],
      [200, '980.00'],
    ],
    [
      [40, 'CGST @2.5%'],
      [200, '24.50'],
    ],
    [
      [40, 'SGST @2.5%'],
      [200, '24.50'],
    ],
    [
      [40, 'GRAND TOTAL'],
      [200, 'Rs. 1029.00'],
    ],
  );
  assert.equal(fields.total_amount?.value, 1029);
  assert.equal(fields.tax_amount?.value, 49);
});

test('below its taxes a total may be rounded, whatever it is called', () => {
  const row = (label: string, amount: string): PrintedRow => [
    [40, label],
    [200, amount],
  ];
  const fields = extracted(
    [[40, 'EXAMPLE VERANDAH']],
    row('Paneer', '1130.00'),
    row('SUB TOTAL', '1130.00'),
    row('CGST @2.5%', '28.25'),
    row('SGST @2.5%', '28.25'),
    row('ROUND OFF', '0.50'),
    row('NET AMOUNT', '1187.00'),
  );
  assert.equal(fields.total_amount?.value, 1187);
  assert.equal(fields.tax_amount?.value, 56.5);
});

test('a shop is named above the line of who owns it or holds its licence', () => {
  const named = (...lines: readonly string[]) =>
    extracted(...lines.map((line): PrintedRow => [[40, line]]), [[40, 'Total 9.50']]).merchant_name?.value;
  assert.equal(
    named('Tankstelle Muster', 'Inh. Florian Beispiel', 'Salzburger Str. 81', '83404 Ainring'),
    'Tankstelle Muster',
  );
  assert.equal(
    named('PHARMACIE DU PORT', 'Mme Sandrine EXEMPLE', 'Pharmacien titulaire', '22 rue Caisserie', '13002 MARSEILLE'),
    'PHARMACIE DU PORT',
  );
});

test('a tax number and opening hours are in no merchant’s address', () => {
  const fields = extracted(
    [[40, 'MERCADO EJEMPLO']],
    [[40, 'RFC: MES980312QK4']],
    [[40, 'Open 8am - 10pm Daily']],
    [[40, '1189 Kingsway']],
    [[40, 'Vancouver, BC V5V 3C9']],
    [[40, 'TOTAL 46.77']],
  );
  assert.equal(fields.merchant_address?.value, '1189 Kingsway, Vancouver, BC V5V 3C9');
});

test('a total of factors ahead of a name is that of the name', () => {
  const layout = layOut(
    typeset([
      [[40, 'Gasthof Muster']],
      null,
      null,
      [[40, '2 x 23,80 Zwiebelrostbraten']],
      [[200, '47,60 B']],
      [
        [40, '3 x 4,60 Radler 0,5'],
        [200, '13,80 A'],
      ],
      [
        [40, 'SUMME EUR'],
        [200, '61,40'],
      ],
    ]),
  );
  const rows = readRows(documentTypeOf('receipt'), layout, decideLocale(layout));
  assert.deepEqual(
    rows.map((row) => [row.description?.value, row.quantity?.value, row.price_unit?.value, row.amount?.value]),
    [
      ['Zwiebelrostbraten', 2, 23.8, 47.6],
      ['Radler 0,5', 3, 4.6, 13.8],
    ],
  );
});

test('a logo has what kind of shop it is in smaller letters above or below it', () => {
  const set = (y: number, height: number, text: string) =>
    text.split(' ').map((word, at) => ({
      text: word,
      box: { x0: 100 + at * 60, y0: y, x1: 150 + at * 60, y1: y + height },
      source: 'text' as const,
      confidence: 1,
    }));
  const page = typesetPage(1, []);
  const words = [
    ...set(20, 22, 'Larkspur'),
    ...set(46, 11, 'PHARMACY'),
    ...set(70, 10, '2840 Lake Street'),
    ...set(84, 10, 'Duluth, MN 55806'),
    ...set(98, 10, 'Register 2'),
    ...set(112, 10, 'Total 9.50'),
    ...set(126, 10, 'Cash 10.00'),
  ];
  const layout = layOut({
    mediaType: 'application/pdf',
    pages: [{ ...page, words, readings: [{ source: 'text', words }] }],
    attachments: [],
  });
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  assert.equal(composeReceipt(findings).merchant_name?.value, 'Larkspur PHARMACY');
});

test('a day in another order is the one that the receipt prints again, and a day until which something goes on is not it', () => {
  const dateOf = (...rows: PrintedRow[]) => extracted([[40, 'Marché Laurier']], ...rows, [[40, 'TOTAL 32.38']]);
  const twice = dateOf([[40, 'Date/Time: 25/06/29 16:20:11']], [[40, '06/29/25 16:20 1184 07']]);
  assert.equal(twice.transaction_date?.value, '2025-06-29');
  const stay = dateOf(
    [[40, 'Arrived: Fri 11 Apr 2025']],
    [[40, 'Date 13 Apr 2025']],
    [[40, 'Returns thru 01/05/2026']],
  );
  assert.equal(stay.transaction_date?.value, '2025-04-13');
  const points = dateOf([[40, 'TOTAL UP TO 08/10/25 612']], [[40, 'Date 14/10/25 Time 18:42']]);
  assert.equal(points.transaction_date?.value, '2025-10-14');
});

test('the time in a till’s signature is not that of the sale', () => {
  const fields = extracted(
    [[40, 'Gasthof Enzian']],
    [[40, 'Datum: 19.02.2025 Uhrzeit: 09:15 Uhr']],
    [[40, 'Summe EUR 209,90']],
    [[40, 'R1-AT0_KASSA01_1127_2025-02-19T09:12:04']],
  );
  assert.equal(fields.transaction_time?.value, '09:15');
});

test('no rate’s tax is the tax of a total that was rounded', () => {
  const row = (...cells: readonly string[]): PrintedRow => cells.map((text, at) => [40 + 90 * at, text] as const);
  const fields = extracted(
    [[40, 'Brotkorb Genossenschaft']],
    row('Total CHF', '', '42.56'),
    row('Rundung', '', '-0.01'),
    row('Zu zahlen CHF', '', '42.55'),
    row('', 'MWST%', 'Total', 'MWST'),
    row('0', '2.60', '20.56', '0.52'),
    row('1', '8.10', '22.00', '1.65'),
  );
  assert.equal(fields.total_amount?.value, 42.55);
  assert.equal(fields.tax_amount, undefined);
});

test('a partner whom a trattoria’s name goes on with stands below it', () => {
  const fields = extracted(
    [[40, 'TRATTORIA ALLA PERGOLA']],
    [[40, 'di Esempio Marco e C. S.a.s.']],
    [[40, 'Via Altinate, 61']],
    [[40, '35121 PADOVA PD']],
    [[40, 'TOTALE COMPLESSIVO 70,00']],
  );
  assert.equal(fields.merchant_name?.value, 'TRATTORIA ALLA PERGOLA');
});

test('a hotel’s address is not that of the guest to whom it writes its bill', () => {
  const fields = extracted(
    [[40, 'Ms Fidelma Example']],
    [[40, '12 Grattan Court']],
    [[40, 'Blackrock']],
    [[40, 'Co. Dublin']],
    [[40, 'Total 386.50']],
  );
  assert.equal(fields.merchant_address, undefined);
});

test('a pharmacist between the shop’s name and its address is no guest', () => {
  const addressBelow = (...lines: readonly string[]) => {
    const layout = layOut(typeset(lines.map((text): PrintedRow => [[40, text]])));
    const at = (index: number) => {
      const { page, box, text } = layout.lines[index]!;
      return { value: text, confidence: 80, provenance: [{ page, box, text, source: 'text' as const }], flags: [] };
    };
    const fields = { merchant_name: at(0), merchant_address: at(lines.length - 1) };
    const findings = { layout, candidates: [], locale: decideLocale(layout) };
    return receiptRules.check?.(fields, [], findings as never).merchant_address?.value;
  };
  const street = '8 place du Marche 35400 SAINT-MALO';
  assert.equal(addressBelow('PHARMACIE DU LAVOIR', 'Dr Helene Castagnier', street), street);
  assert.equal(addressBelow('HOTEL DU LAVOIR', 'Facture', 'Mme Helene Castagnier', street), undefined);
});

test('of the addresses of a chain’s seat and of its shop the shop’s stands at its caption', () => {
  assert.equal(
    headedAddress(
      'LIVIA ROSSETTI',
      'SEDE LEGALE: VIA EMILIA EST 1180',
      '41122 MODENA (MO)',
      'P.NTO VENDITA: CORSO BUENOS AIRES 36',
      '20124 MILANO',
    ),
    'CORSO BUENOS AIRES 36, 20124 MILANO',
  );
});

test('the day of a hotel’s bill is none of those on which it charged something, nor that of the arrival', () => {
  const night = (day: string): PrintedRow => [
    [40, day],
    [150, 'Room Charge'],
    [300, '189.00'],
  ];
  const fields = extracted(
    [[40, 'Example Inn & Suites']],
    [
      [40, 'Arrival Date'],
      [200, '09/23/25'],
    ],
    [
      [40, 'Departure Date'],
      [200, '09/26/25'],
    ],
    [
      [40, 'Date'],
      [150, 'Description'],
      [300, 'Charges'],
    ],
    night('09-23-25'),
    night('09-24-25'),
    night('09-25-25'),
    [
      [40, 'Total'],
      [300, '567.00'],
    ],
  );
  assert.equal(fields.transaction_date?.value, '2025-09-26');
});

test('a car park’s receipt is of the time at which it was paid', () => {
  const fields = extracted(
    [[40, 'Parkhaus Beispiel']],
    [
      [40, 'Einfahrt'],
      [200, '07.06.2025 09:12'],
    ],
    [
      [40, 'Bezahlt'],
      [200, '07.06.2025 13:47'],
    ],
    [
      [40, 'Parkdauer'],
      [200, '04:35'],
    ],
    [
      [40, 'EUR'],
      [200, '21,00'],
    ],
  );
  assert.equal(fields.transaction_time?.value, '13:47');
});

test('what is charged is no change', () => {
  const fields = extracted(
    [[40, 'Example Pharmacy']],
    [
      [40, 'SUBTOTAL'],
      [200, '37.05'],
    ],
    [
      [40, 'TAX'],
      [200, '3.17'],
    ],
    [
      [40, 'TOTAL'],
      [200, '40.22'],
    ],
    [
      [40, 'CHARGE'],
      [200, '40.22'],
    ],
    [[40, 'DISCOVER *************2094']],
  );
  assert.equal(fields.change_amount, undefined);
});

test('an address in one line at the head or the foot is the merchant’s, without a name before it', () => {
  const addressOf = (head: readonly string[], foot: readonly string[]) =>
    extracted(
      ...head.map((text): PrintedRow => [[40, text]]),
      [
        [40, 'Day Return'],
        [200, '12.45'],
      ],
      [
        [40, 'Total'],
        [200, '12.45'],
      ],
      ...foot.map((text): PrintedRow => [[40, text]]),
    ).merchant_address?.value;
  assert.equal(addressOf(['Tilbrook', '33 Holborn, London EC1N 2HT'], []), '33 Holborn, London EC1N 2HT');
  assert.equal(
    addressOf(['Exampleline'], ['Exampleline AöR, Depotstraße 12, 39104 Kahlstadt']),
    'Depotstraße 12, 39104 Kahlstadt',
  );
  assert.equal(
    addressOf(['Pomelo'], ['4400 Orchard Loop, Sunnyvale, CA 94089']),
    '4400 Orchard Loop, Sunnyvale, CA 94089',
  );
  assert.equal(addressOf(['Exampleline'], ['Inns Ltd, Reg. Office: 1 Mill Street, Ripon HG4 1QT']), undefined);
});

test('a merchant whose name looks like a street is no part of its address', () => {
  const fields = extracted(
    [[40, 'Rosie’s Route 9 Diner']],
    [[40, '2207 US-9, Fishkill, NY 12524']],
    [[40, '(845) 555-0162']],
    [[40, 'Order #: 118']],
    [
      [40, 'Total'],
      [200, '35.90'],
    ],
  );
  assert.equal(fields.merchant_address?.value, '2207 US-9, Fishkill, NY 12524');
});

test('a ticket was bought at none of the times between which it is good', () => {
  const fields = extracted(
    [[40, 'Stadtverkehr Beispiel']],
    [[40, 'Gültig ab 04.05.2025 08:17 Uhr bis 04.05.2025 10:17 Uhr']],
    [
      [40, 'Preis'],
      [200, '3,80 €'],
    ],
    [
      [40, 'Gekauft am'],
      [200, '04.05.2025 08:15'],
    ],
  );
  assert.equal(fields.transaction_time?.value, '08:15');
});

test('the address below the shop’s name further down comes before one at the foot', () => {
  const fields = extracted(
    [[40, 'Sable Ceramics']],
    [[40, '$74.52']],
    [
      [40, 'Total'],
      [200, '$74.52'],
    ],
    [],
    [],
    [[40, 'Sable Ceramics']],
    [[40, '418 S Hawthorne Blvd']],
    [[40, 'Asheville, NC 28801']],
    [[40, 'Amex 1004 (Chip)']],
    [[40, 'Receipt preferences']],
    [[40, '1955 Broadway, Suite 600, Oakland, CA 94612']],
  );
  assert.equal(fields.merchant_address?.value, '418 S Hawthorne Blvd, Asheville, NC 28801');
  assert.equal(fields.card_last4?.value, '1004');
});

test('neither what a shop’s customers saved is its total, nor what was paid its change', () => {
  const fields = extracted(
    [[40, 'Cardinal Market']],
    [
      [40, 'COFFEE BEANS'],
      [200, '18.99'],
    ],
    [
      [40, 'WHOLE MILK'],
      [200, '8.56'],
    ],
    [
      [40, 'TAX'],
      [200, '2.57'],
    ],
    [
      [40, '**** BALANCE'],
      [200, '30.12'],
    ],
    [
      [40, 'DEBIT'],
      [200, '30.12'],
    ],
    [
      [40, 'CHANGE'],
      [200, '0.00'],
    ],
    [
      [40, 'TOTAL SAVINGS (9 pct.) $'],
      [200, '3.00'],
    ],
  );
  assert.equal(fields.total_amount?.value, 30.12);
  assert.equal(fields.change_amount?.value, 0);
});

test('a street with its place below it is the merchant’s below a slogan and a manager’s name', () => {
  const fields = extracted(
    [[40, 'VALUMART']],
    [[40, 'Save money. Live brighter.']],
    [[40, '479-555-0188 Mgr. LORETTA']],
    [[40, '1800 S 14TH ST']],
    [[40, 'ROGERS AR 72758']],
    [[40, 'ST# 00054 OP# 009044 TE# 44 TR# 01301']],
    [
      [40, 'TOTAL'],
      [200, '41.31'],
    ],
    [[40, 'MASTERCARD- 6614 I 1 APPR#018827']],
  );
  assert.equal(fields.merchant_address?.value, '1800 S 14TH ST, ROGERS AR 72758');
  assert.equal(fields.receipt_number?.value, '01301');
  assert.equal(fields.card_last4?.value, '6614');
  assert.equal(fields.payment_method?.value, 'MASTERCARD');
});

test('what a hotel’s charges add up to is its total, and no charge', () => {
  const night = (day: string, text: string, amount: string): PrintedRow => [
    [40, day],
    [150, text],
    [400, amount],
  ];
  const fields = extracted(
    [[40, 'The Larkmont']],
    [[40, 'Room Type: KSTE']],
    [
      [40, 'Date'],
      [150, 'Description'],
      [400, 'Charges'],
      [500, 'Credits'],
    ],
    night('14Oct25', 'Room Charge', '219.00'),
    night('14Oct25', 'Minibar', '12.10'),
    night('15Oct25', 'Room Charge', '219.00'),
    [
      [40, '16Oct25'],
      [150, 'American Express'],
      [500, '450.10'],
    ],
  );
  assert.equal(fields.total_amount?.value, 450.1);
  assert.equal(fields.payment_method?.value, 'American Express');
});

test('the time at which a car left is beside its day, and that at which it came is not the payment’s', () => {
  const stamp = (label: string, time: string): PrintedRow => [
    [40, label],
    [150, '11/05/2025'],
    [250, time],
  ];
  const fields = extracted(
    [[40, 'PARCHEGGIO STAZIONE']],
    stamp('INGRESSO', '09:08'),
    stamp('USCITA', '12:51'),
    [
      [40, 'IMPORTO'],
      [200, 'EUR 8,00'],
    ],
    [[40, 'PAGATO CON BANCOMAT']],
  );
  assert.equal(fields.transaction_time?.value, '12:51');
  assert.equal(fields.payment_method?.value, 'BANCOMAT');
});

function headedAddress(...head: readonly string[]): unknown {
  const total: PrintedRow = [
    [40, 'Total'],
    [200, '12.45'],
  ];
  const layout = layOut(typeset([...head.map((text): PrintedRow => [[40, text]]), total]));
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  return composeReceipt(findings).merchant_address?.value;
}

test('a number with street, town and postal code in one line without a comma is an address', () => {
  assert.equal(
    headedAddress('TIMBER BARN', '2810 S HARVARD AVE TULSA OK 74114', 'STORE MGR JO 918-555-0146'),
    '2810 S HARVARD AVE TULSA OK 74114',
  );
  assert.equal(
    headedAddress('coals', 'Store: 0788 Newtown', '323 King St Newtown NSW 2042'),
    '323 King St Newtown NSW 2042',
  );
  assert.equal(headedAddress('Wessex Foods', '12 Fore Street Bodmin PL31 2HQ'), '12 Fore Street Bodmin PL31 2HQ');
});

test('an address with a letter that was hardly read is left out', () => {
  const addressOf = (leastConfidence: number) => {
    const document = typeset([[[40, 'HOLLER']], [[40, 'Meidlinger Weg 58, 1120 Wien']], [[40, 'Total 12.45']]]);
    const pages = document.pages.map((page) => ({
      ...page,
      words: page.words.map((word) => (word.text === 'Meidlinger' ? { ...word, leastConfidence } : word)),
    }));
    const layout = layOut({ ...document, pages });
    const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
    return composeReceipt(findings).merchant_address?.value;
  };
  assert.equal(addressOf(0.8), 'Meidlinger Weg 58, 1120 Wien');
  assert.equal(addressOf(0.2), undefined);
});

test('neither a branch’s number is a street nor a shop’s number with its house’s an amount', () => {
  assert.equal(
    headedAddress('HOLLER', 'Lebensmittel Filiale 3127', 'Meidlinger Weg 58, 1120 Wien'),
    'Meidlinger Weg 58, 1120 Wien',
  );
  assert.equal(
    headedAddress('little example', 'Shop 3,88 Smith St,Collingwood VIC 3066'),
    'Shop 3,88 Smith St,Collingwood VIC 3066',
  );
});

test('a number may be parted from its street, a technical director named above, and a table is no street', () => {
  assert.equal(
    headedAddress('LE PETIT EXEMPLE', '11, rue Saint-Exemple - 75006 Paris', '', 'Table 6', 'Note n° 20417'),
    '11, rue Saint-Exemple - 75006 Paris',
  );
  assert.equal(headedAddress('BAR ESEMPIO', 'P.zza del Duomo, 8 - 43121 Parma'), 'P.zza del Duomo, 8 - 43121 Parma');
  assert.equal(
    headedAddress('FARMÁCIA EXEMPLO', 'Dir. Técnica: Dra. Inês Exemplo', 'Av. da República, 112 A', '1050-191 LISBOA'),
    'Av. da República, 112 A, 1050-191 LISBOA',
  );
});

test('a receipt with several times was paid at the one on the row that says so', () => {
  const rows = ['F. Entrada: 05/09/2025 10:12', 'F. Salida: 05/09/2025 13:50', 'Fecha pago: 05/09/2025 13:46'];
  const layout = layOut(typeset(rows.map((text): PrintedRow => [[40, text]])));
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  assert.equal(composeReceipt(findings).transaction_time?.value, '13:46');
});

test('an address may break within its place', () => {
  assert.equal(
    headedAddress('CITYPARK PLC', 'Glasshouse Street, Nottingham NG1', '3LP'),
    'Glasshouse Street, Nottingham NG1 3LP',
  );
  assert.equal(
    headedAddress('CHEVAL', 'PACIFIC STATION 0211', '2890 EL CAMINO REAL', 'SANTA CLARA CA', '95051'),
    '2890 EL CAMINO REAL, SANTA CLARA CA 95051',
  );
});

test('the address of a shop may stand at its caption, and a hotel’s beside its guest’s', () => {
  assert.equal(
    headedAddress('Pão Exemplo - Distribuição, SA', 'Loja: Telheiras', 'Rua Nova, 3', '1600-634 Lisboa'),
    'Rua Nova, 3, 1600-634 Lisboa',
  );
  assert.equal(
    headedAddress(
      'The Larkmont',
      '60 School St, Boston MA 02108',
      'Room: 0914',
      'Caroline Whitfield',
      '88 Harbor View Rd',
      'Portland ME 04101',
    ),
    '60 School St, Boston MA 02108',
  );
});

test('a brand that was joined with the company below it is the merchant alone, but in Malaysia', () => {
  const merchantOf = (country: string, ...lines: readonly string[]) => {
    const layout = layOut(typeset(lines.map((text): PrintedRow => [[40, text]])));
    const provenance = lines.map((text) => ({ page: 1, box: layout.lines[0]!.box, text, source: 'text' as const }));
    const fields = { merchant_name: { value: lines.join(' '), confidence: 80, provenance, flags: [] } };
    const findings = { layout, candidates: [], locale: { ...decideLocale(layout), country } };
    return receiptRules.check?.(fields, [], findings as never).merchant_name?.value;
  };
  assert.equal(merchantOf('SG', 'TOAST & KOPI HOUSE', 'TKH F&B PTE LTD'), 'TOAST & KOPI HOUSE');
  assert.equal(merchantOf('FR', 'AU FOURNIL DE LEA', 'SARL FOURNIL LEA'), 'AU FOURNIL DE LEA');
  assert.equal(
    merchantOf('MY', 'BECON STATIONER', 'BECON ENTERPRISE SDN BHD'),
    'BECON STATIONER BECON ENTERPRISE SDN BHD',
  );
  assert.equal(
    merchantOf('PT', 'ESTRELA MAR', 'HIPERMERCADOS', 'Estrela Mar - Distribuição, S.A.'),
    'ESTRELA MAR HIPERMERCADOS',
  );
  assert.equal(merchantOf('GB', 'POPULAR BOOK', 'CO. LTD'), 'POPULAR BOOK CO. LTD');
  assert.equal(merchantOf('US', 'Pomelo', 'ACCOUNT'), 'Pomelo');
});

test('what a shop does, in smaller letters below its name, is no part of that', () => {
  const merchantOf = (height: number) => {
    const box = { x0: 0, y0: 0, x1: 90, y1: 10 };
    const provenance = [
      { page: 1, box: { ...box, y1: height }, text: 'D. PRITCHARD & SON', source: 'text' as const },
      { page: 1, box, text: 'CHIMNEY SWEEPS & STOVES', source: 'text' as const },
    ];
    const value = provenance.map(({ text }) => text).join(' ');
    const layout = layOut(typeset([]));
    const findings = { layout, candidates: [], locale: decideLocale(layout) };
    const fields = { merchant_name: { value, confidence: 80, provenance, flags: [] } };
    return receiptRules.check?.(fields, [], findings as never).merchant_name?.value;
  };
  assert.equal(merchantOf(16), 'D. PRITCHARD & SON');
  assert.equal(merchantOf(11), 'D. PRITCHARD & SON CHIMNEY SWEEPS & STOVES');
});

test('the town in which a chain’s shop is, below its name, is no part of that', () => {
  const provenance = ['UNITED PARCEL & POST', 'GREENWOOD'].map((text) => ({
    page: 1,
    box: { x0: 0, y0: 0, x1: 90, y1: 10 },
    text,
    source: 'text' as const,
  }));
  const nameAt = (address: string) => {
    const given = (value: string) => ({ value, confidence: 80, provenance, flags: [] });
    const layout = layOut(typeset([]));
    const fields = { merchant_name: given('UNITED PARCEL & POST GREENWOOD'), merchant_address: given(address) };
    const findings = { layout, candidates: [], locale: decideLocale(layout) };
    return receiptRules.check?.(fields, [], findings as never).merchant_name?.value;
  };
  assert.equal(nameAt('215 W WASHINGTON ST, GREENWOOD, IN 46143'), 'UNITED PARCEL & POST');
  assert.equal(nameAt('215 W GREENWOOD ST, MARION, IN 46143'), 'UNITED PARCEL & POST GREENWOOD');
});

test('a street above its town and the shop’s telephone is an address', () => {
  assert.equal(
    headedAddress('ARGOSY COFFEE', '4156 Elm & 5th St', 'Greenville, (864) 555-0139'),
    '4156 Elm & 5th St, Greenville',
  );
});

test('words that are no way to pay are not how a receipt was paid', () => {
  const methodOf = (value: string, ...rows: PrintedRow[]) => {
    const layout = layOut(typeset(rows));
    const fields = { payment_method: { value, confidence: 89, provenance: [], flags: [] } };
    const findings = { layout, candidates: [], locale: decideLocale(layout) };
    return receiptRules.check?.(fields, [], findings as never).payment_method?.value;
  };
  const paid: PrintedRow = [
    [40, 'Paid Apple Pay'],
    [200, '33.61'],
  ];
  assert.equal(methodOf('Doom Bar', paid), 'Apple Pay');
  assert.equal(methodOf('Doom Bar'), undefined);
  assert.equal(methodOf('Example Card', paid), 'Example Card');
});

test('a shop is named without the sign of its number', () => {
  const fields = extracted(
    [[40, 'EXAMPLE COFFEE Store #11956']],
    [[40, '4156 Elm St']],
    [[40, 'Greenville, SC 29601']],
    [[40, '12/07/2024 06:43 PM']],
    [
      [40, 'Total'],
      [200, '$18.90'],
    ],
  );
  assert.equal(fields.merchant_name?.value, 'EXAMPLE COFFEE');
});

test('a shop’s address and telephone stand below the sums where its name stands there again', () => {
  const fields = extracted(
    [[200, 'Fern & Example Coffee']],
    [[200, 'How was your experience?']],
    null,
    [
      [40, 'Morning Bun'],
      [300, '$3.75'],
    ],
    [
      [40, 'Total'],
      [300, '$3.75'],
    ],
    null,
    [[40, 'Fern & Example Coffee']],
    [[40, '417 Pearl St']],
    [[40, 'Boulder, CO 80302']],
    [[40, '303-555-0119']],
    null,
    [[200, '1455 Sample Street, Suite 600, San Francisco, CA 94103']],
  );
  assert.equal(fields.merchant_address?.value, '417 Pearl St, Boulder, CO 80302');
  assert.equal(fields.merchant_phone?.value, '303-555-0119');
});

test('a street with its town, and no postal code, is an address above the telephone', () => {
  const fields = extracted(
    [[40, 'Taberna Ejemplo SL']],
    [[40, 'CIF: B47118822']],
    [[40, 'C/ Platerías, 9 - Valladolid']],
    [[40, 'Tlf: 983 550 117']],
    [[40, 'Fecha: 23/11/2024']],
    [
      [40, 'TOTAL'],
      [200, '44,50 €'],
    ],
  );
  assert.equal(fields.merchant_address?.value, 'C/ Platerías, 9 - Valladolid');
});

test('a receipt’s telephone stands at its foot for questions, and it is of the day of the order', () => {
  const fields = extracted(
    [[40, 'Example Garage']],
    [[40, 'Order Placed: March 4, 2025']],
    [[40, 'Shipped on March 5, 2025']],
    [
      [40, 'Total Paid'],
      [200, '$18.00'],
    ],
    [[40, 'Questions? 978-555-0188']],
  );
  assert.equal(fields.merchant_phone?.value, '978-555-0188');
  assert.equal(fields.transaction_date?.value, '2025-03-04');
});

test('a merchant is the company below what kind of shop it is, and is named once below its logo', () => {
  const nameOf = (...heads: string[]) =>
    extracted(
      ...heads.map((text): PrintedRow => [[40, text]]),
      [[40, 'FECHA: 13/04/2024 HORA: 11:27']],
      [
        [40, 'TOTAL'],
        [200, '64,07'],
      ],
    ).merchant_name?.value;
  assert.equal(
    nameOf('ESTACION DE SERVICIO', 'LA EJEMPLAR S.L.', 'Ctra. N-232 KM 128', '44600 ALCANIZ'),
    'LA EJEMPLAR S.L.',
  );
  const place = (text: string) => ({ page: 1, box: { x0: 0, y0: 0, x1: 9, y1: 9 }, text, source: 'text' as const });
  const name = {
    value: 'SAMPLO Samplo Express',
    confidence: 70,
    flags: [],
    provenance: ['SAMPLO', 'Samplo Express'].map(place),
  };
  const layout = layOut(typeset([[[40, 'x']]]));
  const findings = { type: documentTypeOf('receipt'), layout, locale: decideLocale(layout), candidates: [] };
  const { merchant_name: once } = receiptRules.check!({ merchant_name: name }, [], findings as never);
  assert.equal(once?.value, 'Samplo Express');
});

test('a receipt’s number has its sign before a colon, and is neither an article’s nor that of Quebec’s tax', () => {
  const numberOf = (...rows: PrintedRow[]) =>
    extracted([[40, 'EXAMPLE HARDWARE']], ...rows, [[40, 'PAINT WHITE 10L 89.90']], [[40, 'Total 89.90']])
      .receipt_number?.value;
  assert.equal(numberOf([[40, 'Sale #: 00441882 Reg 07']], [[40, '9312345044182']]), '00441882');
  assert.equal(numberOf([[40, 'TVQ 1204418827TQ0001']], [[40, 'Fact #: 441882']]), '441882');
});
