import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { fieldError } from '../../frame/errors.ts';

/** Submitted TLS settings for a target server. */
export interface GivenTls {
  readonly serverName: string | null;
  readonly certificateAuthorities: string | null;
  readonly clientCertificate: string | null;
}

const mostCertificates = 100;
const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Rejects what no gateway node could load: text that is not a certificate, and a client certificate without its key.
 *
 * @param clientKey PEM of the client certificate's key; null if there is none
 * @throws ApiError at `tls.FIELD`
 */
export function refuseUnusableTls(tls: GivenTls, clientKey: string | null): void {
  if (tls.certificateAuthorities !== null) readCertificates('certificateAuthorities', tls.certificateAuthorities);
  if (tls.clientCertificate === null) {
    if (clientKey !== null) throw fieldError('tls.clientCertificate', 'Enter the certificate that the key belongs to.');
    return;
  }
  const [certificate] = readCertificates('clientCertificate', tls.clientCertificate);
  if (clientKey === null) throw fieldError('tls.clientKey', 'Enter the private key of the client certificate.');
  if (!certificate!.checkPrivateKey(readKey(clientKey))) {
    throw fieldError('tls.clientKey', 'This key belongs to another certificate.');
  }
}

function readCertificates(field: 'certificateAuthorities' | 'clientCertificate', text: string): X509Certificate[] {
  const blocks = text.match(pem) ?? [];
  if (blocks.length === 0 || blocks.length > mostCertificates) {
    throw fieldError(`tls.${field}`, `Enter at most ${mostCertificates} certificates as PEM.`);
  }
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw fieldError(`tls.${field}`, 'This is not a PEM certificate.');
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw fieldError('tls.clientKey', 'This is not a PEM private key without a passphrase.');
  }
}
