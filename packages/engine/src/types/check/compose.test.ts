import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../classify/classify.ts';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { amountOfWords } from './amount-of-words.ts';
import { respelled } from './number-spelling.ts';
import { saysAmount } from './words-abroad.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'check', fields: null }).extraction.fields;

test('the foot of a British cheque has its number, sort code and account', () => {
  const fields = extracted(
    [
      [40, 'Northern Counties Bank plc'],
      [300, 'Date 14 Sept 2022'],
    ],
    [
      [40, 'Three hundred and eighty six pounds 20p'],
      [300, '£ 386.20'],
    ],
    null,
    [
      [40, '000412'],
      [120, '20-4418'],
      [200, '31882047'],
    ],
  );
  assert.equal(fields.check_number?.value, '000412');
  assert.equal(fields.routing_number?.value, '20-4418');
  assert.equal(fields.account_number?.value, '31882047');
  assert.equal(fields.amount?.value, 386.2);
});

test('pence stand behind the pounds that words state', () => {
  assert.equal(amountOfWords('Three hundred and eighty six pounds 20p'), 386.2);
  assert.equal(amountOfWords('Two hundred forty and no/100'), 240);
});

test('cents may be words or digits behind the unit', () => {
  assert.equal(amountOfWords('Two thousand one hundred and eighteen euro, fifty cent only'), 2118.5);
  assert.equal(amountOfWords('Six thousand and forty dollars and 75 cents'), 6040.75);
  assert.equal(amountOfWords('Rupees nine lakh and paise forty only'), null);
  assert.equal(amountOfWords('Nine thousand rupees and forty paise only'), 9000.4);
  assert.equal(amountOfWords('Two hundred dollars twenty'), null);
});

test('an Irish cheque has its amount on two lines, a dash before its cents, and who draws it where it is signed', () => {
  const fields = extracted(
    [
      [40, 'Liffeybank plc'],
      [440, '90-11-42'],
    ],
    [
      [40, 'Pay'],
      [80, 'Wicklow Joinery Ltd'],
      [300, 'or order'],
    ],
    [[80, 'Three hundred and six']],
    [[40, 'Euro amount in words']],
    [
      [80, 'euro, forty cent only'],
      [400, '€ 306-40'],
    ],
    [[400, 'NIAMH BYRNE']],
    null,
    [
      [40, '100482'],
      [120, '90⑉1142⑆ 40718222⑈'],
    ],
  );
  assert.deepEqual(
    ['bank_name', 'payer_name', 'payee_name', 'amount', 'amount_words'].map((name) => fields[name]?.value),
    ['Liffeybank plc', 'NIAMH BYRNE', 'Wicklow Joinery Ltd', 306.4, 'Three hundred and six euro, forty cent only'],
  );
  assert.deepEqual(
    ['check_number', 'routing_number', 'account_number'].map((name) => fields[name]?.value),
    ['100482', '90-1142', '40718222'],
  );
});

test('the foot of other countries says by its lengths what is what', () => {
  const footOf = (...numbers: string[]) => {
    const foot = numbers.map((text, at): readonly [number, string] => [40 + at * 100, text]);
    const fields = extracted([[40, 'Pay Ridgeway Timber']], null, foot);
    return ['check_number', 'routing_number', 'account_number'].map((name) => fields[name]?.value);
  };
  assert.deepEqual(footOf('004417⑈', '41155-003⑆', '100-442-7⑈'), ['004417', '41155-003', '1004427']);
  assert.deepEqual(footOf('200917', '114-826', '30-712-4418'), ['200917', '114-826', '307124418']);
  assert.deepEqual(footOf('500231', '90 4712', '18804562'), ['500231', '90-4712', '18804562']);
  assert.deepEqual(footOf('004126', '560229018', '102398', '10').slice(0, 2), ['004126', '560229018']);
});

test('an account may be printed in groups up to the check’s number', () => {
  const fields = extracted(
    [
      [40, 'ROBERT FINCH'],
      [500, '1047'],
    ],
    [[40, '18 Alder Way']],
    [
      [40, 'Pay to the order of'],
      [140, 'Sunset Nursery'],
    ],
    null,
    [[40, '123103774 0041 88203 6 1047']],
  );
  assert.equal(fields.account_number?.value, '0041882036');
  assert.equal(fields.check_number?.value, '1047');
});

test('a date may have a box for each of its digits', () => {
  const boxes = (digits: string): PrintedRow => [...digits].map((digit, at) => [400 + at * 20, digit]);
  const dateOf = (digits: string, letters: string) =>
    extracted([[40, 'Deccan Union Bank']], boxes(digits), boxes(letters), [[40, 'Pay Kaveri Textiles or bearer']]).date
      ?.value;
  assert.equal(dateOf('19022025', 'DDMMYYYY'), '2025-02-19');
  assert.equal(dateOf('20250516', 'YYYYMMDD'), '2025-05-16');
  // Of the letters below some were missed, and the digits stand close.
  assert.equal(
    extracted([[40, 'Fundy Credit Union']], [[400, '202403 08']], [[400, 'Y M M D']], [[40, 'PAY Six and 75/100']]).date
      ?.value,
    '2024-03-08',
  );
});

