import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType, Word } from '@millrace/document-model';
import { hasPlace, isAddressLike, isStreetLine } from '../candidates/address-lines.ts';
import { isFormPhrase, isHeading, isSentence } from '../candidates/headings.ts';
import { withoutCountryCode } from '../candidates/parties.ts';
import { composedValue } from '../compose/value.ts';
import { extractFromWords } from '../extract.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { composeTaxParties } from '../types/tax-form/parties.ts';
import { isBranch, partyBlocksOf } from './blocks.ts';
import { letterheadName, nameBehindLogo, onlyCompany, returnAddress } from './letterhead.ts';
import { deliveryAddressInLine, deliveryAddressOf, partyValuesOf, withAddressesOfNames } from './parties.ts';

const layoutOf = (...rows: PrintedRow[]) => layOut(typeset(rows));

function parties(type: DocType, ...rows: PrintedRow[]): Readonly<Record<string, unknown>> {
  const values = partyValuesOf(documentTypeOf(type), layoutOf(...rows));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, { value }]) => (value ? [[name, value.value]] : [])),
  );
}

test('towns are known by the form of their postal codes, streets by their numbers', () => {
  for (const text of [
    'Denver, CO 80202',
    'ROHANPORT,IL 7 1453-2806',
    'Washington 74078',
    '80331 München',
    'DE-80331 München',
    '1012 JS Amsterdam',
    'London EC2V 7NQ',
    'EH6 6QQ Edinburgh',
    '4700-320 Braga',
    '884 LUCRETIA SPRINGS, ROHANPORT, IL 71453',
    'Exampleburgh, PA, 15203, US',
    'Sampleton, FL 34231 US',
    'BA2 3NT, United Kingdom',
    '18005 Granada',
    'Sevilla (41010), Sevilla, España',
    'Dubai, U.A.E',
    'Doha, Qatar',
    'Sampleton,British Columbia VOH 1NO',
  ]) {
    assert.ok(hasPlace(text), text);
  }
  assert.ok(hasPlace('Rochdale 0L16 3QT'), 'as OCR reads OL16');
  assert.ok(hasPlace('Ahmedabad-382445'), 'whose blanks OCR lost');
  assert.ok(hasPlace('21255Tostedt'), 'whose blank OCR lost');
  for (const text of [
    'BP 40118',
    'Postfach 110420',
    'Total 1,234.50',
    'Invoice number 80331',
    'Period 01/02/2024',
    'Statement of account',
  ]) {
    assert.ok(!hasPlace(text), text);
  }
  for (const text of [
    '12 High Street',
    'Hauptstraße 12 a',
    'P.O. Box 1701',
    'Suite 930 4505 Hayden Stream',
    'Unit II, Mill Estate',
    'Eksempelgade 14, 2. tv',
    'PMB 71402',
    'Finca La Vega s/n',
    'Lugar de Vila Pouca',
    'Ctra. de Laguardia, km 12',
    'Shed 3,Example Estate',
    'S.No.47/2,Gala No.9,Example MIDC',
    'RN 20',
    'EN 14, Km 12,3',
    'BP 40118',
    'Route de Bordeaux - Lieu-dit Les Exemples',
  ]) {
    assert.ok(isStreetLine(text), text);
  }
  for (const text of ['Your new balance as of 06/17/2020', 'Checks 12.50', 'Jane Doe'])
    assert.ok(!isStreetLine(text), text);
  assert.ok(isAddressLike('123 Any St., Some City, WA 98101'));
  assert.ok(!isAddressLike('Dados Documento, Data da Emissão'));
});

test('a quarter of Malaysia may stand before the postal code, and a lot is no country', () => {
  const [setia] = partyBlocksOf(
    layoutOf(
      [[40, 'EXAMPLE HARDWARE SDN BHD']],
      [[40, 'NO. 17-G, JALAN SETIA CONTOH']],
      [[40, '(X) U13/X, SETIA ALAM,']],
      [[40, 'SEKSYEN U13, 40170 SHAH ALAM']],
    ),
  );
  assert.equal(setia?.address, 'NO. 17-G, JALAN SETIA CONTOH, (X) U13/X, SETIA ALAM, SEKSYEN U13, 40170 SHAH ALAM');
  const [lot] = partyBlocksOf(
    layoutOf(
      [[40, 'THE EXAMPLE STORE SDN BHD']],
      [[40, 'LOT 34817 JALAN BATU CONTOH']],
      [[40, 'TAMAN KOK LIAN']],
      [[40, '51200 KUALA LUMPUR']],
    ),
  );
  assert.equal(lot?.address, 'LOT 34817 JALAN BATU CONTOH, TAMAN KOK LIAN, 51200 KUALA LUMPUR');
  assert.ok(hasPlace('Utama,47400 PJ, Selangor.'));
  assert.ok(!hasPlace('Example GmbH, 47400 Total'));
});

test('a company’s own address above its shop’s is no part of it, and no shop’s number', () => {
  const blockOf = (...lines: readonly string[]) =>
    partyBlocksOf(layoutOf(...lines.map((text): PrintedRow => [[40, text]]))).map(({ address }) => address);
  assert.deepEqual(
    blockOf(
      'THE ROYAL OAK',
      'Reardon Way, Watford WD24 4QL',
      '82-84 High Street Lincoln LN5 7QW',
      'Tel: 01522 555 017',
    ),
    ['82-84 High Street Lincoln LN5 7QW'],
  );
  assert.deepEqual(blockOf('Walgrove', '#04417 2211 W DIVERSEY AVE', 'CHICAGO, IL 60647'), [
    '2211 W DIVERSEY AVE, CHICAGO, IL 60647',
  ]);
});

test('captions, headings and requests to the reader are nobody’s name', () => {
  for (const text of [
    'ACCOUNT NUMBER',
    'Bank Statement',
    'Packing list',
    'Your Details',
    'Branch details',
    'TAXI-QUITTUNG',
  ]) {
    assert.ok(isHeading(text), text);
  }
  for (const text of ['InvoiceNo.', 'Billto', 'Buyer (Billto)']) assert.ok(isHeading(text), text);
  for (const text of ['Test Company', 'Jane Doe', 'Bank of Example', 'Royal Bank']) assert.ok(!isHeading(text), text);
  assert.ok(isSentence('To pay by card please call us'));
  assert.ok(!isSentence('Pleasence & Sons'));
});

test('who has a middle initial is a party, and a sentence is none', () => {
  const address = [[[40, '77 OLD MILL CROSSING']], [[40, 'LITITZ PA 17543-8822']]] as const;
  const namesBelow = (text: string) => partyBlocksOf(layoutOf([[40, text]], ...address)).map(({ name }) => name);
  assert.deepEqual(namesBelow('BARNABY T. KOSTOPOULOS'), ['BARNABY T. KOSTOPOULOS']);
  assert.deepEqual(namesBelow('J. R. Rivers & Sons'), ['J. R. Rivers & Sons']);
  assert.deepEqual(namesBelow('Rivers Panels Pvt. Ltd.'), ['Rivers Panels Pvt. Ltd.']);
  assert.deepEqual(namesBelow('We are moving. New office'), []);
});

test('the slip of a bill has its customer, whose address in the letter is that of the service', () => {
  const empty = Array.from({ length: 36 }, () => null);
  const values = parties(
    'utility_bill',
    [[40, 'Three Rivers Electric Inc.']],
    null,
    [[40, 'JANICE M. ROTHENBERG']],
    null,
    [[40, 'Service Address']],
    [[40, '2205 CATALPA LN']],
    [[40, 'EVANSVILLE IN 47714']],
    ...empty,
    [[40, 'JANICE M. ROTHENBERG']],
    [[40, 'PO BOX 3317']],
    [[40, 'EVANSVILLE IN 47732-3317']],
    null,
    [[340, 'THREE RIVERS ELECTRIC INC.']],
    [[340, 'PO BOX 650511']],
    [[340, 'CINCINNATI OH 45264-0511']],
  );
  assert.equal(values.customer_name, 'JANICE M. ROTHENBERG');
});

test('a party is a name with its address below it', () => {
  const [block, ...others] = partyBlocksOf(
    layoutOf(
      [[40, 'Bill To:']],
      [[40, 'Martha Rivera']],
      [[40, '935 Ernesto Mills, West Kallie']],
      [[40, 'Washington 74078']],
    ),
  );
  assert.equal(others.length, 0);
  assert.equal(block?.caption, 'Bill To:');
  assert.equal(block?.name, 'Martha Rivera');
  assert.equal(block?.address, '935 Ernesto Mills, West Kallie, Washington 74078');
});

test('who a letter is sent to stands in the window of its envelope, without a caption', () => {
  const fields = parties(
    'bank_statement',
    [[400, 'Example Holdings LLC']],
    null,
    [[40, '999-99-99-99 16769 3 C 001 11']],
    [[40, 'MARY MAJOR']],
    [[40, '884 Lucretia Springs, Rohanport, IL 71453']],
    null,
    [[40, 'Your consolidated statement']],
    null,
    [[40, 'Example Holdings LLC is a member of the deposit insurance']],
  );
  assert.deepEqual(fields, { account_holder: 'MARY MAJOR', bank_name: 'Example Holdings LLC' });
});

test('captions say whose a block is, and a name goes on with its legal form', () => {
  const fields = parties(
    'invoice',
    [[40, 'Example Manufacturing']],
    [[40, 'Inc.']],
    [[40, 'Suite 930 4505 Hayden Stream']],
    [[40, 'Lake Norah MN 78703']],
    [[40, 'Phone: (858) 555-0101']],
    null,
    null,
    [[40, 'Bill To:']],
    [[40, 'Martha Rivera']],
    [[40, '935 Ernesto Mills']],
    [[40, 'Westport, WA 74078']],
  );
  assert.deepEqual(fields, {
    vendor_name: 'Example Manufacturing Inc.',
    vendor_address: 'Suite 930 4505 Hayden Stream, Lake Norah MN 78703',
    customer_name: 'Martha Rivera',
    customer_address: '935 Ernesto Mills, Westport, WA 74078',
  });
});

test('a tax form has its parties under the captions of their boxes', () => {
  const fields = composeTaxParties(
    layoutOf(
      [[40, "PAYER'S name, street address, city or town, state, and ZIP code"]],
      [[40, 'Test Company 2']],
      [[40, 'Park Avenue Road 7']],
      [[40, 'Jersey City NJ 07343']],
      null,
      [
        [40, "PAYER'S TIN"],
        [250, "RECIPIENT'S TIN"],
      ],
      [
        [40, '12-457445'],
        [250, '34-567-6923'],
      ],
      null,
      [[40, "RECIPIENT'S name"]],
      [[40, 'Supplier Box']],
      null,
      [[40, 'Street address (including apt. no.)']],
      [[40, 'Ring Road 1414']],
      null,
      [[40, 'City or town, state or province, country, and ZIP code']],
      [[40, 'Denver, CO 80123']],
    ),
  );
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value?.value]));
  assert.deepEqual(values, {
    payer_name: 'Test Company 2',
    payer_tax_id: '12-457445',
    recipient_tax_id: '34-567-6923',
    recipient_name: 'Supplier Box',
    recipient_address: 'Ring Road 1414, Denver, CO 80123',
  });
});

test('words that caption or head a page are nobody’s name, known ones or not', () => {
  for (const text of ['Process date', 'Specimen Details', 'ENERGY STATEMENT', 'INFORMATION', 'the', 'Your Home Bank'])
    assert.ok(isFormPhrase(text), text);
  for (const text of ['Jane Doe', 'Northgate Energy', 'Los Olivos Dental', 'Statement Films Inc.', 'Le Monde'])
    assert.ok(!isFormPhrase(text), text);
});

test('what stands above a window by chance is no caption of it', () => {
  const fields = parties(
    'payslip',
    [[40, 'Example Bakery Inc']],
    [[40, '15 Mill Lane']],
    [[40, 'Tacoma, WA 98421']],
    [
      [40, 'Federal: 3'],
      [300, 'Pay Date:'],
    ],
    [[300, 'Jordan Avery']],
    [[300, '101 Main Street']],
    [[300, 'Anytown, USA 12345']],
  );
  assert.equal(fields.employee_name, 'Jordan Avery');
});

test('a name stands between a line of numbers and its address', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Northgate']],
      [[40, 'Specimen ID: 158-800-4321-0']],
      [[40, 'Mary Major']],
      [[40, '44 Birch Road']],
      [[40, 'Albany NY 12203']],
    ),
  );
  assert.equal(block?.name, 'Mary Major');
  assert.equal(block?.hasDetails, false);
});

