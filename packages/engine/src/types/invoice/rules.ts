import type { ExtractedValue } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import {
  addedTaxes,
  withAllTaxes,
  withoutMixedRate,
  withoutOwedBefore,
  withTaxesWithin,
  withTaxOfItems,
} from '../../compose/added-taxes.ts';
import { composeBankDetails } from '../../compose/bank-details.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { composeDayInFull, composePaymentTerms } from '../../compose/payment-terms.ts';
import { restOfPeriod } from '../../compose/period.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { withoutOthers } from '../../score/sift.ts';

/** The fields without a negative amount still to be paid, unless more was paid than was billed: credits are listed among the charges. */
function withoutCredits(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { amount_due: due, ...others } = fields;
  const isCredit = due !== undefined && Number(due.value) < 0 && Number(fields.total_amount?.value ?? 0) > 0;
  return isCredit && !fields.amount_paid ? others : { ...fields };
}

/** What stands left of or above the number of a customer's order, by the order's initials or the word. */
const ofOrder = /(?<!\p{L})(?:p\.? ?[o0]\.?|purchase order|order)(?: ?(?:no|number|nr|#)\.?)?[\s:#]*$/iu;

/** Whether a number is that of the customer's order, be it captioned `CUSTOMER P.O.`. */
function isOfOrder({ lines: [line, ...more], layout, start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const before = line.text.slice(0, start).trim();
  if (before !== '') return ofOrder.test(before);
  const { left, above } = neighboursOf(layout, line);
  return [left, above].some((caption) => caption !== null && ofOrder.test(caption.text));
}

export const invoiceRules: TypeRules = {
  sift: (scored) => withoutOthers(scored, { customer_id: ({ candidate }) => isOfOrder(candidate) }),
  compose: (findings) => ({
    ...composePaymentTerms(findings),
    ...composeDayInFull(findings),
    ...composeBankDetails(findings),
    ...addedTaxes(findings.layout),
  }),
  check: (fields, rows, findings) => {
    const { layout, candidates } = findings;
    const taxed = withTaxOfItems(withAllTaxes(withoutCredits(fields), rows, layout), rows, candidates);
    return {
      ...withoutMixedRate(withoutOwedBefore(withTaxesWithin(taxed, layout), layout), rows),
      ...restOfPeriod(findings, fields, 'service_start_date', 'service_end_date'),
    };
  },
};
