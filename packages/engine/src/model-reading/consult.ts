import type {
  ExtractedValue,
  Extraction,
  JsonValue,
  Layout,
  Locale,
  ReadDocument,
  ValueFlag,
  ValueKind,
} from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { classify } from '../classify/classify.ts';
import { layOut } from '../layout/layout.ts';
import { readRows } from '../lines/rows.ts';
import { decideLocale } from '../locale/locale.ts';
import { candidatesOf } from '../own-types/candidates.ts';
import { detectUntrainedType } from '../own-types/detect.ts';
import { placeOnDisplayedPages } from '../read/displayed.ts';
import { comparable } from '../score/comparable.ts';
import { fieldValue } from '../score/field-value.ts';
import { type ScoredField, type ScoredValue, scoreFields } from '../score/score.ts';
import { applyLearned, type Learned } from '../supplier-memory/learned.ts';
import { learnedCaptions } from '../supplier-memory/learned-captions.ts';
import type { KnownSender } from '../supplier-memory/lesson.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { documentTypeNamed } from '../types/registry.ts';
import { composeFields } from '../types/rules.ts';
import { provenanceOf, validate } from '../validate/validate.ts';
import type { Answer, AnswerValue } from './answer.ts';
import { type Evidence, type FoundWords, gatherEvidence, readAs } from './evidence.ts';
import { answeredRows } from './rows.ts';
import { shapeOf } from './shape.ts';
import { nowhereConfidence, unratedConfidence, weighed, weighField } from './weigh.ts';

export interface ConsultOptions {
  readonly docType: string;
  /** The document types that the account defined. */
  readonly ownTypes?: readonly OwnType[];
  /** Restricts the result to these field names; null for all. */
  readonly fields: readonly string[] | null;
  /** What confirmed documents of known senders taught. */
  readonly senders?: readonly KnownSender[];
}

/**
 * The document's extraction after somebody else, such as a language model, was asked about it. What they say is
 * evidence beside the engine's own and not the result: each text is read as the engine reads it, looked up in the
 * document's words, weighed against what the engine thinks likely, and validated with the rest. A value that stands
 * nowhere in the document keeps a low confidence and the flag `not_in_document`. Where confirmed documents of the sender
 * taught a field, that outweighs what is said of it, unless the document's sums prove another value.
 *
 * @param document as it was read; the boxes of the result are on its pages as they are displayed.
 */
export function extractWithAnswer(document: ReadDocument, options: ConsultOptions, answer: Answer): Extraction {
  const { docType, ownTypes = [], senders = [] } = options;
  const type = documentTypeNamed(docType, ownTypes, learnedCaptions(docType, senders));
  const layout = layOut(document);
  const locale = decideLocale(layout);
  const candidates = candidatesOf(type, layout, locale);
  const evidence = gatherEvidence(layout, candidates);
  const composed = composeFields(type, layout, locale, candidates);
  const rows = readRows(type, layout, locale);
  const findings = {
    type,
    layout,
    locale,
    classification: detectUntrainedType(layout, classify(layout), ownTypes),
    composed,
    candidates,
    only: options.fields,
  };
  const learned = applyLearned(scoreFields(type, candidates, layout), findings, senders);
  const { scored, removed } = learned;
  const own = learned.complete(validate({ ...findings, scored, rows, removed }).extraction);

  const context: Context = { type, layout, locale, evidence, learned, own };
  const unasked = scored.filter(({ field }) => answer.fields[field.name] === undefined).map(({ field }) => field);
  const votes = scored.map((entry) => {
    const { field } = entry;
    return voteOn(entry, answer.fields[field.name], takenFrom(field, unasked, own), context);
  });
  const chosenRows = answeredRows(type, answer.rows, rows, own, locale, evidence);
  const voted = votes.map(({ entry }) => entry);
  const joint = validate({ ...findings, scored: voted, rows: chosenRows, removed }).extraction;

  const fields: Record<string, ExtractedValue> = { ...joint.fields };
  for (const { entry, value } of votes) {
    const { name } = entry.field;
    if (!value || (options.fields !== null && !options.fields.includes(name))) continue;
    const present = fields[name];
    if (!present) fields[name] = { ...value, confidence: Math.min(value.confidence, crowdedConfidence) };
    else if (sameValue(entry.field.kind, present.value, value.value)) fields[name] = marked(present, value.flags);
  }
  const votedNames = new Set(scored.map(({ field }) => field.name));
  for (const field of type.fields) {
    const given = answer.fields[field.name];
    if (votedNames.has(field.name) || given === undefined) continue;
    if (options.fields !== null && !options.fields.includes(field.name)) continue;
    const value = composedAnswer(field, given, context);
    if (value) fields[field.name] = value;
    else delete fields[field.name];
  }
  const concluded = withLearned({ ...joint, fields }, learned, own);
  return placeOnDisplayedPages({ ...concluded, fields: inOrder(type, concluded.fields) }, document);
}

