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
