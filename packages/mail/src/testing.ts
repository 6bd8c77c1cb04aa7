import { createTransport, type SendMailOptions } from 'nodemailer';

export type { SendMailOptions };

/**
 * Sends a mail to a server on loopback, as mail programs do; returns the server's reply, or throws what it refused the
 * mail with.
 *
 * @param tls the authority (PEM) of the server's certificate, for a mail that goes by STARTTLS or not at all
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