/**
 * The extraction with what is the sender's own, and with the values that lessons gave before the answer. What stands
 * nowhere in the document makes no value of the sender surer, and gives way to it.
 */
function withLearned(joint: Extraction, learned: Learned, own: Extraction): Extraction {
  const standsNowhere = ([, { flags }]: [string, ExtractedValue]) => flags.includes('not_in_document');
  const all = Object.entries(joint.fields);
  const standing = Object.fromEntries(all.filter((entry) => !standsNowhere(entry)));
  const completed = learned.complete({ ...joint, fields: standing });
  const isProven = (value: ExtractedValue | undefined) => value?.flags.includes('arithmetic_holds') ?? false;
  const taught = Object.entries(own.fields).filter(
    ([name, value]) => value.flags.includes('taught') && (isProven(value) || !isProven(completed.fields[name])),
  );
  const nowhere = Object.fromEntries(all.filter(standsNowhere));
  return { ...completed, fields: { ...nowhere, ...completed.fields, ...Object.fromEntries(taught) } };
}

interface Context {
  readonly type: DocumentType;
  readonly layout: Layout;
  readonly locale: Locale;
  readonly evidence: Evidence;
  readonly learned: Learned;
  /** The engine's extraction before the answer. */
  readonly own: Extraction;
}

/**
 * What the engine gave to fields of the same kind that were not asked for, by what is compared: an opinion on one field
 * takes no other one's value away, unless it names it.
 */
function takenFrom(
  { kind, name }: FieldDefinition,
  unasked: readonly FieldDefinition[],
  { fields }: Extraction,
): ReadonlySet<string> {
  const own = fields[name];
  const taken = unasked.flatMap((field) => {
    const value = fields[field.name];
    return value && field.kind === kind && field.name !== name ? [comparable(kind, value.value)] : [];
  });
  return new Set(taken.filter((key) => !own || key !== comparable(kind, own.value)));
}

/** What a value may reach whose words are another field's value as well. */
const crowdedConfidence = 75;

interface Vote {
  readonly entry: ScoredField;
  /** The value that was named; null where none was. */
  readonly value: ExtractedValue | null;
}

