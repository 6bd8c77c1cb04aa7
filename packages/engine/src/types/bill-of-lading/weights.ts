import type { ExtractedFields, ExtractedValue, Layout, Locale } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { onceFor } from '../../layout/once-for.ts';
import type { ScoredField, ScoredValue } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

const otherWeight = /(?<!\p{L})(?:net|tare|netto|neto|chargeable)(?: (?:weight|wt)\.?)?\s*[:.]?\s*$/iu;

/** The scored fields of a bill of lading whose gross weight is none that the words before it call net or tare. */
export function withoutNetWeights(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, { gross_weight: ({ candidates }) => candidates.every(isOtherWeight) });
}

const headings = /^ship(?:ped)? (?:from|to):?$/iu;

/** Whether a lorry carries the goods from one place to another. */
const isInland = onceFor(
  ({ lines }) => lines.slice(0, 200).filter(({ text }) => headings.test(text.trim())).length > 1,
);

/** The scored fields of a bill of lading, which names no vessel where a lorry carries the goods. */
export function withoutVessels(scored: readonly ScoredField[]): readonly ScoredField[] {
  const isNone = ({ candidate: { layout } }: ScoredValue) => isInland(layout);
  return withoutOthers(scored, { vessel: isNone, voyage: isNone });
}

function isOtherWeight({ lines: [line, ...more], start }: PlacedCandidate): boolean {
  return line !== undefined && more.length === 0 && otherWeight.test(line.text.slice(0, start));
}

/** What calls a number the one by which a carrier is registered. */
const registered = /(?:^|(?<!\p{L}))(?:reg(?:istration|n)?|licen[cs]e|iec|fmc)\b[. ]*(?:no|number)?[. :#]*/iu;

/** The scored fields of a bill of lading without the number by which its carrier is registered. */
export function withoutRegistration(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, {
    bl_number: ({ candidate: { text, lines, start } }) =>
      registered.test(text) || registered.test(lines[0]?.text.slice(0, start) ?? ''),
  });
}

const wordBefore = /^(?:pro|bol|b\/l|awb|hawb|mawb|hbl|mbl)(?: ?(?:no\.?|number|#))?[ :#.]+(?=[\p{L}\d-]*\d{3})/iu;

/** The fields of a bill of lading whose number does not begin with the word for such numbers: `PRO 512-883104-7`. */
export function withBareNumber(fields: ExtractedFields): Record<string, ExtractedValue> {
  const { bl_number: number, ...others } = fields;
  if (!number) return { ...fields };
  return { ...others, bl_number: { ...number, value: String(number.value).replace(wordBefore, '') } };
}

const roadNote = /(?<!\p{L})CMR(?!\p{L})/u;
const grouped = /^(\d{1,3})[.,](\d{3})(?: ?kgs?\.?)?$/iu;

/**
 * The fields of a consignment note for European roads with its weight in whole kilograms: what parts three digits there parts
 * thousands, whichever of its languages the note is read in.
 */
export function withRoadWeight(fields: ExtractedFields, layout: Layout): Record<string, ExtractedValue> {
  const weight = inWhole(fields.gross_weight, grouped);
  return weight && says(layout, roadNote) ? { ...fields, gross_weight: weight } : { ...fields };
}

/** A weight as it is where the sign before its last three digits parts thousands; null for one printed otherwise. */
function inWhole(weight: ExtractedValue | undefined, printed: RegExp): ExtractedValue | null {
  const [, thousands, rest] = printed.exec(weight?.provenance[0]?.text.trim() ?? '') ?? [];
  return weight && thousands ? { ...weight, value: Number(`${thousands}${rest}`) } : null;
}

/** Whether one of a page's shorter lines has a pattern. */
function says(layout: Layout, pattern: RegExp): boolean {
  return layout.lines.slice(0, 200).some(({ text }) => text.length < 120 && pattern.test(text));
}

/** What only the carriers of North America's roads print: the codes of carriers and of freight, and their own number. */
const american = /(?<!\p{L})(?:nmfc|scac|pro (?:no\.?|number|#))(?!\p{L})/iu;
const pounds = /(?<!\p{L})[lI]bs?\.?(?!\p{L})/u;

/**
 * The fields of a bill of lading of American lorries, whose pages have little else to know the country by: its date has the
 * month first, and what parts three digits of its weight in pounds parts thousands, as nobody weighs freight closer.
 */
export function asAmerican(
  fields: ExtractedFields,
  layout: Layout,
  { dateOrder, country }: Locale,
): Record<string, ExtractedValue> {
  const isAmerican = (country === null || country === 'US') && says(layout, american) && says(layout, pounds);
  if (!isAmerican) return { ...fields };
  const { date } = fields;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(date?.value ?? '')) ?? [];
  const isTurned = date && dateOrder !== 'mdy' && date.flags.includes('ambiguous_date') && Number(day) <= 12;
  const weight = inWhole(fields.gross_weight, groupedByPoint);
  return {
    ...fields,
    ...(isTurned && { date: { ...date, value: `${year}-${day}-${month}` } }),
    ...(weight && { gross_weight: weight }),
  };
}

const groupedByPoint = /^(\d{1,3})\.(\d{3})(?: ?lbs?\.?)?$/iu;
