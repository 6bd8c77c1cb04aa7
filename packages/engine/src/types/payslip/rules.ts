import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { composePayslip } from './compose.ts';
import { withoutYearToDate } from './year-to-date.ts';

/** What is held back from pay is an amount of its own, whether or not it is printed with a minus. */
const heldBack: ReadonlySet<string> = new Set(['tax_amount', 'total_deductions']);

function withoutSigns(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) =>
      heldBack.has(name) && typeof each.value === 'number'
        ? [name, { ...each, value: Math.abs(each.value) }]
        : [name, each],
    ),
  );
}

export const payslipRules: TypeRules = {
  compose: composePayslip,
  sift: withoutYearToDate,
  check: withoutSigns,
};