test('a British address has its town and postal code on lines of their own', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Mary Major']], [[40, '14 Wharf Close']], [[40, 'Bristol']], [[40, 'BS1 6JR']]),
  );
  assert.equal(block?.name, 'Mary Major');
  assert.equal(block?.address, '14 Wharf Close, Bristol, BS1 6JR');
});

test('the company is the party, and who is to get its letter is not', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Granger Mills Ltd']],
      [[40, 'Attention: Mary Major']],
      [[40, 'PO Box 77']],
      [[40, 'Denver CO 80202']],
    ),
  );
  assert.equal(block?.name, 'Granger Mills Ltd');
});

test('who writes stands above whom it is written to', () => {
  const fields = parties(
    'invoice',
    [[40, 'Jordan Avery']],
    [[40, 'Photography']],
    [[40, 'Gartenstraße 5']],
    [[40, '04109 Leipzig']],
    null,
    null,
    [[40, 'Example Verlag KG']],
    [[40, 'Buchgasse 22']],
    [[40, '04103 Leipzig']],
  );
  assert.equal(fields.vendor_name, 'Jordan Avery');
  assert.equal(fields.customer_name, 'Example Verlag KG');
});

test('a person below a letterhead or a form of address is whom the letter is sent to', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Northgate Bank']],
      [[40, 'We understand your world']],
      [[40, 'Ms Mary Major']],
      [[40, '7 Rose Gardens']],
      [[40, 'Denver, CO 80202']],
    ),
  );
  assert.equal(block?.name, 'Ms Mary Major');
  const [german] = partyBlocksOf(
    layoutOf([[40, 'Frau']], [[40, 'Mary Major']], [[40, 'Ahornweg 3']], [[40, '30655 Hannover']]),
  );
  assert.equal(german?.name, 'Mary Major');
});

test('a month is no street and a number of staff no place', () => {
  assert.ok(!isStreetLine('für Mai 2022'));
  assert.ok(!hasPlace('Personal-Nr. 00017'));
  assert.ok(isStreetLine('6TH BLOCK RIVERSIDE'));
  assert.ok(isStreetLine('Cnr Princes Hwy & Settlement Rd'));
});

test('a request for a tax number has its name under what is shown on a tax return', () => {
  const fields = composeTaxParties(
    layoutOf(
      [
        [40, 'Request for Taxpayer'],
        [400, 'Give Form to the'],
      ],
      [[40, '1 Name (as shown on your income tax return). Name is required on this line.']],
      [[40, 'Mary Major']],
      null,
      [[40, '5 Address (number, street, and apt. or suite no.) See instructions.']],
      [[40, '12 Harbor Way']],
      [[40, '6 City, state, and ZIP code']],
      [[40, 'Portland, ME 04101']],
    ),
  );
  assert.equal(fields.recipient_name?.value, 'Mary Major');
  assert.equal(fields.recipient_address?.value, '12 Harbor Way, Portland, ME 04101');
});

test('a title that begins with its noun is nobody’s name, nor is a slogan', () => {
  for (const text of ['Relevé de comptes', 'RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS'])
    assert.ok(isFormPhrase(text), text);
  for (const text of ["Springfield's Most Convenient Bank", 'An Example Company', 'Insert name and address'])
    assert.ok(isSentence(text), text);
});

test('beside its provider’s name a person is the customer', () => {
  const fields = parties(
    'utility_bill',
    [
      [40, 'Luz del Ejemplo, S.A.'],
      [300, 'MARIA MOLINA PRADO'],
    ],
    [
      [40, 'Atención al cliente'],
      [300, 'AVENIDA DE LA PAZ 3'],
    ],
    [[300, '28012 MADRID']],
  );
  assert.equal(fields.provider_name, 'Luz del Ejemplo, S.A.');
  assert.equal(fields.customer_name, 'MARIA MOLINA PRADO');
});

test('a sender stands in one line above the window of an envelope', () => {
  const fields = parties(
    'payslip',
    [[40, '*Brauhaus Beispiel GmbH * Am Markt 3 * 38154 Königslutter*']],
    null,
    [[40, 'Herrn']],
    [[40, 'Tobias Muster']],
    [[40, 'Feldstraße 18']],
    [[40, '38104 Braunschweig']],
  );
  assert.equal(fields.employer_name, 'Brauhaus Beispiel GmbH');
  assert.equal(fields.employer_address, 'Am Markt 3, 38154 Königslutter');
  assert.equal(fields.employee_name, 'Tobias Muster');
});

test('a form of address left of a block says nothing of whose it is', () => {
  const fields = parties(
    'bank_statement',
    [
      [40, 'Frau'],
      [380, 'Beispiel Kreditbank AG'],
    ],
    [
      [40, 'Mary Major'],
      [380, 'Taubenstraße 7'],
    ],
    [
      [40, 'Amselstieg 12'],
      [380, '10117 Berlin'],
    ],
    [
      [40, '24113 Kiel'],
      [380, 'Tel. 030 120 300 00'],
    ],
  );
  assert.equal(fields.account_holder, 'Mary Major');
  assert.equal(fields.bank_name, 'Beispiel Kreditbank AG');
});

test('what asks for a payment slip is a sentence, not a provider', () => {
  assert.ok(isSentence('RETURN THIS PORTION WITH PAYMENT'));
});

test('dates that are mailed and advices of deposits are no companies', () => {
  for (const text of ['DATE MAILED', 'Direct Deposit Advice', 'Earnings stub']) assert.ok(isFormPhrase(text), text);
});

test('a company named after a street is no street', () => {
  assert.ok(!isStreetLine('Orchard Street Partners, LLC'));
  assert.ok(isStreetLine('Orchard Street'));
});

test('below the title of a delivery note a party needs no caption', () => {
  const fields = parties(
    'invoice',
    [[40, 'Granger Mills Ltd']],
    [[40, '7 Dock Road']],
    [[40, 'Leeds LS1 4AP']],
    null,
    null,
    [[40, 'DELIVERY NOTE']],
    [[40, 'Harbour Foods Ltd']],
    [[40, '22 Quay Street']],
    [[40, 'Bristol BS1 6JR']],
  );
  assert.equal(fields.vendor_name, 'Granger Mills Ltd');
  assert.equal(fields.customer_name, 'Harbour Foods Ltd');
});

test('a company below its sender’s line is the recipient', () => {
  const fields = parties(
    'invoice',
    [[40, 'Brauhaus Beispiel GmbH · Am Markt 3 · 38154 Königslutter']],
    [[40, 'Gasthof Muster KG']],
    [[40, 'Feldstraße 18']],
    [[40, '38104 Braunschweig']],
  );
  assert.equal(fields.vendor_name, 'Brauhaus Beispiel GmbH');
  assert.equal(fields.customer_name, 'Gasthof Muster KG');
});

test('who orders sends the order, and its vendor gets it', () => {
  const found = parties(
    'purchase_order',
    [[40, 'Orchard Hill Manufacturing LLC']],
    [[40, '1200 Mill Race Road']],
    [[40, 'Goshen, IN 46526']],
    null,
    null,
    [
      [40, 'Vendor'],
      [320, 'Ship to'],
    ],
    [
      [40, 'Delta Fasteners Inc'],
      [320, 'Orchard Hill Receiving Dock'],
    ],
    [
      [40, '88 Bolt Street'],
      [320, '1200 Mill Race Road'],
    ],
    [
      [40, 'Toledo, OH 43604'],
      [320, 'Goshen, IN 46526'],
    ],
  );
  assert.equal(found.buyer_name, 'Orchard Hill Manufacturing LLC');
  assert.equal(found.supplier_name, 'Delta Fasteners Inc');
  assert.equal(found.supplier_address, '88 Bolt Street, Toledo, OH 43604');
});

test('a payslip’s employer may stand at its foot alone', () => {
  const found = parties('payslip', [[40, 'Employee No. 17']], [[40, 'Net pay 1,962.14']], null, [
    [40, 'Oakhurst Joinery Ltd'],
  ]);
  assert.equal(found.employer_name, 'Oakhurst Joinery Ltd');
});

test('a British postal code is no street', () => {
  assert.ok(!isStreetLine('PL4 7QX'));
  assert.equal(
    partyBlocksOf(layoutOf([[40, 'Mr K Bradshaw']], [[40, '3 Tamar Rise']], [[40, 'Plymouth']], [[40, 'PL4 7QX']]))[0]
      ?.address,
    '3 Tamar Rise, Plymouth, PL4 7QX',
  );
});

test('an order stands with its supplier below the word to', () => {
  const found = parties(
    'purchase_order',
    [[40, 'To:']],
    [[40, 'BrightLab Scientific Ltd']],
    [[40, '700 Research Blvd']],
    [[40, 'Madison, WI 53711']],
  );
  assert.equal(found.supplier_name, 'BrightLab Scientific Ltd');
});

test('a letterhead may have its address in one line beside its telephone', () => {
  const found = parties(
    'invoice',
    [[40, 'Alder Creek Landscaping']],
    [[40, 'PO Box 77 | Hood River, OR 97031 | (541) 555-0172 | office@aldercreek.com']],
  );
  assert.equal(found.vendor_address, 'PO Box 77, Hood River, OR 97031');
});

test('an initial in a name ends no sentence', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Marisol T. Doe']], [[40, '1907 Pine Hollow Court']], [[40, 'Denver, CO 80202']]),
  );
  assert.equal(block?.name, 'Marisol T. Doe');
});

test('an Indian address may have its state behind the postal code', () => {
  assert.ok(hasPlace('Bengaluru - 560037, Karnataka'));
  assert.ok(hasPlace('Andheri East, Mumbai 400093, Maharashtra, India'));
  assert.ok(!hasPlace('Designation Manager, Karnataka'));
});

test('the slip that goes back with a payment is addressed to who wrote the bill', () => {
  const found = parties(
    'invoice',
    [[40, 'Alder Creek Plumbing Ltd']],
    [[40, 'Tax invoice']],
    null,
    [[40, 'Mrs Jane Doe']],
    [[40, 'Flat 2']],
    [[40, '14 Foreshore Drive']],
    [[40, 'Narooma NSW 2546']],
    ...Array.from({ length: 28 }, () => null),
    [[40, 'To: Alder Creek Plumbing Ltd']],
    [[40, 'PO Box 61']],
    [[40, 'Moruya NSW 2537']],
  );
  assert.equal(found.customer_name, 'Mrs Jane Doe');
  assert.equal(found.customer_address, 'Flat 2, 14 Foreshore Drive, Narooma NSW 2546');
  assert.equal(found.vendor_address, 'PO Box 61, Moruya NSW 2537');
});

test('a French house has a name, a company may be named after a lane, and c/o is no street', () => {
  assert.ok(isStreetLine('Résidence Les Pins - Bât. C'));
  assert.ok(!isStreetLine('Dogwood Lane HOA'));
  assert.ok(!isStreetLine('c/o Example Property'));
});

test('a letterhead may have street and town in one part before its telephone', () => {
  const found = parties(
    'invoice',
    [[40, 'Kestrel Ridge Tree Care']],
    [[40, '77 Old Mill Rd, Hendersonville, NC 28739 • (828) 555-0163']],
  );
  assert.equal(found.vendor_address, '77 Old Mill Rd, Hendersonville, NC 28739');
});

test('a company below the person who is written to is the party', () => {
  const found = parties(
    'invoice',
    [[40, 'Bill to']],
    [[40, 'Dana Whitcomb']],
    [[40, 'Redfern Trucking Co.']],
    [[40, '1500 Hill Street']],
    [[40, 'Salem, OR 97301']],
  );
  assert.equal(found.customer_name, 'Redfern Trucking Co.');
  assert.equal(found.customer_address, '1500 Hill Street, Salem, OR 97301');
});

test('a building between a name and its street is a part of the address', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Orchard Events Ltd']], [[40, 'The Old Dairy']], [[40, 'Church Lane']], [[40, 'Wells BA5 2SN']]),
  );
  assert.equal(block?.name, 'Orchard Events Ltd');
  assert.equal(block?.address, 'The Old Dairy, Church Lane, Wells BA5 2SN');
});

test('a block may be aligned at its right edge, its street and town in one line', () => {
  const [block] = partyBlocksOf(
    layoutOf([[500, 'Groothandel Example B.V.', 'right']], [[500, 'Havenweg 31, 8263 BD Kampen', 'right']]),
  );
  assert.equal(block?.name, 'Groothandel Example B.V.');
  assert.equal(block?.address, 'Havenweg 31, 8263 BD Kampen');
});

