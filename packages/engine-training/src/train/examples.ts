import { createHash } from 'node:crypto';
import type { DocType, JsonValue, ReadDocument } from '@millrace/document-model';
import { proposeCandidates } from '@millrace/engine/candidates/propose';
import { layOut } from '@millrace/engine/layout/layout';
import { decideLocale } from '@millrace/engine/locale/locale';
import { comparable } from '@millrace/engine/score/comparable';
import { featureNames, rowsFor, sceneOf } from '@millrace/engine/score/features';
import { fieldValue } from '@millrace/engine/score/field-value';
import { documentTypeOf } from '@millrace/engine/types';
import type { FieldDefinition } from '@millrace/engine/types/definition';
import { isSameValue } from '../labelled/compare.ts';
import { type GroupedRows, randomNumbers } from './boost.ts';

/** A document to learn from. */
export interface TrainingDocument {
  /** Variants of one document (its labels' words, its picture) have the same key. */
  readonly key: string;
  /** Decides the fold: `familyOf`. */
  readonly family: string;
  readonly set: string;
  /** False for a document of the generator; one that a person drew has as much to teach as a real one. */
  readonly real: boolean;
  readonly docType: DocType;
  readonly document: ReadDocument;
  /** The accepted values by field. */
  readonly truth: Readonly<Record<string, readonly JsonValue[]>>;
  /** Fields of `truth` that no page shows: nothing can be learnt of them but how often a page says otherwise. */
  readonly unprinted: ReadonlySet<string>;
  /** Fields that `truth` leaves out are not on the document, rather than not known. */
  readonly complete: boolean;
  readonly weight: number;
}

/** The candidates of one field in one document. */
export interface Group {
  readonly key: string;
  readonly family: string;
  readonly set: string;
  readonly real: boolean;
  readonly field: string;
  readonly weight: number;
  /** Row after row, as `featureNames`. */
  readonly values: Float32Array;
  readonly labels: Uint8Array;
  readonly offsets: Float32Array;
  /** Rows of the same number have the same value. */
  readonly valueNumbers: Int32Array;
  /** The truth has the field. */
  readonly present: boolean;
  /**
   * The page shows what the truth says, or the truth doesn't have this field: the group is for training, not only for
   * scoring.
   */
  readonly teaches: boolean;
}

export interface FieldExamples {
  readonly docType: DocType;
  readonly field: FieldDefinition;
  readonly group: Group;
}

/** Wrong candidates kept of a generated document's field; those of real documents are all kept. */
const wrongLimit = 20;

/** Makes the rows of every field of a document whose truth is known. */
export function examplesOf(training: TrainingDocument): FieldExamples[] {
  const type = documentTypeOf(training.docType);
  const layout = layOut(training.document);
  if (layout.lines.length === 0) return [];
  const locale = decideLocale(layout);
  const candidates = proposeCandidates(layout, locale);
  const scene = sceneOf(type, candidates, layout);
  const random = randomNumbers(hashOf(training.key));
  const width = featureNames.length;
  return type.fields.flatMap((field, fieldIndex) => {
    if (field.composed || field.kind === 'language' || field.kind === 'currency') return [];
    const accepted = training.truth[field.name] ?? [];
    if (accepted.length === 0 && !training.complete) return [];
    const { candidates: all, rows } = rowsFor(scene, type, fieldIndex);
    const fieldValueOf = (at: number) => fieldValue(type.name, field.name, all[at]!.value);
    const isRight = (at: number) => accepted.some((value) => holds(value, fieldValueOf(at)));
    const right = [...all.keys()].filter(isRight);
    const wrong = [...all.keys()].filter((at) => !isRight(at));
    const kept = training.real || wrong.length <= wrongLimit ? wrong : sample(wrong, wrongLimit, random);
    const chosen = [...right, ...kept].sort((a, b) => a - b);
    const rightSet = new Set(right);
    const values = new Float32Array(chosen.length * width);
    const labels = new Uint8Array(chosen.length);
    const offsets = new Float32Array(chosen.length);
    const valueNumbers = new Int32Array(chosen.length);
    const numbers = new Map<string, number>();
    const stands = Math.log(wrong.length / Math.max(1, kept.length) || 1);
    chosen.forEach((at, row) => {
      values.set(rows.subarray(at * width, (at + 1) * width), row * width);
      labels[row] = rightSet.has(at) ? 1 : 0;
      offsets[row] = rightSet.has(at) ? 0 : stands;
      const value = comparable(field.kind, fieldValueOf(at));
      if (!numbers.has(value)) numbers.set(value, numbers.size);
      valueNumbers[row] = numbers.get(value)!;
    });
    const group: Group = {
      key: training.key,
      family: training.family,
      set: training.set,
      real: training.real,
      field: field.name,
      weight: training.weight,
      values,
      labels,
      offsets,
      valueNumbers,
      present: accepted.length > 0,
      teaches: !training.unprinted.has(field.name),
    };
    return [{ docType: training.docType, field, group }];
  });
}

