import type { ExtractedValue, Extraction } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { comparable } from '../score/comparable.ts';
import { fieldValue } from '../score/field-value.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';
import type { DocumentType } from '../types/definition.ts';
import type { FieldLesson, TaughtPlace } from './lesson.ts';
import { agreement, placeOf } from './place.ts';
import type { Recognition } from './recognise.ts';

/** An agreement that identifies a value, and one at which it can hardly be another. */
const minAgreement = 0.6;
const clearAgreement = 0.8;
/** Another value that agrees as well but for this much may be meant as well. */
const margin = 0.06;

/** What lessons make of a document's fields. */
export interface AppliedLessons {
  /** The fields' values, with new scores. */
  readonly scored: readonly ScoredField[];
  /** By field, the comparable form of the value that lessons speak for. */
  readonly taught: ReadonlyMap<string, string>;
  /** By field that the sender's documents do not have, the comparable forms of values that stand where one was removed. */
  readonly removed: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Scores the fields of a document again using what its supplier's earlier documents taught: a value in the position of
 * confirmed ones is preferred, one in the position of wrong ones is demoted. Every value is one of the document's own
 * candidates.
 */
export function applyLessons(
  scored: readonly ScoredField[],
  candidates: readonly PlacedCandidate[],
  { sender, certain }: Recognition,
): AppliedLessons {
  const places = new Map<PlacedCandidate, TaughtPlace>();
  const placed = (candidate: PlacedCandidate) => {
    let place = places.get(candidate);
    if (!place) {
      place = placeOf(candidate);
      places.set(candidate, place);
    }
    return place;
  };
  const byKind = Map.groupBy(candidates, ({ kind }) => kind);
  const taught = new Map<string, string>();
  const removed = new Map<string, ReadonlySet<string>>();
  const adjusted = scored.map((entry): ScoredField => {
    const { field } = entry;
    const lessons = sender.lessons.flatMap(({ fields }) => fields.filter((each) => each.field === field.name));
    const placedLessons = lessons.filter(({ places: all }) => all.length > 0);
    if (placedLessons.length === 0) {
      if (lessons.length === 0 || !lessons.every(({ isAbsent }) => isAbsent)) return entry;
      const wrong = valuesAtWrongPlaces(entry, lessons, placed);
      if (wrong.size > 0) removed.set(field.name, wrong);
      return { ...entry, ranked: withoutAbsent(entry, lessons, wrong) };
    }
    const docType = sender.docType;
    const groups = Map.groupBy(byKind.get(field.kind) ?? [], (candidate) =>
      comparable(field.kind, fieldValue(docType, field.name, candidate.value)),
    );
    const agreements = [...groups]
      .map(([key, group]) => ({ key, group, ...agreementOf(placedLessons, group.map(placed)) }))
      .sort((a, b) => b.share - a.share || b.agreement - a.agreement);
    const [first] = agreements;
    if (!first || first.agreement < minAgreement) return entry;
    const keyOf = (value: ScoredValue) => keyIn(entry, value);
    const probabilityOf = (key: string) => entry.ranked.find((value) => keyOf(value) === key)?.probability ?? 0;
    const rivals = agreements.filter((each) => each.share > first.share - margin && each.agreement >= minAgreement);
    const chosen = rivals.reduce((best, each) => (probabilityOf(each.key) > probabilityOf(best.key) ? each : best));
    const isAlone = rivals.length === 1;
    const [own] = entry.ranked;
    const isOwnSure = own !== undefined && own.probability >= Math.max(0.5, entry.threshold);
    // Where the sender's documents were read right without help, a value that is sure on its own stays.
    if (isOwnSure && keyOf(own) !== chosen.key && placedLessons.every(({ wasRight }) => wasRight)) return entry;
    taught.set(field.name, chosen.key);
    return {
      ...entry,
      ranked: lift(entry, chosen, {
        probability: 0.5 + (isAlone ? 0.48 : 0.35) * chosen.agreement,
        confidence: confidenceOf(chosen.agreement, isAlone, placedLessons.length, certain),
        docType,
        isWrong: (candidate) => lessons.some(({ wrongPlaces }) => agrees(wrongPlaces, placed(candidate))),
      }),
    };
  });
  return { scored: adjusted, taught, removed };
}

/**
 * How a value's places agree with the taught ones: the best agreement, and the share of the taught places that it
 * stands at. A total that is also the cash received stood at both, the next one stands at its own place alone.
 */
function agreementOf(
  lessons: readonly FieldLesson[],
  places: readonly TaughtPlace[],
): { readonly agreement: number; readonly share: number } {
  let agreed = 0;
  let share = 0;
  for (const { places: taught } of lessons) {
    const bests = taught.map((each) => Math.max(...places.map((place) => agreement(each, place))));
    agreed += Math.max(...bests);
    share += bests.reduce((sum, best) => sum + best, 0) / bests.length;
  }
  return { agreement: agreed / lessons.length, share: share / lessons.length };
}

function agrees(places: readonly TaughtPlace[], place: TaughtPlace): boolean {
  return places.some((taught) => agreement(taught, place) >= minAgreement);
}

/** How sure a taught value is; see the measurement in docs/dashboard.md. */
function confidenceOf(agreed: number, isAlone: boolean, lessonCount: number, certain: boolean): number {
  const isClear = agreed >= clearAgreement && isAlone;
  const confidence = isClear ? (lessonCount > 1 ? 95 : 92) : isAlone ? (lessonCount > 1 ? 88 : 82) : 75;
  return certain ? confidence : Math.min(confidence, 85);
}

function lift(
  { field, ranked }: ScoredField,
  chosen: { readonly key: string; readonly group: readonly PlacedCandidate[] },
  to: {
    readonly probability: number;
    readonly confidence: number;
    readonly docType: string;
    readonly isWrong: (candidate: PlacedCandidate) => boolean;
  },
): readonly ScoredValue[] {
  const isChosen = (value: ScoredValue) => comparable(field.kind, value.candidate.value) === chosen.key;
  const present = ranked.find(isChosen);
  const group = chosen.group.map((candidate) => ({
    ...candidate,
    value: fieldValue(to.docType, field.name, candidate.value),
  }));
  const probability = Math.max(present?.probability ?? 0, to.probability);
  const lifted: ScoredValue = {
    ...(present ?? { candidate: group[0]!, candidates: group }),
    probability,
    confidence: Math.max(present?.confidence ?? 0, to.confidence),
  };
  const left = 1 - probability;
  const others = ranked
    .filter((value) => !isChosen(value))
    .map((value) => ({ ...value, probability: value.probability * left * (to.isWrong(value.candidate) ? 0.3 : 1) }));
  return [lifted, ...others.toSorted((a, b) => b.probability - a.probability)];
}

/** The comparable forms of a field's values that stand where people removed one. */
function valuesAtWrongPlaces(
  entry: ScoredField,
  lessons: readonly FieldLesson[],
  placed: (candidate: PlacedCandidate) => TaughtPlace,
): ReadonlySet<string> {
  const wrong = entry.ranked.filter(({ candidate }) =>
    lessons.some(({ wrongPlaces }) => agrees(wrongPlaces, placed(candidate))),
  );
  return new Set(wrong.map((value) => keyIn(entry, value)));
}

/**
 * Values of a field that the sender's documents do not have: what stands where people removed one is not taken, however
 * low the field's threshold, and others are less likely taken.
 */
function withoutAbsent(
  entry: ScoredField,
  lessons: readonly FieldLesson[],
  wrong: ReadonlySet<string>,
): readonly ScoredValue[] {
  const always = lessons.length > 1 ? 0.6 : 1;
  return entry.ranked.map((value) => ({
    ...value,
    probability: wrong.has(keyIn(entry, value))
      ? Math.min(value.probability * 0.1, entry.threshold * 0.5)
      : value.probability * always,
  }));
}

function keyIn({ field }: ScoredField, { candidate }: ScoredValue): string {
  return comparable(field.kind, candidate.value);
}

/** Marks the values that lessons spoke for. */
export function flagTaught(
  type: DocumentType,
  extraction: Extraction,
  taught: ReadonlyMap<string, string>,
): Extraction {
  const kinds = new Map(type.fields.map(({ name, kind }) => [name, kind]));
  const isTaught = (name: string, { value }: ExtractedValue) => {
    const kind = kinds.get(name);
    return kind !== undefined && taught.get(name) === comparable(kind, value);
  };
  const fields = Object.fromEntries(
    Object.entries(extraction.fields).map(([name, value]) => [
      name,
      isTaught(name, value) ? { ...value, flags: [...value.flags, 'taught' as const] } : value,
    ]),
  );
  return { ...extraction, fields };
}
