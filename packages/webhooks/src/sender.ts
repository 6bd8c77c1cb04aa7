import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent } from 'undici';
import type { DestinationPolicy } from './address.ts';
import { guardedConnector } from './connector.ts';
import { checkDestination } from './destination.ts';
import { type SendError, SendFailure } from './failure.ts';
import { type Resolve, resolvePublicly } from './resolve.ts';

/** How much of a response's body is kept, and how much of it is read at most. */
export const keptBodyBytes = 64 * 1024;
const readBodyBytes = 1024 * 1024;
const responseHeaderBytes = 32 * 1024;

/** The receiver's answer to one attempt. */
export interface ReceivedResponse {
  readonly status: number;
  /** A header that came several times has its values joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 64 KB. */
  readonly body: Uint8Array;
  /** Bytes read: the whole body, unless it was cut off at 1 MB, by the time-out or by the receiver. */
  readonly bodyLength: number;
  /** Of the bytes read, in hex. */
  readonly bodySha256: string;
}

/** What came of one attempt; `error` is null when a 2xx answer was received in time. */
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
  /** For the whole attempt, from the name's resolution to the end of the response. */
  readonly timeoutMs?: number;
  /** Certificates (PEM) that are trusted besides the well-known ones. */
  readonly extraCertificates?: string;
  /** Looks a host's addresses up; by default in the DNS. */
  readonly resolve?: Resolve;
}

export interface Sender {
  /**
   * POSTs the body once and tells what came of it; never throws. The destination is guarded thrice: as written, at
   * every address its name resolves to, and at the connected socket. Redirects are not followed.
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends the connections; attempts under way fail. */
  close(): Promise<void>;
}

/**
 * Opens a sender that keeps connections for reuse. Close it after use.
 *
 * @throws Error when the extra certificates are none.
 */
export function openSender(options: SenderOptions): Sender {
  const { timeoutMs = 15_000, resolve = resolvePublicly } = options;
  const closing = new AbortController();
  const agent = new Agent({
    // Before the attempt's own end, so that a receiver that cannot be reached is told from one that does not answer.
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

/** The response as far as it has come, which is worth recording even when the rest never comes. */
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
      // Leaving the loop closes the connection; the status has come, so the attempt stands as it is.
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
    return { code: 'redirect', message: `The receiver answered ${status}. Redirects are not followed.` };
  }
  return { code: 'unsuccessful_status', message: `The receiver answered ${status}.` };
}

function timeoutError(timeoutMs: number, status: number | null): SendError {
  const limit = `${timeoutMs / 1000} s`;
  return {
    code: 'timeout',
    message:
      status === null
        ? `No answer within ${limit}.`
        : `The answer (status ${status}) was not complete within ${limit}.`,
  };
}