/** The same page with one of its words set as large as logos are. */
function withLogo(document: ReturnType<typeof typeset>, logo: string): ReturnType<typeof typeset> {
  const pages = document.pages.map((page) => {
    const words = page.words.map((word) =>
      word.text === logo ? { ...word, box: { ...word.box, y0: word.box.y0 - 20 } } : word,
    );
    return { ...page, words, readings: [{ source: 'text' as const, words }] };
  });
  return { ...document, pages };
}

test('of two blocks side by side the one that the logo names is the sender', () => {
  const document = typeset([
    [[400, 'Orchard']],
    null,
    [
      [40, 'Brightwater Solicitors LLP'],
      [400, 'Orchard Events Ltd'],
    ],
    [
      [40, '40 High Street'],
      [400, '3 Church Lane'],
    ],
    [
      [40, 'Wells BA5 2SN'],
      [400, 'Wedmore BS28 4AB'],
    ],
  ]);
  const values = partyValuesOf(documentTypeOf('invoice'), layOut(withLogo(document, 'Orchard')));
  assert.equal(values.customer_name?.value?.value, 'Brightwater Solicitors LLP');
  assert.equal(values.vendor_address?.value?.value, '3 Church Lane, Wedmore BS28 4AB');
});

test('an address beside the logo, without a name of its own, is the sender’s', () => {
  const found = parties(
    'quote',
    [
      [40, 'Reformas'],
      [500, 'Calle San Roque 23', 'right'],
    ],
    [[500, '41008 Sevilla', 'right']],
    null,
    null,
    [[40, 'Comunidad de Propietarios']],
    [[40, 'Avda. de la Playa 118']],
    [[40, '41001 Sevilla']],
  );
  assert.equal(found.vendor_address, 'Calle San Roque 23, 41008 Sevilla');
  assert.equal(found.customer_address, 'Avda. de la Playa 118, 41001 Sevilla');
});

test('goods go to whom a delivery note is for, whoever they are sold to', () => {
  const found = parties(
    'delivery_note',
    [
      [40, 'Sold to'],
      [300, 'Ship to'],
    ],
    [
      [40, 'Osprey Marine Holdings'],
      [300, 'Osprey Boats Inc.'],
    ],
    [
      [40, 'PO Box 9004'],
      [300, '61 Marina Way'],
    ],
    [
      [40, 'Savannah, GA 31401'],
      [300, 'Beaufort, SC 29902'],
    ],
  );
  assert.equal(found.recipient_name, 'Osprey Boats Inc.');
  assert.equal(found.recipient_address, '61 Marina Way, Beaufort, SC 29902');
});

test('a logo may take two lines', () => {
  const plain = ['roofs since 1988', 'valid for thirty days', 'thank you'].map((text): PrintedRow => [[40, text]]);
  const document = typeset([[[40, 'Ridge']], null, null, [[40, 'Roofers']], null, ...plain]);
  const two = withLogo(withLogo(document, 'Ridge'), 'Roofers');
  assert.equal(letterheadName(layOut(two), new Set())?.value, 'Ridge Roofers');
});

test('what a firm does, in smaller letters below its name, is no part of it', () => {
  const rows: readonly PrintedRow[] = [
    [[40, 'TOITURES']],
    [[40, 'Couverture']],
    [[40, '17 rue du Port']],
    [[40, '42110 Civens']],
  ];
  const scaled = (share: number) => {
    const document = typeset(rows);
    const tall = (text: string, by: number) => (word: Word) =>
      word.text === text ? { ...word, box: { ...word.box, y0: word.box.y1 - by * (word.box.y1 - word.box.y0) } } : word;
    const pages = document.pages.map((page) => ({
      ...page,
      words: page.words.map(tall('TOITURES', share * 1.2)).map(tall('Couverture', 1.2)),
    }));
    return partyBlocksOf(layOut({ ...document, pages }))[0]?.name;
  };
  assert.equal(scaled(1.25), 'TOITURES');
  assert.equal(scaled(1.05), 'TOITURES Couverture');
});

test('a firm called like people in large letters stands above what it does and who owns it', () => {
  const document = typeset([
    [[40, 'Studio Lindner']],
    [[40, 'Grafik & Satz']],
    [[40, 'Wiesenweg 7']],
    [[40, '04229 Leipzig']],
  ]);
  const nameWith = (share: number) => {
    const pages = document.pages.map((page) => ({
      ...page,
      words: page.words.map((word) =>
        ['Studio', 'Lindner'].includes(word.text)
          ? { ...word, box: { ...word.box, y0: word.box.y1 - share * 10 } }
          : word,
      ),
    }));
    return partyBlocksOf(layOut({ ...document, pages }))[0]?.name;
  };
  assert.equal(nameWith(1.5), 'Studio Lindner');
});

test('terms of payment are no street, and a field by its number is one', () => {
  assert.ok(!isAddressLike('30 days end of month'));
  assert.ok(isStreetLine('14 Days Inn Road'));
  assert.ok(isStreetLine('Gat No. 227, Sample MIDC'));
  for (const road of ['FM 904 EAST', 'County Road 118', 'US 31 N']) assert.ok(isStreetLine(road), road);
  assert.ok(!isStreetLine('US 100'));
});

test('titles of specimens are nobody, and people may be called so', () => {
  for (const title of ['Understanding Your Water Bill - SAMPLE', 'Rechnung (Muster)', 'UTILITY BILL EXAMPLE'])
    assert.ok(isFormPhrase(title), title);
  for (const name of ['Jane Q Sample', 'Max Muster', 'Bill Sample']) assert.ok(!isFormPhrase(name), name);
});

test('the address that payments go to is the sender’s below its name, without the caption', () => {
  const { vendor_address, customer_address } = parties(
    'invoice',
    [
      [40, 'SAMPLE BEARING & DRIVE CO'],
      [400, 'INVOICE'],
    ],
    [[40, 'REMIT TO: PO BOX 671882']],
    [[40, 'DALLAS TX 75267-1882']],
    null,
    null,
    [[40, 'SOLD TO:']],
    [[40, 'PECAN GAP GIN COMPANY']],
    [[40, 'RT 2 BOX 118']],
    [[40, 'PECAN GAP TX 75469']],
  );
  assert.equal(vendor_address, 'PO BOX 671882, DALLAS TX 75267-1882');
  assert.equal(customer_address, 'RT 2 BOX 118, PECAN GAP TX 75469');
});

test('a department on its own line is nobody', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Accounts Payable']],
      [[40, 'Example Publishing Ltd']],
      [[40, '41 Clerkenwell Close']],
      [[40, 'London EC1R 0AU']],
    ),
  );
  assert.equal(block?.name, 'Example Publishing Ltd');
});

test('a number in brackets behind a name is none of it', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Jane Doe (...4410)']], [[40, '2233 Friendly St Apt 5, Eugene, OR 97405']]),
  );
  assert.equal(block?.name, 'Jane Doe');
});

const windowed: readonly PrintedRow[] = [
  [[40, 'Stichting Het Voorbeeld']],
  [[40, 'Kerkstraat 9']],
  [[40, '2801 AB Gouda']],
];
const blanks = (count: number): readonly PrintedRow[] => Array.from({ length: count }, () => null);

test('a letter’s sender may stand at the foot, in one line with its telephone or as a block', () => {
  const inLine = parties('invoice', ...windowed, ...blanks(40), [
    [60, 'Studio Vos – Oudegracht 231 – 3511 NK Utrecht – 06 24 51 77 02'],
  ]);
  const asBlock = parties(
    'invoice',
    ...windowed,
    ...blanks(45),
    [[40, 'Adress']],
    [[40, 'Exempel Rör AB']],
    [[40, 'Industrigatan 12']],
    [[40, '212 14 Malmö']],
  );
  const recipient = { customer_name: 'Stichting Het Voorbeeld', customer_address: 'Kerkstraat 9, 2801 AB Gouda' };
  assert.deepEqual(inLine, {
    ...recipient,
    vendor_name: 'Studio Vos',
    vendor_address: 'Oudegracht 231, 3511 NK Utrecht',
  });
  assert.deepEqual(asBlock, {
    ...recipient,
    vendor_name: 'Exempel Rör AB',
    vendor_address: 'Industrigatan 12, 212 14 Malmö',
  });
});

test('beside the account at a letter’s foot stands its sender, whatever its name', () => {
  const foot = (beside: string) =>
    parties(
      'invoice',
      ...windowed,
      ...blanks(45),
      [[40, 'Malerbetrieb Muster']],
      [
        [40, 'Lange Straße 77'],
        [300, beside],
      ],
      [[40, '31224 Peine']],
    ).vendor_address;
  assert.equal(foot('IBAN DE89 3704 0044 0532 0130 00'), 'Lange Straße 77, 31224 Peine');
  assert.equal(foot('Wir danken für Ihren Auftrag'), undefined);
});

test('a name goes on with whose firm it is, and none with care of whom', () => {
  const nameOf = (...lines: string[]) => partyBlocksOf(layoutOf(...lines.map((line): PrintedRow => [[40, line]])))[0];
  const firm = nameOf('Azienda Agricola Esempio', 'di Neri Lucia', 'Via Roma 3', '53024 Montalcino (SI)');
  assert.equal(firm?.name, 'Azienda Agricola Esempio di Neri Lucia');
  const owners = nameOf('VvE Voorbeeldflat', 'p/a Beheerkantoor Vossen', 'Postbus 418', '3500 AK Utrecht');
  assert.equal(owners?.name, 'VvE Voorbeeldflat');
  assert.equal(owners?.address, 'Postbus 418, 3500 AK Utrecht');
});

test('a name that stands twice in one line is one', () => {
  const name = 'Casey Key Homeowners Association';
  const [block] = partyBlocksOf(layoutOf([[40, `${name} ${name}`]], [[40, 'PO Box 5512']], [[40, 'Venice, FL 34285']]));
  assert.equal(block?.name, name);
});

test('the name behind a logo may have its partners', () => {
  const rows = [[40, 'Grafiche Esempio S.a.s. di Fabbri & C.']] as const;
  const layout = layoutOf([[40, 'Grafiche Esempio']], null, null, rows, [[40, 'Via Roma 44']], null, null, null, null);
  const logo = composedValue('Grafiche Esempio', 64, [{ line: layout.lines[0]! }]);
  assert.equal(nameBehindLogo(logo, layout, new Set())?.value, 'Grafiche Esempio S.a.s. di Fabbri & C.');
});

test('the slip of an invoice is addressed to the company that stands at its head without a caption', () => {
  const company = (x: number): readonly PrintedRow[] => [
    [[x, 'Example Tree Services']],
    [[x, 'Pty Ltd']],
    [[x, '18 Ironbark Drive']],
    [[x, 'SAMFORD QLD 4520']],
  ];
  const customer: readonly PrintedRow[] = [
    [[40, 'Helen Papadakis']],
    [[40, '7 Waterworks Rd']],
    [[40, 'ASHGROVE QLD 4060']],
  ];
  const values = parties('invoice', ...company(400), null, ...customer, ...blanks(32), [[40, 'To:']], ...company(40));
  assert.equal(values.vendor_name, 'Example Tree Services Pty Ltd');
  assert.equal(values.customer_name, 'Helen Papadakis');
});

test('a tax number between a name and its address is in neither', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Reformas Ejemplo, S.L.']],
      [[40, 'NIF: B73448120']],
      [[40, 'C/ Doctor Fleming 12']],
      [[40, '30009 Murcia']],
    ),
  );
  assert.equal(block?.name, 'Reformas Ejemplo, S.L.');
  assert.equal(block?.address, 'C/ Doctor Fleming 12, 30009 Murcia');
});

test('a street and its town may be parted by a dash', () => {
  assert.ok(hasPlace('Via dell’Artigianato 21 - 37135 Verona (VR)'));
  assert.ok(hasPlace('61-897 Poznań'));
  assert.ok(!hasPlace('Example SARL - 12 chemin de l’olive - 84340 Malaucène'));
  assert.ok(!hasPlace('Order 21 - 37135 pieces'));
});

test('a name in large letters is no street, whatever its words', () => {
  const document = typeset([
    [[40, 'ROUTE 9 TIRES']],
    null,
    [[40, '1420 Boston Post Rd']],
    [[40, 'Framingham, MA 01701']],
  ]);
  const large = withLogo(document, 'ROUTE');
  const [block] = partyBlocksOf(layOut(withLogo(withLogo(large, '9'), 'TIRES')));
  assert.equal(block?.address, '1420 Boston Post Rd, Framingham, MA 01701');
});

