import type { Layout, TextLine, ValueKind } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { furtherReadings } from '../candidates/propose.ts';
import type { DocumentType } from '../types/definition.ts';
import { type AmountSupport, supportOfAmounts } from './arithmetic.ts';
import {
  bitsOfStretch,
  countEndingBefore,
  factsOfLines,
  factsOfPages,
  type LineFacts,
  type PageFacts,
} from './facts.ts';
import { type FieldParts, fieldFeatures, fieldPartsOf, isScored, writeFieldParts } from './field-parts.ts';
import {
  createLexicon,
  hasBit,
  type Lexicon,
  type LexiconBits,
  lexiconGroups,
  noBits,
  unite,
  writeBits,
} from './lexicon.ts';
import { type Standing, standingOf } from './standing.ts';
import { type TextFacts, textFactsOf } from './text-facts.ts';

/**
 * What the scorer sees of a candidate, as numbers: first what it is and where it stands, then how it relates to one
 * field of the document's type. After Majumder et al., "Representation Learning for Information Extraction from
 * Form-like Documents" (ACL 2020), who score a candidate by its neighbourhood and the field's own embedding; here the
 * neighbourhood is groups of words and distances to captions, so that a field never seen in training is scored too.
 */

const placeFeatures = [
  'page',
  'first_page',
  'last_page',
  'x0',
  'x1',
  'y',
  'row',
  'row_from_end',
  'row_share',
  'height',
  'bold',
  'line_share',
  'starts_line',
  'ends_line',
  'line_count',
  'row_lines',
  'rightmost',
  'gap_above',
  'gap_below',
  'tokens_before',
  'centre_offset',
] as const;
const kindFeatures = [
  'quality',
  'ambiguous',
  'confidence',
  'confidence_least',
  'from_text',
  'chosen_reading',
  'agreement',
  'rank',
  'rank_from_end',
  'rank_share',
  'kind_count',
  'occurrences',
  'same_in_row',
] as const;
const valueFeatures = [
  'logarithm',
  'decimals',
  'currency',
  'negative',
  'zero',
  'size_rank',
  'of_largest',
  'larger_count',
  'sum_of_two',
  'difference_of_two',
  'sum_of_column',
  'cash_less_change',
  'subtotal_and_tax',
  'is_part',
  'days_before_last',
  'days_after_first',
  'year_digits',
] as const;
const textFeatures = [
  'characters',
  'words',
  'digit_share',
  'upper_share',
  'letter_share',
  'bracket',
  'ends_comma',
  'colon',
  'postal',
  'starts_digit',
  'above_digits',
  'below_digits',
  'below_detail',
  'above_letters',
  'below_letters',
  'above_height',
  'below_height',
  'cut_left',
  'cut_right',
  'rest_company',
  'first_street',
  'first_company',
  'first_place',
  'last_place',
  'last_telephone',
  'last_company',
  'last_title',
  'above_detail',
] as const;
const contextNames = ['before', 'own', 'above', 'below'] as const;
const candidateNames: readonly string[] = [
  ...placeFeatures,
  ...kindFeatures,
  ...valueFeatures,
  ...textFeatures,
  ...contextNames.flatMap((context) => lexiconGroups.map((group) => `${context}:${group}`)),
];

/** The names of all features in the order of the vector. */
export const featureNames: readonly string[] = [...candidateNames, ...fieldFeatures];

/** A document prepared for scoring: what the vectors of all its candidates are made from. */
export interface Scene {
  /** The kinds of value that some field of the type is scored of. */
  readonly kinds: ReadonlyMap<ValueKind, KindScene>;
}

interface KindScene extends CandidateRows {
  readonly fieldParts: FieldParts;
}

/** Candidates with their vectors. */
export interface CandidateRows {
  readonly candidates: readonly PlacedCandidate[];
  /** The candidates' vectors one after the other, each of `featureNames.length` numbers. */
  readonly rows: Float32Array;
}

/** Prepares the features that do not depend on the field, once for all fields of the type. */
export function sceneOf(type: DocumentType, candidates: readonly PlacedCandidate[], layout: Layout): Scene {
  const lexicon = createLexicon();
  const pages = factsOfPages(layout);
  const facts = factsOfLines(type, layout, lexicon);
  const anywhere = strongestAnywhere(type, facts);
  const further = furtherReadings(layout);
  for (const reading of further)
    for (const [line, known] of factsOfLines(type, reading, lexicon)) facts.set(line, known);
  const texts = new Map<string, TextFacts>();
  const textOf = (text: string) => {
    let known = texts.get(text);
    if (!known) {
      known = textFactsOf(text);
      texts.set(text, known);
    }
    return known;
  };
  const bitsBefore = (candidate: PlacedCandidate) => {
    const first = facts.get(candidate.lines[0]!)!;
    return unite(first.bitsLeft, bitsOfStretch(first, 0, candidate.start, lexicon));
  };
  const support = supportOfAmounts(candidates, bitsBefore);
  const days = daysOf(candidates);
  const kinds = new Map<ValueKind, KindScene>();
  const scored = new Set(type.fields.filter(isScored).map(({ kind }) => kind));
  for (const [kind, members] of Map.groupBy(candidates, (candidate) => candidate.kind)) {
    if (!scored.has(kind)) continue;
    const rows = new Float32Array(members.length * width);
    const standing = standingOf(members, 1 + further.length);
    members.forEach((candidate, index) => {
      describe(rows.subarray(index * width, (index + 1) * width), candidate, {
        before: bitsBefore(candidate),
        within: bitsWithin(candidate, facts, lexicon),
        text: textOf(candidate.text),
        lexicon,
        facts,
        pages,
        standing: standing[index]!,
        support: support.get(candidate),
        days,
      });
    });
    const fieldParts = fieldPartsOf(type, kind, members, facts, pages, anywhere);
    kinds.set(kind, { candidates: members, rows, fieldParts });
  }
  return { kinds };
}

