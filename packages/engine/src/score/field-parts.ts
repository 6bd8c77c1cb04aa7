import type { TextLine, ValueKind } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import type { CaptionMatch } from './captions.ts';
import { countEndingBefore, type LineFacts, type PageFacts } from './facts.ts';

/**
 * How a candidate relates to a field of its kind: which of the field's captions stand around it and how near, how
 * strong other fields' captions are there, and what the field's name says of it.
 */
export const fieldFeatures = [
  'caption_before',
  'caption_before_distance',
  'caption_before_between',
  'caption_row',
  'caption_row_distance',
  'caption_row_between',
  'caption_above',
  'caption_above_distance',
  'caption_head',
  'caption_head_distance',
  'caption_below',
  'caption_best',
  'caption_covered',
  'rival_best',
  'rival_difference',
  'any_rival_best',
  'caption_nearest',
  'caption_in_own',
  'caption_anywhere',
  'kind_fields',
  'role_issuer',
  'role_recipient',
  'role_ship',
  'role_bank',
  'role_start',
  'role_end',
  'role_due',
  'role_total',
  'role_part',
  'role_paid',
  'role_number',
  'field_order',
] as const;

type FieldFeature = (typeof fieldFeatures)[number];

const width = fieldFeatures.length;
const place = Object.fromEntries(fieldFeatures.map((name, index) => [name, index])) as Readonly<
  Record<FieldFeature, number>
>;

/** What the features are where no caption stands around. */
const far: Partial<Record<FieldFeature, number>> = {
  caption_before_distance: 99,
  caption_before_between: 99,
  caption_row_distance: 9,
  caption_row_between: 99,
  caption_above_distance: 99,
  caption_head_distance: 99,
};

const rolePatterns: readonly (readonly [role: FieldFeature, pattern: RegExp])[] = [
  ['role_issuer', /vendor|merchant|supplier|seller|sender|shipper|issuer|employer|provider|insurer|facility|company/],
  ['role_recipient', /customer|buyer|recipient|consignee|patient|employee|payee|holder|member/],
  ['role_ship', /ship/],
  ['role_bank', /bank|iban|bic|account|routing/],
  ['role_start', /start|opening|issue|sample|effective/],
  ['role_end', /end|closing|expiry|until/],
  ['role_due', /due|pay_date|delivery_date/],
  ['role_total', /total|net_pay|gross|amount_due/],
  ['role_part', /sub|tax|discount|shipping|tip|deduction|rate/],
  ['role_paid', /paid|cash|change|credits|debits/],
  ['role_number', /number|_id$|reference|order|code/],
];

/** Whether a field's value is picked among the candidates of its kind, by their scores. */
export function isScored({ composed, kind }: FieldDefinition): boolean {
  return !composed && kind !== 'language' && kind !== 'currency';
}

/** What there is to know of a type's fields of one kind, whatever the document. */
interface KindFields {
  /** Indexes of all fields of the kind. */
  readonly fields: readonly number[];
  /** Indexes of those that are scored. */
  readonly scored: readonly number[];
  /** For each field of the type its place in `scored`, or -1. */
  readonly placeOf: Int32Array;
  /** For each scored field the features that no candidate changes, the others as they are where no caption stands. */
  readonly blank: Float32Array;
}

const kindsOfTypes = new WeakMap<DocumentType, ReadonlyMap<ValueKind, KindFields>>();

function kindsOf(type: DocumentType): ReadonlyMap<ValueKind, KindFields> {
  let known = kindsOfTypes.get(type);
  if (!known) {
    const byKind = Map.groupBy(type.fields.keys(), (index) => type.fields[index]!.kind);
    known = new Map([...byKind].map(([kind, fields]) => [kind, makeKindFields(type, fields)]));
    kindsOfTypes.set(type, known);
  }
  return known;
}

function makeKindFields(type: DocumentType, fields: readonly number[]): KindFields {
  const scored = fields.filter((index) => isScored(type.fields[index]!));
  const placeOf = new Int32Array(type.fields.length).fill(-1);
  const blank = new Float32Array(scored.length * width);
  scored.forEach((index, at) => {
    placeOf[index] = at;
    const part = blank.subarray(at * width, (at + 1) * width);
    for (const name of fieldFeatures) part[place[name]] = far[name] ?? 0;
    part[place.kind_fields] = fields.length;
    for (const [role, pattern] of rolePatterns) part[place[role]] = pattern.test(type.fields[index]!.name) ? 1 : 0;
    part[place.field_order] = index;
  });
  return { fields, scored, placeOf, blank };
}

/** The field features of the candidates of one kind, each with respect to every scored field of the kind. */
export interface FieldParts {
  /** Candidate after candidate, the parts of the scored fields of the kind one after the other. */
  readonly values: Float32Array;
  readonly kind: KindFields;
}

