import { labelBefore } from '../../compose/labelled-rows.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

const orderNumber =
  /(?<!\p{L})(?:auftrags?|order|requisition|accession|specimen|sample|proben?|tagebuch|labor)(?: ?-? ?(?:nr|nummer|no|number|id))(?!\p{L})/u;

/** The scored fields of a report without the numbers of orders and samples among the patient's. */
export function withoutOrderNumbers(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, { patient_id: ({ candidate }) => orderNumber.test(labelBefore(candidate)) });
}
