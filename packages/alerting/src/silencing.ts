import { compileMatchers, type LabelTest } from './matching.ts';
import type { Labels } from './rule.ts';
import type { Silence } from './silence.ts';
import { windowAt } from './windows.ts';

/** The silences that are in force at a moment, ready to match alerts. */
export type SilencesInForce = readonly { readonly id: string; readonly matches: LabelTest }[];

export function silencesInForce(silences: readonly Silence[], atMs: number): SilencesInForce {
  return silences
    .filter(({ schedule }) => windowAt(schedule, atMs) !== null)
    .map(({ id, matchers }) => ({ id, matches: compileMatchers(matchers) }));
}

/** The first silence in force that matches an alert; null if none does. */
export function suppressorOf(silences: SilencesInForce, labels: Labels): string | null {
  return silences.find(({ matches }) => matches(labels))?.id ?? null;
}
