import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { fieldError } from '../../frame/errors.ts';

/** How the gateway is to speak TLS to a target server, as it was given. */
export interface GivenTls {
  readonly serverName: string | null;
  readonly certificateAuthorities: string | null;
  readonly clientCertificate: string | null;
}

const mostCertificates = 100;
const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Refuses what no gateway node could load: text that is no certificate, and a client certificate without its key.
 *
 * @param clientKey PEM of the key that belongs to the client certificate; null where there is none
 * @throws ApiError at `tls.FIELD`
 */
export function refuseUnusableTls(tls: GivenTls, clientKey: string | null): void {
  if (tls.certificateAuthorities !== null) readCertificates('certificateAuthorities', tls.certificateAuthorities);
  if (tls.clientCertificate === null) {
    if (clientKey !== null) throw fieldError('tls.clientCertificate', 'Give the certificate that the key belongs to.');
    return;
  }
  const [certificate] = readCertificates('clientCertificate', tls.clientCertificate);
  if (clientKey === null) throw fieldError('tls.clientKey', 'Give the private key of the client certificate.');
  if (!certificate!.checkPrivateKey(readKey(clientKey))) {
    throw fieldError('tls.clientKey', 'This is the key of another certificate.');
  }
}

function readCertificates(field: 'certificateAuthorities' | 'clientCertificate', text: string): X509Certificate[] {
  const blocks = text.match(pem) ?? [];
  if (blocks.length === 0 || blocks.length > mostCertificates) {
    throw fieldError(`tls.${field}`, `Give certificates as PEM, at most ${mostCertificates}.`);
  }
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw fieldError(`tls.${field}`, 'This is not a certificate as PEM.');
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw fieldError('tls.clientKey', 'This is not a private key as PEM without a passphrase.');
  }
}
