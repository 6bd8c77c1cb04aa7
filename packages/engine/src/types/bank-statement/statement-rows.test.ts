import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { withMarkedSigns } from './rules.ts';
import { checkedByRows, withFirstBalance, withoutOtherStart } from './statement-rows.ts';

const value = (amount: number, flags: ExtractedValue['flags'] = []): ExtractedValue => ({
  value: amount,
  confidence: 80,
  provenance: [],
  flags,
});

const rows = [{ credit: value(2400) }, { debit: value(62.1) }, { debit: value(980) }];

test('transactions that lead from one balance to the other prove both', () => {
  const fields = checkedByRows({ opening_balance: value(1210.55), closing_balance: value(2568.45) }, rows);
  for (const { confidence, flags } of Object.values(fields)) {
    assert.equal(confidence, 97);
    assert.deepEqual(flags, ['arithmetic_holds']);
  }
});

test('the sum of one kind of debits is not that of all', () => {
  const fields = checkedByRows(
    {
      opening_balance: value(1210.55),
      closing_balance: value(2568.45),
      total_credits: value(2400, ['arithmetic_fails']),
      total_debits: value(62.1, ['arithmetic_fails']),
    },
    rows,
  );
  assert.deepEqual(Object.keys(fields), ['opening_balance', 'closing_balance', 'total_credits']);
  assert.deepEqual(fields.total_credits?.flags, ['arithmetic_holds']);
});

test('transactions that end at another balance prove nothing', () => {
  const fields = { opening_balance: value(1210.55), closing_balance: value(2500) };
  assert.deepEqual(checkedByRows(fields, rows), fields);
});

test('a balance in credit is the holder’s, and one in debit is overdrawn', () => {
  const marked = (amount: number, text: string): ExtractedValue => ({
    ...value(amount),
    provenance: [{ page: 1, box: { x0: 0, y0: 0, x1: 1, y1: 1 }, text, source: 'text' }],
  });
  const fields = withMarkedSigns({
    opening_balance: marked(-1210.55, '1,210.55 Cr'),
    closing_balance: marked(40, '40.00DR'),
    total_credits: marked(-2400, '2,400.00 CR'),
    total_debits: marked(62.1, '62.10'),
  });
  assert.deepEqual(
    Object.values(fields).map((each) => each.value),
    [1210.55, -40, 2400, 62.1],
  );
});

test('the sum of what went out is known by its transactions, whatever its label', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Sample Savings Bank']],
      [
        [40, 'Previous Balance 04/30/24'],
        [300, '2,041.88'],
      ],
      [
        [40, '- Checks/Debits'],
        [200, '2'],
        [300, '368.22'],
      ],
      [
        [40, 'Current Balance'],
        [300, '2,173.66'],
      ],
      null,
      [
        [40, 'Date'],
        [120, 'Description'],
        [320, 'Amount'],
        [420, 'Balance'],
      ],
      [
        [40, '05/02/24'],
        [120, 'POS PURCHASE'],
        [320, '118.22-'],
        [420, '1,923.66'],
      ],
      [
        [40, '05/10/24'],
        [120, 'DIRECT DEP PAYROLL'],
        [320, '500.00'],
        [420, '2,423.66'],
      ],
      [
        [40, '05/15/24'],
        [120, 'CHECK 1182'],
        [320, '250.00-'],
        [420, '2,173.66'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.total_debits?.value, 368.22);
});

test('a statement of an Indian bank has its address, not the holder’s, and the totals of its columns', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'KAVERI NATIONAL BANK']],
      [[40, 'Branch: T NAGAR, 44 USMAN ROAD, CHENNAI 600017']],
      null,
      [
        [40, 'Account Name'],
        [130, ': M/S VAIGAI AGENCIES'],
      ],
      [
        [40, 'Address'],
        [130, ': 12 PONDY BAZAAR, CHENNAI 600017'],
      ],
      [
        [40, 'CIF No'],
        [130, ': 88206447'],
      ],
      null,
      [
        [40, 'Date'],
        [120, 'Particulars'],
        [320, 'Debit INR'],
        [420, 'Credit (INR)'],
      ],
      [
        [40, '03/06/2025'],
        [120, 'TO CLG'],
        [320, '450.00'],
      ],
      [
        [40, '10/06/2025'],
        [120, 'BY NEFT'],
        [420, '882.50'],
      ],
      [
        [120, 'TOTAL'],
        [320, '450.00'],
        [420, '882.50'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.notEqual(fields.bank_address?.value, '12 PONDY BAZAAR, CHENNAI 600017');
  assert.equal(fields.statement_number, undefined);
  assert.equal(fields.total_debits?.value, 450);
  assert.equal(fields.total_credits?.value, 882.5);
});

