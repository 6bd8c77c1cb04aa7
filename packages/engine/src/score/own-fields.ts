import type { Layout, ValueKind } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';
import { isTellingForm, likenessToExamples } from './examples.ts';
import { featureNames, rowsFor, sceneOf } from './features.ts';
import { isScored } from './field-parts.ts';
import type { ScoredField, ScoredValue } from './score.ts';
import { confidenceOf } from './weights.ts';

/** Values kept for each field. */
const rankedLimit = 12;
/** A value less probable than this is likelier not the field's at all. */
const threshold = 0.45;

/** Kinds whose form says what they are, so that the only one in a document is that of the only field of the kind. */
const evidentKinds: ReadonlySet<ValueKind> = new Set(['email', 'iban', 'bic', 'website', 'tax_id', 'mrz', 'phone']);

const place = Object.fromEntries(featureNames.map((name, index) => [name, index])) as Readonly<Record<string, number>>;
const [captionBest, anyRivalBest, captionInOwn] = [place.caption_best!, place.any_rival_best!, place.caption_in_own!];
const [before, beforeBetween] = [place.caption_before!, place.caption_before_between!];
const [row, rowBetween, rowDistance] = [place.caption_row!, place.caption_row_between!, place.caption_row_distance!];

/**
 * Confidence by probability, 0 to 100: how often such values were right on generated documents of built-in types whose
 * fields were given as an account would, by a few captions, at the lower end. Below 90: nothing
 * was trained for these fields.
 */
const calibration = [
  [0, 0],
  [0.45, 52],
  [0.6, 66],
  [0.8, 77],
  [0.95, 85],
  [0.985, 88],
  [1, 89],
] as const;

/**
 * Scores the candidates of an account's own type, whose fields no model has seen, by what speaks for any field: how
 * near its captions are and whether another field's are nearer, the candidate's own quality, and the form of the
 * field's examples.
 */
export function scoreOwnFields(
  type: DocumentType,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
): readonly ScoredField[] {
  const scene = sceneOf(type, candidates, layout);
  return type.fields.flatMap((field, fieldIndex) => {
    if (!isScored(field)) return [];
    const { candidates: own, rows } = rowsFor(scene, type, fieldIndex);
    const isOnlyOfKind = type.fields.filter(({ kind }) => kind === field.kind).length === 1;
    const values = new Set(own.map(({ value }) => comparable(field.kind, value))).size;
    const evident = isOnlyOfKind && values === 1 && evidentKinds.has(field.kind) ? evidentStrength : 0;
    const featuresOf = (at: number) => rows.subarray(at * featureNames.length, (at + 1) * featureNames.length);
    const beside = own.map((_, at) => besideStrength(featuresOf(at)));
    // Where a value stands beside the caption, what stands below it is something else.
    const isBeside = Math.max(0, ...beside) >= clearStrength;
    const strengths = own.map((candidate, at) => {
      const strength = strengthOf(field, candidate, featuresOf(at), evident);
      return isBeside && beside[at]! < belowStrength ? strength * 0.4 : strength;
    });
    return [{ field, ranked: rank(field, own, strengths), threshold }];
  });
}

/** A caption's strength beside a value that leaves no doubt, and below which a value stands elsewhere. */
const clearStrength = 0.7;
const belowStrength = 0.4;

/** The strength of the field's captions before a value in its line or left of it in its row. */
function besideStrength(features: Float32Array): number {
  const inLine = features[before]! / (1 + 0.35 * features[beforeBetween]!);
  const inRow = features[row]! / (1 + 0.3 * features[rowBetween]! + features[rowDistance]!);
  return Math.max(inLine, inRow);
}

/** How strongly a value speaks for itself that is the only one of its kind, or has the form of the examples. */
const evidentStrength = 0.62;
const formStrength = 0.66;

function strengthOf(
  field: FieldDefinition,
  { quality, text, value }: PlacedCandidate,
  features: Float32Array,
  evident: number,
): number {
  let strength = features[captionBest]!;
  const rival = features[anyRivalBest]!;
  if (rival > strength) strength *= 0.45 * (strength / rival);
  else if (rival > 0.9 * strength) strength *= 0.85;
  // A text that has the field's caption in it is more than the value.
  if (features[captionInOwn]! > 0) strength *= 0.3;
  strength *= 0.75 + 0.25 * quality;
  switch (likenessToExamples(field, value, text)) {
    case 'same':
      strength = Math.max(0.5, 0.35 + 0.65 * strength);
      break;
    case 'alike':
      strength = isTellingForm(field) ? Math.max(formStrength, 0.4 + 0.6 * strength) : 0.15 + 0.85 * strength;
      break;
    case 'unlike':
      strength *= 0.6;
      break;
    case 'unknown':
      break;
  }
  return Math.min(0.99, Math.max(strength, evident * (0.7 + 0.3 * quality)));
}

/** How sharply strengths part the values. */
const sharpness = 1.5;

function oddsOf(strength: number): number {
  return (strength / (1 - strength)) ** sharpness;
}

function rank(
  field: FieldDefinition,
  candidates: readonly PlacedCandidate[],
  strengths: readonly number[],
): readonly ScoredValue[] {
  const byValue = Map.groupBy(candidates.keys(), (at) => comparable(field.kind, candidates[at]!.value));
  const groups = [...byValue.values()].map((members) => {
    const sorted = members.toSorted((a, b) => strengths[b]! - strengths[a]! || a - b);
    return { members: sorted, strength: strengths[sorted[0]!]! };
  });
  const strongest = groups
    .filter(({ strength }) => strength > 0.05)
    .sort((a, b) => b.strength - a.strength || a.members[0]! - b.members[0]!)
    .slice(0, rankedLimit);
  const all = strongest.reduce((sum, { strength }) => sum + oddsOf(strength), 1);
  return strongest.map(({ members, strength }): ScoredValue => {
    const same = members.map((at) => candidates[at]!);
    const probability = oddsOf(strength) / all;
    return {
      candidate: same[0]!,
      candidates: same,
      probability,
      confidence: confidenceOf({ calibration }, probability),
    };
  });
}
