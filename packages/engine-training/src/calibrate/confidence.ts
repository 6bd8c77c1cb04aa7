import type { ExtractedValue } from '@millrace/document-model';
import { documentTypeOf } from '@millrace/engine/types';
import {
  type CalibrationWeights,
  calibrationFeatures,
  groupOf,
  probabilityOf,
  usualConfidence,
} from '@millrace/engine/validate/calibration';
import { isAccepted } from '../evaluate/score.ts';
import type { EvaluatedCase } from '../labelled/cases.ts';
import { drawnSet } from '../train/documents.ts';
import { familyOf, foldCount, foldOf } from '../train/folds.ts';

/** A value that was given, as the calibration sees it. */
export interface GivenValue {
  readonly family: string;
  readonly set: string;
  /** The group of its type. */
  readonly group: string;
  /** The issuer and the field. */
  readonly alike: string;
  readonly features: Readonly<Record<string, number>>;
  readonly right: boolean;
  /**
   * Documents of one issuer are often variants of each other: together they count for a field as one does. A wrong value of
   * a drawn document counts more.
   */
  readonly weight: number;
  /** Whether rules were written with the document in view, so that more of its values are right than of others. */
  readonly known: boolean;
}

/** A value with the probability that weights gave it which had seen none of its issuer. */
export interface CalibratedValue extends GivenValue {
  readonly probability: number;
}

const steps = 1500;
const learningRate = 0.05;

/** How strongly a weight is held to 0: the more so, the fewer values it is about. */
function penaltyOf(name: string): number {
  if (name === 'constant' || name === 'given') return 0.02;
  if (name.startsWith('field ')) return 2;
  return 1;
}

/**
 * How often a wrong value of a drawn document counts. Those that were drawn together are more alike than those of the world:
 * of issuers that the models had not seen, 3.7 % of the values in them were wrong, and 6.6 % of 40 documents drawn later.
 */
const drawnFaultWeight = 2;

/**
 * What the documents' answers, before calibration, say of how often which values are right.
 *
 * @param known whether rules were written with these documents in view.
 */
export function givenValues(set: string, cases: readonly EvaluatedCase[], known = false): readonly GivenValue[] {
  const values = cases.flatMap(({ key, docType, truth, answer, printed }) => {
    const type = documentTypeOf(docType);
    const family = familyOf(key, truth.fields);
    return Object.entries(truth.fields).flatMap(([name, accepted]): Omit<GivenValue, 'weight'>[] => {
      const value: ExtractedValue | undefined = answer.fields[name];
      const field = type.fields.find((each) => each.name === name);
      // The lines of receipts' labels stop at their first comma, so that hardly any address is in them.
      const isCutShort = set === 'receipts-words' && name === 'merchant_address';
      if (!value || !field || isCutShort) return [];
      const right = isAccepted(value, accepted);
      // Where the page shows something else than its XML, that is no fault of the reading.
      if (!right && printed && !printed.fields.has(name)) return [];
      const features = calibrationFeatures(docType, field, value, usualConfidence(answer.fields, name));
      return [{ family, set, group: groupOf(docType), alike: `${family} ${name}`, features, right, known }];
    });
  });
  const counts = Map.groupBy(values, ({ alike }) => alike);
  return values.map((value) => {
    const isDrawnFault = set === drawnSet && !known && !value.right;
    return { ...value, weight: (isDrawnFault ? drawnFaultWeight : 1) / counts.get(value.alike)!.length };
  });
}

/** A field that rules make has to have so many values for its own line. */
const ruleValues = 60;

/**
 * For fields that rules alone make, how many of their values are right by the confidence that the rules state. Rules are
 * written with the training documents in view, so that the share is taken at the lower end of what its number supports.
 */