/** A field's ranking after the answer on it. */
function voteOn(
  scored: ScoredField,
  given: AnswerValue | undefined,
  taken: ReadonlySet<string>,
  context: Context,
): Vote {
  const { field } = scored;
  if (context.own.fields[field.name]?.flags.includes('taught')) {
    return { entry: context.learned.taught.has(field.name) ? goingFirst(scored) : scored, value: null };
  }
  if (typeof given !== 'string') return { entry: scored, value: null };
  const keyOf = ({ candidate }: ScoredValue) => comparable(field.kind, candidate.value);
  const written = readAs(field.kind, given, context.locale);
  const value = written && fieldValue(context.type.name, field.name, written.value);
  const key = value === null ? null : comparable(field.kind, value);
  const removed = context.learned.removed.get(field.name);
  if (key !== null && removed?.has(key)) return { entry: scored, value: null };
  const free = scored.ranked.filter(
    (each) => !removed?.has(keyOf(each)) && (keyOf(each) === key || !taken.has(keyOf(each))),
  );
  const entry: ScoredField = { ...scored, ranked: free };
  // A text that is no value of the field's kind says nothing; it is not the same as an absent field.
  if (!written || value === null) {
    return { entry: given.trim() === '' ? weighField(entry, null) : entry, value: null };
  }
  const known = entry.ranked.find((each) => keyOf(each) === key);
  const places = context.evidence.placesOf(field.kind, given, written.value);
  const found = known ? known.candidates : places.map((place) => asCandidate(place, field.kind, value, written));
  const first = found[0] ?? nowhere(field.kind, value, context.layout);
  const weighedEntry = weighField(entry, {
    candidates: [first, ...found.slice(1)],
    isSame: (other) => keyOf(other) === key,
  });
  const ranked = weighedEntry.ranked.find((each) => keyOf(each) === key);
  const flags: ValueFlag[] = found.length === 0 ? ['not_in_document'] : [];
  const confidence = Math.min(ranked?.confidence ?? 0, found.length === 0 ? nowhereConfidence : 100);
  return { entry: weighedEntry, value: { value, confidence, provenance: provenanceOf(first), flags } };
}

/** A field whose value is chosen before those that an answer gave, so that none of them takes its words away. */
function goingFirst(entry: ScoredField): ScoredField {
  // Amounts are chosen together, by their probabilities.
  if (entry.field.kind === 'amount') return entry;
  const [first, ...others] = entry.ranked;
  return first
    ? { ...entry, ranked: [{ ...first, probability: 1 - (1 - first.probability) / 1000 }, ...others] }
    : entry;
}

function asCandidate(
  { candidate, page, words }: FoundWords,
  kind: ValueKind,
  value: JsonValue,
  { quality, ambiguous }: { readonly quality: number; readonly ambiguous: boolean },
): PlacedCandidate {
  if (candidate) return { ...candidate, value };
  const text = words.map((word) => word.text).join(' ');
  const { box } = provenanceOf({ page, words })[0]!;
  const layout: Layout = {
    document: { mediaType: 'application/pdf', pages: [], attachments: [] },
    lines: [],
    blocks: [],
    tables: [],
  };
  return { kind, value, words, page, box, text, quality, lines: [], start: 0, end: 0, layout, ambiguous };
}

/** A value that no word of the document says. */
function nowhere(kind: ValueKind, value: JsonValue, layout: Layout): PlacedCandidate {
  const box = { x0: 0, y0: 0, x1: 0, y1: 0 };
  return {
    kind,
    value,
    words: [],
    page: 1,
    box,
    text: '',
    quality: 0,
    lines: [],
    start: 0,
    end: 0,
    layout,
    ambiguous: false,
  };
}

function sameValue(kind: ValueKind, a: JsonValue, b: JsonValue): boolean {
  return comparable(kind, a) === comparable(kind, b);
}

/** A chosen value with what speaks against it: where it stands nowhere, no sum makes it sure. */
function marked(value: ExtractedValue, flags: readonly ValueFlag[]): ExtractedValue {
  if (!flags.includes('not_in_document')) return value;
  const confidence = Math.min(value.confidence, nowhereConfidence);
  return { ...value, confidence, provenance: [], flags: [...new Set([...value.flags, ...flags])] };
}

/** A text of an answer with where it stands. */
interface Grounded {
  readonly value: JsonValue;
  readonly place: FoundWords | null;
}

/** The value of a field that no candidates are scored for, after the answer on it; null where there is none. */
function composedAnswer(field: FieldDefinition, given: AnswerValue, context: Context): ExtractedValue | null {
  const own = context.own.fields[field.name] ?? null;
  const named = namedValue(field, given, context);
  if (named === null) {
    if (!own) return null;
    const confidence = weighed(own.confidence, 'absence');
    return isEmpty(given) ? { ...own, confidence } : own;
  }
  const { value, grounded } = named;
  const isGrounded = grounded.every(({ place }) => place !== null);
  if (own && isSameContent(field.kind, own.value, value)) {
    return { ...own, confidence: weighed(own.confidence, 'agreement') };
  }
  const before = isGrounded ? unratedConfidence.standing : unratedConfidence.nowhere;
  const confidence = weighed(before, 'agreement');
  const kept = own ? weighed(own.confidence, 'contradiction') : 0;
  if (own && kept >= confidence) return { ...own, confidence: kept };
  return {
    value,
    confidence: isGrounded ? confidence : Math.min(confidence, nowhereConfidence),
    provenance: grounded.flatMap(({ place }) => (place ? provenanceOf(place) : [])),
    flags: isGrounded ? [] : ['not_in_document'],
  };
}

