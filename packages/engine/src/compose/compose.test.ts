import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType, ExtractedFields, JsonValue, ReadDocument } from '@millrace/document-model';
import { type GenerateRequest, generateDocument } from '@millrace/synthetic-documents';
import { proposeCandidates } from '../candidates/propose.ts';
import { isRoutingNumber } from '../candidates/transit-number.ts';
import { extractFromWords } from '../extract.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { isContainerNumber } from '../types/bill-of-lading/compose.ts';
import { amountOfWords } from '../types/check/amount-of-words.ts';
import { documentTypeOf } from '../types/registry.ts';
import { composeFields } from '../types/rules.ts';
import { addressScore } from './address.ts';
import { isOrganizationName, isPersonName } from './names.ts';

function compose(docType: DocType, document: ReadDocument): ExtractedFields {
  const layout = layOut(document);
  const locale = decideLocale(layout);
  return composeFields(documentTypeOf(docType), layout, locale, proposeCandidates(layout, locale));
}

const printed = (docType: DocType, ...rows: PrintedRow[]) => compose(docType, typeset(rows));

const extracted = (docType: DocType, ...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType, fields: null }).extraction.fields;

/** Values as people compare them: without accents, case, punctuation and the order of a list. */
function compared(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(compared).sort().join('|');
  if (value && typeof value === 'object')
    return Object.entries(value)
      .map(([key, own]) => `${compared(key)}=${compared(own)}`)
      .sort()
      .join('&');
  return String(value)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9|=&]/g, '');
}

/** By field, the share of generated documents of unseen seeds that have it and get it right. */
function rightShares(type: DocType, request: Omit<GenerateRequest, 'type' | 'seed'> = {}): ReadonlyMap<string, number> {
  const counts = new Map<string, { stated: number; right: number }>();
  for (let seed = 0; seed < 14; seed += 1) {
    const { document, truth } = generateDocument({ ...request, type, seed: `compose ${seed}` });
    const fields = compose(type, document);
    for (const [field, value] of Object.entries(truth.fields)) {
      const count = counts.get(field) ?? { stated: 0, right: 0 };
      counts.set(field, count);
      count.stated += 1;
      if (compared(fields[field]?.value) === compared(value)) count.right += 1;
    }
  }
  return new Map([...counts].map(([field, { stated, right }]) => [field, right / stated]));
}

for (const [type, fields] of Object.entries({
  passport: {
    document_number: 1,
    surname: 0.9,
    given_names: 0.9,
    nationality: 1,
    date_of_birth: 1,
    expiry_date: 1,
    sex: 1,
    mrz: 1,
    issue_date: 0.9,
  },
  id_card: { document_number: 0.9, surname: 0.85, date_of_birth: 0.9, address: 0.7 },
  driver_license: { document_number: 0.9, surname: 0.9, expiry_date: 0.9, vehicle_classes: 0.9 },
  business_card: { name: 0.9, job_title: 0.9, company_name: 0.8, emails: 1, phones: 0.85, website: 0.9 },
  resume: { name: 0.9, email: 1, skills: 0.85, languages: 0.85, experience: 0.8, education: 0.8, summary: 0.9 },
  contract: { title: 0.9, parties: 0.6, term: 0.9, governing_law: 0.9, signatories: 0.85 },
  medical_report: { diagnosis: 0.9, summary: 0.9 },
  bill_of_lading: { container_numbers: 0.95 },
  tax_form: { form_type: 0.8, tax_year: 0.9, boxes: 0.65 },
  general: { title: 0.9, date: 0.85, people: 0.6, key_values: 0.7 },
} satisfies Partial<Record<DocType, Record<string, number>>>)) {
  test(`composes ${type} from generated documents`, () => {
    const shares = rightShares(type as DocType);
    for (const [field, least] of Object.entries(fields)) {
      const share = shares.get(field) ?? 0;
      assert.ok(share >= least, `${field}: ${share.toFixed(2)} of at least ${least}`);
    }
  });
}

test('a check is read by its magnetic line, and its amount in words agrees with the figures', () => {
  const shares = rightShares('check', { layout: 'american', language: 'en' });
  for (const field of ['routing_number', 'account_number', 'check_number', 'amount_words']) {
    assert.ok((shares.get(field) ?? 0) >= 0.9, field);
  }
});

test('every value says where it stands', () => {
  const fields = compose('passport', generateDocument({ type: 'passport', seed: 1 }).document);
  for (const [name, value] of Object.entries(fields)) {
    assert.ok(value.provenance.length > 0, name);
    assert.ok(
      value.provenance.every(({ page, text }) => page === 1 && text !== ''),
      name,
    );
    assert.ok(
      value.confidence < 90 || value.flags.some((flag) => flag === 'check_digit_holds' || flag === 'readings_agree'),
      name,
    );
  }
});

test('a zone with a wrong check digit loses its confidence and says so', () => {
  const zone = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
  const right = printed('passport', [[40, zone[0]!]], [[40, zone[1]!]]);
  assert.equal(right.document_number?.value, 'L898902C3');
  assert.equal(right.date_of_birth?.value, '1974-08-12');
  assert.equal(right.expiry_date?.value, '2012-04-15');
  assert.equal(right.surname?.value, 'ERIKSSON');
  assert.ok(right.date_of_birth!.confidence >= 95);
  const wrong = printed('passport', [[40, zone[0]!]], [[40, zone[1]!.replace('7408122', '7408129')]]);
  assert.ok(wrong.date_of_birth!.confidence < 60);
  assert.ok(wrong.date_of_birth!.flags.includes('check_digit_fails'));
});