test('a company with a person or a department at its name is the party', () => {
  const nameOf = (...names: readonly string[]) =>
    partyBlocksOf(
      layoutOf(...names.map((text): PrintedRow => [[40, text]]), [[40, 'Domshof 14']], [[40, '28195 Bremen']]),
    )[0]?.name;
  assert.equal(nameOf('Fiona Ashdown', 'Westmoor College'), 'Westmoor College');
  assert.equal(nameOf('Frauke Brügge', 'Kanzlei Brügge & Partner'), 'Kanzlei Brügge & Partner');
});

test('towns without a postal code stand between a street and its county', () => {
  const addressBelow = (...lines: readonly string[]) =>
    partyBlocksOf(layoutOf([[40, 'Jane Example']], ...lines.map((text): PrintedRow => [[40, text]])))[0]?.address;
  assert.equal(
    addressBelow('3 Tan-y-Bryn', 'Llandysul', 'Ceredigion SA44 4QX'),
    '3 Tan-y-Bryn, Llandysul, Ceredigion SA44 4QX',
  );
  assert.equal(
    addressBelow('17/2 Avinashi Road', 'Coimbatore', '641004 Tamil Nadu'),
    '17/2 Avinashi Road, Coimbatore, 641004 Tamil Nadu',
  );
  assert.equal(
    addressBelow('Velasco Tower', '12 Clanwilliam Place', 'Dublin 2'),
    'Velasco Tower, 12 Clanwilliam Place, Dublin 2',
  );
});

test('a small line above a window has its sender between commas', () => {
  const document = typeset([
    [[40, 'Elektro Beispiel e.K., Am Kirchplatz 5, 94034 Passau']],
    null,
    [[40, 'Theresa Angerer']],
    [[40, 'Innstraße 71']],
    [[40, '94036 Passau']],
  ]);
  const pages = document.pages.map((page) => {
    const words = page.words.map((word) =>
      word.box.y0 < 45 ? { ...word, box: { ...word.box, y1: word.box.y1 - 4 } } : word,
    );
    return { ...page, words, readings: [{ source: 'text' as const, words }] };
  });
  const sender = returnAddress(layOut({ ...document, pages }));
  assert.equal(sender?.name.value, 'Elektro Beispiel e.K.');
  assert.equal(sender?.address.value, 'Am Kirchplatz 5, 94034 Passau');
});

test('prepositions above two blocks say who writes to whom', () => {
  const values = parties(
    'invoice',
    [
      [40, 'De:'],
      [300, 'Para:'],
    ],
    [
      [40, 'Lucía Ejemplo Soler'],
      [300, 'Editorial Ejemplo, S.A.'],
    ],
    [
      [40, 'C/ San Vicente 84'],
      [300, 'Gran Vía del Turia 22'],
    ],
    [
      [40, '03004 Alicante'],
      [300, '46005 Valencia'],
    ],
  );
  assert.equal(values.vendor_name, 'Lucía Ejemplo Soler');
  assert.equal(values.customer_name, 'Editorial Ejemplo, S.A.');
});

test('a person with a form of address may live at a hamlet, and below a company stands which of its accounts it is', () => {
  const [hamlet] = partyBlocksOf(
    layoutOf([[40, 'Madame EXEMPLE Camille']], [[40, 'Le Village']], [[40, '07380 JAUJAC']]),
  );
  assert.deepEqual([hamlet?.name, hamlet?.address], ['Madame EXEMPLE Camille', 'Le Village, 07380 JAUJAC']);
  const [company] = partyBlocksOf(
    layoutOf(
      [[40, 'SAMPLE OUTFITTERS LLC']],
      [[40, 'OPERATING ACCOUNT']],
      [[40, '2208 HWY 70 E']],
      [[40, 'COOKEVILLE TN 38506']],
    ),
  );
  assert.equal(company?.name, 'SAMPLE OUTFITTERS LLC');
});

test('a title or a saint before a name is no street, a room alone no address', () => {
  for (const text of ['Cabinet Dr Yvon Example', 'St Mary’s Hall Society', 'Open 8am - 10pm daily'])
    assert.ok(!isStreetLine(text), text);
  for (const text of ['Elm Dr', 'St. Kilda Road', 'Plot No. 42']) assert.ok(isStreetLine(text), text);
  assert.ok(!isAddressLike('Room 214'));
});

test('an order sent to a company below its form of address is that supplier’s', () => {
  assert.deepEqual(
    parties(
      'purchase_order',
      [[40, 'Example Werke GmbH · Am Turm 1 · 96450 Coburg']],
      [[40, 'Firma']],
      [[40, 'Muster Rohrtechnik KG']],
      [[40, 'Industriering 27']],
      [[40, '95213 Münchberg']],
      [[40, 'Bestellung 4500118823']],
    ),
    {
      buyer_name: 'Example Werke GmbH',
      buyer_address: 'Am Turm 1, 96450 Coburg',
      supplier_name: 'Muster Rohrtechnik KG',
      supplier_address: 'Industriering 27, 95213 Münchberg',
    },
  );
});

test('of several captions above a wide name its own begins where it does', () => {
  const [vendor] = partyBlocksOf(
    layoutOf(
      [
        [40, 'VENDOR'],
        [90, 'Vendor # 20771'],
      ],
      [[40, 'Summit Scientific Supply of the Example Mountains']],
      [[40, '8830 Frontage Rd']],
      [[40, 'Golden, CO 80401']],
    ),
  );
  assert.equal(vendor?.caption, 'VENDOR');
});

test('who is written to at a company stands below it in the same letters', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Verlag Muster GmbH & Co. KG']],
      [[40, 'Frau Annika Beispiel']],
      [[40, 'Kattrepel 2']],
      [[40, '20095 Hamburg']],
    ),
  );
  assert.equal(block?.name, 'Verlag Muster GmbH & Co. KG');
});

test('a company’s line at the foot says its address whatever stands between', () => {
  const head: PrintedRow[] = [[[40, 'Lenormand']], ...Array.from({ length: 4 }, (): PrintedRow => [[40, 'Texte']])];
  const footed = (text: string) => {
    const { vendor_name, vendor_address } = parties('credit_note', ...head, [[40, text]]);
    return [vendor_name, vendor_address];
  };
  assert.deepEqual(
    footed(
      'Papeterie Exemple SARL au capital de 8 000 € — 14 place Saint-Sauveur, 14000 Caen — SIRET 512 884 027 00014',
    ),
    ['Papeterie Exemple SARL', '14 place Saint-Sauveur, 14000 Caen'],
  );
  assert.deepEqual(
    footed('Térmicas Ejemplo S.L. · CIF B47552019 · Pol. Ind. El Cerro, nave 12, 47400 Medina · Tel. 983 555 014'),
    ['Térmicas Ejemplo S.L.', 'Pol. Ind. El Cerro, nave 12, 47400 Medina'],
  );
});

test('a caption that says the same again in parentheses is either', () => {
  assert.equal(
    parties(
      'invoice',
      [[40, 'Consignee (Ship to)']],
      [[40, 'Example Garments - Unit II']],
      [[40, '4 Mill Road']],
      [[40, 'Bengaluru - 560058']],
      [[40, 'Buyer (Bill to)']],
      [[40, 'Example Garments']],
      [[40, '18/2, Commercial Street']],
      [[40, 'Bengaluru - 560001']],
    ).customer_name,
    'Example Garments',
  );
});

test('where goods come back from is neither side’s address', () => {
  const values = partyValuesOf(
    documentTypeOf('credit_note'),
    layoutOf(
      [[40, 'Example Fastener Supply, Inc.']],
      [[40, '4410 Foundry Dr']],
      [[40, 'Toledo, OH 43612']],
      [[40, '419-555-0120']],
      null,
      [
        [40, 'Sold to:'],
        [300, 'Returned from:'],
      ],
      [
        [40, 'Sample Tool & Die'],
        [300, 'Sample Yards'],
      ],
      [
        [40, '77 River Rd'],
        [300, '4 Dock St'],
      ],
      [
        [40, 'Perrysburg, OH 43551'],
        [300, 'Rossford, OH 43460'],
      ],
    ),
  );
  assert.ok(values.vendor_address?.thirds?.includes('4 Dock St, Rossford, OH 43460'));
  assert.ok(!values.vendor_address?.thirds?.includes('77 River Rd, Perrysburg, OH 43551'));
});

test('a rural route or a box is the street of an address', () => {
  for (const text of ['RR 2', 'Box 220', 'RR 4, Site 6']) assert.ok(isStreetLine(text), text);
  assert.ok(hasPlace('Rosetown, SK SOL 2V0'));
});

test('a branch of a bank is not its name', () => {
  const [bank] = partyBlocksOf(
    layoutOf(
      [[40, 'BANQUE EXEMPLE']],
      [[40, 'Agence de Cahors']],
      [[40, '12 boulevard Gambetta']],
      [[40, '46000 CAHORS']],
    ),
  );
  assert.equal(bank?.name, 'BANQUE EXEMPLE');
});

test('an office of a town stands below the town’s name', () => {
  const [town] = partyBlocksOf(
    layoutOf(
      [[40, 'CITY OF SAMPLETON']],
      [[40, 'UTILITY BILLING']],
      [[40, '40 CIVIC PLAZA']],
      [[40, 'SAMPLETON OR 97415']],
    ),
  );
  assert.equal(town?.name, 'CITY OF SAMPLETON');
});

test('a house with a name stands for the street before a British postal code, at the foot as well', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Example Foods Ltd']], [[40, 'Riverside Works']], [[40, 'Trowbridge']], [[40, 'BA14 8QP']]),
  );
  assert.deepEqual([block?.name, block?.address], ['Example Foods Ltd', 'Riverside Works, Trowbridge, BA14 8QP']);
  const footed = parties('credit_note', ...Array.from({ length: 5 }, (): PrintedRow => [[40, 'Texts']]), [
    [40, 'Example Timber Merchants Ltd, Station Yard, Hexham, Northumberland NE46 1EZ. Tel 01434 555 019.'],
  ]);
  assert.equal(footed.vendor_name, 'Example Timber Merchants Ltd');
  assert.equal(footed.vendor_address, 'Station Yard, Hexham, Northumberland NE46 1EZ');
});

test('a sender’s line above the window may end with its country', () => {
  const returned = returnAddress(
    layoutOf([[40, 'Example Instruments Pty Ltd · 40 Collie Street · Fyshwick ACT 2609 · Australia']]),
  );
  assert.equal(returned?.name.value, 'Example Instruments Pty Ltd');
});

test('a postal code with its town is no street, so that the quarter above it is in the address', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'EXAMPLE (SP) SDN. BHD.']],
      [[40, 'Lot LG 26, Example Parade,']],
      [[40, 'U13/EG Bandar Contoh,']],
      [[40, '40150 Shah Alam, Selangor']],
    ),
  );
  assert.deepEqual(
    [block?.name, block?.address],
    ['EXAMPLE (SP) SDN. BHD.', 'Lot LG 26, Example Parade, U13/EG Bandar Contoh, 40150 Shah Alam, Selangor'],
  );
  assert.ok(!isStreetLine('9 EXAMPLE MART S/B (519537-X)'), 'a company with its registration');
  assert.ok(isStreetLine('Lot No : 20, Level UG1'));
});

test('which branch of a bank it is names nobody', () => {
  for (const text of ['Bentonville Walton Branch', 'Topeka Main Branch Office']) assert.ok(isBranch(text), text);
  for (const text of ['Bank of the Sample Valley', 'Olive Branch Bakery']) assert.ok(!isBranch(text), text);
  for (const text of ['AGENCE DE BEAUVILLE CENTRE', 'SUCCURSALE DU PORT']) assert.ok(isBranch(text), text);
  assert.ok(!isBranch('AGENCE IMMOBILIÈRE DES HALLES'), 'trades under its own name');
});

test('a country’s code before the postal code is no part of an address', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Beispiel GmbH']], [[40, 'Marktweg 20']], [[40, 'DE 80333 Musterstadt']]),
  );
  assert.equal(block?.address, 'Marktweg 20, 80333 Musterstadt');
  assert.equal(withoutCountryCode('Marktweg 20 - DE-80333 Musterstadt'), 'Marktweg 20 - 80333 Musterstadt');
  assert.equal(withoutCountryCode('Parauga iela 3, LV-1010 Riga'), 'Parauga iela 3, LV-1010 Riga');
});

