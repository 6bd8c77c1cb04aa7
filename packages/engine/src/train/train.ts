import { featureNames } from '../score/features.ts';
import type { Ensemble } from '../score/trees.ts';
import type { WeightsFile } from '../score/weights.ts';
import { type BoostOptions, boost } from './boost.ts';
import { examplesOf, type Group, hashOf, joinGroups, type TrainingDocument } from './examples.ts';
import { bestThreshold, calibrate, type Judgement, judgeGroup } from './judge.ts';
import type { JudgedModel } from './report.ts';

const seed = 20261120;
const folds = 4;
/** A field of its own model has at least so many real documents with labels. */
const ownModelDocuments = 40;
/** The highest confidence of a field that no real document confirmed. */
const unconfirmedCap = 89;

const options: BoostOptions = {
  trees: 120,
  leaves: 16,
  learningRate: 0.1,
  featureShare: 0.4,
  lambda: 1,
  leafWeight: 1,
  seed,
};

export interface TrainOptions {
  readonly modelVersion: string;
  /** Trains these models alone; null for all. */
  readonly only: readonly string[] | null;
  /** Is told what was done. */
  readonly log: (message: string) => void;
}

/** Trains a model for each kind of value and one for each field with enough real documents. */
export async function trainModels(
  documents: AsyncIterable<TrainingDocument>,
  { modelVersion, only, log }: TrainOptions,
): Promise<{ weights: WeightsFile; judged: readonly JudgedModel[] }> {
  const groups = await collectGroups(documents, log);
  const keys = modelKeys(groups).filter((key) => !only || only.includes(key));
  const models: Record<string, WeightsFile['models'][string]> = {};
  const judged: JudgedModel[] = [];
  for (const key of keys) {
    const own = groups.get(key)!;
    const started = performance.now();
    const judgements = judgeByFolds(own);
    const ensemble = boost(joinGroups(own), options);
    const real = judgements.filter((judgement) => judgement.real);
    const confirmed = key.includes('.');
    const { threshold, f1, precision, recall } = bestThreshold(confirmed ? real : judgements);
    const calibration = calibrate(confirmed ? real : judgements, confirmed ? 100 : unconfirmedCap);
    models[key] = { ...packed(ensemble), least: Number(threshold.toFixed(4)), calibration };
    judged.push({ key, judgements, threshold, calibration });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(
      `${key}: ${own.length} fields of documents, F1 ${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}), ${seconds} s`,
    );
  }
  return { weights: { modelVersion, features: featureNames, models }, judged };
}

/** All fields of all documents, by the model that they train: the field's own and that of its kind. */
async function collectGroups(
  documents: AsyncIterable<TrainingDocument>,
  log: TrainOptions['log'],
): Promise<ReadonlyMap<string, readonly Group[]>> {
  const groups = new Map<string, Group[]>();
  let count = 0;
  for await (const document of documents) {
    count += 1;
    for (const { docType, field, group } of examplesOf(document)) {
      for (const key of [`${docType}.${field.name}`, field.kind]) {
        const known = groups.get(key);
        if (known) known.push(group);
        else groups.set(key, [group]);
      }
    }
    if (count % 100 === 0) log(`${count} documents`);
  }
  log(`${count} documents`);
  return groups;
}

function modelKeys(groups: ReadonlyMap<string, readonly Group[]>): string[] {
  return [...groups]
    .filter(
      ([key, own]) =>
        !key.includes('.') ||
        new Set(own.filter((group) => group.real).map((group) => group.key)).size >= ownModelDocuments,
    )
    .map(([key]) => key)
    .sort();
}

/** What models that had not seen a document say of it: each fold's by a model trained on the others. */
function judgeByFolds(groups: readonly Group[]): readonly Judgement[] {
  const foldOf = (group: Group) => hashOf(group.key) % folds;
  return Array.from({ length: folds }, (_, fold) => {
    const ensemble = boost(joinGroups(groups.filter((group) => foldOf(group) !== fold)), options);
    return groups.filter((group) => foldOf(group) === fold).map((group) => judgeGroup(ensemble, group));
  }).flat();
}

function packed({ roots, feature, threshold, left }: Ensemble) {
  const base64 = (array: Int32Array | Int16Array | Float32Array) =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
  return { roots: base64(roots), feature: base64(feature), threshold: base64(threshold), left: base64(left) };
}
