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

/** Parts of the real documents, each of which is compared by weights that were fitted on the others. */
const foldCount = 3;
/** A judgement with at least this probability is one of the surest, whose share right no confidence exceeds. */
const surest = 0.9;

/**
 * Trains on generated and real documents. The confidence is calibrated on real documents by weights that have not seen
 * them, and on generated ones that no weight learns from; it never exceeds the share of the surest of these that are
 * right, since a page of no known type can look like one. The same examples give the same weights.
 *
 * @returns the weights, and what the folds said of the real documents.
 */
export function trainClassifier({ examples, calibration, real }: ClassifierSets): {
  readonly weights: ClassifierWeights;
  readonly compared: readonly { readonly docType: DocType; readonly right: boolean; readonly confidence: number }[];
} {
  const folds = Array.from({ length: foldCount }, (_, fold) => {
    const weights = fit([...examples, ...real.filter((_each, index) => index % foldCount !== fold)]);
    return { weights, unseen: real.filter((_each, index) => index % foldCount === fold) };
  });
  const generatedShare = 1 / foldCount;
  const judging = folds.map(({ weights, unseen }) => ({
    weights,
    examples: [...unseen, ...calibration.map((example) => ({ ...example, weight: example.weight * generatedShare }))],
  }));
  const temperature = bestTemperature(judging);
  const compared = folds.flatMap(({ weights, unseen }) =>
    unseen.map((example) => judge(example, { weights, temperature })),
  );
  const sure = compared.filter(({ confidence }) => confidence >= surest);
  const total = sure.reduce((sum, { weight }) => sum + weight, 0);
  const right = sure.reduce((sum, { weight, right: isRight }) => sum + (isRight ? weight : 0), 0);
  // One more that is wrong, for what the documents available do not show.
  const ceiling = Number((right / (total + 1)).toFixed(3));
  const weights = {
    features: classifierFeatures,
    types: docTypes,
    weights: fit([...examples, ...real]),
    temperature,
    ceiling,
  };
  return {
    weights,
    compared: compared.map(({ docType, right: isRight, confidence }) => ({
      docType,
      right: isRight,
      confidence: Math.min(ceiling, confidence),
    })),
  };
}

function judge({ features, docType, weight }: ClassifierExample, model: Parameters<typeof typeProbabilities>[1]) {
  const probabilities = typeProbabilities(features, model);
  const confidence = Math.max(...probabilities);
  return { docType, weight, confidence, right: docTypes[probabilities.indexOf(confidence)] === docType };
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

/** The temperature at which the examples are least surprising to weights that have not seen them. */
function bestTemperature(
  judging: readonly {
    readonly weights: ClassifierWeights['weights'];
    readonly examples: readonly ClassifierExample[];
  }[],
): number {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let temperature = 0.5; temperature <= 4; temperature += 0.1) {
    let loss = 0;
    for (const { weights, examples } of judging) {
      for (const { features, docType, weight } of examples) {
        const probability = typeProbabilities(features, { weights, temperature })[docTypes.indexOf(docType)]!;
        loss -= weight * Math.log(Math.max(1e-9, probability));
      }
    }
    if (loss < least) [best, least] = [temperature, loss];
  }
  return Number(best.toFixed(2));
}