test('what came in is what the summary calls all deposits and other credits', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Bluestem Bank']],
      [
        [40, 'Beginning balance on February 1, 2025'],
        [300, '$18,204.77'],
      ],
      [
        [40, 'Deposits and other credits'],
        [300, '22,418.00'],
        [400, 'Average ledger balance: $21,440.08'],
      ],
      [
        [40, 'Withdrawals and other debits'],
        [300, '-9,114.20'],
      ],
      [
        [40, 'Ending balance on February 28, 2025'],
        [300, '$27,085.39'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.total_credits?.value, 22418);
});

test('an account’s number may have its kind behind it, and a statement its number behind its title', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'SAMPLE BANK LTD'],
        [400, 'Statement 44 (Page 1 of 1)'],
      ],
      [[300, 'Account No : 50100228873314 PRIME']],
      [[300, 'Statement Period 1 Jul 2024-31 jul 2024']],
      [
        [40, 'Date'],
        [100, 'Narration'],
        [260, 'Chq./Ref.No.'],
        [360, 'Withdrawal Amt.'],
        [460, 'Closing Balance'],
      ],
      [
        [40, '03/07/24'],
        [100, 'RENT'],
        [260, '0000409411827731'],
        [360, '18,500.00'],
        [460, '69,912.35'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_number?.value, '50100228873314');
  assert.equal(fields.statement_number?.value, '44');
  assert.equal(fields.statement_end_date?.value, '2024-07-31');
});

test('a rural Irish address is nobody’s name, and the last row’s balance closes a statement that adds up', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Sample Bank'],
        [300, 'Account Number 30184427'],
      ],
      [[40, 'Main Street, Kilmallock, Co. Limerick']],
      null,
      null,
      [[40, 'MS SORCHA SAMPLE']],
      [[40, 'CLOGHAST']],
      [[40, 'BRUREE']],
      [[40, 'CO. LIMERICK']],
      null,
      [[40, 'Statement of Account']],
      [
        [40, 'Date'],
        [120, 'Details'],
        [300, 'Debit'],
        [400, 'Credit'],
        [500, 'Balance'],
      ],
      [
        [40, '31 May 2024'],
        [120, 'Balance Forward'],
        [500, '410.05'],
      ],
      [
        [40, '7 Jun 2024'],
        [120, 'GROCERIES'],
        [300, '97.25'],
        [500, '312.80'],
      ],
      [
        [40, '21 Jun 2024'],
        [120, 'WAGES'],
        [400, '1,300.00'],
        [500, '1,612.80'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_name?.value, 'Sample Bank');
  assert.equal(fields.account_holder?.value, 'MS SORCHA SAMPLE');
  assert.equal(fields.closing_balance?.value, 1_612.8);
});

test('a card’s holder may stand without an address above its number', () => {
  const { fields } = extractFromWords(
    typeset([[[40, 'JOSEPHINE SAMPLE']], [[40, 'Account ending in 8814']], [[40, 'New Balance $1,337.02']]]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_holder?.value, 'JOSEPHINE SAMPLE');
});

test('a bank’s code is no holder of an account', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Frau'],
        [300, 'IBAN DE44 1705 6060 0041 1882 07'],
      ],
      [
        [40, 'Jane Doe'],
        [300, 'BIC WELADED1UMX'],
      ],
      [[40, 'Seestr. 9']],
      [[40, '17291 Prenzlau']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.notEqual(fields.account_holder?.value, 'BIC WELADED1UMX');
});

test('the row of the closing balance may have the sums of the other columns', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Particulars'],
        [200, 'Withdrawals'],
        [300, 'Deposits'],
        [400, 'Balance'],
      ],
      [
        [40, 'OPENING BALANCE'],
        [400, '84,210.55'],
      ],
      [
        [40, 'Example bill'],
        [200, '17,340.00'],
        [400, '66,870.55'],
      ],
      [
        [40, 'Example interest'],
        [300, '3,585.00'],
        [400, '70,455.55'],
      ],
      [
        [40, 'Closing balance'],
        [200, '17,340.00'],
        [300, '3,585.00'],
        [400, '70,455.55'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.closing_balance?.value, 70_455.55);
});