test('a passport whose names were not read is known by its second line', () => {
  const { document_number, date_of_birth, nationality, surname } = printed('passport', [
    [40, 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
  ]);
  assert.equal(document_number?.value, 'L898902C3');
  assert.equal(date_of_birth?.value, '1974-08-12');
  assert.ok(date_of_birth!.flags.includes('check_digit_holds'));
  // Utopia is no country.
  assert.equal(nationality, undefined);
  assert.equal(surname, undefined);
});

test('a second line that lost letters of the nationality is set right by its check digits', () => {
  const fields = printed(
    'passport',
    [[40, 'P<CANMARTIN<<SARAH<<<<<<<<<<<<<<<<<<<<<<<<<<']],
    [[40, 'ZE000509<9028501019F2301147<<<<<<<<<<<<<<08']],
  );
  assert.equal(fields.date_of_birth?.value, '1985-01-01');
  assert.equal(fields.expiry_date?.value, '2023-01-14');
  assert.equal(fields.nationality?.value, 'CA');
  assert.ok(fields.date_of_birth!.flags.includes('check_digit_holds'));
});

test('a licence’s captions have numbers, and a form of address stands above the given names', () => {
  const fields = printed(
    'driver_license',
    [
      [40, 'OHIO'],
      [200, 'DRIVER LICENSE'],
    ],
    [
      [40, '2.'],
      [70, 'MISS'],
    ],
    [[70, 'AOIFE CLARE']],
    null,
    null,
    [
      [40, '9 CLASS'],
      [130, '9a END'],
      [220, '12 RESTR'],
    ],
    [
      [40, 'D'],
      [130, 'M'],
      [220, 'B'],
    ],
  );
  assert.equal(fields.given_names?.value, 'AOIFE CLARE');
  assert.equal(fields.endorsements?.value, 'M');
  assert.equal(fields.restrictions?.value, 'B');
  assert.equal(fields.issuing_authority?.value, 'OHIO');
});

test('a licence in two languages has both captions joined, and a letter alone may be read as a small one', () => {
  const rows: readonly PrintedRow[] = [
    [[40, "DRIVER'S LICENCE / PERMIS DE CONDUIRE"]],
    [[40, '1,2 NAME/NOM']],
    [[40, 'TREMBLAY, SIMONE CLAIRE']],
    null,
    [
      [40, '15 SEX/SEXE'],
      [200, '12 REST./COND.'],
    ],
    [
      [40, 'F'],
      [200, 'x'],
    ],
  ];
  assert.equal(printed('driver_license', ...rows).restrictions?.value, 'X');
  assert.equal(printed('driver_license', [[40, '12 REST/COND X']]).restrictions?.value, 'X');
});

test('American passports have wide letters, captions in three languages and an authority below its country', () => {
  const fields = printed(
    'passport',
    [
      [40, 'Place of birth / Lieu de naissance / Lugar de nacimiento'],
      [420, 'Sex / Sexe / Sexo'],
    ],
    [
      [40, 'MARYLAND,'],
      [98, 'U.S.A.'],
      [420, 'F'],
    ],
    null,
    [[40, 'Authority / Autorité / Autoridad']],
    [[40, 'United States']],
    [[40, 'Department of State']],
    null,
    [[40, 'Date of issue / Date de délivrance']],
    [[40, '19 MFO/SEP 2024']],
  );
  assert.equal(fields.place_of_birth?.value, 'MARYLAND, U.S.A.');
  assert.equal(fields.issuing_authority?.value, 'United States Department of State');
  assert.equal(fields.issue_date?.value, '2024-09-19');
});

test('a French card has the place of birth below its day', () => {
  const fields = printed('id_card', [[40, 'Né(e) le : 19.05.1987']], [[40, 'à : CHAMBERY (73)']]);
  assert.equal(fields.place_of_birth?.value, 'CHAMBERY (73)');
});

test('place and day of birth may share a box, and a nought in a place’s name is an O', () => {
  const fields = printed('id_card', [[40, 'PLACE AND DATE OF BIRTH']], [[40, 'ROVIG0 (R0) 27.01.1990']]);
  assert.equal(fields.place_of_birth?.value, 'ROVIGO');
  assert.equal(fields.date_of_birth?.value, '1990-01-27');
});

test('a general document is never without an answer', () => {
  const fields = printed('general', [[40, 'the quick brown fox jumps over the lazy dog']]);
  assert.ok(Object.keys(fields).length > 0);
});

test('a general document gives what it labels', () => {
  const { key_values, date, people } = printed(
    'general',
    [
      [40, 'Status report'],
      [300, 'x'],
    ],
    null,
    [
      [40, 'Project: Harbour wall'],
      [300, 'Status: open'],
    ],
    [[40, 'Date: 14 March 2024']],
    [[40, 'Prepared by: Laura Prescott']],
  );
  assert.deepEqual(key_values?.value, {
    Project: 'Harbour wall',
    Status: 'open',
    Date: '14 March 2024',
    'Prepared by': 'Laura Prescott',
  });
  assert.equal(date?.value, '2024-03-14');
  assert.deepEqual(people?.value, ['Laura Prescott']);
});

test('a letter is about what stands alone below its salutation', () => {
  const { title } = printed(
    'general',
    [[40, 'Sampleton Borough Council']],
    null,
    [[40, 'Dear Ms Major']],
    [[40, 'Council Tax – discount review']],
    [[40, 'You are currently receiving a discount because you say that you are the only adult at the address.']],
    [[40, 'Yours sincerely']],
  );
  assert.equal(title?.value, 'Council Tax – discount review');
});

test('check digits of containers and banks', () => {
  assert.ok(isContainerNumber('CSQU3054383'));
  assert.ok(!isContainerNumber('CSQU3054384'));
  assert.ok(isRoutingNumber('121000248'));
  assert.ok(!isRoutingNumber('121000249'));
});

test('amounts in words', () => {
  assert.equal(amountOfWords('One hundred fifty and 00/100'), 150);
  assert.equal(amountOfWords('Two Thousand One Hundred Ninety-Seven and 11/100'), 2197.11);
  assert.equal(amountOfWords('Twelve thousand dollars only'), 12000);
  assert.equal(amountOfWords('Pay to the order of'), null);
});

test('distinguishes names of people, names of organizations and addresses', () => {
  for (const name of [
    'Laura Prescott',
    'Dr. Avery Smith',
    'JOHN M. DOE',
    'Jean-Luc de la Tour',
    'Björn Hölzel',
    'Eoin McGlinchey',
    'Lic.Ignacio Bermudez',
  ])
    assert.ok(isPersonName(name), name);
  for (const text of ['Curriculum Vitae', 'Invoice Number', 'Total', '12 High Street', 'Nordhafen Technik GmbH'])
    assert.ok(!isPersonName(text), text);
  assert.equal(isOrganizationName('Nordhafen Technik GmbH'), 'legal_form');
  assert.equal(isOrganizationName('Laura Prescott'), null);
  assert.ok(addressScore('68 Church Road, London EC2V 7NQ') > 1.5);
  assert.ok(addressScore('Hauptstraße 12, 80331 München') > 1.5);
  assert.ok(addressScore('laura@example.com, 68 Church Road') < 1);
});

test('a contract states its parties, date, law and how long its duties last, in its clauses', () => {
  const fields = printed(
    'contract',
    [[150, 'CONFIDENTIALITY AGREEMENT']],
    null,
    [[40, 'This Agreement is made as of the 5th day of November 2004 by and between']],
    [[40, 'Example Wire Company, a Delaware corporation (“Buyer”), and']],
    [[40, 'Mary Major (“Consultant”).']],
    [[40, 'The obligations of this Agreement shall continue for a period of two (2) years.']],
    [[40, 'Consultant shall not compete with Buyer for five (5) years.']],
    [[40, 'This Agreement shall be governed by the laws of the STATE OF DELAWARE.']],
  );
  assert.deepEqual(fields.parties?.value, ['Example Wire Company', 'Mary Major']);
  assert.equal(fields.effective_date?.value, '2004-11-05');
  assert.equal(fields.term?.value, '2 years');
  assert.equal(fields.governing_law?.value, 'State of Delaware');
});

test('a contract that names no law and no term has neither', () => {
  const fields = printed(
    'contract',
    [[150, 'SALES AGREEMENT']],
    null,
    [[40, 'Governing law']],
    [[40, 'The parties settle disputes amicably within thirty days.']],
  );
  assert.equal(fields.governing_law, undefined);
  assert.equal(fields.term, undefined);
});

test('a payslip states its own period, not the year to date beside it', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Description'],
      [200, 'Current'],
      [300, 'YTD'],
    ],
    [
      [40, 'Gross pay'],
      [200, '2,000.00'],
      [300, '24,000.00'],
    ],
    [
      [40, 'Net pay'],
      [200, '1,500.00'],
      [300, '18,000.00'],
    ],
  ];
  const fields = printed('payslip', ...rows);
  assert.equal(fields.gross_pay?.value, 2000);
  assert.equal(fields.net_pay?.value, 1500);
  const turned = rows.map((row) => row!.map(([x, text]) => [x === 200 ? 300 : x === 300 ? 200 : x, text] as const));
  assert.equal(printed('payslip', ...turned).gross_pay?.value, 2000);
});

test('a summary whose rows are periods states the sums of the current one', () => {
  const fields = printed(
    'payslip',
    [
      [120, 'Gross pay'],
      [220, 'Net pay'],
    ],
    [
      [40, 'YTD'],
      [120, '24,000.00'],
      [220, '18,000.00'],
    ],
    [
      [40, 'Current'],
      [120, '2,000.00'],
      [220, '1,500.00'],
    ],
  );
  assert.equal(fields.gross_pay?.value, 2000);
  assert.equal(fields.net_pay?.value, 1500);
});

test('a bill states what is due now and all that was used', () => {
  const { total_amount, consumption, consumption_unit } = printed(
    'utility_bill',
    [
      [40, 'Total charges from your last bill'],
      [300, '$284.22'],
    ],
    [
      [40, 'Total amount due'],
      [300, '$521.68'],
    ],
    [
      [40, 'On peak'],
      [300, '461 kWh'],
    ],
    [
      [40, 'Average daily use'],
      [300, '34 kWh'],
    ],
    [
      [40, 'Total electricity use'],
      [300, '1,020 kWh'],
    ],
    [[40, 'Please pay the total amount due by Sep 20, 2024.']],
  );
  assert.equal(total_amount?.value, 521.68);
  assert.equal(consumption?.value, 1020);
  assert.equal(consumption_unit?.value, 'kWh');
});

test('two amounts due leave it open which one is', () => {
  const { total_amount } = printed(
    'utility_bill',
    [
      [40, 'Total amount due'],
      [300, '$521.68'],
    ],
    [
      [40, 'Amount due'],
      [300, '$90.00'],
    ],
  );
  assert.equal(total_amount, undefined);
});

test('a check is over the amount that its words state', () => {
  const agreed = extracted(
    'check',
    [[40, 'One Hundred Five and 50/100']],
    [
      [40, 'Invoice 4410'],
      [300, '$ 4,410.00'],
    ],
    [[300, '$105.50']],
  );
  assert.equal(agreed.amount?.value, 105.5);
  const misread = extracted('check', [[40, 'One Hundred Five and 50/100 DOLLARS']], [[300, '$1O5-5O']]);
  assert.equal(misread.amount?.value, 105.5);
});

test('a check states the words of its amount without what asks for them', () => {
  const { amount_words } = printed('check', [[40, 'Pay: One Thousand Three Hundred Eight And 45/100 Dollars']]);
  assert.equal(amount_words?.value, 'One Thousand Three Hundred Eight And 45/100 Dollars');
});

test('signs around a transit number that were read as digits are left out', () => {
  const { routing_number } = printed('check', [[40, 'Check No. 1184']], null, [
    [40, '10 1184'],
    [140, '18121000248 8'],
    [300, '7651293971'],
  ]);
  assert.equal(routing_number?.value, '121000248');
});

test('the number of a French card is all that its check digit covers', () => {
  const fields = printed(
    'id_card',
    [[40, 'IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<']],
    [[40, '9409923102854CORINNE<<<<<<<6512068F4']],
  );
  assert.equal(fields.document_number?.value, '940992310285');
  assert.equal(fields.given_names?.value, 'CORINNE');
});

test('a licence has its surname above the given names and its number below 4d', () => {
  const { document_number, surname } = printed(
    'driver_license',
    [[40, 'DRIVER LICENSE']],
    [[60, 'SAMPLE']],
    [
      [40, '2'],
      [60, 'JANE MARIE'],
    ],
    [
      [40, '8'],
      [60, '1881 PIERCE ST'],
    ],
    [[60, 'LAKEWOOD, CO 80214-1249']],
    [[40, '4d Customer Identifier']],
    [[60, '15-239-1250']],
  );
  assert.equal(document_number?.value, '15-239-1250');
  assert.equal(surname?.value, 'SAMPLE');
});

test('the day by which all is due is the one to pay by', () => {
  const dueOf = (sentence: string) => printed('invoice', [[40, sentence]]).due_date?.value;
  assert.equal(dueOf('Der Rechnungsbetrag ist bis zum 17.09.2024 fällig.'), '2024-09-17');
  assert.equal(dueOf('Gelieve het bedrag voor 25-10-2024 te voldoen.'), '2024-10-25');
  assert.equal(dueOf('Angebot gültig bis zum 17.09.2024.'), undefined);
  assert.equal(
    dueOf('Het bedrag wordt omstreeks 22 juli 2024 automatisch afgeschreven van uw rekening.'),
    '2024-07-22',
  );
});

test('terms of payment are found in a sentence', () => {
  const { payment_terms } = printed('invoice', [[40, 'Vielen Dank. Zahlbar ohne Abzug bis 09.12.2017.']]);
  assert.equal(payment_terms?.value, 'Zahlbar ohne Abzug bis 09.12.2017.');
  const dutch = printed('invoice', [
    [40, 'Betalingstermijn: 30 dagen na factuurdatum. Gelieve het nummer te vermelden.'],
  ]);
  assert.equal(dutch.payment_terms?.value, '30 dagen na factuurdatum');
  assert.equal(printed('invoice', [[40, 'Late payment is due interest of 5 %']]).payment_terms, undefined);
});

