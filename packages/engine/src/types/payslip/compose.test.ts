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
