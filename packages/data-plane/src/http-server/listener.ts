import type { Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContext, type SecureContextOptions } from 'node:tls';
import { readBuffer } from '../http/workspaces.ts';
import type { Reader } from '../node-internals/sockets.ts';
import { FrontConnection } from './connection.ts';
import type { Front } from './front.ts';
import { Http2Connection } from './http2-connection.ts';
import { Port } from './port.ts';
import { ProtocolDetection } from './protocol-detection.ts';

/** The certificates of the gateway, read for each connection so that new ones apply immediately. */
export interface TlsFront {
  /** The same object as long as nothing has changed. */
  context(): SecureContextOptions;
  /** By the name that a caller requests; without it all get the same. */
  contextFor?(serverName: string): SecureContext;
}

type ReadingConnection = Reader & { receive(chunk: Buffer, end: number): boolean };

/** The port of callers, not open yet. */
export function createListener(front: Front, tls: TlsFront | null): Port {
  const { internals } = front;
  if (tls === null) {
    return new Port((accepted) => {
      if (refuses(front, accepted)) return;
      const socket = readingIntoOneBuffer(accepted);
      if (socket === null) listen(connectionOn(accepted), accepted);
    }, true);
  }
  let context = tls.context();
  const server = createTlsServer(
    {
      ...context,
      ...(tls.contextFor === undefined ? {} : { SNICallback: (name, done) => done(null, tls.contextFor?.(name)) }),
      ALPNProtocols: ['h2', 'http/1.1'],
      allowHalfOpen: true,
      handshakeTimeout: front.limits.headTimeoutMs,
    },
    (socket) => {
      if (refuses(front, socket)) return;
      const isHttp2 = socket.alpnProtocol === 'h2';
      listen(isHttp2 ? new Http2Connection(socket, front, true) : new FrontConnection(socket, front, true), socket);
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
    let connection: ReadingConnection | null = null;
    const socket = internals.reopenReadingInto(accepted, {
      buffer: readBuffer,
      callback: (length) => connection === null || connection.received(length),
    });
    if (socket === null) return null;
    connection = connectionOn(socket);
    internals.receiveFrom(socket, connection);
    socket.resume();
    return socket;
  }

  function connectionOn(socket: Socket): ReadingConnection {
    if (!front.acceptsPriorKnowledge) return new FrontConnection(socket, front, false);
    return new ProtocolDetection(socket, front, (isHttp2) => {
      const next = isHttp2 ? new Http2Connection(socket, front, false) : new FrontConnection(socket, front, false);
      internals.receiveFrom(socket, next);
      return next;
    });
  }
}

function refuses(front: Front, socket: Socket): boolean {
  if (front.connections.size < front.limits.maxConnections) return false;
  socket.destroy();
  return true;
}

function listen(connection: ReadingConnection, socket: Socket): void {
  socket.on('data', (chunk: Buffer) => {
    if (!connection.receive(chunk, chunk.length)) socket.pause();
  });
  socket.resume();
}