function isEmpty(given: AnswerValue): boolean {
  return typeof given === 'string' ? given.trim() === '' : given.length === 0;
}

/** A text as a value of a kind, with its place; null where it is none. */
function ground(kind: ValueKind, text: string, { evidence, locale }: Context): Grounded | null {
  const written = readAs(kind, text, locale);
  if (!written) return null;
  const [place = null] = evidence.placesOf(kind, text, written.value);
  return { value: written.value, place };
}

function namedValue(
  field: FieldDefinition,
  given: AnswerValue,
  context: Context,
): { readonly value: JsonValue; readonly grounded: readonly Grounded[] } | null {
  const shape = shapeOf(field);
  if (shape === 'text') {
    const grounded = typeof given === 'string' ? ground(field.kind, given, context) : null;
    return grounded && { value: grounded.value, grounded: [grounded] };
  }
  if (typeof given === 'string') return null;
  if (shape === 'list') {
    const grounded = given.flatMap((text) =>
      typeof text === 'string' ? (ground(field.kind, text, context) ?? []) : [],
    );
    return grounded.length > 0 ? { value: grounded.map(({ value }) => value), grounded } : null;
  }
  const entries = given.filter((entry) => typeof entry !== 'string');
  const grounded: Grounded[] = [];
  const groundPart = (text: string): JsonValue | null => {
    const part = ground('text', text, context);
    if (part) grounded.push(part);
    return part?.value ?? null;
  };
  if (shape === 'pairs') {
    const pairs = entries.flatMap(({ label = '', value = '' }): [string, JsonValue][] => {
      const amount =
        field.name === 'boxes' && /^[^\p{L}]*\d[^\p{L}]*$/u.test(value) ? ground('amount', value, context) : null;
      if (amount) grounded.push(amount);
      const said = amount ? amount.value : groundPart(value);
      const name = groundPart(label);
      return typeof name === 'string' && said !== null ? [[name, said]] : [];
    });
    return pairs.length > 0 ? { value: Object.fromEntries(pairs), grounded } : null;
  }
  const values = entries.flatMap((entry) => {
    const parts = Object.entries(entry).flatMap(([name, text]): [string, JsonValue][] => {
      const said = groundPart(text);
      return said === null ? [] : [[name, said]];
    });
    return parts.length > 0 ? [Object.fromEntries(parts)] : [];
  });
  return values.length > 0 ? { value: values, grounded } : null;
}

/** Whether two values say the same: texts as their kind compares, lists in whatever order, objects part by part. */
function isSameContent(kind: ValueKind, a: JsonValue, b: JsonValue): boolean {
  return contentKey(kind, a) === contentKey(kind, b);
}

function contentKey(kind: ValueKind, value: JsonValue): string {
  if (Array.isArray(value)) return JSON.stringify(value.map((part: JsonValue) => contentKey(kind, part)).sort());
  if (typeof value === 'object' && value !== null) {
    return JSON.stringify(
      Object.entries(value)
        .map(([name, part]) => [comparable('text', name), contentKey(kind, part)])
        .sort(),
    );
  }
  return comparable(kind, value);
}

/** The fields in the order of the type, as the engine gives them. */
function inOrder(type: DocumentType, fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const place = new Map(type.fields.map(({ name }, index) => [name, index]));
  return Object.fromEntries(
    Object.entries(fields).sort(([a], [b]) => (place.get(a) ?? place.size) - (place.get(b) ?? place.size)),
  );
}
