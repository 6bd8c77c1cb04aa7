import { featureNames } from '@millrace/engine/score/features';
import type { Ensemble } from '@millrace/engine/score/trees';
import type { WeightsFile } from '@millrace/engine/score/weights';
import { type BoostOptions, boost } from './boost.ts';
import { calibrationsOf, isConfirmed, reliedOn } from './calibration.ts';
import {
  examplesOf,
  type FieldExamples,
  type Group,
  hashOf,
  joinGroups,
  type TrainingDocument,
  thinned,
} from './examples.ts';
import { foldCount, foldOf } from './folds.ts';
import { bestThreshold, type Judgement, judgeGroup } from './judge.ts';
import type { ScoredModel } from './report.ts';

const seed = 20261120;
/** A field of its own model has at least so many real documents with labels. */
const ownModelDocuments = 20;
/** One in so many real documents of a field with a model of its own teaches that of its kind as well. */
const realShare = 4;

/** How the model of one field is trained, and how often it is left to judge what it has not seen: a divisor of `foldCount`. */
const ownOptions = {
  folds: foldCount,
  boost: { trees: 150, leaves: 12, learningRate: 0.07, featureShare: 0.35, lambda: 1, leafWeight: 1, seed },
} as const satisfies ModelOptions;

/** The same for the model of a kind, which sees far more documents. */
const kindOptions = {
  folds: 2,
  boost: { trees: 110, leaves: 16, learningRate: 0.085, featureShare: 0.3, lambda: 1, leafWeight: 2, seed },
} as const satisfies ModelOptions;

interface ModelOptions {
  readonly folds: number;
  readonly boost: BoostOptions;
}

export interface TrainOptions {
  readonly modelVersion: string;
  /** Trains these models alone; null for all. */
  readonly only: readonly string[] | null;
  /** Called with what was done. */
  readonly log: (message: string) => void;
}

/**
 * Trains a model for each kind of value and one for each field with enough real documents.
 *
 * @returns the weights, those of each fold's models, which had not seen the documents of `foldOf` that number, and what these said
 * of them.
 */
export async function trainModels(
  documents: AsyncIterable<TrainingDocument>,
  { modelVersion, only, log }: TrainOptions,
): Promise<{ weights: WeightsFile; folds: readonly WeightsFile[]; scored: readonly ScoredModel[] }> {
  const groups = groupsByModel(await collectExamples(documents, log));
  const keys = [...groups.keys()].sort().filter((key) => !only || only.includes(key));
  const trained = keys.map((key) => {
    const own = groups.get(key)!;
    const started = performance.now();
    const options = isConfirmed(key) ? ownOptions : kindOptions;
    const { judgements, ensembles } = judgeByFolds(own, options);
    const ensemble = boost(joinGroups(own.filter(({ teaches }) => teaches)), options.boost);
    const relied = reliedOn({ key, judgements });
    const { threshold, f1, precision, recall } = bestThreshold(relied.filter(({ printed }) => printed));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(
      `${key}: ${own.length} fields of documents, F1 ${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}), ${seconds} s`,
    );
    const foldEnsembles = Array.from({ length: foldCount }, (_, fold) => ensembles[fold % options.folds]!);
    return { key, judgements, threshold, ensemble, foldEnsembles };
  });
  const calibrations = calibrationsOf(trained);
  const scored = trained.map((model): ScoredModel => ({ ...model, calibration: calibrations.get(model.key)! }));
  const fileOf = (ensembleOf: (model: (typeof trained)[number]) => Ensemble): WeightsFile => ({
    modelVersion,
    features: featureNames,
    models: Object.fromEntries(
      trained.map((model) => [
        model.key,
        {
          ...packed(ensembleOf(model)),
          least: Number(model.threshold.toFixed(4)),
          calibration: calibrations.get(model.key)!,
        },
      ]),
    ),
  });
  return {
    weights: fileOf(({ ensemble }) => ensemble),
    folds: Array.from({ length: foldCount }, (_, fold) => fileOf(({ foldEnsembles }) => foldEnsembles[fold]!)),
    scored,
  };
}

async function collectExamples(
  documents: AsyncIterable<TrainingDocument>,
  log: TrainOptions['log'],
): Promise<readonly FieldExamples[]> {
  const examples: FieldExamples[] = [];
  let count = 0;
  for await (const document of documents) {
    count += 1;
    examples.push(...examplesOf(document));
    if (count % 100 === 0) log(`${count} documents`);
  }
  log(`${count} documents`);
  return examples;
}

/** The examples by the models that learn from them: the field's own, where enough real documents have it, and that of its kind. */
function groupsByModel(examples: readonly FieldExamples[]): ReadonlyMap<string, readonly Group[]> {
  const groups = new Map<string, Group[]>();
  for (const [key, own] of Map.groupBy(examples, ({ docType, field }) => `${docType}.${field.name}`)) {
    const real = new Set(own.filter(({ group }) => group.real && group.teaches).map(({ group }) => group.key));
    if (real.size >= ownModelDocuments)
      groups.set(
        key,
        own.map(({ group }) => group),
      );
  }
  for (const [kind, all] of Map.groupBy(examples, ({ field }) => field.kind)) {
    // A field with a model of its own would drown the others of its kind.
    const shared = all.filter(
      ({ docType, field, group }) =>
        !group.real || !groups.has(`${docType}.${field.name}`) || hashOf(group.key) % realShare === 0,
    );
    groups.set(
      kind,
      shared.map(({ group }) => thinned(group)),
    );
  }
  return groups;
}

/** What models that had not seen a document say of it: each fold's by a model trained on the others. */
function judgeByFolds(
  groups: readonly Group[],
  { folds, boost: boostOptions }: ModelOptions,
): { judgements: readonly Judgement[]; ensembles: readonly Ensemble[] } {
  const isOf = (group: Group, fold: number) => foldOf(group.family) % folds === fold;
  const ensembles = Array.from({ length: folds }, (_, fold) =>
    boost(joinGroups(groups.filter((group) => group.teaches && !isOf(group, fold))), boostOptions),
  );
  const judgements = ensembles.flatMap((ensemble, fold) =>
    groups.filter((group) => isOf(group, fold)).map((group) => judgeGroup(ensemble, group)),
  );
  return { judgements, ensembles };
}

function packed({ roots, feature, threshold, left }: Ensemble) {
  const base64 = (array: Int32Array | Int16Array | Float32Array) =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
  return { roots: base64(roots), feature: base64(feature), threshold: base64(threshold), left: base64(left) };
}
