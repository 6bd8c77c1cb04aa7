import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { composeContract } from './compose.ts';
import { withoutFees } from './fees.ts';

/** A contract does not begin on or after the day on which it ends: one of the two is another day, most often the first. */
function withoutLateBeginning(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { effective_date: first, end_date: last, ...others } = fields;
  const isLate = first && last && String(first.value) >= String(last.value);
  return { ...others, ...(first && !isLate && { effective_date: first }), ...(last && { end_date: last }) };
}

export const contractRules: TypeRules = { compose: composeContract, sift: withoutFees, check: withoutLateBeginning };
