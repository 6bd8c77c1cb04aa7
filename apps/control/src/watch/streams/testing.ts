import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from '@millrace/webhooks/testing';

/** The messages of a stream of octet-counted frames (RFC 5425). */
export function messagesOf(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const count = bytes.subarray(at, space).toString();
    assert.match(count, /^[1-9]\d*$/);
    const end = space + 1 + Number(count);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(space + 1, end).toString());
    at = end;
  }
  return messages;
}

/** A syslog listener with TLS: it keeps what came on connections that their client closed. */
export async function startSyslog(certificate: ServerCertificate) {
  const messages: string[] = [];
  const connections: (readonly string[])[] = [];
  const state = { breaksAfterBytes: null as number | null, hangs: false };
  const server = createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (state.breaksAfterBytes !== null && length >= state.breaksAfterBytes) socket.destroy();
    });
    socket.on('end', () => {
      if (state.hangs) return;
      const received = messagesOf(Buffer.concat(chunks));
      messages.push(...received);
      connections.push(received);
      socket.end();
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    /** The messages of each connection, in the order of their ends. */
    connections,
    state,
    close: async () => {
      server.close();
    },
  };
}
