import type { Candidate, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { neighboursOf, visualRows } from '../layout/neighbours.ts';

/** A label with the amounts that stand behind it on its visual row, up to the next label. */
export interface LabelledRow {
  /** Folded, without marks. */
  readonly label: string;
  readonly lines: readonly TextLine[];
  /** From left to right. */
  readonly values: readonly PlacedCandidate[];
}

interface OpenRow {
  readonly label: string;
  readonly lines: readonly TextLine[];
  readonly values: PlacedCandidate[];
}

const rowLimit = 3000;

/** OCR takes a capital I for a small l: `lncome tax`, `lmpuesto`. */
const smallLetter = /(?<![\p{L}\d])l(?=[mnrv]\p{L}{2})/gu;

/** The label as it is compared: folded, letters, digits and single blanks. */
export function labelOf(text: string): string {
  return foldText(text)
    .replace(smallLetter, 'i')
    .replace(/[^\p{L}\d/ ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The label of a value as it is compared: what stands before it on its line, or else left of that. */
export function labelBefore({ layout, lines, start }: PlacedCandidate): string {
  const line = lines[0]!;
  return labelOf(line.text.slice(0, start)) || labelOf(neighboursOf(layout, line).left?.text ?? '');
}

/** Whether an amount of money stands alone to the right of a line, which so is the label of it. */
export function isLabelOfSum(line: TextLine, layout: Layout): boolean {
  return /^[-(\p{Sc} ]*\d[\d.,' ]*[.,]\d{2}[-)]?$/u.test(neighboursOf(layout, line).right?.text ?? '');
}

/** Whether an amount is the rest of another one, as `870,05` is of `1 870,05`. */
function isPartOf(part: PlacedCandidate, whole: PlacedCandidate): boolean {
  return whole.start <= part.start && whole.end >= part.end && whole.end - whole.start > part.end - part.start;
}

/** Decimals or a currency: a year or a number of days is no sum of money. */
const money = /[.,]\d{2}(?!\d)|\p{Sc}/u;

/** The rows of a document that have a label and, behind it, amounts of money. */
export function labelledRows(layout: Layout, candidates: readonly Candidate[]): readonly LabelledRow[] {
  const byLine = Map.groupBy(
    (candidates as readonly PlacedCandidate[]).filter(
      (candidate) =>
        candidate.kind === 'amount' &&
        candidate.layout === layout &&
        candidate.lines.length === 1 &&
        money.test(candidate.text),
    ),
    ({ lines }) => lines[0]!,
  );
  const rows: LabelledRow[] = [];
  for (const row of visualRows(layout).slice(0, rowLimit)) {
    const open: OpenRow[] = [];
    for (const line of row) {
      const values = (byLine.get(line) ?? [])
        .filter((value, _, all) => !all.some((other) => isPartOf(value, other)))
        .toSorted((a, b) => a.start - b.start);
      let at = 0;
      for (const value of [...values, null]) {
        const text = line.text.slice(at, value?.start);
        const last = open.at(-1);
        if (/\p{L}{2}/u.test(text)) {
          if (last?.values.length === 0) {
            open[open.length - 1] = { label: `${last.label} ${text}`, lines: [...last.lines, line], values: [] };
          } else {
            open.push({ label: text, lines: [line], values: [] });
          }
        }
        if (!value) break;
        open.at(-1)?.values.push(value);
        at = value.end;
      }
    }
    for (const { label, lines, values } of open) {
      if (values.length > 0) rows.push({ label: labelOf(label), lines, values });
    }
  }
  return rows;
}
