/** When a request that failed at one endpoint may be retried. */

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/** Whether to repeat a call does what one call does (RFC 9110, 9.2.2). */
export function isIdempotent(method: string): boolean {
  return idempotent.has(method);
}

export interface FailedAttempt {
  readonly method: string;
  /** Bytes of the request that were handed to the connection; a connection that never opened has taken none. */
  readonly sentBytes: number;
  /** Whether any byte of a response arrived. */
  readonly answered: boolean;
  /** Whether the complete request body is still in memory. */
  readonly bodyHeld: boolean;
  /** Attempts so far, this one included. */
  readonly attempts: number;
}

const mostAttempts = 3;

/** Whether it is safe to send the request again: nothing of it was sent, or doing it twice does no more than once. */
export function mayRepeat({ method, sentBytes, answered, bodyHeld, attempts }: FailedAttempt): boolean {
  if (answered || attempts >= mostAttempts) return false;
  return bodyHeld && (sentBytes === 0 || isIdempotent(method));
}

/**
 * Keeps retries from multiplying the load of a failing target: in the long run one per ten requests, and ten
 * at once after a quiet time.
 */
export class RetryBudget {
  static readonly #most = 10;
  #left = RetryBudget.#most;

  /** To be called for each request. */
  earn(): void {
    this.#left = Math.min(this.#left + 0.1, RetryBudget.#most);
  }

  /** Whether another retry is within the budget; if so, takes it. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