test('a name goes on in its second line behind a joining word, or within a person’s name', () => {
  const nameOf = (...names: string[]) =>
    partyBlocksOf(
      layoutOf(...names.map((name): PrintedRow => [[40, name]]), [[40, 'Marktweg 20']], [[40, '80333 Musterstadt']]),
    )[0]?.name;
  assert.equal(nameOf('Adega Cooperativa de', 'Vila Exemplo, CRL'), 'Adega Cooperativa de Vila Exemplo, CRL');
  assert.equal(nameOf('BIURO "EXAMPLE" Anna', 'Nowak'), 'BIURO "EXAMPLE" Anna Nowak');
  assert.equal(
    nameOf('Ristorante Al Ponte di Esempi', 'Marco & C. S.n.c.'),
    'Ristorante Al Ponte di Esempi Marco & C. S.n.c.',
  );
  assert.equal(nameOf('Anna Nowak', 'Fotografin'), 'Anna Nowak');
  assert.equal(nameOf('Hausverwaltung', 'Beispiel & Sohn'), 'Hausverwaltung Beispiel & Sohn');
});

test('a sender’s line may say what somebody is between name and street', () => {
  const returned = returnAddress(layoutOf([[40, 'Jana Example · Grafikdesign · Marktweg 20 · 20359 Hamburg']]));
  assert.deepEqual([returned?.name.value, returned?.address.value], ['Jana Example', 'Marktweg 20, 20359 Hamburg']);
});

test('a couple or a household may live at a hamlet', () => {
  for (const name of ['M. et Mme EXEMPLE', 'Famille Exemple']) {
    const [block] = partyBlocksOf(layoutOf([[40, name]], [[40, 'La Haute Lande']], [[40, '35133 VILLE']]));
    assert.deepEqual([block?.name, block?.address], [name, 'La Haute Lande, 35133 VILLE']);
  }
});

test('who writes has telephone and mail below the address', () => {
  const fields = parties(
    'quote',
    [[40, 'Camille Exemple']],
    [[40, 'Photographe']],
    [[40, '5 quai de la Fosse']],
    [[40, '44000 Nantes']],
    [[40, '06 55 50 12 88']],
    null,
    [[300, 'Domaine Exemple SAS']],
    [[300, '44780 Missillac']],
  );
  assert.equal(fields.vendor_name, 'Camille Exemple');
  assert.equal(fields.customer_name, undefined);
});

test('who is named at a caption comes before an address alone at another one', () => {
  const fields = parties(
    'quote',
    [[40, 'Example Tree Care']],
    [[40, '18 County Road']],
    [[40, 'Lodi, WI 53555']],
    null,
    [
      [40, 'RECIPIENT:'],
      [300, 'SERVICE ADDRESS:'],
    ],
    [
      [40, 'Carol Example'],
      [300, '99 Lakeview Ct'],
    ],
    [
      [40, '312 Fair Street'],
      [300, 'Lodi, WI 53555'],
    ],
    [[40, 'Lodi, WI 53555']],
  );
  assert.equal(fields.customer_name, 'Carol Example');
  assert.equal(fields.customer_address, '312 Fair Street, Lodi, WI 53555');
});

test('a company’s line at the head of a page is the sender’s, and so is an address above a telephone', () => {
  const line = 'Rondas Ejemplo, S.L. · CIF B29884416 · Calle Virgen del Paz, 22 · 29400 Ronda · Tel. +34 952';
  const spanish = parties('invoice', [[40, 'HOTEL EJEMPLO']], [[40, line]], null, [[40, 'Ejemplo Vinimport AB']]);
  assert.deepEqual(
    [spanish.vendor_name, spanish.vendor_address],
    ['Rondas Ejemplo, S.L.', 'Calle Virgen del Paz, 22, 29400 Ronda'],
  );
  const canadian = parties(
    'invoice',
    [[300, 'Example Environmental Inc.']],
    [[300, '204 – 1580 Example Road, Victoria, BC V9A 3P6']],
    [[300, '250.555.0129 | accounts@example.com']],
  );
  assert.equal(canadian.vendor_address, '204 – 1580 Example Road, Victoria, BC V9A 3P6');
  const british = parties('invoice', [[40, 'Station Approach, Hexham, Northumberland NE46 1EZ Tel: 01749 555 118']]);
  assert.equal(british.vendor_address, 'Station Approach, Hexham, Northumberland NE46 1EZ');
  const french = parties('invoice', [[40, 'GITE EXEMPLE']], [[40, '24250 Domme']], [[40, 'Tel. 05 53 55 50 18']]);
  assert.equal(french.vendor_address, undefined, 'a town alone');
});

test('of blocks side by side the chosen names show whose their addresses are', () => {
  const layout = layoutOf(
    [
      [40, 'EJEMPLOS DEL MAR, S.A.'],
      [300, 'TIENDAS DE EJEMPLO, S.L.'],
    ],
    [
      [40, 'Muelle Pesquero, nave 6'],
      [300, 'Calle Mayor, 22'],
    ],
    [
      [40, '39740 Villa'],
      [300, '39408 Los Ejemplos'],
    ],
  );
  const named = (value: string) => ({ value, confidence: 80, provenance: [], flags: [] });
  const fields = withAddressesOfNames(documentTypeOf('invoice'), layout, {
    vendor_name: named('EJEMPLOS DEL MAR, S.A.'),
    customer_name: named('TIENDAS DE EJEMPLO, S.L.'),
  });
  assert.equal(fields.vendor_address?.value, 'Muelle Pesquero, nave 6, 39740 Villa');
  assert.equal(fields.customer_address?.value, 'Calle Mayor, 22, 39408 Los Ejemplos');
});

test('a town is one where OCR read its capital I as a small l', () => {
  const rows: PrintedRow[] = [[[40, 'Hochbau Beispiel GmbH']], [[40, 'Marktweg 14']], [[40, '84424 lsen']]];
  const document = typeset(rows);
  const pages = document.pages.map((page) => ({
    ...page,
    words: page.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const })),
  }));
  const [block] = partyBlocksOf(layOut({ ...document, pages }));
  assert.equal(block?.address, 'Marktweg 14, 84424 Isen');
});

test('a company at a caption may have its town alone', () => {
  const rows: PrintedRow[] = [
    [[40, 'Bill to:']],
    [[40, 'Exemple du Lac SAS']],
    [[40, 'Service achats']],
    [[40, '44780 Missillac']],
  ];
  const [block] = partyBlocksOf(layoutOf(...rows));
  assert.deepEqual([block?.name, block?.address], ['Exemple du Lac SAS', '44780 Missillac']);
  assert.deepEqual(partyBlocksOf(layoutOf(...rows.slice(1))), []);
});

test('goods go to the address below the one caption that says so', () => {
  const layout = layoutOf(
    [
      [40, 'VENDOR'],
      [300, 'SHIP TO'],
    ],
    [
      [40, 'Bellwether Scientific Supply'],
      [300, 'Central Receiving, Dock 2'],
    ],
    [
      [40, '4400 Kiewit Plaza Ste 210'],
      [300, '1801 18th St SW'],
    ],
    [
      [40, 'Omaha, NE 68131'],
      [300, 'Minot, ND 58701'],
    ],
  );
  assert.equal(deliveryAddressOf(layout)?.value, 'Central Receiving, Dock 2, 1801 18th St SW, Minot, ND 58701');
});

test('a name goes on in its legal form alone, and a person below an organization is who is written to there', () => {
  const nameOf = (...rows: PrintedRow[]) => partyBlocksOf(layoutOf(...rows))[0]?.name;
  const place = [[[40, 'Estrada da Barragem, 5']], [[40, '5370-265 Mirandela']]] as const;
  assert.equal(nameOf([[40, 'Hotel das Amendoeiras,']], [[40, 'S.A.']], ...place), 'Hotel das Amendoeiras, S.A.');
  assert.equal(nameOf([[40, 'Stiftung Bergwald']], [[40, 'Frau Ursina Muster']], ...place), 'Stiftung Bergwald');
});

test('what somebody sells, below a name, is no part of it', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Primeurs de la Vallée']],
      [[40, 'Fruits & légumes – crèmerie – marée']],
      [[40, '12 rue des Exemples']],
      [[40, '35000 RENNES']],
    ),
  );
  assert.equal(block?.name, 'Primeurs de la Vallée');
});

test('on a marketplace the seller stands below a caption of its own', () => {
  const fields = parties(
    'invoice',
    [
      [40, 'Rechnungsadresse'],
      [200, 'Lieferadresse'],
      [360, 'Verkauft von'],
    ],
    [
      [40, 'Mary Major'],
      [200, 'Mary Major'],
      [360, 'Muster Waren GmbH'],
    ],
    [
      [40, 'Lindenallee 22'],
      [200, 'Hammer Str. 155'],
      [360, 'Am Bahnhof 14'],
    ],
    [
      [40, '48147 Münster'],
      [200, '48153 Münster'],
      [360, '33602 Bielefeld'],
    ],
  );
  assert.equal(fields.vendor_name, 'Muster Waren GmbH');
  assert.equal(fields.vendor_address, 'Am Bahnhof 14, 33602 Bielefeld');
});

test('above an addressee may stand that the letter is for nobody else', () => {
  const nameOf = (...rows: PrintedRow[]) => partyBlocksOf(layoutOf(...rows))[0]?.name;
  const own = [[[40, 'F.M. Voorbeeld-van der Wal']], [[40, 'Lijsterbeslaan 88']], [[40, '5911 KP Venlo']]] as const;
  for (const note of ['Vertrouwelijk', 'Private & Confidential', 'Persönlich / Vertraulich'])
    assert.equal(nameOf([[40, note]], ...own), 'F.M. Voorbeeld-van der Wal', note);
});

test('of two firms side by side at the head the left one writes', () => {
  const fields = parties(
    'invoice',
    [
      [40, 'GESTORIA PALAU & ROIG'],
      [320, 'FORN LA CREU, S.L.'],
    ],
    [
      [40, 'Rambla Nova 77'],
      [320, 'C/ Major, 12'],
    ],
    [
      [40, '43001 Tarragona'],
      [320, '43460 Alcover'],
    ],
    null,
    null,
    null,
    [[40, 'FACTURA F24/00318']],
  );
  assert.equal(fields.vendor_name, 'GESTORIA PALAU & ROIG');
  assert.equal(fields.vendor_address, 'Rambla Nova 77, 43001 Tarragona');
  assert.equal(fields.customer_name, 'FORN LA CREU, S.L.');
});

test('a greeting without a name is not whom a window names', () => {
  for (const greeting of ['Gentile Cliente', 'Dear Customer', 'Exmo. Senhor']) {
    const [block] = partyBlocksOf(
      layoutOf([[40, greeting]], [[40, 'ESEMPIO GIULIANA']], [[40, 'VIA AMENDOLA 19']], [[40, '52025 MONTEVARCHI AR']]),
    );
    assert.equal(block?.name, 'ESEMPIO GIULIANA');
  }
});

test('a couple at a house with a name are its people', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Mr & Mrs J Major']],
      [[40, 'Rose Cottage']],
      [[40, 'Church Lane']],
      [[40, 'Selborne']],
      [[40, 'GU34 3JP']],
    ),
  );
  assert.equal(block?.name, 'Mr & Mrs J Major');
  assert.equal(block?.address, 'Rose Cottage, Church Lane, Selborne, GU34 3JP');
});

test('an order goes to whom its window names, right below the letterhead of another', () => {
  const document = typeset([
    [
      [40, 'Sampleton District Council'],
      [360, 'PURCHASE ORDER'],
    ],
    [[40, 'EXAMPLE PLANT HIRE LTD']],
    [[40, '3 LONGROCK ROAD']],
    [[40, 'PENZANCE TR20 8HX']],
    null,
    [[40, 'Please deliver by 17 June to the depot']],
    [[40, 'Buyer: L. Trembath']],
  ]);
  const [page] = document.pages;
  const words = page!.words.map((word, index) =>
    index < 3 ? { ...word, box: { ...word.box, y0: word.box.y0 - 6 } } : word,
  );
  const { fields } = extractFromWords(
    { ...document, pages: [{ ...page!, words }] },
    { docType: 'purchase_order', fields: null },
  ).extraction;
  assert.equal(fields.supplier_name?.value, 'EXAMPLE PLANT HIRE LTD');
  assert.equal(fields.buyer_name?.value, 'Sampleton District Council');
});

test('the slip of an invoice may leave out the name of the house at which its sender is', () => {
  const values = parties(
    'invoice',
    [
      [40, 'Example Estates LLP'],
      [340, 'Hill Lane Joinery Limited'],
    ],
    [
      [40, '18 Market Street'],
      [340, 'The Old Sawmill'],
    ],
    [
      [40, 'IPSWICH IP1 3AZ'],
      [340, '7 Hill Lane'],
    ],
    [[340, 'SAXMUNDHAM IP17 2QL']],
    ...Array.from({ length: 36 }, () => null),
    [[40, 'To:']],
    [[40, 'The Old Sawmill']],
    [[40, '7 Hill Lane']],
    [[40, 'SAXMUNDHAM IP17 2QL']],
  );
  assert.equal(values.vendor_name, 'Hill Lane Joinery Limited');
  assert.equal(values.customer_name, 'Example Estates LLP');
});