const width = featureNames.length;
const noRows: CandidateRows = { candidates: [], rows: new Float32Array(0) };

/**
 * The candidates of a scored field's kind with their vectors with respect to the field. The vectors hold until they are
 * asked for again for a field of the same kind.
 */
export function rowsFor({ kinds }: Scene, type: DocumentType, fieldIndex: number): CandidateRows {
  const known = kinds.get(type.fields[fieldIndex]!.kind);
  if (!known) return noRows;
  writeFieldParts(known.fieldParts, fieldIndex, known.rows, width);
  return known;
}

/** The groups of a candidate's own words. */
function bitsWithin(
  { lines, start, end }: PlacedCandidate,
  facts: ReadonlyMap<TextLine, LineFacts>,
  lexicon: Lexicon,
): LexiconBits {
  let bits = noBits;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const from = index === 0 ? start : 0;
    const to = index === lines.length - 1 ? end : line.text.length;
    bits = unite(bits, bitsOfStretch(facts.get(line)!, from, to, lexicon));
  }
  return bits;
}

/** For each field the best of its captions anywhere, those within another field's longer caption left out. */
function strongestAnywhere(type: DocumentType, facts: ReadonlyMap<TextLine, LineFacts>): Float32Array {
  const strongest = new Float32Array(type.fields.length);
  for (const { captions } of facts.values()) {
    for (const { field, score, covered } of captions)
      if (!covered && score > strongest[field]!) strongest[field] = score;
  }
  return strongest;
}

interface Days {
  readonly first: number;
  readonly last: number;
}