test('order of may be broken over lines beside the payee, below an amount in words', () => {
  const fields = extracted(
    [
      [40, 'PAY'],
      [80, 'Four Thousand Eight Hundred Six and 15/100 Dollars'],
    ],
    [
      [40, 'TO THE'],
      [90, 'Red Clay Roofing & Sheet Metal'],
    ],
    [
      [40, 'ORDER'],
      [90, 'PO Box 27714'],
    ],
    [[40, 'OF']],
  );
  assert.equal(fields.payee_name?.value, 'Red Clay Roofing & Sheet Metal');
});

test('a payslip above its check is a check by its line of magnetic ink', () => {
  const slip: readonly PrintedRow[] = [
    [
      [40, 'HOLLOWAY FREIGHT LLC'],
      [400, 'Earnings Statement'],
    ],
    [
      [40, 'Gross pay'],
      [300, '1,218.75'],
    ],
    [
      [40, 'Federal income tax'],
      [300, '102.11'],
    ],
    [
      [40, 'Net pay'],
      [300, '962.37'],
      [400, 'Year to date'],
    ],
  ];
  const check: readonly PrintedRow[] = [
    [
      [40, 'Pay to the order of'],
      [160, 'MARISOL QUEENAN'],
      [480, '$962.37'],
    ],
    [[40, 'NINE HUNDRED SIXTY-TWO AND 37/100 DOLLARS']],
  ];
  const foot: PrintedRow = [[60, 'C284417C A044115443A 7700182635C']];
  const typeOf = (...rows: PrintedRow[]) => classify(layOut(typeset(rows))).docType;
  assert.equal(typeOf(...slip), 'payslip');
  assert.equal(typeOf(...slip, ...check, foot), 'check');
});

test('whom a check is paid to does not draw it, and no cents are its number', () => {
  const fields = extracted(
    [
      [40, 'JANE E TAYLOR'],
      [400, '1188'],
    ],
    [[40, 'JOHN B TAYLOR']],
    [[40, '51 WILLOW BEND']],
    [[40, 'MODESTO, CA 95350']],
    [[40, 'Pay to the']],
    [
      [40, 'Order of'],
      [90, 'Riverside Dental'],
      [390, '$ 240.00'],
    ],
    [
      [40, 'Two hundred forty and no/100'],
      [390, 'Dollars'],
    ],
  );
  assert.equal(fields.payee_name?.value, 'Riverside Dental');
  assert.equal(fields.payer_name?.value, 'JANE E TAYLOR');
  assert.equal(fields.check_number?.value, '1188');
});

test('a check is known by the cents of its amount in words', () => {
  const { docType } = classify(
    layOut(
      typeset([
        [
          [40, 'KESTREL PROPERTY MANAGEMENT LLC'],
          [300, 'First Prairie Bank'],
          [500, '020418'],
        ],
        [[40, '801 Harney St']],
        [[40, 'Omaha, NE 68102']],
        [
          [300, 'DATE'],
          [400, 'AMOUNT'],
        ],
        [
          [300, '11/30/2022'],
          [400, '$**2,140.75'],
        ],
        [[40, 'PAY *** Two Thousand One Hundred Forty and 75/100 Dollars ***']],
        [
          [40, 'TO THE'],
          [90, 'Ironbridge Plumbing Co.'],
        ],
        [[40, 'ORDER']],
        [
          [40, 'OF'],
          [400, 'AUTHORIZED SIGNATURE'],
        ],
      ]),
    ),
  );
  assert.equal(docType, 'check');
});

/** A check below the voucher that lists what is paid. */
const withVoucher: readonly PrintedRow[] = [
  [
    [40, 'BLUE RIDGE SUPPLY CO'],
    [500, '20418'],
  ],
  [
    [40, 'Date'],
    [120, 'Reference'],
    [460, 'Payment'],
  ],
  [
    [40, '02/20/2024'],
    [120, 'INV-88213'],
    [500, '2,310.00'],
  ],
  [
    [40, '03/05/2024'],
    [120, 'INV-88377'],
    [500, '2,502.50'],
  ],
  ...Array.from({ length: 25 }, () => null),
  [
    [40, 'BLUE RIDGE SUPPLY CO'],
    [250, 'FIRST COMMUNITY BANK'],
    [500, '20418'],
  ],
  [[40, '1180 DEPOT ST']],
  [
    [40, 'ROANOKE, VA 24016'],
    [480, '3/18/2024'],
  ],
  [
    [40, 'PAY TO THE ORDER OF'],
    [160, 'Apex Fasteners LLC'],
    [480, '$ 4,812.50'],
  ],
  [[40, 'Four Thousand Eight Hundred Twelve and 50/100 DOLLARS']],
  null,
  [[60, 'C020418C A051402589A 1002938475C']],
];

test('a check’s date is its own, not that of what its voucher lists', () => {
  const fields = extracted(...withVoucher);
  assert.equal(fields.date?.value, '2024-03-18');
  assert.equal(fields.check_number?.value, '20418');
  assert.equal(fields.amount?.value, 4812.5);
});

