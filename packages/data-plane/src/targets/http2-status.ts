import { type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * Requests a path over HTTP/2 on a connection of its own, and returns the status of the answer.
 *
 * @param socket connected, or connecting; it is closed afterwards
 * @throws Error of the connection, or the signal's reason
 */
export function statusByHttp2(
  socket: Socket,
  { authority, scheme, path }: { readonly authority: string; readonly scheme: string; readonly path: string },
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const session = connect(`${scheme}://${authority}`, { createConnection: () => socket });
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  session.on('error', reject);
  session.on('close', () => reject(new Error('The connection was closed.')));
  const request: ClientHttp2Stream = session.request({ ':path': path, 'user-agent': 'millrace-gateway' });
  request.on('response', (headers) => resolve(headers[':status'] ?? 0));
  request.on('error', reject);
  request.end();
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    session.destroy();
    socket.destroy();
  });
}
