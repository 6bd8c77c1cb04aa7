import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

test('labels under the heading of a year are not the period’s, and a column’s heading is nobody', () => {
  const rows: PrintedRow[] = [
    [[40, 'Harbour Retail Ltd']],
    [
      [40, 'Employee No'],
      [120, 'Employee'],
      [220, 'Dept'],
      [280, 'Date'],
    ],
    [
      [40, '20418'],
      [120, 'Jane Doe'],
      [220, 'BOH'],
      [280, '27/10/2023'],
    ],
    [
      [40, 'Deductions'],
      [180, 'Amount'],
      [300, 'Year to date'],
    ],
    [
      [40, 'PAYE Tax'],
      [180, '318.20'],
      [300, 'Gross pay'],
      [400, '18,550.00'],
    ],
    [
      [40, 'Pension'],
      [180, '105.50'],
      [300, 'Tax paid'],
      [400, '2,227.40'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 318.2);
  assert.equal(fields.employee_name?.value, 'Jane Doe');
});

test('the employer’s letterhead is no employee', () => {
  const rows: PrintedRow[] = [
    [[40, 'Sundial Hospitality Group']],
    [[40, '801 Strand Ave, Galveston TX 77550']],
    null,
    [[40, 'Jane Doe']],
    [[40, 'Pay Date 05/24/2024']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.notEqual(fields.employee_name?.value, 'Sundial Hospitality Group');
});

test('net pay is what the deductions leave of the gross pay, and the day of joining is none of payment', () => {
  const rows: PrintedRow[] = [
    [[40, 'Payslip for the month of October 2025']],
    [
      [40, 'Name'],
      [140, 'Jane Doe'],
      [300, 'Date of Joining'],
      [420, '04 Jul 2021'],
    ],
    [
      [40, 'Earnings'],
      [140, 'Full'],
      [200, 'Actual'],
      [270, 'YTD'],
      [330, 'Deductions'],
      [450, 'Actual'],
      [520, 'YTD'],
    ],
    [
      [40, 'BASIC'],
      [140, '59,250.00'],
      [200, '59,250.00'],
      [270, '414,750.00'],
      [330, 'PF'],
      [450, '7,200.00'],
      [520, '50,400.00'],
    ],
    [
      [40, 'Total Earnings: INR.'],
      [140, '59,250.00'],
      [200, '59,250.00'],
      [270, '414,750.00'],
      [330, 'Total Deductions: INR.'],
      [450, '7,200.00'],
      [520, '50,400.00'],
    ],
    [[40, 'Net Pay ( Total Earnings - Total Deductions ): 52,050.00']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.gross_pay?.value, 59250);
  assert.equal(fields.net_pay?.value, 52050);
  assert.equal(fields.pay_date, undefined);
});

test('a cell may set its value at another side than its caption', () => {
  const rows: PrintedRow[] = [
    [
      [80, 'Employee No.'],
      [240, 'Employee'],
      [380, 'Process Date'],
    ],
    [
      [40, '217'],
      [230, 'Jane Doe'],
      [370, '30/09/2025'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.employee_id?.value, '217');
  assert.equal(fields.pay_date?.value, '2025-09-30');
});

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction.fields;

test('the total of each of two tables side by side is of what heads it', () => {
  const fields = extracted(
    [
      [40, 'Earnings'],
      [140, 'Hours'],
      [190, 'Current'],
      [260, 'YTD'],
      [320, 'Deductions'],
      [440, 'Current'],
      [520, 'YTD'],
    ],
    [
      [40, 'Regular'],
      [140, '80.00'],
      [190, '2,312.00'],
      [260, '9,248.00'],
      [320, 'Income Tax'],
      [440, '318.44'],
      [520, '1,273.76'],
    ],
    [
      [320, 'CPP'],
      [440, '129.48'],
      [520, '541.92'],
    ],
    [
      [40, 'Total'],
      [190, '2,312.00'],
      [260, '9,248.00'],
      [320, 'Total'],
      [440, '447.92'],
      [520, '1,815.68'],
    ],
    [[40, 'Net Pay: $1,864.08']],
  );
  assert.equal(fields.gross_pay?.value, 2312);
  assert.equal(fields.total_deductions?.value, 447.92);
  assert.equal(fields.net_pay?.value, 1864.08);
  assert.equal(fields.tax_amount?.value, 318.44);
});

test('French tax is what its base and rate come to, and no net', () => {
  const fields = extracted(
    [[40, 'BULLETIN DE PAIE']],
    [
      [40, 'Salaire brut'],
      [400, '2 184,50'],
    ],
    [
      [40, 'Total des cotisations'],
      [400, '474,02'],
    ],
    [
      [40, 'Net à payer avant impôt sur le revenu'],
      [400, '1 710,48'],
    ],
    [
      [40, 'Impôt sur le revenu prélevé à la source'],
      [280, '1 817,10'],
      [350, '2,10'],
      [400, '38,17'],
    ],
    [
      [40, 'NET À PAYER'],
      [400, '1 672,31'],
    ],
  );
  assert.equal(fields.net_pay?.value, 1672.31);
  assert.equal(fields.tax_amount?.value, 38.17);
});

test('a caption may have its sum in a box below it, and neither a sign of a number nor the state’s is the employer’s', () => {
  const fields = extracted(
    [
      [40, 'EMPLOYEE'],
      [200, 'EMP #'],
      [300, 'PPSN'],
    ],
    [
      [40, 'JANE K DOE'],
      [200, '0158'],
      [300, '7714203KA'],
    ],
    null,
    [[400, 'NET PAY']],
    [[400, '€668.15']],
  );
  assert.equal(fields.employee_name?.value, 'JANE K DOE');
  assert.equal(fields.employee_id?.value, '0158');
  assert.equal(fields.net_pay?.value, 668.15);
});

test('what a certificate sums for the year is not the month’s', () => {
  const fields = extracted(
    [
      [40, 'Steuer-Brutto'],
      [200, 'Lohnsteuer'],
      [320, 'Kirchensteuer'],
    ],
    [
      [40, '3.180,00'],
      [200, '361,58'],
      [320, '32,54'],
    ],
    null,
    [[40, 'Verdienstbescheinigung']],
    [
      [40, 'Lohnsteuer'],
      [200, '1.446,32'],
    ],
  );
  assert.equal(fields.tax_amount?.value, 361.58);
});

test('a voucher’s number is nobody’s, and the file’s is the employee’s', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'CO.'],
        [90, 'FILE'],
        [150, 'DEPT.'],
        [210, 'VCHR. NO.'],
      ],
      [
        [40, 'K4Q'],
        [90, '100238'],
        [150, '000110'],
        [210, '0000490033'],
      ],
      [[40, 'EXAMPLE CREEK DENTAL PLLC']],
      [
        [40, 'Earnings Statement'],
        [240, 'Pay Date: 12/06/2024'],
      ],
      [[240, 'JANE SAMPLE']],
      [
        [40, 'Gross Pay'],
        [240, '$2,294.40'],
      ],
      [
        [40, 'Net Pay'],
        [240, '$1,707.26'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.employee_id?.value, '100238');
});

test('a tax on professions is none on income', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'EXAMPLE TEXTILE LIMITED']],
      [[40, 'Salary Slip - December 2024']],
      [
        [40, 'Earnings'],
        [160, 'Amount'],
        [300, 'Deductions'],
        [460, 'Amount'],
      ],
      [
        [40, 'BASIC'],
        [160, '30,600.00'],
        [300, 'TDS'],
        [460, '3,200.00'],
      ],
      [
        [40, 'HRA'],
        [160, '15,300.00'],
        [300, 'PROF TAX'],
        [460, '250.00'],
      ],
      [
        [40, 'NET SALARY PAYABLE'],
        [460, '42,450.00'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.tax_amount?.value, 3200);
});

test('what comes of a base and a rate is held back, whatever else its label says', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'EXEMPLE DU VERCORS SARL']],
      [[40, 'BULLETIN DE PAIE Mai 2024']],
      [
        [40, 'Impôt sur le revenu prélevé à la source – taux personnalisé'],
        [380, '1 796,67'],
        [450, '3,30'],
        [510, '-59,29'],
      ],
      [
        [40, 'NET PAYÉ EN EUROS'],
        [510, '1 652,48'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.tax_amount?.value, 59.29);
});

test('a label is what stands nearest to its amount, and a box beside it has an amount of its own', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Jane Doe'],
      [240, 'This period'],
      [440, 'NET PAY'],
    ],
    [
      [40, '9 Sample Close'],
      [240, 'Total gross pay'],
      [360, '2214.56'],
      [440, '1834.83'],
    ],
    [
      [40, 'Sampleton'],
      [240, 'Gross for tax'],
      [360, '2166.56'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.gross_pay?.value, 2214.56);
  assert.equal(fields.tax_amount, undefined);
});