test('terms of payment are what a sentence says of when to pay', () => {
  const termsOf = (...lines: string[]) =>
    printed('invoice', ...lines.map((line): PrintedRow => [[40, line]])).payment_terms?.value;
  assert.equal(
    termsOf('Bitte überweisen Sie den Betrag innerhalb von 14 Tagen ohne Abzug auf das unten'),
    'innerhalb von 14 Tagen ohne Abzug',
  );
  assert.equal(termsOf('Terms: net 30 days. Interest at 1.5% per month on overdue accounts.'), 'net 30 days');
  assert.equal(
    termsOf('Règlement par chèque ou virement à 30 jours - IBAN FR76 1558 9351'),
    'Règlement par chèque ou virement à 30 jours',
  );
  assert.equal(termsOf('60 days from invoice date by bank', 'transfer'), '60 days from invoice date by bank transfer');
  assert.equal(termsOf('Forma de pago: 15 días fecha factura'), '15 días fecha factura');
  assert.equal(termsOf('Termin płatności: 2025-10-14 (14 dni)'), '14 dni');
  assert.equal(termsOf('Due Date 10/03/2024 (Net 30)'), 'Net 30');
  // As OCR reads it, without its marks.
  assert.equal(
    termsOf('Bitte uberweisen Sie den Betrag innerhalb von 14 Tagen ohne Abzug auf unten genanntes Konto.'),
    'innerhalb von 14 Tagen ohne Abzug',
  );
  assert.equal(
    termsOf('Zahlbar innerhalb von 14 Tagen ohne Abzug.Im Betrag sind Lohnkosten von 1.980,00 enthalten.'),
    'Zahlbar innerhalb von 14 Tagen ohne Abzug',
  );
  assert.equal(termsOf('DUE UPON RECEIPT.PLEASE REFERENCE INVOICE NUMBER.'), 'DUE UPON RECEIPT');
  assert.equal(termsOf('21 days from invoice DUE: 12/07/24'), '21 days from invoice');
  assert.equal(
    termsOf('Wij verzoeken u het bovenstaande bedrag van € 1.784,75 binnen 14 dagen te voldoen op onze rekening'),
    'binnen 14 dagen',
  );
});

test('the last day of a discount is not the day by which to pay', () => {
  const { due_date } = extracted(
    'invoice',
    [[40, 'Rechnung Nr. 4508812 vom 08.10.2025']],
    [[40, 'Zahlbar bis 18.10.2025 mit 3 % Skonto = 96,74 EUR, bis 07.11.2025 netto']],
  );
  assert.equal(due_date?.value, '2025-11-07');
});

test('what a meter counted is the difference of its readings', () => {
  const { consumption, consumption_unit } = printed(
    'utility_bill',
    [
      [40, 'Meter'],
      [140, 'Present'],
      [240, 'Previous'],
      [340, 'Usage (CCF)'],
    ],
    [
      [40, '7712034'],
      [140, '1418'],
      [240, '1412'],
      [340, '6'],
    ],
  );
  assert.equal(consumption?.value, 6);
  assert.equal(consumption_unit?.value, 'CCF');
});

test('an amount due stands beside a column of its own', () => {
  const { total_amount } = printed(
    'utility_bill',
    [
      [40, 'Questions about your bill?'],
      [240, 'Amount due on previous statement'],
      [440, '$124.10'],
    ],
    [
      [40, 'Call us'],
      [240, 'Total amount due by 03/05/2021'],
      [440, '$118.42'],
    ],
  );
  assert.equal(total_amount?.value, 118.42);
});

test('net pay stands below the heading of its period', () => {
  const { net_pay } = printed(
    'payslip',
    [
      [40, 'Net pay'],
      [200, 'Current ($)'],
      [300, 'YTD ($)'],
    ],
    [
      [200, '2,298.71'],
      [300, '52,870.33'],
    ],
  );
  assert.equal(net_pay?.value, 2298.71);
});

test('a bank is known by its legal name', () => {
  const { bank_name } = printed('bank_statement', [[40, 'Everyday Checking']], null, [
    [40, 'Write: Northgate Example Bank, N.A. (825)'],
  ]);
  assert.equal(bank_name?.value, 'Northgate Example Bank, N.A.');
  const atFoot = printed('bank_statement', [[40, 'Transfer to OTHER BANK LIMITED']], null, [
    [40, 'Southern Sample Bank Limited ABN 48 123 104 771 AFSL 234118.'],
  ]);
  assert.equal(atFoot.bank_name?.value, 'Southern Sample Bank Limited');
});

test('a vessel and its voyage share a box', () => {
  const { vessel, voyage } = printed(
    'bill_of_lading',
    [[40, 'VESSEL AND VOYAGE NO']],
    [[40, 'NORTH STAR R. - FA148R']],
  );
  assert.equal(vessel?.value, 'NORTH STAR R.');
  assert.equal(voyage?.value, 'FA148R');
});

test('a check names its payee behind the words that ask to pay, and its bank by what banks are called', () => {
  const { payee_name, bank_name } = printed(
    'check',
    [
      [40, 'Summit Dental Group'],
      [300, 'First Prairie Bank'],
    ],
    [[40, 'PAY TO THE']],
    [[40, 'ORDER OF Cascade Office Supply']],
  );
  assert.equal(payee_name?.value, 'Cascade Office Supply');
  assert.equal(bank_name?.value, 'First Prairie Bank');
});

test('a plan is known by what plans are called, not by a code or a copayment', () => {
  const { plan_name } = printed(
    'insurance_card',
    [[40, 'Plan Code 121.621']],
    [[40, 'Example Choice PPO']],
    [[40, 'PPO office visit $30']],
  );
  assert.equal(plan_name?.value, 'Example Choice PPO');
});

test('a summary has its four sums under headings of two lines, and they hold', () => {
  const at = (...texts: readonly string[]): PrintedRow => texts.map((text, index) => [40 + 130 * index, text] as const);
  const fields = printed(
    'bank_statement',
    [[40, 'Balance Summary']],
    at('Beginning', 'Deposits and', 'Checks and other', 'Ending'),
    at('balance', 'other additions', 'deductions', 'balance'),
    at('1,880.04', '2,100.00', '1,674.53', '2,305.51'),
  );
  assert.equal(fields.opening_balance?.value, 1880.04);
  assert.equal(fields.total_credits?.value, 2100);
  assert.equal(fields.total_debits?.value, 1674.53);
  assert.equal(fields.closing_balance?.value, 2305.51);
});

test('what is brought forward is not the balance at close of business', () => {
  const fields = printed(
    'bank_statement',
    [
      [40, 'Balance brought forward from 8th Nov statement'],
      [400, '£204.77'],
    ],
    [
      [40, 'Your balance at close of business 8th Dec 2020'],
      [400, '£512.33'],
    ],
  );
  assert.equal(fields.opening_balance?.value, 204.77);
  assert.equal(fields.closing_balance?.value, 512.33);
});

test('neither a filing status nor the day of hire is somebody’s name or period', () => {
  const fields = extracted(
    'payslip',
    [[40, 'Verdienstabrechnung']],
    [[40, 'September 2022']],
    [[40, 'Eintritt: 01.04.2019']],
    [[40, 'Filing Status: Single']],
  );
  assert.notEqual(fields.employee_name?.value, 'Single');
  assert.equal(fields.period_start_date?.value, '2022-09-01');
  assert.equal(fields.period_end_date?.value, '2022-09-30');
});

test('a box has its name behind a caption of its own, and none that another caption has', () => {
  const fields = extracted(
    'bill_of_lading',
    [
      [40, 'CONSIGNEE'],
      [330, 'CARRIER NAME: Lone Star Freight'],
    ],
    [
      [40, 'Name: Home Tile Outlet'],
      [330, 'Trailer number: 44120'],
    ],
  );
  assert.equal(fields.consignee?.value, 'Home Tile Outlet');
});

test('a British licence has a form of address before the given names', () => {
  const { surname, given_names } = printed(
    'driver_license',
    [[40, 'DRIVING LICENCE']],
    [[40, '1. SAMPLE']],
    [[40, '2. MRS MARY JANE']],
    [[40, '3. 20.05.1975 UNITED KINGDOM']],
  );
  assert.equal(surname?.value, 'SAMPLE');
  assert.equal(given_names?.value, 'MARY JANE');
});

test('an address has none of its party’s numbers', () => {
  const fields = extracted(
    'receipt',
    [[40, 'Café Beispiel']],
    [[40, 'Gartenstraße 11, 1060 Wien']],
    [[40, 'UID: ATU44120987']],
    [[40, 'Rechnung Nr. 20441']],
    [[40, '14.07.2023 16:22']],
    [
      [40, 'Summe EUR'],
      [200, '18,40'],
    ],
  );
  assert.equal(fields.merchant_address?.value, 'Gartenstraße 11, 1060 Wien');
});

test('a control number of prescriptions may be letters alone', () => {
  const { rx_pcn } = printed('insurance_card', [[40, 'RXBIN: 004336']], [[40, 'RXPCN: ADV']]);
  assert.equal(rx_pcn?.value, 'ADV');
});

test('a payslip’s own sum is not the one that its label calls that of the year', () => {
  const fields = extracted(
    'payslip',
    [
      [40, 'Employee: Mary Major'],
      [300, 'Pay date: 29/09/2023'],
    ],
    [
      [40, 'PAYE tax'],
      [160, '187.20'],
      [300, 'Tax paid to date'],
      [460, '1123.20'],
    ],
  );
  assert.notEqual(fields.tax_amount?.value, 1123.2);
});

test('a member stands at a caption of its own, not at that of the group', () => {
  const fields = extracted(
    'insurance_card',
    [[40, 'Example Dental of Colorado']],
    [
      [40, 'Subscriber:'],
      [160, 'Priya Sample'],
    ],
    [
      [40, 'Subscriber ID:'],
      [160, '001788342'],
    ],
    [
      [40, 'Group Name:'],
      [160, 'Alpine Ski Instructors Assn'],
    ],
  );
  assert.equal(fields.member_name?.value, 'Priya Sample');
});

test('a certificate of pay and tax is named by its letter and number', () => {
  const { form_type } = printed('tax_form', [[40, 'P60 End of Year Certificate']], [[40, 'Tax year to 5 April 2021']]);
  assert.equal(form_type?.value, 'P60');
});

