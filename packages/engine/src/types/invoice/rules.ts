import { composeBankDetails } from '../../compose/bank-details.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { composePaymentTerms } from '../../compose/payment-terms.ts';

export const invoiceRules: TypeRules = {
  compose: (findings) => ({ ...composePaymentTerms(findings), ...composeBankDetails(findings) }),
};
