import { readFileSync } from 'node:fs';
import type { ValueKind } from '@millrace/document-model';
import type { FieldDefinition } from '../types/definition.ts';
import { type Ensembles, joined } from './ensembles.ts';
import { featureNames } from './features.ts';
import { modelVersion } from './model-version.ts';
import type { Ensemble } from './trees.ts';

/** A trained scorer of one field, or of all fields of one kind. */
export interface Model {
  readonly ensembles: Ensembles;
  /** Least probability at which the value is given at all. */
  readonly threshold: number;
  /** Points of a rising line from probability (0 to 1) to confidence (0 to 100). */
  readonly calibration: readonly (readonly [probability: number, confidence: number])[];
}

/** The weights' file: JSON, the ensembles' arrays in base64. */
export interface WeightsFile {
  readonly modelVersion: string;
  readonly features: readonly string[];
  readonly models: Readonly<
    Record<
      string,
      (PackedEnsemble | PartOfKind | (PackedEnsemble & PartOfKind)) & {
        readonly least: number;
        readonly calibration: readonly (readonly [number, number])[];
      }
    >
  >;
}

/** What the ensemble of the kind of value has to say of a field: the share of its scores, beside those of an own one. */
interface PartOfKind {
  readonly kind: ValueKind;
  /** 1 where the field has no ensemble of its own. */
  readonly kindShare: number;
}

/** An ensemble's arrays in base64. */
interface PackedEnsemble {
  readonly roots: string;
  readonly feature: string;
  readonly threshold: string;
  readonly left: string;
}

/** The path of the weights that are part of the package. */
export const weightsPath = new URL('./weights/scorer.json', import.meta.url);

/** The trained models by the field (`type.name`) or the kind of value that they score. */
export type Models = ReadonlyMap<string, Model>;

let loaded: Models | null = null;

/** The models that are part of the package. */
export function shippedModels(): Models {
  loaded ??= readModels(weightsPath);
  return loaded;
}

/**
 * Reads models from a file of weights.
 *
 * @throws Error where they were trained on other features than the code computes.
 */
export function readModels(path: URL): Models {
  return parseWeights(JSON.parse(readFileSync(path, 'utf8')));
}

function parseWeights(file: WeightsFile): Models {
  if (file.modelVersion !== modelVersion || file.features.join() !== featureNames.join()) {
    throw new Error(
      'The scorer\'s weights were trained on other features than the code computes; run "npm run train".',
    );
  }
  const own = new Map<string, Ensemble>();
  for (const [key, model] of Object.entries(file.models)) if ('roots' in model) own.set(key, unpacked(model));
  const ensemblesOf = (key: string, model: WeightsFile['models'][string]): Ensembles => {
    const ensemble = own.get(key) ?? null;
    return 'kind' in model
      ? joined(ensemble, own.get(model.kind)!, model.kindShare)
      : [{ ensemble: ensemble!, share: 1 }];
  };
  return new Map(
    Object.entries(file.models).map(([key, model]): [string, Model] => [
      key,
      { ensembles: ensemblesOf(key, model), threshold: model.least, calibration: model.calibration },
    ]),
  );
}

function unpacked({ roots, feature, threshold, left }: PackedEnsemble): Ensemble {
  return {
    roots: new Int32Array(bytesOf(roots)),
    feature: new Int16Array(bytesOf(feature)),
    threshold: new Float32Array(bytesOf(threshold)),
    left: new Int32Array(bytesOf(left)),
  };
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(base64, 'base64')).buffer;
}

/** The model of a type's field, else that of the field's kind; null where neither was trained. */
export function modelFor(models: Models, type: string, field: Pick<FieldDefinition, 'name' | 'kind'>): Model | null {
  return models.get(`${type}.${field.name}`) ?? models.get(field.kind) ?? null;
}

/** The calibrated confidence of a probability, 0 to 100, on the straight lines between the calibration's points. */
export function confidenceOf({ calibration }: Pick<Model, 'calibration'>, probability: number): number {
  for (let at = 0; at < calibration.length; at += 1) {
    const [p, c] = calibration[at]!;
    if (probability > p) continue;
    const [previousP, previousC] = calibration[Math.max(0, at - 1)]!;
    return p === previousP ? c : previousC + ((c - previousC) * (probability - previousP)) / (p - previousP);
  }
  return calibration.at(-1)?.[1] ?? 0;
}