test('a check with its voucher is no invoice', () => {
  const voucher: readonly PrintedRow[] = [
    [
      [40, 'Vendor: City of Duluth Water Utility'],
      [300, 'Vendor ID: CITYDUL'],
      [440, 'Check Date: 11/02/2023'],
    ],
    [
      [40, 'Invoice Number'],
      [140, 'Invoice Date'],
      [240, 'Description'],
      [440, 'Invoice Amount'],
    ],
    [
      [40, 'WTR-1023-01'],
      [140, '10/15/2023'],
      [240, 'Water and sewer Oct 2023'],
      [440, '884.07'],
    ],
    [
      [240, 'Total'],
      [440, '884.07'],
    ],
  ];
  const check: readonly PrintedRow[] = [
    [
      [40, 'Northgate Property Management Inc'],
      [280, 'Lakeshore National Bank'],
      [470, 'Check No. 7745'],
    ],
    [[40, 'Duluth, MN 55802']],
    [
      [40, 'One thousand two hundred ninety-four and 07/100 Dollars'],
      [450, 'Amount $1,294.07'],
    ],
    [
      [40, 'Pay'],
      [80, 'CITY OF DULUTH'],
    ],
    [[40, 'to the']],
    [[40, 'order']],
    [[40, 'of']],
    [[300, 'Void after 90 days']],
    [[60, 'C7745C A091000022A 448120093317C']],
  ];
  assert.equal(
    classify(layOut(typeset([...check, ...Array.from({ length: 10 }, () => null), ...voucher]))).docType,
    'check',
  );
});

test('cents may stand apart from the words of an amount', () => {
  const fields = extracted(
    [
      [40, 'PAY TO THE ORDER OF'],
      [160, 'Ville de Lachine'],
      [480, '$ 215.40'],
    ],
    [
      [40, 'Two hundred fifteen'],
      [400, '40/100 DOLLARS'],
    ],
  );
  assert.equal(fields.amount?.value, 215.4);
  assert.equal(fields.amount_words?.value, 'Two hundred fifteen 40/100');
});

test('an Indian check has lakhs, the whole account, and who signs', () => {
  const fields = extracted(
    [
      [40, 'Deccan Union Bank'],
      [450, '07/08/2023'],
    ],
    [
      [40, 'PAY'],
      [80, 'Kaveri Textiles'],
      [480, 'OR BEARER'],
    ],
    [[40, 'RUPEES Two lakh eighty five thousand only']],
    [
      [40, 'A/c No.'],
      [100, '50200048812345'],
    ],
    [[420, 'For SUNRISE TRADERS']],
    null,
    [[420, 'Authorised Signatory']],
  );
  assert.equal(fields.amount?.value, 285_000);
  assert.equal(fields.account_number?.value, '50200048812345');
  assert.equal(fields.payer_name?.value, 'SUNRISE TRADERS');
});

test('the caption of a note is no note, and a note may stand on the rule behind it', () => {
  const rows = (...foot: PrintedRow[]) =>
    extracted(
      [
        [40, 'Pay to the order of'],
        [160, 'Finger Lakes Pet Supply'],
      ],
      [[40, 'Eight hundred sixty-two and 19/100']],
      null,
      ...foot,
    );
  assert.equal(rows([[40, 'FOR']]).memo, undefined);
  assert.equal(rows([[80, 'Invoice 10447']], [[40, 'FOR ______________________']]).memo?.value, 'Invoice 10447');
});

test('a British cheque has its bank in the corner, whatever that is called, and its drawer where it is signed', () => {
  const fields = extracted(
    [
      [40, 'Pennine & Dale'],
      [440, '20-87-41'],
    ],
    [[40, '21 Market Place, Skipton BD23 1AB']],
    [
      [40, 'Pay'],
      [80, 'Aire Valley Drains Ltd'],
    ],
    [
      [40, 'Three hundred and ninety four pounds only'],
      [400, '£ 394.00'],
    ],
    [[400, 'MRS H J ABERNETHY']],
    null,
    [
      [40, '000317'],
      [120, '20-8741'],
      [200, '60355128'],
    ],
  );
  assert.equal(fields.payer_name?.value, 'MRS H J ABERNETHY');
});

test('a payee may stand between asterisks', () => {
  const fields = extracted(
    [[40, 'PAY']],
    [
      [40, 'TO THE'],
      [90, '**TENNESSEE RIVER TITLE & ESCROW**'],
    ],
    [[40, 'ORDER']],
    [[40, 'OF']],
    [[40, '**THIRTY EIGHT THOUSAND TWO HUNDRED FIFTY AND 00/100**']],
    [[40, 'THE PURCHASE OF AN INDEMNITY BOND WILL BE REQUIRED BEFORE REPLACEMENT']],
  );
  assert.equal(fields.payee_name?.value, 'TENNESSEE RIVER TITLE & ESCROW');
});

test('until when a check is valid is nobody who draws it', () => {
  const fields = extracted(
    [[40, 'Pay to the order of Dmitry Sokolov']],
    [[40, 'One Thousand Three Hundred Eight And 45/100 Dollars']],
    [[300, 'VOID AFTER SIX MONTHS']],
  );
  assert.notEqual(fields.payer_name?.value, 'VOID AFTER SIX MONTHS');
});

test('dashes rule a line behind the amount in words, and a note has no number of the magnetic ink', () => {
  const fields = extracted(
    [[40, 'One hundred five and 50/100 ————————— DOLLARS']],
    [[40, '$ 105.50']],
    null,
    [[40, 'FOR Sample repair 272078255']],
    null,
    [[40, '⑆272078255⑆ 0441872209⑈ 2207']],
  );
  assert.equal(fields.amount_words?.value, 'One hundred five and 50/100');
  assert.equal(fields.memo?.value, 'Sample repair');
});

test('a payee may have a number within the name', () => {
  const fields = extracted(
    [
      [40, 'PAY TO THE ORDER OF Springfield R-12 Schools'],
      [400, '$86.50'],
    ],
    [[40, 'Eighty-six & 50/100 DOLLARS']],
  );
  assert.equal(fields.payee_name?.value, 'Springfield R-12 Schools');
});

