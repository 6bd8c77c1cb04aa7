import { confidenceOf } from '@millrace/engine/score/weights';
import { drawnSet } from './documents.ts';
import { calibrate, type Judgement } from './judge.ts';

/** Points of a rising line, as `Model` has it. */
export type Calibration = readonly (readonly [probability: number, confidence: number])[];

/** A field with fewer judgements is calibrated with the other fields of its type as well. */
const fewJudgements = 150;
/** From this probability on a value may come to be given with confidence. */
const likely = 0.9;

/** The highest confidence of a field that too few real documents confirmed: rules that are sure of theirs come before it. */
const unconfirmedCap = 89;

/** A model by its key, with what it said of documents that it had not seen. */
export interface ScoredKey {
  readonly key: string;
  readonly judgements: readonly Judgement[];
}

/** Real documents that confirm the model of a field; drawn ones, which rules were written for, don't. */
const confirmingDocuments = 20;

/** Whether a model is a field's own, and not that of a kind of value. */
export function isOfField(key: string): boolean {
  return key.includes('.');
}

/** Whether a model is a field's own, which enough real documents confirm. */
function isConfirmed({ key, judgements }: ScoredKey): boolean {
  const confirming = judgements.filter(({ real, printed, set }) => real && printed && set !== drawnSet);
  return isOfField(key) && new Set(confirming.map((judgement) => judgement.key)).size >= confirmingDocuments;
}

/** The judgements that a model is measured by: a field's own model by the real and the drawn documents alone. */
export function reliedOn({ key, judgements }: ScoredKey): readonly Judgement[] {
  return isOfField(key) ? judgements.filter(({ real }) => real) : judgements;
}

/** The calibration of every model, by its key. */
export function calibrationsOf(scored: readonly ScoredKey[]): ReadonlyMap<string, Calibration> {
  const relied = scored.map((model) => ({
    key: model.key,
    type: model.key.split('.')[0]!,
    own: reliedOn(model),
    confirmed: isConfirmed(model),
  }));
  const ofTypes = Map.groupBy(
    relied.filter(({ confirmed }) => confirmed),
    ({ type }) => type,
  );
  return new Map(
    relied.map(({ key, type, own, confirmed }) => [
      key,
      confirmed
        ? calibrateField(
            own,
            ofTypes.get(type)!.flatMap((other) => other.own),
            100,
          )
        : calibrate(own, unconfirmedCap),
    ]),
  );
}

/**
 * The calibration of a field's own model, by `calibrate`.
 *
 * Where a field has few judgements their number alone would hold its confidence down. As long as its likely values are
 * right as often as those of its type's fields together, what these allow holds for it too.
 *
 * @param own what the model said of documents that it had not seen.
 * @param ofType the same for all fields of the type.
 * @param cap the highest confidence given.
 */
export function calibrateField(own: readonly Judgement[], ofType: readonly Judgement[], cap: number): Calibration {
  const calibration = calibrate(own, cap);
  const isAsGood = own.length < fewJudgements && shareRight(own) >= shareRight(ofType);
  return isAsGood ? highest(calibration, calibrate(ofType, cap)) : calibration;
}

function shareRight(judgements: readonly Judgement[]): number {
  const sure = judgements.filter(({ probability }) => probability >= likely);
  return sure.length === 0 ? 0 : sure.filter(({ right }) => right).length / sure.length;
}

/** The higher of two rising lines. */
function highest(a: Calibration, b: Calibration): Calibration {
  const probabilities = [...new Set([...a, ...b].map(([probability]) => probability))].sort((x, y) => x - y);
  return probabilities.map((probability) => [
    probability,
    Math.max(confidenceOf({ calibration: a }, probability), confidenceOf({ calibration: b }, probability)),
  ]);
}
