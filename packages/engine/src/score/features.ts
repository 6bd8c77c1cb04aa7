import type { PlacedCandidate } from '../candidates/placed.ts';
import { furtherReadings } from '../candidates/propose.ts';
import { type Shape, shapeOf } from '../candidates/shape.ts';
import { detailStart, isDetail } from '../candidates/spans.ts';
import type { Layout, Locale, Page, TextLine, Word } from '../document.ts';
import { median } from '../layout/geometry.ts';
import { neighboursOf, visualRows } from '../layout/neighbours.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { type AmountSupport, supportOfAmounts } from './arithmetic.ts';
import { type CaptionMatch, matchCaptions, type Token, tokensOf } from './captions.ts';
import { hasBit, type LexiconBits, lexiconBits, lexiconGroups, noBits, unite } from './lexicon.ts';

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
const fieldFeatures = [
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

const candidateNames: readonly string[] = [
  ...placeFeatures,
  ...kindFeatures,
  ...valueFeatures,
  ...textFeatures,
  ...contextNames.flatMap((context) => lexiconGroups.map((group) => `${context}:${group}`)),
];

/** The names of all features in the order of the vector. */
export const featureNames: readonly string[] = [...candidateNames, ...fieldFeatures];

interface LineFacts {
  readonly row: number;
  readonly bits: LexiconBits;
  readonly tokens: readonly Token[];
  readonly captions: readonly (CaptionMatch & { readonly x0: number; readonly x1: number })[];
  readonly detail: boolean;
}

interface PageFacts {
  readonly page: Page;
  readonly words: ReadonlySet<Word>;
  readonly lineHeight: number;
  readonly rows: number;
}

const directions = [
  'before',
  'beforeDistance',
  'beforeBetween',
  'row',
  'rowDistance',
  'rowBetween',
  'above',
  'aboveDistance',
  'head',
  'headDistance',
  'below',
  'best',
  'covered',
  'own',
] as const;

/**
 * How strongly each field's captions stand around each candidate, by direction: the value of candidate `c` and field `f`
 * stands at `c * fieldCount + f`.
 */
type Surroundings = Readonly<Record<(typeof directions)[number], Float32Array>>;

/** A document prepared for scoring: what the features of all its candidates are made from. */
export interface Scene {
  readonly type: DocumentType;
  readonly candidates: readonly PlacedCandidate[];
  /** The candidates' own part of the vector, one row for each. */
  readonly own: Float32Array;
  readonly surroundings: Surroundings;
  /** For each field the best of its captions anywhere in the document. */
  readonly anywhere: Float32Array;
}

/** Prepares the features that do not depend on the field, once for all fields of the type. */
export function sceneOf(
  type: DocumentType,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
  locale: Locale,
): Scene {
  const pages = pageFacts(layout);
  const facts = new Map<TextLine, LineFacts>();
  const anywhere = new Float32Array(type.fields.length);
  for (const each of [layout, ...furtherReadings(layout)]) {
    visualRows(each).forEach((row) => {
      for (const line of row) {
        const known = factsOf(type, each, line);
        facts.set(line, known);
        if (each === layout)
          for (const match of known.captions)
            if (!match.covered) anywhere[match.field] = Math.max(anywhere[match.field]!, match.score);
      }
    });
  }
  const width = candidateNames.length;
  const own = new Float32Array(candidates.length * width);
  const standing = standingOf(candidates, layout);
  const shapes = new Map<string, Shape>();
  const knownShape = (text: string) => {
    let shape = shapes.get(text);
    if (!shape) {
      shape = shapeOf(text);
      shapes.set(text, shape);
    }
    return shape;
  };
  const knownBits = new Map<string, LexiconBits>();
  const bitsOf = (text: string) => {
    let bits = knownBits.get(text);
    if (!bits) {
      bits = lexiconBits(text);
      knownBits.set(text, bits);
    }
    return bits;
  };
  const before = candidates.map((candidate) => contextBits(candidate, facts, bitsOf));
  const places = new Map(candidates.map((candidate, index) => [candidate, index]));
  const support = supportOfAmounts(candidates, (candidate) => before[places.get(candidate)!]!);
  const days = daysOf(candidates);
  candidates.forEach((candidate, index) => {
    describe(own.subarray(index * width, (index + 1) * width), candidate, {
      before: before[index]!,
      own: bitsOf(candidate.text),
      bitsOf,
      shapeOf: knownShape,
      facts,
      pages,
      standing: standing[index]!,
      support: support.get(candidate),
      days,
      locale,
    });
  });
  const surroundings = emptySurroundings(candidates.length * type.fields.length);
  candidates.forEach((candidate, index) => {
    lookAround(surroundings, index * type.fields.length, candidate, facts, pages);
  });
  return { type, candidates, own, surroundings, anywhere };
}

/** Writes the whole vector of a candidate with respect to a field into `row`, which has `featureNames.length` places. */
export function writeFeatures(row: Float32Array, scene: Scene, candidateIndex: number, fieldIndex: number): void {
  const width = candidateNames.length;
  row.set(scene.own.subarray(candidateIndex * width, (candidateIndex + 1) * width));
  const { type } = scene;
  const field = type.fields[fieldIndex]!;
  const sameKind = sameKindFields(type)[fieldIndex]!;
  const around = scene.surroundings;
  const first = candidateIndex * type.fields.length;
  const own = first + fieldIndex;
  let rival = 0;
  let anyRival = 0;
  const strengths = around.best;
  for (let other = 0; other < type.fields.length; other += 1) {
    const strength = strengths[first + other]!;
    if (strength > anyRival && other !== fieldIndex) anyRival = strength;
  }
  for (const other of sameKind) {
    const strength = strengths[first + other]!;
    if (strength > rival && other !== fieldIndex) rival = strength;
  }
  const best = strengths[own]!;
  let at = width;
  const put = (value: number) => {
    row[at] = value;
    at += 1;
  };
  put(around.before[own]!);
  put(around.beforeDistance[own]!);
  put(around.beforeBetween[own]!);
  put(around.row[own]!);
  put(around.rowDistance[own]!);
  put(around.rowBetween[own]!);
  put(around.above[own]!);
  put(around.aboveDistance[own]!);
  put(around.head[own]!);
  put(around.headDistance[own]!);
  put(around.below[own]!);
  put(best);
  put(around.covered[own]!);
  put(rival);
  put(best - rival);
  put(anyRival);
  put(best > 0 && best >= anyRival ? 1 : 0);
  put(around.own[own]!);
  put(scene.anywhere[fieldIndex]!);
  put(sameKind.length);
  for (const role of rolesOf(field)) put(role);
  put(fieldIndex);
}

const kindMates = new WeakMap<DocumentType, readonly (readonly number[])[]>();

/** For each field of a type the indexes of all fields of its kind, itself among them. */
function sameKindFields(type: DocumentType): readonly (readonly number[])[] {
  let known = kindMates.get(type);
  if (!known) {
    const byKind = Map.groupBy(type.fields.keys(), (index) => type.fields[index]!.kind);
    known = type.fields.map(({ kind }) => byKind.get(kind)!);
    kindMates.set(type, known);
  }
  return known;
}

const rolePatterns = [
  /vendor|merchant|supplier|seller|sender|shipper|issuer|employer|provider|insurer|facility|company/,
  /customer|buyer|recipient|consignee|patient|employee|payee|holder|member/,
  /ship/,
  /bank|iban|bic|account|routing/,
  /start|opening|issue|sample|effective/,
  /end|closing|expiry|until/,
  /due|pay_date|delivery_date/,
  /total|net_pay|gross|amount_due/,
  /sub|tax|discount|shipping|tip|deduction|rate/,
  /paid|cash|change|credits|debits/,
  /number|_id$|reference|order|code/,
];

const roles = new WeakMap<FieldDefinition, readonly number[]>();

function rolesOf(field: FieldDefinition): readonly number[] {
  let known = roles.get(field);
  if (!known) {
    known = rolePatterns.map((pattern) => (pattern.test(field.name) ? 1 : 0));
    roles.set(field, known);
  }
  return known;
}

function pageFacts(layout: Layout): ReadonlyMap<number, PageFacts> {
  const rows = new Map<number, number>();
  for (const row of visualRows(layout)) rows.set(row[0]!.page, (rows.get(row[0]!.page) ?? 0) + 1);
  const heights = Map.groupBy(layout.lines, (line) => line.page);
  return new Map(
    layout.document.pages.map((page) => [
      page.number,
      {
        page,
        words: new Set(page.words),
        lineHeight: Math.max(
          1e-3,
          median((heights.get(page.number) ?? []).map(({ box }) => box.y1 - box.y0)) || page.height / 80,
        ),
        rows: rows.get(page.number) ?? 1,
      },
    ]),
  );
}

const rowNumbers = new WeakMap<Layout, ReadonlyMap<TextLine, number>>();

function rowNumbersOf(layout: Layout): ReadonlyMap<TextLine, number> {
  let numbers = rowNumbers.get(layout);
  if (!numbers) {
    const found = new Map<TextLine, number>();
    let page = 0;
    let number = 0;
    for (const row of visualRows(layout)) {
      if (row[0]!.page !== page) number = 0;
      page = row[0]!.page;
      for (const line of row) found.set(line, number);
      number += 1;
    }
    numbers = found;
    rowNumbers.set(layout, numbers);
  }
  return numbers;
}

function factsOf(type: DocumentType, layout: Layout, line: TextLine): LineFacts {
  const text = line.text.length > 600 ? line.text.slice(0, 600) : line.text;
  const tokens = tokensOf(text);
  const captions = matchCaptions(type, tokens, line.words[0]?.source.startsWith('ocr:') ?? false).map((match) => ({
    ...match,
    ...spanOf(line, match.start, match.end),
  }));
  return {
    row: rowNumbersOf(layout).get(line) ?? 0,
    bits: lexiconBits(text),
    tokens,
    captions,
    detail: detailStart(text) >= 0 || isDetail(text),
  };
}

/** The horizontal stretch of some characters of a line. */
function spanOf(line: TextLine, start: number, end: number): { x0: number; x1: number } {
  let offset = 0;
  let x0 = line.box.x1;
  let x1 = line.box.x0;
  for (const { text, box } of line.words) {
    if (offset < end && offset + text.length > start) {
      const share = (box.x1 - box.x0) / Math.max(1, text.length);
      x0 = Math.min(x0, box.x0 + Math.max(0, start - offset) * share);
      x1 = Math.max(x1, box.x1 - Math.max(0, offset + text.length - end) * share);
    }
    offset += text.length + 1;
  }
  return { x0, x1 };
}

interface Standing {
  readonly rank: number;
  readonly count: number;
  readonly sizeRank: number;
  readonly ofLargest: number;
  readonly larger: number;
  readonly occurrences: number;
  readonly sameInRow: number;
  readonly agreement: number;
}

/** The place of each candidate among those of its kind: from the top, by size, how often its value occurs, in how many readings. */
function standingOf(candidates: readonly PlacedCandidate[], layout: Layout): readonly Standing[] {
  const standing: Standing[] = new Array(candidates.length);
  const readings = 1 + furtherReadings(layout).length;
  for (const [, group] of Map.groupBy(candidates.keys(), (index) => candidates[index]!.kind)) {
    const byPlace = group.toSorted((a, b) => {
      const one = candidates[a]!;
      const two = candidates[b]!;
      return one.page - two.page || one.box.y0 - two.box.y0 || one.box.x0 - two.box.x0;
    });
    const sizes = [...new Set(group.map((index) => sizeOf(candidates[index]!)))].sort((a, b) => b - a);
    const sizeRanks = new Map(sizes.map((size, rank) => [size, rank]));
    const byValue = Map.groupBy(group, (index) => String(candidates[index]!.value));
    const byLine = Map.groupBy(group, (index) => candidates[index]!.lines[0]!);
    byPlace.forEach((index, rank) => {
      const candidate = candidates[index]!;
      const same = byValue.get(String(candidate.value))!;
      const size = sizeOf(candidate);
      standing[index] = {
        rank,
        count: group.length,
        sizeRank: sizeRanks.get(size)!,
        ofLargest: sizes[0]! > 0 ? size / sizes[0]! : 0,
        larger: sizes.length - sizeRanks.get(size)!,
        occurrences: same.length,
        sameInRow: byLine.get(candidate.lines[0]!)!.length,
        agreement: new Set(same.map((other) => candidates[other]!.layout)).size / readings,
      };
    });
  }
  return standing;
}

function sizeOf(candidate: PlacedCandidate): number {
  return typeof candidate.value === 'number' ? Math.abs(candidate.value) : 0;
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

function contextBits(
  candidate: PlacedCandidate,
  facts: ReadonlyMap<TextLine, LineFacts>,
  bitsOf: (text: string) => LexiconBits,
): LexiconBits {
  const line = candidate.lines[0]!;
  let bits = candidate.start > 0 ? bitsOf(line.text.slice(0, candidate.start)) : noBits;
  for (const other of neighboursOf(candidate.layout, line).row) {
    if (other === line) break;
    bits = unite(bits, facts.get(other)?.bits ?? noBits);
  }
  return bits;
}

const groupIndex = Object.fromEntries(lexiconGroups.map((group, index) => [group, index])) as Readonly<
  Record<(typeof lexiconGroups)[number], number>
>;

interface Description {
  readonly shapeOf: (text: string) => Shape;
  readonly bitsOf: (text: string) => LexiconBits;
  readonly before: LexiconBits;
  readonly own: LexiconBits;
  readonly facts: ReadonlyMap<TextLine, LineFacts>;
  readonly pages: ReadonlyMap<number, PageFacts>;
  readonly standing: Standing;
  readonly support: AmountSupport | undefined;
  readonly days: Days;
  readonly locale: Locale;
}

function describe(row: Float32Array, candidate: PlacedCandidate, known: Description): void {
  const { page, words, lineHeight, rows } = known.pages.get(candidate.page)!;
  const first = candidate.lines[0]!;
  const last = candidate.lines.at(-1)!;
  const facts = known.facts.get(first)!;
  const around = neighboursOf(candidate.layout, first);
  const below = last === first ? around.below : neighboursOf(candidate.layout, last).below;
  const { above } = around;
  const { box, text } = candidate;
  const { standing } = known;
  let at = 0;
  const put = (value: number) => {
    row[at] = value;
    at += 1;
  };
  // placeFeatures
  put(candidate.page - 1);
  put(candidate.page === 1 ? 1 : 0);
  put(candidate.page === known.pages.size ? 1 : 0);
  put(box.x0 / page.width);
  put(box.x1 / page.width);
  put((box.y0 + box.y1) / 2 / page.height);
  put(Math.min(80, facts.row));
  put(Math.min(80, rows - 1 - facts.row));
  put(facts.row / rows);
  put((first.box.y1 - first.box.y0) / lineHeight);
  put(candidate.words.some((word) => word.bold) ? 1 : 0);
  put(
    text.length /
      Math.max(
        1,
        candidate.lines.reduce((sum, line) => sum + line.text.length, 0),
      ),
  );
  put(candidate.start === 0 ? 1 : 0);
  put(candidate.end >= last.text.length ? 1 : 0);
  put(candidate.lines.length);
  put(around.row.length);
  put(around.right === null ? 1 : 0);
  put(above ? Math.min(9, (first.box.y0 - above.box.y1) / lineHeight) : 9);
  put(below ? Math.min(9, (below.box.y0 - last.box.y1) / lineHeight) : 9);
  put(countBefore(facts.tokens, candidate.start));
  put(Math.abs((box.x0 + box.x1) / 2 / page.width - 0.5));
  // kindFeatures
  put(candidate.quality);
  put(candidate.ambiguous ? 1 : 0);
  let confidence = 0;
  let least = 1;
  for (const word of candidate.words) {
    confidence += word.confidence;
    least = Math.min(least, word.confidence);
  }
  put(candidate.words.length > 0 ? confidence / candidate.words.length : 0);
  put(least);
  put(candidate.words[0]?.source === 'text' || candidate.words[0]?.source === 'widget' ? 1 : 0);
  put(candidate.words[0] && words.has(candidate.words[0]) ? 1 : 0);
  put(standing.agreement);
  put(Math.min(60, standing.rank));
  put(Math.min(60, standing.count - 1 - standing.rank));
  put(standing.rank / standing.count);
  put(Math.min(200, standing.count));
  put(Math.min(20, standing.occurrences));
  put(Math.min(10, standing.sameInRow));
  // valueFeatures
  const number = typeof candidate.value === 'number' ? candidate.value : 0;
  put(Math.log10(1 + Math.abs(number)));
  put(/[.,]\d+/.exec(text)?.[0].length ?? 0);
  put(/[$€£¥₹]|\b[A-Z]{2,3}\b/.test(text) ? 1 : 0);
  put(number < 0 ? 1 : 0);
  put(number === 0 ? 1 : 0);
  put(Math.min(40, standing.sizeRank));
  put(standing.ofLargest);
  put(Math.min(40, standing.larger));
  put(known.support?.sumOfTwo ?? 0);
  put(known.support?.differenceOfTwo ?? 0);
  put(known.support?.sumOfColumn ?? 0);
  put(known.support?.cashLessChange ?? 0);
  put(known.support?.subtotalAndTax ?? 0);
  put(known.support?.isPart ?? 0);
  const day = candidate.kind === 'date' ? Date.parse(String(candidate.value)) / 86_400_000 : known.days.last;
  put(candidate.kind === 'date' ? Math.min(4000, known.days.last - day) : -1);
  put(candidate.kind === 'date' ? Math.min(4000, day - known.days.first) : -1);
  put(candidate.kind === 'date' ? (/\d{4}/.test(text) ? 4 : 2) : 0);
  // textFeatures
  const { letters, capitals, digits, inked: inkedCount } = known.shapeOf(text);
  const inked = Math.max(1, inkedCount);
  const shapeAbove = above && known.shapeOf(above.text);
  const shapeBelow = below && known.shapeOf(below.text);
  put(Math.min(300, text.length));
  put(Math.min(60, candidate.words.length));
  put(digits / inked);
  put(letters > 0 ? capitals / letters : 0);
  put(letters / inked);
  put(/[()[\]]/.test(text) ? 1 : 0);
  put(/[,;]\s*$/.test(text) ? 1 : 0);
  put(/:/.test(text) ? 1 : 0);
  put(/(?<!\d)\d{5}(?!\d)/.test(text) ? 1 : 0);
  put(/^\W*\d/.test(text) ? 1 : 0);
  put(shapeAbove?.digits ?? -1);
  put(shapeBelow?.digits ?? -1);
  put(below && (known.facts.get(below)?.detail ?? false) ? 1 : 0);
  put(shapeAbove?.letters ?? -1);
  put(shapeBelow?.letters ?? -1);
  put(above ? (above.box.y1 - above.box.y0) / lineHeight : 0);
  put(below ? (below.box.y1 - below.box.y0) / lineHeight : 0);
  put(candidate.start);
  put(last.text.length - candidate.end);
  const lastBits = known.facts.get(last)?.bits ?? noBits;
  put(candidate.end < last.text.length ? hasBit(known.bitsOf(last.text.slice(candidate.end)), groupIndex.company) : 0);
  put(hasBit(facts.bits, groupIndex.street));
  put(hasBit(facts.bits, groupIndex.company));
  put(hasBit(facts.bits, groupIndex.place));
  put(hasBit(lastBits, groupIndex.place));
  put(hasBit(lastBits, groupIndex.telephone));
  put(hasBit(lastBits, groupIndex.company));
  put(hasBit(lastBits, groupIndex.title));
  put(above && (known.facts.get(above)?.detail ?? false) ? 1 : 0);
  // the groups of words before, within, above and below
  const contexts = [
    known.before,
    known.own,
    above ? (known.facts.get(above)?.bits ?? noBits) : noBits,
    below ? (known.facts.get(below)?.bits ?? noBits) : noBits,
  ];
  for (const bits of contexts) {
    for (let group = 0; group < lexiconGroups.length; group += 1) row[at + group] = hasBit(bits, group);
    at += lexiconGroups.length;
  }
}

function countBefore(tokens: readonly Token[], start: number): number {
  let count = 0;
  while (count < tokens.length && tokens[count]!.end <= start) count += 1;
  return count;
}

const aboveSteps = 5;

function emptySurroundings(size: number): Surroundings {
  const far: Partial<Record<(typeof directions)[number], number>> = {
    beforeDistance: 99,
    beforeBetween: 99,
    rowDistance: 9,
    rowBetween: 99,
    aboveDistance: 99,
    headDistance: 99,
  };
  const make = (direction: (typeof directions)[number]) => new Float32Array(size).fill(far[direction] ?? 0);
  return Object.fromEntries(directions.map((direction) => [direction, make(direction)])) as Record<
    (typeof directions)[number],
    Float32Array
  >;
}

/** Writes what captions stand around a candidate, at `base` and after. */
function lookAround(
  found: Surroundings,
  base: number,
  candidate: PlacedCandidate,
  facts: ReadonlyMap<TextLine, LineFacts>,
  pages: ReadonlyMap<number, PageFacts>,
): void {
  const { page, lineHeight } = pages.get(candidate.page)!;
  const first = candidate.lines[0]!;
  const around = neighboursOf(candidate.layout, first);
  const firstFacts = facts.get(first)!;
  const note = (match: CaptionMatch, strength: number) => {
    const weighed = strength * (match.covered ? 0.4 : 1);
    if (weighed > found.best[base + match.field]!) {
      found.best[base + match.field] = weighed;
      found.covered[base + match.field] = match.covered ? 1 : 0;
    }
  };
  for (const match of firstFacts.captions) {
    if (match.end <= candidate.start) {
      const distance = candidate.start - match.end;
      const between = firstFacts.tokens.filter(
        (token) => token.start >= match.end && token.end <= candidate.start,
      ).length;
      const score = match.score * (match.covered ? 0.4 : 1);
      if (score / (1 + between) > found.before[base + match.field]! / (1 + found.beforeBetween[base + match.field]!)) {
        found.before[base + match.field] = score;
        found.beforeDistance[base + match.field] = Math.min(99, distance);
        found.beforeBetween[base + match.field] = between;
      }
      note(match, match.score / (1 + 0.35 * between));
    } else if (candidate.lines.length === 1 && match.start >= candidate.start && match.end <= candidate.end) {
      found.own[base + match.field] = Math.max(found.own[base + match.field]!, match.score);
    }
  }
  let between = firstFacts.tokens.filter((token) => token.end <= candidate.start).length;
  const leftLines = around.row.slice(0, around.row.indexOf(first)).toReversed();
  for (const line of leftLines) {
    const lineFacts = facts.get(line);
    if (!lineFacts) continue;
    for (const match of lineFacts.captions) {
      const distance = Math.max(0, (candidate.box.x0 - match.x1) / page.width);
      const tokens = between + lineFacts.tokens.filter((token) => token.start >= match.end).length;
      const score = match.score * (match.covered ? 0.4 : 1);
      if (score / (1 + tokens) > found.row[base + match.field]! / (1 + found.rowBetween[base + match.field]!)) {
        found.row[base + match.field] = score;
        found.rowDistance[base + match.field] = distance;
        found.rowBetween[base + match.field] = tokens;
      }
      note(match, match.score / (1 + 0.3 * tokens + distance));
    }
    between += lineFacts.tokens.length;
  }
  // Going up: a caption right above the value, or at the head of the value's column or block.
  let line = around.above;
  for (let step = 1; line && step <= aboveSteps; step += 1) {
    const lineFacts = facts.get(line);
    const distance = (first.box.y0 - line.box.y1) / lineHeight;
    if (distance > 9) break;
    for (const match of lineFacts?.captions ?? []) {
      const overlapping = match.x0 < candidate.box.x1 + lineHeight && match.x1 > candidate.box.x0 - lineHeight;
      const aligned = Math.abs(match.x0 - candidate.box.x0) < 2 * lineHeight;
      if (!overlapping && !aligned) continue;
      // A value of its own behind the caption takes it: what stands below belongs to something else.
      const taken =
        (lineFacts?.tokens.filter((token) => token.start >= match.end).length ?? 0) > 1 &&
        lineFacts!.captions.every((other) => other.start <= match.start);
      const score = match.score * (match.covered ? 0.4 : 1) * (taken ? 0.4 : 1);
      if (step === 1 && score > found.above[base + match.field]!) {
        found.above[base + match.field] = score;
        found.aboveDistance[base + match.field] = distance;
      }
      if (score / step > found.head[base + match.field]! / found.headDistance[base + match.field]!) {
        found.head[base + match.field] = score;
        found.headDistance[base + match.field] = step;
      }
      note(match, ((taken ? 0.4 : 1) * match.score * 0.9) / (1 + 0.5 * (step - 1) + 0.1 * Math.max(0, distance)));
    }
    line = neighboursOf(candidate.layout, line).above;
  }
  const { below } = around;
  if (below && below.box.y0 - first.box.y1 < 1.5 * lineHeight) {
    for (const match of facts.get(below)?.captions ?? []) {
      if (match.x0 < candidate.box.x1 && match.x1 > candidate.box.x0)
        found.below[base + match.field] = Math.max(found.below[base + match.field]!, match.score);
    }
  }
}