test('a caption above its own text is not that of the block beside it', () => {
  const layout = layoutOf(
    [
      [40, 'Lieu de livraison :'],
      [340, 'EXEMPLE VITRAGES'],
    ],
    [
      [40, 'Chantier Les Iris'],
      [340, '14 boulevard de la Gare'],
    ],
    [
      [40, '22 avenue Foch'],
      [340, '85500 LES HERBIERS'],
    ],
    [[40, '49300 CHOLET']],
  );
  assert.deepEqual(
    partyBlocksOf(layout).map(({ name, caption }) => [name, caption]),
    [
      ['Chantier Les Iris', 'Lieu de livraison :'],
      ['EXEMPLE VITRAGES', null],
    ],
  );
  assert.equal(deliveryAddressOf(layout)?.value, '22 avenue Foch, 49300 CHOLET');
});

test('who has a telephone below the address, behind its caption, is not whom a window names', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Francisco Ejemplo Roldán']],
      [[40, 'C/ Fuente 12, local 2']],
      [[40, '41400 Écija (Sevilla)']],
      [[40, 'Móvil 655 55 01 20']],
    ),
  );
  assert.equal(block?.hasDetails, true);
});

test('a party may have its name and the parts of its address each behind a label', () => {
  const values = parties(
    'invoice',
    [
      [40, 'Cedente/prestatore (fornitore)'],
      [340, 'Cessionario/committente (cliente)'],
    ],
    [
      [40, 'Denominazione: Officina Esempio Snc'],
      [340, 'Denominazione: Esempio Trasporti Srl'],
    ],
    [
      [40, 'Indirizzo: Via Provinciale 41/B'],
      [340, 'Indirizzo: Via Roma 6'],
    ],
    [
      [40, 'Comune: Calvenzano Provincia: BG'],
      [340, 'Comune: Crema Provincia: CR'],
    ],
    [
      [40, 'Cap: 24040 Nazione: IT'],
      [340, 'Cap: 26013 Nazione: IT'],
    ],
  );
  assert.equal(values.vendor_name, 'Officina Esempio Snc');
  assert.equal(values.vendor_address, 'Via Provinciale 41/B, 24040 Calvenzano (BG)');
  assert.equal(values.customer_name, 'Esempio Trasporti Srl');
  assert.equal(values.customer_address, 'Via Roma 6, 26013 Crema (CR)');
});

test('a label of a party may stand apart from its text, and its address have a line', () => {
  const values = parties(
    'quote',
    [
      [40, 'Cliente:'],
      [140, 'Comunidad de Propietarios Ejemplo'],
    ],
    [
      [40, 'CIF:'],
      [140, 'H41288703'],
    ],
    [[40, 'Dirección: Avda. de la Estación, 31, 41400 Écija']],
  );
  assert.equal(values.customer_name, 'Comunidad de Propietarios Ejemplo');
  assert.equal(values.customer_address, 'Avda. de la Estación, 31, 41400 Écija');
  const american = partyBlocksOf(
    layoutOf(
      [[40, 'Name: Example Rentals Inc']],
      [[40, 'Address: 2726 Carroll Road']],
      [[40, 'City: Fort Wayne State: IN Zip: 46818']],
    ),
  );
  assert.deepEqual(
    american.map(({ address }) => address),
    ['2726 Carroll Road, Fort Wayne, IN 46818'],
  );
});

test('what the people of a firm are is not its name', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'ATTORNEYS AT LAW']], [[40, '220 South Sixth Street']], [[40, 'Minneapolis, Minnesota 55402']]),
  );
  assert.equal(block?.name, null);
});

test('an order names who buys where the invoice goes, and who sells in its window', () => {
  const values = parties(
    'purchase_order',
    [[40, 'GULF STATES VALVE LLC']],
    [[40, '4410 Spencer Highway']],
    [[40, 'PASADENA TX 77504']],
    null,
    null,
    [[340, 'Invoice to:']],
    [[340, 'Example Polymers Corporation']],
    [[340, '7100 Industrial Parkway']],
    [[340, 'Baytown TX 77521']],
  );
  assert.equal(values.buyer_name, 'Example Polymers Corporation');
  assert.equal(values.supplier_name, 'GULF STATES VALVE LLC');
});

test('labels of a town may stand side by side, and those of another party beside them are that party’s', () => {
  const values = parties(
    'quote',
    [[40, 'Datos del cliente']],
    [[40, 'Nombre: Cooperativa Ejemplo']],
    [[40, 'Dirección: Ctra. A-331, km 2,4']],
    [
      [40, 'C.P.: 14900'],
      [130, 'Población: Lucena'],
      [250, 'Provincia: Córdoba'],
    ],
  );
  assert.equal(values.customer_name, 'Cooperativa Ejemplo');
  assert.equal(values.customer_address, 'Ctra. A-331, km 2,4, 14900 Lucena (Córdoba)');
  const sides = partyBlocksOf(
    layoutOf(
      [
        [40, 'Nombre: Ejemplo Uno'],
        [180, 'Nombre: Ejemplo Dos'],
      ],
      [
        [40, 'Dirección: Calle A 1'],
        [180, 'Dirección: Calle B 2'],
      ],
      [
        [40, 'Población: 28001 Madrid'],
        [180, 'Población: 41001 Sevilla'],
      ],
    ),
  );
  assert.deepEqual(
    sides.map(({ address }) => address),
    ['Calle A 1, 28001 Madrid', 'Calle B 2, 41001 Sevilla'],
  );
});

test('a logo that ends a party’s name is not the whole of it', () => {
  const document = typeset([
    [[340, 'Bovenwaal']],
    null,
    null,
    [
      [40, 'Stichting Voorbeeld'],
      [340, 'Studio Bovenwaal'],
    ],
    [
      [40, 'Dorpsstraat 18'],
      [340, 'Waalkade 62'],
    ],
    [
      [40, '6576 JD Ooij'],
      [340, '6511 XR Nijmegen'],
    ],
  ]);
  const values = partyValuesOf(documentTypeOf('invoice'), layOut(withLogo(document, 'Bovenwaal')));
  assert.equal(values.vendor_name?.value?.value, 'Studio Bovenwaal');
  assert.equal(values.customer_name?.value?.value, 'Stichting Voorbeeld');
});

test('of two firms side by side the one that says how to be reached writes', () => {
  const values = parties(
    'invoice',
    [
      [40, 'TALLERES EJEMPLO, S.L.'],
      [300, 'SUMINISTROS EJEMPLO, S.A.'],
    ],
    [
      [40, 'CTRA. NACIONAL 240'],
      [300, 'Calle Mayor 41'],
    ],
    [
      [40, '22400 MONZON'],
      [300, '50016 ZARAGOZA'],
    ],
    [[300, 'ventas@ejemplo.example']],
  );
  assert.equal(values.vendor_name, 'SUMINISTROS EJEMPLO, S.A.');
  assert.equal(values.customer_name, 'TALLERES EJEMPLO, S.L.');
});

test('an address behind its label may go on in the next line of a narrow cell', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Details of Receiver (Billed to)']],
      [[40, 'Name : Example Home Linens']],
      [[40, 'Address : D.No. 44, Kovai Road, Andankoil East, Karur -']],
      [[40, '639008']],
      [[40, 'GSTIN : 33AAJFK2208N1ZC']],
    ),
  );
  assert.equal(block?.name, 'Example Home Linens');
  assert.equal(block?.address, 'D.No. 44, Kovai Road, Andankoil East, Karur - 639008');
});

test('a blank line may part the town from the street in the window of an envelope', () => {
  const rows = (...last: PrintedRow[]): readonly PrintedRow[] => [
    [[40, 'Stadtwerke Beispiel GmbH']],
    [[40, 'Bahnhofstraße 3 a']],
    null,
    ...last,
  ];
  const [block] = partyBlocksOf(layoutOf(...rows([[40, '96142 Musterstadt']])));
  assert.deepEqual([block?.name, block?.address], ['Stadtwerke Beispiel GmbH', 'Bahnhofstraße 3 a, 96142 Musterstadt']);
  assert.deepEqual(partyBlocksOf(layoutOf(...rows(null, null, [[40, '96142 Musterstadt']]))), []);
  const apart: PrintedRow = [
    [40, '96142'],
    [75, 'MUSTERSTADT'],
  ];
  assert.equal(partyBlocksOf(layoutOf(...rows(apart)))[0]?.address, 'Bahnhofstraße 3 a, 96142 MUSTERSTADT');
});

test('a town that a wide blank parts from its postal code is in the address', () => {
  const addressOf = (...row: NonNullable<PrintedRow>) =>
    partyBlocksOf(layoutOf([[40, 'Stichting Voorbeeld']], [[40, 'Postbus 118']], row))[0]?.address;
  assert.equal(addressOf([40, '8060 AC'], [87, 'Hasselt']), 'Postbus 118, 8060 AC Hasselt');
  assert.equal(addressOf([40, 'FINDLAY OH'], [100, '45840-1102']), 'Postbus 118, FINDLAY OH 45840-1102');
  assert.equal(addressOf([40, '8060 AC'], [300, 'Hasselt']), 'Postbus 118, 8060 AC');
});

test('a name in three lines has its legal form, and one of two lines is whole where it stands in one elsewhere', () => {
  const nameOf = (...rows: PrintedRow[]) =>
    partyBlocksOf(layoutOf(...rows, [[40, 'Marktweg 7']], [[40, '91054 Beispielen']]))[0]?.name;
  assert.equal(
    nameOf([[40, 'Ingenieurbüro']], [[40, 'Muster & Söhne']], [[40, 'GmbH']]),
    'Ingenieurbüro Muster & Söhne GmbH',
  );
  const two: readonly PrintedRow[] = [[[40, 'Heinrich Muster']], [[40, 'Sanitärgroßhandel GmbH & Co. KG']]];
  assert.equal(nameOf(...two), 'Sanitärgroßhandel GmbH & Co. KG');
  const whole: PrintedRow = [[40, 'Heinrich Muster Sanitärgroßhandel GmbH & Co. KG, Marktweg 7, 91054 Beispielen']];
  assert.equal(nameOf(whole, null, null, ...two), 'Heinrich Muster Sanitärgroßhandel GmbH & Co. KG');
});

test('a sender’s line between whose parts recognition lost the marks is known by its legal form and hyphens', () => {
  const returned = (text: string) => {
    const sender = returnAddress(layoutOf([[40, text]]));
    return sender && [sender.name.value, sender.address.value];
  };
  const address = 'Marktweg 60, 26721 Emden';
  assert.deepEqual(returned('Muster & Söhne GmbH Marktweg 60 26721 Emden'), ['Muster & Söhne GmbH', address]);
  assert.deepEqual(returned('Dachdeckerei Muster-Marktweg 60-26721 Emden'), ['Dachdeckerei Muster', address]);
  assert.equal(returned('Rechnung an: Muster GmbH Marktweg 60 26721 Emden'), null);
});

test('a logo of one word gives way to the name that begins with it, or to the company of the foot', () => {
  const vendorOf = (...rows: PrintedRow[]) => {
    const document = withLogo(typeset([[[40, 'example']], null, ...rows]), 'example');
    return partyValuesOf(documentTypeOf('invoice'), layOut(document)).vendor_name?.value?.value;
  };
  assert.equal(vendorOf([[40, 'EXAMPLE SUPPLIES PTY LTD']]), 'EXAMPLE SUPPLIES PTY LTD');
  const blank = new Array<null>(50).fill(null);
  const registered: PrintedRow = [[40, 'Van der Voorbeeld B.V. is ingeschreven bij de Kamer van Koophandel.']];
  assert.equal(vendorOf([[40, 'Betreft: levering']], ...blank, registered), 'Van der Voorbeeld B.V.');
});

