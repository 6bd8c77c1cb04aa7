import type { ScoredField, ScoredValue } from './score.ts';

/** By a field's name, whether a value is something else than the field's. */
export type OtherValues = Readonly<Record<string, (value: ScoredValue) => boolean>>;

/** The scored fields without the values that are something else. */
export function withoutOthers(scored: readonly ScoredField[], isOther: OtherValues): readonly ScoredField[] {
  return scored.map((entry) => {
    const isNone = isOther[entry.field.name];
    return isNone ? { ...entry, ranked: entry.ranked.filter((value) => !isNone(value)) } : entry;
  });
}
