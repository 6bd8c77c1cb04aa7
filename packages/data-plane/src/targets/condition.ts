/** The health of one endpoint, from its responses. Pure: times are passed in, in milliseconds of any monotonic clock. */
import type { Outcome } from './endpoints.ts';

/** Consecutive failures that eject an endpoint if others can take its calls. */
const failuresToEject = 5;
/** Of the first ejection; each further one lasts longer by as much, up to the longest. */
const ejectionMs = 10_000;
const longestEjectionMs = 300_000;
/** After this time without failures, the next ejection is the shortest again. */
const forgivenAfterMs = 300_000;

/** The circuit opens where half of the calls of a window fail, and the window has seen enough of them. */
const windowMs = 10_000;
const windowSlots = 10;
const callsToJudge = 20;
const failureShare = 0.5;
const openMs = 5_000;
const longestOpenMs = 60_000;

/** `closed`: calls pass. `open`: none does. `trial`: one passes, and its outcome decides. */
type Circuit = 'closed' | 'open' | 'trial';

export type EndpointState = 'healthy' | 'unhealthy' | 'ejected' | 'open';

/** Whether the outcome counts as a failure of the endpoint. A 500 comes from its application; 502 to 504 mean it is down. */
function isFailure(outcome: Outcome): boolean {
  return outcome.kind !== 'answered' || (outcome.status >= 502 && outcome.status <= 504);
}

/** The state of one endpoint: its health checks, outlier ejection, circuit breaker and calls in flight. */
export class Condition {
  /** Calls in flight. */
  inFlight = 0;
  /** By its health checks; true where it has none. */
  wellByChecks = true;
  #failuresInARow = 0;
  #ejectedUntilMs = 0;
  #ejections = 0;
  #lastEjectionMs = Number.NEGATIVE_INFINITY;
  #circuit: Circuit = 'closed';
  #trialUnderWay = false;
  #openUntilMs = 0;
  #openings = 0;
  readonly #calls = new Uint32Array(windowSlots);
  readonly #failures = new Uint32Array(windowSlots);
  #slot = 0;

  /** Whether a call may be sent to it. If it is chosen, {@link Condition.begin} follows. */
  admits(nowMs: number): boolean {
    if (!this.wellByChecks || nowMs < this.#ejectedUntilMs) return false;
    if (this.#circuit === 'closed') return true;
    if (this.#circuit === 'trial') return !this.#trialUnderWay;
    return nowMs >= this.#openUntilMs;
  }

  begin(nowMs: number): void {
    if (this.#circuit === 'open' && nowMs >= this.#openUntilMs) this.#circuit = 'trial';
    this.#trialUnderWay = this.#circuit === 'trial';
    this.inFlight += 1;
  }

  /** A call ended that says nothing about the endpoint. */
  release(): void {
    this.inFlight -= 1;
    this.#trialUnderWay = false;
  }

  /** @param mayEject whether others can take its calls */
  report(outcome: Outcome, nowMs: number, mayEject: boolean): void {
    this.inFlight -= 1;
    this.#trialUnderWay = false;
    const failed = isFailure(outcome);
    this.#count(failed, nowMs);
    if (!failed) {
      this.#failuresInARow = 0;
      if (this.#circuit === 'trial') this.#close();
      return;
    }
    this.#failuresInARow += 1;
    if (this.#circuit === 'trial' || (this.#circuit === 'closed' && this.#failsTooOften())) this.#open(nowMs);
    if (this.#failuresInARow >= failuresToEject && mayEject) this.#eject(nowMs);
  }

  state(nowMs: number): EndpointState {
    if (!this.wellByChecks) return 'unhealthy';
    if (nowMs < this.#ejectedUntilMs) return 'ejected';
    return this.#circuit === 'closed' ? 'healthy' : 'open';
  }

  #count(failed: boolean, nowMs: number): void {
    const slot = Math.floor(nowMs / (windowMs / windowSlots));
    // Slots between the last call and this one have seen none.
    for (let passed = Math.max(this.#slot + 1, slot - windowSlots + 1); passed <= slot; passed += 1) {
      this.#calls[passed % windowSlots] = 0;
      this.#failures[passed % windowSlots] = 0;
    }
    this.#slot = slot;
    this.#calls[slot % windowSlots]! += 1;
    if (failed) this.#failures[slot % windowSlots]! += 1;
  }

  #failsTooOften(): boolean {
    const sum = (counts: Uint32Array) => counts.reduce((total, count) => total + count, 0);
    const calls = sum(this.#calls);
    return calls >= callsToJudge && sum(this.#failures) >= calls * failureShare;
  }

  #open(nowMs: number): void {
    this.#circuit = 'open';
    this.#openings += 1;
    this.#openUntilMs = nowMs + Math.min(openMs * 2 ** (this.#openings - 1), longestOpenMs);
  }

  #close(): void {
    this.#circuit = 'closed';
    this.#openings = 0;
    this.#calls.fill(0);
    this.#failures.fill(0);
  }

  #eject(nowMs: number): void {
    if (nowMs - this.#lastEjectionMs > forgivenAfterMs) this.#ejections = 0;
    this.#ejections += 1;
    this.#lastEjectionMs = nowMs;
    this.#ejectedUntilMs = nowMs + Math.min(ejectionMs * this.#ejections, longestEjectionMs);
    this.#failuresInARow = 0;
  }
}
