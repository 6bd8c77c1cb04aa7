import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent } from 'undici';
import type { DestinationPolicy } from './address.ts';
import { guardedConnector } from './connector.ts';
import { checkDestination } from './destination.ts';
import { type SendError, SendFailure } from './failure.ts';
import { type Resolve, resolvePublicly } from './resolve.ts';

/** How much of a response's body is kept, and how much is read at most. */
export const keptBodyBytes = 64 * 1024;
const readBodyBytes = 1024 * 1024;
const responseHeaderBytes = 32 * 1024;

/** The receiver's response to one attempt. */
export interface ReceivedResponse {
  readonly status: number;
  /** Values of a repeated header are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 64 KB. */
  readonly body: Uint8Array;
  /** Bytes read: the whole body, unless it was cut off at 1 MB, by the time-out or by the receiver. */
  readonly bodyLength: number;
  /** Of the bytes read, in hex. */
  readonly bodySha256: string;
}

/** The outcome of one attempt; `error` is null if a 2xx response was received in time. */
export interface SendResult {
  readonly requestedAt: Date;
  readonly latencyMs: number;
  readonly response: ReceivedResponse | null;
  readonly error: SendError | null;
}

export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface SenderOptions extends DestinationPolicy {
  /** For the whole attempt, from DNS resolution to the end of the response. */
  readonly timeoutMs?: number;
  /** Certificates (PEM) that are trusted in addition to the public ones. */
  readonly extraCertificates?: string;
  /** Resolves host names; by default with DNS. */
  readonly resolve?: Resolve;
}

export interface Sender {
  /**
   * POSTs the body once and returns the outcome; never throws. The destination is checked three times: as written, at
   * every address its name resolves to, and at the connected socket. Redirects are not followed.
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Closes the connections; attempts in progress fail. */
  close(): Promise<void>;
}

/**
 * Opens a sender that reuses connections. Close it after use.
 *
 * @throws Error if the extra certificates are invalid.
 */
export function openSender(options: SenderOptions): Sender {
  const { timeoutMs = 15_000, resolve = resolvePublicly } = options;
  const closing = new AbortController();
  const agent = new Agent({
    // Shorter than the attempt's own limit, so that an unreachable receiver is distinguished from one that doesn't
    // respond.
    connect: guardedConnector({ ...options, resolve, timeoutMs: (timeoutMs * 2) / 3, closing: closing.signal }),
    maxHeaderSize: responseHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function send(request: SendRequest): Promise<SendResult> {
    const requestedAt = new Date();
    const started = performance.now();
    const attempt = new Attempt();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    let error: SendError | null = null;
    try {
      const destination = checkDestination(request.url, options);
      if (!destination.ok) throw new SendFailure('blocked_address', destination.reason);
      const { url } = destination;
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        signal: deadline.signal,
      });
      await attempt.read(answer.statusCode, answer.headers, answer.body);
      error = statusError(answer.statusCode);
    } catch (cause) {
      error = deadline.signal.aborted ? timeoutError(timeoutMs, attempt.status) : SendFailure.from(cause).error;
    } finally {
      clearTimeout(timer);
    }
    return { requestedAt, latencyMs: Math.round(performance.now() - started), response: attempt.response(), error };
  }

  async function close(): Promise<void> {
    closing.abort();
    await agent.destroy();
  }

  return { send, close };
}

/** The response received so far, which is worth recording even if the rest never arrives. */
class Attempt {
  status: number | null = null;
  #headers: Record<string, string> = {};
  #kept: Buffer[] = [];
  #length = 0;
  #hash = createHash('sha256');

  async read(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    body: AsyncIterable<Buffer>,
  ): Promise<void> {
    this.status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.#headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    for await (const chunk of body) {
      const part = chunk.subarray(0, readBodyBytes - this.#length);
      if (this.#length < keptBodyBytes) this.#kept.push(part.subarray(0, keptBodyBytes - this.#length));
      this.#length += part.length;
      this.#hash.update(part);
      // Leaving the loop closes the connection; the status has arrived, so the attempt's outcome is known.
      if (this.#length >= readBodyBytes) break;
    }
  }

  response(): ReceivedResponse | null {
    if (this.status === null) return null;
    return {
      status: this.status,
      headers: this.#headers,
      body: Buffer.concat(this.#kept),
      bodyLength: this.#length,
      bodySha256: this.#hash.digest('hex'),
    };
  }
}

function statusError(status: number): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return { code: 'redirect', message: `The receiver returned ${status}. Redirects are not followed.` };
  }
  return { code: 'unsuccessful_status', message: `The receiver returned ${status}.` };
}

function timeoutError(timeoutMs: number, status: number | null): SendError {
  const limit = `${timeoutMs / 1000} s`;
  return {
    code: 'timeout',
    message:
      status === null
        ? `No response within ${limit}.`
        : `The response (status ${status}) was not complete within ${limit}.`,
  };
}