test('a line of the year’s sums has none of the period', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Steuer-Brutto'],
      [200, 'Lohnsteuer'],
    ],
    [
      [40, '3.150,00'],
      [200, '376,83'],
    ],
    null,
    [[40, 'Jahreswerte: Gesamt-Brutto 6.300,00 Lohnsteuer 753,66']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.notEqual(fields.tax_amount?.value, 753.66);
});

test('the label of the year may be joined with the amount of the column before it', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'PAYE Tax'],
      [200, '268.60'],
    ],
    [
      [40, 'Employee'],
      [200, 'Miss R Example'],
    ],
    [
      [40, 'Earnings for NI'],
      [200, '2,391.67 Tax paid TD'],
      [400, '1,230.20'],
    ],
    [
      [40, 'Net Pay'],
      [200, '1,946.09'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 268.6);
});

test('tables one below the other have their years in columns of their own, and an item is nobody’s name', () => {
  const rows: PrintedRow[] = [
    [[40, 'Example Bakehouse LLC']],
    [[40, 'Employee: Jane Doe']],
    null,
    [
      [40, 'Employee taxes'],
      [180, 'Current'],
      [240, 'Year To Date'],
    ],
    [
      [40, 'Federal Income Tax'],
      [184, '116.73'],
      [246, '1,954.19'],
    ],
    [
      [40, 'Employee NI'],
      [184, '48.00'],
      [246, '700.00'],
    ],
    null,
    [
      [40, 'Summary'],
      [240, 'Current'],
      [300, 'Year To Date'],
    ],
    [
      [40, 'Gross Earnings'],
      [240, '1,713.64'],
      [310, '28,680.35'],
    ],
    [
      [40, 'Pre-Tax Deductions'],
      [240, '61.00'],
      [310, '1,037.00'],
    ],
    [
      [40, 'Net Pay'],
      [240, '1,365.49'],
      [310, '22,838.98'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.deepEqual([fields.gross_pay?.value, fields.net_pay?.value], [1713.64, 1365.49]);
  assert.notEqual(fields.total_deductions?.value, 1037);
  assert.equal(fields.employee_name?.value, 'Jane Doe');
});

test('the official Spanish form names the tax at length, and what it is reckoned by is none', () => {
  const rows: PrintedRow[] = [
    [[40, 'Empresa: EJEMPLO CITRICOS, S.L.']],
    [
      [40, 'Trabajador/a: MUESTRA ROIG, NOELIA'],
      [360, 'Número de afiliación a la Seguridad Social: 46/10447182/31'],
    ],
    [
      [40, 'A. TOTAL DEVENGADO'],
      [420, '1.842,36'],
    ],
    [
      [40, '2. Impuesto sobre la renta de las personas físicas'],
      [330, '12,75 %'],
      [420, '234,90'],
    ],
    [
      [40, '4. Base sujeta a retención del IRPF'],
      [420, '1.842,36'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 234.9);
  assert.equal(fields.employee_id, undefined);
});

test('a tax in the year’s column alone is not the period’s, and a box for the total has it', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Codice Azienda e Ragione Sociale'],
        [300, 'PERIODO DI RETRIBUZIONE'],
      ],
      [
        [40, '000417 ESEMPIO LAGUNA SRL'],
        [300, 'Gennaio 2024'],
      ],
      [
        [40, 'Voce'],
        [240, 'TRATTENUTE'],
        [340, 'COMPETENZE'],
      ],
      [
        [40, 'Retribuzione'],
        [340, '1.927,12'],
      ],
      null,
      [
        [200, 'TOTALE COMPETENZE'],
        [340, 'TOTALE TRATTENUTE'],
      ],
      [
        [200, '2.014,62'],
        [340, '451,62'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.gross_pay?.value, 2014.62);
  assert.notEqual(fields.employer_name?.value, 'Codice Azienda e Ragione Sociale');
  const stub = extractFromWords(
    typeset([
      [
        [40, 'Deductions'],
        [240, 'this period'],
        [340, 'year to date'],
      ],
      [
        [40, 'Federal Income Tax'],
        [340, '1,688.26'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(stub.fields.tax_amount, undefined);
});

test('a stub that names its employer at its foot alone is of nobody rather than of the employee', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'EMPLOYEE']],
      [[40, 'TAVITA SAMPLE']],
      [[40, '1277 W Sample Ave']],
      [[40, 'Salt Lake City, UT 84104']],
      [[40, 'Check Date: 09/23/22']],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.notEqual(fields.employer_name?.value, 'TAVITA SAMPLE');
});

test('a column of `Totals this year` has none of the period', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Deductions'],
        [300, 'Totals this year'],
      ],
      [
        [40, 'PAYE Tax'],
        [160, '165.40'],
        [300, 'Taxable Gross Pay'],
        [420, '13,125.00'],
      ],
      [
        [40, 'Pension'],
        [160, '56.67'],
        [300, 'Tax Paid'],
        [420, '1,157.80'],
      ],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.tax_amount?.value, 165.4);
});

const payslip = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction.fields;

test('a tax is what comes of its base, in a sentence or once for each of its columns', () => {
  const french = payslip([
    [40, 'Impôt prélevé à la source - Base 2 170,40 Taux 3,10 % (taux personnalisé)'],
    [500, '-67,28'],
  ]);
  assert.equal(french.tax_amount?.value, 67.28);
  const dutch = payslip(
    [
      [40, 'Loonheffing tabel'],
      [200, '1.955,47'],
      [300, '-118,58'],
      [400, '-118,58'],
    ],
    null,
    [
      [40, 'Cumulatieven'],
      [200, 'Loonheffing'],
    ],
    [
      [40, 't/m oktober'],
      [200, '1.204,77'],
    ],
  );
  assert.equal(dutch.tax_amount?.value, 118.58);
});

test('nobody lives at an industrial zone, and days of hire and of laws are none of the pay', () => {
  const fields = payslip(
    [[40, 'MENUISERIES EXEMPLE SARL']],
    [[40, 'ZA de Peyrelongue']],
    [[40, '12 rue des Scieurs']],
    [[40, '40100 DAX']],
  );
  assert.equal(fields.employee_name, undefined);
  const dutch = payslip(
    [
      [40, 'Periode'],
      [200, 'Oktober 2023'],
    ],
    [
      [40, 'Datum in dienst'],
      [200, '01-09-2011'],
    ],
    [
      [40, 'Netto uit te betalen op 25-10-2023'],
      [400, '€ 1.874,49'],
    ],
  );
  assert.equal(dutch.pay_date?.value, '2023-10-25');
  assert.equal(dutch.period_start_date?.value, '2023-10-01');
});

test('a period of years is none, and the month that is printed is', () => {
  const fields = payslip(
    [[40, 'PERIODO DI RETRIBUZIONE']],
    [[40, 'MARZO 2024']],
    [[40, 'LIBRO UNICO DEL LAVORO - Aut. INAIL n. 311/09 del 12/01/2009']],
  );
  assert.notEqual(fields.period_start_date?.value, '2009-01-12');
  assert.equal(fields.period_end_date?.value, '2024-03-31');
});

test('below the heading of quantities or rates stands no sum, and a tax is less than its base', () => {
  const brazilian = payslip(
    [
      [40, 'Descrição'],
      [200, 'Referência'],
      [300, 'Vencimentos'],
      [400, 'Descontos'],
    ],
    [
      [40, 'SALÁRIO BASE'],
      [200, '220,00'],
      [300, '2.480,00'],
    ],
    [
      [40, 'IMPOSTO DE RENDA RETIDO'],
      [200, '7,50'],
      [400, '12,88'],
    ],
    null,
    [[40, 'Referente ao mês: Junho/2024']],
  );
  assert.equal(brazilian.tax_amount?.value, 12.88);
  assert.equal(brazilian.period_start_date?.value, '2024-06-01');
  const austrian = payslip([
    [40, 'Lohnsteuer'],
    [200, '2.485,04'],
    [300, '-312,77'],
  ]);
  assert.equal(austrian.tax_amount?.value, 312.77);
});

test('a tax’s row ends where another table begins, and a grade is nobody', () => {
  const fields = payslip(
    [
      [40, 'Pay slip for'],
      [140, 'Harrison Djukic'],
    ],
    [
      [40, 'Classification'],
      [140, 'Level 2 Casual'],
    ],
    null,
    [
      [40, 'Taxes'],
      [160, 'Current'],
      [240, 'Year to date'],
      [340, 'Deductions'],
      [460, 'Current'],
      [540, 'Year to date'],
    ],
    [
      [40, 'Federal Income Tax'],
      [160, '168.21'],
      [240, '602.10'],
      [340, 'Simple IRA'],
      [460, '63.41'],
      [540, '227.45'],
    ],
  );
  assert.equal(fields.tax_amount?.value, 168.21);
  assert.equal(fields.employee_name?.value, 'Harrison Djukic');
});

test('a payslip’s title is no employer, and an amount between two headings is below the nearer one', () => {
  const singaporean = payslip(
    [[40, 'Itemised Payslip']],
    [
      [40, 'Name of Employer'],
      [160, 'Kampong Bahru Logistics Pte Ltd'],
    ],
    [
      [40, 'Name of Employee'],
      [160, 'Nurul Huda Binte Ismail'],
    ],
  );
  assert.equal(singaporean.employer_name?.value, 'Kampong Bahru Logistics Pte Ltd');
  assert.equal(singaporean.employee_name?.value, 'Nurul Huda Binte Ismail');
  const american = payslip(
    [
      [40, 'Deductions'],
      [205, 'this period'],
      [265, 'year to date'],
    ],
    [
      [40, 'Federal Income Tax'],
      [262, '-98.40', 'right'],
      [325, '201.11', 'right'],
    ],
  );
  assert.equal(american.tax_amount?.value, 98.4);
});

test('a row of totals has those of the columns that head it, and what is paid is none of them', () => {
  const fields = payslip(
    [
      [40, 'Recibo de Vencimentos'],
      [240, 'Período'],
      [320, 'Maio / 2024'],
    ],
    null,
    [
      [40, 'Cód.'],
      [90, 'Data'],
      [140, 'Descrição'],
      [330, 'Remunerações', 'right'],
      [420, 'Descontos', 'right'],
    ],
    [
      [40, 'R01'],
      [90, '31-05'],
      [140, 'Vencimento Base'],
      [330, '1.180,00', 'right'],
    ],
    [
      [40, 'D02'],
      [90, '31-05'],
      [140, 'IRS (9,80 % s/ 1.180,00)'],
      [420, '115,64', 'right'],
    ],
    null,
    [
      [200, 'Total'],
      [330, '1.180,00', 'right'],
      [420, '115,64', 'right'],
    ],
    [
      [200, 'Total Pago (EUR)'],
      [420, '1.064,36', 'right'],
    ],
  );
  assert.equal(fields.period_start_date?.value, '2024-05-01');
  assert.equal(fields.period_end_date?.value, '2024-05-31');
  assert.equal(fields.gross_pay?.value, 1180);
  assert.equal(fields.total_deductions?.value, 115.64);
  assert.equal(fields.tax_amount?.value, 115.64);
  assert.equal(fields.net_pay?.value, 1064.36);
});

test('captions may shorten the word for a total, and a tax number is nobody’s number with the employer', () => {
  const fields = payslip(
    [
      [40, 'C.I.F.'],
      [140, 'CATEGORIA'],
      [240, 'Nº MATRIC'],
      [340, 'D.N.I.'],
    ],
    [
      [40, 'B44188302'],
      [140, 'OFICIAL 1ª'],
      [240, '000023'],
      [340, '73148820K'],
    ],
    null,
    [
      [300, 'T. DEVENGADO'],
      [420, 'T. A DEDUCIR'],
    ],
    [
      [310, '1.907,03'],
      [430, '358,55'],
    ],
    null,
    [[40, 'LIQUIDO A PERCIBIR']],
    [[40, '1.548,48']],
  );
  assert.notEqual(fields.employee_id?.value, 'B44188302');
  assert.notEqual(fields.employee_id?.value, '73148820K');
  assert.equal(fields.gross_pay?.value, 1907.03);
  assert.equal(fields.total_deductions?.value, 358.55);
});

test('a title may head the row of the year’s sums, and the month stands below that of the payslip', () => {
  const fields = payslip(
    [[40, 'Weinkellerei Dörnbach GmbH']],
    [[40, 'Abrechnung der Brutto/Netto-Bezüge']],
    [[40, 'für September 2023']],
    null,
    [[40, 'Die Beiträge haben sich ab 01.07.2023 geändert.']],
    null,
    [
      [90, 'Steuer-Brutto', 'right'],
      [190, 'Lohnsteuer', 'right'],
      [340, 'Solidaritätszuschlag', 'right'],
    ],
    [
      [90, '3.677,27', 'right'],
      [190, '498,16', 'right'],
      [340, '0,00', 'right'],
    ],
    null,
    [[40, 'Verdienstbescheinigung']],
    [
      [90, 'Steuer-Brutto', 'right'],
      [190, 'Lohnsteuer', 'right'],
      [290, 'VWL ges.', 'right'],
    ],
    [
      [90, '31.664,20', 'right'],
      [190, '4.251,77', 'right'],
      [290, '360,00', 'right'],
    ],
  );
  assert.equal(fields.tax_amount?.value, 498.16);
  assert.equal(fields.period_start_date?.value, '2023-09-01');
  assert.equal(fields.currency?.value, 'EUR');
});

test('a box below the list of the year’s sums is none of them, and has its amount in the corner', () => {
  const fields = payslip(
    [
      [40, 'This Period'],
      [240, 'Year To Date'],
    ],
    [
      [40, 'Total Gross Pay'],
      [200, '2579.93', 'right'],
      [240, 'Total Gross Pay TD'],
      [420, '24631.08', 'right'],
    ],
    [
      [240, 'Tax paid TD'],
      [420, '2547.20', 'right'],
    ],
    null,
    [
      [40, 'Calderbrook Joinery Ltd'],
      [240, 'Net Pay'],
    ],
    [
      [40, 'Tax Code: 1257L'],
      [420, '2017.36', 'right'],
    ],
  );
  assert.equal(fields.net_pay?.value, 2017.36);
});

test('boxes have their values below their captions, and a period may begin with its year', () => {
  const fields = payslip(
    [
      [40, 'Padaria Moinho do Cértima, Lda'],
      [400, 'Período: 2024/05'],
      [500, 'Data Fecho: 31/05/2024'],
    ],
    null,
    [
      [40, 'Nome'],
      [200, 'N.º Func.'],
      [280, 'Categoria'],
      [400, 'N.º Benef.'],
    ],
    [
      [40, 'Carla Sofia Marques Abrantes'],
      [200, '027'],
      [280, 'Empregada'],
      [400, '11044177208'],
    ],
    null,
    [
      [40, 'Descrição'],
      [330, 'Remunerações', 'right'],
      [420, 'Descontos', 'right'],
    ],
    [
      [40, 'Vencimento'],
      [330, '871,00', 'right'],
    ],
    [
      [40, 'IRS (4,5%)'],
      [420, '43,00', 'right'],
    ],
    null,
    [
      [40, 'Formas de Pagamento'],
      [200, 'Total'],
      [330, '871,00', 'right'],
      [420, '43,00', 'right'],
    ],
    [
      [40, '100% Transferência'],
      [200, 'Total Pago (EUR)'],
      [420, '828,00', 'right'],
    ],
  );
  assert.equal(fields.employee_name?.value, 'Carla Sofia Marques Abrantes');
  assert.equal(fields.employee_id?.value, '027');
  assert.equal(fields.period_start_date?.value, '2024-05-01');
  assert.equal(fields.period_end_date?.value, '2024-05-31');
  assert.equal(fields.gross_pay?.value, 871);
  assert.equal(fields.net_pay?.value, 828);
});

test('a centred head has the employer’s address in one line below the name', () => {
  const fields = payslip(
    [[200, 'SAHYADRI FORGINGS PRIVATE LIMITED']],
    [[120, 'Plot No. D-44, MIDC Chakan Phase II, Village Khalumbre, Pune - 410501']],
    [[220, 'Payslip for the month of August 2023']],
    null,
    [
      [40, 'Employee No'],
      [140, 'SFPL0417'],
    ],
  );
  assert.equal(fields.employer_name?.value, 'SAHYADRI FORGINGS PRIVATE LIMITED');
  assert.equal(fields.employer_address?.value, 'Plot No. D-44, MIDC Chakan Phase II, Village Khalumbre, Pune - 410501');
});

test('below the title of a year’s boxes no amount is the period’s, and the pay date stands at its own caption', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'INC. DATE'],
      [160, 'EMPLOYEE NAME'],
      [300, 'DEPT'],
    ],
    [
      [40, '12 OCT 2024'],
      [160, 'Jane Doe'],
      [300, '412'],
    ],
    null,
    [
      [40, 'YEAR TO DATE BALANCES (THIS EMPLOYMENT)'],
      [320, 'THIS PERIOD SUMMARY'],
    ],
    [
      [40, 'GROSS PAY'],
      [160, 'TAX PAID'],
      [320, 'TOTAL PAYMENTS'],
      [440, 'NET PAY'],
    ],
    [
      [40, '19,114.82'],
      [160, '2,209.40'],
      [320, '3,263.47'],
      [440, '2,335.26'],
    ],
    null,
    [
      [40, 'FREQUENCY'],
      [160, 'PAY DATE'],
      [320, 'TAX PERIOD'],
    ],
    [
      [40, 'Monthly'],
      [160, '26 SEP 2024'],
      [320, '6'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.gross_pay?.value, 3263.47);
  assert.equal(fields.pay_date?.value, '2024-09-26');
});

test('what is net by another reckoning is no tax', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Net à payer avant impôt sur le revenu'],
      [300, '422,67 €'],
    ],
    [
      [40, 'Impôt sur le revenu prélevé à la source'],
      [300, '5,26 €'],
    ],
    [
      [40, 'Montant net social'],
      [300, '422,67 €'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 5.26);
});

