import { readFileSync } from 'node:fs';
import { type ExtractedFields, type ExtractedValue, isDocType, type ValueFlag } from '@millrace/document-model';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { documentTypeOf } from '../types/registry.ts';

/**
 * What makes a value's confidence a probability: a logistic regression over how it was arrived at. Scored values,
 * values made by rules and those of blocks each come with a confidence of their own making; real documents tell how
 * often each is right.
 */
export interface CalibrationWeights {
  /** A weight by the feature's name; a feature without one, such as a type that no document was labelled of, counts for nothing. */
  readonly weights: Readonly<Record<string, number>>;
  /**
   * By group of types, the probability from which on values are right often enough to be given with 90 or more; less
   * probable ones stay below. `other` is for groups of which few documents were labelled.
   */
  readonly sure: Readonly<Record<string, number>> & { readonly other: number };
  /**
   * By group of types, points of a rising line from what the regression says to how often such values are right, as far as
   * its straight lines miss that.
   */
  readonly lines: Readonly<Record<string, readonly (readonly [said: number, right: number])[]>>;
  /**
   * By `type.field` of fields that rules make, a rising line from the confidence that the rules state to the least share
   * of such values that may be taken to be right.
   */
  readonly rules?: Readonly<Record<string, readonly (readonly [stated: number, right: number])[]>>;
  /** A less probable value is left out. */
  readonly least: number;
}

/** The path of the weights that are part of the package. */
export const calibrationPath = new URL('./weights/calibration.json', import.meta.url);

let loaded: CalibrationWeights | null = null;

/** The calibration that is part of the package. */
export function shippedCalibration(): CalibrationWeights {
  loaded ??= JSON.parse(readFileSync(calibrationPath, 'utf8')) as CalibrationWeights;
  return loaded;
}

/** Types that are alike in how their values are found; `other` for those of one's own. */
export function groupOf(type: string): string {
  return (isDocType(type) && documentTypeOf(type).calibrationGroup) || 'other';
}

/** Confidences at which the line from what was given to what is true may bend. */
const bends = [30, 50, 60, 70, 80, 88, 95];

/** Kinds of values that are texts. */
const textual: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address', 'text']);

/**
 * What is known of how a value was arrived at, by name.
 *
 * @param usual the mean confidence of the document's other values: where they are in doubt, this one is as well.
 */
export function calibrationFeatures(
  type: string,
  { name, kind }: Pick<FieldDefinition, 'name' | 'kind'>,
  { value, confidence, flags, provenance }: Pick<ExtractedValue, 'value' | 'confidence' | 'flags' | 'provenance'>,
  usual: number,
): Readonly<Record<string, number>> {
  const group = groupOf(type);
  const given = (confidence - 70) / 30;
  const features: Record<string, number> = {
    constant: 1,
    given,
    [`given ${group}`]: given,
    [`given ${kind}`]: given,
    [`group ${group}`]: 1,
    [`kind ${kind}`]: 1,
    [`${group} ${kind}`]: 1,
    [`type ${type}`]: 1,
    [`field ${name}`]: 1,
    [`field ${type}.${name}`]: 1,
    usual: (usual - 80) / 20,
  };
  if (typeof value === 'string' && textual.has(kind)) {
    const words = value.split(/\s+/).length;
    features[words === 1 ? 'one word' : words > 5 ? 'many words' : 'some words'] = 1;
    if (/\d/.test(value)) features[`digits ${kind}`] = 1;
    if (!/\p{Lu}/u.test(value)) features['no capitals'] = 1;
    if (/[:|?!]/.test(value)) features.signs = 1;
  }
  for (const bend of bends) {
    if (confidence <= bend) break;
    features[`above ${bend}`] = (confidence - bend) / 30;
    features[`above ${bend} ${group}`] = (confidence - bend) / 30;
    features[`past ${bend} ${group}`] = 1;
  }
  for (const flag of flags) features[`flag ${flag}`] = 1;
  if (provenance.some(({ source }) => source.startsWith('ocr:'))) {
    features.ocr = 1;
    features[`ocr ${group}`] = 1;
  }
  return features;
}

/** The mean confidence of the values beside one. */
export function usualConfidence(fields: ExtractedFields, name: string): number {
  const others = Object.entries(fields).filter(([other]) => other !== name && !unsaying.has(other));
  if (others.length === 0) return fields[name]?.confidence ?? 0;
  return others.reduce((sum, [, { confidence }]) => sum + confidence, 0) / others.length;
}

/** Fields that every document has, or that are made of others. */
const unsaying: ReadonlySet<string> = new Set(['language', 'currency', 'items']);

/** The probability that a value is right. */
export function probabilityOf(
  features: Readonly<Record<string, number>>,
  weights: CalibrationWeights['weights'],
): number {
  let score = 0;
  for (const name in features) score += (weights[name] ?? 0) * features[name]!;
  return 1 / (1 + Math.exp(-score));
}