/** Whether a candidate is the accepted value, or one of its values where the field is a list. */
function holds(accepted: JsonValue, value: JsonValue): boolean {
  return Array.isArray(accepted)
    ? accepted.some((item: JsonValue) => isSameValue(value, item))
    : isSameValue(value, accepted);
}

function sample(indexes: readonly number[], count: number, random: () => number): number[] {
  const pool = [...indexes];
  for (let at = 0; at < count; at += 1) {
    const other = at + Math.floor(random() * (pool.length - at));
    [pool[at], pool[other]] = [pool[other]!, pool[at]!];
  }
  return pool.slice(0, count);
}

/** A group with no more than `wrongLimit` wrong candidates, those kept standing for the others. */
export function thinned(group: Group): Group {
  const wrong = [...group.labels.keys()].filter((row) => group.labels[row] === 0);
  if (wrong.length <= wrongLimit) return group;
  const kept = new Set(sample(wrong, wrongLimit, randomNumbers(hashOf(`${group.key} ${group.field}`))));
  const rows = [...group.labels.keys()].filter((row) => group.labels[row] === 1 || kept.has(row));
  const width = featureNames.length;
  const values = new Float32Array(rows.length * width);
  for (const [index, row] of rows.entries()) {
    values.set(group.values.subarray(row * width, (row + 1) * width), index * width);
  }
  const stands = Math.log(wrong.length / wrongLimit);
  return {
    ...group,
    values,
    labels: Uint8Array.from(rows, (row) => group.labels[row]!),
    offsets: Float32Array.from(rows, (row) => group.offsets[row]! + (group.labels[row] === 1 ? 0 : stands)),
    valueNumbers: Int32Array.from(rows, (row) => group.valueNumbers[row]!),
  };
}

/** A number from the SHA-256 of a key: the seed of what is drawn at random for it, and its fold. */
export function hashOf(key: string): number {
  return createHash('sha256').update(`fold ${key}`).digest().readUInt32LE(0);
}

/** Joins groups into the trainer's form. */
export function joinGroups(groups: readonly Group[]): GroupedRows {
  const used = groups.filter((group) => group.labels.length > 0);
  const rowCount = used.reduce((sum, group) => sum + group.labels.length, 0);
  const width = featureNames.length;
  const joined = {
    values: new Float32Array(rowCount * width),
    featureCount: width,
    labels: new Uint8Array(rowCount),
    offsets: new Float32Array(rowCount),
    groupStarts: new Int32Array(used.length + 1),
    groupWeights: new Float32Array(used.length),
  };
  let row = 0;
  used.forEach((group, index) => {
    joined.values.set(group.values, row * width);
    joined.labels.set(group.labels, row);
    joined.offsets.set(group.offsets, row);
    joined.groupStarts[index] = row;
    joined.groupWeights[index] = group.weight;
    row += group.labels.length;
  });
  joined.groupStarts[used.length] = row;
  return joined;
}