test('a French payslip’s sums are the employee’s own, and its summary’s columns are their nearest heads’', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Salaire brut'],
      [480, '2 022,61', 'right'],
    ],
    [
      [40, 'Eléments de paie'],
      [400, 'A déduire', 'right'],
      [560, 'Charges patronales', 'right'],
    ],
    [
      [40, 'Total des cotisations et contributions'],
      [400, '420,07', 'right'],
      [560, '287,66', 'right'],
    ],
    [
      [40, 'Impôt sur le revenu prélevé à la source - Taux personnalisé'],
      [380, '1 577,70', 'right'],
      [440, '2,1000', 'right'],
      [500, '33,13', 'right'],
    ],
    null,
    [[320, 'Net payé']],
    [[320, '1 594,41 euros']],
    null,
    [
      [220, 'Brut'],
      [320, 'Net imposable'],
    ],
    [
      [40, 'Mensuel'],
      [220, '2 022,61'],
      [320, '1 577,70'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.total_deductions?.value, 420.07);
  assert.equal(fields.tax_amount?.value, 33.13);
  assert.equal(fields.net_pay?.value, 1594.41);
});

test('a box’s sum stands at its right, and the one before may reach below its caption', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'PROGR. IRPEF'],
      [180, 'IRPEF PAGATA'],
      [320, 'TOTALE TRATTENUTE'],
      [460, 'TOTALECOMPETENZE'],
    ],
    [
      [176, '19.388,12', 'right'],
      [322, '2.907,66', 'right'],
      [452, '603,86', 'right'],
      [580, '2.335,86', 'right'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.total_deductions?.value, 603.86);
  assert.equal(fields.gross_pay?.value, 2335.86);
});