test('where the foot has the sender, another’s address further up is not its own', () => {
  const blank = new Array<null>(50).fill(null);
  const values = partyValuesOf(
    documentTypeOf('invoice'),
    layoutOf(
      [
        [40, 'Dirección de entrega'],
        [300, 'Dirección de facturación'],
      ],
      [
        [40, 'Leire Ejemplo Zubiri'],
        [300, 'Leire Ejemplo Zubiri'],
      ],
      [
        [40, 'Calle Mayor 7'],
        [300, 'Avda. de Bayona 33'],
      ],
      [
        [40, '31797 Arraitz'],
        [300, '31011 Pamplona'],
      ],
      ...blank,
      [[40, 'Apicultura Ejemplo S.L.U. - Calle Romero 18 - 10600 Plasencia']],
    ),
  );
  assert.equal(values.vendor_name?.value?.value, 'Apicultura Ejemplo S.L.U.');
  assert.deepEqual(values.vendor_address?.thirds, ['Leire Ejemplo Zubiri', 'Calle Mayor 7, 31797 Arraitz']);
});

test('a house with a name stands below a company by its legal form, and in the address', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'Example & Greaves (Roofing) Ltd']],
      [[40, 'Cragg House']],
      [[40, 'Back Lane']],
      [[40, 'Trawden']],
      [[40, 'Colne']],
      [[40, 'Lancashire']],
      [[40, 'BB8 8PN']],
    ),
  );
  assert.equal(block?.name, 'Example & Greaves (Roofing) Ltd');
  assert.equal(block?.address, 'Cragg House, Back Lane, Trawden, Colne, Lancashire, BB8 8PN');
});

test('an order’s department with its mail stop is nobody, where the letterhead has the same address', () => {
  const address: readonly PrintedRow[] = [[[40, '900 Harbor Street']], [[40, 'Duluth, MN 55802']]];
  const values = parties(
    'purchase_order',
    [[40, 'Example Health System']],
    ...address,
    null,
    null,
    [[40, 'Supplier:']],
    [[40, 'LAKEHEAD EXAMPLE CO']],
    [[40, 'PO BOX 771']],
    [[40, 'SUPERIOR, WI 54880']],
    null,
    null,
    [[40, 'Bill To:']],
    [[40, 'Accounts Payable MS-114']],
    ...address,
  );
  assert.equal(values.buyer_name, 'Example Health System');
});

test('a hyphen that recognition set close to a legal form parts it from the street', () => {
  const values = parties('invoice', ...new Array<null>(50).fill(null), [
    [40, 'Anton Muster e.K.-Hofmark 3a · 84335 Beispielen · Tel. 08725/55 01-0'],
  ]);
  assert.deepEqual([values.vendor_name, values.vendor_address], ['Anton Muster e.K.', 'Hofmark 3a, 84335 Beispielen']);
});

test('whose logo heads the page stands at its foot with the address', () => {
  const blank = new Array<null>(50).fill(null);
  const document = typeset([
    [[40, 'Clarence']],
    null,
    [[40, 'Invoice 12']],
    ...blank,
    [[40, 'Clarence Hotel, Mill Street, Bristol, BS1 6QF, United Kingdom']],
  ]);
  const values = partyValuesOf(documentTypeOf('invoice'), layOut(withLogo(document, 'Clarence')));
  assert.equal(values.vendor_name?.value?.value, 'Clarence Hotel');
  assert.equal(values.vendor_address?.value?.value, 'Mill Street, Bristol, BS1 6QF, United Kingdom');
});

test('a family of one name and a couple by their forms of address are names', () => {
  const nameOf = (...rows: PrintedRow[]) =>
    partyBlocksOf(layoutOf(...rows, [[40, 'Kerkstraat 27']], [[40, '9550 Herzele']]))[0]?.name;
  assert.equal(nameOf([[40, 'Familie']], [[40, 'Voorbeeld']]), 'Familie Voorbeeld');
  assert.equal(nameOf([[40, 'Dhr. en Mevr. Voorbeeld - Claus']]), 'Dhr. en Mevr. Voorbeeld - Claus');
});

test('a title as large as the name of who writes does not compete with it', () => {
  const document = typeset([
    [
      [40, 'DECLAN'],
      [75, 'MUSTER PLUMBING & HEATING'],
      [400, 'INVOICE'],
    ],
    null,
    null,
    [[40, 'Replace circulation pump']],
    [[40, 'Bleed system and test']],
    [[40, 'Callout']],
  ]);
  const raised = ['DECLAN', 'MUSTER', 'PLUMBING', '&', 'HEATING', 'INVOICE'].reduce(withLogo, document);
  assert.equal(letterheadName(layOut(raised), new Set())?.value, 'DECLAN MUSTER PLUMBING & HEATING');
});

test('who stands below a company, or the misread line of who writes, is written to', () => {
  const window: readonly PrintedRow[] = [
    [[40, 'MediTex Muster Vertriebs GmbH']],
    [[40, 'Ohmstraße 9']],
    [[40, '63225 Langen']],
  ];
  const line = 'Kreisklinikum Beispiel9GmbHAm Klinikberg1.38707 Altenau';
  const values = partyValuesOf(documentTypeOf('purchase_order'), layoutOf([[40, line]], ...window));
  assert.equal(values.supplier_name?.value?.value, 'MediTex Muster Vertriebs GmbH');
  assert.deepEqual([values.buyer_name?.value, values.buyer_name?.other], [null, 'MediTex Muster Vertriebs GmbH']);
});

test('a street and its town stand in one part of the foot, with nothing between them', () => {
  const text = 'SARL EXEMPLE DE PAULINE au capital de 8 000 € - Chemin de la Croix 84210 PERNES - Tél. 04 90 55 01 18';
  const values = parties('invoice', ...new Array<null>(50).fill(null), [[40, text]]);
  assert.deepEqual(
    [values.vendor_name, values.vendor_address],
    ['SARL EXEMPLE DE PAULINE', 'Chemin de la Croix, 84210 PERNES'],
  );
});

test('initials may be set without blanks, and a company beside their bearer writes', () => {
  const fields = parties(
    'payslip',
    [[330, 'Bouwbedrijf Voorbeeld & Zn. B.V.']],
    [
      [40, 'Mevr. J.M. van der Zwaag-Muster'],
      [330, 'De Opslach 31'],
    ],
    [
      [40, 'Skoalstraat 14'],
      [330, '8448 GV HEERENVEEN'],
    ],
    [[40, '9023 CL JORWERT']],
  );
  assert.equal(fields.employee_name, 'Mevr. J.M. van der Zwaag-Muster');
  assert.equal(fields.employer_name, 'Bouwbedrijf Voorbeeld & Zn. B.V.');
});

test('of two people who live together the first is the customer, and a form of address alone is nobody', () => {
  const named = (...rows: readonly string[]) =>
    parties('utility_bill', [[300, 'Sample Water']], null, null, ...rows.map((text): PrintedRow => [[40, text]]))
      .customer_name;
  assert.equal(named('Mrs J M Sample', 'Mr T Sample', '14 Orchard Lea', 'Worcester WR8 0QD'), 'Mrs J M Sample');
  const couple = ['De heer en mevrouw', 'VAN DAMME - CLAES', 'Molenstraat 27', '9620 ZOTTEGEM'];
  const [block] = partyBlocksOf(layoutOf(...couple.map((text): PrintedRow => [[40, text]])));
  assert.equal(block?.name, 'VAN DAMME - CLAES');
  assert.equal(
    named('M. ou Mme GARNIER Pascal', 'Quartier Les Combes', '26170 SAINT-AUBAN'),
    'M. ou Mme GARNIER Pascal',
  );
});

test('a commune that heads its bill with its numbers is not whom it bills', () => {
  const found = parties(
    'utility_bill',
    [[40, 'COMMUNE DE SAINT-AUBAN']],
    [[40, '1 place de la Mairie']],
    [[40, '26170 SAINT-AUBAN']],
    [[40, 'Tél : 04 75 55 01 18']],
  );
  assert.notEqual(found.customer_name, 'COMMUNE DE SAINT-AUBAN');
});

test('a city’s department in the line of its address does not make the city the customer, who stands on the slip', () => {
  const found = parties(
    'utility_bill',
    [[40, 'CITY OF SAMPLE FALLS']],
    [[40, 'Utility Billing Department · 210 N. Main St · Sample Falls, OH 45882']],
    [[40, 'Office Hours 8:00 - 4:30 M-F · (419) 555-0142']],
    ...Array.from({ length: 24 }, (): PrintedRow => null),
    [[40, 'CITY OF SAMPLE FALLS']],
    [[40, 'UTILITY BILLING']],
    [[40, '210 N MAIN ST']],
    [[40, 'SAMPLE FALLS OH 45882-1100']],
    null,
    null,
    [[120, 'TERRENCE J SAMPLE']],
    [[120, 'LYNN M SAMPLE']],
    [[120, 'PO BOX 77']],
    [[120, 'SAMPLE FALLS OH 45882-0077']],
  );
  assert.equal(found.provider_name, 'CITY OF SAMPLE FALLS');
  assert.equal(found.customer_name, 'TERRENCE J SAMPLE');
});

test('what stands above the place that a bill is for parts its address from the head', () => {
  const layout = layoutOf(
    [[40, 'lakefront']],
    [[40, 'For service at']],
    [[40, '2218 N KEDZIE BLVD APT 2R']],
    [[40, 'CHICAGO IL 60647-2618']],
  );
  assert.deepEqual(
    partyBlocksOf(layout).map(({ name }) => name),
    [null],
  );
});

test('how to pay stands above the company’s address and is no part of its name', () => {
  const layout = layoutOf(
    [[40, 'Detach the bottom portion of this bill and enclose with your payment. Please write your number.']],
    [[40, 'LAKEFRONT CABLE OF ILLINOIS LLC']],
    [[40, '1500 MCCONNOR PKWY']],
    [[40, 'SCHAUMBURG IL 60173-4396']],
  );
  assert.deepEqual(
    partyBlocksOf(layout).map(({ name, address }) => [name, address]),
    [['LAKEFRONT CABLE OF ILLINOIS LLC', '1500 MCCONNOR PKWY, SCHAUMBURG IL 60173-4396']],
  );
});

test('a company that stands elsewhere than the lines of a window is none of them', () => {
  const blocks = partyBlocksOf(
    layoutOf(
      [[40, '100 Example Group PLLC']],
      [[80, 'Ingrid Example-Tate']],
      [[80, '2904 Shepard Blvd']],
      [[80, 'Columbia, MO 65201']],
    ),
  );
  assert.deepEqual(
    blocks.map(({ name }) => name),
    ['Ingrid Example-Tate'],
  );
});

test('in a row of amounts no company is named, which has AG for Arbeitgeber', () => {
  const row: PrintedRow = [
    [40, 'VWL Zuschuss AG'],
    [300, '26,59'],
  ];
  assert.equal(onlyCompany(layoutOf(row)), null);
  assert.equal(onlyCompany(layoutOf([[40, 'Beispiel Werke AG']], row))?.value, 'Beispiel Werke AG');
});

test('a name that has a street’s in it is no line of the address below it', () => {
  const blockOf = (name: string) =>
    partyBlocksOf(layoutOf([[40, name]], [[40, '88 Mill Lane']], [[40, 'Asheville, NC 28806']]))[0];
  assert.equal(blockOf('Orchard Lane Landscaping')?.name, 'Orchard Lane Landscaping');
  assert.equal(blockOf('Bridge Street Garage')?.address, '88 Mill Lane, Asheville, NC 28806');
  assert.equal(blockOf('Rose Cottage, Station Road')?.name, null);
});

test('what a company deals in, below its name, is nobody the letter is sent to', () => {
  const document = typeset([
    [[40, 'SUMINISTROS EJEMPLO, S.L.']],
    [[40, 'FERRETERIA INDUSTRIAL-MAQUINARIA']],
    [[40, 'Avda. Albaida 61']],
    [[40, '46870 ONTINYENT']],
  ]);
  const large = document.pages[0]!.words.filter(({ box }) => box.y0 === document.pages[0]!.words[0]!.box.y0);
  for (const { box } of large) Object.assign(box, { y0: box.y0 - 6 });
  assert.equal(partyBlocksOf(layOut(document))[0]?.name, 'SUMINISTROS EJEMPLO, S.L.');
});

test('a company at the foot has its street right behind its legal form', () => {
  const blank = new Array<null>(50).fill(null);
  const values = parties('invoice', [[40, 'Invoice 12']], ...blank, [
    [40, 'EXAMPLE PACKAGING LTD Unit 7 Salthill Industrial Estate, Clitheroe, Lancashire BB7 1PE'],
  ]);
  assert.equal(values.vendor_name, 'EXAMPLE PACKAGING LTD');
  assert.equal(values.vendor_address, 'Unit 7 Salthill Industrial Estate, Clitheroe, Lancashire BB7 1PE');
});

