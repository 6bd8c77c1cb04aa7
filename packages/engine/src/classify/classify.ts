import { readFileSync } from 'node:fs';
import { type Classification, docTypes, type Layout } from '@millrace/document-model';
import { isMagnetic } from '../candidates/transit-number.ts';
import type { DocumentType } from '../types/definition.ts';
import { documentTypes } from '../types/registry.ts';
import { classifierFeatures, classifierFeaturesOf } from './features.ts';
import { headlineOf } from './headline.ts';

/** The classifier's file: for each type a weight per feature, and how sharply its scores tell the types apart. */
export interface ClassifierWeights {
  readonly features: readonly string[];
  readonly types: readonly string[];
  readonly weights: readonly (readonly number[])[];
  /** Divides the scores before they become probabilities, so that the confidence is calibrated. */
  readonly temperature: number;
  /** No confidence is higher, 0 to 1: of real documents of which it was sure, no more were right. */
  readonly ceiling: number;
}

/** The path of the weights that are part of the package. */
export const classifierWeightsPath = new URL('./weights/classifier.json', import.meta.url);

/** Weights with the place of each of their features among those that the code computes. */
interface PlacedWeights extends ClassifierWeights {
  readonly places: readonly number[];
}

let loaded: PlacedWeights | null = null;

function classifierWeights(): PlacedWeights {
  if (!loaded) {
    const file = JSON.parse(readFileSync(classifierWeightsPath, 'utf8')) as ClassifierWeights;
    loaded = placeWeights(file, classifierFeatures, docTypes);
  }
  return loaded;
}

/**
 * Places the weights among the features that the code computes. A type that came after the training is never
 * classified, and what speaks for it is not asked; everything else is as before.
 *
 * @throws Error where the weights need a feature or a type that is gone
 */
export function placeWeights(
  file: ClassifierWeights,
  features: readonly string[],
  types: readonly string[],
): PlacedWeights {
  const places = file.features.map((name) => features.indexOf(name));
  if (places.includes(-1) || file.types.some((name) => !types.includes(name))) {
    throw new Error(
      'The classifier\'s weights were trained on other features than the code computes; run "npm run train".',
    );
  }
  return { ...file, places };
}

let untrained: readonly DocumentType[] | null = null;

/** The built-in types that came after the training; they are never classified. */
export function untrainedTypes(): readonly DocumentType[] {
  untrained ??= documentTypes.filter(({ name }) => !classifierWeights().types.includes(name));
  return untrained;
}

/**
 * Determines a document's type from the phrases and the shape that are typical of each, with a calibrated confidence.
 */
export function classify(layout: Layout): Classification {
  const weights = classifierWeights();
  const features = classifierFeaturesOf(layout);
  const known = Float64Array.from(weights.places, (place) => features[place]!);
  const probabilities = typeProbabilities(known, weights);
  let best = 0;
  for (let type = 1; type < weights.types.length; type += 1) {
    if (probabilities[type]! > probabilities[best]!) best = type;
  }
  for (const { evidence, provenBy, least, mistaken, mistakenTitle, name, title } of mistakenTypes) {
    if (weights.types[best] !== mistaken) continue;
    const type = weights.types.indexOf(name);
    const isTitled = features[title]! > features[mistakenTitle]!;
    const isProved = () =>
      features[evidence]! >= provedEvidence &&
      provenBy !== undefined &&
      layout.lines.some((line) => line.page === 1 && proofs[provenBy](line.text));
    if (isTitled && probabilities[type]! >= least) best = type;
    else if (isProved()) return { docType: name, confidence: Math.round(weights.ceiling * provedShare * 1000) / 10 };
  }
  const headline = mistakenByReferences.has(weights.types[best]!) ? headlineOf(layout) : null;
  const headlined = headline ? weights.types.indexOf(headline.type) : -1;
  if (headline && headlined >= 0 && probabilities[headlined]! >= leastHeadlined) {
    if (headline.isAlone || weights.types[best] === fallback) best = headlined;
  }
  for (const { name, claims } of claimingTypes) {
    const type = weights.types.indexOf(name);
    const isOpen = weights.types[best] === claims.docType && probabilities[type]! >= leastHeadlined;
    if (isOpen && isClaimed(name, claims, layout, features)) best = type;
  }
  if (weights.types[best] === fallback) best = evidentType(features, probabilities, weights) ?? best;
  const confidence = Math.min(weights.ceiling, probabilities[best]!);
  return { docType: weights.types[best]!, confidence: Math.round(confidence * 1000) / 10 };
}

const claimingTypes = documentTypes.flatMap(({ name, claims }) => (claims ? [{ name, claims }] : []));

/** Whether a document that was taken for another type is one of this type by its words and by a line of its own. */
function isClaimed(
  name: string,
  { docType, share, line }: NonNullable<DocumentType['claims']>,
  { lines }: Layout,
  features: Float64Array,
): boolean {
  const evidenceOf = (type: string) => features[classifierFeatures.indexOf(`evidence.${type}`)]!;
  return evidenceOf(name) >= share * evidenceOf(docType) && lines.some(({ text }) => line.test(text));
}

/** What a document is that no type's words speak for. */
const fallback = documentTypes.find(({ isFallback }) => isFallback)?.name;
/** The least evidence, and the least probability beside it, by which a type is likelier than none. */
const evident = [
  { evidence: 3.4, probability: 0.2 },
  { evidence: 2.8, probability: 0.4 },
] as const;

/** The likeliest type of which a document of none shows so many words that it is one; null where there is none. */
function evidentType(features: Float64Array, probabilities: Float64Array, { types }: PlacedWeights): number | null {
  let found: number | null = null;
  types.forEach((name, type) => {
    const evidence = features[classifierFeatures.indexOf(`evidence.${name}`)]!;
    const isEvident = evident.some((least) => evidence >= least.evidence && probabilities[type]! >= least.probability);
    if (name === fallback || !isEvident) return;
    if (found === null || probabilities[type]! > probabilities[found]!) found = type;
  });
  return found;
}

const mistakenByReferences: ReadonlySet<string> = new Set(
  documentTypes.filter(({ yieldsToTitle }) => yieldsToTitle).map(({ name }) => name),
);
/** From what probability on a type is taken by the title of the page. */
const leastHeadlined = 0.1;

/** What proves a type, on a line. */
const proofs = { magnetic_ink: isMagnetic } as const;
/** The least evidence of a type beside its proof: about that of its title. */
const provedEvidence = 2;
/** How sure a proof is, of the highest confidence: the words still speak for another type. */
const provedShare = 0.9;

/** Types that name another one all over their pages, so that their own title counts for more, or what proves them. */
const mistakenTypes = documentTypes.flatMap(({ provenBy, mistakenFor = [], name }) =>
  mistakenFor.map(({ docType: mistaken, least = Infinity }) => {
    const featureOf = (kind: 'evidence' | 'title', type: string) => classifierFeatures.indexOf(`${kind}.${type}`);
    return {
      name,
      mistaken,
      least,
      provenBy,
      evidence: featureOf('evidence', name),
      title: featureOf('title', name),
      mistakenTitle: featureOf('title', mistaken),
    };
  }),
);

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