test('how one files taxes may stand between a tax and its amount', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Withholdings'],
      [200, 'Filing status'],
      [300, 'This period'],
      [400, 'YTD'],
    ],
    [
      [40, 'Fed Income Tax'],
      [200, 'HOH'],
      [300, '74.22'],
      [400, '391.74'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 74.22);
});

test('a tax has its rate and base in its label, and a contribution that lessens it is none', () => {
  const rows: PrintedRow[] = [
    [
      [330, 'Base', 'right'],
      [400, 'Taux', 'right'],
      [480, 'Part salarié', 'right'],
    ],
    [
      [40, 'CSG déductible de l’impôt sur le revenu'],
      [330, '3 730,50', 'right'],
      [400, '6,80 %', 'right'],
      [480, '253,67', 'right'],
    ],
    null,
    [
      [40, 'Impôt sur le revenu (taux 7,20 %, base 3 029,70)'],
      [480, '218,14 €', 'right'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 218.14);
});

test('the number of an insurance is not the employee’s', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'PANIFICIO ESEMPIO S.N.C.'],
      [300, 'Matricola INPS 5004418822'],
    ],
    [[40, 'Cognome e Nome']],
    [[40, 'ESEMPIO FEDERICA']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.employee_id, undefined);
});

test('beside boxes of the year stand those of the period', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'YTD DEDUCTIONS'],
      [160, 'YTD NET PAY'],
      [280, 'DEDUCTIONS'],
      [400, 'NET PAY'],
    ],
    [
      [40, '3,826.62'],
      [160, '15,073.38'],
      [280, '425.18'],
      [400, '1,674.82'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.total_deductions?.value, 425.18);
  assert.equal(fields.net_pay?.value, 1674.82);
});

