import type { ExtractedFields, ExtractedValue, Layout } from '@millrace/document-model';
import { isOnLine } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';

/** Where a couple's second form of address stands, the first one before a wide blank: `M.   OU MME JEAN EXEMPLE`. */
const second = /^(?:ou|et|o|e|y|und|oder|or|and|&) (?:m(?:r|me|lle|adame|rs|s)?\.?|frau|sra\.?|sig\.?ra) /iu;
const title = /^(?:m(?:r|onsieur)?|herrn?|sr|sig|dhr)\.?$/iu;

/** The fields with names of couples from the first form of address on. */
export function withWholeCouples(fields: ExtractedFields, layout: Layout): Record<string, ExtractedValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const [place] = value.provenance;
      if (!place || !second.test(String(value.value))) return [name, value];
      const line = layout.lines.find((each) => isOnLine(place, each));
      const left = line && neighboursOf(layout, line).left;
      if (!left || !title.test(left.text.trim())) return [name, value];
      return [name, { ...value, value: `${left.text.trim()} ${value.value}` }];
    }),
  );
}
