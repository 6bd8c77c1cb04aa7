import type { Socket } from 'node:net';
import { restLimits } from './lingering-response.ts';

// An import would have the platform load its WebSocket client and fetch, which node:http exports: a tenth of a start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Why something that arrived did not become a request. */
export type BrokenRequest = 'malformed' | 'headers_too_large' | 'timed_out';

/**
 * For Fastify's `clientErrorHandler`: responds to input that is not HTTP, or too slow or too large to become a request.
 * Then it discards what the caller still sends, within limits, so that the caller reads the response instead of a
 * broken pipe.
 *
 * @param answerOf status and JSON body, in the application's own format
 */
export function answerBrokenRequests(
  answerOf: (reason: BrokenRequest) => { readonly status: number; readonly body: object },
): (error: { readonly code?: string }, socket: Socket) => void {
  /** How much each rejected connection had sent by then. It fails again with whatever arrives. */
  const answeredAtBytes = new WeakMap<Socket, number>();
  return ({ code }, socket) => {
    const answeredAt = answeredAtBytes.get(socket);
    if (answeredAt !== undefined && socket.bytesRead - answeredAt < restLimits.sizeBytes) return;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const { status, body } = answerOf(reasons[code ?? ''] ?? 'malformed');
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
    answeredAtBytes.set(socket, socket.bytesRead);
    const timer = setTimeout(() => socket.destroy(), restLimits.timeMs).unref();
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
  };
}

const reasons: Readonly<Record<string, BrokenRequest>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timed_out',
};
