import type { Layout, TextLine } from '@millrace/document-model';
import { rowOf } from '../layout/neighbours.ts';
import { labelOf } from './labelled-rows.ts';

/** What calls a quantity that of another period, an average or a part, as labels are compared. */
export const otherUsage =
  /(?<!\p{L})(?:average|avg|daily|per day|a day|last year|previous|prior|last month|compar\p{L}*|similar|neighbou?rs?|year|annual|annu[oae]l?s?|jahres\p{L}*|jaar\p{L}*|medi[oa]|médi[oa]|vorig\p{L}*|estimated|demand|rate|first|next|over|tier|block|peak|durchschnitt\p{L}*|vorjahr\p{L}*|moyenne?|promedio|media)(?!\p{L})/u;

/** Whether a quantity is another period's, an average or a part, by what stands before it on its row. */
export function isOtherUsage(layout: Layout, line: TextLine, start: number): boolean {
  const left = rowOf(layout, line).filter(({ box }) => box.x1 <= line.box.x0);
  const nearest = labelOf(line.text.slice(0, start)) || labelOf(left.at(-1)?.text ?? '');
  return (
    nearest.length <= 80 &&
    otherUsage.test(nearest) &&
    !/(?<!\p{L})(?:read|reading|total|meter)(?!\p{L})/u.test(nearest)
  );
}
