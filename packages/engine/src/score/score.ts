import type { PlacedCandidate } from '../candidates/placed.ts';
import type { JsonValue, Layout, Locale } from '../document.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';
import { featureNames, sceneOf, writeFeatures } from './features.ts';
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
  locale: Locale,
  models: Models = shippedModels(),
): readonly ScoredField[] {
  const scene = sceneOf(type, candidates, layout, locale);
  const row = new Float32Array(featureNames.length);
  const byKind = Map.groupBy(candidates.keys(), (index) => candidates[index]!.kind);
  return type.fields.flatMap((field, fieldIndex) => {
    if (field.composed || field.kind === 'language' || field.kind === 'currency') return [];
    const model = modelFor(models, type.name, field);
    if (!model) return [];
    const scored = (byKind.get(field.kind) ?? []).map((index) => {
      writeFeatures(row, scene, index, fieldIndex);
      const candidate = candidates[index]!;
      const value = fieldValue(type.name, field.name, candidate.value);
      return { candidate, value, score: evaluateEnsemble(model.ensemble, row) };
    });
    const ranked = rank(scored).map((value) => ({ ...value, confidence: confidenceOf(model, value.probability) }));
    return [{ field, ranked, threshold: model.threshold }];
  });
}

/** Joins candidates of the same value; the softmax over all scores and a score of 0 for "none" gives the probabilities. */
function rank(
  scored: readonly { readonly candidate: PlacedCandidate; readonly value: JsonValue; readonly score: number }[],
): readonly Omit<ScoredValue, 'confidence'>[] {
  const highest = scored.reduce((best, { score }) => Math.max(best, score), 0);
  let all = Math.exp(-highest);
  for (const { score } of scored) all += Math.exp(score - highest);
  const byValue = Map.groupBy(
    scored.toSorted((a, b) => b.score - a.score),
    ({ candidate, value }) => comparable(candidate.kind, value),
  );
  return [...byValue.values()]
    .map((group) => ({
      group,
      probability: group.reduce((sum, { score }) => sum + Math.exp(score - highest), 0) / all,
    }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, rankedLimit)
    .map(({ group, probability }) => {
      const candidates = group.map(({ candidate, value }) => ({ ...candidate, value }));
      return { candidate: candidates[0]!, candidates, probability };
    });
}
