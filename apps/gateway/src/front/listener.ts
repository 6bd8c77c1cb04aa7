import { createServer, type Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer, type SecureContext, type SecureContextOptions } from 'node:tls';
import { type Front, FrontConnection, readBuffer } from './connection.ts';
import { receiveFrom } from './raw-stream.ts';

/** What the certificates of the gateway are; asked for each connection, so that new ones count at once. */
export interface TlsFront {
  /** The same object for as long as nothing has changed. */
  context(): SecureContextOptions;
  /** Of the name that a caller asks for; without it all get the same. */
  contextFor?(serverName: string): SecureContext;
}

/** So long connections that go on coming are accepted at a close. */
const acceptMs = 200;

/** Accepts the connections of callers. */
export function createListener(front: Front, tls: TlsFront | null): Server {
  if (tls === null) {
    return createServer({ allowHalfOpen: true, pauseOnConnect: true }, (accepted) => {
      if (refuses(front, accepted)) return;
      const socket = readingIntoOneBuffer(accepted);
      if (socket === null) listen(new FrontConnection(accepted, front, false), accepted);
    });
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
  // A caller that fails to agree on TLS is none of the gateway's errors.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;

  /** Reading so spares each read an allocation of 64 KB, which costs more than the parsing. */
  function readingIntoOneBuffer(accepted: Socket): Socket | null {
    const handle: unknown = Reflect.get(accepted, '_handle');
    if (typeof handle !== 'object' || handle === null) return null;
    Reflect.set(accepted, '_handle', null);
    let connection: FrontConnection | null = null;
    const options = {
      handle,
      allowHalfOpen: true,
      onread: {
        buffer: readBuffer,
        callback: (length: number) => connection === null || connection.received(length),
      },
    };
    const socket = new Socket(options);
    // The server counts what it has accepted.
    socket.once('close', () => accepted.destroy());
    connection = new FrontConnection(socket, front, false);
    receiveFrom(socket, connection);
    socket.resume();
    return socket;
  }
}

/** Why the port cannot be shared, with what to do about it; null where the error has another reason. */
export function sharingFault(error: unknown, port: number): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOTSUP' || code === 'ENOPROTOOPT') {
    return 'On this system a port belongs to one program: set MILLRACE_GATEWAY_SHARE_PORT to 0, and give each node a port of its own, with a balancer in front.';
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by a program that does not share it: stop that, or start it with MILLRACE_GATEWAY_SHARE_PORT=1, as the same user.`;
  }
  return null;
}

/**
 * Takes no more connections, and resolves when the last one is closed. Those that the system has let in already are
 * accepted first: it would reset them, with the requests that they have brought. Of a port that others share the system goes
 * on letting callers in until the very end: who comes in the last moment is reset, unless it moves them to the others
 * (`net.ipv4.tcp_migrate_req` of Linux).
 */
export async function closeListener(server: Server): Promise<void> {
  let isAccepting = true;
  server.on('connection', () => {
    isAccepting = true;
  });
  const endMs = performance.now() + acceptMs;
  await setImmediate();
  // From one immediate to the next the system is asked for connections once; it gives one at a time.
  while (isAccepting && performance.now() < endMs) {
    isAccepting = false;
    await setImmediate();
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
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
