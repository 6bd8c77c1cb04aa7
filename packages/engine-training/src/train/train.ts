import type { ValueKind } from '@millrace/document-model';
import { type Ensembles, joined } from '@millrace/engine/score/ensembles';
import { featureNames } from '@millrace/engine/score/features';
import type { Ensemble } from '@millrace/engine/score/trees';
import type { WeightsFile } from '@millrace/engine/score/weights';
import { type BoostOptions, boost, meanOf } from './boost.ts';
import { calibrationsOf, reliedOn, type ScoredKey } from './calibration.ts';
import { drawnSet } from './documents.ts';
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

/** A field of its own model has at least so many real documents with labels. */
const ownModelDocuments = 20;
/** One in so many real documents of a field with a model of its own teaches that of its kind as well. */
const realShare = 4;

/** What a drawn document counts for in the model of one field, whose real documents it would outnumber. */
const drawnShare = 0.5;

/** The shares that the model of a kind may have in the scores of a field beside those of the field's own. */
const kindShares = [0, 0.25, 0.5, 0.75, 1];

/** How the model of one field is trained, and how often it is left to judge what it has not seen: a divisor of `foldCount`. */
const ownOptions = {
  folds: foldCount,
  boost: { trees: 150, leaves: 12, learningRate: 0.07, featureShare: 0.35, lambda: 1, leafWeight: 1 },
  // Few documents teach it, so that much of what one ensemble learns is chance.
  seeds: [20261120, 20261121],
} as const satisfies ModelOptions;

/** The same for the model of a kind, which sees far more documents. */
const kindOptions = {
  folds: 2,
  boost: { trees: 110, leaves: 16, learningRate: 0.085, featureShare: 0.3, lambda: 1, leafWeight: 2 },
  seeds: [20261120],
} as const satisfies ModelOptions;

interface ModelOptions {
  readonly folds: number;
  readonly boost: Omit<BoostOptions, 'seed'>;
  /** An ensemble is grown from each, and their mean taken. */
  readonly seeds: readonly number[];
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
  const { kinds, fields } = groupsByModel(await collectExamples(documents, log));
  const isAsked = (key: string) => !only || only.includes(key);
  const ofKinds = [...kinds].filter(([kind]) => isAsked(kind)).map(([kind, groups]) => trainKind(kind, groups, log));
  const ofFields = [...fields]
    .filter(([key]) => isAsked(key))
    .map(([key, { kind, groups }]) => trainField(key, groups, ofKinds.find((each) => each.key === kind) ?? null, log));
  const trained = [...ofKinds, ...ofFields].sort((a, b) => (a.key < b.key ? -1 : 1));
  const calibrations = calibrationsOf(trained);
  const scored = trained.map((model): ScoredModel => ({ ...model, calibration: calibrations.get(model.key)! }));
  const fileOf = (ensembleOf: (grown: GrownEnsembles) => Ensemble): WeightsFile => ({
    modelVersion,
    features: featureNames,
    models: Object.fromEntries(
      trained.map(({ key, own, ofKind, threshold }) => [
        key,
        {
          ...(own && packed(ensembleOf(own))),
          ...ofKind,
          least: Number(threshold.toFixed(4)),
          calibration: calibrations.get(key)!,
        } as WeightsFile['models'][string],
      ]),
    ),
  });
  return {
    weights: fileOf(({ ofAll }) => ofAll),
    folds: Array.from({ length: foldCount }, (_, fold) => fileOf(({ byFold }) => byFold[fold]!)),
    scored,
  };
}

/** An ensemble trained on all documents, and for each fold one that has not seen its documents. */
interface GrownEnsembles {
  readonly ofAll: Ensemble;
  readonly byFold: readonly Ensemble[];
}

/** A model with what it said of documents that it had not seen. */
interface TrainedModel extends ScoredKey {
  /** Null where that of its kind ranks the values of a field alone. */
  readonly own: GrownEnsembles | null;
  /** Null where it has no part in the scores. */
  readonly ofKind: { readonly kind: ValueKind; readonly kindShare: number } | null;
  readonly threshold: number;
}

interface TrainedKind extends TrainedModel {
  readonly key: ValueKind;
  readonly own: GrownEnsembles;
}

function trainKind(kind: ValueKind, groups: readonly Group[], log: TrainOptions['log']): TrainedKind {
  const started = performance.now();
  const byFold = foldEnsembles(groups, kindOptions);
  const judgements = judgeUnseen(groups, byFold, null);
  const own = { ofAll: grow(groups, kindOptions), byFold };
  const best = bestOf({ key: kind, judgements });
  log(describe(kind, groups, best, started));
  return { key: kind, judgements, own, ofKind: null, threshold: best.threshold };
}

/**
 * Trains a model of the field's own, and joins that of its kind to it, which fewer documents of this field have taught but
 * many more of others, with the share by which they find most of what they have not seen.
 */