test('balances that are called by their day are the first and the last', () => {
  const { opening_balance, closing_balance, statement_end_date } = printed(
    'bank_statement',
    [
      [40, 'Kontostand am 28.02.2023, Auszug Nr. 2'],
      [400, '1.234,56'],
    ],
    [
      [40, '06.03.2023 Lastschrift'],
      [400, '-224,46'],
    ],
    [
      [40, 'Kontostand am 31.03.2023'],
      [400, '1.010,10'],
    ],
  );
  assert.equal(opening_balance?.value, 1234.56);
  assert.equal(closing_balance?.value, 1010.1);
  assert.equal(statement_end_date?.value, '2023-03-31');
});

test('a credit note may name the invoice with its day among its items', () => {
  const { original_invoice_number } = printed('credit_note', [[40, 'damaged in transit, inv 44817 dated 03/06/2025']]);
  assert.equal(original_invoice_number?.value, '44817');
  const two = printed('credit_note', [[40, 'inv 44817 dated 03/06/2025']], [[40, 'inv 44818 dated 03/06/2025']]);
  assert.equal(two.original_invoice_number, undefined);
});

test('an invoice is for the period that its sentence states', () => {
  const fields = extracted(
    'invoice',
    [[40, 'Invoice No. 2025-1148']],
    [[40, 'For services rendered from October 1 to October 31, 2025:']],
  );
  assert.equal(fields.service_start_date?.value, '2025-10-01');
  assert.equal(fields.service_end_date?.value, '2025-10-31');
});

test('a laboratory files its patient by the surname', () => {
  const { patient_name } = printed('medical_report', [[40, 'MAJOR, MARY L']], [[40, 'Specimen Details']]);
  assert.equal(patient_name?.value, 'MAJOR, MARY L');
});

test('a credit note says in a sentence how it is paid out', () => {
  const sentence = 'The amount is transferred to your account.';
  assert.equal(printed('credit_note', [[40, sentence]]).payment_terms?.value, sentence);
  const german = 'Der Betrag wird mit der nächsten Rechnung verrechnet.';
  assert.equal(printed('credit_note', [[40, german]]).payment_terms?.value, german);
  assert.equal(printed('invoice', [[40, sentence]]).payment_terms, undefined);
});

test('what was used in all is stated with its unit in the label', () => {
  const { consumption, consumption_unit } = printed('utility_bill', [
    [40, 'Total electricity you used this month in kWh'],
    [400, '538'],
  ]);
  assert.equal(consumption?.value, 538);
  assert.equal(consumption_unit?.value, 'kWh');
});

test('a statement’s period may stand with its balances alone, and its holder’s address is not the bank’s', () => {
  const fields = extracted(
    'bank_statement',
    [[40, 'March 31, 2022']],
    null,
    [[40, 'MARY MAJOR']],
    [[40, '12 HILL ROAD']],
    [[40, 'DENVER CO 80202-1100']],
    null,
    [
      [40, 'Beginning balance on 3/1'],
      [300, '$2,120.55'],
    ],
    [
      [40, 'Ending balance on 3/31'],
      [300, '$2,310.30'],
    ],
    null,
    [[40, '©2022 Example Bank, N.A. Member FDIC.']],
  );
  assert.equal(fields.statement_start_date?.value, '2022-03-01');
  assert.equal(fields.statement_end_date?.value, '2022-03-31');
  assert.equal(fields.account_holder?.value, 'MARY MAJOR');
  assert.equal(fields.bank_address, undefined);
});

test('an address has its town with it, and not the name above it', () => {
  const { service_address: address } = extracted(
    'utility_bill',
    [[40, 'Northern Gas and Electric Company']],
    null,
    [[40, 'Service For:']],
    [[40, 'MARY MAJOR']],
    [[40, '12345 ENERGY CT']],
    [[40, 'SAN DIEGO, CA 92123']],
    null,
    [[40, 'Total Amount Due by 10/25/2023 $86.23']],
  );
  assert.equal(address?.value, '12345 ENERGY CT, SAN DIEGO, CA 92123');
});

test('a number that the state gave somebody is not the employer’s', () => {
  const fields = extracted(
    'payslip',
    [[40, 'Brightwater Logistics Ltd']],
    [
      [40, 'Employee No.'],
      [150, 'Employee Name'],
      [300, 'National Insurance Number'],
    ],
    [
      [40, '4217'],
      [150, 'Mrs H Whitfield'],
      [300, 'JK123456C'],
    ],
    [[40, 'Net Pay 1,815.98']],
  );
  assert.equal(fields.employee_id?.value, '4217');
});

test('what is held back is an amount of its own, whatever sign is printed', () => {
  const { tax_amount: tax } = extracted(
    'payslip',
    [[40, 'Earnings Statement']],
    [[40, 'Gross Pay $452.43']],
    [[40, 'Federal Income Tax -40.60']],
    [[40, 'Net Pay $411.83']],
  );
  assert.equal(tax?.value, 40.6);
});

test('a logo in small letters is an insurer where its domain is printed', () => {
  const fields = extracted(
    'insurance_card',
    [[40, 'examplehealth']],
    null,
    [[40, 'Member Name']],
    [[40, 'JANE SAMPLE']],
    [[40, 'ID W1234 56789']],
    [[40, 'Coverage starts 03-01-2016']],
    [[40, 'www.examplehealth.com']],
  );
  assert.equal(fields.insurer_name?.value, 'examplehealth');
  assert.equal(fields.plan_name, undefined);
});

test('W-9 asks for the number of who is paid, whose digits stand in boxes of their own', () => {
  const fields = extracted(
    'tax_form',
    [[40, 'Form W-9 Request for Taxpayer Identification Number and Certification']],
    [[40, '1 Name (as shown on your income tax return). Name is required on this line.']],
    [[40, 'Mary Major']],
    null,
    [
      [40, 'Enter your TIN in the appropriate box.'],
      [400, 'Social security number'],
    ],
    [
      [400, '2 3 3'],
      [440, '–'],
      [450, '46'],
      [480, '–'],
      [490, '7 433'],
    ],
  );
  assert.equal(fields.recipient_tax_id?.value, '233-46-7433');
  assert.equal(fields.payer_tax_id, undefined);
});

test('the day of the next reading is not that of the bill', () => {
  const { bill_date: date } = extracted(
    'utility_bill',
    [[40, 'Northern Gas and Electric Company']],
    [[40, 'Next meter reading date: Apr 14, 2023']],
    [[40, 'Total amount due $98.77']],
  );
  assert.equal(date, undefined);
});

test('a sender’s name ends before its street, behind a mark', () => {
  const fields = extracted(
    'payslip',
    [[40, 'Musterbau GmbH · Hafenstr. 12 · 20457 Hamburg']],
    [[300, 'Entgeltabrechnung März 2023']],
    [
      [40, 'Frau'],
      [300, 'Personal-Nr. 00417'],
    ],
    [[40, 'Erika Beispiel']],
    [[40, 'Ahornweg 3']],
    [[40, '30655 Hannover']],
    [[40, 'Gesetzliches Netto 2.368,54']],
  );
  assert.equal(fields.employer_name?.value, 'Musterbau GmbH');
  assert.ok(!/Personal/.test(String(fields.employer_address?.value)));
});

test('a card prints its state in full and its number without a caption', () => {
  const fields = extracted(
    'id_card',
    [[40, 'BUNDESREPUBLIK DEUTSCHLAND']],
    [
      [40, 'PERSONALAUSWEIS / IDENTITY CARD'],
      [300, 'T220001293'],
    ],
    [[40, 'Name/Surname/Nom']],
    [[40, 'MUSTERMANN']],
    [[40, 'Vornamen/Given names/Prénoms']],
    [[40, 'ERIKA']],
    [[40, 'Geburtstag/Date of birth']],
    [[40, '12.08.1983']],
  );
  assert.equal(fields.document_number?.value, 'T220001293');
  assert.equal(fields.issuing_country?.value, 'DE');
});

test('the address of a numbered licence ends before its classes', () => {
  const { address } = extracted(
    'driver_license',
    [[40, 'DRIVING LICENCE UK']],
    [[40, '1. MORGAN']],
    [[40, '2. SARAH']],
    [[40, '3. 11.03.1976 UNITED KINGDOM']],
    [[40, '5. MORGA753116SM9IJ']],
    [[40, '8. 122 BURNS CRESCENT EDINBURGH EH1 9GP']],
    [[40, '9. AM/A/B1/B/f/k/l/n/p/q']],
  );
  assert.equal(address?.value, '122 BURNS CRESCENT EDINBURGH EH1 9GP');
});

test('a check’s number is as its corner prints it', () => {
  const foot: PrintedRow = [[40, '⑈004711⑈ ⑆071000013⑆ 9876543210⑈']];
  const agreed = printed('check', [[400, 'No. 004711']], null, foot);
  assert.equal(agreed.check_number?.value, '004711');
  assert.ok(agreed.check_number?.flags.includes('readings_agree'));
  const differing = printed('check', [[400, 'No. 4712']], null, foot);
  assert.equal(differing.check_number?.value, '4712');
  assert.ok(differing.check_number!.confidence < 80);
});

test('the net that taxes are reckoned by is nobody’s pay', () => {
  const { net_pay: net } = extracted(
    'payslip',
    [[40, 'BULLETIN DE PAIE']],
    [
      [40, 'SALAIRE BRUT'],
      [300, '2 502,56'],
    ],
    [
      [40, 'NET IMPOSABLE'],
      [300, '2 010,33'],
    ],
    [
      [40, 'NET PAYÉ'],
      [300, '1 870,05'],
    ],
  );
  assert.equal(net?.value, 1870.05);
});

test('a card’s captions in two languages may have their plural in brackets', () => {
  const fields = extracted(
    'id_card',
    [[40, 'REPÚBLICA PORTUGUESA']],
    [[40, 'CARTÃO DE CIDADÃO']],
    [[40, 'APELIDO[S] SURNAME']],
    [[40, 'EXEMPLO TAVARES']],
    [[40, 'NOME[S] GIVEN NAME[S]']],
    [[40, 'LEONOR MARIA']],
  );
  assert.equal(fields.surname?.value, 'EXEMPLO TAVARES');
  assert.equal(fields.given_names?.value, 'LEONOR MARIA');
});

