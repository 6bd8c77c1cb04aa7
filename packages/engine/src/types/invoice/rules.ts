import type { ExtractedValue } from '@millrace/document-model';
import { addedTaxes, withAllTaxes } from '../../compose/added-taxes.ts';
import { composeBankDetails } from '../../compose/bank-details.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { composeDayInFull, composePaymentTerms } from '../../compose/payment-terms.ts';
import { restOfPeriod } from '../../compose/period.ts';

/** The fields without a negative amount still to be paid, unless more was paid than was billed: credits are listed among the charges. */
function withoutCredits(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { amount_due: due, ...others } = fields;
  const isCredit = due !== undefined && Number(due.value) < 0 && Number(fields.total_amount?.value ?? 0) > 0;
  return isCredit && !fields.amount_paid ? others : { ...fields };
}

export const invoiceRules: TypeRules = {
  compose: (findings) => ({
    ...composePaymentTerms(findings),
    ...composeDayInFull(findings),
    ...composeBankDetails(findings),
    ...addedTaxes(findings.layout),
  }),
  check: (fields, rows, findings) => ({
    ...withAllTaxes(withoutCredits(fields), rows, findings.layout),
    ...restOfPeriod(findings, fields, 'service_start_date', 'service_end_date'),
  }),
};