test('the day of a balance behind the first transaction begins no statement', () => {
  const day = (text: string) => ({ ...value(0), value: text });
  const fields = { statement_start_date: day('2024-03-28'), statement_end_date: day('2024-03-28') };
  assert.deepEqual(Object.keys(withoutOtherStart(fields, [{ date: day('2024-03-01') }])), ['statement_end_date']);
  assert.deepEqual(Object.keys(withoutOtherStart(fields, [{ value_date: day('2024-03-01') }])), ['statement_end_date']);
  assert.deepEqual(Object.keys(withoutOtherStart(fields, [{ date: day('2024-03-28') }])), Object.keys(fields));
});

test('German savings banks explain what each transaction is', () => {
  const { lines } = extractFromWords(
    typeset([
      [[40, 'Sparkasse Musterland']],
      [
        [40, 'Datum'],
        [120, 'Erläuterung'],
        [320, 'Betrag Soll EUR'],
        [440, 'Betrag Haben EUR'],
      ],
      [
        [40, '01.03.2024'],
        [120, 'DAUERAUFTRAG Miete'],
        [320, '690,00'],
      ],
      [
        [40, '05.03.2024'],
        [120, 'LASTSCHRIFT Strom'],
        [320, '84,00'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.deepEqual(
    lines.map(({ description }) => description?.value),
    ['DAUERAUFTRAG Miete', 'LASTSCHRIFT Strom'],
  );
});

test('a statement’s number may stand below its title, before its day', () => {
  const { fields } = extractFromWords(
    typeset([[[300, 'RELEVÉ DE COMPTE']], [[300, 'n° 4 au 30/04/2024']], [[40, 'Crédit Exemple']]]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.statement_number?.value, '4');
});

test('a bank’s logo may have two lines, of which the second says what it is', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Great Basin']],
      [[40, 'Federal Credit Union']],
      null,
      [[40, 'JANE K DOE']],
      [[40, '2204 SAMPLE AVE']],
      [[40, 'RENO NV 89503']],
      null,
      [[40, 'Member Number 44177288']],
      [[40, 'Statement Period 01/01/23 - 01/31/23']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_name?.value, 'Great Basin Federal Credit Union');
});

test('what kind of bank it is stands small below a logo', () => {
  const document = typeset([
    [[40, 'Harborlight']],
    null,
    [[44, 'CREDIT UNION']],
    null,
    [[40, 'DESMOND R SAMPLE']],
    [[40, '19 EXAMPLE ST']],
    [[40, 'FAIRHAVEN MA 02719']],
    null,
    [[40, 'Statement Period: 06/01/24 - 06/30/24']],
  ]);
  const page = document.pages[0]!;
  const words = page.words.map((word) =>
    word.text === 'Harborlight' ? { ...word, box: { ...word.box, y1: word.box.y1 + 12, x1: word.box.x1 + 60 } } : word,
  );
  const { fields } = extractFromWords(
    { ...document, pages: [{ ...page, words }] },
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_name?.value, 'Harborlight CREDIT UNION');
});

test('a statement of a month holds from its first day, and the year is no number of it', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Girokonto Nummer 5419 3387 02']],
      [[40, 'Kontoauszug Mai 2025']],
      [
        [40, 'Buchung'],
        [160, 'Verwendungszweck'],
        [440, 'Betrag (EUR)'],
      ],
      [
        [40, '02.05.2025'],
        [160, 'Lastschrift Beispiel Energie'],
        [440, '-94,00'],
      ],
      [
        [40, '15.05.2025'],
        [160, 'Gehalt Muster Stiftung'],
        [440, '2.410,00'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.statement_start_date?.value, '2025-05-01');
  assert.equal(fields.statement_end_date?.value, '2025-05-31');
  assert.equal(fields.statement_number, undefined);
});

test('a day among the transactions begins no statement', () => {
  const day = (text: string, y0: number): ExtractedValue => ({
    ...value(0),
    value: text,
    provenance: [{ page: 1, box: { x0: 40, y0, x1: 90, y1: y0 + 10 }, text, source: 'text' }],
  });
  const rows = [{ date: day('2025-06-02', 300) }, { date: day('2025-06-30', 360) }];
  const startsAt = (y0: number) => withoutOtherStart({ statement_start_date: day('2025-06-03', y0) }, rows);
  assert.deepEqual(Object.keys(startsAt(330)), []);
  assert.deepEqual(Object.keys(startsAt(100)), ['statement_start_date']);
});

test('the account is the number that the IBAN has within it, and no address is a bank’s name', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'RELEVE DE COMPTES']],
      [[40, 'Date d’arrêté : 30 Avril 2025']],
      [
        [40, 'Compte de Dépôt'],
        [160, 'carte n° 497412XXXXXX0283'],
        [340, 'n° 40817263901'],
        [460, 'en euros'],
      ],
      [[40, 'IBAN : FR38 1940 6000 4040 8172 6390 117']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_number?.value, '40817263901');
});

test('a number may stand behind the kind of statement, and the page’s is none', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'EXTRATO COMBINADO N.º 004/2025']],
      [[40, 'NIB: 0035 0312 00004418700 12']],
      [[40, 'IBAN: PT29 0035 0312 0000 4418 7001 2']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.statement_number?.value, '004/2025');
  assert.equal(fields.account_number, undefined);
});