test('a couple may draw a cheque by their initials', () => {
  const fields = extracted(
    [[40, 'Murray Valley Bank']],
    [[40, 'Pay Campaspe Fencing Pty Ltd']],
    [[40, 'Two thousand one hundred and fifty dollars only']],
    [[400, '$ 2,150.00']],
    null,
    [[340, 'K L & D R PETTIGREW']],
  );
  assert.equal(fields.payer_name?.value, 'K L & D R PETTIGREW');
});

test('the name may stand between the lines of the words before it', () => {
  const fields = extracted(
    [[40, 'PAY TO THE Sample Telephone Coop']],
    [[40, 'ORDER OF']],
    [
      [40, 'One hundred eighty-four and 62/100'],
      [400, '184.62'],
    ],
  );
  assert.equal(fields.payee_name?.value, 'Sample Telephone Coop');
});

test('an amount stands in words of other languages too, and a bank by what it is called there', () => {
  const fields = extracted(
    [
      [40, 'Cassa Rurale Esempio'],
      [300, 'Schio, 14/03/2025'],
    ],
    [[40, 'Filiale di ARSIERO - Via Roma 18']],
    [
      [40, 'A vista pagate per questo assegno bancario'],
      [320, 'milleottocentocinquanta/00'],
    ],
    [[40, 'A Officina Meccanica Modello']],
    null,
    [
      [40, 'c/c n.'],
      [120, '000010448217'],
    ],
    [[40, 'BERTOLDO SILVANA']],
    [[40, 'serie assegno n. 3 072 118 845-06']],
  );
  assert.equal(fields.amount_words?.value, 'milleottocentocinquanta/00');
  assert.equal(fields.bank_name?.value, 'Cassa Rurale Esempio');
  assert.equal(fields.payer_name?.value, 'BERTOLDO SILVANA');
  assert.equal(fields.account_number?.value, '000010448217');
});

test('amounts are known by their words alone', () => {
  for (const text of [
    'Cent vingt-huit euros et quarante centimes',
    'eintausendzweihundertfünfunddreißig',
    'Mil doscientos cincuenta euros con 40 céntimos',
    'duizendtweehonderdvijftig euro',
    'trezentos e vinte e cinco euros',
  ])
    assert.equal(saysAmount(text), true, text);
  for (const text of ['Garage Mercier', '12/03/2024', 'Cento', 'NON TRASFERIBILE', 'A'])
    assert.equal(saysAmount(text), false, text);
  assert.equal(amountOfWords('TWENTY-FOUR THOUSAND SIX HUNDRED DOLLARS AND 0O CENTS'), 24600);
  assert.equal(amountOfWords('Six hundred and forty two pounds 5op only'), 642.5);
});

test('the Treasury has a star for the point of an amount', () => {
  const fields = extracted(
    [[40, 'United States Treasury']],
    [
      [40, 'Pay to'],
      [110, 'DELIA M SAMPLE'],
      [420, '$****1400*00'],
    ],
    [[40, 'the order of']],
  );
  assert.equal(fields.amount?.value, 1400);
});

test('an amount in words goes on in the second ruled line, and the office that pays is not the drawer', () => {
  const fields = extracted(
    [[40, 'BANQUE COOPERATIVE DU MODELE']],
    [
      [40, 'Payez contre ce cheque'],
      [240, 'Trois cent quatre-vingt-quatre euros et'],
    ],
    [[60, 'soixante centimes']],
    [[40, 'A Garage Exemple et Fils']],
    null,
    [
      [40, 'AGENCE AVALLON'],
      [300, 'Compte n° 00041877203'],
    ],
    [
      [40, '14 RUE DE LYON'],
      [300, 'MME SOLANGE MODELE'],
    ],
    [
      [40, '89200 AVALLON'],
      [300, '7 CHEMIN DES AUMONES'],
    ],
    [[300, '89450 VEZELAY']],
  );
  assert.equal(fields.amount_words?.value, 'Trois cent quatre-vingt-quatre euros et soixante centimes');
  assert.equal(fields.payer_name?.value, 'MME SOLANGE MODELE');
});

test('hundredths in figures have their nought, though OCR takes it for a letter', () => {
  const fields = extracted(
    [[40, 'Pay Modelham Joinery Ltd']],
    [
      [40, 'Six hundred and forty two pounds 5op only'],
      [400, '642.50'],
    ],
  );
  assert.equal(fields.amount_words?.value, 'Six hundred and forty two pounds 50p only');
});

test('who bought a cashier’s check is named by its caption, and its title and notices name nobody', () => {
  const fields = extracted(
    [[300, 'HOLD DOCUMENT UP TO THE LIGHT TO VIEW TRUE WATERMARK']],
    [
      [40, 'Fairmont Bank'],
      [240, "CASHIER'S CHECK"],
      [460, '7718204'],
    ],
    [
      [40, 'Remitter:'],
      [140, 'LEONORA T EXAMPLE'],
    ],
    [
      [40, 'Pay To The'],
      [140, 'HARBOR TITLE COMPANY'],
    ],
    [[40, 'Order Of:']],
    [
      [40, 'Pay.'],
      [140, 'NINE THOUSAND DOLLARS AND 00 CENTS'],
    ],
    [[400, '$** 9,000.00 **']],
    [
      [40, 'Memo:'],
      [90, 'FILE'],
      [118, '22-0418'],
    ],
  );
  assert.equal(fields.payer_name?.value, 'LEONORA T EXAMPLE');
  assert.equal(fields.payee_name?.value, 'HARBOR TITLE COMPANY');
  assert.equal(fields.bank_name?.value, 'Fairmont Bank');
  assert.equal(fields.memo?.value, 'FILE 22-0418');
});

