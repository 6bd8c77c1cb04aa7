import type { PlacedCandidate } from '../candidates/placed.ts';
import type { Layout } from '../document.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';
import { featureNames, rowsFor, sceneOf } from './features.ts';
import { isScored } from './field-parts.ts';
import { fieldValue } from './field-value.ts';
import { evaluateEnsemble } from './trees.ts';
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
  const scene = sceneOf(type, candidates, layout);
  const keys = new Map<PlacedCandidate, string>();
  return type.fields.flatMap((field, fieldIndex) => {
    if (!isScored(field)) return [];
    const model = modelFor(models, type.name, field);
    if (!model) return [];
    const { candidates: own, rows } = rowsFor(scene, type, fieldIndex);
    const scores = evaluateEnsemble(model.ensemble, rows, featureNames.length);
    const asValue = (candidate: PlacedCandidate) => {
      const value = fieldValue(type.name, field.name, candidate.value);
      return value === candidate.value ? candidate : { ...candidate, value };
    };
    const keyOf = (candidate: PlacedCandidate) => {
      const value = fieldValue(type.name, field.name, candidate.value);
      if (value !== candidate.value) return comparable(candidate.kind, value);
      let key = keys.get(candidate);
      if (key === undefined) {
        key = comparable(candidate.kind, value);
        keys.set(candidate, key);
      }
      return key;
    };
    const ranked = rank(scores, (at) => keyOf(own[at]!)).map(({ members, probability }): ScoredValue => {
      const alike = members.map((at) => asValue(own[at]!));
      return { candidate: alike[0]!, candidates: alike, probability, confidence: confidenceOf(model, probability) };
    });
    return [{ field, ranked, threshold: model.threshold }];
  });
}

/** Candidates of one value, by their numbers. */
interface Alike {
  /** The best score first. */
  readonly members: number[];
  probability: number;
}

/** Joins candidates of the same value; the softmax over all scores and a score of 0 for "none" gives the probabilities. */
function rank(scores: Float64Array, keyOf: (at: number) => string): readonly Alike[] {
  const highest = scores.reduce((best, score) => Math.max(best, score), 0);
  const shares = scores.map((score) => Math.exp(score - highest));
  const all = shares.reduce((sum, share) => sum + share, Math.exp(-highest));
  const byKey = new Map<string, Alike>();
  for (let at = 0; at < scores.length; at += 1) {
    const key = keyOf(at);
    const alike = byKey.get(key);
    if (alike) alike.members.push(at);
    else byKey.set(key, { members: [at], probability: 0 });
  }
  const groups = [...byKey.values()];
  const byScore = (a: number, b: number) => scores[b]! - scores[a]! || a - b;
  for (const group of groups) {
    if (group.members.length > 1) group.members.sort(byScore);
    group.probability = group.members.reduce((sum, at) => sum + shares[at]!, 0) / all;
  }
  return groups
    .sort((a, b) => b.probability - a.probability || byScore(a.members[0]!, b.members[0]!))
    .slice(0, rankedLimit);
}