export function ruleLines(cases: readonly EvaluatedCase[]): NonNullable<CalibrationWeights['rules']> {
  const values = cases.flatMap(({ docType, truth, answer }) =>
    documentTypeOf(docType).fields.flatMap(({ name, composed }) => {
      const [value, accepted] = [answer.fields[name], truth.fields[name]];
      return composed && value && accepted
        ? [{ field: `${docType}.${name}`, stated: value.confidence, right: isAccepted(value, accepted) }]
        : [];
    }),
  );
  return Object.fromEntries(
    [...Map.groupBy(values, ({ field }) => field)].flatMap(([field, own]) =>
      own.length < ruleValues ? [] : [[field, ruleLine(own)] as const],
    ),
  );
}

function ruleLine(
  values: readonly { readonly stated: number; readonly right: boolean }[],
): readonly (readonly [number, number])[] {
  const pools: { from: number; to: number; count: number; right: number }[] = [];
  const share = ({ right, count }: { right: number; count: number }) => right / count;
  for (const [stated, own] of [...Map.groupBy(values, ({ stated }) => stated)].sort(([a], [b]) => a - b)) {
    pools.push({ from: stated, to: stated, count: own.length, right: own.filter(({ right }) => right).length });
    while (pools.length > 1 && share(pools.at(-2)!) >= share(pools.at(-1)!)) {
      const [before, last] = pools.splice(-2) as [(typeof pools)[number], (typeof pools)[number]];
      pools.push({
        from: before.from,
        to: last.to,
        count: before.count + last.count,
        right: before.right + last.right,
      });
    }
  }
  return pools.flatMap(({ from, to, right, count }) => {
    const least = Number(lowerEnd(right, count).toFixed(4));
    return from === to ? [[from, least] as const] : [[from, least] as const, [to, least] as const];
  });
}

/** Wilson's interval at 95 %. */
function lowerEnd(right: number, count: number): number {
  const z = 1.96;
  const share = right / count;
  const middle = share + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return (middle - spread) / (1 + z ** 2 / count);
}

/**
 * Fits the calibration to all values, and says what fits to the other issuers' make of each. Which values are righter than
 * others is learnt from all of them; how often they are right, from documents that no rule was written for.
 */
export function trainCalibration(values: readonly GivenValue[]): {
  readonly calibration: CalibrationWeights;
  readonly unseen: readonly CalibratedValue[];
} {
  const unseen = Array.from({ length: foldCount }, (_, fold) => {
    const weights = fit(values.filter(({ family }) => foldOf(family) !== fold));
    return values
      .filter(({ family }) => foldOf(family) === fold)
      .map((value) => ({ ...value, probability: probabilityOf(value.features, weights) }));
  }).flat();
  const judging = unseen.filter(({ known }) => !known);
  return {
    calibration: {
      weights: rounded(fit(values)),
      sure: sureProbabilities(judging),
      lines: correctionLines(judging),
      least: leastProbability,
    },
    unseen: judging,
  };
}

/** A value that is likelier wrong than right is none. */
export const leastProbability = 0.5;

/** Of those that are at least as probable as the promise of 90 and more, so many are right. */
const sureShare = 0.98;
/** A group with fewer values promises what all such groups together keep. */
const fewValues = 250;

/** However well a group does, less probable values are not given as sure. */
const leastSure = 0.95;

/** The values of each group of types with many, and those of the others together. */
function byGroup(values: readonly CalibratedValue[]): ReadonlyMap<string, readonly CalibratedValue[]> {
  const groups = [...Map.groupBy(values, ({ group }) => group)];
  const few = groups.filter(([, own]) => own.length < fewValues).flatMap(([, own]) => own);
  return new Map([...groups.filter(([, own]) => own.length >= fewValues), ['other', few]]);
}

function sureProbabilities(values: readonly CalibratedValue[]): CalibrationWeights['sure'] {
  const sure = [...byGroup(values)].map(([group, own]) => [group, sureProbability(own, values)] as const);
  return Object.fromEntries(sure) as CalibrationWeights['sure'];
}

/** How many values of all groups a group's share right is taken together with. */
const priorValues = 30;

