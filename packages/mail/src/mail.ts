import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { connect, isIP } from 'node:net';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';

/** An e-mail as plain text, and as HTML if it has both. */
export interface Mail {
  /** The bare address, or several, which all recipients see. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /**
   * Of an e-mail that is sent by a program on its own: its `Message-ID`, the same if it is sent again, and that of the
   * conversation it belongs to. It is marked as generated, so that nobody's absence answers it (RFC 3834).
   */
  readonly generated?: { readonly messageId: string; readonly conversationId: string };
  /**
   * `Message-ID` of the e-mail that this one replies to automatically. It is sent without a return address and marked
   * as automatic, so that two programs don't reply to each other (RFC 3834).
   */
  readonly answers?: string;
  readonly attachments?: readonly MailAttachment[];
}

/** A file of an e-mail, of at most a few megabytes. */
export interface MailAttachment {
  readonly fileName: string;
  readonly mediaType: string;
  /** A queued e-mail is stored as JSON. */
  readonly contentBase64: string;
}

/** Sends one e-mail and returns the mail server's reply, or throws. */
export type SendMail = (mail: Mail) => Promise<string>;

/**
 * Sends through the SMTP server or, without one, writes each e-mail to a folder as an `.eml` file. The mail library is
 * loaded for the first e-mail.
 *
 * @param options.smtpUrl `smtp://` or `smtps://`, null for the folder
 * @param options.folder is created if it is missing
 */
export function createMailTransport(options: {
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly folder: string;
}): SendMail {
  const { smtpUrl, from, folder } = options;
  if (smtpUrl !== null) {
    return async (mail) => {
      const { createTransport } = await import('nodemailer');
      const smtp = createTransport({
        url: smtpUrl,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 30_000,
      });
      return replyTo(await smtp.sendMail(messageOf(mail, from)));
    };
  }
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await composer.sendMail(messageOf(mail, from));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
    const unfinished = join(folder, `.${name}.unfinished`);
    await writeFile(unfinished, message as Buffer, { mode: 0o600 });
    await rename(unfinished, join(folder, name));
    return `Stored as ${name}, since no mail server is set.`;
  };
}

/** A mail server that somebody else runs. */
export interface MailServer {
  /** To connect to, already resolved; the certificate has to be for `host`. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  /** `none` neither encrypts nor authenticates the server. */
  readonly security: 'starttls' | 'tls' | 'none';
  /** PEM of the authorities that sign its certificate; null: the public ones. */
  readonly certificateAuthorities: string | null;
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly from: string;
}

/**
 * Sends one e-mail through a given server.
 *
 * @param timeoutMs after which it is given up, whatever the server is doing
 * @throws Error with `code` and `responseCode` of nodemailer
 */
export async function sendThrough(server: MailServer, mail: Mail, timeoutMs: number): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const { address, host, port, security, certificateAuthorities, credentials, from } = server;
  // An own socket, since nodemailer would let a server that sends a little now and then hold its own forever.
  const socket = connect({ host: address, port });
  socket.on('error', () => undefined);
  const late = Object.assign(new Error(`The mail server took longer than ${timeoutMs / 1_000} s.`), {
    code: 'ETIMEDOUT',
  });
  const timer = setTimeout(() => socket.destroy(late), timeoutMs);
  try {
    await once(socket, 'connect');
    const smtp = createTransport({
      connection: socket,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: {
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(certificateAuthorities === null ? {} : { ca: certificateAuthorities }),
      },
      ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return replyTo(await smtp.sendMail(messageOf(mail, from)));
  } catch (error) {
    // Through TLS, an ended socket looks like any other lost connection.
    throw socket.errored === late ? late : error;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function replyTo({ response, rejected }: { readonly response: string; readonly rejected: readonly unknown[] }): string {
  if (rejected.length === 0) return response;
  const refused = rejected.map((given) => (typeof given === 'string' ? given : (given as { address: string }).address));
  return `${response}\nThe server rejected ${refused.join(', ')}.`;
}

function messageOf(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, generated, answers, attachments = [] } = mail;
  const message = {
    from,
    // As an object, the value is treated as a single address, whatever it contains.
    to: [to].flat().map((address) => ({ name: '', address })),
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    ...(generated === undefined
      ? {}
      : {
          messageId: generated.messageId,
          references: generated.conversationId,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
    attachments: attachments.map(({ fileName, mediaType, contentBase64 }) => ({
      filename: fileName,
      contentType: mediaType,
      content: contentBase64,
      encoding: 'base64',
    })),
  };
  if (answers === undefined) return message;
  return {
    ...message,
    inReplyTo: answers,
    references: answers,
    headers: { 'Auto-Submitted': 'auto-replied' },
    envelope: { from: '', to: [...[to].flat()] },
  };
}
