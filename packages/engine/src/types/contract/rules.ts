import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { composeContract } from './compose.ts';
import { withoutFees } from './fees.ts';
import { withoutOtherDays } from './other-days.ts';

/** A contract does not begin on or after the day on which it ends: the less sure of the two is another day. */
function withoutLateBeginning(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { effective_date: first, end_date: last, ...others } = fields;
  if (!first || !last || String(first.value) < String(last.value)) return { ...fields };
  return first.confidence > last.confidence ? { ...others, effective_date: first } : { ...others, end_date: last };
}

export const contractRules: TypeRules = {
  compose: composeContract,
  sift: (scored) => withoutOtherDays(withoutFees(scored)),
  check: withoutLateBeginning,
};
