import type { AlertState, Sample } from './rule.ts';
import { type StepCondition, step, worse } from './step.ts';

/** One time that an alert fired, in milliseconds since 1970. */
export interface Firing {
  readonly pendingAtMs: number;
  readonly firedAtMs: number;
  /** Null: it still fires. */
  readonly resolvedAtMs: number | null;
  /** The value furthest beyond the threshold while it was pending or fired; null: there was no data. */
  readonly value: number | null;
}

/** Evaluates one alert over samples of the past, beginning inactive. */
export class Replay {
  readonly #condition: StepCondition;
  readonly #ended: Firing[] = [];
  #state: AlertState | null = null;
  #worst: number | null = null;

  constructor(condition: StepCondition) {
    this.#condition = condition;
  }

  get state(): AlertState['state'] | 'inactive' {
    return this.#state?.state ?? 'inactive';
  }

  /** In order of time. */
  get firings(): readonly Firing[] {
    const firing = this.#firing(null);
    return firing === null ? this.#ended : [...this.#ended, firing];
  }

  /** @param atMs later than that of the sample before */
  add(atMs: number, sample: Sample): void {
    const { state, changes } = step(this.#condition, this.#state, sample, atMs);
    if (changes.includes('resolved')) this.#ended.push(this.#firing(atMs)!);
    if (changes.includes('pending')) this.#worst = null;
    this.#state = state;
    if (state !== null && state.clearedSinceMs === null) {
      this.#worst = worse(this.#condition.operator, this.#worst, state.value);
    }
  }

  #firing(resolvedAtMs: number | null): Firing | null {
    if (this.#state === null || this.#state.firingSinceMs === null) return null;
    const { activeSinceMs, firingSinceMs } = this.#state;
    return { pendingAtMs: activeSinceMs, firedAtMs: firingSinceMs, resolvedAtMs, value: this.#worst };
  }
}
