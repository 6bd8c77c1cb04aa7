import type { Target } from './endpoints.ts';
import { type ConnectParts, noHttp2 } from './http2-pool.ts';

/**
 * Finds out which protocol a target speaks that leaves it to the handshake of TLS, by connecting to one of its endpoints.
 * What is found holds for all of them, until one of them disagrees.
 *
 * @param onKnown called once, maybe within the call. Where nothing could be connected to, HTTP/1.1 reports why.
 */
export function negotiate(target: Target, parts: ConnectParts, onKnown: (isHttp2: boolean) => void): void {
  if (target.negotiated !== null) {
    onKnown(target.negotiated === 'http2');
    return;
  }
  const turn = Math.floor(Math.random() * target.endpoints.length);
  const isConnecting = target.endpoints[turn]!.http2!.connect(parts, true, (session, error) => {
    if (session !== null) target.negotiated = 'http2';
    else if (error === noHttp2) target.negotiated = 'http1';
    onKnown(session !== null);
  });
  if (!isConnecting) onKnown(false);
}
