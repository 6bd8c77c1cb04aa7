import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail } from '../frame/handler.ts';

/** Sends one mail, or throws. */
export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Sends by the SMTP server, or, where there is none, puts each mail into a folder as an `.eml` file.
 *
 * @param options.smtpUrl `smtp://` or `smtps://`, null for the folder
 * @param options.folder is made where it is missing
 */
export function createMailTransport(options: {
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly folder: string;
}): SendMail {
  const { from, folder } = options;
  if (options.smtpUrl !== null) {
    const smtp = createTransport({
      url: options.smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    });
    return async (mail) => {
      await smtp.sendMail({ from, ...mail });
    };
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail) => {
    const { message } = await composer.sendMail({ from, ...mail });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
    const unfinished = join(folder, `.${name}`);
    await writeFile(unfinished, message as Buffer, { mode: 0o600 });
    await rename(unfinished, join(folder, name));
  };
}
