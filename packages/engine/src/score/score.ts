import type { PlacedCandidate } from '../candidates/placed.ts';
import type { Layout } from '../document.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';
import { featureNames, sceneOf, writeFeatures } from './features.ts';
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

/** A candidate as some field's value, with the form in which equal values are the same. */
interface Scored {
  readonly candidate: PlacedCandidate;
  readonly key: string;
  readonly score: number;
}

/** Scores every candidate for every field of the type that recognisers propose values for. */
export function scoreFields(
  type: DocumentType,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
  models: Models = shippedModels(),
): readonly ScoredField[] {
  const scene = sceneOf(type, candidates, layout);
  const row = new Float32Array(featureNames.length);
  const byKind = Map.groupBy(candidates.keys(), (index) => candidates[index]!.kind);
  const keys: string[] = new Array(candidates.length);
  return type.fields.flatMap((field, fieldIndex) => {
    if (!isScored(field)) return [];
    const model = modelFor(models, type.name, field);
    if (!model) return [];
    const scored = (byKind.get(field.kind) ?? []).map((index): Scored => {
      writeFeatures(row, scene, index, fieldIndex);
      const score = evaluateEnsemble(model.ensemble, row);
      const candidate = candidates[index]!;
      const value = fieldValue(type.name, field.name, candidate.value);
      if (value !== candidate.value)
        return { candidate: { ...candidate, value }, key: comparable(candidate.kind, value), score };
      keys[index] ??= comparable(candidate.kind, value);
      return { candidate, key: keys[index], score };
    });
    const ranked = rank(scored).map((value) => ({ ...value, confidence: confidenceOf(model, value.probability) }));
    return [{ field, ranked, threshold: model.threshold }];
  });
}

/** Joins candidates of the same value; the softmax over all scores and a score of 0 for "none" gives the probabilities. */
function rank(scored: readonly Scored[]): readonly Omit<ScoredValue, 'confidence'>[] {
  const highest = scored.reduce((best, { score }) => Math.max(best, score), 0);
  let all = Math.exp(-highest);
  for (const { score } of scored) all += Math.exp(score - highest);
  const byValue = Map.groupBy(
    scored.toSorted((a, b) => b.score - a.score),
    ({ key }) => key,
  );
  return [...byValue.values()]
    .map((group) => ({
      group,
      probability: group.reduce((sum, { score }) => sum + Math.exp(score - highest), 0) / all,
    }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, rankedLimit)
    .map(({ group, probability }) => {
      const alike = group.map(({ candidate }) => candidate);
      return { candidate: alike[0]!, candidates: alike, probability };
    });
}