function daysOf(candidates: readonly PlacedCandidate[]): Days {
  let first = Infinity;
  let last = -Infinity;
  for (const { kind, value } of candidates) {
    if (kind !== 'date') continue;
    const day = Date.parse(String(value)) / 86_400_000;
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return { first, last };
}

const groupIndex = Object.fromEntries(lexiconGroups.map((group, index) => [group, index])) as Readonly<
  Record<(typeof lexiconGroups)[number], number>
>;

interface Description {
  /** The groups of the words before it in its visual row. */
  readonly before: LexiconBits;
  /** The groups of its own words. */
  readonly within: LexiconBits;
  readonly text: TextFacts;
  readonly lexicon: Lexicon;
  readonly facts: ReadonlyMap<TextLine, LineFacts>;
  readonly pages: ReadonlyMap<number, PageFacts>;
  readonly standing: Standing;
  readonly support: AmountSupport | undefined;
  readonly days: Days;
}

/** Writes a candidate's own part of the vector; `row` is all zeros before. */
function describe(row: Float32Array, candidate: PlacedCandidate, known: Description): void {
  const { page, words, lineHeight, rows } = known.pages.get(candidate.page)!;
  const first = known.facts.get(candidate.lines[0]!)!;
  const last = known.facts.get(candidate.lines.at(-1)!)!;
  const above = first.around.above && known.facts.get(first.around.above)!;
  const below = last.around.below && known.facts.get(last.around.below)!;
  const { box, text } = candidate;
  const { standing, support } = known;
  let at = 0;
  // placeFeatures
  row[at++] = candidate.page - 1;
  row[at++] = candidate.page === 1 ? 1 : 0;
  row[at++] = candidate.page === known.pages.size ? 1 : 0;
  row[at++] = box.x0 / page.width;
  row[at++] = box.x1 / page.width;
  row[at++] = (box.y0 + box.y1) / 2 / page.height;
  row[at++] = Math.min(80, first.row);
  row[at++] = Math.min(80, rows - 1 - first.row);
  row[at++] = first.row / rows;
  row[at++] = (first.line.box.y1 - first.line.box.y0) / lineHeight;
  row[at++] = candidate.words.some((word) => word.bold) ? 1 : 0;
  row[at++] =
    text.length /
    Math.max(
      1,
      candidate.lines.reduce((sum, line) => sum + line.text.length, 0),
    );
  row[at++] = candidate.start === 0 ? 1 : 0;
  row[at++] = candidate.end >= last.line.text.length ? 1 : 0;
  row[at++] = candidate.lines.length;
  row[at++] = first.around.row.length;
  row[at++] = first.around.right === null ? 1 : 0;
  row[at++] = above ? Math.min(9, (first.line.box.y0 - above.line.box.y1) / lineHeight) : 9;
  row[at++] = below ? Math.min(9, (below.line.box.y0 - last.line.box.y1) / lineHeight) : 9;
  row[at++] = countEndingBefore(first.tokens, candidate.start);
  row[at++] = Math.abs((box.x0 + box.x1) / 2 / page.width - 0.5);
  // kindFeatures
  row[at++] = candidate.quality;
  row[at++] = candidate.ambiguous ? 1 : 0;
  let confidence = 0;
  let least = 1;
  for (const word of candidate.words) {
    confidence += word.confidence;
    least = Math.min(least, word.confidence);
  }
  row[at++] = candidate.words.length > 0 ? confidence / candidate.words.length : 0;
  row[at++] = least;
  row[at++] = candidate.words[0]?.source === 'text' || candidate.words[0]?.source === 'widget' ? 1 : 0;
  row[at++] = candidate.words[0] && words.has(candidate.words[0]) ? 1 : 0;
  row[at++] = standing.agreement;
  row[at++] = Math.min(60, standing.rank);
  row[at++] = Math.min(60, standing.count - 1 - standing.rank);
  row[at++] = standing.rank / standing.count;
  row[at++] = Math.min(200, standing.count);
  row[at++] = Math.min(20, standing.occurrences);
  row[at++] = Math.min(10, standing.sameInRow);
  // valueFeatures
  const number = typeof candidate.value === 'number' ? candidate.value : 0;
  row[at++] = Math.log10(1 + Math.abs(number));
  row[at++] = known.text.decimals;
  row[at++] = known.text.currency ? 1 : 0;
  row[at++] = number < 0 ? 1 : 0;
  row[at++] = number === 0 ? 1 : 0;
  row[at++] = Math.min(40, standing.sizeRank);
  row[at++] = standing.ofLargest;
  row[at++] = Math.min(40, standing.larger);
  row[at++] = support?.sumOfTwo ?? 0;
  row[at++] = support?.differenceOfTwo ?? 0;
  row[at++] = support?.sumOfColumn ?? 0;
  row[at++] = support?.cashLessChange ?? 0;
  row[at++] = support?.subtotalAndTax ?? 0;
  row[at++] = support?.isPart ?? 0;
  const day = candidate.kind === 'date' ? Date.parse(String(candidate.value)) / 86_400_000 : known.days.last;
  row[at++] = candidate.kind === 'date' ? Math.min(4000, known.days.last - day) : -1;
  row[at++] = candidate.kind === 'date' ? Math.min(4000, day - known.days.first) : -1;
  row[at++] = candidate.kind === 'date' ? (known.text.fourDigits ? 4 : 2) : 0;
  // textFeatures
  const { letters, capitals, digits } = known.text;
  const inked = Math.max(1, known.text.inked);
  row[at++] = Math.min(300, text.length);
  row[at++] = Math.min(60, candidate.words.length);
  row[at++] = digits / inked;
  row[at++] = letters > 0 ? capitals / letters : 0;
  row[at++] = letters / inked;
  row[at++] = known.text.bracket ? 1 : 0;
  row[at++] = known.text.endsInComma ? 1 : 0;
  row[at++] = known.text.colon ? 1 : 0;
  row[at++] = known.text.postalCode ? 1 : 0;
  row[at++] = known.text.startsWithDigit ? 1 : 0;
  row[at++] = above?.shape.digits ?? -1;
  row[at++] = below?.shape.digits ?? -1;
  row[at++] = below?.detail ? 1 : 0;
  row[at++] = above?.shape.letters ?? -1;
  row[at++] = below?.shape.letters ?? -1;
  row[at++] = above ? (above.line.box.y1 - above.line.box.y0) / lineHeight : 0;
  row[at++] = below ? (below.line.box.y1 - below.line.box.y0) / lineHeight : 0;
  row[at++] = candidate.start;
  row[at++] = last.line.text.length - candidate.end;
  row[at++] =
    candidate.end < last.line.text.length
      ? hasBit(bitsOfStretch(last, candidate.end, last.line.text.length, known.lexicon), groupIndex.company)
      : 0;
  row[at++] = hasBit(first.bits, groupIndex.street);
  row[at++] = hasBit(first.bits, groupIndex.company);
  row[at++] = hasBit(first.bits, groupIndex.place);
  row[at++] = hasBit(last.bits, groupIndex.place);
  row[at++] = hasBit(last.bits, groupIndex.telephone);
  row[at++] = hasBit(last.bits, groupIndex.company);
  row[at++] = hasBit(last.bits, groupIndex.title);
  row[at++] = above?.detail ? 1 : 0;
  // the groups of words before, within, above and below
  for (const bits of [known.before, known.within, above?.bits ?? noBits, below?.bits ?? noBits]) {
    writeBits(bits, row, at);
    at += lexiconGroups.length;
  }
}
