import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';

/** A plain-text e-mail to one person. */
export interface Mail {
  /** The bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
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

/** Sends one e-mail, or throws. */
export type SendMail = (mail: Mail) => Promise<void>;

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

function messageOf({ to, subject, text, answers, attachments = [] }: Mail, from: string): SendMailOptions {
  const message = {
    from,
    // As an object, the value is treated as a single address, whatever it contains.
    to: { name: '', address: to },
    subject,
    text,
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
    envelope: { from: '', to },
  };
}
