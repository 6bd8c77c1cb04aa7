import type { TypeRules } from '../../compose/compose.ts';
import { labelOf } from '../../compose/labelled-rows.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { partyBlocksOf } from '../../parties/blocks.ts';
import type { ScoredField, ScoredValue } from '../../score/score.ts';
import { composeUtilityBill } from './compose.ts';

/** What stands before amounts and days of other bills, of payments and of readings. */
const ofAnother: Readonly<Record<string, RegExp>> = {
  total_amount:
    /(?<!\p{L})(?:payments?|paid|received|previous|last bill|prior|brought forward|carried forward|balance forward|thank you|zahlungen|bisher\p{L}*|voraus\p{L}*|abschl[aä]g\p{L}*|paiements?|pagos?|pagamenti|voorschot\p{L}*)(?!\p{L})/u,
  due_date:
    /(?<!\p{L})(?:payments? received|received|paid on|last payment|abschlag\p{L}*|ab|issued|mailed|read|reading|emitida|emessa|émise|next|prochain\p{L}*|pr[óo]xim\p{L}*|prossim\p{L}*|nächst\p{L}*|volgende)(?!\p{L})/u,
  bill_date:
    /(?<!\p{L})(?:payments?|paid|received|last payment|thank you|reading|read|balance from|zahlung\p{L}*|paiements?|pagos?|pagament\p{L}*)(?!\p{L})/u,
};

/** What calls an amount or a day the one that is to be paid, whatever else the words before it say. */
const stillDue = /(?<!\p{L})(?:due|to pay|payable|pay by|remit)(?!\p{L})/u;

/** Whether an address is the provider's, which its telephone number or page stands by. */
function isOfProvider({ candidate }: ScoredValue): boolean {
  const [line] = candidate.lines;
  if (!line || candidate.page !== candidate.layout.document.pages[0]?.number) return false;
  return partyBlocksOf(candidate.layout).some(
    ({ addressLines, caption, hasDetails }) => hasDetails && caption === null && addressLines.includes(line),
  );
}

function isOfAnother(name: string, value: ScoredValue): boolean {
  const { candidate } = value;
  if (name === 'service_address') return isOfProvider(value);
  const [line, ...more] = candidate.lines;
  const words = ofAnother[name];
  if (!line || more.length > 0 || !words) return false;
  const own = labelOf(line.text.slice(0, candidate.start));
  const label = own || labelOf(neighboursOf(candidate.layout, line).left?.text ?? '');
  return label.length <= 80 && words.test(label) && !stillDue.test(label);
}

/** The fields without the amounts and days that a bill states of other bills, payments and readings. */
function withoutOtherBills(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) => {
    const { name } = entry.field;
    if (!ofAnother[name] && name !== 'service_address') return entry;
    return { ...entry, ranked: entry.ranked.filter((value) => !isOfAnother(name, value)) };
  });
}

export const utilityBillRules: TypeRules = { compose: composeUtilityBill, sift: withoutOtherBills };