test('a second payee stands in the next line, and a bank’s town is no part of its name', () => {
  const fields = extracted(
    [[40, 'Example Mutual Insurance Company']],
    [[40, 'SIX HUNDRED EIGHTEEN AND 35/100 DOLLARS']],
    [
      [40, 'PAY TO THE ORDER OF'],
      [180, 'ELEANOR SAMPLE AND'],
    ],
    [[180, 'FIRST EXAMPLE MORTGAGE']],
    [[180, '77 ORCHARD HILL LN']],
    null,
    [[40, 'EXAMPLE BANK, N.A. PITTSBURGH, PA']],
  );
  assert.equal(fields.payee_name?.value, 'ELEANOR SAMPLE AND FIRST EXAMPLE MORTGAGE');
  assert.equal(fields.bank_name?.value, 'EXAMPLE BANK, N.A.');
});

test('the Treasury has its date and number in rows of their own', () => {
  const fields = extracted(
    [
      [40, 'United States Treasury'],
      [420, 'Check No.'],
    ],
    [[420, '4045 61882210']],
    [
      [40, '02 14 24'],
      [120, '20091900'],
      [200, 'AUSTIN, TX'],
    ],
    [
      [40, 'Pay to'],
      [140, 'DELROY K SAMPLE'],
    ],
    [[40, 'the order of']],
  );
  assert.equal(fields.payer_name?.value, 'United States Treasury');
  assert.equal(fields.date?.value, '2024-02-14');
  assert.equal(fields.check_number?.value, '4045 61882210');
});

test('a money order has its own captions, and no transit number by chance within its serial number', () => {
  const fields = extracted(
    [[40, 'POSTAL MONEY ORDER']],
    [
      [40, 'Serial Number'],
      [180, 'Year, Month, Day'],
      [420, 'U.S. Dollars and Cents'],
    ],
    [
      [40, '29118840725'],
      [180, '2024-04-03'],
      [420, '$325.00'],
    ],
    [
      [40, 'Pay to'],
      [100, 'Riverbend Apartments'],
    ],
    [
      [40, 'From'],
      [100, 'Rosa Quintanilla'],
    ],
  );
  assert.equal(fields.check_number?.value, '29118840725');
  assert.equal(fields.date?.value, '2024-04-03');
  assert.equal(fields.payer_name?.value, 'Rosa Quintanilla');
  assert.equal(fields.routing_number, undefined);
});

test('magnetic ink says that a check is American, and so the order of its date', () => {
  const dated = (foot: string) =>
    extracted([[40, 'Pay to the order of Avery Example']], [[300, '8-2-23']], null, [[40, foot]]).date?.value;
  assert.equal(dated('⑆122000496⑆ 4040110157⑈ 1379'), '2023-08-02');
});

test('a date may have its year apart from the day, and boxes may be lettered in French', () => {
  const dated = (...rows: PrintedRow[]) =>
    extracted([[40, 'Pay to the order of Avery Example']], ...rows, null, [[40, '⑆122000496⑆ 4040110157⑈ 1379']]).date
      ?.value;
  assert.equal(
    dated([
      [300, 'Oct. 4'],
      [380, '20 22'],
    ]),
    '2022-10-04',
  );
  assert.equal(
    dated([
      [300, '8/2'],
      [380, '2023'],
    ]),
    '2023-08-02',
  );
  assert.equal(dated([[300, '0 7 1 2 2 0 2 3']], [[300, 'J J M M A A A A']]), '2023-12-07');
});

test('the bank of a loan that an insurer pays as well is not the one that the draft is drawn on', () => {
  const fields = extracted(
    [[40, 'FLINTWAY INSURANCE COMPANY']],
    [[40, 'Pay to the order of ORLA PENHALLOW AND']],
    [[112, 'DUNMERE SAVINGS BANK']],
    [
      [40, 'Nine hundred dollars and 62 cents'],
      [400, '$ 900.62'],
    ],
    [[40, 'Payable through']],
    [[40, 'Corrow Commerce Bank']],
  );
  assert.equal(fields.payee_name?.value, 'ORLA PENHALLOW AND DUNMERE SAVINGS BANK');
  assert.equal(fields.bank_name?.value, 'Corrow Commerce Bank');
});

test('a bank is called what stands behind the name of the drawer, which the stub has alone', () => {
  const fields = extracted(
    [[40, 'WREXLEY PLUMBING CONTRACTORS']],
    null,
    [[40, 'WREXLEY PLUMBING CONTRACTORS Tarn Valley National Bank']],
    [[40, 'Pay to the order of Corvane Supply']],
    [
      [40, 'Nine hundred and 62/100'],
      [400, '$ 900.62'],
    ],
  );
  assert.equal(fields.bank_name?.value, 'Tarn Valley National Bank');
});

test('the sides of the boxes of a date are none of its digits', () => {
  const fields = extracted(
    [
      [300, 'DATE'],
      [340, '2'],
      [355, '0'],
      [370, '2'],
      [385, '4'],
      [400, '1'],
      [415, '1'],
      [430, '[0'],
      [445, '3]'],
    ],
    [[40, 'Pay to the order of Corvane Supply']],
  );
  assert.equal(fields.date?.value, '2024-11-03');
});