/**
 * The field features of all candidates of a kind that some field of the type is scored of.
 *
 * @param anywhere for each field the best of its captions anywhere in the document.
 */
export function fieldPartsOf(
  type: DocumentType,
  kindName: ValueKind,
  candidates: readonly PlacedCandidate[],
  facts: ReadonlyMap<TextLine, LineFacts>,
  pages: ReadonlyMap<number, PageFacts>,
  anywhere: Float32Array,
): FieldParts {
  const kind = kindsOf(type).get(kindName)!;
  const size = kind.blank.length;
  const values = new Float32Array(candidates.length * size);
  const strengths = new Float32Array(type.fields.length);
  const covered = new Uint8Array(type.fields.length);
  candidates.forEach((candidate, index) => {
    strengths.fill(0);
    covered.fill(0);
    const parts = values.subarray(index * size, (index + 1) * size);
    parts.set(kind.blank);
    lookAround({ parts, placeOf: kind.placeOf, strengths, covered }, candidate, facts, pages);
    compareFields(parts, kind, strengths, covered, anywhere);
  });
  return { values, kind };
}

/** Writes the parts of a scored field to the ends of the candidates' rows, each of `rowWidth` features. */
export function writeFieldParts(
  { values, kind }: FieldParts,
  fieldIndex: number,
  rows: Float32Array,
  rowWidth: number,
): void {
  const size = kind.blank.length;
  let from = kind.placeOf[fieldIndex]! * width;
  for (let end = rowWidth; end <= rows.length; end += rowWidth) {
    for (let at = 0; at < width; at += 1) rows[end - width + at] = values[from + at]!;
    from += size;
  }
}

/** Writes what the strength of all fields' captions around a candidate says of each scored field of its kind. */
function compareFields(
  parts: Float32Array,
  { fields, scored }: KindFields,
  strengths: Float32Array,
  covered: Uint8Array,
  anywhere: Float32Array,
): void {
  const rivals = twoStrongest(strengths, fields);
  const anyRivals = twoStrongest(strengths, null);
  for (let at = 0; at < scored.length; at += 1) {
    const field = scored[at]!;
    const start = at * width;
    const best = strengths[field]!;
    const rival = rivals.field === field ? rivals.second : rivals.first;
    const anyRival = anyRivals.field === field ? anyRivals.second : anyRivals.first;
    parts[start + place.caption_best] = best;
    parts[start + place.caption_covered] = covered[field]!;
    parts[start + place.rival_best] = rival;
    parts[start + place.rival_difference] = best - rival;
    parts[start + place.any_rival_best] = anyRival;
    parts[start + place.caption_nearest] = best > 0 && best >= anyRival ? 1 : 0;
    parts[start + place.caption_anywhere] = anywhere[field]!;
  }
}

/** The strongest of some fields, or of all, how strong it is, and how strong the strongest of the others. */
function twoStrongest(
  strengths: Float32Array,
  fields: readonly number[] | null,
): { readonly field: number; readonly first: number; readonly second: number } {
  let strongest = -1;
  let first = 0;
  let second = 0;
  const count = fields?.length ?? strengths.length;
  for (let at = 0; at < count; at += 1) {
    const field = fields ? fields[at]! : at;
    const strength = strengths[field]!;
    if (strength > first) {
      second = first;
      first = strength;
      strongest = field;
    } else if (strength > second) second = strength;
  }
  return { field: strongest, first, second };
}

/** Where `lookAround` puts what it finds. */
interface Surroundings {
  /** The features of each scored field of the candidate's kind. */
  readonly parts: Float32Array;
  /** For each field of the type its place among those, or -1. */
  readonly placeOf: Int32Array;
  /** For each field of the type how strong its captions are. */
  readonly strengths: Float32Array;
  readonly covered: Uint8Array;
}

/** Lines above a candidate in which captions are looked for, and how far up, in heights of a line. */
const stepsUp = 5;
const reachUp = 9;

/** Finds the captions around a candidate: before it in its line, left of it in its row, above and below it. */
function lookAround(
  found: Surroundings,
  candidate: PlacedCandidate,
  facts: ReadonlyMap<TextLine, LineFacts>,
  pages: ReadonlyMap<number, PageFacts>,
): void {
  const { page, lineHeight } = pages.get(candidate.page)!;
  const first = facts.get(candidate.lines[0]!)!;
  const tokensBefore = countEndingBefore(first.tokens, candidate.start);
  lookWithinLine(found, candidate, first, tokensBefore);
  lookLeft(found, candidate, first, tokensBefore, page.width, facts);
  lookUp(found, candidate, first, lineHeight, facts);
  const { below } = first.around;
  if (!below || below.box.y0 - first.line.box.y1 >= 1.5 * lineHeight) return;
  for (const match of facts.get(below)!.captions) {
    const at = partFor(found, match);
    if (at >= 0 && match.x0 < candidate.box.x1 && match.x1 > candidate.box.x0)
      raise(found.parts, at + place.caption_below, match.score);
  }
}