test('a German card’s number has no vowels, and its holder’s nationality may stand below a caption that is unreadable', () => {
  const fields = extracted(
    'id_card',
    [[40, 'BUNDESREPUBLIK DEUTSCHLAND']],
    [[40, 'PERSONALAUSWEIS']],
    [[400, 'L41882KOP']],
    [[40, 'Name/Surname/Nom']],
    [[40, 'MUSTERMANN']],
    [[40, 'Staatsangehorgkoit/Naionalty']],
    [[40, 'DEUTSCH']],
  );
  assert.equal(fields.document_number?.value, 'L41882K0P');
  assert.equal(fields.nationality?.value, 'DE');
});

test('a licence’s number is not that of its card', () => {
  const fields = extracted(
    'driver_license',
    [[40, 'Driver Licence']],
    [[40, 'Card Number']],
    [[40, '2 041 882 274']],
    [[40, 'Licence No.']],
    [[40, '18822704']],
  );
  assert.equal(fields.document_number?.value, '18822704');
});

test('a British certificate has its employee’s names and number behind captions of their own', () => {
  const fields = extracted(
    'tax_form',
    [[40, 'P60 End of Year Certificate']],
    [[40, 'Tax Year to 5 April 2022']],
    [[40, 'Surname SAMPLE']],
    [[40, 'Forenames or initials JANE A']],
    [[40, 'National Insurance number QQ123456C']],
    [[40, 'Employer’s full name and address']],
    [[40, 'Brightwater Logistics Ltd']],
    [[40, '2 Dock Road, Hull HU1 1AA']],
  );
  assert.equal(fields.recipient_name?.value, 'JANE A SAMPLE');
  assert.equal(fields.recipient_tax_id?.value, 'QQ123456C');
  assert.equal(fields.payer_name?.value, 'Brightwater Logistics Ltd');
});

test('a container’s number is neither that of the bill of lading nor a voyage', () => {
  const fields = extracted(
    'bill_of_lading',
    [[40, 'Bill of Lading']],
    [
      [40, 'Ocean vessel'],
      [200, 'Port of loading'],
    ],
    [
      [40, 'HANSA STAR'],
      [200, 'Hamburg'],
    ],
    [[40, 'HLXU1234567']],
  );
  assert.equal(fields.bl_number, undefined);
  assert.equal(fields.voyage, undefined);
});

test('a provider’s post box is not where energy is used', () => {
  const { service_address: address } = extracted(
    'utility_bill',
    [[40, 'Stadtwerke Musterhausen GmbH · Postfach 1 · 33333 Musterhausen']],
    [
      [40, 'Max Beispiel'],
      [300, 'Kundennummer 10022345'],
    ],
    [[40, 'Lindenweg 7']],
    [[40, '33333 Musterhausen']],
    null,
    [[40, 'Verbrauchsstelle: Lindenweg 7, 33333 Musterhausen']],
    [[40, 'Rechnungsbetrag 812,44 EUR']],
  );
  assert.equal(address?.value, 'Lindenweg 7, 33333 Musterhausen');
});

test('days of one month are a period', () => {
  const { period_start_date: start, period_end_date: end } = extracted(
    'payslip',
    [[40, 'Construcciones Ejemplo, S.L.']],
    [[40, 'Periodo de liquidación: del 1 al 31 de marzo de 2023']],
    [[40, 'Líquido total a percibir 1.641,01']],
  );
  assert.deepEqual([start?.value, end?.value], ['2023-03-01', '2023-03-31']);
});

test('neither a title with its month nor somebody’s name is a part of an address', () => {
  const { employer_address: employer } = extracted(
    'payslip',
    [[40, 'EXAMPLE TECHNOLOGIES LIMITED']],
    [[40, '4th Floor, Tech Park, Bengaluru 560001']],
    [[40, 'Payslip for the month of March 2023']],
    [[40, 'Employee Name : Ravi Kumar']],
    [[40, 'Net Pay 48,550.00']],
  );
  assert.ok(!/Payslip/.test(String(employer?.value)));
});

test('the one person that an insurance card names is its member', () => {
  const { member_name: member } = extracted(
    'insurance_card',
    [[40, 'AOK Beispiel']],
    [[40, 'Gesundheitskarte']],
    [[40, 'Erika Muster']],
    [[40, 'Versichertennummer A123456780']],
  );
  assert.equal(member?.value, 'Erika Muster');
});

test('the tax number at a German invoice’s foot is the sender’s', () => {
  const fields = extracted(
    'invoice',
    [[40, 'Kreativbüro Nord · Kaistraße 8 · 24103 Kiel']],
    [[40, 'Hotel Seeblick GmbH']],
    [[40, 'Strandweg 1']],
    [[40, '23669 Timmendorfer Strand']],
    [[40, 'Rechnung Nr. 2023-018 Datum: 03.04.2023']],
    [[40, 'Rechnungsbetrag 1.154,30 €']],
    [[40, 'USt-IdNr. DE123456789 Steuernr. 20/123/45678']],
  );
  assert.equal(fields.customer_tax_id, undefined);
});

test('a service address is what its caption says, not where the provider sits', () => {
  const { service_address: address } = extracted(
    'utility_bill',
    [[40, 'Town of Fairview Utilities']],
    [[40, '100 Town Hall Rd, Fairview, NC 28730']],
    [[40, 'Customer Name: HOLLY JENKINS']],
    [[40, 'Service Address: 18 CREEKSIDE LN']],
    [[40, 'Total Due $67.10']],
  );
  assert.equal(address?.value, '18 CREEKSIDE LN');
});

test('a bank has no address where the only one is its customer’s', () => {
  const fields = extracted(
    'bank_statement',
    [
      [40, 'Example Bank'],
      [300, 'Statement Period 03/01/2023 to 03/31/2023'],
    ],
    null,
    [[40, 'MARY MAJOR']],
    [[40, '18 CREEKSIDE LN']],
    [[40, 'FAIRVIEW NC 28730']],
    null,
    [[40, 'Beginning balance 1,500.00']],
    [[40, 'Ending balance 2,350.00']],
  );
  assert.equal(fields.account_holder?.value, 'MARY MAJOR');
  assert.equal(fields.bank_address, undefined);
});

test('two readings of a meter prove what was consumed, whatever unit its charge has', () => {
  const fields = extracted(
    'utility_bill',
    [[40, 'Meter no. 45591102']],
    [
      [40, 'Previous reading 33,120'],
      [220, 'Present reading 33,902'],
      [400, 'Units 782'],
    ],
    [[40, 'Unit rate 782 kWh x €0.4127']],
    [[40, 'This time last year 1,188 kWh']],
    [[40, 'Total due €404.30']],
  );
  assert.equal(fields.consumption?.value, 782);
  assert.equal(fields.consumption_unit?.value, 'kWh');
});

test('what was consumed in another year is not this bill’s', () => {
  const { consumption } = extracted(
    'utility_bill',
    [[40, 'Polderstroom B.V.']],
    [[40, 'Verbruik vorig jaar 2.710 kWh']],
    [[40, 'Te betalen € 64,10']],
  );
  assert.equal(consumption, undefined);
});

test('the address of a block at its caption begins below the name', () => {
  const rows = (...service: PrintedRow[]) =>
    extracted('utility_bill', [[40, 'Piedmont Valley Gas']], ...service, [[40, 'Total amount due $58.92']]);
  const below = rows(
    [[40, 'Service to']],
    [[40, 'MARIA T DELGADO']],
    [[40, '4415 Pecan Hollow Ln Apt 7']],
    [[40, 'Charlotte, NC 28205']],
  );
  assert.equal(below.service_address?.value, '4415 Pecan Hollow Ln Apt 7, Charlotte, NC 28205');
  const behind = rows(
    [[40, 'Customer name: NOLAN FITCH']],
    [[40, 'Service for: NOLAN FITCH, 18 Larkspur Ln, Topeka KS 66604']],
  );
  assert.equal(behind.service_address?.value, '18 Larkspur Ln, Topeka KS 66604');
});

test('a bill’s number and day may stand in its title, its due date in a sentence', () => {
  const fields = extracted(
    'utility_bill',
    [[40, 'Acque Padane S.p.A.']],
    [[40, 'Bolletta n. 2023/0041188 del 14/03/2023']],
    [[40, 'Totale da pagare 127,44 €']],
  );
  assert.equal(fields.bill_number?.value, '2023/0041188');
  assert.equal(fields.bill_date?.value, '2023-03-14');
  const debited = extracted(
    'utility_bill',
    [[40, 'Telnova Deutschland GmbH']],
    [[40, 'Rechnungsbetrag 39,95 €']],
    [[40, 'Der Betrag wird am 16.02.2023 von Ihrem Konto abgebucht.']],
  );
  assert.equal(debited.due_date?.value, '2023-02-16');
  assert.equal(debited.period_start_date, undefined);
});

test('an account number in groups is taken whole', () => {
  const { account_number: number } = extracted(
    'utility_bill',
    [
      [40, 'Redgum Power Pty Ltd'],
      [300, 'Account no.'],
      [400, '3301 8827 5'],
    ],
    [[40, 'Supply address: Unit 3, 21 Banksia St, Brunswick VIC 3056']],
    [[40, 'Total due $318.05']],
  );
  assert.equal(number?.value, '3301 8827 5');
});

test('the day of an earlier payment begins no period', () => {
  const { period_start_date: start } = extracted(
    'utility_bill',
    [[40, 'HIGH PLAINS RURAL ELECTRIC ASSN']],
    [[40, 'PREVIOUS BALANCE 166.02']],
    [[40, 'PAYMENT 12/19/22 166.02CR']],
    [[40, 'TOTAL AMOUNT DUE 202.31']],
  );
  assert.equal(start, undefined);
});

