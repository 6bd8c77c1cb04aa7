import * as http from 'node:http';
import * as https from 'node:https';

/** The control plane is unreachable now: try again later. */
export class ControlUnreachable extends Error {
  override readonly name = 'ControlUnreachable';
}

/** The control plane returned an error. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(`The control plane returned ${status}: ${message}`);
    this.status = status;
  }
}

/** A response is larger than this node accepts. */
export class AnswerTooLarge extends ControlUnreachable {}

interface Call {
  readonly method: 'GET' | 'POST';
  /** Below `/api`. */
  readonly path: string;
  readonly token: string | null;
  readonly body?: unknown;
  readonly etag?: string | null;
  /** Until the end of the response. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

interface ControlAnswer {
  /** 200 to 299, or 304. */
  readonly status: number;
  readonly etag: string | null;
  readonly bytes: Buffer;
}

export interface ControlClient {
  /**
   * Calls an operation of the control plane.
   *
   * @throws ControlUnreachable, ControlRefused
   */
  call(call: Call): Promise<ControlAnswer>;
  close(): void;
}

const maxErrorBytes = 65_536;

/**
 * An HTTP client for the control plane, with limits on time and response size; follows no redirect.
 *
 * @param controlUrl without a trailing slash
 */
export function createControlClient(controlUrl: string): ControlClient {
  const { request, Agent } = controlUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });

  const send = ({ method, path, token, body, etag, timeoutMs, maxBytes, signal }: Call): Promise<ControlAnswer> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? null : JSON.stringify(body);
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
      const sent = request(`${controlUrl}/api${path}`, {
        method,
        agent,
        signal: AbortSignal.any(limits),
        headers: {
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(etag == null ? {} : { 'if-none-match': etag }),
          ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      });
      sent.on('error', (error) => reject(new ControlUnreachable(error.message, { cause: error })));
      sent.on('response', (answer) => {
        const status = answer.statusCode ?? 0;
        const taken = (status >= 200 && status < 300) || status === 304;
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= (taken ? maxBytes : maxErrorBytes)) return;
          reject(new AnswerTooLarge(`The response is longer than ${maxBytes} bytes.`));
          answer.destroy();
        });
        answer.on('error', (error) => reject(new ControlUnreachable(error.message, { cause: error })));
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          if (taken) resolve({ status, etag: answer.headers.etag ?? null, bytes });
          else if (status >= 500) reject(new ControlUnreachable(`The control plane returned ${status}.`));
          else reject(new ControlRefused(status, messageOf(bytes)));
        });
        answer.on('close', () => reject(new ControlUnreachable('The response was cut off.')));
      });
      sent.end(text ?? undefined);
    });

  return { call: send, close: () => agent.destroy() };
}

/** The message in an error's envelope; nothing from other formats. */
function messageOf(bytes: Buffer): string {
  try {
    const { data } = JSON.parse(bytes.toString('utf8'));
    return typeof data?.message === 'string' ? data.message.slice(0, 300) : 'no reason given';
  } catch {
    return 'no reason given';
  }
}
