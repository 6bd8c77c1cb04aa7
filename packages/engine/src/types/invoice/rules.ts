import { addedTaxes, withAllTaxes } from '../../compose/added-taxes.ts';
import { composeBankDetails } from '../../compose/bank-details.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { composeDayInFull, composePaymentTerms } from '../../compose/payment-terms.ts';
import { restOfPeriod } from '../../compose/period.ts';

export const invoiceRules: TypeRules = {
  compose: (findings) => ({
    ...composePaymentTerms(findings),
    ...composeDayInFull(findings),
    ...composeBankDetails(findings),
    ...addedTaxes(findings.layout),
  }),
  check: (fields, rows, findings) => ({
    ...withAllTaxes(fields, rows, findings.layout),
    ...restOfPeriod(findings, fields, 'service_start_date', 'service_end_date'),
  }),
};
