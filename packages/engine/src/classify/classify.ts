import { readFileSync } from 'node:fs';
import { type Classification, type DocType, docTypes, type Layout } from '@millrace/document-model';
import { classifierFeatures, classifierFeaturesOf } from './features.ts';

/** The classifier's file: for each type a weight per feature, and how sharply its scores tell the types apart. */
export interface ClassifierWeights {
  readonly features: readonly string[];
  readonly types: readonly DocType[];
  readonly weights: readonly (readonly number[])[];
  /** Divides the scores before they become probabilities, so that the confidence is calibrated. */
  readonly temperature: number;
}

/** The path of the weights that are part of the package. */
export const classifierWeightsPath = new URL('./weights/classifier.json', import.meta.url);

let loaded: ClassifierWeights | null = null;

function classifierWeights(): ClassifierWeights {
  if (!loaded) {
    const file = JSON.parse(readFileSync(classifierWeightsPath, 'utf8')) as ClassifierWeights;
    if (file.features.join() !== classifierFeatures.join() || file.types.join() !== docTypes.join()) {
      throw new Error(
        'The classifier\'s weights were trained on other features than the code computes; run "npm run train".',
      );
    }
    loaded = file;
  }
  return loaded;
}

/**
 * Determines a document's type from the phrases and the shape that are typical of each, with a calibrated confidence.
 */
export function classify(layout: Layout): Classification {
  const probabilities = typeProbabilities(classifierFeaturesOf(layout), classifierWeights());
  let best = 0;
  for (let type = 1; type < docTypes.length; type += 1) if (probabilities[type]! > probabilities[best]!) best = type;
  return { docType: docTypes[best]!, confidence: Math.round(probabilities[best]! * 1000) / 10 };
}

/** The probability of each type, in the order of `docTypes`. */
export function typeProbabilities(
  features: Float64Array,
  model: Pick<ClassifierWeights, 'weights' | 'temperature'>,
): Float64Array {
  const scores = new Float64Array(model.weights.length);
  let highest = Number.NEGATIVE_INFINITY;
  model.weights.forEach((weights, type) => {
    let score = 0;
    for (let index = 0; index < features.length; index += 1) score += weights[index]! * features[index]!;
    scores[type] = score / model.temperature;
    highest = Math.max(highest, scores[type]!);
  });
  let sum = 0;
  for (let type = 0; type < scores.length; type += 1) {
    scores[type] = Math.exp(scores[type]! - highest);
    sum += scores[type]!;
  }
  for (let type = 0; type < scores.length; type += 1) scores[type]! /= sum;
  return scores;
}
