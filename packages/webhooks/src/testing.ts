import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

/** A server's key and certificate, both PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority for one test. */
export interface TestAuthority {
  /** PEM. */
  readonly certificate: string;
  issue(subject: {
    hosts: readonly string[];
    addresses?: readonly string[];
    expired?: boolean;
  }): Promise<ServerCertificate>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 3600 * 1000;

export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = 'CN=Test authority';
  const authority = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  return {
    certificate: authority.toString('pem'),
    issue: async ({ hosts, addresses = [], expired = false }) => {
      const serverKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const certificate = await X509CertificateGenerator.create({
        subject: 'CN=Test receiver',
        issuer: name,
        publicKey: serverKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() - 2 * dayMs),
        notAfter: new Date(Date.now() + (expired ? -dayMs : dayMs)),
        extensions: [
          new SubjectAlternativeNameExtension([
            ...hosts.map((value) => ({ type: 'dns' as const, value })),
            ...addresses.map((value) => ({ type: 'ip' as const, value })),
          ]),
        ],
      });
      const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', serverKeys.privateKey)).toString('base64');
      return {
        key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
        cert: certificate.toString('pem'),
      };
    },
  };
}

/** A POST as a receiver saw it. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly receivedAt: Date;
}

export interface Receiver {
  readonly port: number;
  /** In the order in which they were completely received. */
  readonly posts: readonly ReceivedPost[];
  /** Connections opened so far. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

/**
 * Starts a real web server on an ephemeral loopback port, which records what is posted to it and then lets `answer`
 * respond. With a certificate it uses HTTPS.
 */
export async function startReceiver(answer: RequestListener, certificate?: ServerCertificate): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const sockets = new Set<Socket>();
  const state = { connectionCount: 0 };
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posts.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
      receivedAt: new Date(),
    });
    answer(request, response);
  };
  const server: Server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    state.connectionCount++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    posts,
    get connectionCount() {
      return state.connectionCount;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