/** The least probability from which on a group's values are right as often as is promised, taken together with some of all values as probable. */
function sureProbability(own: readonly CalibratedValue[], all: readonly CalibratedValue[]): number {
  const byProbability = all.toSorted((a, b) => b.probability - a.probability);
  const sums = { own: 0, right: 0, all: 0, rightOfAll: 0 };
  let sure = 1;
  let at = 0;
  for (const { probability, right, weight } of own.toSorted((a, b) => b.probability - a.probability)) {
    for (; at < byProbability.length && byProbability[at]!.probability >= probability; at += 1) {
      const other = byProbability[at]!;
      sums.all += other.weight;
      if (other.right) sums.rightOfAll += other.weight;
    }
    sums.own += weight;
    if (right) sums.right += weight;
    const share = (sums.right + (priorValues * sums.rightOfAll) / sums.all) / (sums.own + priorValues);
    if (share >= sureShare) sure = probability;
  }
  return Number(Math.max(leastSure, sure).toFixed(4));
}

/** A point of a line stands for at least so many values. */
const pointValues = 25;

/** Isotonic regression (pool adjacent violators) of being right over what the regression said, by group of types. */
function correctionLines(values: readonly CalibratedValue[]): CalibrationWeights['lines'] {
  return Object.fromEntries([...byGroup(values)].map(([group, own]) => [group, correctionLine(own)]));
}

function correctionLine(values: readonly CalibratedValue[]): readonly (readonly [number, number])[] {
  const pools: { count: number; said: number; right: number }[] = [];
  for (const { probability, right, weight } of values.toSorted((a, b) => a.probability - b.probability)) {
    pools.push({ count: weight, said: weight * probability, right: right ? weight : 0 });
    for (;;) {
      const last = pools.at(-1)!;
      const previous = pools.at(-2);
      const isRising =
        previous && previous.count >= pointValues && previous.right / previous.count < last.right / last.count;
      if (!previous || isRising) break;
      pools.pop();
      pools[pools.length - 1] = {
        count: previous.count + last.count,
        said: previous.said + last.said,
        right: previous.right + last.right,
      };
    }
  }
  return pools
    .filter(({ count }) => count >= pointValues)
    .map(({ count, said, right }) => [Number((said / count).toFixed(4)), Number((right / count).toFixed(4))] as const);
}

/** Logistic regression by full-batch gradient descent with Adam's step sizes and an L2 penalty. */
function fit(values: readonly GivenValue[]): Readonly<Record<string, number>> {
  const names = [...new Set(values.flatMap(({ features }) => Object.keys(features)))].sort();
  const places = new Map(names.map((name, index) => [name, index]));
  const rows = values.map(({ features, right, weight }) => ({
    weight,
    at: Object.keys(features).map((name) => places.get(name)!),
    by: Object.values(features),
    right: right ? 1 : 0,
  }));
  const penalties = names.map(penaltyOf);
  const weights = new Float64Array(names.length);
  const mean = new Float64Array(names.length);
  const variance = new Float64Array(names.length);
  const gradient = new Float64Array(names.length);
  for (let step = 1; step <= steps; step += 1) {
    for (let index = 0; index < names.length; index += 1) gradient[index] = penalties[index]! * weights[index]!;
    for (const { at, by, right, weight } of rows) {
      let score = 0;
      for (let index = 0; index < at.length; index += 1) score += weights[at[index]!]! * by[index]!;
      const error = weight * (1 / (1 + Math.exp(-score)) - right);
      for (let index = 0; index < at.length; index += 1) gradient[at[index]!]! += error * by[index]!;
    }
    const rate = learningRate * (1 - step / (steps + 1));
    for (let index = 0; index < names.length; index += 1) {
      mean[index] = 0.9 * mean[index]! + 0.1 * gradient[index]!;
      variance[index] = 0.99 * variance[index]! + 0.01 * gradient[index]! ** 2;
      weights[index]! -=
        (rate * mean[index]!) / (1 - 0.9 ** step) / (Math.sqrt(variance[index]! / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, weights[index]!]));
}

function rounded(weights: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(4))]));
}
