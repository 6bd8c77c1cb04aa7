import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

export type { SendMailOptions };

/**
 * Sends an e-mail to a server on loopback, as mail programs do; returns the server's reply, or throws the one it
 * rejected the e-mail with.
 *
 * @param tls the authority (PEM) of the server's certificate, for an e-mail that is sent with STARTTLS or not at all
 */
export async function sendMail(
  port: number,
  mail: SendMailOptions,
  tls: { readonly ca: string } | null = null,
): Promise<string> {
  const transport = createTransport({
    host: 'localhost',
    port,
    ...(tls === null ? { ignoreTLS: true } : { requireTLS: true, tls: { ca: tls.ca } }),
  });
  try {
    const { response } = await transport.sendMail({ from: 'anna@supplier.example', subject: 'Documents', ...mail });
    return response;
  } finally {
    transport.close();
  }
}

/**
 * The link in the newest e-mail to someone. The e-mail is sent a moment after the response that announces it.
 *
 * @param folder in which the service stores its e-mails
 * @param path of the page that the link points to
 */
export async function linkOfMail(folder: string, email: string, path: string): Promise<string> {
  const wanted = new RegExp(`http://\\S+/${path}\\?token=[\\w-]{43}`);
  return eventually(`an e-mail to ${email} with a link to ${path}`, () =>
    mailsIn(folder)
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => wanted.exec(text)?.[0])
      .findLast((found) => found !== undefined),
  );
}

/** The texts of the e-mails in a folder, oldest first. */
function mailsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));
}

/** An e-mail as a mail server on loopback got it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and body. */
  readonly text: string;
  readonly user: string;
}

export interface TestMailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  close(): Promise<void>;
}

/**
 * Starts a real mail server on loopback that takes e-mail from whoever signs in with the password.
 *
 * @param certificate for STARTTLS, without which nobody can sign in
 */
export async function startMailServer(
  certificate: { readonly key: string; readonly cert: string },
  expectedPassword: string,
): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...certificate,
    onAuth: ({ username = '', password }, _, done) =>
      password === expectedPassword ? done(null, { user: username }) : done(new Error('The password is wrong.')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, text: Buffer.concat(chunks).toString(), user: String(session.user) });
        done();
      });
    },
  });
  // A client that ends the connection, as one does that doesn't trust the certificate.
  server.on('error', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
