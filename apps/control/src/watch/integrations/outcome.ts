import type { SendErrorCode, SendResult } from '@millrace/webhooks';

/** What was sent, as it is shown. */
export interface SentRequest {
  /** URL, or host and recipients. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one attempt came to. */
export interface AttemptResult {
  /** ISO 8601. */
  readonly at: string;
  readonly latencyMs: number;
  /** HTTP or SMTP status; null if there was no answer. */
  readonly status: number | null;
  /** Null: delivered. */
  readonly error: { readonly code: SendErrorCode | 'rejected'; readonly message: string } | null;
  /** The beginning of the answer. */
  readonly answer: string;
  /** Length of the whole answer. */
  readonly answerBytes: number;
}

export interface Outcome {
  readonly request: SentRequest;
  readonly attempt: AttemptResult;
}

/** How much is kept of what was sent and what came back, in bytes. */
const requestBytes = 16_384;
export const answerBytes = 4_096;

/** An outcome as it is kept: bounded, and without the secrets wherever a request or an answer repeats them. */
export function outcomeOf({ request, attempt }: Outcome, secrets: readonly string[]): Outcome {
  const hide = (text: string) => withoutSecrets(text, secrets);
  return {
    request: {
      target: hide(request.target),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, hide(value)])),
      body: cutBytes(hide(request.body), requestBytes),
    },
    attempt: {
      ...attempt,
      error: attempt.error && { ...attempt.error, message: hide(attempt.error.message) },
      answer: hide(attempt.answer),
    },
  };
}

/** What an attempt over HTTP came to. */
export function attemptOf({ requestedAt, latencyMs, response, error }: SendResult): AttemptResult {
  return {
    at: requestedAt.toISOString(),
    latencyMs,
    status: response?.status ?? null,
    error,
    answer: response === null ? '' : storable(Buffer.from(response.body).subarray(0, answerBytes).toString()),
    answerBytes: response?.bodyLength ?? 0,
  };
}

/** Text as PostgreSQL stores it: without zero characters and halves of pairs. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** The beginning of a text, at most so many bytes of UTF-8. */
export function cutBytes(text: string, most: number): string {
  return Buffer.byteLength(text) <= most
    ? text
    : Buffer.from(text)
        .subarray(0, most)
        .toString()
        .replace(/\ufffd$/, '');
}

/** Hides the secrets wherever they stand, as they are and as JSON or a URL writes them. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let hidden = text;
  for (const secret of secrets) {
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])) {
      hidden = hidden.replaceAll(form, '[secret]');
    }
  }
  return hidden;
}