test('pharmacy routing is read behind each caption, and where both share one', () => {
  const rows = (...routing: PrintedRow[]) => extracted('insurance_card', [[40, 'Franklin Health Plan']], ...routing);
  const each = rows([[40, 'RxBIN 004336 RxPCN MCAIDADV RxGRP RX5439']]);
  assert.deepEqual([each.rx_bin?.value, each.rx_pcn?.value], ['004336', 'MCAIDADV']);
  const shared = rows([[40, 'RX BIN / PCN']], [[40, '003858 / A4']]);
  assert.deepEqual([shared.rx_bin?.value, shared.rx_pcn?.value], ['003858', 'A4']);
});

test('the first of the persons that a card numbers is its member', () => {
  const { member_name: member } = extracted(
    'insurance_card',
    [[40, 'Alderna']],
    [[40, '01 MICHELLE A TRAN']],
    [[40, '02 DAVID TRAN']],
  );
  assert.equal(member?.value, 'MICHELLE A TRAN');
});

test('a German insured number is known by its check digit', () => {
  const { member_id: id } = extracted(
    'insurance_card',
    [[40, 'Gesundheitskarte']],
    [[40, 'Sabine Hofmann']],
    [
      [40, '108018347'],
      [200, 'A123456780'],
    ],
  );
  assert.equal(id?.value, 'A123456780');
  assert.ok(id?.flags.includes('check_digit_holds'));
  const { member_id: invalid } = extracted('insurance_card', [[40, 'Gesundheitskarte']], [[40, 'A123456781']]);
  assert.ok(!invalid?.flags.includes('check_digit_holds'));
});

test('the European card is read by the numbers of its boxes', () => {
  const fields = extracted(
    'insurance_card',
    [[40, 'EUROPEAN HEALTH INSURANCE CARD']],
    [[40, '3 Name']],
    [[40, 'KOWALSKA']],
    [
      [40, '4 Given names'],
      [250, '5 Date of birth'],
    ],
    [
      [40, 'ANNA'],
      [250, '12/05/1990'],
    ],
    [[40, '6 Personal identification number']],
    [[40, '90051212345']],
    [[40, '7 Identification number of the institution']],
    [[40, '0600000 - NFZ']],
  );
  assert.equal(fields.member_name?.value, 'ANNA KOWALSKA');
  assert.equal(fields.member_id?.value, '90051212345');
  assert.equal(fields.insurer_name?.value, 'NFZ');
  assert.equal(fields.effective_date, undefined);
});

test('the day of an earlier collection or a late charge is no due date', () => {
  for (const sentence of [
    'Your direct debit was received on Mar 14, 2023',
    'A late fee of 5 % is charged on Apr 28, 2023',
  ]) {
    const { due_date: due } = printed('utility_bill', [[40, 'Northern Gas Company']], [[40, sentence]]);
    assert.equal(due, undefined);
  }
});

test('a check names its drawer in its corner, and its payee beside a caption of three lines', () => {
  const fields = extracted(
    'check',
    [
      [40, 'KESTREL PROPERTY MANAGEMENT LLC'],
      [300, 'First Prairie Bank'],
      [520, '020418'],
    ],
    [[40, '801 Harney St']],
    [[40, 'Omaha, NE 68102']],
    null,
    [[40, 'PAY Two Thousand One Hundred Forty and 75/100 Dollars']],
    null,
    [
      [40, 'TO THE'],
      [100, 'Ironbridge Plumbing Co.'],
      [420, '$2,140.75'],
    ],
    [
      [40, 'ORDER'],
      [100, '77 Leavenworth'],
    ],
    [
      [40, 'OF'],
      [100, 'Omaha, NE 68102'],
    ],
    null,
    [
      [40, 'MEMO'],
      [80, 'boiler'],
      [400, 'Lorenzo Vitale'],
    ],
  );
  assert.equal(fields.payer_name?.value, 'KESTREL PROPERTY MANAGEMENT LLC');
  assert.equal(fields.payee_name?.value, 'Ironbridge Plumbing Co.');
  assert.equal(fields.memo?.value, 'boiler');
});

test('a licence without captions has its names above the street, and no number behind DD', () => {
  const unnamed = extracted(
    'driver_license',
    [[40, 'NEW YORK STATE DRIVER LICENSE']],
    [[40, 'ID 408 221 973']],
    [[40, 'PETROVA']],
    [[40, 'IRINA']],
    [[40, '91 SEDGWICK DR']],
    [[40, 'REGO PARK, NY 11374']],
    [[40, 'DOB 12/05/1979']],
  );
  assert.equal(unnamed.surname?.value, 'PETROVA');
  assert.equal(unnamed.given_names?.value, 'IRINA');
  assert.equal(unnamed.document_number?.value, '408 221 973');
  const numbered = extracted(
    'driver_license',
    [[40, 'TEXAS DRIVER LICENSE']],
    [
      [40, '4d DL'],
      [90, '31882094'],
    ],
    [[40, '1 VILLARREAL']],
    [[40, '2 ANA LUCIA']],
    [[40, '5 DD 00112233445566778899']],
  );
  assert.equal(numbered.document_number?.value, '31882094');
});

test('a statement of taxes that is set as a letter has its payer above its recipient', () => {
  const fields = printed(
    'tax_form',
    [
      [40, 'LAKESHORE COMMUNITY BANK'],
      [340, '2021 Form 1099-INT Interest Income'],
    ],
    [[40, 'PO BOX 771']],
    [[40, 'MADISON WI 53701']],
    null,
    null,
    [[40, 'WILLIAM F GARNER']],
    [[40, '8 HOLLOW CREEK RD']],
    [[40, 'MADISON WI 53704']],
  );
  assert.equal(fields.payer_name?.value, 'LAKESHORE COMMUNITY BANK');
  assert.equal(fields.recipient_name?.value, 'WILLIAM F GARNER');
  assert.equal(fields.recipient_address?.value, '8 HOLLOW CREEK RD, MADISON WI 53704');
});

test('net pay is what is paid out, and a month may stand beside its title', () => {
  const fields = extracted(
    'payslip',
    [
      [40, 'Abrechnung der Brutto/Netto-Bezüge'],
      [300, 'für April 2023'],
    ],
    [
      [40, 'Netto-Verdienst'],
      [400, '2.358,44'],
    ],
    [
      [40, 'VWL'],
      [400, '-40,00'],
    ],
    [
      [40, 'Auszahlungsbetrag'],
      [400, '2.318,44'],
    ],
  );
  assert.equal(fields.net_pay?.value, 2318.44);
  assert.equal(fields.period_start_date?.value, '2023-04-01');
});

test('what is to be paid may be asked as a question, and collected from a day on', () => {
  const english = extracted(
    'utility_bill',
    [
      [40, 'Total electricity charges'],
      [400, '£261.55'],
    ],
    [
      [40, 'VAT at 5%'],
      [400, '£13.08'],
    ],
    [
      [40, 'What you need to pay'],
      [400, '£274.63'],
    ],
  );
  assert.equal(english.total_amount?.value, 274.63);
  const french = extracted('utility_bill', [[40, 'Facture du 05/06/2023']], [[40, 'Prélevé à partir du 21/06/2023']]);
  assert.equal(french.due_date?.value, '2023-06-21');
});

test('a card is known by its last digits, a branch of a chain by the chain, a company by its domain', () => {
  const receipt = printed(
    'receipt',
    [[40, 'WELCOME TO']],
    [[40, 'QUIKSTOP #2219']],
    [[40, 'NUMBER: ************9015']],
  );
  assert.equal(receipt.merchant_name?.value, 'QUIKSTOP');
  assert.equal(receipt.card_last4?.value, '9015');
  const card = printed(
    'business_card',
    [[40, 'Brightwater']],
    [[40, 'PARTNERS']],
    null,
    [[40, 'Katherine Bloom']],
    [[40, 'Senior Account Director']],
    [[40, 'kbloom@brightwaterpartners.com']],
  );
  assert.equal(card.company_name?.value, 'Brightwater PARTNERS');
});

test('a Medicare card has its number by its form, and a statement its opening balance behind a day', () => {
  const card = printed('insurance_card', [[40, 'RUTH A COLEMAN']], [[40, '1EG4-TE5-MK72']], [[40, '1SL4-TE5-MK72']]);
  assert.equal(card.member_id?.value, '1EG4-TE5-MK72');
  const statement = printed('bank_statement', [
    [40, '01 Sep'],
    [90, 'Balance from statement 13'],
    [520, '820.11'],
  ]);
  assert.equal(statement.opening_balance?.value, 820.11);
});

test('French pay is what is paid after tax, and a form before a name makes it a company', () => {
  const fields = printed(
    'payslip',
    [
      [40, 'Net à payer avant impôt sur le revenu'],
      [400, '1 810,88'],
    ],
    [
      [40, 'Net payé'],
      [400, '1 745,12'],
    ],
  );
  assert.equal(fields.net_pay?.value, 1745.12);
  assert.equal(isOrganizationName('SARL Martin & Fils'), 'legal_form');
});

test('a bank is no person, and the caption of a tax number no number of an invoice', () => {
  const statement = extracted(
    'bank_statement',
    [[40, 'Bank']],
    [[40, 'Margaret Oyelowo']],
    [[40, 'Account number 0044 8812']],
  );
  assert.notEqual(statement.bank_name?.value, 'Margaret Oyelowo');
  const invoice = extracted(
    'invoice',
    [[40, 'Studio Ferri S.r.l.']],
    [[40, 'P.IVA 02441180371']],
    [[40, 'Fattura n. 45/2023 del 30/04/2023']],
  );
  assert.equal(invoice.invoice_number?.value, '45/2023');
});

test('a receipt of one amount has it as its total, and its title is no part of the merchant', () => {
  const fields = extracted(
    'receipt',
    [[40, 'RECEIPT']],
    [[40, 'Parkwell Garages']],
    [[40, '41 Bridge Street']],
    [[40, 'Springfield, IL 62701']],
    [[40, 'Entered 11/04/2025 09:14']],
    [[40, 'Fee due: $18.00']],
    [[40, 'Paid: $18.00']],
  );
  assert.equal(fields.total_amount?.value, 18);
  assert.equal(fields.merchant_name?.value, 'Parkwell Garages');
  assert.equal(printed('receipt', [[40, 'Fee: $18.00']], [[40, 'Paid: $20.00']]).total_amount, undefined);
});

