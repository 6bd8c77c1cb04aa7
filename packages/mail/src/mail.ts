import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';

/** A mail of plain text to one person. */
export interface Mail {
  /** An address alone. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /**
   * `Message-ID` of the mail that this one answers by itself. It goes out without a return address and says that a
   * machine wrote it, so that two machines do not answer each other (RFC 3834).
   */
  readonly answers?: string;
}

/** Sends one mail, or throws. */
export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Sends by the SMTP server, or, where there is none, puts each mail into a folder as an `.eml` file. What composes mails
 * is loaded for the first one.
 *
 * @param options.smtpUrl `smtp://` or `smtps://`, null for the folder
 * @param options.folder is made where it is missing
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
      await smtp.sendMail(messageOf(mail, from));
    };
  }
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await composer.sendMail(messageOf(mail, from));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
    const unfinished = join(folder, `.${name}`);
    await writeFile(unfinished, message as Buffer, { mode: 0o600 });
    await rename(unfinished, join(folder, name));
  };
}

function messageOf({ to, subject, text, answers }: Mail, from: string): SendMailOptions {
  // As an object, the address is taken for one address, whatever it holds.
  const message = { from, to: { name: '', address: to }, subject, text };
  if (answers === undefined) return message;
  return {
    ...message,
    inReplyTo: answers,
    references: answers,
    headers: { 'Auto-Submitted': 'auto-replied' },
    envelope: { from: '', to },
  };
}
