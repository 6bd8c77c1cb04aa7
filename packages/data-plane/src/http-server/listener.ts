import type { Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContext, type SecureContextOptions } from 'node:tls';
import { type Front, FrontConnection, readBuffer } from './connection.ts';
import { Port } from './port.ts';

/** The certificates of the gateway, read for each connection so that new ones apply immediately. */
export interface TlsFront {
  /** The same object as long as nothing has changed. */
  context(): SecureContextOptions;
  /** By the name that a caller requests; without it all get the same. */
  contextFor?(serverName: string): SecureContext;
}

/** The port of callers, not open yet. */
export function createListener(front: Front, tls: TlsFront | null): Port {
  const { internals } = front;
  if (tls === null) {
    return new Port((accepted) => {
      if (refuses(front, accepted)) return;
      const socket = readingIntoOneBuffer(accepted);
      if (socket === null) listen(new FrontConnection(accepted, front, false), accepted);
    }, true);
  }
  let context = tls.context();
  const server = createTlsServer(
    {
      ...context,
      ...(tls.contextFor === undefined ? {} : { SNICallback: (name, done) => done(null, tls.contextFor?.(name)) }),
      ALPNProtocols: ['http/1.1'],
      allowHalfOpen: true,
      handshakeTimeout: front.limits.headTimeoutMs,
    },
    (socket) => {
      if (!refuses(front, socket)) listen(new FrontConnection(socket, front, true), socket);
    },
  );
  server.prependListener('connection', () => {
    const present = tls.context();
    if (present !== context) server.setSecureContext(present);
    context = present;
  });
  // A caller's failed TLS handshake is not an error of the gateway.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  // It never listens itself.
  return new Port((socket) => server.emit('connection', socket), false);

  function readingIntoOneBuffer(accepted: Socket): Socket | null {
    let connection: FrontConnection | null = null;
    const socket = internals.reopenReadingInto(accepted, {
      buffer: readBuffer,
      callback: (length) => connection === null || connection.received(length),
    });
    if (socket === null) return null;
    connection = new FrontConnection(socket, front, false);
    internals.receiveFrom(socket, connection);
    socket.resume();
    return socket;
  }
}

function refuses(front: Front, socket: Socket): boolean {
  if (front.connections.size < front.limits.maxConnections) return false;
  socket.destroy();
  return true;
}

function listen(connection: FrontConnection, socket: Socket): void {
  socket.on('data', (chunk: Buffer) => {
    if (!connection.receive(chunk, chunk.length)) socket.pause();
  });
  socket.resume();
}
