import { type DocType, docTypes } from '@millrace/document-model';
import { type ClassifierWeights, typeProbabilities } from '@millrace/engine/classify/classify';
import { classifierFeatures } from '@millrace/engine/classify/features';

/** A document to learn from; those of a heavier weight count for more. */
export interface ClassifierExample {
  readonly features: Float64Array;
  readonly docType: DocType;
  readonly weight: number;
}

const epochs = 400;
const learningRate = 0.3;
const decay = 2e-4;

/** What a classifier is trained on; `calibration` is learned from by no weight. */
export interface ClassifierSets {
  readonly examples: readonly ClassifierExample[];
  readonly calibration: readonly ClassifierExample[];
  readonly real: readonly ClassifierExample[];
}

/**
 * Trains on generated and real documents. The confidence is calibrated by a model that saw every other real document
 * alone, on the others. The same examples give the same weights.
 */
export function trainClassifier({ examples, calibration, real }: ClassifierSets): ClassifierWeights {
  const every = (parity: number) => real.filter((_, index) => index % 2 === parity);
  const half = fit([...examples, ...every(0)]);
  const temperature = bestTemperature(half, [...calibration, ...every(1)]);
  return { features: classifierFeatures, types: docTypes, weights: fit([...examples, ...real]), temperature };
}

/** Multinomial logistic regression by full-batch gradient descent with Adam's step sizes and an L2 penalty. */
function fit(examples: readonly ClassifierExample[]): readonly (readonly number[])[] {
  const typeCount = docTypes.length;
  const featureCount = classifierFeatures.length;
  const weights = Array.from({ length: typeCount }, () => new Float64Array(featureCount));
  const mean = weights.map(() => new Float64Array(featureCount));
  const variance = weights.map(() => new Float64Array(featureCount));
  const gradients = weights.map(() => new Float64Array(featureCount));
  const totalWeight = examples.reduce((sum, example) => sum + example.weight, 0);
  const model = () => ({ weights: weights as unknown as readonly (readonly number[])[], temperature: 1 });
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    for (const gradient of gradients) gradient.fill(0);
    for (const { features, docType, weight } of examples) {
      const probabilities = typeProbabilities(features, model());
      const truth = docTypes.indexOf(docType);
      for (let type = 0; type < typeCount; type += 1) {
        const error = (probabilities[type]! - (type === truth ? 1 : 0)) * (weight / totalWeight);
        if (Math.abs(error) < 1e-9) continue;
        const gradient = gradients[type]!;
        for (let index = 0; index < featureCount; index += 1) gradient[index]! += error * features[index]!;
      }
    }
    const rate = learningRate * (1 - (0.9 * epoch) / epochs);
    for (let type = 0; type < typeCount; type += 1) {
      for (let index = 0; index < featureCount; index += 1) {
        const gradient = gradients[type]![index]! + decay * weights[type]![index]!;
        mean[type]![index] = 0.9 * mean[type]![index]! + 0.1 * gradient;
        variance[type]![index] = 0.99 * variance[type]![index]! + 0.01 * gradient * gradient;
        const step =
          mean[type]![index]! / (1 - 0.9 ** epoch) / (Math.sqrt(variance[type]![index]! / (1 - 0.99 ** epoch)) + 1e-6);
        weights[type]![index]! -= rate * step * 0.1;
      }
    }
  }
  return weights.map((row) => [...row].map((value) => Number(value.toFixed(4))));
}

/** The temperature at which the examples are least surprising. */
function bestTemperature(weights: readonly (readonly number[])[], examples: readonly ClassifierExample[]): number {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let temperature = 0.5; temperature <= 4; temperature += 0.1) {
    let loss = 0;
    for (const { features, docType, weight } of examples) {
      loss -=
        weight *
        Math.log(Math.max(1e-9, typeProbabilities(features, { weights, temperature })[docTypes.indexOf(docType)]!));
    }
    if (loss < least) [best, least] = [temperature, loss];
  }
  return Number(best.toFixed(2));
}