test('a letter’s sender in one line above the window is not whom it is sent to, and a branch is neither', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'NORDMUSTER Bank AG'],
        [420, 'Filiale Bremen-Neustadt'],
      ],
      [[420, 'Langemarckstraße 90']],
      [[420, '28199 Bremen']],
      null,
      [[40, 'NORDMUSTER Bank AG, 28199 Bremen']],
      [[40, 'Beispiel & Sohn Malerbetrieb GmbH']],
      [[40, 'Gastfeldstraße 14']],
      [[40, '28201 Bremen']],
      null,
      [[40, 'Kontoauszug vom 28.02.2025']],
      [
        [40, 'Auszug-Nr. 2'],
        [160, 'Blatt 1/1'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_holder?.value, 'Beispiel & Sohn Malerbetrieb GmbH');
  assert.equal(fields.bank_name?.value, 'NORDMUSTER Bank AG');
  assert.equal(fields.bank_address?.value, 'Langemarckstraße 90, 28199 Bremen');
  assert.equal(fields.statement_number?.value, '2');
});

test('a Dutch statement has its numbers, days and sums below their names, and the IBAN as its account’s number', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Voorbeeld Bank N.V.'],
        [340, 'Postbus 283, 1000 EA Amsterdam'],
      ],
      [[340, '0900-0024']],
      null,
      [[40, 'De heer J.W. Voorbeeld en/of']],
      [[40, 'mevrouw A. Voorbeeld-de Haan']],
      [[40, 'Iepenlaan 27']],
      [[40, '8442 GJ HEERENVEEN']],
      null,
      [[40, 'Rekeningafschrift']],
      null,
      [
        [40, 'Rekeningnummer'],
        [200, 'BIC'],
        [280, 'Datum vanaf'],
        [380, 'Datum tot en met'],
        [500, 'Volgnr.'],
      ],
      [
        [40, 'NL91 ABNA 0417 1643 00'],
        [200, 'ABNANL2A'],
        [280, '01-05-2025'],
        [380, '31-05-2025'],
        [500, '5'],
      ],
      null,
      [
        [40, 'Vorig saldo'],
        [160, 'Nieuw saldo'],
        [280, 'Totaal bedrag af'],
        [400, 'Totaal bedrag bij'],
      ],
      [
        [40, '1.206,55 +/CREDIT'],
        [160, '1.018,27 +/CREDIT'],
        [280, '2.138,28'],
        [400, '1.950,00'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.account_number?.value, 'NL91ABNA0417164300');
  assert.equal(fields.iban?.value, 'NL91ABNA0417164300');
  assert.equal(fields.statement_number?.value, '5');
  assert.equal(fields.opening_balance?.value, 1206.55);
  assert.equal(fields.closing_balance?.value, 1018.27);
  assert.equal(fields.total_debits?.value, 2138.28);
  assert.equal(fields.total_credits?.value, 1950);
  assert.equal(fields.account_holder?.value, 'De heer J.W. Voorbeeld en/of mevrouw A. Voorbeeld-de Haan');
});

test('a bank’s address stands below its name wherever that is, and no firm that holds the account is the bank', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Everyday Business Checking']],
      null,
      [[40, 'SAMPLE CREEK ROASTERS LLC']],
      [[40, '409 DEPOT ST']],
      [[40, 'MANHATTAN KS 66502-6118']],
      null,
      [[340, 'Write: Example Coach Bank, N.A. (182)']],
      [[346, 'P.O. Box 6995']],
      [[346, 'Wichita, KS 67228-6995']],
      null,
      [[40, 'Beginning balance on 4/1  $8,214.90']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_address?.value, 'P.O. Box 6995, Wichita, KS 67228-6995');
});

