import { SendFailure } from '@millrace/webhooks';

/** Every way in which asking a model fails. */
export const failureReasons = {
  blocked_address: 'The provider’s address is not allowed. Use a public HTTPS address.',
  unreachable: 'No connection to the provider. Check its address, and that it runs.',
  timeout: 'The provider took too long.',
  rate_limited: 'The provider’s rate limit was reached. Try again later, or raise the limit there.',
  unavailable: 'The provider is unavailable. Try again later.',
  unauthorized: 'The provider rejected the API key. Enter a valid one.',
  not_found: 'The provider doesn’t have this model or address. Check both.',
  rejected: 'The provider rejected the request. Check that the model takes structured output.',
  refused: 'The model refused to answer.',
  invalid_answer: 'The model’s answer did not match the request.',
  answer_too_large: 'The answer was too large.',
  busy: 'Too many calls are waiting for the provider. Try again later.',
  circuit_open: 'The provider failed several times in a row. Calls are paused for a moment.',
} as const;

export type FailureReason = keyof typeof failureReasons;

/** Reasons that may be gone at the next attempt. */
const passing: ReadonlySet<FailureReason> = new Set([
  'unreachable',
  'timeout',
  'rate_limited',
  'unavailable',
  'invalid_answer',
]);

/** Reasons about the provider and not about this one request. */
const telling: ReadonlySet<FailureReason> = new Set(['unreachable', 'timeout', 'rate_limited', 'unavailable']);

/**
 * A failed request to a model. Its message is for people, and contains neither the key nor anything from the document.
 */
export class ProviderFailure extends Error {
  readonly reason: FailureReason;
  /** HTTP status of the provider's response; null without one. */
  readonly status: number | null;
  /** How long the provider asks callers to wait; null if it doesn't say. */
  readonly retryAfterMs: number | null;
  /** Tokens that the attempt cost nevertheless. */
  readonly totalTokens: number;

  constructor(
    reason: FailureReason,
    details: {
      readonly status?: number | null;
      readonly retryAfterMs?: number | null;
      readonly totalTokens?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    const { status = null, retryAfterMs = null, totalTokens = 0, cause } = details;
    super(`${failureReasons[reason]}${status === null ? '' : ` (status ${status})`}`, { cause });
    this.name = 'ProviderFailure';
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.totalTokens = totalTokens;
  }

  get isPassing(): boolean {
    return passing.has(this.reason);
  }

  /** Whether the provider itself seems to be down. */
  get isOutage(): boolean {
    return telling.has(this.reason);
  }

  /** The failure for an HTTP status; null if it is none. */
  static ofStatus(status: number, headers: Headers): ProviderFailure | null {
    if (status >= 200 && status < 300) return null;
    const retryAfterMs = retryAfterOf(headers);
    return new ProviderFailure(reasonOf(status), { status, retryAfterMs });
  }

  /** Determines the failure from whatever was thrown on the way to the provider and back. */
  static from(error: unknown): ProviderFailure {
    for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
      if (cause instanceof ProviderFailure) return cause;
      if (cause instanceof SendFailure) {
        if (cause.error.code === 'blocked_address') return new ProviderFailure('blocked_address');
        return new ProviderFailure(cause.error.code === 'timeout' ? 'timeout' : 'unreachable');
      }
      if (cause.name === 'TimeoutError' || hasCode(cause, 'UND_ERR_CONNECT_TIMEOUT'))
        return new ProviderFailure('timeout');
      if (hasCode(cause, 'UND_ERR_HEADERS_OVERFLOW')) return new ProviderFailure('answer_too_large');
      if (hasCode(cause)) return new ProviderFailure('unreachable');
    }
    if (error instanceof Error && isUnanswered(error)) return new ProviderFailure('unreachable');
    // What the SDK throws then is about the response's format; it may quote the response, so it is kept out of the log.
    return new ProviderFailure('invalid_answer');
  }
}

function reasonOf(status: number): FailureReason {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || (status >= 300 && status < 400)) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'unavailable';
  return 'rejected';
}

/** The header `Retry-After` (RFC 9110, 10.2.3) in seconds or as a date, or the finer `Retry-After-Ms`. */
function retryAfterOf(headers: Headers): number | null {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

/** Whether the SDK reports a request without a response. */
function isUnanswered(error: Error): boolean {
  return error.name === 'AI_APICallError' && (!('statusCode' in error) || error.statusCode === undefined);
}

/** Whether an error has a system's or the HTTP client's code, or this one. */
function hasCode(error: Error, code?: string): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return code === undefined
    ? /^(?:E[A-Z]{3,}|UND_ERR_|ERR_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_)/.test(error.code)
    : error.code === code;
}