test('what is paid out is no tax, wherever else it stands, and the employee’s address is not the employer’s', () => {
  const rows: PrintedRow[] = [
    [[300, 'Example Orchards Pty Ltd']],
    null,
    [
      [40, 'Employee:'],
      [120, 'Jane Doe'],
    ],
    [
      [40, 'Address:'],
      [120, '2/14 Example St, Griffith NSW 2680'],
    ],
    null,
    [
      [40, 'PAYG'],
      [300, '446.00', 'right'],
    ],
    [
      [40, 'Net Pay'],
      [300, '1,642.30', 'right'],
    ],
    [[40, 'Paid to: BSB 062-584 $1,642.30']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.tax_amount?.value, 446);
  assert.equal(fields.employer_address, undefined);
});

test('the day of payment is known though OCR left out a mark', () => {
  const rows: PrintedRow[] = [[[40, 'Entgeltnachweis Juni 2024']], [[40, 'Uberweisung zum 28.06.2024 auf Konto DE66']]];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.pay_date?.value, '2024-06-28');
});

test('sums of the year stand under their heading though it was read as one with another, or in pairs below it', () => {
  const taxOf = (...rows: PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction.fields.tax_amount?.value;
  assert.equal(
    taxOf(
      [
        [40, 'Deductions'],
        [205, 'Amount Totals This Year'],
      ],
      [
        [40, 'PAYE Tax'],
        [195, '284.80'],
        [244, 'Taxable Pay'],
        [350, '26,918.44'],
      ],
      [
        [40, 'Pension'],
        [200, '97.62'],
        [244, 'Tax'],
        [350, '2,996.60'],
      ],
    ),
    284.8,
  );
  assert.equal(
    taxOf(
      [
        [40, 'Lohnsteuer'],
        [200, '595,16-'],
      ],
      [[40, 'Jahressummen']],
      [
        [40, 'Steuerbrutto'],
        [120, '39.871,44'],
        [220, 'Lohnsteuer'],
        [340, '5.118,92'],
      ],
    ),
    595.16,
  );
});

test('deductions before taxes are not all of them', () => {
  const rows: PrintedRow[] = [
    [
      [120, 'Gross Pay'],
      [200, 'Pre Tax Deductions'],
      [340, 'Employee Taxes'],
      [460, 'Net Pay'],
    ],
    [
      [40, 'Current'],
      [120, '4,012.80'],
      [200, '441.28'],
      [340, '862.17'],
      [460, '2,646.85'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.total_deductions, undefined);
});

const read = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction.fields;

test('of the contract’s pay and what was earned the gross pay is the one that leaves the net', () => {
  const fields = read(
    [
      [40, 'Earnings'],
      [160, 'Full'],
      [240, 'Actual'],
      [320, 'Deductions'],
      [480, 'Actual'],
    ],
    [
      [40, 'BASIC'],
      [160, '76,000.00'],
      [240, '78,480.00'],
      [320, 'PF'],
      [480, '11,628.00'],
    ],
    [
      [40, 'Total Earnings'],
      [160, '76,000.00'],
      [240, '78,480.00'],
      [320, 'Total Deductions'],
      [480, '11,628.00'],
    ],
    [
      [40, 'Net Pay for the month'],
      [480, '66,852.00'],
    ],
  );
  assert.equal(fields.gross_pay?.value, 78480);
});

test('German payslips hold back taxes and contributions in two boxes', () => {
  const fields = read(
    [
      [300, 'Gesamt-Brutto'],
      [500, '2.869,21'],
    ],
    [[400, 'Steuerrechtl. Abzüge']],
    [[450, '315,17']],
    [[400, 'SV-rechtl. Abzüge']],
    [[450, '596,99']],
    [
      [300, 'Netto-Verdienst'],
      [500, '1.957,05'],
    ],
    [
      [300, 'Auszahlungsbetrag'],
      [500, '1.845,95'],
    ],
  );
  assert.equal(fields.total_deductions?.value, 912.16);
  assert.equal(fields.net_pay?.value, 1845.95);
});

test('the day of a transfer may stand well behind what says that it is paid', () => {
  const fields = read([[40, 'Payslip']], null, [
    [40, 'Paid by bank transfer to account ending 4471 on 24 December 2024'],
  ]);
  assert.equal(fields.pay_date?.value, '2024-12-24');
});

test('an American stub’s federal tax is among others', () => {
  for (const label of ['FED TAX', 'FITW']) {
    const fields = read(
      [
        [40, 'DEDUCTIONS'],
        [200, 'CURRENT TOTAL'],
        [320, 'YEAR-TO-DATE'],
      ],
      [
        [40, 'FICA SS TAX'],
        [200, '85.56'],
        [320, '513.36'],
      ],
      [
        [40, label],
        [200, '74.30'],
        [320, '445.80'],
      ],
    );
    assert.equal(fields.tax_amount?.value, 74.3, label);
  }
});

test('the amount of the year is not the only one of a row whose other one reaches below a column of rates', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Earnings'],
      [180, 'Rate'],
      [230, 'Current'],
      [300, 'YTD Amount'],
    ],
    [
      [40, 'Hourly Rate'],
      [200, '19.25', 'right'],
      [265, '1,511.13', 'right'],
      [350, '16,804.22', 'right'],
    ],
    null,
    [
      [40, 'Net Pay'],
      [232, '1,322.62', 'right'],
      [350, '14,759.46', 'right'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.notEqual(fields.net_pay?.value, 14759.46);
});

test('the rest of an amount’s label is no employee', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Earnings for NI TD'],
      [240, '19,569.20'],
    ],
    [
      [40, 'Employee Pension TD'],
      [240, '978.46'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.employee_name, undefined);
});

test('a person above a company’s address is whom it employs', () => {
  const rows: PrintedRow[] = [
    [[40, 'PAYSLIP']],
    null,
    [[40, 'Declan Ryder']],
    [[40, '44 Esplanade']],
    [[40, 'Torquay VIC 3228']],
    null,
    null,
    [[340, 'Employed by Banksia Bay Physiotherapy Pty Ltd']],
    [[340, '7 Bristol Road, Torquay VIC 3228']],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.employee_name?.value, 'Declan Ryder');
  assert.equal(fields.employer_address?.value, '7 Bristol Road, Torquay VIC 3228');
});

test('one of the two sums that are held back in Germany is not all, and either may stand beside its label', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Gesamt-Brutto'],
      [300, '3.521,29'],
    ],
    [
      [40, 'Steuerrechtl. Abzüge'],
      [300, '421,16'],
    ],
    [
      [40, 'SV-rechtl. Abzüge'],
      [300, '721,51'],
    ],
  ];
  const deductions = (...more: PrintedRow[]) =>
    extractFromWords(typeset([...rows, ...more]), { docType: 'payslip', fields: null }).extraction.fields
      .total_deductions?.value;
  assert.notEqual(deductions(), 721.51);
  assert.equal(
    deductions([
      [40, 'Netto-Verdienst'],
      [300, '2.378,62'],
    ]),
    1142.67,
  );
});

