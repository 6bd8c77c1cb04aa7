import type { AlertState, Condition, Operator, Sample } from './rule.ts';

/** What an evaluation changed: `dropped` is a pending alert whose condition no longer held. */
export type Change = 'pending' | 'fired' | 'resolved' | 'dropped';

export interface Step {
  /** Null: inactive. */
  readonly state: AlertState | null;
  /** In order: with a duration of 0 an alert becomes pending and fires at once. */
  readonly changes: readonly Change[];
}

/** The fields of a rule that decide a step. */
export type StepCondition = Pick<
  Condition,
  'operator' | 'threshold' | 'clearThreshold' | 'durationSeconds' | 'keepFiringSeconds' | 'minimumRequests' | 'noData'
>;

/**
 * One evaluation of one alert, with the semantics of Prometheus's alerting rules (`for` and `keep_firing_for`,
 * https://github.com/prometheus/prometheus/blob/v2.42.0/rules/alerting.go): the condition must hold at every evaluation
 * for the duration; a firing alert is resolved by the first evaluation at which the condition hasn't held for
 * `keepFiringSeconds`, counted from the first that found it so.
 *
 * Prometheus knows neither `clearThreshold` nor `noData`: with null and `ok` the two are equal.
 *
 * @param state what the evaluation before returned; null before the first
 * @param atMs the evaluated moment, later than that of the evaluation before
 */
export function step(condition: StepCondition, state: AlertState | null, sample: Sample, atMs: number): Step {
  const holding = holds(condition, state, sample);
  if (holding === null) return { state, changes: [] };
  if (holding) {
    const value = sample.kind === 'value' ? sample.value : null;
    return held(condition, state, value, atMs);
  }
  if (state === null) return { state: null, changes: [] };
  if (state.state === 'pending') return { state: null, changes: ['dropped'] };
  const clearedSinceMs = state.clearedSinceMs ?? atMs;
  if (atMs - clearedSinceMs < condition.keepFiringSeconds * 1_000) {
    return { state: { ...state, clearedSinceMs }, changes: [] };
  }
  return { state: null, changes: ['resolved'] };
}

function held(condition: StepCondition, state: AlertState | null, value: number | null, atMs: number): Step {
  const activeSinceMs = state?.activeSinceMs ?? atMs;
  const isFiring = state?.state === 'firing';
  const fires = !isFiring && atMs - activeSinceMs >= condition.durationSeconds * 1_000;
  const changes: Change[] = [...(state === null ? (['pending'] as const) : []), ...(fires ? (['fired'] as const) : [])];
  return {
    state: {
      state: isFiring || fires ? 'firing' : 'pending',
      activeSinceMs,
      firingSinceMs: isFiring ? state.firingSinceMs : fires ? atMs : null,
      clearedSinceMs: null,
      value,
    },
    changes,
  };
}

/** Whether the condition holds; null: as before. */
function holds(condition: StepCondition, state: AlertState | null, sample: Sample): boolean | null {
  if (sample.kind === 'no_data') return condition.noData === 'keep' ? null : condition.noData === 'alert';
  const { operator, threshold, clearThreshold, minimumRequests } = condition;
  if (sample.value === null || sample.requests < minimumRequests) return false;
  if (isBeyond(operator, sample.value, threshold)) return true;
  return state?.state === 'firing' && clearThreshold !== null && isBeyond(operator, sample.value, clearThreshold);
}

/** Whether a value is on the side of the threshold that a rule fires for. */
export function isBeyond(operator: Operator, value: number, threshold: number): boolean {
  switch (operator) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
  }
}

/** Of two values, the one that is nearer to firing or further beyond; null is none. */
export function worse(operator: Operator, first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return operator === '>' || operator === '>=' ? Math.max(first, second) : Math.min(first, second);
}