test('a place of supply ends with its street where no town stands behind it', () => {
  const fields = extracted(
    'utility_bill',
    [
      [40, 'Service description: HOUSE'],
      [250, 'Service address: 2210 COUNTY RD 8'],
    ],
    [
      [40, 'Meter no'],
      [150, 'Service from'],
      [250, 'Readings prev'],
    ],
    [
      [40, '7718820'],
      [150, '06/28/2023'],
      [250, '40211'],
    ],
  );
  assert.equal(fields.service_address?.value, '2210 COUNTY RD 8');
});

test('a number is answered without the abbreviation before it, and a tax point is the day of an invoice', () => {
  const fields = extracted(
    'invoice',
    [[40, 'FATTURA N. 0001188']],
    [
      [40, 'Tax Point'],
      [120, '14/04/2023'],
    ],
  );
  assert.equal(fields.invoice_number?.value, '0001188');
  assert.equal(fields.invoice_date?.value, '2023-04-14');
});

test('a card’s address is its street with the town below, without the names above', () => {
  const fields = printed(
    'driver_license',
    [[40, 'DL Y4471803']],
    [[40, 'LN DOE-ROE']],
    [[40, 'FN DARIUS REN']],
    [[40, '2750 CAMINO DEL RIO APT 214']],
    [[40, 'SAN DIEGO, CA 92108']],
  );
  assert.equal(fields.address?.value, '2750 CAMINO DEL RIO APT 214, SAN DIEGO, CA 92108');
});

test('British drivers have a number of their own form, and small letters among their classes', () => {
  const fields = printed('driver_license', [[40, '5. OSBOR 857143 HM9TF 41']], [[40, '9. AM/B/BE/f/k/q']]);
  assert.equal(fields.document_number?.value, 'OSBOR 857143 HM9TF 41');
  assert.equal(fields.vehicle_classes?.value, 'AM, B, BE, f, k, q');
});

test('a numbered licence has its address in two lines, and an initial that OCR took for a digit', () => {
  const fields = printed(
    'driver_license',
    [[40, 'DRIVING LICENCE']],
    [[40, '3.17.05.1984 UNITED KINGDOM']],
    [[40, '5. PEMBE8051740J9KL 41']],
    [[40, '8.24 CLARENDON GARDENS, BRISTOL,']],
    [[66, 'BS6 7LN']],
  );
  assert.equal(fields.document_number?.value, 'PEMBE805174OJ9KL 41');
  assert.equal(fields.place_of_birth?.value, 'UNITED KINGDOM');
  assert.equal(fields.address?.value, '24 CLARENDON GARDENS, BRISTOL, BS6 7LN');
});

test('a caption of both names has the given ones below the surname and its comma', () => {
  const fields = printed(
    'driver_license',
    [[40, '1,2 NAME/NOM']],
    [[40, 'FITZPATRICK,']],
    [[40, 'SIOBHAN MARIE']],
    [[40, '4d NUMBER/NUMÉRO']],
    [[40, 'F4471 - 68295 - 05914']],
    [[40, '12 REST/COND']],
    [[40, 'X']],
  );
  assert.equal(fields.surname?.value, 'FITZPATRICK');
  assert.equal(fields.given_names?.value, 'SIOBHAN MARIE');
  assert.equal(fields.document_number?.value, 'F4471-68295-05914');
  assert.equal(fields.restrictions?.value, 'X');
});

test('the first group of a number is no number of a field', () => {
  const fields = printed(
    'driver_license',
    [[40, 'Harriet Louise DUNSTAN']],
    [[40, 'Card Number']],
    [[40, '2 041 887 563']],
    [[40, 'WAGGA WAGGA NSW 2650']],
  );
  assert.equal(fields.surname?.value, 'DUNSTAN');
  assert.equal(fields.given_names?.value, 'Harriet Louise');
});

test('a place of birth has its province or country, and no date', () => {
  const place = (text: string) =>
    printed('id_card', [[40, 'LUOGO E DATA DI NASCITA / PLACE AND DATE OF BIRTH']], [[40, text]]).place_of_birth?.value;
  assert.equal(place('TREVIGLIO (BG) 30.01.1994'), 'TREVIGLIO (BG)');
  assert.equal(place('OHIO, U.S.A.'), 'OHIO, U.S.A.');
});

test('an Indian taxpayer’s number stands without a caption', () => {
  const fields = printed('id_card', [[40, 'GOVT. OF INDIA']], [[40, 'BKQPR4871M']], [[40, 'RAGHAV SUBRAMANIAN']]);
  assert.equal(fields.document_number?.value, 'BKQPR4871M');
});

test('names may begin with particles, and given names have commas between them', () => {
  const dutch = printed('driver_license', [[40, '1. van der Heijden']], [[40, '2. Bastiaan Pieter']]);
  assert.equal(dutch.surname?.value, 'van der Heijden');
  const french = printed('driver_license', [[40, '1. LEMAÎTRE']], [[40, '2. Aurélie, Manon']]);
  assert.equal(french.given_names?.value, 'Aurélie Manon');
  const listed = printed('driver_license', [[40, 'Last Name']], [[40, 'DELA ROSA, JOCELYN, MANALO']]);
  assert.equal(listed.surname?.value, 'DELA ROSA');
  assert.equal(listed.given_names?.value, 'JOCELYN MANALO');
});

test('a number may begin with a group of letters, and a Malaysian one stands alone', () => {
  const polish = printed('id_card', [[40, 'IDENTITY CARD NUMBER']], [[40, 'DBN 471829']]);
  assert.equal(polish.document_number?.value, 'DBN 471829');
  const malaysian = printed('id_card', [[40, '910823-14-5527']], [[40, 'NO 17 JALAN CEMPAKA 3']], [[40, 'LELAKI']]);
  assert.equal(malaysian.document_number?.value, '910823-14-5527');
  assert.equal(malaysian.sex?.value, 'M');
});

test('where captions run into one line, a value is that below the words of its own', () => {
  const fields = printed(
    'passport',
    [[40, '7 Date of issue/Date de délivrance Authority/Autorité']],
    [
      [40, '03.08.2022'],
      [260, 'STADT KASSEL'],
    ],
  );
  assert.equal(fields.issue_date?.value, '2022-08-03');
  assert.equal(fields.issuing_authority?.value, 'STADT KASSEL');
});

test('a zone that lost the filler behind a number does not lengthen it by its check digit', () => {
  const fields = printed(
    'passport',
    [[40, 'Passport No.']],
    [[40, 'AK471829']],
    [[40, 'AK4718295027905090290209<<<<<<<<<<<<<<<2']],
  );
  assert.equal(fields.document_number?.value, 'AK471829');
});

test('a number behind 4d is the licence’s, not what stands below it', () => {
  const fields = printed('driver_license', [[40, '4d DL R4718 29365 08712']], [[40, '3 DOB 08-21-1971']]);
  assert.equal(fields.document_number?.value, 'R4718 29365 08712');
});

test('a card without a caption of the given names has them below the surname', () => {
  const passport = printed('passport', [[40, 'Name']], [[40, 'MACALLISTER']], [[40, 'FIONA JEAN']]);
  assert.equal(passport.surname?.value, 'MACALLISTER');
  assert.equal(passport.given_names?.value, 'FIONA JEAN');
});

test('a caption goes on where recognition misread it in another language', () => {
  const swiss = printed('id_card', [[40, 'Name,Nom,Cognome,Sumame']], [[40, 'Zurbriggen']], [[40, 'Vorname']]);
  assert.equal(swiss.surname?.value, 'Zurbriggen');
  const french = printed(
    'id_card',
    [[40, 'NOM / Surname']],
    [[40, 'DUCHAMP']],
    [[40, 'Prénoms / Given names']],
    [[40, 'Margaux']],
    [[40, 'LIEU DE NAISSANCE / Place of birth']],
    [[40, 'PARIS 12E']],
    [[40, 'NOM D’USAGE / Alternate name']],
    [[40, 'N° DU DOCUMENT / Document No']],
    [[40, 'X4RTBPFW4']],
  );
  assert.equal(french.surname?.value, 'DUCHAMP');
  assert.equal(french.place_of_birth?.value, 'PARIS 12E');
  assert.equal(french.document_number?.value, 'X4RTBPFW4');
});

test('the address of a licence has its district or box, and no name above it', () => {
  const irish = printed(
    'driver_license',
    [[40, '1. NOLAN']],
    [[40, '8. 17 SEAPOINT AVENUE']],
    [[66, 'BLACKROCK']],
    [[66, 'CO DUBLIN A94 X2K7']],
    [[40, '9. AM/B']],
  );
  assert.equal(irish.address?.value, '17 SEAPOINT AVENUE, BLACKROCK, CO DUBLIN A94 X2K7');
  const american = extracted(
    'driver_license',
    [[40, 'DRIVER LICENSE']],
    [[40, '1 BEGAYE']],
    [[40, '2 LEONARD T']],
    [[40, '8 PO BOX 2207']],
    [[56, 'WINDOW ROCK, AZ 86515-2207']],
  );
  assert.equal(american.address?.value, 'PO BOX 2207, WINDOW ROCK, AZ 86515-2207');
});

test('an Indian card has its number in groups and its sex without captions', () => {
  const fields = printed('id_card', [[40, 'Government of India']], [[40, 'MALE']], [[40, '4471 8830 2295']]);
  assert.equal(fields.document_number?.value, '4471 8830 2295');
  assert.equal(fields.sex?.value, 'M');
});

test('Australian cards have given names first, or the surname in capitals', () => {
  const turned = printed(
    'driver_license',
    [[40, 'VICTORIA AUSTRALIA']],
    [[40, 'THEO ANDREAS']],
    [[40, 'DOE']],
    [[40, '210 HIGH ST']],
    [[40, 'NORTHCOTE VIC 3070']],
  );
  assert.equal(turned.surname?.value, 'DOE');
  assert.equal(turned.given_names?.value, 'THEO ANDREAS');
  const mixed = printed('driver_license', [[40, 'New South Wales, Australia']], [[40, 'Bridget Anne DOE']]);
  assert.equal(mixed.surname?.value, 'DOE');
  assert.equal(mixed.given_names?.value, 'Bridget Anne');
});