test('the number of a house in the row of a date in boxes is none of its digits', () => {
  const digits: PrintedRow = [...'20241103'].map((digit, at) => [400 + at * 20, digit]);
  const fields = extracted(
    [[40, 'Fundy Credit Union']],
    [[40, '118 Rue Laurier, Unit 6'], [340, 'DATE'], ...digits],
    [[400, 'Y Y Y Y M M D D']],
    [[40, 'PAY Six and 75/100']],
  );
  assert.equal(fields.date?.value, '2024-11-03');
});

test('how long a check is valid is no note on its purpose', () => {
  const fields = extracted(
    [[300, 'Valid for three months from the date of issue']],
    [[40, 'Pay Corvane Traders']],
    [
      [40, 'Rupees Nine Hundred Only'],
      [300, '900.00'],
    ],
  );
  assert.equal(fields.memo, undefined);
});

test('a machine for checks prints figures for words, and what guards them is nobody', () => {
  const fields = extracted(
    [
      [40, 'OFFICIAL CHECK'],
      [400, 'NO. 70118823'],
    ],
    [
      [40, 'PAY'],
      [90, 'EXACTLY **1,240 AND 50/100 DOLLARS'],
      [420, '$1,240.50'],
    ],
    [[40, 'TO THE']],
    [
      [40, 'ORDER OF'],
      [110, 'ALDER RIDGE TITLE TRUST ACCOUNT'],
    ],
  );
  assert.equal(fields.amount?.value, 1240.5);
  assert.equal(fields.amount_words?.value, 'EXACTLY **1,240 AND 50/100 DOLLARS');
  assert.equal(fields.payee_name?.value, 'ALDER RIDGE TITLE TRUST ACCOUNT');
});

test('the stub beside a check has a note of its own, which is not the check’s', () => {
  const fields = extracted(
    [
      [40, 'FOR'],
      [70, 'sand'],
      [260, 'QUARRY LANE PAVING'],
    ],
    [
      [40, 'TO'],
      [260, '18 Quarry Lane'],
    ],
    [
      [260, 'Pay to the order of'],
      [370, 'Dale Gravel Works'],
    ],
    [
      [260, 'MEMO'],
      [310, 'sand - north lot'],
    ],
  );
  assert.equal(fields.memo?.value, 'sand - north lot');
});

test('the stamp of the bank that takes a check in has no number of the check', () => {
  const fields = extracted(
    [
      [40, 'Pay to the order of'],
      [140, 'Dale Gravel Works'],
    ],
    null,
    [[60, '>061000104< 11/21/2024']],
  );
  assert.equal(fields.routing_number, undefined);
  assert.equal(fields.account_number, undefined);
  assert.equal(fields.check_number, undefined);
});

test('a bank whose name goes on is not called by the kind of bank it is', () => {
  const fields = extracted(
    [[40, 'Maple & Vine Federal']],
    [[40, 'Check image']],
    [
      [40, 'Pay to the order of'],
      [140, 'Dale Gravel Works'],
    ],
    [[40, 'Maple & Vine Federal Credit Union']],
  );
  assert.equal(fields.bank_name?.value, 'Maple & Vine Federal Credit Union');
});

test('the words of a date may be read apart, and its century too', () => {
  const dateOf = (...words: string[]) =>
    extracted(
      words.map((text, at): readonly [number, string] => [300 + at * 45, text]),
      [[40, 'Pay to the order of Dale Gravel Works']],
    ).date?.value;
  assert.equal(dateOf('Date', 'March', '4th', '20 23'), '2023-03-04');
  assert.equal(dateOf('APRIL 22,', '2024'), '2024-04-22');
});

test('captions in two languages are no values, and a money order’s serial number is no account', () => {
  const fields = extracted(
    [
      [40, 'PERSONAL MONEY ORDER'],
      [400, 'SERIAL NO. 7714-0028813'],
    ],
    [[40, 'PAY TO THE ORDER OF Dale Gravel Works']],
    [[40, 'PURCHASER / REMITENTE Ifeoma Bright']],
    [
      [40, 'MEMO / NOTA'],
      [140, 'gravel'],
    ],
    null,
    [[40, '⑆081000919⑆ 55210⑈ 77140028813⑈']],
  );
  assert.deepEqual(
    ['payer_name', 'memo', 'check_number', 'account_number'].map((name) => fields[name]?.value),
    ['Ifeoma Bright', 'gravel', '7714-0028813', '55210'],
  );
});

test('a company that others sign for stands below the words that say so', () => {
  const fields = extracted(
    [[40, 'Northern Counties Bank plc']],
    [[40, 'Pay Dale Gravel Works']],
    [[320, 'FOR AND ON BEHALF OF']],
    [[320, 'QUARRY LANE PAVING LIMITED']],
  );
  assert.equal(fields.payer_name?.value, 'QUARRY LANE PAVING LIMITED');
});

test('the holder of a French account draws the check, and not the office that pays it', () => {
  const fields = extracted(
    [[40, 'Payez contre ce chèque Deux cent douze euros']],
    [[40, 'à l’ordre de Garage Montvert']],
    [
      [40, 'PAYABLE EN FRANCE'],
      [300, 'M OU MME DUVALLON PIERRE'],
    ],
    [
      [40, 'MONTVERT PARC'],
      [300, '8 CHEMIN DES VIGNES'],
    ],
    [
      [40, '12 AV DES ALPES'],
      [300, '74320 SEVRIER'],
    ],
    [[40, '74000 ANNECY']],
  );
  assert.equal(fields.payer_name?.value, 'M OU MME DUVALLON PIERRE');
});