function trainField(
  key: string,
  groups: readonly Group[],
  kind: TrainedKind | null,
  log: TrainOptions['log'],
): TrainedModel {
  const started = performance.now();
  const byFold = foldEnsembles(groups, ownOptions);
  const tried = kindShares
    .filter((kindShare) => kindShare === 0 || kind !== null)
    .map((kindShare) => {
      const judgements = judgeUnseen(groups, byFold, kind && { byFold: kind.own.byFold, kindShare });
      return { kindShare, judgements, best: bestOf({ key, judgements }) };
    });
  const chosen = tried.reduce((most, each) => (each.best.f1 > most.best.f1 ? each : most));
  const { kindShare, judgements, best } = chosen;
  log(describe(kindShare > 0 ? `${key}, ${kindShare} by ${kind!.key}` : key, groups, best, started));
  return {
    key,
    judgements,
    own: kindShare < 1 ? { ofAll: grow(groups, ownOptions), byFold } : null,
    ofKind: kindShare > 0 ? { kind: kind!.key, kindShare } : null,
    threshold: best.threshold,
  };
}

/** The best threshold by the judgements that count, of what the pages print. */
function bestOf(scored: ScoredKey): ReturnType<typeof bestThreshold> {
  return bestThreshold(reliedOn(scored).filter(({ printed }) => printed));
}

function describe(
  name: string,
  groups: readonly Group[],
  { f1, precision, recall }: ReturnType<typeof bestThreshold>,
  started: number,
): string {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const shares = `F1 ${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)})`;
  return `${name}: ${groups.length} fields of documents, ${shares}, ${seconds} s`;
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
function groupsByModel(examples: readonly FieldExamples[]): {
  readonly kinds: ReadonlyMap<ValueKind, readonly Group[]>;
  readonly fields: ReadonlyMap<string, { readonly kind: ValueKind; readonly groups: readonly Group[] }>;
} {
  const fields = new Map<string, { kind: ValueKind; groups: readonly Group[] }>();
  for (const [key, own] of Map.groupBy(examples, ({ docType, field }) => `${docType}.${field.name}`)) {
    const real = new Set(own.filter(({ group }) => group.real && group.teaches).map(({ group }) => group.key));
    if (real.size >= ownModelDocuments)
      fields.set(key, { kind: own[0]!.field.kind, groups: own.map(({ group }) => asOfField(group)) });
  }
  const kinds = new Map<ValueKind, readonly Group[]>();
  for (const [kind, all] of Map.groupBy(examples, ({ field }) => field.kind)) {
    // A field with a model of its own would drown the others of its kind; drawn documents are of all types.
    const shared = all.filter(
      ({ docType, field, group }) =>
        !group.real ||
        group.set === drawnSet ||
        !fields.has(`${docType}.${field.name}`) ||
        hashOf(group.key) % realShare === 0,
    );
    kinds.set(
      kind,
      shared.map(({ group }) => thinned(group)),
    );
  }
  return { kinds, fields };
}

function asOfField(group: Group): Group {
  return group.set === drawnSet ? { ...group, weight: group.weight * drawnShare } : group;
}

/** For each fold an ensemble that has not seen its documents. */
function foldEnsembles(groups: readonly Group[], options: ModelOptions): readonly Ensemble[] {
  const ensembles = Array.from({ length: options.folds }, (_, fold) =>
    grow(
      groups.filter(({ family }) => foldOf(family) % options.folds !== fold),
      options,
    ),
  );
  return Array.from({ length: foldCount }, (_, fold) => ensembles[fold % options.folds]!);
}

function grow(groups: readonly Group[], { boost: options, seeds }: ModelOptions): Ensemble {
  const rows = joinGroups(groups.filter(({ teaches }) => teaches));
  return meanOf(seeds.map((seed) => boost(rows, { ...options, seed })));
}

/** What ensembles that had not seen a document say of it, with a share of those of its kind where they are given. */
function judgeUnseen(
  groups: readonly Group[],
  byFold: readonly Ensemble[],
  ofKind: { readonly byFold: readonly Ensemble[]; readonly kindShare: number } | null,
): readonly Judgement[] {
  const ensemblesOf = (fold: number): Ensembles =>
    ofKind ? joined(byFold[fold]!, ofKind.byFold[fold]!, ofKind.kindShare) : [{ ensemble: byFold[fold]!, share: 1 }];
  return groups.map((group) => judgeGroup(ensemblesOf(foldOf(group.family)), group));
}

function packed({ roots, feature, threshold, left }: Ensemble) {
  const base64 = (array: Int32Array | Int16Array | Float32Array) =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
  return { roots: base64(roots), feature: base64(feature), threshold: base64(threshold), left: base64(left) };
}
