import type { AlertState, Sample } from './rule.ts';
import { type StepCondition, step, worse } from './step.ts';

/** One time that an alert fired, in milliseconds since 1970. */
export interface Firing {
  readonly pendingAtMs: number;
  readonly firedAtMs: number;
  /** Null: it still fired at the end. */
  readonly resolvedAtMs: number | null;
  /** The value furthest beyond the threshold while it was pending or fired; null: there was no data. */
  readonly value: number | null;
}

/** One evaluation of the past. */
export interface Replayed {
  readonly atMs: number;
  readonly sample: Sample;
  readonly state: AlertState['state'] | 'inactive';
}

/** Evaluates one alert over samples of the past, in order of time, beginning inactive. */
export function replay(
  condition: StepCondition,
  samples: Iterable<{ readonly atMs: number; readonly sample: Sample }>,
): { readonly evaluations: readonly Replayed[]; readonly firings: readonly Firing[] } {
  const evaluations: Replayed[] = [];
  const firings: Firing[] = [];
  let state: AlertState | null = null;
  let worst: number | null = null;
  let open: Pick<Firing, 'pendingAtMs' | 'firedAtMs'> | null = null;
  for (const { atMs, sample } of samples) {
    const after = step(condition, state, sample, atMs);
    state = after.state;
    if (after.changes.includes('pending')) worst = null;
    if (state !== null && state.clearedSinceMs === null) worst = worse(condition.operator, worst, state.value);
    if (after.changes.includes('fired') && state !== null) {
      open = { pendingAtMs: state.activeSinceMs, firedAtMs: atMs };
    }
    if (after.changes.includes('resolved') && open !== null) {
      firings.push({ ...open, resolvedAtMs: atMs, value: worst });
      open = null;
    }
    evaluations.push({ atMs, sample, state: state?.state ?? 'inactive' });
  }
  if (open !== null) firings.push({ ...open, resolvedAtMs: null, value: worst });
  return { evaluations, firings };
}
