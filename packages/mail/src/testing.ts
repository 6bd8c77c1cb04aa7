import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';

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
  for (const endMs = performance.now() + 20_000; performance.now() < endMs; await sleep(50)) {
    const link = mailsIn(folder)
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => wanted.exec(text)?.[0])
      .findLast((found) => found !== undefined);
    if (link !== undefined) return link;
  }
  throw new Error(`No mail to ${email} has a link to ${path}.`);
}

/** The texts of the e-mails in a folder, oldest first. One that is still being written has no link yet. */
function mailsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));
}