/** Below this a value is not given as sure. */
const sureConfidence = 90;
/** The most that is given to what is not sure. */
export const unsureConfidence = 89.5;

/** How often values are right of which the regression says this, on the straight lines between the points of their group. */
export function correctedProbability(
  said: number,
  group: string,
  { lines }: Pick<CalibrationWeights, 'lines'>,
): number {
  return onLine(lines[group] ?? lines.other ?? [], said);
}

/** What a rising line says at a place; what it begins and ends with beyond its points, and the place itself without any. */
function onLine(line: readonly (readonly [said: number, right: number])[], said: number): number {
  const next = line.findIndex(([point]) => point >= said);
  if (line.length === 0) return said;
  if (next === -1) return line.at(-1)![1];
  const [toSaid, toRight] = line[next]!;
  const [fromSaid, fromRight] = line[Math.max(0, next - 1)]!;
  return toSaid === fromSaid ? toRight : fromRight + ((toRight - fromRight) * (said - fromSaid)) / (toSaid - fromSaid);
}

/** What the regression says as a confidence: 90 and more is a promise that those about as probable keep in 98 of 100 cases. */
export function confidenceOfProbability(
  said: number,
  group: string,
  calibration: Pick<CalibrationWeights, 'sure' | 'lines'>,
): number {
  const isSure = said >= (calibration.sure[group] ?? calibration.sure.other);
  const percent = isSure
    ? Math.max(sureConfidence, 100 * said)
    : Math.min(unsureConfidence, 100 * correctedProbability(said, group, calibration));
  return Math.round(Math.min(99.5, percent) * 10) / 10;
}

/** What shows that a value was read right, whatever its picture is like. */
export const proofsOfReading: ReadonlySet<ValueFlag> = new Set([
  'check_digit_holds',
  'arithmetic_holds',
  'readings_agree',
]);

/** Whether a proof, such as the check digits of a machine-readable zone, or a caption made a value sure. */
function isProven({ confidence, flags }: ExtractedValue): boolean {
  return confidence >= sureConfidence && flags.some((flag) => flag === 'captioned' || proofsOfReading.has(flag));
}

/** The least share right of values that rules make from which on they are sure: that of 125 of which none was wrong. */
const sureRule = 0.97;

/** A value that rules made, by the least share of such that may be taken to be right. */
function givenByRule(
  name: string,
  value: ExtractedValue,
  right: number,
  { least }: CalibrationWeights,
): [string, ExtractedValue][] {
  if (right < least) return [];
  const most = right >= sureRule ? 99.5 : unsureConfidence;
  return [[name, { ...value, confidence: Math.round(Math.min(most, 100 * right) * 10) / 10 }]];
}

/** What says that a value can be read otherwise as well, so that it is not sure. */
const otherwise: ReadonlySet<ValueFlag> = new Set(['captions_differ', 'ambiguous_date']);

/** A sum that the other sums contradict is for a person to look at, however often such sums turn out right. */
const refutedConfidence = 75;

/**
 * The type's own fields with confidences that say how often such values are right, and without those that are likelier
 * wrong than is worth it. A field that no document was labelled with stays below 90 unless a proof had raised it, and
 * of types with few labelled documents a proof counts for more than they do. A
 * document's language is kept as it is, as are its items, whose cells have their own.
 *
 * @param taught the fields that confirmed documents of the sender gave, by name: they are kept as well.
 */
export function calibrateFields(
  type: DocumentType,
  fields: ExtractedFields,
  calibration: CalibrationWeights,
  taught: ReadonlyMap<string, unknown> = new Map(),
): ExtractedFields {
  const definitions = new Map(type.fields.map((field) => [field.name, field]));
  const group = groupOf(type.name);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, ExtractedValue][] => {
      const field = definitions.get(name);
      if (!field || field.kind === 'language' || taught.has(name)) return [[name, value]];
      const rule = calibration.rules?.[`${type.name}.${name}`];
      if (rule) return givenByRule(name, value, onLine(rule, value.confidence), calibration);
      const features = calibrationFeatures(type.name, field, value, usualConfidence(fields, name));
      const said = probabilityOf(features, calibration.weights);
      if (correctedProbability(said, group, calibration) < calibration.least) return [];
      const isLabelled = group !== 'other' && group in calibration.sure;
      const kept = isProven(value) && !isLabelled ? value.confidence : 0;
      const confidence = Math.max(kept, confidenceOfProbability(said, group, calibration));
      const isConfirmed = `field ${name}` in calibration.weights || value.confidence >= sureConfidence;
      const isRefuted = value.flags.includes('arithmetic_fails');
      const isSure = isConfirmed && !value.flags.some((flag) => otherwise.has(flag));
      const most = isRefuted ? refutedConfidence : isSure ? 100 : unsureConfidence;
      return [[name, { ...value, confidence: Math.min(most, confidence) }]];
    }),
  );
}