test('words by hand that OCR misread by a letter say the amount that the figures state', () => {
  const fields = extracted(
    [
      [40, 'PAY TO THE ORDER OF Sample Bakery'],
      [400, '$ 340.00'],
    ],
    [[40, 'Three hundred fonty and no/100']],
  );
  assert.equal(fields.amount_words?.value, 'Three hundred forty and no/100');
  assert.equal(fields.amount?.value, 340);
  const isStated = (amount: number) => amount === 52;
  assert.equal(respelled('fty two only', isStated), 'fifty two only');
  assert.equal(respelled('Sixty twa only', isStated), null);
  assert.equal(respelled('Sample Bakery', isStated), null);
});

test('amounts in words are counted in units of other countries', () => {
  assert.equal(amountOfWords('Ringgit Malaysia one thousand two hundred and fifty sen only'), null);
  assert.equal(amountOfWords('Two thousand naira and fifty kobo only'), 2000.5);
  assert.equal(amountOfWords('Thirty six thousand five hundred pesos only'), 36_500);
});

test('a stroke and a dash behind figures stand for no hundredths, and no amount of a check is below nought', () => {
  const amountOf = (figures: string) =>
    extracted([[40, 'PAY Kaveri Textiles']], [[40, 'RUPEES as agreed']], [[400, figures]]).amount?.value;
  assert.equal(amountOf('42,7501-'), 42_750);
  assert.equal(amountOf('1,42,750/-'), 142_750);
  assert.equal(amountOf('$ -52.10'), undefined);
});

test('the foot of Singapore has bank and branch in one number, and the account is the last', () => {
  const fields = extracted([[40, 'Sample Bank Ltd']], [[40, 'Pay Example Print House']], null, [
    [40, '004412'],
    [120, '7171-011'],
    [240, '0482207714'],
  ]);
  assert.equal(fields.check_number?.value, '004412');
  assert.equal(fields.routing_number?.value, '7171-011');
  assert.equal(fields.account_number?.value, '0482207714');
});

test('a name by hand with a letter that OCR is not sure of is withheld', () => {
  const payeeOf = (leastConfidence: number) => {
    const [page] = typeset([[[40, 'PAY TO THE ORDER OF Sample Bakery']], [[40, 'Fifty and 00/100']]]).pages;
    const words = page!.words.map((word) => (word.text === 'Bakery' ? { ...word, leastConfidence } : word));
    const read = { ...typeset([]), pages: [{ ...page!, words, readings: [{ source: 'text' as const, words }] }] };
    return extractFromWords(read, { docType: 'check', fields: null }).extraction.fields.payee_name?.value;
  };
  assert.equal(payeeOf(0.8), 'Sample Bakery');
  assert.equal(payeeOf(0.4), undefined);
});

test('a figure in a box that OCR is not sure of makes no date', () => {
  const dateOf = (confidence: number) => {
    const rows: PrintedRow[] = [
      [[40, 'Deccan Union Bank']],
      [...'19022025'].map((digit, at) => [400 + at * 20, digit] as const),
      [...'DDMMYYYY'].map((letter, at) => [400 + at * 20, letter] as const),
    ];
    const [page] = typeset(rows).pages;
    const words = page!.words.map((word) => (word.text === '5' ? { ...word, confidence } : word));
    const read = { ...typeset([]), pages: [{ ...page!, words, readings: [{ source: 'text' as const, words }] }] };
    return extractFromWords(read, { docType: 'check', fields: null }).extraction.fields.date?.value;
  };
  assert.equal(dateOf(0.9), '2025-02-19');
  assert.equal(dateOf(0.5), undefined);
});

test('the day of the stamp of a bank that took a check in is not that of the check', () => {
  const fields = extracted(
    [[40, 'PAY TO THE ORDER OF Sample Bakery']],
    [[40, 'Fifty and 00/100 DOLLARS']],
    [[40, '>044000037< 08-02-24 SAMPLE BANK 0088214477']],
  );
  assert.equal(fields.date, undefined);
});

test('a warrant names its payee behind TO, its date in three boxes, and the state that issues it in its corner', () => {
  const fields = extracted(
    [[40, 'STATE OF EXAMPLE']],
    [[40, 'OFFICE OF THE TREASURER']],
    [
      [300, 'MO.'],
      [330, 'DAY'],
      [360, 'YR.'],
    ],
    [
      [300, '05'],
      [330, '14'],
      [360, '2024'],
      [450, '****612.00'],
    ],
    [[40, 'SIX HUNDRED TWELVE AND 00/100 DOLLARS']],
    null,
    [
      [40, 'TO:'],
      [80, 'BRUCE A SAMPLE'],
    ],
    [[80, 'LUCILLE M SAMPLE']],
    [[80, '3390 MILL AVE']],
    [[80, 'REDDING CA 96002-1147']],
  );
  assert.equal(fields.payee_name?.value, 'BRUCE A SAMPLE');
  assert.equal(fields.date?.value, '2024-05-14');
  assert.equal(fields.payer_name?.value, 'STATE OF EXAMPLE');
  assert.notEqual(fields.check_number?.value, '2024');
});