test('a bank may state its address behind its legal name at the foot', () => {
  const { fields } = extractFromWords(
    typeset([
      [[340, 'Example Bank']],
      [[40, 'MR C A SAMPLE']],
      [[40, '17 HEBBLE COURT']],
      [[40, 'HALIFAX HX3 6TR']],
      null,
      [[40, 'Your account statement']],
      null,
      [
        [
          40,
          'Example Bank plc. Registered Office: 25 Crossley Street, Halifax HX1 1UG. Registered in England no. 2065.',
        ],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_address?.value, '25 Crossley Street, Halifax HX1 1UG');
});

test('a period is no number, a street no bank’s code, and the first balance is what the first transaction leaves', () => {
  const opening = {
    kind: 'amount',
    value: 3902.14,
    page: 1,
    box: { x0: 1066, y0: 523, x1: 1130, y1: 530 },
    text: '3.902,14',
    words: [],
  };
  const placed = (amount: number): ExtractedValue => ({
    ...value(amount),
    provenance: [{ page: 1, box: { x0: 10, y0: 554, x1: 60, y1: 570 }, text: '', source: 'text' }],
  });
  const moved = [{ debit: placed(73.18), balance: placed(3828.96) }];
  const candidates = [opening] as unknown as Parameters<typeof withFirstBalance>[2];
  assert.equal(withFirstBalance({}, moved, candidates).opening_balance?.value, 3902.14);
  assert.equal(withFirstBalance({}, [{ balance: placed(3902.14) }], candidates).opening_balance, undefined);
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'IBAN'],
        [100, 'ES91 2100 0418 4502 0005 1332'],
        [340, 'PILAR EJEMPLO MUESTRA'],
      ],
      [[340, 'C.LORETO18 2 B']],
      [[40, 'Extracto n 7']],
      [
        [40, 'Periodo'],
        [100, '01/07/2025-31/07/2025'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bic, undefined);
  assert.notEqual(fields.statement_number?.value, '01/07/2025-31/07/2025');
});

test('what came in and went out stands behind labels of its own, whatever its sign', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'N-Bank SE'],
        [350, 'Kontoauszug Nr. 05/2025'],
      ],
      [
        [40, 'Beschreibung'],
        [250, 'Verbuchungsdatum'],
        [450, 'Betrag'],
      ],
      [
        [40, 'Miete Mai'],
        [250, '02.05.2025'],
        [450, '-950,00€'],
      ],
      [
        [40, 'Gehalt'],
        [250, '28.05.2025'],
        [450, '+1.850,00€'],
      ],
      [
        [40, 'Ausgehende Transaktionen'],
        [450, '-1.260,25€'],
      ],
      [
        [40, 'Eingehende Transaktionen'],
        [450, '+1.850,00€'],
      ],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.total_debits?.value, 1260.25);
  assert.equal(fields.total_credits?.value, 1850);
});

test('one amount that no row leaves is not both balances', () => {
  const fields = checkedByRows({ opening_balance: value(1400), closing_balance: value(1400) }, [
    { debit: value(18.2), balance: value(412.33) },
    { credit: value(1400), balance: value(430.53) },
  ]);
  assert.deepEqual(Object.keys(fields), []);
});

test('an account’s number is no part of its IBAN nor the number of the statement', () => {
  const dutch = extractFromWords(
    typeset([
      [[40, 'Afschrift Betaalrekening']],
      [[40, 'Rekening NL91 ABNA 0417 1643 00']],
      [[40, 'Volgnummer 3 Blad 1 van 2']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction.fields;
  assert.equal(dutch.account_number?.value, 'NL91ABNA0417164300');
  assert.equal(dutch.statement_number?.value, '3');
  const portuguese = extractFromWords(
    typeset([
      [
        [40, 'Banco Exemplo'],
        [340, 'EXTRATO DE CONTA N.º 5/2025'],
      ],
      [[340, '2025/05/01 a 2025/05/31']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction.fields;
  assert.equal(portuguese.statement_number?.value, '5/2025');
  assert.equal(portuguese.account_number, undefined);
});

test('a bank’s address above the window ends with its line', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'VR Bank Muster-Alb eG, Hauptstraße 61, 78549 Spaichingen']],
      [[40, 'Sanitär Beispiel GmbH']],
      [[40, 'Im Grund 9']],
      [[40, '78564 Wehingen']],
      null,
      [[40, 'Kontoauszug']],
    ]),
    { docType: 'bank_statement', fields: null },
  ).extraction;
  assert.equal(fields.bank_address?.value, 'Hauptstraße 61, 78549 Spaichingen');
});

test('the number below or behind a title may have its year, or a dash before it', () => {
  const numberOf = (...rows: readonly PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'bank_statement', fields: null }).extraction.fields.statement_number
      ?.value;
  assert.equal(numberOf([[430, 'Kontoauszug']], [[430, 'Nr. 4/2025 Blatt 1/1']]), '4/2025');
  assert.equal(numberOf([[40, 'Relevé de vos comptes - n° 5']]), '5');
});
