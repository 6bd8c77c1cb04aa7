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

/** Deductions beside taxes that are summed apart are not all that is held back: gross and net pay tell. */
function withoutOtherDeductions(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { gross_pay: gross, net_pay: net, total_deductions: deductions, ...rest } = fields;
  if (!gross || !net || !deductions) return { ...fields };
  const isPart = Number(deductions.value) < 0.5 * (Number(gross.value) - Number(net.value));
  return isPart ? { ...rest, gross_pay: gross, net_pay: net } : { ...fields };
}

export const payslipRules: TypeRules = {
  compose: composePayslip,
  sift: withoutYearToDate,
  check: (fields) => withoutOtherDeductions(withoutSigns(fields)),
};