test('who exports goods sells them, and to whom they are consigned buys them where nobody else does', () => {
  const exporter: PrintedRow[] = [
    [[40, 'SHIPPER/EXPORTER (complete name and address)']],
    [[40, 'Example Optics LLC']],
    [[40, '3300 Airport Road']],
    [[40, 'Pullman, WA 99163']],
    null,
  ];
  const consignee: PrintedRow[] = [
    [[40, 'CONSIGNEE (complete name and address)']],
    [[40, 'Beispiel Labor GmbH']],
    [[40, 'Marktweg 3']],
    [[40, '04109 Leipzig']],
    null,
  ];
  const buyer: PrintedRow[] = [[[40, 'Bill to']], [[40, 'Muster AG']], [[40, 'Seeweg 1']], [[40, '80331 München']]];
  const direct = parties('invoice', ...exporter, ...consignee);
  assert.equal(direct.vendor_name, 'Example Optics LLC');
  assert.equal(direct.customer_name, 'Beispiel Labor GmbH');
  assert.equal(parties('invoice', ...exporter, ...consignee, ...buyer).customer_name, 'Muster AG');
  const receiver: PrintedRow = [[40, 'Receiver / Consignee:']];
  assert.equal(parties('invoice', ...exporter, receiver, ...consignee.slice(1)).customer_name, 'Beispiel Labor GmbH');
});

test('above several blocks without captions stands who writes', () => {
  const values = parties(
    'purchase_order',
    [[40, 'City of Example']],
    [[40, '540 West Circle']],
    [[40, 'Owatonna, MN 55060']],
    null,
    [
      [60, 'Midwest Hydrant Inc'],
      [300, 'Public Works Garage'],
    ],
    [
      [60, '44 Mill Road'],
      [300, '1150 Industrial Road'],
    ],
    [
      [60, 'Mankato, MN 56002'],
      [300, 'Owatonna, MN 55060'],
    ],
  );
  assert.equal(values.buyer_name, 'City of Example');
  assert.equal(values.buyer_address, '540 West Circle, Owatonna, MN 55060');
});

test('a caption may have its party’s number behind it', () => {
  const rows: PrintedRow[] = [
    [[40, 'VENDOR 203318']],
    [[40, 'Example Supply Ltd.']],
    [[40, '88 Horner Avenue']],
    [[40, 'Toronto ON M8Z 4X5']],
  ];
  assert.equal(partyBlocksOf(layoutOf(...rows))[0]?.caption, 'VENDOR');
});

test('where goods are delivered may stand in one line with its caption', () => {
  const layout = layoutOf([[40, 'Warenempfänger: Beispiel GmbH & Co. KG, Hafenstraße 60, 94315 Straubing']]);
  assert.equal(deliveryAddressInLine(layout)?.value, 'Hafenstraße 60, 94315 Straubing');
});

test('who is written to at an organization may stand above it, at a caption or with a form of address', () => {
  const nameOf = (caption: string, ...names: readonly string[]) =>
    partyBlocksOf(
      layoutOf(
        [[40, caption]],
        ...names.map((name): PrintedRow => [[40, name]]),
        [[40, '389 Mill Avenue']],
        [[40, 'Toronto, Ontario M6R 2N1']],
      ),
    )[0]?.name;
  assert.equal(nameOf('Billed To', 'Sunit Muster', 'Example Physio Clinic'), 'Example Physio Clinic');
  assert.equal(nameOf('INVOICE ADDRESS', 'MR D MUSTER', 'THE CROSS KEYS INN'), 'THE CROSS KEYS INN');
});

test('the whole name below a logo of two lines is who writes', () => {
  const values = parties(
    'purchase_order',
    [[40, 'ALDER & FINCH']],
    [[40, 'OUTFITTERS']],
    [[40, 'Alder & Finch Outfitters, Inc.']],
    [[40, '900 SW 5th Ave']],
    [[40, 'Portland OR 97204']],
    null,
    null,
    [[40, 'Item']],
  );
  assert.equal(values.buyer_name, 'Alder & Finch Outfitters, Inc.');
});

test('the law of French associations is no street', () => {
  const [block] = partyBlocksOf(
    layoutOf(
      [[40, 'EHPAD LES EXEMPLES']],
      [[40, 'Association loi 1901']],
      [[40, '8 allée des Tilleuls']],
      [[40, '71150 CHAGNY']],
    ),
  );
  assert.equal(block?.address, '8 allée des Tilleuls, 71150 CHAGNY');
});

test('a house with a name stands below whom a form of address above names', () => {
  const [block] = partyBlocksOf(
    layoutOf([[40, 'Frau']], [[40, 'Severina Beispiel']], [[40, 'Haus Alpenblick']], [[40, '3905 Saas-Almagell']]),
  );
  assert.equal(block?.name, 'Severina Beispiel');
  assert.equal(block?.address, 'Haus Alpenblick, 3905 Saas-Almagell');
});

test('of a person with a title the organization below both is written to', () => {
  const nameOf = (...names: readonly string[]) =>
    partyBlocksOf(
      layoutOf(
        ...names.map((name): PrintedRow => [[40, name]]),
        [[40, '5447 Mill Avenue NW']],
        [[40, 'Seattle, WA 98107']],
      ),
    )[0]?.name;
  const organization = 'Example Senior Housing Foundation';
  assert.equal(nameOf('Ms. Andrea Muster', 'Executive Director', organization), organization);
  assert.equal(nameOf('Ms.Andrea Muster', 'Executive Director', organization), organization);
});

test('a letterhead apart above an organization and its address is none of their block', () => {
  const document = typeset([
    [[40, 'Example Engineers, P.C.']],
    null,
    [[40, 'Truckee Redevelopment Agency']],
    [[40, '1 East First Street']],
    [[40, 'P.O. Box 1900']],
    [[40, 'Reno, NV 89505']],
  ]);
  const { words } = document.pages[0]!;
  const top = words[0]!.box.y0;
  const rows = [...new Set(words.map(({ box }) => box.y0))];
  for (const { box } of words) {
    const height = box.y1 - box.y0;
    const row = rows.indexOf(box.y0);
    const y0 = box.y0 === top ? box.y0 : top + 1.3 * height + height * row;
    Object.assign(box, { y0, y1: y0 + (row === 0 ? 1.3 : 1) * height });
  }
  assert.deepEqual(
    partyBlocksOf(layOut(document)).map(({ name }) => name),
    ['Truckee Redevelopment Agency'],
  );
});

test('floors, doors and rooms behind a street are a part of it, and no place', () => {
  for (const text of [
    'Examplevej 11, 2. sal',
    'Samplegade 14, 1. th.',
    'Calle Mayor 5, 3º B',
    'Rua Augusta 24, 2.º Dto',
  ])
    assert.ok(isStreetLine(text), text);
  assert.ok(!hasPlace('3415 E. Mill Ave., Suite 2'));
});

test('the block whose name heads the page as well is the sender’s', () => {
  const { sender_address } = parties(
    'delivery_note',
    [[40, 'Granite Example Outfitters']],
    [[40, 'PACKING SLIP']],
    null,
    [
      [40, 'SHIP TO'],
      [300, 'BILL TO'],
    ],
    [
      [40, 'Leah Muster'],
      [300, 'Leah Muster'],
    ],
    [
      [40, '912 Sundance Loop'],
      [300, 'PO Box 337'],
    ],
    [
      [40, 'Bozeman MT 59718'],
      [300, 'Bozeman MT 59771'],
    ],
    null,
    [[200, 'Granite Example Outfitters']],
    [[200, '40 E Main Street, Bozeman MT 59715']],
  );
  assert.equal(sender_address, '40 E Main Street, Bozeman MT 59715');
});

test('a sentence at the foot goes before the address that it states', () => {
  const { vendor_address } = parties(
    'invoice',
    [[40, 'Nimbus Example']],
    [[40, 'Bill to Address:']],
    [[40, 'Tamarack Data, Inc.']],
    [[40, '2100 Sample Rd Ste 410']],
    [[40, 'Houston, TX 77098']],
    null,
    [[40, 'Total for this invoice $1,284.06']],
    null,
    [[40, 'Nimbus Example, Inc. Mailing address 700 Terry Ave N, Seattle, WA 98109']],
  );
  assert.equal(vendor_address, '700 Terry Ave N, Seattle, WA 98109');
});

test('a form of fixed columns has a town far from its state', () => {
  const addresses = partyBlocksOf(
    layoutOf(
      [[40, 'SHIP TO:']],
      [[40, 'PRAIRIE EXAMPLE CO']],
      [[40, '1400 GRAIN ELEVATOR RD']],
      [
        [40, 'DEKALB'],
        [160, 'IL 60115'],
      ],
    ),
  ).map(({ address }) => address);
  assert.deepEqual(addresses, ['1400 GRAIN ELEVATOR RD, DEKALB IL 60115']);
});

test('a postal code may stand below its town and state', () => {
  const addresses = partyBlocksOf(
    layoutOf(
      [[40, 'Billed To']],
      [[40, 'Example Kids Dentistry']],
      [[40, '77 Sample Ave NE']],
      [[40, 'Suite 300']],
      [[40, 'Atlanta, GA']],
      [[40, '30308']],
    ),
  ).map(({ address }) => address);
  assert.deepEqual(addresses, ['77 Sample Ave NE, Suite 300, Atlanta, GA 30308']);
});

test('on a payslip the company in its head is the employer, not the logo of who reckons pay', () => {
  const document = typeset([
    [
      [40, 'EXAMPLE MEDICAL CENTER, LLC'],
      [480, 'PAYO'],
    ],
    [[40, '300 TAMARACK AVENUE']],
    [[40, 'HAMDEN, CT 06514']],
    null,
    [[300, 'LASHONDA SAMPLE']],
    [[300, '77 CHESTNUT STREET']],
    [[300, 'NEW HAVEN, CT 06511']],
    [
      [40, 'Gross Pay'],
      [200, '$2,804.69'],
    ],
    [
      [40, 'Net Pay'],
      [200, '$2,001.46'],
    ],
  ]);
  const page = document.pages[0]!;
  const words = page.words.map((word) =>
    word.text === 'PAYO' ? { ...word, box: { ...word.box, y0: word.box.y0 - 15, x1: word.box.x1 + 30 } } : word,
  );
  const { fields } = extractFromWords(
    { ...document, pages: [{ ...page, words }] },
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.employer_name?.value, 'EXAMPLE MEDICAL CENTER, LLC');
});

test('what a house is does not belong to its address, and what OCR could hardly read to nobody’s block', () => {
  const rows: readonly PrintedRow[] = [
    [[40, 'GULLMERE']],
    [[40, 'SPA & WELLNESS CENTER']],
    [[40, '200 Harbor Street']],
    [[40, 'Portland, ME 04101']],
  ];
  assert.equal(partyBlocksOf(layoutOf(...rows))[0]?.address, '200 Harbor Street, Portland, ME 04101');
  const layout = layoutOf([[40, 'dstro Mo sdi']], [[40, '200 Harbor Street']], [[40, 'Portland, ME 04101']]);
  const nameRead = (confidence: number) => {
    const pages = layout.document.pages.map((page) => ({
      ...page,
      words: page.words.map((word, at) => ({
        ...word,
        source: 'ocr:ppocr:1' as const,
        confidence: at < 3 ? confidence : 0.98,
      })),
    }));
    return partyBlocksOf(layOut({ ...layout.document, pages }))[0]?.name;
  };
  assert.equal(nameRead(0.98), 'dstro Mo sdi');
  assert.equal(nameRead(0.6), null);
});

test('side by side, the sender is whom the page is signed for, wherever that one stands', () => {
  const signed = (name: string): readonly PrintedRow[] => [
    [
      [40, 'SRI EXAMPLE MEDICALS'],
      [330, 'TULSI SAMPLE DISTRIBUTORS'],
    ],
    [
      [40, 'Door 5-2-11, Main Road'],
      [330, 'Shop No. 4, Station Road'],
    ],
    [
      [40, 'Vijayawada - 520002'],
      [330, 'Guntur - 522001'],
    ],
    ...Array.from(
      { length: 12 },
      (_, at): PrintedRow => [
        [40, `Item ${at}`],
        [400, `${at}1.00`],
      ],
    ),
    [[380, `For ${name}`]],
    [[380, '']],
    [[400, 'Authorised Signatory']],
  ];
  assert.equal(parties('invoice', ...signed('TULSI SAMPLE DISTRIBUTORS')).vendor_name, 'TULSI SAMPLE DISTRIBUTORS');
  assert.equal(parties('invoice', ...signed('SRI EXAMPLE MEDICALS')).vendor_name, 'SRI EXAMPLE MEDICALS');
});