test('a second surname stands below the first one', () => {
  const fields = printed(
    'id_card',
    [[40, 'APELLIDOS']],
    [[40, 'ARRIBAS']],
    [[40, 'MONTALVO']],
    [[40, 'NOMBRE']],
    [[40, 'NOELIA']],
  );
  assert.equal(fields.surname?.value, 'ARRIBAS MONTALVO');
});

test('no other numbered field of a licence is an address, and its title names its country', () => {
  const fields = printed(
    'driver_license',
    [[40, 'BUNDESREPUBLIK DEUTSCHLAND']],
    [[40, '1. MUSTER']],
    [[40, '2. TJARK ENNO']],
    [[40, '9. AM/B/BE/L']],
  );
  assert.equal(fields.address ?? undefined, undefined);
  assert.equal(fields.issuing_country?.value, 'DE');
});

test('a licence’s own number stands beside the card’s, and a unit is nobody’s name', () => {
  const fields = printed(
    'driver_license',
    [
      [40, 'Driver Licence'],
      [300, 'New South Wales, Australia'],
    ],
    [[40, 'Card Number']],
    [[40, '2 044 718 336']],
    [[40, 'UNIT 4']],
    [[40, '17 WATTLE ST']],
    [[40, 'LISMORE NSW 2480']],
    [[40, 'Licence No.']],
    [[40, '18 402 771']],
  );
  assert.equal(fields.document_number?.value, '18 402 771');
  assert.equal(fields.issuing_country?.value, 'AU');
  assert.notEqual(fields.given_names?.value, 'UNIT');
});

test('a German card has letters before its names and a number of nine', () => {
  const fields = printed(
    'id_card',
    [
      [40, 'BUNDESREPUBLIK DEUTSCHLAND'],
      [300, 'L7F0KX3M2'],
    ],
    [[40, '[a] Name / Surname / Nom']],
    [[40, '[a] VON DER MUSTER']],
  );
  assert.equal(fields.surname?.value, 'VON DER MUSTER');
  assert.equal(fields.document_number?.value, 'L7F0KX3M2');
});

test('the parts of a day in wide letters stand apart', () => {
  const fields = printed(
    'passport',
    [
      [40, 'Date of issue/Date de délivrance'],
      [300, 'Issuing Authority/Autorit6 de delivrance'],
    ],
    [
      [40, '21'],
      [60, 'JUNE/JUIN'],
      [118, '18'],
      [300, 'HALIFAX'],
    ],
  );
  assert.equal(fields.issue_date?.value, '2018-06-21');
  assert.equal(fields.issuing_authority?.value, 'HALIFAX');
});

test('a licence’s address goes on to a town whose blanks were lost, behind a number without one', () => {
  const fields = extracted(
    'driver_license',
    [[40, 'DRIVER LICENSE']],
    [[40, '1.SAMPLE']],
    [[40, '2.MARY']],
    [[40, '8.2209 BLUEBONNET LN']],
    [[56, 'SAN MARCOS,TX78666']],
  );
  assert.equal(fields.address?.value, '2209 BLUEBONNET LN, SAN MARCOS,TX78666');
});

test('a licence’s state may have its country behind it, and Australian ones all names in one line', () => {
  const fields = printed(
    'driver_license',
    [[40, 'DRIVER LICENCE']],
    [[40, 'VICTORIA AUSTRALIA']],
    null,
    [[40, 'TOBIAS JON MERRITHEW']],
    [[40, '118 RATHDOWNE STREET']],
    [[40, 'CARLTON NORTH VIC 3054']],
  );
  assert.equal(fields.issuing_authority?.value, 'VICTORIA');
  assert.equal(fields.surname?.value, 'MERRITHEW');
  assert.equal(fields.given_names?.value, 'TOBIAS JON');
});

test('every country’s code of a zone is known, whatever it is called in texts', () => {
  const fields = printed(
    'passport',
    [[40, 'P<GBRSAMPLE<<ROTIMI<JAMES<<<<<<<<<<<<<<<<<<<']],
    [[40, '5572044184GBR7609114M3304260<<<<<<<<<<<<<<<6']],
  );
  assert.equal(fields.issuing_country?.value, 'GB');
  assert.equal(fields.nationality?.value, 'GB');
});

test('a state is known by its title without marks of letters', () => {
  assert.equal(printed('id_card', [[40, 'REPUBLICA PORTUGUESA']]).issuing_country?.value, 'PT');
  assert.equal(printed('id_card', [[40, 'REPUBLIK ÖSTERREICH']]).issuing_country?.value, 'AT');
});

test('New York has letters for captions, and Ontario blanks beside the dashes of a number', () => {
  const fields = printed(
    'driver_license',
    [[40, 'NEW YORK STATE USA']],
    [[40, 'E NONE']],
    [[40, 'R B CORR LENSES']],
    [[40, '4d NUMBER/NUMERO']],
    [[40, 'T4417- 77208 - 10305']],
  );
  assert.equal(fields.endorsements?.value, 'NONE');
  assert.equal(fields.restrictions?.value, 'B');
  assert.equal(fields.document_number?.value, 'T4417-77208-10305');
});

test('a signature that OCR joins to the value below a caption is no part of it', () => {
  const document = typeset([[[280, 'autoriteit / authority']], [[60, 'FC Sample Burg. van Schouwen-Duiveland']]]);
  const [page] = document.pages;
  const words = page!.words.map((word) => {
    const at = ['FC', 'Sample', 'Burg.', 'van', 'Schouwen-Duiveland'].indexOf(word.text);
    const x0 = [60, 100, 276, 330, 360][at] ?? word.box.x0;
    const x1 = at < 0 ? word.box.x1 : ([95, 270, 325, 355, 520][at] ?? word.box.x1);
    return { ...word, source: 'ocr:ppocr:1' as const, box: { ...word.box, x0, x1 } };
  });
  const fields = compose('id_card', { ...document, pages: [{ ...page!, words }] });
  assert.equal(fields.issuing_authority?.value, 'Burg. van Schouwen-Duiveland');
});

test('a European licence has several numbered fields in a line, and a letter right before a figure is a class', () => {
  const fields = printed(
    'driver_license',
    [[40, 'PERMIS DE CONDUIRE RÉPUBLIQUE FRANÇAISE']],
    [[140, '1. SAMPLE']],
    [[140, '2. Étienne, Paul']],
    [[140, '4a. 03.03.2022 4b. 03.03.2037']],
    [[140, '4c. Préfet 87 4d.']],
    [[140, '5. 22AB44718']],
    [[140, '9. A1/B']],
  );
  assert.equal(fields.issue_date?.value, '2022-03-03');
  assert.equal(fields.expiry_date?.value, '2037-03-03');
  assert.equal(fields.issuing_authority?.value, 'Préfet 87');
  assert.equal(fields.vehicle_classes?.value, 'A1, B');
  assert.equal(fields.endorsements, undefined);
  assert.equal(fields.issuing_country?.value, 'FR');
});

test('a European licence’s number is its field 5, whatever its 4d', () => {
  const fields = printed(
    'driver_license',
    [[40, 'RIJBEWIJS']],
    [[140, '1. de Sample']],
    [[140, '4c. Gemeente Almelo']],
    [[140, '4d. 447182209']],
    [[140, '5. 5447182209']],
    [[140, '9. AM/B/T']],
  );
  assert.equal(fields.document_number?.value, '5447182209');
});

test('a state has its name in several languages, and a card both days of validity at one caption', () => {
  const romanian = printed(
    'id_card',
    [[40, 'ROUMANIE ROMÂNIA ROMANIA']],
    [[40, 'SERIA KX NR 447182']],
    [[40, 'CNP 1870821447182']],
    [
      [140, 'Emisă de/Delivree par/Issued by'],
      [320, 'Valabilitate/Validite/Validity'],
    ],
    [
      [140, 'SPCLEP Cluj-Napoca'],
      [320, '14.08.19-21.08.2029'],
    ],
  );
  assert.equal(romanian.issuing_country?.value, 'RO');
  assert.equal(romanian.document_number?.value, 'KX447182');
  assert.equal(romanian.personal_number?.value, '1870821447182');
  assert.equal(romanian.issue_date?.value, '2019-08-14');
  assert.equal(romanian.expiry_date?.value, '2029-08-21');
  assert.equal(romanian.issuing_authority?.value, 'SPCLEP Cluj-Napoca');
  const belgian = printed(
    'id_card',
    [[40, 'BELGIË BELGIQUE BELGIEN BELGIUM']],
    [[140, 'Nationaliteit / Nationality']],
    [[140, 'BELG']],
    [[140, 'Kaartnr. / Card N°']],
    [[140, '592-4471822-33']],
  );
  assert.equal(belgian.issuing_country?.value, 'BE');
  assert.equal(belgian.nationality?.value, 'BE');
  assert.equal(belgian.document_number?.value, '592-4471822-33');
});

test('a total that leaves out the tax on the sum before it is doubted, and a tax number is no telephone’s', () => {
  const fields = extracted(
    'invoice',
    [[40, 'Northwind Paper Ltd']],
    [[40, '12 Mill Lane, Leeds LS1 4AB, United Kingdom']],
    [[40, 'VAT registration GB 123 4567 82']],
    [[40, 'INVOICE']],
    [[40, 'Invoice number: INV-2045']],
    [[40, 'Invoice date: 2026-03-14']],
    [[40, 'Bill to: Harbour Books Ltd, 3 Quay Street, Bristol BS1 5TX']],
    [[40, 'Subtotal: EUR 1200.00']],
    [[40, 'VAT 19%: EUR 228.00']],
    [[40, 'Total: EUR 1248.00']],
  );
  assert.deepEqual([fields.tax_amount?.value, fields.tax_rate?.value, fields.total_amount?.value], [228, 19, 1248]);
  assert.ok(fields.total_amount?.flags.includes('arithmetic_fails'));
  assert.equal(fields.tax_rate?.flags.includes('arithmetic_fails'), false);
  assert.equal(fields.vendor_phone, undefined);
});