test('a Mexican check names its payee between the lines of the words before it, and is drawn in pesos', () => {
  const fields = extracted(
    [[40, 'BANCO DEL EJEMPLO, S.A.']],
    [[40, 'PÁGUESE ESTE']],
    [
      [150, 'CEMENTOS Y AGREGADOS DEL LAJA'],
      [420, '22,840.00'],
    ],
    [[40, 'CHEQUE A LA ORDEN DE']],
    null,
    [
      [40, 'LA SUMA DE'],
      [120, 'VEINTIDÓS MIL OCHOCIENTOS CUARENTA PESOS OO/100 M.N.'],
      [500, 'MONEDA NACIONAL'],
    ],
  );
  assert.equal(fields.payee_name?.value, 'CEMENTOS Y AGREGADOS DEL LAJA');
  assert.equal(fields.amount_words?.value, 'VEINTIDÓS MIL OCHOCIENTOS CUARENTA PESOS 00/100 M.N.');
  assert.equal(fields.currency?.value, 'MXN');
  assert.equal(fields.payer_name, undefined);
});

test('two who hold an account stand in two lines where they sign', () => {
  const fields = extracted(
    [[40, 'Sample Vale Bank']],
    [[40, 'Pay Example Carpets']],
    [[40, 'Three hundred and forty pounds and 60p']],
    [[400, '340.60']],
    null,
    [[400, 'MR D J SAMPLE &']],
    [[400, 'MRS P A SAMPLE']],
  );
  assert.equal(fields.payer_name?.value, 'MR D J SAMPLE & MRS P A SAMPLE');
  assert.equal(fields.currency?.value, 'GBP');
});

test('the holder of an account is named by a caption of its own', () => {
  const fields = extracted(
    [[40, 'EXAMPLE PROVINCIAL BANK']],
    [
      [300, 'ACCOUNT NO.'],
      [400, 'ACCOUNT NAME'],
    ],
    [
      [300, '00471-2208-81'],
      [400, 'REYNALDO D. SAMPLE'],
    ],
    [[40, 'PAY TO THE ORDER OF Example Rice Mill']],
    [[40, 'PESOS Thirty six thousand five hundred pesos only']],
  );
  assert.equal(fields.payer_name?.value, 'REYNALDO D. SAMPLE');
  assert.equal(fields.currency?.value, 'PHP');
});

test('the bank of a check that is not filled in is not whom it is paid to', () => {
  const fields = extracted(
    [
      [40, 'RENATA SAMPLE'],
      [500, '0227'],
    ],
    [[40, '14 ALDER CT']],
    [[40, 'MORGANTON NC 28655']],
    [[40, 'PAY TO THE ORDER OF']],
    [[520, 'DOLLARS']],
    [[40, 'PINE SAMPLE CREDIT UNION']],
    [[40, 'FOR']],
  );
  assert.equal(fields.payee_name, undefined);
  assert.equal(fields.bank_name?.value, 'PINE SAMPLE CREDIT UNION');
});

test('the unit before an amount in words draws no check, and a legal form need not be in capitals', () => {
  const drawerOf = (name: string) =>
    extracted(
      [[40, 'Sample Crest Bank (Hong Kong) Limited']],
      [[40, 'PAY Example Stationery Co.']],
      [
        [40, 'HONG KONG'],
        [120, 'Nine hundred and seventy-five only'],
        [420, '975.00'],
      ],
      null,
      [[400, name]],
    ).payer_name?.value;
  assert.equal(drawerOf('CHAN WAI MUSTER'), 'CHAN WAI MUSTER');
  assert.equal(drawerOf('VINA MUSTRA SpA'), 'VINA MUSTRA SpA');
});

test('a sign that pesos have too says no dollars of the United States in Spanish', () => {
  const fields = extracted(
    [
      [40, 'BANCO DEL EJEMPLO'],
      [440, '$'],
      [460, '1.285.400.-'],
    ],
    [[40, 'PAGUESEALA ORDEN DE Comercial de la Muestra Ltda.']],
    [[40, 'LA SUMA DE UN MILLÓN DOSCIENTOS OCHENTA Y CINCO MIL CUATROCIENTOS']],
  );
  assert.equal(fields.payee_name?.value, 'Comercial de la Muestra Ltda.');
  assert.equal(fields.currency, undefined);
});

test('the foot of Nigeria ends with the kind of check, and has no transit number within the account', () => {
  const fields = extracted(
    [[40, 'SAMPLE TRUST BANK PLC']],
    [[40, 'PAY Example Printing Press']],
    [[40, 'NAIRA Two hundred and forty thousand naira only']],
    null,
    [
      [40, '⑈00004417⑈'],
      [120, '058151003⑆'],
      [240, '0044178820⑈'],
      [340, '01'],
    ],
  );
  assert.equal(fields.check_number?.value, '00004417');
  assert.equal(fields.routing_number?.value, '058151003');
  assert.equal(fields.account_number?.value, '0044178820');
  assert.equal(fields.currency?.value, 'NGN');
});

test('a sample names its bank by what stands for a name, and a note may be a reference', () => {
  const fields = extracted(
    [[40, 'PAY TO THE ORDER OF Example Electric Company']],
    [[40, 'One hundred and 50/100']],
    [[40, 'Your Bank Name Here']],
    [[40, 'Ref: CLOSURE 7714-0082']],
  );
  assert.equal(fields.bank_name?.value, 'Your Bank Name Here');
  assert.equal(fields.memo?.value, 'CLOSURE 7714-0082');
});