function lookWithinLine(found: Surroundings, candidate: PlacedCandidate, first: LineFacts, tokensBefore: number): void {
  const { parts } = found;
  for (const match of first.captions) {
    const at = partFor(found, match);
    if (match.end <= candidate.start) {
      const between = tokensBefore - (first.tokens.length - match.tokensBehind);
      const score = weightOf(match);
      if (
        at >= 0 &&
        score / (1 + between) > parts[at + place.caption_before]! / (1 + parts[at + place.caption_before_between]!)
      ) {
        parts[at + place.caption_before] = score;
        parts[at + place.caption_before_distance] = Math.min(99, candidate.start - match.end);
        parts[at + place.caption_before_between] = between;
      }
      note(found, match, match.score / (1 + 0.35 * between));
    } else if (
      at >= 0 &&
      candidate.lines.length === 1 &&
      match.start >= candidate.start &&
      match.end <= candidate.end
    ) {
      raise(parts, at + place.caption_in_own, match.score);
    }
  }
}

function lookLeft(
  found: Surroundings,
  candidate: PlacedCandidate,
  first: LineFacts,
  tokensBefore: number,
  pageWidth: number,
  facts: ReadonlyMap<TextLine, LineFacts>,
): void {
  const { parts } = found;
  const { row } = first.around;
  let between = tokensBefore;
  for (let index = row.indexOf(first.line) - 1; index >= 0; index -= 1) {
    const { captions, tokens } = facts.get(row[index]!)!;
    for (const match of captions) {
      const distance = Math.max(0, (candidate.box.x0 - match.x1) / pageWidth);
      const tokensBetween = between + match.tokensBehind;
      const score = weightOf(match);
      const at = partFor(found, match);
      if (
        at >= 0 &&
        score / (1 + tokensBetween) > parts[at + place.caption_row]! / (1 + parts[at + place.caption_row_between]!)
      ) {
        parts[at + place.caption_row] = score;
        parts[at + place.caption_row_distance] = distance;
        parts[at + place.caption_row_between] = tokensBetween;
      }
      note(found, match, match.score / (1 + 0.3 * tokensBetween + distance));
    }
    between += tokens.length;
  }
}

/** A caption right above the value, or at the head of the value's column or block. */
function lookUp(
  found: Surroundings,
  candidate: PlacedCandidate,
  first: LineFacts,
  lineHeight: number,
  facts: ReadonlyMap<TextLine, LineFacts>,
): void {
  const { parts } = found;
  let { above } = first.around;
  for (let step = 1; above && step <= stepsUp; step += 1) {
    const distance = (first.line.box.y0 - above.box.y1) / lineHeight;
    if (distance > reachUp) break;
    const { captions, around } = facts.get(above)!;
    for (const match of captions) {
      const overlapping = match.x0 < candidate.box.x1 + lineHeight && match.x1 > candidate.box.x0 - lineHeight;
      const aligned = Math.abs(match.x0 - candidate.box.x0) < 2 * lineHeight;
      if (!overlapping && !aligned) continue;
      const share = match.taken ? 0.4 : 1;
      const at = partFor(found, match);
      if (at >= 0) {
        const score = weightOf(match) * share;
        if (step === 1 && score > parts[at + place.caption_above]!) {
          parts[at + place.caption_above] = score;
          parts[at + place.caption_above_distance] = distance;
        }
        if (score / step > parts[at + place.caption_head]! / parts[at + place.caption_head_distance]!) {
          parts[at + place.caption_head] = score;
          parts[at + place.caption_head_distance] = step;
        }
      }
      note(found, match, (share * match.score * 0.9) / (1 + 0.5 * (step - 1) + 0.1 * Math.max(0, distance)));
    }
    above = around.above;
  }
}

/** A caption's score; less within another field's longer caption. */
function weightOf({ score, covered }: CaptionMatch): number {
  return score * (covered ? 0.4 : 1);
}

/** Where the part of a caption's field begins, -1 if the field is not scored or of another kind. */
function partFor({ placeOf }: Surroundings, { field }: CaptionMatch): number {
  const at = placeOf[field]!;
  return at < 0 ? -1 : at * width;
}

function raise(parts: Float32Array, at: number, score: number): void {
  if (score > parts[at]!) parts[at] = score;
}

/** Keeps the strongest of the captions of each field. */
function note({ strengths, covered }: Surroundings, match: CaptionMatch, strength: number): void {
  const weighed = strength * (match.covered ? 0.4 : 1);
  if (weighed > strengths[match.field]!) {
    strengths[match.field] = weighed;
    covered[match.field] = match.covered ? 1 : 0;
  }
}
