import type { Layout, ValueKind } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';
import { scoreRows } from './ensembles.ts';
import { featureNames, rowsFor, sceneOf } from './features.ts';
import { isScored } from './field-parts.ts';
import { fieldValue, isUnsigned } from './field-value.ts';
import { scoreOwnFields } from './own-fields.ts';
import { confidenceOf, type Models, modelFor, shippedModels } from './weights.ts';

/** A value that may be a field's, with the candidates that read it. */
export interface ScoredValue {
  /** The likeliest of the candidates that have this value. */
  readonly candidate: PlacedCandidate;
  /** All candidates with this value, the likeliest first. */
  readonly candidates: readonly PlacedCandidate[];
  /** The model's probability that this is the field's value; with the others' and that of none of them it makes 1. */
  readonly probability: number;
  /** The probability calibrated on documents that the model had not seen, 0 to 100. */
  readonly confidence: number;
}

/** A field's values in the order of their probability. */
export interface ScoredField {
  readonly field: FieldDefinition;
  readonly ranked: readonly ScoredValue[];
  /** A value less probable than this is likelier not the field's at all. */
  readonly threshold: number;
}

/** Values kept for each field: what validation may choose among. */
const rankedLimit = 12;

/** Scores every candidate for every field of the type that recognisers propose values for. */
export function scoreFields(
  type: DocumentType,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
  models: Models = shippedModels(),
): readonly ScoredField[] {
  if (type.isOwn) return scoreOwnFields(type, candidates, layout);
  const scene = sceneOf(type, candidates, layout);
  const alikeOf = new Map<ValueKind, Alike>();
  return type.fields.flatMap((field, fieldIndex) => {
    if (!isScored(field)) return [];
    const model = modelFor(models, type.name, field);
    if (!model) return [];
    const { candidates: printed, rows } = rowsFor(scene, type, fieldIndex);
    const scores = scoreRows(model.ensembles, rows, featureNames.length);
    const own = asValuesOf(type, field, printed);
    const known = own === printed ? alikeOf.get(field.kind) : undefined;
    const alike = known ?? groupAlike(own);
    if (own === printed) alikeOf.set(field.kind, alike);
    const ranked = rank(scores, alike).map(({ members, probability }): ScoredValue => {
      const same = members.map((at) => own[at]!);
      return { candidate: same[0]!, candidates: same, probability, confidence: confidenceOf(model, probability) };
    });
    return [{ field, ranked, threshold: model.threshold }];
  });
}

/** The candidates with their values as the field gives them; the same array where the field gives them as printed. */
function asValuesOf(
  type: DocumentType,
  field: FieldDefinition,
  candidates: readonly PlacedCandidate[],
): readonly PlacedCandidate[] {
  if (!isUnsigned(type.name, field.name)) return candidates;
  const own = candidates.map((candidate) => {
    const value = fieldValue(type.name, field.name, candidate.value);
    return value === candidate.value ? candidate : { ...candidate, value };
  });
  return own.some((candidate, at) => candidate !== candidates[at]) ? own : candidates;
}

/** Candidates by their numbers, those of one value together. */
type Alike = readonly (readonly number[])[];

function groupAlike(candidates: readonly PlacedCandidate[]): Alike {
  const byKey = Map.groupBy(candidates.keys(), (at) => comparable(candidates[at]!.kind, candidates[at]!.value));
  return [...byKey.values()];
}

/** The candidates of one value, by their numbers, the best score first, and how probable the value is. */
interface RankedValue {
  readonly members: readonly number[];
  readonly probability: number;
}

/** The softmax over all scores and a score of 0 for "none" gives the probabilities; those of one value are added up. */
function rank(scores: Float64Array, alike: Alike): readonly RankedValue[] {
  let highest = 0;
  for (let at = 0; at < scores.length; at += 1) highest = Math.max(highest, scores[at]!);
  const shares = new Float64Array(scores.length);
  let all = Math.exp(-highest);
  for (let at = 0; at < scores.length; at += 1) {
    shares[at] = Math.exp(scores[at]! - highest);
    all += shares[at]!;
  }
  const byScore = (a: number, b: number) => scores[b]! - scores[a]! || a - b;
  return alike
    .map((group): RankedValue => {
      if (group.length === 1) return { members: group, probability: shares[group[0]!]! / all };
      const members = group.toSorted(byScore);
      return { members, probability: members.reduce((sum, at) => sum + shares[at]!, 0) / all };
    })
    .sort((a, b) => b.probability - a.probability || byScore(a.members[0]!, b.members[0]!))
    .slice(0, rankedLimit);
}