test('an employee’s address at its label is not the employer’s, and a proof of pay is for its month', () => {
  const { fields } = extractFromWords(
    typeset([
      [[200, 'Riverina Shearing Supplies Pty Ltd']],
      [[240, '14 Fitz Street']],
      [[230, 'WAGGA WAGGA NSW 2650']],
      null,
      [[40, 'Employee: Tamsin Bracewell']],
      [[40, 'Address: 6 Docker Street, Wagga Wagga NSW 2650']],
      [[40, 'Gross Pay: $1,155.00']],
    ]),
    { docType: 'payslip', fields: null },
  ).extraction;
  assert.equal(fields.employer_address?.value, '14 Fitz Street, WAGGA WAGGA NSW 2650');
  const proof = extractFromWords(typeset([[[40, 'Entgeltnachweis Februar 2024']], [[40, 'Gesamtbrutto 3.418,10']]]), {
    docType: 'payslip',
    fields: null,
  }).extraction.fields;
  assert.equal(proof.period_start_date?.value, '2024-02-01');
});

test('an address behind the employee’s name in one line is not the employer’s', () => {
  const rows: PrintedRow[] = [
    [[40, 'Example Veterinary Group']],
    [[40, 'Employee']],
    [[40, 'Jolene Sample-Cruz, 88 Madrone St, Arcata, CA 95521']],
    [[40, 'Pay Period: 03/16/2024 - 03/31/2024']],
    [
      [40, 'Net Pay'],
      [300, '2,172.25'],
    ],
  ];
  const { fields } = extractFromWords(typeset(rows), { docType: 'payslip', fields: null }).extraction;
  assert.equal(fields.employee_name?.value, 'Jolene Sample-Cruz');
  assert.equal(fields.employer_address, undefined);
});
