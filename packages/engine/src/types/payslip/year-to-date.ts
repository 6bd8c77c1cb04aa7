import type { Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { labelBefore, labelOf } from '../../compose/labelled-rows.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField } from '../../score/score.ts';

/** What calls an amount that of the year so far, as labels are compared. */
export const toDate =
  /(?<!\p{L})(?:y ?t ?d|year to date|yr to date|to date|td|cumul\p{L}*|kumuliert|jahres\p{L}*|verdienstbescheinigung|aufgelaufen|acumulado|progressiv\p{L}*|cumulatief)(?!\p{L})/u;

/** The scored fields of a payslip without the amounts that their own label calls those of the year so far. */
export function withoutYearToDate(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) => {
    if (entry.field.kind !== 'amount') return entry;
    const isOther =
      entry.field.name === 'net_pay'
        ? isTaxable
        : (each: PlacedCandidate) => isNet(each) || (entry.field.name === 'tax_amount' && isBase(each));
    return {
      ...entry,
      ranked: entry.ranked.filter(({ candidates }) => !candidates.every((each) => isOfYear(each) || isOther(each))),
    };
  });
}

/** What taxes are reckoned by is called net as well, and nobody is paid it. */
export const taxable = /(?<!\p{L})(?:net (?:imposable|fiscal|taxable)|taxable net|avant impot)(?!\p{L})/u;

/** What is left when all was held back is none of what was. */
function isNet({ layout, lines: [line, ...more], start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const own = line.text.slice(0, start);
  const { left } = neighboursOf(layout, line);
  return /^net(?:to)? (?:a payer|pay|payable|salary|verdienst|da pagare)/u.test(
    labelOf(/\p{L}{2}/u.test(own) || !left ? own : left.text),
  );
}

/** What a tax is reckoned by is not the tax. */
function isBase(candidate: PlacedCandidate): boolean {
  const { lines } = candidate;
  return (
    lines.length === 1 &&
    /^(?:gross|pay|earnings|income|wages) for (?:tax|paye|ni)(?!\p{L})/u.test(labelBefore(candidate))
  );
}

function isTaxable({ layout, lines: [line, ...more], start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const own = line.text.slice(0, start);
  const { left } = neighboursOf(layout, line);
  return taxable.test(labelOf(/\p{L}{2}/u.test(own) || !left ? own : left.text));
}

/** Whether a line that has a label begins by saying that all on it is of the year: `Jahreswerte: Brutto …, Lohnsteuer …`. */
export function isOfYearLine({ text }: TextLine): boolean {
  return /^(?:jahreswerte|jahressummen|kumuliert|ytd|year to date|cumuls?)(?= ?[:–-])/iu.test(text);
}

/** Whether a label stands in a column of labels below a heading that says so. */
export function isUnderYear(label: TextLine, layout: Layout): boolean {
  const unit = label.box.y1 - label.box.y0;
  return layout.lines.some((heading) => {
    const { page, box, text } = heading;
    return (
      page === label.page &&
      box.y1 <= label.box.y0 + 1 &&
      label.box.y0 - box.y1 < 40 * unit &&
      Math.abs(box.x0 - label.box.x0) < 0.6 * unit &&
      text.length < 30 &&
      toDate.test(labelOf(text)) &&
      // A label with an amount of its own heads no column.
      !/\d/.test(neighboursOf(layout, heading).right?.text ?? '')
    );
  });
}

/** Whether the words before an amount on its line, the line left of it, or the heading above that one say so. */
function isOfYear({ layout, lines: [line, ...more], start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const before = line.text.slice(0, start).split(/\d[.,]\d{2}(?!\d)/);
  const own = before.at(-1)!;
  if (/\p{L}{2}/u.test(own)) return toDate.test(labelOf(own));
  if (before.length > 1) return false;
  const { left } = neighboursOf(layout, line);
  if (!left) return false;
  // An amount of the column before may have been joined with the label: `2,391.67 Tax paid TD`.
  const [label, ...joined] = left.text.split(/\d[.,]\d{2}(?!\d)/).toReversed();
  if (!/\p{L}{2}/u.test(label!)) return false;
  return toDate.test(labelOf(label!)) || (joined.length === 0 && isUnderYear(left, layout));
}
