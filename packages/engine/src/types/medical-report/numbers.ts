import { labelOf } from '../../compose/labelled-rows.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField, ScoredValue } from '../../score/score.ts';

const orderNumber =
  /(?<!\p{L})(?:auftrags?|order|requisition|accession|specimen|sample|proben?|tagebuch|labor)(?: ?-? ?(?:nr|nummer|no|number|id))(?!\p{L})/u;

/** The scored fields of a report without the numbers of orders and samples among the patient's. */
export function withoutOrderNumbers(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) =>
    entry.field.name === 'patient_id' ? { ...entry, ranked: entry.ranked.filter((value) => !isOfOrder(value)) } : entry,
  );
}

function isOfOrder({ candidate: { layout, lines, start } }: ScoredValue): boolean {
  const line = lines[0]!;
  const own = labelOf(line.text.slice(0, start));
  return orderNumber.test(own || labelOf(neighboursOf(layout, line).left?.text ?? ''));
}
